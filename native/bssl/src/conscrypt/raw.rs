//! Keys that are bytes: X25519, Ed25519, ML-KEM, ML-DSA, SLH-DSA and X-Wing; random bytes.

use boring_sys as ffi;

use super::{Result, check};
use crate::extra::{
    SLHDSA_SHA2_128S_PRIVATE_KEY_BYTES, SLHDSA_SHA2_128S_PUBLIC_KEY_BYTES, SLHDSA_SHA2_128S_SIGNATURE_BYTES,
    SLHDSA_SHA2_128S_generate_key, SLHDSA_SHA2_128S_sign, SLHDSA_SHA2_128S_verify, XWING_parse_private_key,
    XWING_private_key, XWING_public_from_private,
};

/// Bytes of an X-Wing private key: a seed.
pub const XWING_SEED: usize = 32;
/// Bytes of an ML-KEM seed.
pub const MLKEM_SEED: usize = 64;
/// Bytes of an SLH-DSA-SHA2-128s public key.
pub const SLHDSA_PUBLIC: usize = SLHDSA_SHA2_128S_PUBLIC_KEY_BYTES;
/// Bytes of an SLH-DSA-SHA2-128s private key.
pub const SLHDSA_PRIVATE: usize = SLHDSA_SHA2_128S_PRIVATE_KEY_BYTES;
const XWING_PUBLIC: usize = 1216;

/// X25519 (RFC 7748); a fault for a public value of small order.
pub fn x25519(private: &[u8; 32], public: &[u8; 32]) -> Result<[u8; 32]> {
    let mut out = [0; 32];
    // SAFETY: sizes by type.
    check(unsafe { ffi::X25519(out.as_mut_ptr(), private.as_ptr(), public.as_ptr()) })?;
    Ok(out)
}

/// A new X25519 pair: public, private.
pub fn x25519_pair() -> ([u8; 32], [u8; 32]) {
    let (mut public, mut private) = ([0; 32], [0; 32]);
    // SAFETY: sizes by type.
    unsafe { ffi::X25519_keypair(public.as_mut_ptr(), private.as_mut_ptr()) };
    (public, private)
}

/// A new Ed25519 pair: public, private (seed and public).
pub fn ed25519_pair() -> ([u8; 32], [u8; 64]) {
    let (mut public, mut private) = ([0; 32], [0; 64]);
    // SAFETY: sizes by type.
    unsafe { ffi::ED25519_keypair(public.as_mut_ptr(), private.as_mut_ptr()) };
    (public, private)
}

macro_rules! ml_dsa {
    ($name:ident, $text:literal, $private:ident, $public:ident, $from_seed:ident, $derive:ident, $marshal:ident) => {
        #[doc = concat!("The public key of the ", $text, " key with this seed (FIPS 204).")]
        pub fn $name(seed: &[u8]) -> Result<Vec<u8>> {
            // SAFETY: both keys are written before they are read; the CBB is live.
            unsafe {
                let mut private = Box::new(std::mem::zeroed::<ffi::$private>());
                let mut public = Box::new(std::mem::zeroed::<ffi::$public>());
                let result = check(ffi::$from_seed(&raw mut *private, seed.as_ptr(), seed.len()))
                    .and_then(|()| check(ffi::$derive(&raw mut *public, &raw const *private)));
                ffi::OPENSSL_cleanse((&raw mut *private).cast(), std::mem::size_of::<ffi::$private>());
                result?;
                super::with_cbb(|cbb| ffi::$marshal(cbb, &raw const *public) == 1)
            }
        }
    };
}
ml_dsa!(
    mldsa44_public,
    "ML-DSA-44",
    MLDSA44_private_key,
    MLDSA44_public_key,
    MLDSA44_private_key_from_seed,
    MLDSA44_public_from_private,
    MLDSA44_marshal_public_key
);
ml_dsa!(
    mldsa65_public,
    "ML-DSA-65",
    MLDSA65_private_key,
    MLDSA65_public_key,
    MLDSA65_private_key_from_seed,
    MLDSA65_public_from_private,
    MLDSA65_marshal_public_key
);
ml_dsa!(
    mldsa87_public,
    "ML-DSA-87",
    MLDSA87_private_key,
    MLDSA87_public_key,
    MLDSA87_private_key_from_seed,
    MLDSA87_public_from_private,
    MLDSA87_marshal_public_key
);

macro_rules! ml_kem {
    ($name:ident, $text:literal, $private:ident, $public:ident, $from_seed:ident, $derive:ident, $marshal:ident) => {
        #[doc = concat!("The public key of the ", $text, " key with this seed (FIPS 203).")]
        pub fn $name(seed: &[u8; MLKEM_SEED]) -> Result<Vec<u8>> {
            // SAFETY: both keys are written before they are read; the CBB is live.
            unsafe {
                let mut private = Box::new(std::mem::zeroed::<ffi::$private>());
                let mut public = Box::new(std::mem::zeroed::<ffi::$public>());
                let result = check(ffi::$from_seed(&raw mut *private, seed.as_ptr(), seed.len()));
                if result.is_ok() {
                    ffi::$derive(&raw mut *public, &raw const *private);
                }
                ffi::OPENSSL_cleanse((&raw mut *private).cast(), std::mem::size_of::<ffi::$private>());
                result?;
                super::with_cbb(|cbb| ffi::$marshal(cbb, &raw const *public) == 1)
            }
        }
    };
}
ml_kem!(
    mlkem768_public,
    "ML-KEM-768",
    MLKEM768_private_key,
    MLKEM768_public_key,
    MLKEM768_private_key_from_seed,
    MLKEM768_public_from_private,
    MLKEM768_marshal_public_key
);
ml_kem!(
    mlkem1024_public,
    "ML-KEM-1024",
    MLKEM1024_private_key,
    MLKEM1024_public_key,
    MLKEM1024_private_key_from_seed,
    MLKEM1024_public_from_private,
    MLKEM1024_marshal_public_key
);

/// The public key of the X-Wing key with this seed (draft-connolly-cfrg-xwing-kem).
pub fn xwing_public(seed: &[u8; XWING_SEED]) -> Result<Vec<u8>> {
    let mut public = vec![0; XWING_PUBLIC];
    let mut cbs = super::cbs(seed);
    // SAFETY: the key is written before it is read; the output has the size of a public key.
    unsafe {
        let mut private = Box::new(std::mem::zeroed::<XWING_private_key>());
        let result = check(XWING_parse_private_key(&raw mut *private, &raw mut cbs))
            .and_then(|()| check(XWING_public_from_private(public.as_mut_ptr(), &raw const *private)));
        ffi::OPENSSL_cleanse((&raw mut *private).cast(), std::mem::size_of::<XWING_private_key>());
        result?;
    }
    Ok(public)
}

/// A new SLH-DSA-SHA2-128s pair (FIPS 205): public, private.
pub fn slhdsa_pair() -> ([u8; SLHDSA_PUBLIC], [u8; SLHDSA_PRIVATE]) {
    let (mut public, mut private) = ([0; SLHDSA_PUBLIC], [0; SLHDSA_PRIVATE]);
    // SAFETY: sizes by type.
    unsafe { SLHDSA_SHA2_128S_generate_key(public.as_mut_ptr(), private.as_mut_ptr()) };
    (public, private)
}

/// An SLH-DSA-SHA2-128s signature, without a context string.
pub fn slhdsa_sign(private: &[u8; SLHDSA_PRIVATE], message: &[u8]) -> Result<Vec<u8>> {
    let mut signature = vec![0; SLHDSA_SHA2_128S_SIGNATURE_BYTES];
    // SAFETY: sizes by type and by the vector.
    check(unsafe {
        SLHDSA_SHA2_128S_sign(
            signature.as_mut_ptr(),
            private.as_ptr(),
            message.as_ptr(),
            message.len(),
            std::ptr::null(),
            0,
        )
    })?;
    Ok(signature)
}

/// Whether an SLH-DSA-SHA2-128s signature without a context string is right.
pub fn slhdsa_verify(public: &[u8; SLHDSA_PUBLIC], message: &[u8], signature: &[u8]) -> bool {
    // SAFETY: sizes by type; any signature may be passed.
    let right = unsafe {
        SLHDSA_SHA2_128S_verify(
            signature.as_ptr(),
            signature.len(),
            public.as_ptr(),
            message.as_ptr(),
            message.len(),
            std::ptr::null(),
            0,
        )
    };
    super::clear();
    right == 1
}

/// Fills `bytes` with random ones.
pub fn random(bytes: &mut [u8]) -> Result<()> {
    // SAFETY: a valid slice.
    check(unsafe { ffi::RAND_bytes(bytes.as_mut_ptr(), bytes.len()) })
}
