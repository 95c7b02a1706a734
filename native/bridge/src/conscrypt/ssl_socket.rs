//! TLS over a socket's file descriptor: it does not block, and threads wait for it with no lock held.
#![allow(unsafe_code, reason = "bytes that an operation reads and writes")]

use bssl::conscrypt::tls::{Failure, Operation, code};
use jni::sys::jint;

use super::error::{Error, Exception};
use super::java;
use super::natives;
use super::slab::Handle;
use super::ssl::Ssl;
use super::ssl_run::{MOST_DECISIONS, Ran, failed, handshake_failed, run, run_within, ssl_exception};
use super::ssl_wait::{For, Woken, set_blocking};
use super::types::{FileDescriptor, HandshakeCallbacks, NativeSsl, Secret};
use crate::boundary::Env;
use crate::bytes::ByteArray;

/// Most bytes of one record.
const RECORD: jint = 16384;

/// What the natives here are given.
#[derive(Clone, Copy)]
struct Socket<'l> {
    descriptor: FileDescriptor<'l>,
    callbacks: HandshakeCallbacks<'l>,
    millis: jint,
}

/// How an operation ended.
enum Ended {
    Done(jint),
    Failed(Failure),
    Interrupted,
    TimedOut,
}

impl<'l> Socket<'l> {
    fn check(self) -> Result<Self, Error> {
        if self.descriptor.is_null() {
            return Err(Error::null("fd == null"));
        }
        if self.callbacks.is_null() {
            return Err(Error::null("sslHandshakeCallbacks == null"));
        }
        Ok(self)
    }

    /// The open descriptor.
    fn descriptor(self, env: &mut Env<'l>) -> Result<jint, Error> {
        let descriptor = java::descriptor(env, self.descriptor.raw())?;
        if descriptor < 0 { Err(Error::new(Exception::Socket, "Socket closed")) } else { Ok(descriptor) }
    }

    /// Runs an operation, waiting for the socket as often as it takes.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn run(self, env: &mut Env<'l>, ssl: &Ssl, operation: Operation) -> Result<Ended, Error> {
        let mut left = MOST_DECISIONS;
        loop {
            if ssl.waiting.is_interrupted() {
                return Ok(Ended::Interrupted);
            }
            let descriptor = self.descriptor(env)?;
            // SAFETY: promise of the caller.
            let failure = match unsafe { run_within(env, &ssl.connection, self.callbacks, operation, &mut left)? } {
                Ran::Done(result) => {
                    ssl.waiting.wake();
                    return Ok(Ended::Done(result));
                }
                Ran::Failed(failure) => failure,
            };
            let what = match failure.code {
                code::WANT_READ => For::Reading,
                code::WANT_WRITE => For::Writing,
                _ => return Ok(Ended::Failed(failure)),
            };
            match ssl.waiting.wait(descriptor, what, self.millis) {
                Ok(Woken::Ready) => {}
                Ok(Woken::Interrupted) => return Ok(Ended::Interrupted),
                Ok(Woken::TimedOut) => return Ok(Ended::TimedOut),
                Err(error) => {
                    let os_error = error.raw_os_error();
                    return Ok(Ended::Failed(Failure { code: code::SYSCALL, os_error, ..failure }));
                }
            }
        }
    }
}

fn timed_out(what: &'static str) -> Error {
    Error::new(Exception::SocketTimeout, what)
}

/// What reading and writing need: a handshake that was done.
fn ready(ssl: &Ssl, what: &'static str) -> Result<(), Error> {
    if ssl.connection.is_ready() { Ok(()) } else { Err(Error::new(Exception::Ssl, what)) }
}

natives! { 'l =>
    /// The handshake, waiting for up to so many milliseconds each time (0: for ever).
    fn SSL_do_handshake(
        env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, descriptor: FileDescriptor<'l>,
        callbacks: HandshakeCallbacks<'l>, millis: jint,
    ) -> () {
        let socket = Socket { descriptor, callbacks, millis }.check()?;
        let ssl = ssl.get()?;
        let number = socket.descriptor(env)?;
        ssl_exception(ssl.connection.set_socket(number), "Error setting the file descriptor")?;
        if set_blocking(number, false).is_err() {
            return Err(Error::new(Exception::Ssl, "Unable to make socket non blocking"));
        }
        // SAFETY: no memory.
        match unsafe { socket.run(env, &ssl, Operation::Handshake)? } {
            Ended::Done(_) => Ok(()),
            Ended::TimedOut => Err(timed_out("SSL handshake timed out")),
            Ended::Interrupted => Err(Error::new(Exception::SslHandshake, "Connection closed by peer")),
            Ended::Failed(failure) => Err(handshake_failed(&failure)),
        }
    }

    /// Reads up to so many bytes; -1 at the end.
    fn SSL_read(
        env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, descriptor: FileDescriptor<'l>,
        callbacks: HandshakeCallbacks<'l>, into: ByteArray<'l>, offset: jint, length: jint, millis: jint,
    ) -> jint {
        let socket = Socket { descriptor, callbacks, millis }.check()?;
        let ssl = ssl.get()?;
        if into.is_null() {
            return Err(Error::null("b == null"));
        }
        let slice = into.slice(env, "b", offset, length)?;
        if length == 0 {
            return Ok(0);
        }
        if !ssl.waiting.is_interrupted() {
            ready(&ssl, "Read error: the handshake is not done")?;
        }
        let room = length.min(RECORD);
        let mut bytes = Secret(vec![0; usize::try_from(room).unwrap_or(0)]);
        // SAFETY: a vector of this length, which lives until it is done.
        match unsafe { socket.run(env, &ssl, Operation::Read(bytes.as_mut_ptr(), room))? } {
            Ended::Done(count) => {
                let read = usize::try_from(count).ok().and_then(|count| bytes.get(..count)).unwrap_or_default();
                slice.write(env, read)?;
                Ok(count)
            }
            Ended::Interrupted => Ok(-1),
            Ended::TimedOut => Err(timed_out("Read timed out")),
            Ended::Failed(failure) => match failure.code {
                code::ZERO_RETURN => Ok(-1),
                code::SYSCALL if failure.result == 0 => Ok(-1),
                _ => Err(failed("Read error", &failure, Exception::Ssl)),
            },
        }
    }

    /// Writes all bytes.
    fn SSL_write(
        env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, descriptor: FileDescriptor<'l>,
        callbacks: HandshakeCallbacks<'l>, from: ByteArray<'l>, offset: jint, length: jint, millis: jint,
    ) -> () {
        let socket = Socket { descriptor, callbacks, millis }.check()?;
        let ssl = ssl.get()?;
        if from.is_null() {
            return Err(Error::null("b == null"));
        }
        from.slice(env, "b", offset, length)?;
        let mut bytes = Secret(vec![0; usize::try_from(length.min(RECORD)).unwrap_or(0)]);
        let mut done = 0;
        while done < length {
            if !ssl.waiting.is_interrupted() {
                ready(&ssl, "Write error: the handshake is not done")?;
            }
            let size = (length - done).min(RECORD);
            let slice = from.slice(env, "b", offset + done, size)?;
            let part = bytes.get_mut(..slice.len()).unwrap_or_default();
            slice.read(env, part)?;
            // SAFETY: a vector of this length, which lives until it is done.
            match unsafe { socket.run(env, &ssl, Operation::Write(part.as_ptr(), size))? } {
                Ended::Done(count) => done += count,
                Ended::Interrupted => return Err(Error::new(Exception::Socket, "Socket closed")),
                Ended::TimedOut => return Err(timed_out("Write timed out")),
                Ended::Failed(failure) => return Err(failed("Write error", &failure, Exception::Ssl)),
            }
        }
        Ok(())
    }

    /// Tells the peer that no more is sent, if the socket takes it at once; nobody waits for the peer's answer.
    fn SSL_shutdown(
        env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, descriptor: FileDescriptor<'l>,
        callbacks: HandshakeCallbacks<'l>,
    ) -> () {
        if ssl.is_null() || descriptor.is_null() {
            return Ok(());
        }
        let socket = Socket { descriptor, callbacks, millis: 0 }.check()?;
        let ssl = ssl.get()?;
        socket.descriptor(env)?;
        // SAFETY: no memory.
        let ran = unsafe { run(env, &ssl.connection, callbacks, Operation::Shutdown)? };
        if let Some(number) = ssl.connection.socket() {
            // Whoever uses the socket after TLS expects it as it was. It fails if the descriptor was closed meanwhile: nobody is left to expect it.
            let _ = set_blocking(number, true);
        }
        match ran {
            Ran::Done(_) => Ok(()),
            Ran::Failed(failure) if matches!(failure.code, code::WANT_READ | code::WANT_WRITE) => Ok(()),
            Ran::Failed(failure) => Err(failed("SSL shutdown failed", &failure, Exception::Ssl)),
        }
    }
}
