package org.postscrypt;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.List;
import org.postscrypt.jce.JceServices;
import org.postscrypt.jsse.JsseServices;
import org.postscrypt.nat.NativeLibrary;
import org.postscrypt.service.OwnProvider;
import org.postscrypt.service.Row;

/**
 * The security provider {@code Postscrypt}: JCE and JSSE over BoringSSL.
 *
 * <p>Register it with {@link java.security.Security#insertProviderAt} or {@link java.security.Security#addProvider}, or
 * hand it to a {@code getInstance} method. It may be used by any number of threads.
 */
public final class PostscryptProvider extends Provider {
  /** This provider's name. */
  public static final String NAME = "Postscrypt";

  private static final long serialVersionUID = 1;

  /**
   * Makes a provider with all services.
   *
   * @throws java.security.ProviderException if the native library cannot be loaded; the cause says why
   */
  public PostscryptProvider() {
    super(NAME, 0.1, "Postscrypt: JCE and JSSE over BoringSSL");
    NativeLibrary.requireAvailable();
    putAll(JceServices.rows());
    putAll(JsseServices.rows());
    OwnProvider.set(this);
  }

  private void putAll(List<Row> rows) {
    for (Row row : rows) {
      putService(new RowService(this, row));
    }
  }

  /** A service whose implementation comes from its row's factory, without reflection. */
  private static final class RowService extends Service {
    private final Row.Factory factory;

    RowService(Provider provider, Row row) {
      super(
          provider,
          row.type(),
          row.algorithm(),
          "org.postscrypt." + row.type() + "." + row.algorithm(),
          row.aliases(),
          row.attributes());
      this.factory = row.factory();
    }

    @Override
    public Object newInstance(Object constructorParameter) throws NoSuchAlgorithmException {
      if (constructorParameter != null && getType().equals("KDF")) {
        // KDF.getInstance looks for the cause.
        throw new NoSuchAlgorithmException(
            getAlgorithm() + " takes no parameters",
            new InvalidAlgorithmParameterException(getAlgorithm() + " takes no parameters"));
      }
      if (constructorParameter != null) {
        throw new InvalidParameterException(getType() + " " + getAlgorithm() + " takes no constructor parameter");
      }
      try {
        return factory.newInstance();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new NoSuchAlgorithmException(getType() + " " + getAlgorithm() + ": " + e.getMessage(), e);
      }
    }
  }
}
