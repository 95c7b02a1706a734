package org.postscrypt.jsse.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * One engine, what is on the wire towards it, and what it has answered. Every wrap and unwrap goes through {@link
 * #wrap(ByteBuffer[], int, int, ByteBuffer)} and {@link #unwrap(ByteBuffer, ByteBuffer[], int, int)}, which check what
 * must be true of any call.
 */
public final class EngineSide {
  private static final ByteBuffer[] NOTHING = {ByteBuffer.allocate(0)};

  private final String name;
  private final SSLEngine engine;
  private final Peer vendor;
  private final BufferKind kind;
  private final TaskMode tasks;
  private final Bytes wire = new Bytes();
  private final Bytes received = new Bytes();
  private final List<SSLEngineResult> results = new ArrayList<>();
  private final List<Exception> failures = new ArrayList<>();
  private EngineSide peer;
  private int finished;
  private int tasksRun;
  private int lateWraps;

  EngineSide(String name, SSLEngine engine, Peer vendor, BufferKind kind, TaskMode tasks) {
    this.name = name;
    this.engine = engine;
    this.vendor = vendor;
    this.kind = kind;
    this.tasks = tasks;
  }

  void connect(EngineSide other) {
    peer = other;
  }

  /** The engine. */
  public SSLEngine engine() {
    return engine;
  }

  /** Whose engine it is. */
  public Peer vendor() {
    return vendor;
  }

  /** The kind of buffers in use. */
  public BufferKind buffers() {
    return kind;
  }

  /** Results of all calls so far, oldest first. */
  public List<SSLEngineResult> results() {
    return results;
  }

  /** The same, short and readable: status, handshake status, consumed and produced bytes. */
  public String history() {
    return results.stream()
        .map(r -> r.getStatus() + "/" + r.getHandshakeStatus() + " " + r.bytesConsumed() + ">" + r.bytesProduced())
        .collect(Collectors.joining("; "));
  }

  /** Exceptions that {@link #stepOrFail()} met, oldest first. */
  public List<Exception> failures() {
    return failures;
  }

  /** The first exception, or null. */
  public Exception failure() {
    return failures.isEmpty() ? null : failures.get(0);
  }

  /** How often FINISHED was returned. */
  public int finished() {
    return finished;
  }

  boolean isTls13() {
    return engine.getSession().getProtocol().equals("TLSv1.3");
  }

  /** How many delegated tasks have run. */
  public int tasksRun() {
    return tasksRun;
  }

  /** Bytes on the wire towards this side. */
  public Bytes wire() {
    return wire;
  }

  /** Application data that came out of this side; takes it. */
  public byte[] takeReceived() {
    return received.take();
  }

  /** A destination big enough for any record. */
  public ByteBuffer packetBuffer() {
    return kind.destination(engine.getSession().getPacketBufferSize() * (vendor.isStrict() ? 1 : 2));
  }

  /** A destination big enough for the plaintext of any record. */
  public ByteBuffer applicationBuffer() {
    return kind.destination(engine.getSession().getApplicationBufferSize() * (vendor.isStrict() ? 1 : 2));
  }

  /** A source for unwrap. */
  public ByteBuffer networkSource(byte[] content) {
    // Before JDK 19 (JDK-8283577) SunJSSE decrypts inside the source and so cannot read a read-only one.
    boolean writable = vendor == Peer.JDK && Runtime.version().feature() < 19 || !vendor.isStrict();
    return writable ? kind.writableSource(content) : kind.source(content);
  }

  /** Calls wrap and checks the result against the buffers. */
  public SSLEngineResult wrap(ByteBuffer[] srcs, int offset, int length, ByteBuffer dst) throws SSLException {
    int[] before = positions(srcs);
    int[] limits = limits(srcs);
    byte[][] contents = new byte[srcs.length][];
    for (int i = 0; i < srcs.length; i++) {
      contents[i] = srcs[i] == null ? null : copy(srcs[i]);
    }
    int start = dst.position();
    int limit = dst.limit();
    SSLEngineResult result = offset == 0 && srcs.length == 1 && length == 1
        ? engine.wrap(srcs[0], dst)
        : engine.wrap(srcs, offset, length, dst);
    results.add(result);
    if (!vendor.isStrict()) {
      count(result);
      return result;
    }
    String what = name + " wrap: " + result;
    assertEquals(result.bytesConsumed(), moved(srcs, offset, length, before), what);
    assertEquals(result.bytesProduced(), dst.position() - start, what);
    assertEquals(limit, dst.limit(), what);
    assertTrue(Arrays.equals(limits, limits(srcs)), what);
    kind.assertMarginsIntact(dst, start);
    for (int i = 0; i < srcs.length; i++) {
      if (srcs[i] != null) {
        ByteBuffer again = srcs[i].duplicate();
        again.position(before[i]);
        assertTrue(Arrays.equals(contents[i], copy(again)), () -> what + ": changed the data it was to send");
      }
    }
    if (result.getStatus() == Status.CLOSED) {
      assertTrue(engine.isOutboundDone() || result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP, what);
    }
    assertNotEquals(Status.BUFFER_UNDERFLOW, result.getStatus(), what);
    checkCommon(result, what);
    return result;
  }

  /** Calls unwrap and checks the result against the buffers. */
  public SSLEngineResult unwrap(ByteBuffer src, ByteBuffer[] dsts, int offset, int length) throws SSLException {
    int[] before = positions(dsts);
    int[] limits = limits(dsts);
    int start = src.position();
    int limit = src.limit();
    SSLEngineResult result = offset == 0 && dsts.length == 1 && length == 1
        ? engine.unwrap(src, dsts[0])
        : engine.unwrap(src, dsts, offset, length);
    results.add(result);
    if (!vendor.isStrict()) {
      count(result);
      return result;
    }
    String what = name + " unwrap: " + result;
    assertEquals(result.bytesConsumed(), src.position() - start, what);
    assertEquals(result.bytesProduced(), moved(dsts, offset, length, before), what);
    assertEquals(limit, src.limit(), what);
    assertTrue(Arrays.equals(limits, limits(dsts)), what);
    for (int i = offset; i < offset + length; i++) {
      kind.assertMarginsIntact(dsts[i], before[i]);
    }
    if (result.getStatus() == Status.CLOSED) {
      assertTrue(engine.isInboundDone(), what);
    }
    checkCommon(result, what);
    return result;
  }

  private void count(SSLEngineResult result) {
    if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
      finished++;
    }
  }

  private void checkCommon(SSLEngineResult result, String what) {
    Status status = result.getStatus();
    HandshakeStatus handshake = result.getHandshakeStatus();
    if (status == Status.BUFFER_OVERFLOW || status == Status.BUFFER_UNDERFLOW) {
      assertEquals(0, result.bytesConsumed(), what);
      assertEquals(0, result.bytesProduced(), what);
    }
    HandshakeStatus now = engine.getHandshakeStatus();
    assertNotEquals(HandshakeStatus.FINISHED, now, "getHandshakeStatus() is never FINISHED");
    if (handshake == HandshakeStatus.FINISHED) {
      assertEquals(Status.OK, status, what);
      count(result);
    } else {
      assertEquals(now, handshake, what);
    }
    assertFalse(handshake.name().equals("NEED_UNWRAP_AGAIN"), "DTLS only");
  }

  /** Wraps nothing (what a handshake or closure has to say) and sends it. */
  public SSLEngineResult wrapAndSend() throws SSLException {
    return wrapAndSend(NOTHING);
  }

  /** Wraps from {@code srcs} once and sends what comes out. */
  public SSLEngineResult wrapAndSend(ByteBuffer... srcs) throws SSLException {
    ByteBuffer dst = packetBuffer();
    int start = dst.position();
    SSLEngineResult result = wrap(srcs, 0, srcs.length, dst);
    peer.wire.add(written(dst, start));
    return result;
  }

  /** Wraps {@code data}, which must fit one record, and returns the record instead of sending it. */
  public byte[] record(byte[] data) throws SSLException {
    ByteBuffer dst = packetBuffer();
    int start = dst.position();
    SSLEngineResult result = wrap(new ByteBuffer[] {kind.source(data)}, 0, 1, dst);
    assertEquals(Status.OK, result.getStatus());
    assertEquals(data.length, result.bytesConsumed());
    byte[] record = written(dst, start);
    assertEquals(record.length, Bytes.recordLength(record, 0), "one record");
    return record;
  }

  /** Unwraps once from the wire; keeps the application data. */
  public SSLEngineResult unwrapNext() throws SSLException {
    ByteBuffer src = networkSource(wire.peek(Bytes.MAX_RECORD));
    ByteBuffer dst = applicationBuffer();
    int start = dst.position();
    SSLEngineResult result = unwrap(src, new ByteBuffer[] {dst}, 0, 1);
    wire.skip(result.bytesConsumed());
    received.add(written(dst, start));
    return result;
  }

  /** Runs all tasks that the engine has. */
  public void runTasks() {
    for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
      tasks.run(task);
      tasksRun++;
    }
  }

  /** Does the one thing that the engine's status asks for; false if there is nothing to do now. */
  public boolean step() throws SSLException {
    HandshakeStatus status = engine.getHandshakeStatus();
    SSLEngineResult result;
    switch (status) {
      case NEED_TASK:
        int before = tasksRun;
        runTasks();
        assertTrue(tasksRun > before, "NEED_TASK without a task");
        boolean still = engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK;
        assertFalse(still && vendor.isStrict(), "all tasks have run");
        return true;
      case NEED_WRAP:
        result = wrapAndSend();
        assertNotEquals(Status.BUFFER_OVERFLOW, result.getStatus(), "getPacketBufferSize() is enough");
        break;
      default:
        if (wire.size() == 0 || engine.isInboundDone()) {
          return !vendor.isStrict() && status == HandshakeStatus.NOT_HANDSHAKING && flushLate();
        }
        result = unwrapNext();
        assertNotEquals(Status.BUFFER_OVERFLOW, result.getStatus(), "getApplicationBufferSize() is enough");
        break;
    }
    return result.bytesProduced() > 0 || result.bytesConsumed() > 0 || engine.getHandshakeStatus() != status;
  }

  /** Others may have tickets or alerts to send without saying so. */
  private boolean flushLate() throws SSLException {
    return !engine.isOutboundDone() && wrapAndSend().bytesProduced() > 0;
  }

  /** As {@link #step()}; an exception is kept in {@link #failures()} and counts as done. */
  public boolean stepOrFail() {
    if (engine.isOutboundDone() && (engine.isInboundDone() || failure() != null)) {
      return false;
    }
    if (failure() != null && !vendor.isStrict()) {
      return alertOfOthers();
    }
    if (failure() != null && engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP) {
      return false;
    }
    try {
      return step();
    } catch (SSLException | RuntimeException e) {
      failures.add(e);
      assertTrue(failures.size() < 4, () -> name + " throws again and again: " + failures);
      return true;
    }
  }

  /** Others have their alert to send after a failure, whatever their status says, and may fail while sending it. */
  private boolean alertOfOthers() {
    try {
      return lateWraps++ < 4 && wrapAndSend().bytesProduced() > 0;
    } catch (SSLException | RuntimeException e) {
      failures.add(e);
      return true;
    }
  }

  /** Wraps until closure is complete; returns the last result, the one that says so. */
  public SSLEngineResult closeAndFlush() throws SSLException {
    engine.closeOutbound();
    return flush();
  }

  /** Wraps and sends until CLOSED. */
  public SSLEngineResult flush() throws SSLException {
    SSLEngineResult result = wrapAndSend();
    for (int i = 0; i < 10 && result.getStatus() != Status.CLOSED; i++) {
      result = wrapAndSend();
    }
    assertEquals(Status.CLOSED, result.getStatus());
    return result;
  }

  /** The bytes written to {@code buffer} from {@code start} to its position. */
  public static byte[] written(ByteBuffer buffer, int start) {
    ByteBuffer view = buffer.duplicate();
    view.flip().position(start);
    byte[] bytes = new byte[view.remaining()];
    view.get(bytes);
    return bytes;
  }

  private static byte[] copy(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static int[] positions(ByteBuffer[] buffers) {
    return Arrays.stream(buffers).mapToInt(b -> b == null ? -1 : b.position()).toArray();
  }

  private static int[] limits(ByteBuffer[] buffers) {
    return Arrays.stream(buffers).mapToInt(b -> b == null ? -1 : b.limit()).toArray();
  }

  /** How far the buffers in the range have moved; the others must not have. */
  private static int moved(ByteBuffer[] buffers, int offset, int length, int[] before) {
    int sum = 0;
    for (int i = 0; i < buffers.length; i++) {
      if (buffers[i] == null) {
        continue;
      }
      int delta = buffers[i].position() - before[i];
      if (i < offset || i >= offset + length) {
        assertEquals(0, delta, "a buffer outside the range moved");
      }
      sum += delta;
    }
    return sum;
  }
}
