package org.postscrypt.cli;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** A CA and server certificates for localhost, valid for two days, made by the JDK's keytool. */
final class DemoCertificates {
  /** Key types of the servers: an alias and keytool's -keyalg and -keysize. */
  enum Kind {
    ECDSA("EC", 256),
    RSA("RSA", 2048);

    private final String algorithm;
    private final int sizeBits;

    Kind(String algorithm, int sizeBits) {
      this.algorithm = algorithm;
      this.sizeBits = sizeBits;
    }
  }

  // Protects throw-away keys in an owner-only directory that is deleted at the end.
  private static final String PASSWORD = "throw-away";
  private static final int KEYTOOL_SECONDS = 60;

  private final Path directory;
  private final Path keyStoreFile;
  private final KeyStore keys;
  private final Certificate ca;

  /** Makes all of them in {@code directory}. */
  DemoCertificates(Path directory) throws IOException, GeneralSecurityException, InterruptedException {
    this.directory = directory;
    keyStoreFile = directory.resolve("keys.p12");
    generate("ca", Kind.ECDSA, "CN=Postscrypt demo CA", "-ext", "bc:c=ca:true", "-ext", "ku:c=keyCertSign,cRLSign");
    for (Kind kind : Kind.values()) {
      generate(kind.name(), kind, "CN=localhost, O=Postscrypt demo " + kind);
    }
    keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keyStoreFile)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    ca = keys.getCertificate("ca");
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    for (Kind kind : Kind.values()) {
      String request = keytool("", "-certreq", "-alias", kind.name());
      String issued = keytool(request, "-gencert", "-rfc", "-alias", "ca", "-validity", "2", "-startdate", "-1H",
          "-ext", "san=dns:localhost,ip:127.0.0.1", "-ext", "eku=serverAuth");
      Certificate certificate =
          factory.generateCertificate(new ByteArrayInputStream(issued.getBytes(StandardCharsets.US_ASCII)));
      PrivateKey key = privateKey(kind);
      keys.setKeyEntry(kind.name(), key, PASSWORD.toCharArray(), new Certificate[] {certificate, ca});
      pem(kind.name() + ".crt", "CERTIFICATE", certificate.getEncoded());
      pem(kind.name() + ".key", "PRIVATE KEY", key.getEncoded());
    }
    pem("ca.crt", "CERTIFICATE", ca.getEncoded());
  }

  /** The CA's certificate, PEM. */
  Path caFile() {
    return directory.resolve("ca.crt");
  }

  /** A server's certificate, PEM. */
  Path certificateFile(Kind kind) {
    return directory.resolve(kind.name() + ".crt");
  }

  /** A server's private key, PEM. */
  Path keyFile(Kind kind) {
    return directory.resolve(kind.name() + ".key");
  }

  /** Trust in the CA only. */
  TrustManager[] trustManagers() throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("ca", ca);
    TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory.getTrustManagers();
  }

  /** One server's key and chain. */
  KeyManager[] keyManagers(Kind kind) throws GeneralSecurityException, IOException {
    KeyStore one = KeyStore.getInstance("PKCS12");
    one.load(null, null);
    one.setKeyEntry(kind.name(), privateKey(kind), PASSWORD.toCharArray(), keys.getCertificateChain(kind.name()));
    KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(one, PASSWORD.toCharArray());
    return factory.getKeyManagers();
  }

  private PrivateKey privateKey(Kind kind) throws GeneralSecurityException {
    return (PrivateKey) keys.getKey(kind.name(), PASSWORD.toCharArray());
  }

  private void generate(String alias, Kind kind, String name, String... extensions)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(Arrays.asList("-genkeypair", "-alias", alias, "-keyalg", kind.algorithm,
        "-keysize", String.valueOf(kind.sizeBits), "-dname", name, "-validity", "2", "-startdate", "-1H"));
    arguments.addAll(Arrays.asList(extensions));
    keytool("", arguments.toArray(new String[0]));
  }

  private String keytool(String input, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "keytool");
    // Seven short-lived JVMs: start them lean.
    command.addAll(Arrays.asList("-J-XX:TieredStopAtLevel=1", "-J-Xshare:auto"));
    command.addAll(Arrays.asList(arguments));
    command.addAll(Arrays.asList("-keystore", keyStoreFile.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
    return Commands.require(command, input, KEYTOOL_SECONDS);
  }

  private void pem(String file, String label, byte[] der) throws IOException {
    String text = "-----BEGIN " + label + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
        + "\n-----END " + label + "-----\n";
    Files.write(directory.resolve(file), text.getBytes(StandardCharsets.US_ASCII));
  }
}
