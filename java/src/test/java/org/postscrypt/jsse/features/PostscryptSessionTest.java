package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.postscrypt.jsse.features.OurEngines.connected;
import static org.postscrypt.jsse.features.OurEngines.engines;
import static org.postscrypt.jsse.features.OurEngines.session;
import static org.postscrypt.jsse.features.OurEngines.with;

import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionBindingEvent;
import javax.net.ssl.SSLSessionBindingListener;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.Postscrypt;
import org.postscrypt.PostscryptSession;
import org.postscrypt.TlsParameters;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;

/** What {@link PostscryptSession} tells, exports and is. */
class PostscryptSessionTest {
  @ParameterizedTest
  @EnumSource(Tls.class)
  void exportersAgreeAndDependOnAllInputs(Tls version) throws Exception {
    EnginePump pump = connected(engines(version).open());
    PostscryptSession client = session(pump.client());
    PostscryptSession server = session(pump.server());
    byte[] material = client.exportKeyingMaterial("EXPERIMENTAL-test", null, 40);
    assertEquals(40, material.length);
    assertArrayEquals(material, server.exportKeyingMaterial("EXPERIMENTAL-test", null, 40));
    assertNotEquals(hex(material), hex(client.exportKeyingMaterial("EXPERIMENTAL-other", null, 40)));
    assertNotEquals(hex(material), hex(client.exportKeyingMaterial("EXPERIMENTAL-test", new byte[] {1}, 40)));
    boolean emptyIsNone = Arrays.equals(material, client.exportKeyingMaterial("EXPERIMENTAL-test", new byte[0], 40));
    assertEquals(version == Tls.V13, emptyIsNone);
    assertThrows(IllegalArgumentException.class, () -> client.exportKeyingMaterial("", null, 1));
    assertThrows(IllegalArgumentException.class, () -> client.exportKeyingMaterial("x", null, 0));
    assertThrows(IllegalArgumentException.class, () -> client.exportKeyingMaterial("x", null, 1 << 24));
    for (String binding : new String[] {"tls-exporter", "tls-server-end-point", "tls-unique"}) {
      assertArrayEquals(client.getChannelBinding(binding), server.getChannelBinding(binding), binding);
    }
    assertEquals(version == Tls.V12, client.getChannelBinding("tls-unique") != null);
    byte[] certificate = TestPki.server(KeyType.EC).certificate().getEncoded();
    assertArrayEquals(MessageDigest.getInstance("SHA-256").digest(certificate), client.getChannelBinding("tls-server-end-point"));
    assertThrows(IllegalArgumentException.class, () -> client.getChannelBinding("tls-unheard-of"));
    pump.client().closeAndFlush();
    pump.server().closeAndFlush();
    pump.settle();
    pump.client().engine().closeInbound();
    assertThrows(SSLException.class, () -> client.exportKeyingMaterial("EXPERIMENTAL-test", null, 40));
  }

  private static String hex(byte[] bytes) {
    return Arrays.toString(bytes);
  }

  @Test
  @EnabledForJreRange(minVersion = 25)
  void exportersOfTheJdksOwnSession() throws Exception {
    EnginePump pump = connected(engines(Tls.V13).open());
    ExtendedSSLSession session = (ExtendedSSLSession) pump.client().engine().getSession();
    Object data = ExtendedSSLSession.class
        .getMethod("exportKeyingMaterialData", String.class, byte[].class, int.class).invoke(session, "EXPERIMENTAL", null, 32);
    assertArrayEquals(session(pump.server()).exportKeyingMaterial("EXPERIMENTAL", null, 32), (byte[]) data);
    SecretKey key = (SecretKey) ExtendedSSLSession.class
        .getMethod("exportKeyingMaterialKey", String.class, String.class, byte[].class, int.class)
        .invoke(session, "AES", "EXPERIMENTAL", null, 32);
    assertArrayEquals((byte[]) data, key.getEncoded());
    assertEquals("AES", key.getAlgorithm());
  }

  /** For systems whose SSLEngine and SSLParameters have no application protocols. */
  @ParameterizedTest
  @EnumSource(Tls.class)
  void applicationProtocolOfTheSession(Tls version) throws Exception {
    EnginePump pump = engines(version).client(with(p -> p.setApplicationProtocols(new String[] {"http/1.1", "h2"})))
        .server(with(p -> p.setApplicationProtocols(new String[] {"h2"}))).open();
    connected(pump);
    assertEquals("h2", session(pump.client()).getApplicationProtocol());
    assertEquals("h2", session(pump.server()).getApplicationProtocol());
    assertEquals("", session(connected(engines(version).open()).client()).getApplicationProtocol());
    TlsParameters parameters = new TlsParameters();
    assertEquals(0, parameters.getApplicationProtocols().length);
    assertThrows(IllegalArgumentException.class, () -> parameters.setApplicationProtocols(null));
    assertThrows(IllegalArgumentException.class, () -> parameters.setApplicationProtocols(new String[] {"h2", ""}));
    assertThrows(IllegalArgumentException.class, () -> parameters.setApplicationProtocols(new String[] {null}));
  }

  /** Sessions are one object each, wherever they are met, and extended ones. */
  @Test
  void sessionsAreExtendedAndTheSameEverywhere() throws Exception {
    EnginePump pump = connected(engines(Tls.V13).open());
    PostscryptSession session = session(pump.client());
    assertInstanceOf(ExtendedSSLSession.class, session);
    assertSame(session, pump.client().engine().getSession());
    SSLSessionContext sessions = session.getSessionContext();
    assertSame(session, sessions.getSession(session.getId()));
    SSLSession[] bound = new SSLSession[2];
    session.putValue("listener", new SSLSessionBindingListener() {
      @Override
      public void valueBound(SSLSessionBindingEvent event) {
        bound[0] = event.getSession();
      }

      @Override
      public void valueUnbound(SSLSessionBindingEvent event) {
        bound[1] = event.getSession();
      }
    });
    session.removeValue("listener");
    assertSame(session, bound[0]);
    assertSame(session, bound[1]);
    session.invalidate();
    assertNull(sessions.getSession(session.getId()));
    assertNull(session.getSessionContext());
    SSLContext context = SSLContext.getInstance("TLS", Postscrypt.newProvider());
    context.init(null, null, null);
    try (SSLSocket unconnected = (SSLSocket) context.getSocketFactory().createSocket()) {
      PostscryptSession none = assertInstanceOf(PostscryptSession.class, unconnected.getSession());
      assertInstanceOf(ExtendedSSLSession.class, none);
      assertEquals("SSL_NULL_WITH_NULL_NULL", none.getCipherSuite());
      assertEquals("NONE", none.getProtocol());
      assertFalse(none.isValid());
      assertEquals(0, ((ExtendedSSLSession) none).getLocalSupportedSignatureAlgorithms().length);
      assertThrows(SSLPeerUnverifiedException.class, none::getPeerCertificates);
    }
  }

  @Test
  void beforeTheHandshakeThereIsNothingToTell() {
    PostscryptSession session = session(engines(Tls.V13).open().client());
    assertNull(session.getNamedGroup());
    assertNull(session.getApplicationProtocol());
    assertFalse(session.isResumed());
    assertThrows(SSLException.class, () -> session.exportKeyingMaterial("x", null, 1));
  }
}
