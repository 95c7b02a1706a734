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

    private Alike(Object delegate) {
      this.delegate = delegate;
    }

    /** Null if a method is missing. */
    static PSKKeyManager of(Object delegate) {
      for (Method wanted : PSKKeyManager.class.getMethods()) {
        try {
          Method found = delegate.getClass().getMethod(wanted.getName(), wanted.getParameterTypes());
          if (!wanted.getReturnType().isAssignableFrom(found.getReturnType())) {
            return null;
          }
        } catch (NoSuchMethodException e) {
          return null;
        }
      }
      return new Alike(delegate);
    }

    private Object call(String name, Class<?>[] types, Object... arguments) {
      try {
        Method method = delegate.getClass().getMethod(name, types);
        if (!Modifier.isPublic(method.getDeclaringClass().getModifiers())) {
          method.setAccessible(true); // A public method of a class that is not.
        }
        return method.invoke(delegate, arguments);
      } catch (InvocationTargetException e) {
        throw new IllegalStateException("Failed to invoke " + name, e.getCause());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("Failed to invoke " + name, e);
      }
    }

    private static final Class<?>[] SOCKET = {Socket.class};
    private static final Class<?>[] ENGINE = {SSLEngine.class};
    private static final Class<?>[] HINT_SOCKET = {String.class, Socket.class};
    private static final Class<?>[] HINT_ENGINE = {String.class, SSLEngine.class};
    private static final Class<?>[] KEY_SOCKET = {String.class, String.class, Socket.class};
    private static final Class<?>[] KEY_ENGINE = {String.class, String.class, SSLEngine.class};

    @Override
    public String chooseServerKeyIdentityHint(Socket socket) {
      return (String) call("chooseServerKeyIdentityHint", SOCKET, socket);
    }

    @Override
    public String chooseServerKeyIdentityHint(SSLEngine engine) {
      return (String) call("chooseServerKeyIdentityHint", ENGINE, engine);
    }

    @Override
    public String chooseClientKeyIdentity(String hint, Socket socket) {
      return (String) call("chooseClientKeyIdentity", HINT_SOCKET, hint, socket);
    }

    @Override
    public String chooseClientKeyIdentity(String hint, SSLEngine engine) {
      return (String) call("chooseClientKeyIdentity", HINT_ENGINE, hint, engine);
    }

    @Override
    public SecretKey getKey(String hint, String identity, Socket socket) {
      return (SecretKey) call("getKey", KEY_SOCKET, hint, identity, socket);
    }

    @Override
    public SecretKey getKey(String hint, String identity, SSLEngine engine) {
      return (SecretKey) call("getKey", KEY_ENGINE, hint, identity, engine);
    }
  }
}
