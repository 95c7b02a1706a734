//! TLS over memory, for `SSLEngine`: nothing here waits.
#![allow(unsafe_code, reason = "memory that Java gives as an address")]

use bssl::conscrypt::tls::{Failure, Operation, code};
use jni::sys::{jint, jlong};

use super::bio::Bio;
use super::error::{Error, Exception};
use super::natives;
use super::slab::Handle;
use super::ssl::Ssl;
use super::ssl_run::{Ran, failed, handshake_failed, run};
use super::types::{HandshakeCallbacks, NativeSsl};

/// An address that Java names; the caller's word is all there is, as for the C library.
fn pointer(address: jlong, message: &'static str) -> Result<*mut u8, Error> {
    if address == 0 {
        return Err(Error::null(message));
    }
    let address = usize::try_from(address).map_err(|_| Error::argument("not an address"))?;
    Ok(std::ptr::with_exposed_provenance_mut(address))
}

/// As [`pointer`] where there is anything to move. A negative length is left to BoringSSL, which then moves nothing.
fn region(address: jlong, length: jint, message: &'static str) -> Result<*mut u8, Error> {
    if length <= 0 { Ok(std::ptr::null_mut()) } else { pointer(address, message) }
}

fn callbacks(callbacks: HandshakeCallbacks<'_>) -> Result<(), Error> {
    if callbacks.is_null() { Err(Error::null("sslHandshakeCallbacks == null")) } else { Ok(()) }
}

/// The exception of an operation that failed.
fn read_failed(failure: &Failure) -> Error {
    if failure.code == code::SYSCALL && failure.result == 0 {
        return Error::new(Exception::Eof, "Read error");
    }
    failed("Read error", failure, Exception::Ssl)
}

natives! { 'l =>
    /// Goes on with the handshake; answers an error code: none, or that bytes are to be moved.
    fn ENGINE_SSL_do_handshake(
        env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, shc: HandshakeCallbacks<'l>,
    ) -> jint {
        callbacks(shc)?;
        let ssl = ssl.get()?;
        // SAFETY: no memory.
        match unsafe { run(env, &ssl.connection, shc, Operation::Handshake)? } {
            Ran::Failed(failure) if !matches!(failure.code, code::WANT_READ | code::WANT_WRITE) => {
                Err(handshake_failed(&failure))
            }
            ran => Ok(ran.code()),
        }
    }

    /// Reads data; answers its length, or an error code made negative.
    fn ENGINE_SSL_read_direct(
        env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, address: jlong, room: jint, shc: HandshakeCallbacks<'l>,
    ) -> jint {
        callbacks(shc)?;
        let ssl = ssl.get()?;
        let operation = Operation::Read(region(address, room, "destPtr == null")?, room);
        // SAFETY: Java's promise for the memory.
        match unsafe { run(env, &ssl.connection, shc, operation)? } {
            Ran::Done(count) => Ok(count),
            Ran::Failed(failure) => match failure.code {
                code @ (code::ZERO_RETURN | code::WANT_READ | code::WANT_WRITE) => Ok(-code),
                _ => Err(read_failed(&failure)),
            },
        }
    }

    /// Lets what was received be looked at, without taking data.
    fn ENGINE_SSL_force_read(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, shc: HandshakeCallbacks<'l>) -> () {
        callbacks(shc)?;
        let ssl = ssl.get()?;
        // SAFETY: no memory.
        match unsafe { run(env, &ssl.connection, shc, Operation::Peek)? } {
            Ran::Done(_) => Ok(()),
            Ran::Failed(failure) => match failure.code {
                code::ZERO_RETURN | code::WANT_READ | code::WANT_WRITE => Ok(()),
                _ => Err(read_failed(&failure)),
            },
        }
    }

    /// Writes data; answers how much was taken, or C's negative answer, for which `SSL_get_error` has the code.
    fn ENGINE_SSL_write_direct(
        env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, address: jlong, size: jint, shc: HandshakeCallbacks<'l>,
    ) -> jint {
        callbacks(shc)?;
        let ssl = ssl.get()?;
        let operation = Operation::Write(region(address, size, "sourcePtr == null")?, size);
        // SAFETY: Java's promise for the memory.
        match unsafe { run(env, &ssl.connection, shc, operation)? } {
            Ran::Done(count) => Ok(count),
            Ran::Failed(failure) => Ok(failure.result),
        }
    }

    /// What `SSL_get_error` answers for the last operation.
    fn SSL_get_error(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, result: jint) -> jint {
        Ok(ssl.get()?.connection.last_error(result))
    }

    /// Forgets errors; here none is left to a later call.
    fn SSL_clear_error(_env) -> () {
        Ok(())
    }

    /// Gives a record to the connection: all of it, or 0 if there is no room.
    fn ENGINE_SSL_write_BIO_direct(
        _env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, bio: Handle<Bio>, address: jlong, size: jint,
        shc: HandshakeCallbacks<'l>,
    ) -> jint {
        callbacks(shc)?;
        let _ssl = ssl.get()?;
        let bio = bio.get()?;
        let bio = bio.network()?;
        let Ok(needed) = usize::try_from(size) else { return Ok(0) };
        if !bio.has_room(needed) {
            return Ok(0);
        }
        let from = region(address, size, "sourcePtr == null")?;
        // SAFETY: Java's promise for the memory.
        Ok(unsafe { bio.write(from, size) })
    }

    /// Takes bytes for the peer; how many.
    fn ENGINE_SSL_read_BIO_direct(
        _env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, bio: Handle<Bio>, address: jlong, room: jint,
        shc: HandshakeCallbacks<'l>,
    ) -> jint {
        callbacks(shc)?;
        let _ssl = ssl.get()?;
        let bio = bio.get()?;
        let bio = bio.network()?;
        let into = pointer(address, "destPtr == null")?;
        // SAFETY: Java's promise for the memory.
        Ok(unsafe { bio.read(into, room) })
    }

    /// Bytes for the peer that wait to be taken.
    fn SSL_pending_written_bytes_in_BIO(_env, bio: Handle<Bio>) -> jint {
        let bio = bio.get()?;
        Ok(jint::try_from(bio.network()?.pending()).unwrap_or(jint::MAX))
    }

    /// Bytes of data that wait to be read.
    fn SSL_pending_readable_bytes(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> jint {
        Ok(ssl.get()?.connection.pending())
    }

    /// Closes: what the peer is told waits to be taken.
    fn ENGINE_SSL_shutdown(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, shc: HandshakeCallbacks<'l>) -> () {
        if ssl.is_null() {
            return Ok(());
        }
        callbacks(shc)?;
        let ssl = ssl.get()?;
        // SAFETY: no memory.
        match unsafe { run(env, &ssl.connection, shc, Operation::Shutdown)? } {
            Ran::Done(_) => Ok(()),
            Ran::Failed(failure) => Err(failed("SSL shutdown failed", &failure, Exception::Ssl)),
        }
    }
}
