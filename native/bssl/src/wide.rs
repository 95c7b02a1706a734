//! AES-CTR and AES-CBC decryption that stream in pieces of any length over the wide instructions of [`crate::vaes`].

#[cfg_attr(not(target_arch = "x86_64"), path = "wide/vaes_none.rs")]
#[cfg_attr(target_arch = "x86_64", path = "wide/vaes.rs")]
mod vaes;

use vaes::{BLOCK, Blocks, Key};

use crate::bytes::{InOut, cleanse};

/// AES-CTR: the IV is the first counter block, counted up modulo 2^128. Secrets are zeroed when dropped.
#[derive(Clone)]
pub(crate) struct CounterMode {
    key: Key,
    counter: u128,
    keystream: [u8; BLOCK],
    /// How much of `keystream` is used.
    used: usize,
}

impl CounterMode {
    /// `None` where the processor has not got what it takes; the key has a length of AES.
    pub(crate) fn new(key: &[u8]) -> Option<Self> {
        Some(Self { key: Key::encrypting(key)?, counter: 0, keystream: [0; BLOCK], used: BLOCK })
    }

    /// Starts anew.
    pub(crate) fn begin(&mut self, iv: &[u8; BLOCK]) {
        self.counter = u128::from_be_bytes(*iv);
        self.used = BLOCK;
    }

    /// Exclusive-ors the next keystream onto `data`.
    pub(crate) fn apply(&mut self, mut data: InOut<'_>) {
        let (input, output, length) = data.settle();
        let first = (BLOCK - self.used).min(length);
        // SAFETY: the first bytes of memory that `settle` answered for.
        unsafe { self.xor(input, output, first) };
        let blocks = (length - first) / BLOCK;
        let (start, tail) = (first + blocks * BLOCK, (length - first) % BLOCK);
        if blocks > 0 {
            // SAFETY: inside the same memory; equal or disjoint.
            let mut whole = unsafe { Blocks::from_raw(input.add(first), output.add(first), blocks) };
            self.key.counter_mode(self.counter, &mut whole);
            self.counter = self.counter.wrapping_add(u128::try_from(blocks).unwrap_or(0));
        }
        if tail > 0 {
            self.keystream = [0; BLOCK];
            self.key.counter_mode(self.counter, &mut Blocks::in_place(&mut self.keystream));
            self.counter = self.counter.wrapping_add(1);
            self.used = 0;
            // SAFETY: the last bytes of the same memory.
            unsafe { self.xor(input.add(start), output.add(start), tail) };
        }
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

impl Drop for CounterMode {
    fn drop(&mut self) {
        cleanse(&mut self.keystream);
    }
}

/// AES-CBC decryption. Secrets are zeroed when dropped.
#[derive(Clone)]
pub(crate) struct CbcDecryption {
    key: Key,
    previous: [u8; BLOCK],
    /// Ciphertext that came in and was not decrypted yet.
    held: [u8; BLOCK],
    held_length: usize,
}

impl CbcDecryption {
    /// `None` where the processor has not got what it takes; the key has a length of AES.
    pub(crate) fn new(key: &[u8]) -> Option<Self> {
        Some(Self { key: Key::decrypting(key)?, previous: [0; BLOCK], held: [0; BLOCK], held_length: 0 })
    }

    /// Starts anew.
    pub(crate) fn begin(&mut self, iv: &[u8; BLOCK]) {
        self.previous = *iv;
        self.held_length = 0;
    }

    /// Decrypts the first `needed` bytes, whole blocks, of what is held and `length` more; holds the rest, a block at most.
    ///
    /// # Safety
    /// `length` readable bytes at `input`, `needed` writable ones at `output`: disjoint, or equal with nothing held.
    pub(crate) unsafe fn update(
        &mut self,
        mut input: *const u8,
        mut length: usize,
        mut output: *mut u8,
        needed: usize,
    ) {
        let mut blocks = needed / BLOCK;
        if blocks > 0 && self.held_length > 0 {
            let missing = BLOCK - self.held_length;
            // SAFETY: one block and more is needed of what is held and the input, so it has what is missing.
            unsafe { self.hold(input, missing) };
            (input, length) = (input.wrapping_add(missing), length - missing);
            let plain = self.decrypt_held();
            // SAFETY: the first block of `needed` bytes.
            unsafe { std::ptr::copy_nonoverlapping(plain.as_ptr(), output, BLOCK) };
            (output, blocks) = (output.wrapping_add(BLOCK), blocks - 1);
        }
        if blocks > 0 {
            let whole = blocks * BLOCK;
            let mut last = [0; BLOCK];
            // SAFETY: the last of `blocks` blocks of input; read before it may be overwritten.
            unsafe { std::ptr::copy_nonoverlapping(input.add(whole - BLOCK), last.as_mut_ptr(), BLOCK) };
            // SAFETY: as many blocks of input and output; equal or disjoint.
            self.key.cbc_decrypt(&self.previous, &mut unsafe { Blocks::from_raw(input, output, blocks) });
            self.previous = last;
            (input, length) = (input.wrapping_add(whole), length - whole);
        }
        // SAFETY: the rest of the input.
        unsafe { self.hold(input, length) };
    }

    /// # Safety
    /// `length` readable bytes; there is room for them.
    unsafe fn hold(&mut self, input: *const u8, length: usize) {
        for (index, byte) in self.held.iter_mut().skip(self.held_length).take(length).enumerate() {
            // SAFETY: promise of the caller.
            *byte = unsafe { input.add(index).read() };
        }
        self.held_length += length;
    }

    /// Decrypts the block that is held.
    fn decrypt_held(&mut self) -> [u8; BLOCK] {
        let mut block = self.held;
        self.key.cbc_decrypt(&self.previous, &mut Blocks::in_place(&mut block));
        self.previous = self.held;
        self.held_length = 0;
        block
    }

    /// Decrypts the last block, which is held, into `last` and answers how many bytes of it are before the padding
    /// (PKCS #7, RFC 5652 section 6.3); `None` if there is no such block or padding. What the padding is does not show in the time taken.
    pub(crate) fn finish(&mut self, last: &mut [u8; BLOCK]) -> Option<usize> {
        if self.held_length != BLOCK {
            return None;
        }
        *last = self.decrypt_held();
        let [.., count] = *last;
        let mut wrong = u8::from(count == 0) | u8::from(count > 16);
        for (byte, from_end) in last.iter().rev().zip(0_u8..) {
            wrong |= (byte ^ count) & 0_u8.wrapping_sub(u8::from(from_end < count));
        }
        (wrong == 0).then(|| BLOCK - usize::from(count))
    }
}
