//! The outer half of a pair of BIOs, whose inner half a connection reads and writes.

use std::ffi::c_int;
use std::sync::Arc;

use boring_sys as ffi;

use super::{Connection, Lock, Result, check, clear};

/// What an engine feeds with records and drains of them. Both halves share memory, and so the connection's lock.
pub struct NetworkBio {
    bio: *mut ffi::BIO,
    lock: Arc<Lock>,
}

// SAFETY: used with the lock held only.
unsafe impl Send for NetworkBio {}
// SAFETY: as above.
unsafe impl Sync for NetworkBio {}

impl Drop for NetworkBio {
    fn drop(&mut self) {
        let _held = self.lock.hold();
        // SAFETY: ours, freed once; its peer is told.
        unsafe { ffi::BIO_free_all(self.bio) };
        clear();
    }
}

impl Connection {
    /// Reads and writes a new pair from now on; answers its outer half.
    pub fn new_network_bio(&self) -> Result<NetworkBio> {
        let (_held, ssl, _) = self.hold_idle()?;
        let (mut inner, mut outer) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: two places for the halves; the SSL takes over the inner one, once for reading and writing.
        unsafe {
            check(ffi::BIO_new_bio_pair(&raw mut inner, 0, &raw mut outer, 0))?;
            ffi::SSL_set_bio(ssl, inner, inner);
        }
        Ok(NetworkBio { bio: outer, lock: Arc::clone(&self.lock) })
    }
}

impl NetworkBio {
    /// Bytes that wait to be read.
    pub fn pending(&self) -> usize {
        let _held = self.lock.hold();
        // SAFETY: a live BIO.
        unsafe { ffi::BIO_ctrl_pending(self.bio) }
    }

    /// Whether so many bytes can be written at once.
    pub fn has_room(&self, length: usize) -> bool {
        let _held = self.lock.hold();
        // SAFETY: a live BIO.
        unsafe { ffi::BIO_ctrl_get_write_guarantee(self.bio) >= length }
    }

    /// Reads up to `room` bytes: how many, negative for none.
    ///
    /// # Safety
    /// So many bytes may be written at `into`.
    pub unsafe fn read(&self, into: *mut u8, room: c_int) -> c_int {
        let _held = self.lock.hold();
        // SAFETY: a live BIO, promise of the caller.
        let count = unsafe { ffi::BIO_read(self.bio, into.cast(), room) };
        clear();
        count
    }

    /// Writes up to `length` bytes: how many, negative for none.
    ///
    /// # Safety
    /// So many bytes may be read at `from`.
    pub unsafe fn write(&self, from: *const u8, length: c_int) -> c_int {
        let _held = self.lock.hold();
        // SAFETY: a live BIO, promise of the caller.
        let count = unsafe { ffi::BIO_write(self.bio, from.cast(), length) };
        clear();
        count
    }

    /// Reads up to the slice's length: how many bytes, negative for none.
    pub fn read_slice(&self, into: &mut [u8]) -> c_int {
        let room = c_int::try_from(into.len()).unwrap_or(c_int::MAX);
        // SAFETY: a slice of at least this length.
        unsafe { self.read(into.as_mut_ptr(), room) }
    }

    /// Writes up to the slice's length: how many bytes, negative for none.
    pub fn write_slice(&self, from: &[u8]) -> c_int {
        let length = c_int::try_from(from.len()).unwrap_or(c_int::MAX);
        // SAFETY: a slice of at least this length.
        unsafe { self.write(from.as_ptr(), length) }
    }
}
