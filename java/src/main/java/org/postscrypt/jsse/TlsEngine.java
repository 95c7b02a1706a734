package org.postscrypt.jsse;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.postscrypt.KeyLog;
import org.postscrypt.ServerSessionStore;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * The TLS state machine, of engines and sockets alike: one native call per wrap or unwrap.
 *
 * <p>One lock covers everything but the delegated tasks, which run without it and take it to read what they need and to hand in
 * their answer. Native memory is freed when both directions are done, or with the engine.
 */
final class TlsEngine extends ConfiguredEngine {
  /** TLS 1.3 closes one direction at a time; this asks for the other as well, as in the JDK. */
  private static final boolean ACKNOWLEDGE_CLOSE_NOTIFY = Boolean.getBoolean("jdk.tls.acknowledgeCloseNotify");

  /** The socket that this engine belongs to; null when the application drives it. */
  private final SSLSocket owner;
  private final TlsRecords records = new TlsRecords();
  private SSLEngineResult lastResult;

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
    super(context, peerHost, peerPort);
    this.owner = owner;
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
    TlsRecords.checkRange(sources, offset, length, "src");
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
    ByteBuffer source = established ? single : Scratch.EMPTY;
    long outcome;
    if (source != null) {
      outcome = records.wrap(connection, source, destination);
    } else {
      boolean isNext = handshakeStatus == HandshakeStatus.NOT_HANDSHAKING && !outboundClosed;
      outcome = records.wrap(connection, config().bufferAllocator(), sources, offset, length, isNext, destination);
    }
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
    TlsRecords.checkRange(destinations, offset, length, "dst");
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
    long outcome = single != null
        ? records.unwrap(connection, source, single)
        : records.unwrap(connection, config().bufferAllocator(), source, destinations, offset, length);
    return settle(outcome, false);
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
      if (connection == null) {
        return;
      }
      if (!outboundDone) {
        leaving = NativeCrypto.tlsTakePending(connection.handle(), connection);
        leavingStart = 0;
        outboundDone = leaving == null;
      }
      connection.close();
      connection = null;
      task = null;
      handshakeStatus = outboundDone ? HandshakeStatus.NOT_HANDSHAKING : HandshakeStatus.NEED_WRAP;
      records.free();
    }
  }

  /** The connection failed: the exception that says why. An alert may still be waiting to be wrapped. */
  private SSLException failed() {
    Throwable cause = taskFailure;
    taskFailure = null;
    inboundDone = true;
    outboundClosed = true;
    task = null;
    if (session != null) {
      session.invalidate();
    }
    SSLException exception = TlsFailure.of(connection, cause, !established);
    freeIfDone();
    return exception;
  }

  // --- handshake ---

  @Override
  public void beginHandshake() throws SSLException {
    lock.lock();
    try {
      if (isModeSet() && (inboundDone || outboundClosed)) {
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
    if (!isModeSet()) {
      throw new IllegalStateException("Client/Server mode has not yet been set.");
    }
    if (outboundClosed || inboundDone) {
      started = true;
      return;
    }
    TlsContext context = context();
    boolean client = isClient();
    NativeContext nativeContext = context.nativeContext(config(), client);
    TlsSession fresh = new TlsSession(context.sessions(client), getPeerHost(), getPeerPort());
    fresh.setLocalSignatureSchemes(config().signatureSchemes());
    byte[] serverName = null;
    NativeRef ticket = null;
    if (client) {
      List<?> names = serverNames();
      sessionKey = TlsSessionContext.Key.of(nativeContext, config(), getPeerHost(), getPeerPort(), names);
      TlsSessionContext.Resumable resumable = context.sessions(true).take(sessionKey);
      if (resumable != null) {
        ticket = resumable.ticket;
        resuming = resumable.session;
      } else {
        ticket = StoredSession.of(config().sessionStore(), getPeerHost(), getPeerPort(), nativeContext);
      }
      if (ticket == null && !config().sessionCreation()) {
        throw new SSLHandshakeException("No existing session to resume, and creating one is disabled");
      }
      fresh.setRequestedServerNames(names);
      serverName = JsseApi.HERE.encodedHostName(names);
    }
    connection = nativeContext.connect(serverName, ticket, client ? config().channelIdKey() : null);
    session = fresh;
    started = true;
    handshakeEvent = HandshakeEvents.begin();
    handshakeStatus = client ? HandshakeStatus.NEED_WRAP : HandshakeStatus.NEED_UNWRAP;
  }

  private void finished() throws SSLException {
    established = true;
    boolean client = isClient();
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
    records.established(session.cipherSuite());
    if (client && config().echConfigList().length > 0) {
      session.setEchAccepted(NativeCrypto.tlsIsEchAccepted(ref.handle(), ref));
    }
    session.setEngine(this);
    offered = Collections.emptyList();
    resuming = null;
    context().sessions(client).register(session);
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
        session.setPeerRawPublicKey(TlsTask.trustedRawPublicKey(config(), rawKey));
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
    KeyLog keyLog = config().keyLog();
    if (keyLog != null) {
      for (byte[] line : NativeCrypto.tlsTakeKeyLog(ref.handle(), ref)) {
        CallerCode.run("A key log failed.", () -> keyLog.log(new String(line, StandardCharsets.US_ASCII)));
      }
    }
    long handle;
    // What was called may have closed the engine, and so freed the connection.
    while (connection == ref && established && (handle = NativeCrypto.tlsTakeSession(ref.handle(), ref)) != 0) {
      NativeRef ticket = new NativeRef(handle, NativeCrypto::tlsSessionFree);
      if (!isClient()) {
        ServerSessionStore store = config().serverSessionStore();
        if (store != null) {
          CallerCode.run("A session store failed.", () -> store.put(session.shown(), StoredSession.storable(ticket)));
        }
        continue;
      }
      context().sessions(true).put(sessionKey, session, ticket);
      // What authenticated without a chain could not be verified again.
      if (config().sessionStore() != null && getPeerHost() != null && session.hasPeerCertificates()) {
        CallerCode.run("A session store failed.", () -> config().sessionStore().put(session.shown(), StoredSession.storable(ticket)));
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

  SSLSocket owner() {
    return owner;
  }

  /** Of the handshake in progress; tasks fill it. */
  TlsSession handshaking() {
    return session;
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
  boolean hasStarted() {
    return started;
  }

  @Override
  public String toString() {
    return "Postscrypt engine [" + getHandshakeStatus() + ", peer " + getPeerHost() + ":" + getPeerPort() + "]";
  }
}
