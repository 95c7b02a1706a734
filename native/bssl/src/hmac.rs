//! HMAC (RFC 2104, FIPS 198-1) over the digests of [`crate::digest`].

use boring_sys as ffi;

use crate::digest::{Algorithm, prefix};
use crate::error::{Error, Result, check, check_ptr};

/// A message authentication code being computed (`HMAC_CTX`). Key and state are zeroed when dropped.
pub struct Hmac {
    context: *mut ffi::HMAC_CTX,
    algorithm: Algorithm,
    keyed: bool,
    /// Whether there may be a message.
    begun: bool,
}

// SAFETY: the context belongs to no thread; `&mut` guards every change.
unsafe impl Send for Hmac {}

impl Hmac {
    /// Without a key yet: all but [`Hmac::set_key`] answer [`Error::State`].
    pub fn new(algorithm: Algorithm) -> Result<Self> {
        // SAFETY: no preconditions.
        let context = check_ptr(unsafe { ffi::HMAC_CTX_new() })?;
        Ok(Self { context, algorithm, keyed: false, begun: false })
    }

    /// The digest under it; the code is as long.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Takes a key of any length, the empty one too, and starts an empty message.
    pub fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.keyed = false;
        // SAFETY: a live context. A slice's pointer is never null, which would mean "keep the key"; the former context
        // is zeroed first, as a failure half-way must not leave a mix of two keys.
        check(unsafe {
            ffi::HMAC_CTX_cleanse(self.context);
            ffi::HMAC_CTX_init(self.context);
            ffi::HMAC_Init_ex(self.context, key.as_ptr().cast(), key.len(), self.algorithm.md(), std::ptr::null_mut())
        })?;
        self.keyed = true;
        self.begun = false;
        Ok(())
    }

    fn keyed(&self) -> Result<()> {
        if self.keyed { Ok(()) } else { Err(Error::State("HMAC has no key")) }
    }

    /// An independent copy of key and state.
    pub fn try_clone(&self) -> Result<Self> {
        let mut copy = Self::new(self.algorithm)?;
        if self.keyed {
            // SAFETY: both are live contexts.
            check(unsafe { ffi::HMAC_CTX_copy_ex(copy.context, self.context) })?;
            copy.keyed = true;
            copy.begun = self.begun;
        }
        Ok(copy)
    }

    /// Back to the empty message under the same key, whose two padded blocks are not hashed again.
    pub fn reset(&mut self) -> Result<()> {
        self.keyed()?;
        // SAFETY: a live, keyed context; a null key rewinds it.
        check(unsafe { ffi::HMAC_Init_ex(self.context, std::ptr::null(), 0, std::ptr::null(), std::ptr::null_mut()) })?;
        self.begun = false;
        Ok(())
    }

    /// Makes sure that the message is empty; costs nothing if it is.
    pub fn start(&mut self) -> Result<()> {
        if self.begun { self.reset() } else { Ok(()) }
    }

    /// Appends `data` to the message.
    pub fn update(&mut self, data: &[u8]) -> Result<()> {
        self.keyed()?;
        self.begun = true;
        // SAFETY: a live, keyed context.
        check(unsafe { ffi::HMAC_Update(self.context, data.as_ptr(), data.len()) })
    }

    /// Writes the code to the start of `out` and goes back to the empty message; answers the length in bytes.
    pub fn finish(&mut self, out: &mut [u8]) -> Result<usize> {
        self.keyed()?;
        let out = prefix(out, self.algorithm.length())?;
        self.begun = true;
        // SAFETY: a live, keyed context; `out` has room for its code.
        check(unsafe { ffi::HMAC_Final(self.context, out.as_mut_ptr(), std::ptr::null_mut()) })?;
        self.reset()?;
        Ok(out.len())
    }
}

impl Drop for Hmac {
    fn drop(&mut self) {
        // SAFETY: owned and live; zeroed, then freed once. Freeing a cleansed context is a no-op on its parts.
        unsafe {
            ffi::HMAC_CTX_cleanse(self.context);
            ffi::HMAC_CTX_init(self.context);
            ffi::HMAC_CTX_free(self.context);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::digest::MAX_LENGTH;
    use crate::testing::{hex, to_hex};

    fn code(hmac: &mut Hmac, data: &[u8]) -> String {
        let mut out = [0; MAX_LENGTH];
        hmac.update(data).unwrap();
        let length = hmac.finish(&mut out).unwrap();
        to_hex(&out[..length])
    }

    fn keyed(algorithm: Algorithm, key: &[u8]) -> Hmac {
        let mut hmac = Hmac::new(algorithm).unwrap();
        hmac.set_key(key).unwrap();
        hmac
    }

    /// RFC 2202 (MD5, SHA-1) and RFC 4231 (SHA-2), test case 2. SHA-512/256: tests/wycheproof.rs.
    #[test]
    fn known_answers() {
        for (algorithm, expected) in [
            (Algorithm::Md5, "750c783e6ab0b503eaa86e310a5db738"),
            (Algorithm::Sha1, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
            (Algorithm::Sha224, "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44"),
            (Algorithm::Sha256, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
            (
                Algorithm::Sha384,
                "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
            ),
            (
                Algorithm::Sha512,
                "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fd\
                 caeab1a34d4a6b4b636e070a38bce737",
            ),
        ] {
            let mut hmac = keyed(algorithm, b"Jefe");
            assert_eq!(code(&mut hmac, b"what do ya want for nothing?"), expected, "{algorithm:?}");
            assert_eq!(code(&mut hmac, b"what do ya want for nothing?"), expected, "keyed state kept, {algorithm:?}");
        }
    }

    #[test]
    fn keys_of_any_length() {
        // RFC 4231 test case 6 (a key longer than the block), and the empty key with the empty message.
        let mut hmac = keyed(Algorithm::Sha256, &[0xaa; 131]);
        assert_eq!(
            code(&mut hmac, b"Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        );
        hmac.set_key(&[]).unwrap();
        assert_eq!(code(&mut hmac, b""), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
    }

    #[test]
    fn clone_reset_and_no_key() {
        let mut hmac = keyed(Algorithm::Sha512_256, b"key");
        let expected = code(&mut hmac, b"message");
        hmac.update(b"mess").unwrap();
        let mut copy = hmac.try_clone().unwrap();
        hmac.update(b"y").unwrap();
        hmac.reset().unwrap();
        hmac.update(b"left behind").unwrap();
        hmac.start().unwrap();
        hmac.start().unwrap();
        assert_eq!(code(&mut hmac, b"message"), expected);
        assert_eq!(code(&mut copy, b"age"), expected);
        assert_eq!(hex(&expected).len(), 32);

        let mut none = Hmac::new(Algorithm::Sha1).unwrap();
        assert!(matches!(none.update(b"x"), Err(Error::State(_))));
        assert!(matches!(none.reset(), Err(Error::State(_))));
        assert!(matches!(none.finish(&mut [0; 20]), Err(Error::State(_))));
        assert!(matches!(none.try_clone().unwrap().update(b"x"), Err(Error::State(_))));
    }
}
