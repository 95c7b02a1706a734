//! Signatures: RSASSA-PKCS1-v1_5 and RSASSA-PSS (RFC 8017 section 8), ECDSA (FIPS 186-5 section 6) and Ed25519 (RFC
//! 8032).

use boring_sys as ffi;

use crate::digest::{Algorithm, prefix};
use crate::error::{Error, Result, check};
use crate::key::{Key, Kind};
use crate::rsa::{self, Padding};

/// The longest signature, in bytes: that of the longest modulus.
pub const MAX_LENGTH: usize = rsa::MAX_LENGTH;

/// What precedes a SHA-512/256 digest in its DigestInfo (RFC 8017 section 9.2 note 1); BoringSSL lacks this one.
const SHA512_256_INFO: [u8; 19] =
    [0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x06, 0x05, 0x00, 0x04, 0x20];

/// How what is to be signed becomes a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// RSASSA-PKCS1-v1_5 of a digest, with its DigestInfo.
    RsaPkcs1(Algorithm),
    /// RSASSA-PKCS1-v1_5 padding around the input itself.
    RsaPkcs1Raw,
    /// RSASSA-PSS of a digest.
    RsaPss {
        /// The digest that the input is of.
        digest: Algorithm,
        /// The digest in MGF1.
        mgf: Algorithm,
        /// Length of the salt, in bytes.
        salt: i32,
    },
    /// ECDSA of a digest, which is cut to the size of the order; DER ECDSA-Sig-Value.
    Ecdsa,
    /// ECDSA; the signature is r and s, each as long as the order (IEEE P1363).
    EcdsaP1363,
    /// Ed25519 of the message itself.
    Ed25519,
}

/// Signs `input`, a digest or the message as the scheme says; writes to the start of `out` and answers the signature's
/// length in bytes.
///
/// # Errors
/// [`Error::Key`] if the key is not of the scheme, [`Error::Signature`] if the input is too long for it.
pub fn sign(key: &Key, scheme: Scheme, input: &[u8], out: &mut [u8; MAX_LENGTH]) -> Result<usize> {
    const CANNOT: Error = Error::Signature("the key is too short for this digest, salt or input");
    let failed = |error| if error == Error::OutOfMemory { error } else { CANNOT };
    match scheme {
        Scheme::RsaPkcs1(Algorithm::Sha512_256) => {
            sign(key, Scheme::RsaPkcs1Raw, &[&SHA512_256_INFO, input].concat(), out)
        }
        Scheme::RsaPkcs1(digest) => {
            let rsa = key.rsa(true)?;
            let mut length = 0;
            // SAFETY: a live key, valid slices, room for every modulus.
            check(unsafe {
                ffi::RSA_sign(
                    ffi::EVP_MD_type(digest.md()),
                    input.as_ptr(),
                    input.len(),
                    out.as_mut_ptr(),
                    &raw mut length,
                    rsa.as_ptr(),
                )
            })
            .map_err(failed)?;
            Ok(usize::try_from(length).unwrap_or(0))
        }
        Scheme::RsaPkcs1Raw => key.rsa(true)?.sign_raw(input, out, ffi::RSA_PKCS1_PADDING).map_err(failed),
        Scheme::RsaPss { digest, mgf, salt } => {
            let rsa = key.rsa(true)?;
            let mut length = 0;
            // SAFETY: as above; static digests.
            check(unsafe {
                ffi::RSA_sign_pss_mgf1(
                    rsa.as_ptr(),
                    &raw mut length,
                    out.as_mut_ptr(),
                    out.len(),
                    input.as_ptr(),
                    input.len(),
                    digest.md(),
                    mgf.md(),
                    salt.max(0),
                )
            })
            .map_err(failed)?;
            Ok(length)
        }
        Scheme::Ecdsa => {
            let ec = key.ec(true)?;
            let mut length = 0;
            // SAFETY: a live key, valid slices; `out` is longer than every ECDSA signature.
            check(unsafe {
                ffi::ECDSA_sign(0, input.as_ptr(), input.len(), out.as_mut_ptr(), &raw mut length, ec.as_ptr())
            })?;
            Ok(usize::try_from(length).unwrap_or(0))
        }
        Scheme::EcdsaP1363 => {
            let ec = key.ec(true)?;
            let mut length = 0;
            // SAFETY: a live key and valid slices.
            check(unsafe {
                ffi::ECDSA_sign_p1363(
                    input.as_ptr(),
                    input.len(),
                    out.as_mut_ptr(),
                    &raw mut length,
                    out.len(),
                    ec.as_ptr(),
                )
            })?;
            Ok(length)
        }
        Scheme::Ed25519 => {
            let pair = key.raw_secret(Kind::Ed25519)?;
            // SAFETY: room for 64 bytes; 64 private bytes.
            check(unsafe { ffi::ED25519_sign(out.as_mut_ptr(), input.as_ptr(), input.len(), pair.as_ptr()) })?;
            Ok(64)
        }
    }
}

/// Whether `signature` is one of `input`, a digest or the message as the scheme says.
///
/// # Errors
/// [`Error::Key`] if the key is not of the scheme, [`Error::Signature`] if the signature has not its form: another
/// length, or not DER.
pub fn verify(key: &Key, scheme: Scheme, input: &[u8], signature: &[u8]) -> Result<bool> {
    match scheme {
        Scheme::RsaPkcs1(Algorithm::Sha512_256) => {
            verify(key, Scheme::RsaPkcs1Raw, &[&SHA512_256_INFO, input].concat(), signature)
        }
        Scheme::RsaPkcs1(digest) => {
            let rsa = key.rsa(false)?;
            has_length(signature, rsa.size())?;
            // SAFETY: a live key and valid slices.
            answer(unsafe {
                ffi::RSA_verify(
                    ffi::EVP_MD_type(digest.md()),
                    input.as_ptr(),
                    input.len(),
                    signature.as_ptr(),
                    signature.len(),
                    rsa.as_ptr(),
                )
            })
        }
        Scheme::RsaPkcs1Raw => {
            has_length(signature, key.rsa(false)?.size())?;
            let mut recovered = [0; MAX_LENGTH];
            match rsa::decrypt(key, Padding::Pkcs1, signature, &mut recovered) {
                Ok(length) => Ok(prefix(&mut recovered, length)? == input),
                Err(Error::Padding(_)) => Ok(false),
                Err(error) => Err(error),
            }
        }
        Scheme::RsaPss { digest, mgf, salt } => {
            let rsa = key.rsa(false)?;
            has_length(signature, rsa.size())?;
            // SAFETY: a live key, valid slices, static digests.
            answer(unsafe {
                ffi::RSA_verify_pss_mgf1(
                    rsa.as_ptr(),
                    input.as_ptr(),
                    input.len(),
                    digest.md(),
                    mgf.md(),
                    salt.max(0),
                    signature.as_ptr(),
                    signature.len(),
                )
            })
        }
        Scheme::Ecdsa => {
            let ec = key.ec(false)?;
            // SAFETY: a live key and valid slices; the parsed signature is freed.
            unsafe {
                let parsed = ffi::ECDSA_SIG_from_bytes(signature.as_ptr(), signature.len());
                if parsed.is_null() {
                    return Err(malformed(Error::take()));
                }
                let result = ffi::ECDSA_do_verify(input.as_ptr(), input.len(), parsed, ec.as_ptr());
                ffi::ECDSA_SIG_free(parsed);
                answer(result)
            }
        }
        Scheme::EcdsaP1363 => {
            let ec = key.ec(false)?;
            let order = match key.kind() {
                Kind::P224 => 28,
                Kind::P256 => 32,
                Kind::P384 => 48,
                _ => 66,
            };
            has_length(signature, 2 * order)?;
            // SAFETY: a live key and valid slices.
            answer(unsafe {
                ffi::ECDSA_verify_p1363(input.as_ptr(), input.len(), signature.as_ptr(), signature.len(), ec.as_ptr())
            })
        }
        Scheme::Ed25519 => {
            let public = key.raw_public(Kind::Ed25519)?;
            has_length(signature, 64)?;
            // SAFETY: 64 bytes of signature and 32 of key.
            answer(unsafe { ffi::ED25519_verify(input.as_ptr(), input.len(), signature.as_ptr(), public.as_ptr()) })
        }
    }
}

fn malformed(error: Error) -> Error {
    if error == Error::OutOfMemory { error } else { Error::Signature("malformed signature") }
}

fn has_length(signature: &[u8], length: usize) -> Result<()> {
    if signature.len() == length { Ok(()) } else { Err(Error::Signature("a signature of this key has another length")) }
}

/// BoringSSL says 0 for wrong signatures and for failures.
fn answer(result: i32) -> Result<bool> {
    match check(result) {
        Ok(()) => Ok(true),
        Err(Error::OutOfMemory) => Err(Error::OutOfMemory),
        Err(_) => Ok(false),
    }
}
