//! The ciphers and their limits: every key length is checked here, before BoringSSL sees it.

use boring_sys as ffi;

use crate::error::{Error, Result};

/// The longest key, in bytes.
pub(super) const MAX_KEY: usize = 128;

/// A cipher and its mode. The numbers cross to Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Algorithm {
    /// AES-ECB.
    AesEcb = 0,
    /// AES-CBC.
    AesCbc = 1,
    /// AES-CTR: the whole IV is the first counter block, counted up modulo 2^128.
    AesCtr = 2,
    /// Triple DES with three keys, ECB.
    DesEdeEcb = 3,
    /// Triple DES with three keys, CBC.
    DesEdeCbc = 4,
    /// ARC4.
    Arc4 = 5,
    /// ChaCha20, from any block counter on.
    ChaCha20 = 6,
}

impl Algorithm {
    /// All of them, each at the index of its number.
    pub const ALL: [Self; 7] =
        [Self::AesEcb, Self::AesCbc, Self::AesCtr, Self::DesEdeEcb, Self::DesEdeCbc, Self::Arc4, Self::ChaCha20];

    /// The algorithm with this number.
    pub fn from_number(number: i32) -> Result<Self> {
        usize::try_from(number)
            .ok()
            .and_then(|index| Self::ALL.get(index).copied())
            .ok_or(Error::Argument("no such cipher"))
    }

    /// Bytes that are worked on at once; 1 for stream ciphers and CTR.
    pub fn block(self) -> usize {
        match self {
            Self::AesEcb | Self::AesCbc => 16,
            Self::DesEdeEcb | Self::DesEdeCbc => 8,
            Self::AesCtr | Self::Arc4 | Self::ChaCha20 => 1,
        }
    }

    /// Length of the IV in bytes; zero if it takes none.
    pub fn iv_length(self) -> usize {
        match self {
            Self::AesCbc | Self::AesCtr => 16,
            Self::DesEdeCbc => 8,
            Self::ChaCha20 => 12,
            Self::AesEcb | Self::DesEdeEcb | Self::Arc4 => 0,
        }
    }

    /// Bytes that take well below a millisecond.
    pub fn step(self) -> usize {
        match self {
            Self::DesEdeEcb | Self::DesEdeCbc => 8 << 10,
            Self::Arc4 => 64 << 10,
            _ => 256 << 10,
        }
    }

    pub(super) fn check_key(self, length: usize) -> Result<()> {
        let (good, text) = match self {
            Self::AesEcb | Self::AesCbc | Self::AesCtr => {
                (matches!(length, 16 | 24 | 32), "AES keys have 16, 24 or 32 bytes")
            }
            Self::DesEdeEcb | Self::DesEdeCbc => (length == 24, "DESede keys have 24 bytes"),
            Self::Arc4 => ((5..=MAX_KEY).contains(&length), "ARC4 keys have 5 to 128 bytes"),
            Self::ChaCha20 => (length == 32, "ChaCha20 keys have 32 bytes"),
        };
        if good { Ok(()) } else { Err(Error::Key(text)) }
    }

    pub(super) fn evp(self, key_length: usize) -> *const ffi::EVP_CIPHER {
        // SAFETY: no preconditions; static tables.
        unsafe {
            match (self, key_length) {
                (Self::AesEcb, 16) => ffi::EVP_aes_128_ecb(),
                (Self::AesEcb, 24) => ffi::EVP_aes_192_ecb(),
                (Self::AesEcb, _) => ffi::EVP_aes_256_ecb(),
                (Self::AesCbc, 16) => ffi::EVP_aes_128_cbc(),
                (Self::AesCbc, 24) => ffi::EVP_aes_192_cbc(),
                (Self::AesCbc, _) => ffi::EVP_aes_256_cbc(),
                (Self::AesCtr, 16) => ffi::EVP_aes_128_ctr(),
                (Self::AesCtr, 24) => ffi::EVP_aes_192_ctr(),
                (Self::AesCtr, _) => ffi::EVP_aes_256_ctr(),
                (Self::DesEdeEcb, _) => ffi::EVP_des_ede3_ecb(),
                (Self::DesEdeCbc, _) => ffi::EVP_des_ede3_cbc(),
                (Self::Arc4, _) => ffi::EVP_rc4(),
                (Self::ChaCha20, _) => std::ptr::null(),
            }
        }
    }
}
