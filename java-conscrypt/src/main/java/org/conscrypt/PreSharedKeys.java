package org.conscrypt;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.Socket;
import javax.crypto.SecretKey;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import org.postscrypt.PreSharedKeyManager;

/** An application's {@link PSKKeyManager}, or what is like one, as the provider wants it. */
@SuppressWarnings("deprecation") // It is for those who have it.
final class PreSharedKeys implements PreSharedKeyManager {
  private final PSKKeyManager manager;

  private PreSharedKeys(PSKKeyManager manager) {
    this.manager = manager;
  }

  /** The first one among {@code managers}, which may be null; null if there is none. */
  static PreSharedKeys among(KeyManager[] managers) {
    for (KeyManager manager : managers == null ? new KeyManager[0] : managers) {
      if (manager instanceof PSKKeyManager) {
        return new PreSharedKeys((PSKKeyManager) manager);
      }
      PSKKeyManager alike = manager == null ? null : Alike.of(manager);
      if (alike != null) {
        return new PreSharedKeys(alike);
      }
    }
    return null;
  }

  private static String orEmpty(String identity) {
    return identity == null ? "" : identity;
  }

  @Override
  public String chooseServerIdentityHint(Socket socket) {
    return manager.chooseServerKeyIdentityHint(socket);
  }

  @Override
  public String chooseServerIdentityHint(SSLEngine engine) {
    return manager.chooseServerKeyIdentityHint(engine);
  }

  @Override
  public String chooseClientIdentity(String hint, Socket socket) {
    return orEmpty(manager.chooseClientKeyIdentity(hint, socket));
  }

  @Override
  public String chooseClientIdentity(String hint, SSLEngine engine) {
    return orEmpty(manager.chooseClientKeyIdentity(hint, engine));
  }

  @Override
  public SecretKey getKey(String hint, String identity, Socket socket) {
    return manager.getKey(hint, identity, socket);
  }

  @Override
  public SecretKey getKey(String hint, String identity, SSLEngine engine) {
    return manager.getKey(hint, identity, engine);
  }

  /** An object with the methods of a {@link PSKKeyManager}: of a relocated copy of it, say. */
  private static final class Alike implements PSKKeyManager {
    private final Object delegate;
    private final Method hintForSocket;
    private final Method hintForEngine;
    private final Method identityForSocket;
    private final Method identityForEngine;
    private final Method keyForSocket;
    private final Method keyForEngine;

    private Alike(Object delegate) throws NoSuchMethodException {
      this.delegate = delegate;
      hintForSocket = method(String.class, "chooseServerKeyIdentityHint", Socket.class);
      hintForEngine = method(String.class, "chooseServerKeyIdentityHint", SSLEngine.class);
      identityForSocket = method(String.class, "chooseClientKeyIdentity", String.class, Socket.class);
      identityForEngine = method(String.class, "chooseClientKeyIdentity", String.class, SSLEngine.class);
      keyForSocket = method(SecretKey.class, "getKey", String.class, String.class, Socket.class);
      keyForEngine = method(SecretKey.class, "getKey", String.class, String.class, SSLEngine.class);
    }

    /** Null if a method is missing, or returns something else. */
    static PSKKeyManager of(Object delegate) {
      try {
        return new Alike(delegate);
      } catch (NoSuchMethodException e) {
        return null;
      }
    }

    private Method method(Class<?> answer, String name, Class<?>... parameters) throws NoSuchMethodException {
      Method found = delegate.getClass().getMethod(name, parameters);
      if (!answer.isAssignableFrom(found.getReturnType())) {
        throw new NoSuchMethodException(name);
      }
      return found;
    }

    private Object call(Method method, Object... arguments) {
      try {
        if (!Modifier.isPublic(method.getDeclaringClass().getModifiers())) {
          method.setAccessible(true); // A public method of a class that is not. Refused, it is this call that fails.
        }
        return method.invoke(delegate, arguments);
      } catch (InvocationTargetException e) {
        throw new IllegalStateException("Failed to invoke " + method.getName(), e.getCause());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("Failed to invoke " + method.getName(), e);
      }
    }

    @Override
    public String chooseServerKeyIdentityHint(Socket socket) {
      return (String) call(hintForSocket, socket);
    }

    @Override
    public String chooseServerKeyIdentityHint(SSLEngine engine) {
      return (String) call(hintForEngine, engine);
    }

    @Override
    public String chooseClientKeyIdentity(String hint, Socket socket) {
      return (String) call(identityForSocket, hint, socket);
    }

    @Override
    public String chooseClientKeyIdentity(String hint, SSLEngine engine) {
      return (String) call(identityForEngine, hint, engine);
    }

    @Override
    public SecretKey getKey(String hint, String identity, Socket socket) {
      return (SecretKey) call(keyForSocket, hint, identity, socket);
    }

    @Override
    public SecretKey getKey(String hint, String identity, SSLEngine engine) {
      return (SecretKey) call(keyForEngine, hint, identity, engine);
    }
  }
}
