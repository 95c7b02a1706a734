//! What a handshake agreed on.

use bssl::tls::Connection;
use jni::sys::{jboolean, jint};

use crate::bytes::{ByteArray, ByteArrays, IntArray, Owner};
use crate::error::Error;
use crate::handle::Handle;
use crate::natives::natives;

natives! { 'l =>
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
        bssl::bytes::cleanse(&mut material);
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
