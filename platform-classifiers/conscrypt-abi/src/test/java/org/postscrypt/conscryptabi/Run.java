package org.postscrypt.conscryptabi;

/** Shows what one case gives on both sides: class, method. */
public final class Run {
  private Run() {}

  public static void main(String[] arguments) throws Exception {
    for (Side side : new Side[] {Side.GENUINE, Side.OURS}) {
      Class<?> cases = Class.forName("org.conscrypt." + arguments[0], true, side);
      String text = Text.of(() -> cases.getMethod(arguments[1]).invoke(null));
      System.out.println(side.getName());
      int line = 0;
      for (String value : text.split(", ")) {
        System.out.println(line++ + " " + value);
      }
    }
  }
}
