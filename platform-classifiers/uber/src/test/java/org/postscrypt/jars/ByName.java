package org.postscrypt.jars;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/** A program that knows standard names only: what it uses is the JVM's configuration. */
final class ByName {
  private ByName() {}

  /** A key store of {@link Traffic}. */
  public static void main(String[] arguments) throws Exception {
    List<String> names = Arrays.stream(Security.getProviders()).map(Provider::getName).collect(Collectors.toList());
    System.out.println("position " + (names.indexOf("Postscrypt") + 1) + " of " + names.size());
    System.out.println("SHA-256 " + MessageDigest.getInstance("SHA-256").getProvider().getName());
    System.out.println("SecureRandom " + new SecureRandom().getProvider().getName());
    System.out.println("TLS " + SSLContext.getInstance("TLS").getProvider().getName());
    System.out.println("default " + SSLContext.getDefault().getProvider().getName());
    Provider ours = Security.getProvider("Postscrypt");
    if (ours != null) {
      Traffic.from(Path.of(arguments[0])).run(ours);
      System.out.println("traffic");
    }
  }
}
