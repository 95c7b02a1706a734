package org.postscrypt.jsse.support;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** One point of the suite's matrix. */
public record TlsCase(Pairing pairing, Tls tls, KeyType key, BufferKind buffers) {
  private static final List<KeyType> KEYS = List.of(KeyType.RSA, KeyType.EC);

  /** Every pairing once, at TLS 1.3. */
  public static Stream<TlsCase> pairings() {
    return Pairing.all().stream().map(p -> new TlsCase(p, Tls.V13, KeyType.EC, BufferKind.HEAP));
  }

  /** Pairings × protocol versions. */
  public static Stream<TlsCase> versions() {
    return matrix(List.of(KeyType.EC), List.of(BufferKind.HEAP));
  }

  /** Pairings × protocol versions × key types. */
  public static Stream<TlsCase> keys() {
    return matrix(KEYS, List.of(BufferKind.HEAP));
  }

  /** Pairings × protocol versions × every kind of key that TLS certificates have. */
  public static Stream<TlsCase> allKeys() {
    return matrix(List.of(KeyType.values()), List.of(BufferKind.HEAP));
  }

  /** Pairings × protocol versions × buffer kinds. */
  public static Stream<TlsCase> bufferKinds() {
    return matrix(List.of(KeyType.EC), List.of(BufferKind.values()));
  }

  /** As {@link #versions()}, with the other implementations. */
  public static Stream<TlsCase> others() {
    return matrix(Pairing.others(), List.of(KeyType.EC), List.of(BufferKind.HEAP));
  }

  /** As {@link #allKeys()}, with the other implementations. */
  public static Stream<TlsCase> othersWithKeys() {
    return matrix(Pairing.others(), List.of(KeyType.values()), List.of(BufferKind.DIRECT));
  }

  private static Stream<TlsCase> matrix(List<KeyType> keys, List<BufferKind> buffers) {
    return matrix(Pairing.all(), keys, buffers);
  }

  private static Stream<TlsCase> matrix(List<Pairing> pairings, List<KeyType> keys, List<BufferKind> buffers) {
    List<TlsCase> cases = new ArrayList<>();
    for (Pairing pairing : pairings) {
      for (Tls tls : Tls.values()) {
        for (KeyType key : keys) {
          for (BufferKind kind : buffers) {
            cases.add(new TlsCase(pairing, tls, key, kind));
          }
        }
      }
    }
    return cases.stream();
  }

  /** The same at another protocol version. */
  public TlsCase at(Tls version) {
    return new TlsCase(pairing, version, key, buffers);
  }

  /** Starts the set-up of a pair of engines. */
  public EngineSetup engines() {
    return new EngineSetup(this);
  }

  /** Two engines after a handshake with the usual set-up. */
  public EnginePump connected() throws Exception {
    EnginePump pump = engines().open();
    pump.handshake();
    return pump;
  }

  /** Starts the set-up of sockets. */
  public SocketSetup sockets() {
    return new SocketSetup(this);
  }

  @Override
  public String toString() {
    return pairing + " " + tls + " " + key + " " + buffers;
  }
}
