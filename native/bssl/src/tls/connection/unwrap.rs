//! Unwrapping: one record for each call, all of it or nothing.
//!
//! Data is opened straight between the caller's buffers where nothing else has to be done; `SSL_read` does the rest. A record whose
//! plaintext does not fit stays in BoringSSL, and the caller presents it again.

use std::os::raw::c_int;

use boring_sys as ffi;

use super::{Connection, Outcome, Phase, Status};
use crate::tls::{MAX_PACKET, RECORD_HEADER, record, slice};

/// A record whose plaintext found no room: it is opened, and waits for the caller to present it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Held {
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

impl Connection {
    /// Opens the one record at the start of `source` into `destination`: all of it or nothing.
    pub fn unwrap(&mut self, source: &[u8], destination: &mut [u8]) -> Outcome {
        // SAFETY: lengths of slices; they cannot overlap.
        unsafe { self.unwrap_raw((source.as_ptr(), source.len()), (destination.as_mut_ptr(), destination.len())) }
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
