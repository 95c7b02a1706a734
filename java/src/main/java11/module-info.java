/** Postscrypt: a security provider (JCE and JSSE) over BoringSSL. */
module org.postscrypt {
  // One warning: a key log is set.
  requires java.logging;
  // An event for each handshake, if there is a Flight Recorder.
  requires static jdk.jfr;
  // The command line's demo only.
  requires static java.net.http;
  requires static jdk.httpserver;

  exports org.postscrypt;

  provides java.security.Provider with
      org.postscrypt.PostscryptProvider;
}
