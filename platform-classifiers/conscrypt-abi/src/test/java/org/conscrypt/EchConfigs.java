package org.conscrypt;

import org.postscrypt.conscryptabi.Fixtures;

/** Natives that only our library has. */
public final class EchConfigs {
  private EchConfigs() {}

  /** An encrypted hello for a configuration that is made here: how it went, whether it was accepted, and for whom. */
  public static Object handshake() throws Exception {
    byte[] key = Check.bytes(32);
    byte[] config = NativeCrypto.SSL_marshal_ech_config((short) 7, key, "public.example");
    byte[] list = NativeCrypto.SSL_ECH_KEYS_marshal_retry_configs(config);
    try (Link link = new Link()) {
      NativeCrypto.SSL_CTX_ech_enable_server(link.server.context, null, key, config);
      NativeCrypto.SSL_set1_ech_config_list(link.client.ssl, null, list);
      NativeCrypto.SSL_set_tlsext_host_name(link.client.ssl, null, "secret.example");
      link.handshake();
      boolean malformed = Check.attempt(() -> NativeCrypto.SSL_ECH_KEYS_marshal_retry_configs(Fixtures.ascii("nonsense")))
          .equals("throws java.lang.IllegalArgumentException");
      return Check.all(link.client.done ? "done" : link.client.failure, link.server.done ? "done" : link.server.failure,
          NativeCrypto.SSL_ech_accepted(link.client.ssl, null), NativeCrypto.SSL_get_servername(link.server.ssl, null), malformed);
    }
  }
}
