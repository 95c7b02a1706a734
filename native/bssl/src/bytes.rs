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
