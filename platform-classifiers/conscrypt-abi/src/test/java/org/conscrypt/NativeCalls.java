package org.conscrypt;

/** What the library says of itself, if it was built with counters (tools/conscrypt). */
public final class NativeCalls {
  private NativeCalls() {}

  /** A line for each native: name, descriptor and number of calls, tab-separated. */
  public static native String counts();
}
