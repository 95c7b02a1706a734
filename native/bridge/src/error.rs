//! The one table from errors to Java exceptions.

use std::ffi::CStr;
use std::fmt;

/// Why a native failed. Closed on purpose: a new variant does not compile until it has a Java class below.
#[derive(Debug)]
pub(crate) enum Error {
    /// A Java exception is pending already (an allocation by the JVM failed, say).
    Pending,
    /// A required reference was null; the argument's name.
    Null(&'static str),
    /// A handle was zero: never made, or freed.
    NullHandle(&'static str),
    /// A handle of another type was passed.
    WrongHandle(&'static str),
    /// Another thread is inside the same object.
    InUse(&'static str),
    /// An offset or a length outside an array or a buffer.
    Range { offset: i64, length: i64, available: i64 },
    /// A buffer that is not direct.
    NotDirect(&'static str),
    /// An argument that the caller may not pass.
    Argument(&'static str),
    /// What the safe crate reported.
    Bssl(bssl::Error),
    /// A panic: our own fault.
    Panic(String),
}

impl From<bssl::Error> for Error {
    fn from(error: bssl::Error) -> Self {
        Self::Bssl(error)
    }
}

impl Error {
    /// The exception's class (all have a `(String)` constructor); `None` when one is pending already.
    pub(crate) fn java_class(&self) -> Option<&'static CStr> {
        Some(match self {
            Self::Pending => return None,
            Self::Null(_) => c"java/lang/NullPointerException",
            Self::NullHandle(_) | Self::WrongHandle(_) | Self::InUse(_) => c"java/lang/IllegalStateException",
            Self::Range { .. } => c"java/lang/IndexOutOfBoundsException",
            Self::NotDirect(_) | Self::Argument(_) => c"java/lang/IllegalArgumentException",
            Self::Panic(_) => c"java/security/ProviderException",
            Self::Bssl(error) => match error {
                bssl::Error::OutOfMemory => c"java/lang/OutOfMemoryError",
                bssl::Error::Library(_) => c"java/security/ProviderException",
                bssl::Error::Parameter(_) => c"java/security/InvalidAlgorithmParameterException",
                bssl::Error::Key(_) => c"java/security/InvalidKeyException",
                bssl::Error::Argument(_) => c"java/lang/IllegalArgumentException",
                bssl::Error::State(_) => c"java/lang/IllegalStateException",
                bssl::Error::ShortBuffer { .. } => c"javax/crypto/ShortBufferException",
                bssl::Error::BadTag => c"javax/crypto/AEADBadTagException",
                bssl::Error::BlockSize(_) => c"javax/crypto/IllegalBlockSizeException",
                bssl::Error::Encapsulation(_) => c"java/security/GeneralSecurityException",
                bssl::Error::Certificate(_) => c"java/security/cert/CertificateException",
                bssl::Error::Padding(_) => c"javax/crypto/BadPaddingException",
                bssl::Error::Signature(_) => c"java/security/SignatureException",
            },
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pending => f.write_str("a Java exception is pending"),
            Self::Null(name) => f.write_str(name),
            Self::NullHandle(name) => write!(f, "{name} is closed"),
            Self::WrongHandle(name) => write!(f, "not a handle of {name}"),
            Self::InUse(name) => write!(f, "{name} is in use by another thread"),
            Self::Range { offset, length, available } => {
                write!(f, "offset {offset}, length {length}, available {available}")
            }
            Self::NotDirect(name) => write!(f, "{name} is not a direct buffer"),
            Self::Argument(text) => f.write_str(text),
            Self::Bssl(error) => error.fmt(f),
            Self::Panic(text) => f.write_str(text),
        }
    }
}
