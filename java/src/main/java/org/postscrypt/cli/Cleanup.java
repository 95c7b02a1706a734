package org.postscrypt.cli;

import java.io.IOException;

/** Something to undo, once: when closed, or when the JVM is told to stop before that. */
final class Cleanup implements AutoCloseable {
  /** What undoes it. */
  interface Action {
    /** Called once. */
    void run() throws IOException;
  }

  private final Action action;
  private final Thread hook = new Thread(this::atExit, "postscrypt-demo-cleanup");

  Cleanup(Action action) {
    this.action = action;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is stopping: the hook does it.
      return;
    }
    action.run();
  }

  private void atExit() {
    try {
      action.run();
    } catch (IOException e) {
      System.err.println("postscrypt: " + e);
    }
  }
}
