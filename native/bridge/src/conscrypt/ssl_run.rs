//! Runs operations of connections: what BoringSSL suspends for is asked of Java in between, with nothing of it on the stack.
#![allow(unsafe_code, reason = "calls through the JNI function table")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use bssl::conscrypt::tls::{Answer, Callbacks, Connection, Event, Failure, Operation, Outcome, Session, Want, code};
use jni::sys::{self, jint, jlong};

use super::error::{Error, Exception};
use super::java::{self, class, id};
use super::slab::Handle;
use super::types::{HandshakeCallbacks, JString};
use crate::boundary::{Env, Raise, jni_call, take_panic};
use crate::bytes::{ByteArray, ByteArrays, IntArray};

/// How an operation ended when there is nothing left to decide.
pub(super) enum Ran {
    Done(jint),
    Failed(Failure),
}

impl Ran {
    /// The error code, 0 for success.
    pub(super) fn code(&self) -> jint {
        match self {
            Self::Done(_) => code::NONE,
            Self::Failed(failure) => failure.code,
        }
    }
}

/// More decisions than this in one call of Java's: the peer renegotiates without end.
pub(super) const MOST_DECISIONS: usize = 256;

const CALLBACKS: &str = "NativeCrypto$SSLHandshakeCallbacks";

/// Runs `operation` until it ends or the transport has to do something.
///
/// # Safety
/// As [`Connection::run`].
pub(super) unsafe fn run<'l>(
    env: &mut Env<'l>,
    connection: &Connection,
    callbacks: HandshakeCallbacks<'l>,
    operation: Operation,
) -> Result<Ran, Error> {
    let mut left = MOST_DECISIONS;
    // SAFETY: promise of the caller.
    unsafe { run_within(env, connection, callbacks, operation, &mut left) }
}

/// As [`run`], with so many decisions left.
///
/// # Safety
/// As [`Connection::run`].
pub(super) unsafe fn run_within<'l>(
    env: &mut Env<'l>,
    connection: &Connection,
    callbacks: HandshakeCallbacks<'l>,
    operation: Operation,
    left: &mut usize,
) -> Result<Ran, Error> {
    if callbacks.is_null() {
        return Err(Error::null("sslHandshakeCallbacks == null"));
    }
    let keys = Keys(callbacks.raw());
    loop {
        // SAFETY: promise of the caller.
        let outcome = unsafe { connection.run(operation, &keys)? };
        let asked = java::returned(env, ()).and_then(|()| report(env, connection, callbacks));
        let want = match outcome {
            Outcome::Done(result) => return asked.map(|()| Ran::Done(result)),
            Outcome::Failed(failure) => return asked.map(|()| Ran::Failed(failure)),
            Outcome::Wants(want) => want,
        };
        let Some(fewer) = left.checked_sub(1) else {
            return Err(Error::new(Exception::Ssl, "too many handshakes in a row"));
        };
        *left = fewer;
        if let Err(error) = asked.and_then(|()| decide(env, connection, callbacks, &want)) {
            // So that the peer is told. What else happens is not reported any more: the exception ends the connection.
            connection.answer(want.refusal());
            // SAFETY: as above.
            let _ = unsafe { connection.run(operation, &keys) };
            while connection.take_event().is_some() {}
            return Err(error);
        }
    }
}

/// Tells Java what happened meanwhile.
fn report<'l>(env: &mut Env<'l>, connection: &Connection, callbacks: HandshakeCallbacks<'l>) -> Result<(), Error> {
    while let Some(event) = connection.take_event() {
        match event {
            Event::StateChange(kind, value) => {
                let method = id!(env, GetMethodID, class(CALLBACKS), c"onSSLStateChange", c"(II)V")?;
                let arguments = [sys::jvalue { i: kind }, sys::jvalue { i: value }];
                // SAFETY: an object of the interface (the native's declared type), its method, its arguments.
                unsafe { jni_call!(env, v1_2, CallVoidMethodA, callbacks.raw(), method.cast(), arguments.as_ptr()) };
                java::returned(env, ())?;
            }
            Event::NewSession(session) => {
                let method = id!(env, GetMethodID, class(CALLBACKS), c"onNewSessionEstablished", c"(J)V")?;
                let handle = Handle::new(session)?;
                let arguments = [sys::jvalue { j: handle.raw() }];
                // SAFETY: as above.
                unsafe { jni_call!(env, v1_2, CallVoidMethodA, callbacks.raw(), method.cast(), arguments.as_ptr()) };
                // A session that cannot be kept is lost; the connection is not.
                java::clear(env);
                handle.free()?;
            }
        }
    }
    Ok(())
}

/// Asks Java for one decision and hands it in.
fn decide<'l>(
    env: &mut Env<'l>,
    connection: &Connection,
    callbacks: HandshakeCallbacks<'l>,
    want: &Want,
) -> Result<(), Error> {
    let answer = match want {
        Want::Verify => {
            verify(env, connection, callbacks)?;
            Answer::Verified(true)
        }
        Want::ClientCertificate => {
            client_certificate(env, connection, callbacks)?;
            Answer::ClientCertificate(true)
        }
        Want::ServerCertificate => {
            server_certificate(env, connection, callbacks)?;
            select_protocol(env, connection, callbacks)?;
            Answer::ServerCertificate(true)
        }
        Want::Session(id) => Answer::Session(session(env, callbacks, id)?),
        // A key that is used through `CryptoUpcalls`, which may leave an exception.
        Want::Key(task) => {
            let result = connection.use_key(task).ok();
            Answer::Key(java::returned(env, result)?)
        }
    };
    connection.answer(answer);
    Ok(())
}

fn verify<'l>(env: &mut Env<'l>, connection: &Connection, callbacks: HandshakeCallbacks<'l>) -> Result<(), Error> {
    let method = id!(env, GetMethodID, class(CALLBACKS), c"verifyCertificateChain", c"([[BLjava/lang/String;)V")?;
    let chain = connection.peer_certificates().unwrap_or_default();
    let chain = ByteArrays::new(env, &chain)?.raw();
    let method_name = connection.pending_key_exchange();
    let method_name = JString::new(env, &method_name)?.raw();
    let arguments = [sys::jvalue { l: chain }, sys::jvalue { l: method_name }];
    // SAFETY: an object of the interface, its method, its arguments.
    unsafe { jni_call!(env, v1_2, CallVoidMethodA, callbacks.raw(), method.cast(), arguments.as_ptr()) };
    java::delete(env, chain);
    java::delete(env, method_name);
    java::returned(env, ())
}

fn client_certificate<'l>(
    env: &mut Env<'l>,
    connection: &Connection,
    callbacks: HandshakeCallbacks<'l>,
) -> Result<(), Error> {
    let method = id!(env, GetMethodID, class(CALLBACKS), c"clientCertificateRequested", c"([B[I[[B)V")?;
    let request = connection.certificate_request();
    let types = ByteArray::new(env, &request.types)?.raw();
    let schemes = IntArray::from_u16s(env, &request.schemes)?.raw();
    let issuers = ByteArrays::new(env, &request.issuers)?.raw();
    let arguments = [sys::jvalue { l: types }, sys::jvalue { l: schemes }, sys::jvalue { l: issuers }];
    // SAFETY: an object of the interface, its method, its arguments.
    unsafe { jni_call!(env, v1_2, CallVoidMethodA, callbacks.raw(), method.cast(), arguments.as_ptr()) };
    java::delete(env, types);
    java::delete(env, schemes);
    java::delete(env, issuers);
    java::returned(env, ())
}

fn server_certificate<'l>(
    env: &mut Env<'l>,
    connection: &Connection,
    callbacks: HandshakeCallbacks<'l>,
) -> Result<(), Error> {
    let method = id!(env, GetMethodID, class(CALLBACKS), c"serverCertificateRequested", c"([I)V")?;
    let schemes = connection.peer_schemes();
    let schemes = IntArray::from_u16s(env, &schemes)?.raw();
    let arguments = [sys::jvalue { l: schemes }];
    // SAFETY: an object of the interface, its method, its argument.
    unsafe { jni_call!(env, v1_2, CallVoidMethodA, callbacks.raw(), method.cast(), arguments.as_ptr()) };
    java::delete(env, schemes);
    java::returned(env, ())
}

/// Asks a selector if there is one and the client offers anything.
fn select_protocol<'l>(
    env: &mut Env<'l>,
    connection: &Connection,
    callbacks: HandshakeCallbacks<'l>,
) -> Result<(), Error> {
    let Some(offered) = connection.protocols_to_select().filter(|offered| !offered.is_empty()) else {
        return Ok(());
    };
    let method = id!(env, GetMethodID, class(CALLBACKS), c"selectApplicationProtocol", c"([B)I")?;
    let list = ByteArray::new(env, &offered)?.raw();
    let arguments = [sys::jvalue { l: list }];
    // SAFETY: an object of the interface, its method, its argument.
    let at = unsafe { jni_call!(env, v1_2, CallIntMethodA, callbacks.raw(), method.cast(), arguments.as_ptr()) };
    java::delete(env, list);
    java::returned(env, ())?;
    connection.set_chosen_protocol(protocol_at(&offered, at));
    Ok(())
}

/// The name whose length byte is at this index; negative is none. Anything but the start of a name is none either.
fn protocol_at(list: &[u8], at: jint) -> Option<Vec<u8>> {
    let at = usize::try_from(at).ok()?;
    let mut start = 0;
    loop {
        let length = usize::from(*list.get(start)?);
        if start == at {
            return list.get(start + 1..start + 1 + length).map(<[u8]>::to_vec);
        }
        start += 1 + length;
    }
}

/// The session that Java answers with; it is handed over, so one owner of its handle is gone.
fn session<'l>(env: &mut Env<'l>, callbacks: HandshakeCallbacks<'l>, id: &[u8]) -> Result<Option<Session>, Error> {
    let method = id!(env, GetMethodID, class(CALLBACKS), c"serverSessionRequested", c"([B)J")?;
    let array = ByteArray::new(env, id)?.raw();
    let arguments = [sys::jvalue { l: array }];
    // SAFETY: an object of the interface, its method, its argument.
    let raw: jlong =
        unsafe { jni_call!(env, v1_2, CallLongMethodA, callbacks.raw(), method.cast(), arguments.as_ptr()) };
    java::delete(env, array);
    if env.exception_check() {
        // Then there is none to resume.
        java::clear(env);
        return Ok(None);
    }
    let handle = Handle::<Session>::from_raw(raw);
    if handle.is_null() {
        return Ok(None);
    }
    let session = Session::clone(&*handle.get()?);
    handle.free()?;
    Ok(Some(session))
}

/// Pre-shared keys, which are asked of Java in the middle of BoringSSL: nothing unwinds, and an exception stays pending.
struct Keys(sys::jobject);

impl Keys {
    fn ask(question: impl FnOnce(&mut Env<'_>) -> Result<usize, Error>) -> usize {
        let Some(mut env) = java::current_env() else { return 0 };
        if env.exception_check() {
            return 0;
        }
        let error = match catch_unwind(AssertUnwindSafe(|| question(&mut env))) {
            Ok(Ok(length)) => return length,
            Ok(Err(error)) => error,
            Err(_) => Error::panic(take_panic()),
        };
        error.raise(&mut env);
        0
    }

    fn text(env: &mut Env<'_>, text: Option<&[u8]>) -> Result<sys::jobject, Error> {
        match text {
            Some(text) => Ok(JString::new(env, &String::from_utf8_lossy(text))?.raw()),
            None => Ok(std::ptr::null_mut()),
        }
    }

    /// Copies what Java wrote to `array`, and forgets it there.
    fn take(env: &mut Env<'_>, array: sys::jbyteArray, into: &mut [u8]) -> Result<(), Error> {
        let length = jint::try_from(into.len()).unwrap_or(0);
        let slice = ByteArray::from_raw(array).slice(env, "key", 0, length)?;
        slice.read(env, into)?;
        slice.write(env, &vec![0; into.len()])?;
        java::delete(env, array);
        Ok(())
    }
}

impl Callbacks for Keys {
    fn client_psk(&self, hint: Option<&[u8]>, identity: &mut [u8], key: &mut [u8]) -> usize {
        Self::ask(|env| {
            let signature = c"(Ljava/lang/String;[B[B)I";
            let method = id!(env, GetMethodID, class(CALLBACKS), c"clientPSKKeyRequested", signature)?;
            let hint = Self::text(env, hint)?;
            let identity_array = ByteArray::new(env, identity)?.raw();
            let key_array = ByteArray::new(env, key)?.raw();
            let arguments = [sys::jvalue { l: hint }, sys::jvalue { l: identity_array }, sys::jvalue { l: key_array }];
            // SAFETY: an object of the interface, its method, its arguments.
            let length = unsafe { jni_call!(env, v1_2, CallIntMethodA, self.0, method.cast(), arguments.as_ptr()) };
            java::delete(env, hint);
            java::returned(env, ())?;
            Self::take(env, identity_array, identity)?;
            Self::take(env, key_array, key)?;
            Ok(usize::try_from(length).unwrap_or(0))
        })
    }

    fn server_psk(&self, hint: Option<&[u8]>, identity: Option<&[u8]>, key: &mut [u8]) -> usize {
        Self::ask(|env| {
            let signature = c"(Ljava/lang/String;Ljava/lang/String;[B)I";
            let method = id!(env, GetMethodID, class(CALLBACKS), c"serverPSKKeyRequested", signature)?;
            let hint = Self::text(env, hint)?;
            let identity = Self::text(env, identity)?;
            let key_array = ByteArray::new(env, key)?.raw();
            let arguments = [sys::jvalue { l: hint }, sys::jvalue { l: identity }, sys::jvalue { l: key_array }];
            // SAFETY: an object of the interface, its method, its arguments.
            let length = unsafe { jni_call!(env, v1_2, CallIntMethodA, self.0, method.cast(), arguments.as_ptr()) };
            java::delete(env, hint);
            java::delete(env, identity);
            java::returned(env, ())?;
            Self::take(env, key_array, key)?;
            Ok(usize::try_from(length).unwrap_or(0))
        })
    }
}

/// The exception for a failure: `SSLProtocolException` when BoringSSL says why, else this one.
pub(super) fn failed(what: &str, failure: &Failure, otherwise: Exception) -> Error {
    let mut text = format!("{what}: ");
    let exception = match failure.code {
        code::SSL => {
            text.push_str("Failure in SSL library, usually a protocol error");
            Exception::SslProtocol
        }
        code::SYSCALL => {
            text.push_str("I/O error during system call");
            if let Some(number) = failure.os_error.filter(|number| *number != 0) {
                text.push_str(", ");
                text.push_str(&std::io::Error::from_raw_os_error(number).to_string());
            }
            otherwise
        }
        code::ZERO_RETURN => {
            text.push_str("the peer closed the connection");
            otherwise
        }
        other => {
            text.push_str("error code ");
            text.push_str(&other.to_string());
            otherwise
        }
    };
    append(&mut text, &failure.fault);
    Error::new(exception, text)
}

/// The exception of a handshake that failed.
pub(super) fn handshake_failed(failure: &Failure) -> Error {
    if failure.result == 0 && failure.code != code::SSL {
        return Error::new(Exception::SslHandshake, "Connection closed by peer");
    }
    let what = if failure.result == 0 { "SSL handshake terminated" } else { "SSL handshake aborted" };
    failed(what, failure, Exception::SslHandshake)
}

fn append(text: &mut String, fault: &bssl::conscrypt::Fault) {
    for entry in fault.entries() {
        text.push('\n');
        text.push_str(&entry.text);
    }
}

/// For setters: an `SSLException` with this message and what BoringSSL says.
pub(super) fn ssl_exception<T>(result: bssl::conscrypt::Result<T>, message: &str) -> Result<T, Error> {
    result.map_err(|fault| {
        if fault.first().is_some_and(|entry| entry.library == bssl::conscrypt::Library::Other) {
            return fault.into();
        }
        let mut text = message.to_owned();
        append(&mut text, &fault);
        Error::new(Exception::Ssl, text)
    })
}
