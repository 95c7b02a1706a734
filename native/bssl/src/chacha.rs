//! ChaCha20 (RFC 8439), HChaCha20, and ChaCha20-Poly1305 sealed piece by piece.

use boring_sys as ffi;

use crate::bytes::{InOut, Secret, cleanse};
use crate::error::{Error, Result};

const BLOCK: usize = 64;
const COUNTER: Error = Error::State("the ChaCha20 block counter ends here");

/// The ChaCha20 stream under one key and nonce. Secrets are zeroed when dropped.
pub(crate) struct ChaCha20 {
    key: Secret<32>,
    nonce: [u8; 12],
    /// Counter of the next block; 2^32 once all are used.
    counter: u64,
    keystream: [u8; BLOCK],
    /// How much of `keystream` is used.
    used: usize,
}

impl ChaCha20 {
    /// From block `counter` on. The key has 32 bytes, the nonce 12.
    pub(crate) fn new(key: &[u8], nonce: &[u8], counter: u32) -> Result<Self> {
        let key = Secret::new(key).filter(|_| key.len() == 32).ok_or(Error::Key("ChaCha20 keys have 32 bytes"))?;
        let nonce = nonce.try_into().map_err(|_| Error::Parameter("ChaCha20 nonces have 12 bytes"))?;
        Ok(Self { key, nonce, counter: counter.into(), keystream: [0; BLOCK], used: BLOCK })
    }

    /// Exclusive-ors the next keystream onto `data`; [`Error::State`], nothing changed, if that is more than the
    /// 32-bit counter has blocks for.
    pub(crate) fn apply(&mut self, mut data: InOut<'_>) -> Result<()> {
        let left = BLOCK - self.used;
        let blocks = u64::try_from(data.len().saturating_sub(left).div_ceil(BLOCK)).map_err(|_| COUNTER)?;
        if blocks > (1 << 32) - self.counter {
            return Err(COUNTER);
        }
        let (input, output, length) = data.settle();
        let first = left.min(length);
        // SAFETY: the first bytes of memory that `settle` answered for.
        unsafe { self.xor(input, output, first) };
        let whole = (length - first) / BLOCK * BLOCK;
        if whole > 0 {
            // SAFETY: inside the same memory; equal or disjoint.
            unsafe { self.run(input.add(first), output.add(first), whole) };
        }
        let (start, tail) = (first + whole, length - first - whole);
        if tail > 0 {
            self.refill();
            // SAFETY: the last bytes of the same memory.
            unsafe { self.xor(input.add(start), output.add(start), tail) };
        }
        Ok(())
    }

    /// The next whole block of keystream.
    fn refill(&mut self) {
        self.keystream = [0; BLOCK];
        let block = self.keystream.as_mut_ptr();
        // SAFETY: in place, one block of our own.
        unsafe { self.run(block, block, BLOCK) };
        self.used = 0;
    }

    /// # Safety
    /// `length` bytes each, whole blocks, equal or disjoint; the counter has as many blocks left.
    unsafe fn run(&mut self, input: *const u8, output: *mut u8, length: usize) {
        let counter = u32::try_from(self.counter).unwrap_or(u32::MAX);
        // SAFETY: promise of the caller; key and nonce are as long as the function takes.
        unsafe {
            ffi::CRYPTO_chacha_20(output, input, length, self.key.get().as_ptr(), self.nonce.as_ptr(), counter);
        }
        self.counter += u64::try_from(length / BLOCK).unwrap_or(0);
    }

    /// # Safety
    /// `length` bytes each, equal or disjoint, at most what is left of `keystream`.
    unsafe fn xor(&mut self, input: *const u8, output: *mut u8, length: usize) {
        for (index, byte) in self.keystream.iter().skip(self.used).take(length).enumerate() {
            // SAFETY: promise of the caller.
            unsafe { output.add(index).write(input.add(index).read() ^ byte) };
        }
        self.used += length;
    }
}

impl Drop for ChaCha20 {
    fn drop(&mut self) {
        cleanse(&mut self.keystream);
    }
}

/// HChaCha20 (draft-irtf-cfrg-xchacha-03 section 2.2): the subkey for the first 16 bytes of an XChaCha20 nonce.
///
/// BoringSSL keeps its own to itself. A ChaCha20 block is the permuted state plus the initial state, and HChaCha20 is
/// words 0 to 3 and 12 to 15 of the permuted state: what must be taken off again are the constants and the nonce.
fn hchacha20(key: &[u8], nonce: &[u8]) -> Result<Secret<32>> {
    const SIGMA: &[u8; 16] = b"expand 32-byte k";
    let (first, rest) = nonce.split_at_checked(4).ok_or(Error::Parameter("nonce is too short"))?;
    let counter = u32::from_le_bytes(first.try_into().map_err(|_| Error::Parameter("nonce is too short"))?);
    let mut stream = ChaCha20::new(key, rest, counter)?;
    let mut block = [0; BLOCK];
    stream.apply(InOut::in_place(&mut block))?;
    let ends = block.chunks_exact(4).take(4).chain(block.chunks_exact(4).skip(12));
    let initial = SIGMA.chunks_exact(4).chain(nonce.chunks_exact(4));
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
    let mut subkey = [0; 32];
    for (out, (end, start)) in subkey.chunks_exact_mut(4).zip(ends.zip(initial)) {
        out.copy_from_slice(&word(end).wrapping_sub(word(start)).to_le_bytes());
    }
    let secret = Secret::new(&subkey);
    cleanse(&mut subkey);
    cleanse(&mut block);
    secret.ok_or(Error::Key("ChaCha20 keys have 32 bytes"))
}

/// ChaCha20-Poly1305 (RFC 8439 section 2.8), sealing in any number of pieces and constant memory.
pub(crate) struct Sealing {
    cipher: ChaCha20,
    /// On the heap: BoringSSL aligns inside it, so it must not move.
    mac: Box<ffi::poly1305_state>,
    additional: u64,
    data: u64,
    in_data: bool,
}

// SAFETY of the calls below: `mac` was initialised by `new` and has not moved since.
impl Sealing {
    /// Starts a message. The nonce has 12 bytes or, for XChaCha20, 24.
    pub(crate) fn new(key: &[u8], nonce: &[u8]) -> Result<Self> {
        let mut cipher = match nonce.split_at_checked(16) {
            None => ChaCha20::new(key, nonce, 0)?,
            Some((first, rest)) => {
                let subkey = hchacha20(key, first)?;
                let mut short = [0; 12];
                for (to, from) in short.iter_mut().skip(4).zip(rest) {
                    *to = *from;
                }
                ChaCha20::new(subkey.get(), &short, 0)?
            }
        };
        // Block 0 is the authenticator's key; data begin with block 1.
        let mut block = [0; BLOCK];
        cipher.apply(InOut::in_place(&mut block))?;
        let mut mac: Box<ffi::poly1305_state> = Box::new([0; 512]);
        // SAFETY: the state is as large as its type; the key has 32 bytes.
        unsafe { ffi::CRYPTO_poly1305_init(&raw mut *mac, block.as_ptr()) };
        cleanse(&mut block);
        Ok(Self { cipher, mac, additional: 0, data: 0, in_data: false })
    }

    fn authenticate(&mut self, bytes: *const u8, length: usize) {
        if length > 0 {
            // SAFETY: an initialised state that has not moved; the callers pass readable memory.
            unsafe { ffi::CRYPTO_poly1305_update(&raw mut *self.mac, bytes, length) };
        }
    }

    fn pad(&mut self, length: u64) {
        let zeros = [0; 16];
        let count = usize::try_from((16 - length % 16) % 16).unwrap_or(0);
        self.authenticate(zeros.as_ptr(), count);
    }

    /// Appends additional data.
    pub(crate) fn additional(&mut self, bytes: &[u8]) {
        self.authenticate(bytes.as_ptr(), bytes.len());
        self.additional = self.additional.wrapping_add(u64::try_from(bytes.len()).unwrap_or(0));
    }

    fn begin_data(&mut self) {
        if !self.in_data {
            self.in_data = true;
            self.pad(self.additional);
        }
    }

    /// Encrypts the next piece.
    pub(crate) fn data(&mut self, mut data: InOut<'_>) -> Result<()> {
        self.begin_data();
        let (input, output, length) = data.settle();
        // SAFETY: the memory of `data`, settled.
        self.cipher.apply(unsafe { InOut::from_raw(input, output, length) })?;
        self.authenticate(output, length);
        self.data = self.data.wrapping_add(u64::try_from(length).unwrap_or(0));
        Ok(())
    }

    /// Ends the message; answers the tag.
    pub(crate) fn finish(mut self) -> [u8; 16] {
        self.begin_data();
        self.pad(self.data);
        for length in [self.additional, self.data] {
            let bytes = length.to_le_bytes();
            self.authenticate(bytes.as_ptr(), bytes.len());
        }
        let mut tag = [0; 16];
        // SAFETY: an initialised state that has not moved; a tag has 16 bytes.
        unsafe { ffi::CRYPTO_poly1305_finish(&raw mut *self.mac, tag.as_mut_ptr()) };
        tag
    }
}

impl Drop for Sealing {
    fn drop(&mut self) {
        cleanse(&mut *self.mac);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::testing::{hex, to_hex};

    /// draft-irtf-cfrg-xchacha-03 section 2.2.1.
    #[test]
    fn hchacha() {
        let key: Vec<u8> = (0..32).collect();
        let subkey = hchacha20(&key, &hex("000000090000004a0000000031415927")).unwrap();
        assert_eq!(to_hex(subkey.get()), "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc");
    }

    #[test]
    fn pieces_agree_and_the_counter_ends() {
        let (key, nonce) = ([7; 32], [9; 12]);
        let mut expected = vec![0; 1000];
        ChaCha20::new(&key, &nonce, 5).unwrap().apply(InOut::in_place(&mut expected)).unwrap();
        for piece in [1, 3, 63, 64, 65, 130, 999] {
            let mut out = vec![0; 1000];
            let mut stream = ChaCha20::new(&key, &nonce, 5).unwrap();
            out.chunks_mut(piece).for_each(|bytes| stream.apply(InOut::in_place(bytes)).unwrap());
            assert_eq!(out, expected, "{piece}");
        }
        let mut stream = ChaCha20::new(&key, &nonce, u32::MAX - 1).unwrap();
        let mut out = [0; 129];
        assert_eq!(stream.apply(InOut::in_place(&mut out)), Err(COUNTER));
        assert_eq!(out, [0; 129]);
        stream.apply(InOut::in_place(&mut out[..100])).unwrap();
        stream.apply(InOut::in_place(&mut out[100..128])).unwrap();
        assert_eq!(stream.apply(InOut::in_place(&mut out[128..])), Err(COUNTER));
        stream.apply(InOut::in_place(&mut [])).unwrap();
    }

    /// RFC 8439 section 2.4.2.
    #[test]
    fn known_answer() {
        let key: Vec<u8> = (0..32).collect();
        let mut text = *b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
sunscreen would be it.";
        let mut stream = ChaCha20::new(&key, &hex("000000000000004a00000000"), 1).unwrap();
        stream.apply(InOut::in_place(&mut text)).unwrap();
        assert_eq!(to_hex(&text[..16]), "6e2e359a2568f98041ba0728dd0d6981");
        assert_eq!(to_hex(&text[112..]), "874d");
    }
}
