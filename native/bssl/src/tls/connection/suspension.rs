//! Suspended handshakes: what is waited for, what is known for the decision, and the decision itself.
//!
//! An answer that is not waited for is refused and changes nothing. One that is lets the next wrap or unwrap go on.

use std::ffi::CString;

use boring_sys as ffi;

use super::{Connection, Phase, Task};
use crate::error::check;
use crate::tls::context::protocols_on_the_wire;
use crate::tls::psk;
use crate::tls::state::State;
use crate::tls::{Credential, PreSharedKey, Session};
use crate::{Error, Result};

impl Connection {
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
    pub(super) fn needs_pre_shared_key(&mut self, record: &[u8]) -> bool {
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
