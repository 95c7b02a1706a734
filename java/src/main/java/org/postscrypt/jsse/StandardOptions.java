package org.postscrypt.jsse;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.postscrypt.nat.Guarded;

/**
 * Socket options by name on a {@link Socket} of the Java 8 API: all of its channel's where it has one, else the seven
 * that {@code Socket} has methods for. A class of its own because Android has {@code SocketOption} only from API
 * level 24.
 */
@Guarded("called with an option, or by those who have Java 9's methods of Socket")
final class StandardOptions {
  private StandardOptions() {}

  static Set<SocketOption<?>> supported(Socket socket) {
    SocketChannel channel = socket.getChannel();
    if (channel != null) {
      return channel.supportedOptions();
    }
    Set<SocketOption<?>> options = new LinkedHashSet<>();
    options.add(StandardSocketOptions.SO_KEEPALIVE);
    options.add(StandardSocketOptions.SO_SNDBUF);
    options.add(StandardSocketOptions.SO_RCVBUF);
    options.add(StandardSocketOptions.SO_REUSEADDR);
    options.add(StandardSocketOptions.SO_LINGER);
    options.add(StandardSocketOptions.IP_TOS);
    options.add(StandardSocketOptions.TCP_NODELAY);
    return Collections.unmodifiableSet(options);
  }

  /**
   * Sets one option.
   *
   * @throws UnsupportedOperationException if the option cannot be expressed
   * @throws IllegalArgumentException if the value is out of range or null
   */
  static <T> void set(Socket socket, SocketOption<T> name, T value) throws IOException {
    Objects.requireNonNull(name, "name");
    SocketChannel channel = socket.getChannel();
    if (channel != null) {
      channel.setOption(name, value);
    } else if (!supported(socket).contains(name)) {
      throw unsupported(name);
    } else if (value == null) {
      throw new IllegalArgumentException("Value of " + name + " is null");
    } else if (name.equals(StandardSocketOptions.SO_KEEPALIVE)) {
      socket.setKeepAlive((Boolean) value);
    } else if (name.equals(StandardSocketOptions.SO_SNDBUF)) {
      socket.setSendBufferSize((Integer) value);
    } else if (name.equals(StandardSocketOptions.SO_RCVBUF)) {
      socket.setReceiveBufferSize((Integer) value);
    } else if (name.equals(StandardSocketOptions.SO_REUSEADDR)) {
      socket.setReuseAddress((Boolean) value);
    } else if (name.equals(StandardSocketOptions.SO_LINGER)) {
      int seconds = (Integer) value;
      socket.setSoLinger(seconds >= 0, seconds);
    } else if (name.equals(StandardSocketOptions.IP_TOS)) {
      socket.setTrafficClass((Integer) value);
    } else {
      socket.setTcpNoDelay((Boolean) value);
    }
  }

  /**
   * The value of one option.
   *
   * @throws UnsupportedOperationException if the option cannot be expressed
   */
  static <T> T get(Socket socket, SocketOption<T> name) throws IOException {
    Objects.requireNonNull(name, "name");
    SocketChannel channel = socket.getChannel();
    if (channel != null) {
      return channel.getOption(name);
    }
    Object value;
    if (name.equals(StandardSocketOptions.SO_KEEPALIVE)) {
      value = socket.getKeepAlive();
    } else if (name.equals(StandardSocketOptions.SO_SNDBUF)) {
      value = socket.getSendBufferSize();
    } else if (name.equals(StandardSocketOptions.SO_RCVBUF)) {
      value = socket.getReceiveBufferSize();
    } else if (name.equals(StandardSocketOptions.SO_REUSEADDR)) {
      value = socket.getReuseAddress();
    } else if (name.equals(StandardSocketOptions.SO_LINGER)) {
      value = socket.getSoLinger();
    } else if (name.equals(StandardSocketOptions.IP_TOS)) {
      value = socket.getTrafficClass();
    } else if (name.equals(StandardSocketOptions.TCP_NODELAY)) {
      value = socket.getTcpNoDelay();
    } else {
      throw unsupported(name);
    }
    return name.type().cast(value);
  }

  private static UnsupportedOperationException unsupported(SocketOption<?> name) {
    return new UnsupportedOperationException("'" + name + "' not supported");
  }
}
