//! Closing and failing: our direction closes once and its alert waits to be wrapped; a connection that failed says why, tells the
//! peer, and moves no more data.

use boring_sys as ffi;

use super::{ALERT_INTERNAL_ERROR, ALERT_UNEXPECTED_MESSAGE, ALERT_USER_CANCELED, Connection, Phase};
use crate::error::drain;
use crate::tls::failure::{Failure, FailureKind};

impl Connection {
    /// Records why the connection failed. What BoringSSL wrote (an alert) is still to be wrapped.
    pub(super) fn fail(&mut self) {
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
}
