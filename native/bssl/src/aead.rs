//! Authenticated encryption (RFC 5116): in one step, or streaming.
//!
//! One-step operations use an `EVP_AEAD_CTX`, whose AES-GCM takes nonces of any length although its documentation
//! speaks of 12 bytes only. Where the algorithm allows it, encryption streams in constant memory: AES-GCM through an
//! `EVP_CIPHER_CTX`, ChaCha20-Poly1305 through its two halves. AES-GCM-SIV needs the whole message before the first
//! ciphertext, and BoringSSL has AES-CCM in one step only: these are held. Decryption is too, unless the whole message is
//! at hand and its place for the plaintext can be zeroed again: then AES-GCM needs no more memory than for encryption.

use crate::bytes::{InOut, Secret};
use crate::chacha::Sealing;
use crate::error::{Error, Result};

mod algorithm;
mod context;
mod held;
mod streaming;
#[cfg(test)]
mod tests;

pub use algorithm::Algorithm;
use context::{OneStep, Stream};
use held::MAX_HELD_NONCE;

/// The longest tag, in bytes; what BoringSSL computes of AES-GCM. Shorter tags of it are its first bytes.
pub const MAX_TAG: usize = 16;

/// Whether a stream encrypts or decrypts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Plaintext in, ciphertext and tag out.
    Seal,
    /// Ciphertext and tag in, plaintext out.
    Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    /// Additional data may follow.
    Additional(Direction),
    /// Only data may follow.
    Data(Direction),
}

struct Keyed {
    key: Secret<32>,
    tag_length: usize,
    one_step: OneStep,
    /// AES-GCM's, made when first asked for.
    stream: Option<Stream>,
    /// ChaCha20-Poly1305's, while a message is encrypted.
    sealing: Option<Sealing>,
}

/// An AEAD algorithm under one key at a time, which can be replaced. Everything secret is zeroed when dropped or
/// replaced.
///
/// Nonces are the caller's care: encrypting twice under one key and nonce betrays both plaintexts and, but for
/// AES-GCM-SIV, the authentication key.
pub struct Aead {
    algorithm: Algorithm,
    keyed: Option<Keyed>,
    key_id: i64,
    state: State,
    streamed: u64,
    /// Where the message is held, its nonce and additional data; AES-GCM holds neither.
    nonce: [u8; MAX_HELD_NONCE],
    additional: Vec<u8>,
    held: Vec<u8>,
}

// SAFETY: BoringSSL's contexts belong to no thread; `&mut` guards every change, and sealing and opening through `&`
// only read (aead.h: "may be called concurrently").
unsafe impl Send for Aead {}

impl Aead {
    /// Without a key yet: operations answer [`Error::State`].
    pub fn new(algorithm: Algorithm) -> Self {
        Self {
            algorithm,
            keyed: None,
            key_id: 0,
            state: State::Idle,
            streamed: 0,
            nonce: [0; MAX_HELD_NONCE],
            additional: Vec::new(),
            held: Vec::new(),
        }
    }

    /// Which algorithm this is.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Takes a key and a tag length in bytes, as the [`Algorithm`] says, and forgets what was being streamed. If either
    /// is not acceptable the former key is gone too. Answers a number for [`Aead::check_key_id`], another each time.
    pub fn set_key(&mut self, key: &[u8], tag_length: usize) -> Result<i64> {
        self.abandon();
        self.keyed = None;
        self.key_id = self.key_id.wrapping_add(1);
        self.algorithm.check_tag_length(tag_length)?;
        let one_step = OneStep::new(self.algorithm, key, tag_length)?;
        let key = Secret::new(key).ok_or(Error::Key("the key is too long"))?;
        self.keyed = Some(Keyed { key, tag_length, one_step, stream: None, sealing: None });
        Ok(self.key_id)
    }

    /// Another tag length for the same key, in bytes; forgets what was being streamed. The number of the key stays.
    pub fn set_tag_length(&mut self, tag_length: usize) -> Result<()> {
        self.abandon();
        self.algorithm.check_tag_length(tag_length)?;
        let keyed = self.keyed.as_mut().ok_or(NO_KEY)?;
        if keyed.tag_length != tag_length {
            keyed.one_step = OneStep::new(self.algorithm, keyed.key.get(), tag_length)?;
            keyed.tag_length = tag_length;
        }
        Ok(())
    }

    /// Whether the key is the one that this number and tag length, in bytes, were given for; [`Error::State`] if not. A
    /// caller that remembers which key it gave asks, so that it never works under one that someone else gave meanwhile.
    pub fn check_key_id(&self, key_id: i64, tag_length: usize) -> Result<()> {
        let keyed = self.keyed()?;
        if key_id == self.key_id && tag_length == keyed.tag_length { Ok(()) } else { Err(OTHER_KEY) }
    }

    /// Length of the tag, in bytes.
    pub fn tag_length(&self) -> Result<usize> {
        self.keyed().map(|keyed| keyed.tag_length)
    }

    fn keyed(&self) -> Result<&Keyed> {
        self.keyed.as_ref().ok_or(NO_KEY)
    }

    /// Encrypts `data` in one step (`EVP_AEAD_CTX_seal_scatter`). The tag is the first [`Aead::tag_length`] bytes of
    /// what is returned.
    pub fn seal(&self, nonce: &[u8], additional: &[u8], data: InOut<'_>) -> Result<[u8; MAX_TAG]> {
        let keyed = self.keyed()?;
        self.algorithm.check_nonce(nonce)?;
        if u64::try_from(data.len()).map_or(true, |length| length > self.algorithm.max_message()) {
            return Err(TOO_LONG);
        }
        keyed.one_step.seal(nonce, additional, data)
    }

    /// Decrypts `data` in one step (`EVP_AEAD_CTX_open_gather`). If the tag is wrong the answer is [`Error::BadTag`]
    /// and the whole output is zero.
    pub fn open(&self, nonce: &[u8], additional: &[u8], data: InOut<'_>, tag: &[u8]) -> Result<()> {
        let keyed = self.keyed()?;
        self.algorithm.check_nonce(nonce)?;
        if tag.len() != keyed.tag_length {
            return Err(Error::BadTag);
        }
        keyed.one_step.open(nonce, additional, data, tag)
    }

    /// Forgets what was being streamed; the key stays.
    pub fn abandon(&mut self) {
        self.state = State::Idle;
        self.streamed = 0;
        if let Some(keyed) = &mut self.keyed {
            keyed.sealing = None;
        }
        self.release_held();
    }
}

impl Drop for Aead {
    fn drop(&mut self) {
        self.release_held();
    }
}

const NO_KEY: Error = Error::State("the AEAD has no key");
const OTHER_KEY: Error = Error::State("another thread has changed the key");
const NOT_BEGUN: Error = Error::State("no such AEAD stream was begun");
const HELD: Error = Error::State("this AEAD does not encrypt piece by piece");
const OPENED_AT_ONCE: Error = Error::State("this AEAD does not decrypt piece by piece, or holds some already");
const TOO_LONG: Error = Error::State("the message is longer than the algorithm allows under one nonce");
