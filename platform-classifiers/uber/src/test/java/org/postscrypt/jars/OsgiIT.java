package org.postscrypt.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.security.Provider;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** The jars as bundles, in Apache Felix and Eclipse Equinox. */
@Timeout(120)
class OsgiIT {
  @TempDir
  Path directory;

  @ParameterizedTest
  @CsvSource({
    "org.apache.felix.framework, jar.uber", "org.apache.felix.framework, jar.classifier",
    "org.eclipse.osgi.launch, jar.uber", "org.eclipse.osgi.launch, jar.classifier",
  })
  void worksAsABundle(String name, String jar) throws Exception {
    Traffic traffic = Traffic.create(directory);
    FrameworkFactory factory = ServiceLoader.load(FrameworkFactory.class).stream().map(ServiceLoader.Provider::get)
        .filter(f -> f.getClass().getPackageName().equals(name)).findFirst().orElseThrow();
    Framework framework = factory.newFramework(Map.of(
        Constants.FRAMEWORK_STORAGE, directory.resolve("framework").toString(), "felix.service.urlhandlers", "false"));
    framework.start();
    try {
      Bundle bundle = framework.getBundleContext().installBundle(Path.of(System.getProperty(jar)).toUri().toString());
      bundle.start();
      assertEquals(Bundle.ACTIVE, bundle.getState());
      Class<?> type = bundle.loadClass("org.postscrypt.PostscryptProvider");
      traffic.run((Provider) type.getConstructor().newInstance());
      // By Bundle-NativeCode: the framework answers System.loadLibrary.
      Class<?> library = bundle.loadClass("org.postscrypt.nat.NativeLibrary");
      assertEquals("java.library.path", library.getMethod("loadedFrom").invoke(null));
    } finally {
      framework.stop();
      framework.waitForStop(30_000);
    }
  }

  @Test
  void onlyTheApiIsExported() throws Exception {
    try (JarFile jar = new JarFile(Jars.UBER.toFile())) {
      Attributes main = jar.getManifest().getMainAttributes();
      assertEquals("org.postscrypt", main.getValue(Constants.BUNDLE_SYMBOLICNAME));
      assertEquals(Jars.VERSION, main.getValue(Constants.BUNDLE_VERSION));
      String exports = main.getValue(Constants.EXPORT_PACKAGE);
      assertTrue(exports.startsWith("org.postscrypt;version=\"" + Jars.VERSION + "\"") && !exports.contains("org.postscrypt."),
          exports);
      String capability = main.getValue(Constants.REQUIRE_CAPABILITY);
      assertTrue(capability.contains("osgi.ee=JavaSE)(version=1.8"), capability);
      String imports = main.getValue(Constants.IMPORT_PACKAGE);
      assertTrue(imports.contains("javax.net.ssl") && !imports.contains("java.lang"), imports);
    }
  }

  /** The JDK looks for providers with the system class loader: a bundle's is registered by whoever uses it. */
  @Test
  void theJdkDoesNotFindABundlesProviderByItself() {
    assertNull(java.security.Security.getProvider("Postscrypt"));
    assertThrows(java.security.NoSuchProviderException.class,
        () -> java.security.MessageDigest.getInstance("SHA-256", "Postscrypt"));
  }
}
