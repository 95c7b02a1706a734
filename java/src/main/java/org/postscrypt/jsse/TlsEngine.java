package org.postscrypt.jsse;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
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
import org.postscrypt.SessionStore;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * The TLS state machine, of engines and sockets alike: one native call per wrap or unwrap.
 *
 * <p>One lock covers everything but the delegated tasks, which run without it and take it to read what they need and to hand in
 * their answer. Native memory is freed when both directions are done, or with the engine.
 */
final class TlsEngine extends SSLEngine {
  /** TLS 1.3 closes one direction at a time; this asks for the other as well, as in the JDK. */
  private static final boolean ACKNOWLEDGE_CLOSE_NOTIFY = Boolean.getBoolean("jdk.tls.acknowledgeCloseNotify");

  private final ReentrantLock lock = new ReentrantLock();
  private final TlsContext context;
  /** The socket that this engine belongs to; null when the application drives it. */
  private final SSLSocket owner;
  private final Scratch scratch = new Scratch();
  private final BufferAddress wrapSource = new BufferAddress();
  private final BufferAddress wrapDestination = new BufferAddress();
  private final BufferAddress unwrapSource = new BufferAddress();
  private final BufferAddress unwrapDestination = new BufferAddress();

  private TlsConfig config;
  private boolean modeSet;
  private boolean client;
  private BiFunction<SSLEngine, List<String>, String> protocolSelector;

  /** Null before the handshake began and once freed. */
  private NativeRef connection;
  private boolean started;
  private boolean established;
  private boolean inboundDone;
  private boolean outboundClosed;
  private boolean outboundDone;
  private boolean closeNotifyReceived;
  private HandshakeStatus handshakeStatus = HandshakeStatus.NOT_HANDSHAKING;
  /** Made when the handshake begins; the connection's session once established. */
  private TlsSession session;
  private final TlsSession noSession;
  private String applicationProtocol;
  private TlsTask task;
  /** What a delegated task failed with: the cause of the exception to come. */
  private Throwable taskFailure;
  private List<TlsCredential> offered = Collections.emptyList();
  /** Client: what sessions of this connection are kept under; null if they cannot be. */
  private TlsSessionContext.Key sessionKey;
  /** Client: the session whose resumption is offered. */
  private TlsSession resuming;
  /** Flight Recorder's; null if nobody records. */
  private Object handshakeEvent;

  TlsEngine(TlsContext context, String peerHost, int peerPort, SSLSocket owner) {
    super(peerHost, peerPort);
    this.context = context;
    this.owner = owner;
    this.noSession = TlsSession.none(peerHost, peerPort);
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
    // Data is only looked at once it can be sent.
    ByteBuffer source = single;
    boolean gathered = false;
    if (!established) {
      source = Scratch.EMPTY;
    } else if (source == null) {
      source = Scratch.soleNonEmpty(sources, offset, length);
      if (source == null) {
        source = scratch.gather(sources, offset, length);
        gathered = true;
      }
    }
    long outcome = call(true, source, destination);
    int consumed = TlsOutcome.consumed(outcome);
    int produced = TlsOutcome.produced(outcome);
    if (consumed > 0) {
      if (gathered) {
        Scratch.advance(sources, offset, length, consumed);
      } else {
        source.position(source.position() + consumed);
      }
    }
    destination.position(destination.position() + produced);
    return settle(outcome, true);
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
      destination = Scratch.soleNonEmpty(destinations, offset, length);
      if (destination == null) {
        destination = scratch.limited(Scratch.remaining(destinations, offset, length));
        scattered = true;
      }
    }
    long outcome = call(false, source, destination);
    int consumed = TlsOutcome.consumed(outcome);
    int produced = TlsOutcome.produced(outcome);
    source.position(source.position() + consumed);
    if (scattered) {
      scratch.scatter(produced, destinations, offset, length);
    } else if (produced > 0) {
      destination.position(destination.position() + produced);
    }
    return settle(outcome, false);
  }

  /** One native call between two buffers; positions stay. */
  private long call(boolean wrap, ByteBuffer source, ByteBuffer destination) throws SSLException {
    // Each property is read once: whatever other threads do to the buffers, the ranges lie in their capacities.
    int sourceOffset = source.position();
    int sourceLength = Math.max(0, source.limit() - sourceOffset);
    byte[] sourceArray = null;
    long sourceAddress = 0;
    if (source.isDirect()) {
      sourceAddress = (wrap ? wrapSource : unwrapSource).of(source);
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
    int destinationOffset = destination.position();
    int destinationLength = Math.max(0, destination.limit() - destinationOffset);
    byte[] destinationArray = null;
    long destinationAddress = 0;
    if (destination.isDirect()) {
      destinationAddress = (wrap ? wrapDestination : unwrapDestination).of(destination);
    } else {
      destinationArray = destination.array();
      destinationOffset += destination.arrayOffset();
    }
    NativeRef ref = connection;
    return wrap
        ? NativeCrypto.tlsWrap(
            ref.handle(), ref, sourceArray, source, sourceAddress, sourceOffset, sourceLength,
            destinationArray, destination, destinationAddress, destinationOffset, destinationLength)
        : NativeCrypto.tlsUnwrap(
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
    int consumed = TlsOutcome.consumed(outcome);
    int produced = TlsOutcome.produced(outcome);
    if (next != HandshakeStatus.FINISHED) {
      next = handshakeStatus;
    }
    return new SSLEngineResult(status, next, consumed, produced);
  }

  private SSLEngineResult result(Status status, int consumed, int produced) {
    return new SSLEngineResult(status, handshakeStatus, consumed, produced);
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

  private void freeIfDone() {
    if (inboundDone && outboundDone && connection != null) {
      connection.close();
      connection = null;
      handshakeStatus = HandshakeStatus.NOT_HANDSHAKING;
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
    outboundDone = NativeCrypto.tlsPending(ref.handle(), ref) == 0;
    handshakeStatus = outboundDone ? HandshakeStatus.NOT_HANDSHAKING : HandshakeStatus.NEED_WRAP;
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
      if (started && (inboundDone || outboundClosed)) {
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
    TlsSessionContext.Resumable resumable = null;
    NativeRef stored = null;
    if (client) {
      sessionKey = TlsSessionContext.Key.of(nativeContext, config, getPeerHost(), getPeerPort(), serverNames());
      resumable = context.sessions(true).take(sessionKey);
      stored = resumable == null ? storedSession(nativeContext) : null;
      if (resumable == null && stored == null && !config.sessionCreation()) {
        throw new SSLHandshakeException("No existing session to resume, and creating one is disabled");
      }
    }
    NativeRef ref = nativeContext.connect();
    boolean ready = false;
    try {
      session = new TlsSession(context.sessions(client), getPeerHost(), getPeerPort());
      session.setLocalSignatureSchemes(config.signatureSchemes());
      if (client) {
        List<SNIServerName> names = serverNames();
        session.setRequestedServerNames(names);
        for (SNIServerName name : names) {
          if (name instanceof SNIHostName) {
            NativeCrypto.tlsSetServerName(ref.handle(), ref, name.getEncoded());
          }
        }
      }
      if (resumable != null) {
        NativeCrypto.tlsSetSession(ref.handle(), ref, resumable.ticket.handle(), resumable.ticket);
        resuming = resumable.session;
      } else if (stored != null) {
        NativeCrypto.tlsSetSession(ref.handle(), ref, stored.handle(), stored);
      }
      ready = true;
    } finally {
      if (!ready) {
        ref.close();
      }
    }
    connection = ref;
    started = true;
    handshakeEvent = HandshakeEvents.begin();
    handshakeStatus = client ? HandshakeStatus.NEED_WRAP : HandshakeStatus.NEED_UNWRAP;
  }

  private static final byte[] STORED_SESSION = {'P', 'S', 'S', 1};

  /** A client's session from the store; null if there is none, or nothing that could be one. */
  private NativeRef storedSession(NativeContext nativeContext) {
    String host = getPeerHost();
    byte[] data = config.sessionStore() == null || host == null ? null : config.sessionStore().get(host, getPeerPort());
    if (data == null || !Arrays.equals(STORED_SESSION, Arrays.copyOf(data, STORED_SESSION.length))) {
      return null;
    }
    byte[] encoded = Arrays.copyOfRange(data, STORED_SESSION.length, data.length);
    try {
      return nativeContext.session(encoded);
    } catch (IllegalArgumentException e) {
      return null; // Damaged: a full handshake makes another one.
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
  }

  private void store(SessionStore store, NativeRef ticket) {
    byte[] encoded = NativeCrypto.tlsSessionEncode(ticket.handle(), ticket);
    byte[] data = Arrays.copyOf(STORED_SESSION, STORED_SESSION.length + encoded.length);
    System.arraycopy(encoded, 0, data, STORED_SESSION.length, encoded.length);
    Arrays.fill(encoded, (byte) 0);
    store.put(session, data);
  }

  /** The peer's host: as set by {@code TlsParameters.setPeerHost}, else as the engine was made with. */
  @Override
  public String getPeerHost() {
    String host = current().peerHost();
    return host.isEmpty() ? super.getPeerHost() : host;
  }

  /** What a client sends: what was set, else the peer's host if it is a name that SNI allows. */
  private List<SNIServerName> serverNames() {
    if (config.serverNamesSet()) {
      return config.serverNames();
    }
    String host = getPeerHost();
    // As SunJSSE: no address, no bare name, no trailing dot.
    if (host != null && host.indexOf('.') > 0 && !host.endsWith(".") && !HostnameChecker.isIpLiteral(host)) {
      try {
        return Collections.singletonList(new SNIHostName(host));
      } catch (IllegalArgumentException e) {
        // Not a name that can be sent: the handshake goes on without, as the peer need not know it.
        return Collections.emptyList();
      }
    }
    return Collections.emptyList();
  }

  private void finished() throws SSLException {
    established = true;
    NativeRef ref = connection;
    long resumedSeconds = NativeCrypto.tlsResumedTime(ref.handle(), ref);
    if (resumedSeconds >= 0) {
      resumed(resumedSeconds);
    }
    readNegotiated();
    byte[] id = NativeCrypto.tlsSessionId(ref.handle(), ref);
    session.setId(id.length > 0 ? id : TlsSessionContext.newId());
    int selected = NativeCrypto.tlsSelectedCredential(ref.handle(), ref);
    if (selected >= 0 && selected < offered.size()) {
      session.setLocalCertificates(offered.get(selected).chain);
    }
    byte[] protocol = NativeCrypto.tlsApplicationProtocol(ref.handle(), ref);
    applicationProtocol = protocol == null ? "" : new String(protocol, StandardCharsets.ISO_8859_1);
    session.setNamedGroup(NativeCrypto.tlsGroup(ref.handle(), ref));
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

  /** Keeps the sessions that the server gave, for later connections, and writes the key log. */
  private void takeEvents() {
    NativeRef ref = connection;
    if (ref == null) {
      return;
    }
    KeyLog keyLog = config.keyLog();
    if (keyLog != null) {
      for (byte[] line : NativeCrypto.tlsTakeKeyLog(ref.handle(), ref)) {
        keyLog.log(new String(line, StandardCharsets.US_ASCII));
      }
    }
    long handle;
    while (established && (handle = NativeCrypto.tlsTakeSession(ref.handle(), ref)) != 0) {
      NativeRef ticket = new NativeRef(handle, NativeCrypto::tlsSessionFree);
      context.sessions(true).put(sessionKey, session, ticket);
      // What authenticated without a chain could not be verified again.
      if (config.sessionStore() != null && getPeerHost() != null && session.hasPeerCertificates()) {
        store(config.sessionStore(), ticket);
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

  private void readNegotiated() {
    int negotiated = NativeCrypto.tlsVersionAndCipherSuite(connection.handle(), connection);
    session.setVersionAndCipherSuite(negotiated >>> 16, negotiated & 0xffff);
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
      int kind = NativeCrypto.tlsTask(connection.handle(), connection);
      if (kind == 0) {
        return null;
      }
      readNegotiated();
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
  void answer(TlsTask from, Throwable failure, Reader<?> answer) {
    lock.lock();
    try {
      if (from != task || connection == null) {
        return;
      }
      taskFailure = failure;
      answer.read(connection);
      task = null;
      handshakeStatus = TlsOutcome.handshake(NativeCrypto.tlsHandshake(connection.handle(), connection));
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

  BiFunction<SSLEngine, List<String>, String> protocolSelector() {
    return protocolSelector;
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
    NativeCrypto.tlsCloseWrite(connection.handle(), connection);
    if (!established) {
      // A handshake that is given up has no way to receive either.
      inboundDone = true;
      task = null;
    }
    outboundDone = NativeCrypto.tlsPending(connection.handle(), connection) == 0;
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
      return established ? session : noSession;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public SSLSession getHandshakeSession() {
    lock.lock();
    try {
      return established ? null : session;
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
  public BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
    lock.lock();
    try {
      return protocolSelector;
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

  /** Changes the configuration under the lock. */
  private void change(java.util.function.UnaryOperator<TlsConfig> change) {
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
