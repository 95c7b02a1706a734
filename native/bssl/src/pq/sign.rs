//! Signing and verifying, with the message in pieces.
//!
//! ML-DSA streams: what is kept of a message is its representative μ (FIPS 204 section 5.4). SLH-DSA reads the message
//! twice (FIPS 205 algorithm 19), so it is kept in memory, once, and zeroed.

use std::sync::Arc;

use super::key::{PrivateInner, PrivateKey, PublicInner, PublicKey};
use super::{mldsa, slhdsa};
use crate::bytes::cleanse;
use crate::error::{Error, Result};

/// Bytes that a context may have (FIPS 204 section 5.2, FIPS 205 section 10.2).
pub const MAX_CONTEXT: usize = 255;

/// The message so far.
enum Message {
    Streamed { fresh: Box<dyn mldsa::Representative>, state: Box<dyn mldsa::Representative> },
    Kept { context: Vec<u8>, bytes: Vec<u8> },
}

impl Message {
    fn new(public: &PublicKey, context: &[u8]) -> Result<Self> {
        if context.len() > MAX_CONTEXT {
            return Err(Error::Parameter("a context has at most 255 bytes"));
        }
        match &public.inner {
            PublicInner::MlDsa(key) => {
                let fresh = key.begin(context)?;
                Ok(Self::Streamed { state: fresh.copy(), fresh })
            }
            PublicInner::SlhDsa(_) => Ok(Self::Kept { context: context.to_vec(), bytes: Vec::new() }),
            PublicInner::Kem(_) => Err(Error::Key("not a key of a signature algorithm")),
        }
    }

    fn update(&mut self, data: &[u8]) -> Result<()> {
        match self {
            Self::Streamed { state, .. } => state.update(data),
            Self::Kept { bytes, .. } => append(bytes, data)?,
        }
        Ok(())
    }

    /// Back to the empty message.
    fn reset(&mut self) {
        match self {
            Self::Streamed { fresh, state } => *state = fresh.copy(),
            Self::Kept { bytes, .. } => {
                cleanse(bytes);
                *bytes = Vec::new();
            }
        }
    }
}

impl Drop for Message {
    fn drop(&mut self) {
        if let Self::Kept { bytes, .. } = self {
            cleanse(bytes);
        }
    }
}

/// Appends; when there is no room, half as much again is made and what was there is zeroed after the move.
fn append(bytes: &mut Vec<u8>, data: &[u8]) -> Result<()> {
    if data.len() > bytes.capacity() - bytes.len() {
        let needed = bytes.len().checked_add(data.len()).ok_or(Error::OutOfMemory)?;
        let mut larger = Vec::new();
        let room = needed.max(bytes.len().saturating_add(bytes.len() / 2)).max(1024);
        larger.try_reserve_exact(room).map_err(|_| Error::OutOfMemory)?;
        larger.extend_from_slice(bytes);
        cleanse(bytes);
        *bytes = larger;
    }
    bytes.extend_from_slice(data);
    Ok(())
}

/// Signs messages, one after the other, with a key of ML-DSA or SLH-DSA.
pub struct Signer {
    key: Arc<PrivateKey>,
    message: Message,
}

impl Signer {
    /// Begins an empty message with a context of at most 255 bytes, empty for most uses.
    pub fn new(key: Arc<PrivateKey>, context: &[u8]) -> Result<Self> {
        if key.is_destroyed() {
            return Err(Error::State("key is destroyed"));
        }
        let message = Message::new(&key.public_key()?, context)?;
        Ok(Self { key, message })
    }

    /// Appends to the message.
    pub fn update(&mut self, data: &[u8]) -> Result<()> {
        self.message.update(data)
    }

    /// Forgets the message.
    pub fn reset(&mut self) {
        self.message.reset();
    }

    /// The signature of the message, randomised; goes back to the empty message, after a failure too.
    pub fn sign(&mut self) -> Result<Vec<u8>> {
        let result = self.key.with(|secrets| match (&secrets.inner, &mut self.message) {
            (PrivateInner::MlDsa(key), Message::Streamed { state, .. }) => key.sign(&state.finish()),
            (PrivateInner::SlhDsa(key), Message::Kept { context, bytes }) => slhdsa::sign(key, bytes, context),
            _ => Err(Error::Key("not a key of a signature algorithm")),
        });
        self.message.reset();
        result
    }
}

/// Verifies signatures of messages, one after the other, with a key of ML-DSA or SLH-DSA.
pub struct Verifier {
    key: Arc<PublicKey>,
    message: Message,
}

impl Verifier {
    /// Begins an empty message with a context of at most 255 bytes, empty for most uses.
    pub fn new(key: Arc<PublicKey>, context: &[u8]) -> Result<Self> {
        let message = Message::new(&key, context)?;
        Ok(Self { key, message })
    }

    /// Appends to the message.
    pub fn update(&mut self, data: &[u8]) -> Result<()> {
        self.message.update(data)
    }

    /// Forgets the message.
    pub fn reset(&mut self) {
        self.message.reset();
    }

    /// Whether the signature, of any length, is valid for the message; goes back to the empty message.
    pub fn verify(&mut self, signature: &[u8]) -> bool {
        let valid = match (&self.key.inner, &mut self.message) {
            (PublicInner::MlDsa(key), Message::Streamed { state, .. }) => key.verify(&state.finish(), signature),
            (PublicInner::SlhDsa(key), Message::Kept { context, bytes }) => {
                slhdsa::verify(key, bytes, context, signature)
            }
            _ => false,
        };
        self.message.reset();
        valid
    }
}
