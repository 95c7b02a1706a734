package org.postscrypt.conscryptabi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** No handle crashes our library. The genuine one is not asked. */
class StaleHandlesTest {
  @Test
  void freedForeignAndMadeUpHandles() throws Exception {
    int calls = (int) Class.forName("org.conscrypt.Stale", true, Side.OURS).getMethod("storm").invoke(null);
    assertTrue(calls > 10_000, calls + " calls");
  }

  @Test
  @org.junit.jupiter.api.Timeout(60)
  void usedFromWithinItsUse() throws Exception {
    assertEquals("java.lang.IllegalStateException: in use by this thread",
        Class.forName("org.conscrypt.Stale", true, Side.OURS).getMethod("reentered").invoke(null));
  }

  @Test
  void freedWhileInUse() throws Exception {
    assertEquals("", Class.forName("org.conscrypt.Stale", true, Side.OURS).getMethod("race").invoke(null));
  }

  @Test
  @org.junit.jupiter.api.Timeout(300)
  void freedWhileEachNativeIsCalled() throws Exception {
    String text = (String) Class.forName("org.conscrypt.Hostile", true, Side.OURS).getMethod("race").invoke(null);
    assertTrue(text.endsWith(" []"), text);
    assertTrue(Integer.parseInt(text.substring(0, text.indexOf(' '))) > 1000, text);
  }

  @Test
  @org.junit.jupiter.api.Timeout(120)
  void connectionsFreedWhileInUse() throws Exception {
    assertEquals("", Class.forName("org.conscrypt.Stale", true, Side.OURS).getMethod("tlsRace").invoke(null));
  }

  @Test
  @org.junit.jupiter.api.Timeout(60)
  void connectionsUsedFromWithinTheirUse() throws Exception {
    assertEquals("[throws java.lang.IllegalStateException, throws java.lang.IllegalStateException, TLSv1.2] true",
        Class.forName("org.conscrypt.Stale", true, Side.OURS).getMethod("tlsReentered").invoke(null));
  }

  @Test
  @org.junit.jupiter.api.Timeout(120)
  void renegotiatedWithoutEnd() throws Exception {
    var method = Class.forName("org.conscrypt.Stale", true, Side.OURS).getMethod("renegotiatedWithoutEnd", int.class);
    assertEquals(String.valueOf((int) 'C'), method.invoke(null, 20));
    assertEquals("too many handshakes in a row", method.invoke(null, 300));
  }
}
