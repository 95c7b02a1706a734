//! TLS: configurations, contexts, credentials and sessions here; connections below.

use std::sync::Arc;

use bssl::tls::{ClientAuth, Config, Context, Credential, EchKey, PreSharedKey, Role, Session};
use jni::sys::{jboolean, jint, jlong};

use super::natives;
use crate::bytes::{ByteArray, ByteArrays, IntArray, Owner};
use crate::error::Error;
use crate::handle::{Handle, Managed};

pub(super) mod connection;
pub(super) mod negotiated;
pub(super) mod suspension;

impl Managed for Config {
    const TAG: u32 = 0x7463_6667;
    const NAME: &'static str = "TLS configuration";
}
impl Managed for Arc<Context> {
    const TAG: u32 = 0x7463_7478;
    const NAME: &'static str = "TLS context";
}
impl Managed for Credential {
    const TAG: u32 = 0x7463_7265;
    const NAME: &'static str = "TLS credential";
}
impl Managed for Session {
    const TAG: u32 = 0x7473_6573;
    const NAME: &'static str = "TLS session";
}

natives! { 'l =>
    /// What a context is to be made of: more is set by `tlsConfigSet…`, all of it taken by `tlsContextNew`.
    fn tls_config_new(
        env, server: jboolean, min_version: jint, max_version: jint, cipher_suites: IntArray<'l>, server_order: jboolean,
        groups: IntArray<'l>, signature_schemes: IntArray<'l>, protocols: ByteArrays<'l>,
    ) -> Handle<Config> {
        let version = |v: jint| u16::try_from(v).map_err(|_| Error::Argument("not a protocol version"));
        let role = if server { Role::Server } else { Role::Client };
        let suites = cipher_suites.to_u16s(env, "cipherSuites")?;
        let mut config = Config::new(role, version(min_version)?, version(max_version)?, suites);
        config.server_order = server_order;
        config.groups = groups.to_u16s(env, "groups")?;
        config.signature_schemes = signature_schemes.to_u16s(env, "signatureSchemes")?;
        config.protocols = protocols.to_vecs(env, "protocols")?;
        Ok(Handle::new(config))
    }

    fn tls_config_free(_env, config: Handle<Config>) -> () {
        // SAFETY: NativeRef frees once.
        unsafe { config.free() }
    }

    /// Server: 0 none, 1 want, 2 need; the DER names of the CAs told with the request.
    fn tls_config_set_client_auth(
        env, config: Handle<Config>, _owner: Owner<'l>, client_auth: jint, ca_names: ByteArrays<'l>,
    ) -> () {
        let client_auth = match client_auth {
            0 => ClientAuth::None,
            1 => ClientAuth::Want,
            2 => ClientAuth::Need,
            _ => return Err(Error::Argument("client authentication is 0, 1 or 2")),
        };
        let ca_names = ca_names.to_vecs(env, "caNames")?;
        // SAFETY: `_owner` keeps the configuration alive.
        let mut config = unsafe { config.borrow()? };
        config.client_auth = client_auth;
        config.ca_names = ca_names;
        Ok(())
    }

    /// Sessions are resumed, by contexts with the same session context and ticket keys.
    fn tls_config_set_sessions(
        env, config: Handle<Config>, _owner: Owner<'l>, timeout: jint, cache_size: jint, session_context: ByteArray<'l>,
        ticket_keys: ByteArrays<'l>,
    ) -> () {
        let timeout = u32::try_from(timeout).map_err(|_| Error::Argument("a negative time-out"))?;
        let cache_size = u32::try_from(cache_size).map_err(|_| Error::Argument("a negative cache size"))?;
        let session_context = session_context.to_vec(env, "sessionContext")?;
        let ticket_keys = ticket_keys.to_vecs(env, "ticketKeys")?;
        // SAFETY: `_owner` keeps the configuration alive.
        let mut config = unsafe { config.borrow()? };
        config.resumption = true;
        config.session_timeout = timeout;
        config.session_cache_size = cache_size;
        config.session_context = session_context;
        config.ticket_keys = ticket_keys;
        Ok(())
    }

    /// Bits: 1 request stapling, 2 compress certificates, 4 GREASE, 8 permute extensions, 16 key log, 32 ECH GREASE, 64 no
    /// tickets, 128 verify again what is resumed, 256 ask for pre-shared keys, 512 sessions are kept outside as well.
    fn tls_config_set_options(_env, config: Handle<Config>, _owner: Owner<'l>, options: jint) -> () {
        // SAFETY: `_owner` keeps the configuration alive.
        let mut config = unsafe { config.borrow()? };
        config.request_stapling = options & 1 != 0;
        config.compress_certificates = options & 2 != 0;
        config.grease = options & 4 != 0;
        config.permute_extensions = options & 8 != 0;
        config.key_log = options & 16 != 0;
        config.ech_grease = options & 32 != 0;
        config.tickets = options & 64 == 0;
        config.reverify = options & 128 != 0;
        config.ask_pre_shared_key = options & 256 != 0;
        config.external_sessions = options & 512 != 0;
        Ok(())
    }

    fn tls_config_add_pre_shared_key(
        env, config: Handle<Config>, _owner: Owner<'l>, identity: ByteArray<'l>, key: ByteArray<'l>, context: ByteArray<'l>,
    ) -> () {
        let (identity, context) = (identity.to_vec(env, "identity")?, context.to_vec(env, "context")?);
        let key = PreSharedKey { identity, key: key.to_vec(env, "key")?, context };
        // SAFETY: `_owner` keeps the configuration alive.
        unsafe { config.borrow()? }.pre_shared_keys.push(key);
        Ok(())
    }

    /// Certificate types (RFC 7250: 0 X.509, 2 raw public key) accepted from the peer, and those that a client may send.
    fn tls_config_set_certificate_types(
        env, config: Handle<Config>, _owner: Owner<'l>, peer: ByteArray<'l>, own: ByteArray<'l>,
    ) -> () {
        let (peer, own) = (peer.to_vec(env, "peer")?, own.to_vec(env, "own")?);
        // SAFETY: `_owner` keeps the configuration alive.
        let mut config = unsafe { config.borrow()? };
        config.peer_certificate_types = peer;
        config.own_certificate_types = own;
        Ok(())
    }

    /// Client: the `ECHConfigList`.
    fn tls_config_set_ech_config_list(env, config: Handle<Config>, _owner: Owner<'l>, list: ByteArray<'l>) -> () {
        let list = list.to_vec(env, "list")?;
        // SAFETY: `_owner` keeps the configuration alive.
        unsafe { config.borrow()? }.ech_config_list = list;
        Ok(())
    }

    /// Server: a key for Encrypted Client Hello.
    fn tls_config_add_ech_key(
        env, config: Handle<Config>, _owner: Owner<'l>, ech_config: ByteArray<'l>, private_key: ByteArray<'l>, retry: jboolean,
    ) -> () {
        let ech_config = ech_config.to_vec(env, "echConfig")?;
        let key = EchKey { config: ech_config, private_key: private_key.to_vec(env, "privateKey")?, retry };
        // SAFETY: `_owner` keeps the configuration alive.
        unsafe { config.borrow()? }.ech_keys.push(key);
        Ok(())
    }

    /// A new ECH key: its `ECHConfig`, then its 32-byte private key.
    fn tls_generate_ech_key(env, id: jint, public_name: ByteArray<'l>, max_name_length: jint) -> ByteArrays<'l> {
        let name = String::from_utf8(public_name.to_vec(env, "publicName")?).map_err(|_| Error::Argument("not a host name"))?;
        let id = u8::try_from(id).map_err(|_| Error::Argument("an id is 0 to 255"))?;
        let length = usize::try_from(max_name_length).map_err(|_| Error::Argument("a negative length"))?;
        let key = bssl::tls::generate_ech_key(id, &name, length)?;
        ByteArrays::new(env, &[&key.config, &key.private_key])
    }

    /// The context for a configuration.
    fn tls_context_new(_env, config: Handle<Config>, _owner: Owner<'l>) -> Handle<Arc<Context>> {
        // SAFETY: `_owner` keeps the configuration alive.
        let config = unsafe { config.borrow()? }.clone();
        Ok(Handle::new(Context::new(config)?))
    }

    fn tls_context_free(_env, context: Handle<Arc<Context>>) -> () {
        // SAFETY: NativeRef frees once.
        unsafe { context.free() }
    }

    /// A credential with an exportable key (PKCS#8), the schemes it may be used with, and what a server staples, or null.
    fn tls_credential_new(
        env, chain: ByteArrays<'l>, pkcs8: ByteArray<'l>, schemes: IntArray<'l>, ocsp_response: ByteArray<'l>, timestamps: ByteArray<'l>,
    ) -> Handle<Credential> {
        let chain = chain.to_vecs(env, "chain")?;
        let (ocsp_response, timestamps) = (ocsp_response.to_vec_or_none(env)?, timestamps.to_vec_or_none(env)?);
        let schemes = schemes.to_u16s(env, "schemes")?;
        let mut key = pkcs8.to_vec(env, "pkcs8")?;
        let credential = Credential::new(&chain, &key, &schemes);
        bssl::bytes::cleanse(&mut key);
        let mut credential = credential?;
        credential.staple(ocsp_response.as_deref(), timestamps.as_deref())?;
        Ok(Handle::new(credential))
    }

    /// A credential whose key stays where it is; `schemes`: what the key can sign with.
    fn tls_credential_external(
        env, chain: ByteArrays<'l>, schemes: IntArray<'l>, ocsp_response: ByteArray<'l>, timestamps: ByteArray<'l>,
    ) -> Handle<Credential> {
        let chain = chain.to_vecs(env, "chain")?;
        let (ocsp_response, timestamps) = (ocsp_response.to_vec_or_none(env)?, timestamps.to_vec_or_none(env)?);
        let schemes = schemes.to_u16s(env, "schemes")?;
        let mut credential = Credential::external(&chain, &schemes)?;
        credential.staple(ocsp_response.as_deref(), timestamps.as_deref())?;
        Ok(Handle::new(credential))
    }

    /// A raw public key (RFC 7250) from its private key (PKCS#8).
    fn tls_credential_raw_public_key(env, pkcs8: ByteArray<'l>) -> Handle<Credential> {
        let mut key = pkcs8.to_vec(env, "pkcs8")?;
        let credential = Credential::raw_public_key(&key);
        bssl::bytes::cleanse(&mut key);
        Ok(Handle::new(credential?))
    }

    fn tls_credential_free(_env, credential: Handle<Credential>) -> () {
        // SAFETY: NativeRef frees once.
        unsafe { credential.free() }
    }

    fn tls_session_free(_env, session: Handle<Session>) -> () {
        // SAFETY: NativeRef frees once.
        unsafe { session.free() }
    }

    /// All of a session, for [`tls_context_decode_session`]: secrets.
    fn tls_session_encode(env, session: Handle<Session>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the session alive.
        let mut bytes = unsafe { session.share()? }.to_bytes()?;
        let array = ByteArray::new(env, &bytes);
        bssl::bytes::cleanse(&mut bytes);
        array
    }

    /// The session that [`tls_session_encode`] gave.
    fn tls_context_decode_session(env, context: Handle<Arc<Context>>, _owner: Owner<'l>, encoded: ByteArray<'l>) -> Handle<Session> {
        let mut bytes = encoded.to_vec(env, "encoded")?;
        // SAFETY: `_owner` keeps the context alive.
        let session = unsafe { context.share() }.map(|context| Session::from_bytes(context, &bytes));
        bssl::bytes::cleanse(&mut bytes);
        Ok(Handle::new(session??))
    }

    /// Whether a session is to be used once (bit 32), and for how many seconds the server lets it be resumed (low 32 bits).
    fn tls_session_use(_env, session: Handle<Session>, _owner: Owner<'l>) -> jlong {
        // SAFETY: `_owner` keeps the session alive.
        let session = unsafe { session.share()? };
        Ok((jlong::from(session.is_single_use()) << 32) | jlong::from(session.lifetime_seconds()))
    }
}
