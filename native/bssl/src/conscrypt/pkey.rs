//! `EVP_PKEY`, its encodings, and `EVP_PKEY_CTX`.

use std::ffi::c_int;

use boring_sys as ffi;

use super::digest::Md;
use super::{Fault, Result, check, clear, owned, parse, print, with_cbb};

owned! {
    /// An `EVP_PKEY`: immutable.
    pub PKey(ffi::EVP_PKEY), ffi::EVP_PKEY_free
}

// SAFETY: nothing changes a key after construction but what BoringSSL locks.
unsafe impl Sync for PKey {}

/// `EVP_PKEY` types of keys with an `EVP_PKEY_ALG`.
fn algorithm(id: c_int) -> Option<*const ffi::EVP_PKEY_ALG> {
    // SAFETY: no preconditions; each answers a static table.
    let algorithm = unsafe {
        match id {
            ffi::EVP_PKEY_ED25519 => ffi::EVP_pkey_ed25519(),
            ffi::EVP_PKEY_X25519 => ffi::EVP_pkey_x25519(),
            ffi::EVP_PKEY_ML_DSA_44 => ffi::EVP_pkey_ml_dsa_44(),
            ffi::EVP_PKEY_ML_DSA_65 => ffi::EVP_pkey_ml_dsa_65(),
            ffi::EVP_PKEY_ML_DSA_87 => ffi::EVP_pkey_ml_dsa_87(),
            _ => return None,
        }
    };
    Some(algorithm)
}

/// `None`: there is no such algorithm.
fn algorithms(ids: &[i32]) -> Option<Vec<*const ffi::EVP_PKEY_ALG>> {
    ids.iter().map(|id| algorithm(*id)).collect()
}

impl PKey {
    /// The same key, counted once more.
    pub(super) fn share(&self) -> Self {
        // SAFETY: a live key.
        unsafe { ffi::EVP_PKEY_up_ref(self.as_ptr()) };
        Self(self.0)
    }

    /// From the start of PKCS#8; what follows is ignored.
    pub fn from_pkcs8_prefix(der: &[u8]) -> Result<Self> {
        let mut cbs = super::cbs(der);
        // SAFETY: a CBS over a valid slice.
        Self::own(unsafe { ffi::EVP_parse_private_key(&raw mut cbs) })
    }

    /// From the start of a SubjectPublicKeyInfo; what follows is ignored.
    pub fn from_spki_prefix(der: &[u8]) -> Result<Self> {
        let mut cbs = super::cbs(der);
        // SAFETY: a CBS over a valid slice.
        Self::own(unsafe { ffi::EVP_parse_public_key(&raw mut cbs) })
    }

    /// From PKCS#8 of one of the types; `None` if there is no such type.
    pub fn from_private_key_info(der: &[u8], types: &[i32]) -> Option<Result<Self>> {
        let algorithms = algorithms(types)?;
        // SAFETY: valid slices.
        Some(Self::own(unsafe {
            ffi::EVP_PKEY_from_private_key_info(der.as_ptr(), der.len(), algorithms.as_ptr(), algorithms.len())
        }))
    }

    /// From a SubjectPublicKeyInfo of one of the types; `None` if there is no such type.
    pub fn from_subject_public_key_info(der: &[u8], types: &[i32]) -> Option<Result<Self>> {
        let algorithms = algorithms(types)?;
        // SAFETY: valid slices.
        Some(Self::own(unsafe {
            ffi::EVP_PKEY_from_subject_public_key_info(der.as_ptr(), der.len(), algorithms.as_ptr(), algorithms.len())
        }))
    }

    /// From the bytes of an X25519 or Ed25519 private key; `None` for another type.
    pub fn from_raw_private(id: i32, bytes: &[u8]) -> Option<Result<Self>> {
        if !matches!(id, ffi::EVP_PKEY_ED25519 | ffi::EVP_PKEY_X25519) {
            return None;
        }
        let algorithm = algorithm(id)?;
        // SAFETY: a static table, a valid slice.
        Some(Self::own(unsafe { ffi::EVP_PKEY_from_raw_private_key(algorithm, bytes.as_ptr(), bytes.len()) }))
    }

    /// From the bytes of a public key; `None` for a type without such bytes.
    pub fn from_raw_public(id: i32, bytes: &[u8]) -> Option<Result<Self>> {
        let algorithm = algorithm(id)?;
        // SAFETY: a static table, a valid slice.
        Some(Self::own(unsafe { ffi::EVP_PKEY_from_raw_public_key(algorithm, bytes.as_ptr(), bytes.len()) }))
    }

    /// From the seed of an ML-DSA key; `None` for another type.
    pub fn from_private_seed(id: i32, seed: &[u8]) -> Option<Result<Self>> {
        if matches!(id, ffi::EVP_PKEY_ED25519 | ffi::EVP_PKEY_X25519) {
            return None;
        }
        let algorithm = algorithm(id)?;
        // SAFETY: a static table, a valid slice.
        Some(Self::own(unsafe { ffi::EVP_PKEY_from_private_seed(algorithm, seed.as_ptr(), seed.len()) }))
    }

    /// The first public key of PEM text.
    pub fn public_from_pem(text: &[u8]) -> Result<Self> {
        parse(text, |bio| {
            // SAFETY: a live BIO; no password callback data.
            Self::own(unsafe { ffi::PEM_read_bio_PUBKEY(bio, std::ptr::null_mut(), None, std::ptr::null_mut()) })
        })
    }

    /// The first private key of PEM text. There is no password for encrypted ones.
    pub fn private_from_pem(text: &[u8]) -> Result<Self> {
        parse(text, |bio| {
            // SAFETY: a live BIO; no password callback data.
            Self::own(unsafe {
                ffi::PEM_read_bio_PrivateKey(bio, std::ptr::null_mut(), Some(no_password), std::ptr::null_mut())
            })
        })
    }

    /// PKCS#8.
    pub fn to_pkcs8(&self) -> Result<Vec<u8>> {
        // SAFETY: a live CBB and key.
        with_cbb(|cbb| unsafe { ffi::EVP_marshal_private_key(cbb, self.as_ptr()) == 1 })
    }

    /// A SubjectPublicKeyInfo.
    pub fn to_spki(&self) -> Result<Vec<u8>> {
        // SAFETY: a live CBB and key.
        with_cbb(|cbb| unsafe { ffi::EVP_marshal_public_key(cbb, self.as_ptr()) == 1 })
    }

    /// The bytes of a private key that has such.
    pub fn raw_private(&self) -> Result<Vec<u8>> {
        // SAFETY: a live key; a buffer of the length that it asks for.
        raw(|out, length| unsafe { ffi::EVP_PKEY_get_raw_private_key(self.as_ptr(), out, length) })
    }

    /// The bytes of a public key that has such.
    pub fn raw_public(&self) -> Result<Vec<u8>> {
        // SAFETY: a live key; a buffer of the length that it asks for.
        raw(|out, length| unsafe { ffi::EVP_PKEY_get_raw_public_key(self.as_ptr(), out, length) })
    }

    /// The seed of a private key that has one.
    pub fn private_seed(&self) -> Result<Vec<u8>> {
        // SAFETY: a live key; a buffer of the length that it asks for.
        raw(|out, length| unsafe { ffi::EVP_PKEY_get_private_seed(self.as_ptr(), out, length) })
    }

    /// Its type (`EVP_PKEY_id`).
    pub fn id(&self) -> i32 {
        // SAFETY: a live key.
        unsafe { ffi::EVP_PKEY_id(self.as_ptr()) }
    }

    /// Whether it signs messages itself, without a separate digest: Ed25519 and ML-DSA.
    pub fn signs_messages(&self) -> bool {
        matches!(
            self.id(),
            ffi::EVP_PKEY_ED25519 | ffi::EVP_PKEY_ML_DSA_44 | ffi::EVP_PKEY_ML_DSA_65 | ffi::EVP_PKEY_ML_DSA_87
        )
    }

    /// Whether it is an X25519 key.
    pub fn is_x25519(&self) -> bool {
        self.id() == ffi::EVP_PKEY_X25519
    }

    /// 1 if both have the same public key and parameters, 0 if not, negative for keys that cannot be compared.
    pub fn compare(&self, other: &Self) -> i32 {
        // SAFETY: live keys.
        let result = unsafe { ffi::EVP_PKEY_cmp(self.as_ptr(), other.as_ptr()) };
        clear();
        result
    }

    /// The public key in words.
    pub fn print_public(&self) -> Result<Vec<u8>> {
        // SAFETY: a live BIO and key.
        let (text, result) =
            print(|bio| unsafe { ffi::EVP_PKEY_print_public(bio, self.as_ptr(), 0, std::ptr::null_mut()) == 1 });
        result.map(|()| text)
    }

    /// The parameters in words.
    pub fn print_params(&self) -> Result<Vec<u8>> {
        // SAFETY: a live BIO and key.
        let (text, result) =
            print(|bio| unsafe { ffi::EVP_PKEY_print_params(bio, self.as_ptr(), 0, std::ptr::null_mut()) == 1 });
        result.map(|()| text)
    }
}

/// Encrypted keys cannot be read: nobody is there to ask.
unsafe extern "C" fn no_password(
    _buffer: *mut std::ffi::c_char,
    _size: c_int,
    _writing: c_int,
    _data: *mut std::ffi::c_void,
) -> c_int {
    -1
}

/// Asks for the length, then for the bytes.
fn raw(get: impl Fn(*mut u8, *mut usize) -> c_int) -> Result<Vec<u8>> {
    let mut length = 0;
    check(get(std::ptr::null_mut(), &raw mut length))?;
    let mut bytes = vec![0; length];
    check(get(bytes.as_mut_ptr(), &raw mut length))?;
    bytes.truncate(length);
    Ok(bytes)
}

/// A borrowed `EVP_PKEY_CTX`.
#[derive(Debug)]
pub struct PKeyCtxRef(pub(super) *mut ffi::EVP_PKEY_CTX);

impl PKeyCtxRef {
    /// RSA's padding.
    pub fn set_rsa_padding(&mut self, padding: i32) -> Result<()> {
        // SAFETY: a live context.
        check(unsafe { ffi::EVP_PKEY_CTX_set_rsa_padding(self.0, padding) })
    }

    /// Bytes of PSS's salt.
    pub fn set_rsa_pss_salt_length(&mut self, length: i32) -> Result<()> {
        // SAFETY: a live context.
        check(unsafe { ffi::EVP_PKEY_CTX_set_rsa_pss_saltlen(self.0, length) })
    }

    /// MGF1's hash function.
    pub fn set_rsa_mgf1_md(&mut self, md: Md) -> Result<()> {
        // SAFETY: a live context, a static table.
        check(unsafe { ffi::EVP_PKEY_CTX_set_rsa_mgf1_md(self.0, md.as_ptr()) })
    }

    /// OAEP's hash function.
    pub fn set_rsa_oaep_md(&mut self, md: Md) -> Result<()> {
        // SAFETY: a live context, a static table.
        check(unsafe { ffi::EVP_PKEY_CTX_set_rsa_oaep_md(self.0, md.as_ptr()) })
    }

    /// OAEP's label.
    pub fn set_rsa_oaep_label(&mut self, label: &[u8]) -> Result<()> {
        // SAFETY: a live context; it takes the copy on success only.
        unsafe {
            let copy = ffi::OPENSSL_memdup(label.as_ptr().cast(), label.len());
            if copy.is_null() && !label.is_empty() {
                return Err(Fault::take());
            }
            let result = check(ffi::EVP_PKEY_CTX_set0_rsa_oaep_label(self.0, copy.cast(), label.len()));
            if result.is_err() {
                ffi::OPENSSL_free(copy);
            }
            result
        }
    }
}

owned! {
    /// An `EVP_PKEY_CTX` of its own.
    pub PKeyCtx(ffi::EVP_PKEY_CTX), ffi::EVP_PKEY_CTX_free
}

/// Encrypting or decrypting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crypt {
    /// With the public key.
    Encrypt,
    /// With the private key.
    Decrypt,
}

impl PKeyCtx {
    /// Ready to encrypt or decrypt with this key.
    pub fn new(key: &PKey, crypt: Crypt) -> Result<Self> {
        // SAFETY: a live key, which the context counts.
        let context = Self::own(unsafe { ffi::EVP_PKEY_CTX_new(key.as_ptr(), std::ptr::null_mut()) })?;
        let init = match crypt {
            Crypt::Encrypt => ffi::EVP_PKEY_encrypt_init,
            Crypt::Decrypt => ffi::EVP_PKEY_decrypt_init,
        };
        // SAFETY: a live context.
        check(unsafe { init(context.0) })?;
        Ok(context)
    }

    /// As something whose parameters can be set.
    pub fn borrow(&mut self) -> PKeyCtxRef {
        PKeyCtxRef(self.0)
    }

    /// Encrypts or decrypts `input` into the start of `output`; answers the bytes written.
    pub fn crypt(&mut self, crypt: Crypt, input: &[u8], output: &mut [u8]) -> Result<usize> {
        let run = match crypt {
            Crypt::Encrypt => ffi::EVP_PKEY_encrypt,
            Crypt::Decrypt => ffi::EVP_PKEY_decrypt,
        };
        let mut length = output.len();
        // SAFETY: a live context, valid slices; an empty output has a pointer all the same.
        check(unsafe { run(self.0, output.as_mut_ptr(), &raw mut length, input.as_ptr(), input.len()) })?;
        Ok(length)
    }
}
