//! The handshake's course: it goes on until it is done, fails, or waits for the peer or a decision, and each outcome says which.
//!
//! `FINISHED` is reported once, by the call that completed the handshake. Nothing that BoringSSL wrote is held back.

use boring_sys as ffi;

use super::{Connection, Handshake, Outcome, Phase, Status};

impl Connection {
    /// Lets the handshake go on; false when it failed.
    pub(super) fn advance(&mut self) -> bool {
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
    pub(super) fn flush(&mut self) -> bool {
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

    pub(super) fn outcome(&mut self, status: Status, consumed: usize, produced: usize) -> Outcome {
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
}
