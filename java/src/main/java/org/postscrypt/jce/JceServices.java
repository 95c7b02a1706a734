package org.postscrypt.jce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.postscrypt.jce.Maker.Spi;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.service.Row;

/** The JCE's service table: the only public class of this package. */
public final class JceServices {
  private static final String NIST_HASHES = "2.16.840.1.101.3.4.2.";
  private static final String RSADSI_DIGESTS = "1.2.840.113549.2.";

  private JceServices() {}

  /** All services. */
  public static List<Row> rows() {
    List<Row> rows = new ArrayList<>(Arrays.asList(
        digest("MD5", NativeCrypto.MD5, 16).oid(RSADSI_DIGESTS + 5),
        digest("SHA-1", NativeCrypto.SHA1, 20).alias("SHA", "SHA1").oid("1.3.14.3.2.26"),
        digest("SHA-224", NativeCrypto.SHA224, 28).alias("SHA224").oid(NIST_HASHES + 4),
        digest("SHA-256", NativeCrypto.SHA256, 32).alias("SHA256").oid(NIST_HASHES + 1),
        digest("SHA-384", NativeCrypto.SHA384, 48).alias("SHA384").oid(NIST_HASHES + 2),
        digest("SHA-512", NativeCrypto.SHA512, 64).alias("SHA512").oid(NIST_HASHES + 3),
        digest("SHA-512/256", NativeCrypto.SHA512_256, 32).alias("SHA512/256").oid(NIST_HASHES + 6),

        hmac("MD5", NativeCrypto.MD5, 16).oid("1.3.6.1.5.5.8.1.1"),
        hmac("SHA1", NativeCrypto.SHA1, 20).oid(RSADSI_DIGESTS + 7, "1.3.6.1.5.5.8.1.2"),
        hmac("SHA224", NativeCrypto.SHA224, 28).oid(RSADSI_DIGESTS + 8),
        // The hash's own identifier stands for its HMAC with Conscrypt.
        hmac("SHA256", NativeCrypto.SHA256, 32).oid(RSADSI_DIGESTS + 9, NIST_HASHES + 1),
        hmac("SHA384", NativeCrypto.SHA384, 48).oid(RSADSI_DIGESTS + 10),
        hmac("SHA512", NativeCrypto.SHA512, 64).oid(RSADSI_DIGESTS + 11),
        hmac("SHA512/256", NativeCrypto.SHA512_256, 32).oid(RSADSI_DIGESTS + 13),

        // A second row rather than an alias: SecureRandom looks for ThreadSafe under the name that it was asked for.
        random("BoringSSL"),
        random("SHA1PRNG")));
    rows.addAll(SymmetricServices.rows());
    rows.addAll(CertificateServices.rows());
    rows.addAll(PqServices.rows());
    rows.addAll(KemServices.rows());
    rows.addAll(AsymmetricServices.rows());
    return Collections.unmodifiableList(rows);
  }

  private static Row digest(String name, int algorithm, int lengthBytes) {
    return Row.of("MessageDigest", name, Maker.of(Spi.DIGEST, algorithm, lengthBytes))
        .attribute("ImplementedIn", "Software");
  }

  private static Row hmac(String digest, int algorithm, int lengthBytes) {
    return Row.of("Mac", "Hmac" + digest, Maker.of(Spi.MAC, algorithm, lengthBytes))
        .alias("HMAC-" + digest, "HMAC/" + digest)
        .attribute("SupportedKeyFormats", "RAW");
  }

  private static Row random(String name) {
    return Row.of("SecureRandom", name, Maker.of(Spi.RANDOM))
        .attribute("ThreadSafe", "true")
        .attribute("ImplementedIn", "Software");
  }
}
