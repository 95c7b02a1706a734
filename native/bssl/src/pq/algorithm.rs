//! The algorithms and what is known of each.

use boring_sys as ffi;

use crate::error::{Error, Result};

/// A parameter set. The numbers are those of the Java side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// ML-KEM-768 (FIPS 203).
    MlKem768,
    /// ML-KEM-1024 (FIPS 203).
    MlKem1024,
    /// ML-DSA-44 (FIPS 204).
    MlDsa44,
    /// ML-DSA-65 (FIPS 204).
    MlDsa65,
    /// ML-DSA-87 (FIPS 204).
    MlDsa87,
    /// SLH-DSA-SHA2-128s (FIPS 205).
    SlhDsaSha2_128s,
    /// X-Wing: ML-KEM-768 with X25519 (draft-connolly-cfrg-xwing-kem).
    XWing,
    /// X25519 (RFC 7748).
    X25519,
    /// ECDH on P-256 (SP 800-186 section 3.2.1.3).
    P256,
}

/// All, by their numbers.
pub(super) const ALL: [Algorithm; 9] = [
    Algorithm::MlKem768,
    Algorithm::MlKem1024,
    Algorithm::MlDsa44,
    Algorithm::MlDsa65,
    Algorithm::MlDsa87,
    Algorithm::SlhDsaSha2_128s,
    Algorithm::XWing,
    Algorithm::X25519,
    Algorithm::P256,
];

impl Algorithm {
    /// The algorithm of a number.
    pub fn from_number(number: i32) -> Result<Self> {
        usize::try_from(number).ok().and_then(|n| ALL.get(n)).copied().ok_or(Error::Argument("no such algorithm"))
    }

    /// Its number.
    pub fn number(self) -> i32 {
        ALL.iter().position(|a| *a == self).and_then(|n| i32::try_from(n).ok()).unwrap_or(-1)
    }

    /// The content of its object identifier in DER; `None` where BoringSSL reads and writes the encodings.
    pub(super) fn oid(self) -> Option<&'static [u8]> {
        Some(match self {
            // 2.16.840.1.101.3.4.4.2 and 3 (RFC 9935 section 3).
            Self::MlKem768 => &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x04, 0x02],
            Self::MlKem1024 => &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x04, 0x03],
            // 2.16.840.1.101.3.4.3.17 to 19 (RFC 9881 section 2).
            Self::MlDsa44 => &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x11],
            Self::MlDsa65 => &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x12],
            Self::MlDsa87 => &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x13],
            // 2.16.840.1.101.3.4.3.20 (RFC 9909 section 3).
            Self::SlhDsaSha2_128s => &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x14],
            // 1.3.6.1.4.1.62253.25722 (draft-connolly-cfrg-xwing-kem).
            Self::XWing => &[0x2b, 0x06, 0x01, 0x04, 0x01, 0x83, 0xe6, 0x2d, 0x81, 0xc8, 0x7a],
            Self::X25519 | Self::P256 => return None,
        })
    }

    /// Bytes of an encoded public key.
    pub fn public_length(self) -> usize {
        match self {
            Self::MlKem768 => 1184,
            Self::MlKem1024 => 1568,
            Self::MlDsa44 => 1312,
            Self::MlDsa65 => 1952,
            Self::MlDsa87 => 2592,
            Self::SlhDsaSha2_128s | Self::X25519 => 32,
            Self::XWing => 1216,
            Self::P256 => 65,
        }
    }

    /// Bytes of a private key in its short form: a seed, a scalar; for SLH-DSA the key itself.
    pub fn seed_length(self) -> usize {
        match self {
            Self::MlKem768 | Self::MlKem1024 | Self::SlhDsaSha2_128s => 64,
            Self::MlDsa44 | Self::MlDsa65 | Self::MlDsa87 | Self::XWing | Self::X25519 | Self::P256 => 32,
        }
    }

    /// Bytes of an expanded private key (FIPS 203 section 8, FIPS 204 section 4), where there is one.
    pub fn expanded_length(self) -> Option<usize> {
        match self {
            Self::MlKem768 => Some(2400),
            Self::MlKem1024 => Some(3168),
            Self::MlDsa44 => Some(2560),
            Self::MlDsa65 => Some(4032),
            Self::MlDsa87 => Some(4896),
            _ => None,
        }
    }

    /// Bytes of a signature; `None` for KEMs.
    pub fn signature_length(self) -> Option<usize> {
        match self {
            Self::MlDsa44 => Some(2420),
            Self::MlDsa65 => Some(3309),
            Self::MlDsa87 => Some(4627),
            Self::SlhDsaSha2_128s => Some(7856),
            _ => None,
        }
    }

    /// Bytes of an encapsulation; `None` for signature algorithms.
    pub fn encapsulation_length(self) -> Option<usize> {
        match self {
            Self::MlKem768 => Some(1088),
            Self::MlKem1024 => Some(1568),
            Self::XWing => Some(1120),
            Self::X25519 => Some(32),
            Self::P256 => Some(65),
            _ => None,
        }
    }

    /// BoringSSL's type of the key, where its EVP layer has one that is used here.
    pub(super) fn evp(self) -> Option<*const ffi::EVP_PKEY_ALG> {
        // SAFETY: no preconditions; static tables.
        unsafe {
            Some(match self {
                Self::MlKem768 => ffi::EVP_pkey_ml_kem_768(),
                Self::MlKem1024 => ffi::EVP_pkey_ml_kem_1024(),
                Self::XWing => ffi::EVP_pkey_xwing(),
                Self::X25519 => ffi::EVP_pkey_x25519(),
                Self::P256 => ffi::EVP_pkey_ec_p256(),
                _ => return None,
            })
        }
    }

    /// BoringSSL's key encapsulation mechanism: for X25519 and P-256 DHKEM with HKDF-SHA256.
    pub(super) fn evp_kem(self) -> Option<*const ffi::EVP_KEM> {
        // SAFETY: no preconditions; static tables.
        unsafe {
            Some(match self {
                Self::MlKem768 => ffi::EVP_kem_ml_kem_768(),
                Self::MlKem1024 => ffi::EVP_kem_ml_kem_1024(),
                Self::XWing => ffi::EVP_kem_xwing(),
                Self::X25519 => ffi::EVP_kem_dhkem_x25519_hkdf_sha256(),
                Self::P256 => ffi::EVP_kem_dhkem_p256_hkdf_sha256(),
                _ => return None,
            })
        }
    }
}
