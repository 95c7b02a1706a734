//! The algorithms and their limits: every key, nonce and tag length is checked here, before BoringSSL sees it.

use boring_sys as ffi;

use super::MAX_TAG;
use crate::error::{Error, Result};

/// An AEAD algorithm. The numbers cross to Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Algorithm {
    /// AES-GCM (SP 800-38D): keys of 16, 24 or 32 bytes, nonces of at least one byte, tags of 12 to 16 bytes.
    AesGcm = 0,
    /// AES-GCM-SIV (RFC 8452): keys of 16 or 32 bytes, nonces of 12, tags of 16.
    AesGcmSiv = 1,
    /// AES-CCM (SP 800-38C) as far as BoringSSL has it, the parameters of Bluetooth and Matter: keys of 16 bytes,
    /// nonces of 13, tags of 4, 8 or 16, messages of at most 65,535 bytes.
    AesCcm = 2,
    /// ChaCha20-Poly1305 (RFC 8439): keys of 32 bytes, nonces of 12, tags of 16.
    ChaCha20Poly1305 = 3,
    /// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03): keys of 32 bytes, nonces of 24, tags of 16.
    XChaCha20Poly1305 = 4,
}

impl Algorithm {
    /// All of them, each at the index of its number.
    pub const ALL: [Self; 5] =
        [Self::AesGcm, Self::AesGcmSiv, Self::AesCcm, Self::ChaCha20Poly1305, Self::XChaCha20Poly1305];

    /// The algorithm with this number.
    pub fn from_number(number: i32) -> Result<Self> {
        usize::try_from(number)
            .ok()
            .and_then(|index| Self::ALL.get(index).copied())
            .ok_or(Error::Argument("no such AEAD algorithm"))
    }

    /// The longest plaintext under one nonce, in bytes.
    pub fn max_message(self) -> u64 {
        match self {
            // 2^39 - 256 bits (SP 800-38D section 5.2.1.1).
            Self::AesGcm => (1 << 36) - 32,
            // RFC 8452 section 6.
            Self::AesGcmSiv => 1 << 36,
            // Two bytes of length.
            Self::AesCcm => 0xffff,
            // RFC 8439 section 2.8: blocks 1 to 2^32 - 1.
            Self::ChaCha20Poly1305 | Self::XChaCha20Poly1305 => ((1 << 32) - 1) * 64,
        }
    }

    /// Whether encryption streams in constant memory.
    pub fn streams(self) -> bool {
        !matches!(self, Self::AesGcmSiv | Self::AesCcm)
    }

    /// Whether decryption can go piece by piece, for callers that can take back what was decrypted: [`Aead::open_piece`].
    pub fn opens_in_pieces(self) -> bool {
        self == Self::AesGcm
    }

    pub(super) fn check_tag_length(self, length: usize) -> Result<()> {
        let (good, text) = match self {
            Self::AesGcm => ((12..=MAX_TAG).contains(&length), "GCM tags have 12 to 16 bytes"),
            Self::AesCcm => (matches!(length, 4 | 8 | 16), "CCM tags have 4, 8 or 16 bytes"),
            _ => (length == MAX_TAG, "tags have 16 bytes"),
        };
        if good { Ok(()) } else { Err(Error::Parameter(text)) }
    }

    pub(super) fn check_nonce(self, nonce: &[u8]) -> Result<()> {
        let (good, text) = match self {
            Self::AesGcm => (!nonce.is_empty(), "GCM nonces have at least one byte"),
            Self::AesGcmSiv | Self::ChaCha20Poly1305 => (nonce.len() == 12, "nonces have 12 bytes"),
            Self::AesCcm => (nonce.len() == 13, "CCM nonces have 13 bytes"),
            Self::XChaCha20Poly1305 => (nonce.len() == 24, "XChaCha20 nonces have 24 bytes"),
        };
        if good { Ok(()) } else { Err(Error::Parameter(text)) }
    }

    pub(super) fn evp(self, key_length: usize, tag_length: usize) -> Result<*const ffi::EVP_AEAD> {
        // SAFETY: no preconditions; static tables.
        unsafe {
            Ok(match (self, key_length, tag_length) {
                (Self::AesGcm, 16, _) => ffi::EVP_aead_aes_128_gcm(),
                (Self::AesGcm, 24, _) => ffi::EVP_aead_aes_192_gcm(),
                (Self::AesGcm, 32, _) => ffi::EVP_aead_aes_256_gcm(),
                (Self::AesGcm, ..) => return Err(Error::Key("AES keys have 16, 24 or 32 bytes")),
                (Self::AesGcmSiv, 16, _) => ffi::EVP_aead_aes_128_gcm_siv(),
                (Self::AesGcmSiv, 32, _) => ffi::EVP_aead_aes_256_gcm_siv(),
                (Self::AesGcmSiv, ..) => return Err(Error::Key("AES-GCM-SIV keys have 16 or 32 bytes")),
                (Self::AesCcm, 16, 4) => ffi::EVP_aead_aes_128_ccm_bluetooth(),
                (Self::AesCcm, 16, 8) => ffi::EVP_aead_aes_128_ccm_bluetooth_8(),
                (Self::AesCcm, 16, _) => ffi::EVP_aead_aes_128_ccm_matter(),
                (Self::AesCcm, ..) => return Err(Error::Key("AES-CCM keys have 16 bytes here")),
                (Self::ChaCha20Poly1305, 32, _) => ffi::EVP_aead_chacha20_poly1305(),
                (Self::XChaCha20Poly1305, 32, _) => ffi::EVP_aead_xchacha20_poly1305(),
                (Self::ChaCha20Poly1305 | Self::XChaCha20Poly1305, ..) => {
                    return Err(Error::Key("ChaCha20 keys have 32 bytes"));
                }
            })
        }
    }
}
