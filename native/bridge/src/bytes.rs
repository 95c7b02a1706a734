//! Bytes of Java arrays and direct buffers: every range is checked here, whatever the Java side promised.
#![allow(unsafe_code, reason = "the one place where Java memory becomes Rust memory")]

use std::marker::PhantomData;

use jni::sys::{self, jint};

use crate::boundary::{Env, jni_call};
use crate::error::Error;

mod place;
pub(crate) use place::{Place, SMALL, Scratch, pinned, transfer, transform, transform_all_but, transform_and_append};

/// A `byte[]` argument; may be null.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct ByteArray<'l>(sys::jbyteArray, PhantomData<&'l ()>);

/// An `int[]` argument; may be null.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct IntArray<'l>(sys::jintArray, PhantomData<&'l ()>);

/// A `long[]` argument; may be null.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct LongArray<'l>(sys::jlongArray, PhantomData<&'l ()>);

/// A `byte[][]` argument or result; may be null.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct ByteArrays<'l>(sys::jobjectArray, PhantomData<&'l ()>);

/// A `ByteBuffer` argument, expected to be direct; may be null.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Buffer<'l>(sys::jobject, PhantomData<&'l ()>);

/// The Java object that owns a handle: an argument that keeps it reachable, never looked at.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Owner<'l>(#[allow(dead_code, reason = "held, not read")] sys::jobject, PhantomData<&'l ()>);

macro_rules! null_default {
    ($($name:ident),*) => { $(impl Default for $name<'_> {
        fn default() -> Self { Self(std::ptr::null_mut(), PhantomData) }
    })* };
}
null_default!(ByteArray, ByteArrays, IntArray, LongArray);

/// For natives that make or look at references themselves.
#[cfg(feature = "conscrypt-abi")]
mod raw {
    use super::{Buffer, ByteArray, ByteArrays, IntArray, LongArray, PhantomData, sys};

    impl ByteArray<'_> {
        pub(crate) fn raw(self) -> sys::jbyteArray {
            self.0
        }

        pub(crate) fn from_raw(array: sys::jbyteArray) -> Self {
            Self(array, PhantomData)
        }
    }

    impl IntArray<'_> {
        pub(crate) fn raw(self) -> sys::jintArray {
            self.0
        }
    }

    impl<'l> super::ArraySlice<'l> {
        /// Copies `into.len()` bytes, from `start` on.
        pub(crate) fn read_at(
            &self,
            env: &mut super::Env<'l>,
            start: usize,
            into: &mut [u8],
        ) -> Result<(), super::Error> {
            let (start, length) = (super::size(start)?, super::size(into.len())?);
            super::range(start, length, self.length)?;
            Self { array: self.array, offset: self.offset + start, length }.read(env, into)
        }
    }

    impl ByteArrays<'_> {
        pub(crate) fn raw(self) -> sys::jobjectArray {
            self.0
        }

        pub(crate) fn from_raw(array: sys::jobjectArray) -> Self {
            Self(array, PhantomData)
        }
    }

    impl LongArray<'_> {
        pub(crate) fn from_raw(array: sys::jlongArray) -> Self {
            Self(array, PhantomData)
        }
    }

    impl Buffer<'_> {
        pub(crate) fn raw(self) -> sys::jobject {
            self.0
        }
    }
}

/// `offset` and `length` as indices into `available` bytes.
pub(crate) fn range(offset: jint, length: jint, available: jint) -> Result<std::ops::Range<usize>, Error> {
    let error = || Error::Range { offset: offset.into(), length: length.into(), available: available.into() };
    if offset < 0 || length < 0 || length > available.saturating_sub(offset) {
        return Err(error());
    }
    let start = usize::try_from(offset).map_err(|_| error())?;
    Ok(start..start + usize::try_from(length).map_err(|_| error())?)
}

fn size(length: usize) -> Result<jint, Error> {
    jint::try_from(length).map_err(|_| Error::Bssl(bssl::Error::OutOfMemory))
}

impl<'l> ByteArray<'l> {
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Its length; `name` is for the NullPointerException.
    pub(crate) fn len(self, env: &mut Env<'l>, name: &'static str) -> Result<jint, Error> {
        if self.0.is_null() {
            return Err(Error::Null(name));
        }
        // SAFETY: a live local reference to a byte[] (the native's declared type).
        Ok(unsafe { jni_call!(env, v1_1, GetArrayLength, self.0) })
    }

    /// A checked range of the array.
    pub(crate) fn slice(
        self,
        env: &mut Env<'l>,
        name: &'static str,
        offset: jint,
        length: jint,
    ) -> Result<ArraySlice<'l>, Error> {
        let available = self.len(env, name)?;
        range(offset, length, available)?;
        Ok(ArraySlice { array: self, offset, length })
    }

    /// The whole array; `name` is for the NullPointerException.
    pub(crate) fn all(self, env: &mut Env<'l>, name: &'static str) -> Result<ArraySlice<'l>, Error> {
        let length = self.len(env, name)?;
        Ok(ArraySlice { array: self, offset: 0, length })
    }

    /// The whole array, copied; `name` is for the NullPointerException.
    pub(crate) fn to_vec(self, env: &mut Env<'l>, name: &'static str) -> Result<Vec<u8>, Error> {
        self.all(env, name)?.to_vec(env)
    }

    /// The whole array, or `None` for null.
    pub(crate) fn to_vec_or_none(self, env: &mut Env<'l>) -> Result<Option<Vec<u8>>, Error> {
        if self.0.is_null() { Ok(None) } else { self.to_vec(env, "array").map(Some) }
    }

    /// A new Java array with a copy of `bytes`.
    pub(crate) fn new(env: &mut Env<'l>, bytes: &[u8]) -> Result<Self, Error> {
        let length = size(bytes.len())?;
        // SAFETY: a valid environment; the region is the whole new array.
        unsafe {
            let array = jni_call!(env, v1_2, NewByteArray, length);
            if array.is_null() {
                return Err(Error::Pending);
            }
            jni_call!(env, v1_1, SetByteArrayRegion, array, 0, length, bytes.as_ptr().cast());
            Ok(Self(array, PhantomData))
        }
    }
}

/// A range of a `byte[]`, known to lie inside it.
#[derive(Clone, Copy)]
pub(crate) struct ArraySlice<'l> {
    array: ByteArray<'l>,
    offset: jint,
    length: jint,
}

impl<'l> ArraySlice<'l> {
    pub(crate) fn len(&self) -> usize {
        usize::try_from(self.length).unwrap_or(0)
    }

    /// A copy of the bytes.
    pub(crate) fn to_vec(self, env: &mut Env<'l>) -> Result<Vec<u8>, Error> {
        let mut copy = vec![0; self.len()];
        self.read(env, &mut copy)?;
        Ok(copy)
    }

    /// Copies the first `into.len()` bytes.
    pub(crate) fn read(&self, env: &mut Env<'l>, into: &mut [u8]) -> Result<(), Error> {
        let length = size(into.len())?;
        range(0, length, self.length)?;
        // SAFETY: checked range of a live byte[]; `into` is as long.
        unsafe {
            jni_call!(env, v1_1, GetByteArrayRegion, self.array.0, self.offset, length, into.as_mut_ptr().cast())
        };
        Ok(())
    }

    /// Writes `bytes` to the start of the range.
    pub(crate) fn write(&self, env: &mut Env<'l>, bytes: &[u8]) -> Result<(), Error> {
        let length = size(bytes.len())?;
        range(0, length, self.length)?;
        // SAFETY: checked range of a live byte[]; `bytes` is as long.
        unsafe { jni_call!(env, v1_1, SetByteArrayRegion, self.array.0, self.offset, length, bytes.as_ptr().cast()) };
        Ok(())
    }

    /// Fills the whole range with the start of `bytes`; answers its length.
    pub(crate) fn write_prefix(&self, env: &mut Env<'l>, bytes: &[u8]) -> Result<jint, Error> {
        self.write(env, bytes.get(..self.len()).ok_or(Error::Argument("output is too long"))?)?;
        Ok(self.length)
    }

    /// The bytes themselves, read-only, with the garbage collector held off: keep it short (under about a millisecond).
    pub(crate) fn critical<'e>(self, env: &'e mut Env<'l>) -> Result<Critical<'e, 'l>, Error> {
        Critical::enter(env, self, sys::JNI_ABORT)
    }
}

/// An array pinned (or copied) by `GetPrimitiveArrayCritical`. While it lives no other JNI call can be made: it holds
/// the environment. Released when dropped, while unwinding too.
pub(crate) struct Critical<'e, 'l> {
    env: &'e mut Env<'l>,
    slice: ArraySlice<'l>,
    base: *mut u8,
    mode: jint,
}

impl<'e, 'l> Critical<'e, 'l> {
    fn enter(env: &'e mut Env<'l>, slice: ArraySlice<'l>, mode: jint) -> Result<Self, Error> {
        // SAFETY: a live byte[]; released in `drop`; no JNI call in between, as `env` is borrowed.
        let base = unsafe { jni_call!(env, v1_2, GetPrimitiveArrayCritical, slice.array.0, std::ptr::null_mut()) };
        if base.is_null() {
            return Err(Error::Bssl(bssl::Error::OutOfMemory));
        }
        Ok(Self { env, slice, base: base.cast(), mode })
    }

    fn pointer(&self) -> *mut u8 {
        // SAFETY: the offset was checked against the array's length when the slice was made.
        unsafe { self.base.add(usize::try_from(self.slice.offset).unwrap_or(0)) }
    }

    /// The bytes of the range.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: pinned until drop, and in range; writers on other threads are the caller's race, as everywhere in the JCA.
        unsafe { std::slice::from_raw_parts(self.pointer(), self.slice.len()) }
    }
}

impl Drop for Critical<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: pairs with `enter`.
        unsafe {
            jni_call!(self.env, v1_2, ReleasePrimitiveArrayCritical, self.slice.array.0, self.base.cast(), self.mode)
        }
    }
}

impl<'l> IntArray<'l> {
    /// The whole array, copied.
    pub(crate) fn to_vec(self, env: &mut Env<'l>, name: &'static str) -> Result<Vec<jint>, Error> {
        if self.0.is_null() {
            return Err(Error::Null(name));
        }
        // SAFETY: a live int[]; the region is all of it.
        unsafe {
            let length = jni_call!(env, v1_1, GetArrayLength, self.0);
            let mut copy = vec![0; usize::try_from(length).unwrap_or(0)];
            jni_call!(env, v1_1, GetIntArrayRegion, self.0, 0, length, copy.as_mut_ptr());
            Ok(copy)
        }
    }

    /// A new Java array with a copy of `code_points`.
    pub(crate) fn from_u16s(env: &mut Env<'l>, code_points: &[u16]) -> Result<Self, Error> {
        let ints: Vec<jint> = code_points.iter().map(|c| jint::from(*c)).collect();
        let length = size(ints.len())?;
        // SAFETY: a valid environment; the region is the whole new array.
        unsafe {
            let array = jni_call!(env, v1_2, NewIntArray, length);
            if array.is_null() {
                return Err(Error::Pending);
            }
            jni_call!(env, v1_1, SetIntArrayRegion, array, 0, length, ints.as_ptr());
            Ok(Self(array, PhantomData))
        }
    }

    /// The whole array as unsigned 16-bit code points (TLS registries); anything else is an argument error.
    pub(crate) fn to_u16s(self, env: &mut Env<'l>, name: &'static str) -> Result<Vec<u16>, Error> {
        let ints = self.to_vec(env, name)?;
        ints.into_iter().map(|i| u16::try_from(i).map_err(|_| Error::Argument("not a 16-bit code point"))).collect()
    }
}

impl<'l> LongArray<'l> {
    /// A new Java array with a copy of `longs`.
    pub(crate) fn new(env: &mut Env<'l>, longs: &[sys::jlong]) -> Result<Self, Error> {
        let length = size(longs.len())?;
        // SAFETY: a valid environment; the region is the whole new array.
        unsafe {
            let array = jni_call!(env, v1_2, NewLongArray, length);
            if array.is_null() {
                return Err(Error::Pending);
            }
            jni_call!(env, v1_1, SetLongArrayRegion, array, 0, length, longs.as_ptr());
            Ok(Self(array, PhantomData))
        }
    }

    /// The whole array, copied.
    pub(crate) fn to_vec(self, env: &mut Env<'l>, name: &'static str) -> Result<Vec<sys::jlong>, Error> {
        if self.0.is_null() {
            return Err(Error::Null(name));
        }
        // SAFETY: a live long[]; the region is all of it.
        unsafe {
            let length = jni_call!(env, v1_1, GetArrayLength, self.0);
            let mut copy = vec![0; usize::try_from(length).unwrap_or(0)];
            jni_call!(env, v1_1, GetLongArrayRegion, self.0, 0, length, copy.as_mut_ptr());
            Ok(copy)
        }
    }
}

impl<'l> ByteArrays<'l> {
    /// All arrays, copied; a null element is an error too.
    pub(crate) fn to_vecs(self, env: &mut Env<'l>, name: &'static str) -> Result<Vec<Vec<u8>>, Error> {
        if self.0.is_null() {
            return Err(Error::Null(name));
        }
        // SAFETY: a live byte[][]; indices below its length.
        let length = unsafe { jni_call!(env, v1_1, GetArrayLength, self.0) };
        (0..length)
            .map(|i| {
                // SAFETY: as above; the local reference is deleted below, so that long arrays do not exhaust the frame.
                let element = unsafe { jni_call!(env, v1_2, GetObjectArrayElement, self.0, i) };
                let copy = ByteArray(element, PhantomData).to_vec(env, name);
                if !element.is_null() {
                    // SAFETY: a local reference that nothing else holds.
                    unsafe { jni_call!(env, v1_2, DeleteLocalRef, element) };
                }
                copy
            })
            .collect()
    }

    /// A new Java array with copies of `items`.
    pub(crate) fn new<T: AsRef<[u8]>>(env: &mut Env<'l>, items: &[T]) -> Result<Self, Error> {
        let length = size(items.len())?;
        // SAFETY: a valid environment; the indices stored are below the new array's length.
        unsafe {
            let class = jni_call!(env, v1_2, FindClass, c"[B".as_ptr());
            if class.is_null() {
                return Err(Error::Pending);
            }
            let array = jni_call!(env, v1_2, NewObjectArray, length, class, std::ptr::null_mut());
            jni_call!(env, v1_2, DeleteLocalRef, class);
            if array.is_null() {
                return Err(Error::Pending);
            }
            for (index, item) in (0..length).zip(items) {
                let element = ByteArray::new(env, item.as_ref())?;
                jni_call!(env, v1_2, SetObjectArrayElement, array, index, element.0);
                jni_call!(env, v1_2, DeleteLocalRef, element.0);
            }
            Ok(Self(array, PhantomData))
        }
    }
}

impl<'l> Buffer<'l> {
    /// Where its memory begins; zero if it is not direct.
    pub(crate) fn address(self, env: &mut Env<'l>, name: &'static str) -> Result<sys::jlong, Error> {
        if self.0.is_null() {
            return Err(Error::Null(name));
        }
        // SAFETY: a live reference to a ByteBuffer (the native's declared type).
        let base = unsafe { jni_call!(env, v1_4, GetDirectBufferAddress, self.0) };
        Ok(sys::jlong::try_from(base.expose_provenance()).unwrap_or(0))
    }

    /// Where `length` bytes at `offset` of the buffer's whole memory (index 0 to capacity) lie. Valid while the buffer is
    /// reachable, that is until the native returns. A raw pointer: source and destination may be the same memory.
    pub(crate) fn region(
        self,
        env: &mut Env<'l>,
        name: &'static str,
        offset: jint,
        length: jint,
    ) -> Result<*mut u8, Error> {
        if self.0.is_null() {
            return Err(Error::Null(name));
        }
        // SAFETY: a live reference to a ByteBuffer (the native's declared type).
        let (base, capacity) = unsafe {
            (
                jni_call!(env, v1_4, GetDirectBufferAddress, self.0),
                jni_call!(env, v1_4, GetDirectBufferCapacity, self.0),
            )
        };
        if base.is_null() && capacity != 0 {
            return Err(Error::NotDirect(name));
        }
        let start = range(offset, length, jint::try_from(capacity).unwrap_or(jint::MAX))?.start;
        Ok(base.cast::<u8>().wrapping_add(start))
    }
}
