//! The decisions that a suspended handshake waits for, and what they are made from.

use bssl::tls::{Connection, Credential, PreSharedKey, Task};
use jni::sys::{jint, jlong};

use super::connection::handshake_code;
use crate::bytes::{ByteArray, LongArray, Owner};
use crate::error::Error;
use crate::handle::Handle;
use crate::natives::natives;

natives! { 'l =>
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
            bssl::bytes::cleanse(bytes);
        }
        set?;
        Ok(handshake_code(connection.handshake()))
    }

    /// The client's ALPN list as on the wire; empty when it sent none.
    fn tls_offered_protocols(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        ByteArray::new(env, unsafe { connection.borrow()? }.offered_protocols())
    }
}

fn alert_of(alert: jint) -> Result<Option<u8>, Error> {
    match alert {
        -1 => Ok(None),
        _ => u8::try_from(alert).map(Some).map_err(|_| Error::Argument("an alert is 0 to 255, or -1 for none")),
    }
}
