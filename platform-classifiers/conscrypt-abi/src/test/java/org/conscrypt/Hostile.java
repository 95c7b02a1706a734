package org.conscrypt;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.postscrypt.conscryptabi.Fixtures;
import org.postscrypt.conscryptabi.Identities;
import org.postscrypt.conscryptabi.Text;

/** Every native in order, and with one or two arguments that are not: null, empty, out of range. */
public final class Hostile {
  /** Natives whose results are never the same twice, or are where something is. */
  private static final Pattern RANDOM = Pattern.compile("RAND_bytes|.*keypair|.*generate_key|RSA_generate_key_ex|RSA_public_encrypt"
      + "|EVP_PKEY_encrypt|ECDSA_sign|SLHDSA_.*_(sign|generate_key)|.*_setup_base_mode_sender|EVP_HPKE_CTX_(seal|export)|SSL_(session_id|get_tls_unique)"
      + "|SSL_SESSION_session_id|i2d_SSL_SESSION|SSL_export_keying_material|getDirectBufferAddress|ENGINE_SSL_.*|EC_KEY_generate_key"
      + "|SSL_get_time|SSL_SESSION_get_time|SSL_pending_written_bytes_in_BIO");
  /** Natives whose {@code long} is a number. */
  private static final Pattern NUMBER = Pattern.compile("SSL_CTX_set_timeout|SSL_SESSION_get_time.*|SSL_(clear|set|get)_(mode|options|timeout)"
      + "|SSL_get_time|X509_(CRL_)?get_version|asn1_read_uint64");

  /** Objects of one kind that differ in what they can be used for. */
  private static final List<List<String>> KINDS = List.of(
      List.of("rsaPublic", "rsaPrivate", "ecPublic", "ecPrivate", "edPrivate", "xPrivate", "mlDsa", "opaque"),
      List.of("md", "md:init", "md:sign", "md:verify", "md:verified", "md:ed", "md:done"),
      List.of("cipher", "cipher:init", "cipher:fed", "cipher:gcm", "cipher:done"),
      List.of("cmac", "cmac:init"), List.of("hmac", "hmac:init", "hmac:done"), List.of("pkeyCtx:encrypt", "pkeyCtx:decrypt"),
      List.of("pctx", "pctx:oaep", "pctx:ec"), List.of("group", "group:other"), List.of("point", "point:new", "point:other"),
      List.of("hpke:sender", "hpke:recipient"), List.of("evpMd", "evpMd:md5", "evpMd:sha512"),
      List.of("evpCipher", "evpCipher:gcm", "evpCipher:rc4"), List.of("aead", "aead:256"),
      List.of("ssl:new", "ssl:client", "ssl:server", "ssl:done"), List.of("ca", "leaf", "plain", "unknownKey"),
      List.of("crl", "crl:empty"), List.of("revoked", "revoked:own"),
      List.of("bio:in", "bio:out", "bio:ssl", "bio:empty", "bio:pem", "bio:pemKey", "bio:pemPrivate", "bio:pemCrl", "bio:pem7", "bio:x509",
          "bio:crl", "bio:pkcs7", "bio:seq"),
      List.of("reader", "reader:inner", "reader:null", "reader:octets", "reader:oid", "reader:tagged", "reader:end"),
      List.of("writer", "writer:fed", "writer:inner", "writer:done"));

  private static Map<String, Method> natives;
  private static Map<String, String[]> arguments;

  /** Owners of what natives are given by its handle, and may free: they must not do so again. */
  private static final List<NativeRef> KEPT = new ArrayList<>();

  /** What one case shares: the objects that its arguments are of. */
  private final Map<String, Object> made = new HashMap<>();

  private Hostile() {}

  private static synchronized void load() throws Exception {
    if (arguments != null) {
      return;
    }
    new NativeCrypto();
    natives = new TreeMap<>();
    for (Method method : NativeCrypto.class.getDeclaredMethods()) {
      if (Modifier.isNative(method.getModifiers())) {
        method.setAccessible(true);
        natives.put(method.getName(), method);
      }
    }
    Map<String, String[]> rows = new LinkedHashMap<>();
    try (InputStream in = Fixtures.class.getResourceAsStream("/hostile-arguments.txt")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (!line.startsWith("#")) {
          String[] words = line.split("\t");
          rows.put(words[0], Arrays.copyOfRange(words, 1, words.length));
        }
      }
    }
    if (!rows.keySet().equals(natives.keySet())) {
      throw new AssertionError("the arguments are not those of the natives");
    }
    arguments = rows;
  }

  /** How an argument of a type, or of a word, can be wrong. The first of each is what is combined in pairs. */
  private static List<String> wrong(String name, Class<?> type, String word) {
    if (word.equals("-")) {
      return List.of();
    } else if (type == long.class && word.matches("-?\\d+")) {
      return List.of("-1", "0", "2", "max", "min");
    } else if (type == long.class || NativeRef.class.isAssignableFrom(type)) {
      List<String> wrong = new ArrayList<>(List.of(type == long.class ? "0" : "null"));
      for (List<String> kind : KINDS) {
        if (kind.contains(word)) {
          kind.stream().filter(other -> !other.equals(word)).forEach(wrong::add);
        }
      }
      return wrong;
    } else if (type == int.class || type == short.class) {
      // Memory that is named by its address has only the length that it has.
      boolean memory = name.contains("irect") && word.equals("16");
      return memory ? List.of("-1", "0", "min", "15") : List.of("-1", "0", "1", "min", "max", "less", "more", "much");
    } else if (type == boolean.class) {
      return List.of("not");
    } else if (type == byte[].class || type == int[].class) {
      return List.of("null", "empty", "less", "more", "one", "high");
    } else if (type == String.class) {
      return List.of("null", "empty", "strange", "long");
    } else if (type == byte[][].class || type == String[].class || type == long[].class) {
      return List.of("null", "empty", "holes", "blank");
    } else if (type == ByteBuffer.class || type == Buffer.class) {
      return List.of("null", "heap", "empty", "readOnly", "less", "more");
    }
    return List.of("null");
  }

  /** All cases, each as {@code native}, then {@code index=wrong} for each argument that is wrong. */
  public static List<String> cases() throws Exception {
    load();
    List<String> cases = new ArrayList<>();
    arguments.forEach((name, words) -> {
      Class<?>[] types = natives.get(name).getParameterTypes();
      if (types.length != words.length) {
        throw new AssertionError(name + " takes " + types.length);
      }
      cases.add(name);
      for (int i = 0; i < types.length; i++) {
        List<String> first = wrong(name, types[i], words[i]);
        for (String wrong : first) {
          cases.add(name + " " + i + "=" + wrong);
        }
        for (int j = i + 1; !first.isEmpty() && j < types.length; j++) {
          List<String> second = wrong(name, types[j], words[j]);
          if (!second.isEmpty()) {
            cases.add(name + " " + i + "=" + first.get(0) + " " + j + "=" + second.get(0));
          }
        }
      }
    });
    return cases;
  }

  /** What one case gives: its result and the arrays it wrote to, or what it throws. */
  public static String run(String which) throws Exception {
    load();
    String[] words = which.split(" ");
    Method method = natives.get(words[0]);
    Class<?>[] types = method.getParameterTypes();
    String[] given = arguments.get(words[0]);
    Hostile hostile = new Hostile();
    Object[] values = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      values[i] = hostile.value(given[i], types[i]);
    }
    for (int i = 1; i < words.length; i++) {
      String[] wrong = words[i].split("=");
      int index = Integer.parseInt(wrong[0]);
      values[index] = hostile.spoil(values[index], types[index], wrong[1]);
    }
    boolean random = RANDOM.matcher(words[0]).matches();
    List<String> before = contents(values);
    String text = Text.of(() -> {
      Object result = method.invoke(null, values);
      if (result instanceof byte[] bytes && random) {
        return "bytes";
      } else if (result instanceof Object[] objects && !(result instanceof byte[][])) {
        return random ? "objects" : describe(objects);
      } else if (result instanceof NativeRef) {
        return "reference";
      } else if (result instanceof long[] handles) {
        return "handles " + handles.length;
      } else if (result instanceof Long number && !NUMBER.matcher(words[0]).matches()) {
        return number == 0 ? "no handle" : "handle";
      }
      // A signature's length is that of its numbers.
      return random && result instanceof Long || words[0].equals("ECDSA_sign") ? "number" : result;
    });
    if (!text.startsWith("throws") && !random) {
      List<String> after = contents(values);
      for (int i = 0; i < values.length; i++) {
        if (!after.get(i).equals(before.get(i))) {
          text += " " + i + ":" + after.get(i);
        }
      }
    }
    java.lang.ref.Reference.reachabilityFence(hostile);
    return text;
  }

  private static Object describe(Object[] objects) {
    return Arrays.stream(objects).map(object -> object instanceof NativeRef ? "reference" : object).toArray();
  }

  private interface Free {
    void free(long handle) throws Exception;
  }

  /** What frees a handle of ours, by the kind that it says it is of. */
  private static final Map<Long, Free> FREE = Map.ofEntries(
      Map.entry(1L, NativeCrypto::EVP_PKEY_free), Map.entry(2L, NativeCrypto::EVP_PKEY_CTX_free),
      Map.entry(4L, NativeCrypto::EVP_MD_CTX_destroy), Map.entry(7L, NativeCrypto::EVP_CIPHER_CTX_free),
      Map.entry(9L, NativeCrypto::HMAC_CTX_free), Map.entry(10L, NativeCrypto::CMAC_CTX_free),
      Map.entry(11L, NativeCrypto::EVP_HPKE_CTX_free), Map.entry(12L, NativeCrypto::EC_GROUP_clear_free),
      Map.entry(13L, NativeCrypto::EC_POINT_clear_free), Map.entry(14L, NativeCrypto::BIO_free_all),
      Map.entry(15L, handle -> NativeCrypto.X509_free(handle, null)),
      Map.entry(16L, handle -> NativeCrypto.X509_CRL_free(handle, null)),
      Map.entry(17L, handle -> NativeCrypto.X509_REVOKED_free(handle, null)),
      Map.entry(24L, NativeCrypto::asn1_read_free), Map.entry(25L, NativeCrypto::asn1_write_free),
      Map.entry(40L, handle -> NativeCrypto.SSL_free(handle, null)),
      Map.entry(41L, handle -> NativeCrypto.SSL_CTX_free(handle, null)),
      Map.entry(42L, NativeCrypto::SSL_SESSION_free), Map.entry(43L, NativeCrypto::SSL_ECH_KEYS_free));

  /**
   * Ours alone: every native that takes a handle is called from two threads with the same arguments, while a third one frees what they name. Answers
   * what was thrown that no contract has.
   */
  public static String race() throws Exception {
    load();
    List<String> wrong = java.util.Collections.synchronizedList(new ArrayList<>());
    int raced = 0;
    for (Map.Entry<String, String[]> row : arguments.entrySet()) {
      Method method = natives.get(row.getKey());
      Class<?>[] types = method.getParameterTypes();
      for (int round = 0; round < 8; round++) {
        Hostile hostile = new Hostile();
        Object[] values = new Object[types.length];
        List<Long> handles = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
          values[i] = hostile.value(row.getValue()[i], types[i]);
          Object named = values[i] instanceof NativeRef ref ? (Object) ref.address : values[i];
          if (named instanceof Long handle && FREE.containsKey(handle >>> 56)) {
            handles.add(handle);
          }
        }
        if (handles.isEmpty()) {
          break;
        }
        raced++;
        int late = round;
        Check.Action use = () -> {
          for (int i = 0; i < 6; i++) {
            method.invoke(null, values);
          }
        };
        Check.Action free = () -> {
          for (int i = 0; i < late * 200; i++) {
            Thread.onSpinWait();
          }
          for (long handle : handles) {
            FREE.get(handle >>> 56).free(handle);
          }
        };
        List<Thread> threads = new ArrayList<>();
        for (Check.Action action : new Check.Action[] {use, use, free}) {
          Thread thread = new Thread(() -> {
            try {
              action.run();
            } catch (Throwable thrown) {
              Throwable cause = thrown instanceof InvocationTargetException ? thrown.getCause() : thrown;
              if (cause instanceof Error || cause instanceof java.security.ProviderException) {
                wrong.add(row.getKey() + ": " + cause);
              }
            }
          });
          thread.start();
          threads.add(thread);
        }
        for (Thread thread : threads) {
          thread.join(20_000);
          if (thread.isAlive()) {
            wrong.add(row.getKey() + " does not end");
          }
        }
        java.lang.ref.Reference.reachabilityFence(hostile);
      }
    }
    return raced + " " + wrong;
  }

  private static List<String> contents(Object[] values) {
    List<String> contents = new ArrayList<>();
    for (Object value : values) {
      if (value instanceof ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(bytes);
        contents.add(Text.of(bytes));
      } else {
        contents.add(value instanceof byte[] ? Text.of(value) : "");
      }
    }
    return contents;
  }

  private Object spoil(Object value, Class<?> type, String how) throws Exception {
    if (KINDS.stream().anyMatch(kind -> kind.contains(how))) {
      return value(how, type);
    } else if (type == long.class) {
      return switch (how) {
        case "max" -> Long.MAX_VALUE;
        case "min" -> Long.MIN_VALUE;
        default -> Long.parseLong(how);
      };
    } else if (type == int.class || type == short.class) {
      long number = ((Number) value).longValue();
      number = switch (how) {
        case "max" -> Integer.MAX_VALUE;
        case "min" -> Integer.MIN_VALUE;
        case "less" -> number - 1;
        case "more" -> number + 1;
        case "much" -> number + 1000;
        default -> Long.parseLong(how);
      };
      return type == short.class ? (Object) (short) number : (Object) (int) number;
    } else if (type == boolean.class) {
      return !(Boolean) value;
    } else if (how.equals("null")) {
      return null;
    }
    if (value instanceof byte[] bytes) {
      return switch (how) {
        case "empty" -> new byte[0];
        case "less" -> Arrays.copyOf(bytes, bytes.length - 1);
        case "more" -> Arrays.copyOf(bytes, bytes.length + 1);
        case "one" -> new byte[1];
        default -> filled(bytes.length);
      };
    } else if (value instanceof int[] ints) {
      return switch (how) {
        case "empty" -> new int[0];
        case "less" -> Arrays.copyOf(ints, ints.length - 1);
        case "more" -> Arrays.copyOf(ints, ints.length + 1);
        case "one" -> new int[] {-1};
        default -> new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE};
      };
    } else if (value instanceof String) {
      return switch (how) {
        case "empty" -> "";
        case "long" -> "1.2.3.4567890".repeat(3000);
        default -> "\u00fc\u0000\ud800\ud83d\ude00:%s";
      };
    } else if (value instanceof byte[][]) {
      return switch (how) {
        case "empty" -> new byte[0][];
        case "holes" -> new byte[3][];
        default -> new byte[][] {{}, {}};
      };
    } else if (value instanceof String[]) {
      return switch (how) {
        case "empty" -> new String[0];
        case "holes" -> new String[2];
        default -> new String[] {"", ""};
      };
    } else if (value instanceof long[]) {
      return new long[how.equals("empty") ? 0 : how.equals("holes") ? 1 : 2];
    }
    ByteBuffer buffer = (ByteBuffer) value;
    return switch (how) {
      case "heap" -> ByteBuffer.allocate(buffer.capacity());
      case "empty" -> ByteBuffer.allocateDirect(0);
      case "readOnly" -> buffer.asReadOnlyBuffer();
      case "less" -> buffer.limit(buffer.limit() - 1);
      default -> ByteBuffer.allocateDirect(buffer.capacity() + 1).put(buffer).clear();
    };
  }

  private static byte[] filled(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) -1);
    return bytes;
  }

  private interface Maker {
    Object make() throws Exception;
  }

  /** One of each word for a case. */
  @SuppressWarnings("unchecked")
  private <T> T once(String word, Maker maker) throws Exception {
    Object known = made.get(word);
    if (known == null) {
      known = maker.make();
      made.put(word, known);
    }
    return (T) known;
  }

  private Object value(String word, Class<?> type) throws Exception {
    if (word.equals("-")) {
      return null;
    } else if (type == int.class || type == short.class) {
      int number = Integer.decode(word);
      return type == short.class ? (Object) (short) number : (Object) number;
    } else if (type == boolean.class) {
      return Boolean.valueOf(word);
    } else if (type == String.class) {
      return word.substring(1, word.length() - 1);
    } else if (NativeRef.class.isAssignableFrom(type)) {
      Object value = object(word);
      return value instanceof NativeRef ? value : once(word + "!", () -> {
        var constructor = type.getDeclaredConstructor(long.class);
        constructor.setAccessible(true);
        return constructor.newInstance(value);
      });
    } else if (type == long.class && word.matches("-?\\d+")) {
      return Long.valueOf(word);
    }
    Object value = object(word);
    if (type == long.class && value instanceof NativeRef ref) {
      // The native may free it.
      KEPT.add(ref);
      return ref.address;
    }
    return value;
  }

  private NativeRef.EVP_MD_CTX md(boolean signs, boolean fed) throws Exception {
    NativeRef.EVP_MD_CTX context = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
    long md = NativeCrypto.EVP_get_digestbyname("sha256");
    if (signs) {
      made.put("pctx", NativeCrypto.EVP_DigestSignInit(context, md, (NativeRef.EVP_PKEY) object("rsaPrivate")));
    } else {
      NativeCrypto.EVP_DigestVerifyInit(context, md, (NativeRef.EVP_PKEY) object("rsaPublic"));
      if (fed) {
        NativeCrypto.EVP_DigestVerifyUpdate(context, Check.bytes(32), 0, 32);
      }
    }
    return context;
  }

  private NativeRef.EVP_CIPHER_CTX cipher(boolean fed) throws Exception {
    NativeRef.EVP_CIPHER_CTX context = new NativeRef.EVP_CIPHER_CTX(NativeCrypto.EVP_CIPHER_CTX_new());
    NativeCrypto.EVP_CipherInit_ex(
        context, NativeCrypto.EVP_get_cipherbyname("aes-128-cbc"), Check.bytes(16), Check.bytes(16), true);
    if (fed) {
      NativeCrypto.EVP_CipherUpdate(context, new byte[40], 0, Check.bytes(20), 0, 20);
    }
    return context;
  }

  private NativeRef.EVP_PKEY key(boolean isPrivate, byte[] encoded) throws Exception {
    return Check.key(isPrivate ? NativeCrypto.EVP_parse_private_key(encoded) : NativeCrypto.EVP_parse_public_key(encoded));
  }

  private long bio(byte[] bytes) throws Exception {
    OpenSSLBIOInputStream stream = new OpenSSLBIOInputStream(new ByteArrayInputStream(bytes), true);
    made.put("stream" + made.size(), stream);
    return stream.getBioContext();
  }

  private long bio(String type, byte[] der) throws Exception {
    return bio(Fixtures.ascii(Fixtures.pem(type, der)));
  }

  private Object object(String word) throws Exception {
    return once(word, () -> word.startsWith("bytes:") ? Check.bytes(Integer.parseInt(word.substring(6)))
        : word.startsWith("direct:") ? Check.direct(Check.bytes(Integer.parseInt(word.substring(7))))
        : fresh(word));
  }

  private Object hpke(int part) throws Exception {
    Object[] sender = once("hpke", () -> NativeCrypto.EVP_HPKE_CTX_setup_base_mode_sender_with_seed_for_testing(
        0x647a, 1, 1, (byte[]) object("hpke:public"), Check.bytes(5), Check.bytes(64)));
    return sender[part];
  }

  private Link link(boolean done) throws Exception {
    return once("link", () -> {
      Link link = new Link().versions(Link.TLS12);
      return done ? link.handshake() : link;
    });
  }

  private static byte[] number(BigInteger number) {
    return number.toByteArray();
  }

  private long reader(String hex) throws Exception {
    long reader = NativeCrypto.asn1_read_init(Check.hex(hex));
    return reader;
  }

  private Object fresh(String word) throws Exception {
    RSAPrivateCrtKey rsa = (RSAPrivateCrtKey) Fixtures.RSA.getPrivate();
    ECPublicKey ec = (ECPublicKey) Fixtures.EC.getPublic();
    var curve = ec.getParams();
    return switch (word) {
      case "time" -> NativeCrypto.X509_get_notAfter((long) object("leaf"), null);
      case "calendar" -> Calendar.getInstance(TimeZone.getTimeZone("UTC"));
      case "certs" -> new long[] {NativeCrypto.d2i_X509(Fixtures.CA), NativeCrypto.d2i_X509(Fixtures.LEAF)};
      case "ca" -> NativeCrypto.d2i_X509(Fixtures.CA);
      case "leaf" -> NativeCrypto.d2i_X509(Fixtures.LEAF);
      case "plain" -> NativeCrypto.d2i_X509(Fixtures.PLAIN);
      case "unknownKey" -> NativeCrypto.d2i_X509(Fixtures.UNKNOWN_KEY);
      case "crl:empty" -> NativeCrypto.d2i_X509_CRL_bio(bio(Fixtures.EMPTY_CRL));
      case "bio:empty" -> bio(new byte[0]);
      case "crl" -> NativeCrypto.d2i_X509_CRL_bio(bio(Fixtures.CRL));
      case "revoked" -> NativeCrypto.X509_CRL_get_REVOKED((long) object("crl"), null)[0];
      case "revoked:own" -> NativeCrypto.X509_REVOKED_dup((long) object("revoked"));
      case "extension" -> NativeCrypto.X509_CRL_get_ext((long) object("crl"), null, "2.5.29.20");
      case "serial" -> new byte[] {5};
      case "ocsp" -> Fixtures.OCSP.clone();
      case "der:ca" -> Fixtures.CA.clone();
      case "bio:seq" -> bio(Fixtures.sequence(Fixtures.CA, Fixtures.LEAF));
      case "bio:in" -> bio(Check.bytes(40));
      case "bio:out" -> NativeCrypto.create_BIO_OutputStream(once("sink", ByteArrayOutputStream::new));
      case "bio:pem7" -> bio("PKCS7", Fixtures.PKCS7);
      case "bio:pemKey" -> bio("PUBLIC KEY", Fixtures.RSA.getPublic().getEncoded());
      case "bio:pemPrivate" -> bio("PRIVATE KEY", rsa.getEncoded());
      case "bio:pem" -> bio("CERTIFICATE", Fixtures.CA);
      case "bio:pemCrl" -> bio("X509 CRL", Fixtures.CRL);
      case "bio:pkcs7" -> bio(Fixtures.PKCS7);
      case "bio:crl" -> bio(Fixtures.CRL);
      case "bio:x509" -> bio(Fixtures.CA);
      case "bioStream" -> new OpenSSLBIOInputStream(new ByteArrayInputStream(Check.bytes(9)), true);
      case "outputStream" -> new ByteArrayOutputStream();
      case "cmac" -> NativeCrypto.CMAC_CTX_new();
      case "cmac:init" -> {
        NativeRef.CMAC_CTX context = new NativeRef.CMAC_CTX(NativeCrypto.CMAC_CTX_new());
        NativeCrypto.CMAC_Init(context, Check.bytes(16));
        yield context;
      }
      case "hmac" -> NativeCrypto.HMAC_CTX_new();
      case "hmac:init" -> {
        NativeRef.HMAC_CTX context = new NativeRef.HMAC_CTX(NativeCrypto.HMAC_CTX_new());
        NativeCrypto.HMAC_Init_ex(context, Check.bytes(16), NativeCrypto.EVP_get_digestbyname("sha256"));
        yield context;
      }
      case "hmac:done" -> {
        NativeRef.HMAC_CTX context = (NativeRef.HMAC_CTX) object("hmac:init");
        NativeCrypto.HMAC_Final(context);
        yield context;
      }
      case "memory" -> NativeCrypto.getDirectBufferAddress((ByteBuffer) object("direct:64"));
      case "ecPublic" -> key(false, ec.getEncoded());
      case "ecPrivate" -> key(true, Fixtures.EC.getPrivate().getEncoded());
      case "ecSignature" -> {
        byte[] out = new byte[100];
        int length = NativeCrypto.ECDSA_sign(Check.bytes(32), 32, out, (NativeRef.EVP_PKEY) object("ecPrivate"));
        yield Arrays.copyOf(out, length);
      }
      case "ecScalar" -> number(((ECPrivateKey) Fixtures.EC.getPrivate()).getS());
      case "group" -> new NativeRef.EC_GROUP(NativeCrypto.EC_GROUP_new_by_curve_name("prime256v1"));
      case "point" -> {
        NativeRef.EC_GROUP group = (NativeRef.EC_GROUP) object("group");
        NativeRef.EC_POINT point = new NativeRef.EC_POINT(NativeCrypto.EC_POINT_new(group));
        NativeCrypto.EC_POINT_set_affine_coordinates(
            group, point, number(ec.getW().getAffineX()), number(ec.getW().getAffineY()));
        yield point;
      }
      case "group:other" -> new NativeRef.EC_GROUP(NativeCrypto.EC_GROUP_new_by_curve_name("secp384r1"));
      case "point:new" -> new NativeRef.EC_POINT(NativeCrypto.EC_POINT_new((NativeRef.EC_GROUP) object("group")));
      case "point:other" -> new NativeRef.EC_POINT(
          NativeCrypto.EC_GROUP_get_generator((NativeRef.EC_GROUP) object("group:other")));
      case "curve:p" -> number(((java.security.spec.ECFieldFp) curve.getCurve().getField()).getP());
      case "curve:a" -> number(curve.getCurve().getA());
      case "curve:b" -> number(curve.getCurve().getB());
      case "curve:x" -> number(curve.getGenerator().getAffineX());
      case "curve:y" -> number(curve.getGenerator().getAffineY());
      case "curve:n" -> number(curve.getOrder());
      case "curveName" -> NativeCrypto.EC_KEY_marshal_curve_name((NativeRef.EC_GROUP) object("group"));
      case "cb" -> link(made.containsKey("ssl:done")).client;
      case "ssl:client" -> link(false).client.ssl;
      case "ssl:server" -> link(false).server.ssl;
      case "ssl:done" -> link(true).client.ssl;
      case "ssl:new" -> NativeCrypto.SSL_new((long) object("sslCtx"), null);
      case "bio:ssl" -> link(false).client.bio;
      case "sslCtx" -> NativeCrypto.SSL_CTX_new();
      case "sslCipher" -> NativeCrypto.SSL_get_ciphers(link(false).client.ssl, null)[0];
      case "session" -> {
        Link other = new Link().versions(Link.TLS12).handshake();
        made.put("other", other);
        yield other.client.sessions.get(0);
      }
      case "sessionDer" -> NativeCrypto.i2d_SSL_SESSION((long) object("session"));
      case "echKeys" -> NativeCrypto.SSL_ECH_KEYS_new();
      case "echConfig" -> TlsCases.ech()[1];
      case "echList" -> TlsCases.ech()[2];
      case "fd:closed" -> new FileDescriptor();
      case "groups" -> new int[] {29, 23};
      case "suites" -> new String[] {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_RSA_WITH_AES_128_CBC_SHA"};
      case "names" -> new byte[][] {Fixtures.CA_NAME.getEncoded()};
      case "sctList" -> new byte[] {0, 3, 0, 1, 7};
      case "alpn" -> new byte[] {2, 'h', '2', 1, 'x'};
      case "chain" -> new byte[][] {Identities.RSA.getEncoded()};
      case "aead" -> NativeCrypto.EVP_aead_aes_128_gcm();
      case "sealed", "directSealed" -> {
        byte[] sealed = new byte[36];
        NativeCrypto.EVP_AEAD_CTX_seal(NativeCrypto.EVP_aead_aes_128_gcm(), Check.bytes(16), 16, sealed, 0,
            Check.bytes(12), Check.bytes(20), 0, 20, Check.bytes(9));
        yield word.equals("sealed") ? sealed : Check.direct(sealed);
      }
      case "evpCipher" -> NativeCrypto.EVP_get_cipherbyname("aes-128-cbc");
      case "cipher" -> new NativeRef.EVP_CIPHER_CTX(NativeCrypto.EVP_CIPHER_CTX_new());
      case "cipher:init" -> cipher(false);
      case "cipher:fed" -> cipher(true);
      case "cipher:gcm" -> {
        NativeRef.EVP_CIPHER_CTX context = new NativeRef.EVP_CIPHER_CTX(NativeCrypto.EVP_CIPHER_CTX_new());
        NativeCrypto.EVP_CipherInit_ex(
            context, NativeCrypto.EVP_get_cipherbyname("aes-128-gcm"), Check.bytes(16), Check.bytes(12), true);
        yield context;
      }
      case "cipher:done" -> {
        NativeRef.EVP_CIPHER_CTX context = cipher(true);
        NativeCrypto.EVP_CipherFinal_ex(context, new byte[40], 0);
        yield context;
      }
      case "evpCipher:gcm" -> NativeCrypto.EVP_get_cipherbyname("aes-128-gcm");
      case "evpCipher:rc4" -> NativeCrypto.EVP_get_cipherbyname("rc4");
      case "aead:256" -> NativeCrypto.EVP_aead_aes_256_gcm();
      case "evpMd" -> NativeCrypto.EVP_get_digestbyname("sha256");
      case "md" -> NativeCrypto.EVP_MD_CTX_create();
      case "md:init" -> {
        NativeRef.EVP_MD_CTX context = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
        NativeCrypto.EVP_DigestInit_ex(context, NativeCrypto.EVP_get_digestbyname("sha256"));
        yield context;
      }
      case "md:sign" -> md(true, false);
      case "md:verify" -> md(false, false);
      case "md:verified" -> md(false, true);
      case "md:ed" -> {
        NativeRef.EVP_MD_CTX context = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
        NativeCrypto.EVP_DigestSignInit(context, 0, (NativeRef.EVP_PKEY) object("edPrivate"));
        yield context;
      }
      case "md:done" -> {
        NativeRef.EVP_MD_CTX context = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
        NativeCrypto.EVP_DigestInit_ex(context, NativeCrypto.EVP_get_digestbyname("sha256"));
        NativeCrypto.EVP_DigestFinal_ex(context, new byte[32], 0);
        yield context;
      }
      case "evpMd:md5" -> NativeCrypto.EVP_get_digestbyname("md5");
      case "evpMd:sha512" -> NativeCrypto.EVP_get_digestbyname("sha512");
      case "pctx:ec" -> {
        NativeRef.EVP_MD_CTX context = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
        made.put("owner", context);
        yield NativeCrypto.EVP_DigestSignInit(
            context, NativeCrypto.EVP_get_digestbyname("sha256"), (NativeRef.EVP_PKEY) object("ecPrivate"));
      }
      case "pctx" -> {
        object("md:sign");
        long context = (long) made.get("pctx");
        NativeCrypto.EVP_PKEY_CTX_set_rsa_padding(context, NativeConstants.RSA_PKCS1_PSS_PADDING);
        yield context;
      }
      case "pctx:oaep" -> {
        NativeRef.EVP_PKEY_CTX context =
            new NativeRef.EVP_PKEY_CTX(NativeCrypto.EVP_PKEY_encrypt_init((NativeRef.EVP_PKEY) object("rsaPublic")));
        NativeCrypto.EVP_PKEY_CTX_set_rsa_padding(context.address, NativeConstants.RSA_PKCS1_OAEP_PADDING);
        yield context;
      }
      case "pkeyCtx:encrypt" -> NativeCrypto.EVP_PKEY_encrypt_init((NativeRef.EVP_PKEY) object("rsaPublic"));
      case "pkeyCtx:decrypt" -> NativeCrypto.EVP_PKEY_decrypt_init((NativeRef.EVP_PKEY) object("rsaPrivate"));
      case "rsaPublic" -> key(false, Fixtures.RSA.getPublic().getEncoded());
      case "rsaPrivate" -> key(true, rsa.getEncoded());
      case "rsaSignature" -> {
        java.security.Signature signature = java.security.Signature.getInstance("SHA256withRSA");
        signature.initSign(rsa);
        signature.update(Check.bytes(32));
        yield signature.sign();
      }
      case "rsaRawSignature" -> {
        byte[] out = new byte[256];
        NativeCrypto.RSA_private_encrypt(20, Check.bytes(20), out, (NativeRef.EVP_PKEY) object("rsaPrivate"), 1);
        yield out;
      }
      case "rsaEncrypted" -> {
        byte[] out = new byte[256];
        NativeCrypto.RSA_public_encrypt(20, Check.bytes(20), out, (NativeRef.EVP_PKEY) object("rsaPublic"), 1);
        yield out;
      }
      case "rsa:n" -> number(rsa.getModulus());
      case "rsa:e", "exponent" -> number(rsa.getPublicExponent());
      case "rsa:d" -> number(rsa.getPrivateExponent());
      case "rsa:p" -> number(rsa.getPrimeP());
      case "rsa:q" -> number(rsa.getPrimeQ());
      case "rsa:dp" -> number(rsa.getPrimeExponentP());
      case "rsa:dq" -> number(rsa.getPrimeExponentQ());
      case "rsa:qinv" -> number(rsa.getCrtCoefficient());
      case "pkcs8" -> rsa.getEncoded();
      case "spki" -> Fixtures.RSA.getPublic().getEncoded();
      case "types" -> new int[] {6, 949};
      case "edPublic" -> Arrays.copyOfRange(Fixtures.ED25519.getPublic().getEncoded(), 12, 44);
      case "xPrivate" -> Check.key(NativeCrypto.EVP_PKEY_from_raw_private_key(948, Check.bytes(32)));
      case "opaque" -> Check.key(NativeCrypto.getRSAPrivateKeyWrapper(rsa, number(rsa.getModulus())));
      case "edPrivate" -> Check.key(NativeCrypto.EVP_PKEY_from_raw_private_key(949, Check.bytes(32)));
      case "mlDsa" -> Check.key(NativeCrypto.EVP_PKEY_from_private_seed(967, Check.bytes(32)));
      case "x25519Pkcs8" -> Fixtures.X25519.getPrivate().getEncoded();
      case "xPublic" -> {
        byte[] point = new byte[32];
        point[0] = 9;
        yield point;
      }
      case "hpke:public" -> NativeCrypto.XWING_public_key_from_seed(Check.bytes(32));
      case "hpke:sender" -> hpke(0);
      case "hpke:enc" -> hpke(1);
      case "hpke:sealed" ->
          NativeCrypto.EVP_HPKE_CTX_seal((NativeRef.EVP_HPKE_CTX) hpke(0), Check.bytes(16), Check.bytes(3));
      case "hpke:recipient" -> NativeCrypto.EVP_HPKE_CTX_setup_base_mode_recipient(
          0x647a, 1, 1, Check.bytes(32), (byte[]) object("hpke:enc"), Check.bytes(5));
      case "javaKey" -> (PrivateKey) rsa;
      case "derSequence" -> Check.hex("3003020105");
      case "reader" -> reader("3003020105");
      case "reader:inner" -> {
        long inner = NativeCrypto.asn1_read_sequence((long) object("reader"));
        yield inner;
      }
      case "reader:null" -> reader("0500");
      case "reader:octets" -> reader("0403010203");
      case "reader:oid" -> reader("06032a0304");
      case "reader:tagged" -> reader("a003020105");
      case "writer" -> NativeCrypto.asn1_write_init();
      case "reader:end" -> {
        long inner = (long) object("reader:inner");
        NativeCrypto.asn1_read_uint64(inner);
        yield inner;
      }
      case "writer:inner" -> NativeCrypto.asn1_write_sequence((long) object("writer"));
      case "writer:done" -> {
        long writer = (long) object("writer:fed");
        NativeCrypto.asn1_write_finish(writer);
        yield writer;
      }
      case "writer:fed" -> {
        long writer = NativeCrypto.asn1_write_init();
        NativeCrypto.asn1_write_uint64(writer, 5);
        yield writer;
      }
      default -> throw new AssertionError(word);
    };
  }

}
