//! One connection: wraps and unwraps records between the caller's buffers, one native call each.
//!
//! Owned here are the `SSL`, the state that the callbacks share, and the phase; the modules below change them, each for what it is
//! named after. No reference to the state is held across `SSL_*`.

use std::ffi::CString;
use std::sync::Arc;

use boring_sys as ffi;

use super::bio::{self, Windows};
use super::config::Role;
use super::context::Context;
use super::credential::with_private_key;
use super::failure::Failure;
use super::state::{Events, State};
use super::{Credential, Session, features, slice};
use crate::error::check_ptr;
use crate::{Error, Result};

mod closing;
mod handshake;
mod suspension;
mod unwrap;
mod wrap;

use unwrap::Held;

/// How a wrap or unwrap ended; the names of `SSLEngineResult.Status`, and `Error`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Ok,
    /// The source does not hold a whole record: nothing was consumed.
    BufferUnderflow,
    /// The destination is too small: nothing was consumed, produced or changed.
    BufferOverflow,
    /// This direction is closed.
    Closed,
    /// The connection failed: see [`Connection::failure`]. An alert may be waiting to be wrapped.
    Error,
}

/// What the handshake needs next; the names of `SSLEngineResult.HandshakeStatus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handshake {
    /// Nothing.
    NotHandshaking,
    /// It was completed by this very call; reported once.
    Finished,
    /// A decision: see [`Connection::task`].
    NeedTask,
    /// To send.
    NeedWrap,
    /// To receive.
    NeedUnwrap,
}

/// What one wrap or unwrap did; sizes in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// What the handshake needs next.
    pub handshake: Handshake,
    /// Whether there is something to be taken: [`Connection::take_new_session`], [`Connection::take_key_log`].
    pub events: bool,
    /// Bytes taken from the source.
    pub consumed: usize,
    /// Bytes written to the destination.
    pub produced: usize,
}

/// A decision that a suspended handshake waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Whether the peer's chain is trusted: [`Connection::set_verified`].
    VerifyCertificate,
    /// Server: the client's hello was read; which credentials to offer, which protocol: [`Connection::select`].
    ClientHello,
    /// Client: the server asked for a certificate; which credentials to offer: [`Connection::select`].
    CertificateRequest,
    /// A signature with this scheme over [`Connection::key_input`]: [`Connection::set_key_result`].
    Sign(u16),
    /// An RSA decryption without padding removal: [`Connection::set_key_result`].
    Decrypt,
    /// TLS 1.2: the pre-shared key for what [`Connection::pre_shared_key_name`] says: [`Connection::set_pre_shared_key`].
    PreSharedKey,
    /// Server, TLS 1.2: the session with the id [`Connection::wanted_session`]: [`Connection::set_found_session`].
    SessionLookup,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nothing was sent or received.
    Start,
    /// The handshake can go on without input: a decision was made.
    Resumable,
    /// The handshake waits for the peer.
    Waiting,
    /// Done; FINISHED is still to be reported.
    Established,
    /// Done and reported.
    Reported,
    /// Failed or given up.
    Dead,
}

/// One TLS connection. Used by one thread at a time.
#[derive(Debug)]
pub struct Connection {
    pub(super) ssl: *mut ffi::SSL,
    pub(super) state: *mut State,
    context: Arc<Context>,
    /// Those offered, until the handshake is done.
    pub(super) credentials: Vec<Credential>,
    /// Which of them it was, once it is done.
    pub(super) selected: Option<usize>,
    phase: Phase,
    failure: Option<Box<Failure>>,
    read_closed: bool,
    write_closed: bool,
    held: Option<Box<Held>>,
    /// Records of data sealed under the current keys.
    sealed: u64,
    fast_records: bool,
    direct: u64,
}

// SAFETY: all that it points to is its own; only the thread that borrows it touches it.
unsafe impl Send for Connection {}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: ours alone; the BIO goes with the SSL, before the windows that it points to.
        unsafe {
            ffi::SSL_free(self.ssl);
            drop(Box::from_raw(self.state));
        }
    }
}

impl Connection {
    /// A new connection of `context`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(context: &Arc<Context>) -> Result<Self> {
        let server = context.config.role == Role::Server;
        // SAFETY: a fresh SSL; `connection` owns it and the state before anything can fail.
        unsafe {
            let ssl = check_ptr(ffi::SSL_new(context.as_ptr()))?;
            let state = Box::into_raw(Box::new(State {
                windows: Windows::new(),
                server,
                task: None,
                verified: None,
                selected: None,
                suspended: None,
                events: None,
                credential: std::ptr::null(),
                context: Arc::as_ptr(context),
                alert_received: None,
                alert_sent: None,
            }));
            let connection = Self {
                ssl,
                state,
                context: Arc::clone(context),
                credentials: Vec::new(),
                selected: None,
                phase: Phase::Start,
                failure: None,
                read_closed: false,
                write_closed: false,
                held: None,
                sealed: 0,
                fast_records: context.config.fast_records,
                direct: 0,
            };
            let bio = bio::new(state.cast())?;
            ffi::SSL_set_bio(ssl, bio, bio);
            ffi::SSL_set_shed_handshake_config(ssl, 1);
            if server {
                ffi::SSL_set_accept_state(ssl);
            } else {
                ffi::SSL_set_connect_state(ssl);
                features::configure_connection(ssl, &context.config)?;
            }
            Ok(connection)
        }
    }

    /// Client, before the handshake: the server name to send (SNI, RFC 6066 section 3), an ASCII host name.
    ///
    /// # Errors
    /// [`Error::Argument`] for a name that is empty, longer than 255 bytes or contains a zero byte.
    pub fn set_server_name(&mut self, name: &[u8]) -> Result<()> {
        let error = Error::Argument("not a server name that TLS can send");
        let name = CString::new(name).map_err(|_| error.clone())?;
        // SAFETY: a live SSL; the string is copied.
        let set = unsafe { ffi::SSL_set_tlsext_host_name(self.ssl, name.as_ptr()) };
        if set == 1 { Ok(()) } else { Err(error.after_clear()) }
    }

    /// Client, before the handshake: the key that is proven to servers which ask for a Channel ID (draft-balfanz-tls-channelid-01),
    /// from PKCS #8.
    ///
    /// # Errors
    /// [`Error::Key`] for what is not a private key on P-256.
    pub fn set_channel_id_key(&mut self, pkcs8: &[u8]) -> Result<()> {
        // SAFETY: a live SSL, which takes its own reference to the live key.
        let set = with_private_key(pkcs8, |key| unsafe { ffi::SSL_set1_tls_channel_id(self.ssl, key) });
        if set == Some(1) { Ok(()) } else { Err(Error::Key("not a PKCS#8 private key on P-256").after_clear()) }
    }

    /// Client, before the handshake: a session to offer for resumption. The server may refuse it: [`Connection::is_resumed`].
    ///
    /// # Errors
    /// [`Error::Argument`] if it cannot be resumed.
    pub fn set_session(&mut self, session: &Session) -> Result<()> {
        // SAFETY: live objects; the SSL takes its own reference.
        let set = unsafe { ffi::SSL_set_session(self.ssl, session.as_ptr()) };
        if set == 1 { Ok(()) } else { Err(Error::Argument("the session cannot be resumed").after_clear()) }
    }

    /// Client: the oldest session that came and was not taken.
    pub fn take_new_session(&mut self) -> Option<Session> {
        self.take(|events| events.sessions.pop_front())
    }

    /// Lines of the key log (the format of NSS) since the last call. Secrets!
    pub fn take_key_log(&mut self) -> Vec<Vec<u8>> {
        self.take(|events| std::mem::take(&mut events.key_log))
    }

    fn take<T: Default>(&mut self, from: impl FnOnce(&mut Events) -> T) -> T {
        // SAFETY: no other reference to the state is alive.
        let slot = unsafe { &mut (*self.state).events };
        let Some(events) = slot else { return T::default() };
        let taken = from(events);
        if events.sessions.is_empty() && events.key_log.is_empty() {
            *slot = None;
        }
        taken
    }

    /// Bytes that wait to be wrapped.
    pub fn spilled(&self) -> usize {
        // SAFETY: no other reference to the state is alive.
        unsafe { (*self.state).windows.spilled() }
    }

    /// Takes out what waits to be wrapped, for callers that give the connection up before it left.
    pub fn take_spilled(&mut self) -> Vec<u8> {
        // SAFETY: no other reference to the state is alive.
        unsafe { (*self.state).windows.take() }
    }

    /// # Safety
    /// As [`Windows::open`].
    unsafe fn open_windows(&mut self, input: (*const u8, usize), output: (*mut u8, usize)) {
        // SAFETY: promise of the caller; no other reference to the state is alive.
        unsafe { (*self.state).windows.open(input, output) };
    }

    fn close_windows(&mut self) -> (usize, usize) {
        // SAFETY: no other reference to the state is alive.
        unsafe { (*self.state).windows.close() }
    }

    /// # Safety
    /// `from` is readable for `length`.
    unsafe fn unproduce(&mut self, from: *const u8, length: usize) {
        // SAFETY: promise of the caller; no other reference to the state is alive.
        unsafe { (*self.state).windows.put_back(slice((from, length))) };
    }

    /// Whether the handshake is done, so that wraps and unwraps only move data: short enough for a critical section.
    pub fn is_established(&self) -> bool {
        matches!(self.phase, Phase::Established | Phase::Reported)
    }

    /// How many records of data went straight between the caller's buffers ([`Config::fast_records`](super::Config)), in both
    /// directions.
    pub fn direct_records(&self) -> u64 {
        self.direct
    }

    /// Whether this is the server's side.
    pub fn is_server(&self) -> bool {
        self.context.config.role == Role::Server
    }
}

pub(super) const TLS13: u16 = 0x0304;
const ALERT_USER_CANCELED: u8 = 90;
pub(super) const ALERT_INTERNAL_ERROR: u8 = 80;
const ALERT_UNEXPECTED_MESSAGE: u8 = 10;
