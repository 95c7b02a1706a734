package org.postscrypt.nat;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Puts a library where the JVM can load it, for as long as that takes. Not used on Android. */
@Guarded("NativeLibrary does not come here on Android, where java.nio.file is new in API 26")
final class Extraction {
  /** Tries to load a file; false if that failed. (java.util.function.Predicate is absent before Android 24.) */
  interface Load {
    /** From this absolute path. */
    boolean from(String file);
  }

  private static final String PREFIX = "postscrypt-";
  /** Names that are tried: each is another point in time. */
  private static final int NAMES = 100;

  private Extraction() {}

  /**
   * Writes {@code library} to a fresh owner-only directory and calls {@code load} with the file's absolute path, in one
   * candidate directory after the other until it answers true. One that is read-only, full or mounted {@code noexec} is
   * passed over.
   *
   * @param causes takes a cause, naming the property, for each directory that did not do
   */
  static boolean load(byte[] library, String fileName, Load load, List<Throwable> causes) {
    for (String candidate : candidates()) {
      try {
        Path parent = Files.createDirectories(Paths.get(candidate)).toAbsolutePath();
        if (Target.isWindows()) {
          sweep(parent, fileName);
        }
        Path directory = freshDirectory(parent);
        Path file = directory.resolve(fileName);
        boolean loaded = false;
        try {
          Files.write(file, library);
          loaded = load.from(file.toString());
        } finally {
          if (!loaded || !Target.isWindows()) {
            delete(file, directory);
          }
        }
        if (loaded) {
          return true;
        }
      } catch (IOException | InvalidPathException e) {
        causes.add(new IOException("cannot copy the library to " + candidate + ": " + e, e));
      }
    }
    causes.add(new IOException("set the system property " + NativeLibrary.WORKDIR_PROPERTY
        + " to a directory that is writable and not mounted noexec, or " + NativeLibrary.PATH_PROPERTY
        + " to an unpacked library"));
    return false;
  }

  /**
   * A new directory: owner-only where the file system has POSIX permissions; on Windows the parent's access list is inherited.
   *
   * <p>Not by {@code Files.createTempDirectory}, which makes a {@code SecureRandom} for the name, and for that all providers: 25 ms of
   * a start. A name need not be a secret, as a directory that is there already, whosever it is, is never taken.
   */
  private static Path freshDirectory(Path parent) throws IOException {
    FileAttribute<?>[] attributes = parent.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE))}
        : new FileAttribute<?>[0];
    for (int attempt = 0; ; attempt++) {
      try {
        return Files.createDirectory(parent.resolve(PREFIX + Long.toHexString(System.nanoTime()) + attempt), attributes);
      } catch (FileAlreadyExistsException e) {
        if (attempt == NAMES) {
          throw e;
        }
      }
    }
  }

  private static Set<String> candidates() {
    Set<String> result = new LinkedHashSet<>();
    String home = System.getProperty("user.home", "");
    String cache = System.getenv(Target.isWindows() ? "LOCALAPPDATA" : "XDG_CACHE_HOME");
    if ((cache == null || cache.isEmpty()) && !home.isEmpty()) {
      String os = System.getProperty("os.name", "");
      cache = home + File.separator + (os.startsWith("Mac") ? "Library" + File.separator + "Caches" : ".cache");
    }
    result.add(System.getProperty(NativeLibrary.WORKDIR_PROPERTY, ""));
    result.add(System.getProperty("java.io.tmpdir", ""));
    if (cache != null) {
      result.add(cache + File.separator + "postscrypt");
    }
    result.remove("");
    return result;
  }

  /** Deletes what earlier processes could not delete while they lived; a library in use resists, so this is safe. */
  private static void sweep(Path parent, String fileName) throws IOException {
    long minuteAgo = System.currentTimeMillis() - 60_000;
    try (DirectoryStream<Path> old = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path directory : old) {
        // A young one may belong to a process that has not loaded it yet.
        if (Files.isDirectory(directory) && Files.getLastModifiedTime(directory).toMillis() < minuteAgo) {
          delete(directory.resolve(fileName), directory);
        }
      }
    }
  }

  private static void delete(Path file, Path directory) {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // In use (Windows) or gone: a left-over file must not fail a start; a later one tries again.
      return;
    }
  }
}
