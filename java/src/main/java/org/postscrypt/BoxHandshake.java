package org.postscrypt;

import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Objects;
import javax.crypto.AEADBadTagException;
import org.postscrypt.jce.PqPrivateKey;
import org.postscrypt.jce.PqPublicKey;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * The handshake of a box: two parties who know each other's X25519 public keys get a channel, with one message of
 * {@value #MESSAGE_LENGTH} bytes each way over whatever carries bytes ({@link Box} does it over streams).
 *
 * <pre>{@code
 * initiator: first = h.start();            responder: reply = h.respond(first);
 *            h.finish(reply);                         h.sealer(), h.opener()
 *            h.sealer(), h.opener()
 * }</pre>
 *
 * Once {@code finish} returned, the initiator knows that the responder, and nobody else, has the channel's keys. The
 * responder knows the same of the initiator when it has opened the first record: a first message can be a replay of an
 * old one, which leads to a channel that nobody can use. Recorded traffic stays secret even if both private keys leak
 * later. {@code docs/BOX.md} has the format and the reasons (Noise KK, X25519, AES-256-GCM, SHA-256).
 *
 * <p>Threads take turns. After a failure a handshake is of no use.
 */
public final class BoxHandshake implements AutoCloseable {
  /** Length of each message in bytes. */
  public static final int MESSAGE_LENGTH = 48;

  private static final NativeRef.Free FREE = NativeCrypto::boxHandshakeFree;

  private final boolean initiator;
  private final NativeRef ref;
  private BoxSealer sealer;
  private BoxOpener opener;
  private byte[] hash;

  private BoxHandshake(boolean initiator, PrivateKey own, PublicKey peer, byte[] context) throws InvalidKeyException {
    this.initiator = initiator;
    PqPrivateKey ownKey = Kem.DHKEM_X25519.own(own);
    PqPublicKey peerKey = Kem.DHKEM_X25519.own(peer);
    Objects.requireNonNull(context, "context");
    ref = new NativeRef(
        NativeCrypto.boxHandshakeNew(
            initiator, ownKey.handle(), ownKey.ref(), peerKey.handle(), peerKey.ref(), context),
        FREE);
  }

  /**
   * The side that speaks first.
   *
   * @param own our X25519 private key, of any provider
   * @param peer the other's X25519 public key
   * @param context what both sides must agree on (a protocol's name and version, say), of any length; may be empty
   * @throws InvalidKeyException if a key is null, not X25519, destroyed, or of small order
   */
  public static BoxHandshake initiator(PrivateKey own, PublicKey peer, byte[] context) throws InvalidKeyException {
    return new BoxHandshake(true, own, peer, context);
  }

  /** The side that answers; parameters as {@link #initiator}. */
  public static BoxHandshake responder(PrivateKey own, PublicKey peer, byte[] context) throws InvalidKeyException {
    return new BoxHandshake(false, own, peer, context);
  }

  private void side(boolean initiators) {
    if (initiator != initiators) {
      throw new IllegalStateException(initiators ? "only the initiator does this" : "only the responder does this");
    }
  }

  /**
   * Initiator: the first message.
   *
   * @throws IllegalStateException if it was made already, or this is the responder
   */
  public synchronized byte[] start() {
    side(true);
    return NativeCrypto.boxHandshakeWrite(ref.handle(), ref);
  }

  /**
   * Responder: reads the first message and answers; the channel is ready then.
   *
   * @throws AEADBadTagException if the message was not made by the peer for us with this context
   * @throws IllegalStateException if it is not the time for this, or this is the initiator
   */
  public synchronized byte[] respond(byte[] first) throws AEADBadTagException {
    side(false);
    NativeCrypto.boxHandshakeRead(ref.handle(), ref, first);
    byte[] reply = NativeCrypto.boxHandshakeWrite(ref.handle(), ref);
    split();
    return reply;
  }

  /**
   * Initiator: reads the answer; the channel is ready then.
   *
   * @throws AEADBadTagException if the answer is not the peer's to our first message
   * @throws IllegalStateException if it is not the time for this, or this is the responder
   */
  public synchronized void finish(byte[] reply) throws AEADBadTagException {
    side(true);
    NativeCrypto.boxHandshakeRead(ref.handle(), ref, reply);
    split();
  }

  private void split() {
    hash = NativeCrypto.boxHandshakeHash(ref.handle(), ref);
    sealer = new BoxSealer(NativeCrypto.boxHandshakeSealer(ref.handle(), ref));
    opener = new BoxOpener(NativeCrypto.boxHandshakeOpener(ref.handle(), ref));
    ref.close();
  }

  private <T> T ready(T value) {
    if (value == null) {
      throw new IllegalStateException("the handshake is not over");
    }
    return value;
  }

  /**
   * The sending direction; the same object each time.
   *
   * @throws IllegalStateException before the handshake is over
   */
  public synchronized BoxSealer sealer() {
    return ready(sealer);
  }

  /** The receiving direction; as {@link #sealer}. */
  public synchronized BoxOpener opener() {
    return ready(opener);
  }

  /**
   * 32 bytes that are the same on both sides and of no other handshake: a channel binding for protocols above.
   *
   * @throws IllegalStateException before the handshake is over
   */
  public synchronized byte[] channelBinding() {
    return ready(hash).clone();
  }

  /** Gives up a handshake that is not over, and zeroes its keys; otherwise a no-op. */
  @Override
  public synchronized void close() {
    ref.close();
  }
}
