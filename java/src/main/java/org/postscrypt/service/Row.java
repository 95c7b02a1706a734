package org.postscrypt.service;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One service of the provider's table: type and algorithm by their JCA standard names, and how to make one. Immutable.
 */
public final class Row {
  /** Makes the service's implementation. (java.util.function.Supplier is absent before Android 24.) */
  public interface Factory {
    /**
     * A new SPI object.
     *
     * @throws Exception if the algorithm cannot be had here; becomes the cause of a NoSuchAlgorithmException
     */
    Object newInstance() throws Exception;
  }

  private final String type;
  private final String algorithm;
  private final Factory factory;
  private final List<String> aliases;
  private final Map<String, String> attributes;

  private Row(String type, String algorithm, Factory factory, List<String> aliases, Map<String, String> attributes) {
    this.type = type;
    this.algorithm = algorithm;
    this.factory = factory;
    this.aliases = Collections.unmodifiableList(aliases);
    this.attributes = Collections.unmodifiableMap(attributes);
  }

  /** A service without aliases or attributes. */
  public static Row of(String type, String algorithm, Factory factory) {
    if (type == null || algorithm == null || factory == null) {
      throw new NullPointerException();
    }
    return new Row(
        type, algorithm, factory, Collections.<String>emptyList(), Collections.<String, String>emptyMap());
  }

  /** This row, also found under these names. */
  public Row alias(String... names) {
    List<String> more = new ArrayList<>(aliases);
    more.addAll(Arrays.asList(names));
    return new Row(type, algorithm, factory, more, attributes);
  }

  /** This row, also found under these object identifiers, plain and with the prefix {@code OID.}. */
  public Row oid(String... oids) {
    Row row = this;
    for (String oid : oids) {
      row = row.alias(oid, "OID." + oid);
    }
    return row;
  }

  /** This row with an attribute ({@code ThreadSafe}, {@code SupportedKeyFormats}, …). */
  public Row attribute(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(attributes);
    more.put(name, value);
    return new Row(type, algorithm, factory, aliases, more);
  }

  /** The service's type, {@code MessageDigest} say. */
  public String type() {
    return type;
  }

  /** The algorithm's standard name. */
  public String algorithm() {
    return algorithm;
  }

  /** Makes the implementation. */
  public Factory factory() {
    return factory;
  }

  /** Other names; unmodifiable. */
  public List<String> aliases() {
    return aliases;
  }

  /** Attributes; unmodifiable. */
  public Map<String, String> attributes() {
    return attributes;
  }
}
