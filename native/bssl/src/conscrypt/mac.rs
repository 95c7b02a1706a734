//! `CMAC_CTX` (AES, NIST SP 800-38B) and `HMAC_CTX` (FIPS 198-1).

use boring_sys as ffi;

use super::digest::Md;
use super::{Fault, Result, check};

const NOT_STARTED: &str = "the MAC is not initialized";

/// A `CMAC_CTX`.
#[derive(Debug)]
pub struct Cmac {
    context: *mut ffi::CMAC_CTX,
    keyed: bool,
}

// SAFETY: belongs to no thread; `&mut` guards every change.
unsafe impl Send for Cmac {}

impl Drop for Cmac {
    fn drop(&mut self) {
        // SAFETY: owned, freed once.
        unsafe { ffi::CMAC_CTX_free(self.context) };
    }
}

impl Cmac {
    /// Without a key yet.
    pub fn new() -> Result<Self> {
        // SAFETY: no preconditions.
        let context = super::check_ptr(unsafe { ffi::CMAC_CTX_new() })?;
        Ok(Self { context, keyed: false })
    }

    /// Takes a key of 16, 24 or 32 bytes; `None` for another length.
    pub fn init(&mut self, key: &[u8]) -> Option<Result<()>> {
        // SAFETY: no preconditions; each answers a static table.
        let cipher = unsafe {
            match key.len() {
                16 => ffi::EVP_aes_128_cbc(),
                24 => ffi::EVP_aes_192_cbc(),
                32 => ffi::EVP_aes_256_cbc(),
                _ => return None,
            }
        };
        // SAFETY: a live context, a valid slice.
        let result = check(unsafe {
            ffi::CMAC_Init(self.context, key.as_ptr().cast(), key.len(), cipher, std::ptr::null_mut())
        });
        self.keyed = result.is_ok();
        Some(result)
    }

    fn keyed(&self) -> Result<()> {
        if self.keyed { Ok(()) } else { Err(Fault::state(NOT_STARTED)) }
    }

    /// Appends to the message.
    pub fn update(&mut self, data: &[u8]) -> Result<()> {
        self.keyed()?;
        // SAFETY: a live context with a key.
        check(unsafe { ffi::CMAC_Update(self.context, data.as_ptr(), data.len()) })
    }

    /// The code of the message, 16 bytes.
    pub fn finish(&mut self) -> Result<Vec<u8>> {
        self.keyed()?;
        let mut out = vec![0; 16];
        let mut length = 0;
        // SAFETY: a live context with a key; AES has blocks of 16 bytes.
        check(unsafe { ffi::CMAC_Final(self.context, out.as_mut_ptr(), &raw mut length) })?;
        out.truncate(length);
        Ok(out)
    }

    /// Back to the empty message.
    pub fn reset(&mut self) -> Result<()> {
        self.keyed()?;
        // SAFETY: a live context with a key.
        check(unsafe { ffi::CMAC_Reset(self.context) })
    }
}

/// An `HMAC_CTX`.
#[derive(Debug)]
pub struct Hmac {
    context: *mut ffi::HMAC_CTX,
    keyed: bool,
}

// SAFETY: belongs to no thread; `&mut` guards every change.
unsafe impl Send for Hmac {}

impl Drop for Hmac {
    fn drop(&mut self) {
        // SAFETY: owned, freed once.
        unsafe { ffi::HMAC_CTX_free(self.context) };
    }
}

impl Hmac {
    /// Without a key yet.
    pub fn new() -> Result<Self> {
        // SAFETY: no preconditions.
        let context = super::check_ptr(unsafe { ffi::HMAC_CTX_new() })?;
        Ok(Self { context, keyed: false })
    }

    /// Takes a key; without a hash function the one of before stays.
    pub fn init(&mut self, key: &[u8], md: Option<Md>) -> Result<()> {
        if md.is_none() {
            self.keyed()?;
        }
        let md = md.map_or(std::ptr::null(), Md::as_ptr);
        // SAFETY: a live context, a valid slice, and a hash function here or in the context.
        let result =
            check(unsafe { ffi::HMAC_Init_ex(self.context, key.as_ptr().cast(), key.len(), md, std::ptr::null_mut()) });
        self.keyed = result.is_ok();
        result
    }

    fn keyed(&self) -> Result<()> {
        if self.keyed { Ok(()) } else { Err(Fault::state(NOT_STARTED)) }
    }

    /// Appends to the message.
    pub fn update(&mut self, data: &[u8]) -> Result<()> {
        self.keyed()?;
        // SAFETY: a live context with a key.
        check(unsafe { ffi::HMAC_Update(self.context, data.as_ptr(), data.len()) })
    }

    /// The code of the message.
    pub fn finish(&mut self) -> Result<Vec<u8>> {
        self.keyed()?;
        let mut out = vec![0; crate::digest::MAX_LENGTH];
        let mut length = 0;
        // SAFETY: a live context with a key; the longest digest has room.
        check(unsafe { ffi::HMAC_Final(self.context, out.as_mut_ptr(), &raw mut length) })?;
        out.truncate(usize::try_from(length).unwrap_or(0));
        Ok(out)
    }

    /// Back to the empty message, with the same key.
    pub fn reset(&mut self) -> Result<()> {
        self.keyed()?;
        // SAFETY: a live context with a key: nulls keep it.
        check(unsafe { ffi::HMAC_Init_ex(self.context, std::ptr::null(), 0, std::ptr::null(), std::ptr::null_mut()) })
    }
}
