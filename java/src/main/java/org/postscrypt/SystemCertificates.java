package org.postscrypt;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.postscrypt.x509.X509;

/** Reads the operating system's CA certificates. */
final class SystemCertificates {
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final Set<String> LABELS = new HashSet<>(Arrays.asList("CERTIFICATE", "X509 CERTIFICATE"));

  private final Set<ByteBuffer> encodings = new LinkedHashSet<>();
  private final List<Exception> failures = new ArrayList<>();

  private SystemCertificates() {}

  /**
   * A key store with the certificates in these PEM files and directories of PEM files.
   *
   * @param places newline-separated paths
   * @throws KeyStoreException if that would be empty
   */
  static KeyStore load(String places) throws KeyStoreException {
    SystemCertificates found = new SystemCertificates();
    for (String place : places.split("\n")) {
      if (!place.isEmpty()) {
        found.read(new File(place));
      }
    }
    return found.toKeyStore(places);
  }

  private KeyStore toKeyStore(String places) throws KeyStoreException {
    KeyStore store;
    int count = 0;
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      // In memory only; PKCS12 is the one type that every platform has.
      store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (ByteBuffer encoding : encodings) {
        try {
          Certificate certificate = factory.generateCertificate(new ByteArrayInputStream(encoding.array()));
          store.setCertificateEntry("ca-" + ++count, certificate);
        } catch (CertificateException e) {
          failures.add(e);
        }
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new KeyStoreException("no key store could be made for the system's certificates", e);
    }
    if (count == 0) {
      KeyStoreException empty = new KeyStoreException("no CA certificates of the operating system were found"
          + (places.isEmpty() ? "" : " in " + places.replace("\n", ", ")) + "; SSL_CERT_FILE can name a PEM file");
      for (Exception failure : failures) {
        empty.addSuppressed(failure);
      }
      throw empty;
    }
    return store;
  }

  private void read(File place) {
    File[] entries = place.listFiles();
    if (entries == null) {
      readFile(place);
      return;
    }
    Arrays.sort(entries);
    // Such directories hold each file once by name and again under its subject's hash, as a link.
    Set<File> files = new LinkedHashSet<>();
    for (File entry : entries) {
      try {
        files.add(entry.getCanonicalFile());
      } catch (IOException e) {
        failures.add(e);
      }
    }
    for (File file : files) {
      if (file.isFile()) {
        readFile(file);
      }
    }
  }

  /** Takes every certificate of a PEM file (RFC 7468 section 5); text between them is ignored. */
  private void readFile(File file) {
    try (BufferedReader in = new BufferedReader(
        new InputStreamReader(new FileInputStream(file), StandardCharsets.ISO_8859_1))) {
      StringBuilder base64 = null;
      for (String line; (line = in.readLine()) != null; ) {
        if (line.startsWith(BEGIN)) {
          String label = line.substring(BEGIN.length()).replaceFirst("-----\\s*$", "");
          // OpenSSL's TRUSTED CERTIFICATE may carry a distrust setting, which a key store cannot express.
          base64 = LABELS.contains(label) ? new StringBuilder() : null;
        } else if (line.startsWith(END)) {
          if (base64 != null) {
            add(file, base64);
          }
          base64 = null;
        } else if (base64 != null) {
          base64.append(line.trim());
        }
      }
      if (base64 != null) {
        failures.add(new CertificateException(file + " ends inside a certificate"));
      }
    } catch (FileNotFoundException e) {
      failures.add(e);
    } catch (IOException e) {
      failures.add(new IOException(file + ": " + e.getMessage(), e));
    }
  }

  private void add(File file, StringBuilder base64) {
    try {
      encodings.add(ByteBuffer.wrap(X509.base64(base64.toString().getBytes(StandardCharsets.ISO_8859_1))));
    } catch (IOException e) {
      failures.add(new CertificateException(file + " has a certificate that is not Base64", e));
    }
  }
}
