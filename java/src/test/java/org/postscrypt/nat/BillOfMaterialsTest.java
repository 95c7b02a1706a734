package org.postscrypt.nat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.cyclonedx.Version;
import org.cyclonedx.model.Bom;
import org.cyclonedx.model.Component;
import org.cyclonedx.model.Dependency;
import org.cyclonedx.parsers.JsonParser;
import org.junit.jupiter.api.Test;

/** The list of what is linked into the library is a CycloneDX document. */
class BillOfMaterialsTest {
  private static final Path ROOT = Path.of(System.getProperty("project.root"));

  @Test
  void followsTheSchemaAndIsComplete() throws Exception {
    byte[] document = Files.readAllBytes(ROOT.resolve("native/sbom/postscrypt-native.cdx.json"));
    assertEquals(List.of(), new JsonParser().validate(document, Version.VERSION_16));
    Bom bom = new JsonParser().parse(document);
    Set<String> references = new HashSet<>(Set.of(bom.getMetadata().getComponent().getBomRef()));
    for (Component component : bom.getComponents()) {
      assertTrue(references.add(component.getBomRef()), component.getBomRef());
      assertTrue(component.getLicenses() != null, component.getName());
    }
    Set<String> connected = new HashSet<>();
    for (Dependency dependency : bom.getDependencies()) {
      assertTrue(connected.add(dependency.getRef()), dependency.getRef());
      if (dependency.getDependencies() != null) {
        for (Dependency needed : dependency.getDependencies()) {
          assertTrue(references.contains(needed.getRef()), needed.getRef());
        }
      }
    }
    assertEquals(references, connected);
    assertTrue(bom.getComponents().stream().anyMatch(c -> c.getName().equals("BoringSSL")
        && c.getVersion().equals(System.getProperty("boringssl.revision"))), "BoringSSL's revision");
  }
}
