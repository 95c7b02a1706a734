//! `SSL_SESSION`: a handle has one owner for each `SSL_SESSION_up_ref`, and one from when it was made.

use bssl::conscrypt::tls::Session;
use jni::sys::{jboolean, jlong};

use super::error::{Error, Exception, Otherwise};
use super::slab::{Handle, Managed};
use super::ssl::Ssl;
use super::ssl_run::ssl_exception;
use super::types::{JString, NativeSsl, Secret, secret};
use super::{kinds, natives};
use crate::bytes::ByteArray;

impl Managed for Session {
    const TAG: u8 = kinds::SSL_SESSION;
    const NAME: &'static str = "ssl_session";
}

/// Seconds as milliseconds.
pub(super) fn millis(seconds: u64) -> jlong {
    jlong::try_from(seconds).unwrap_or(jlong::MAX).saturating_mul(1000)
}

natives! { 'l =>
    /// One more owner.
    fn SSL_SESSION_up_ref(_env, session: Handle<Session>) -> () {
        session.retain()
    }

    /// One owner less.
    fn SSL_SESSION_free(_env, session: Handle<Session>) -> () {
        session.free()
    }

    /// Its ID; null if it has none.
    fn SSL_SESSION_session_id(env, session: Handle<Session>) -> ByteArray<'l> {
        let session = session.get()?;
        if session.id().is_empty() { Ok(ByteArray::default()) } else { Ok(ByteArray::new(env, session.id())?) }
    }

    /// When it was made, in milliseconds.
    fn SSL_SESSION_get_time(_env, session: Handle<Session>) -> jlong {
        Ok(millis(session.get()?.time()))
    }

    /// Its lifetime, in seconds.
    fn SSL_SESSION_get_timeout(_env, session: Handle<Session>) -> jlong {
        Ok(session.get()?.timeout().into())
    }

    /// Its protocol version.
    fn SSL_SESSION_get_version(env, session: Handle<Session>) -> JString<'l> {
        JString::of(env, session.get()?.version().as_deref())
    }

    /// Its cipher suite.
    fn SSL_SESSION_cipher(env, session: Handle<Session>) -> JString<'l> {
        JString::of(env, session.get()?.cipher().as_deref())
    }

    /// Whether it is to be used once only.
    fn SSL_SESSION_should_be_single_use(_env, session: Handle<Session>) -> jboolean {
        Ok(session.get()?.is_single_use())
    }

    /// Its encoding.
    fn i2d_SSL_SESSION(env, session: Handle<Session>) -> ByteArray<'l> {
        let der = Secret(session.get()?.to_der()?);
        Ok(ByteArray::new(env, &der)?)
    }

    /// From its encoding.
    fn d2i_SSL_SESSION(env, der: ByteArray<'l>) -> Handle<Session> {
        let der = secret(env, "javaBytes == null", der)?;
        Handle::new(Session::from_der(&der).otherwise(Exception::Io)?)
    }

    /// A session to resume; none for a null one.
    fn SSL_set_session(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, session: Handle<Session>) -> () {
        let ssl = ssl.get()?;
        if session.is_null() {
            return Ok(());
        }
        ssl_exception(ssl.connection.set_session(&*session.get()?), "SSL session set")
    }

    /// The connection's session, for an owner of its own; zero if there is none.
    fn SSL_get1_session(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> Handle<Session> {
        match ssl.get()?.connection.session() {
            Some(session) => Handle::new(session),
            None => Ok(Handle::default()),
        }
    }

    /// The ID of the connection's session; null if there is none.
    fn SSL_session_id(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> ByteArray<'l> {
        match ssl.get()?.connection.session_facts() {
            Some((id, _, _)) if !id.is_empty() => Ok(ByteArray::new(env, &id)?),
            _ => Ok(ByteArray::default()),
        }
    }

    /// When the connection's session was made, in milliseconds; 0 if there is none.
    fn SSL_get_time(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> jlong {
        Ok(ssl.get()?.connection.session_facts().map_or(0, |(_, time, _)| millis(time)))
    }

    /// The lifetime of the connection's session, in milliseconds; 0 if there is none.
    fn SSL_get_timeout(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> jlong {
        Ok(ssl.get()?.connection.session_facts().map_or(0, |(_, _, timeout)| millis(timeout.into())))
    }

    /// The lifetime of the connection's session, in milliseconds; answers the last one in seconds.
    fn SSL_set_timeout(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, millis: jlong) -> jlong {
        let seconds = (millis / 1000).clamp(0, i32::MAX.into());
        let seconds = u32::try_from(seconds).map_err(|_| Error::argument("not a timeout"))?;
        Ok(ssl.get()?.connection.set_session_timeout(seconds).unwrap_or(0).into())
    }

    /// Whether the handshake resumed a session.
    fn SSL_session_reused(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> jboolean {
        Ok(ssl.get()?.connection.is_resumed())
    }
}
