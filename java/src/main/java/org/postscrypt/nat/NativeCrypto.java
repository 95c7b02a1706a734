package org.postscrypt.nat;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.SignatureException;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;


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

  /**
   * Addresses of C functions that do what some natives do, for {@code java.lang.foreign}: tlsWrap, tlsUnwrap,
   * digestOneShot, macFinish (of an empty message), aeadSeal, aeadOpen, cipherRun. The library keeps them for as long as it is loaded.
   */
  static native long[] libraryForeignFunctions();

  /** Throws what the last call of such a function by this thread failed with. */
  static native void libraryForeignFailure();

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

  /** SHA3-256, 32 bytes. */
  public static final int SHA3_256 = 7;

  /** SHA3-384, 48 bytes. */
  public static final int SHA3_384 = 8;

  /** SHA3-512, 64 bytes. */
  public static final int SHA3_512 = 9;

  /** BLAKE2b-256, 32 bytes. */
  public static final int BLAKE2B_256 = 10;

  /** AES-CMAC, 16 bytes: a MAC's number. Those of digests are HMAC's over them. */
  public static final int AES_CMAC = 100;

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

  /** A MAC without a key yet: until it has one, using it is an {@link IllegalStateException}. */
  public static native long macNew(int algorithm);

  /** Frees a MAC; zero is ignored. */
  public static native void macFree(long mac);

  /** An independent copy of key and state. */
  public static native long macClone(long mac, Object owner);

  /**
   * Takes a key and starts an empty message: HMAC one of any length, CMAC one of AES.
   *
   * @throws InvalidKeyException if the key has another length; there is none then
   */
  public static native void macSetKey(long mac, Object owner, byte[] key) throws InvalidKeyException;

  /** Back to the empty message under the same key. */
  public static native void macReset(long mac, Object owner);

  /** Appends input; {@code start}: to the empty message, whatever was there. */
  public static native void macUpdate(
      long mac, Object owner, boolean start, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength);

  /** As {@link #macUpdate}, then writes the code and goes back to the empty message; answers its length. */
  public static native int macFinish(
      long mac, Object owner, boolean start, byte[] input, int inputOffset, int inputLength,
      byte[] output, int outputOffset);

  /** Additional data of an operation's start may be this long; more goes through {@link #aeadAdditional}. */
  public static final int AEAD_MAX_ADDITIONAL = 2048;

  /** AES-GCM (SP 800-38D): an AEAD's number. */
  public static final int AES_GCM = 0;

  /** AES-GCM-SIV (RFC 8452). */
  public static final int AES_GCM_SIV = 1;

  /** AES-CCM (SP 800-38C) with 16-byte keys and 13-byte nonces. */
  public static final int AES_CCM = 2;

  /** ChaCha20-Poly1305 (RFC 8439). */
  public static final int CHACHA20_POLY1305 = 3;

  /** XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03). */
  public static final int XCHACHA20_POLY1305 = 4;

  /**
   * An AEAD without a key yet: until it has one, using it is an {@link IllegalStateException}. {@link #AES_GCM_SIV} and
   * {@link #AES_CCM} do not stream encryption: {@link #aeadHold} keeps plaintext for {@link #aeadFinishSeal}.
   */
  public static native long aeadNew(int algorithm);

  /** Frees an AEAD; zero is ignored. */
  public static native void aeadFree(long aead);

  /**
   * Takes a key and a tag length in bytes, as the algorithm allows; whatever was being streamed is given up.
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

  /**
   * Seals the last bytes of a stream and writes the tag behind them; answers the length of both, and of what was kept.
   */
  public static native int aeadFinishSeal(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset);

  /** Keeps the next bytes of a stream that opens (or seals without streaming), in native memory. */
  public static native void aeadHold(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength);

  /**
   * Takes the last bytes and checks the tag; the plaintext is what was kept and these, its length the answer. What was
   * kept is zeroed.
   *
   * @throws AEADBadTagException if the tag is wrong or missing; the output's range is unchanged or all zero
   */
  public static native int aeadFinishOpen(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset)
      throws AEADBadTagException;

  /** Fills a range with random bytes. */
  public static native void randomBytes(byte[] output, int outputOffset, int outputLength);

  // --- ciphers, key wrap, key derivation ---

  /** AES-ECB: a cipher's number. */
  public static final int AES_ECB = 0;

  /** AES-CBC. */
  public static final int AES_CBC = 1;

  /** AES-CTR. */
  public static final int AES_CTR = 2;

  /** Triple DES, ECB. */
  public static final int DESEDE_ECB = 3;

  /** Triple DES, CBC. */
  public static final int DESEDE_CBC = 4;

  /** ARC4. */
  public static final int ARC4 = 5;

  /** ChaCha20 (RFC 8439). */
  public static final int CHACHA20 = 6;

  /**
   * A cipher without a key yet: until it has one and was begun, using it is an {@link IllegalStateException}.
   *
   * @param padded whether a block cipher adds and removes PKCS #7 padding
   */
  public static native long cipherNew(int algorithm, boolean padded);

  /** Frees a cipher; zero is ignored. */
  public static native void cipherFree(long cipher);

  /**
   * Takes a key for one direction; answers the key's number.
   *
   * @throws InvalidKeyException if the key has a length that the cipher does not take; there is none then
   */
  public static native long cipherSetKey(long cipher, Object owner, byte[] key, boolean encrypt)
      throws InvalidKeyException;

  /**
   * Starts, giving up what was begun.
   *
   * @param keyId the number of the key meant; another than the object has is an {@link IllegalStateException}
   * @param iv null or empty for ciphers without one
   * @param counter ChaCha20's first block, unsigned; ignored by others
   * @throws InvalidAlgorithmParameterException if the IV has another length than the cipher's
   */
  public static native void cipherBegin(long cipher, Object owner, long keyId, byte[] iv, int counter)
      throws InvalidAlgorithmParameterException;

  /**
   * Works on more input; answers how many bytes were written. The two may overlap in any way.
   *
   * @throws ShortBufferException if the output's range is too short; nothing was changed
   */
  public static native int cipherUpdate(
      long cipher, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset, int outputLength)
      throws ShortBufferException;

  /**
   * Works on the last input, adds or removes padding, and goes back to where {@link #cipherBegin} left it; answers how
   * many bytes were written. After any exception but the first it is back there too.
   *
   * @throws ShortBufferException if the output's range is too short; nothing was changed
   * @throws IllegalBlockSizeException if there is no whole number of blocks, and no padding to be added
   * @throws BadPaddingException if what was decrypted does not end in padding; what was written is zero
   */
  public static native int cipherFinish(
      long cipher, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset, int outputLength)
      throws ShortBufferException, IllegalBlockSizeException, BadPaddingException;

  /** {@link #cipherBegin} and {@link #cipherFinish} in one; throws as they do. */
  public static native int cipherRun(
      long cipher, Object owner, long keyId, byte[] iv, int counter,
      byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset, int outputLength)
      throws InvalidAlgorithmParameterException, ShortBufferException, IllegalBlockSizeException, BadPaddingException;

  /**
   * AES key wrap.
   *
   * @param padded RFC 5649; otherwise RFC 3394
   * @param iv 8 bytes; null for the standard's, which RFC 5649 always takes here
   * @throws InvalidKeyException if the key is none of AES
   * @throws IllegalBlockSizeException if the length is not one that can be wrapped
   */
  public static native byte[] keyWrap(byte[] key, boolean padded, byte[] iv, byte[] input, int offset, int length)
      throws InvalidKeyException, IllegalBlockSizeException;

  /**
   * Undoes {@link #keyWrap}.
   *
   * @throws InvalidKeyException if the key is none of AES
   * @throws IllegalBlockSizeException if the length is wrong, or the integrity check fails
   */
  public static native byte[] keyUnwrap(byte[] key, boolean padded, byte[] iv, byte[] input, int offset, int length)
      throws InvalidKeyException, IllegalBlockSizeException;

  /** HKDF-Extract (RFC 5869 section 2.2) over a digest algorithm. */
  public static native byte[] hkdfExtract(int algorithm, byte[] secret, byte[] salt);

  /** HKDF-Expand (RFC 5869 section 2.3); IllegalArgumentException if more than 255 digests are asked for. */
  public static native byte[] hkdfExpand(int algorithm, byte[] key, byte[] info, int length);

  /** PBKDF2 with HMAC (RFC 8018 section 5.2); IllegalArgumentException if there is no iteration. */
  public static native byte[] pbkdf2(int algorithm, byte[] password, byte[] salt, int iterations, int length);

  /** scrypt (RFC 7914); IllegalArgumentException for a cost outside section 6. */
  public static native byte[] scrypt(byte[] password, byte[] salt, long n, int r, int p, int length);

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

  /**
   * Bits: 1 request stapling, 2 compress certificates, 4 GREASE, 8 permute extensions, 16 key log, 32 ECH GREASE, 64 no session tickets,
   * 128 the chain in a session is verified again when that is resumed, 256 pre-shared keys of TLS 1.2 are asked for, 512 a server's
   * sessions without ticket are handed out and asked for.
   */
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
   * @param schemes the signature schemes that it may be used with, best first; empty for all that the key can do
   * @param ocspResponse what a server staples; may be null
   * @param timestamps the SCT list that a server staples; may be null
   * @throws java.security.InvalidKeyException if the key is malformed or not the certificate's
   * @throws java.security.cert.CertificateException if the chain is empty or malformed
   */
  public static native long tlsCredentialNew(
      byte[][] chain, byte[] pkcs8, int[] schemes, byte[] ocspResponse, byte[] timestamps)
      throws java.security.InvalidKeyException, java.security.cert.CertificateException;

  /** A credential whose key signs in Java (see {@link #tlsTask}), with the signature schemes that it can do. */
  public static native long tlsCredentialExternal(
      byte[][] chain, int[] schemes, byte[] ocspResponse, byte[] timestamps)
      throws java.security.cert.CertificateException;

  /** A raw public key (RFC 7250) from its private key. */
  public static native long tlsCredentialRawPublicKey(byte[] pkcs8) throws java.security.InvalidKeyException;

  public static native void tlsCredentialFree(long credential);

  /**
   * A new connection of a context.
   *
   * @param serverName client: the ASCII host name to send (RFC 6066 section 3), or null
   * @param session client: a session to offer for resumption, or zero; {@code sessionOwner}: its {@link NativeRef}
   */
  public static native long tlsNew(long context, Object owner, byte[] serverName, long session, Object sessionOwner);

  /**
   * Client, before the handshake: the key that is proven to servers which ask for a Channel ID (draft-balfanz-tls-channelid-01).
   *
   * @throws java.security.InvalidKeyException if it is no private key on P-256
   */
  public static native void tlsSetChannelIdKey(long connection, Object owner, byte[] pkcs8)
      throws java.security.InvalidKeyException;

  public static native void tlsFree(long connection);

  /**
   * The oldest session that came and was not taken; zero if there is none. Of a server: of the option 512, for {@link
   * #tlsSetFoundSession}.
   */
  public static native long tlsTakeSession(long connection, Object owner);

  public static native void tlsSessionFree(long session);

  /** All of a session, for {@link #tlsContextDecodeSession} of the same library: secrets, for the caller to zero. */
  public static native byte[] tlsSessionEncode(long session, Object owner);

  /** A session from {@link #tlsSessionEncode}, for connections of the context; IllegalArgumentException if it is not one. */
  public static native long tlsContextDecodeSession(long context, Object owner, byte[] encoded);

  /** Whether a session may be used but once (bit 32), and the seconds for which its server lets it be resumed (low 32 bits). */
  public static native long tlsSessionUse(long session, Object owner);

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

  /** Takes out what waits to be wrapped, before the connection is freed; null if nothing does. */
  public static native byte[] tlsTakePending(long connection, Object owner);

  /** Closes our direction; close_notify or user_canceled leaves by the next wraps. Answers how many bytes wait to be wrapped. */
  public static native int tlsCloseWrite(long connection, Object owner);

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
   * The decision that a suspended handshake waits for, in the low 32 bits: 0 none, 1 verify the peer's chain, 2 client hello, 3
   * certificate request, 4 decrypt, 5 pre-shared key, 6 session, 0x10000 + scheme sign. Above it the protocol version (bits 48 to 63) and the cipher suite (32 to
   * 47), zero before they are known.
   */
  public static native long tlsTask(long connection, Object owner);

  /**
   * Answers 1. Returns what the handshake needs next, as in a packed outcome; never FINISHED.
   *
   * @param alert what to reject the chain with; -1 accepts it
   * @throws IllegalStateException if that is not what is waited for
   */
  public static native int tlsSetVerified(long connection, Object owner, int alert);

  /**
   * Answers 2 and 3. Returns as {@link #tlsSetVerified}.
   *
   * @param credentials handles in order of preference
   * @param owners their {@link NativeRef}s
   * @param protocol server: null to choose from the configured list, else the chosen name, empty for none
   * @param alert what to fail with; -1 goes on
   * @throws IllegalStateException if that is not what is waited for
   */
  public static native int tlsSelect(
      long connection, Object owner, long[] credentials, Object owners, byte[] protocol, int alert);

  /** What is to be signed (the message itself) or decrypted. */
  public static native byte[] tlsKeyInput(long connection, Object owner);

  /**
   * Answers signing and decrypting; null fails the handshake. Returns as {@link #tlsSetVerified}.
   *
   * @throws IllegalStateException if that is not what is waited for
   */
  public static native int tlsSetKeyResult(long connection, Object owner, byte[] result);

  /**
   * Server, at the client hello: the hint for a client that chooses its pre-shared key by it (RFC 4279 section 5.2).
   *
   * @param hint at most 128 bytes, none of them zero
   * @throws IllegalArgumentException otherwise
   */
  public static native void tlsSetPreSharedKeyHint(long connection, Object owner, byte[] hint);

  /** At 5: the server's hint, null if it gave none; or the client's identity. */
  public static native byte[] tlsPreSharedKeyName(long connection, Object owner);

  /**
   * Answers 5. Returns as {@link #tlsSetVerified}.
   *
   * @param identity a client's, at most 128 bytes, none of them zero; null for a server
   * @param key 1 to 256 bytes; null fails the handshake
   * @throws IllegalArgumentException if they are not so
   * @throws IllegalStateException if that is not what is waited for
   */
  public static native int tlsSetPreSharedKey(long connection, Object owner, byte[] identity, byte[] key);

  /** At 6: the id of the session that the client wants to resume. */
  public static native byte[] tlsWantedSession(long connection, Object owner);

  /**
   * Answers 6. Returns as {@link #tlsSetVerified}.
   *
   * @param encoded as {@link #tlsSessionEncode} gave it; null or something else: there is no such session
   * @throws IllegalStateException if that is not what is waited for
   */
  public static native int tlsSetFoundSession(long connection, Object owner, byte[] encoded);

  /** Server: the client's ALPN list as on the wire; empty if it sent none. */
  public static native byte[] tlsOfferedProtocols(long connection, Object owner);

  /**
   * What an established connection agreed on, big-endian: when the resumed session was made, in seconds since 1970, or -1 (8 bytes);
   * protocol version, cipher suite, named group (2 each; the group zero if there is none); which of the credentials passed to {@link
   * #tlsSelect} is in use, or -1 (4); the session id's length (1) and the id; the application protocol, nothing if there is none.
   */
  public static native byte[] tlsNegotiated(long connection, Object owner);

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

  // --- post-quantum algorithms and key encapsulation ---
  //
  // Algorithms are 0 ML-KEM-768, 1 ML-KEM-1024, 2 ML-DSA-44, 3 ML-DSA-65, 4 ML-DSA-87, 5 SLH-DSA-SHA2-128s, 6 X-Wing,
  // 7 X25519, 8 P-256. Keys are immutable and may be used by several threads at once.

  /** A new private key. */
  public static native long pqGenerate(int algorithm);

  /** A private key from its seed or scalar (SLH-DSA: the key), or from an expanded key. */
  public static native long pqPrivateFromBytes(int algorithm, boolean expanded, byte[] key) throws InvalidKeyException;

  /** A private key from PKCS#8, of whichever algorithm. */
  public static native long pqPrivateFromPkcs8(byte[] encoded) throws InvalidKeyException;

  /** A public key from its encoding in the algorithm's specification. */
  public static native long pqPublicFromBytes(int algorithm, byte[] key) throws InvalidKeyException;

  /** A public key from SubjectPublicKeyInfo, of whichever algorithm. */
  public static native long pqPublicFromSpki(byte[] encoded) throws InvalidKeyException;

  /** The public key of a private one, a destroyed one too. */
  public static native long pqPublicOf(long privateKey, Object owner);

  /** Frees a private key; zero is ignored. */
  public static native void pqPrivateFree(long privateKey);

  /** Frees a public key; zero is ignored. */
  public static native void pqPublicFree(long publicKey);

  /** The algorithm's number. */
  public static native int pqPrivateAlgorithm(long privateKey, Object owner);

  /** The algorithm's number. */
  public static native int pqPublicAlgorithm(long publicKey, Object owner);

  /** Whether a private key is an expanded one, whose seed is not known. */
  public static native boolean pqPrivateExpanded(long privateKey, Object owner);

  /** The bytes that {@link #pqPrivateFromBytes} takes; IllegalStateException once destroyed. */
  public static native byte[] pqPrivateBytes(long privateKey, Object owner);

  /** PKCS#8; IllegalStateException once destroyed. */
  public static native byte[] pqPrivateEncoded(long privateKey, Object owner);

  /** The bytes that {@link #pqPublicFromBytes} takes. */
  public static native byte[] pqPublicBytes(long publicKey, Object owner);

  /** SubjectPublicKeyInfo. */
  public static native byte[] pqPublicEncoded(long publicKey, Object owner);

  /** Zeroes a private key after waiting for uses under way; whatever uses it later gets an IllegalStateException. */
  public static native void pqPrivateDestroy(long privateKey, Object owner);

  /** A fresh shared secret for the holder of the private key: encapsulation, then secret. */
  public static native byte[][] kemEncapsulate(long publicKey, Object owner) throws InvalidKeyException;

  /**
   * The shared secret in an encapsulation.
   *
   * @throws java.security.GeneralSecurityException if the encapsulation is malformed
   */
  public static native byte[] kemDecapsulate(long privateKey, Object owner, byte[] encapsulation)
      throws java.security.GeneralSecurityException;

  /** Signs messages with ML-DSA or SLH-DSA under a context of at most 255 bytes. */
  public static native long pqSignerNew(long privateKey, Object owner, byte[] context)
      throws InvalidKeyException, InvalidAlgorithmParameterException;

  /** Frees it; zero is ignored. */
  public static native void pqSignerFree(long signer);

  /** Appends input to the message. */
  public static native void pqSignerUpdate(
      long signer, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength);

  /** Forgets the message. */
  public static native void pqSignerReset(long signer, Object owner);

  /** The signature; goes back to the empty message. IllegalStateException if the key is destroyed. */
  public static native byte[] pqSignerSign(long signer, Object owner);

  /** Verifies signatures of ML-DSA or SLH-DSA under a context of at most 255 bytes. */
  public static native long pqVerifierNew(long publicKey, Object owner, byte[] context)
      throws InvalidKeyException, InvalidAlgorithmParameterException;

  /** Frees it; zero is ignored. */
  public static native void pqVerifierFree(long verifier);

  /** Appends input to the message. */
  public static native void pqVerifierUpdate(
      long verifier, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength);

  /** Forgets the message. */
  public static native void pqVerifierReset(long verifier, Object owner);

  /** Whether a signature of any length is valid; goes back to the empty message. */
  public static native boolean pqVerifierVerify(
      long verifier, Object owner, byte[] signature, int signatureOffset, int signatureLength);

  // --- HPKE ---

  /**
   * A sender's HPKE context (RFC 9180).
   *
   * @param kdf and {@code aead}: IANA's numbers
   * @param psk null for none; else at least 32 bytes
   * @param pskId not empty, with a {@code psk}
   * @param auth the sender's private key, or zero
   */
  public static native long hpkeSenderNew(
      int kdf, int aead, long recipient, Object owner, byte[] info, byte[] psk, byte[] pskId, long auth,
      Object authOwner)
      throws InvalidKeyException, InvalidAlgorithmParameterException;

  /** Frees it; zero is ignored. */
  public static native void hpkeSenderFree(long sender);

  /** The encapsulated key. */
  public static native byte[] hpkeSenderEncapsulated(long sender, Object owner);

  /** As {@link #hpkeSenderNew} in base mode with given randomness: for known answers in tests. */
  public static native long hpkeSenderFromSeed(
      int kdf, int aead, long recipient, Object owner, byte[] info, byte[] seed)
      throws InvalidKeyException;

  /** Encrypts the next message. */
  public static native byte[] hpkeSenderSeal(long sender, Object owner, byte[] plaintext, byte[] aad);

  /** A derived secret; IllegalArgumentException if it cannot be that long. */
  public static native byte[] hpkeSenderExport(long sender, Object owner, byte[] context, int length);

  /**
   * A recipient's HPKE context; as {@link #hpkeSenderNew}, {@code auth} being the sender's public key.
   *
   * @throws java.security.GeneralSecurityException if the encapsulated key is malformed
   */
  public static native long hpkeRecipientNew(
      int kdf, int aead, long key, Object owner, byte[] encapsulated, byte[] info, byte[] psk, byte[] pskId, long auth,
      Object authOwner)
      throws java.security.GeneralSecurityException;

  /** Frees it; zero is ignored. */
  public static native void hpkeRecipientFree(long recipient);

  /** Decrypts the next message; after a failure the same one is still the next. */
  public static native byte[] hpkeRecipientOpen(long recipient, Object owner, byte[] ciphertext, byte[] aad)
      throws AEADBadTagException;

  /** A derived secret; IllegalArgumentException if it cannot be that long. */
  public static native byte[] hpkeRecipientExport(long recipient, Object owner, byte[] context, int length);

  // --- box ---

  /** A handshake between the holders of two X25519 keys, as docs/BOX.md has it. */
  public static native long boxHandshakeNew(
      boolean initiator, long own, Object owner, long peer, Object peerOwner, byte[] context)
      throws InvalidKeyException;

  /** Frees it; zero is ignored. */
  public static native void boxHandshakeFree(long handshake);

  /** Our message. */
  public static native byte[] boxHandshakeWrite(long handshake, Object owner);

  /** Reads the other's message; the handshake is of no use after a failure. */
  public static native void boxHandshakeRead(long handshake, Object owner, byte[] message) throws AEADBadTagException;

  /** The hash of a handshake that is over, 32 bytes. */
  public static native byte[] boxHandshakeHash(long handshake, Object owner);

  /** The sending direction, once. */
  public static native long boxHandshakeSealer(long handshake, Object owner);

  /** The receiving direction, once. */
  public static native long boxHandshakeOpener(long handshake, Object owner);

  /** Frees it; zero is ignored. */
  public static native void boxSealerFree(long sealer);

  /** Frees it; zero is ignored. */
  public static native void boxOpenerFree(long opener);

  /**
   * Writes one record of a kind (0 part, 1 last, 2 end); answers its length. Input and output may overlap in any way.
   */
  public static native int boxSeal(
      long sealer, Object owner, int kind,
      byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset);

  /** Reads one whole record and writes its plaintext, 20 bytes less; answers its kind. Overlap as above. */
  public static native int boxOpen(
      long opener, Object owner,
      byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset)
      throws AEADBadTagException;

  // --- asymmetric keys, signatures, key agreement, RSA encryption ---
  //
  // Keys are immutable: any number of threads may use one. Numbers are big-endian and unsigned.

  /** RSA: a key's kind. */
  public static final int RSA = 0;

  /** RSA for PSS signatures only. */
  public static final int RSA_PSS = 1;

  /** NIST P-224; P-256, P-384 and P-521 follow. */
  public static final int P224 = 2;

  /** NIST P-256. */
  public static final int P256 = 3;

  /** NIST P-384. */
  public static final int P384 = 4;

  /** NIST P-521. */
  public static final int P521 = 5;

  /** X25519. */
  public static final int X25519 = 6;

  /** Ed25519. */
  public static final int ED25519 = 7;

  /** A public key from its SubjectPublicKeyInfo. */
  public static native long keyFromSpki(byte[] der) throws InvalidKeyException;

  /** A private key from PKCS#8, version 1 or 2. */
  public static native long keyFromPkcs8(byte[] der) throws InvalidKeyException;

  /** A public key from an encoded point of a curve (SEC 1 section 2.3.3), or the 32 bytes of X25519 and Ed25519. */
  public static native long keyFromPublicBytes(int kind, byte[] bytes) throws InvalidKeyException;

  /** A private key from the private number of a curve, or the 32 bytes of X25519 and Ed25519. */
  public static native long keyFromPrivateBytes(int kind, byte[] bytes) throws InvalidKeyException;

  /**
   * An RSA key.
   *
   * @param numbers public: n, e; private: n, e, d, or n, e, d, p, q, dp, dq, qinv; an unknown e is empty
   * @param parameters of a PSS key, DER; null for none
   */
  public static native long keyFromRsaNumbers(boolean isPrivate, boolean pss, byte[][] numbers, byte[] parameters)
      throws InvalidKeyException;

  /**
   * A new private key.
   *
   * @param bits of an RSA modulus, a multiple of 128; else ignored
   * @param exponent RSA's public one; else ignored and may be null
   */
  public static native long keyGenerate(int kind, int bits, byte[] exponent) throws InvalidAlgorithmParameterException;

  /** Frees a key; zero is ignored. */
  public static native void keyFree(long key);

  /** The public key that belongs to a private one. */
  public static native long keyPublicHalf(long key, Object owner) throws InvalidKeyException;

  /** The key's kind in the low 8 bits; bit 8: a private RSA key whose primes are known. */
  public static native int keyKind(long key, Object owner);

  /** The SubjectPublicKeyInfo of a public key, PKCS#8 version 1 of a private one. */
  public static native byte[] keyEncode(long key, Object owner);

  /**
   * RSA: n, e and for a private key d, p, q, dp, dq, qinv as far as they are known (an unknown e is empty). Curves: x
   * and y, or the private number. X25519 and Ed25519: the 32 bytes.
   */
  public static native byte[][] keyNumbers(long key, Object owner);

  /** The DER parameters of a PSS key; empty if it has none. */
  public static native byte[] keyPssParameters(long key, Object owner);

  /** RSASSA-PKCS1-v1_5 with a DigestInfo: a signature scheme. */
  public static final int SIGN_RSA_PKCS1 = 0;

  /** RSASSA-PKCS1-v1_5 padding around the input itself. */
  public static final int SIGN_RSA_RAW = 1;

  /** RSASSA-PSS. */
  public static final int SIGN_RSA_PSS = 2;

  /** ECDSA, DER. */
  public static final int SIGN_ECDSA = 3;

  /** ECDSA, r and s as long as the order. */
  public static final int SIGN_ECDSA_P1363 = 4;

  /** Ed25519. */
  public static final int SIGN_ED25519 = 5;

  /** A digest's number for ECDSA: the input is the digest. */
  public static final int NO_DIGEST = -1;

  /**
   * Signs.
   *
   * @param digest the message's digest algorithm, where the scheme has one
   * @param mgfDigest PSS: the digest in MGF1
   * @param saltLength PSS: bytes of salt
   * @param started whether {@code digester} has the beginning of the message; it goes back to the empty one
   * @param input the message, or what remains of it
   * @throws InvalidKeyException if the key is not of the scheme
   * @throws SignatureException if the key is too short for it
   */
  public static native byte[] signatureSign(
      long key, Object owner, int scheme, int digest, int mgfDigest, int saltLength,
      boolean started, long digester, Object digesterOwner, byte[] input, int inputOffset, int inputLength)
      throws InvalidKeyException, SignatureException;

  /**
   * Whether a signature is right. Parameters as {@link #signatureSign}.
   *
   * @throws SignatureException if it is malformed or of another length than the key's
   */
  public static native boolean signatureVerify(
      long key, Object owner, int scheme, int digest, int mgfDigest, int saltLength,
      boolean started, long digester, Object digesterOwner, byte[] input, int inputOffset, int inputLength,
      byte[] signature, int signatureOffset, int signatureLength)
      throws InvalidKeyException, SignatureException;

  /**
   * The secret that a private and a public key of one kind share.
   *
   * @throws InvalidKeyException if they are not, or the secret of X25519 is all zero
   */
  public static native byte[] agreementDerive(long key, Object owner, long peer, Object peerOwner)
      throws InvalidKeyException;

  /** No padding: for {@link #rsaApply}. */
  public static final int PAD_NONE = 0;

  /** PKCS #1 v1.5: block type 2 for public keys, 1 for private ones. */
  public static final int PAD_PKCS1 = 1;

  /** OAEP: public keys encrypt, private ones decrypt. */
  public static final int PAD_OAEP = 2;

  /** Bytes of an RSA key's modulus. */
  public static native int rsaSize(long key, Object owner);

  /**
   * Pads the input and applies the key, or applies it and removes the padding; answers how many bytes were written.
   *
   * @param label of OAEP; null is the empty one
   * @throws BadPaddingException if the message is too long, or for whatever a decryption fails
   */
  public static native int rsaApply(
      long key, Object owner, boolean encrypt, int padding, int digest, int mgfDigest, byte[] label,
      byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset)
      throws InvalidKeyException, BadPaddingException;
}
