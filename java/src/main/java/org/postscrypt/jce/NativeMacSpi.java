package org.postscrypt.jce;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.MacSpi;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;
import org.postscrypt.nat.ShortCalls;

/** HMAC (RFC 2104) and AES-CMAC (RFC 4493). The keyed state is kept between messages. */
final class NativeMacSpi extends MacSpi implements Message.Sink, Cloneable {
  private static final NativeRef.Free FREE = NativeCrypto::macFree;

  private final int length;
  private final Message message;
  private final NativeRef ref;
  /** Whether part of the message is in the native object. */
  private boolean started;

  NativeMacSpi(int algorithm, int length) {
    this.length = length;
    message = new Message(this);
    ref = new NativeRef(NativeCrypto.macNew(algorithm), FREE);
  }

  private NativeMacSpi(NativeMacSpi other) {
    length = other.length;
    message = other.message.copy(this);
    ref = new NativeRef(NativeCrypto.macClone(other.ref.handle(), other.ref), FREE);
    started = other.started;
  }

  @Override
  public void accept(byte[] array, ByteBuffer buffer, int offset, int count) {
    boolean start = !started;
    started = true;
    NativeCrypto.macUpdate(ref.handle(), ref, start, array, buffer, offset, count);
  }

  @Override
  protected int engineGetMacLength() {
    return length;
  }

  @Override
  protected void engineInit(Key key, AlgorithmParameterSpec params)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    if (params != null) {
      throw new InvalidAlgorithmParameterException("this MAC takes no parameters");
    }
    byte[] bytes = Keys.encoded(key);
    try {
      message.clear();
      started = false;
      NativeCrypto.macSetKey(ref.handle(), ref, bytes);
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
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
  protected byte[] engineDoFinal() {
    byte[] code = new byte[length];
    ShortCalls.macFinish(ref.handle(), ref, !started, message.gathered(), 0, message.length(), code, 0);
    message.clear();
    started = false;
    return code;
  }

  @Override
  protected void engineReset() {
    message.clear();
    if (started) {
      NativeCrypto.macReset(ref.handle(), ref);
      started = false;
    }
  }

  @Override
  public Object clone() {
    return new NativeMacSpi(this);
  }
}
