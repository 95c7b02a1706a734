package org.postscrypt.jsse.support;

import java.util.ArrayList;
import java.util.List;

/** Who talks to whom. The one place that decides which pairings the contract suite runs. */
public record Pairing(Peer client, Peer server) {
  /** Overrides the choice: comma-separated, client first, such as {@code JDK-JDK,POSTSCRYPT-JDK}. */
  private static final String PROPERTY = "org.postscrypt.test.pairings";

  private static final List<Pairing> ALL = choose();

  /** The pairings of this run: those with our provider, or the JDK with itself while ours is not on the class path. */
  public static List<Pairing> all() {
    return ALL;
  }

  /** Ours with each other implementation there is, in both roles. */
  public static List<Pairing> others() {
    List<Pairing> pairings = new ArrayList<>();
    for (Peer other : new Peer[] {Peer.CONSCRYPT, Peer.NETTY, Peer.BCJSSE}) {
      pairings.add(new Pairing(Peer.POSTSCRYPT, other));
      pairings.add(new Pairing(other, Peer.POSTSCRYPT));
    }
    return pairings;
  }

  /** The one that is not ours; ours if both are. */
  public Peer other() {
    return client == Peer.POSTSCRYPT ? server : client;
  }

  private static List<Pairing> choose() {
    String wanted = System.getProperty(PROPERTY);
    if (wanted != null && !wanted.isEmpty()) {
      List<Pairing> chosen = new ArrayList<>();
      for (String pair : wanted.split(",")) {
        String[] names = pair.trim().split("-");
        chosen.add(new Pairing(Peer.valueOf(names[0]), Peer.valueOf(names[1])));
      }
      return List.copyOf(chosen);
    }
    if (!Peer.POSTSCRYPT.isPresent()) {
      return List.of(new Pairing(Peer.JDK, Peer.JDK));
    }
    return List.of(
        new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT),
        new Pairing(Peer.POSTSCRYPT, Peer.JDK),
        new Pairing(Peer.JDK, Peer.POSTSCRYPT));
  }

  @Override
  public String toString() {
    return client + "-" + server;
  }
}
