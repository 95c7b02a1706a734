//! AES-CTR and AES-CBC decryption of whole blocks, 32 at a time, with the VAES and AVX-512 instructions. BoringSSL has such code
//! for AES-GCM only; its other modes work on 128-bit registers. Key schedules are BoringSSL's. Constant time: no branch
//! and no address depends on keys or data.
#![allow(unsafe_code, reason = "vector instructions, and memory that may be input and output at once")]

use std::arch::x86_64::{
    __m128i, __m512i, _mm_loadu_si128, _mm512_add_epi64, _mm512_aesdec_epi128, _mm512_aesdeclast_epi128,
    _mm512_aesenc_epi128, _mm512_aesenclast_epi128, _mm512_alignr_epi64, _mm512_broadcast_i32x4, _mm512_loadu_si512,
    _mm512_mask_storeu_epi64, _mm512_maskz_loadu_epi64, _mm512_set_epi64, _mm512_setzero_si512, _mm512_shuffle_epi8,
    _mm512_storeu_si512, _mm512_xor_si512,
};

use boring_sys as ffi;

/// Bytes in a block.
pub(crate) const BLOCK: usize = 16;

/// Blocks in a register.
const LANES: usize = 4;
/// Registers worked on at once: as many as leave room for the 15 round keys of AES-256, and keep the AES units busy.
const WIDTH: usize = 8;

/// The round keys for one direction. Zeroed when dropped.
#[derive(Clone)]
pub(crate) struct Key {
    schedule: ffi::AES_KEY,
    bits: u32,
}

impl Key {
    /// To encrypt with. `None` if this processor lacks the instructions, or the key's length is none of AES.
    pub(crate) fn encrypting(bytes: &[u8]) -> Option<Self> {
        let key = Self::new(bytes, ffi::AES_set_encrypt_key)?;
        let (mut ours, mut theirs) = ([0; BLOCK], *PROBE);
        key.counter_mode(u128::from_be_bytes(*PROBE), &mut Blocks::in_place(&mut ours));
        // SAFETY: a key schedule; one block, in place.
        unsafe { ffi::AES_encrypt(theirs.as_ptr(), theirs.as_mut_ptr(), &raw const key.schedule) };
        (ours == theirs).then_some(key)
    }

    /// To decrypt with; as [`Key::encrypting`].
    pub(crate) fn decrypting(bytes: &[u8]) -> Option<Self> {
        let key = Self::new(bytes, ffi::AES_set_decrypt_key)?;
        let (mut ours, mut theirs) = (*PROBE, *PROBE);
        key.cbc_decrypt(&[0; BLOCK], &mut Blocks::in_place(&mut ours));
        // SAFETY: a key schedule; one block, in place.
        unsafe { ffi::AES_decrypt(theirs.as_ptr(), theirs.as_mut_ptr(), &raw const key.schedule) };
        (ours == theirs).then_some(key)
    }

    /// The callers compare a block: how BoringSSL lays out its schedule is its own affair.
    fn new(bytes: &[u8], set: unsafe extern "C" fn(*const u8, u32, *mut ffi::AES_KEY) -> i32) -> Option<Self> {
        let supported = is_x86_feature_detected!("vaes")
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw");
        let bits = match bytes.len() {
            16 => 128,
            24 => 192,
            32 => 256,
            _ => return None,
        };
        if !supported {
            return None;
        }
        let mut key = Self { schedule: ffi::AES_KEY { rd_key: [0; 60], rounds: 0 }, bits };
        // SAFETY: as many bytes as the number of bits says; room for a schedule.
        let result = unsafe { set(bytes.as_ptr(), bits, &raw mut key.schedule) };
        (result == 0).then_some(key)
    }

    /// Exclusive-ors the encrypted counter blocks from `counter` on, big-endian, counted up modulo 2^128.
    pub(crate) fn counter_mode(&self, mut counter: u128, blocks: &mut Blocks<'_>) {
        while blocks.count > 0 {
            // The registers count in 64 bits: up to where the upper half would take a carry.
            let low = counter & u128::from(u64::MAX);
            let before_carry = usize::try_from((1 << 64) - low).unwrap_or(usize::MAX);
            let part = blocks.take(before_carry);
            counter = counter.wrapping_add(u128::try_from(part.count).unwrap_or(0));
            let (high, low) = halves(counter.wrapping_sub(u128::try_from(part.count).unwrap_or(0)));
            // SAFETY: `new` has found the instructions; as many blocks of input and output as `Blocks` promises; the schedule
            // has as many round keys as go with the key's length.
            unsafe {
                match self.bits {
                    128 => counter_mode::<11>(&self.schedule, high, low, &part),
                    192 => counter_mode::<13>(&self.schedule, high, low, &part),
                    _ => counter_mode::<15>(&self.schedule, high, low, &part),
                }
            }
        }
    }

    /// CBC decryption; `previous` is the ciphertext block before, or the IV.
    pub(crate) fn cbc_decrypt(&self, previous: &[u8; BLOCK], blocks: &mut Blocks<'_>) {
        let part = blocks.take(usize::MAX);
        // SAFETY: as in `counter_mode`.
        unsafe {
            match self.bits {
                128 => cbc_decrypt::<11>(&self.schedule, previous, &part),
                192 => cbc_decrypt::<13>(&self.schedule, previous, &part),
                _ => cbc_decrypt::<15>(&self.schedule, previous, &part),
            }
        }
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: all of a plain structure of integers.
        unsafe { ffi::OPENSSL_cleanse((&raw mut self.schedule).cast(), size_of::<ffi::AES_KEY>()) };
    }
}

const PROBE: &[u8; BLOCK] = b"0123456789abcdef";

/// Whole blocks that are read and written: at the same place, or disjoint.
pub(crate) struct Blocks<'a> {
    input: *const u8,
    output: *mut u8,
    count: usize,
    memory: std::marker::PhantomData<&'a mut [u8]>,
}

impl<'a> Blocks<'a> {
    /// The whole blocks of `bytes`.
    pub(crate) fn in_place(bytes: &'a mut [u8]) -> Self {
        let output = bytes.as_mut_ptr();
        Self { input: output, output, count: bytes.len() / BLOCK, memory: std::marker::PhantomData }
    }

    /// # Safety
    /// `count` blocks readable at `input` and writable at `output` during `'a`, equal or disjoint, without Rust references to them.
    pub(crate) unsafe fn from_raw(input: *const u8, output: *mut u8, count: usize) -> Self {
        Self { input, output, count, memory: std::marker::PhantomData }
    }

    /// The first blocks, `most` at most; the others stay.
    fn take(&mut self, most: usize) -> Self {
        let count = self.count.min(most);
        let first = Self { input: self.input, output: self.output, count, memory: std::marker::PhantomData };
        self.input = self.input.wrapping_add(count * BLOCK);
        self.output = self.output.wrapping_add(count * BLOCK);
        self.count -= count;
        first
    }
}

fn halves(counter: u128) -> (i64, i64) {
    let bytes = counter.to_be_bytes();
    let half = |from: usize| {
        bytes.iter().skip(from).take(8).fold(0_u64, |value, byte| value << 8 | u64::from(*byte)).cast_signed()
    };
    (half(0), half(8))
}

/// # Safety
/// AVX-512; the schedule has `N` round keys.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn round_keys<const N: usize>(schedule: &ffi::AES_KEY) -> [__m512i; N] {
    const { assert!(N <= 15) };
    let first = schedule.rd_key.as_ptr().cast::<__m128i>();
    let mut keys = [_mm512_setzero_si512(); N];
    for (index, key) in keys.iter_mut().enumerate() {
        // SAFETY: 15 round keys of 16 bytes fit in `rd_key`.
        *key = _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(first.add(index)) });
    }
    keys
}

#[inline]
#[target_feature(enable = "avx512f,vaes")]
fn encrypt<const N: usize, const W: usize>(keys: &[__m512i; N], state: &mut [__m512i; W]) {
    if let [first, middle @ .., last] = keys.as_slice() {
        state.iter_mut().for_each(|block| *block = _mm512_xor_si512(*block, *first));
        for key in middle {
            state.iter_mut().for_each(|block| *block = _mm512_aesenc_epi128(*block, *key));
        }
        state.iter_mut().for_each(|block| *block = _mm512_aesenclast_epi128(*block, *last));
    }
}

#[inline]
#[target_feature(enable = "avx512f,vaes")]
fn decrypt<const N: usize, const W: usize>(keys: &[__m512i; N], state: &mut [__m512i; W]) {
    if let [first, middle @ .., last] = keys.as_slice() {
        state.iter_mut().for_each(|block| *block = _mm512_xor_si512(*block, *first));
        for key in middle {
            state.iter_mut().for_each(|block| *block = _mm512_aesdec_epi128(*block, *key));
        }
        state.iter_mut().for_each(|block| *block = _mm512_aesdeclast_epi128(*block, *last));
    }
}

/// Which 64-bit parts of a register `count` blocks fill, four at most.
fn mask(count: usize) -> u8 {
    match count {
        0 => 0,
        1 => 0b11,
        2 => 0b1111,
        3 => 0b11_1111,
        _ => 0xff,
    }
}

/// # Safety
/// AVX-512 and VAES; the schedule has `N` round keys; the lower half of the counter does not overflow.
#[target_feature(enable = "avx512f,avx512bw,vaes")]
unsafe fn counter_mode<const N: usize>(schedule: &ffi::AES_KEY, high: i64, low: i64, blocks: &Blocks<'_>) {
    // SAFETY: promise of the caller.
    let keys = unsafe { round_keys::<N>(schedule) };
    // Each block's 16 bytes in reverse.
    let reverse =
        _mm512_broadcast_i32x4(std::arch::x86_64::_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    let step = _mm512_set_epi64(0, 4, 0, 4, 0, 4, 0, 4);
    let lane = _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0);
    let mut next = _mm512_add_epi64(_mm512_set_epi64(high, low, high, low, high, low, high, low), lane);
    let (mut input, mut output, mut left) = (blocks.input, blocks.output, blocks.count);
    while left >= WIDTH * LANES {
        let mut state = [_mm512_setzero_si512(); WIDTH];
        for block in &mut state {
            *block = _mm512_shuffle_epi8(next, reverse);
            next = _mm512_add_epi64(next, step);
        }
        encrypt(&keys, &mut state);
        for block in &state {
            // SAFETY: inside the blocks that are left.
            unsafe {
                let data = _mm512_loadu_si512(input.cast());
                _mm512_storeu_si512(output.cast(), _mm512_xor_si512(data, *block));
            }
            input = input.wrapping_add(LANES * BLOCK);
            output = output.wrapping_add(LANES * BLOCK);
        }
        left -= WIDTH * LANES;
    }
    while left > 0 {
        const PART: usize = 2;
        let mut state = [_mm512_setzero_si512(); PART];
        for block in &mut state {
            *block = _mm512_shuffle_epi8(next, reverse);
            next = _mm512_add_epi64(next, step);
        }
        encrypt(&keys, &mut state);
        for block in &state {
            let here = mask(left);
            // SAFETY: only what the mask says is read and written: what is left of the blocks.
            unsafe {
                let data = _mm512_maskz_loadu_epi64(here, input.cast());
                _mm512_mask_storeu_epi64(output.cast(), here, _mm512_xor_si512(data, *block));
            }
            input = input.wrapping_add(LANES * BLOCK);
            output = output.wrapping_add(LANES * BLOCK);
            left = left.saturating_sub(LANES);
        }
    }
}

/// # Safety
/// AVX-512 and VAES; the schedule has `N` round keys, to decrypt with.
#[target_feature(enable = "avx512f,avx512bw,vaes")]
unsafe fn cbc_decrypt<const N: usize>(schedule: &ffi::AES_KEY, previous: &[u8; BLOCK], blocks: &Blocks<'_>) {
    // SAFETY: promise of the caller; `previous` has 16 bytes.
    let (keys, previous) = unsafe { (round_keys::<N>(schedule), _mm_loadu_si128(previous.as_ptr().cast())) };
    // The ciphertext before, its last block on top.
    let mut before = _mm512_broadcast_i32x4(previous);
    let (mut input, mut output, mut left) = (blocks.input, blocks.output, blocks.count);
    while left >= WIDTH * LANES {
        let mut state = [_mm512_setzero_si512(); WIDTH];
        for (index, block) in state.iter_mut().enumerate() {
            // SAFETY: inside the blocks that are left.
            *block = unsafe { _mm512_loadu_si512(input.wrapping_add(index * LANES * BLOCK).cast()) };
        }
        decrypt(&keys, &mut state);
        for block in &state {
            // SAFETY: as above; read again before it is overwritten, where both are the same memory.
            unsafe {
                let data = _mm512_loadu_si512(input.cast());
                let shifted = _mm512_alignr_epi64::<6>(data, before);
                _mm512_storeu_si512(output.cast(), _mm512_xor_si512(shifted, *block));
                before = data;
            }
            input = input.wrapping_add(LANES * BLOCK);
            output = output.wrapping_add(LANES * BLOCK);
        }
        left -= WIDTH * LANES;
    }
    while left > 0 {
        const PART: usize = 2;
        let mut data = [_mm512_setzero_si512(); PART];
        for (index, block) in data.iter_mut().enumerate() {
            let here = mask(left.saturating_sub(index * LANES));
            // SAFETY: only what the mask says is read: what is left of the blocks.
            *block = unsafe { _mm512_maskz_loadu_epi64(here, input.wrapping_add(index * LANES * BLOCK).cast()) };
        }
        let mut state = data;
        decrypt(&keys, &mut state);
        for (block, data) in state.iter().zip(&data) {
            let shifted = _mm512_alignr_epi64::<6>(*data, before);
            // SAFETY: only what the mask says is written.
            unsafe { _mm512_mask_storeu_epi64(output.cast(), mask(left), _mm512_xor_si512(shifted, *block)) };
            before = *data;
            input = input.wrapping_add(LANES * BLOCK);
            output = output.wrapping_add(LANES * BLOCK);
            left = left.saturating_sub(LANES);
        }
    }
}
