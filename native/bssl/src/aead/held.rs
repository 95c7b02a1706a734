//! Held messages: kept until their end where they cannot be worked on before. Plaintext that is held is zeroed when it moves or is given
//! up; ciphertext may leave copies.

use super::{Aead, Algorithm, Direction, MAX_TAG, NO_KEY, NOT_BEGUN, State};
use crate::bytes::{InOut, cleanse};
use crate::error::{Error, Result};

/// Held plaintext and additional data have at least this much room, in bytes.
const HELD_STEP: usize = 4096;

/// The longest nonce but for AES-GCM's, in bytes.
pub(super) const MAX_HELD_NONCE: usize = 24;

impl Aead {
    /// Appends to what is held. Opening, it is ciphertext and, at the end, tag, kept here until [`Aead::finish_open`] or
    /// [`Aead::take_held`], as no plaintext may be seen before the tag was. Sealing, where the algorithm does not stream, it is
    /// plaintext, kept until [`Aead::finish_held_seal`].
    ///
    /// Total cost is linear in the bytes held: room grows geometrically.
    pub fn hold(&mut self, bytes: &[u8]) -> Result<()> {
        let seals = matches!(self.state, State::Additional(Direction::Seal) | State::Data(Direction::Seal));
        let direction = if seals && !self.algorithm.streams() { Direction::Seal } else { Direction::Open };
        self.count(direction, bytes.len())?;
        match direction {
            Direction::Seal => grow(&mut self.held, bytes.len())?,
            // Ciphertext is no secret: it may leave copies when it moves, which large memory does by other pages.
            Direction::Open => self.held.try_reserve(bytes.len()).map_err(|_| Error::OutOfMemory)?,
        }
        self.held.extend_from_slice(bytes);
        Ok(())
    }

    /// Bytes held.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// Takes back, and zeroes, the last `length` bytes of what was held.
    pub fn unhold(&mut self, length: usize) {
        let keep = self.held.len().saturating_sub(length);
        cleanse(self.held.get_mut(keep..).unwrap_or_default());
        self.held.truncate(keep);
        self.streamed = self.streamed.saturating_sub(u64::try_from(length).unwrap_or(u64::MAX));
    }

    /// Takes all that is held, ciphertext and tag, to be opened piece by piece: nothing is held then, nor counted.
    pub fn take_held(&mut self) -> Vec<u8> {
        let held = std::mem::take(&mut self.held);
        self.streamed = self.streamed.saturating_sub(u64::try_from(held.len()).unwrap_or(u64::MAX));
        held
    }

    /// Ends encryption that was held. Answers ciphertext and tag, which are here until [`Aead::abandon`] or the next
    /// [`Aead::begin`]. After an error nothing is kept.
    pub fn finish_held_seal(&mut self) -> Result<&[u8]> {
        if self.algorithm.streams() {
            return Err(NOT_BEGUN);
        }
        self.count(Direction::Seal, 0)?;
        self.state = State::Idle;
        match self.seal_held() {
            Ok(()) => Ok(&self.held),
            Err(error) => {
                self.abandon();
                Err(error)
            }
        }
    }

    fn seal_held(&mut self) -> Result<()> {
        let keyed = self.keyed.as_ref().ok_or(NO_KEY)?;
        grow(&mut self.held, MAX_TAG)?;
        let nonce = held_nonce(self.algorithm, &self.nonce);
        let tag = keyed.one_step.seal(nonce, &self.additional, InOut::in_place(&mut self.held))?;
        self.held.extend(tag.iter().take(keyed.tag_length));
        Ok(())
    }

    /// Ends decryption: the last bytes held are the tag. Answers the plaintext, which is here until [`Aead::abandon`]
    /// or the next [`Aead::begin`]. If the tag is wrong or not all there the answer is [`Error::BadTag`] and nothing
    /// is kept.
    pub fn finish_open(&mut self) -> Result<&[u8]> {
        self.count(Direction::Open, 0)?;
        self.state = State::Idle;
        let result = self.open_held();
        match result {
            Ok(length) => self.held.get(..length).ok_or(Error::BadTag),
            Err(error) => {
                self.abandon();
                Err(error)
            }
        }
    }

    fn open_held(&mut self) -> Result<usize> {
        let tag_length = self.tag_length()?;
        let length = self.held.len().checked_sub(tag_length).ok_or(Error::BadTag)?;
        let keyed = self.keyed.as_mut().ok_or(NO_KEY)?;
        let (data, tag) = self.held.split_at_mut_checked(length).ok_or(Error::BadTag)?;
        if self.algorithm == Algorithm::AesGcm {
            let stream = keyed.stream.as_mut().ok_or(NOT_BEGUN)?;
            stream.set_tag(tag)?;
            stream.data(InOut::in_place(data))?;
            stream.finish().map_err(|_| Error::BadTag.after_clear())?;
        } else {
            let nonce = held_nonce(self.algorithm, &self.nonce);
            keyed.one_step.open(nonce, &self.additional, InOut::in_place(data), tag)?;
        }
        Ok(length)
    }

    /// Zeroes what is held (it may be plaintext) and gives the memory back.
    pub(super) fn release_held(&mut self) {
        for bytes in [&mut self.held, &mut self.additional] {
            cleanse(bytes);
            *bytes = Vec::new();
        }
    }
}

/// Makes room for `length` more bytes, geometrically. What was there is zeroed when it moves.
pub(super) fn grow(bytes: &mut Vec<u8>, length: usize) -> Result<()> {
    let start = bytes.len();
    let needed = start.checked_add(length).ok_or(Error::OutOfMemory)?;
    if needed > bytes.capacity() {
        let room = needed.max(start.saturating_mul(2)).max(HELD_STEP);
        let mut larger = Vec::new();
        larger.try_reserve_exact(room).map_err(|_| Error::OutOfMemory)?;
        larger.extend_from_slice(bytes);
        cleanse(bytes);
        *bytes = larger;
    }
    Ok(())
}

fn held_nonce(algorithm: Algorithm, nonce: &[u8; MAX_HELD_NONCE]) -> &[u8] {
    let length = match algorithm {
        Algorithm::AesCcm => 13,
        Algorithm::XChaCha20Poly1305 => MAX_HELD_NONCE,
        _ => 12,
    };
    nonce.get(..length).unwrap_or_default()
}
