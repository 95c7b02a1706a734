//! SLH-DSA-SHA2-128s (FIPS 205).

use crate::error::{Error, Result, check};
use crate::extra::{self, SLHDSA_SHA2_128S_PRIVATE_KEY_BYTES as PRIVATE, SLHDSA_SHA2_128S_PUBLIC_KEY_BYTES as PUBLIC};

/// A new private key.
pub(super) fn generate() -> [u8; PRIVATE] {
    let (mut public, mut private) = ([0; PUBLIC], [0; PRIVATE]);
    // SAFETY: room as the header says.
    unsafe { extra::SLHDSA_SHA2_128S_generate_key(public.as_mut_ptr(), private.as_mut_ptr()) };
    private
}

/// The public key of a private one: its second half. Whether the halves belong together is not known: the root of
/// the tree is computed from the first half only when a key is made (FIPS 205 section 9.1).
pub(super) fn public(private: &[u8; PRIVATE]) -> [u8; PUBLIC] {
    let mut public = [0; PUBLIC];
    // SAFETY: room as the header says.
    unsafe { extra::SLHDSA_SHA2_128S_public_from_private(public.as_mut_ptr(), private.as_ptr()) };
    public
}

/// Signs, hedged (FIPS 205 section 9.2), with a context of at most 255 bytes.
pub(super) fn sign(private: &[u8; PRIVATE], message: &[u8], context: &[u8]) -> Result<Vec<u8>> {
    let mut signature = vec![0; extra::SLHDSA_SHA2_128S_SIGNATURE_BYTES];
    // SAFETY: room as the header says; message and context valid for their length.
    check(unsafe {
        extra::SLHDSA_SHA2_128S_sign(
            signature.as_mut_ptr(),
            private.as_ptr(),
            message.as_ptr(),
            message.len(),
            context.as_ptr(),
            context.len(),
        )
    })
    .map_err(|e| e.unless_memory(Error::Parameter("a context has at most 255 bytes")))?;
    Ok(signature)
}

/// Whether a signature of any length is valid.
pub(super) fn verify(public: &[u8; PUBLIC], message: &[u8], context: &[u8], signature: &[u8]) -> bool {
    // SAFETY: everything is valid for its length.
    let result = unsafe {
        extra::SLHDSA_SHA2_128S_verify(
            signature.as_ptr(),
            signature.len(),
            public.as_ptr(),
            message.as_ptr(),
            message.len(),
            context.as_ptr(),
            context.len(),
        )
    };
    // SAFETY: no preconditions.
    unsafe { boring_sys::ERR_clear_error() };
    result == 1
}
