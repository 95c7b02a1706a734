package org.postscrypt.conscryptabi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;

/** Conscrypt's released classes, and the tests' of the same package, in a class loader of their own with one of the two libraries. */
final class Side extends URLClassLoader {
  static final Side OURS = new Side("ours", true);
  static final Side GENUINE = new Side("genuine", false);

  private Side(String name, boolean ours) {
    super(name, urls(ours), Side.class.getClassLoader());
  }

  private static URL[] urls(boolean ours) {
    List<URL> urls = new ArrayList<>();
    try {
      if (ours) {
        Path library = Path.of(System.getProperty("project.root"), "target", "conscrypt", "lib");
        if (!library.resolve("META-INF/native").toFile().isDirectory()) {
          throw new IllegalStateException(library + " is not there: run tools/conscrypt");
        }
        urls.add(library.toUri().toURL());
      }
      ClassLoader loader = Side.class.getClassLoader();
      urls.add(location(loader.getResource("org/conscrypt/NativeCrypto.class"), "org/conscrypt/NativeCrypto.class"));
      urls.add(location(loader.getResource("org/conscrypt/NativeCalls.class"), "org/conscrypt/NativeCalls.class"));
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
    return urls.toArray(new URL[0]);
  }

  /** The directory or jar that a resource is in. */
  private static URL location(URL resource, String name) throws MalformedURLException {
    String text = resource.toString();
    String root = text.substring(0, text.length() - name.length());
    return new URL(root.startsWith("jar:") ? root.substring(4, root.length() - 2) : root);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("org.conscrypt.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known != null ? known : findClass(name);
    }
  }

  @Override
  public URL getResource(String name) {
    URL own = findResource(name);
    return own != null ? own : super.getResource(name);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    return name.startsWith("META-INF/native/") ? findResources(name) : super.getResources(name);
  }
}
