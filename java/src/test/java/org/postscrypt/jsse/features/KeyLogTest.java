package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jsse.features.OurEngines.connected;
import static org.postscrypt.jsse.features.OurEngines.engines;
import static org.postscrypt.jsse.features.OurEngines.with;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.jsse.support.Tls;

/** The key log. */
class KeyLogTest {
  @ParameterizedTest
  @EnumSource(Tls.class)
  void keyLogOfBothSidesAgrees(Tls version) throws Exception {
    List<String> client = new ArrayList<>();
    List<String> server = new ArrayList<>();
    connected(engines(version).client(with(p -> p.setKeyLog(client::add))).server(with(p -> p.setKeyLog(server::add))).open());
    assertEquals(new TreeSet<>(client), new TreeSet<>(server));
    String kind = version == Tls.V12 ? "CLIENT_RANDOM " : "SERVER_TRAFFIC_SECRET_0 ";
    assertTrue(client.stream().anyMatch(line -> line.startsWith(kind)), client::toString);
  }
}
