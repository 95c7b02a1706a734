//! The exceptions that Conscrypt's Java expects, by BoringSSL's error library and reason.

use std::borrow::Cow;
use std::ffi::{CStr, CString};

use bssl::conscrypt::{Fault, Library, reason};

use super::java;
use crate::boundary::{Env, Raise};

/// A class of exceptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exception {
    NullPointer,
    IllegalArgument,
    IllegalState,
    ArrayIndexOutOfBounds,
    OutOfMemory,
    Runtime,
    Io,
    InvalidKey,
    Signature,
    NoSuchAlgorithm,
    InvalidAlgorithmParameter,
    Certificate,
    BadPadding,
    IllegalBlockSize,
    ShortBuffer,
    Ssl,
    SslHandshake,
    SslProtocol,
    Eof,
    Socket,
    SocketTimeout,
    /// Conscrypt's own, for certificates, keys and CRLs that cannot be parsed.
    Parsing,
}

impl Exception {
    fn class(self) -> Cow<'static, CStr> {
        Cow::Borrowed(match self {
            Self::NullPointer => c"java/lang/NullPointerException",
            Self::IllegalArgument => c"java/lang/IllegalArgumentException",
            Self::IllegalState => c"java/lang/IllegalStateException",
            Self::ArrayIndexOutOfBounds => c"java/lang/ArrayIndexOutOfBoundsException",
            Self::OutOfMemory => c"java/lang/OutOfMemoryError",
            Self::Runtime => c"java/lang/RuntimeException",
            Self::Io => c"java/io/IOException",
            Self::InvalidKey => c"java/security/InvalidKeyException",
            Self::Signature => c"java/security/SignatureException",
            Self::NoSuchAlgorithm => c"java/security/NoSuchAlgorithmException",
            Self::InvalidAlgorithmParameter => c"java/security/InvalidAlgorithmParameterException",
            Self::Certificate => c"java/security/cert/CertificateException",
            Self::BadPadding => c"javax/crypto/BadPaddingException",
            Self::IllegalBlockSize => c"javax/crypto/IllegalBlockSizeException",
            Self::ShortBuffer => c"javax/crypto/ShortBufferException",
            Self::Ssl => c"javax/net/ssl/SSLException",
            Self::SslHandshake => c"javax/net/ssl/SSLHandshakeException",
            Self::SslProtocol => c"javax/net/ssl/SSLProtocolException",
            Self::Eof => c"java/io/EOFException",
            Self::Socket => c"java/net/SocketException",
            Self::SocketTimeout => c"java/net/SocketTimeoutException",
            Self::Parsing => return Cow::Owned(java::class("OpenSSLX509CertificateFactory$ParsingException")),
        })
    }
}

/// Why a native failed.
#[derive(Debug)]
pub(crate) enum Error {
    /// A Java exception is pending already.
    Pending,
    /// This exception, with this message.
    Thrown(Exception, Cow<'static, str>),
    /// What BoringSSL says; this exception if the table has none for it.
    Library(Fault, Exception),
    /// A panic: our own fault.
    Panic(String),
}

impl Error {
    pub(crate) fn new(exception: Exception, message: impl Into<Cow<'static, str>>) -> Self {
        Self::Thrown(exception, message.into())
    }

    pub(crate) fn null(message: &'static str) -> Self {
        Self::new(Exception::NullPointer, message)
    }

    pub(crate) fn argument(message: &'static str) -> Self {
        Self::new(Exception::IllegalArgument, message)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Library(fault, Exception::Runtime)
    }
}

/// From the shared conversions of arrays and buffers.
impl From<crate::error::Error> for Error {
    fn from(error: crate::error::Error) -> Self {
        use crate::error::Error as Shared;
        let exception = match &error {
            Shared::Pending => return Self::Pending,
            Shared::Panic(text) => return Self::Panic(text.clone()),
            Shared::Null(_) => Exception::NullPointer,
            Shared::NullHandle(_) | Shared::WrongHandle(_) | Shared::InUse(_) => Exception::IllegalState,
            Shared::Range { .. } => Exception::ArrayIndexOutOfBounds,
            Shared::NotDirect(_) | Shared::Argument(_) => Exception::IllegalArgument,
            Shared::Bssl(bssl::Error::OutOfMemory) => Exception::OutOfMemory,
            Shared::Bssl(_) => Exception::Runtime,
        };
        Self::new(exception, error.to_string())
    }
}

/// Another exception for what BoringSSL reports.
pub(crate) trait Otherwise<T> {
    /// By the table; `exception` where that says nothing.
    fn otherwise(self, exception: Exception) -> Result<T, Error>;
    /// `exception` with this message, whatever BoringSSL says.
    fn always(self, exception: Exception, message: &'static str) -> Result<T, Error>;
}

impl<T> Otherwise<T> for bssl::conscrypt::Result<T> {
    fn otherwise(self, exception: Exception) -> Result<T, Error> {
        self.map_err(|fault| Error::Library(fault, exception))
    }

    fn always(self, exception: Exception, message: &'static str) -> Result<T, Error> {
        self.map_err(|_| Error::new(exception, message))
    }
}

/// The exception that this library and reason mean to Conscrypt's Java; `None`: what the native says.
fn exception(library: Library, code: i32) -> Option<Exception> {
    Some(match (library, code) {
        (Library::Rsa, reason::RSA_BLOCK_TYPE_IS_NOT_01 | reason::RSA_PKCS_DECODING_ERROR) => Exception::BadPadding,
        (
            Library::Rsa,
            reason::RSA_BAD_SIGNATURE | reason::RSA_INVALID_MESSAGE_LENGTH | reason::RSA_WRONG_SIGNATURE_LENGTH,
        ) => Exception::Signature,
        (Library::Rsa, reason::RSA_UNKNOWN_ALGORITHM_TYPE) => Exception::NoSuchAlgorithm,
        (Library::Rsa, reason::RSA_MODULUS_TOO_LARGE | reason::RSA_NO_PUBLIC_EXPONENT) => Exception::InvalidKey,
        (
            Library::Rsa,
            reason::RSA_DATA_TOO_LARGE
            | reason::RSA_DATA_TOO_LARGE_FOR_MODULUS
            | reason::RSA_DATA_TOO_LARGE_FOR_KEY_SIZE,
        ) => Exception::IllegalBlockSize,

        (Library::Asn1, reason::ASN1_UNSUPPORTED_PUBLIC_KEY_TYPE | reason::ASN1_WRONG_PUBLIC_KEY_TYPE) => {
            Exception::InvalidKey
        }
        (
            Library::Asn1,
            reason::ASN1_DIGEST_AND_KEY_TYPE_NOT_SUPPORTED
            | reason::ASN1_UNKNOWN_SIGNATURE_ALGORITHM
            | reason::ASN1_UNKNOWN_MESSAGE_DIGEST_ALGORITHM,
        ) => Exception::NoSuchAlgorithm,

        (Library::Cipher, reason::CIPHER_BAD_DECRYPT) => Exception::BadPadding,
        (
            Library::Cipher,
            reason::CIPHER_DATA_NOT_MULTIPLE_OF_BLOCK_LENGTH | reason::CIPHER_WRONG_FINAL_BLOCK_LENGTH,
        ) => Exception::IllegalBlockSize,
        (
            Library::Cipher,
            reason::CIPHER_BAD_KEY_LENGTH | reason::CIPHER_UNSUPPORTED_KEY_SIZE | reason::CIPHER_INVALID_KEY_LENGTH,
        ) => Exception::InvalidKey,
        (Library::Cipher, reason::CIPHER_BUFFER_TOO_SMALL) => Exception::ShortBuffer,

        (
            Library::Evp,
            reason::EVP_MISSING_PARAMETERS
            | reason::EVP_INVALID_PEER_KEY
            | reason::EVP_DECODE_ERROR
            | reason::EVP_NOT_A_PRIVATE_KEY
            // Where Conscrypt's revision of BoringSSL says INVALID_PEER_KEY.
            | reason::EVP_INVALID_CIPHERTEXT_LENGTH
            // And where it says DECODE_ERROR.
            | reason::EVP_INVALID_ENTROPY_LENGTH,
        ) => Exception::InvalidKey,
        (Library::Evp, reason::EVP_UNSUPPORTED_ALGORITHM) => Exception::NoSuchAlgorithm,
        (Library::Evp, reason::EVP_INVALID_BUFFER_SIZE | reason::EVP_BUFFER_TOO_SMALL) => Exception::IllegalArgument,

        (Library::X509, reason::X509_UNSUPPORTED_ALGORITHM) => Exception::NoSuchAlgorithm,
        (Library::Dsa, _) => Exception::InvalidKey,
        (Library::Crypto, reason::INTERNAL_ERROR) => Exception::Io,
        (Library::Ssl | Library::Other, reason::SHOULD_NOT_HAVE_BEEN_CALLED) => Exception::IllegalState,
        (Library::Other, reason::INVALID_ARGUMENT) => Exception::IllegalArgument,
        _ => return None,
    })
}

impl Raise for Error {
    fn panic(message: String) -> Self {
        Self::Panic(message)
    }

    fn raise(&self, env: &mut Env<'_>) {
        let (exception, message) = match self {
            Self::Pending => return,
            Self::Thrown(exception, message) => (*exception, Cow::Borrowed(message.as_ref())),
            Self::Panic(text) => return env.throw_new(c"java/security/ProviderException", text),
            Self::Library(fault, default) => match fault.first() {
                Some(entry) => {
                    (exception(entry.library, entry.reason).unwrap_or(*default), Cow::Borrowed(entry.text.as_str()))
                }
                None => (*default, Cow::Borrowed("Unknown BoringSSL error")),
            },
        };
        env.throw_new(&exception.class(), &message);
    }
}

/// `name` as a C string.
pub(crate) fn c_string(name: &str) -> CString {
    CString::new(name).unwrap_or_default()
}
