package org.postscrypt.jsse.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A ClientHello or ServerHello as it is on the wire (RFC 8446 sections 4.1.2 and 4.1.3). Parsing fails on anything that
 * is not exactly well-formed.
 *
 * @param version legacy_version
 * @param suites of a client: those offered; of a server: the one chosen
 * @param extensions bodies by type, in their order
 */
public record Hello(
    int version, byte[] random, byte[] sessionId, List<Integer> suites, byte[] compression,
    Map<Integer, byte[]> extensions) {
  public static final int SERVER_NAME = 0;
  public static final int STATUS_REQUEST = 5;
  public static final int SUPPORTED_GROUPS = 10;
  public static final int SIGNATURE_ALGORITHMS = 13;
  public static final int ALPN = 16;
  public static final int EXTENDED_MASTER_SECRET = 23;
  public static final int SESSION_TICKET = 35;
  public static final int PRE_SHARED_KEY = 41;
  public static final int EARLY_DATA = 42;
  public static final int SUPPORTED_VERSIONS = 43;
  public static final int PSK_MODES = 45;
  public static final int KEY_SHARE = 51;
  public static final int RENEGOTIATION_INFO = 0xff01;

  /** The first message in these records, a ClientHello. */
  public static Hello ofClient(byte[] records) {
    ByteBuffer in = message(records, 1);
    int version = in.getShort() & 0xffff;
    byte[] random = bytes(in, 32);
    byte[] id = vector8(in);
    List<Integer> suites = shorts(vector16(in));
    byte[] compression = vector8(in);
    return new Hello(version, random, id, suites, compression, extensions(in));
  }

  /** The first message in these records, a ServerHello. */
  public static Hello ofServer(byte[] records) {
    ByteBuffer in = message(records, 2);
    int version = in.getShort() & 0xffff;
    byte[] random = bytes(in, 32);
    byte[] id = vector8(in);
    List<Integer> suites = List.of(in.getShort() & 0xffff);
    byte[] compression = bytes(in, 1);
    return new Hello(version, random, id, suites, compression, in.hasRemaining() ? extensions(in) : Map.of());
  }

  private static ByteBuffer message(byte[] records, int type) {
    // A message may go over several records, but its type and length are in the first.
    Bytes message = new Bytes();
    for (int at = 0; at < records.length; at += Bytes.recordLength(records, at)) {
      assertEquals(22, records[at], "a record of handshake messages");
      assertEquals(3, records[at + 1], "major version");
      message.add(records, at + Bytes.HEADER, Bytes.recordLength(records, at) - Bytes.HEADER);
      byte[] sofar = message.peek(4);
      int length = (sofar[1] & 0xff) << 16 | (sofar[2] & 0xff) << 8 | sofar[3] & 0xff;
      assertEquals(type, sofar[0], "the handshake message's type");
      if (message.size() >= 4 + length) {
        ByteBuffer in = ByteBuffer.wrap(message.peek(4 + length));
        in.position(4);
        return in;
      }
    }
    throw new AssertionError("the message is not complete");
  }

  private static Map<Integer, byte[]> extensions(ByteBuffer in) {
    Map<Integer, byte[]> extensions = new LinkedHashMap<>();
    ByteBuffer all = ByteBuffer.wrap(vector16(in));
    assertFalse(in.hasRemaining(), "nothing behind the extensions");
    while (all.hasRemaining()) {
      int type = all.getShort() & 0xffff;
      assertEquals(null, extensions.put(type, vector16(all)), "extension " + type + " twice");
    }
    return extensions;
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static byte[] vector8(ByteBuffer in) {
    return bytes(in, in.get() & 0xff);
  }

  private static byte[] vector16(ByteBuffer in) {
    return bytes(in, in.getShort() & 0xffff);
  }

  private static List<Integer> shorts(byte[] vector) {
    assertEquals(0, vector.length % 2);
    List<Integer> list = new ArrayList<>();
    for (ByteBuffer in = ByteBuffer.wrap(vector); in.hasRemaining(); ) {
      list.add(in.getShort() & 0xffff);
    }
    return list;
  }

  /** Values reserved to keep implementations tolerant (RFC 8701). */
  private static boolean isGrease(int value) {
    return (value & 0x0f0f) == 0x0a0a && value >> 8 == (value & 0xff);
  }

  private static List<Integer> withoutGrease(List<Integer> values) {
    return values.stream().filter(v -> !isGrease(v)).collect(Collectors.toList());
  }

  private ByteBuffer extension(int type) {
    assertTrue(extensions.containsKey(type), () -> "no extension " + type + " among " + extensions.keySet());
    return ByteBuffer.wrap(extensions.get(type));
  }

  /** Whether there is such an extension. */
  public boolean has(int type) {
    return extensions.containsKey(type);
  }

  /** The suites offered, without GREASE. */
  public List<Integer> realSuites() {
    return withoutGrease(suites);
  }

  /** A client's supported versions, without GREASE. */
  public List<Integer> versions() {
    return withoutGrease(shorts(vector8(extension(SUPPORTED_VERSIONS))));
  }

  /** A server's version. */
  public int selectedVersion() {
    return has(SUPPORTED_VERSIONS) ? extension(SUPPORTED_VERSIONS).getShort() & 0xffff : version;
  }

  /** A client's groups, without GREASE. */
  public List<Integer> groups() {
    return withoutGrease(shorts(vector16(extension(SUPPORTED_GROUPS))));
  }

  /** The groups of a client's key shares, without GREASE, with the lengths of the keys in bytes. */
  public Map<Integer, Integer> keyShares() {
    Map<Integer, Integer> shares = new LinkedHashMap<>();
    for (ByteBuffer in = ByteBuffer.wrap(vector16(extension(KEY_SHARE))); in.hasRemaining(); ) {
      int group = in.getShort() & 0xffff;
      int length = vector16(in).length;
      if (!isGrease(group)) {
        shares.put(group, length);
      }
    }
    return shares;
  }

  /** The group of a server's key share. */
  public int selectedGroup() {
    return extension(KEY_SHARE).getShort() & 0xffff;
  }

  /** A client's signature schemes. */
  public List<Integer> signatureSchemes() {
    return withoutGrease(shorts(vector16(extension(SIGNATURE_ALGORITHMS))));
  }

  /** The one host name of a client. */
  public String serverName() {
    ByteBuffer list = ByteBuffer.wrap(vector16(extension(SERVER_NAME)));
    assertEquals(0, list.get(), "host_name");
    String name = new String(vector16(list), StandardCharsets.US_ASCII);
    assertFalse(list.hasRemaining(), "one name");
    return name;
  }

  /** The application protocols. */
  public List<String> protocols() {
    List<String> names = new ArrayList<>();
    for (ByteBuffer in = ByteBuffer.wrap(vector16(extension(ALPN))); in.hasRemaining(); ) {
      names.add(new String(vector8(in), StandardCharsets.ISO_8859_1));
    }
    return names;
  }

  /** The identities (tickets) of a client's pre-shared keys. */
  public List<ByteBuffer> pskIdentities() {
    List<ByteBuffer> identities = new ArrayList<>();
    for (ByteBuffer in = ByteBuffer.wrap(vector16(extension(PRE_SHARED_KEY))); in.hasRemaining(); ) {
      identities.add(ByteBuffer.wrap(vector16(in)));
      in.getInt(); // obfuscated age
    }
    return identities;
  }
}
