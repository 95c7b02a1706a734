package org.postscrypt.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.Provider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several copies in one JVM. */
@Timeout(120)
class ClassLoadersIT {
  private static final String PATH = "org.postscrypt.native.path";

  @TempDir
  Path directory;

  @Test
  void twoLoadersOfOneJar() throws Exception {
    try (URLClassLoader one = loader(Jars.UBER); URLClassLoader two = loader(Jars.UBER)) {
      assertNotSame(one.loadClass("org.postscrypt.Postscrypt"), two.loadClass("org.postscrypt.Postscrypt"));
      assertWorks(one, "org");
      assertWorks(two, "org");
      assertWorks(one, "org");
    }
  }

  @Test
  void twoLoadersOfOneFile() throws Exception {
    System.setProperty(PATH, Jars.NATIVE.toString());
    try (URLClassLoader one = loader(Jars.PLAIN); URLClassLoader two = loader(Jars.PLAIN)) {
      assertWorks(one, "org");
      assertWorks(two, "org");
    } finally {
      System.clearProperty(PATH);
    }
  }

  @Test
  void originalAndRelocatedCopyInOneLoader() throws Exception {
    Path shaded = Jars.relocated(Jars.UBER, directory.resolve("shaded.jar"));
    try (URLClassLoader both = loader(Jars.UBER, shaded)) {
      assertWorks(both, "orx");
      assertWorks(both, "org");
      assertTrue(from(both, "orx").contains("shaded.jar!/"), from(both, "orx"));
      assertTrue(from(both, "org").contains(Jars.UBER.getFileName() + "!/"), from(both, "org"));
    }
  }

  @Test
  void trafficInTwoLoadersAndARelocatedCopy() throws Exception {
    Traffic traffic = Traffic.create(directory);
    Path shaded = Jars.relocated(Jars.UBER, directory.resolve("shaded.jar"));
    try (URLClassLoader one = loader(Jars.UBER); URLClassLoader two = loader(Jars.UBER); URLClassLoader both = loader(Jars.UBER, shaded)) {
      Provider[] providers = {
        provider(one, "org"), provider(two, "org"), provider(both, "org"), provider(both, "orx"),
      };
      // In turn, so that state which they shared would show.
      for (int round = 0; round < 2; round++) {
        for (Provider provider : providers) {
          traffic.run(provider);
        }
      }
    }
  }

  /** A class loader that has worked is collected; threads that worked for it end later. */
  @Test
  void aLoaderIsUnloadedAfterTraffic() throws Exception {
    Jvm.Result result = new Jvm().nativeAccess("ALL-UNNAMED").property("java.io.tmpdir", directory)
        .with("-cp", Jars.testClasses().toString(), Unloading.class.getName(), Jars.UBER.toString(), directory.toString()).run();
    assertEquals(0, result.status, result.toString());
    assertEquals("collected, worker ended: true\n", result.out);
  }

  @Test
  void manyThreadsAndLoadersAtOnce() throws Exception {
    int loaders = 4;
    int threads = 4;
    Path shaded = Jars.relocated(Jars.UBER, directory.resolve("shaded.jar"));
    ExecutorService pool = Executors.newFixedThreadPool(loaders * threads);
    CyclicBarrier start = new CyclicBarrier(loaders * threads);
    List<URLClassLoader> opened = new ArrayList<>();
    try {
      List<Future<Void>> work = new ArrayList<>();
      for (int l = 0; l < loaders; l++) {
        String root = l % 2 == 0 ? "org" : "orx";
        URLClassLoader loader = loader(l % 2 == 0 ? Jars.UBER : shaded);
        opened.add(loader);
        for (int t = 0; t < threads; t++) {
          // Half of them come through the class with the natives, half through the public door: both ways load.
          boolean natives = t % 2 == 0;
          Callable<Void> task = () -> {
            start.await(60, TimeUnit.SECONDS);
            if (natives) {
              Class<?> crypto = Class.forName(root + ".postscrypt.nat.NativeCrypto", true, loader);
              assertTrue(((byte[]) crypto.getMethod("libraryBoringVersion").invoke(null)).length > 0);
            }
            assertWorks(loader, root);
            return null;
          };
          work.add(pool.submit(task));
        }
      }
      for (Future<Void> future : work) {
        future.get(60, TimeUnit.SECONDS);
      }
      assertNull(System.getProperty("postscrypt.native.class"));
    } finally {
      pool.shutdownNow();
      for (URLClassLoader loader : opened) {
        loader.close();
      }
    }
  }

  @Test
  void failureIsRememberedAndNeverBecomesNoClassDefFoundError() throws Exception {
    try (URLClassLoader loader = loader(Jars.PLAIN)) {
      Class<?> door = loader.loadClass("org.postscrypt.Postscrypt");
      assertEquals(false, door.getMethod("isAvailable").invoke(null));
      Throwable cause = (Throwable) door.getMethod("unavailabilityCause").invoke(null);
      assertTrue(cause instanceof UnsatisfiedLinkError, String.valueOf(cause));
      assertTrue(cause.getSuppressed().length >= 2, "java.library.path and the resource");
      assertEquals("Postscrypt " + Jars.VERSION, door.getMethod("version").invoke(null));
      for (int i = 0; i < 2; i++) {
        Throwable thrown = thrownBy(door, "newProvider");
        assertEquals(java.security.ProviderException.class, thrown.getClass());
        assertEquals(cause, thrown.getCause());
        Class<?> crypto = Class.forName("org.postscrypt.nat.NativeCrypto", true, loader);
        assertEquals(UnsatisfiedLinkError.class, thrownBy(crypto, "libraryBoringVersion").getClass());
      }
    }
  }

  private static Throwable thrownBy(Class<?> type, String method) throws ReflectiveOperationException {
    try {
      type.getMethod(method).invoke(null);
    } catch (java.lang.reflect.InvocationTargetException e) {
      return e.getCause();
    }
    throw new AssertionError(method + " returned");
  }

  private static Provider provider(ClassLoader loader, String root) throws ReflectiveOperationException {
    return (Provider) loader.loadClass(root + ".postscrypt.Postscrypt").getMethod("newProvider").invoke(null);
  }

  private static URLClassLoader loader(Path... jars) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      urls.add(jar.toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  private static void assertWorks(ClassLoader loader, String root) throws ReflectiveOperationException {
    Class<?> door = loader.loadClass(root + ".postscrypt.Postscrypt");
    assertNull(door.getMethod("unavailabilityCause").invoke(null));
    String version = (String) door.getMethod("version").invoke(null);
    assertTrue(version.contains("(boring-sys "), version);
  }

  private static String from(ClassLoader loader, String root) throws ReflectiveOperationException {
    return (String) loader.loadClass(root + ".postscrypt.nat.NativeLibrary").getMethod("loadedFrom").invoke(null);
  }
}
