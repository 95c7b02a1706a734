package org.conscrypt;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Socket options by name through the methods that Java 8's {@link Socket} has. A class of its own because Android has
 * {@code
 * SocketOption} only from API level 24.
 */
final class SocketOptions {
  private static final Set<SocketOption<?>> KNOWN =
      Collections.unmodifiableSet(
          new LinkedHashSet<>(
              Arrays.asList(
                  StandardSocketOptions.SO_KEEPALIVE,
                  StandardSocketOptions.SO_SNDBUF,
                  StandardSocketOptions.SO_RCVBUF,
                  StandardSocketOptions.SO_REUSEADDR,
                  StandardSocketOptions.SO_LINGER,
                  StandardSocketOptions.IP_TOS,
                  StandardSocketOptions.TCP_NODELAY)));

  private SocketOptions() {}

  static Set<SocketOption<?>> supported(Socket socket) {
    return socket.getChannel() != null ? socket.getChannel().supportedOptions() : KNOWN;
  }

  static <T> void set(Socket socket, SocketOption<T> name, T value) throws IOException {
    Objects.requireNonNull(name, "name");
    if (socket.getChannel() != null) {
      socket.getChannel().setOption(name, value);
      return;
    }
    if (!KNOWN.contains(name)) {
      throw new UnsupportedOperationException("'" + name + "' not supported");
    }
    if (value == null) {
      throw new IllegalArgumentException("Value of " + name + " is null");
    }
    if (name == StandardSocketOptions.SO_KEEPALIVE) {
      socket.setKeepAlive((Boolean) value);
    } else if (name == StandardSocketOptions.SO_SNDBUF) {
      socket.setSendBufferSize((Integer) value);
    } else if (name == StandardSocketOptions.SO_RCVBUF) {
      socket.setReceiveBufferSize((Integer) value);
    } else if (name == StandardSocketOptions.SO_REUSEADDR) {
      socket.setReuseAddress((Boolean) value);
    } else if (name == StandardSocketOptions.SO_LINGER) {
      int seconds = (Integer) value;
      socket.setSoLinger(seconds >= 0, Math.max(seconds, 0));
    } else if (name == StandardSocketOptions.IP_TOS) {
      socket.setTrafficClass((Integer) value);
    } else {
      socket.setTcpNoDelay((Boolean) value);
    }
  }

  static <T> T get(Socket socket, SocketOption<T> name) throws IOException {
    Objects.requireNonNull(name, "name");
    if (socket.getChannel() != null) {
      return socket.getChannel().getOption(name);
    }
    Object value;
    if (name == StandardSocketOptions.SO_KEEPALIVE) {
      value = socket.getKeepAlive();
    } else if (name == StandardSocketOptions.SO_SNDBUF) {
      value = socket.getSendBufferSize();
    } else if (name == StandardSocketOptions.SO_RCVBUF) {
      value = socket.getReceiveBufferSize();
    } else if (name == StandardSocketOptions.SO_REUSEADDR) {
      value = socket.getReuseAddress();
    } else if (name == StandardSocketOptions.SO_LINGER) {
      value = socket.getSoLinger();
    } else if (name == StandardSocketOptions.IP_TOS) {
      value = socket.getTrafficClass();
    } else if (name == StandardSocketOptions.TCP_NODELAY) {
      value = socket.getTcpNoDelay();
    } else {
      throw new UnsupportedOperationException("'" + name + "' not supported");
    }
    return name.type().cast(value);
  }
}
