package org.postscrypt.x509;

import java.lang.ref.SoftReference;
import java.security.cert.CertificateException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Certificates by their encoding, so that chains seen again are not parsed again, their keys not made again and their
 * signatures not verified again. Each encoding has one slot, which the last certificate parsed holds: bounded, without
 * locks, and of nothing but speed.
 */
final class CertificateCache {
  private static final int SLOTS = 512;

  /** Larger encodings are rare and not kept, in bytes. */
  private static final int MAX_BYTES = 4096;

  private final AtomicReferenceArray<SoftReference<EncodedCertificate>> slots = new AtomicReferenceArray<>(SLOTS);

  /** The certificate that these bytes are, which must not change from now on. */
  EncodedCertificate get(byte[] encoding) throws CertificateException {
    int hash = Arrays.hashCode(encoding);
    int slot = (hash ^ hash >>> 16) & SLOTS - 1;
    SoftReference<EncodedCertificate> reference = slots.get(slot);
    EncodedCertificate known = reference == null ? null : reference.get();
    if (known != null && known.isEncodedAs(encoding)) {
      return known;
    }
    EncodedCertificate parsed = new EncodedCertificate(encoding);
    if (encoding.length <= MAX_BYTES) {
      slots.set(slot, new SoftReference<>(parsed));
    }
    return parsed;
  }
}
