//! BoringSSL as Conscrypt's Java sees it: thin safe wrappers of the objects and functions that its natives are named after.
//!
//! Here objects have C's life cycle (made empty, initialised, initialised again) and errors are BoringSSL's own ([`Fault`]): that
//! Java chooses exceptions by library and reason. The rest of this crate is better for anything else.

use std::ffi::{CStr, c_int};

use boring_sys as ffi;

pub mod aead;
pub mod asn1;
pub mod cipher;
pub mod crl;
pub mod digest;
pub mod ec;
pub mod hpke;
pub mod mac;
pub mod number;
pub mod ocsp;
pub mod opaque;
pub mod pkcs7;
pub mod pkey;
pub mod raw;
pub mod rsa;
pub mod suites;
pub mod table;
pub mod tls;
pub mod x509;

/// A part of BoringSSL that reports errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// `ERR_LIB_RSA`.
    Rsa,
    /// `ERR_LIB_ASN1`.
    Asn1,
    /// `ERR_LIB_CIPHER`.
    Cipher,
    /// `ERR_LIB_EVP`.
    Evp,
    /// `ERR_LIB_X509`.
    X509,
    /// `ERR_LIB_DSA`.
    Dsa,
    /// `ERR_LIB_CRYPTO`.
    Crypto,
    /// `ERR_LIB_SSL`.
    Ssl,
    /// `ERR_LIB_EC`.
    Ec,
    /// `ERR_LIB_ECDSA`.
    Ecdsa,
    /// `ERR_LIB_PEM`.
    Pem,
    /// Any other.
    Other,
}

/// BoringSSL's reasons, by library.
pub mod reason {
    use boring_sys as ffi;

    macro_rules! reasons {
        ($($name:ident = $value:expr),* $(,)?) => { $(
            #[doc = concat!("`", stringify!($value), "`.")]
            pub const $name: i32 = $value;
        )* };
    }
    reasons! {
        INTERNAL_ERROR = ffi::ERR_R_INTERNAL_ERROR,
        SHOULD_NOT_HAVE_BEEN_CALLED = ffi::ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED,
        INVALID_ARGUMENT = -1,
        RSA_BLOCK_TYPE_IS_NOT_01 = ffi::RSA_R_BLOCK_TYPE_IS_NOT_01,
        RSA_PKCS_DECODING_ERROR = ffi::RSA_R_PKCS_DECODING_ERROR,
        RSA_BAD_SIGNATURE = ffi::RSA_R_BAD_SIGNATURE,
        RSA_INVALID_MESSAGE_LENGTH = ffi::RSA_R_INVALID_MESSAGE_LENGTH,
        RSA_WRONG_SIGNATURE_LENGTH = ffi::RSA_R_WRONG_SIGNATURE_LENGTH,
        RSA_UNKNOWN_ALGORITHM_TYPE = ffi::RSA_R_UNKNOWN_ALGORITHM_TYPE,
        RSA_MODULUS_TOO_LARGE = ffi::RSA_R_MODULUS_TOO_LARGE,
        RSA_NO_PUBLIC_EXPONENT = ffi::RSA_R_NO_PUBLIC_EXPONENT,
        RSA_DATA_TOO_LARGE = ffi::RSA_R_DATA_TOO_LARGE,
        RSA_DATA_TOO_LARGE_FOR_MODULUS = ffi::RSA_R_DATA_TOO_LARGE_FOR_MODULUS,
        RSA_DATA_TOO_LARGE_FOR_KEY_SIZE = ffi::RSA_R_DATA_TOO_LARGE_FOR_KEY_SIZE,
        ASN1_UNSUPPORTED_PUBLIC_KEY_TYPE = ffi::ASN1_R_UNSUPPORTED_PUBLIC_KEY_TYPE,
        ASN1_WRONG_PUBLIC_KEY_TYPE = ffi::ASN1_R_WRONG_PUBLIC_KEY_TYPE,
        ASN1_DIGEST_AND_KEY_TYPE_NOT_SUPPORTED = ffi::ASN1_R_DIGEST_AND_KEY_TYPE_NOT_SUPPORTED,
        ASN1_UNKNOWN_SIGNATURE_ALGORITHM = ffi::ASN1_R_UNKNOWN_SIGNATURE_ALGORITHM,
        ASN1_UNKNOWN_MESSAGE_DIGEST_ALGORITHM = ffi::ASN1_R_UNKNOWN_MESSAGE_DIGEST_ALGORITHM,
        CIPHER_BAD_DECRYPT = ffi::CIPHER_R_BAD_DECRYPT,
        CIPHER_DATA_NOT_MULTIPLE_OF_BLOCK_LENGTH = ffi::CIPHER_R_DATA_NOT_MULTIPLE_OF_BLOCK_LENGTH,
        CIPHER_WRONG_FINAL_BLOCK_LENGTH = ffi::CIPHER_R_WRONG_FINAL_BLOCK_LENGTH,
        CIPHER_BAD_KEY_LENGTH = ffi::CIPHER_R_BAD_KEY_LENGTH,
        CIPHER_UNSUPPORTED_KEY_SIZE = ffi::CIPHER_R_UNSUPPORTED_KEY_SIZE,
        CIPHER_INVALID_KEY_LENGTH = ffi::CIPHER_R_INVALID_KEY_LENGTH,
        CIPHER_BUFFER_TOO_SMALL = ffi::CIPHER_R_BUFFER_TOO_SMALL,
        EVP_MISSING_PARAMETERS = ffi::EVP_R_MISSING_PARAMETERS,
        EVP_INVALID_PEER_KEY = ffi::EVP_R_INVALID_PEER_KEY,
        EVP_DECODE_ERROR = ffi::EVP_R_DECODE_ERROR,
        EVP_NOT_A_PRIVATE_KEY = ffi::EVP_R_NOT_A_PRIVATE_KEY,
        EVP_UNSUPPORTED_ALGORITHM = ffi::EVP_R_UNSUPPORTED_ALGORITHM,
        EVP_INVALID_BUFFER_SIZE = ffi::EVP_R_INVALID_BUFFER_SIZE,
        EVP_BUFFER_TOO_SMALL = ffi::EVP_R_BUFFER_TOO_SMALL,
        EVP_INVALID_CIPHERTEXT_LENGTH = ffi::EVP_R_INVALID_CIPHERTEXT_LENGTH,
        EVP_INVALID_ENTROPY_LENGTH = ffi::EVP_R_INVALID_ENTROPY_LENGTH,
        EVP_UNKNOWN_PUBLIC_KEY_TYPE = ffi::EVP_R_UNKNOWN_PUBLIC_KEY_TYPE,
        X509_UNSUPPORTED_ALGORITHM = ffi::X509_R_UNSUPPORTED_ALGORITHM,
        EC_UNKNOWN_GROUP = ffi::EC_R_UNKNOWN_GROUP,
        ECDSA_BAD_SIGNATURE = ffi::ECDSA_R_BAD_SIGNATURE,
        PEM_NO_START_LINE = ffi::PEM_R_NO_START_LINE,
    }
}

/// One entry of BoringSSL's error queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Who reports it.
    pub library: Library,
    /// What: see [`mod@reason`].
    pub reason: i32,
    /// The entry in BoringSSL's words (`ERR_error_string_n`).
    pub text: String,
}

impl Entry {
    /// Whether it is this one.
    pub fn is(&self, library: Library, reason: i32) -> bool {
        self.library == library && self.reason == reason
    }
}

/// A failure: BoringSSL's error queue of that moment, oldest first, taken. It may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault(Vec<Entry>);

/// A result with BoringSSL's own errors.
pub type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    /// Takes the whole queue of this thread.
    pub(crate) fn take() -> Self {
        let mut entries = Vec::new();
        loop {
            // SAFETY: no preconditions; the queue is thread-local.
            let packed = unsafe { ffi::ERR_get_error() };
            if packed == 0 {
                return Self(entries);
            }
            entries.push(entry(packed));
        }
    }

    /// A failure of which BoringSSL says nothing.
    pub(crate) fn silent() -> Self {
        clear();
        Self(Vec::new())
    }

    /// An object that is not ready for this: C would follow a null pointer.
    pub(crate) fn state(text: &str) -> Self {
        Self(vec![Entry {
            library: Library::Other,
            reason: reason::SHOULD_NOT_HAVE_BEEN_CALLED,
            text: text.to_owned(),
        }])
    }

    /// An object that failed before: newer revisions of BoringSSL refuse to go on, and so does this.
    pub(crate) fn after_failure(library: Library) -> Self {
        let text = "function should not have been called".to_owned();
        Self(vec![Entry { library, reason: reason::SHOULD_NOT_HAVE_BEEN_CALLED, text }])
    }

    /// An argument that C would believe.
    pub(crate) fn argument(text: &str) -> Self {
        Self(vec![Entry { library: Library::Other, reason: reason::INVALID_ARGUMENT, text: text.to_owned() }])
    }

    /// The oldest entry, which names the cause.
    pub fn first(&self) -> Option<&Entry> {
        self.0.first()
    }

    /// All entries, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// The newest entry.
    pub fn last(&self) -> Option<&Entry> {
        self.0.last()
    }
}

fn entry(packed: u32) -> Entry {
    let number = i32::try_from((packed >> 24) & 0xff).unwrap_or(0);
    let library = |of: u32| i32::try_from(of).unwrap_or(-1) == number;
    let known = [
        (ffi::ERR_LIB_RSA.0, Library::Rsa),
        (ffi::ERR_LIB_ASN1.0, Library::Asn1),
        (ffi::ERR_LIB_CIPHER.0, Library::Cipher),
        (ffi::ERR_LIB_EVP.0, Library::Evp),
        (ffi::ERR_LIB_X509.0, Library::X509),
        (ffi::ERR_LIB_DSA.0, Library::Dsa),
        (ffi::ERR_LIB_CRYPTO.0, Library::Crypto),
        (ffi::ERR_LIB_SSL.0, Library::Ssl),
        (ffi::ERR_LIB_EC.0, Library::Ec),
        (ffi::ERR_LIB_ECDSA.0, Library::Ecdsa),
        (ffi::ERR_LIB_PEM.0, Library::Pem),
    ];
    let mut text = [0; 256];
    // SAFETY: a buffer and its length; the text is cut to fit and terminated.
    let text = unsafe {
        ffi::ERR_error_string_n(packed, text.as_mut_ptr(), text.len());
        CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned()
    };
    Entry {
        library: known.iter().find(|(code, _)| library(*code)).map_or(Library::Other, |(_, library)| *library),
        reason: i32::try_from(packed & 0xfff).unwrap_or(0),
        text,
    }
}

/// Empties the error queue: for functions that report what is no error here.
pub(crate) fn clear() {
    // SAFETY: no preconditions.
    unsafe { ffi::ERR_clear_error() };
}

/// Positive is success.
pub(crate) fn check(result: c_int) -> Result<()> {
    if result > 0 { Ok(()) } else { Err(Fault::take()) }
}

/// A pointer that must not be null.
pub(crate) fn check_ptr<T>(pointer: *mut T) -> Result<*mut T> {
    if pointer.is_null() { Err(Fault::take()) } else { Ok(pointer) }
}

/// Bytes that an `i2d` function writes.
///
/// # Safety
/// `i2d` may be called with null, and with a pointer to as many bytes as it then said.
pub(crate) unsafe fn encode(i2d: impl Fn(*mut *mut u8) -> c_int) -> Result<Vec<u8>> {
    let length = usize::try_from(i2d(std::ptr::null_mut())).map_err(|_| Fault::take())?;
    let mut bytes = vec![0; length];
    let mut at = bytes.as_mut_ptr();
    if i2d(&raw mut at) < 0 {
        return Err(Fault::take());
    }
    Ok(bytes)
}

/// Bytes that a function writes into a `CBB`.
pub(crate) fn with_cbb(write: impl FnOnce(*mut ffi::CBB) -> bool) -> Result<Vec<u8>> {
    // SAFETY: a zeroed CBB may be initialised and cleaned up; finished, its bytes are ours and freed after they are copied.
    unsafe {
        let mut cbb: ffi::CBB = std::mem::zeroed();
        check(ffi::CBB_init(&raw mut cbb, 64))?;
        let (mut data, mut length) = (std::ptr::null_mut(), 0);
        if !write(&raw mut cbb) || ffi::CBB_finish(&raw mut cbb, &raw mut data, &raw mut length) != 1 {
            let fault = Fault::take();
            ffi::CBB_cleanup(&raw mut cbb);
            return Err(fault);
        }
        let bytes = bytes(data, length).to_vec();
        ffi::OPENSSL_free(data.cast());
        Ok(bytes)
    }
}

/// A `CBS` over `bytes`, valid as long as they are.
pub(crate) fn cbs(bytes: &[u8]) -> ffi::CBS {
    ffi::CBS { data: bytes.as_ptr(), len: bytes.len() }
}

/// C's bytes as a slice; null is empty.
///
/// # Safety
/// `length` bytes at `data` live and do not change as long as the result.
pub(crate) unsafe fn bytes<'a>(data: *const u8, length: usize) -> &'a [u8] {
    if data.is_null() || length == 0 {
        return &[];
    }
    // SAFETY: promise of the caller.
    unsafe { std::slice::from_raw_parts(data, length) }
}

/// What `write` writes into a memory BIO, and whether it says that it succeeded.
pub(crate) fn print(write: impl FnOnce(*mut ffi::BIO) -> bool) -> (Vec<u8>, Result<()>) {
    // SAFETY: a fresh memory BIO, freed once; its contents are copied before.
    unsafe {
        let bio = ffi::BIO_new(ffi::BIO_s_mem());
        if bio.is_null() {
            return (Vec::new(), Err(Fault::take()));
        }
        let result = if write(bio) { Ok(()) } else { Err(Fault::take()) };
        let (mut data, mut length) = (std::ptr::null(), 0);
        ffi::BIO_mem_contents(bio, &raw mut data, &raw mut length);
        let text = bytes(data, length).to_vec();
        ffi::BIO_free_all(bio);
        (text, result)
    }
}

/// Lets `read` read `input` through a BIO.
pub(crate) fn parse<T>(input: &[u8], read: impl FnOnce(*mut ffi::BIO) -> Result<T>) -> Result<T> {
    let length = isize::try_from(input.len()).map_err(|_| Fault::silent())?;
    // SAFETY: a read-only BIO over the slice, freed before the slice ends.
    unsafe {
        let bio = check_ptr(ffi::BIO_new_mem_buf(input.as_ptr().cast(), length))?;
        let result = read(bio);
        ffi::BIO_free_all(bio);
        result
    }
}

/// A wrapper that owns a pointer and frees it when dropped.
macro_rules! owned {
    ($(#[$meta:meta])* $vis:vis $name:ident($type:ty), $free:path) => {
        $(#[$meta])*
        #[derive(Debug)]
        $vis struct $name(*mut $type);

        impl $name {
            /// Takes ownership.
            #[allow(dead_code, reason = "not every kind is made so")]
            pub(crate) fn own(pointer: *mut $type) -> $crate::conscrypt::Result<Self> {
                $crate::conscrypt::check_ptr(pointer).map(Self)
            }

            #[allow(dead_code, reason = "not every kind is asked")]
            pub(crate) fn as_ptr(&self) -> *mut $type {
                self.0
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: owned, freed once.
                unsafe { $free(self.0) };
            }
        }

        // SAFETY: belongs to no thread.
        unsafe impl Send for $name {}
    };
}
pub(crate) use owned;
