package org.postscrypt.jce;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigestSpi;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;
import org.postscrypt.nat.ShortCalls;

/**
 * A message digest. A message shorter than {@link Message#CAPACITY} costs one native call and no native object, which
 * is made when a longer one comes and then kept.
 */
final class DigestSpi extends MessageDigestSpi implements Message.Sink, Cloneable {
  private static final NativeRef.Free FREE = NativeCrypto::digestFree;

  private final int algorithm;
  private final int length;
  private final Message message;
  private NativeRef ref;
  /** Whether part of the message is in the native object. */
  private boolean started;

  DigestSpi(int algorithm, int length) {
    this.algorithm = algorithm;
    this.length = length;
    this.message = new Message(this);
  }

  private DigestSpi(DigestSpi other) {
    algorithm = other.algorithm;
    length = other.length;
    message = other.message.copy(this);
    if (other.started) {
      ref = new NativeRef(NativeCrypto.digestClone(other.ref.handle(), other.ref), FREE);
      started = true;
    }
  }

  @Override
  public void accept(byte[] array, ByteBuffer buffer, int offset, int count) {
    if (ref == null) {
      ref = new NativeRef(NativeCrypto.digestNew(algorithm), FREE);
    }
    boolean start = !started;
    started = true;
    NativeCrypto.digestUpdate(ref.handle(), ref, start, array, buffer, offset, count);
  }

  @Override
  protected int engineGetDigestLength() {
    return length;
  }

  @Override
  protected void engineUpdate(byte input) {
    message.append(input);
  }

  @Override
  protected void engineUpdate(byte[] input, int offset, int count) {
    message.append(input, offset, count);
  }

  @Override
  protected void engineUpdate(ByteBuffer input) {
    message.append(input);
  }

  @Override
  protected byte[] engineDigest() {
    byte[] digest = new byte[length];
    finish(digest, 0);
    return digest;
  }

  @Override
  protected int engineDigest(byte[] output, int offset, int count) throws DigestException {
    if (count < length) {
      throw new DigestException("the digest has " + length + " bytes, there is room for " + count);
    }
    if (offset < 0 || count > output.length - offset) {
      throw new DigestException("output is too small for offset and length");
    }
    return finish(output, offset);
  }

  private int finish(byte[] output, int offset) {
    if (started) {
      NativeCrypto.digestFinish(ref.handle(), ref, false, message.gathered(), 0, message.length(), output, offset);
      started = false;
    } else {
      ShortCalls.digestOneShot(algorithm, message.gathered(), 0, message.length(), output, offset);
    }
    message.clear();
    return length;
  }

  @Override
  protected void engineReset() {
    message.clear();
    if (started) {
      NativeCrypto.digestReset(ref.handle(), ref);
      started = false;
    }
  }

  @Override
  public Object clone() {
    return new DigestSpi(this);
  }
}
