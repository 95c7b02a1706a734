//! RSA encryption (RFC 8017 section 7) and the bare operations with PKCS #1 v1.5 or no padding.

use boring_sys as ffi;

use crate::digest::{Algorithm, prefix};
use crate::error::{Error, Result, check, check_ptr};
use crate::key::Key;

/// The longest modulus, in bytes.
pub const MAX_LENGTH: usize = 2048;

/// How a message becomes a block as long as the modulus.
#[derive(Debug, Clone, Copy)]
pub enum Padding<'a> {
    /// None: the message is a big-endian number below the modulus, the result as long as the modulus.
    None,
    /// PKCS #1 v1.5: block type 2 for public keys, 1 for private ones.
    Pkcs1,
    /// OAEP (RFC 8017 section 7.1).
    Oaep {
        /// The digest of the label.
        digest: Algorithm,
        /// The digest in MGF1.
        mgf: Algorithm,
        /// The label.
        label: &'a [u8],
    },
}

const CANNOT: Error = Error::Padding("decryption failed");

/// Bytes of the modulus.
pub fn size(key: &Key) -> Result<usize> {
    Ok(key.any_rsa()?.size())
}

/// The longest message for this padding, in bytes; negative if the key is too short for it.
fn room(size: usize, padding: Padding<'_>) -> Option<usize> {
    match padding {
        Padding::None => Some(size),
        Padding::Pkcs1 => size.checked_sub(11),
        Padding::Oaep { digest, .. } => size.checked_sub(2 * digest.length() + 2),
    }
}

/// Pads `message` and applies the key: a public one encrypts, a private one signs what it is given (not with OAEP).
/// `out` has room for the modulus; answers its length.
///
/// # Errors
/// [`Error::Padding`] if the message is too long, or its number is not below the modulus.
pub fn encrypt(key: &Key, padding: Padding<'_>, message: &[u8], out: &mut [u8]) -> Result<usize> {
    let rsa = key.any_rsa()?;
    let size = rsa.size();
    let out = prefix(out, size)?;
    if room(size, padding).is_none_or(|room| message.len() > room) {
        return Err(Error::Padding("the message is too long for the key and padding"));
    }
    let mut block = Block::new(size);
    let (input, mode) = match padding {
        Padding::None => (block.right_aligned(message), ffi::RSA_NO_PADDING),
        Padding::Pkcs1 => (message, ffi::RSA_PKCS1_PADDING),
        Padding::Oaep { .. } if key.is_private() => return Err(Error::Key("OAEP encrypts with a public key")),
        Padding::Oaep { digest, mgf, label } => {
            let block = block.all();
            // SAFETY: valid slices; static digests.
            check(unsafe {
                ffi::RSA_padding_add_PKCS1_OAEP_mgf1(
                    block.as_mut_ptr(),
                    block.len(),
                    message.as_ptr(),
                    message.len(),
                    label.as_ptr(),
                    label.len(),
                    digest.md(),
                    mgf.md(),
                )
            })?;
            (&*block, ffi::RSA_NO_PADDING)
        }
    };
    let done = if key.is_private() {
        rsa.sign_raw(input, out, mode).map(|_| ())
    } else {
        let mut length = 0;
        // SAFETY: a live key and valid slices.
        check(unsafe {
            ffi::RSA_encrypt(
                rsa.as_ptr(),
                &raw mut length,
                out.as_mut_ptr(),
                out.len(),
                input.as_ptr(),
                input.len(),
                mode,
            )
        })
    };
    match done {
        Ok(()) => Ok(size),
        Err(Error::OutOfMemory) => Err(Error::OutOfMemory),
        Err(_) => Err(Error::Padding("the message is not below the modulus")),
    }
}

/// Applies the key to a block and removes the padding: a private key decrypts, a public one recovers what was signed
/// (not with OAEP). The start of `out`, which has room for the modulus, gets the message; answers its length.
///
/// # Errors
/// [`Error::Padding`], the same for every reason.
pub fn decrypt(key: &Key, padding: Padding<'_>, input: &[u8], out: &mut [u8]) -> Result<usize> {
    let rsa = key.any_rsa()?;
    let size = rsa.size();
    let out = prefix(out, size)?;
    let mut block = Block::new(size);
    let (input, mode) = match padding {
        Padding::None if input.len() <= size => (block.right_aligned(input), ffi::RSA_NO_PADDING),
        Padding::None => return Err(CANNOT),
        _ if input.len() != size => return Err(CANNOT),
        Padding::Pkcs1 => (input, ffi::RSA_PKCS1_PADDING),
        Padding::Oaep { .. } if !key.is_private() => return Err(Error::Key("OAEP decrypts with a private key")),
        Padding::Oaep { digest, mgf, label } => return oaep(rsa.as_ptr(), digest, mgf, label, input, out),
    };
    let mut length = 0;
    // SAFETY: a live key and valid slices.
    let done = unsafe {
        let apply = if key.is_private() { ffi::RSA_decrypt } else { ffi::RSA_verify_raw };
        apply(rsa.as_ptr(), &raw mut length, out.as_mut_ptr(), out.len(), input.as_ptr(), input.len(), mode)
    };
    outcome(done, length)
}

fn outcome(done: i32, length: usize) -> Result<usize> {
    match check(done) {
        Ok(()) => Ok(length),
        Err(Error::OutOfMemory) => Err(Error::OutOfMemory),
        Err(_) => Err(CANNOT),
    }
}

fn oaep(
    rsa: *mut ffi::RSA,
    digest: Algorithm,
    mgf: Algorithm,
    label: &[u8],
    input: &[u8],
    out: &mut [u8],
) -> Result<usize> {
    /// Frees both.
    struct Context(*mut ffi::EVP_PKEY, *mut ffi::EVP_PKEY_CTX);
    impl Drop for Context {
        fn drop(&mut self) {
            // SAFETY: owned, or null.
            unsafe {
                ffi::EVP_PKEY_CTX_free(self.1);
                ffi::EVP_PKEY_free(self.0);
            }
        }
    }
    let mut length = out.len();
    // SAFETY: live or checked objects; the key takes a reference of its own, the context owns the label's copy once it
    // took it.
    let (done, length) = unsafe {
        let mut context = Context(check_ptr(ffi::EVP_PKEY_new())?, std::ptr::null_mut());
        check(ffi::EVP_PKEY_set1_RSA(context.0, rsa))?;
        context.1 = check_ptr(ffi::EVP_PKEY_CTX_new(context.0, std::ptr::null_mut()))?;
        check(ffi::EVP_PKEY_decrypt_init(context.1))?;
        check(ffi::EVP_PKEY_CTX_set_rsa_padding(context.1, ffi::RSA_PKCS1_OAEP_PADDING))?;
        check(ffi::EVP_PKEY_CTX_set_rsa_oaep_md(context.1, digest.md()))?;
        check(ffi::EVP_PKEY_CTX_set_rsa_mgf1_md(context.1, mgf.md()))?;
        if !label.is_empty() {
            let copy = check_ptr(ffi::OPENSSL_memdup(label.as_ptr().cast(), label.len()).cast::<u8>())?;
            if ffi::EVP_PKEY_CTX_set0_rsa_oaep_label(context.1, copy, label.len()) != 1 {
                ffi::OPENSSL_free(copy.cast());
                return Err(Error::take());
            }
        }
        let done = ffi::EVP_PKEY_decrypt(context.1, out.as_mut_ptr(), &raw mut length, input.as_ptr(), input.len());
        (done, length)
    };
    outcome(done, length)
}

/// A block as long as the modulus, zeroed when dropped.
struct Block([u8; MAX_LENGTH], usize);

impl Block {
    fn new(size: usize) -> Self {
        Self([0; MAX_LENGTH], size.min(MAX_LENGTH))
    }

    fn all(&mut self) -> &mut [u8] {
        let size = self.1;
        self.0.get_mut(..size).unwrap_or_default()
    }

    /// The whole block, `bytes` at its end.
    fn right_aligned(&mut self, bytes: &[u8]) -> &[u8] {
        let block = self.all();
        let start = block.len().saturating_sub(bytes.len());
        if let Some(end) = block.get_mut(start..).filter(|end| end.len() == bytes.len()) {
            end.copy_from_slice(bytes);
        }
        block
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        crate::bytes::cleanse(&mut self.0);
    }
}
