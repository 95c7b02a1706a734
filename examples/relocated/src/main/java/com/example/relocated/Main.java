package com.example.relocated;

import com.example.work.Work;
import java.security.Provider;
import org.postscrypt.PostscryptProvider;

/** Two copies in one class loader: the relocated one, which this class is compiled into, and the original. */
public final class Main {
  private Main() {}

  /** The key store's file. */
  public static void main(String[] arguments) throws Exception {
    Work work = new Work(arguments[0]);
    Provider relocated = new PostscryptProvider();
    // Put together at run time, for relocation changes constants too.
    String name = String.join(".", "org", "postscrypt", "PostscryptProvider");
    Provider original = (Provider) Class.forName(name).getConstructor().newInstance();
    if (relocated.getClass() == original.getClass()) {
      throw new IllegalStateException("one copy only");
    }
    for (int round = 0; round < 2; round++) {
      work.standard(relocated);
      work.standard(original);
    }
    work.postQuantum(relocated);
  }
}
