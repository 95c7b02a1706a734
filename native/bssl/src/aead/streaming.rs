//! Streams: a message in pieces, each encrypted or decrypted as it comes, in constant memory.
//!
//! Additional data comes before data, and no more data than the algorithm allows under one nonce: what is out of order or too much
//! is refused before anything changes.

use super::context::Stream;
use super::held::{MAX_HELD_NONCE, grow};
use super::{Aead, Algorithm, Direction, HELD, MAX_TAG, NO_KEY, NOT_BEGUN, OPENED_AT_ONCE, State, TOO_LONG};
use crate::bytes::InOut;
use crate::chacha::Sealing;
use crate::error::{Error, Result};

impl Aead {
    /// Starts a stream, giving up an unfinished one.
    pub fn begin(&mut self, direction: Direction, nonce: &[u8]) -> Result<()> {
        self.abandon();
        let keyed = self.keyed.as_mut().ok_or(NO_KEY)?;
        self.algorithm.check_nonce(nonce)?;
        match (self.algorithm, direction) {
            (Algorithm::AesGcm, _) => {
                let stream = match &mut keyed.stream {
                    Some(stream) => stream,
                    none => none.insert(Stream::new(keyed.key.get())?),
                };
                stream.begin(direction, nonce)?;
            }
            (Algorithm::ChaCha20Poly1305 | Algorithm::XChaCha20Poly1305, Direction::Seal) => {
                keyed.sealing = Some(Sealing::new(keyed.key.get(), nonce)?);
            }
            _ => {
                self.nonce = [0; MAX_HELD_NONCE];
                self.nonce.iter_mut().zip(nonce).for_each(|(to, from)| *to = *from);
            }
        }
        self.state = State::Additional(direction);
        Ok(())
    }

    pub(super) fn stream(&mut self) -> Result<&mut Stream> {
        self.keyed.as_mut().and_then(|keyed| keyed.stream.as_mut()).ok_or(NOT_BEGUN)
    }

    fn sealing(&mut self) -> Option<&mut Sealing> {
        self.keyed.as_mut().and_then(|keyed| keyed.sealing.as_mut())
    }

    /// Appends additional data, in any number of pieces, before the first data.
    pub fn additional(&mut self, bytes: &[u8]) -> Result<()> {
        match self.state {
            State::Additional(_) if self.algorithm == Algorithm::AesGcm => self.stream()?.additional(bytes),
            State::Additional(_) => {
                if let Some(sealing) = self.sealing() {
                    sealing.additional(bytes);
                } else {
                    grow(&mut self.additional, bytes.len())?;
                    self.additional.extend_from_slice(bytes);
                }
                Ok(())
            }
            State::Data(_) => Err(Error::State("additional data must come before data")),
            State::Idle => Err(NOT_BEGUN),
        }
    }

    /// Counts `length` more bytes of data for a stream of this direction; changes nothing on error.
    pub(super) fn count(&mut self, direction: Direction, length: usize) -> Result<()> {
        if self.state != State::Additional(direction) && self.state != State::Data(direction) {
            return Err(NOT_BEGUN);
        }
        let total = u64::try_from(length).ok().and_then(|length| self.streamed.checked_add(length));
        // What is opened has its tag with it, whose place among the bytes shows at the end only.
        let slack = if direction == Direction::Open { 16 } else { 0 };
        let most = self.algorithm.max_message() + slack;
        self.streamed = total.filter(|total| *total <= most).ok_or(TOO_LONG)?;
        self.state = State::Data(direction);
        Ok(())
    }

    /// Encrypts the next piece, whose ciphertext is as long. Only where the algorithm [`Algorithm::streams`].
    pub fn seal_piece(&mut self, data: InOut<'_>) -> Result<()> {
        if !self.algorithm.streams() {
            return Err(HELD);
        }
        self.count(Direction::Seal, data.len())?;
        match self.sealing() {
            Some(sealing) => sealing.data(data),
            None => self.stream()?.data(data),
        }
    }

    /// Ends encryption that streams. The tag is the first [`Aead::tag_length`] bytes of what is returned.
    pub fn finish_seal(&mut self) -> Result<[u8; MAX_TAG]> {
        if !self.algorithm.streams() {
            return Err(HELD);
        }
        self.count(Direction::Seal, 0)?;
        self.state = State::Idle;
        if let Some(sealing) = self.keyed.as_mut().and_then(|keyed| keyed.sealing.take()) {
            return Ok(sealing.finish());
        }
        let stream = self.stream()?;
        stream.finish()?;
        stream.tag()
    }

    /// Decrypts the next piece, whose plaintext is as long, without holding anything. **Not authenticated yet:** nobody may
    /// see the plaintext before [`Aead::finish_opened`] said that it is, and the caller zeroes it unless that does. Only
    /// where the algorithm [`Algorithm::opens_in_pieces`], and nothing was held.
    pub fn open_piece(&mut self, data: InOut<'_>) -> Result<()> {
        self.check_nothing_held()?;
        let length = u64::try_from(data.len()).map_err(|_| TOO_LONG)?;
        if self.streamed.checked_add(length).is_none_or(|total| total > self.algorithm.max_message()) {
            return Err(TOO_LONG);
        }
        self.count(Direction::Open, data.len())?;
        self.stream()?.data(data)
    }

    /// Ends decryption piece by piece: whether the tag is that of all that was decrypted; [`Error::BadTag`] if not.
    pub fn finish_opened(&mut self, tag: &[u8]) -> Result<()> {
        self.check_nothing_held()?;
        self.count(Direction::Open, 0)?;
        self.state = State::Idle;
        if tag.len() != self.tag_length()? {
            return Err(Error::BadTag);
        }
        let stream = self.stream()?;
        stream.set_tag(tag)?;
        stream.finish().map_err(|_| Error::BadTag.after_clear())
    }

    fn check_nothing_held(&self) -> Result<()> {
        if self.algorithm.opens_in_pieces() && self.held.is_empty() { Ok(()) } else { Err(OPENED_AT_ONCE) }
    }
}
