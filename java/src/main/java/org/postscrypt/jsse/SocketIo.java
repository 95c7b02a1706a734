package org.postscrypt.jsse;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLKeyException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLProtocolException;

/**
 * Drives one engine over the streams of one connected socket.
 *
 * <p>Locks, outermost first: {@code handshakeLock} (one thread handshakes, it also runs the engine's tasks, with no
 * other lock held), then {@code readLock} (network input, unwrap) <em>or</em> {@code writeLock} (wrap, network
 * output). They are held across blocking I/O; {@link #close} takes none of them for longer than its grace period. A
 * thread with the read lock takes the write lock only if it is free: otherwise it leaves a note ({@code wrapWanted})
 * that whoever releases the write lock honours. A thread with the write lock never waits for the read lock.
 */
final class SocketIo {
  /** How long {@code close()} and fatal alerts wait for a writer or a peer that does not read, in milliseconds. */
  private static final long GRACE = 700;

  /** How long a failed connection is kept for the peer to take the alert, in milliseconds. */
  private static final int ALERT_LINGER = 200;

  /** How often a reader of a transport that we must not close looks whether it should go on, in milliseconds. */
  private static final int SLICE = 200;

  private static final int HEADER = 5;
  private static final int MAX_PLAINTEXT = 1 << 14;
  private static final int MAX_RECORD = HEADER + 0xffff;

  /** Least difference of record and plaintext: a tag and, from TLS 1.3, the content type. */
  private static final int MIN_OVERHEAD = 16;

  /** Records of one bulk read or write of the transport. */
  private static final int BULK = 4;

  /** A caller's array up to this size is remembered, to wrap it once for many calls. */
  private static final int MAX_REMEMBERED = 1 << 16;

  /** Input that is thrown away before closing, so that the peer is not sent a reset instead of our last words. */
  private static final int MAX_DEPLETED = 1 << 18;

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final SSLEngine engine;
  private final Socket transport;
  private final boolean ownsTransport;
  private final SocketChannel channel;
  private final InputStream in;
  private final OutputStream out;
  private InputStream consumed; // guarded by readLock, null when used up

  private final ReentrantLock handshakeLock = new ReentrantLock();
  private final ReentrantLock readLock = new ReentrantLock();
  private final ReentrantLock writeLock = new ReentrantLock();

  private volatile boolean begun;
  private volatile boolean established;
  private volatile boolean closeNotified;
  private volatile boolean inputShutdown;
  private volatile boolean outputShutdown;
  private volatile boolean wrapWanted;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicReference<IOException> failure = new AtomicReference<>();

  /** Why nothing can be written any more, while reading may still tell the true reason; guarded by writeLock. */
  private IOException writeFailure;

  /** Received and not yet unwrapped: from position to limit. Guarded by readLock, as what follows it. */
  private ByteBuffer netIn = EMPTY;

  /** Decrypted and not yet read: {@code available} bytes from {@code appFrom}. */
  private ByteBuffer app = EMPTY;

  private int appFrom;
  private volatile int available; // volatile for available()
  private int fullReads;
  private final byte[] oneIn = new byte[1];
  private byte[] lastTarget;
  private ByteBuffer target;

  /** Wrapped and not yet written: up to position. Guarded by writeLock, as what follows it. */
  private ByteBuffer netOut = EMPTY;

  private int packetSize;
  private final byte[] oneOut = new byte[1];
  private byte[] lastSource;
  private ByteBuffer source;

  /**
   * Only for a transport that we do not own: what its owner set, while its own time-out is used for slices. Guarded by
   * this, as what follows it.
   */
  private int timeout;

  /** What the transport says of its time-out when its owner has not changed it since. */
  private int applied;

  /**
   * Takes over a connected transport. Nothing is sent yet.
   *
   * @param consumed bytes already read from the transport, or null
   * @param ownsTransport whether closing closes the transport
   */
  SocketIo(SSLEngine engine, Socket transport, InputStream consumed, boolean ownsTransport) throws IOException {
    this.engine = engine;
    this.transport = transport;
    this.consumed = consumed;
    this.ownsTransport = ownsTransport;
    channel = transport.getChannel();
    in = transport.getInputStream();
    out = transport.getOutputStream();
    applied = ownsTransport ? 0 : transport.getSoTimeout();
    timeout = applied;
  }

  // --- state ---

  boolean isEstablished() {
    return established;
  }

  boolean hasBegun() {
    return begun;
  }

  /** Whether {@code close()} was called or the connection failed. */
  boolean isClosed() {
    return closed.get() || failure.get() != null;
  }

  boolean isInputShutdown() {
    return inputShutdown || isClosed();
  }

  boolean isOutputShutdown() {
    return outputShutdown || isClosed();
  }

  boolean isHandshakingHere() {
    return handshakeLock.isHeldByCurrentThread();
  }

  void setTimeout(int millis) throws SocketException {
    if (ownsTransport) {
      transport.setSoTimeout(millis);
    } else if (millis < 0) {
      throw new IllegalArgumentException("timeout can't be negative");
    } else if (isClosed()) {
      throw closedException();
    } else {
      setOwnersTimeout(millis);
    }
  }

  int getTimeout() throws SocketException {
    return ownsTransport ? transport.getSoTimeout() : ownersTimeout();
  }

  private synchronized void setOwnersTimeout(int millis) throws SocketException {
    applied = transport.getSoTimeout();
    timeout = millis;
  }

  /** The owner's time-out, which can also be set at the transport itself at any time. */
  private synchronized int ownersTimeout() throws SocketException {
    int now = transport.getSoTimeout();
    if (now != applied) {
      timeout = now;
      applied = now;
    }
    return timeout;
  }

  /** Gives the transport a time-out of ours. */
  private synchronized void apply(int millis) throws SocketException {
    ownersTimeout();
    transport.setSoTimeout(millis);
    applied = transport.getSoTimeout();
  }

  private void checkUsable() throws IOException {
    IOException cause = failure.get();
    if (cause != null) {
      throw again(cause);
    }
    if (closed.get()) {
      throw closedException();
    }
  }

  private static SocketException closedException() {
    return new SocketException("Socket is closed");
  }

  /** A channel in non-blocking mode is the caller's mistake: found before anything is consumed. */
  private void checkBlocking() {
    if (channel != null && !channel.isBlocking()) {
      throw new IllegalBlockingModeException();
    }
  }

  /** The same failure for another call: own stack trace, same kind and text. */
  private static IOException again(IOException first) {
    String text = first.getMessage();
    IOException again;
    if (first instanceof SSLHandshakeException) {
      again = new SSLHandshakeException(text);
    } else if (first instanceof SSLProtocolException) {
      again = new SSLProtocolException(text);
    } else if (first instanceof SSLPeerUnverifiedException) {
      again = new SSLPeerUnverifiedException(text);
    } else if (first instanceof SSLKeyException) {
      again = new SSLKeyException(text);
    } else if (first instanceof SSLException) {
      again = new SSLException(text);
    } else if (first instanceof SocketException) {
      again = new SocketException(text);
    } else {
      again = new IOException(text);
    }
    again.initCause(first);
    return again;
  }

  // --- handshake ---

  /**
   * Handshakes unless that is done. After a {@link SocketTimeoutException} another call resumes.
   *
   * @return whether it was this call that completed the handshake
   */
  boolean handshake() throws IOException {
    if (established) {
      checkUsable();
      return false;
    }
    if (isHandshakingHere()) {
      throw new SSLException("The handshake on this thread is not complete");
    }
    handshakeLock.lock();
    try {
      checkUsable();
      if (established) {
        return false;
      }
      if (inputShutdown) {
        throw new SocketException("Socket input is already shutdown");
      }
      if (outputShutdown) {
        throw new SocketException("Socket output is already shutdown");
      }
      checkBlocking();
      runHandshake();
      established = true;
      return true;
    } catch (IllegalBlockingModeException e) {
      throw e;
    } catch (SSLException | RuntimeException e) {
      throw failWith(e);
    } catch (Error e) {
      fail(new SSLException("Handshake failed", e));
      throw e;
    } finally {
      handshakeLock.unlock();
    }
  }

  private void runHandshake() throws IOException {
    if (!begun) {
      begun = true;
      engine.beginHandshake();
    }
    HandshakeStatus status = engine.getHandshakeStatus();
    for (;;) {
      checkUsable();
      switch (status) {
        case NEED_TASK:
          runTasks();
          status = engine.getHandshakeStatus();
          break;
        case NEED_WRAP:
          status = handshakeWrap();
          break;
        case FINISHED:
        case NOT_HANDSHAKING:
          return;
        default:
          status = handshakeUnwrap();
          break;
      }
    }
  }

  private void runTasks() {
    for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
      task.run();
    }
  }

  /** One wrap; what it made leaves when the engine wants something else, so a flight is one write. */
  private HandshakeStatus handshakeWrap() throws IOException {
    writeLock.lock();
    try {
      if (writeFailure != null) {
        throw again(writeFailure);
      }
      reserveOut(1);
      SSLEngineResult result = engine.wrap(EMPTY, netOut);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        makeRoomOut();
        return HandshakeStatus.NEED_WRAP;
      }
      HandshakeStatus status = result.getHandshakeStatus();
      if (status != HandshakeStatus.NEED_WRAP || result.getStatus() == Status.CLOSED) {
        flushOut();
      }
      if (result.getStatus() == Status.CLOSED) {
        checkUsable();
        throw new SSLHandshakeException("Connection closed during the handshake");
      }
      return status;
    } catch (SSLException e) {
      throw e;
    } catch (IOException e) {
      throw handshakeWriteFailed(e);
    } finally {
      releaseWriteLock();
    }
  }

  /** A peer that gives up sends an alert and closes; our write may fail before we have read it. */
  private IOException handshakeWriteFailed(IOException cause) throws IOException {
    checkUsable();
    if (readLock.tryLock()) {
      try {
        for (int i = 0; i < 16; i++) {
          SSLEngineResult result = engine.unwrap(netIn, EMPTY);
          boolean more = result.getStatus() == Status.BUFFER_UNDERFLOW
              ? in.available() > 0 && fill()
              : result.bytesConsumed() > 0;
          if (!more) {
            break;
          }
        }
      } catch (SSLException e) {
        e.addSuppressed(cause);
        return e;
      } catch (IOException e) {
        cause.addSuppressed(e);
      } finally {
        readLock.unlock();
      }
    }
    fail(cause);
    return cause;
  }

  private HandshakeStatus handshakeUnwrap() throws IOException {
    readLock.lock();
    try {
      SSLEngineResult result = engine.unwrap(netIn, EMPTY);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        // Nothing can be delivered yet, but an engine may ask for the room.
        ByteBuffer room = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        result = engine.unwrap(netIn, room);
        if (result.bytesProduced() > 0) {
          app = room;
          appFrom = 0;
          available = result.bytesProduced();
        }
      }
      HandshakeStatus status = result.getHandshakeStatus();
      boolean idle = result.getStatus() == Status.OK && result.bytesConsumed() == 0 && result.bytesProduced() == 0
          && status == HandshakeStatus.NEED_UNWRAP;
      if (result.getStatus() == Status.BUFFER_UNDERFLOW || idle) {
        if (!fill()) {
          checkUsable();
          if (inputShutdown) {
            throw new SocketException("Socket input is already shutdown");
          }
          throw eof(new SSLHandshakeException("Remote host terminated the handshake"));
        }
        return engine.getHandshakeStatus();
      }
      if (result.getStatus() == Status.CLOSED) {
        checkUsable();
        throw new SSLHandshakeException("Received close_notify during the handshake");
      }
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        throw new SSLException("Record larger than the engine's buffer size");
      }
      return status;
    } finally {
      readLock.unlock();
    }
  }

  private static <E extends SSLException> E eof(E exception) {
    exception.initCause(new EOFException("No close_notify before the end of the stream"));
    return exception;
  }

  // --- reading ---

  /** As {@link InputStream#available}: decrypted bytes, without blocking. */
  int available() throws IOException {
    int count = available;
    if (closed.get() || inputShutdown) {
      return 0;
    }
    if (count == 0 && failure.get() != null) {
      throw again(failure.get());
    }
    return count;
  }

  /**
   * As {@link InputStream#read(byte[], int, int)}, with checked arguments, a length above zero and a complete
   * handshake.
   */
  int read(byte[] b, int off, int len) throws IOException {
    readLock.lock();
    try {
      if (closed.get()) {
        checkUsable();
      }
      if (inputShutdown) {
        return -1;
      }
      if (available > 0) {
        return takeApp(b, off, len);
      }
      checkUsable();
      checkBlocking();
      return closeNotified ? -1 : readRecords(b, off, len);
    } catch (IllegalBlockingModeException e) {
      throw e;
    } catch (SSLException | RuntimeException e) {
      throw failWith(e);
    } catch (Error e) {
      fail(new SSLException("Reading failed", e));
      throw e;
    } finally {
      readLock.unlock();
    }
  }

  /** As {@link InputStream#read()}, with a complete handshake. */
  int read() throws IOException {
    readLock.lock();
    try {
      int count = read(oneIn, 0, 1);
      return count < 0 ? -1 : oneIn[0] & 0xff;
    } finally {
      readLock.unlock();
    }
  }

  private int takeApp(byte[] b, int off, int len) {
    int count = Math.min(len, available);
    System.arraycopy(app.array(), appFrom, b, off, count);
    appFrom += count;
    available -= count;
    return count;
  }

  private int readRecords(byte[] b, int off, int len) throws IOException {
    for (int stalls = 0; ; ) {
      int length = recordLength();
      if (length < 0 && !fill()) {
        checkUsable();
        if (inputShutdown) {
          return -1;
        }
        throw eof(new SSLProtocolException("Remote host closed the connection without close_notify"));
      }
      if (length < 0) {
        continue;
      }
      boolean direct = len >= length - HEADER - MIN_OVERHEAD;
      ByteBuffer to = direct ? wrapTarget(b, off, len) : emptyApp(length);
      int before = to.position();
      SSLEngineResult result = engine.unwrap(netIn, to);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        direct = false;
        to = emptyApp(Math.max(length, engine.getSession().getApplicationBufferSize()));
        before = 0;
        result = engine.unwrap(netIn, to);
      }
      int produced = to.position() - before;
      if (!direct) {
        appFrom = 0;
        available = produced;
      }
      switch (result.getStatus()) {
        case BUFFER_UNDERFLOW:
          if (!fill()) {
            checkUsable();
            if (inputShutdown) {
              return -1;
            }
            throw eof(new SSLProtocolException("Remote host closed the connection without close_notify"));
          }
          continue;
        case BUFFER_OVERFLOW:
          throw new SSLProtocolException("Record larger than the engine's buffer size");
        case CLOSED:
          checkUsable();
          if (!inputShutdown) {
            closeNotified = true;
          }
          break;
        default:
          break;
      }
      HandshakeStatus status = result.getHandshakeStatus();
      if (status == HandshakeStatus.NEED_TASK) {
        runTasks();
        status = engine.getHandshakeStatus();
      }
      boolean idle = result.bytesConsumed() == 0 && produced == 0;
      if (status == HandshakeStatus.NEED_WRAP) {
        wrapFromReader(idle);
      }
      if (produced > 0) {
        return direct ? produced : takeApp(b, off, len);
      }
      if (closeNotified || inputShutdown) {
        return -1;
      }
      stalls = idle ? stalls + 1 : 0;
      if (stalls > 8) {
        throw new SSLException("The engine does not progress: " + status);
      }
    }
  }

  /** Bytes of the record at the start of the input, -1 if it is not complete. */
  private int recordLength() {
    int have = netIn.remaining();
    if (have < HEADER) {
      return -1;
    }
    int at = netIn.position() + 3;
    int length = HEADER + ((netIn.get(at) & 0xff) << 8 | netIn.get(at + 1) & 0xff);
    // A length that is too large is for the engine to refuse, now and not after so many bytes.
    return length <= have || length > HEADER + MAX_PLAINTEXT + 2048 ? Math.min(length, MAX_RECORD) : -1;
  }

  private ByteBuffer wrapTarget(byte[] b, int off, int len) {
    ByteBuffer to = target;
    if (lastTarget != b) {
      to = ByteBuffer.wrap(b);
      lastTarget = b.length <= MAX_REMEMBERED ? b : null;
      target = lastTarget == null ? null : to;
    }
    to.limit(off + len).position(off);
    return to;
  }

  private ByteBuffer emptyApp(int size) {
    if (app.capacity() < size) {
      app = ByteBuffer.allocate((size + 4095) & ~4095);
    }
    app.clear();
    return app;
  }

  /** Adds input; false at the end of the stream. */
  private boolean fill() throws IOException {
    int space = prepareIn();
    int count = receive(netIn.array(), netIn.limit(), space);
    if (count <= 0) {
      return false;
    }
    netIn.limit(netIn.limit() + count);
    fullReads = count == space ? fullReads + 1 : 0;
    if (fullReads == BULK && ownsTransport && netIn.capacity() < BULK * MAX_PLAINTEXT) {
      growIn(BULK * netIn.capacity());
    }
    return true;
  }

  /** How many bytes may be added at the limit of the input, at least one. */
  private int prepareIn() throws IOException {
    if (netIn == EMPTY) {
      netIn = ByteBuffer.allocate(Math.max(engine.getSession().getPacketBufferSize(), 512));
      netIn.limit(0);
    }
    if (!netIn.hasRemaining()) {
      netIn.position(0).limit(0);
    } else if (netIn.position() > 0) {
      netIn.compact().flip();
    }
    if (netIn.limit() == netIn.capacity()) {
      growIn(2 * netIn.capacity());
    }
    int space = netIn.capacity() - netIn.limit();
    return ownsTransport ? space : Math.min(space, missing());
  }

  private void growIn(int size) throws IOException {
    if (netIn.capacity() >= BULK * MAX_RECORD) {
      throw new SSLProtocolException("Record larger than the engine's buffer size");
    }
    ByteBuffer larger = ByteBuffer.allocate(size);
    larger.put(netIn).flip();
    netIn = larger;
  }

  /**
   * What the record at the start of the input lacks: a transport that outlives us must not lose what follows our last
   * record.
   */
  private int missing() {
    int have = netIn.remaining();
    if (have < HEADER) {
      return HEADER - have;
    }
    int at = netIn.position();
    int first = netIn.get(at) & 0xff;
    int length = (first & 0x80) != 0
        ? 2 + ((first & 0x7f) << 8 | netIn.get(at + 1) & 0xff) // a client hello in SSL 2.0 format
        : HEADER + ((netIn.get(at + 3) & 0xff) << 8 | netIn.get(at + 4) & 0xff);
    return Math.max(1, length - have);
  }

  private int receive(byte[] b, int off, int len) throws IOException {
    try {
      int count = receiveConsumed(b, off, len);
      if (count > 0) {
        return count;
      }
      return ownsTransport ? in.read(b, off, len) : receiveSliced(b, off, len);
    } catch (SSLException e) {
      throw e; // ours, or of a TLS socket underneath
    } catch (InterruptedIOException e) {
      checkUsable();
      throw e; // what was read so far stays
    } catch (IOException e) {
      checkUsable();
      if (inputShutdown) {
        return -1;
      }
      fail(e);
      throw e;
    }
  }

  private int receiveConsumed(byte[] b, int off, int len) throws IOException {
    int count = consumed == null ? -1 : consumed.read(b, off, len);
    if (count <= 0) {
      consumed = null;
    }
    return count;
  }

  private int receiveSliced(byte[] b, int off, int len) throws IOException {
    long start = System.nanoTime();
    for (;;) {
      checkUsable();
      int limit = ownersTimeout();
      long left = limit == 0 ? SLICE : limit - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      apply((int) Math.max(1, Math.min(SLICE, left)));
      try {
        return in.read(b, off, len);
      } catch (SocketTimeoutException e) {
        if (limit != 0 && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) >= limit) {
          throw e;
        }
        if (inputShutdown) {
          return -1;
        }
      }
    }
  }

  // --- writing ---

  /**
   * As {@link OutputStream#write(byte[], int, int)}, with checked arguments, a length above zero and a complete
   * handshake.
   */
  void write(byte[] b, int off, int len) throws IOException {
    writeLock.lock();
    try {
      checkWritable();
      checkBlocking();
      writeRecords(b, off, len);
    } catch (IllegalBlockingModeException e) {
      throw e;
    } catch (SSLException | RuntimeException e) {
      throw failWith(e);
    } catch (Error e) {
      fail(new SSLException("Writing failed", e));
      throw e;
    } finally {
      releaseWriteLock();
    }
  }

  /** As {@link OutputStream#write(int)}, with a complete handshake. */
  void write(int b) throws IOException {
    writeLock.lock();
    try {
      oneOut[0] = (byte) b;
      write(oneOut, 0, 1);
    } finally {
      releaseWriteLock();
    }
  }

  private void checkWritable() throws IOException {
    checkUsable();
    if (writeFailure != null) {
      throw again(writeFailure);
    }
    if (outputShutdown) {
      throw new SocketException("Connection or outbound has closed");
    }
  }

  private void writeRecords(byte[] b, int off, int len) throws IOException {
    reserveOut(Math.min(BULK, (len + MAX_PLAINTEXT - 1) / MAX_PLAINTEXT));
    int packet = packetSize();
    ByteBuffer from = wrapSource(b, off, len);
    int stalls = 0;
    while (from.hasRemaining()) {
      if (netOut.position() > 0 && netOut.remaining() < packet) {
        flushOut();
      }
      SSLEngineResult result = engine.wrap(from, netOut);
      switch (result.getStatus()) {
        case BUFFER_OVERFLOW:
          makeRoomOut();
          continue;
        case CLOSED:
          flushOut();
          checkUsable();
          throw new SocketException("Connection or outbound has closed");
        default:
          break;
      }
      if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        runTasks();
      }
      stalls = result.bytesConsumed() == 0 && result.bytesProduced() == 0 ? stalls + 1 : 0;
      if (stalls > 8) {
        throw new SSLException("Renegotiation is not supported: " + result.getHandshakeStatus());
      }
    }
    flushOut();
  }

  private ByteBuffer wrapSource(byte[] b, int off, int len) {
    ByteBuffer from = source;
    if (lastSource != b) {
      from = ByteBuffer.wrap(b);
      lastSource = b.length <= MAX_REMEMBERED ? b : null;
      source = lastSource == null ? null : from;
    }
    from.limit(off + len).position(off);
    return from;
  }

  /** Bytes of the largest record: asked once per connection, an engine's overflow corrects it. */
  private int packetSize() {
    if (packetSize == 0 || !established) {
      packetSize = engine.getSession().getPacketBufferSize();
    }
    return packetSize;
  }

  /** Room for some records in all, when the output is empty. */
  private void reserveOut(int records) {
    int size = records * packetSize();
    if (netOut.capacity() < size && netOut.position() == 0) {
      netOut = ByteBuffer.allocate(size);
    }
  }

  /** After an overflow: by writing what is there, else by a larger buffer. */
  private void makeRoomOut() throws IOException {
    if (netOut.position() > 0) {
      flushOut();
    } else if (netOut.capacity() >= BULK * MAX_RECORD) {
      throw new SSLException("Record larger than the engine's buffer size");
    } else {
      netOut = ByteBuffer.allocate(Math.max(2 * netOut.capacity(), engine.getSession().getPacketBufferSize()));
    }
  }

  /** Writes what was wrapped; any failure but a channel's wrong mode ends writing for good: a record may be cut. */
  private void flushOut() throws IOException {
    int size = netOut.position();
    if (size == 0) {
      return;
    }
    if (writeFailure != null) {
      throw again(writeFailure);
    }
    checkBlocking();
    try {
      out.write(netOut.array(), 0, size);
      out.flush();
    } catch (IllegalBlockingModeException e) {
      throw e; // before the first byte: kept for the next call
    } catch (IOException e) {
      writeFailure = e;
      checkUsable();
      throw e;
    } catch (RuntimeException e) {
      writeFailure = new IOException(e);
      throw writeFailure;
    }
    netOut.clear();
  }

  /**
   * Writes what the engine has to say, by this thread or by the one that is writing now.
   *
   * @param wait whether the engine cannot go on without it
   */
  private void wrapFromReader(boolean wait) throws IOException {
    wrapWanted = true;
    serveWrapWanted();
    if (!wait) {
      return;
    }
    int limit = getTimeout();
    if (limit == 0) {
      writeLock.lock();
    } else if (!tryLock(writeLock, limit)) {
      checkUsable();
      throw new SocketTimeoutException("Another thread is still writing");
    }
    try {
      wrapQuietly();
      checkUsable();
      if (writeFailure != null) {
        throw again(writeFailure);
      }
    } finally {
      releaseWriteLock();
    }
  }

  private void releaseWriteLock() {
    writeLock.unlock();
    serveWrapWanted();
  }

  private void serveWrapWanted() {
    while (wrapWanted && writeLock.tryLock()) {
      try {
        wrapQuietly();
      } finally {
        writeLock.unlock();
      }
    }
  }

  private void wrapQuietly() {
    wrapWanted = false;
    try {
      wrapPending();
    } catch (SSLException e) {
      fail(e);
    } catch (IOException e) {
      // Remembered as the write failure: it is the next write that fails, not a read that happened to see this.
    }
  }

  /** Wraps and writes what is pending besides application data. */
  private void wrapPending() throws IOException {
    for (int i = 0; i < 64 && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP; i++) {
      if (!wrapNothing()) {
        break;
      }
    }
    flushOut();
  }

  private boolean wrapNothing() throws IOException {
    reserveOut(1);
    SSLEngineResult result = engine.wrap(EMPTY, netOut);
    if (result.getStatus() == Status.BUFFER_OVERFLOW) {
      makeRoomOut();
      return true;
    }
    return result.getStatus() == Status.OK && result.bytesProduced() > 0;
  }

  // --- the end ---

  /**
   * Ends writing with close_notify; reading goes on as far as the protocol version allows.
   *
   * <p>Waits for a thread that is writing, at most for SO_LINGER where that is set.
   */
  void shutdownOutput() throws IOException {
    if (isOutputShutdown()) {
      return;
    }
    checkBlocking();
    int linger = transport.getSoLinger();
    if (linger < 0) {
      writeLock.lock();
    } else if (!tryLock(writeLock, TimeUnit.SECONDS.toMillis(linger))) {
      throw new SSLException("SO_LINGER time-out, close_notify message cannot be sent");
    }
    try {
      if (isOutputShutdown()) {
        return;
      }
      outputShutdown = true;
      engine.closeOutbound();
      if (writeFailure != null) {
        throw again(writeFailure);
      }
      wrapCloseNotify();
      if (ownsTransport) {
        transport.shutdownOutput();
      }
    } catch (SSLException e) {
      throw failWith(e);
    } finally {
      releaseWriteLock();
    }
  }

  private void wrapCloseNotify() throws IOException {
    if (begun) {
      for (int i = 0; i < 64 && !engine.isOutboundDone(); i++) {
        if (!wrapNothing()) {
          break;
        }
      }
    }
    flushOut();
  }

  /**
   * Ends reading.
   *
   * @throws SSLException if the peer has not sent its close_notify: what was read so far may be cut
   */
  void shutdownInput() throws IOException {
    if (isInputShutdown()) {
      return;
    }
    inputShutdown = true;
    boolean truncated = begun && !closeNotified;
    try {
      engine.closeInbound();
    } catch (SSLException e) {
      if (truncated) {
        throw e;
      }
      // The engine has not yet seen what the reader has; not ours to report.
    } finally {
      if (ownsTransport && !transport.isInputShutdown() && !transport.isClosed()) {
        transport.shutdownInput();
      }
    }
    if (truncated) {
      throw new SSLException("closing inbound before receiving peer's close_notify");
    }
  }

  /**
   * Closes: close_notify if it can be sent within the grace period (SO_LINGER where set), then the transport if we
   * own it.
   *
   * <p>Whatever other threads do on this socket ends with a {@link SocketException}.
   *
   * @throws SSLException if the transport is not ours and our side of the TLS stream on it could not be ended
   */
  void close() throws IOException {
    if (!closed.compareAndSet(false, true) || failure.get() != null) {
      return;
    }
    long grace = grace();
    long start = System.nanoTime();
    boolean sent = false;
    try {
      sent = sendLast(grace, true);
    } finally {
      if (ownsTransport) {
        endTransport(0);
      } else {
        awaitPeer(Math.max(1, grace - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)));
      }
      if (!ownsTransport) {
        restoreTimeout();
      }
      closeEngine();
      dropBuffers();
    }
    if (!sent && !ownsTransport && !transport.isClosed()) {
      throw new SSLException("close_notify message cannot be sent, the underlying socket is not usable");
    }
  }

  private long grace() {
    try {
      int linger = transport.getSoLinger();
      return linger < 0 ? GRACE : TimeUnit.SECONDS.toMillis(linger);
    } catch (SocketException e) {
      return GRACE; // not an option of this transport, or it is closed and nothing will block
    }
  }

  /** Wraps and writes close_notify or a pending alert; false if that was not possible in time. */
  private boolean sendLast(long grace, boolean closeNotify) {
    if (transport.isClosed() || channel != null && !channel.isBlocking()) {
      return false;
    }
    long start = System.nanoTime();
    if (!tryLock(writeLock, grace)) {
      breakWrite();
      return false;
    }
    try {
      if (writeFailure != null) {
        return false;
      }
      if (outputShutdown && closeNotify) {
        return true;
      }
      long left = grace - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      Future<?> watch = CloseWatch.after(Math.max(100, left), this::breakWrite);
      try {
        if (closeNotify) {
          engine.closeOutbound();
          wrapCloseNotify();
        } else {
          wrapPending();
        }
        if (ownsTransport && !transport.isOutputShutdown()) {
          transport.shutdownOutput();
        }
        return true;
      } finally {
        watch.cancel(false);
      }
    } catch (IOException | RuntimeException e) {
      return false; // the peer is gone or the engine broken: either way nothing can be said any more
    } finally {
      writeLock.unlock();
    }
  }

  /**
   * Ends a write that blocks: the record is cut, so the output is of no more use even to a transport that is not
   * ours.
   */
  private void breakWrite() {
    try {
      if (ownsTransport) {
        transport.close();
      } else if (!transport.isClosed()) {
        transport.shutdownOutput();
      }
    } catch (IOException | RuntimeException e) {
      // Nothing else can be done to it.
    }
  }

  /** Closes the transport; waits up to some milliseconds for the peer to have read and closed. */
  private void endTransport(int linger) {
    if (readLock.tryLock()) {
      try {
        deplete(linger);
      } catch (IOException | RuntimeException e) {
        // Closed or reset by the peer, or out of patience: nothing more to throw away.
      } finally {
        readLock.unlock();
      }
    }
    try {
      transport.close();
    } catch (IOException | RuntimeException e) {
      // Closed as far as it can be.
    }
  }

  /**
   * Throws away input: what is there, and what comes until the peer closes or some milliseconds have passed. TCP
   * answers unread or late input with a reset, which overtakes what we wrote last.
   */
  private void deplete(int linger) throws IOException {
    byte[] waste = netIn.capacity() > 0 ? netIn.array() : new byte[512];
    netIn.position(0).limit(0);
    long start = System.nanoTime();
    for (int left = MAX_DEPLETED; left > 0 && !transport.isClosed(); ) {
      int ready = in.available();
      if (ready <= 0) {
        long patience = linger - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (patience <= 0) {
          return;
        }
        transport.setSoTimeout((int) patience);
      }
      int count = in.read(waste, 0, ready <= 0 ? waste.length : Math.min(ready, waste.length));
      if (count <= 0) {
        return;
      }
      left -= count;
    }
  }

  /** Reads up to the peer's close_notify, for some time, so that the transport can be used without TLS after it. */
  private void awaitPeer(long grace) {
    long start = System.nanoTime();
    if (!tryLock(readLock, Math.max(grace, 2 * SLICE))) {
      return; // the reader is in a task of the application: it finds the socket closed after that
    }
    try {
      ByteBuffer waste = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
      while (established && !closeNotified && !inputShutdown) {
        waste.clear();
        SSLEngineResult result = engine.unwrap(netIn, waste);
        if (result.getStatus() == Status.CLOSED) {
          closeNotified = true;
        } else if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
          long left = grace - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
          if (left <= 0) {
            break;
          }
          int space = prepareIn();
          int count = receiveConsumed(netIn.array(), netIn.limit(), space);
          if (count <= 0) {
            apply((int) Math.min(left, Integer.MAX_VALUE));
            count = in.read(netIn.array(), netIn.limit(), space);
          }
          if (count <= 0) {
            break;
          }
          netIn.limit(netIn.limit() + count);
        } else if (result.getStatus() == Status.BUFFER_OVERFLOW || result.bytesConsumed() == 0) {
          break;
        }
      }
    } catch (IOException | RuntimeException e) {
      // No close_notify in time, or not one that can be read: the socket is closed either way.
    } finally {
      readLock.unlock();
    }
  }

  private void restoreTimeout() {
    try {
      apply(ownersTimeout());
    } catch (SocketException e) {
      // Closed by its owner.
    }
  }

  /** Lets the engine free what it holds. */
  private void closeEngine() {
    engine.closeOutbound();
    try {
      engine.closeInbound();
    } catch (SSLException e) {
      // That the peer had not finished is known, and what closing means.
    }
  }

  private void dropBuffers() {
    if (readLock.tryLock()) {
      try {
        netIn = EMPTY;
        lastTarget = null;
        target = null;
        if (closed.get()) {
          available = 0;
        }
        if (available == 0) {
          app = EMPTY;
        }
      } finally {
        readLock.unlock();
      }
    }
    if (writeLock.tryLock()) {
      try {
        netOut = EMPTY;
        lastSource = null;
        source = null;
      } finally {
        writeLock.unlock();
      }
    }
  }

  /** Ends the connection because of {@code e}; returns what to throw. */
  private IOException failWith(Exception e) {
    IOException cause = e instanceof IOException ? (IOException) e : new SSLException(e.toString(), e);
    if (fail(cause)) {
      return cause;
    }
    IOException first = failure.get();
    if (first == null) {
      return closedException();
    }
    return e == first || e.getCause() == first ? cause : again(first);
  }

  /**
   * The first failure ends the connection: a pending alert is sent, the transport closed if we own it.
   *
   * @return false if it was closed or had failed before
   */
  private boolean fail(IOException cause) {
    if (closed.get() || !failure.compareAndSet(null, cause)) {
      return false;
    }
    boolean sent = cause instanceof SSLException && sendLast(GRACE, false);
    if (ownsTransport) {
      endTransport(sent ? ALERT_LINGER : 0);
    } else {
      restoreTimeout();
    }
    closeEngine();
    dropBuffers();
    return true;
  }

  /** As {@code tryLock} with a time-out that an interrupt cuts short; the interrupt stays pending. */
  private static boolean tryLock(ReentrantLock lock, long millis) {
    if (lock.tryLock()) {
      return true;
    }
    try {
      return lock.tryLock(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
