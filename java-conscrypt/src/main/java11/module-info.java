/** Conscrypt's public API over Postscrypt. */
module org.conscrypt {
  requires transitive org.postscrypt;

  exports org.conscrypt;

  provides java.security.Provider with org.conscrypt.OpenSSLProvider;
}
