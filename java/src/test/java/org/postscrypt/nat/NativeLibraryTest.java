package org.postscrypt.nat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NativeLibraryTest {
  @Test
  void theNamedLibraryIsLoaded() {
    NativeLibrary.load();
    NativeLibrary.requireAvailable();
    assertNull(NativeLibrary.unavailabilityCause());
    String named = System.getProperty(NativeLibrary.PATH_PROPERTY);
    assertTrue(NativeLibrary.loadedFrom().startsWith(named), NativeLibrary.loadedFrom());
  }

  @Test
  void bothHalvesHaveTheSameVersion() {
    assertEquals(NativeLibrary.version(), new String(NativeCrypto.libraryVersion(), StandardCharsets.US_ASCII));
    assertEquals(System.getProperty("project.version"), NativeLibrary.version());
  }

  @Test
  void theManifestsBoringRevisionIsTheLibrarys() {
    String line = new String(NativeCrypto.libraryBoringVersion(), StandardCharsets.US_ASCII);
    assertTrue(line.startsWith(System.getProperty("boringssl.revision") + ' '), line);
  }

  @Test
  void loadingLeavesNoPropertyBehind() {
    NativeLibrary.load();
    assertNull(System.getProperty("postscrypt.native.class"));
  }

  @Test
  void platformNamesTheClassifier() {
    assertTrue(NativeLibrary.platform().startsWith(Target.current().classifier), NativeLibrary.platform());
  }
}
