package org.postscrypt;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.postscrypt.nat.ShortCalls;

/**
 * What a thread allocates in Java. Calls through java.lang.foreign allocate nothing only as compiled code, which comes when the compiler
 * gets to it; and in about one JVM in eleven (JDK 25) it does not make away with all segments of a call, for as long as that JVM lasts.
 */
public final class Allocated {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);

  private Allocated() {}

  /** Whether this JVM counts it. */
  public static boolean isCounted() {
    return THREADS.isThreadAllocatedMemorySupported();
  }

  /** Bytes so far, by the calling thread. */
  public static long soFar() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** Whether a test that began at {@code start} ({@code System.nanoTime()}) and found too much should look again. */
  public static boolean isWorthALook(long start) {
    return ShortCalls.isForeign() && System.nanoTime() - start < PATIENCE;
  }

  /** Bytes that may come on top of a bound: those of the segments of a call. */
  public static long slack() {
    return ShortCalls.isForeign() ? 256 : 0;
  }
}
