//! `EVP_MD` and `EVP_MD_CTX`: digests, and signing and verifying with them.

use std::ffi::c_int;

use boring_sys as ffi;

use super::pkey::PKey;
use super::{Fault, Result, bytes, check, clear, owned};

/// A hash function.
#[derive(Debug, Clone, Copy)]
pub struct Md(*const ffi::EVP_MD);

/// Names as Conscrypt's Java spells them, in any case.
const NAMES: [&str; 7] = ["md4", "md5", "sha1", "sha224", "sha256", "sha384", "sha512"];

impl Md {
    /// The place of the hash function of this name.
    pub fn index_of(name: &str) -> Option<usize> {
        NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))
    }

    /// The hash function in this place.
    pub fn at(index: usize) -> Option<Self> {
        // SAFETY: no preconditions; each answers a static table.
        let md = unsafe {
            match index {
                0 => ffi::EVP_md4(),
                1 => ffi::EVP_md5(),
                2 => ffi::EVP_sha1(),
                3 => ffi::EVP_sha224(),
                4 => ffi::EVP_sha256(),
                5 => ffi::EVP_sha384(),
                6 => ffi::EVP_sha512(),
                _ => return None,
            }
        };
        Some(Self(md))
    }

    /// Bytes of a digest.
    pub fn size(self) -> usize {
        // SAFETY: a static table.
        unsafe { ffi::EVP_MD_size(self.0) }
    }

    pub(crate) fn as_ptr(self) -> *const ffi::EVP_MD {
        self.0
    }
}

/// Signing or verifying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Making a signature.
    Sign,
    /// Checking one.
    Verify,
}

owned! {
    /// An `EVP_MD_CTX`.
    pub MdCtx(ffi::EVP_MD_CTX), ffi::EVP_MD_CTX_free
}

const NOT_STARTED: &str = "the EVP_MD_CTX is not initialized for this";

impl MdCtx {
    /// Without an algorithm yet.
    pub fn new() -> Result<Self> {
        // SAFETY: no preconditions.
        Self::own(unsafe { ffi::EVP_MD_CTX_new() })
    }

    /// As new.
    pub fn cleanup(&mut self) {
        // SAFETY: a live context.
        unsafe { ffi::EVP_MD_CTX_cleanup(self.0) };
    }

    /// Becomes a copy of `other`.
    pub fn copy_from(&mut self, other: &Self) -> Result<()> {
        // SAFETY: live contexts; an empty one is refused.
        check(unsafe { ffi::EVP_MD_CTX_copy_ex(self.0, other.0) })
    }

    /// Starts a digest.
    pub fn init(&mut self, md: Md) -> Result<()> {
        // SAFETY: a live context, a static table.
        check(unsafe { ffi::EVP_DigestInit_ex(self.0, md.0, std::ptr::null_mut()) })
    }

    fn digest(&self) -> Result<()> {
        // SAFETY: a live context.
        let md = unsafe { ffi::EVP_MD_CTX_get0_md(self.0) };
        if md.is_null() { Err(Fault::state(NOT_STARTED)) } else { Ok(()) }
    }

    /// The inner `EVP_PKEY_CTX`: there is one while signing or verifying.
    pub fn with_pkey_ctx<T>(&mut self, work: impl FnOnce(&mut super::pkey::PKeyCtxRef) -> Result<T>) -> Result<T> {
        // SAFETY: a live context; its inner one lives until it is initialised again, which `&mut self` excludes meanwhile.
        let inner = unsafe { (*self.0).pctx };
        if inner.is_null() {
            return Err(Fault::state(NOT_STARTED));
        }
        work(&mut super::pkey::PKeyCtxRef(inner))
    }

    fn signing(&self) -> Result<()> {
        // SAFETY: a live context.
        if unsafe { (*self.0).pctx }.is_null() { Err(Fault::state(NOT_STARTED)) } else { Ok(()) }
    }

    /// Bytes of the digest.
    pub fn size(&self) -> Result<usize> {
        self.digest()?;
        // SAFETY: a live context with an algorithm.
        Ok(unsafe { ffi::EVP_MD_CTX_size(self.0) })
    }

    /// Appends to the message of a digest.
    pub fn update(&mut self, data: &[u8]) -> Result<()> {
        self.digest()?;
        // SAFETY: a live context with an algorithm.
        check(unsafe { ffi::EVP_DigestUpdate(self.0, data.as_ptr().cast(), data.len()) })
    }

    /// Writes the digest to the start of `out`.
    pub fn finish(&mut self, out: &mut [u8; crate::digest::MAX_LENGTH]) -> Result<()> {
        self.digest()?;
        // SAFETY: a live context with an algorithm; the longest digest has room.
        check(unsafe { ffi::EVP_DigestFinal_ex(self.0, out.as_mut_ptr(), std::ptr::null_mut()) })
    }

    /// Starts signing or verifying with a key; `md` is left out for keys that sign messages themselves.
    pub fn init_with_key(&mut self, purpose: Purpose, md: Option<Md>, key: &PKey) -> Result<()> {
        let md = md.map_or(std::ptr::null(), Md::as_ptr);
        let init = match purpose {
            Purpose::Sign => ffi::EVP_DigestSignInit,
            Purpose::Verify => ffi::EVP_DigestVerifyInit,
        };
        // SAFETY: live objects; the inner context is not asked for.
        check(unsafe { init(self.0, std::ptr::null_mut(), md, std::ptr::null_mut(), key.as_ptr()) })
    }

    /// Appends to the message that is signed or verified.
    pub fn update_with_key(&mut self, purpose: Purpose, data: &[u8]) -> Result<()> {
        self.signing()?;
        let update = match purpose {
            Purpose::Sign => ffi::EVP_DigestSignUpdate,
            Purpose::Verify => ffi::EVP_DigestVerifyUpdate,
        };
        // SAFETY: a live context with an inner one.
        check(unsafe { update(self.0, data.as_ptr().cast(), data.len()) })
    }

    /// The signature of what was appended.
    pub fn sign_final(&mut self) -> Result<Vec<u8>> {
        self.signing()?;
        // SAFETY: a live context with an inner one; a buffer of the length that it asks for.
        signature(|out, length| unsafe { ffi::EVP_DigestSignFinal(self.0, out, length) })
    }

    /// Whether the signature of what was appended is right.
    pub fn verify_final(&mut self, signature: &[u8]) -> Result<bool> {
        self.signing()?;
        // SAFETY: a live context with an inner one, a valid slice.
        verdict(unsafe { ffi::EVP_DigestVerifyFinal(self.0, signature.as_ptr(), signature.len()) })
    }

    /// The signature of `data`, in one step.
    pub fn sign(&mut self, data: &[u8]) -> Result<Vec<u8>> {
        self.signing()?;
        // SAFETY: a live context with an inner one; a buffer of the length that it asks for.
        signature(|out, length| unsafe { ffi::EVP_DigestSign(self.0, out, length, data.as_ptr(), data.len()) })
    }

    /// Whether `signature` of `data` is right, in one step.
    pub fn verify(&mut self, signature: &[u8], data: &[u8]) -> Result<bool> {
        self.signing()?;
        // SAFETY: a live context with an inner one, valid slices.
        verdict(unsafe {
            ffi::EVP_DigestVerify(self.0, signature.as_ptr(), signature.len(), data.as_ptr(), data.len())
        })
    }
}

/// Asks for the length, then for the bytes.
fn signature(mut sign: impl FnMut(*mut u8, *mut usize) -> c_int) -> Result<Vec<u8>> {
    let mut length = 0;
    check(sign(std::ptr::null_mut(), &raw mut length))?;
    let mut out = vec![0; length];
    check(sign(out.as_mut_ptr(), &raw mut length))?;
    out.truncate(length);
    Ok(out)
}

/// 1 is right, 0 is wrong, which is no error.
fn verdict(result: c_int) -> Result<bool> {
    if result < 0 {
        return Err(Fault::take());
    }
    clear();
    Ok(result == 1)
}

/// The digest of `data` in one step.
///
/// # Safety
/// `md` is a static table.
pub(crate) unsafe fn digest(md: *const ffi::EVP_MD, data: &[u8]) -> Result<Vec<u8>> {
    let mut out = [0; 64];
    let mut length = 0;
    // SAFETY: the longest digest has room.
    unsafe {
        check(ffi::EVP_Digest(
            data.as_ptr().cast(),
            data.len(),
            out.as_mut_ptr(),
            &raw mut length,
            md,
            std::ptr::null_mut(),
        ))?;
        Ok(bytes(out.as_ptr(), usize::try_from(length).unwrap_or(0)).to_vec())
    }
}
