package org.postscrypt.jce.asymmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jce.asymmetric.Asymmetric.OURS;
import static org.postscrypt.jce.asymmetric.Asymmetric.bytes;
import static org.postscrypt.jce.asymmetric.Asymmetric.hex;
import static org.postscrypt.jce.asymmetric.Asymmetric.pair;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.interfaces.ECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.junit.jupiter.api.Test;

class ParametersTest {
  private static final String[] DIGESTS = {"SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA-512/256"};

  private static AlgorithmParameters ours(String name) throws Exception {
    return AlgorithmParameters.getInstance(name, OURS);
  }

  /** Ours read theirs and theirs read ours; answers what came of ours. */
  private static AlgorithmParameters[] exchanged(String name, String provider, AlgorithmParameterSpec spec)
      throws Exception {
    AlgorithmParameters ours = ours(name);
    AlgorithmParameters theirs = AlgorithmParameters.getInstance(name, provider);
    ours.init(spec);
    theirs.init(spec);
    AlgorithmParameters readByThem = AlgorithmParameters.getInstance(name, provider);
    readByThem.init(ours.getEncoded());
    AlgorithmParameters readByUs = ours(name);
    readByUs.init(theirs.getEncoded(), "ASN.1");
    assertArrayEquals(ours.getEncoded(), readByUs.getEncoded("ASN.1"));
    return new AlgorithmParameters[] {readByThem, readByUs};
  }

  @Test
  void curves() throws Exception {
    for (String name : new String[] {"secp256r1", "secp384r1", "secp521r1"}) {
      for (AlgorithmParameters p : exchanged("EC", "SunEC", new ECGenParameterSpec(name))) {
        ECParameterSpec spec = p.getParameterSpec(ECParameterSpec.class);
        ECParameterSpec known = ((ECPublicKey) pair(name).getPublic()).getParams();
        assertEquals(known.getCurve(), spec.getCurve());
        assertEquals(known.getGenerator(), spec.getGenerator());
        assertEquals(known.getOrder(), spec.getOrder());
        assertEquals(known.getCofactor(), spec.getCofactor());
        AlgorithmParameters again = ours("EC");
        again.init(spec);
        assertTrue(again.getParameterSpec(ECGenParameterSpec.class).getName().startsWith("1."), "as SunJSSE wants it");
        again = ours("EC");
        again.init(p.getParameterSpec(ECGenParameterSpec.class));
        assertArrayEquals(p.getEncoded(), again.getEncoded());
        assertTrue(again.toString().contains(name));
      }
    }
    AlgorithmParameters ec = ours("EC");
    ec.init(new ECGenParameterSpec("P-224"));
    assertEquals("06052b81040021", hex(ec.getEncoded()));
    for (String bad : new String[] {"", "06", "0600", "06052b8104000a", "06052b8104002100", "0500", "06812b"}) {
      assertThrows(IOException.class, () -> ec.init(hex(bad)), bad);
    }
    AlgorithmParameters fresh = ours("EC");
    assertThrows(InvalidParameterSpecException.class, () -> fresh.init(new ECGenParameterSpec("secp256k1")));
    assertThrows(InvalidParameterSpecException.class, () -> fresh.init(new IvParameterSpec(new byte[2])));
    fresh.init(new ECGenParameterSpec("P-224"));
    assertThrows(InvalidParameterSpecException.class, () -> fresh.getParameterSpec(PSSParameterSpec.class));
    assertThrows(IOException.class, () -> fresh.getEncoded("PEM"));
  }

  @Test
  void pss() throws Exception {
    for (String digest : DIGESTS) {
      for (String mgf : DIGESTS) {
        for (int salt : new int[] {0, 20, 127, 128, 255, 256, 70000}) {
          PSSParameterSpec spec = new PSSParameterSpec(digest, "MGF1", new MGF1ParameterSpec(mgf), salt, 1);
          for (AlgorithmParameters p : exchanged("RSASSA-PSS", "SunRsaSign", spec)) {
            PSSParameterSpec back = p.getParameterSpec(PSSParameterSpec.class);
            assertEquals(digest, back.getDigestAlgorithm());
            assertEquals(mgf, ((MGF1ParameterSpec) back.getMGFParameters()).getDigestAlgorithm());
            assertEquals(salt, back.getSaltLength());
            assertEquals(1, back.getTrailerField());
          }
        }
      }
    }
    AlgorithmParameters p = ours("PSS");
    p.init(PSSParameterSpec.DEFAULT);
    assertEquals("3000", hex(p.getEncoded()));
    p = ours("1.2.840.113549.1.1.10");
    p.init(hex("3005a303020101"));
    assertEquals(20, p.getParameterSpec(PSSParameterSpec.class).getSaltLength());
    for (String bad : new String[] {
      "", "30", "300000", "3005a303020102", "3005a2030201ff", "3006a20402020001", "3003020101",
      "300ba009300706052b0e03021b", "3005a103300000"
    }) {
      AlgorithmParameters fresh = ours("RSASSA-PSS");
      assertThrows(IOException.class, () -> fresh.init(hex(bad)), bad);
    }
    AlgorithmParameters fresh = ours("RSASSA-PSS");
    assertThrows(InvalidParameterSpecException.class,
        () -> fresh.init(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA1, 1, 2)));
  }

  @Test
  void oaep() throws Exception {
    for (String digest : DIGESTS) {
      for (int label : new int[] {0, 1, 200, 70000}) {
        OAEPParameterSpec spec = new OAEPParameterSpec(
            digest, "MGF1", new MGF1ParameterSpec(DIGESTS[label % 5]), new PSource.PSpecified(bytes(1, label)));
        for (AlgorithmParameters p : exchanged("OAEP", "SunJCE", spec)) {
          OAEPParameterSpec back = p.getParameterSpec(OAEPParameterSpec.class);
          assertEquals(digest, back.getDigestAlgorithm());
          assertEquals(
              DIGESTS[label % 5], ((MGF1ParameterSpec) back.getMGFParameters()).getDigestAlgorithm());
          assertArrayEquals(bytes(1, label), ((PSource.PSpecified) back.getPSource()).getValue());
        }
      }
    }
    for (String bad : new String[] {"", "3000ff", "3003020101", "3005a203300102"}) {
      AlgorithmParameters fresh = ours("OAEP");
      assertThrows(IOException.class, () -> fresh.init(hex(bad)), bad);
    }
  }
}
