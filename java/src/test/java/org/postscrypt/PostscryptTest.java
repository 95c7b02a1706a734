package org.postscrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.Provider;
import java.util.ServiceLoader;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class PostscryptTest {
  @Test
  void isAvailableHere() {
    assertNull(Postscrypt.unavailabilityCause());
    assertTrue(Postscrypt.isAvailable());
  }

  @Test
  void versionTellsBothHalves() {
    String version = Postscrypt.version();
    assertTrue(version.matches("Postscrypt \\d+\\.\\d+\\.\\d+\\S* \\(boring-sys \\S+ API \\d+\\)"), version);
  }

  @Test
  void eachProviderIsNew() {
    Provider provider = Postscrypt.newProvider();
    assertEquals("Postscrypt", provider.getName());
    assertNotSame(provider, Postscrypt.newProvider());
  }

  @Test
  void theServiceLoaderFindsTheProvider() {
    assertTrue(StreamSupport.stream(ServiceLoader.load(Provider.class).spliterator(), false)
        .anyMatch(PostscryptProvider.class::isInstance));
  }
}
