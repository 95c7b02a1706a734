package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.postscrypt.jsse.support.Alerts;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.TlsCase;

/** Application-layer protocol negotiation (RFC 7301). */
class EngineAlpnTest {
  static Consumer<SSLEngine> offering(String... protocols) {
    return engine -> {
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setApplicationProtocols(protocols);
      engine.setSSLParameters(parameters);
    };
  }

  private static void assertAgreed(String protocol, EnginePump pump) {
    assertEquals(protocol, pump.client().engine().getApplicationProtocol());
    assertEquals(protocol, pump.server().engine().getApplicationProtocol());
  }

  @EachVersion
  void serverPreferenceDecides(TlsCase c) throws Exception {
    EnginePump pump = c.engines()
        .client(offering("http/1.1", "h2", "spdy/3"))
        .server(offering("h2", "http/1.1"))
        .open();
    assertNull(pump.client().engine().getApplicationProtocol());
    assertNull(pump.server().engine().getApplicationProtocol());
    assertNull(pump.client().engine().getHandshakeApplicationProtocol());
    assertNull(pump.server().engine().getHandshakeApplicationProtocol());
    pump.handshake();
    assertAgreed("h2", pump);
  }

  @EachVersion
  void onlyCommonProtocolIsChosen(TlsCase c) throws Exception {
    EnginePump pump = c.engines().client(offering("a", "b")).server(offering("c", "b")).open();
    pump.handshake();
    assertAgreed("b", pump);
  }

  @EachVersion
  void nothingInCommonFailsTheHandshake(TlsCase c) throws Exception {
    EnginePump pump = c.engines().client(offering("a")).server(offering("b")).open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
    assertInstanceOf(SSLException.class, pump.client().failure());
    Alerts.assertNames(pump.client().failure(), "no_application_protocol");
  }

  @EachVersion
  void unusedIsEmptyAfterTheHandshake(TlsCase c) throws Exception {
    EnginePump none = c.engines().open();
    assertNull(none.client().engine().getApplicationProtocol());
    none.handshake();
    assertAgreed("", none);
    EnginePump onlyClient = c.engines().client(offering("h2")).open();
    onlyClient.handshake();
    assertAgreed("", onlyClient);
    EnginePump onlyServer = c.engines().server(offering("h2")).open();
    onlyServer.handshake();
    assertAgreed("", onlyServer);
  }

  @EachVersion
  void selectorSeesTheListAndDecides(TlsCase c) throws Exception {
    List<List<String>> seen = new ArrayList<>();
    List<SSLEngine> engines = new ArrayList<>();
    EnginePump pump = c.engines()
        .client(offering("x", "y", "z"))
        .server(offering("x"))
        .server(e -> e.setHandshakeApplicationProtocolSelector((engine, list) -> {
          seen.add(List.copyOf(list));
          engines.add(engine);
          return "z";
        }))
        .open();
    assertNotNull(pump.server().engine().getHandshakeApplicationProtocolSelector());
    pump.handshake();
    assertAgreed("z", pump);
    assertEquals(List.of(List.of("x", "y", "z")), seen);
    assertSame(pump.server().engine(), engines.get(0));
  }

  @EachVersion
  void selectorMayDeclineQuietly(TlsCase c) throws Exception {
    EnginePump pump = c.engines()
        .client(offering("x"))
        .server(e -> e.setHandshakeApplicationProtocolSelector((engine, list) -> ""))
        .open();
    pump.handshake();
    assertAgreed("", pump);
  }

  @EachVersion
  void selectorMayRefuse(TlsCase c) throws Exception {
    EnginePump pump = c.engines()
        .client(offering("x"))
        .server(e -> e.setHandshakeApplicationProtocolSelector((engine, list) -> null))
        .open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
    Alerts.assertNames(pump.client().failure(), "no_application_protocol");
  }

  @EachVersion
  void selectorIsNotAskedWithoutAnOffer(TlsCase c) throws Exception {
    BiFunction<SSLEngine, List<String>, String> never = (engine, list) -> {
      throw new AssertionError("asked with " + list);
    };
    EnginePump pump = c.engines().server(e -> e.setHandshakeApplicationProtocolSelector(never)).open();
    pump.handshake();
    assertAgreed("", pump);
    assertSame(never, pump.server().engine().getHandshakeApplicationProtocolSelector());
  }

  @EachVersion
  void parametersAreCopied(TlsCase c) throws Exception {
    EnginePump pump = c.engines().client(offering("h2")).server(offering("h2")).open();
    String[] list = pump.client().engine().getSSLParameters().getApplicationProtocols();
    assertArrayEquals(new String[] {"h2"}, list);
    list[0] = "changed";
    assertArrayEquals(new String[] {"h2"}, pump.client().engine().getSSLParameters().getApplicationProtocols());
    SSLParameters parameters = pump.client().engine().getSSLParameters();
    assertThrows(IllegalArgumentException.class, () -> parameters.setApplicationProtocols(null));
    pump.handshake();
    assertAgreed("h2", pump);
  }

  @EachVersion
  void negotiatedProtocolOutlivesTheConnection(TlsCase c) throws Exception {
    EnginePump pump = c.engines().client(offering("h2")).server(offering("h2")).open();
    pump.handshake();
    pump.client().closeAndFlush();
    pump.settle();
    assertAgreed("h2", pump);
  }
}
