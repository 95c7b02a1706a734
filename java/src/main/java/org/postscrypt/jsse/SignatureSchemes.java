package org.postscrypt.jsse;

import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** TLS signature schemes (RFC 8446 section 4.2.3) and what they are called in the JCA. */
enum SignatureSchemes {
  ECDSA_SECP256R1_SHA256(0x0403, "EC", "SHA256withECDSA", 256),
  ED25519(0x0807, "EdDSA", "Ed25519", 0),
  RSA_PSS_RSAE_SHA256(0x0804, "RSA", "RSASSA-PSS", 32),
  RSA_PSS_PSS_SHA256(0x0809, "RSASSA-PSS", "RSASSA-PSS", 32),
  RSA_PKCS1_SHA256(0x0401, "RSA", "SHA256withRSA", 0),
  ECDSA_SECP384R1_SHA384(0x0503, "EC", "SHA384withECDSA", 384),
  RSA_PSS_RSAE_SHA384(0x0805, "RSA", "RSASSA-PSS", 48),
  RSA_PSS_PSS_SHA384(0x080a, "RSASSA-PSS", "RSASSA-PSS", 48),
  RSA_PKCS1_SHA384(0x0501, "RSA", "SHA384withRSA", 0),
  ECDSA_SECP521R1_SHA512(0x0603, "EC", "SHA512withECDSA", 521),
  RSA_PSS_RSAE_SHA512(0x0806, "RSA", "RSASSA-PSS", 64),
  RSA_PSS_PSS_SHA512(0x080b, "RSASSA-PSS", "RSASSA-PSS", 64),
  RSA_PKCS1_SHA512(0x0601, "RSA", "SHA512withRSA", 0);

  /** What we accept and offer, best first. PSS keys proper (rsa_pss_pss) are not BoringSSL's. */
  static final int[] DEFAULT = {
    0x0403, 0x0807, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0603, 0x0806, 0x0601
  };

  final int id;
  /** The key type's name for a KeyManager. */
  final String keyType;
  /** The Signature's name. */
  final String algorithm;
  /** EC: the curve's size in bits; PSS: the salt's length in bytes. */
  private final int size;

  SignatureSchemes(int id, String keyType, String algorithm, int size) {
    this.id = id;
    this.keyType = keyType;
    this.algorithm = algorithm;
    this.size = size;
  }

  /** The scheme with this number; null if it is none of ours. */
  static SignatureSchemes of(int id) {
    for (SignatureSchemes scheme : values()) {
      if (scheme.id == id) {
        return scheme;
      }
    }
    return null;
  }

  /** The scheme with this TLS name, in any case; null if it is none of ours. */
  static SignatureSchemes of(String name) {
    for (SignatureSchemes scheme : values()) {
      if (scheme.name().equalsIgnoreCase(name.trim())) {
        return scheme;
      }
    }
    return null;
  }

  /** The numbers of those named that can be negotiated, in their order. */
  static int[] ids(String[] names) {
    int[] ids = new int[names.length];
    int n = 0;
    for (String name : names) {
      SignatureSchemes scheme = of(name);
      if (scheme != null && scheme.isNegotiable()) {
        ids[n++] = scheme.id;
      }
    }
    return java.util.Arrays.copyOf(ids, n);
  }

  /** Whether BoringSSL has it. */
  private boolean isNegotiable() {
    for (int id : DEFAULT) {
      if (id == this.id) {
        return true;
      }
    }
    return false;
  }

  /** The TLS names of these schemes. */
  static String[] tlsNames(int[] ids) {
    String[] names = new String[ids.length];
    for (int i = 0; i < ids.length; i++) {
      names[i] = of(ids[i]).name().toLowerCase(java.util.Locale.ROOT);
    }
    return names;
  }

  /** The parameters of the Signature; null if it has none. */
  AlgorithmParameterSpec parameters() {
    if (!algorithm.equals("RSASSA-PSS")) {
      return null;
    }
    String digest = "SHA-" + size * 8;
    return new PSSParameterSpec(digest, "MGF1", new MGF1ParameterSpec(digest), size, 1);
  }

  /** The digest that is signed; null if the message itself is. */
  String digest() {
    int at = name().lastIndexOf("SHA");
    return at < 0 ? null : "SHA-" + name().substring(at + 3);
  }

  /** The key types of these schemes, each once, in their order. */
  static Set<String> keyTypes(int[] schemes) {
    Set<String> types = new LinkedHashSet<>();
    for (int id : schemes) {
      SignatureSchemes scheme = of(id);
      if (scheme != null) {
        types.add(scheme.keyType);
      }
    }
    return types;
  }

  /** Those of {@code schemes} that are in {@code others} too, in their order. */
  static int[] common(int[] schemes, int[] others) {
    int[] common = new int[schemes.length];
    int n = 0;
    for (int scheme : schemes) {
      for (int other : others) {
        if (scheme == other) {
          common[n++] = scheme;
          break;
        }
      }
    }
    return java.util.Arrays.copyOf(common, n);
  }

  /** The JCA names of these schemes, as {@code ExtendedSSLSession} gives them. */
  static String[] names(int[] schemes) {
    Set<String> names = new LinkedHashSet<>();
    for (int id : schemes) {
      SignatureSchemes scheme = of(id);
      if (scheme != null) {
        names.add(scheme.algorithm);
      } else if (id == 0x0201) {
        names.add("SHA1withRSA");
      } else if (id == 0x0203) {
        names.add("SHA1withECDSA");
      }
    }
    return names.toArray(new String[0]);
  }

  /** The schemes that this leaf's key can sign with, best first. */
  static int[] of(PrivateKey key, X509Certificate leaf) {
    PublicKey publicKey = leaf.getPublicKey();
    String type = publicKey.getAlgorithm();
    if (type.equals("Ed25519")) {
      type = "EdDSA";
    }
    int curve = publicKey instanceof ECPublicKey
        ? ((ECPublicKey) publicKey).getParams().getCurve().getField().getFieldSize()
        : 0;
    List<SignatureSchemes> able = new ArrayList<>();
    for (SignatureSchemes scheme : values()) {
      if (scheme.keyType.equals(type) && (curve == 0 || scheme.size == curve)) {
        able.add(scheme);
      }
    }
    int[] ids = new int[able.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = able.get(i).id;
    }
    return ids;
  }
}
