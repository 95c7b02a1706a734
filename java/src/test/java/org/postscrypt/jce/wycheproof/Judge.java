package org.postscrypt.jce.wycheproof;

import java.security.GeneralSecurityException;
import javax.crypto.SecretKey;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/** Compares what we do with what a test vector asks for. */
final class Judge {
  private Judge() {}

  /** Does what a case says. */
  @FunctionalInterface
  interface Attempt {
    /** Whether the outcome is the vector's (or the signature verifies). */
    boolean passes() throws GeneralSecurityException;
  }

  /**
   * Fails unless a case passes or is refused as it should be. Refusals are {@code false} or one of these exceptions;
   * all others, unchecked ones before all, are failures.
   */
  @SafeVarargs
  static void judge(Case test, Attempt attempt, Class<? extends GeneralSecurityException>... documented) {
    boolean expected = Decisions.expected(test);
    try {
      boolean passed = attempt.passes();
      if (passed != expected) {
        throw new AssertionError(test + ": " + (passed ? "taken" : "answered otherwise") + ", though " + test.result());
      }
    } catch (GeneralSecurityException e) {
      boolean known = false;
      for (Class<? extends GeneralSecurityException> type : documented) {
        known |= type == e.getClass();
      }
      if (!known) {
        throw new AssertionError(test + ": not one of the documented exceptions: " + e, e);
      }
      if (expected) {
        throw new AssertionError(test + ": refused, though " + test.result() + ": " + e, e);
      }
    } catch (RuntimeException e) {
      throw new AssertionError(test + ": unchecked exception: " + e, e);
    }
  }

  /** A key that may be empty, as SecretKeySpec may not. */
  record RawKey(String algorithm, byte[] bytes) implements SecretKey {
    @Override
    public String getAlgorithm() {
      return algorithm;
    }

    @Override
    public String getFormat() {
      return "RAW";
    }

    @Override
    public byte[] getEncoded() {
      return bytes.clone();
    }
  }
}
