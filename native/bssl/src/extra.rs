//! Functions that the bindings lack; all are in BoringSSL's static library.
//!
//! The BCM functions belong to BoringSSL's inner interface (`crypto/fipsmodule/bcm_interface.h`, C++): what its own
//! tests for ACVP use to read the expanded private keys of FIPS 203 and FIPS 204. They are named by their mangled
//! names, which holds because BoringSSL's revision is pinned: another one without them does not link.

use boring_sys as ffi;

/// Bytes of an SLH-DSA-SHA2-128s public key (slhdsa.h).
pub(crate) const SLHDSA_SHA2_128S_PUBLIC_KEY_BYTES: usize = 32;
/// Bytes of a private key: the public one is its second half.
pub(crate) const SLHDSA_SHA2_128S_PRIVATE_KEY_BYTES: usize = 64;
/// Bytes of a signature.
pub(crate) const SLHDSA_SHA2_128S_SIGNATURE_BYTES: usize = 7856;

/// The result of BCM functions (`enum class bcm_status_t`): 0 and 1 are success, 2 is failure.
pub(crate) type BcmStatus = std::ffi::c_int;
pub(crate) const BCM_FAILURE: BcmStatus = 2;

/// xwing.h: memory for a parsed private key, of the size and alignment there.
#[cfg(feature = "conscrypt")]
#[repr(C, align(2))]
pub(crate) struct XWING_private_key {
    opaque: [u8; 512 * (3 + 3 + 9) + 32 * 5],
}

unsafe extern "C" {
    /// slhdsa.h: writes a new key pair, 32 and 64 bytes.
    pub(crate) fn SLHDSA_SHA2_128S_generate_key(out_public_key: *mut u8, out_private_key: *mut u8);
    /// slhdsa.h: writes the 32 bytes of the public key of a private key of 64.
    pub(crate) fn SLHDSA_SHA2_128S_public_from_private(out_public_key: *mut u8, private_key: *const u8);
    /// slhdsa.h: writes 7856 bytes; 0 if the context is longer than 255 bytes, else 1. Null and 0: no context.
    pub(crate) fn SLHDSA_SHA2_128S_sign(
        out_signature: *mut u8,
        private_key: *const u8,
        msg: *const u8,
        msg_len: usize,
        context: *const u8,
        context_len: usize,
    ) -> std::ffi::c_int;
    /// slhdsa.h: 1 if the signature is valid, else 0; signatures of any length may be passed.
    pub(crate) fn SLHDSA_SHA2_128S_verify(
        signature: *const u8,
        signature_len: usize,
        public_key: *const u8,
        msg: *const u8,
        msg_len: usize,
        context: *const u8,
        context_len: usize,
    ) -> std::ffi::c_int;

    /// xwing.h: reads a private key of 32 bytes; 1 or 0.
    #[cfg(feature = "conscrypt")]
    pub(crate) fn XWING_parse_private_key(
        out_private_key: *mut XWING_private_key,
        in_: *mut ffi::CBS,
    ) -> std::ffi::c_int;
    /// xwing.h: writes the 1216 bytes of the public key; 1 or 0.
    #[cfg(feature = "conscrypt")]
    pub(crate) fn XWING_public_from_private(
        out_encoded_public_key: *mut u8,
        private_key: *const XWING_private_key,
    ) -> std::ffi::c_int;

    // Each reads the whole of `in` as an expanded private key (FIPS 203 section 7.1, FIPS 204 algorithm 25) and checks
    // that its parts belong together: for ML-KEM the hash of the public key; for ML-DSA t0 and the hash as well,
    // computed anew.
    #[link_name = "_ZN4bssl30BCM_mlkem768_parse_private_keyEP20MLKEM768_private_keyP6cbs_st"]
    pub(crate) fn bcm_mlkem768_parse_private_key(out: *mut ffi::MLKEM768_private_key, cbs: *mut ffi::CBS) -> BcmStatus;
    #[link_name = "_ZN4bssl31BCM_mlkem1024_parse_private_keyEP21MLKEM1024_private_keyP6cbs_st"]
    pub(crate) fn bcm_mlkem1024_parse_private_key(
        out: *mut ffi::MLKEM1024_private_key,
        cbs: *mut ffi::CBS,
    ) -> BcmStatus;
    #[link_name = "_ZN4bssl29BCM_mldsa44_parse_private_keyEP19MLDSA44_private_keyP6cbs_st"]
    pub(crate) fn bcm_mldsa44_parse_private_key(out: *mut ffi::MLDSA44_private_key, cbs: *mut ffi::CBS) -> BcmStatus;
    #[link_name = "_ZN4bssl29BCM_mldsa65_parse_private_keyEP19MLDSA65_private_keyP6cbs_st"]
    pub(crate) fn bcm_mldsa65_parse_private_key(out: *mut ffi::MLDSA65_private_key, cbs: *mut ffi::CBS) -> BcmStatus;
    #[link_name = "_ZN4bssl29BCM_mldsa87_parse_private_keyEP19MLDSA87_private_keyP6cbs_st"]
    pub(crate) fn bcm_mldsa87_parse_private_key(out: *mut ffi::MLDSA87_private_key, cbs: *mut ffi::CBS) -> BcmStatus;
}
