//! Inputs and outputs that may lie in arrays or in direct buffers, and how much of an array is worked on at once.

use bssl::bytes::{FromTo, InOut, cleanse};

use super::{ArraySlice, Buffer, ByteArray, range, size};
use crate::boundary::{Env, jni_call};
use crate::error::Error;
use jni::sys::{self, jint};

/// Up to this many bytes may be copied through the stack. Where input or output is worked on at once, pinning is cheaper at
/// every size: the copies wait for the very bytes that were just written.
pub(crate) const SMALL: usize = 2048;

/// Checked bytes of an array or of a direct buffer.
#[derive(Clone, Copy)]
pub(crate) enum Place<'l> {
    Array(ArraySlice<'l>),
    /// Valid until the native returns, as the buffer is its argument.
    Direct {
        base: *mut u8,
        length: usize,
    },
}

impl<'l> Place<'l> {
    /// `length` bytes at `offset` of `array`, or if that is null of the whole memory of `buffer`. Both null: an error
    /// that names the argument.
    pub(crate) fn of(
        env: &mut Env<'l>,
        name: &'static str,
        array: ByteArray<'l>,
        buffer: Buffer<'l>,
        offset: jint,
        length: jint,
    ) -> Result<Self, Error> {
        if !array.is_null() {
            return array.slice(env, name, offset, length).map(Self::Array);
        }
        let region = buffer.region(env, name, offset, length)?;
        // An empty buffer's address may be null.
        let base = if region.is_null() { std::ptr::NonNull::dangling().as_ptr() } else { region };
        Ok(Self::Direct { base, length: range(0, length, length)?.end })
    }

    /// As [`Place::of`], for a buffer whose memory is known to begin at `address`: saves asking the JVM. Zero: not known.
    ///
    /// # Safety
    /// `address` is zero, or the address of `buffer`, in whose capacity the range lies.
    #[inline]
    pub(crate) unsafe fn at(
        env: &mut Env<'l>,
        name: &'static str,
        (array, buffer, address): (ByteArray<'l>, Buffer<'l>, sys::jlong),
        offset: jint,
        length: jint,
    ) -> Result<Self, Error> {
        if address == 0 || !array.is_null() {
            return Self::of(env, name, array, buffer, offset, length);
        }
        let start = usize::try_from(offset).map_err(|_| Error::Argument("a negative offset"))?;
        let length = usize::try_from(length).map_err(|_| Error::Argument("a negative length"))?;
        let base = std::ptr::with_exposed_provenance_mut::<u8>(usize::try_from(address).unwrap_or(0));
        Ok(Self::Direct { base: base.wrapping_add(start), length })
    }

    /// Bytes of our own.
    ///
    /// # Safety
    /// The place is not used after `bytes` are gone, nor while somebody else uses them.
    pub(crate) unsafe fn own(bytes: &mut [u8]) -> Self {
        Self::Direct { base: bytes.as_mut_ptr(), length: bytes.len() }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Array(slice) => slice.len(),
            Self::Direct { length, .. } => *length,
        }
    }

    /// `length` of the bytes, from `start` on.
    pub(crate) fn part(self, start: usize, length: usize) -> Result<Self, Error> {
        let (first, count) = (size(start)?, size(length)?);
        range(first, count, size(self.len())?)?;
        Ok(match self {
            Self::Array(slice) => Self::Array(ArraySlice { offset: slice.offset + first, length: count, ..slice }),
            Self::Direct { base, .. } => Self::Direct { base: base.wrapping_add(start), length },
        })
    }

    /// Parts of at most `step` bytes, in order.
    fn parts(self, step: usize) -> impl Iterator<Item = Result<Self, Error>> {
        let total = self.len();
        (0..total).step_by(step).map(move |start| self.part(start, step.min(total - start)))
    }

    /// Copies all bytes into the start of `into`, arrays in steps.
    pub(crate) fn read(self, env: &mut Env<'l>, into: &mut [u8]) -> Result<(), Error> {
        let length = self.len();
        let into = into.get_mut(..length).ok_or(Error::Argument("copy is too small"))?;
        match self {
            Self::Array(slice) if length <= COPY_STEP => slice.read(env, into),
            Self::Array(_) => {
                for (part, into) in self.parts(COPY_STEP).zip(into.chunks_mut(COPY_STEP)) {
                    part?.read(env, into)?;
                }
                Ok(())
            }
            Self::Direct { base, .. } => {
                // SAFETY: `length` readable bytes (checked in `of`); `into` is Rust's own memory, so they are disjoint.
                unsafe { std::ptr::copy_nonoverlapping(base, into.as_mut_ptr(), length) };
                Ok(())
            }
        }
    }

    /// Copies `bytes` to the start, into arrays in steps.
    pub(crate) fn write(self, env: &mut Env<'l>, bytes: &[u8]) -> Result<(), Error> {
        let target = self.part(0, bytes.len())?;
        match target {
            Self::Array(slice) if bytes.len() <= COPY_STEP => slice.write(env, bytes),
            Self::Array(_) => {
                for (part, bytes) in target.parts(COPY_STEP).zip(bytes.chunks(COPY_STEP)) {
                    part?.write(env, bytes)?;
                }
                Ok(())
            }
            Self::Direct { base, length } => {
                // SAFETY: `length` writable bytes (checked in `of` and `part`); `bytes` is Rust's own memory.
                unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), base, length) };
                Ok(())
            }
        }
    }

    /// Zeroes all bytes, arrays in steps; needs no memory for it, and pins nothing.
    pub(crate) fn clear(self, env: &mut Env<'l>) -> Result<(), Error> {
        static ZEROS: [u8; 16 << 10] = [0; 16 << 10];
        match self {
            Self::Array(_) => {
                for part in self.parts(ZEROS.len()) {
                    let part = part?;
                    part.write(env, ZEROS.get(..part.len()).unwrap_or_default())?;
                }
            }
            Self::Direct { base, length } => {
                // SAFETY: `length` writable bytes (checked in `of` and `part`).
                unsafe { std::ptr::write_bytes(base, 0, length) };
            }
        }
        Ok(())
    }

    /// Shows all bytes in order, in pieces that keep a critical section short whatever is done with them.
    pub(crate) fn for_each_piece(
        self,
        env: &mut Env<'l>,
        mut piece: impl FnMut(&[u8]) -> Result<(), bssl::Error>,
    ) -> Result<(), Error> {
        match self {
            Self::Direct { base, length } => {
                if length > 0 {
                    // SAFETY: `length` readable bytes; Java code that changes them meanwhile gets what it asked for, a
                    // digest of some mixture.
                    piece(unsafe { std::slice::from_raw_parts(base, length) })?;
                }
                Ok(())
            }
            Self::Array(slice) if slice.len() <= CRITICAL_STEP => {
                if slice.len() > 0 {
                    piece(slice.critical(env)?.bytes())?;
                }
                Ok(())
            }
            Self::Array(_) => {
                for part in self.parts(CRITICAL_STEP) {
                    if let Self::Array(slice) = part? {
                        piece(slice.critical(env)?.bytes())?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Whether the two are parts of one array that overlap without being equal.
    pub(crate) fn overlaps_in_array(self, env: &mut Env<'l>, other: Self) -> bool {
        let (Self::Array(a), Self::Array(b)) = (self, other) else {
            return false;
        };
        let distance = a.offset.abs_diff(b.offset);
        // SAFETY: live local references.
        let same = unsafe { jni_call!(env, v1_1, IsSameObject, a.array.0, b.array.0) };
        same && distance != 0 && usize::try_from(distance).is_ok_and(|distance| distance < a.len().min(b.len()))
    }
}

impl<'l> Place<'l> {
    /// Whether a caller that reads this place in steps and writes `output` up to `ahead` bytes further than it has read
    /// would overwrite what it still has to read.
    pub(crate) fn overwritten_by(self, env: &mut Env<'l>, output: Self, ahead: usize) -> bool {
        let (start, from) = match (self, output) {
            (Self::Array(input), Self::Array(output)) => {
                // SAFETY: live local references.
                if !unsafe { jni_call!(env, v1_1, IsSameObject, input.array.0, output.array.0) } {
                    return false;
                }
                (usize::try_from(input.offset).unwrap_or(0), usize::try_from(output.offset).unwrap_or(0))
            }
            (Self::Direct { base: input, .. }, Self::Direct { base: output, .. }) => (input.addr(), output.addr()),
            _ => return false,
        };
        from.saturating_add(ahead) > start && from < start.saturating_add(self.len())
    }
}

/// Lets `work` read `input` and write `output`, of other lengths than each other, wherever the two are and however they
/// overlap; it answers how many bytes it wrote. Arrays are pinned meanwhile: the caller keeps the work short.
pub(crate) fn transfer<'l>(
    env: &mut Env<'l>,
    input: Place<'l>,
    output: Place<'l>,
    work: impl FnOnce(FromTo<'_>) -> Result<usize, bssl::Error>,
) -> Result<usize, Error> {
    let mut pinned = Pinned { env, held: [None, None] };
    let from = pinned.pin(0, input, sys::JNI_ABORT)?;
    let to = pinned.pin(1, output, 0)?;
    // SAFETY: as many bytes each, pinned, copied by the JVM or direct until `pinned` is dropped; Rust has no reference
    // to them.
    Ok(work(unsafe { FromTo::from_raw(from, input.len(), to, output.len()) })?)
}

/// Bytes of an array that are copied by one call of the JVM, which holds off safepoints meanwhile.
const COPY_STEP: usize = 1 << 20;

/// Bytes of an array that are worked on in one critical section: well below a millisecond for every digest.
const CRITICAL_STEP: usize = 64 << 10;

/// Lets `work` read `input` and write as many bytes to the start of `output`, wherever the two are and however they
/// overlap. Arrays are pinned meanwhile: the caller keeps the work short.
pub(crate) fn transform<'l, T>(
    env: &mut Env<'l>,
    input: Place<'l>,
    output: Place<'l>,
    work: impl FnOnce(InOut<'_>) -> Result<T, bssl::Error>,
) -> Result<T, Error> {
    let length = input.len();
    let output = output.part(0, length)?;
    let mut pinned = Pinned { env, held: [None, None] };
    let from = pinned.pin(0, input, sys::JNI_ABORT)?;
    let to = pinned.pin(1, output, 0)?;
    // SAFETY: `length` bytes each, pinned, copied by the JVM or direct until `pinned` is dropped; Rust has no reference
    // to them.
    Ok(work(unsafe { InOut::from_raw(from, to, length) })?)
}

/// As [`transform`], and writes the start of what `work` answers behind, to the end of `output`.
pub(crate) fn transform_and_append<'l, const N: usize>(
    env: &mut Env<'l>,
    input: Place<'l>,
    output: Place<'l>,
    work: impl FnOnce(InOut<'_>) -> Result<[u8; N], bssl::Error>,
) -> Result<(), Error> {
    let length = input.len();
    let rest =
        output.len().checked_sub(length).filter(|rest| *rest <= N).ok_or(Error::Argument("length of the output"))?;
    let mut pinned = Pinned { env, held: [None, None] };
    let from = pinned.pin(0, input, sys::JNI_ABORT)?;
    let to = pinned.pin(1, output, 0)?;
    // SAFETY: as in `transform`.
    let behind = work(unsafe { InOut::from_raw(from, to, length) })?;
    // SAFETY: `output` has `rest` bytes behind the first `length`, and `behind` as many.
    unsafe { std::ptr::copy_nonoverlapping(behind.as_ptr(), to.wrapping_add(length), rest) };
    Ok(())
}

/// As [`transform`], without the last bytes of `input`, which `work` gets as well: `N` at most.
pub(crate) fn transform_all_but<'l, const N: usize>(
    env: &mut Env<'l>,
    input: Place<'l>,
    output: Place<'l>,
    last: usize,
    work: impl FnOnce(InOut<'_>, &[u8]) -> Result<(), bssl::Error>,
) -> Result<(), Error> {
    let wrong = Error::Argument("length of the input");
    let Some(length) = input.len().checked_sub(last).filter(|length| *length <= output.len()) else {
        return Err(wrong);
    };
    let mut copy = [0; N];
    let Some(copy) = copy.get_mut(..last) else { return Err(wrong) };
    let mut pinned = Pinned { env, held: [None, None] };
    let from = pinned.pin(0, input, sys::JNI_ABORT)?;
    let to = pinned.pin(1, output, 0)?;
    // SAFETY: `input` has `last` bytes behind the first `length`; `copy` is Rust's own memory.
    unsafe { std::ptr::copy_nonoverlapping(from.wrapping_add(length), copy.as_mut_ptr(), last) };
    // SAFETY: as in `transform`.
    Ok(work(unsafe { InOut::from_raw(from, to, length) }, copy)?)
}

/// Lets `work` see where the two are, arrays pinned meanwhile: the caller keeps the work short. Raw pointers, as both may be
/// in one array; `source` is only read.
pub(crate) fn pinned<'l, T>(
    env: &mut Env<'l>,
    source: Place<'l>,
    destination: Place<'l>,
    work: impl FnOnce((*const u8, usize), (*mut u8, usize)) -> T,
) -> Result<T, Error> {
    let mut pinned = Pinned { env, held: [None, None] };
    let from = pinned.pin(0, source, sys::JNI_ABORT)?;
    let to = pinned.pin(1, destination, 0)?;
    Ok(work((from, source.len()), (to, destination.len())))
}

/// Up to two arrays in critical sections; released in reverse order when dropped. Holds the environment, so that no other
/// JNI call can be made meanwhile.
struct Pinned<'e, 'l> {
    env: &'e mut Env<'l>,
    held: [Option<(sys::jbyteArray, *mut std::ffi::c_void, jint)>; 2],
}

impl<'l> Pinned<'_, 'l> {
    fn pin(&mut self, index: usize, place: Place<'l>, mode: jint) -> Result<*mut u8, Error> {
        let slice = match place {
            Place::Direct { base, .. } => return Ok(base),
            Place::Array(slice) => slice,
        };
        // SAFETY: a live byte[]; released in `drop`; only further critical sections are entered in between.
        let base = unsafe { jni_call!(self.env, v1_2, GetPrimitiveArrayCritical, slice.array.0, std::ptr::null_mut()) };
        if base.is_null() {
            return Err(Error::Bssl(bssl::Error::OutOfMemory));
        }
        if let Some(held) = self.held.get_mut(index) {
            *held = Some((slice.array.0, base, mode));
        }
        Ok(base.cast::<u8>().wrapping_add(usize::try_from(slice.offset).unwrap_or(0)))
    }
}

impl Drop for Pinned<'_, '_> {
    fn drop(&mut self) {
        for (array, base, mode) in self.held.iter().rev().copied().flatten() {
            // SAFETY: pairs with `pin`.
            unsafe { jni_call!(self.env, v1_2, ReleasePrimitiveArrayCritical, array, base, mode) }
        }
    }
}

/// Up to [`SMALL`] bytes on the stack, zeroed when dropped.
pub(crate) struct Scratch {
    memory: std::mem::MaybeUninit<[u8; SMALL]>,
    length: usize,
}

impl Scratch {
    /// None yet.
    #[inline]
    pub(crate) fn empty() -> Self {
        let mut scratch = std::mem::MaybeUninit::<Self>::uninit();
        // Field by field: from a literal the compiler would make a constant, and fill all of the memory from it.
        // SAFETY: inside the allocation; `memory` needs no initialising.
        unsafe {
            (&raw mut (*scratch.as_mut_ptr()).length).write(0);
            scratch.assume_init()
        }
    }

    /// `length` zero bytes, at most [`SMALL`].
    #[inline]
    pub(crate) fn new(length: usize) -> Self {
        let mut scratch = Self::empty();
        scratch.resize(length);
        scratch
    }

    /// Makes an empty one `length` zero bytes, at most [`SMALL`], where it is: moving one costs a copy.
    #[inline]
    pub(crate) fn resize(&mut self, length: usize) {
        self.length = length.min(SMALL);
        // SAFETY: inside the array.
        unsafe { std::ptr::write_bytes(self.memory.as_mut_ptr().cast::<u8>(), 0, self.length) };
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the first `length` bytes were initialised by `new`.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.length) }
    }
}

impl Drop for Scratch {
    #[inline]
    fn drop(&mut self) {
        if self.length > 0 {
            cleanse(self.bytes());
        }
    }
}
