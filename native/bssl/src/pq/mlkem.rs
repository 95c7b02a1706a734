//! ML-KEM private keys that came in their expanded form (`dk` of FIPS 203); seeds are behind `EVP_PKEY`.

use boring_sys as ffi;

use super::algorithm::Algorithm;
use crate::error::{Error, Result, check};
use crate::extra;

/// An expanded private key; immutable, zeroed when dropped.
pub(super) enum Expanded {
    K768(Box<ffi::MLKEM768_private_key>),
    K1024(Box<ffi::MLKEM1024_private_key>),
}

impl Expanded {
    /// Reads `dk`; the hash of the public key in it must be right (FIPS 203 section 7.3).
    pub(super) fn parse(algorithm: Algorithm, bytes: &[u8]) -> Result<Self> {
        let mut cbs = ffi::CBS { data: bytes.as_ptr(), len: bytes.len() };
        // SAFETY: unions of bytes and an integer, for which all zeros are valid; room for a key; a CBS over bytes that
        // live on.
        let (key, status) = unsafe {
            match algorithm {
                Algorithm::MlKem768 => {
                    let mut key: Box<ffi::MLKEM768_private_key> = Box::new(std::mem::zeroed());
                    let status = extra::bcm_mlkem768_parse_private_key(&raw mut *key, &raw mut cbs);
                    (Self::K768(key), status)
                }
                Algorithm::MlKem1024 => {
                    let mut key: Box<ffi::MLKEM1024_private_key> = Box::new(std::mem::zeroed());
                    let status = extra::bcm_mlkem1024_parse_private_key(&raw mut *key, &raw mut cbs);
                    (Self::K1024(key), status)
                }
                _ => return Err(Error::Argument("not ML-KEM")),
            }
        };
        if status == extra::BCM_FAILURE {
            return Err(Error::take().unless_memory(Error::Key("malformed ML-KEM private key")));
        }
        Ok(key)
    }

    /// The encoded public key, which is part of `dk` (FIPS 203 algorithm 16 line 3).
    pub(super) fn public_part(algorithm: Algorithm, bytes: &[u8]) -> Option<&[u8]> {
        let (start, length) = match algorithm {
            Algorithm::MlKem768 => (384 * 3, 1184),
            Algorithm::MlKem1024 => (384 * 4, 1568),
            _ => return None,
        };
        bytes.get(start..start + length)
    }

    /// The shared secret in an encapsulation.
    pub(super) fn decapsulate(&self, encapsulation: &[u8]) -> Result<Vec<u8>> {
        let mut secret = vec![0; 32];
        let (from, length) = (encapsulation.as_ptr(), encapsulation.len());
        // SAFETY: a live key; room for the 32 bytes of a secret; bytes valid for their length, which is checked.
        check(unsafe {
            match self {
                Self::K768(key) => ffi::MLKEM768_decap(secret.as_mut_ptr(), from, length, &raw const **key),
                Self::K1024(key) => ffi::MLKEM1024_decap(secret.as_mut_ptr(), from, length, &raw const **key),
            }
        })
        .map_err(|e| e.unless_memory(Error::Encapsulation("encapsulation has another length")))?;
        Ok(secret)
    }
}

impl Drop for Expanded {
    fn drop(&mut self) {
        // SAFETY: valid for their size; no destructor looks at them.
        unsafe {
            match self {
                Self::K768(key) => ffi::OPENSSL_cleanse((&raw mut **key).cast(), size_of_val(&**key)),
                Self::K1024(key) => ffi::OPENSSL_cleanse((&raw mut **key).cast(), size_of_val(&**key)),
            }
        }
    }
}
