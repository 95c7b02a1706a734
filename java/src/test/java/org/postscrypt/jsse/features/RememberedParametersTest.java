package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.lang.reflect.Method;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.BufferAllocator;
import org.postscrypt.EchKey;
import org.postscrypt.KeyLog;
import org.postscrypt.Postscrypt;
import org.postscrypt.PreSharedKey;
import org.postscrypt.ServerSessionStore;
import org.postscrypt.SessionStore;
import org.postscrypt.TlsParameters;

/**
 * A context's defaults remember what the parameters that were applied last made of them. Every property of {@link TlsParameters} has to count there:
 * none may be taken from parameters that were applied before.
 */
class RememberedParametersTest {
  /** A value for each property that is not what engines have by default. */
  private static Map<String, Object> values() throws Exception {
    Map<String, Object> values = new HashMap<>();
    values.put("NamedGroups", new String[] {"secp384r1"});
    values.put("SignatureSchemes", new String[] {"ecdsa_secp384r1_sha384"});
    values.put("PreSharedKeys", Collections.singletonList(
        new PreSharedKey("remembered".getBytes("US-ASCII"), new byte[32])));
    KeyPair pair = KeyPairGenerator.getInstance("EC", Postscrypt.newProvider()).generateKeyPair();
    values.put("RawKeyPair", pair);
    values.put("ChannelIdKey", pair.getPrivate());
    values.put("TrustedRawPublicKeys", Collections.singletonList(pair.getPublic()));
    EchKey ech = EchKey.generate(1, "public.example", 16);
    values.put("EchConfigList", EchKey.configList(Collections.singletonList(ech)));
    values.put("EchKeys", Collections.singletonList(ech));
    values.put("EchGrease", true);
    values.put("KeyLog", (KeyLog) line -> {});
    values.put("OcspResponse", new byte[] {1, 2, 3});
    values.put("SignedCertificateTimestamps", new byte[] {0, 3, 0, 1, 9});
    values.put("SessionTicketKeys", Collections.singletonList(new byte[48]));
    values.put("CertificateCompression", false);
    values.put("Grease", true);
    values.put("ExtensionPermutation", true);
    values.put("BufferAllocator", BufferAllocator.unpooled());
    values.put("PeerHost", "other.example");
    values.put("EndpointIdentificationAlgorithm", "HTTPS");
    values.put("ApplicationProtocols", new String[] {"h2", "http/1.1"});
    values.put("SessionTickets", false);
    values.put("SessionStore", new SessionStore() {
      @Override
      public byte[] get(String host, int port) {
        return null;
      }

      @Override
      public void put(SSLSession session, byte[] data) {}
    });
    values.put("ServerSessionStore", new ServerSessionStore() {
      @Override
      public byte[] get(byte[] id) {
        return null;
      }

      @Override
      public void put(SSLSession session, byte[] data) {}
    });
    return values;
  }

  private static Map<String, Method> setters() {
    Map<String, Method> setters = new TreeMap<>();
    for (Method method : TlsParameters.class.getDeclaredMethods()) {
      if (method.getName().startsWith("set") && java.lang.reflect.Modifier.isPublic(method.getModifiers())) {
        setters.put(method.getName().substring(3), method);
      }
    }
    return setters;
  }

  static Stream<String> properties() {
    return setters().keySet().stream();
  }

  /** As it can be compared: arrays, and lists of arrays, by what is in them. */
  private static Object comparable(Object value) {
    if (value instanceof List) {
      Object[] elements = ((List<?>) value).toArray();
      return Arrays.deepToString(elements);
    }
    return value != null && value.getClass().isArray() ? Arrays.deepToString(new Object[] {value}) : value;
  }

  private static Object read(SSLEngine engine, String property) throws Exception {
    return comparable(TlsParameters.class.getMethod("get" + property).invoke(engine.getSSLParameters()));
  }

  private static SSLEngine with(SSLContext context, TlsParameters parameters) {
    SSLEngine engine = context.createSSLEngine("host.example", 443);
    engine.setSSLParameters(parameters);
    return engine;
  }

  @ParameterizedTest
  @MethodSource("properties")
  void eachPropertyCounts(String property) throws Exception {
    Object value = values().get(property);
    assertNotNull(value, "no value for " + property + ": add one");
    SSLContext context = SSLContext.getInstance("TLS", Postscrypt.newProvider());
    context.init(null, null, null);
    Object before = read(with(context, new TlsParameters()), property);
    assertNotEquals(before, comparable(value), property + " has that value by default");
    TlsParameters changed = new TlsParameters();
    setters().get(property).invoke(changed, value);
    assertEquals(comparable(value), read(with(context, changed), property));
    assertEquals(before, read(with(context, new TlsParameters()), property));
  }
}
