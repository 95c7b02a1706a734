//! BoringSSL's numbers, zeroed when freed.

use boring_sys as ffi;

use super::der::{self, SecretVec};
use crate::error::{Result, check, check_ptr};

/// An owned `BIGNUM`.
pub(crate) struct Number(*mut ffi::BIGNUM);

impl Number {
    /// From big-endian bytes.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self> {
        // SAFETY: a valid slice; a null destination asks for a new number.
        check_ptr(unsafe { ffi::BN_bin2bn(bytes.as_ptr(), bytes.len(), std::ptr::null_mut()) }).map(Self)
    }

    pub(crate) fn as_ptr(&self) -> *const ffi::BIGNUM {
        self.0
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        // SAFETY: owned.
        unsafe { ffi::BN_clear_free(self.0) };
    }
}

/// Big-endian bytes without leading zeros; empty if there is no number.
///
/// # Safety
/// `number` is null or live.
pub(crate) unsafe fn bytes(number: *const ffi::BIGNUM) -> Result<SecretVec> {
    if number.is_null() {
        return Ok(SecretVec(Vec::new()));
    }
    // SAFETY: promise of the caller; the vector has the length that is written.
    let mut padded = unsafe {
        let mut padded = SecretVec(vec![0; usize::try_from(ffi::BN_num_bytes(number)).unwrap_or(0)]);
        check(ffi::BN_bn2bin_padded(padded.0.as_mut_ptr(), padded.0.len(), number))?;
        padded
    };
    let zeros = padded.0.len() - der::significant(&padded.0).len();
    padded.0.rotate_left(zeros);
    let length = padded.0.len() - zeros;
    padded.0.truncate(length);
    Ok(padded)
}
