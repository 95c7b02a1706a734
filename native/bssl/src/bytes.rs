//! Memory that is read and written: secrets that are zeroed, and an input and output that may overlap.

use std::marker::PhantomData;

use boring_sys as ffi;

use crate::error::{Error, Result};

/// Overwrites `bytes` with zeros in a way that the compiler keeps.
pub fn cleanse(bytes: &mut [u8]) {
    // SAFETY: valid for writes of its length.
    unsafe { ffi::OPENSSL_cleanse(bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// Where a transformation reads and where it writes as many bytes. The two may be the same memory, or overlap in any
/// way: if they overlap but are not equal, the input is first moved to the output and transformed there
/// (in `settle`), so no function that takes this type sees a partial overlap.
#[derive(Debug)]
pub struct InOut<'a> {
    input: *const u8,
    output: *mut u8,
    length: usize,
    memory: PhantomData<&'a mut [u8]>,
}

impl<'a> InOut<'a> {
    /// Transforms `bytes` in place.
    pub fn in_place(bytes: &'a mut [u8]) -> Self {
        let output = bytes.as_mut_ptr();
        Self { input: output, output, length: bytes.len(), memory: PhantomData }
    }

    /// Reads `input` and writes the start of `output`; [`Error::ShortBuffer`] if that is shorter.
    pub fn separate(input: &'a [u8], output: &'a mut [u8]) -> Result<Self> {
        if output.len() < input.len() {
            return Err(Error::ShortBuffer { needed: input.len(), available: output.len() });
        }
        Ok(Self { input: input.as_ptr(), output: output.as_mut_ptr(), length: input.len(), memory: PhantomData })
    }

    /// Reads `length` bytes at `input` and writes as many at `output`.
    ///
    /// # Safety
    /// - `input` is valid for reads and `output` for reads and writes of `length` bytes during `'a`;
    /// - no Rust reference to either exists during `'a`. The two may overlap in any way.
    pub unsafe fn from_raw(input: *const u8, output: *mut u8, length: usize) -> Self {
        Self { input, output, length, memory: PhantomData }
    }

    /// Bytes read and written.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Removes a partial overlap. Input, output and length for C: equal or disjoint.
    pub(crate) fn settle(&mut self) -> (*const u8, *mut u8, usize) {
        let (input, output) = (self.input.addr(), self.output.addr());
        if input != output && input.abs_diff(output) < self.length {
            // SAFETY: both valid for `length` bytes (promise of the constructors); `copy` is memmove.
            unsafe { std::ptr::copy(self.input, self.output, self.length) };
            self.input = self.output;
        }
        (self.input, self.output, self.length)
    }
}

/// Where a function reads and where it writes another number of bytes. The two may overlap in any way.
#[derive(Debug)]
pub struct FromTo<'a> {
    input: *const u8,
    length: usize,
    output: *mut u8,
    room: usize,
    memory: PhantomData<&'a mut [u8]>,
}

impl<'a> FromTo<'a> {
    /// Reads `input` and writes the start of `output`.
    pub fn separate(input: &'a [u8], output: &'a mut [u8]) -> Self {
        let (length, room) = (input.len(), output.len());
        Self { input: input.as_ptr(), length, output: output.as_mut_ptr(), room, memory: PhantomData }
    }

    /// Reads `length` bytes at `input` and writes at most `room` bytes at `output`.
    ///
    /// # Safety
    /// - `input` is valid for reads of `length` bytes and `output` for reads and writes of `room` bytes during `'a`;
    /// - no Rust reference to either exists during `'a`. The two may overlap in any way.
    pub unsafe fn from_raw(input: *const u8, length: usize, output: *mut u8, room: usize) -> Self {
        Self { input, length, output, room, memory: PhantomData }
    }

    /// Bytes to read.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Bytes that may be written.
    pub fn room(&self) -> usize {
        self.room
    }

    /// The parts for C: input, its length, output, its room.
    pub(crate) fn parts(&self) -> (*const u8, usize, *mut u8, usize) {
        (self.input, self.length, self.output, self.room)
    }

    /// Whether writing could overwrite what is still to be read, unless the two begin at the same address.
    pub(crate) fn overlaps(&self) -> bool {
        let (input, output) = (self.input.addr(), self.output.addr());
        let behind = if input < output { output - input < self.length } else { input - output < self.room };
        self.length > 0 && self.room > 0 && behind
    }

    /// Whether the two overlap without beginning at the same address, so that the input must be copied first.
    pub fn overlaps_partly(&self) -> bool {
        self.overlaps() && !self.same_start()
    }

    pub(crate) fn same_start(&self) -> bool {
        self.input.addr() == self.output.addr()
    }

    /// A copy of the input.
    pub(crate) fn copy_input(&self) -> Result<Copied> {
        let mut copy = Copied::zeros(self.length)?;
        // SAFETY: valid for reads of `length` bytes (promise of the constructors); the copy is new memory as long.
        unsafe { std::ptr::copy_nonoverlapping(self.input, copy.bytes().as_mut_ptr(), self.length) };
        Ok(copy)
    }

    /// Copies `bytes` to the output, behind `start` bytes of it; [`Error::ShortBuffer`] if they do not fit.
    pub(crate) fn write(&mut self, start: usize, bytes: &[u8]) -> Result<()> {
        let available = self.room.saturating_sub(start);
        if bytes.len() > available {
            return Err(Error::ShortBuffer { needed: bytes.len(), available });
        }
        // SAFETY: inside the output's room (promise of the constructors); `bytes` is Rust's own memory.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.output.add(start), bytes.len()) };
        Ok(())
    }

    /// Zeroes the first `length` bytes of the output.
    pub(crate) fn clear(&mut self, length: usize) {
        // SAFETY: inside the output's room (promise of the constructors).
        unsafe { ffi::OPENSSL_cleanse(self.output.cast(), length.min(self.room)) };
    }
}

/// Bytes on the heap that are zeroed when dropped.
pub(crate) struct Copied(Vec<u8>);

impl Copied {
    /// `length` zero bytes, or [`Error::OutOfMemory`].
    pub(crate) fn zeros(length: usize) -> Result<Self> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).map_err(|_| Error::OutOfMemory)?;
        bytes.resize(length, 0);
        Ok(Self(bytes))
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        cleanse(&mut self.0);
    }
}

/// Up to `N` secret bytes, zeroed when dropped or replaced.
pub(crate) struct Secret<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Secret<N> {
    /// A copy of `bytes`, or `None` if there are more than `N`.
    pub(crate) fn new(bytes: &[u8]) -> Option<Self> {
        let mut secret = Self { bytes: [0; N], length: bytes.len() };
        secret.bytes.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(secret)
    }

    pub(crate) fn get(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

impl<const N: usize> Drop for Secret<N> {
    fn drop(&mut self) {
        cleanse(&mut self.bytes);
    }
}
