package org.conscrypt;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Comparator;
import java.util.List;
import java.util.TimeZone;
import org.postscrypt.conscryptabi.Fixtures;
import org.postscrypt.conscryptabi.Identities;

/** Handles that are freed, foreign or made up: with our library each is an exception, never a crash. */
public final class Stale {
  private Stale() {}

  /** Natives whose `long`s are memory, which is the caller's word. */
  private static final List<String> MEMORY = List.of(
      "EVP_DigestUpdateDirect", "EVP_DigestSignUpdateDirect", "EVP_DigestVerifyUpdateDirect", "HMAC_UpdateDirect",
      "CMAC_UpdateDirect", "ENGINE_SSL_read_direct", "ENGINE_SSL_write_direct", "ENGINE_SSL_read_BIO_direct",
      "ENGINE_SSL_write_BIO_direct");

  /** Handles of every kind that were freed, and that are alive but of some one kind. */
  private static List<Long> handles() throws Exception {
    List<Long> handles = new ArrayList<>(List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 0x7f00_0000_1000L));
    long md = NativeCrypto.EVP_MD_CTX_create();
    NativeCrypto.EVP_MD_CTX_destroy(md);
    long key = NativeCrypto.EVP_parse_public_key(Fixtures.RSA.getPublic().getEncoded());
    NativeCrypto.EVP_PKEY_free(key);
    long cert = NativeCrypto.d2i_X509(Fixtures.CA);
    long time = NativeCrypto.X509_get_notAfter(cert, null);
    NativeCrypto.X509_free(cert, null);
    long cipher = NativeCrypto.EVP_CIPHER_CTX_new();
    NativeCrypto.EVP_CIPHER_CTX_free(cipher);
    long bio = NativeCrypto.create_BIO_OutputStream(new ByteArrayOutputStream());
    NativeCrypto.BIO_free_all(bio);
    long writer = NativeCrypto.asn1_write_init();
    NativeCrypto.asn1_write_free(writer);
    handles.addAll(List.of(md, key, cert, time, cipher, bio, writer));
    try (Link link = new Link().versions(Link.TLS12).handshake()) {
      handles.addAll(List.of(link.client.context, link.client.ssl, link.client.bio, link.client.sessions.get(0),
          NativeCrypto.SSL_get_ciphers(link.client.ssl, null)[0] + 0x10000));
    }
    long ech = NativeCrypto.SSL_ECH_KEYS_new();
    NativeCrypto.SSL_ECH_KEYS_free(ech);
    handles.add(ech);
    long context = NativeCrypto.SSL_CTX_new();
    handles.addAll(List.of(context, NativeCrypto.SSL_new(context, null), NativeCrypto.SSL_ECH_KEYS_new()));
    // Alive, and there is no native that takes them all.
    handles.add(NativeCrypto.HMAC_CTX_new());
    handles.add(NativeCrypto.EVP_get_digestbyname("sha1"));
    handles.add(NativeCrypto.EVP_get_digestbyname("sha1") + 1000);
    handles.add(NativeCrypto.EVP_get_cipherbyname("aes-128-cbc"));
    handles.add(NativeCrypto.EVP_aead_aes_128_gcm());
    handles.add(NativeCrypto.EVP_aead_aes_128_gcm() + 999);
    return handles;
  }

  private static Object value(Class<?> type, long handle, int variant) throws Exception {
    if (type == long.class) {
      return handle;
    } else if (type == int.class) {
      return new int[] {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}[variant];
    } else if (type == short.class) {
      return (short) variant;
    } else if (type == boolean.class) {
      return variant % 2 == 0;
    } else if (variant == 0) {
      return null;
    } else if (type == byte[].class) {
      return new byte[variant * 8];
    } else if (type == String.class) {
      return new String[] {"", "1.2.3", "sha1", "\u0000\ud800x"}[variant - 1];
    } else if (type == int[].class) {
      return new int[variant - 1];
    } else if (type == long[].class) {
      return new long[] {handle};
    } else if (type == byte[][].class) {
      return new byte[variant - 1][];
    } else if (type == ByteBuffer.class || type == java.nio.Buffer.class) {
      return variant == 1 ? ByteBuffer.allocate(3) : ByteBuffer.allocateDirect(variant * 10);
    } else if (type == Calendar.class) {
      return Calendar.getInstance(TimeZone.getTimeZone("UTC"));
    } else if (type == OpenSSLBIOInputStream.class) {
      return new OpenSSLBIOInputStream(new ByteArrayInputStream(new byte[3]), true);
    } else if (NativeRef.class.isAssignableFrom(type) && handle != 0) {
      return type.getDeclaredConstructor(long.class).newInstance(handle);
    }
    return null;
  }

  /** Calls every native in every way. Answers how many calls there were, or throws what is no exception of a contract. */
  public static int storm() throws Exception {
    new NativeCrypto();
    Method[] natives = Arrays.stream(NativeCrypto.class.getDeclaredMethods())
        .filter(method -> Modifier.isNative(method.getModifiers()))
        .sorted(Comparator.comparing(Method::getName))
        .toArray(Method[]::new);
    int calls = 0;
    for (Method method : natives) {
      method.setAccessible(true);
      if (MEMORY.contains(method.getName())) {
        continue;
      }
      // Anew, for some natives free what they are given.
      for (long handle : handles()) {
        for (int variant = 0; variant < 5; variant++) {
          Class<?>[] types = method.getParameterTypes();
          Object[] arguments = new Object[types.length];
          for (int i = 0; i < types.length; i++) {
            arguments[i] = value(types[i], handle, variant);
          }
          calls++;
          try {
            Object result = method.invoke(null, arguments);
            if (result instanceof Long made && made != 0 && method.getName().endsWith("_new")) {
              continue;
            }
          } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            if (thrown instanceof UnsatisfiedLinkError) {
              break;
            }
            if (thrown instanceof Error && !(thrown instanceof OutOfMemoryError)
                || thrown instanceof java.security.ProviderException) {
              throw new AssertionError(method + " with " + handle + ", variant " + variant, thrown);
            }
          }
        }
      }
    }
    return calls;
  }

  /** Uses and frees the same objects from many threads at once. */
  public static String race() throws Exception {
    List<Throwable> wrong = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int round = 0; round < 200; round++) {
      long key = NativeCrypto.EVP_parse_public_key(Fixtures.RSA.getPublic().getEncoded());
      long cert = NativeCrypto.d2i_X509(Fixtures.LEAF);
      long md = NativeCrypto.EVP_MD_CTX_create();
      long crl = NativeCrypto.d2i_X509_CRL_bio(
          new OpenSSLBIOInputStream(new ByteArrayInputStream(Fixtures.CRL), true).getBioContext());
      Thread[] threads = new Thread[4];
      for (int t = 0; t < threads.length; t++) {
        int number = t;
        threads[t] = new Thread(() -> {
          for (int i = 0; i < 20; i++) {
            try {
              NativeRef.EVP_PKEY pkey = new NativeRef.EVP_PKEY(key);
              NativeRef.EVP_MD_CTX ctx = new NativeRef.EVP_MD_CTX(md);
              NativeCrypto.EVP_marshal_public_key(pkey);
              NativeCrypto.EVP_DigestInit_ex(ctx, NativeCrypto.EVP_get_digestbyname("sha256"));
              NativeCrypto.EVP_DigestUpdate(ctx, new byte[100], 0, 100);
              NativeCrypto.EVP_DigestFinal_ex(ctx, new byte[32], 0);
              NativeCrypto.X509_get_subject_name(cert, null);
              NativeCrypto.X509_get_ext_oid(cert, null, "2.5.29.15");
              long entry = NativeCrypto.X509_CRL_get0_by_serial(crl, null, new byte[] {5});
              NativeCrypto.X509_REVOKED_free(NativeCrypto.X509_REVOKED_dup(entry), null);
              if (number == 3 && i == 10) {
                NativeCrypto.EVP_PKEY_free(key);
                NativeCrypto.X509_free(cert, null);
                NativeCrypto.EVP_MD_CTX_destroy(md);
                NativeCrypto.X509_CRL_free(crl, null);
              }
            } catch (IllegalStateException e) {
              // Freed: what is promised.
              return;
            } catch (Throwable e) {
              wrong.add(e);
              return;
            }
          }
        });
      }
      for (Thread thread : threads) {
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    return wrong.isEmpty() ? "" : wrong.size() + " " + wrong.get(0);
  }

  /** Connections that one thread uses, another one interrupts and frees. */
  public static String tlsRace() throws Exception {
    List<Throwable> wrong = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int round = 0; round < 150; round++) {
      Link link = new Link();
      int number = round;
      Check.Action use = () -> {
        link.handshake();
        for (int i = 0; i < 50; i++) {
          link.client.write(new byte[100]);
          link.move();
          link.server.read();
          NativeCrypto.SSL_get0_peer_certificates(link.client.ssl, null);
          NativeCrypto.SSL_session_id(link.client.ssl, null);
        }
      };
      Check.Action end = () -> {
        Thread.sleep(number % 10);
        NativeCrypto.SSL_interrupt(link.client.ssl, null);
        link.close();
      };
      List<Thread> threads = new ArrayList<>();
      for (Check.Action action : new Check.Action[] {use, end}) {
        threads.add(new Thread(() -> {
          try {
            action.run();
          } catch (IllegalStateException | java.io.IOException e) {
            // Freed, or a connection whose other end was.
          } catch (Throwable e) {
            wrong.add(e);
          }
        }));
      }
      for (Thread thread : threads) {
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    return wrong.isEmpty() ? "" : wrong.size() + " " + wrong.get(0);
  }

  /** What a callback in the middle of an operation sees that runs the same connection again. */
  public static String tlsReentered() throws Exception {
    try (Link link = new Link()) {
      List<String> results = new ArrayList<>();
      TlsCases.psk(link, new byte[] {1}, new byte[] {1});
      link.client.actions.put("clientPsk", () -> {
        results.add(Check.attempt(() -> NativeCrypto.ENGINE_SSL_do_handshake(link.client.ssl, null, link.client)));
        results.add(Check.attempt(() -> NativeCrypto.SSL_set_verify(link.client.ssl, null, 0)));
        results.add(Check.attempt(() -> NativeCrypto.SSL_get_version(link.client.ssl, null)));
      });
      link.handshake();
      return results + " " + link.client.done;
    }
  }

  /** What a client gets of a read during which the server asks for so many handshakes. */
  public static String renegotiatedWithoutEnd(int times) throws Exception {
    SocketCases.Setting setting = new SocketCases.Setting().with("TLSv1.2", true, false, false);
    try (javax.net.ssl.SSLServerSocket listener =
        SocketCases.listen(SocketCases.context(false, Identities.keys("EC")), setting)) {
      Thread server = new Thread(() -> {
        // It ends as the client does.
        Check.attempt(() -> SocketCases.renegotiating((javax.net.ssl.SSLSocket) listener.accept(), times, true));
      });
      server.setDaemon(true);
      server.start();
      javax.net.ssl.SSLContext client = SocketCases.context(true, Identities.keys("EC"));
      try (javax.net.ssl.SSLSocket socket = SocketCases.connect(client, setting, listener.getLocalPort())) {
        socket.getOutputStream().write('a');
        int answer = socket.getInputStream().read();
        socket.getOutputStream().write('b');
        return String.valueOf(answer);
      } catch (javax.net.ssl.SSLException e) {
        return e.getMessage();
      } finally {
        server.join(10_000);
      }
    }
  }

  /** A signature whose key's provider comes back to the context that is signing. */
  public static final class Reentrant extends java.security.SignatureSpi {
    private static NativeRef.EVP_MD_CTX context;
    private static Throwable outcome;

    @Override
    protected void engineInitSign(java.security.PrivateKey key) throws java.security.InvalidKeyException {
      if (!(key instanceof Key)) {
        throw new java.security.InvalidKeyException();
      }
    }

    @Override
    protected byte[] engineSign() {
      try {
        NativeCrypto.EVP_DigestSignUpdate(context, new byte[1], 0, 1);
      } catch (Throwable e) {
        outcome = e;
      }
      return new byte[8];
    }

    @Override
    protected void engineUpdate(byte b) {}

    @Override
    protected void engineUpdate(byte[] bytes, int offset, int length) {}

    @Override
    protected void engineInitVerify(java.security.PublicKey key) throws java.security.InvalidKeyException {
      throw new java.security.InvalidKeyException();
    }

    @Override
    protected boolean engineVerify(byte[] signature) {
      return false;
    }

    @Override
    @Deprecated
    protected void engineSetParameter(String name, Object value) {}

    @Override
    @Deprecated
    protected Object engineGetParameter(String name) {
      return null;
    }
  }

  private static final class Key implements java.security.PrivateKey {
    private static final long serialVersionUID = 1;

    @Override
    public String getAlgorithm() {
      return "EC";
    }

    @Override
    public String getFormat() {
      return null;
    }

    @Override
    public byte[] getEncoded() {
      return null;
    }
  }

  /** What a use of a context from within a use of it throws. */
  public static String reentered() throws Exception {
    @SuppressWarnings("deprecation")
    java.security.Provider provider = new java.security.Provider("Reentrant", 1, "") {
      private static final long serialVersionUID = 1;
    };
    provider.put("Signature.NONEwithECDSA", Reentrant.class.getName());
    java.security.Security.insertProviderAt(provider, 1);
    try {
      NativeRef.EC_GROUP group = new NativeRef.EC_GROUP(NativeCrypto.EC_GROUP_new_by_curve_name("prime256v1"));
      NativeRef.EVP_PKEY key = new NativeRef.EVP_PKEY(NativeCrypto.getECPrivateKeyWrapper(new Key(), group));
      Reentrant.context = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
      NativeCrypto.EVP_DigestSignInit(Reentrant.context, NativeCrypto.EVP_get_digestbyname("sha256"), key);
      NativeCrypto.EVP_DigestSignUpdate(Reentrant.context, new byte[3], 0, 3);
      NativeCrypto.EVP_DigestSignFinal(Reentrant.context);
      return String.valueOf(Reentrant.outcome);
    } finally {
      java.security.Security.removeProvider("Reentrant");
    }
  }
}
