package org.postscrypt.android;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Runs a class on the JSSE of an old Android: {@code javax.net.ssl} is that system's own, and what its library lacks is not found, though
 * the JVM has it. Arguments: the system's library, the class, and the jars that have it.
 */
public final class OldSystem extends ClassLoader {
  /** Packages that are taken from the old system; the rest of the JVM's own does not name them. */
  private static final List<String> OLD = List.of("javax.net.", "javax.security.cert.", "org.apache.harmony.", "libcore.");

  private final JarFile system;
  private final List<JarFile> application = new ArrayList<>();

  private OldSystem(Path system, List<String> application) throws IOException {
    super("old", ClassLoader.getPlatformClassLoader());
    this.system = new JarFile(system.toFile());
    for (String jar : application) {
      this.application.add(new JarFile(jar));
    }
  }

  /** Runs the class's {@code main}; what it throws comes out. */
  public static void main(String[] arguments) throws Throwable {
    List<String> jars = Arrays.asList(arguments).subList(2, arguments.length);
    Class<?> main = new OldSystem(Path.of(arguments[0]), jars).loadClass(arguments[1]);
    try {
      main.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : find(name);
    }
  }

  private Class<?> find(String name) throws ClassNotFoundException {
    String path = name.replace('.', '/') + ".class";
    for (JarFile jar : application) {
      if (jar.getEntry(path) != null) {
        return define(name, jar, path);
      }
    }
    // That library is without java.lang: a JVM brings its own.
    boolean there = name.startsWith("java.lang.") || system.getEntry(path) != null;
    if (there && OLD.stream().anyMatch(name::startsWith)) {
      return define(name, system, path);
    }
    if (!there) {
      throw new ClassNotFoundException(name + ": not on the old system");
    }
    return getParent().loadClass(name);
  }

  private Class<?> define(String name, JarFile jar, String path) throws ClassNotFoundException {
    ZipEntry entry = jar.getEntry(path);
    try (InputStream in = jar.getInputStream(entry)) {
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
