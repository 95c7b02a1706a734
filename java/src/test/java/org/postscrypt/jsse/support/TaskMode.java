package org.postscrypt.jsse.support;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Where delegated tasks run. */
public enum TaskMode {
  /** In the thread that wraps and unwraps. */
  INLINE,
  /** Each in a thread of its own, which has ended when the pump goes on. */
  OTHER_THREAD;

  void run(Runnable task) {
    if (this == INLINE) {
      task.run();
      return;
    }
    FutureTask<Void> future = new FutureTask<>(task, null);
    Thread thread = new Thread(future, "delegated task");
    thread.setDaemon(true);
    thread.start();
    try {
      future.get(20, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("delegated task", e);
    }
  }
}
