//! What a connection can be asked.

use bssl::conscrypt::tls::{key_exchange, signature_key_type};
use jni::sys::{jint, jlong};

use super::error::{Error, Exception, Otherwise};
use super::slab::{Handle, fixed, fixed_index};
use super::ssl::Ssl;
use super::types::{JString, NativeSsl, Secret, long_array};
use super::{kinds, natives};
use crate::boundary::Env;
use crate::bytes::{ByteArray, ByteArrays, LongArray};

/// Null for none.
fn array<'l>(env: &mut Env<'l>, bytes: Option<Vec<u8>>) -> Result<ByteArray<'l>, Error> {
    match bytes {
        Some(bytes) => Ok(ByteArray::new(env, &bytes)?),
        None => Ok(ByteArray::default()),
    }
}

natives! { 'l =>
    /// All options.
    fn SSL_get_options(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> jlong {
        Ok(ssl.get()?.connection.options().into())
    }

    /// All modes.
    fn SSL_get_mode(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> jlong {
        Ok(ssl.get()?.connection.mode().into())
    }

    /// The cipher suites to choose from.
    fn SSL_get_ciphers(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> LongArray<'l> {
        let ciphers = ssl.get()?.connection.ciphers();
        let ciphers: Vec<jlong> = ciphers.into_iter().map(|id| fixed(kinds::SSL_CIPHER, id.into())).collect();
        long_array(env, &ciphers)
    }

    /// A cipher suite's key exchange.
    fn SSL_CIPHER_get_kx_name(env, cipher: jlong) -> JString<'l> {
        let index = fixed_index(cipher, kinds::SSL_CIPHER, "ssl_cipher")?;
        let name = u16::try_from(index).ok().and_then(key_exchange);
        let name = name.ok_or_else(|| Error::new(Exception::IllegalState, "not a ssl_cipher"))?;
        JString::new(env, &name)
    }

    /// The `EVP_PKEY` type of a signature scheme.
    fn SSL_get_signature_algorithm_key_type(_env, scheme: jint) -> jint {
        Ok(signature_key_type(u16::try_from(scheme.cast_unsigned() & 0xffff).unwrap_or(0)))
    }

    /// The cipher suite in use.
    fn SSL_get_current_cipher(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> JString<'l> {
        JString::of(env, ssl.get()?.connection.current_cipher().as_deref())
    }

    /// The protocol version.
    fn SSL_get_version(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> JString<'l> {
        JString::new(env, &ssl.get()?.connection.version())
    }

    /// The named group of the key exchange.
    fn SSL_get_curve_name(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> JString<'l> {
        JString::of(env, ssl.get()?.connection.group_name().as_deref())
    }

    /// The peer's chain; null if it has none.
    fn SSL_get0_peer_certificates(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> ByteArrays<'l> {
        match ssl.get()?.connection.peer_certificates() {
            Some(chain) => Ok(ByteArrays::new(env, &chain)?),
            None => Ok(ByteArrays::default()),
        }
    }

    /// The name that the client sent.
    fn SSL_get_servername(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> JString<'l> {
        JString::of(env, ssl.get()?.connection.server_name().as_deref())
    }

    /// The application protocol.
    fn getApplicationProtocol(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> ByteArray<'l> {
        array(env, ssl.get()?.connection.application_protocol())
    }

    /// The OCSP response that the server stapled.
    fn SSL_get_ocsp_response(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> ByteArray<'l> {
        array(env, ssl.get()?.connection.ocsp_response())
    }

    /// The SCTs that the server sent.
    fn SSL_get_signed_cert_timestamp_list(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> ByteArray<'l> {
        array(env, ssl.get()?.connection.signed_cert_timestamps())
    }

    /// The channel binding `tls-unique`.
    fn SSL_get_tls_unique(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> ByteArray<'l> {
        array(env, ssl.get()?.connection.tls_unique())
    }

    /// The client's Channel ID.
    fn SSL_get_tls_channel_id(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> ByteArray<'l> {
        array(env, ssl.get()?.connection.channel_id())
    }

    /// Keying material.
    fn SSL_export_keying_material(
        env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, label: ByteArray<'l>, context: ByteArray<'l>, length: jint,
    ) -> ByteArray<'l> {
        let ssl = ssl.get()?;
        let label = label.to_vec(env, "label == null")?;
        let context = context.to_vec_or_none(env)?;
        let length = usize::try_from(length).map_err(|_| Error::argument("negative length"))?;
        // The longest that TLS 1.3 can make (RFC 5869): more would only use memory.
        if length > 255 * 64 {
            return Err(Error::new(Exception::Ssl, "keying material of that length cannot be made"));
        }
        let material = ssl.connection.export_keying_material(&label, context.as_deref(), length);
        let material = Secret(material.otherwise(Exception::Ssl)?);
        Ok(ByteArray::new(env, &material)?)
    }

    /// Which directions are closed.
    fn SSL_get_shutdown(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> jint {
        Ok(ssl.get()?.connection.shutdown_state())
    }

    /// By how many bytes a record is longer than its data.
    fn SSL_max_seal_overhead(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> jint {
        Ok(jint::try_from(ssl.get()?.connection.max_seal_overhead()).unwrap_or(jint::MAX))
    }
}
