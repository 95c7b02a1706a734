package org.postscrypt.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStoreException;
import java.security.Provider;
import java.security.Security;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.TreeMap;
import javax.net.ssl.SSLException;
import org.postscrypt.Postscrypt;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeLibrary;
import org.postscrypt.nat.ShortCalls;

/** Prints everything that decides whether Postscrypt works on this machine. */
final class Doctor {
  private final PrintStream out;

  Doctor(PrintStream out) {
    this.out = out;
  }

  /** Whether all is well. */
  boolean run() {
    line("postscrypt", NativeLibrary.version());
    line("java", System.getProperty("java.runtime.version") + ", " + System.getProperty("java.vendor")
        + ", " + System.getProperty("java.home"));
    line("system", System.getProperty("os.name") + " " + System.getProperty("os.version")
        + ", " + System.getProperty("os.arch"));
    line("platform", NativeLibrary.platform());
    property(NativeLibrary.PATH_PROPERTY);
    property(NativeLibrary.WORKDIR_PROPERTY);
    property("java.io.tmpdir");
    property(ShortCalls.PROPERTY);
    line("native access", NativeAccess.describe());
    boolean available = Postscrypt.isAvailable();
    boolean works = false;
    if (available) {
      line("library", "loaded from " + NativeLibrary.loadedFrom());
      line("boringssl", ascii(NativeCrypto.libraryBoringVersion()));
      String features = ascii(NativeCrypto.libraryCpuFeatures());
      line("cpu features", features.isEmpty() ? "none known" : features);
      line("short calls", "through " + ShortCalls.describe());
      systemCertificates();
      Provider provider = Postscrypt.newProvider();
      services(provider);
      works = selfTest(provider);
    } else {
      line("library", "NOT LOADED");
      trace(Postscrypt.unavailabilityCause(), "  ", Collections.newSetFromMap(new IdentityHashMap<>()));
    }
    out.println("registered providers:");
    for (Provider provider : Security.getProviders()) {
      out.println("  " + provider.getName() + ": " + provider.getInfo());
    }
    out.println(works ? "Postscrypt works here." : "Postscrypt does not work here.");
    return works;
  }

  private boolean selfTest(Provider provider) {
    try {
      line("self test", new SelfTest(provider).run());
      return true;
    } catch (GeneralSecurityException | SSLException | RuntimeException e) {
      line("self test", "FAILED");
      trace(e, "  ", Collections.newSetFromMap(new IdentityHashMap<>()));
      return false;
    }
  }

  private void systemCertificates() {
    try {
      line("system CAs", Postscrypt.systemTrustStore().size() + " certificates, from "
          + new String(NativeCrypto.librarySystemCertificates(), StandardCharsets.UTF_8).replace("\n", ", "));
    } catch (KeyStoreException e) {
      line("system CAs", "none: " + e.getMessage());
    }
  }

  private void services(Provider provider) {
    TreeMap<String, Integer> counts = new TreeMap<>();
    provider.getServices().forEach(service -> counts.merge(service.getType(), 1, Integer::sum));
    StringBuilder text = new StringBuilder();
    counts.forEach((type, count) -> text.append(text.length() == 0 ? "" : ", ").append(type).append(' ').append(count));
    line("provider", provider.getName() + (text.length() == 0 ? ", no services" : ": " + text));
  }

  private void property(String name) {
    line(name, String.valueOf(System.getProperty(name, "not set")));
  }

  private void trace(Throwable throwable, String indent, Set<Throwable> seen) {
    if (!seen.add(throwable)) {
      return;
    }
    out.println(indent + throwable);
    for (Throwable suppressed : throwable.getSuppressed()) {
      out.println(indent + "tried:");
      trace(suppressed, indent + "  ", seen);
    }
    if (throwable.getCause() != null) {
      out.println(indent + "caused by:");
      trace(throwable.getCause(), indent + "  ", seen);
    }
  }

  private void line(String name, String value) {
    out.println(name + ": " + value);
  }

  private static String ascii(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
