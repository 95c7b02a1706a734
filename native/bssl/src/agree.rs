//! Key agreement: ECDH on the NIST curves (SP 800-56A section 5.7.1.2) and X25519 (RFC 7748 section 6.1).

use boring_sys as ffi;

use crate::error::{Error, Result};
use crate::key::{Key, Kind};

/// The longest shared secret, in bytes: P-521's.
pub const MAX_LENGTH: usize = 66;

/// Writes the shared secret to the start of `out`; answers its length in bytes (the size of the field).
///
/// # Errors
/// [`Error::Key`] if the keys are not a private and a public one of the same kind, or if X25519's secret is all zero
/// (the public key has a small order).
pub fn derive(private: &Key, public: &Key, out: &mut [u8; MAX_LENGTH]) -> Result<usize> {
    if private.kind() != public.kind() {
        return Err(Error::Key("the keys of an agreement are of the same kind"));
    }
    if private.kind() == Kind::X25519 {
        let (secret, peer) = (private.raw_secret(Kind::X25519)?, public.raw_public(Kind::X25519)?);
        // SAFETY: room for 32 bytes; 32 private and 32 public bytes.
        let made = unsafe { ffi::X25519(out.as_mut_ptr(), secret.as_ptr(), peer.as_ptr()) };
        return if made == 1 {
            Ok(32)
        } else {
            Err(Error::Key("the shared secret is all zero: the public key has a small order").after_clear())
        };
    }
    let (secret, peer) = (private.ec(true)?, public.ec(false)?);
    // SAFETY: live keys of one curve, as their kinds are equal; the length bounds what is written; no KDF.
    let length = unsafe {
        let point = ffi::EC_KEY_get0_public_key(peer.as_ptr());
        ffi::ECDH_compute_key(out.as_mut_ptr().cast(), out.len(), point, secret.as_ptr(), None)
    };
    usize::try_from(length).map_err(|_| Error::take())
}
