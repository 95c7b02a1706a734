package org.postscrypt.jce.asymmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jce.asymmetric.Asymmetric.OURS;
import static org.postscrypt.jce.asymmetric.Asymmetric.generate;
import static org.postscrypt.jce.asymmetric.Asymmetric.into;
import static org.postscrypt.jce.asymmetric.Asymmetric.pair;

import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.Signature;
import java.security.interfaces.EdECKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.XECKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.XECPublicKeySpec;
import javax.crypto.KeyAgreement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postscrypt.RawKeySpec;

/** The classes as platforms without XECKey and EdECKey see them; runs on them, not on the overlays. */
@Tag("java8")
class Java8KeysTest {
  @Test
  void curvesWithoutInterfaces() throws Exception {
    for (String name : new String[] {"X25519", "Ed25519"}) {
      KeyPair pair = generate(OURS, name, new ECGenParameterSpec(name));
      assertFalse(pair.getPublic() instanceof XECKey || pair.getPublic() instanceof EdECKey, "an overlay");
      assertFalse(pair.getPrivate() instanceof XECKey || pair.getPrivate() instanceof EdECKey, "an overlay");
      KeyFactory factory = KeyFactory.getInstance(name, OURS);
      assertEquals(pair.getPublic(), into(factory, pair.getPublic()));
      assertEquals(pair.getPrivate(), into(factory, pair.getPrivate()));
      RawKeySpec raw = factory.getKeySpec(pair.getPublic(), RawKeySpec.class);
      assertEquals(pair.getPublic(), factory.generatePublic(raw));
      assertEquals(
          pair.getPrivate(), factory.generatePrivate(factory.getKeySpec(pair.getPrivate(), RawKeySpec.class)));
      assertThrows(InvalidKeySpecException.class, () -> factory.getKeySpec(pair.getPublic(), XECPublicKeySpec.class));
      KeyFactory jdk = KeyFactory.getInstance(name, "SunEC");
      assertEquals(pair.getPublic(), factory.translateKey(into(jdk, pair.getPublic())));
    }
    Signature signature = Signature.getInstance("Ed25519", OURS);
    signature.initSign(pair("Ed25519").getPrivate());
    byte[] signed = signature.sign();
    signature.initVerify(pair("Ed25519").getPublic());
    assertTrue(signature.verify(signed));
    KeyAgreement agreement = KeyAgreement.getInstance("XDH", OURS);
    agreement.init(pair("X25519").getPrivate());
    agreement.doPhase(pair("X25519").getPublic(), true);
    byte[] secret = agreement.generateSecret();
    agreement.doPhase(pair("X25519").getPublic(), true);
    assertArrayEquals(secret, agreement.generateSecret());
  }

  @Test
  void rsaSpecs() throws Exception {
    KeyFactory factory = KeyFactory.getInstance("RSA", OURS);
    assertInstanceOf(RSAPrivateCrtKey.class, pair("RSA").getPrivate());
    assertEquals(
        pair("RSA").getPublic(),
        factory.generatePublic(factory.getKeySpec(pair("RSA").getPublic(), RSAPublicKeySpec.class)));
    assertEquals(
        pair("RSA").getPrivate(),
        factory.generatePrivate(factory.getKeySpec(pair("RSA").getPrivate(), RSAPrivateCrtKeySpec.class)));
  }
}
