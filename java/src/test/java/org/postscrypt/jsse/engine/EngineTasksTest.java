package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLHandshakeException;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.DelegatingTrustManager;
import org.postscrypt.jsse.support.EachKey;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.TaskMode;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.TlsCase;

/** Delegated tasks. */
class EngineTasksTest {
  @EachKey
  void tasksRunInAnyThread(TlsCase c) throws Exception {
    EnginePump pump = c.engines()
        .tasks(TaskMode.OTHER_THREAD)
        .clientIdentity(TestPki.client(c.key()))
        .server(e -> e.setNeedClientAuth(true))
        .open();
    pump.handshake();
    assertTrue(pump.client().tasksRun() > 0);
    assertTrue(pump.server().tasksRun() > 0);
    pump.send(pump.client(), Bytes.pattern(1000));
    pump.send(pump.server(), Bytes.pattern(1000));
  }

  /** What may block, calls of application code, happens in tasks: neither in wrap nor in unwrap. */
  @EachVersion
  void trustManagerIsCalledInATask(TlsCase c) throws Exception {
    List<Thread> threads = new ArrayList<>();
    DelegatingTrustManager trust = new DelegatingTrustManager() {
      @Override
      public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
          throws CertificateException {
        threads.add(Thread.currentThread());
        super.checkServerTrusted(chain, authType, engine);
      }
    };
    EnginePump pump = c.engines().tasks(TaskMode.OTHER_THREAD).clientTrust(trust).open();
    pump.handshake();
    assertEquals(1, threads.size());
    assertNotEquals(Thread.currentThread(), threads.get(0));
  }

  private static EnginePump untilTask(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.begin();
    pump.client().wrapAndSend();
    pump.server().unwrapNext();
    assertEquals(HandshakeStatus.NEED_TASK, pump.server().engine().getHandshakeStatus());
    return pump;
  }

  @EachVersion
  void pendingTaskStopsWrapAndUnwrap(TlsCase c) throws Exception {
    EnginePump pump = untilTask(c);
    EngineSide server = pump.server();
    for (int i = 0; i < 3; i++) {
      SSLEngineResult wrapped = server.wrapAndSend();
      assertEquals(HandshakeStatus.NEED_TASK, wrapped.getHandshakeStatus());
      assertEquals(0, wrapped.bytesProduced());
      SSLEngineResult unwrapped = server.unwrapNext();
      assertEquals(HandshakeStatus.NEED_TASK, unwrapped.getHandshakeStatus());
      assertEquals(0, unwrapped.bytesConsumed());
    }
    pump.settle();
    pump.assertEstablished();
  }

  @EachVersion
  void taskTakenButNotRunIsStillPending(TlsCase c) throws Exception {
    EnginePump pump = untilTask(c);
    SSLEngine server = pump.server().engine();
    List<Runnable> tasks = new ArrayList<>();
    for (Runnable task; (task = server.getDelegatedTask()) != null; ) {
      tasks.add(task);
    }
    assertTrue(tasks.size() > 0);
    assertNull(server.getDelegatedTask(), "each task is given once");
    assertEquals(HandshakeStatus.NEED_TASK, server.getHandshakeStatus());
    assertEquals(0, pump.server().wrapAndSend().bytesProduced());
    for (Runnable task : tasks) {
      task.run();
    }
    assertNotEquals(HandshakeStatus.NEED_TASK, server.getHandshakeStatus());
    pump.settle();
    pump.assertEstablished();
  }

  /** A task may run while other threads ask for the status; nothing deadlocks, the end is seen. */
  @EachVersion
  void statusMayBeAskedWhileATaskRuns(TlsCase c) throws Exception {
    EnginePump pump = untilTask(c);
    SSLEngine server = pump.server().engine();
    Runnable task = server.getDelegatedTask();
    assertNotNull(task);
    Thread thread = new Thread(task, "delegated task");
    thread.setDaemon(true);
    thread.start();
    server.getHandshakeStatus();
    server.getSession();
    server.getSSLParameters();
    thread.join(10_000);
    pump.settle();
    pump.assertEstablished();
  }

  @EachVersion
  void failedTaskIsReportedByWrapOrUnwrapNotByTheTask(TlsCase c) throws Exception {
    EnginePump pump = c.engines().serverIdentity(TestPki.untrusted()).open();
    // runTasks() lets exceptions of tasks through: failHandshake() would record one that is no SSLException.
    pump.failHandshake();
    assertTrue(pump.client().failure() instanceof SSLHandshakeException);
    assertNull(pump.client().engine().getDelegatedTask());
  }
}
