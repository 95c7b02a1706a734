package org.postscrypt;

import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLParameters;

/**
 * {@link SSLParameters} with what JSSE has no word for. Hand it to the standard {@code setSSLParameters} of an engine, a socket or a
 * server socket of Postscrypt; {@code getSSLParameters} of those answers one.
 *
 * <p>As with {@code SSLParameters}, null means "leave it as it is". All arrays and collections are copied. Not thread-safe.
 */
public class TlsParameters extends SSLParameters {
  private String[] namedGroups;
  private String[] signatureSchemes;
  private List<PreSharedKey> preSharedKeys;
  private KeyPair rawKeyPair;
  private List<PublicKey> trustedRawPublicKeys;
  private byte[] echConfigList;
  private List<EchKey> echKeys;
  private Boolean echGrease;
  private KeyLog keyLog;
  private byte[] ocspResponse;
  private byte[] signedCertificateTimestamps;
  private List<byte[]> sessionTicketKeys;
  private Boolean certificateCompression;
  private Boolean grease;
  private Boolean extensionPermutation;
  private BufferAllocator bufferAllocator;
  private String peerHost;
  private String endpointIdentificationAlgorithm;
  private String[] applicationProtocols = {};
  private Boolean sessionTickets;
  private SessionStore sessionStore;
  private ServerSessionStore serverSessionStore;
  private PrivateKey channelIdKey;

  /** With nothing set. */
  public TlsParameters() {}

  /** With these cipher suites, and nothing else set. */
  public TlsParameters(String[] cipherSuites) {
    super(cipherSuites);
  }

  /** With these cipher suites and protocols, and nothing else set. */
  public TlsParameters(String[] cipherSuites, String[] protocols) {
    super(cipherSuites, protocols);
  }

  /** Named groups for the key exchange, in order of preference; null if not set. On JDK 20 and newer, the JDK's own property. */
  public String[] getNamedGroups() {
    return namedGroups == null ? null : namedGroups.clone();
  }

  /**
   * Sets the named groups: {@code X25519MLKEM768}, {@code x25519}, {@code secp256r1}, {@code secp384r1}, {@code secp521r1}, {@code
   * MLKEM1024}, in any case, or {@code P-256}, {@code P-384}, {@code P-521}; others are ignored, as {@code SSLParameters} says.
   *
   * @throws IllegalArgumentException for a null or empty name, or a name twice
   */
  public void setNamedGroups(String[] names) {
    namedGroups = checkedNames(names);
  }

  /** Signature schemes, in order of preference; null if not set. On JDK 19 and newer, the JDK's own property. */
  public String[] getSignatureSchemes() {
    return signatureSchemes == null ? null : signatureSchemes.clone();
  }

  /**
   * Sets the signature schemes that are accepted and used, by their TLS names ({@code ecdsa_secp256r1_sha256}); unknown ones are
   * ignored, as {@code SSLParameters} says.
   *
   * @throws IllegalArgumentException for a null or empty name, or a name twice
   */
  public void setSignatureSchemes(String[] names) {
    signatureSchemes = checkedNames(names);
  }

  private static String[] checkedNames(String[] names) {
    if (names == null) {
      return null;
    }
    List<String> seen = new ArrayList<>();
    for (String name : names) {
      if (name == null || name.isEmpty() || seen.contains(name)) {
        throw new IllegalArgumentException("an element is null, empty or there twice: " + Arrays.toString(names));
      }
      seen.add(name);
    }
    return names.clone();
  }

  /** {@code HTTPS}, {@code LDAPS}, or null if not set. */
  @Override
  public String getEndpointIdentificationAlgorithm() {
    return endpointIdentificationAlgorithm;
  }

  /**
   * Sets how the peer's name is checked: {@code HTTPS}, {@code LDAPS}, or null for not at all. The property of {@code SSLParameters},
   * also on Android before API 24, where those have none.
   */
  @Override
  public void setEndpointIdentificationAlgorithm(String algorithm) {
    endpointIdentificationAlgorithm = algorithm;
  }

  /** Application protocols (RFC 7301), in order of preference; empty for none. */
  @Override
  public String[] getApplicationProtocols() {
    return applicationProtocols.clone();
  }

  /**
   * Sets the application protocols. The property of {@code SSLParameters}, also before Java 8u251 and Android's API 29, where those
   * have none; {@link PostscryptSession#getApplicationProtocol()} says there what was negotiated.
   *
   * @throws IllegalArgumentException if {@code protocols} is null, or an element is null or empty
   */
  @Override
  public void setApplicationProtocols(String[] protocols) {
    if (protocols == null) {
      throw new IllegalArgumentException("protocols was null");
    }
    String[] copy = protocols.clone();
    for (String protocol : copy) {
      if (protocol == null || protocol.isEmpty()) {
        throw new IllegalArgumentException("an element is null or empty: " + Arrays.toString(copy));
      }
    }
    applicationProtocols = copy;
  }

  /** External pre-shared keys, in order of preference; null if not set. */
  public List<PreSharedKey> getPreSharedKeys() {
    return preSharedKeys;
  }

  /** Sets the external pre-shared keys; an empty list for none. A client offers all of them, a server looks for the client's. */
  public void setPreSharedKeys(List<PreSharedKey> keys) {
    preSharedKeys = copy(keys);
  }

  /** Our own raw key pair; null if not set. */
  public KeyPair getRawKeyPair() {
    return rawKeyPair;
  }

  /**
   * Sets the key pair to authenticate with as a raw public key (RFC 7250), if the peer accepts those; its private key must have a
   * PKCS#8 encoding. Certificates of the key manager remain for peers that do not.
   */
  public void setRawKeyPair(KeyPair pair) {
    rawKeyPair = pair;
  }

  /** The raw public keys that a peer may authenticate with; null if not set. */
  public List<PublicKey> getTrustedRawPublicKeys() {
    return trustedRawPublicKeys;
  }

  /**
   * Sets the raw public keys (RFC 7250) that a peer may authenticate with; they come before certificates, which the trust manager
   * still judges. An empty collection for none.
   */
  public void setTrustedRawPublicKeys(Collection<PublicKey> keys) {
    trustedRawPublicKeys = copy(keys);
  }

  /** Client: the {@code ECHConfigList}; null if not set. */
  public byte[] getEchConfigList() {
    return echConfigList == null ? null : echConfigList.clone();
  }

  /**
   * Client: sets the Encrypted Client Hello configurations (RFC 9849), as DNS gives them; empty for none. A refusal by the server is
   * an {@link EchRejectedException}.
   */
  public void setEchConfigList(byte[] list) {
    echConfigList = list == null ? null : list.clone();
  }

  /** Server: the keys for Encrypted Client Hello; null if not set. */
  public List<EchKey> getEchKeys() {
    return echKeys;
  }

  /** Server: sets the keys for Encrypted Client Hello, newest first; empty for none. */
  public void setEchKeys(List<EchKey> keys) {
    echKeys = copy(keys);
  }

  /** Client: whether a meaningless ECH extension is sent when there is no configuration; null if not set. */
  public Boolean getEchGrease() {
    return echGrease;
  }

  /** Client: sets whether a meaningless ECH extension is sent when there is no configuration (RFC 9849 section 6.2). Default: off. */
  public void setEchGrease(Boolean enable) {
    echGrease = enable;
  }

  /** Where secrets are written; null if not set. */
  public KeyLog getKeyLog() {
    return keyLog;
  }

  /** Sets where the secrets of connections are written. They let anybody read the traffic: for debugging only. */
  public void setKeyLog(KeyLog log) {
    keyLog = log;
  }

  /** Server: the OCSP response to staple; null if not set. */
  public byte[] getOcspResponse() {
    return ocspResponse == null ? null : ocspResponse.clone();
  }

  /** Server: sets the OCSP response (DER, RFC 6960) to staple for clients that ask; empty for none. */
  public void setOcspResponse(byte[] response) {
    ocspResponse = response == null ? null : response.clone();
  }

  /** Server: the list of SCTs to staple; null if not set. */
  public byte[] getSignedCertificateTimestamps() {
    return signedCertificateTimestamps == null ? null : signedCertificateTimestamps.clone();
  }

  /** Server: sets the {@code SignedCertificateTimestampList} (RFC 6962 section 3.3) to staple; empty for none. */
  public void setSignedCertificateTimestamps(byte[] list) {
    signedCertificateTimestamps = list == null ? null : list.clone();
  }

  /** Server: the session ticket keys; null if not set. */
  public List<byte[]> getSessionTicketKeys() {
    return sessionTicketKeys == null ? null : copyAll(sessionTicketKeys);
  }

  /**
   * Server: sets session ticket keys that several servers share: 48 bytes each (16 bytes name, 16 bytes HMAC key, 16 bytes AES key).
   * The first one seals, all open: rotate by putting a new one first, everywhere at second place before that. Who has a key can read
   * TLS 1.2 traffic of its tickets; change them at least daily. The servers must be configured alike, trust included. Empty: each
   * context has keys of its own, renewed by BoringSSL.
   *
   * @throws IllegalArgumentException if a key does not have 48 bytes
   */
  public void setSessionTicketKeys(List<byte[]> keys) {
    if (keys != null) {
      for (byte[] key : keys) {
        if (key.length != 48) {
          throw new IllegalArgumentException("a session ticket key has 48 bytes, this one has " + key.length);
        }
      }
    }
    sessionTicketKeys = keys == null ? null : copyAll(keys);
  }

  /** Whether certificates are compressed; null if not set. */
  public Boolean getCertificateCompression() {
    return certificateCompression;
  }

  /** Sets whether certificate chains are compressed by zlib (RFC 8879) with peers that can. Default: on. */
  public void setCertificateCompression(Boolean enable) {
    certificateCompression = enable;
  }

  /** Client: whether unknown values are mixed into the hello; null if not set. */
  public Boolean getGrease() {
    return grease;
  }

  /** Client: sets whether unknown values are mixed into the hello (GREASE, RFC 8701). Default: off. */
  public void setGrease(Boolean enable) {
    grease = enable;
  }

  /** Client: whether the hello's extensions come in random order; null if not set. */
  public Boolean getExtensionPermutation() {
    return extensionPermutation;
  }

  /** Client: sets whether the hello's extensions come in random order. Default: off. */
  public void setExtensionPermutation(Boolean enable) {
    extensionPermutation = enable;
  }

  /** Where an engine's direct buffers come from; null if not set. */
  public BufferAllocator getBufferAllocator() {
    return bufferAllocator;
  }

  /**
   * Sets where an engine's direct buffers come from; unlike all else here it counts from the next wrap or unwrap. Default: {@link
   * Postscrypt#getDefaultBufferAllocator()}, and if there is none, each engine makes the one buffer that it needs at most, and keeps it
   * until it is closed.
   */
  public void setBufferAllocator(BufferAllocator allocator) {
    bufferAllocator = allocator;
  }

  /** Client: the peer's host, if it is not the one that the engine or socket was made with; null or empty if not set. */
  public String getPeerHost() {
    return peerHost;
  }

  /**
   * Client: sets the peer's host: for SNI unless server names are set, for endpoint identification, for finding sessions, and for
   * {@code getPeerHost} of engine and session. Empty: the host that the engine or socket was made with.
   */
  public void setPeerHost(String host) {
    peerHost = host;
  }

  /** Whether session tickets are used; null if not set. */
  public Boolean getSessionTickets() {
    return sessionTickets;
  }

  /**
   * Sets whether session tickets (RFC 5077) are used in TLS 1.2, and issued by a server in TLS 1.3. Without them TLS 1.2 still resumes
   * by session id; a client takes the tickets of TLS 1.3 in any case. Default: on.
   */
  public void setSessionTickets(Boolean enable) {
    sessionTickets = enable;
  }

  /** Client: where sessions are kept beside the context's memory; null if not set. */
  public SessionStore getSessionStore() {
    return sessionStore;
  }

  /** Client: sets where sessions are kept beside the context's memory. The chain in a session is verified again whenever it is resumed. */
  public void setSessionStore(SessionStore store) {
    sessionStore = store;
  }

  /** Server: where sessions are kept beside the context's memory; null if not set. */
  public ServerSessionStore getServerSessionStore() {
    return serverSessionStore;
  }

  /**
   * Server: sets where sessions of TLS 1.2 clients without ticket are kept beside the context's memory. {@link #setSessionTickets
   * Without tickets} that is all of them.
   */
  public void setServerSessionStore(ServerSessionStore store) {
    serverSessionStore = store;
  }

  /** Client: the key of the Channel ID; null if not set. */
  public PrivateKey getChannelIdKey() {
    return channelIdKey;
  }

  /**
   * Client: sets the key that is proven to servers which ask for a Channel ID (draft-balfanz-tls-channelid-01), encrypted. For servers that
   * still do: the draft was given up.
   *
   * @param key on P-256, with a PKCS #8 encoding; another one fails the handshake. Null for none, also where there was one
   */
  public void setChannelIdKey(PrivateKey key) {
    channelIdKey = key;
  }

  private static <T> List<T> copy(Collection<T> elements) {
    if (elements == null) {
      return null;
    }
    List<T> copy = new ArrayList<>(elements);
    if (copy.contains(null)) {
      throw new IllegalArgumentException("an element is null");
    }
    return Collections.unmodifiableList(copy);
  }

  private static List<byte[]> copyAll(List<byte[]> keys) {
    List<byte[]> copies = new ArrayList<>();
    for (byte[] key : keys) {
      copies.add(key.clone());
    }
    return copies;
  }
}
