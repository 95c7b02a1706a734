package org.postscrypt.conscryptabi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Provider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** Conscrypt's classes in other packages, as shading tools put them there, on our library; which package it is, the library finds out. */
@Timeout(120)
class RelocatedTest {
  private static final String PROPERTY = "postscrypt.conscrypt.package";

  @TempDir
  private Path directory;

  /** What shading tools do: names of classes, and texts that begin with the package. */
  private static final class Relocation extends Remapper {
    private final Map<String, String> names = new TreeMap<>(java.util.Comparator.reverseOrder());

    Relocation(String... fromTo) {
      for (int i = 0; i < fromTo.length; i += 2) {
        names.put(fromTo[i], fromTo[i + 1]);
      }
    }

    @Override
    public String map(String name) {
      for (Map.Entry<String, String> entry : names.entrySet()) {
        if (name.startsWith(entry.getKey())) {
          return entry.getValue() + name.substring(entry.getKey().length());
        }
      }
      return name;
    }

    @Override
    public Object mapValue(Object value) {
      if (value instanceof String text) {
        return text.contains("/") ? map(text) : map(text.replace('.', '/')).equals(text.replace('.', '/')) ? text
            : map(text.replace('.', '/')).replace('/', '.');
      }
      return super.mapValue(value);
    }
  }

  private static Path released() throws Exception {
    URL resource = RelocatedTest.class.getClassLoader().getResource("org/conscrypt/NativeCrypto.class");
    String text = resource.toString();
    return Path.of(new URL(text.substring("jar:".length(), text.indexOf("!/"))).toURI());
  }

  /** The released classes and nothing else of their jar, renamed. */
  private URL jar(String name, Relocation relocation) throws Exception {
    Path path = directory.resolve(name + ".jar");
    try (JarFile in = new JarFile(released().toFile());
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(path))) {
      for (var entry : in.stream().filter(e -> e.getName().matches("org/conscrypt/.*\\.(class|properties)")).toList()) {
        byte[] contents;
        try (InputStream stream = in.getInputStream(entry)) {
          contents = stream.readAllBytes();
        }
        String renamed = entry.getName();
        if (renamed.endsWith(".class")) {
          ClassWriter writer = new ClassWriter(0);
          ClassReader reader = new ClassReader(contents);
          reader.accept(new ClassRemapper(writer, relocation), 0);
          contents = writer.toByteArray();
          renamed = relocation.map(reader.getClassName()) + ".class";
        } else {
          renamed = relocation.map(renamed);
        }
        out.putNextEntry(new ZipEntry(renamed));
        out.write(contents);
        out.closeEntry();
      }
    }
    return path.toUri().toURL();
  }

  private static URL library() throws Exception {
    return Path.of(System.getProperty("project.root"), "target", "conscrypt", "lib").toUri().toURL();
  }

  private static Provider provider(ClassLoader loader, String packageName) throws Exception {
    Class<?> type = Class.forName(packageName + ".OpenSSLProvider", true, loader);
    return (Provider) type.getDeclaredConstructor().newInstance();
  }

  /** A digest, and a handshake with an exchange each way, by this provider alone. */
  private static void works(Provider provider) throws Exception {
    byte[] message = Fixtures.ascii("relocated");
    assertArrayEquals(MessageDigest.getInstance("SHA-256", "SUN").digest(message),
        MessageDigest.getInstance("SHA-256", provider).digest(message));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX", provider);
    trust.init(Identities.TRUST);
    for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
      SSLContext client = SSLContext.getInstance("TLS", provider);
      client.init(null, trust.getTrustManagers(), null);
      SSLContext server = SSLContext.getInstance("TLS", provider);
      server.init(Identities.keys("EC"), null, null);
      SSLEngine[] ends = {client.createSSLEngine("localhost", 443), server.createSSLEngine()};
      ends[0].setUseClientMode(true);
      ends[1].setUseClientMode(false);
      for (SSLEngine end : ends) {
        end.setEnabledProtocols(new String[] {protocol});
      }
      assertEquals("to the server, to the client", exchange(ends, "to the server", "to the client"));
      assertEquals(protocol, ends[0].getSession().getProtocol());
      assertEquals(Identities.EC, ends[0].getSession().getPeerCertificates()[0]);
    }
  }

  /** What both ends read of what the other one was given to write. */
  private static String exchange(SSLEngine[] ends, String... messages) throws Exception {
    ByteBuffer[] wires = {ByteBuffer.allocate(1 << 16), ByteBuffer.allocate(1 << 16)};
    ByteBuffer[] unsent = {ByteBuffer.wrap(Fixtures.ascii(messages[0])), ByteBuffer.wrap(Fixtures.ascii(messages[1]))};
    ByteBuffer[] read = {ByteBuffer.allocate(1 << 16), ByteBuffer.allocate(1 << 16)};
    for (int round = 0; round < 200 && (read[1].position() == 0 || read[0].position() == 0); round++) {
      for (int end = 0; end < 2; end++) {
        Runnable task;
        while ((task = ends[end].getDelegatedTask()) != null) {
          task.run();
        }
        if (ends[end].getHandshakeStatus() != HandshakeStatus.NEED_UNWRAP) {
          ends[end].wrap(unsent[end], wires[end]);
        }
        ByteBuffer incoming = wires[1 - end].flip();
        ends[end].unwrap(incoming, read[end]);
        incoming.compact();
      }
    }
    List<String> texts = new ArrayList<>();
    for (ByteBuffer buffer : new ByteBuffer[] {read[1], read[0]}) {
      texts.add(new String(buffer.array(), 0, buffer.position(), java.nio.charset.StandardCharsets.US_ASCII));
    }
    return String.join(", ", texts);
  }

  @Test
  void severalCopiesBesideTheOriginal() throws Exception {
    URL[] urls = {
      library(), jar("one", new Relocation("org/conscrypt", "one/org/conscrypt")),
      jar("two", new Relocation("org/conscrypt", "two/secure")), released().toUri().toURL(),
    };
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      Provider one = provider(loader, "one.org.conscrypt");
      Provider original = provider(loader, "org.conscrypt");
      Provider two = provider(loader, "two.secure");
      for (Provider provider : new Provider[] {one, original, two, one}) {
        works(provider);
      }
    }
  }

  /** Where the loading class has another name too, there is a property. */
  @Test
  void furtherRenamed() throws Exception {
    URL[] urls = {
      library(), jar("three", new Relocation("org/conscrypt", "three", "org/conscrypt/NativeCryptoJni", "three/a")),
    };
    assertFalse(System.getProperties().containsKey(PROPERTY));
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      Throwable thrown = assertThrows(InvocationTargetException.class, () -> provider(loader, "three")).getCause();
      assertInstanceOf(LinkageError.class, thrown);
    }
    System.setProperty(PROPERTY, "three");
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      works(provider(loader, "three"));
    } finally {
      System.clearProperty(PROPERTY);
    }
  }
}
