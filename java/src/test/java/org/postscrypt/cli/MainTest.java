package org.postscrypt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigestSpi;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void versionIsTheDefault() {
    assertEquals(Main.OK, run());
    String first = out.toString();
    out.reset();
    assertEquals(Main.OK, run("version"));
    assertEquals(first, out.toString());
    assertTrue(first.startsWith("Postscrypt "), first);
  }

  @Test
  void helpNamesEveryCommand() {
    assertEquals(Main.OK, run("help"));
    for (String command : Arrays.asList("version", "doctor", "demo", "help")) {
      assertTrue(out.toString().contains("\n  " + command + " "), command);
    }
    assertEquals("", err.toString());
  }

  @Test
  void doctorSaysThatItWorks() {
    assertEquals(Main.OK, run("doctor"));
    assertTrue(out.toString().contains("library: loaded from "), out.toString());
    assertTrue(out.toString().contains("TLSv1.3 with X25519MLKEM768"), out.toString());
    assertTrue(out.toString().contains("Postscrypt works here."), out.toString());
  }

  @Test
  void selfTestRefusesAnotherProvidersWork() {
    Provider jdk = Security.getProvider("SunJCE");
    assertThrows(GeneralSecurityException.class, () -> new SelfTest(jdk).run());
    assertThrows(IllegalStateException.class, () -> new SelfTest(new Wrong()).run());
  }

  private static final class Wrong extends Provider {
    private static final long serialVersionUID = 1L;

    Wrong() {
      super("Wrong", "1", "all digests are zero");
      put("MessageDigest.SHA-256", Zeros.class.getName());
    }
  }

  /** A digest that is always zero. */
  public static final class Zeros extends MessageDigestSpi {
    @Override
    protected void engineUpdate(byte input) {}

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {}

    @Override
    protected byte[] engineDigest() {
      return new byte[32];
    }

    @Override
    protected void engineReset() {}
  }

  @ParameterizedTest
  @ValueSource(strings = {"frobnicate", "version now", "demo --size", "demo --size many", "demo --fast yes",
      "demo --size 99999999999G"})
  void wrongCommandLinesGetTheHelp(String line) {
    assertEquals(Main.USAGE, run(line.split(" ")));
    assertEquals("", out.toString());
    assertTrue(err.toString().startsWith("postscrypt: "), err.toString());
    assertTrue(err.toString().contains("Usage: "), err.toString());
  }

  @Test
  void sizes() {
    assertEquals(64 << 20, Demo.Options.parse(Collections.emptyList()).size);
    assertNull(Demo.Options.parse(Collections.emptyList()).provider);
    assertEquals(4096, Demo.Options.parse(List.of("--size", "4096")).size);
    assertEquals(512 << 10, Demo.Options.parse(List.of("--size", "512K")).size);
    assertEquals(3L << 30, Demo.Options.parse(List.of("--provider", "X", "--size", "3G")).size);
    assertThrows(IllegalArgumentException.class, () -> Demo.Options.parse(List.of("--size", "-1")));
  }

  @Test
  void aProviderThatIsNotThereFails() {
    assertEquals(Main.FAILED, run("demo", "--provider", "Nobody"));
    assertTrue(out.toString().contains("no installed provider is named Nobody"), out.toString());
  }

  private int run(String... arguments) {
    return Main.run(Arrays.asList(arguments), new PrintStream(out, true), new PrintStream(err, true));
  }
}
