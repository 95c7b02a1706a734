package org.postscrypt.jsse.socket;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CountDownLatch;

/** A transport whose writes can be made to block, until it is unclogged or closed. */
final class Clogged extends Socket {
  final CountDownLatch entered = new CountDownLatch(1);
  private volatile CountDownLatch clog = new CountDownLatch(0);

  void clog() {
    clog = new CountDownLatch(1);
  }

  void unclog() {
    clog.countDown();
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return new FilterOutputStream(super.getOutputStream()) {
      @Override
      public void write(byte[] b, int off, int len) throws IOException {
        if (clog.getCount() > 0) {
          entered.countDown();
        }
        try {
          clog.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
        if (isClosed()) {
          throw new SocketException("Socket closed");
        }
        out.write(b, off, len);
      }
    };
  }

  @Override
  public void close() throws IOException {
    super.close();
    unclog();
  }
}
