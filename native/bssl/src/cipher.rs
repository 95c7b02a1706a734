//! Ciphers without authentication: AES (FIPS 197) and triple DES (SP 800-67) in the modes of SP 800-38A, ARC4, ChaCha20
//! (RFC 8439). They keep nothing secret from someone who can change the ciphertext.

use boring_sys as ffi;

use crate::bytes::{Copied, FromTo, InOut, Secret, cleanse};
use crate::chacha::ChaCha20;
use crate::error::{Error, Result, check, check_ptr};
use crate::wide::{CbcDecryption, CounterMode};

const WRONG_PADDING: &str = "padding is wrong: another key, or changed data";

/// The longest block and IV, in bytes.
const MAX_BLOCK: usize = 16;

/// A cipher and its mode. The numbers cross to Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Algorithm {
    /// AES-ECB.
    AesEcb = 0,
    /// AES-CBC.
    AesCbc = 1,
    /// AES-CTR: the whole IV is the first counter block, counted up modulo 2^128.
    AesCtr = 2,
    /// Triple DES with three keys, ECB.
    DesEdeEcb = 3,
    /// Triple DES with three keys, CBC.
    DesEdeCbc = 4,
    /// ARC4.
    Arc4 = 5,
    /// ChaCha20, from any block counter on.
    ChaCha20 = 6,
}

impl Algorithm {
    /// All of them, each at the index of its number.
    pub const ALL: [Self; 7] =
        [Self::AesEcb, Self::AesCbc, Self::AesCtr, Self::DesEdeEcb, Self::DesEdeCbc, Self::Arc4, Self::ChaCha20];

    /// The algorithm with this number.
    pub fn from_number(number: i32) -> Result<Self> {
        usize::try_from(number)
            .ok()
            .and_then(|index| Self::ALL.get(index).copied())
            .ok_or(Error::Argument("no such cipher"))
    }

    /// Bytes that are worked on at once; 1 for stream ciphers and CTR.
    pub fn block(self) -> usize {
        match self {
            Self::AesEcb | Self::AesCbc => 16,
            Self::DesEdeEcb | Self::DesEdeCbc => 8,
            Self::AesCtr | Self::Arc4 | Self::ChaCha20 => 1,
        }
    }

    /// Length of the IV in bytes; zero if it takes none.
    pub fn iv_length(self) -> usize {
        match self {
            Self::AesCbc | Self::AesCtr => 16,
            Self::DesEdeCbc => 8,
            Self::ChaCha20 => 12,
            Self::AesEcb | Self::DesEdeEcb | Self::Arc4 => 0,
        }
    }

    /// Bytes that take well below a millisecond.
    pub fn step(self) -> usize {
        match self {
            Self::DesEdeEcb | Self::DesEdeCbc => 8 << 10,
            Self::Arc4 => 64 << 10,
            _ => 256 << 10,
        }
    }

    fn check_key(self, length: usize) -> Result<()> {
        let (good, text) = match self {
            Self::AesEcb | Self::AesCbc | Self::AesCtr => {
                (matches!(length, 16 | 24 | 32), "AES keys have 16, 24 or 32 bytes")
            }
            Self::DesEdeEcb | Self::DesEdeCbc => (length == 24, "DESede keys have 24 bytes"),
            Self::Arc4 => ((5..=MAX_KEY).contains(&length), "ARC4 keys have 5 to 128 bytes"),
            Self::ChaCha20 => (length == 32, "ChaCha20 keys have 32 bytes"),
        };
        if good { Ok(()) } else { Err(Error::Key(text)) }
    }

    fn evp(self, key_length: usize) -> *const ffi::EVP_CIPHER {
        // SAFETY: no preconditions; static tables.
        unsafe {
            match (self, key_length) {
                (Self::AesEcb, 16) => ffi::EVP_aes_128_ecb(),
                (Self::AesEcb, 24) => ffi::EVP_aes_192_ecb(),
                (Self::AesEcb, _) => ffi::EVP_aes_256_ecb(),
                (Self::AesCbc, 16) => ffi::EVP_aes_128_cbc(),
                (Self::AesCbc, 24) => ffi::EVP_aes_192_cbc(),
                (Self::AesCbc, _) => ffi::EVP_aes_256_cbc(),
                (Self::AesCtr, 16) => ffi::EVP_aes_128_ctr(),
                (Self::AesCtr, 24) => ffi::EVP_aes_192_ctr(),
                (Self::AesCtr, _) => ffi::EVP_aes_256_ctr(),
                (Self::DesEdeEcb, _) => ffi::EVP_des_ede3_ecb(),
                (Self::DesEdeCbc, _) => ffi::EVP_des_ede3_cbc(),
                (Self::Arc4, _) => ffi::EVP_rc4(),
                (Self::ChaCha20, _) => std::ptr::null(),
            }
        }
    }
}

const MAX_KEY: usize = 128;
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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "tests")]
mod tests {
    use super::*;
    use crate::testing::{hex, to_hex};

    fn all() -> Vec<(Algorithm, bool, usize)> {
        let lengths = |algorithm: Algorithm| match algorithm {
            Algorithm::AesEcb | Algorithm::AesCbc | Algorithm::AesCtr => vec![16, 24, 32],
            Algorithm::DesEdeEcb | Algorithm::DesEdeCbc => vec![24],
            Algorithm::Arc4 => vec![5, 16, 128],
            Algorithm::ChaCha20 => vec![32],
        };
        let mut all = Vec::new();
        for algorithm in Algorithm::ALL {
            for length in lengths(algorithm) {
                all.extend([(algorithm, false, length), (algorithm, true, length)]);
            }
        }
        all
    }

    fn message(length: usize) -> Vec<u8> {
        (0..length).map(|i| u8::try_from((i * 7 + i / 256) % 256).unwrap()).collect()
    }

    fn cipher(algorithm: Algorithm, padded: bool, key_length: usize, encrypt: bool) -> Cipher {
        let mut cipher = Cipher::new(algorithm, padded);
        cipher.set_key(&message(key_length), encrypt).unwrap();
        cipher.begin(&message(algorithm.iv_length()), 1).unwrap();
        cipher
    }

    fn one_shot(cipher: &mut Cipher, data: &[u8]) -> Result<Vec<u8>> {
        let mut out = vec![0; cipher.finish_length(data.len())?];
        let written = cipher.finish(FromTo::separate(data, &mut out))?;
        out.truncate(written);
        Ok(out)
    }

    /// SP 800-38A appendix F: F.1.1, F.2.1, F.5.1 (AES-128), first blocks; RFC 6229 (ARC4, 40 bits).
    #[test]
    fn known_answers() {
        let key = hex("2b7e151628aed2a6abf7158809cf4f3c");
        let plain = hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
        for (algorithm, iv, expected) in [
            (Algorithm::AesEcb, "", "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"),
            (
                Algorithm::AesCbc,
                "000102030405060708090a0b0c0d0e0f",
                "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2",
            ),
            (
                Algorithm::AesCtr,
                "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
                "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff",
            ),
        ] {
            let mut cipher = Cipher::new(algorithm, false);
            cipher.set_key(&key, true).unwrap();
            cipher.begin(&hex(iv), 0).unwrap();
            assert_eq!(to_hex(&one_shot(&mut cipher, &plain).unwrap()), expected);
            assert_eq!(to_hex(&one_shot(&mut cipher, &plain).unwrap()), expected, "back to the start");
            cipher.set_key(&key, false).unwrap();
            cipher.begin(&hex(iv), 0).unwrap();
            assert_eq!(one_shot(&mut cipher, &hex(expected)).unwrap(), plain);
        }
        let mut arc4 = Cipher::new(Algorithm::Arc4, false);
        arc4.set_key(&hex("0102030405"), true).unwrap();
        arc4.begin(&[], 0).unwrap();
        for _ in 0..2 {
            assert_eq!(to_hex(&one_shot(&mut arc4, &[0; 16]).unwrap()), "b2396305f03dc027ccc3524a0a1118a8");
        }
    }

    #[test]
    fn pieces_agree_with_one_step() {
        for (algorithm, padded, key_length) in all() {
            let block = if padded { 1 } else { algorithm.block() };
            for length in [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 100, 1000] {
                let plain = message(length / block * block);
                let mut encrypting = cipher(algorithm, padded, key_length, true);
                let sealed = one_shot(&mut encrypting, &plain).unwrap();
                let mut decrypting = cipher(algorithm, padded, key_length, false);
                assert_eq!(one_shot(&mut decrypting, &sealed).unwrap(), plain);
                for (cipher, from, to) in [(&mut encrypting, &plain, &sealed), (&mut decrypting, &sealed, &plain)] {
                    for piece in [1, 5, 8, 16, 17, 999] {
                        let mut out = Vec::new();
                        for bytes in from.chunks(piece) {
                            let mut part = vec![0; cipher.update_length(bytes.len()).unwrap()];
                            let written = cipher.update(FromTo::separate(bytes, &mut part)).unwrap();
                            assert_eq!(written, part.len());
                            out.extend(part);
                        }
                        out.extend(one_shot(cipher, &[]).unwrap());
                        assert_eq!(&out, to, "{algorithm:?} {padded} {length} {piece}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_overlap_is_copy_safe() {
        for (algorithm, padded, key_length) in all() {
            for first in [0, 3, 16] {
                for encrypt in [true, false] {
                    let mut aside = cipher(algorithm, padded, key_length, true);
                    let mut from = message(208);
                    if !encrypt {
                        from = one_shot(&mut aside, &message(160)).unwrap();
                    }
                    let mut cipher = cipher(algorithm, padded, key_length, encrypt);
                    let expected = one_shot(&mut cipher, &from).unwrap();
                    for shift in 0..=80 {
                        let mut head = vec![0; cipher.update_length(first).unwrap()];
                        cipher.update(FromTo::separate(&from[..first], &mut head)).unwrap();
                        let rest = &from[first..];
                        let mut memory = vec![0xee; rest.len() + 200];
                        memory[40..40 + rest.len()].copy_from_slice(rest);
                        let room = cipher.finish_length(rest.len()).unwrap();
                        let base = memory.as_mut_ptr();
                        // SAFETY: both ranges lie inside `memory`, which nothing else refers to meanwhile.
                        let data = unsafe { FromTo::from_raw(base.add(40), rest.len(), base.add(shift), room) };
                        let written = cipher.finish(data).unwrap();
                        head.extend(&memory[shift..shift + written]);
                        assert_eq!(head, expected, "{algorithm:?} {padded} {first} {encrypt} {shift}");
                    }
                }
            }
        }
    }

    #[test]
    fn short_output_changes_nothing() {
        for (algorithm, padded, key_length) in all() {
            for encrypt in [true, false] {
                let mut from = message(48);
                if !encrypt {
                    from = one_shot(
                        &mut cipher(algorithm, padded, key_length, true),
                        &message(if padded { 40 } else { 48 }),
                    )
                    .unwrap();
                }
                let mut cipher = cipher(algorithm, padded, key_length, encrypt);
                let expected = one_shot(&mut cipher, &from).unwrap();
                let mut head = vec![0; cipher.update_length(21).unwrap()];
                assert!(cipher.update(FromTo::separate(&from[..21], &mut head[1..])).is_err());
                cipher.update(FromTo::separate(&from[..21], &mut head)).unwrap();
                let left = expected.len() - head.len();
                for room in 0..left {
                    let mut out = vec![0xee; room];
                    let result = cipher.finish(FromTo::separate(&from[21..], &mut out));
                    assert!(matches!(result, Err(Error::ShortBuffer { .. })), "{algorithm:?} {padded} {room}");
                    assert_eq!(out, vec![0xee; room]);
                }
                let mut out = vec![0; left];
                assert_eq!(cipher.finish(FromTo::separate(&from[21..], &mut out)), Ok(left));
                assert_eq!([head, out].concat(), expected);
            }
        }
    }

    /// A generator of test data, the same each time (xorshift).
    fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
        move |below| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state >> 16).unwrap() % below
        }
    }

    /// What the wide instructions do is what BoringSSL does, whatever the pieces, places and counters.
    #[test]
    fn wide_instructions_agree_with_boringssl() {
        let mut next = numbers(0x9e37_79b9_7f4a_7c15);
        let mut compared = 0;
        for round in 0..4000 {
            let key: Vec<u8> = (0..[16, 24, 32][next(3)]).map(|_| next(256) as u8).collect();
            let mut iv: Vec<u8> = (0..16).map(|_| next(256) as u8).collect();
            // Counters that overflow after some blocks: 32, 64 and 128 bits of them.
            let ones = [0, 4, 8, 16][next(4)];
            iv[16 - ones..].fill(0xff);
            if ones > 0 {
                iv[15] -= next(200) as u8;
            }
            let (algorithm, encrypt, padded) =
                [(Algorithm::AesCtr, true, false), (Algorithm::AesCbc, false, false), (Algorithm::AesCbc, false, true)]
                    [next(3)];
            let length = if round % 10 == 0 { next(20_000) } else { next(1500) };
            let mut from: Vec<u8> = (0..length).map(|_| next(256) as u8).collect();
            if algorithm == Algorithm::AesCbc {
                let mut sealing = Cipher::new(algorithm, padded);
                sealing.set_key(&key, true).unwrap();
                sealing.begin(&iv, 0).unwrap();
                if !padded {
                    from.truncate(length / 16 * 16);
                }
                from = one_shot(&mut sealing, &from).unwrap();
                // Damaged now and then, so that the padding is wrong.
                if next(8) == 0 {
                    let at = from.len().saturating_sub(1 + next(32)).min(from.len().max(1) - 1);
                    from.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 + next(255) as u8);
                }
            }
            let mut ciphers = [true, false].map(|wide| {
                let mut cipher = Cipher::new(algorithm, padded);
                cipher.wide = wide;
                cipher.set_key(&key, encrypt).unwrap();
                cipher.begin(&iv, 0).unwrap();
                cipher
            });
            compared += usize::from(!matches!(&ciphers[0].keyed.as_ref().unwrap().engine, Engine::Evp(_)));
            assert!(matches!(&ciphers[1].keyed.as_ref().unwrap().engine, Engine::Evp(_)));
            // The same pieces, both at odd places; every other round in place.
            let mut rest = &from[..];
            let most = [17, 100, 700, 20_000][next(4)];
            while !rest.is_empty() && next(10) > 0 {
                let (piece, after) = rest.split_at(rest.len().min(1 + next(most)));
                let (shift, in_place) = (next(64), next(2) == 0);
                let mut outs = Vec::new();
                for cipher in &mut ciphers {
                    let mut memory = vec![0xee; 2 * (piece.len() + 96)];
                    memory[shift..shift + piece.len()].copy_from_slice(piece);
                    let room = cipher.update_length(piece.len()).unwrap();
                    let at = if in_place { shift } else { piece.len() + 96 + (shift * 7) % 64 };
                    let base = memory.as_mut_ptr();
                    // SAFETY: both ranges lie inside `memory`, which nothing else refers to meanwhile.
                    let data = unsafe { FromTo::from_raw(base.add(shift), piece.len(), base.add(at), room) };
                    assert_eq!(cipher.update(data), Ok(room));
                    // What is before and behind the output is compared too.
                    outs.push(memory);
                }
                assert!(outs[0] == outs[1], "{algorithm:?} {padded} {length} {}", piece.len());
                rest = after;
            }
            let [wide, plain] = ciphers.map(|mut cipher| {
                let results = [rest, &from].map(|last| one_shot(&mut cipher, last));
                results.map(|result| result.map_err(|error| error.to_string()))
            });
            assert!(wide == plain, "{algorithm:?} {padded} {length}: {wide:?} {plain:?}");
        }
        #[cfg(target_arch = "x86_64")]
        let expected = is_x86_feature_detected!("vaes") && is_x86_feature_detected!("avx512bw");
        #[cfg(not(target_arch = "x86_64"))]
        let expected = false;
        assert_eq!(compared, if expected { 4000 } else { 0 });
    }

    #[test]
    fn bad_padding_and_bad_lengths() {
        for algorithm in [Algorithm::AesEcb, Algorithm::AesCbc, Algorithm::DesEdeCbc] {
            let block = algorithm.block();
            let good = one_shot(&mut cipher(algorithm, true, 24, true), &message(40)).unwrap();
            let mut decrypting = cipher(algorithm, true, 24, false);
            for tail in [&[0; 16][..block], &message(16)[..block]] {
                let mut plain = message(32);
                plain.truncate(32 - block);
                plain.extend(tail);
                let bad = one_shot(&mut cipher(algorithm, false, 24, true), &plain).unwrap();
                let mut out = [0xee; 48];
                assert_eq!(decrypting.finish(FromTo::separate(&bad, &mut out)), Err(Error::Padding(WRONG_PADDING)));
                assert_eq!(&out[..32 - block], &vec![0; 32 - block], "what was written is zero");
                assert_eq!(one_shot(&mut decrypting, &good).unwrap(), message(40), "back to the start");
            }
            for length in [1, block - 1, block + 1] {
                assert!(matches!(one_shot(&mut decrypting, &good[..length]), Err(Error::BlockSize(_))));
                let result = decrypting.finish(FromTo::separate(&good[..length], &mut [0; 64]));
                assert!(matches!(result, Err(Error::BlockSize(_))));
                assert_eq!(one_shot(&mut decrypting, &good).unwrap(), message(40));
            }
            assert_eq!(one_shot(&mut decrypting, &[]).unwrap(), []);
        }
    }

    #[test]
    fn misuse_is_an_error() {
        for algorithm in Algorithm::ALL {
            let mut cipher = Cipher::new(algorithm, true);
            assert_eq!(cipher.update(FromTo::separate(&[], &mut [])), Err(NO_KEY));
            assert_eq!(cipher.begin(&message(algorithm.iv_length()), 0), Err(NO_KEY));
            for length in [0, 4, 15, 33, 129] {
                if algorithm != Algorithm::Arc4 || !(5..=128).contains(&length) {
                    assert!(matches!(cipher.set_key(&message(length), true), Err(Error::Key(_))), "{algorithm:?}");
                }
            }
            let length = if algorithm == Algorithm::ChaCha20 { 32 } else { 24 };
            let id = cipher.set_key(&message(length), true).unwrap();
            assert_eq!((cipher.check_key_id(id), cipher.check_key_id(id + 1)), (Ok(()), Err(OTHER_KEY)));
            assert_eq!(cipher.finish(FromTo::separate(&[], &mut [])), Err(NOT_BEGUN));
            assert!(matches!(cipher.begin(&message(algorithm.iv_length() + 1), 0), Err(Error::Parameter(_))));
            assert_eq!(cipher.update(FromTo::separate(&[1], &mut [0])), Err(NOT_BEGUN));
            assert_eq!(Algorithm::from_number(algorithm as i32), Ok(algorithm));
        }
        assert!(Algorithm::from_number(-1).is_err());
        assert!(Algorithm::from_number(7).is_err());
    }
}
