package org.postscrypt.jsse;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Chooses among the keys of a key store: by key type and issuer, then, for servers, by the name that the client asks for, and
 * certificates that are valid now before others. Immutable.
 */
final class KeyStoreKeyManager extends X509ExtendedKeyManager {
  /** A key with its chain. */
  static final class Entry {
    private final PrivateKey key;
    private final X509Certificate[] chain;

    Entry(PrivateKey key, X509Certificate[] chain) {
      this.key = key;
      this.chain = chain;
    }
  }

  private final Map<String, Entry> entries;

  KeyStoreKeyManager(Map<String, Entry> entries) {
    this.entries = entries;
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    Entry entry = entries.get(alias);
    return entry == null ? null : entry.key;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    Entry entry = entries.get(alias);
    return entry == null ? null : entry.chain.clone();
  }

  @Override
  public String[] getClientAliases(String keyType, Principal[] issuers) {
    return aliases(keyType, issuers);
  }

  @Override
  public String[] getServerAliases(String keyType, Principal[] issuers) {
    return aliases(keyType, issuers);
  }

  private String[] aliases(String keyType, Principal[] issuers) {
    List<String> aliases = matching(keyType, issuers);
    return aliases.isEmpty() ? null : aliases.toArray(new String[0]);
  }

  @Override
  public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
    return chooseClient(keyTypes, issuers);
  }

  @Override
  public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
    return chooseClient(keyTypes, issuers);
  }

  private String chooseClient(String[] keyTypes, Principal[] issuers) {
    for (String keyType : keyTypes == null ? new String[0] : keyTypes) {
      String alias = best(matching(keyType, issuers), Collections.emptyList());
      if (alias != null) {
        return alias;
      }
    }
    return null;
  }

  @Override
  public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    JsseApi api = JsseApi.HERE;
    return best(matching(keyType, issuers), api.requestedHostNames(api.handshakeSession(socket)));
  }

  @Override
  public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
    JsseApi api = JsseApi.HERE;
    return best(matching(keyType, issuers), api.requestedHostNames(api.handshakeSession(engine)));
  }

  private List<String> matching(String keyType, Principal[] issuers) {
    List<String> aliases = new ArrayList<>();
    for (Map.Entry<String, Entry> candidate : entries.entrySet()) {
      X509Certificate[] chain = candidate.getValue().chain;
      if (isOf(keyType, chain) && issuedBy(chain, issuers)) {
        aliases.add(candidate.getKey());
      }
    }
    return aliases;
  }

  /** JCA Standard Names, key types: EC_RSA is an EC key whose certificate was signed with an RSA key. */
  private static boolean isOf(String keyType, X509Certificate[] chain) {
    String algorithm = chain[0].getPublicKey().getAlgorithm();
    int at = keyType == null ? -1 : keyType.indexOf('_');
    if (at < 0 || at == keyType.length() - 1) {
      return sameType(keyType, algorithm);
    }
    return sameType(keyType.substring(0, at), algorithm) && isSignedBy(keyType.substring(at + 1), chain);
  }

  private static boolean isSignedBy(String algorithm, X509Certificate[] chain) {
    if (chain.length > 1) {
      return sameType(algorithm, chain[1].getPublicKey().getAlgorithm());
    }
    String signature = chain[0].getSigAlgName().toUpperCase(Locale.ROOT);
    return signature.contains("WITH" + algorithm) || algorithm.equals("RSA") && signature.startsWith("RSASSA");
  }

  private static boolean sameType(String wanted, String algorithm) {
    return algorithm.equals(wanted) || algorithm.equals("Ed25519") && "EdDSA".equals(wanted);
  }

  private static boolean issuedBy(X509Certificate[] chain, Principal[] issuers) {
    if (issuers == null || issuers.length == 0) {
      return true;
    }
    List<Principal> accepted = Arrays.asList(issuers);
    for (X509Certificate certificate : chain) {
      if (accepted.contains(certificate.getIssuerX500Principal())) {
        return true;
      }
    }
    return false;
  }

  /** The first for a wanted name that is valid now, else the first for a name, else the first valid, else the first. */
  private String best(List<String> aliases, List<String> hosts) {
    String best = null;
    int bestScore = -1;
    for (String alias : aliases) {
      X509Certificate leaf = entries.get(alias).chain[0];
      int score = (isFor(leaf, hosts) ? 2 : 0) + (isValidNow(leaf) ? 1 : 0);
      if (score > bestScore) {
        best = alias;
        bestScore = score;
      }
    }
    return best;
  }

  private static boolean isFor(X509Certificate leaf, List<String> hosts) {
    for (String host : hosts) {
      try {
        HostnameChecker.check(host, leaf);
        return true;
      } catch (CertificateException e) {
        // For other names: the next may fit.
        continue;
      }
    }
    return false;
  }

  private static boolean isValidNow(X509Certificate leaf) {
    try {
      leaf.checkValidity();
      return true;
    } catch (CertificateException e) {
      return false;
    }
  }
}
