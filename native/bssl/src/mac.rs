//! Message authentication codes: HMAC and AES-CMAC under one interface.

use crate::cmac::{self, Cmac};
use crate::digest;
use crate::error::Result;
use crate::hmac::Hmac;

/// Which code. The numbers cross to Java: those of digests stand for HMAC over them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// HMAC over a digest.
    Hmac(digest::Algorithm),
    /// AES-CMAC.
    AesCmac,
}

/// AES-CMAC's number.
const AES_CMAC: i32 = 100;

impl Algorithm {
    /// The algorithm with this number.
    pub fn from_number(number: i32) -> Result<Self> {
        if number == AES_CMAC { Ok(Self::AesCmac) } else { digest::Algorithm::from_number(number).map(Self::Hmac) }
    }

    /// Length of the code, in bytes; at most [`digest::MAX_LENGTH`].
    pub fn length(self) -> usize {
        match self {
            Self::Hmac(digest) => digest.length(),
            Self::AesCmac => cmac::LENGTH,
        }
    }
}

/// A code being computed; see [`Hmac`] and [`Cmac`].
pub enum Mac {
    /// HMAC.
    Hmac(Hmac),
    /// CMAC.
    Cmac(Cmac),
}

macro_rules! each {
    ($self:expr, $mac:ident => $call:expr) => {
        match $self {
            Self::Hmac($mac) => $call,
            Self::Cmac($mac) => $call,
        }
    };
}

impl Mac {
    /// Without a key yet.
    pub fn new(algorithm: Algorithm) -> Result<Self> {
        match algorithm {
            Algorithm::Hmac(digest) => Hmac::new(digest).map(Self::Hmac),
            Algorithm::AesCmac => Cmac::new().map(Self::Cmac),
        }
    }

    /// Which code this is.
    pub fn algorithm(&self) -> Algorithm {
        match self {
            Self::Hmac(hmac) => Algorithm::Hmac(hmac.algorithm()),
            Self::Cmac(_) => Algorithm::AesCmac,
        }
    }

    /// Takes a key and starts an empty message.
    pub fn set_key(&mut self, key: &[u8]) -> Result<()> {
        each!(self, mac => mac.set_key(key))
    }

    /// An independent copy of key and state.
    pub fn try_clone(&self) -> Result<Self> {
        match self {
            Self::Hmac(hmac) => hmac.try_clone().map(Self::Hmac),
            Self::Cmac(cmac) => cmac.try_clone().map(Self::Cmac),
        }
    }

    /// Back to the empty message under the same key.
    pub fn reset(&mut self) -> Result<()> {
        each!(self, mac => mac.reset())
    }

    /// Makes sure that the message is empty; costs nothing if it is.
    pub fn start(&mut self) -> Result<()> {
        each!(self, mac => mac.start())
    }

    /// Appends `data` to the message.
    pub fn update(&mut self, data: &[u8]) -> Result<()> {
        each!(self, mac => mac.update(data))
    }

    /// Writes the code to the start of `out` and goes back to the empty message; answers the length in bytes.
    pub fn finish(&mut self, out: &mut [u8]) -> Result<usize> {
        each!(self, mac => mac.finish(out))
    }
}
