package org.postscrypt.jars;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.Provider;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A program: lets two class loaders work on two threads, drops them, and lets the threads end. */
final class Unloading {
  private Unloading() {}

  /** The jar; a directory for the key store. */
  public static void main(String[] arguments) throws Exception {
    URL jar = Path.of(arguments[0]).toUri().toURL();
    Traffic traffic = Traffic.create(Path.of(arguments[1]));
    ExecutorService worker = Executors.newSingleThreadExecutor();
    WeakReference<?> one = worker.submit(() -> work(jar, traffic)).get();
    WeakReference<?> two = work(jar, traffic);
    for (int i = 0; one.get() != null || two.get() != null; i++) {
      if (i == 100) {
        System.out.println("still there: " + one.get() + ", " + two.get());
        System.exit(1);
      }
      System.gc();
      Thread.sleep(50);
    }
    // A thread that used a library, and ends after its class loader did; so does this one.
    worker.shutdown();
    System.out.println("collected, worker ended: " + worker.awaitTermination(10, TimeUnit.SECONDS));
  }

  private static WeakReference<?> work(URL jar, Traffic traffic) throws Exception {
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader())) {
      traffic.run((Provider) loader.loadClass("org.postscrypt.Postscrypt").getMethod("newProvider").invoke(null));
      return new WeakReference<>(loader);
    }
  }
}
