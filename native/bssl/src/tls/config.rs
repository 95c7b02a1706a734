//! What a context is configured with.

use std::fmt;

/// RFC 8446 section 5.5 allows AES-GCM 2^24.5 records of full size under one key.
const RECORDS_PER_KEY: u64 = 1 << 24;

/// Which side of the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Speaks first.
    Client,
    /// Answers.
    Server,
}

/// Whether a server asks for the client's certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientAuth {
    /// It does not ask.
    None,
    /// It asks and goes on without one.
    Want,
    /// It asks, and fails without one.
    Need,
}

/// Everything that a handshake is configured with and that is the same for all connections of a context.
#[derive(Debug, Clone)]
pub struct Config {
    /// Client or server.
    pub role: Role,
    /// Lowest protocol version, as on the wire (0x0303 is TLS 1.2).
    pub min_version: u16,
    /// Highest protocol version.
    pub max_version: u16,
    /// Cipher suites by IANA number, in order of preference; TLS 1.3's among them.
    pub cipher_suites: Vec<u16>,
    /// Whether a server prefers its own order to the client's.
    pub server_order: bool,
    /// Named groups by IANA number, in order of preference; empty for BoringSSL's default.
    pub groups: Vec<u16>,
    /// Signature schemes by IANA number that are accepted from the peer and used for our own, in order of preference.
    pub signature_schemes: Vec<u16>,
    /// Application protocols (ALPN, RFC 7301), in order of preference.
    pub protocols: Vec<Vec<u8>>,
    /// Server: whether the client's certificate is asked for.
    pub client_auth: ClientAuth,
    /// Client: whether OCSP responses (RFC 6066 section 8) and SCTs (RFC 6962) are asked for.
    pub request_stapling: bool,
    /// Certificate compression (RFC 8879): zlib, offered and used.
    pub compress_certificates: bool,
    /// Client: unknown values are mixed into the hello (GREASE, RFC 8701).
    pub grease: bool,
    /// Client: the hello's extensions come in random order.
    pub permute_extensions: bool,
    /// Whether secrets are queued for a key log: [`super::Connection::take_key_log`].
    pub key_log: bool,
    /// External pre-shared keys, in order of preference.
    pub pre_shared_keys: Vec<PreSharedKey>,
    /// TLS 1.2: the key of a suite with a pre-shared key is asked for, [`super::Task::PreSharedKey`], instead of taken from
    /// [`Config::pre_shared_keys`].
    pub ask_pre_shared_key: bool,
    /// Certificate types (RFC 7250) accepted from the peer, in order of preference; empty for X.509 alone.
    pub peer_certificate_types: Vec<u8>,
    /// Client: certificate types that we may send; empty for X.509 alone.
    pub own_certificate_types: Vec<u8>,
    /// Client: Encrypted Client Hello (RFC 9849) configurations, an `ECHConfigList`; empty for none.
    pub ech_config_list: Vec<u8>,
    /// Client: an ECH extension without meaning is sent when there is no configuration.
    pub ech_grease: bool,
    /// Server: keys for Encrypted Client Hello, newest first.
    pub ech_keys: Vec<EchKey>,
    /// Server: ticket keys shared by a farm (16 bytes name, 16 bytes HMAC key, 16 bytes AES key each): the first one seals, all
    /// open. Empty: keys of this context's own, which BoringSSL rotates.
    pub ticket_keys: Vec<Vec<u8>>,
    /// Server: what a session was made under; only contexts that say the same resume it.
    pub session_context: Vec<u8>,
    /// TLS 1.3: after how many records our sending keys are replaced (RFC 8446 section 5.5).
    pub records_per_key: u64,
    /// Whether data records may take the short way past `SSL_write` and `SSL_read`; the outcomes are the same. No effect without the
    /// feature `fast-records`.
    pub fast_records: bool,
    /// Whether sessions are resumed: a client collects them, a server issues tickets and keeps those of clients without.
    pub resumption: bool,
    /// Whether session tickets are offered (TLS 1.2 clients) and issued (servers); without them TLS 1.2 resumes by session id alone,
    /// and a TLS 1.3 server not at all.
    pub tickets: bool,
    /// Client: whether the chain in a session is verified again when that is resumed.
    pub reverify: bool,
    /// Server: how long a session may be resumed, in seconds.
    pub session_timeout: u32,
    /// Server: how many sessions are kept for clients that take no ticket.
    pub session_cache_size: u32,
    /// Server: sessions of clients that take no ticket are handed out, [`super::Connection::take_new_session`], and asked for,
    /// [`super::Task::SessionLookup`], when they are not known here.
    pub external_sessions: bool,
    /// Server: DER names of the CAs told to the client with the request.
    pub ca_names: Vec<Vec<u8>>,
}

/// An external pre-shared key: RFC 4279 in TLS 1.2, imported by RFC 9258 (with SHA-256) in TLS 1.3. High entropy, never a password.
#[derive(Clone, PartialEq, Eq)]
pub struct PreSharedKey {
    /// Tells the peer which key it is; for TLS 1.2 without zero bytes, at most 128 bytes.
    pub identity: Vec<u8>,
    /// The key, at most 256 bytes.
    pub key: Vec<u8>,
    /// TLS 1.3: the importer's context (RFC 9258 section 3.1); may be empty.
    pub context: Vec<u8>,
}

impl Drop for PreSharedKey {
    fn drop(&mut self) {
        crate::bytes::cleanse(&mut self.key);
    }
}

impl fmt::Debug for PreSharedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreSharedKey").field("identity", &self.identity).finish_non_exhaustive()
    }
}

/// A key for Encrypted Client Hello with its public configuration.
#[derive(Clone, PartialEq, Eq)]
pub struct EchKey {
    /// The `ECHConfig` (RFC 9849 section 4).
    pub config: Vec<u8>,
    /// The X25519 private key, 32 bytes.
    pub private_key: Vec<u8>,
    /// Whether clients with another configuration are told of this one.
    pub retry: bool,
}

impl Drop for EchKey {
    fn drop(&mut self) {
        crate::bytes::cleanse(&mut self.private_key);
    }
}

impl fmt::Debug for EchKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EchKey").field("config", &self.config).field("retry", &self.retry).finish_non_exhaustive()
    }
}

impl Config {
    /// Nothing but what every context needs; all else is off.
    pub fn new(role: Role, min_version: u16, max_version: u16, cipher_suites: Vec<u16>) -> Self {
        Self {
            role,
            min_version,
            max_version,
            cipher_suites,
            server_order: true,
            groups: Vec::new(),
            signature_schemes: Vec::new(),
            protocols: Vec::new(),
            client_auth: ClientAuth::None,
            request_stapling: false,
            compress_certificates: false,
            grease: false,
            permute_extensions: false,
            key_log: false,
            pre_shared_keys: Vec::new(),
            ask_pre_shared_key: false,
            peer_certificate_types: Vec::new(),
            own_certificate_types: Vec::new(),
            ech_config_list: Vec::new(),
            ech_grease: false,
            ech_keys: Vec::new(),
            ticket_keys: Vec::new(),
            session_context: Vec::new(),
            records_per_key: RECORDS_PER_KEY,
            fast_records: true,
            resumption: false,
            tickets: true,
            reverify: false,
            session_timeout: 86400,
            session_cache_size: 20480,
            external_sessions: false,
            ca_names: Vec::new(),
        }
    }
}
