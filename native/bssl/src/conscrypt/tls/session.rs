//! Sessions.

use std::ffi::{c_long, c_uint};

use boring_sys as ffi;

use super::facts::{standard_name, text};
use super::{Fault, Result, bytes, owned};
use crate::conscrypt::encode;

owned! {
    /// An `SSL_SESSION`: immutable.
    pub Session(ffi::SSL_SESSION), ffi::SSL_SESSION_free
}

// SAFETY: immutable once established, with an atomic reference count.
unsafe impl Sync for Session {}

impl Clone for Session {
    fn clone(&self) -> Self {
        // SAFETY: a live session.
        unsafe { ffi::SSL_SESSION_up_ref(self.as_ptr()) };
        Self(self.0)
    }
}

/// # Safety
/// `session` is live as long as the answer.
pub(super) unsafe fn id<'a>(session: *const ffi::SSL_SESSION) -> &'a [u8] {
    let mut length: c_uint = 0;
    // SAFETY: promise of the caller.
    unsafe {
        let id = ffi::SSL_SESSION_get_id(session, &raw mut length);
        bytes(id, usize::try_from(length).unwrap_or(0))
    }
}

impl Session {
    /// # Safety
    /// The caller hands over a reference.
    pub(super) unsafe fn from_raw(session: *mut ffi::SSL_SESSION) -> Self {
        Self(session)
    }

    /// Hands over the reference.
    pub(super) fn into_raw(self) -> *mut ffi::SSL_SESSION {
        std::mem::ManuallyDrop::new(self).0
    }

    /// From its DER encoding, all of it.
    pub fn from_der(der: &[u8]) -> Result<Self> {
        let mut at = der.as_ptr();
        let length = c_long::try_from(der.len()).map_err(|_| Fault::silent())?;
        // SAFETY: a slice and its length.
        let session = Self::own(unsafe { ffi::d2i_SSL_SESSION(std::ptr::null_mut(), &raw mut at, length) })?;
        if at == der.as_ptr_range().end { Ok(session) } else { Err(Fault::silent()) }
    }

    /// Its DER encoding: secrets.
    pub fn to_der(&self) -> Result<Vec<u8>> {
        // SAFETY: a live session; `encode` gives it null or enough room.
        unsafe { encode(|out| ffi::i2d_SSL_SESSION(self.as_ptr(), out)) }
    }

    /// Its ID.
    pub fn id(&self) -> &[u8] {
        // SAFETY: a live session.
        unsafe { id(self.as_ptr()) }
    }

    /// When it was made, in seconds since 1970.
    pub fn time(&self) -> u64 {
        // SAFETY: a live session.
        unsafe { ffi::SSL_SESSION_get_time(self.as_ptr()) }
    }

    /// Its lifetime in seconds.
    pub fn timeout(&self) -> u32 {
        // SAFETY: a live session.
        unsafe { ffi::SSL_SESSION_get_timeout(self.as_ptr()) }
    }

    /// BoringSSL's name of its version.
    pub fn version(&self) -> Option<String> {
        // SAFETY: a live session; a static name.
        unsafe { text(ffi::SSL_SESSION_get_version(self.as_ptr())) }
    }

    /// The standard name of its cipher suite.
    pub fn cipher(&self) -> Option<String> {
        // SAFETY: a live session.
        unsafe { standard_name(ffi::SSL_SESSION_get0_cipher(self.as_ptr())) }
    }

    /// Whether it is to be used once only (TLS 1.3).
    pub fn is_single_use(&self) -> bool {
        // SAFETY: a live session.
        unsafe { ffi::SSL_SESSION_should_be_single_use(self.as_ptr()) == 1 }
    }
}
