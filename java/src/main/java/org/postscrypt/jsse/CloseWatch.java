package org.postscrypt.jsse;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends a blocked write of a closing socket: the Java socket API has no write time-out, so somebody else has to.
 *
 * <p>One daemon thread in all, gone after some idle seconds; what it starts, in the rare case of a peer that does not
 * read, has its own short-lived thread because closing a transport may itself block.
 */
final class CloseWatch {
  private static final ScheduledThreadPoolExecutor TIMER = newTimer();

  private CloseWatch() {}

  private static ScheduledThreadPoolExecutor newTimer() {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, r -> daemon(r, "postscrypt-close-watch"));
    timer.setKeepAliveTime(5, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** Runs {@code action} on a thread of its own after some milliseconds unless the result is cancelled before. */
  static Future<?> after(long millis, Runnable action) {
    return TIMER.schedule(() -> daemon(action, "postscrypt-close").start(), millis, TimeUnit.MILLISECONDS);
  }

  /** A daemon thread that keeps no class loader of the application alive. */
  static Thread daemon(Runnable action, String name) {
    Thread thread = new Thread(null, action, name);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }
}
