//! `SSL_CTX` and `SSL`: made, configured and freed. See the parent module for how callbacks are made.

use bssl::conscrypt::tls::{Connection, Context, MAX_SESSION_ID_CONTEXT, NetworkBio};
use jni::sys::{jboolean, jint, jlong};

use super::bio::Bio;
use super::error::{Error, Exception, Otherwise};
use super::key::PKey;
use super::slab::{Handle, Managed};
use super::ssl_run::ssl_exception;
use super::ssl_wait::Waiting;
use super::types::{JString, JStrings, NativeSsl, Ref, SessionContext};
use super::{kinds, natives};
use crate::boundary::Env;
use crate::bytes::{ByteArray, ByteArrays, IntArray};

impl Managed for Context {
    const TAG: u8 = kinds::SSL_CTX;
    const NAME: &'static str = "ssl_ctx";
}

/// An `SSL` and the threads that wait for its socket.
pub(super) struct Ssl {
    pub(super) connection: Connection,
    pub(super) waiting: Waiting,
}

impl Managed for Ssl {
    const TAG: u8 = kinds::SSL;
    const NAME: &'static str = "ssl";
}

/// An owner of a network BIO.
impl From<NetworkBio> for Bio {
    fn from(bio: NetworkBio) -> Self {
        Self::Network(bio)
    }
}

/// Flags in a `long`; what does not fit is cut off, as in C.
fn flags(long: jlong) -> u32 {
    u32::try_from(long.cast_unsigned() & u64::from(u32::MAX)).unwrap_or(0)
}

/// A version on the wire, 0 for BoringSSL's default: the low half, as C takes it.
fn version(int: jint) -> u16 {
    u16::try_from(int & 0xffff).unwrap_or(u16::MAX)
}

/// The whole array; `NullPointerException` for null.
fn bytes_or_null<'l>(env: &mut Env<'l>, name: &'static str, array: ByteArray<'l>) -> Result<Vec<u8>, Error> {
    if array.is_null() { Err(Error::null(name)) } else { Ok(array.to_vec(env, name)?) }
}

natives! { 'l =>
    /// A new context.
    fn SSL_CTX_new(_env) -> Handle<Context> {
        Handle::new(Context::new()?)
    }

    /// Frees it; its connections keep what they need.
    fn SSL_CTX_free(_env, context: Handle<Context>, _holder: SessionContext<'l>) -> () {
        context.free()
    }

    /// Which sessions may be resumed.
    fn SSL_CTX_set_session_id_context(
        env, context: Handle<Context>, _holder: SessionContext<'l>, id: ByteArray<'l>,
    ) -> () {
        let context = context.get()?;
        let id = bytes_or_null(env, "sid_ctx == null", id)?;
        if id.len() > MAX_SESSION_ID_CONTEXT {
            return Err(Error::argument("length > SSL_MAX_SSL_SESSION_ID_LENGTH"));
        }
        Ok(context.set_session_id_context(&id)?)
    }

    /// How long sessions may be resumed, in seconds.
    fn SSL_CTX_set_timeout(_env, context: Handle<Context>, _holder: SessionContext<'l>, seconds: jlong) -> jlong {
        Ok(context.get()?.set_timeout(flags(seconds)).into())
    }

    /// A password known to both sides.
    fn SSL_CTX_set_spake_credential(
        env, context: ByteArray<'l>, password: ByteArray<'l>, prover: ByteArray<'l>, verifier: ByteArray<'l>,
        is_client: jboolean, limit: jint, ctx: Handle<Context>, _holder: SessionContext<'l>,
    ) -> () {
        let context = context.to_vec(env, "context")?;
        let password = super::types::secret(env, "pw_array", password)?;
        let prover = prover.to_vec(env, "id_prover_array")?;
        let verifier = verifier.to_vec(env, "id_verifier_array")?;
        let ctx = ctx.get()?;
        let identities = (prover.as_slice(), verifier.as_slice());
        // A negative limit is the huge one that C makes of it.
        ctx.add_spake_credential(&context, &password, identities, is_client, limit.cast_unsigned())
            .or_else(|(message, fault)| ssl_exception(Err(fault), message))
    }

    /// A new connection.
    fn SSL_new(_env, context: Handle<Context>, _holder: SessionContext<'l>) -> Handle<Ssl> {
        let connection = Connection::new(&*context.get()?);
        let connection = ssl_exception(connection, "Unable to create SSL structure")?;
        Handle::new(Ssl { connection, waiting: Waiting::default() })
    }

    /// Frees it. Threads that wait for its socket are woken, and the last one to leave frees what they use.
    fn SSL_free(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> () {
        ssl.get()?.waiting.interrupt();
        ssl.free()
    }

    /// Lets the threads that wait for its socket give up, now and for ever.
    fn SSL_interrupt(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> () {
        if !ssl.is_null() {
            ssl.get()?.waiting.interrupt();
        }
        Ok(())
    }

    /// Memory instead of a socket: answers the outer half of a pair of BIOs.
    fn SSL_BIO_new(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> Handle<Bio> {
        let bio = ssl.get()?.connection.new_network_bio();
        Handle::new(ssl_exception(bio, "BIO_new_bio_pair failed")?.into())
    }

    /// Acts as a server.
    fn SSL_set_accept_state(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> () {
        Ok(ssl.get()?.connection.set_server(true)?)
    }

    /// Acts as a client.
    fn SSL_set_connect_state(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> () {
        Ok(ssl.get()?.connection.set_server(false)?)
    }

    /// Sets modes; answers all.
    fn SSL_set_mode(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, mode: jlong) -> jlong {
        Ok(ssl.get()?.connection.change_mode(flags(mode), 0).into())
    }

    /// Clears modes; answers all.
    fn SSL_clear_mode(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, mode: jlong) -> jlong {
        Ok(ssl.get()?.connection.change_mode(0, flags(mode)).into())
    }

    /// Sets options; answers all.
    fn SSL_set_options(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, options: jlong) -> jlong {
        Ok(ssl.get()?.connection.change_options(flags(options), 0).into())
    }

    /// Clears options; answers all.
    fn SSL_clear_options(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, options: jlong) -> jlong {
        Ok(ssl.get()?.connection.change_options(0, flags(options)).into())
    }

    /// The protocol versions; 0 if one is not known.
    fn SSL_set_protocol_versions(
        _env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, least: jint, most: jint,
    ) -> jint {
        Ok(ssl.get()?.connection.set_versions(version(least), version(most))?.into())
    }

    /// The cipher suites.
    fn SSL_set_cipher_lists(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, suites: JStrings<'l>) -> () {
        let ssl = ssl.get()?;
        let suites = suites.to_texts(env, "cipherSuites == null")?;
        ssl.connection.set_ciphers(&suites).always(Exception::IllegalArgument, "Illegal cipher suite strings.")
    }

    /// The named groups, by NID.
    fn SSL_set1_groups(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, groups: IntArray<'l>) -> () {
        let ssl = ssl.get()?;
        let groups = groups.to_vec(env, "groups == null")?;
        ssl_exception(ssl.connection.set_groups(&groups), "Error setting the named groups")
    }

    /// Whether the peer's certificate is wanted and needed.
    fn SSL_set_verify(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, mode: jint) -> () {
        Ok(ssl.get()?.connection.set_verify(mode)?)
    }

    /// Whether new sessions may be made.
    fn SSL_set_session_creation_enabled(
        _env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, enabled: jboolean,
    ) -> () {
        ssl.get()?.connection.set_session_creation(enabled);
        Ok(())
    }

    /// A client accepts renegotiations.
    fn SSL_accept_renegotiations(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> () {
        Ok(ssl.get()?.connection.accept_renegotiations()?)
    }

    /// The server name to send.
    fn SSL_set_tlsext_host_name(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, name: JString<'l>) -> () {
        let ssl = ssl.get()?;
        let name = name.to_c_string(env).ok_or_else(|| Error::null("hostname == null"))?;
        ssl_exception(ssl.connection.set_host_name(&name), "Error setting host name")
    }

    /// Asks for an OCSP response.
    fn SSL_enable_ocsp_stapling(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> () {
        Ok(ssl.get()?.connection.enable_ocsp_stapling()?)
    }

    /// Asks for SCTs.
    fn SSL_enable_signed_cert_timestamps(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> () {
        Ok(ssl.get()?.connection.enable_signed_cert_timestamps()?)
    }

    /// The OCSP response to staple. One that cannot be sent is left out, which Conscrypt's Java expects.
    fn SSL_set_ocsp_response(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, response: ByteArray<'l>) -> () {
        let ssl = ssl.get()?;
        let response = bytes_or_null(env, "response == null", response)?;
        let _ = ssl.connection.set_ocsp_response(&response);
        Ok(())
    }

    /// The SCTs to send. A list that cannot be sent is left out, which Conscrypt's Java expects.
    fn SSL_set_signed_cert_timestamp_list(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, list: ByteArray<'l>) -> () {
        let ssl = ssl.get()?;
        let list = bytes_or_null(env, "list == null", list)?;
        let _ = ssl.connection.set_signed_cert_timestamps(&list);
        Ok(())
    }

    /// Accepts Channel IDs.
    fn SSL_enable_tls_channel_id(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> () {
        ssl_exception(ssl.get()?.connection.enable_channel_id(), "Error enabling Channel ID")
    }

    /// The key of the Channel ID.
    fn SSL_set1_tls_channel_id(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, key: Ref<'l, PKey>) -> () {
        let ssl = ssl.get()?;
        let key = key.get(env)?;
        ssl_exception(ssl.connection.set_channel_id(&key), "Error setting private key for Channel ID")
    }

    /// The chain and its key.
    fn setLocalCertsAndPrivateKey(
        env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, chain: ByteArrays<'l>, key: Ref<'l, PKey>,
    ) -> () {
        let ssl = ssl.get()?;
        let chain = chain.to_vecs(env, "certificates == null")?;
        if chain.is_empty() {
            return Err(Error::argument("certificates.length == 0"));
        }
        if key.is_null() {
            return Err(Error::null("privateKey == null"));
        }
        let key = key.get(env)?;
        ssl_exception(ssl.connection.set_chain_and_key(&chain, &key), "Error configuring certificate")
    }

    /// The CAs whose clients are accepted.
    fn SSL_set_client_CA_list(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, names: ByteArrays<'l>) -> () {
        let ssl = ssl.get()?;
        let names = names.to_vecs(env, "principals == null")?;
        if names.is_empty() {
            return Err(Error::argument("principals.length == 0"));
        }
        ssl_exception(ssl.connection.set_client_cas(&names), "Error configuring the CA list")
    }

    /// The application protocols: to offer, or to choose from.
    fn setApplicationProtocols(
        env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, is_client: jboolean, protocols: ByteArray<'l>,
    ) -> () {
        let ssl = ssl.get()?;
        let Some(protocols) = protocols.to_vec_or_none(env)? else { return Ok(()) };
        if is_client {
            ssl_exception(ssl.connection.set_client_protocols(&protocols), "Unable to set ALPN protocols for client")
        } else {
            ssl_exception(ssl.connection.set_server_protocols(protocols), "Unable to set ALPN protocols for server")
        }
    }

    /// Whether `selectApplicationProtocol` chooses.
    fn setHasApplicationProtocolSelector(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, has: jboolean) -> () {
        Ok(ssl.get()?.connection.set_has_selector(has)?)
    }

    /// What clients are told of the identity that is wanted.
    fn SSL_use_psk_identity_hint(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, hint: JString<'l>) -> () {
        let ssl = ssl.get()?;
        let hint = hint.to_c_string(env);
        let result = ssl.connection.use_psk_identity_hint(hint.as_deref());
        result.otherwise(Exception::SslProtocol)
    }

    /// Whether `clientPSKKeyRequested` is called.
    fn set_SSL_psk_client_callback_enabled(
        _env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, enabled: jboolean,
    ) -> () {
        Ok(ssl.get()?.connection.enable_client_psk(enabled)?)
    }

    /// Whether `serverPSKKeyRequested` is called.
    fn set_SSL_psk_server_callback_enabled(
        _env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, enabled: jboolean,
    ) -> () {
        Ok(ssl.get()?.connection.enable_server_psk(enabled)?)
    }
}
