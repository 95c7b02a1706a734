//! Sessions that can be resumed.

use std::os::raw::c_uint;

use boring_sys as ffi;

use super::context::Context;
use super::slice;
use crate::bytes::cleanse;
use crate::error::{check, check_ptr};
use crate::{Error, Result};

/// What resumes (RFC 5246 section 7.3, RFC 8446 section 2.2): secrets, and the peer's chain. Immutable, shared.
#[derive(Debug)]
pub struct Session(*mut ffi::SSL_SESSION);

// SAFETY: established sessions are immutable, with an atomic reference count.
unsafe impl Send for Session {}
// SAFETY: as above.
unsafe impl Sync for Session {}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: this reference is ours.
        unsafe { ffi::SSL_SESSION_free(self.0) };
    }
}

impl Session {
    /// # Safety
    /// The caller hands over a reference to a live, established session.
    pub(super) unsafe fn from_raw(session: *mut ffi::SSL_SESSION) -> Self {
        Self(session)
    }

    /// The reference that this one is.
    pub(super) fn into_raw(self) -> *mut ffi::SSL_SESSION {
        let session = self.0;
        std::mem::forget(self);
        session
    }

    pub(super) fn as_ptr(&self) -> *mut ffi::SSL_SESSION {
        self.0
    }

    /// All of it, for [`Session::from_bytes`] of the same BoringSSL: secrets, for the caller to zero.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] and the like.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let (mut data, mut length) = (std::ptr::null_mut(), 0);
        // SAFETY: a live session; the answer is ours, copied, zeroed and freed.
        unsafe {
            check(ffi::SSL_SESSION_to_bytes(self.0, &raw mut data, &raw mut length))?;
            let bytes = std::slice::from_raw_parts_mut(data, length);
            let copy = bytes.to_vec();
            cleanse(bytes);
            ffi::OPENSSL_free(data.cast());
            Ok(copy)
        }
    }

    /// What [`Session::to_bytes`] gave.
    ///
    /// # Errors
    /// [`Error::Argument`] if it is not that.
    pub fn from_bytes(context: &Context, bytes: &[u8]) -> Result<Self> {
        // SAFETY: bytes valid for their length; the answer is a reference of our own.
        unsafe {
            let session = ffi::SSL_SESSION_from_bytes(bytes.as_ptr(), bytes.len(), context.as_ptr());
            Ok(Self(check_ptr(session).map_err(|e| e.unless_memory(Error::Argument("not a session")))?))
        }
    }

    /// Its identifier: the server's of TLS 1.2, else derived from the ticket.
    pub fn id(&self) -> &[u8] {
        let mut length: c_uint = 0;
        // SAFETY: a live session; the answer lives as long as it.
        unsafe {
            let id = ffi::SSL_SESSION_get_id(self.0, &raw mut length);
            slice((id, length as usize))
        }
    }

    /// Whether it is to be used once only (TLS 1.3; RFC 8446 appendix C.4).
    pub fn is_single_use(&self) -> bool {
        // SAFETY: a live session.
        unsafe { ffi::SSL_SESSION_should_be_single_use(self.0) == 1 }
    }

    /// How long the server lets it be resumed, in seconds from when it was made.
    pub fn lifetime_seconds(&self) -> u32 {
        // SAFETY: a live session.
        unsafe { ffi::SSL_SESSION_get_timeout(self.0) }
    }
}
