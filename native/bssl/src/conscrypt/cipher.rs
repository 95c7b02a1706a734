//! `EVP_CIPHER` and `EVP_CIPHER_CTX`.

use boring_sys as ffi;

use super::{Fault, Library, Result, check, owned};

/// A block or stream cipher with its mode and key size.
#[derive(Debug, Clone, Copy)]
pub struct Cipher(*const ffi::EVP_CIPHER);

/// Names as Conscrypt's Java spells them, in any case.
const NAMES: [&str; 16] = [
    "rc4",
    "des-cbc",
    "des-ede-cbc",
    "des-ede3-cbc",
    "aes-128-ecb",
    "aes-128-cbc",
    "aes-128-ctr",
    "aes-128-gcm",
    "aes-192-ecb",
    "aes-192-cbc",
    "aes-192-ctr",
    "aes-192-gcm",
    "aes-256-ecb",
    "aes-256-cbc",
    "aes-256-ctr",
    "aes-256-gcm",
];

impl Cipher {
    /// The place of the cipher of this name.
    pub fn index_of(name: &str) -> Option<usize> {
        NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))
    }

    /// The cipher in this place.
    pub fn at(index: usize) -> Option<Self> {
        // SAFETY: no preconditions; each answers a static table.
        let cipher = unsafe {
            match index {
                0 => ffi::EVP_rc4(),
                1 => ffi::EVP_des_cbc(),
                2 => ffi::EVP_des_ede_cbc(),
                3 => ffi::EVP_des_ede3_cbc(),
                4 => ffi::EVP_aes_128_ecb(),
                5 => ffi::EVP_aes_128_cbc(),
                6 => ffi::EVP_aes_128_ctr(),
                7 => ffi::EVP_aes_128_gcm(),
                8 => ffi::EVP_aes_192_ecb(),
                9 => ffi::EVP_aes_192_cbc(),
                10 => ffi::EVP_aes_192_ctr(),
                11 => ffi::EVP_aes_192_gcm(),
                12 => ffi::EVP_aes_256_ecb(),
                13 => ffi::EVP_aes_256_cbc(),
                14 => ffi::EVP_aes_256_ctr(),
                15 => ffi::EVP_aes_256_gcm(),
                _ => return None,
            }
        };
        Some(Self(cipher))
    }

    /// Bytes of an IV.
    pub fn iv_length(self) -> usize {
        // SAFETY: a static table.
        usize::try_from(unsafe { ffi::EVP_CIPHER_iv_length(self.0) }).unwrap_or(0)
    }

    /// Bytes of a key of its own size.
    pub fn key_length(self) -> usize {
        // SAFETY: a static table.
        usize::try_from(unsafe { ffi::EVP_CIPHER_key_length(self.0) }).unwrap_or(0)
    }
}

owned! {
    /// The context itself.
    pub(super) Context(ffi::EVP_CIPHER_CTX), ffi::EVP_CIPHER_CTX_free
}

/// An `EVP_CIPHER_CTX`. After an update or an end that failed it is of no use until it is initialised again.
#[derive(Debug)]
pub struct CipherCtx {
    context: Context,
    failed: bool,
}

const NOT_STARTED: &str = "the EVP_CIPHER_CTX is not initialized";
const SHORT: &str = "a key or IV is shorter than the cipher's";

impl CipherCtx {
    /// Without a cipher yet.
    pub fn new() -> Result<Self> {
        // SAFETY: no preconditions.
        Ok(Self { context: Context::own(unsafe { ffi::EVP_CIPHER_CTX_new() })?, failed: false })
    }

    fn started(&self) -> Result<()> {
        // SAFETY: a live context.
        if unsafe { (*self.context.as_ptr()).cipher }.is_null() { Err(Fault::state(NOT_STARTED)) } else { Ok(()) }
    }

    /// Remembers a failure.
    fn outcome(&mut self, result: Result<()>) -> Result<()> {
        self.failed = result.is_err();
        result
    }

    fn usable(&self) -> Result<()> {
        self.started()?;
        if self.failed { Err(Fault::after_failure(Library::Cipher)) } else { Ok(()) }
    }

    /// Sets what is given, and leaves the rest as it is. A key or IV shorter than the cipher's is refused (C would read on).
    pub fn init(&mut self, cipher: Option<Cipher>, key: Option<&[u8]>, iv: Option<&[u8]>, encrypt: bool) -> Result<()> {
        let none = cipher.is_none() && self.started().is_err();
        let short = |given: Option<&[u8]>, needed: usize| given.is_some_and(|given| given.len() < needed);
        // SAFETY: a live context; it has a cipher where none is given.
        let own = |length: unsafe extern "C" fn(*const ffi::EVP_CIPHER_CTX) -> std::ffi::c_uint| unsafe {
            usize::try_from(length(self.context.as_ptr())).unwrap_or(usize::MAX)
        };
        let (key_length, iv_length) = match cipher {
            // Refused by the library, which reads nothing.
            None if none => (0, 0),
            Some(cipher) => (cipher.key_length(), cipher.iv_length()),
            None => (own(ffi::EVP_CIPHER_CTX_key_length), own(ffi::EVP_CIPHER_CTX_iv_length)),
        };
        if short(key, key_length) || short(iv, iv_length) {
            return Err(Fault::argument(SHORT));
        }
        let pointer = |bytes: Option<&[u8]>| bytes.map_or(std::ptr::null(), <[u8]>::as_ptr);
        // SAFETY: a live context; key and IV have at least the bytes that are read.
        let result = check(unsafe {
            ffi::EVP_CipherInit_ex(
                self.context.as_ptr(),
                cipher.map_or(std::ptr::null(), |cipher| cipher.0),
                std::ptr::null_mut(),
                pointer(key),
                pointer(iv),
                encrypt.into(),
            )
        });
        self.outcome(result)
    }

    /// Transforms `input` into the start of `output`; answers the bytes written.
    pub fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize> {
        self.usable()?;
        let mut length = 0;
        // SAFETY: a live context with a cipher, disjoint slices.
        let result = check(unsafe {
            ffi::EVP_CipherUpdate_ex(
                self.context.as_ptr(),
                output.as_mut_ptr(),
                &raw mut length,
                output.len(),
                input.as_ptr(),
                input.len(),
            )
        });
        self.outcome(result)?;
        Ok(length)
    }

    /// Writes the last block; answers the bytes written.
    pub fn finish(&mut self, output: &mut [u8]) -> Result<usize> {
        self.usable()?;
        let mut length = 0;
        // SAFETY: a live context with a cipher, a valid slice.
        let result = check(unsafe {
            ffi::EVP_CipherFinal_ex2(self.context.as_ptr(), output.as_mut_ptr(), &raw mut length, output.len())
        });
        self.outcome(result)?;
        Ok(length)
    }

    /// Bytes of a block.
    pub fn block_size(&self) -> Result<usize> {
        self.started()?;
        // SAFETY: a live context with a cipher.
        Ok(usize::try_from(unsafe { ffi::EVP_CIPHER_CTX_block_size(self.context.as_ptr()) }).unwrap_or(0))
    }

    /// Bytes of the input that wait for a full block.
    pub fn buffered(&self) -> i32 {
        // SAFETY: a live context.
        unsafe { (*self.context.as_ptr()).buf_len }
    }

    /// Whether a decrypted block is held back, as it may be padding.
    pub fn final_used(&self) -> bool {
        // SAFETY: a live context.
        unsafe { (*self.context.as_ptr()).final_used != 0 }
    }

    /// Whether blocks are padded (PKCS #7).
    pub fn set_padding(&mut self, padding: bool) {
        // SAFETY: a live context.
        unsafe { ffi::EVP_CIPHER_CTX_set_padding(self.context.as_ptr(), padding.into()) };
    }

    /// Another key length, in bytes, for ciphers that have a choice.
    pub fn set_key_length(&mut self, length: u32) -> Result<()> {
        self.started()?;
        // SAFETY: a live context with a cipher.
        check(unsafe { ffi::EVP_CIPHER_CTX_set_key_length(self.context.as_ptr(), length) })
    }
}
