package org.postscrypt.nat;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.security.ProviderException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Finds and loads the native half, once per class loader.
 *
 * <p>The order: the file or directory that {@value #PATH_PROPERTY} names (then nothing else is tried); {@code
 * java.library.path}; the resource {@code META-INF/native/<classifier>/} of the jar, copied to an owner-only directory
 * under {@value #WORKDIR_PROPERTY} if set, else or if that fails {@code java.io.tmpdir}, else the user's cache
 * directory. The copy is deleted as soon as it is loaded (on Windows, where that is impossible, at a later start). On
 * Android only {@code System.loadLibrary} is used. A library of another version than this class is refused.
 *
 * <p>Nothing here or in {@link NativeCrypto} throws while classes are initialised: whether the library is there is a
 * value. The outcome is final for the life of the class loader. All methods may be called by any thread; the first
 * caller loads, others wait for it.
 */
public final class NativeLibrary {
  /** System property: the library's file, or the directory that it is in. */
  public static final String PATH_PROPERTY = "org.postscrypt.native.path";

  /** System property: the directory to copy the library to before it is loaded. */
  public static final String WORKDIR_PROPERTY = "org.postscrypt.native.workdir";

  private static final String NAME = "postscrypt_jni";

  /**
   * Read by {@code JNI_OnLoad}: the class to register natives with, for relocation may have renamed it. As a literal it
   * is interned, so it is also the one lock that all copies of this class in a JVM share. Relocation must leave it
   * alone, so it does not begin with our package.
   */
  private static final String CLASS_PROPERTY = "postscrypt.native.class";

  // Written once, while NativeCrypto is initialised, which every reader waits for.
  private static volatile UnsatisfiedLinkError failure;
  private static volatile String from;

  private NativeLibrary() {}

  /**
   * Loads the library unless that has been done.
   *
   * @throws UnsatisfiedLinkError if it cannot be loaded, now and at each later call; its cause is {@link
   *     #unavailabilityCause()}
   */
  static void load() {
    Throwable cause = unavailabilityCause();
    if (cause != null) {
      UnsatisfiedLinkError error = new UnsatisfiedLinkError(cause.getMessage());
      error.initCause(cause);
      throw error;
    }
  }

  /**
   * Why the library cannot be loaded, with what was tried as suppressed exceptions; null if it is loaded. Loads it if
   * need be.
   */
  public static Throwable unavailabilityCause() {
    NativeCrypto.touch();
    return failure;
  }

  /**
   * Loads the library unless that has been done.
   *
   * @throws ProviderException if it cannot be loaded, with {@link #unavailabilityCause()} as its cause
   */
  public static void requireAvailable() {
    Throwable cause = unavailabilityCause();
    if (cause != null) {
      throw new ProviderException(cause.getMessage(), cause);
    }
  }

  /** Where the library came from: a file, {@code java.library.path} or a resource's URL; null if it is not loaded. */
  public static String loadedFrom() {
    NativeCrypto.touch();
    return from;
  }

  /** This platform's classifier and C library, or {@code os.name} and {@code os.arch} if it has no library. */
  public static String platform() {
    Target target = Target.current();
    return target.classifier == null
        ? "unsupported: " + osAndArch()
        : target.classifier + (target.libc.isEmpty() ? "" : " (" + target.libc + ")");
  }

  /** The Java half's version; a loaded library has the same. */
  public static String version() {
    return Version.VALUE;
  }

  /** Called by {@link NativeCrypto}'s static initialiser only; never throws. */
  static void initialize() {
    List<Throwable> causes = new ArrayList<>();
    try {
      from = search(causes);
    } catch (RuntimeException | Error e) {
      causes.add(e);
    }
    if (from == null) {
      StringBuilder message = new StringBuilder("Postscrypt ").append(Version.VALUE)
          .append(" could not load its native library on ").append(osAndArch());
      String separator = ": ";
      for (Throwable cause : causes) {
        message.append(separator).append(cause.getMessage() == null ? cause.toString() : cause.getMessage());
        separator = "; ";
      }
      UnsatisfiedLinkError error = new UnsatisfiedLinkError(message.toString());
      for (Throwable cause : causes) {
        error.addSuppressed(cause);
      }
      failure = error;
    }
  }

  private static String osAndArch() {
    return System.getProperty("os.name") + ' ' + System.getProperty("os.arch");
  }

  /** Where the library was loaded from; null if nowhere, with a cause for each place. */
  private static String search(List<Throwable> causes) {
    if (Target.isAndroid()) {
      return attempt("System.loadLibrary", null, causes) ? "the application" : null;
    }
    String path = System.getProperty(PATH_PROPERTY, "");
    if (!path.isEmpty()) {
      return fromPath(path, causes);
    }
    if (attempt("java.library.path", null, causes)) {
      return "java.library.path";
    }
    return fromResource(Target.current(), causes);
  }

  private static String fromPath(String path, List<Throwable> causes) {
    File named = new File(path).getAbsoluteFile();
    File file = named.isDirectory() ? new File(named, System.mapLibraryName(NAME)) : named;
    String place = PATH_PROPERTY + '=' + path;
    if (!file.isFile()) {
      causes.add(new FileNotFoundException(place + ": there is no file " + file));
      return null;
    }
    if (attempt(place, file.getPath(), causes)) {
      return file.getPath();
    }
    // A file can be loaded by one class loader only: another one takes a copy. (The JVM has no other way to tell.)
    if (String.valueOf(causes.get(causes.size() - 1).getMessage()).contains("already loaded in another classloader")) {
      try {
        return fromCopy(read(new FileInputStream(file), 1 << 22), place, causes) ? file.getPath() : null;
      } catch (IOException e) {
        causes.add(new IOException(place + ": " + e.getMessage(), e));
      }
    }
    return null;
  }

  private static String fromResource(Target target, List<Throwable> causes) {
    if (target.classifier == null) {
      causes.add(new UnsatisfiedLinkError("there is no library for this platform, os.name="
          + System.getProperty("os.name") + ", os.arch=" + System.getProperty("os.arch")));
      return null;
    }
    try {
      String name = resourceName(target.classifier);
      // The one beside this class first: relocated copies in other jars have the same name.
      URL own = beside(name);
      if (own != null && fromResource(own, causes)) {
        return own.toString();
      }
      // The others one by one, as a class path can be of hundreds of jars.
      Enumeration<URL> resources = resources(name);
      if (own == null && !resources.hasMoreElements()) {
        boolean musl = target.libc.equals("musl");
        String other = musl ? target.classifier.replace("-musl", "") : target.classifier + "-musl";
        causes.add(resources(resourceName(other)).hasMoreElements()
            ? new UnsatisfiedLinkError("this JVM runs on " + (musl ? "musl" : "glibc")
                + ", but the jar has the library for " + (musl ? "glibc" : "musl") + " only: " + other)
            : new FileNotFoundException("there is no resource " + name + ": put org.postscrypt:postscrypt:"
                + Version.VALUE + ":" + target.classifier + " or org.postscrypt:postscrypt-uber:" + Version.VALUE
                + " on the class path"));
      }
      while (resources.hasMoreElements()) {
        URL resource = resources.nextElement();
        if ((own == null || !resource.toString().equals(own.toString())) && fromResource(resource, causes)) {
          return resource.toString();
        }
      }
    } catch (IOException e) {
      causes.add(e);
    }
    return null;
  }

  private static boolean fromResource(URL resource, List<Throwable> causes) {
    try {
      return fromCopy(checked(resource), resource.toString(), causes);
    } catch (IOException e) {
      causes.add(new IOException(resource + ": " + e.getMessage(), e));
      return false;
    }
  }

  private static String resourceName(String classifier) {
    return "META-INF/native/" + classifier + '/' + System.mapLibraryName(NAME);
  }

  private static Enumeration<URL> resources(String name) throws IOException {
    ClassLoader loader = NativeLibrary.class.getClassLoader();
    return loader == null ? ClassLoader.getSystemResources(name) : loader.getResources(name);
  }

  /** The resource that comes from where this class does; null if there is none. */
  private static URL beside(String name) {
    URL self = NativeLibrary.class.getResource("NativeLibrary.class");
    String suffix = NativeLibrary.class.getName().replace('.', '/') + ".class";
    if (self == null || !self.toString().endsWith(suffix)) {
      return null;
    }
    String place = self.toString();
    try {
      URL resource = new URL(self, place.substring(0, place.length() - suffix.length()) + name);
      open(resource).getInputStream().close();
      return resource;
    } catch (IOException e) {
      return null;
    }
  }

  /** The resource's bytes; a damaged library must not reach the dynamic linker, which may crash on it. */
  private static byte[] checked(URL resource) throws IOException {
    byte[] library = read(open(resource));
    String expected;
    try {
      expected = new String(read(open(new URL(resource, resource + ".crc32"))), StandardCharsets.US_ASCII).trim();
    } catch (FileNotFoundException e) {
      // Repackaged without it; the archive has its own checksum.
      return library;
    }
    CRC32 crc = new CRC32();
    crc.update(library, 0, library.length);
    // (String.format loads a hundred classes.)
    String actual = Long.toHexString(1L << 32 | crc.getValue()).substring(1) + ' ' + library.length;
    if (!actual.equals(expected)) {
      throw new IOException("is damaged: CRC-32 and length in bytes are " + actual + ", not " + expected);
    }
    return library;
  }

  private static URLConnection open(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    // A cached JarFile would stay open for the life of the JVM.
    connection.setUseCaches(false);
    return connection;
  }

  private static byte[] read(URLConnection connection) throws IOException {
    return read(connection.getInputStream(), connection.getContentLength());
  }

  /** All bytes, copied once more only if they are not as many as expected; closes the stream. */
  private static byte[] read(InputStream stream, int expected) throws IOException {
    try (InputStream in = stream) {
      byte[] bytes = new byte[Math.max(expected, 1 << 10)];
      int length = 0;
      for (int n; (n = in.read(bytes, length, bytes.length - length)) >= 0; ) {
        length += n;
        if (length == bytes.length) {
          int next = in.read();
          if (next < 0) {
            return bytes;
          }
          bytes = Arrays.copyOf(bytes, 2 * length);
          bytes[length++] = (byte) next;
        }
      }
      return Arrays.copyOf(bytes, length);
    }
  }

  // No lambdas here: the machinery behind a program's first one takes the JVM as long as loading the library.
  private static boolean fromCopy(byte[] library, final String place, final List<Throwable> causes) {
    Extraction.Load load = new Extraction.Load() {
      @Override
      public boolean from(String file) {
        return attempt(place + " copied to " + file, file, causes);
      }
    };
    return Extraction.load(library, System.mapLibraryName(NAME), load, causes);
  }

  /**
   * Loads a file, or what the application or {@code java.library.path} has if it is null, and checks it; false, with a cause, if
   * that failed.
   */
  private static boolean attempt(String place, String file, List<Throwable> causes) {
    try {
      synchronized (CLASS_PROPERTY) {
        String before = System.getProperty(CLASS_PROPERTY);
        System.setProperty(CLASS_PROPERTY, NativeCrypto.class.getName().replace('.', '/'));
        try {
          if (file == null) {
            System.loadLibrary(NAME);
          } else {
            System.load(file);
          }
        } finally {
          if (before == null) {
            System.clearProperty(CLASS_PROPERTY);
          } else {
            System.setProperty(CLASS_PROPERTY, before);
          }
        }
      }
      String version = new String(NativeCrypto.libraryVersion(), StandardCharsets.US_ASCII);
      if (!version.equals(Version.VALUE)) {
        throw new UnsatisfiedLinkError(
            "the library's version is " + version + ", but the classes' is " + Version.VALUE);
      }
      return true;
    } catch (LinkageError | RuntimeException e) {
      Throwable cause = new UnsatisfiedLinkError(place + ": " + e.getMessage());
      cause.initCause(e);
      causes.add(cause);
      return false;
    }
  }
}
