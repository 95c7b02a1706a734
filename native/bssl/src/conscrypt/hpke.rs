//! HPKE in base mode (RFC 9180), with contexts that are sender or recipient.

use boring_sys as ffi;

use super::{Result, check, owned};

/// A suite of HPKE's registries.
#[derive(Debug, Clone, Copy)]
pub struct Suite {
    kem: *const ffi::EVP_HPKE_KEM,
    kdf: *const ffi::EVP_HPKE_KDF,
    aead: *const ffi::EVP_HPKE_AEAD,
}

/// The part of a suite that is not supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsupported {
    /// The KEM.
    Kem,
    /// The KDF.
    Kdf,
    /// The AEAD.
    Aead,
}

impl Suite {
    /// The suite of these identifiers.
    pub fn new(kem: i32, kdf: i32, aead: i32) -> std::result::Result<Self, Unsupported> {
        // SAFETY: no preconditions; each answers a static table.
        unsafe {
            let kem = match kem {
                ffi::EVP_HPKE_DHKEM_X25519_HKDF_SHA256 => ffi::EVP_hpke_x25519_hkdf_sha256(),
                ffi::EVP_HPKE_MLKEM768 => ffi::EVP_hpke_mlkem768(),
                ffi::EVP_HPKE_MLKEM1024 => ffi::EVP_hpke_mlkem1024(),
                ffi::EVP_HPKE_XWING => ffi::EVP_hpke_xwing(),
                _ => return Err(Unsupported::Kem),
            };
            let kdf = match kdf {
                ffi::EVP_HPKE_HKDF_SHA256 => ffi::EVP_hpke_hkdf_sha256(),
                _ => return Err(Unsupported::Kdf),
            };
            let aead = match aead {
                ffi::EVP_HPKE_AES_128_GCM => ffi::EVP_hpke_aes_128_gcm(),
                ffi::EVP_HPKE_AES_256_GCM => ffi::EVP_hpke_aes_256_gcm(),
                ffi::EVP_HPKE_CHACHA20_POLY1305 => ffi::EVP_hpke_chacha20_poly1305(),
                _ => return Err(Unsupported::Aead),
            };
            Ok(Self { kem, kdf, aead })
        }
    }
}

owned! {
    /// An `EVP_HPKE_CTX` that was set up.
    pub HpkeCtx(ffi::EVP_HPKE_CTX), ffi::EVP_HPKE_CTX_free
}

owned! {
    /// A private key.
    pub(super) HpkeKey(ffi::EVP_HPKE_KEY), ffi::EVP_HPKE_KEY_free
}

impl HpkeCtx {
    fn new() -> Result<Self> {
        // SAFETY: no preconditions.
        Self::own(unsafe { ffi::EVP_HPKE_CTX_new() })
    }

    /// A sender, and the encapsulated secret. With a seed the encapsulation is deterministic, which is for tests.
    pub fn sender(suite: Suite, public: &[u8], info: &[u8], seed: Option<&[u8]>) -> Result<(Self, Vec<u8>)> {
        let context = Self::new()?;
        let mut enc = vec![0; usize::try_from(ffi::EVP_HPKE_MAX_ENC_LENGTH).unwrap_or(0)];
        let mut length = 0;
        let (at, room) = (enc.as_mut_ptr(), enc.len());
        let Suite { kem, kdf, aead } = suite;
        // SAFETY: a fresh context, static tables, valid slices.
        check(unsafe {
            match seed {
                None => ffi::EVP_HPKE_CTX_setup_sender(
                    context.0,
                    at,
                    &raw mut length,
                    room,
                    kem,
                    kdf,
                    aead,
                    public.as_ptr(),
                    public.len(),
                    info.as_ptr(),
                    info.len(),
                ),
                Some(seed) => ffi::EVP_HPKE_CTX_setup_sender_with_seed_for_testing(
                    context.0,
                    at,
                    &raw mut length,
                    room,
                    kem,
                    kdf,
                    aead,
                    public.as_ptr(),
                    public.len(),
                    info.as_ptr(),
                    info.len(),
                    seed.as_ptr(),
                    seed.len(),
                ),
            }
        })?;
        enc.truncate(length);
        Ok((context, enc))
    }

    /// A recipient.
    pub fn recipient(suite: Suite, private: &[u8], enc: &[u8], info: &[u8]) -> Result<Self> {
        // SAFETY: fresh objects, static tables, valid slices.
        unsafe {
            let key = HpkeKey::own(ffi::EVP_HPKE_KEY_new())?;
            check(ffi::EVP_HPKE_KEY_init(key.0, suite.kem, private.as_ptr(), private.len()))?;
            let context = Self::new()?;
            check(ffi::EVP_HPKE_CTX_setup_recipient(
                context.0,
                key.0,
                suite.kdf,
                suite.aead,
                enc.as_ptr(),
                enc.len(),
                info.as_ptr(),
                info.len(),
            ))?;
            Ok(context)
        }
    }

    /// Encrypts the next message.
    pub fn seal(&mut self, plaintext: &[u8], additional: &[u8]) -> Result<Vec<u8>> {
        // SAFETY: a context that was set up.
        let mut out = vec![0; plaintext.len() + unsafe { ffi::EVP_HPKE_CTX_max_overhead(self.0) }];
        let mut length = 0;
        // SAFETY: a context that was set up, valid slices.
        check(unsafe {
            ffi::EVP_HPKE_CTX_seal(
                self.0,
                out.as_mut_ptr(),
                &raw mut length,
                out.len(),
                plaintext.as_ptr(),
                plaintext.len(),
                additional.as_ptr(),
                additional.len(),
            )
        })?;
        out.truncate(length);
        Ok(out)
    }

    /// Decrypts the next message.
    pub fn open(&mut self, ciphertext: &[u8], additional: &[u8]) -> Result<Vec<u8>> {
        let mut out = vec![0; ciphertext.len()];
        let mut length = 0;
        // SAFETY: a context that was set up, valid slices.
        check(unsafe {
            ffi::EVP_HPKE_CTX_open(
                self.0,
                out.as_mut_ptr(),
                &raw mut length,
                out.len(),
                ciphertext.as_ptr(),
                ciphertext.len(),
                additional.as_ptr(),
                additional.len(),
            )
        })?;
        out.truncate(length);
        Ok(out)
    }

    /// A secret of `length` bytes for this context string.
    pub fn export(&self, context: &[u8], length: usize) -> Result<Vec<u8>> {
        /// The longest that HKDF-SHA256 makes; more is refused by the library, and need not be allocated.
        const LONGEST: usize = 255 * 32;
        let room = length.min(LONGEST + 1);
        let mut out = vec![0; room];
        // SAFETY: a context that was set up, valid slices.
        check(unsafe { ffi::EVP_HPKE_CTX_export(self.0, out.as_mut_ptr(), room, context.as_ptr(), context.len()) })?;
        Ok(out)
    }
}
