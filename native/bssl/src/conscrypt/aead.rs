//! `EVP_AEAD`: sealing and opening with a key that is used once.

use boring_sys as ffi;

use super::{Fault, Result, check};

/// An authenticated cipher.
#[derive(Debug, Clone, Copy)]
pub struct Aead(*const ffi::EVP_AEAD);

/// Sealing or opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Encrypting.
    Seal,
    /// Decrypting.
    Open,
}

/// What an operation takes besides its data.
#[derive(Clone, Copy)]
pub struct Parameters<'a> {
    /// The key.
    pub key: &'a [u8],
    /// Bytes of the tag; 0 is the cipher's own.
    pub tag_length: usize,
    /// The nonce.
    pub nonce: &'a [u8],
    /// What is authenticated only.
    pub additional: &'a [u8],
}

impl Aead {
    /// Place of AES-128-GCM.
    pub const AES_128_GCM: usize = 0;
    /// Place of AES-256-GCM.
    pub const AES_256_GCM: usize = 1;
    /// Place of ChaCha20-Poly1305.
    pub const CHACHA20_POLY1305: usize = 2;
    /// Place of AES-128-GCM-SIV.
    pub const AES_128_GCM_SIV: usize = 3;
    /// Place of AES-256-GCM-SIV.
    pub const AES_256_GCM_SIV: usize = 4;

    /// The cipher in this place.
    pub fn at(index: usize) -> Option<Self> {
        // SAFETY: no preconditions; each answers a static table.
        let aead = unsafe {
            match index {
                Self::AES_128_GCM => ffi::EVP_aead_aes_128_gcm(),
                Self::AES_256_GCM => ffi::EVP_aead_aes_256_gcm(),
                Self::CHACHA20_POLY1305 => ffi::EVP_aead_chacha20_poly1305(),
                Self::AES_128_GCM_SIV => ffi::EVP_aead_aes_128_gcm_siv(),
                Self::AES_256_GCM_SIV => ffi::EVP_aead_aes_256_gcm_siv(),
                _ => return None,
            }
        };
        Some(Self(aead))
    }

    /// Bytes that sealing adds at most.
    pub fn max_overhead(self) -> usize {
        // SAFETY: a static table.
        unsafe { ffi::EVP_AEAD_max_overhead(self.0) }
    }

    /// Bytes of a nonce.
    pub fn nonce_length(self) -> usize {
        // SAFETY: a static table.
        unsafe { ffi::EVP_AEAD_nonce_length(self.0) }
    }

    /// Seals or opens `input` into `output`; answers the bytes written.
    ///
    /// # Safety
    /// `input.1` bytes at `input.0` can be read, and `output.1` bytes at `output.0` written; they are equal at their start or disjoint;
    /// no Rust reference to them exists during the call.
    pub unsafe fn transform(
        self,
        direction: Direction,
        parameters: &Parameters<'_>,
        input: (*const u8, usize),
        output: (*mut u8, usize),
    ) -> Result<usize> {
        let Parameters { key, tag_length, nonce, additional } = *parameters;
        let run = match direction {
            Direction::Seal => ffi::EVP_AEAD_CTX_seal,
            Direction::Open => ffi::EVP_AEAD_CTX_open,
        };
        // SAFETY: the context is initialised before it is used, and cleaned up in any case; the rest is the caller's promise.
        unsafe {
            let mut context: ffi::EVP_AEAD_CTX = std::mem::zeroed();
            ffi::EVP_AEAD_CTX_zero(&raw mut context);
            let mut length = 0;
            let result = ffi::EVP_AEAD_CTX_init(
                &raw mut context,
                self.0,
                key.as_ptr(),
                key.len(),
                tag_length,
                std::ptr::null_mut(),
            ) == 1
                && run(
                    &raw const context,
                    output.0,
                    &raw mut length,
                    output.1,
                    nonce.as_ptr(),
                    nonce.len(),
                    input.0,
                    input.1,
                    additional.as_ptr(),
                    additional.len(),
                ) == 1;
            let result = if result { Ok(length) } else { Err(Fault::take()) };
            ffi::EVP_AEAD_CTX_cleanup(&raw mut context);
            result
        }
    }
}

/// Whether the processor has instructions for AES.
pub fn has_aes_hardware() -> bool {
    // SAFETY: no preconditions.
    unsafe { ffi::EVP_has_aes_hardware() == 1 }
}

/// ChaCha20 (RFC 8439 section 2.4) from a block on, the same in both directions.
pub fn chacha20(key: &[u8; 32], nonce: &[u8; 12], counter: u32, data: &mut [u8]) {
    // SAFETY: in place is allowed; sizes by type.
    unsafe {
        ffi::CRYPTO_chacha_20(data.as_mut_ptr(), data.as_ptr(), data.len(), key.as_ptr(), nonce.as_ptr(), counter);
    }
}

/// scrypt (RFC 7914), with at most 512 MiB of memory.
pub fn scrypt(password: &[u8], salt: &[u8], n: u64, r: u64, p: u64, key: &mut [u8]) -> Result<()> {
    const MEMORY: usize = 1 << 29;
    // SAFETY: valid slices; the parameters are checked there.
    check(unsafe {
        ffi::EVP_PBE_scrypt(
            password.as_ptr().cast(),
            password.len(),
            salt.as_ptr(),
            salt.len(),
            n,
            r,
            p,
            MEMORY,
            key.as_mut_ptr(),
            key.len(),
        )
    })
}
