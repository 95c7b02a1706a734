//! BoringSSL's contexts: `EVP_AEAD_CTX` for one step, `EVP_CIPHER_CTX` for AES-GCM in pieces. Both zero their keys when dropped.

use boring_sys as ffi;

use super::{Algorithm, Direction, MAX_TAG};
use crate::bytes::InOut;
use crate::error::{Error, Result, check, check_ptr};

pub(super) struct OneStep(Box<ffi::EVP_AEAD_CTX>);

impl OneStep {
    pub(super) fn new(algorithm: Algorithm, key: &[u8], tag_length: usize) -> Result<Self> {
        let aead = algorithm.evp(key.len(), tag_length)?;
        // SAFETY: all-zero bytes are a valid EVP_AEAD_CTX (what EVP_AEAD_CTX_zero makes).
        let mut context: Box<ffi::EVP_AEAD_CTX> = Box::new(unsafe { std::mem::zeroed() });
        // SAFETY: a zeroed context; the key is as long as the AEAD says.
        check(unsafe {
            ffi::EVP_AEAD_CTX_init(&raw mut *context, aead, key.as_ptr(), key.len(), tag_length, std::ptr::null_mut())
        })?;
        Ok(Self(context))
    }

    pub(super) fn open(&self, nonce: &[u8], additional: &[u8], mut data: InOut<'_>, tag: &[u8]) -> Result<()> {
        let (input, output, length) = data.settle();
        // SAFETY: an initialised context; equal or disjoint memory of `length` bytes each.
        let result = unsafe {
            ffi::EVP_AEAD_CTX_open_gather(
                &raw const *self.0,
                output,
                nonce.as_ptr(),
                nonce.len(),
                input,
                length,
                tag.as_ptr(),
                tag.len(),
                additional.as_ptr(),
                additional.len(),
            )
        };
        if result == 1 {
            return Ok(());
        }
        // BoringSSL zeroes the output only where it got as far as writing some.
        // SAFETY: `length` writable bytes.
        unsafe { ffi::OPENSSL_cleanse(output.cast(), length) };
        Err(Error::BadTag.after_clear())
    }

    pub(super) fn seal(&self, nonce: &[u8], additional: &[u8], mut data: InOut<'_>) -> Result<[u8; MAX_TAG]> {
        let (input, output, length) = data.settle();
        let mut tag = [0; MAX_TAG];
        let mut tag_length = 0;
        // SAFETY: an initialised context; equal or disjoint memory of `length` bytes each; room for any tag.
        check(unsafe {
            ffi::EVP_AEAD_CTX_seal_scatter(
                &raw const *self.0,
                output,
                tag.as_mut_ptr(),
                &raw mut tag_length,
                MAX_TAG,
                nonce.as_ptr(),
                nonce.len(),
                input,
                length,
                std::ptr::null(),
                0,
                additional.as_ptr(),
                additional.len(),
            )
        })?;
        Ok(tag)
    }
}

impl Drop for OneStep {
    fn drop(&mut self) {
        // SAFETY: an initialised (or zeroed) context; its key schedule lies inside it and is not zeroed by the
        // clean-up.
        unsafe {
            ffi::EVP_AEAD_CTX_cleanup(&raw mut *self.0);
            ffi::OPENSSL_cleanse((&raw mut *self.0).cast(), size_of::<ffi::EVP_AEAD_CTX>());
        }
    }
}

/// AES-GCM piece by piece.
pub(super) struct Stream(*mut ffi::EVP_CIPHER_CTX);

impl Stream {
    pub(super) fn new(key: &[u8]) -> Result<Self> {
        // SAFETY: no preconditions; static tables.
        let cipher = unsafe {
            match key.len() {
                16 => ffi::EVP_aes_128_gcm(),
                24 => ffi::EVP_aes_192_gcm(),
                32 => ffi::EVP_aes_256_gcm(),
                _ => return Err(Error::Key("AES keys have 16, 24 or 32 bytes")),
            }
        };
        // SAFETY: no preconditions.
        let stream = Self(check_ptr(unsafe { ffi::EVP_CIPHER_CTX_new() })?);
        // SAFETY: a fresh context; the key is as long as the cipher says; the nonce comes with `begin`.
        check(unsafe {
            ffi::EVP_CipherInit_ex(stream.0, cipher, std::ptr::null_mut(), key.as_ptr(), std::ptr::null(), 1)
        })?;
        Ok(stream)
    }

    /// The tag that [`Stream::finish`] compares.
    pub(super) fn set_tag(&mut self, tag: &[u8]) -> Result<()> {
        // SAFETY: reads as many bytes as there are, and writes none.
        unsafe { self.control(ffi::EVP_CTRL_AEAD_SET_TAG, tag.len(), tag.as_ptr().cast_mut()) }
    }

    /// The tag of what was encrypted, after [`Stream::finish`].
    pub(super) fn tag(&mut self) -> Result<[u8; MAX_TAG]> {
        let mut tag = [0; MAX_TAG];
        // SAFETY: writes as many bytes as there are.
        unsafe { self.control(ffi::EVP_CTRL_AEAD_GET_TAG, tag.len(), tag.as_mut_ptr())? };
        Ok(tag)
    }

    /// # Safety
    /// `bytes` is what the command reads or writes, `length` of them.
    unsafe fn control(&mut self, command: i32, length: usize, bytes: *mut u8) -> Result<()> {
        let length = i32::try_from(length).map_err(|_| Error::Parameter("nonce is too long"))?;
        // SAFETY: a live context; promise of the caller.
        check(unsafe { ffi::EVP_CIPHER_CTX_ctrl(self.0, command, length, bytes.cast()) })
    }

    pub(super) fn begin(&mut self, direction: Direction, nonce: &[u8]) -> Result<()> {
        // SAFETY: the command looks at the length alone.
        unsafe { self.control(ffi::EVP_CTRL_AEAD_SET_IVLEN, nonce.len(), std::ptr::null_mut())? };
        // SAFETY: a live context with cipher and key; as many nonce bytes as were just announced.
        check(unsafe {
            ffi::EVP_CipherInit_ex(
                self.0,
                std::ptr::null(),
                std::ptr::null_mut(),
                std::ptr::null(),
                nonce.as_ptr(),
                i32::from(direction == Direction::Seal),
            )
        })
    }

    pub(super) fn additional(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: a live context, begun.
        check(unsafe { ffi::EVP_CipherUpdateAAD(self.0, bytes.as_ptr(), bytes.len()) })
    }

    pub(super) fn data(&mut self, mut data: InOut<'_>) -> Result<()> {
        if data.is_empty() {
            return Ok(());
        }
        let (input, output, length) = data.settle();
        let mut written = 0;
        // SAFETY: a live context, begun; equal or disjoint memory of `length` bytes each.
        check(unsafe { ffi::EVP_CipherUpdate_ex(self.0, output, &raw mut written, length, input, length) })
    }

    pub(super) fn finish(&mut self) -> Result<()> {
        let mut written = 0;
        // SAFETY: a live context, begun; GCM writes nothing at the end.
        check(unsafe { ffi::EVP_CipherFinal_ex2(self.0, std::ptr::null_mut(), &raw mut written, 0) })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: owned, freed once; BoringSSL zeroes the key schedule.
        unsafe { ffi::EVP_CIPHER_CTX_free(self.0) }
    }
}
