package org.postscrypt.conscryptabi;

import java.lang.reflect.Method;

/** Prints nanoseconds of small calls, there and here in turns, the least of many short rounds, and their ratio. Argument: a regular expression for their names. */
public final class Speed {
  private static final int ROUNDS = 150;
  private static final long NANOS_OF_A_ROUND = 500_000;

  private Speed() {}

  public static void main(String[] arguments) throws Exception {
    Class<?> genuine = Class.forName("org.conscrypt.SmallCalls", true, Side.GENUINE);
    Class<?> ours = Class.forName("org.conscrypt.SmallCalls", true, Side.OURS);
    Method[] time = {
      genuine.getMethod("time", String.class, int.class), ours.getMethod("time", String.class, int.class),
    };
    String[] names = (String[]) genuine.getMethod("names").invoke(null);
    ours.getMethod("names").invoke(null);
    for (String name : names) {
      if (arguments.length > 0 && !name.matches(arguments[0])) {
        continue;
      }
      double[] nanos = {Double.MAX_VALUE, Double.MAX_VALUE};
      for (Method method : time) {
        method.invoke(null, name, 20_000);
      }
      int calls = (int) Math.max(100, NANOS_OF_A_ROUND * 1000 / (long) time[0].invoke(null, name, 1000));
      for (int round = 0; round < ROUNDS; round++) {
        for (int side = 0; side < 2; side++) {
          nanos[side] = Math.min(nanos[side], (double) (long) time[side].invoke(null, name, calls) / calls);
        }
      }
      System.out.printf("%-24s there %8.0f ns  here %8.0f ns  ratio %.2f%n", name, nanos[0], nanos[1], nanos[1] / nanos[0]);
    }
  }
}
