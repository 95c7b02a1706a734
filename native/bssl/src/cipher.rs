//! Ciphers without authentication: AES (FIPS 197) and triple DES (SP 800-67) in the modes of SP 800-38A, ARC4, ChaCha20
//! (RFC 8439). They keep nothing secret from someone who can change the ciphertext.

use boring_sys as ffi;

use crate::bytes::{Copied, FromTo, InOut, Secret, cleanse};
use crate::chacha::ChaCha20;
use crate::error::{Error, Result, check, check_ptr};
use crate::wide::{CbcDecryption, CounterMode};

mod algorithm;
#[cfg(test)]
mod tests;

pub use algorithm::Algorithm;
use algorithm::MAX_KEY;

const WRONG_PADDING: &str = "padding is wrong: another key, or changed data";

/// The longest block and IV, in bytes.
const MAX_BLOCK: usize = 16;

const NO_KEY: Error = Error::State("the cipher has no key");
const NOT_BEGUN: Error = Error::State("the cipher has no IV");
const OTHER_KEY: Error = Error::State("another thread has changed the key");

/// An owned `EVP_CIPHER_CTX`.
struct Context(*mut ffi::EVP_CIPHER_CTX);

impl Context {
    fn new() -> Result<Self> {
        // SAFETY: no preconditions.
        Ok(Self(check_ptr(unsafe { ffi::EVP_CIPHER_CTX_new() })?))
    }

    fn try_clone(&self) -> Result<Self> {
        let copy = Self::new()?;
        // SAFETY: both are live contexts.
        check(unsafe { ffi::EVP_CIPHER_CTX_copy(copy.0, self.0) })?;
        Ok(copy)
    }

    fn key(&mut self, key: &[u8]) -> Result<()> {
        let null = std::ptr::null::<u8>();
        // SAFETY: a live context with a cipher; the key is as long as that takes.
        check(unsafe { ffi::EVP_CipherInit_ex(self.0, null.cast(), std::ptr::null_mut(), key.as_ptr(), null, -1) })
    }

    fn iv(&mut self, iv: &[u8]) -> Result<()> {
        let null = std::ptr::null::<u8>();
        // SAFETY: a live context with cipher and key; the IV is as long as the cipher says (checked in `begin`).
        check(unsafe { ffi::EVP_CipherInit_ex(self.0, null.cast(), std::ptr::null_mut(), null, iv.as_ptr(), -1) })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: owned, freed once; BoringSSL zeroes the key schedule and zeroes or frees the rest.
        unsafe {
            ffi::OPENSSL_cleanse((&raw mut (*self.0).buf).cast(), size_of_val(&(*self.0).buf));
            ffi::OPENSSL_cleanse((&raw mut (*self.0).final_).cast(), size_of_val(&(*self.0).final_));
            ffi::EVP_CIPHER_CTX_free(self.0);
        }
    }
}

enum Engine {
    Evp(Context),
    ChaCha(Option<ChaCha20>),
    /// AES-CTR where the processor has wide instructions for it.
    Counter(CounterMode),
    /// AES-CBC decryption where it has.
    Cbc(CbcDecryption),
}

impl Engine {
    /// What works on wide registers, if there is such for this cipher and processor; the key has a length of the cipher's.
    fn wide(algorithm: Algorithm, key: &[u8], encrypt: bool) -> Option<Self> {
        match (algorithm, encrypt) {
            (Algorithm::AesCtr, _) => CounterMode::new(key).map(Self::Counter),
            (Algorithm::AesCbc, false) => CbcDecryption::new(key).map(Self::Cbc),
            _ => None,
        }
    }
}

struct Keyed {
    engine: Engine,
    /// Kept where going back to the start needs it (stream ciphers whose state is the key's).
    key: Secret<MAX_KEY>,
    encrypt: bool,
}

/// A cipher under one key at a time, which can be replaced. Everything secret is zeroed when dropped or replaced.
pub struct Cipher {
    algorithm: Algorithm,
    /// Whether wide instructions may be used: tests compare.
    wide: bool,
    /// Whether PKCS#7 padding is added and removed.
    padded: bool,
    keyed: Option<Keyed>,
    key_id: i64,
    iv: [u8; MAX_BLOCK],
    counter: u32,
    begun: bool,
    /// Bytes that came in and did not go out yet.
    pending: usize,
}

// SAFETY: BoringSSL's contexts belong to no thread; `&mut` guards every change.
unsafe impl Send for Cipher {}

impl Cipher {
    /// Without a key yet: operations answer [`Error::State`]. Padding is ignored by ciphers without blocks.
    pub fn new(algorithm: Algorithm, padded: bool) -> Self {
        let padded = padded && algorithm.block() > 1;
        let iv = [0; MAX_BLOCK];
        Self { algorithm, wide: true, padded, keyed: None, key_id: 0, iv, counter: 0, begun: false, pending: 0 }
    }

    /// Which cipher this is.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Bytes that came in and did not go out yet: at most a block, or two when padding is to be removed.
    pub fn pending(&self) -> usize {
        self.pending
    }

    /// Takes a key for one direction. If it is not acceptable the former one is gone too. Answers a number for
    /// [`Cipher::check_key_id`], another each time.
    pub fn set_key(&mut self, key: &[u8], encrypt: bool) -> Result<i64> {
        self.keyed = None;
        self.begun = false;
        self.pending = 0;
        self.key_id = self.key_id.wrapping_add(1);
        self.algorithm.check_key(key.len())?;
        let engine = if self.algorithm == Algorithm::ChaCha20 {
            Engine::ChaCha(None)
        } else if let Some(wide) = self.wide(key, encrypt) {
            wide
        } else {
            let mut context = Context::new()?;
            let cipher = self.algorithm.evp(key.len());
            let null = std::ptr::null::<u8>();
            // SAFETY: a fresh context; the key length is set before the key, and accepted by `check_key`.
            check(unsafe {
                let engine = std::ptr::null_mut();
                ffi::EVP_CipherInit_ex(context.0, cipher, engine, null, null, i32::from(encrypt))
            })?;
            if self.algorithm == Algorithm::Arc4 {
                let length = u32::try_from(key.len()).map_err(|_| Error::Key("ARC4 keys have 5 to 128 bytes"))?;
                // SAFETY: a live context with a cipher.
                check(unsafe { ffi::EVP_CIPHER_CTX_set_key_length(context.0, length) })?;
            }
            context.key(key)?;
            // SAFETY: a live context.
            check(unsafe { ffi::EVP_CIPHER_CTX_set_padding(context.0, i32::from(self.padded)) })?;
            Engine::Evp(context)
        };
        let keep = if self.algorithm.block() == 1 { key } else { &[] };
        let key = Secret::new(keep).ok_or(Error::Key("key is too long"))?;
        self.keyed = Some(Keyed { engine, key, encrypt });
        Ok(self.key_id)
    }

    fn wide(&self, key: &[u8], encrypt: bool) -> Option<Engine> {
        if self.wide { Engine::wide(self.algorithm, key, encrypt) } else { None }
    }

    /// Whether the key is the one that this number was given for; [`Error::State`] if not.
    pub fn check_key_id(&self, key_id: i64) -> Result<()> {
        if self.keyed.is_none() {
            return Err(NO_KEY);
        }
        if key_id == self.key_id { Ok(()) } else { Err(OTHER_KEY) }
    }

    /// Starts with this IV, which is empty for ciphers without one, and for ChaCha20 with this block counter, giving up
    /// what was begun.
    pub fn begin(&mut self, iv: &[u8], counter: u32) -> Result<()> {
        self.begun = false;
        if iv.len() != self.algorithm.iv_length() {
            return Err(Error::Parameter("the IV has another length than the cipher's"));
        }
        self.iv = [0; MAX_BLOCK];
        for (to, from) in self.iv.iter_mut().zip(iv) {
            *to = *from;
        }
        self.counter = counter;
        self.begun = true;
        self.rewind()
    }

    /// Back to where [`Cipher::begin`] left it.
    pub fn rewind(&mut self) -> Result<()> {
        if !self.begun {
            return Err(NOT_BEGUN);
        }
        self.pending = 0;
        let iv = self.iv.get(..self.algorithm.iv_length()).ok_or(NOT_BEGUN)?;
        let keyed = self.keyed.as_mut().ok_or(NO_KEY)?;
        let result = match &mut keyed.engine {
            Engine::Evp(context) if self.algorithm == Algorithm::Arc4 => context.key(keyed.key.get()),
            Engine::Evp(context) => context.iv(iv),
            Engine::ChaCha(stream) => {
                ChaCha20::new(keyed.key.get(), iv, self.counter).map(|fresh| *stream = Some(fresh))
            }
            Engine::Counter(stream) => {
                stream.begin(&self.iv);
                Ok(())
            }
            Engine::Cbc(stream) => {
                stream.begin(&self.iv);
                Ok(())
            }
        };
        self.begun = result.is_ok();
        result
    }

    fn keyed(&mut self) -> Result<&mut Keyed> {
        if !self.begun {
            return Err(if self.keyed.is_some() { NOT_BEGUN } else { NO_KEY });
        }
        self.keyed.as_mut().ok_or(NO_KEY)
    }

    fn holds_back(&self) -> bool {
        self.padded && self.keyed.as_ref().is_some_and(|keyed| !keyed.encrypt)
    }

    /// Bytes that [`Cipher::update`] writes for `length` more.
    pub fn update_length(&self, length: usize) -> Result<usize> {
        let total = self.pending.checked_add(length).ok_or(Error::OutOfMemory)?;
        let block = self.algorithm.block();
        let whole = total - total % block;
        // As long as more may come, the last whole block may be the one with the padding.
        Ok(if self.holds_back() && length > 0 && whole == total && total > 0 {
            total - block
        } else if length == 0 {
            0
        } else {
            whole
        })
    }

    /// Bytes that [`Cipher::finish`] writes at most for `length` more; exact unless padding is removed.
    pub fn finish_length(&self, length: usize) -> Result<usize> {
        let total = self.pending.checked_add(length).ok_or(Error::OutOfMemory)?;
        let block = self.algorithm.block();
        if self.padded && !self.holds_back() {
            return (total - total % block).checked_add(block).ok_or(Error::OutOfMemory);
        }
        if total % block == 0 { Ok(total) } else { Err(Error::BlockSize("not a whole number of blocks")) }
    }

    /// Works on more input; answers how many bytes were written: [`Cipher::update_length`].
    /// [`Error::ShortBuffer`] changes nothing.
    pub fn update(&mut self, data: FromTo<'_>) -> Result<usize> {
        let pending = self.pending;
        let needed = self.update_length(data.len())?;
        self.keyed()?;
        let (input, length, output, room) = data.parts();
        if room < needed {
            return Err(Error::ShortBuffer { needed, available: room });
        }
        if length == 0 {
            return Ok(0);
        }
        // What is still to be read must not be overwritten.
        let copy = if data.overlaps() && (pending > 0 || !data.same_start()) { Some(data.copy_input()?) } else { None };
        let input = match copy {
            Some(mut copy) => return self.run(copy.bytes().as_ptr(), length, output, needed),
            None => input,
        };
        self.run(input, length, output, needed)
    }

    /// `needed` bytes of room and of output; input and output equal (with nothing pending) or disjoint.
    fn run(&mut self, input: *const u8, length: usize, output: *mut u8, needed: usize) -> Result<usize> {
        let mut written = 0;
        match &mut self.keyed()?.engine {
            Engine::Evp(context) => {
                // SAFETY: a live context, begun; memory as the caller of this private function promises.
                check(unsafe { ffi::EVP_CipherUpdate_ex(context.0, output, &raw mut written, needed, input, length) })?;
            }
            Engine::ChaCha(stream) => {
                // SAFETY: memory as the caller of this private function promises; `length` is `needed` here.
                let data = unsafe { InOut::from_raw(input, output, length) };
                stream.as_mut().ok_or(NOT_BEGUN)?.apply(data)?;
                written = length;
            }
            Engine::Counter(stream) => {
                // SAFETY: as above.
                stream.apply(unsafe { InOut::from_raw(input, output, length) });
                written = length;
            }
            Engine::Cbc(stream) => {
                // SAFETY: memory as the caller of this private function promises.
                unsafe { stream.update(input, length, output, needed) };
                written = needed;
            }
        }
        self.pending = (self.pending + length).saturating_sub(written);
        Ok(written)
    }

    /// Works on the last input, adds or removes padding, and goes back to where [`Cipher::begin`] left it; answers how
    /// many bytes were written. [`Error::ShortBuffer`] changes nothing. After any other error it is back there too, and
    /// what was written is zero.
    pub fn finish(&mut self, mut data: FromTo<'_>) -> Result<usize> {
        self.keyed()?;
        let result = match self.finish_length(data.len()) {
            Ok(bound) if data.room() >= bound => self.complete(&mut data),
            Ok(bound) if self.holds_back() && data.room() >= bound - self.algorithm.block() => {
                return self.finish_tight(data, bound);
            }
            Ok(bound) => return Err(Error::ShortBuffer { needed: bound, available: data.room() }),
            Err(error) => Err(error),
        };
        let rewound = self.rewind();
        result.and_then(|written| rewound.map(|()| written))
    }

    /// There is room for all but a block, so that only the padding tells whether there is enough.
    fn finish_tight(&mut self, mut data: FromTo<'_>, bound: usize) -> Result<usize> {
        let saved = match self.keyed.as_ref().map(|keyed| &keyed.engine) {
            Some(Engine::Evp(context)) => Engine::Evp(context.try_clone()?),
            Some(Engine::Cbc(stream)) => Engine::Cbc(stream.clone()),
            // Nothing else holds anything back.
            _ => return Err(NO_KEY),
        };
        let pending = self.pending;
        let mut input = data.copy_input()?;
        let mut plain = Copied::zeros(bound)?;
        let mut inner = FromTo::separate(input.bytes(), plain.bytes());
        match self.complete(&mut inner) {
            Ok(written) if written > data.room() => {
                if let Some(keyed) = &mut self.keyed {
                    keyed.engine = saved;
                }
                self.pending = pending;
                Err(Error::ShortBuffer { needed: written, available: data.room() })
            }
            Ok(written) => {
                data.write(0, plain.bytes().get(..written).unwrap_or_default())?;
                self.rewind()?;
                Ok(written)
            }
            Err(error) => {
                self.rewind()?;
                Err(error)
            }
        }
    }

    /// The last input and the end, with room enough.
    fn complete(&mut self, data: &mut FromTo<'_>) -> Result<usize> {
        if self.pending + data.len() == 0 && self.holds_back() {
            return Ok(0);
        }
        let (input, length, output, room) = data.parts();
        // SAFETY: the parts of `data`, which is not used until this is.
        let written = self.update(unsafe { FromTo::from_raw(input, length, output, room) })?;
        if !self.padded {
            // `finish_length` has seen whole blocks: nothing is left.
            return Ok(written);
        }
        let (block, holds_back) = (self.algorithm.block(), self.holds_back());
        let mut last = [0; MAX_BLOCK];
        let mut last_length = 0;
        let good = match &mut self.keyed()?.engine {
            Engine::Evp(context) => {
                // SAFETY: a live context, begun; room for a block of any cipher.
                1 == unsafe { ffi::EVP_CipherFinal_ex2(context.0, last.as_mut_ptr(), &raw mut last_length, MAX_BLOCK) }
            }
            Engine::Cbc(stream) if holds_back => {
                let length = stream.finish(&mut last);
                last_length = length.unwrap_or(0);
                length.is_some()
            }
            _ => true,
        };
        if !good {
            data.clear(written);
            cleanse(&mut last);
            let error = if holds_back {
                Error::Padding(WRONG_PADDING)
            } else {
                Error::BlockSize("not a whole number of blocks")
            };
            return Err(error.after_clear());
        }
        let result = data.write(written, last.get(..last_length.min(block)).unwrap_or_default());
        cleanse(&mut last);
        result.map(|()| written + last_length)
    }
}
