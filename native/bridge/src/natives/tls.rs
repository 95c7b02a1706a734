//! TLS: contexts, credentials, connections.

use std::sync::Arc;

use bssl::tls::{
    ClientAuth, Config, Connection, Context, Credential, EchKey, FailureKind, Handshake, MAX_PACKET, Outcome,
    PreSharedKey, Role, Session, Status, Task,
};
use jni::sys::{jboolean, jint, jlong};

use super::natives;
use crate::boundary::Env;
use crate::bytes::{Buffer, ByteArray, ByteArrays, IntArray, LongArray, Owner, Place, pinned};
use crate::error::Error;
use crate::handle::{Handle, Managed};

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
impl Managed for Connection {
    const TAG: u32 = 0x7463_6f6e;
    const NAME: &'static str = "TLS connection";
}

/// `TlsOutcome` in Java reads this: status (bits 60 to 62), whether sessions or key log lines came (59), handshake (56 to 58), bytes consumed
/// (28 to 55) and produced (0 to 27).
pub(crate) fn pack(outcome: Outcome) -> jlong {
    let status = match outcome.status {
        Status::Ok => 0,
        Status::BufferUnderflow => 1,
        Status::BufferOverflow => 2,
        Status::Closed => 3,
        Status::Error => 4,
    };
    let handshake = handshake_code(outcome.handshake);
    let size = |n: usize| jlong::try_from(n).unwrap_or(0) & 0x0fff_ffff;
    (status << 60)
        | (jlong::from(outcome.events) << 59)
        | (jlong::from(handshake) << 56)
        | (size(outcome.consumed) << 28)
        | size(outcome.produced)
}

fn handshake_code(handshake: Handshake) -> jint {
    match handshake {
        Handshake::NotHandshaking => 0,
        Handshake::Finished => 1,
        Handshake::NeedTask => 2,
        Handshake::NeedWrap => 3,
        Handshake::NeedUnwrap => 4,
    }
}

/// Runs `body` over the two places. Once established it is short, so arrays are pinned (copying even 64 bytes through the stack
/// takes as long); before that a call may take milliseconds, so arrays are copied.
#[inline]
fn with_places<'l>(
    env: &mut Env<'l>,
    connection: &mut Connection,
    source: Place<'l>,
    destination: Place<'l>,
    body: impl FnOnce(&mut Connection, (*const u8, usize), (*mut u8, usize)) -> Outcome,
) -> Result<Outcome, Error> {
    if let (Place::Direct { base: from, length: available }, Place::Direct { base: to, length: room }) =
        (source, destination)
    {
        return Ok(body(connection, (from.cast_const(), available), (to, room)));
    }
    if connection.is_established() {
        return pinned(env, source, destination, |s, d| body(connection, s, d));
    }
    with_copies(env, source, destination, |s, d| body(connection, s, d))
}

#[cold]
fn with_copies<'l>(
    env: &mut Env<'l>,
    source: Place<'l>,
    destination: Place<'l>,
    body: impl FnOnce((*const u8, usize), (*mut u8, usize)) -> Outcome,
) -> Result<Outcome, Error> {
    let source = source.part(0, source.len().min(MAX_PACKET))?;
    let mut copy = Vec::new();
    let from = match source {
        Place::Direct { base, length } => (base.cast_const(), length),
        Place::Array(_) => {
            copy.resize(source.len(), 0);
            source.read(env, &mut copy)?;
            (copy.as_ptr(), copy.len())
        }
    };
    match destination {
        Place::Direct { base, length } => Ok(body(from, (base, length))),
        Place::Array(_) => {
            let mut scratch = vec![0; destination.len().min(MAX_PACKET)];
            let outcome = body(from, (scratch.as_mut_ptr(), scratch.len()));
            destination.write(env, scratch.get(..outcome.produced).unwrap_or_default())?;
            Ok(outcome)
        }
    }
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
        bssl::cleanse(&mut key);
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
        bssl::cleanse(&mut key);
        Ok(Handle::new(credential?))
    }

    fn tls_credential_free(_env, credential: Handle<Credential>) -> () {
        // SAFETY: NativeRef frees once.
        unsafe { credential.free() }
    }

    /// A connection. For clients: the server name to send or null, and a session to offer for resumption or zero.
    fn tls_new(
        env, context: Handle<Arc<Context>>, _owner: Owner<'l>, server_name: ByteArray<'l>, session: Handle<Session>,
        _session_owner: Owner<'l>,
    ) -> Handle<Connection> {
        // SAFETY: `_owner` keeps the context alive, `_session_owner` the session.
        let context = unsafe { context.share()? };
        // SAFETY: as above.
        let session = if session.is_zero() { None } else { Some(unsafe { session.share()? }) };
        let server_name = server_name.to_vec_or_none(env)?;
        let mut connection = Connection::new(context)?;
        if let Some(name) = server_name {
            connection.set_server_name(&name)?;
        }
        if let Some(session) = session {
            connection.set_session(session)?;
        }
        Ok(Handle::new(connection))
    }

    /// Client, before the handshake: the key of a Channel ID.
    fn tls_set_channel_id_key(env, connection: Handle<Connection>, _owner: Owner<'l>, pkcs8: ByteArray<'l>) -> () {
        let mut key = pkcs8.to_vec(env, "pkcs8")?;
        // SAFETY: `_owner` keeps the connection alive.
        let result = unsafe { connection.borrow() }.map(|mut connection| connection.set_channel_id_key(&key));
        bssl::cleanse(&mut key);
        Ok(result??)
    }

    fn tls_free(_env, connection: Handle<Connection>) -> () {
        // SAFETY: NativeRef frees once.
        unsafe { connection.free() }
    }

    /// The oldest session that came and was not taken; zero when there is none.
    fn tls_take_session(_env, connection: Handle<Connection>, _owner: Owner<'l>) -> Handle<Session> {
        // SAFETY: `_owner` keeps the connection alive.
        Ok(unsafe { connection.borrow()? }.take_new_session().map(Handle::new).unwrap_or_default())
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
        bssl::cleanse(&mut bytes);
        array
    }

    /// The session that [`tls_session_encode`] gave.
    fn tls_context_decode_session(env, context: Handle<Arc<Context>>, _owner: Owner<'l>, encoded: ByteArray<'l>) -> Handle<Session> {
        let mut bytes = encoded.to_vec(env, "encoded")?;
        // SAFETY: `_owner` keeps the context alive.
        let session = unsafe { context.share() }.map(|context| Session::from_bytes(context, &bytes));
        bssl::cleanse(&mut bytes);
        Ok(Handle::new(session??))
    }

    /// Whether a session is to be used once (bit 32), and for how many seconds the server lets it be resumed (low 32 bits).
    fn tls_session_use(_env, session: Handle<Session>, _owner: Owner<'l>) -> jlong {
        // SAFETY: `_owner` keeps the session alive.
        let session = unsafe { session.share()? };
        Ok((jlong::from(session.is_single_use()) << 32) | jlong::from(session.lifetime_seconds()))
    }

    /// Where the memory of a direct buffer begins, to be passed beside it; zero if it is none.
    fn tls_buffer_address(env, buffer: Buffer<'l>) -> jlong {
        buffer.address(env, "buffer")
    }

    /// Each range is given by an array, or by a direct buffer when that is null; its address may be zero. Answers a packed
    /// `TlsOutcome`.
    fn tls_wrap(
        env, connection: Handle<Connection>, _owner: Owner<'l>,
        source_array: ByteArray<'l>, source_buffer: Buffer<'l>, source_address: jlong, source_offset: jint,
        source_length: jint, destination_array: ByteArray<'l>, destination_buffer: Buffer<'l>, destination_address: jlong,
        destination_offset: jint, destination_length: jint,
    ) -> jlong {
        // SAFETY: `_owner` keeps the connection alive.
        let mut connection = unsafe { connection.borrow()? };
        let source = (source_array, source_buffer, source_address);
        // SAFETY: `TlsRecords` takes addresses from `tls_buffer_address`, and ranges from the buffers themselves.
        let source = unsafe { Place::at(env, "source", source, source_offset, source_length)? };
        let destination = (destination_array, destination_buffer, destination_address);
        // SAFETY: as above.
        let destination = unsafe { Place::at(env, "destination", destination, destination_offset, destination_length)? };
        // SAFETY: checked ranges of live Java memory.
        with_places(env, &mut connection, source, destination, |c, s, d| unsafe { c.wrap_raw(s, d) }).map(pack)
    }

    /// As `tls_wrap`.
    fn tls_unwrap(
        env, connection: Handle<Connection>, _owner: Owner<'l>,
        source_array: ByteArray<'l>, source_buffer: Buffer<'l>, source_address: jlong, source_offset: jint,
        source_length: jint, destination_array: ByteArray<'l>, destination_buffer: Buffer<'l>, destination_address: jlong,
        destination_offset: jint, destination_length: jint,
    ) -> jlong {
        // SAFETY: `_owner` keeps the connection alive.
        let mut connection = unsafe { connection.borrow()? };
        let source = (source_array, source_buffer, source_address);
        // SAFETY: `TlsRecords` takes addresses from `tls_buffer_address`, and ranges from the buffers themselves.
        let source = unsafe { Place::at(env, "source", source, source_offset, source_length)? };
        let destination = (destination_array, destination_buffer, destination_address);
        // SAFETY: as above.
        let destination = unsafe { Place::at(env, "destination", destination, destination_offset, destination_length)? };
        // SAFETY: checked ranges of live Java memory.
        with_places(env, &mut connection, source, destination, |c, s, d| unsafe { c.unwrap_raw(s, d) }).map(pack)
    }

    /// Takes out what waits to be wrapped; null when nothing does.
    fn tls_take_pending(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        let pending = unsafe { connection.borrow()? }.take_spilled();
        if pending.is_empty() { Ok(ByteArray::default()) } else { ByteArray::new(env, &pending) }
    }

    /// Closes our direction; bytes that wait to be wrapped then.
    fn tls_close_write(_env, connection: Handle<Connection>, _owner: Owner<'l>) -> jint {
        // SAFETY: `_owner` keeps the connection alive.
        let mut connection = unsafe { connection.borrow()? };
        connection.close_write();
        Ok(jint::try_from(connection.spilled()).unwrap_or(jint::MAX))
    }

    fn tls_close_read(_env, connection: Handle<Connection>, _owner: Owner<'l>) -> () {
        // SAFETY: `_owner` keeps the connection alive.
        unsafe { connection.borrow()? }.close_read();
        Ok(())
    }

    /// Kind (bits 8 and up: 0 none, 1 alert received, 2 closed in the handshake, 3 peer, 4 out of memory, 5 internal, 6 ECH rejected) and
    /// alert (low 8 bits; 255 when there is none).
    fn tls_failure(_env, connection: Handle<Connection>, _owner: Owner<'l>) -> jint {
        // SAFETY: `_owner` keeps the connection alive.
        let connection = unsafe { connection.borrow()? };
        let Some(failure) = connection.failure() else { return Ok(255) };
        let kind = match failure.kind {
            FailureKind::AlertReceived => 1,
            FailureKind::ClosedInHandshake => 2,
            FailureKind::Peer => 3,
            FailureKind::OutOfMemory => 4,
            FailureKind::Internal => 5,
            FailureKind::EchRejected => 6,
        };
        Ok((kind << 8) | failure.alert.map_or(255, jint::from))
    }

    /// The failure in words, UTF-8; null when there is none.
    fn tls_failure_text(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        match unsafe { connection.borrow()? }.failure() {
            Some(failure) => ByteArray::new(env, failure.text.as_bytes()),
            None => Ok(ByteArray::default()),
        }
    }

    /// After kind 6: the `ECHConfigList` to try next; empty to try without.
    fn tls_ech_retry_configs(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        let connection = unsafe { connection.borrow()? };
        ByteArray::new(env, connection.failure().map_or(&[][..], |f| &f.ech_retry_configs))
    }

    /// The decision waited for (low 32 bits): 0 none, 1 verify certificate, 2 client hello, 3 certificate request, 4 decrypt,
    /// 5 pre-shared key, 6 session, 0x10000 + scheme: sign. Protocol version (bits 48 to 63) and cipher suite (32 to 47), zero before they are known.
    fn tls_task(_env, connection: Handle<Connection>, _owner: Owner<'l>) -> jlong {
        // SAFETY: `_owner` keeps the connection alive.
        let connection = unsafe { connection.borrow()? };
        let kind = match connection.task() {
            None => 0,
            Some(Task::VerifyCertificate) => 1,
            Some(Task::ClientHello) => 2,
            Some(Task::CertificateRequest) => 3,
            Some(Task::Decrypt) => 4,
            Some(Task::PreSharedKey) => 5,
            Some(Task::SessionLookup) => 6,
            Some(Task::Sign(scheme)) => 0x1_0000 + jlong::from(scheme),
        };
        Ok((jlong::from(connection.version()) << 48) | (jlong::from(connection.cipher_suite()) << 32) | kind)
    }

    /// `alert`: what to reject the chain with, or -1 to accept it. Answers what the
    /// handshake needs next, as in a packed outcome; never FINISHED.
    fn tls_set_verified(_env, connection: Handle<Connection>, _owner: Owner<'l>, alert: jint) -> jint {
        // SAFETY: `_owner` keeps the connection alive.
        let mut connection = unsafe { connection.borrow()? };
        connection.set_verified(alert_of(alert)?.map_or(Ok(()), Err))?;
        Ok(handshake_code(connection.handshake()))
    }

    /// `protocol`: null for the configured list, empty for none; `alert`: what to fail with, or -1 to go on. Answers as
    /// `tls_set_verified`.
    fn tls_select(
        env, connection: Handle<Connection>, _owner: Owner<'l>, credentials: LongArray<'l>, _owners: Owner<'l>,
        protocol: ByteArray<'l>, alert: jint,
    ) -> jint {
        let protocol = protocol.to_vec_or_none(env)?;
        let credentials = credentials.to_vec(env, "credentials")?;
        let credentials = credentials
            .into_iter()
            // SAFETY: `_owners` (the array of their NativeRefs) keeps the credentials alive.
            .map(|handle| unsafe { Handle::<Credential>::from_raw(handle).share().cloned() })
            .collect::<Result<Vec<_>, _>>()?;
        // SAFETY: `_owner` keeps the connection alive.
        let mut connection = unsafe { connection.borrow()? };
        connection.select(credentials, protocol.as_deref(), alert_of(alert)?)?;
        Ok(handshake_code(connection.handshake()))
    }

    /// What is to be signed (the message, not its digest) or decrypted.
    fn tls_key_input(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        ByteArray::new(env, unsafe { connection.borrow()? }.key_input())
    }

    /// The signature or the decrypted bytes; null fails the handshake. Answers as `tls_set_verified`.
    fn tls_set_key_result(env, connection: Handle<Connection>, _owner: Owner<'l>, result: ByteArray<'l>) -> jint {
        let result = result.to_vec_or_none(env)?;
        // SAFETY: `_owner` keeps the connection alive.
        let mut connection = unsafe { connection.borrow()? };
        connection.set_key_result(result)?;
        Ok(handshake_code(connection.handshake()))
    }

    /// Server, at the client hello: the hint for clients that choose a pre-shared key by it.
    fn tls_set_pre_shared_key_hint(env, connection: Handle<Connection>, _owner: Owner<'l>, hint: ByteArray<'l>) -> () {
        let hint = hint.to_vec(env, "hint")?;
        // SAFETY: `_owner` keeps the connection alive.
        Ok(unsafe { connection.borrow()? }.set_pre_shared_key_hint(&hint)?)
    }

    /// The server's hint, null when it gave none; or the client's identity.
    fn tls_pre_shared_key_name(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        match unsafe { connection.borrow()? }.pre_shared_key_name() {
            Some(name) => ByteArray::new(env, name),
            None => Ok(ByteArray::default()),
        }
    }

    /// A client's identity (null for a server) and the key; a null key fails the handshake. Answers as `tls_set_verified`.
    fn tls_set_pre_shared_key(
        env, connection: Handle<Connection>, _owner: Owner<'l>, identity: ByteArray<'l>, key: ByteArray<'l>,
    ) -> jint {
        let identity = identity.to_vec_or_none(env)?.unwrap_or_default();
        let key = key.to_vec_or_none(env)?.map(|key| PreSharedKey { identity, key, context: Vec::new() });
        // SAFETY: `_owner` keeps the connection alive.
        let mut connection = unsafe { connection.borrow()? };
        connection.set_pre_shared_key(key)?;
        Ok(handshake_code(connection.handshake()))
    }

    /// The id of the session that the client wants to resume.
    fn tls_wanted_session(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        ByteArray::new(env, unsafe { connection.borrow()? }.wanted_session())
    }

    /// All of that session, as `tls_session_encode` gave it; null, or what is no session: there is none. Answers as
    /// `tls_set_verified`.
    fn tls_set_found_session(env, connection: Handle<Connection>, _owner: Owner<'l>, encoded: ByteArray<'l>) -> jint {
        let mut bytes = encoded.to_vec_or_none(env)?;
        // SAFETY: `_owner` keeps the connection alive.
        let mut connection = unsafe { connection.borrow()? };
        let set = connection.set_found_session(bytes.as_deref());
        if let Some(bytes) = &mut bytes {
            bssl::cleanse(bytes);
        }
        set?;
        Ok(handshake_code(connection.handshake()))
    }

    /// The client's ALPN list as on the wire; empty when it sent none.
    fn tls_offered_protocols(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        ByteArray::new(env, unsafe { connection.borrow()? }.offered_protocols())
    }

    /// What an established connection agreed on, big-endian: when the resumed session was made, in seconds since 1970, or -1 (8
    /// bytes); protocol version, cipher suite, named group (2 each; the group zero when there is none); which of the
    /// credentials passed to `tls_select` is in use, or -1 (4); the session id's length (1) and the id; the application protocol,
    /// nothing when there is none.
    fn tls_negotiated(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        let connection = unsafe { connection.borrow()? };
        let time = if connection.is_resumed() { i64::try_from(connection.session_time()).unwrap_or(0) } else { -1 };
        let selected = connection.selected_credential().and_then(|i| i32::try_from(i).ok()).unwrap_or(-1);
        let id = connection.session_id();
        let mut all = Vec::with_capacity(64);
        all.extend_from_slice(&time.to_be_bytes());
        for number in [connection.version(), connection.cipher_suite(), connection.group()] {
            all.extend_from_slice(&number.to_be_bytes());
        }
        all.extend_from_slice(&selected.to_be_bytes());
        all.push(u8::try_from(id.len()).unwrap_or(0));
        all.extend_from_slice(id);
        all.extend_from_slice(connection.application_protocol().unwrap_or_default());
        ByteArray::new(env, &all)
    }

    /// The application protocol; null when there is none.
    fn tls_application_protocol(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        match unsafe { connection.borrow()? }.application_protocol() {
            Some(name) => ByteArray::new(env, name),
            None => Ok(ByteArray::default()),
        }
    }

    /// The server name that the client sent; null when it sent none.
    fn tls_server_name(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        match unsafe { connection.borrow()? }.server_name() {
            Some(name) => ByteArray::new(env, name),
            None => Ok(ByteArray::default()),
        }
    }

    /// The peer's chain, DER, leaf first; empty when it sent none.
    fn tls_peer_certificates(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArrays<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        ByteArrays::new(env, &unsafe { connection.borrow()? }.peer_certificates())
    }

    /// DER names of the CAs that the server named in its certificate request.
    fn tls_requested_issuers(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArrays<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        ByteArrays::new(env, &unsafe { connection.borrow()? }.requested_issuers())
    }

    /// The signature schemes that the peer accepts.
    fn tls_peer_signature_schemes(env, connection: Handle<Connection>, _owner: Owner<'l>) -> IntArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        IntArray::from_u16s(env, unsafe { connection.borrow()? }.peer_signature_schemes())
    }

    /// The certificate types of a TLS 1.2 certificate request.
    fn tls_requested_certificate_types(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        ByteArray::new(env, unsafe { connection.borrow()? }.requested_certificate_types())
    }

    /// Which of the credentials passed to `tls_select` is in use; -1 when none is.
    fn tls_selected_credential(_env, connection: Handle<Connection>, _owner: Owner<'l>) -> jint {
        // SAFETY: `_owner` keeps the connection alive.
        let index = unsafe { connection.borrow()? }.selected_credential();
        Ok(index.and_then(|i| jint::try_from(i).ok()).unwrap_or(-1))
    }

    /// Lines of the key log since the last call.
    fn tls_take_key_log(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArrays<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        let lines = unsafe { connection.borrow()? }.take_key_log();
        ByteArrays::new(env, &lines)
    }

    /// The OCSP response that the peer stapled; empty when there is none.
    fn tls_ocsp_response(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        ByteArray::new(env, unsafe { connection.borrow()? }.ocsp_response())
    }

    /// The peer's raw public key (`SubjectPublicKeyInfo`); null when it sent none.
    fn tls_peer_raw_public_key(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        match unsafe { connection.borrow()? }.peer_raw_public_key() {
            Some(key) => ByteArray::new(env, &key),
            None => Ok(ByteArray::default()),
        }
    }

    /// Client, verifying: the name to check for instead, after a refused ECH; null when there is none.
    fn tls_ech_name_override(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        match unsafe { connection.borrow()? }.ech_name_override() {
            Some(name) => ByteArray::new(env, name),
            None => Ok(ByteArray::default()),
        }
    }

    fn tls_is_ech_accepted(_env, connection: Handle<Connection>, _owner: Owner<'l>) -> jboolean {
        // SAFETY: `_owner` keeps the connection alive.
        Ok(unsafe { connection.borrow()? }.is_ech_accepted())
    }

    /// Keying material (RFC 5705, RFC 8446 section 7.5); `context` may be null, `length` in bytes.
    fn tls_export_keying_material(
        env, connection: Handle<Connection>, _owner: Owner<'l>, label: ByteArray<'l>, context: ByteArray<'l>, length: jint,
    ) -> ByteArray<'l> {
        let (label, context) = (label.to_vec(env, "label")?, context.to_vec_or_none(env)?);
        let length = usize::try_from(length).map_err(|_| Error::Argument("a negative length"))?;
        // SAFETY: `_owner` keeps the connection alive.
        let mut material =
            unsafe { connection.borrow()? }.export_keying_material(&label, context.as_deref(), length)?;
        let array = ByteArray::new(env, &material);
        bssl::cleanse(&mut material);
        array
    }

    /// The channel binding tls-unique; null where there is none.
    fn tls_unique(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        match unsafe { connection.borrow()? }.tls_unique() {
            Some(binding) => ByteArray::new(env, &binding),
            None => Ok(ByteArray::default()),
        }
    }
}

fn alert_of(alert: jint) -> Result<Option<u8>, Error> {
    match alert {
        -1 => Ok(None),
        _ => u8::try_from(alert).map(Some).map_err(|_| Error::Argument("an alert is 0 to 255, or -1 for none")),
    }
}
