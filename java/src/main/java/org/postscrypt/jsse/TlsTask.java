package org.postscrypt.jsse;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import javax.security.auth.x500.X500Principal;
import org.postscrypt.PreSharedKeyManager;
import org.postscrypt.ServerSessionStore;
import org.postscrypt.nat.KeyEncoding;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.x509.X509;

/**
 * A delegated task: a decision that the handshake is suspended for. Application code (key and trust managers, selectors, foreign
 * keys) runs here without any lock of ours, on whatever thread the application chooses; what it throws fails the handshake.
 */
final class TlsTask implements Runnable {
  private static final int VERIFY_CERTIFICATE = 1;
  private static final int CLIENT_HELLO = 2;
  private static final int CERTIFICATE_REQUEST = 3;
  private static final int DECRYPT = 4;
  private static final int PRE_SHARED_KEY = 5;
  private static final int SESSION = 6;
  private static final int SIGN = 0x10000;

  private static final int MOST_IDENTITY_BYTES = 128;
  private static final int MOST_KEY_BYTES = 256;

  private final TlsEngine engine;
  private final int kind;

  /** {@code kind}: as {@code NativeCrypto.tlsTask} answers it. */
  TlsTask(TlsEngine engine, int kind) {
    this.engine = engine;
    this.kind = kind;
  }

  @Override
  public void run() {
    if (kind == VERIFY_CERTIFICATE) {
      verify();
    } else if (kind == CLIENT_HELLO || kind == CERTIFICATE_REQUEST) {
      select();
    } else if (kind == PRE_SHARED_KEY) {
      preSharedKey();
    } else if (kind == SESSION) {
      findSession();
    } else {
      useKey();
    }
  }

  /**
   * Hands in the answer. Whatever was thrown is the handshake's failure, so that none hangs; what concerns the whole JVM (out of
   * memory, say) goes on to whoever runs the task as well.
   */
  private void answer(Throwable failure, TlsEngine.Reader<Integer> answer) {
    engine.answer(this, failure, answer);
    if (failure instanceof VirtualMachineError) {
      throw (VirtualMachineError) failure;
    }
  }

  // --- certificate verification ---

  private void verify() {
    Throwable refusal = null;
    int alert = Alerts.NONE;
    try {
      byte[][] encoded = engine.read(this, c -> NativeCrypto.tlsPeerCertificates(c.handle(), c));
      if (encoded == null) {
        return;
      }
      if (!engine.isClient()) {
        setOwnChain();
      }
      byte[] rawKey =
          engine.config().trustedRawPublicKeys().isEmpty()
              ? null
              : engine.read(this, c -> NativeCrypto.tlsPeerRawPublicKey(c.handle(), c));
      if (rawKey != null) {
        engine.handshaking().setPeerRawPublicKey(trustedRawPublicKey(engine.config(), rawKey));
      } else {
        if (engine.isClient()) {
          engine.handshaking().setStatusResponse(engine.read(this, c -> NativeCrypto.tlsOcspResponse(c.handle(), c)));
        }
        byte[] override =
            engine.config().echConfigList().length == 0
                ? null
                : engine.read(this, c -> NativeCrypto.tlsEchNameOverride(c.handle(), c));
        if (override != null) {
          engine.handshaking().setPublicName(new String(override, StandardCharsets.US_ASCII));
        }
        X509Certificate[] chain = parse(encoded);
        checkTrusted(chain);
        engine.handshaking().setPeerCertificates(chain);
      }
    } catch (CertificateException e) {
      refusal = e;
      alert = Alerts.of(e);
    } catch (Throwable e) {
      refusal = e;
      alert = Alerts.INTERNAL_ERROR;
    }
    int verdict = alert;
    answer(refusal, c -> NativeCrypto.tlsSetVerified(c.handle(), c, verdict));
  }

  /** What a server has sent of itself is in the session when its client's chain is looked at. */
  private void setOwnChain() {
    Integer selected = engine.read(this, c -> NativeCrypto.tlsSelectedCredential(c.handle(), c));
    List<TlsCredential> offered = engine.offered();
    if (selected != null && selected >= 0 && selected < offered.size()) {
      engine.handshaking().setLocalCertificates(offered.get(selected).chain);
    }
  }

  /** The one among the trusted keys that this is the encoding of. */
  static PublicKey trustedRawPublicKey(TlsConfig config, byte[] encoded) throws CertificateException {
    for (PublicKey trusted : config.trustedRawPublicKeys()) {
      if (Arrays.equals(encoded, trusted.getEncoded())) {
        return trusted;
      }
    }
    throw new CertificateException("the peer's raw public key is not among the trusted ones");
  }

  /** The certificates of a chain. */
  static X509Certificate[] parse(byte[][] encoded) throws CertificateException {
    X509Certificate[] chain = new X509Certificate[encoded.length];
    for (int i = 0; i < chain.length; i++) {
      chain[i] = X509.certificate(encoded[i]);
    }
    return chain;
  }

  private void checkTrusted(X509Certificate[] chain) throws CertificateException {
    X509TrustManager manager = engine.context().trustManager();
    TlsSession session = engine.handshaking();
    boolean client = engine.isClient();
    String authType = client ? serverAuthType(session) : clientAuthType(chain[0]);
    X509Certificate[] copy = chain.clone();
    if (JsseApi.HERE.checkTrusted(manager, copy, authType, engine)) {
      return;
    }
    if (client) {
      manager.checkServerTrusted(copy, authType);
    } else {
      manager.checkClientTrusted(copy, authType);
    }
    // Such a manager knows nothing of names: that remains for us.
    PkixTrustManager.identify(chain[0], session, engine.config().endpointIdentification());
  }

  private static String serverAuthType(TlsSession session) {
    return session.version() >= Protocols.TLS13_VERSION ? "UNKNOWN" : CipherSuites.keyExchange(session.cipherSuite());
  }

  private static String clientAuthType(X509Certificate leaf) {
    String algorithm = leaf.getPublicKey().getAlgorithm();
    switch (algorithm) {
      case "RSA":
      case "DSA":
      case "EC":
      case "EdDSA":
      case "RSASSA-PSS":
        return algorithm;
      case "Ed25519":
        return "EdDSA";
      default:
        return "UNKNOWN";
    }
  }

  // --- certificate selection ---

  /** Fails the handshake with this alert. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;
    final transient int alert;

    Refusal(int alert, String message) {
      super(message);
      this.alert = alert;
    }
  }

  private void select() {
    List<TlsCredential> credentials = Collections.emptyList();
    byte[] protocol = null;
    int alert = Alerts.NONE;
    Throwable failure = null;
    try {
      int[] schemes = engine.read(this, c -> NativeCrypto.tlsPeerSignatureSchemes(c.handle(), c));
      if (schemes == null) {
        return;
      }
      engine.handshaking().setPeerSignatureSchemes(schemes);
      if (kind == CLIENT_HELLO) {
        serverName();
        protocol = applicationProtocol();
        hintPreSharedKey();
        // Without credentials only a resumption can succeed.
        if (engine.config().sessionCreation()) {
          credentials = serverCredentials(schemes);
          if (credentials.isEmpty()
              && engine.config().preSharedKeys().isEmpty()
              && !mayAskForPreSharedKey()) {
            throw new Refusal(Alerts.HANDSHAKE_FAILURE, "No available authentication scheme");
          }
        }
      } else {
        credentials = clientCredentials(schemes);
      }
    } catch (Refusal e) {
      alert = e.alert;
      failure = new SSLHandshakeException(e.getMessage());
    } catch (Throwable e) {
      alert = Alerts.INTERNAL_ERROR;
      failure = e;
    }
    engine.setOffered(credentials);
    long[] handles = new long[credentials.size()];
    Object[] owners = new Object[handles.length];
    for (int i = 0; i < handles.length; i++) {
      handles[i] = credentials.get(i).handle();
      owners[i] = credentials.get(i).ref();
    }
    byte[] chosen = protocol;
    int verdict = alert;
    answer(failure, c -> NativeCrypto.tlsSelect(c.handle(), c, handles, owners, chosen, verdict));
  }

  /** Reads the name that the client asks for, and refuses it if matchers are set and none of them wants it. */
  private void serverName() throws Refusal {
    byte[] encoded = engine.read(this, c -> NativeCrypto.tlsServerName(c.handle(), c));
    if (encoded == null) {
      return;
    }
    Object name;
    try {
      name = JsseApi.HERE.serverName(encoded);
    } catch (IllegalArgumentException e) {
      throw new Refusal(Alerts.UNRECOGNIZED_NAME, "the client's server name is not a host name");
    }
    engine.handshaking().setRequestedServerNames(Collections.singletonList(name));
    if (JsseApi.HERE.isRefused(name, engine.config().sniMatchers())) {
      throw new Refusal(Alerts.UNRECOGNIZED_NAME, "Unrecognized server name indication");
    }
  }

  /** What the selector chooses; null if there is none or the client offers nothing. */
  private byte[] applicationProtocol() throws Refusal {
    Object selector = engine.protocolSelector();
    if (selector == null) {
      return null;
    }
    byte[] wire = engine.read(this, c -> NativeCrypto.tlsOfferedProtocols(c.handle(), c));
    if (wire == null || wire.length == 0) {
      return null;
    }
    List<String> offered = new ArrayList<>();
    for (int i = 0; i < wire.length; i += 1 + (wire[i] & 0xff)) {
      int end = i + 1 + (wire[i] & 0xff);
      if (end > wire.length) {
        return null; // malformed: the native side says so
      }
      offered.add(new String(wire, i + 1, end - i - 1, StandardCharsets.ISO_8859_1));
    }
    String chosen = ProtocolSelectors.choose(selector, engine, Collections.unmodifiableList(offered));
    if (chosen == null || !(chosen.isEmpty() || offered.contains(chosen))) {
      throw new Refusal(Alerts.NO_APPLICATION_PROTOCOL, "No matching application layer protocol values");
    }
    return chosen.getBytes(StandardCharsets.ISO_8859_1);
  }

  private List<TlsCredential> serverCredentials(int[] schemes) throws Exception {
    X509KeyManager manager = engine.context().keyManager();
    List<TlsCredential> credentials = new ArrayList<>();
    addRawPublicKey(credentials);
    if (manager == null) {
      return credentials;
    }
    // One alias can serve several key types; each is offered once.
    Set<String> aliases = new LinkedHashSet<>();
    for (String keyType : keyTypes(schemes)) {
      String alias =
          engine.owner() == null && manager instanceof X509ExtendedKeyManager
              ? ((X509ExtendedKeyManager) manager).chooseEngineServerAlias(keyType, null, engine)
              : manager.chooseServerAlias(keyType, null, engine.owner());
      if (alias != null && aliases.add(alias)) {
        addCredential(manager, alias, credentials);
      }
    }
    return credentials;
  }

  private List<TlsCredential> clientCredentials(int[] schemes) throws Exception {
    X509KeyManager manager = engine.context().keyManager();
    List<TlsCredential> credentials = new ArrayList<>();
    addRawPublicKey(credentials);
    if (manager == null) {
      return credentials;
    }
    byte[][] names = engine.read(this, c -> NativeCrypto.tlsRequestedIssuers(c.handle(), c));
    byte[] types = engine.read(this, c -> NativeCrypto.tlsRequestedCertificateTypes(c.handle(), c));
    if (names == null || types == null) {
      return credentials;
    }
    Principal[] issuers = new Principal[names.length];
    for (int i = 0; i < issuers.length; i++) {
      issuers[i] = new X500Principal(names[i]);
    }
    Set<String> keyTypes = keyTypes(schemes);
    if (types.length > 0) {
      // TLS 1.2 restricts by certificate type too (RFC 5246 section 7.4.4, RFC 8422 section 5.5).
      for (Iterator<String> each = keyTypes.iterator(); each.hasNext(); ) {
        if (!allows(types, each.next())) {
          each.remove();
        }
      }
    }
    String[] wanted = keyTypes.toArray(new String[0]);
    String alias =
        engine.owner() == null && manager instanceof X509ExtendedKeyManager
            ? ((X509ExtendedKeyManager) manager).chooseEngineClientAlias(wanted, issuers, engine)
            : manager.chooseClientAlias(wanted, issuers, engine.owner());
    if (alias != null) {
      addCredential(manager, alias, credentials);
    }
    return credentials;
  }

  /** Key types for what the peer accepts and we may use; a TLS 1.2 peer may leave open what it accepts. */
  private Set<String> keyTypes(int[] accepted) {
    int[] own = engine.config().signatureSchemes();
    return SignatureSchemes.keyTypes(accepted.length == 0 ? own : SignatureSchemes.common(accepted, own));
  }

  private void addRawPublicKey(List<TlsCredential> credentials) throws InvalidKeyException {
    if (engine.config().rawKeyPair() != null) {
      credentials.add(engine.context().rawPublicKey(engine.config().rawKeyPair(), engine.config()));
    }
  }

  private static boolean allows(byte[] certificateTypes, String keyType) {
    boolean rsa = keyType.startsWith("RSA");
    for (byte type : certificateTypes) {
      if (type == (rsa ? 1 : 64)) {
        return true;
      }
    }
    return false;
  }

  private void addCredential(X509KeyManager manager, String alias, List<TlsCredential> credentials)
      throws InvalidKeyException, CertificateException {
    PrivateKey key = manager.getPrivateKey(alias);
    X509Certificate[] chain = manager.getCertificateChain(alias);
    if (key != null && chain != null && chain.length > 0) {
      credentials.add(engine.context().credential(key, chain, engine.config()));
    }
  }

  // --- pre-shared keys and sessions from elsewhere ---

  /** There is a manager, for TLS 1.2. */
  private boolean mayAskForPreSharedKey() {
    return engine.context().preSharedKeyManager() != null
        && engine.handshaking().version() < Protocols.TLS13_VERSION;
  }

  private void hintPreSharedKey() {
    PreSharedKeyManager manager = engine.context().preSharedKeyManager();
    if (manager == null) {
      return;
    }
    String hint =
        engine.owner() == null
            ? manager.chooseServerIdentityHint(engine)
            : manager.chooseServerIdentityHint(engine.owner());
    if (hint != null && !hint.isEmpty()) {
      engine.setPreSharedKeyHint(this, hint);
    }
  }

  private void preSharedKey() {
    byte[] identity = null;
    byte[] key = null;
    Throwable failure = null;
    try {
      byte[] name = engine.read(this, c -> NativeCrypto.tlsPreSharedKeyName(c.handle(), c));
      PreSharedKeyManager manager = engine.context().preSharedKeyManager();
      String said = name == null ? null : new String(name, StandardCharsets.UTF_8);
      String chosen = engine.isClient() ? chooseIdentity(manager, said) : said;
      if (chosen == null) {
        throw new SSLHandshakeException("No identity was chosen for a pre-shared key");
      }
      identity = engine.isClient() ? chosen.getBytes(StandardCharsets.UTF_8) : null;
      String hint = engine.isClient() ? said : engine.preSharedKeyHint();
      SecretKey found =
          engine.owner() == null
              ? manager.getKey(hint, chosen, engine)
              : manager.getKey(hint, chosen, engine.owner());
      key = found == null ? null : KeyEncoding.copy(found);
      if (key == null) {
        throw new SSLHandshakeException("No pre-shared key for the identity " + chosen);
      }
      checkLengths(identity, key);
    } catch (Throwable e) {
      failure = e;
    }
    byte[] own = identity;
    byte[] secret = failure == null ? key : null;
    try {
      answer(failure, c -> NativeCrypto.tlsSetPreSharedKey(c.handle(), c, own, secret));
    } finally {
      if (key != null) {
        Arrays.fill(key, (byte) 0);
      }
    }
  }

  private String chooseIdentity(PreSharedKeyManager manager, String hint) {
    return engine.owner() == null
        ? manager.chooseClientIdentity(hint, engine)
        : manager.chooseClientIdentity(hint, engine.owner());
  }

  /** {@code identity}: null if it is the peer's. */
  private static void checkLengths(byte[] identity, byte[] key) throws SSLHandshakeException {
    if (identity != null) {
      if (identity.length > MOST_IDENTITY_BYTES) {
        throw new SSLHandshakeException("The identity of a pre-shared key has more than 128 bytes");
      }
      for (byte b : identity) {
        if (b == 0) {
          throw new SSLHandshakeException("The identity of a pre-shared key has a zero byte");
        }
      }
    }
    if (key.length == 0 || key.length > MOST_KEY_BYTES) {
      throw new SSLHandshakeException("A pre-shared key has 1 to 256 bytes, this one has " + key.length);
    }
  }

  private void findSession() {
    byte[] encoded = null;
    Throwable failure = null;
    try {
      byte[] id = engine.read(this, c -> NativeCrypto.tlsWantedSession(c.handle(), c));
      ServerSessionStore store = engine.config().serverSessionStore();
      encoded = id == null || store == null ? null : StoredSession.encoded(store.get(id));
    } catch (RuntimeException e) {
      CallerCode.failed("A session store failed: a full handshake follows.", e);
    } catch (Throwable e) {
      failure = e;
    }
    byte[] session = encoded;
    try {
      answer(failure, c -> NativeCrypto.tlsSetFoundSession(c.handle(), c, session));
    } finally {
      if (encoded != null) {
        Arrays.fill(encoded, (byte) 0);
      }
    }
  }

  // --- keys that stay where they are ---

  private void useKey() {
    byte[] result = null;
    Throwable failure = null;
    try {
      Object[] input =
          engine.read(
              this,
              c ->
                  new Object[] {
                    NativeCrypto.tlsKeyInput(c.handle(), c), NativeCrypto.tlsSelectedCredential(c.handle(), c)
                  });
      if (input == null) {
        return;
      }
      int selected = (Integer) input[1];
      if (selected < 0) {
        throw new IllegalStateException("no credential is in use");
      }
      TlsCredential credential = engine.offered().get(selected);
      result =
          kind == DECRYPT
              ? decrypt(credential.externalKey, (byte[]) input[0])
              : sign(credential, kind - SIGN, (byte[]) input[0]);
    } catch (Throwable e) {
      failure = e;
    }
    byte[] answer = result;
    answer(failure, c -> NativeCrypto.tlsSetKeyResult(c.handle(), c, answer));
  }

  /** The key's own provider does it: the JCA picks the first that takes the key. */
  private static byte[] sign(TlsCredential credential, int schemeId, byte[] message) throws GeneralSecurityException {
    PrivateKey key = credential.externalKey;
    SignatureSchemes scheme = SignatureSchemes.of(schemeId);
    if (scheme == null) {
      throw new InvalidKeyException("unknown signature scheme " + schemeId);
    }
    Signature signature;
    try {
      signature = signature(key, scheme);
    } catch (GeneralSecurityException | ProviderException e) {
      try {
        return RawSigning.sign(key, credential.chain[0].getPublicKey(), scheme, message);
      } catch (GeneralSecurityException | RuntimeException none) {
        e.addSuppressed(none);
        throw e;
      }
    }
    signature.update(message);
    return signature.sign();
  }

  private static Signature signature(PrivateKey key, SignatureSchemes scheme) throws GeneralSecurityException {
    AlgorithmParameterSpec parameters = scheme.parameters();
    Signature signature = Signature.getInstance(scheme.algorithm);
    try {
      // The key first: it decides which provider it is.
      signature.initSign(key);
      if (parameters != null) {
        signature.setParameter(parameters);
      }
    } catch (GeneralSecurityException e) {
      if (parameters == null) {
        throw e;
      }
      // Some want to know the parameters before the key.
      signature = Signature.getInstance(scheme.algorithm, signature.getProvider());
      signature.setParameter(parameters);
      signature.initSign(key);
    }
    return signature;
  }

  /** The raw RSA operation: BoringSSL removes the padding itself, in constant time. */
  private static byte[] decrypt(PrivateKey key, byte[] ciphertext) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("RSA/ECB/NoPadding");
    cipher.init(Cipher.DECRYPT_MODE, key);
    return cipher.doFinal(ciphertext);
  }
}
