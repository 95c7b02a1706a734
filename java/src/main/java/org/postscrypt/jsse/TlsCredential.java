package org.postscrypt.jsse;

import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import org.postscrypt.nat.KeyEncoding;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/** A certificate chain with its key, in native form: made once per key, shared by connections. */
final class TlsCredential {
  static final X509Certificate[] NO_CHAIN = {};

  /** Empty for a raw public key. */
  final X509Certificate[] chain;
  /** The key itself, if it cannot be exported: it signs where it lives. Null if the native side has it. */
  final PrivateKey externalKey;

  private final NativeRef ref;

  /**
   * @throws InvalidKeyException if the key is of no use for TLS, or not the leaf's
   * @throws CertificateException if the chain is empty or cannot be used
   */
  TlsCredential(PrivateKey key, X509Certificate[] chain, TlsConfig config)
      throws InvalidKeyException, CertificateException {
    this.chain = chain;
    byte[][] encoded = new byte[chain.length][];
    for (int i = 0; i < chain.length; i++) {
      encoded[i] = chain[i].getEncoded();
    }
    byte[] ocspResponse = orNull(config.ocspResponse());
    byte[] timestamps = orNull(config.signedCertificateTimestamps());
    byte[] pkcs8 = KeyEncoding.pkcs8(key);
    long handle;
    if (pkcs8 != null) {
      try {
        handle = NativeCrypto.tlsCredentialNew(encoded, pkcs8, config.signatureSchemes(), ocspResponse, timestamps);
      } finally {
        Arrays.fill(pkcs8, (byte) 0);
      }
      externalKey = null;
    } else {
      if (chain.length == 0) {
        throw new CertificateException("the certificate chain is empty");
      }
      int[] schemes = SignatureSchemes.common(config.signatureSchemes(), SignatureSchemes.of(key, chain[0]));
      if (schemes.length == 0) {
        throw new InvalidKeyException("no TLS signature scheme for a key of type " + key.getAlgorithm());
      }
      handle = NativeCrypto.tlsCredentialExternal(encoded, schemes, ocspResponse, timestamps);
      externalKey = key;
    }
    ref = new NativeRef(handle, NativeCrypto::tlsCredentialFree);
  }

  /**
   * A raw public key (RFC 7250).
   *
   * @throws InvalidKeyException if the key has no PKCS#8 encoding or is of no use for TLS
   */
  TlsCredential(PrivateKey key) throws InvalidKeyException {
    chain = NO_CHAIN;
    externalKey = null;
    byte[] pkcs8 = KeyEncoding.pkcs8(key);
    if (pkcs8 == null) {
      throw new InvalidKeyException("a raw key pair needs a private key with a PKCS#8 encoding");
    }
    try {
      ref = new NativeRef(NativeCrypto.tlsCredentialRawPublicKey(pkcs8), NativeCrypto::tlsCredentialFree);
    } finally {
      Arrays.fill(pkcs8, (byte) 0);
    }
  }

  private static byte[] orNull(byte[] bytes) {
    return bytes.length == 0 ? null : bytes;
  }

  long handle() {
    return ref.handle();
  }

  NativeRef ref() {
    return ref;
  }

  /** What a cached credential is found by: a key and a chain equal to those that a key manager gave, which may copy them. */
  static final class Key {
    private final PrivateKey key;
    private final X509Certificate[] chain;
    private final byte[] ocspResponse;
    private final byte[] timestamps;
    private final int[] schemes;

    Key(PrivateKey key, X509Certificate[] chain, TlsConfig config) {
      this.key = key;
      this.chain = chain;
      this.ocspResponse = config.ocspResponse();
      this.timestamps = config.signedCertificateTimestamps();
      this.schemes = config.signatureSchemes();
    }

    @Override
    public int hashCode() {
      return chain.length == 0 ? key.hashCode() : chain[0].hashCode();
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Key)) {
        return false;
      }
      Key k = (Key) other;
      return (k.key == key || k.key.equals(key))
          && Arrays.equals(chain, k.chain)
          && Arrays.equals(schemes, k.schemes)
          && Arrays.equals(ocspResponse, k.ocspResponse)
          && Arrays.equals(timestamps, k.timestamps);
    }
  }

}
