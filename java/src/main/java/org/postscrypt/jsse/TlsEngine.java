package org.postscrypt.jsse;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.postscrypt.EchRejectedException;
import org.postscrypt.KeyLog;
import org.postscrypt.ServerSessionStore;
import org.postscrypt.nat.Guarded;
import org.postscrypt.nat.KeyEncoding;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;
import org.postscrypt.nat.ShortCalls;

/**
 * The TLS state machine, of engines and sockets alike: one native call per wrap or unwrap.
 *
 * <p>One lock covers everything but the delegated tasks, which run without it and take it to read what they need and to hand in
 * their answer. Native memory is freed when both directions are done, or with the engine.
 */
final class TlsEngine extends SSLEngine {
  /** TLS 1.3 closes one direction at a time; this asks for the other as well, as in the JDK. */
  private static final boolean ACKNOWLEDGE_CLOSE_NOTIFY = Boolean.getBoolean("jdk.tls.acknowledgeCloseNotify");

  private static final int RECORD_HEADER = 5;

  private final ReentrantLock lock = new ReentrantLock();
  private final TlsContext context;
  /** The socket that this engine belongs to; null when the application drives it. */
  private final SSLSocket owner;
  private final Scratch scratch = new Scratch();
  /** Made when the handshake is done: before that no buffer is used often. */
  private BufferAddress wrapSource;
  private BufferAddress wrapDestination;
  private BufferAddress unwrapSource;
  private BufferAddress unwrapDestination;
  /** Where a record's content begins in it, once the handshake is done. */
  private int plaintextOffset;

  private SSLEngineResult lastResult;
  private TlsConfig config;
  private boolean modeSet;
  private boolean client;
  /** A {@code BiFunction}, which not every system has: see {@link ProtocolSelectors}. Null if there is none. */
  private Object protocolSelector;

  /** Null before the handshake began and once freed: when nothing can come any more and our direction is closed. */
  private NativeRef connection;
  /** What is left to be wrapped of a connection that was freed, from {@code leavingStart} on; null if nothing is. */
  private byte[] leaving;
  private int leavingStart;
  private boolean started;
  private boolean established;
  private boolean inboundDone;
  private boolean outboundClosed;
  private boolean outboundDone;
  private boolean closeNotifyReceived;
  private HandshakeStatus handshakeStatus = HandshakeStatus.NOT_HANDSHAKING;
  /** Made when the handshake begins; the connection's session once established. */
  private TlsSession session;
  /** Made when first asked for. */
  private TlsSession noSession;
  private String applicationProtocol;
  private TlsTask task;
  /** What a delegated task failed with: the cause of the exception to come. */
  private Throwable taskFailure;
  private List<TlsCredential> offered = Collections.emptyList();
  /** Client: what sessions of this connection are kept under; null if they cannot be. */
  private TlsSessionContext.Key sessionKey;
  /** Server: the hint for a pre-shared key that the client was given; null if none. */
  private String preSharedKeyHint;
  /** Client: the session whose resumption is offered. */
  private TlsSession resuming;
  /** Flight Recorder's; null if nobody records. */
  private Object handshakeEvent;

  TlsEngine(TlsContext context, String peerHost, int peerPort, SSLSocket owner) {
    super(peerHost, peerPort);
    this.context = context;
    this.owner = owner;
    this.config = context.defaults(false);
  }

  // --- wrap and unwrap ---

  @Override
  public SSLEngineResult wrap(ByteBuffer source, ByteBuffer destination) throws SSLException {
    if (source == null || destination == null) {
      throw new IllegalArgumentException(source == null ? "src == null" : "dst == null");
    }
    lock.lock();
    try {
      return wrapOne(source, null, 0, 0, destination);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer destination) throws SSLException {
    checkRange(sources, offset, length, "src");
    if (destination == null) {
      throw new IllegalArgumentException("dst == null");
    }
    lock.lock();
    try {
      return wrapOne(null, sources, offset, length, destination);
    } finally {
      lock.unlock();
    }
  }

  private static void checkRange(ByteBuffer[] buffers, int offset, int length, String name) {
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

  /** Either {@code single}, or {@code length} of {@code sources}. */
  private SSLEngineResult wrapOne(ByteBuffer single, ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
      throws SSLException {
    if (destination.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    begin();
    if (outboundDone) {
      return result(Status.CLOSED, 0, 0);
    }
    if (!established && !outboundClosed && destination.remaining() < TlsSession.PACKET_BUFFER_SIZE
        && handshakeStatus == HandshakeStatus.NEED_WRAP) {
      return result(Status.BUFFER_OVERFLOW, 0, 0);
    }
    if (connection == null) {
      return wrapLeaving(destination);
    }
    // Data is only looked at once it can be sent.
    ByteBuffer source = single;
    boolean several = false;
    int inPlace = 0;
    if (!established) {
      source = Scratch.EMPTY;
    } else if (source == null) {
      source = Scratch.soleNonEmpty(sources, offset, length);
      several = source == null;
      if (several && handshakeStatus == HandshakeStatus.NOT_HANDSHAKING && !outboundClosed) {
        inPlace = Scratch.gatherInto(destination, wrapDestination, plaintextOffset, sources, offset, length);
      }
      if (several && inPlace == 0) {
        source = scratch.gather(config.bufferAllocator(), sources, offset, length);
      }
    }
    long outcome;
    try {
      outcome = call(true, source, destination, inPlace);
    } finally {
      scratch.giveBack();
    }
    int consumed = TlsOutcome.consumed(outcome);
    int produced = TlsOutcome.produced(outcome);
    if (inPlace > consumed) {
      Scratch.clear(destination, Math.max(produced, plaintextOffset), plaintextOffset + inPlace);
    }
    if (consumed > 0) {
      if (several) {
        Scratch.advance(sources, offset, length, consumed);
      } else {
        source.position(source.position() + consumed);
      }
    }
    destination.position(destination.position() + produced);
    return settle(outcome, true);
  }

  /** Wraps what a freed connection left, in parts of packet size. */
  private SSLEngineResult wrapLeaving(ByteBuffer destination) {
    int left = leaving.length - leavingStart;
    if (destination.remaining() < Math.min(left, TlsSession.PACKET_BUFFER_SIZE)) {
      return result(Status.BUFFER_OVERFLOW, 0, 0);
    }
    int n = Math.min(left, destination.remaining());
    destination.put(leaving, leavingStart, n);
    leavingStart += n;
    if (n < left) {
      return result(Status.OK, 0, n);
    }
    leaving = null;
    outboundDone = true;
    handshakeStatus = HandshakeStatus.NOT_HANDSHAKING;
    return result(Status.CLOSED, 0, n);
  }

  @Override
  public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer destination) throws SSLException {
    if (source == null || destination == null) {
      throw new IllegalArgumentException(source == null ? "src == null" : "dst == null");
    }
    if (destination.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    lock.lock();
    try {
      return unwrapOne(source, destination, null, 0, 0);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] destinations, int offset, int length) throws SSLException {
    if (source == null) {
      throw new IllegalArgumentException("src == null");
    }
    checkRange(destinations, offset, length, "dst");
    for (int i = offset; i < offset + length; i++) {
      if (destinations[i].isReadOnly()) {
        throw new ReadOnlyBufferException();
      }
    }
    lock.lock();
    try {
      return unwrapOne(source, null, destinations, offset, length);
    } finally {
      lock.unlock();
    }
  }

  /** Either {@code single}, or {@code length} of {@code destinations}. */
  private SSLEngineResult unwrapOne(
      ByteBuffer source, ByteBuffer single, ByteBuffer[] destinations, int offset, int length) throws SSLException {
    begin();
    if (inboundDone) {
      return result(Status.CLOSED, 0, 0);
    }
    ByteBuffer destination = single;
    boolean scattered = false;
    if (destination == null) {
      destination = Scratch.holding(mostPlaintext(source), destinations, offset, length);
      if (destination == null) {
        destination = scratch.limited(config.bufferAllocator(), Scratch.remaining(destinations, offset, length));
        scattered = true;
      }
    }
    long outcome;
    try {
      outcome = call(false, source, destination, 0);
      source.position(source.position() + TlsOutcome.consumed(outcome));
      int produced = TlsOutcome.produced(outcome);
      if (scattered) {
        scratch.scatter(produced, destinations, offset, length);
      } else if (produced > 0) {
        destination.position(destination.position() + produced);
      }
    } finally {
      scratch.giveBack();
    }
    return settle(outcome, false);
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
  private long call(boolean wrap, ByteBuffer source, ByteBuffer destination, int inPlace) throws SSLException {
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
    NativeRef ref = connection;
    return wrap
        ? ShortCalls.tlsWrap(
            ref.handle(), ref, sourceArray, source, sourceAddress, sourceOffset, sourceLength,
            destinationArray, destination, destinationAddress, destinationOffset, destinationLength)
        : ShortCalls.tlsUnwrap(
            ref.handle(), ref, sourceArray, source, sourceAddress, sourceOffset, sourceLength,
            destinationArray, destination, destinationAddress, destinationOffset, destinationLength);
  }

  /** Turns a native outcome into state, a result or an exception. */
  private SSLEngineResult settle(long outcome, boolean wrap) throws SSLException {
    HandshakeStatus next = TlsOutcome.handshake(outcome);
    handshakeStatus = next == HandshakeStatus.FINISHED ? HandshakeStatus.NOT_HANDSHAKING : next;
    switch (TlsOutcome.status(outcome)) {
      case TlsOutcome.ERROR:
        throw failed();
      case TlsOutcome.CLOSED:
        if (wrap) {
          outboundDone = true;
          freeIfDone();
        } else {
          closedByPeer();
        }
        break;
      default:
        break;
    }
    if (next == HandshakeStatus.FINISHED) {
      finished();
    }
    if (TlsOutcome.events(outcome)) {
      takeEvents();
    }
    Status status = TlsOutcome.jsseStatus(outcome);
    if (status == Status.BUFFER_UNDERFLOW && handshakeStatus == HandshakeStatus.NEED_TASK) {
      // The call went on after one task and came to another: that comes before any more bytes.
      status = Status.OK;
    }
    int consumed = TlsOutcome.consumed(outcome);
    int produced = TlsOutcome.produced(outcome);
    if (next != HandshakeStatus.FINISHED) {
      next = handshakeStatus;
    }
    return result(status, next, consumed, produced);
  }

  private SSLEngineResult result(Status status, int consumed, int produced) {
    return result(status, handshakeStatus, consumed, produced);
  }

  /** Results are immutable: that of a call that looks like the last one is the same. */
  private SSLEngineResult result(Status status, HandshakeStatus handshake, int consumed, int produced) {
    SSLEngineResult last = lastResult;
    if (last == null
        || last.bytesProduced() != produced
        || last.bytesConsumed() != consumed
        || last.getStatus() != status
        || last.getHandshakeStatus() != handshake) {
      last = new SSLEngineResult(status, handshake, consumed, produced);
      lastResult = last;
    }
    return last;
  }

  private void closedByPeer() {
    inboundDone = true;
    closeNotifyReceived = true;
    // TLS 1.2 closes both directions at once (RFC 5246 section 7.2.1).
    if (session.version() < Protocols.TLS13_VERSION || ACKNOWLEDGE_CLOSE_NOTIFY) {
      closeOutboundLocked();
    }
    freeIfDone();
  }

  /** When nothing can come any more and our direction is closed, only what is to be sent is kept of the native half. */
  private void freeIfDone() {
    if (inboundDone && outboundClosed && connection != null) {
      takeEvents();
      if (!outboundDone) {
        leaving = NativeCrypto.tlsTakePending(connection.handle(), connection);
        leavingStart = 0;
        outboundDone = leaving == null;
      }
      connection.close();
      connection = null;
      task = null;
      handshakeStatus = outboundDone ? HandshakeStatus.NOT_HANDSHAKING : HandshakeStatus.NEED_WRAP;
      scratch.free();
    }
  }

  /** The connection failed: the exception that says why. An alert may still be waiting to be wrapped. */
  private SSLException failed() {
    NativeRef ref = connection;
    int failure = NativeCrypto.tlsFailure(ref.handle(), ref);
    byte[] text = NativeCrypto.tlsFailureText(ref.handle(), ref);
    int alert = (failure & 0xff) == 0xff ? Alerts.NONE : failure & 0xff;
    String message = text == null ? "the connection failed" : new String(text, StandardCharsets.UTF_8);
    Throwable cause = taskFailure;
    taskFailure = null;
    inboundDone = true;
    outboundClosed = true;
    task = null;
    if (session != null) {
      session.invalidate();
    }
    SSLException exception;
    if (failure >> 8 == FAILURE_OUT_OF_MEMORY) {
      exception = new SSLException(message);
    } else if (failure >> 8 == FAILURE_ECH_REJECTED) {
      exception = new EchRejectedException(message, NativeCrypto.tlsEchRetryConfigs(ref.handle(), ref));
    } else if (cause != null) {
      String own = cause.getMessage();
      exception = new SSLHandshakeException(own == null ? message : own);
      exception.initCause(cause);
    } else if (failure >> 8 == FAILURE_CLOSED_IN_HANDSHAKE) {
      exception = new SSLHandshakeException(message);
    } else {
      exception = Alerts.exception(alert, message, null, !established);
    }
    freeIfDone();
    return exception;
  }

  private static final int FAILURE_CLOSED_IN_HANDSHAKE = 2;
  private static final int FAILURE_OUT_OF_MEMORY = 4;
  private static final int FAILURE_ECH_REJECTED = 6;

  // --- handshake ---

  @Override
  public void beginHandshake() throws SSLException {
    lock.lock();
    try {
      if (modeSet && (inboundDone || outboundClosed)) {
        throw new SSLException("the engine is closed");
      }
      if (!established) {
        begin();
      } else if (session.version() < Protocols.TLS13_VERSION) {
        throw new SSLException("renegotiation is not supported");
      }
      // TLS 1.3 has no renegotiation; keys are updated when their limit is near, not on request.
    } finally {
      lock.unlock();
    }
  }

  private void begin() throws SSLException {
    if (started) {
      return;
    }
    if (!modeSet) {
      throw new IllegalStateException("Client/Server mode has not yet been set.");
    }
    if (outboundClosed || inboundDone) {
      started = true;
      return;
    }
    NativeContext nativeContext = context.nativeContext(config, client);
    TlsSession fresh = new TlsSession(context.sessions(client), getPeerHost(), getPeerPort());
    fresh.setLocalSignatureSchemes(config.signatureSchemes());
    byte[] serverName = null;
    NativeRef ticket = null;
    if (client) {
      List<?> names = serverNames();
      sessionKey = TlsSessionContext.Key.of(nativeContext, config, getPeerHost(), getPeerPort(), names);
      TlsSessionContext.Resumable resumable = context.sessions(true).take(sessionKey);
      if (resumable != null) {
        ticket = resumable.ticket;
        resuming = resumable.session;
      } else {
        ticket = storedSession(nativeContext);
      }
      if (ticket == null && !config.sessionCreation()) {
        throw new SSLHandshakeException("No existing session to resume, and creating one is disabled");
      }
      fresh.setRequestedServerNames(names);
      serverName = JsseApi.HERE.encodedHostName(names);
    }
    NativeRef made = nativeContext.connect(serverName, ticket);
    if (client && config.channelIdKey() != null) {
      setChannelIdKey(made, config.channelIdKey());
    }
    connection = made;
    session = fresh;
    started = true;
    handshakeEvent = HandshakeEvents.begin();
    handshakeStatus = client ? HandshakeStatus.NEED_WRAP : HandshakeStatus.NEED_UNWRAP;
  }

  private static void setChannelIdKey(NativeRef made, PrivateKey key) throws SSLHandshakeException {
    byte[] pkcs8 = KeyEncoding.pkcs8(key);
    try {
      if (pkcs8 == null) {
        throw new InvalidKeyException("no PKCS#8 encoding");
      }
      NativeCrypto.tlsSetChannelIdKey(made.handle(), made, pkcs8);
    } catch (InvalidKeyException e) {
      made.close();
      SSLHandshakeException failure = new SSLHandshakeException("Not a key for a Channel ID");
      failure.initCause(e);
      throw failure;
    } finally {
      if (pkcs8 != null) {
        Arrays.fill(pkcs8, (byte) 0);
      }
    }
  }

  private static final byte[] STORED_SESSION = {'P', 'S', 'S', 1};

  /** A client's session from the store; null if there is none, or nothing that could be one. */
  private NativeRef storedSession(NativeContext nativeContext) {
    String host = getPeerHost();
    if (config.sessionStore() == null || host == null) {
      return null;
    }
    byte[] encoded = null;
    try {
      encoded = encodedSession(config.sessionStore().get(host, getPeerPort()));
    } catch (RuntimeException e) {
      CallerCode.failed("A session store failed: a full handshake follows.", e);
    }
    if (encoded == null) {
      return null;
    }
    try {
      return nativeContext.session(encoded);
    } catch (IllegalArgumentException e) {
      return null; // Damaged: a full handshake makes another one.
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
  }

  /** For a store: {@link #encodedSession} reads it. */
  private static byte[] storable(NativeRef ticket) {
    byte[] encoded = NativeCrypto.tlsSessionEncode(ticket.handle(), ticket);
    byte[] data = Arrays.copyOf(STORED_SESSION, STORED_SESSION.length + encoded.length);
    System.arraycopy(encoded, 0, data, STORED_SESSION.length, encoded.length);
    Arrays.fill(encoded, (byte) 0);
    return data;
  }

  /** The session in what a store answered, for the caller to zero; null if there is none. */
  static byte[] encodedSession(byte[] data) {
    if (data == null || !Arrays.equals(STORED_SESSION, Arrays.copyOf(data, STORED_SESSION.length))) {
      return null;
    }
    return Arrays.copyOfRange(data, STORED_SESSION.length, data.length);
  }

  /** The peer's host: as set by {@code TlsParameters.setPeerHost}, else as the engine was made with. */
  @Override
  public String getPeerHost() {
    String host = current().peerHost();
    return host.isEmpty() ? super.getPeerHost() : host;
  }

  /** What a client sends: what was set, else the peer's host. */
  private List<?> serverNames() {
    return config.serverNamesSet() ? config.serverNames() : context.serverNames(getPeerHost());
  }

  private void finished() throws SSLException {
    established = true;
    NativeRef ref = connection;
    ByteBuffer negotiated = ByteBuffer.wrap(NativeCrypto.tlsNegotiated(ref.handle(), ref));
    long resumedSeconds = negotiated.getLong();
    if (resumedSeconds >= 0) {
      resumed(resumedSeconds);
    }
    session.setVersionAndCipherSuite(negotiated.getShort() & 0xffff, negotiated.getShort() & 0xffff);
    session.setNamedGroup(negotiated.getShort() & 0xffff);
    int selected = negotiated.getInt();
    if (selected >= 0 && selected < offered.size()) {
      session.setLocalCertificates(offered.get(selected).chain);
    }
    byte[] id = new byte[negotiated.get() & 0xff];
    negotiated.get(id);
    session.setId(id.length > 0 ? id : TlsSessionContext.newId());
    applicationProtocol = StandardCharsets.ISO_8859_1.decode(negotiated).toString();
    session.setApplicationProtocol(applicationProtocol);
    plaintextOffset = RECORD_HEADER + CipherSuites.explicitNonce(session.cipherSuite());
    wrapSource = new BufferAddress();
    wrapDestination = new BufferAddress();
    unwrapSource = new BufferAddress();
    unwrapDestination = new BufferAddress();
    if (client && config.echConfigList().length > 0) {
      session.setEchAccepted(NativeCrypto.tlsIsEchAccepted(ref.handle(), ref));
    }
    session.setEngine(this);
    offered = Collections.emptyList();
    resuming = null;
    context.sessions(client).register(session);
    HandshakeEvents.end(handshakeEvent, session, client, client ? selected >= 0 : session.hasPeer());
    handshakeEvent = null;
  }

  private void resumed(long madeSeconds) throws SSLException {
    if (resuming != null) {
      session.resume(resuming);
      return;
    }
    // A server's ticket carries the client's chain or key.
    session.setCreationTime(TimeUnit.SECONDS.toMillis(madeSeconds));
    byte[][] chain = NativeCrypto.tlsPeerCertificates(connection.handle(), connection);
    byte[] rawKey = NativeCrypto.tlsPeerRawPublicKey(connection.handle(), connection);
    try {
      if (rawKey != null) {
        session.setPeerRawPublicKey(TlsTask.trustedRawPublicKey(config, rawKey));
      } else {
        session.setPeerCertificates(TlsTask.parse(chain));
      }
    } catch (CertificateException e) {
      throw new SSLHandshakeException("the resumed session's peer is not known: " + e.getMessage());
    }
  }

  /** Keeps sessions for later connections, and writes the key log. */
  private void takeEvents() {
    NativeRef ref = connection;
    if (ref == null) {
      return;
    }
    KeyLog keyLog = config.keyLog();
    if (keyLog != null) {
      for (byte[] line : NativeCrypto.tlsTakeKeyLog(ref.handle(), ref)) {
        CallerCode.run("A key log failed.", () -> keyLog.log(new String(line, StandardCharsets.US_ASCII)));
      }
    }
    long handle;
    while (established && (handle = NativeCrypto.tlsTakeSession(ref.handle(), ref)) != 0) {
      NativeRef ticket = new NativeRef(handle, NativeCrypto::tlsSessionFree);
      if (!client) {
        ServerSessionStore store = config.serverSessionStore();
        if (store != null) {
          CallerCode.run("A session store failed.", () -> store.put(session.shown(), storable(ticket)));
        }
        continue;
      }
      context.sessions(true).put(sessionKey, session, ticket);
      // What authenticated without a chain could not be verified again.
      if (config.sessionStore() != null && getPeerHost() != null && session.hasPeerCertificates()) {
        CallerCode.run("A session store failed.", () -> config.sessionStore().put(session.shown(), storable(ticket)));
      }
    }
  }

  /** Keying material of the connection that {@code from} is the session of. */
  byte[] export(TlsSession from, byte[] label, byte[] exporterContext, int length) throws SSLException {
    lock.lock();
    try {
      requireConnection(from);
      return NativeCrypto.tlsExportKeyingMaterial(connection.handle(), connection, label, exporterContext, length);
    } finally {
      lock.unlock();
    }
  }

  /** The channel binding tls-unique of the connection that {@code from} is the session of; null if it has none. */
  byte[] tlsUnique(TlsSession from) throws SSLException {
    lock.lock();
    try {
      requireConnection(from);
      return NativeCrypto.tlsUnique(connection.handle(), connection);
    } finally {
      lock.unlock();
    }
  }

  private void requireConnection(TlsSession from) throws SSLException {
    if (connection == null || !established || session != from) {
      throw new SSLException("there is no established connection");
    }
  }

  @Override
  public HandshakeStatus getHandshakeStatus() {
    lock.lock();
    try {
      return handshakeStatus;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Runnable getDelegatedTask() {
    lock.lock();
    try {
      if (handshakeStatus != HandshakeStatus.NEED_TASK || task != null || connection == null) {
        return null;
      }
      long waiting = NativeCrypto.tlsTask(connection.handle(), connection);
      int kind = (int) waiting;
      if (kind == 0) {
        return null;
      }
      session.setVersionAndCipherSuite((int) (waiting >>> 48), (int) (waiting >>> 32) & 0xffff);
      task = new TlsTask(this, kind);
      return task;
    } finally {
      lock.unlock();
    }
  }

  // --- for TlsTask ---

  /** Reads from the connection, under the lock; null if the connection or the task is gone. */
  <T> T read(TlsTask from, Reader<T> reader) {
    lock.lock();
    try {
      return from == task && connection != null ? reader.read(connection) : null;
    } finally {
      lock.unlock();
    }
  }

  /** What a task reads from or hands to the native connection. */
  interface Reader<T> {
    T read(NativeRef connection);
  }

  /** Hands in a task's answer; {@code failure}: why the answer is a refusal, or null. Too late is no error. */
  void answer(TlsTask from, Throwable failure, Reader<Integer> answer) {
    lock.lock();
    try {
      if (from != task || connection == null) {
        return;
      }
      taskFailure = failure;
      int next = answer.read(connection);
      task = null;
      handshakeStatus = TlsOutcome.handshake(next);
    } finally {
      lock.unlock();
    }
  }

  TlsContext context() {
    return context;
  }

  SSLSocket owner() {
    return owner;
  }

  /** Of the handshake in progress; tasks fill it. */
  TlsSession handshaking() {
    return session;
  }

  TlsConfig config() {
    return config;
  }

  boolean isClient() {
    return client;
  }

  /** For {@link ProtocolSelectors}; null if there is none. */
  Object protocolSelector() {
    return protocolSelector;
  }

  /** Server: null if the client was given no hint. */
  String preSharedKeyHint() {
    lock.lock();
    try {
      return preSharedKeyHint;
    } finally {
      lock.unlock();
    }
  }

  /** Server: gives the client a hint for its pre-shared key. */
  void setPreSharedKeyHint(TlsTask from, String hint) {
    byte[] encoded = hint.getBytes(StandardCharsets.UTF_8);
    lock.lock();
    try {
      if (from == task && connection != null) {
        NativeCrypto.tlsSetPreSharedKeyHint(connection.handle(), connection, encoded);
        preSharedKeyHint = hint;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The credentials that the running task offers, for looking up the one in use. */
  void setOffered(List<TlsCredential> credentials) {
    offered = credentials;
  }

  List<TlsCredential> offered() {
    return offered;
  }

  // --- closing ---

  @Override
  public void closeInbound() throws SSLException {
    lock.lock();
    try {
      if (inboundDone) {
        return;
      }
      inboundDone = true;
      if (connection != null) {
        NativeCrypto.tlsCloseRead(connection.handle(), connection);
        closeOutboundLocked();
        freeIfDone();
        throw new SSLException("closing inbound before receiving peer's close_notify");
      }
      outboundClosed = true;
      outboundDone = true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isInboundDone() {
    lock.lock();
    try {
      return inboundDone;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void closeOutbound() {
    lock.lock();
    try {
      closeOutboundLocked();
      freeIfDone();
    } finally {
      lock.unlock();
    }
  }

  private void closeOutboundLocked() {
    if (outboundClosed) {
      return;
    }
    outboundClosed = true;
    if (connection == null) {
      outboundDone = true;
      inboundDone = true;
      return;
    }
    outboundDone = NativeCrypto.tlsCloseWrite(connection.handle(), connection) == 0;
    if (!established) {
      // A handshake that is given up has no way to receive either.
      inboundDone = true;
      task = null;
    }
    handshakeStatus = outboundDone ? HandshakeStatus.NOT_HANDSHAKING : HandshakeStatus.NEED_WRAP;
  }

  @Override
  public boolean isOutboundDone() {
    lock.lock();
    try {
      return outboundDone;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the peer said close_notify: what tells an end from a truncation. */
  boolean isCloseNotifyReceived() {
    lock.lock();
    try {
      return closeNotifyReceived;
    } finally {
      lock.unlock();
    }
  }

  // --- sessions ---

  @Override
  public SSLSession getSession() {
    lock.lock();
    try {
      if (established) {
        return session.shown();
      }
      if (noSession == null) {
        noSession = TlsSession.none(getPeerHost(), getPeerPort());
      }
      return noSession.shown();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public SSLSession getHandshakeSession() {
    lock.lock();
    try {
      return established || session == null ? null : session.shown();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String getApplicationProtocol() {
    lock.lock();
    try {
      return applicationProtocol;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String getHandshakeApplicationProtocol() {
    lock.lock();
    try {
      if (established || connection == null) {
        return null;
      }
      byte[] protocol = NativeCrypto.tlsApplicationProtocol(connection.handle(), connection);
      return protocol == null ? null : new String(protocol, StandardCharsets.ISO_8859_1);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void setHandshakeApplicationProtocolSelector(BiFunction<SSLEngine, List<String>, String> selector) {
    lock.lock();
    try {
      protocolSelector = selector;
    } finally {
      lock.unlock();
    }
  }

  @Override
  @Guarded("called where SSLEngine has it: Java 8u251, Android 29")
  @SuppressWarnings("unchecked") // set by the method before this one
  public BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
    lock.lock();
    try {
      return (BiFunction<SSLEngine, List<String>, String>) protocolSelector;
    } finally {
      lock.unlock();
    }
  }

  // --- configuration; what is set after the handshake began concerns nobody ---

  private TlsConfig current() {
    lock.lock();
    try {
      return config;
    } finally {
      lock.unlock();
    }
  }

  /** A change of the configuration. (java.util.function.UnaryOperator is absent before Android 24.) */
  private interface Change {
    TlsConfig apply(TlsConfig config);
  }

  /** Changes the configuration under the lock. */
  private void change(Change change) {
    lock.lock();
    try {
      config = change.apply(config);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void setUseClientMode(boolean mode) {
    lock.lock();
    try {
      if (started) {
        throw new IllegalArgumentException("Cannot change mode after SSL traffic has started");
      }
      if (mode && !client && config == context.defaults(false)) {
        config = context.defaults(true);
      } else if (!mode && client && config == context.defaults(true)) {
        config = context.defaults(false);
      } else if (mode != client && config.protocols().equals(context.defaults(client).protocols())) {
        // Only what was left at the default of the old mode becomes the new mode's.
        config = config.withProtocols(context.defaults(mode).protocols());
      }
      client = mode;
      modeSet = true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean getUseClientMode() {
    lock.lock();
    try {
      return client;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return CipherSuites.supported().toArray(new String[0]);
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return current().cipherSuites().toArray(new String[0]);
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    List<String> checked = CipherSuites.checked(suites);
    change(c -> c.withCipherSuites(checked));
  }

  @Override
  public String[] getSupportedProtocols() {
    return Protocols.SUPPORTED.toArray(new String[0]);
  }

  @Override
  public String[] getEnabledProtocols() {
    return current().protocols().toArray(new String[0]);
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    List<String> checked = Protocols.checked(protocols);
    change(c -> c.withProtocols(checked));
  }

  @Override
  public void setNeedClientAuth(boolean need) {
    change(c -> c.withClientAuth(need ? TlsConfig.CLIENT_AUTH_NEED : TlsConfig.CLIENT_AUTH_NONE));
  }

  @Override
  public boolean getNeedClientAuth() {
    return current().clientAuth() == TlsConfig.CLIENT_AUTH_NEED;
  }

  @Override
  public void setWantClientAuth(boolean want) {
    change(c -> c.withClientAuth(want ? TlsConfig.CLIENT_AUTH_WANT : TlsConfig.CLIENT_AUTH_NONE));
  }

  @Override
  public boolean getWantClientAuth() {
    return current().clientAuth() == TlsConfig.CLIENT_AUTH_WANT;
  }

  @Override
  public void setEnableSessionCreation(boolean enable) {
    change(c -> c.withSessionCreation(enable));
  }

  @Override
  public boolean getEnableSessionCreation() {
    return current().sessionCreation();
  }

  @Override
  public SSLParameters getSSLParameters() {
    lock.lock();
    try {
      return config.toParameters(client ? new ArrayList<>(serverNames()) : config.serverNames());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void setSSLParameters(SSLParameters parameters) {
    java.util.Objects.requireNonNull(parameters, "parameters");
    change(c -> c.with(parameters));
  }

  @Override
  public String toString() {
    return "Postscrypt engine [" + getHandshakeStatus() + ", peer " + getPeerHost() + ":" + getPeerPort() + "]";
  }
}
