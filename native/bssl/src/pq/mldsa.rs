//! ML-DSA (FIPS 204): keys, and μ computed while the message streams by.

use boring_sys as ffi;

use super::algorithm::Algorithm;
use crate::error::{Error, Result, check};
use crate::extra;

/// Bytes of μ, the message representative (FIPS 204 algorithm 7 line 6).
pub(super) const MU: usize = 64;

/// A public key.
pub(super) trait Public: Send + Sync {
    /// Starts μ for a message with a context of at most 255 bytes.
    fn begin(&self, context: &[u8]) -> Result<Box<dyn Representative>>;
    /// Whether a signature is this key's for μ; lengths that are not the parameter set's: false.
    fn verify(&self, mu: &[u8; MU], signature: &[u8]) -> bool;
}

/// A private key.
pub(super) trait Private: Send + Sync {
    /// Signs μ, hedged (FIPS 204 section 3.4).
    fn sign(&self, mu: &[u8; MU]) -> Result<Vec<u8>>;
    /// The encoded public key.
    fn public_bytes(&self) -> Result<Vec<u8>>;
}

/// μ of the message so far.
pub(super) trait Representative: Send {
    /// Appends to the message.
    fn update(&mut self, data: &[u8]);
    /// μ; the object is used up.
    fn finish(&mut self) -> [u8; MU];
    /// A copy of the state.
    fn copy(&self) -> Box<dyn Representative>;
}

/// A structure of BoringSSL without pointers in it, on the heap; zeroed when dropped.
struct Zeroed<T: Copy>(Box<T>);

impl<T: Copy> Zeroed<T> {
    /// # Safety
    /// All-zero bytes are a valid `T`.
    unsafe fn new() -> Self {
        // SAFETY: promise of the caller.
        Self(Box::new(unsafe { std::mem::zeroed() }))
    }
}

impl<T: Copy> Drop for Zeroed<T> {
    fn drop(&mut self) {
        // SAFETY: valid for its size; `T: Copy` has no destructor that would look at it.
        unsafe { ffi::OPENSSL_cleanse((&raw mut *self.0).cast(), size_of::<T>()) }
    }
}

macro_rules! parameter_set {
    ($module:ident, $algorithm:expr, $private:ident, $public:ident, $prehash:ident, $from_seed:ident,
     $parse_private:ident, $public_from_private:ident, $parse_public:ident, $marshal:ident,
     $init:ident, $update:ident, $finalize:ident, $sign:ident, $verify:ident) => {
        mod $module {
            use super::*;

            struct PrivateKey(Zeroed<ffi::$private>);
            struct PublicKey(Box<ffi::$public>);
            struct State(Zeroed<ffi::$prehash>);

            pub(super) fn from_seed(seed: &[u8]) -> Result<Box<dyn Private>> {
                // SAFETY: a union of bytes and an integer.
                let mut key = PrivateKey(unsafe { Zeroed::new() });
                // SAFETY: room for a key; a seed valid for its length, which is checked.
                check(unsafe { ffi::$from_seed(&raw mut *key.0.0, seed.as_ptr(), seed.len()) })
                    .map_err(|e| e.unless_memory(Error::Key("an ML-DSA seed has 32 bytes")))?;
                Ok(Box::new(key))
            }

            pub(super) fn from_expanded(bytes: &[u8]) -> Result<Box<dyn Private>> {
                // SAFETY: a union of bytes and an integer.
                let mut key = PrivateKey(unsafe { Zeroed::new() });
                let mut cbs = ffi::CBS { data: bytes.as_ptr(), len: bytes.len() };
                // SAFETY: room for a key; a CBS over bytes that live on.
                let status = unsafe { extra::$parse_private(&raw mut *key.0.0, &raw mut cbs) };
                if status == extra::BCM_FAILURE {
                    return Err(Error::take().unless_memory(Error::Key("malformed ML-DSA private key")));
                }
                Ok(Box::new(key))
            }

            pub(super) fn public(bytes: &[u8]) -> Result<Box<dyn Public>> {
                // SAFETY: a union of bytes and an integer.
                let mut key: Box<ffi::$public> = Box::new(unsafe { std::mem::zeroed() });
                let mut cbs = ffi::CBS { data: bytes.as_ptr(), len: bytes.len() };
                // SAFETY: room for a key; a CBS over bytes that live on.
                check(unsafe { ffi::$parse_public(&raw mut *key, &raw mut cbs) })
                    .map_err(|e| e.unless_memory(Error::Key("malformed ML-DSA public key")))?;
                Ok(Box::new(PublicKey(key)))
            }

            impl Private for PrivateKey {
                fn sign(&self, mu: &[u8; MU]) -> Result<Vec<u8>> {
                    let mut signature = vec![0; $algorithm.signature_length().unwrap_or(0)];
                    // SAFETY: a live key; room for a signature of the parameter set; 64 bytes of μ.
                    check(unsafe { ffi::$sign(signature.as_mut_ptr(), &raw const *self.0.0, mu.as_ptr()) })?;
                    Ok(signature)
                }

                fn public_bytes(&self) -> Result<Vec<u8>> {
                    let mut bytes = vec![0; $algorithm.public_length()];
                    // SAFETY: room for a key, which the first call fills from a live private one; the CBB writes into
                    // `bytes`, which are as long as a key of the parameter set, and owns nothing.
                    unsafe {
                        let mut key: Box<ffi::$public> = Box::new(std::mem::zeroed());
                        check(ffi::$public_from_private(&raw mut *key, &raw const *self.0.0))?;
                        let mut cbb: ffi::CBB = std::mem::zeroed();
                        check(ffi::CBB_init_fixed(&raw mut cbb, bytes.as_mut_ptr(), bytes.len()))?;
                        check(ffi::$marshal(&raw mut cbb, &raw const *key))?;
                    }
                    Ok(bytes)
                }
            }

            impl Public for PublicKey {
                fn begin(&self, context: &[u8]) -> Result<Box<dyn Representative>> {
                    // SAFETY: a union of bytes and an integer.
                    let mut state = State(unsafe { Zeroed::new() });
                    // SAFETY: room for a state; a live key; a context valid for its length, which is checked.
                    check(unsafe {
                        ffi::$init(&raw mut *state.0.0, &raw const *self.0, context.as_ptr(), context.len())
                    })
                    .map_err(|e| e.unless_memory(Error::Parameter("a context has at most 255 bytes")))?;
                    Ok(Box::new(state))
                }

                fn verify(&self, mu: &[u8; MU], signature: &[u8]) -> bool {
                    // SAFETY: a live key; a signature valid for its length, which is checked; 64 bytes of μ.
                    let result = unsafe {
                        let valid = ffi::$verify(&raw const *self.0, signature.as_ptr(), signature.len(), mu.as_ptr());
                        ffi::ERR_clear_error();
                        valid
                    };
                    result == 1
                }
            }

            impl Representative for State {
                fn update(&mut self, data: &[u8]) {
                    // SAFETY: a state that was begun; data valid for their length.
                    unsafe { ffi::$update(&raw mut *self.0.0, data.as_ptr(), data.len()) }
                }

                fn finish(&mut self) -> [u8; MU] {
                    let mut mu = [0; MU];
                    // SAFETY: a state that was begun; room for μ.
                    unsafe { ffi::$finalize(mu.as_mut_ptr(), &raw mut *self.0.0) };
                    mu
                }

                fn copy(&self) -> Box<dyn Representative> {
                    Box::new(State(Zeroed(self.0.0.clone())))
                }
            }
        }
    };
}

parameter_set!(
    set44,
    Algorithm::MlDsa44,
    MLDSA44_private_key,
    MLDSA44_public_key,
    MLDSA44_prehash,
    MLDSA44_private_key_from_seed,
    bcm_mldsa44_parse_private_key,
    MLDSA44_public_from_private,
    MLDSA44_parse_public_key,
    MLDSA44_marshal_public_key,
    MLDSA44_prehash_init,
    MLDSA44_prehash_update,
    MLDSA44_prehash_finalize,
    MLDSA44_sign_message_representative,
    MLDSA44_verify_message_representative
);
parameter_set!(
    set65,
    Algorithm::MlDsa65,
    MLDSA65_private_key,
    MLDSA65_public_key,
    MLDSA65_prehash,
    MLDSA65_private_key_from_seed,
    bcm_mldsa65_parse_private_key,
    MLDSA65_public_from_private,
    MLDSA65_parse_public_key,
    MLDSA65_marshal_public_key,
    MLDSA65_prehash_init,
    MLDSA65_prehash_update,
    MLDSA65_prehash_finalize,
    MLDSA65_sign_message_representative,
    MLDSA65_verify_message_representative
);
parameter_set!(
    set87,
    Algorithm::MlDsa87,
    MLDSA87_private_key,
    MLDSA87_public_key,
    MLDSA87_prehash,
    MLDSA87_private_key_from_seed,
    bcm_mldsa87_parse_private_key,
    MLDSA87_public_from_private,
    MLDSA87_parse_public_key,
    MLDSA87_marshal_public_key,
    MLDSA87_prehash_init,
    MLDSA87_prehash_update,
    MLDSA87_prehash_finalize,
    MLDSA87_sign_message_representative,
    MLDSA87_verify_message_representative
);

const NOT_MLDSA: Error = Error::Argument("not ML-DSA");

/// From a seed ξ of 32 bytes.
pub(super) fn from_seed(algorithm: Algorithm, seed: &[u8]) -> Result<Box<dyn Private>> {
    match algorithm {
        Algorithm::MlDsa44 => set44::from_seed(seed),
        Algorithm::MlDsa65 => set65::from_seed(seed),
        Algorithm::MlDsa87 => set87::from_seed(seed),
        _ => Err(NOT_MLDSA),
    }
}

/// From an expanded key (`sk` of FIPS 204), whose redundant parts must fit.
pub(super) fn from_expanded(algorithm: Algorithm, bytes: &[u8]) -> Result<Box<dyn Private>> {
    match algorithm {
        Algorithm::MlDsa44 => set44::from_expanded(bytes),
        Algorithm::MlDsa65 => set65::from_expanded(bytes),
        Algorithm::MlDsa87 => set87::from_expanded(bytes),
        _ => Err(NOT_MLDSA),
    }
}

/// From an encoded public key.
pub(super) fn public(algorithm: Algorithm, bytes: &[u8]) -> Result<Box<dyn Public>> {
    match algorithm {
        Algorithm::MlDsa44 => set44::public(bytes),
        Algorithm::MlDsa65 => set65::public(bytes),
        Algorithm::MlDsa87 => set87::public(bytes),
        _ => Err(NOT_MLDSA),
    }
}
