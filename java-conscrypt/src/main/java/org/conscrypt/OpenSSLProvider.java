package org.conscrypt;

import java.security.InvalidParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The security provider {@code Conscrypt}: Conscrypt's services under Conscrypt's names, all of them Postscrypt's.
 * {@link
 * Conscrypt#newProvider()} makes one, too.
 */
public final class OpenSSLProvider extends Provider {
  /** The name that Conscrypt's provider has. */
  static final String NAME = "Conscrypt";

  private static final long serialVersionUID = 2996752495318905136L;

  private static final String[] ATTRIBUTES = {
    "ImplementedIn", "SupportedKeyClasses", "SupportedKeyFormats", "SupportedModes", "SupportedPaddings", "ThreadSafe"
  };

  /**
   * With the name {@code Conscrypt}.
   *
   * @throws UnsatisfiedLinkError if the native library is not to be had here; the cause says why
   */
  public OpenSSLProvider() {
    this(NAME);
  }

  /** With another name. */
  public OpenSSLProvider(String name) {
    this(name, true, "TLSv1.3");
  }

  /** {@code defaultTlsProtocol}: what the contexts {@code TLS}, {@code SSL} and {@code Default} are. */
  @SuppressWarnings("deprecation") // the constructor that Java 8 has
  OpenSSLProvider(String name, boolean provideTrustManager, String defaultTlsProtocol) {
    super(name, 1.0, "Conscrypt's services, by Postscrypt");
    Provider own = Own.provider();
    for (String row : ServiceTable.ROWS) {
      String[] words = row.split(" ");
      String type = words[0];
      if (provideTrustManager || !type.equals("TrustManagerFactory")) {
        List<String> aliases = Arrays.asList(words).subList(2, words.length);
        putService(new FacadeService(this, own, type, words[1], aliases, defaultTlsProtocol));
      }
    }
  }

  private static final class FacadeService extends Service {
    private final String defaultTlsProtocol;
    /** The service of the provider behind; null if all of it is here. */
    private final Service own;

    FacadeService(
        Provider facade, Provider provider, String type, String algorithm, List<String> aliases, String defaultTlsProtocol) {
      this(facade, ownService(provider, type, algorithm), type, algorithm, aliases, defaultTlsProtocol);
    }

    private FacadeService(
        Provider facade, Service own, String type, String algorithm, List<String> aliases, String defaultTlsProtocol) {
      super(facade, type, algorithm, "org.conscrypt." + type + "." + algorithm, aliases, attributes(own));
      this.own = own;
      this.defaultTlsProtocol = defaultTlsProtocol;
    }

    private static Service ownService(Provider provider, String type, String algorithm) {
      switch (type) {
        case "ConscryptHpke":
        case "SSLContext":
        case "TrustManagerFactory":
          return null;
        case "KeyManagerFactory":
          return provider.getService(type, "PostscryptX509");
        default:
          return provider.getService(type, algorithm);
      }
    }

    private static Map<String, String> attributes(Service own) {
      Map<String, String> attributes = new HashMap<>();
      for (String name : ATTRIBUTES) {
        String value = own == null ? null : own.getAttribute(name);
        if (value != null) {
          attributes.put(name, value);
        }
      }
      return attributes;
    }

    @Override
    public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
      if (parameter != null) {
        throw new InvalidParameterException(getType() + " " + getAlgorithm() + " takes no constructor parameter");
      }
      String algorithm = getAlgorithm();
      boolean ofFamily = KeyFamily.of(algorithm) != null;
      switch (getType()) {
        case "SSLContext":
          return newContext(algorithm);
        case "TrustManagerFactory":
          return new TrustManagerFactoryImpl();
        case "ConscryptHpke":
          String[] names = algorithm.split("/");
          return new HpkeImpl(
              HpkeSuite.KEM.valueOf(names[0]), HpkeSuite.KDF.valueOf(names[1]), HpkeSuite.AEAD.valueOf(names[2]));
        case "KeyFactory":
          return ofFamily ? new RawKeyFactory(algorithm) : own.newInstance(null);
        case "KeyGenerator":
          SecretKeyGenerator generator = SecretKeyGenerator.of(algorithm);
          return generator != null ? generator : own.newInstance(null);
        case "KeyPairGenerator":
          return ofFamily ? new RawKeyPairGenerator(algorithm) : own.newInstance(null);
        case "Signature":
          return new RawKeySignature(algorithm);
        case "KeyAgreement":
          return ofFamily ? new RawKeyAgreement(algorithm) : own.newInstance(null);
        case "SecretKeyFactory":
          return algorithm.equals("SCRYPT") ? new ScryptKeyFactory() : own.newInstance(null);
        default:
          return own.newInstance(null);
      }
    }

    private OpenSSLContextImpl newContext(String algorithm) throws NoSuchAlgorithmException {
      switch (algorithm) {
        case "Default":
          return OpenSSLContextImpl.ofDefault(defaultTlsProtocol);
        case "SSL":
        case "TLS":
          return new OpenSSLContextImpl(defaultTlsProtocol, false);
        case "TLSv1.3":
          return new OpenSSLContextImpl("TLSv1.3", false);
        default:
          // The older names mean the oldest version that there is.
          return new OpenSSLContextImpl("TLSv1.2", false);
      }
    }
  }
}
