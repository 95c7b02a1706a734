//! Wrapping: what waits for the peer leaves first, then the handshake's next flight, then at most one record of data.
//!
//! Data is sealed straight between the caller's buffers where nothing else has to be done; `SSL_write` does the rest. A destination
//! that is too small costs nothing: no byte of the source is consumed, none of what waits is lost.

use std::os::raw::c_int;

use boring_sys as ffi;

use super::{Connection, Outcome, Phase, Status, TLS13};
use crate::tls::record::{self, Sealed};
use crate::tls::{MAX_PACKET, MAX_PLAINTEXT};

impl Connection {
    /// Seals up to one record of `source` into `destination`, or writes what the handshake or an alert needs.
    pub fn wrap(&mut self, source: &[u8], destination: &mut [u8]) -> Outcome {
        // SAFETY: lengths of slices; they cannot overlap.
        unsafe { self.wrap_raw((source.as_ptr(), source.len()), (destination.as_mut_ptr(), destination.len())) }
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
}
