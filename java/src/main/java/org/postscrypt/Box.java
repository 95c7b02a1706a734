package org.postscrypt;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import javax.crypto.AEADBadTagException;

/**
 * A box over a pair of streams (a socket's, say): an authenticated and encrypted channel for messages between two
 * parties who know each other's X25519 public keys; no certificates. {@link BoxHandshake}, {@link BoxSealer} and
 * {@link BoxOpener} are the same for any other carrier.
 *
 * <pre>{@code
 * try (Box box = Box.connect(in, out, ownPrivateKey, peerPublicKey, context)) {
 *   box.send(request);
 *   byte[] answer = box.receive(1 << 20);
 * }
 * }</pre>
 *
 * Messages may be empty, and of any size. Changed, repeated, missing or reordered bytes give an {@link IOException} and
 * end the box; a stream that ends before the other side {@linkplain #end ended} the box an {@link EOFException}. One
 * thread may send while another receives; several that send, or receive, take turns.
 */
public final class Box implements Closeable {
  private final InputStream in;
  private final OutputStream out;
  private final BoxSealer sealer;
  private final BoxOpener opener;
  private final byte[] channelBinding;
  private final ReentrantLock sending = new ReentrantLock();
  private final ReentrantLock receiving = new ReentrantLock();
  private boolean ended;

  private Box(InputStream in, OutputStream out, BoxHandshake handshake) {
    this.in = in;
    this.out = out;
    sealer = handshake.sealer();
    opener = handshake.opener();
    channelBinding = handshake.channelBinding();
  }

  /**
   * Opens a box as the side that speaks first, in one round trip. Parameters as {@link BoxHandshake#initiator}. The
   * streams are not closed if it fails.
   *
   * @throws InvalidKeyException if a key is null, not X25519, or destroyed
   * @throws IOException if a stream fails, or the other side is not the expected one (caused by an {@link
   *     AEADBadTagException})
   */
  public static Box connect(InputStream in, OutputStream out, PrivateKey own, PublicKey peer, byte[] context)
      throws IOException, InvalidKeyException {
    try (BoxHandshake handshake = BoxHandshake.initiator(own, peer, context)) {
      out.write(handshake.start());
      out.flush();
      handshake.finish(readMessage(in));
      return new Box(in, out, handshake);
    } catch (AEADBadTagException e) {
      throw new IOException("the other side is not the expected one", e);
    }
  }

  /**
   * Opens a box as the side that answers; otherwise as {@link #connect}. Whether the other side is there and no old
   * message was played back is known when something was received: act on nothing before that.
   */
  public static Box accept(InputStream in, OutputStream out, PrivateKey own, PublicKey peer, byte[] context)
      throws IOException, InvalidKeyException {
    try (BoxHandshake handshake = BoxHandshake.responder(own, peer, context)) {
      out.write(handshake.respond(readMessage(in)));
      out.flush();
      return new Box(in, out, handshake);
    } catch (AEADBadTagException e) {
      throw new IOException("the other side is not the expected one", e);
    }
  }

  private static byte[] readMessage(InputStream in) throws IOException {
    byte[] message = new byte[BoxHandshake.MESSAGE_LENGTH];
    for (int done = 0; done < message.length; ) {
      int read = in.read(message, done, message.length - done);
      if (read < 0) {
        throw new EOFException("the handshake was cut off");
      }
      done += read;
    }
    return message;
  }

  /** As {@link BoxHandshake#channelBinding}. */
  public byte[] channelBinding() {
    return channelBinding.clone();
  }

  /**
   * Sends a message and flushes.
   *
   * @throws IllegalStateException if a message of {@link #sendStream} is not over, or the box was ended or closed
   */
  public void send(byte[] message) throws IOException {
    Objects.requireNonNull(message, "message");
    sending.lock();
    // Sealed record by record into the stream: no second copy of a long message.
    try (OutputStream stream = sealer.messageStream(out)) {
      stream.write(message);
    } finally {
      sending.unlock();
    }
  }

  /** A stream for one message, as {@link BoxSealer#messageStream} has it. */
  public OutputStream sendStream() {
    return sealer.messageStream(out);
  }

  /**
   * Receives a message.
   *
   * @param maxLength bytes that it may have at most
   * @return null if the other side ended the box
   * @throws IOException if it is longer (the rest is dropped when the next is received), the stream fails or is cut
   *     off, or its bytes are not the other side's
   */
  public byte[] receive(int maxLength) throws IOException {
    if (maxLength < 0) {
      throw new IllegalArgumentException("negative length");
    }
    receiving.lock();
    try {
      InputStream stream = opener.messageStream(in);
      return stream == null ? null : readAll(stream, maxLength);
    } finally {
      receiving.unlock();
    }
  }

  private static byte[] readAll(InputStream stream, int maxLength) throws IOException {
    byte[] message = new byte[Math.min(maxLength, 1024)];
    int length = 0;
    while (true) {
      if (length < message.length) {
        int read = stream.read(message, length, message.length - length);
        if (read < 0) {
          break;
        }
        length += read;
        continue;
      }
      int next = stream.read();
      if (next < 0) {
        return message;
      }
      boolean tooLong = length == maxLength;
      byte[] longer = tooLong ? null : Arrays.copyOf(message, (int) Math.min(maxLength, Math.max(4L * length, 1024)));
      Arrays.fill(message, (byte) 0);
      if (tooLong) {
        throw new IOException("a message of more than " + maxLength + " bytes");
      }
      message = longer;
      message[length++] = (byte) next;
    }
    byte[] exact = Arrays.copyOf(message, length);
    Arrays.fill(message, (byte) 0);
    return exact;
  }

  /** The next message as a stream, as {@link BoxOpener#messageStream} has it; null if the other side ended the box. */
  public InputStream receiveStream() throws IOException {
    receiving.lock();
    try {
      return opener.messageStream(in);
    } finally {
      receiving.unlock();
    }
  }

  /** Tells the other side that no message follows; again is a no-op. Receiving goes on. */
  public void end() throws IOException {
    sending.lock();
    try {
      if (!ended) {
        byte[] record = sealer.end();
        ended = true;
        out.write(record);
        out.flush();
      }
    } finally {
      sending.unlock();
    }
  }

  /**
   * Ends the box if it was not, closes both streams and zeroes the keys. A message that is being written is not ended
   * for it: the other side will see that it is cut off. Does not wait for a thread that sends or receives.
   */
  @Override
  public void close() throws IOException {
    try {
      if (sending.tryLock()) {
        try {
          end();
        } catch (IllegalStateException e) {
          ended = true; // A message is not over.
        } finally {
          sending.unlock();
        }
      }
    } finally {
      try {
        out.close();
      } finally {
        in.close();
        sealer.close();
        opener.close();
      }
    }
  }
}
