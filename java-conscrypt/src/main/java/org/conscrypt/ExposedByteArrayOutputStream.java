package org.conscrypt;

import java.io.ByteArrayOutputStream;

/** A {@link ByteArrayOutputStream} that shows its array. */
public final class ExposedByteArrayOutputStream extends ByteArrayOutputStream {
  /** With the default capacity. */
  public ExposedByteArrayOutputStream() {}

  /** With a capacity in bytes. */
  public ExposedByteArrayOutputStream(int size) {
    super(size);
  }

  /** The array itself; another one after more has been written. */
  public byte[] array() {
    return buf;
  }

  /** Sets how many of the array's bytes count as written; not checked. */
  public void setCountManually(int count) {
    this.count = count;
  }
}
