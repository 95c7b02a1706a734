package org.postscrypt.jsse;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;
import org.postscrypt.BufferAllocator;
import org.postscrypt.nat.NativeRef;
import org.postscrypt.nat.ShortCalls;

/**
 * Wraps and unwraps records between buffers of any kind: one native call for each, after which the buffers' positions are moved.
 * Knows nothing of the connection's state: that is in what is returned, for {@link TlsOutcome}. Used under its engine's lock.
 */
final class TlsRecords {
  private static final int RECORD_HEADER = 5;

  /** Made when a copy is first needed. */
  private Scratch scratch;
  /** Made when the handshake is done: before that no buffer is used often. */
  private BufferAddress wrapSource;
  private BufferAddress wrapDestination;
  private BufferAddress unwrapSource;
  private BufferAddress unwrapDestination;
  /** Where a record's content begins in it, once the handshake is done. */
  private int plaintextOffset;

  /** The handshake is done, with this cipher suite: many records follow. */
  void established(int cipherSuite) {
    plaintextOffset = RECORD_HEADER + CipherSuites.explicitNonce(cipherSuite);
    wrapSource = new BufferAddress();
    wrapDestination = new BufferAddress();
    unwrapSource = new BufferAddress();
    unwrapDestination = new BufferAddress();
  }

  /** As {@code SSLEngine} wants several buffers checked. */
  static void checkRange(ByteBuffer[] buffers, int offset, int length, String name) {
    if (buffers == null) {
      throw new IllegalArgumentException(name + " == null");
    }
    if (offset < 0 || length < 0 || offset > buffers.length - length) {
      throw new IndexOutOfBoundsException("offset " + offset + ", length " + length + ", buffers " + buffers.length);
    }
    for (int i = offset; i < offset + length; i++) {
      if (buffers[i] == null) {
        throw new IllegalArgumentException(name + "[" + i + "] == null");
      }
    }
  }

  long wrap(NativeRef connection, ByteBuffer source, ByteBuffer destination) throws SSLException {
    long outcome = call(connection, true, source, destination, 0);
    int consumed = TlsOutcome.consumed(outcome);
    if (consumed > 0) {
      source.position(source.position() + consumed);
    }
    destination.position(destination.position() + TlsOutcome.produced(outcome));
    return outcome;
  }

  /**
   * A record of several sources, once the handshake is done.
   *
   * @param allocator null for a buffer of our own, where one is needed
   * @param isNext whether what is wrapped next is the sources' bytes, so that they can go to where they are sealed
   */
  long wrap(
      NativeRef connection, BufferAllocator allocator, ByteBuffer[] sources, int offset, int length, boolean isNext, ByteBuffer destination)
      throws SSLException {
    ByteBuffer source = Scratch.soleNonEmpty(sources, offset, length);
    if (source != null) {
      return wrap(connection, source, destination);
    }
    int inPlace = isNext ? Scratch.gatherInto(destination, wrapDestination, plaintextOffset, sources, offset, length) : 0;
    long outcome = inPlace > 0
        ? call(connection, true, null, destination, inPlace)
        : wrapCopy(connection, allocator, sources, offset, length, destination);
    int consumed = TlsOutcome.consumed(outcome);
    int produced = TlsOutcome.produced(outcome);
    if (inPlace > consumed) {
      Scratch.clear(destination, Math.max(produced, plaintextOffset), plaintextOffset + inPlace);
    }
    Scratch.advance(sources, offset, length, consumed);
    destination.position(destination.position() + produced);
    return outcome;
  }

  private long wrapCopy(
      NativeRef connection, BufferAllocator allocator, ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
      throws SSLException {
    Scratch scratch = scratch();
    try {
      return call(connection, true, scratch.gather(allocator, sources, offset, length), destination, 0);
    } finally {
      scratch.giveBack();
    }
  }

  long unwrap(NativeRef connection, ByteBuffer source, ByteBuffer destination) throws SSLException {
    long outcome = call(connection, false, source, destination, 0);
    source.position(source.position() + TlsOutcome.consumed(outcome));
    int produced = TlsOutcome.produced(outcome);
    if (produced > 0) {
      destination.position(destination.position() + produced);
    }
    return outcome;
  }

  /** {@code allocator}: null for a buffer of our own, where one is needed. */
  long unwrap(
      NativeRef connection, BufferAllocator allocator, ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
      throws SSLException {
    ByteBuffer destination = Scratch.holding(mostPlaintext(source), destinations, offset, length);
    if (destination != null) {
      return unwrap(connection, source, destination);
    }
    Scratch scratch = scratch();
    try {
      destination = scratch.limited(allocator, Scratch.remaining(destinations, offset, length));
      long outcome = call(connection, false, source, destination, 0);
      source.position(source.position() + TlsOutcome.consumed(outcome));
      scratch.scatter(TlsOutcome.produced(outcome), destinations, offset, length);
      return outcome;
    } finally {
      scratch.giveBack();
    }
  }

  private Scratch scratch() {
    if (scratch == null) {
      scratch = new Scratch();
    }
    return scratch;
  }

  /** More bytes than the first record of {@code source} can hold; zero if its header is not there yet. */
  private static int mostPlaintext(ByteBuffer source) {
    int start = source.position();
    if (source.limit() - start < RECORD_HEADER) {
      return 0;
    }
    int length = (source.get(start + RECORD_HEADER - 2) & 0xff) << 8 | source.get(start + RECORD_HEADER - 1) & 0xff;
    return Math.min(length, TlsSession.APPLICATION_BUFFER_SIZE);
  }

  /**
   * One native call between two buffers; positions stay.
   *
   * @param inPlace if not zero, {@code source} does not count: so many bytes are in the destination already, where they are sealed
   */
  private long call(NativeRef ref, boolean wrap, ByteBuffer source, ByteBuffer destination, int inPlace) throws SSLException {
    // Each property is read once: whatever other threads do to the buffers, the ranges lie in their capacities.
    int destinationOffset = destination.position();
    int destinationLength = Math.max(0, destination.limit() - destinationOffset);
    byte[] destinationArray = null;
    long destinationAddress = 0;
    if (destination.isDirect()) {
      BufferAddress known = wrap ? wrapDestination : unwrapDestination;
      destinationAddress = known == null ? 0 : known.of(destination);
    } else {
      destinationArray = destination.array();
      destinationOffset += destination.arrayOffset();
    }
    int sourceOffset;
    int sourceLength;
    byte[] sourceArray = null;
    long sourceAddress = 0;
    if (inPlace > 0) {
      source = destination;
      sourceOffset = destinationOffset + plaintextOffset;
      sourceLength = Math.min(inPlace, Math.max(0, destinationLength - plaintextOffset));
      sourceArray = destinationArray;
      sourceAddress = destinationAddress;
    } else {
      sourceOffset = source.position();
      sourceLength = Math.max(0, source.limit() - sourceOffset);
      if (source.isDirect()) {
        BufferAddress known = wrap ? wrapSource : unwrapSource;
        sourceAddress = known == null ? 0 : known.of(source);
      } else if (source.hasArray()) {
        sourceArray = source.array();
        sourceOffset += source.arrayOffset();
      } else {
        // A read-only view of an array: its bytes can only be copied. No more than a record is looked at.
        sourceLength = Math.min(sourceLength, wrap ? TlsSession.APPLICATION_BUFFER_SIZE : TlsSession.PACKET_BUFFER_SIZE);
        sourceArray = new byte[sourceLength];
        source.duplicate().get(sourceArray);
        sourceOffset = 0;
      }
    }
    return wrap
        ? ShortCalls.tlsWrap(
            ref.handle(), ref, sourceArray, source, sourceAddress, sourceOffset, sourceLength,
            destinationArray, destination, destinationAddress, destinationOffset, destinationLength)
        : ShortCalls.tlsUnwrap(
            ref.handle(), ref, sourceArray, source, sourceAddress, sourceOffset, sourceLength,
            destinationArray, destination, destinationAddress, destinationOffset, destinationLength);
  }

  /** Gives the memory back. */
  void free() {
    scratch = null;
  }
}
