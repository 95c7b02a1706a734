//! A connection, and what is run on it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::ptr::NonNull;
use std::sync::Arc;

use boring_sys as ffi;

use super::callbacks::{self, Callbacks};
use super::key::KeyTask;
use super::session::Session;
use super::{Context, Fault, Held, Lock, Result, check, check_ptr, clear, code};
use crate::conscrypt::pkey::PKey;

/// What callbacks read and write, under the connection's lock. No borrow is held while BoringSSL runs.
#[derive(Default)]
pub(super) struct State {
    /// An operation runs.
    busy: Cell<bool>,
    pub(super) want: RefCell<Option<Want>>,
    pub(super) verified: Cell<Option<bool>>,
    pub(super) client_certificate: Cell<Option<bool>>,
    pub(super) server_certificate: Cell<Option<bool>>,
    pub(super) session: Cell<Option<Option<Session>>>,
    pub(super) events: RefCell<VecDeque<Event>>,
    /// Server: the protocols to choose from, as on the wire.
    pub(super) protocols: RefCell<Option<Vec<u8>>>,
    /// Server: `chosen` decides.
    pub(super) has_selector: Cell<bool>,
    pub(super) chosen: RefCell<Option<Vec<u8>>>,
    /// Server: the protocols that the client offers, as on the wire.
    pub(super) offered: RefCell<Vec<u8>>,
    /// Server: the signature schemes that the client accepts.
    pub(super) peer_schemes: RefCell<Vec<u16>>,
    /// A key that somebody else holds, and what it answered.
    pub(super) key: RefCell<Option<PKey>>,
    pub(super) key_result: Cell<Option<Option<Vec<u8>>>>,
    /// Where the running operation's `&dyn Callbacks` is.
    callbacks: Cell<Option<NonNull<c_void>>>,
    /// Result and error code of the last operation, if there was one.
    last: Cell<Option<(c_int, c_int)>>,
}

impl State {
    /// What was decided is for one handshake.
    pub(super) fn forget_decisions(&self) {
        self.verified.set(None);
        self.client_certificate.set(None);
        self.server_certificate.set(None);
        self.session.set(None);
        self.chosen.replace(None);
    }

    /// Those of the running operation.
    ///
    /// # Safety
    /// The answer does not outlive the callback of BoringSSL that asks.
    pub(super) unsafe fn callbacks(&self) -> Option<&dyn Callbacks> {
        // SAFETY: set by `run` for as long as its operation runs.
        self.callbacks.get().map(|callbacks| unsafe { *callbacks.cast::<&dyn Callbacks>().as_ptr() })
    }
}

/// A decision that an operation waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    /// Whether the peer's chain is trusted.
    Verify,
    /// Client: the server asks for a certificate.
    ClientCertificate,
    /// Server: the client's hello was read.
    ServerCertificate,
    /// Server: the client wants to resume the session of this ID.
    Session(Vec<u8>),
    /// An operation of a key that somebody else holds: [`Connection::use_key`].
    Key(KeyTask),
}

/// A decision.
#[derive(Debug)]
pub enum Answer {
    /// For [`Want::Verify`]: whether it is.
    Verified(bool),
    /// For [`Want::ClientCertificate`]: whether to go on, with or without one.
    ClientCertificate(bool),
    /// For [`Want::ServerCertificate`]: whether to go on.
    ServerCertificate(bool),
    /// For [`Want::Session`]: that session, or none.
    Session(Option<Session>),
    /// For [`Want::Key`]: what the key answered, none if it failed.
    Key(Option<Vec<u8>>),
}

impl Want {
    /// The answer that ends the handshake, or does without.
    pub fn refusal(&self) -> Answer {
        match self {
            Self::Verify => Answer::Verified(false),
            Self::ClientCertificate => Answer::ClientCertificate(false),
            Self::ServerCertificate => Answer::ServerCertificate(false),
            Self::Session(_) => Answer::Session(None),
            Self::Key(_) => Answer::Key(None),
        }
    }
}

/// What happened meanwhile.
#[derive(Debug)]
pub enum Event {
    /// A handshake began or ended: kind and value as of `SSL_set_info_callback`.
    StateChange(i32, i32),
    /// A session to resume later.
    NewSession(Session),
}

/// What is run on a connection.
#[derive(Debug, Clone, Copy)]
pub enum Operation {
    /// `SSL_do_handshake`.
    Handshake,
    /// `SSL_read` of up to so many bytes.
    Read(*mut u8, c_int),
    /// `SSL_peek` of one byte.
    Peek,
    /// `SSL_write` of so many bytes.
    Write(*const u8, c_int),
    /// `SSL_shutdown`.
    Shutdown,
}

/// Why an operation did not end.
#[derive(Debug)]
pub struct Failure {
    /// `SSL_get_error`: see [`code`].
    pub code: i32,
    /// What BoringSSL's function answered: negative or zero.
    pub result: i32,
    /// The operating system's error code at that time.
    pub os_error: Option<i32>,
    /// The error queue.
    pub fault: Fault,
}

/// How an operation ended.
#[derive(Debug)]
pub enum Outcome {
    /// BoringSSL's answer: bytes or 1; 0 for a shutdown of which the peer's half is missing.
    Done(i32),
    /// Decide, and run the same operation again.
    Wants(Want),
    /// The transport has to do something first, or an error.
    Failed(Failure),
}

/// An `SSL`.
pub struct Connection {
    ssl: *mut ffi::SSL,
    state: Box<State>,
    pub(super) lock: Arc<Lock>,
}

// SAFETY: `ssl` and `state` are used with the lock held only.
unsafe impl Send for Connection {}
// SAFETY: as above.
unsafe impl Sync for Connection {}

impl Drop for Connection {
    fn drop(&mut self) {
        let _held = self.lock.hold();
        // SAFETY: ours, freed once, before the state that its callbacks use.
        unsafe { ffi::SSL_free(self.ssl) };
        clear();
    }
}

impl Connection {
    /// A new connection.
    pub fn new(context: &Context) -> Result<Self> {
        // SAFETY: a live context, which the connection counts.
        let ssl = check_ptr(unsafe { ffi::SSL_new(context.as_ptr()) })?;
        let connection = Self { ssl, state: Box::default(), lock: Arc::default() };
        // SAFETY: a live SSL; the state lives as long as it, at this address.
        unsafe {
            let state: *const State = &raw const *connection.state;
            check(ffi::SSL_set_ex_data(ssl, callbacks::ex_index(), state.cast_mut().cast()))?;
            ffi::SSL_set_custom_verify(ssl, ffi::SSL_VERIFY_PEER, Some(callbacks::on_verify));
        }
        Ok(connection)
    }

    /// The SSL and its state, as long as the lock is held.
    pub(super) fn hold(&self) -> (Held<'_>, *mut ffi::SSL, &State) {
        (self.lock.hold(), self.ssl, &self.state)
    }

    /// The SSL to change: not while an operation runs that a callback interrupts.
    pub(super) fn hold_idle(&self) -> Result<(Held<'_>, *mut ffi::SSL, &State)> {
        let (held, ssl, state) = self.hold();
        if state.busy.get() { Err(in_use()) } else { Ok((held, ssl, state)) }
    }

    /// Runs an operation. It answers with a fault only if a callback of this very connection asks for it.
    ///
    /// # Safety
    /// The memory that the operation names may be written or read.
    pub unsafe fn run(&self, operation: Operation, callbacks: &dyn Callbacks) -> Result<Outcome> {
        let (_held, ssl, state) = self.hold_idle()?;
        state.want.take();
        state.busy.set(true);
        state.callbacks.set(Some(NonNull::from(&callbacks).cast()));
        clear();
        let mut first = 0_u8;
        // SAFETY: a live SSL; promise of the caller for the memory.
        let result = unsafe {
            match operation {
                Operation::Handshake => ffi::SSL_do_handshake(ssl),
                Operation::Read(into, room) => ffi::SSL_read(ssl, into.cast(), room),
                Operation::Peek => ffi::SSL_peek(ssl, (&raw mut first).cast(), 1),
                Operation::Write(from, length) => ffi::SSL_write(ssl, from.cast(), length),
                Operation::Shutdown => ffi::SSL_shutdown(ssl),
            }
        };
        let os_error = std::io::Error::last_os_error().raw_os_error();
        state.callbacks.set(None);
        state.busy.set(false);
        // SAFETY: a live SSL.
        let error = unsafe { ffi::SSL_get_error(ssl, result) };
        state.last.set(Some((result, error)));
        let fault = Fault::take();
        if result > 0 || (result == 0 && matches!(operation, Operation::Shutdown)) {
            return Ok(Outcome::Done(result));
        }
        if let Some(want) = state.want.take() {
            return Ok(Outcome::Wants(want));
        }
        Ok(Outcome::Failed(Failure { code: error, result, os_error, fault }))
    }

    /// Hands in a decision.
    pub fn answer(&self, answer: Answer) {
        let (_held, _, state) = self.hold();
        match answer {
            Answer::Verified(answer) => state.verified.set(Some(answer)),
            Answer::ClientCertificate(answer) => state.client_certificate.set(Some(answer)),
            Answer::ServerCertificate(answer) => state.server_certificate.set(Some(answer)),
            Answer::Session(answer) => state.session.set(Some(answer)),
            Answer::Key(answer) => state.key_result.set(Some(answer)),
        }
    }

    /// The oldest event that was not taken.
    pub fn take_event(&self) -> Option<Event> {
        let (_held, _, state) = self.hold();
        state.events.borrow_mut().pop_front()
    }

    /// `SSL_get_error` of the last operation.
    pub fn last_error(&self, result: i32) -> i32 {
        let (_held, _, state) = self.hold();
        match state.last.get() {
            _ if result > 0 => code::NONE,
            Some((last, code)) if last == result => code,
            _ => code::SYSCALL,
        }
    }

    /// Server: the protocol that a selector chose of the offered ones.
    pub fn set_chosen_protocol(&self, protocol: Option<Vec<u8>>) {
        let (_held, _, state) = self.hold();
        state.chosen.replace(protocol);
    }

    /// Server, with a selector: the protocols that the client offers, as on the wire.
    pub fn protocols_to_select(&self) -> Option<Vec<u8>> {
        let (_held, _, state) = self.hold();
        if state.has_selector.get() { Some(state.offered.borrow().clone()) } else { None }
    }
}

fn in_use() -> Fault {
    Fault::state("the connection is in use by a callback of its own")
}
