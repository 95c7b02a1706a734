//! Errors, in the JCA's terms.

use std::ffi::CStr;
use std::fmt;

use boring_sys as ffi;

/// What went wrong. Closed: whoever maps it to exceptions matches every variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// BoringSSL could not allocate.
    OutOfMemory,
    /// BoringSSL failed where nothing but a bug or a broken system explains it; its reasons in words.
    Library(String),
    /// An algorithm parameter (IV, tag length, …) is not acceptable.
    Parameter(&'static str),
    /// A key is malformed, of the wrong kind or size.
    Key(&'static str),
    /// An argument outside what the function accepts.
    Argument(&'static str),
    /// The object is not in a state for this.
    State(&'static str),
    /// The destination is too small; sizes in bytes. Nothing was changed.
    ShortBuffer {
        /// Bytes needed.
        needed: usize,
        /// Bytes there.
        available: usize,
    },
    /// The authentication tag is wrong: no plaintext was released.
    BadTag,
    /// Data whose length does not suit a block cipher or key wrap, or a wrapped key that fails its integrity check.
    BlockSize(&'static str),
    /// A block does not have the padding that it should; deliberately says no more.
    Padding(&'static str),
    /// A certificate cannot be used.
    Certificate(&'static str),
    /// An encapsulated secret is malformed.
    Encapsulation(&'static str),
    /// A signature is malformed (which is more than wrong), or cannot be made.
    Signature(&'static str),
}

/// The crate's result.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfMemory => f.write_str("out of native memory"),
            Self::Library(text) => f.write_str(text),
            Self::Parameter(text)
            | Self::Key(text)
            | Self::Argument(text)
            | Self::State(text)
            | Self::BlockSize(text)
            | Self::Encapsulation(text)
            | Self::Certificate(text)
            | Self::Padding(text)
            | Self::Signature(text) => f.write_str(text),
            Self::ShortBuffer { needed, available } => write!(f, "output needs {needed} bytes, {available} are there"),
            Self::BadTag => f.write_str("authentication tag does not match"),
        }
    }
}

impl std::error::Error for Error {}

/// One entry of BoringSSL's error queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reason {
    pub(crate) library: i32,
    pub(crate) reason: i32,
    packed: u32,
}

impl Reason {
    /// BoringSSL's words for the reason, in lower case (`WRONG_VERSION_NUMBER` → `wrong version number`).
    pub(crate) fn text(self) -> String {
        // SAFETY: any code may be asked for; the answer is null or a static string.
        let text = unsafe {
            let text = ffi::ERR_reason_error_string(self.packed);
            if text.is_null() { None } else { CStr::from_ptr(text).to_str().ok() }
        };
        text.map_or_else(
            || format!("error {}:{}", self.library, self.reason),
            |t| t.to_ascii_lowercase().replace('_', " "),
        )
    }
}

/// Takes the whole error queue of this thread, oldest first.
pub(crate) fn drain() -> Vec<Reason> {
    let mut reasons = Vec::new();
    loop {
        // SAFETY: no preconditions; the queue is thread-local.
        let packed = unsafe { ffi::ERR_get_error() };
        if packed == 0 {
            return reasons;
        }
        let part = |n: u32| i32::try_from(n).unwrap_or(0);
        reasons.push(Reason { library: part((packed >> 24) & 0xff), reason: part(packed & 0xfff), packed });
    }
}

impl Error {
    /// The error queue, taken, as an error: out of memory, or the reasons in words.
    pub(crate) fn take() -> Self {
        let reasons = drain();
        if reasons.iter().any(|r| r.reason == ffi::ERR_R_MALLOC_FAILURE) {
            return Self::OutOfMemory;
        }
        Self::Library(reasons.iter().map(|r| r.text()).collect::<Vec<_>>().join(", "))
    }

    /// `meaning`, unless memory ran out: for failures that have one meaning otherwise.
    pub(crate) fn unless_memory(self, meaning: Self) -> Self {
        if self == Self::OutOfMemory { self } else { meaning }
    }

    /// Empties the queue and answers `self`: for failures whose meaning is known without it.
    pub(crate) fn after_clear(self) -> Self {
        // SAFETY: no preconditions.
        unsafe { ffi::ERR_clear_error() };
        self
    }
}

/// `1` is success; everything else takes the error queue.
pub(crate) fn check(result: i32) -> Result<()> {
    if result == 1 { Ok(()) } else { Err(Error::take()) }
}

/// A pointer that must not be null.
pub(crate) fn check_ptr<T>(pointer: *mut T) -> Result<*mut T> {
    if pointer.is_null() { Err(Error::take()) } else { Ok(pointer) }
}
