//! One connection: wraps and unwraps records between the caller's buffers, one native call each.

use std::collections::VecDeque;
use std::ffi::CString;
use std::os::raw::c_int;
use std::sync::Arc;

use boring_sys as ffi;

use super::bio::{self, Windows};
use super::config::Role;
use super::context::{Context, protocols_on_the_wire};
use super::credential::with_private_key;
use super::failure::{Failure, FailureKind};
use super::features;
use super::psk::{self, Exchange};
use super::record::{self, Sealed};
use super::{Credential, MAX_PACKET, MAX_PLAINTEXT, PreSharedKey, RECORD_HEADER, Session};
use crate::error::{check, check_ptr, drain};
use crate::{Error, Result};

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

/// What the callbacks read and write. Lives behind a raw pointer, which the BIO keeps: no reference is held across `SSL_*`. Small, as
/// idle connections have it: what only some need, or only while they shake hands, is in boxes.
#[derive(Debug)]
#[repr(C)]
pub(super) struct State {
    /// First, as the BIO takes the state for its windows.
    pub(super) windows: Windows,
    pub(super) server: bool,
    pub(super) task: Option<Task>,
    pub(super) verified: Option<std::result::Result<(), u8>>,
    pub(super) selected: Option<std::result::Result<(), u8>>,
    /// Gone when the handshake is done.
    pub(super) suspended: Option<Box<Suspended>>,
    /// Gone when all of it is taken.
    pub(super) events: Option<Box<Events>>,
    pub(super) credential: *const ffi::SSL_CREDENTIAL,
    /// The context: kept alive by the connection.
    pub(super) context: *const Context,
    pub(super) alert_received: Option<u8>,
    pub(super) alert_sent: Option<u8>,
}

impl State {
    pub(super) fn suspended(&mut self) -> &mut Suspended {
        self.suspended.get_or_insert_default()
    }

    pub(super) fn events(&mut self) -> &mut Events {
        self.events.get_or_insert_default()
    }
}

/// What a suspended handshake asks with and is answered.
#[derive(Debug, Default)]
pub(super) struct Suspended {
    pub(super) key_input: Vec<u8>,
    pub(super) key_result: Option<Option<Vec<u8>>>,
    /// Server: the ALPN extension's protocol list as the client sent it.
    pub(super) offered_protocols: Vec<u8>,
    /// Server: what a selector chose, in the form on the wire; empty: go on without ALPN.
    pub(super) protocol: Option<Vec<u8>>,
    /// Server: the session id that is looked for, and what was found.
    pub(super) session_id: Vec<u8>,
    pub(super) found: Option<Option<Session>>,
    pub(super) exchange: Exchange,
}

/// What came and waits to be taken.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// Client: sessions for later connections.
    pub(super) sessions: VecDeque<Session>,
    /// Lines of the key log.
    pub(super) key_log: Vec<Vec<u8>>,
}

/// A record whose plaintext found no room: it is opened, and waits for the caller to present it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Held {
    length: usize,
    last: [u8; 16],
}

impl Held {
    fn of(record: &[u8]) -> Self {
        let mut last = [0; 16];
        for (to, from) in last.iter_mut().rev().zip(record.iter().rev()) {
            *to = *from;
        }
        Self { length: record.len(), last }
    }
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

    // --- wrap and unwrap ---

    /// Seals up to one record of `source` into `destination`, or writes what the handshake or an alert needs.
    pub fn wrap(&mut self, source: &[u8], destination: &mut [u8]) -> Outcome {
        // SAFETY: lengths of slices; they cannot overlap.
        unsafe { self.wrap_raw((source.as_ptr(), source.len()), (destination.as_mut_ptr(), destination.len())) }
    }

    /// Opens the one record at the start of `source` into `destination`: all of it or nothing.
    pub fn unwrap(&mut self, source: &[u8], destination: &mut [u8]) -> Outcome {
        // SAFETY: lengths of slices; they cannot overlap.
        unsafe { self.unwrap_raw((source.as_ptr(), source.len()), (destination.as_mut_ptr(), destination.len())) }
    }

    /// [`Connection::wrap`] over memory that Rust does not own. Where the source lies where the record's content goes in the
    /// destination, it is sealed in place; any other overlap costs a copy.
    ///
    /// # Safety
    /// `source` is readable and `destination` writable for the lengths given. They may overlap.
    pub unsafe fn wrap_raw(&mut self, source: (*const u8, usize), destination: (*mut u8, usize)) -> Outcome {
        // SAFETY: promise of the caller.
        if let Some(outcome) = unsafe { self.wrap_directly(source, destination) } {
            return outcome;
        }
        // SAFETY: promise of the caller.
        unsafe { self.wrap_otherwise(source, destination) }
    }

    /// [`Connection::wrap_raw`] if that is to seal one record of data straight between source and destination: short, without
    /// waiting for anything. `None`: it is something else, and nothing changed.
    ///
    /// # Safety
    /// As [`Connection::wrap_raw`].
    #[inline]
    pub unsafe fn wrap_directly(
        &mut self,
        source: (*const u8, usize),
        destination: (*mut u8, usize),
    ) -> Option<Outcome> {
        if !self.fast_records
            || !self.is_established()
            || self.write_closed
            || self.sealed >= self.context.config.records_per_key
            || self.spilled() > 0
        {
            return None;
        }
        let length = source.1.min(MAX_PLAINTEXT);
        // SAFETY: promise of the caller.
        match unsafe { record::seal(self.ssl, (source.0, length), destination) } {
            Sealed::Done(produced) => {
                self.sealed += 1;
                self.direct += 1;
                Some(self.outcome(Status::Ok, length, produced))
            }
            Sealed::NotDone => None,
            Sealed::Lost => {
                self.fail();
                Some(self.outcome(Status::Error, 0, 0))
            }
        }
    }

    /// # Safety
    /// As [`Connection::wrap_raw`].
    #[cold]
    unsafe fn wrap_otherwise(&mut self, source: (*const u8, usize), destination: (*mut u8, usize)) -> Outcome {
        if self.sealed >= self.context.config.records_per_key && !self.update_key() {
            return self.outcome(Status::Error, 0, 0);
        }
        if self.spilled() > 0 {
            // SAFETY: promise of the caller.
            return unsafe { self.drain(destination) };
        }
        if self.write_closed || self.phase == Phase::Dead {
            return self.outcome(Status::Closed, 0, 0);
        }
        match self.phase {
            Phase::Start if self.is_server() => self.outcome(Status::Ok, 0, 0),
            Phase::Waiting => self.outcome(Status::Ok, 0, 0),
            Phase::Start | Phase::Resumable => {
                // SAFETY: promise of the caller.
                unsafe { self.open_windows((std::ptr::null(), 0), destination) };
                let ok = self.advance();
                let (_, unwritten) = self.close_windows();
                let produced = destination.1 - unwritten;
                if !ok {
                    // The caller gets an exception instead of these bytes (an alert): they leave by the next wrap.
                    // SAFETY: the first `produced` bytes of the destination were just written.
                    unsafe { self.unproduce(destination.0, produced) };
                    return self.outcome(Status::Error, 0, 0);
                }
                self.outcome(Status::Ok, 0, produced)
            }
            // SAFETY: promise of the caller.
            _ => unsafe { self.seal_by_write((source.0, source.1.min(MAX_PLAINTEXT)), destination) },
        }
    }

    /// # Safety
    /// As [`Connection::wrap_raw`].
    #[cold]
    unsafe fn seal_by_write(&mut self, source: (*const u8, usize), destination: (*mut u8, usize)) -> Outcome {
        // SAFETY: a live SSL.
        let overhead = unsafe { ffi::SSL_max_seal_overhead(self.ssl) };
        let mut length = source.1;
        if length > 0 && destination.1 < length + overhead {
            return self.outcome(Status::BufferOverflow, 0, 0);
        }
        // SAFETY: promise of the caller.
        unsafe { self.open_windows((std::ptr::null(), 0), destination) };
        let mut ok = true;
        if length > 0 {
            // SAFETY: promise of the caller; at most MAX_PLAINTEXT fits a C int.
            let n = unsafe { ffi::SSL_write(self.ssl, source.0.cast(), c_int::try_from(length).unwrap_or(0)) };
            ok = n > 0;
            length = usize::try_from(n).unwrap_or(0);
        }
        let (_, unwritten) = self.close_windows();
        if !ok {
            self.fail();
            return self.outcome(Status::Error, 0, 0);
        }
        self.sealed += u64::from(length > 0);
        self.outcome(Status::Ok, length, destination.1 - unwritten)
    }

    /// Replaces our sending keys and asks the peer to do so too (RFC 8446 section 4.6.3): the message waits to be wrapped. False
    /// when it failed.
    fn update_key(&mut self) -> bool {
        self.sealed = 0;
        if self.write_closed || self.version() < TLS13 {
            return true;
        }
        // SAFETY: a live SSL, established, as data was sealed.
        if unsafe { ffi::SSL_key_update(self.ssl, ffi::SSL_KEY_UPDATE_REQUESTED) } != 1 {
            self.fail();
            return false;
        }
        self.flush()
    }

    /// [`Connection::unwrap`] over memory that Rust does not own.
    ///
    /// # Safety
    /// As [`Connection::wrap_raw`].
    pub unsafe fn unwrap_raw(&mut self, source: (*const u8, usize), destination: (*mut u8, usize)) -> Outcome {
        // SAFETY: promise of the caller.
        if let Some(outcome) = unsafe { self.unwrap_directly(source, destination) } {
            return outcome;
        }
        // SAFETY: promise of the caller.
        unsafe { self.unwrap_otherwise(source, destination) }
    }

    /// [`Connection::unwrap_raw`] if that is to open one record of data straight between source and destination, or if there
    /// is no whole record: short, without waiting for anything. `None`: it is something else, and nothing changed.
    ///
    /// # Safety
    /// As [`Connection::wrap_raw`].
    #[inline]
    pub unsafe fn unwrap_directly(
        &mut self,
        source: (*const u8, usize),
        destination: (*mut u8, usize),
    ) -> Option<Outcome> {
        if !self.fast_records
            || !self.is_established()
            || self.read_closed
            || self.held.is_some()
            // Our Finished has to leave before the peer's data is looked at, as FINISHED comes with it.
            || (self.phase == Phase::Established && self.spilled() > 0)
        {
            return None;
        }
        // SAFETY: promise of the caller; the slice ends with this statement, as the destination may share its memory.
        let Some(length) = first_record(unsafe { slice(source) }) else {
            return Some(self.outcome(Status::BufferUnderflow, 0, 0));
        };
        // SAFETY: promise of the caller.
        let produced = unsafe { record::open(self.ssl, (source.0, length), destination) }?;
        self.direct += 1;
        Some(self.outcome(Status::Ok, length, produced))
    }

    /// # Safety
    /// As [`Connection::wrap_raw`].
    #[cold]
    unsafe fn unwrap_otherwise(&mut self, source: (*const u8, usize), destination: (*mut u8, usize)) -> Outcome {
        if self.read_closed || self.phase == Phase::Dead {
            return self.outcome(Status::Closed, 0, 0);
        }
        match self.phase {
            Phase::Established | Phase::Reported => {}
            _ if self.spilled() > 0 || self.task().is_some() => return self.outcome(Status::Ok, 0, 0),
            Phase::Start if !self.is_server() => return self.outcome(Status::Ok, 0, 0),
            Phase::Resumable => {
                if !self.advance() {
                    return self.outcome(Status::Error, 0, 0);
                }
                if self.phase != Phase::Waiting || self.spilled() > 0 {
                    return self.outcome(Status::Ok, 0, 0);
                }
            }
            _ => {}
        }
        if self.phase == Phase::Established && self.spilled() > 0 {
            // Our Finished has to leave before the peer's data is looked at, as FINISHED comes with it.
            return self.outcome(Status::Ok, 0, 0);
        }

        // SAFETY: promise of the caller; the slice ends with this statement, as the destination may share its memory.
        let Some(length) = first_record(unsafe { slice(source) }) else {
            return self.outcome(Status::BufferUnderflow, 0, 0);
        };
        let record = (source.0, length);
        if matches!(self.phase, Phase::Established | Phase::Reported) {
            // SAFETY: promise of the caller.
            return unsafe { self.open_by_read(record, destination) };
        }
        // SAFETY: the record is readable; the slice ends with this statement.
        if self.context.config.ask_pre_shared_key && unsafe { self.needs_pre_shared_key(slice(record)) } {
            return self.outcome(Status::Ok, 0, 0);
        }
        // SAFETY: the record is readable.
        unsafe { self.open_windows(record, (std::ptr::null_mut(), 0)) };
        let ok = self.advance();
        let (unread, _) = self.close_windows();
        if !ok {
            return self.outcome(Status::Error, 0, 0);
        }
        self.outcome(Status::Ok, length - unread, 0)
    }

    /// BoringSSL copies the record before it opens it: source and destination may be the same.
    ///
    /// # Safety
    /// As [`Connection::wrap_raw`].
    #[cold]
    unsafe fn open_by_read(&mut self, record: (*const u8, usize), destination: (*mut u8, usize)) -> Outcome {
        let capacity = c_int::try_from(destination.1).unwrap_or(c_int::MAX);
        // SAFETY: promise of the caller.
        let identity = unsafe { Held::of(slice(record)) };
        let fresh = self.held.is_none();
        // Opened already, when held. If the caller presents other bytes, they are not consumed: nothing is lost.
        let consumed = if self.held.as_ref().is_some_and(|held| **held != identity) { 0 } else { record.1 };
        if fresh {
            // SAFETY: the record is readable.
            unsafe { self.open_windows(record, (std::ptr::null_mut(), 0)) };
        }
        let roomy = fresh && destination.1 >= record.1;
        let result = if roomy {
            // SAFETY: promise of the caller.
            unsafe { ffi::SSL_read(self.ssl, destination.0.cast(), capacity) }
        } else {
            let mut first = 0_u8;
            // SAFETY: one byte to look at; what is there stays in BoringSSL.
            unsafe { ffi::SSL_peek(self.ssl, (&raw mut first).cast(), 1) }
        };
        if fresh {
            self.close_windows();
        }
        if result > 0 {
            if roomy {
                return self.outcome(Status::Ok, consumed, usize::try_from(result).unwrap_or(0));
            }
            // SAFETY: a live SSL.
            let pending = usize::try_from(unsafe { ffi::SSL_pending(self.ssl) }).unwrap_or(0);
            if pending > destination.1 {
                if fresh {
                    self.held = Some(Box::new(identity));
                }
                return self.outcome(Status::BufferOverflow, 0, 0);
            }
            self.held = None;
            // SAFETY: promise of the caller; all that is pending fits.
            let n = unsafe { ffi::SSL_read(self.ssl, destination.0.cast(), capacity) };
            return self.outcome(Status::Ok, consumed, usize::try_from(n).unwrap_or(0));
        }
        // SAFETY: a live SSL.
        match unsafe { ffi::SSL_get_error(self.ssl, result) } {
            ffi::SSL_ERROR_WANT_READ => {
                // A record that is not data: a ticket, a key update (whose acknowledgement is to leave), or an empty one.
                if self.flush() { self.outcome(Status::Ok, consumed, 0) } else { self.outcome(Status::Error, 0, 0) }
            }
            ffi::SSL_ERROR_ZERO_RETURN => {
                self.read_closed = true;
                self.outcome(Status::Closed, consumed, 0)
            }
            _ => {
                self.fail();
                self.outcome(Status::Error, 0, 0)
            }
        }
    }

    /// # Safety
    /// As [`Connection::wrap_raw`].
    unsafe fn drain(&mut self, destination: (*mut u8, usize)) -> Outcome {
        // A long flight leaves in packet-sized parts; what is shorter leaves whole.
        if destination.1 < self.spilled().min(MAX_PACKET) {
            return self.outcome(Status::BufferOverflow, 0, 0);
        }
        // SAFETY: promise of the caller; no other reference to the state is alive.
        let produced = unsafe { (*self.state).windows.drain(destination.0, destination.1) };
        let done = self.spilled() == 0 && (self.write_closed || self.phase == Phase::Dead);
        self.outcome(if done { Status::Closed } else { Status::Ok }, 0, produced)
    }

    /// Lets the handshake go on; false when it failed.
    fn advance(&mut self) -> bool {
        // SAFETY: a live SSL; the windows are open, or closed (then it reads nothing and spills).
        let error = unsafe {
            let result = ffi::SSL_do_handshake(self.ssl);
            if result == 1 { ffi::SSL_ERROR_NONE } else { ffi::SSL_get_error(self.ssl, result) }
        };
        match error {
            ffi::SSL_ERROR_NONE => {
                self.phase = Phase::Established;
                self.selected = self.selected_credential();
                self.credentials = Vec::new();
                // SAFETY: no other reference to the state is alive.
                unsafe { (*self.state).suspended = None };
                return self.flush();
            }
            ffi::SSL_ERROR_WANT_READ
            | ffi::SSL_ERROR_WANT_CERTIFICATE_VERIFY
            | ffi::SSL_ERROR_WANT_X509_LOOKUP
            | ffi::SSL_ERROR_PENDING_SESSION
            | ffi::SSL_ERROR_WANT_PRIVATE_KEY_OPERATION => self.phase = Phase::Waiting,
            _ => {
                self.fail();
                return false;
            }
        }
        true
    }

    /// Lets what BoringSSL holds back until the next data (tickets, acknowledgements of key updates) wait to be wrapped: so
    /// that a wrap never makes two records of which one was not asked for. False when it failed.
    fn flush(&mut self) -> bool {
        if self.write_closed {
            return true;
        }
        // SAFETY: a live SSL; writing nothing flushes.
        if unsafe { ffi::SSL_write(self.ssl, std::ptr::null(), 0) } < 0 {
            self.fail();
            return false;
        }
        true
    }

    /// Records why the connection failed. What BoringSSL wrote (an alert) is still to be wrapped.
    fn fail(&mut self) {
        let reasons = drain();
        // SAFETY: no other reference to the state is alive; a live SSL, whose closed windows spill. BoringSSL says nothing
        // to a peer that does not speak TLS, nor when it fails itself: the peer is told all the same.
        let (received, sent) = unsafe {
            if (*self.state).alert_received.is_none() && (*self.state).alert_sent.is_none() {
                let alien = reasons.iter().any(Failure::is_other_protocol);
                ffi::SSL_send_fatal_alert(
                    self.ssl,
                    if alien { ALERT_UNEXPECTED_MESSAGE } else { ALERT_INTERNAL_ERROR },
                );
                ffi::ERR_clear_error();
            }
            ((*self.state).alert_received, (*self.state).alert_sent)
        };
        let in_handshake = !matches!(self.phase, Phase::Established | Phase::Reported);
        if self.failure.is_none() {
            let mut failure = Failure::new(&reasons, received, sent, in_handshake);
            if failure.kind == FailureKind::EchRejected {
                failure.ech_retry_configs = self.ech_retry_configs();
            }
            self.failure = Some(Box::new(failure));
        }
        self.phase = Phase::Dead;
        self.read_closed = true;
        self.held = None;
        // SAFETY: as above.
        unsafe { (*self.state).task = None };
    }

    fn outcome(&mut self, status: Status, consumed: usize, produced: usize) -> Outcome {
        let quiet = matches!(status, Status::BufferOverflow | Status::BufferUnderflow | Status::Error);
        let mut handshake = self.handshake();
        // FINISHED belongs to the call that ended the handshake, once nothing of it is left to send.
        if handshake == Handshake::NotHandshaking && self.phase == Phase::Established && !quiet {
            self.phase = Phase::Reported;
            handshake = Handshake::Finished;
        }
        Outcome {
            status,
            handshake,
            // SAFETY: no other reference to the state is alive.
            events: unsafe { (*self.state).events.is_some() },
            consumed,
            produced,
        }
    }

    /// What the handshake needs next; never [`Handshake::Finished`].
    pub fn handshake(&self) -> Handshake {
        if self.spilled() > 0 {
            return Handshake::NeedWrap;
        }
        if self.task().is_some() {
            return Handshake::NeedTask;
        }
        match self.phase {
            Phase::Start if self.is_server() => Handshake::NeedUnwrap,
            Phase::Start | Phase::Resumable => Handshake::NeedWrap,
            Phase::Waiting => Handshake::NeedUnwrap,
            Phase::Established | Phase::Reported | Phase::Dead => Handshake::NotHandshaking,
        }
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

    // --- closing ---

    /// Closes our direction: close_notify once the handshake is done, user_canceled during it, nothing before it began.
    /// What is to be sent leaves by the next wraps. Again is a no-op.
    pub fn close_write(&mut self) {
        if self.write_closed || self.phase == Phase::Dead {
            self.write_closed = true;
            return;
        }
        self.write_closed = true;
        match self.phase {
            Phase::Start => self.phase = Phase::Dead,
            Phase::Established | Phase::Reported => {
                // SAFETY: a live SSL; with closed windows the alert goes to the spill. Called once only: a second call
                // would start to read. A failure leaves nothing to send, which is what closing wants.
                unsafe {
                    ffi::SSL_shutdown(self.ssl);
                    ffi::ERR_clear_error();
                }
            }
            _ => {
                // SAFETY: as above.
                unsafe {
                    ffi::SSL_send_fatal_alert(self.ssl, ALERT_USER_CANCELED);
                    ffi::ERR_clear_error();
                    (*self.state).task = None;
                }
                self.phase = Phase::Dead;
            }
        }
    }

    /// The caller will unwrap no more.
    pub fn close_read(&mut self) {
        self.read_closed = true;
        self.held = None;
    }

    /// Why it failed, once [`Status::Error`] was returned.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_deref()
    }

    // --- suspended handshakes ---

    /// The decision that is waited for.
    pub fn task(&self) -> Option<Task> {
        // SAFETY: no other reference to the state is alive.
        unsafe { (*self.state).task }
    }

    /// Answers [`Task::VerifyCertificate`]: trusted, or the alert to send.
    ///
    /// # Errors
    /// [`Error::State`] when that is not what is waited for.
    pub fn set_verified(&mut self, verdict: std::result::Result<(), u8>) -> Result<()> {
        self.answer(|task| task == Task::VerifyCertificate, |state| state.verified = Some(verdict))
    }

    /// Answers [`Task::ClientHello`] and [`Task::CertificateRequest`]: the credentials to offer, in order of preference,
    /// none of them being allowed; for a server whose caller chose the application protocol itself, that choice (empty: go
    /// on without); or the alert to fail with.
    ///
    /// # Errors
    /// [`Error::State`] when that is not what is waited for; [`Error::Argument`] for an impossible protocol name.
    pub fn select(&mut self, credentials: Vec<Credential>, protocol: Option<&[u8]>, alert: Option<u8>) -> Result<()> {
        let expected = |task| matches!(task, Task::ClientHello | Task::CertificateRequest);
        if !self.task().is_some_and(expected) {
            return Err(Error::State("no certificate selection is waited for"));
        }
        let protocol = match protocol {
            Some([]) => Some(Vec::new()),
            Some(name) => Some(protocols_on_the_wire(&[name.to_vec()])?),
            None => None,
        };
        for credential in &credentials {
            // SAFETY: live objects; the SSL takes its own reference.
            check(unsafe { ffi::SSL_add1_credential(self.ssl, credential.as_ptr()) })?;
        }
        self.credentials = credentials;
        self.answer(expected, |state| {
            if let Some(protocol) = protocol {
                state.suspended().protocol = Some(protocol);
            }
            state.selected = Some(alert.map_or(Ok(()), Err));
        })
    }

    /// Answers [`Task::Sign`] and [`Task::Decrypt`]; `None` fails the handshake with internal_error.
    ///
    /// # Errors
    /// [`Error::State`] when that is not what is waited for.
    pub fn set_key_result(&mut self, result: Option<Vec<u8>>) -> Result<()> {
        let expected = |task| matches!(task, Task::Sign(_) | Task::Decrypt);
        self.answer(expected, |state| state.suspended().key_result = Some(result))
    }

    fn answer(&mut self, expected: impl Fn(Task) -> bool, put: impl FnOnce(&mut State)) -> Result<()> {
        if !self.task().is_some_and(expected) {
            return Err(Error::State("that decision is not waited for"));
        }
        // SAFETY: no other reference to the state is alive.
        unsafe {
            (*self.state).task = None;
            put(&mut *self.state);
        }
        self.phase = Phase::Resumable;
        Ok(())
    }

    /// Suspends the handshake if BoringSSL will want a pre-shared key for this record.
    fn needs_pre_shared_key(&mut self, record: &[u8]) -> bool {
        let server = self.is_server();
        // Only a server that chose such a suite is named an identity.
        if server && !psk::has_pre_shared_key(self.cipher_suite()) {
            return false;
        }
        // SAFETY: no other reference to the state is alive.
        let state = unsafe { &mut *self.state };
        let asks = state.suspended().exchange.asks(server, record);
        if asks {
            state.task = Some(Task::PreSharedKey);
        }
        asks
    }

    /// At [`Task::PreSharedKey`]: the server's hint, `None` if it gave none; or the client's identity.
    pub fn pre_shared_key_name(&self) -> Option<&[u8]> {
        // SAFETY: as in `key_input`.
        unsafe { (*self.state).suspended.as_ref().and_then(|s| s.exchange.name.as_deref()) }
    }

    /// Server, before or at [`Task::ClientHello`]: the hint that clients get (RFC 4279 section 5.2).
    ///
    /// # Errors
    /// [`Error::Argument`] for one with a zero byte or of more than 128 bytes.
    pub fn set_pre_shared_key_hint(&mut self, hint: &[u8]) -> Result<()> {
        let error = Error::Argument("a hint has at most 128 bytes, none of them zero");
        let hint = CString::new(hint).map_err(|_| error.clone())?;
        // SAFETY: a live SSL; the string is copied.
        let set = unsafe { ffi::SSL_use_psk_identity_hint(self.ssl, hint.as_ptr()) };
        if set == 1 { Ok(()) } else { Err(error.after_clear()) }
    }

    /// Answers [`Task::PreSharedKey`]: a client's identity (a server's is the one that it was asked for) and the key; `None`
    /// fails the handshake.
    ///
    /// # Errors
    /// [`Error::State`] when that is not what is waited for; [`Error::Argument`] for an identity of more than 128 bytes or with a
    /// zero byte, or a key that is empty or has more than 256.
    pub fn set_pre_shared_key(&mut self, mut key: Option<PreSharedKey>) -> Result<()> {
        if let Some(key) = &mut key {
            if key.identity.len() > psk::MAX_IDENTITY || key.identity.contains(&0) {
                return Err(Error::Argument("an identity has at most 128 bytes, none of them zero"));
            }
            if key.key.is_empty() || key.key.len() > psk::MAX_KEY {
                return Err(Error::Argument("a pre-shared key has 1 to 256 bytes"));
            }
            if self.is_server() {
                key.identity = self.pre_shared_key_name().unwrap_or_default().to_vec();
            }
        }
        self.answer(|task| task == Task::PreSharedKey, |state| state.suspended().exchange.answer(key))?;
        // The record that made it needed is still to come.
        self.phase = Phase::Waiting;
        Ok(())
    }

    /// At [`Task::SessionLookup`]: the id of the session that the client wants to resume.
    pub fn wanted_session(&self) -> &[u8] {
        // SAFETY: as in `key_input`.
        unsafe { (*self.state).suspended.as_ref().map_or(&[], |s| &s.session_id) }
    }

    /// Answers [`Task::SessionLookup`] with what [`Session::to_bytes`] gave; `None` if there is no such session. What is damaged, too
    /// old or made under other rules is not resumed.
    ///
    /// # Errors
    /// [`Error::State`] when that is not what is waited for.
    pub fn set_found_session(&mut self, encoded: Option<&[u8]>) -> Result<()> {
        let session = match encoded.map(|bytes| Session::from_bytes(&self.context, bytes)) {
            Some(Err(Error::Argument(_))) | None => None,
            Some(session) => Some(session?),
        };
        self.answer(|task| task == Task::SessionLookup, |state| state.suspended().found = Some(session))
    }

    /// What is to be signed or decrypted.
    pub fn key_input(&self) -> &[u8] {
        // SAFETY: no mutable reference to the state is alive while `&self` is.
        unsafe { (*self.state).suspended.as_ref().map_or(&[], |s| &s.key_input) }
    }

    /// Server, at [`Task::ClientHello`]: the protocols that the client offered (the list of RFC 7301 section 3.1).
    pub fn offered_protocols(&self) -> &[u8] {
        // SAFETY: as in `key_input`.
        unsafe { (*self.state).suspended.as_ref().map_or(&[], |s| &s.offered_protocols) }
    }
}

pub(super) const TLS13: u16 = 0x0304;
const ALERT_USER_CANCELED: u8 = 90;
pub(super) const ALERT_INTERNAL_ERROR: u8 = 80;
const ALERT_UNEXPECTED_MESSAGE: u8 = 10;

/// # Safety
/// The pointer is readable for the length, for as long as the answer is used; it may be null when the length is zero.
pub(super) unsafe fn slice<'a>((data, length): (*const u8, usize)) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: promise of the caller.
    unsafe { std::slice::from_raw_parts(data, length) }
}

/// The length of the first record of `bytes`, header included; `None` while it is incomplete. What cannot be a record is
/// given whole, so that BoringSSL says what is wrong at once instead of waiting for a length that means nothing.
fn first_record(bytes: &[u8]) -> Option<usize> {
    let [kind, major, _, high, low, ..] = *bytes else {
        return None;
    };
    let length = RECORD_HEADER + usize::from(u16::from_be_bytes([high, low]));
    let plausible = (20..=24).contains(&kind) && major == 3 && length <= MAX_PACKET;
    if plausible { (length <= bytes.len()).then_some(length) } else { Some(bytes.len()) }
}
