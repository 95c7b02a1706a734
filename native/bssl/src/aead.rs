//! Authenticated encryption (RFC 5116): in one step, or streaming.
//!
//! One-step operations use an `EVP_AEAD_CTX`, whose AES-GCM takes nonces of any length although its documentation
//! speaks of 12 bytes only. Where the algorithm allows it, encryption streams in constant memory: AES-GCM through an
//! `EVP_CIPHER_CTX`, ChaCha20-Poly1305 through its two halves. AES-GCM-SIV needs the whole message before the first
//! ciphertext, and BoringSSL has AES-CCM in one step only: these are held. Decryption is too, unless the whole message is
//! at hand and its place for the plaintext can be zeroed again: then AES-GCM needs no more memory than for encryption.

use boring_sys as ffi;

use crate::bytes::{InOut, Secret, cleanse};
use crate::chacha::Sealing;
use crate::error::{Error, Result, check, check_ptr};

/// The longest tag, in bytes; what BoringSSL computes of AES-GCM. Shorter tags of it are its first bytes.
pub const MAX_TAG: usize = 16;

/// Held ciphertext grows by at least this, in bytes.
const HELD_STEP: usize = 4096;

/// An AEAD algorithm. The numbers cross to Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Algorithm {
    /// AES-GCM (SP 800-38D): keys of 16, 24 or 32 bytes, nonces of at least one byte, tags of 12 to 16 bytes.
    AesGcm = 0,
    /// AES-GCM-SIV (RFC 8452): keys of 16 or 32 bytes, nonces of 12, tags of 16.
    AesGcmSiv = 1,
    /// AES-CCM (SP 800-38C) as far as BoringSSL has it, the parameters of Bluetooth and Matter: keys of 16 bytes,
    /// nonces of 13, tags of 4, 8 or 16, messages of at most 65,535 bytes.
    AesCcm = 2,
    /// ChaCha20-Poly1305 (RFC 8439): keys of 32 bytes, nonces of 12, tags of 16.
    ChaCha20Poly1305 = 3,
    /// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03): keys of 32 bytes, nonces of 24, tags of 16.
    XChaCha20Poly1305 = 4,
}

impl Algorithm {
    /// All of them, each at the index of its number.
    pub const ALL: [Self; 5] =
        [Self::AesGcm, Self::AesGcmSiv, Self::AesCcm, Self::ChaCha20Poly1305, Self::XChaCha20Poly1305];

    /// The algorithm with this number.
    pub fn from_number(number: i32) -> Result<Self> {
        usize::try_from(number)
            .ok()
            .and_then(|index| Self::ALL.get(index).copied())
            .ok_or(Error::Argument("no such AEAD algorithm"))
    }

    /// The longest plaintext under one nonce, in bytes.
    pub fn max_message(self) -> u64 {
        match self {
            // 2^39 - 256 bits (SP 800-38D section 5.2.1.1).
            Self::AesGcm => (1 << 36) - 32,
            // RFC 8452 section 6.
            Self::AesGcmSiv => 1 << 36,
            // Two bytes of length.
            Self::AesCcm => 0xffff,
            // RFC 8439 section 2.8: blocks 1 to 2^32 - 1.
            Self::ChaCha20Poly1305 | Self::XChaCha20Poly1305 => ((1 << 32) - 1) * 64,
        }
    }

    /// Whether encryption streams in constant memory.
    pub fn streams(self) -> bool {
        !matches!(self, Self::AesGcmSiv | Self::AesCcm)
    }

    /// Whether decryption can go piece by piece, for callers that can take back what was decrypted: [`Aead::open_piece`].
    pub fn opens_in_pieces(self) -> bool {
        self == Self::AesGcm
    }

    fn check_tag_length(self, length: usize) -> Result<()> {
        let (good, text) = match self {
            Self::AesGcm => ((12..=MAX_TAG).contains(&length), "GCM tags have 12 to 16 bytes"),
            Self::AesCcm => (matches!(length, 4 | 8 | 16), "CCM tags have 4, 8 or 16 bytes"),
            _ => (length == MAX_TAG, "tags have 16 bytes"),
        };
        if good { Ok(()) } else { Err(Error::Parameter(text)) }
    }

    fn check_nonce(self, nonce: &[u8]) -> Result<()> {
        let (good, text) = match self {
            Self::AesGcm => (!nonce.is_empty(), "GCM nonces have at least one byte"),
            Self::AesGcmSiv | Self::ChaCha20Poly1305 => (nonce.len() == 12, "nonces have 12 bytes"),
            Self::AesCcm => (nonce.len() == 13, "CCM nonces have 13 bytes"),
            Self::XChaCha20Poly1305 => (nonce.len() == 24, "XChaCha20 nonces have 24 bytes"),
        };
        if good { Ok(()) } else { Err(Error::Parameter(text)) }
    }

    fn evp(self, key_length: usize, tag_length: usize) -> Result<*const ffi::EVP_AEAD> {
        // SAFETY: no preconditions; static tables.
        unsafe {
            Ok(match (self, key_length, tag_length) {
                (Self::AesGcm, 16, _) => ffi::EVP_aead_aes_128_gcm(),
                (Self::AesGcm, 24, _) => ffi::EVP_aead_aes_192_gcm(),
                (Self::AesGcm, 32, _) => ffi::EVP_aead_aes_256_gcm(),
                (Self::AesGcm, ..) => return Err(Error::Key("AES keys have 16, 24 or 32 bytes")),
                (Self::AesGcmSiv, 16, _) => ffi::EVP_aead_aes_128_gcm_siv(),
                (Self::AesGcmSiv, 32, _) => ffi::EVP_aead_aes_256_gcm_siv(),
                (Self::AesGcmSiv, ..) => return Err(Error::Key("AES-GCM-SIV keys have 16 or 32 bytes")),
                (Self::AesCcm, 16, 4) => ffi::EVP_aead_aes_128_ccm_bluetooth(),
                (Self::AesCcm, 16, 8) => ffi::EVP_aead_aes_128_ccm_bluetooth_8(),
                (Self::AesCcm, 16, _) => ffi::EVP_aead_aes_128_ccm_matter(),
                (Self::AesCcm, ..) => return Err(Error::Key("AES-CCM keys have 16 bytes here")),
                (Self::ChaCha20Poly1305, 32, _) => ffi::EVP_aead_chacha20_poly1305(),
                (Self::XChaCha20Poly1305, 32, _) => ffi::EVP_aead_xchacha20_poly1305(),
                (Self::ChaCha20Poly1305 | Self::XChaCha20Poly1305, ..) => {
                    return Err(Error::Key("ChaCha20 keys have 32 bytes"));
                }
            })
        }
    }
}

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

struct OneStep(Box<ffi::EVP_AEAD_CTX>);

impl OneStep {
    fn new(algorithm: Algorithm, key: &[u8], tag_length: usize) -> Result<Self> {
        let aead = algorithm.evp(key.len(), tag_length)?;
        // SAFETY: all-zero bytes are a valid EVP_AEAD_CTX (what EVP_AEAD_CTX_zero makes).
        let mut context: Box<ffi::EVP_AEAD_CTX> = Box::new(unsafe { std::mem::zeroed() });
        // SAFETY: a zeroed context; the key is as long as the AEAD says.
        check(unsafe {
            ffi::EVP_AEAD_CTX_init(&raw mut *context, aead, key.as_ptr(), key.len(), tag_length, std::ptr::null_mut())
        })?;
        Ok(Self(context))
    }

    fn open(&self, nonce: &[u8], additional: &[u8], mut data: InOut<'_>, tag: &[u8]) -> Result<()> {
        let (input, output, length) = data.settle();
        // SAFETY: an initialised context; equal or disjoint memory of `length` bytes each.
        let result = unsafe {
            ffi::EVP_AEAD_CTX_open_gather(
                &raw const *self.0,
                output,
                nonce.as_ptr(),
                nonce.len(),
                input,
                length,
                tag.as_ptr(),
                tag.len(),
                additional.as_ptr(),
                additional.len(),
            )
        };
        if result == 1 {
            return Ok(());
        }
        // BoringSSL zeroes the output only where it got as far as writing some.
        // SAFETY: `length` writable bytes.
        unsafe { ffi::OPENSSL_cleanse(output.cast(), length) };
        Err(Error::BadTag.after_clear())
    }

    fn seal(&self, nonce: &[u8], additional: &[u8], mut data: InOut<'_>) -> Result<[u8; MAX_TAG]> {
        let (input, output, length) = data.settle();
        let mut tag = [0; MAX_TAG];
        let mut tag_length = 0;
        // SAFETY: an initialised context; equal or disjoint memory of `length` bytes each; room for any tag.
        check(unsafe {
            ffi::EVP_AEAD_CTX_seal_scatter(
                &raw const *self.0,
                output,
                tag.as_mut_ptr(),
                &raw mut tag_length,
                MAX_TAG,
                nonce.as_ptr(),
                nonce.len(),
                input,
                length,
                std::ptr::null(),
                0,
                additional.as_ptr(),
                additional.len(),
            )
        })?;
        Ok(tag)
    }
}

impl Drop for OneStep {
    fn drop(&mut self) {
        // SAFETY: an initialised (or zeroed) context; its key schedule lies inside it and is not zeroed by the
        // clean-up.
        unsafe {
            ffi::EVP_AEAD_CTX_cleanup(&raw mut *self.0);
            ffi::OPENSSL_cleanse((&raw mut *self.0).cast(), size_of::<ffi::EVP_AEAD_CTX>());
        }
    }
}

/// AES-GCM piece by piece.
struct Stream(*mut ffi::EVP_CIPHER_CTX);

impl Stream {
    fn new(key: &[u8]) -> Result<Self> {
        // SAFETY: no preconditions; static tables.
        let cipher = unsafe {
            match key.len() {
                16 => ffi::EVP_aes_128_gcm(),
                24 => ffi::EVP_aes_192_gcm(),
                32 => ffi::EVP_aes_256_gcm(),
                _ => return Err(Error::Key("AES keys have 16, 24 or 32 bytes")),
            }
        };
        // SAFETY: no preconditions.
        let stream = Self(check_ptr(unsafe { ffi::EVP_CIPHER_CTX_new() })?);
        // SAFETY: a fresh context; the key is as long as the cipher says; the nonce comes with `begin`.
        check(unsafe {
            ffi::EVP_CipherInit_ex(stream.0, cipher, std::ptr::null_mut(), key.as_ptr(), std::ptr::null(), 1)
        })?;
        Ok(stream)
    }

    fn control(&mut self, command: i32, length: usize, bytes: *mut u8) -> Result<()> {
        let length = i32::try_from(length).map_err(|_| Error::Parameter("nonce is too long"))?;
        // SAFETY: a live context; the callers pass what the command reads or writes.
        check(unsafe { ffi::EVP_CIPHER_CTX_ctrl(self.0, command, length, bytes.cast()) })
    }

    fn begin(&mut self, direction: Direction, nonce: &[u8]) -> Result<()> {
        self.control(ffi::EVP_CTRL_AEAD_SET_IVLEN, nonce.len(), std::ptr::null_mut())?;
        // SAFETY: a live context with cipher and key; as many nonce bytes as were just announced.
        check(unsafe {
            ffi::EVP_CipherInit_ex(
                self.0,
                std::ptr::null(),
                std::ptr::null_mut(),
                std::ptr::null(),
                nonce.as_ptr(),
                i32::from(direction == Direction::Seal),
            )
        })
    }

    fn additional(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: a live context, begun.
        check(unsafe { ffi::EVP_CipherUpdateAAD(self.0, bytes.as_ptr(), bytes.len()) })
    }

    fn data(&mut self, mut data: InOut<'_>) -> Result<()> {
        if data.is_empty() {
            return Ok(());
        }
        let (input, output, length) = data.settle();
        let mut written = 0;
        // SAFETY: a live context, begun; equal or disjoint memory of `length` bytes each.
        check(unsafe { ffi::EVP_CipherUpdate_ex(self.0, output, &raw mut written, length, input, length) })
    }

    fn finish(&mut self) -> Result<()> {
        let mut written = 0;
        // SAFETY: a live context, begun; GCM writes nothing at the end.
        check(unsafe { ffi::EVP_CipherFinal_ex2(self.0, std::ptr::null_mut(), &raw mut written, 0) })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: owned, freed once; BoringSSL zeroes the key schedule.
        unsafe { ffi::EVP_CIPHER_CTX_free(self.0) }
    }
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

/// The longest nonce but for AES-GCM's, in bytes.
const MAX_HELD_NONCE: usize = 24;

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

    fn stream(&mut self) -> Result<&mut Stream> {
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
    fn count(&mut self, direction: Direction, length: usize) -> Result<()> {
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
        let mut tag = [0; MAX_TAG];
        let stream = self.stream()?;
        stream.finish()?;
        stream.control(ffi::EVP_CTRL_AEAD_GET_TAG, MAX_TAG, tag.as_mut_ptr())?;
        Ok(tag)
    }

    /// Room for the next `length` bytes, to be written by the caller; zero before. Opening, they are ciphertext and, at
    /// the end, tag, kept here until [`Aead::finish_open`], as no plaintext may be seen before the tag was. Sealing,
    /// where the algorithm does not stream, they are plaintext, kept until [`Aead::finish_held_seal`].
    ///
    /// Total cost is linear in the bytes held: room grows geometrically.
    pub fn hold(&mut self, length: usize) -> Result<&mut [u8]> {
        let seals = matches!(self.state, State::Additional(Direction::Seal) | State::Data(Direction::Seal));
        let direction = if seals && !self.algorithm.streams() { Direction::Seal } else { Direction::Open };
        self.count(direction, length)?;
        let start = self.held.len();
        grow(&mut self.held, length)?;
        self.held.resize(start + length, 0);
        self.held.get_mut(start..).ok_or(Error::OutOfMemory)
    }

    /// Bytes held.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// Takes back the last `length` bytes of what was held.
    pub fn unhold(&mut self, length: usize) {
        let keep = self.held.len().saturating_sub(length);
        self.held.truncate(keep);
        self.streamed = self.streamed.saturating_sub(u64::try_from(length).unwrap_or(u64::MAX));
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
        let mut copy = [0; MAX_TAG];
        copy.iter_mut().zip(tag).for_each(|(to, from)| *to = *from);
        let stream = self.stream()?;
        stream.control(ffi::EVP_CTRL_AEAD_SET_TAG, tag.len(), copy.as_mut_ptr())?;
        stream.finish().map_err(|_| Error::BadTag.after_clear())
    }

    fn check_nothing_held(&self) -> Result<()> {
        if self.algorithm.opens_in_pieces() && self.held.is_empty() { Ok(()) } else { Err(OPENED_AT_ONCE) }
    }

    fn open_held(&mut self) -> Result<usize> {
        let tag_length = self.tag_length()?;
        let length = self.held.len().checked_sub(tag_length).ok_or(Error::BadTag)?;
        let keyed = self.keyed.as_mut().ok_or(NO_KEY)?;
        let (data, tag) = self.held.split_at_mut_checked(length).ok_or(Error::BadTag)?;
        if self.algorithm == Algorithm::AesGcm {
            let stream = keyed.stream.as_mut().ok_or(NOT_BEGUN)?;
            stream.control(ffi::EVP_CTRL_AEAD_SET_TAG, tag_length, tag.as_mut_ptr())?;
            stream.data(InOut::in_place(data))?;
            stream.finish().map_err(|_| Error::BadTag.after_clear())?;
        } else {
            let nonce = held_nonce(self.algorithm, &self.nonce);
            keyed.one_step.open(nonce, &self.additional, InOut::in_place(data), tag)?;
        }
        Ok(length)
    }

    /// Zeroes what is held (it may be plaintext) and gives the memory back.
    fn release_held(&mut self) {
        for bytes in [&mut self.held, &mut self.additional] {
            cleanse(bytes);
            *bytes = Vec::new();
        }
    }
}

impl Drop for Aead {
    fn drop(&mut self) {
        self.release_held();
    }
}

/// Makes room for `length` more bytes, geometrically. What was there is zeroed when it moves.
fn grow(bytes: &mut Vec<u8>, length: usize) -> Result<()> {
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

const NO_KEY: Error = Error::State("the AEAD has no key");
const OTHER_KEY: Error = Error::State("another thread has changed the key");
const NOT_BEGUN: Error = Error::State("no such AEAD stream was begun");
const HELD: Error = Error::State("this AEAD does not encrypt piece by piece");
const OPENED_AT_ONCE: Error = Error::State("this AEAD does not decrypt piece by piece, or holds some already");
const TOO_LONG: Error = Error::State("the message is longer than the algorithm allows under one nonce");

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::testing::{hex, to_hex};

    fn keyed(key: &[u8], tag_length: usize) -> Aead {
        let mut gcm = Aead::new(Algorithm::AesGcm);
        gcm.set_key(key, tag_length).unwrap();
        gcm
    }

    fn seal(gcm: &Aead, nonce: &[u8], additional: &[u8], message: &[u8]) -> Vec<u8> {
        let mut out = message.to_vec();
        let tag = gcm.seal(nonce, additional, InOut::in_place(&mut out)).unwrap();
        out.extend_from_slice(&tag[..gcm.tag_length().unwrap()]);
        out
    }

    fn message(length: usize) -> Vec<u8> {
        (0..length).map(|i| u8::try_from((i * 7 + i / 256) % 256).unwrap()).collect()
    }

    /// The GCM specification's test cases 2, 4, 5 and 6 (AES-128; nonces of 12, 8 and 60 bytes) and 16 (AES-256).
    #[test]
    fn known_answers() {
        let plain = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525\
                     b16aedf5aa0de657ba637b39";
        let additional = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
        let key = "feffe9928665731c6d6a8f9467308308";
        for (key, nonce, additional, plain, cipher, tag) in [
            (
                "00000000000000000000000000000000",
                "000000000000000000000000",
                "",
                "00000000000000000000000000000000",
                "0388dace60b6a392f328c2b971b2fe78",
                "ab6e47d42cec13bdf53a67b21257bddf",
            ),
            (
                key,
                "cafebabefacedbaddecaf888",
                additional,
                plain,
                "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05\
                 1ba30b396a0aac973d58e091",
                "5bc94fbc3221a5db94fae95ae7121a47",
            ),
            (
                key,
                "cafebabefacedbad",
                additional,
                plain,
                "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c742373806900e49f24b22b097544d4896b42\
                 4989b5e1ebac0f07c23f4598",
                "3612d2e79e3b0785561be14aaca2fccb",
            ),
            (
                key,
                "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b5254\
                 16aedbf5a0de6a57a637b39b",
                additional,
                plain,
                "8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca701e4a9a4fba43c90ccdcb281d48c7c6f\
                 d62875d2aca417034c34aee5",
                "619cc5aefffe0bfa462af43c1699d050",
            ),
            (
                "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
                "cafebabefacedbaddecaf888",
                additional,
                plain,
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838\
                 c5f61e6393ba7a0abcc9f662",
                "76fc6ece0f4e1768cddf8853bb2d551b",
            ),
        ] {
            for tag_length in 12..=16 {
                let gcm = keyed(&hex(key), tag_length);
                let sealed = seal(&gcm, &hex(nonce), &hex(additional), &hex(plain));
                assert_eq!(to_hex(&sealed), format!("{cipher}{}", &tag[..tag_length * 2]));
                let (data, tag) = sealed.split_at(sealed.len() - tag_length);
                let mut opened = vec![0; data.len()];
                let data = InOut::separate(data, &mut opened).unwrap();
                gcm.open(&hex(nonce), &hex(additional), data, tag).unwrap();
                assert_eq!(to_hex(&opened), plain);
            }
        }
    }

    #[test]
    fn streams_agree_with_one_step() {
        for (key_length, nonce_length, tag_length) in
            [(16, 12, 16), (24, 1, 12), (32, 12, 13), (32, 16, 16), (16, 99, 15)]
        {
            let mut gcm = keyed(&message(key_length), tag_length);
            let (nonce, additional) = (message(nonce_length), message(33));
            for length in [0, 1, 15, 16, 17, 255, 1000, 5000] {
                let plain = message(length);
                let expected = seal(&gcm, &nonce, &additional, &plain);
                for piece in [1, 7, 16, 100, 4999] {
                    gcm.begin(Direction::Seal, &nonce).unwrap();
                    additional.chunks(piece).for_each(|bytes| gcm.additional(bytes).unwrap());
                    let mut sealed = plain.clone();
                    sealed.chunks_mut(piece).for_each(|bytes| gcm.seal_piece(InOut::in_place(bytes)).unwrap());
                    sealed.extend_from_slice(&gcm.finish_seal().unwrap()[..tag_length]);
                    assert_eq!(sealed, expected);

                    gcm.begin(Direction::Open, &nonce).unwrap();
                    additional.chunks(piece).for_each(|bytes| gcm.additional(bytes).unwrap());
                    for bytes in sealed.chunks(piece) {
                        gcm.hold(bytes.len()).unwrap().copy_from_slice(bytes);
                    }
                    assert_eq!(gcm.finish_open().unwrap(), plain);

                    let (mut data, tag) = (sealed[..length].to_vec(), &sealed[length..]);
                    gcm.begin(Direction::Open, &nonce).unwrap();
                    additional.chunks(piece).for_each(|bytes| gcm.additional(bytes).unwrap());
                    data.chunks_mut(piece).for_each(|bytes| gcm.open_piece(InOut::in_place(bytes)).unwrap());
                    gcm.finish_opened(tag).unwrap();
                    assert_eq!(data, plain);
                }
            }
        }
    }

    #[test]
    fn every_overlap_is_copy_safe() {
        let gcm = keyed(&message(16), 16);
        let nonce = message(12);
        for length in [0, 1, 16, 33, 200, 1111] {
            let plain = message(length);
            let sealed = seal(&gcm, &nonce, b"a", &plain);
            let (cipher, tag) = sealed.split_at(length);
            for shift in 0..=34 {
                let mut memory = vec![0xee; length + 34];
                let base = memory.as_mut_ptr();
                memory[17..17 + length].copy_from_slice(&plain);
                // SAFETY: both ranges lie inside `memory`, which nothing else refers to meanwhile.
                let data = unsafe { InOut::from_raw(base.add(17), base.add(shift), length) };
                assert_eq!(gcm.seal(&nonce, b"a", data).unwrap(), tag);
                assert_eq!(&memory[shift..shift + length], cipher, "shift {shift}");

                memory[17..17 + length].copy_from_slice(cipher);
                let base = memory.as_mut_ptr();
                // SAFETY: as above.
                let data = unsafe { InOut::from_raw(base.add(17), base.add(shift), length) };
                gcm.open(&nonce, b"a", data, tag).unwrap();
                assert_eq!(&memory[shift..shift + length], plain, "shift {shift}");
            }
        }
    }

    #[test]
    fn bad_tags_release_nothing() {
        let mut gcm = keyed(&message(16), 16);
        let (nonce, plain) = (message(12), message(100));
        let good = seal(&gcm, &nonce, b"", &plain);
        for flipped in 0..good.len() {
            let mut sealed = good.clone();
            sealed[flipped] ^= 1;
            let mut out = vec![0xee; 100];
            let data = InOut::separate(&sealed[..100], &mut out).unwrap();
            assert_eq!(gcm.open(&nonce, b"", data, &sealed[100..]), Err(Error::BadTag));
            assert_eq!(out, [0; 100]);

            gcm.begin(Direction::Open, &nonce).unwrap();
            gcm.hold(sealed.len()).unwrap().copy_from_slice(&sealed);
            assert_eq!(gcm.finish_open(), Err(Error::BadTag));
            assert_eq!(gcm.held(), 0);

            gcm.begin(Direction::Open, &nonce).unwrap();
            sealed[..100].chunks_mut(30).for_each(|bytes| gcm.open_piece(InOut::in_place(bytes)).unwrap());
            assert_eq!(gcm.finish_opened(&sealed[100..]), Err(Error::BadTag));
            assert_eq!(gcm.finish_opened(&sealed[100..]), Err(NOT_BEGUN));
        }
        for short in 0..16 {
            gcm.begin(Direction::Open, &nonce).unwrap();
            gcm.hold(short).unwrap();
            assert_eq!(gcm.finish_open(), Err(Error::BadTag));
            gcm.begin(Direction::Open, &nonce).unwrap();
            gcm.open_piece(InOut::in_place(&mut good[..100].to_vec())).unwrap();
            assert_eq!(gcm.finish_opened(&good[100..100 + short]), Err(Error::BadTag));
        }
        gcm.begin(Direction::Open, &nonce).unwrap();
        gcm.hold(good.len()).unwrap().copy_from_slice(&good);
        gcm.hold(3).unwrap();
        gcm.unhold(3);
        assert_eq!(gcm.finish_open().unwrap(), plain);
    }

    #[test]
    fn misuse_is_an_error() {
        let mut gcm = Aead::new(Algorithm::AesGcm);
        let nothing = || InOut::separate(&[], &mut []).unwrap();
        assert_eq!(gcm.begin(Direction::Seal, &[1]), Err(NO_KEY));
        assert_eq!(gcm.seal(&[1], &[], nothing()), Err(NO_KEY));
        assert_eq!(gcm.set_tag_length(16), Err(NO_KEY));
        for length in [0, 15, 17, 33, 64] {
            assert!(matches!(gcm.set_key(&message(length), 16), Err(Error::Key(_))));
        }
        for tag_length in [0, 4, 11, 17] {
            assert!(matches!(gcm.set_key(&message(16), tag_length), Err(Error::Parameter(_))));
        }
        gcm.set_key(&message(16), 16).unwrap();
        assert!(matches!(gcm.seal(&[], &[], nothing()), Err(Error::Parameter(_))));
        assert!(matches!(gcm.begin(Direction::Seal, &[]), Err(Error::Parameter(_))));
        assert_eq!(gcm.additional(b"x"), Err(NOT_BEGUN));
        assert_eq!(gcm.seal_piece(nothing()), Err(NOT_BEGUN));
        assert_eq!(gcm.finish_seal(), Err(NOT_BEGUN));
        assert_eq!(gcm.hold(1), Err(NOT_BEGUN));
        gcm.begin(Direction::Seal, &[1]).unwrap();
        assert_eq!(gcm.hold(1), Err(NOT_BEGUN));
        assert_eq!(gcm.finish_open(), Err(NOT_BEGUN));
        gcm.seal_piece(InOut::in_place(&mut [1])).unwrap();
        assert!(matches!(gcm.additional(b"x"), Err(Error::State(_))));
        gcm.streamed = Algorithm::AesGcm.max_message();
        assert_eq!(gcm.seal_piece(InOut::in_place(&mut [1])), Err(TOO_LONG));
        gcm.finish_seal().unwrap();
        assert_eq!(gcm.finish_seal(), Err(NOT_BEGUN));
        gcm.begin(Direction::Seal, &[1]).unwrap();
        assert_eq!(gcm.open_piece(InOut::in_place(&mut [1])), Err(NOT_BEGUN));
        assert_eq!(gcm.finish_opened(&[0; 16]), Err(NOT_BEGUN));
        gcm.begin(Direction::Open, &[1]).unwrap();
        gcm.hold(1).unwrap();
        assert_eq!(gcm.open_piece(InOut::in_place(&mut [1])), Err(OPENED_AT_ONCE));
        gcm.begin(Direction::Open, &[1]).unwrap();
        gcm.streamed = Algorithm::AesGcm.max_message();
        assert_eq!(gcm.open_piece(InOut::in_place(&mut [1])), Err(TOO_LONG));
        let first = gcm.set_key(&message(16), 16).unwrap();
        assert_eq!((gcm.check_key_id(first, 16), gcm.check_key_id(first, 15)), (Ok(()), Err(OTHER_KEY)));
        let second = gcm.set_key(&message(16), 15).unwrap();
        assert_eq!((gcm.check_key_id(first, 15), gcm.check_key_id(second, 15)), (Err(OTHER_KEY), Ok(())));
    }

    /// What every algorithm takes: key, nonce and tag lengths.
    const SHAPES: [(Algorithm, &[usize], usize, &[usize]); 4] = [
        (Algorithm::AesGcmSiv, &[16, 32], 12, &[16]),
        (Algorithm::AesCcm, &[16], 13, &[4, 8, 16]),
        (Algorithm::ChaCha20Poly1305, &[32], 12, &[16]),
        (Algorithm::XChaCha20Poly1305, &[32], 24, &[16]),
    ];

    #[test]
    fn the_others_stream_as_they_do_in_one_step() {
        for (algorithm, keys, nonce_length, tags) in SHAPES {
            for (key_length, tag_length) in keys.iter().flat_map(|key| tags.iter().map(move |tag| (*key, *tag))) {
                let mut aead = Aead::new(algorithm);
                aead.set_key(&message(key_length), tag_length).unwrap();
                let (nonce, additional) = (message(nonce_length), message(33));
                for length in [0, 1, 15, 16, 17, 63, 64, 65, 255, 1000, 5000] {
                    let plain = message(length);
                    let expected = seal(&aead, &nonce, &additional, &plain);
                    for piece in [1, 7, 16, 64, 100, 4999] {
                        aead.begin(Direction::Seal, &nonce).unwrap();
                        additional.chunks(piece).for_each(|bytes| aead.additional(bytes).unwrap());
                        let sealed = if algorithm.streams() {
                            let mut sealed = plain.clone();
                            sealed.chunks_mut(piece).for_each(|b| aead.seal_piece(InOut::in_place(b)).unwrap());
                            sealed.extend_from_slice(&aead.finish_seal().unwrap()[..tag_length]);
                            sealed
                        } else {
                            for bytes in plain.chunks(piece) {
                                aead.hold(bytes.len()).unwrap().copy_from_slice(bytes);
                            }
                            aead.finish_held_seal().unwrap().to_vec()
                        };
                        assert_eq!(sealed, expected, "{algorithm:?} {length} {piece}");

                        aead.begin(Direction::Open, &nonce).unwrap();
                        additional.chunks(piece).for_each(|bytes| aead.additional(bytes).unwrap());
                        for bytes in sealed.chunks(piece) {
                            aead.hold(bytes.len()).unwrap().copy_from_slice(bytes);
                        }
                        assert_eq!(aead.finish_open().unwrap(), plain);
                    }
                    let mut bad = expected.clone();
                    *bad.last_mut().unwrap() ^= 1;
                    let mut out = vec![0xee; length];
                    let data = InOut::separate(&bad[..length], &mut out).unwrap();
                    assert_eq!(aead.open(&nonce, &additional, data, &bad[length..]), Err(Error::BadTag));
                    assert_eq!(out, vec![0; length]);
                    aead.begin(Direction::Open, &nonce).unwrap();
                    aead.hold(bad.len()).unwrap().copy_from_slice(&bad);
                    assert_eq!(aead.finish_open(), Err(Error::BadTag));
                    assert_eq!(aead.held(), 0);
                }
            }
        }
    }

    #[test]
    fn the_others_refuse_what_they_cannot_use() {
        for (algorithm, keys, nonce_length, tags) in SHAPES {
            let mut aead = Aead::new(algorithm);
            for length in 0..=33 {
                assert_eq!(aead.set_key(&message(length), tags[0]).is_ok(), keys.contains(&length), "{length}");
                assert_eq!(aead.set_key(&message(keys[0]), length).is_ok(), tags.contains(&length), "{length}");
            }
            aead.set_key(&message(keys[0]), tags[0]).unwrap();
            for length in 0..=30 {
                assert_eq!(aead.begin(Direction::Open, &message(length)).is_ok(), length == nonce_length);
                let result = aead.seal(&message(length), &[], InOut::in_place(&mut [1]));
                assert_eq!(result.is_ok(), length == nonce_length);
            }
            let other = if algorithm.streams() {
                aead.begin(Direction::Seal, &message(nonce_length)).unwrap();
                assert_eq!(aead.hold(1), Err(NOT_BEGUN));
                aead.finish_held_seal().map(|_| ())
            } else {
                aead.begin(Direction::Seal, &message(nonce_length)).unwrap();
                assert_eq!(aead.seal_piece(InOut::in_place(&mut [1])), Err(HELD));
                aead.finish_seal().map(|_| ())
            };
            assert!(matches!(other, Err(Error::State(_))));
            aead.begin(Direction::Open, &message(nonce_length)).unwrap();
            assert_eq!(aead.open_piece(InOut::in_place(&mut [1])), Err(OPENED_AT_ONCE));
            assert_eq!(aead.finish_opened(&[0; 16]), Err(OPENED_AT_ONCE));
            aead.begin(Direction::Seal, &message(nonce_length)).unwrap();
            aead.streamed = algorithm.max_message();
            assert!(
                aead.hold(1).is_err() && (!algorithm.streams() || aead.seal_piece(InOut::in_place(&mut [1])).is_err())
            );
            assert_eq!(Algorithm::from_number(algorithm as i32), Ok(algorithm));
        }
        let mut ccm = Aead::new(Algorithm::AesCcm);
        ccm.set_key(&message(16), 8).unwrap();
        ccm.seal(&message(13), &[], InOut::in_place(&mut vec![0; 65535])).unwrap();
        assert_eq!(ccm.seal(&message(13), &[], InOut::in_place(&mut vec![0; 65536])), Err(TOO_LONG));
        assert!(Algorithm::from_number(5).is_err() && Algorithm::from_number(-1).is_err());
    }
}
