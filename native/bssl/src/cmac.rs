//! AES-CMAC (SP 800-38B, RFC 4493).

use boring_sys as ffi;

use crate::digest::prefix;
use crate::error::{Error, Result, check, check_ptr};

/// Length of the code, in bytes.
pub const LENGTH: usize = 16;

/// A message authentication code being computed (`CMAC_CTX`). Key and state are zeroed when dropped.
pub struct Cmac {
    context: *mut ffi::CMAC_CTX,
    keyed: bool,
    /// Whether there may be a message.
    begun: bool,
}

// SAFETY: the context belongs to no thread; `&mut` guards every change.
unsafe impl Send for Cmac {}

impl Cmac {
    /// Without a key yet: all but [`Cmac::set_key`] answer [`Error::State`].
    pub fn new() -> Result<Self> {
        // SAFETY: no preconditions.
        let context = check_ptr(unsafe { ffi::CMAC_CTX_new() })?;
        Ok(Self { context, keyed: false, begun: false })
    }

    /// Takes an AES key of 16, 24 or 32 bytes and starts an empty message. If it is not acceptable the former key is
    /// gone.
    pub fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.keyed = false;
        // SAFETY: no preconditions; static tables.
        let cipher = unsafe {
            match key.len() {
                16 => ffi::EVP_aes_128_cbc(),
                24 => ffi::EVP_aes_192_cbc(),
                32 => ffi::EVP_aes_256_cbc(),
                _ => return Err(Error::Key("AES keys have 16, 24 or 32 bytes")),
            }
        };
        // SAFETY: a live context; the key is as long as the cipher says.
        check(unsafe { ffi::CMAC_Init(self.context, key.as_ptr().cast(), key.len(), cipher, std::ptr::null_mut()) })?;
        self.keyed = true;
        self.begun = false;
        Ok(())
    }

    fn keyed(&self) -> Result<()> {
        if self.keyed { Ok(()) } else { Err(Error::State("CMAC has no key")) }
    }

    /// An independent copy of key and state.
    pub fn try_clone(&self) -> Result<Self> {
        let mut copy = Self::new()?;
        if self.keyed {
            // SAFETY: both are live contexts.
            check(unsafe { ffi::CMAC_CTX_copy(copy.context, self.context) })?;
            copy.keyed = true;
            copy.begun = self.begun;
        }
        Ok(copy)
    }

    /// Back to the empty message under the same key, whose schedule is kept.
    pub fn reset(&mut self) -> Result<()> {
        self.keyed()?;
        // SAFETY: a live, keyed context.
        check(unsafe { ffi::CMAC_Reset(self.context) })?;
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
        check(unsafe { ffi::CMAC_Update(self.context, data.as_ptr(), data.len()) })
    }

    /// Writes the code to the start of `out` and goes back to the empty message; answers the length in bytes.
    pub fn finish(&mut self, out: &mut [u8]) -> Result<usize> {
        self.keyed()?;
        let out = prefix(out, LENGTH)?;
        self.begun = true;
        let mut length = 0;
        // SAFETY: a live, keyed context; `out` has room for its code.
        check(unsafe { ffi::CMAC_Final(self.context, out.as_mut_ptr(), &raw mut length) })?;
        self.reset()?;
        Ok(out.len())
    }
}

impl Drop for Cmac {
    fn drop(&mut self) {
        // SAFETY: owned, freed once; BoringSSL zeroes what it frees.
        unsafe { ffi::CMAC_CTX_free(self.context) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::testing::{hex, to_hex};

    fn code(cmac: &mut Cmac, data: &[u8]) -> String {
        let mut out = [0; LENGTH];
        cmac.update(data).unwrap();
        cmac.finish(&mut out).unwrap();
        to_hex(&out)
    }

    /// RFC 4493 section 4.
    #[test]
    fn known_answers() {
        let message = hex(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52efff69f2445\
             df4f9b17ad2b417be66c3710",
        );
        let message = &message[..message.len().min(64)];
        let mut cmac = Cmac::new().unwrap();
        assert!(matches!(cmac.update(b""), Err(Error::State(_))));
        cmac.set_key(&hex("2b7e151628aed2a6abf7158809cf4f3c")).unwrap();
        for (length, expected) in [
            (0, "bb1d6929e95937287fa37d129b756746"),
            (16, "070a16b46b4d4144f79bdd9dd04a287c"),
            (40, "dfa66747de9ae63030ca32611497c827"),
        ] {
            assert_eq!(code(&mut cmac, &message[..length]), expected);
            assert_eq!(code(&mut cmac, &message[..length]), expected, "the keyed state is kept");
            cmac.update(&message[..length / 2]).unwrap();
            let mut copy = cmac.try_clone().unwrap();
            cmac.update(b"elsewhere").unwrap();
            cmac.start().unwrap();
            assert_eq!(code(&mut cmac, &message[..length]), expected);
            assert_eq!(code(&mut copy, &message[length / 2..length]), expected);
        }
        for length in [0, 1, 15, 17, 64] {
            assert!(matches!(cmac.set_key(&vec![0; length]), Err(Error::Key(_))));
        }
        assert!(matches!(cmac.finish(&mut [0; 16]), Err(Error::State(_))));
    }
}
