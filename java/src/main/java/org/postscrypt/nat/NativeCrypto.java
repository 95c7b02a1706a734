package org.postscrypt.nat;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import javax.crypto.AEADBadTagException;

/**
 * Every native method of Postscrypt: the only class with any.
 *
 * <p>One static method per operation, grouped by area as in {@code native/bridge/src/natives}. A {@code long} handle is owned by
 * a {@link NativeRef}, which is passed beside it so that it stays reachable during the call. Null references give {@link
 * NullPointerException}, offsets and lengths outside an array or buffer {@link IndexOutOfBoundsException}, a zero handle or one
 * that another thread is using {@link IllegalStateException}; none of these changes anything.
 */
public final class NativeCrypto {
  private NativeCrypto() {}

  // Loading happens here, so that this class's own initialisation lock is the only lock: JNI_OnLoad initialises this class
  // too. Never throws; where nothing could be loaded, natives give UnsatisfiedLinkError and NativeLibrary tells why.
  static {
    NativeLibrary.initialize();
  }

  /** Initialises this class and so loads the library. */
  static void touch() {}

  // --- library ---

  /** The native half's version; equals the Java half's, or the two do not belong together. */
  static native byte[] libraryVersion();

  /** BoringSSL's identity in one line, ASCII. */
  public static native byte[] libraryBoringVersion();

  /** CPU features in use, separated by spaces, ASCII; may be empty. */
  public static native byte[] libraryCpuFeatures();

  /** Files and directories with the operating system's CA certificates, separated by newlines, UTF-8; may be empty. */
  public static native byte[] librarySystemCertificates();

  // --- digest, mac, aead, random: the JCE's ---
  //
  // Input and output: a range of an array or, where that is null, of a direct buffer's whole memory (index 0 to
  // capacity, its position does not matter). Ranges are in bytes.

  /** MD5, 16 bytes: a digest algorithm's number. */
  public static final int MD5 = 0;

  /** SHA-1, 20 bytes. */
  public static final int SHA1 = 1;

  /** SHA-224, 28 bytes. */
  public static final int SHA224 = 2;

  /** SHA-256, 32 bytes. */
  public static final int SHA256 = 3;

  /** SHA-384, 48 bytes. */
  public static final int SHA384 = 4;

  /** SHA-512, 64 bytes. */
  public static final int SHA512 = 5;

  /** SHA-512/256, 32 bytes. */
  public static final int SHA512_256 = 6;

  /** A digest of the empty message. */
  public static native long digestNew(int algorithm);

  /** Frees a digest; zero is ignored. */
  public static native void digestFree(long digest);

  /** An independent copy. */
  public static native long digestClone(long digest, Object owner);

  /** Back to the empty message. */
  public static native void digestReset(long digest, Object owner);

  /** Appends input; {@code start}: to the empty message, whatever was there. */
  public static native void digestUpdate(
      long digest, Object owner, boolean start, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength);

  /** As {@link #digestUpdate}, then writes the digest and goes back to the empty message; answers its length. */
  public static native int digestFinish(
      long digest, Object owner, boolean start, byte[] input, int inputOffset, int inputLength,
      byte[] output, int outputOffset);

  /** Writes the digest of input; answers its length. */
  public static native int digestOneShot(
      int algorithm, byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset);

  /**
   * An HMAC over a digest algorithm, without a key yet: until it has one, using it is an {@link IllegalStateException}.
   */
  public static native long hmacNew(int algorithm);

  /** Frees an HMAC; zero is ignored. */
  public static native void hmacFree(long hmac);

  /** An independent copy of key and state. */
  public static native long hmacClone(long hmac, Object owner);

  /** Takes a key of any length and starts an empty message. */
  public static native void hmacSetKey(long hmac, Object owner, byte[] key);

  /** Back to the empty message under the same key. */
  public static native void hmacReset(long hmac, Object owner);

  /** Appends input; {@code start}: to the empty message, whatever was there. */
  public static native void hmacUpdate(
      long hmac, Object owner, boolean start, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength);

  /** As {@link #hmacUpdate}, then writes the code and goes back to the empty message; answers its length. */
  public static native int hmacFinish(
      long hmac, Object owner, boolean start, byte[] input, int inputOffset, int inputLength,
      byte[] output, int outputOffset);

  /** Additional data of an operation's start may be this long; more goes through {@link #aeadAdditional}. */
  public static final int AEAD_MAX_ADDITIONAL = 2048;

  /** AES-GCM without a key yet: until it has one, using it is an {@link IllegalStateException}. */
  public static native long aeadNew();

  /** Frees an AEAD; zero is ignored. */
  public static native void aeadFree(long aead);

  /**
   * Takes a key of 16, 24 or 32 bytes and a tag length of 12 to 16 bytes; whatever was being streamed is given up.
   * Answers the key's number. Who begins an operation says which number and tag length are meant; others than the
   * object has are an {@link IllegalStateException}.
   *
   * @throws InvalidKeyException if the key has another length
   * @throws InvalidAlgorithmParameterException if the tag has
   */
  public static native long aeadSetKey(long aead, Object owner, byte[] key, int tagLength)
      throws InvalidKeyException, InvalidAlgorithmParameterException;

  /** Another tag length for the same key; whatever was being streamed is given up. */
  public static native void aeadSetTagLength(long aead, Object owner, int tagLength)
      throws InvalidAlgorithmParameterException;

  /** Gives up what was being streamed. */
  public static native void aeadAbandon(long aead, Object owner);

  /**
   * Seals in one step: ciphertext and tag are written; answers the length of both. Input and output may overlap in any
   * way if the input has at most 1 MiB or both are direct; otherwise they must not overlap partly
   * (IllegalArgumentException).
   *
   * @param nonceHigh the first 8 bytes, big-endian, of a nonce of 12
   * @param nonceLow its last 4 bytes
   * @param nonce a nonce of any other length; null: the two numbers are it
   * @param additional the first {@code additionalLength} bytes are authenticated; may be null if that is zero
   */
  public static native int aeadSeal(
      long aead, Object owner, long keyId, int tagLength,
      long nonceHigh, int nonceLow, byte[] nonce, byte[] additional, int additionalLength,
      byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset);

  /**
   * Opens ciphertext and tag in one step; answers the length of the plaintext. Input and output may overlap in any way.
   * Parameters as {@link #aeadSeal}.
   *
   * @throws AEADBadTagException if the tag is wrong or missing; the output's range is unchanged or all zero
   */
  public static native int aeadOpen(
      long aead, Object owner, long keyId, int tagLength,
      long nonceHigh, int nonceLow, byte[] nonce, byte[] additional, int additionalLength,
      byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset)
      throws AEADBadTagException;

  /**
   * Starts a stream that seals or opens, giving up an unfinished one. Nonce and additional data as {@link #aeadSeal}.
   */
  public static native void aeadBegin(
      long aead, Object owner, long keyId, int tagLength, boolean seal,
      long nonceHigh, int nonceLow, byte[] nonce, byte[] additional, int additionalLength);

  /** Appends additional data to a stream without data so far. */
  public static native void aeadAdditional(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength);

  /** Seals the next bytes of a stream; as many are written. Overlap as {@link #aeadSeal}. */
  public static native void aeadSealPiece(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset);

  /** Seals the last bytes of a stream and writes the tag behind them; answers the length of both. */
  public static native int aeadFinishSeal(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset);

  /** Keeps the next bytes of a stream that opens, in native memory. */
  public static native void aeadHold(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength);

  /**
   * Keeps the last bytes, checks the tag and only then writes the plaintext; answers its length. What was kept is
   * zeroed.
   *
   * @throws AEADBadTagException if the tag is wrong or missing; the output is unchanged
   */
  public static native int aeadFinishOpen(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset)
      throws AEADBadTagException;

  /** Fills a range with random bytes. */
  public static native void randomBytes(byte[] output, int outputOffset, int outputLength);

  // --- tls ---

  /**
   * What a TLS context is to be made of; the {@code tlsConfigSet…} natives add to it, {@link #tlsContextNew} takes it all.
   *
   * @param minVersion and {@code maxVersion}: as on the wire (0x0303 is TLS 1.2)
   * @param cipherSuites IANA numbers in order of preference, those of TLS 1.3 among them
   * @param serverOrder whether a server prefers its own order
   * @param groups IANA numbers of named groups in order of preference; empty for the library's default
   * @param signatureSchemes IANA numbers in order of preference; empty for the library's default
   * @param protocols application protocol names (ALPN) in order of preference
   */
  public static native long tlsConfigNew(
      boolean server,
      int minVersion,
      int maxVersion,
      int[] cipherSuites,
      boolean serverOrder,
      int[] groups,
      int[] signatureSchemes,
      byte[][] protocols);

  public static native void tlsConfigFree(long config);

  /** Server: whether to ask for the client's certificate (0 none, 1 want, 2 need), and DER names of CAs to tell with it. */
  public static native void tlsConfigSetClientAuth(long config, Object owner, int clientAuth, byte[][] caNames);

  /**
   * Sessions are resumed.
   *
   * @param timeout server: seconds for which a session may be resumed
   * @param cacheSize server: sessions kept for clients that take no tickets
   * @param sessionContext server: only contexts that say the same resume each other's sessions
   * @param ticketKeys server: keys of 48 bytes, the first seals; empty for keys of the context's own
   */
  public static native void tlsConfigSetSessions(
      long config, Object owner, int timeout, int cacheSize, byte[] sessionContext, byte[][] ticketKeys);

  /** Bits: 1 request stapling, 2 compress certificates, 4 GREASE, 8 permute extensions, 16 key log, 32 ECH GREASE. */
  public static native void tlsConfigSetOptions(long config, Object owner, int options);

  /** Adds an external pre-shared key. */
  public static native void tlsConfigAddPreSharedKey(long config, Object owner, byte[] identity, byte[] key, byte[] context);

  /** Certificate types (RFC 7250: 0 X.509, 2 raw public key) accepted from the peer, and those that a client may send. */
  public static native void tlsConfigSetCertificateTypes(long config, Object owner, byte[] peer, byte[] own);

  /** Client: the {@code ECHConfigList}. */
  public static native void tlsConfigSetEchConfigList(long config, Object owner, byte[] list);

  /** Server: adds a key for Encrypted Client Hello, with its {@code ECHConfig}. */
  public static native void tlsConfigAddEchKey(
      long config, Object owner, byte[] echConfig, byte[] privateKey, boolean retry);

  /** A new ECH key: its {@code ECHConfig}, then its private key. */
  public static native byte[][] tlsGenerateEchKey(int id, byte[] publicName, int maxNameLength);

  /**
   * A TLS context (an {@code SSL_CTX}), immutable and shared.
   *
   * @throws IllegalArgumentException for a value that BoringSSL does not have
   */
  public static native long tlsContextNew(long config, Object owner);

  public static native void tlsContextFree(long context);

  /**
   * A credential with an exportable key.
   *
   * @param chain DER certificates, leaf first
   * @param pkcs8 the leaf's private key
   * @param ocspResponse what a server staples; may be null
   * @param timestamps the SCT list that a server staples; may be null
   * @throws java.security.InvalidKeyException if the key is malformed or not the certificate's
   * @throws java.security.cert.CertificateException if the chain is empty or malformed
   */
  public static native long tlsCredentialNew(byte[][] chain, byte[] pkcs8, byte[] ocspResponse, byte[] timestamps)
      throws java.security.InvalidKeyException, java.security.cert.CertificateException;

  /** A credential whose key signs in Java (see {@link #tlsTask}), with the signature schemes that it can do. */
  public static native long tlsCredentialExternal(
      byte[][] chain, int[] schemes, byte[] ocspResponse, byte[] timestamps)
      throws java.security.cert.CertificateException;

  /** A raw public key (RFC 7250) from its private key. */
  public static native long tlsCredentialRawPublicKey(byte[] pkcs8) throws java.security.InvalidKeyException;

  public static native void tlsCredentialFree(long credential);

  /** A new connection of a context. */
  public static native long tlsNew(long context, Object owner);

  public static native void tlsFree(long connection);

  /** Client, before the handshake: the ASCII host name to send (RFC 6066 section 3). */
  public static native void tlsSetServerName(long connection, Object owner, byte[] name);

  /** Client, before the handshake: a session to offer for resumption. */
  public static native void tlsSetSession(long connection, Object owner, long session, Object sessionOwner);

  /** Client: the oldest session that came and was not taken; zero if there is none. */
  public static native long tlsTakeSession(long connection, Object owner);

  public static native void tlsSessionFree(long session);

  /** Whether a session may be used but once (bit 32), and the seconds for which its server lets it be resumed (low 32 bits). */
  public static native long tlsSessionUse(long session, Object owner);

  /** -1 if no session was resumed, else when it was made, in seconds since 1970. */
  public static native long tlsResumedTime(long connection, Object owner);

  /**
   * Where the memory of a direct buffer begins; zero if it is not direct. The address is the buffer's for as long as it is
   * reachable.
   */
  public static native long tlsBufferAddress(ByteBuffer buffer);

  /**
   * Seals up to one record, or writes what the handshake or an alert needs. Each range lies in the array, or in the direct
   * buffer if that is null (offsets count from the buffer's index 0). Answers a packed outcome: see {@code TlsOutcome}.
   *
   * @param sourceAddress what {@link #tlsBufferAddress} answered for {@code sourceBuffer}: then the caller vouches that the range
   *     is inside its capacity; zero to have it asked for and the range checked
   * @param destinationAddress the same for {@code destinationBuffer}
   */
  public static native long tlsWrap(
      long connection,
      Object owner,
      byte[] sourceArray,
      ByteBuffer sourceBuffer,
      long sourceAddress,
      int sourceOffset,
      int sourceLength,
      byte[] destinationArray,
      ByteBuffer destinationBuffer,
      long destinationAddress,
      int destinationOffset,
      int destinationLength);

  /** Opens one record, all of it or nothing. Arguments and answer as for {@link #tlsWrap}. */
  public static native long tlsUnwrap(
      long connection,
      Object owner,
      byte[] sourceArray,
      ByteBuffer sourceBuffer,
      long sourceAddress,
      int sourceOffset,
      int sourceLength,
      byte[] destinationArray,
      ByteBuffer destinationBuffer,
      long destinationAddress,
      int destinationOffset,
      int destinationLength);

  /** What the handshake needs next, as in a packed outcome; never FINISHED. */
  public static native int tlsHandshake(long connection, Object owner);

  /** Bytes that wait to be wrapped. */
  public static native int tlsPending(long connection, Object owner);

  /** Closes our direction; close_notify or user_canceled leaves by the next wraps. */
  public static native void tlsCloseWrite(long connection, Object owner);

  /** No more will be unwrapped. */
  public static native void tlsCloseRead(long connection, Object owner);

  /**
   * Why the connection failed: kind in bits 8 and up (0 not, 1 alert received, 2 closed during the handshake, 3 the peer's fault
   * or no agreement, 4 out of memory, 5 internal, 6 ECH rejected), alert in the low 8 bits (255: none).
   */
  public static native int tlsFailure(long connection, Object owner);

  /** The failure in words, UTF-8; null if there is none. */
  public static native byte[] tlsFailureText(long connection, Object owner);

  /**
   * The decision that a suspended handshake waits for: 0 none, 1 verify the peer's chain, 2 client hello, 3 certificate request,
   * 4 decrypt, 0x10000 + scheme sign.
   */
  public static native int tlsTask(long connection, Object owner);

  /**
   * Answers 1.
   *
   * @param alert what to reject the chain with; -1 accepts it
   * @throws IllegalStateException if that is not what is waited for
   */
  public static native void tlsSetVerified(long connection, Object owner, int alert);

  /**
   * Answers 2 and 3.
   *
   * @param credentials handles in order of preference
   * @param owners their {@link NativeRef}s
   * @param protocol server: null to choose from the configured list, else the chosen name, empty for none
   * @param alert what to fail with; -1 goes on
   * @throws IllegalStateException if that is not what is waited for
   */
  public static native void tlsSelect(
      long connection, Object owner, long[] credentials, Object owners, byte[] protocol, int alert);

  /** What is to be signed (the message itself) or decrypted. */
  public static native byte[] tlsKeyInput(long connection, Object owner);

  /**
   * Answers signing and decrypting; null fails the handshake.
   *
   * @throws IllegalStateException if that is not what is waited for
   */
  public static native void tlsSetKeyResult(long connection, Object owner, byte[] result);

  /** Server: the client's ALPN list as on the wire; empty if it sent none. */
  public static native byte[] tlsOfferedProtocols(long connection, Object owner);

  /** Protocol version in the high 16 bits, cipher suite in the low ones; zero before they are known. */
  public static native int tlsVersionAndCipherSuite(long connection, Object owner);

  /** The key exchange's named group; zero if there is none. */
  public static native int tlsGroup(long connection, Object owner);

  /** The application protocol; null if there is none. */
  public static native byte[] tlsApplicationProtocol(long connection, Object owner);

  /** Server: the server name that the client sent; null if it sent none. */
  public static native byte[] tlsServerName(long connection, Object owner);

  /** The peer's chain, DER, leaf first; empty if it sent none. */
  public static native byte[][] tlsPeerCertificates(long connection, Object owner);

  /** Client: DER names of the CAs in the certificate request. */
  public static native byte[][] tlsRequestedIssuers(long connection, Object owner);

  /** The signature schemes that the peer accepts, while the handshake lasts. */
  public static native int[] tlsPeerSignatureSchemes(long connection, Object owner);

  /** Client, TLS 1.2: the certificate types of the certificate request (RFC 5246 section 7.4.4). */
  public static native byte[] tlsRequestedCertificateTypes(long connection, Object owner);

  /** Which of the credentials passed to {@link #tlsSelect} is in use; -1 if none is. */
  public static native int tlsSelectedCredential(long connection, Object owner);

  /** The session's id; may be empty. */
  public static native byte[] tlsSessionId(long connection, Object owner);

  /** After failure kind 6: the {@code ECHConfigList} to try next; empty to try without. */
  public static native byte[] tlsEchRetryConfigs(long connection, Object owner);

  /** Lines of the key log since the last call. */
  public static native byte[][] tlsTakeKeyLog(long connection, Object owner);

  /** The OCSP response that the peer stapled; empty if there is none. */
  public static native byte[] tlsOcspResponse(long connection, Object owner);

  /** The peer's raw public key as {@code SubjectPublicKeyInfo}; null if it sent none. */
  public static native byte[] tlsPeerRawPublicKey(long connection, Object owner);

  /** Client, verifying: the name to check for instead, when ECH was refused; null if there is none. */
  public static native byte[] tlsEchNameOverride(long connection, Object owner);

  /** Whether the server took the encrypted hello. */
  public static native boolean tlsIsEchAccepted(long connection, Object owner);

  /**
   * Keying material (RFC 5705, RFC 8446 section 7.5) of {@code length} bytes; {@code context} may be null.
   *
   * @throws IllegalStateException before the handshake is done
   * @throws IllegalArgumentException for a length that is not possible
   */
  public static native byte[] tlsExportKeyingMaterial(
      long connection, Object owner, byte[] label, byte[] context, int length);

  /** The channel binding tls-unique (RFC 5929 section 3); null where there is none. */
  public static native byte[] tlsUnique(long connection, Object owner);
}
