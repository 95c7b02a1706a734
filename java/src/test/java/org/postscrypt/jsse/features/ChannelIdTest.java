package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.postscrypt.jsse.features.OurEngines.connected;
import static org.postscrypt.jsse.features.OurEngines.engines;
import static org.postscrypt.jsse.features.OurEngines.pair;
import static org.postscrypt.jsse.features.OurEngines.with;

import java.security.KeyPair;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.TlsParameters;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.Tls;

/** A client's key for Channel ID. */
class ChannelIdTest {
  @ParameterizedTest
  @EnumSource(Tls.class)
  void channelIdKeysAreOnP256OrFailTheHandshake(Tls version) throws Exception {
    KeyPair good = pair("EC", 256);
    connected(engines(version).client(with(p -> p.setChannelIdKey(good.getPrivate()))).open());
    for (KeyPair bad : new KeyPair[] {pair("EC", 384), pair("RSA", 2048)}) {
      EnginePump pump = engines(version).client(with(p -> p.setChannelIdKey(bad.getPrivate()))).open();
      SSLEngine client = pump.client().engine();
      assertThrows(SSLHandshakeException.class, client::beginHandshake);
      TlsParameters parameters = (TlsParameters) client.getSSLParameters();
      assertSame(bad.getPrivate(), parameters.getChannelIdKey());
      parameters.setChannelIdKey(null);
      client.setSSLParameters(parameters);
      connected(pump);
    }
  }
}
