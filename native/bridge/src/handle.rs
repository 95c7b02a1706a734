//! Handles: Java `long`s that own one native object each.
#![allow(unsafe_code, reason = "the one place where a Java long becomes a reference")]

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

use jni::sys::jlong;

use crate::error::Error;

/// What can stand behind a [`Handle`]. `Send`: any thread may make the call that uses or frees it.
pub(crate) trait Managed: Send {
    /// Told apart from every other type's in each call; not zero.
    const TAG: u32;
    /// The name for messages.
    const NAME: &'static str;
}

struct Slot<T> {
    tag: u32,
    busy: AtomicBool,
    value: UnsafeCell<T>,
}

/// A Java `long` that owns one `T`. It holds a `jlong`, not a pointer: 8 bytes on 32-bit Android too.
///
/// Kept alive by the Java object that owns it (`NativeRef`), which every native takes beside the handle.
#[repr(transparent)]
pub(crate) struct Handle<T>(jlong, PhantomData<fn() -> T>);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Handle<T> {}
impl<T> Default for Handle<T> {
    fn default() -> Self {
        Self(0, PhantomData)
    }
}

impl<T: Managed> Handle<T> {
    /// Moves `value` to the heap; Java owns it from here on.
    pub(crate) fn new(value: T) -> Self {
        let slot = Box::new(Slot { tag: T::TAG, busy: AtomicBool::new(false), value: UnsafeCell::new(value) });
        Self(address_of(Box::into_raw(slot)), PhantomData)
    }

    /// Frees the object; a zero handle is ignored.
    ///
    /// # Safety
    /// Made by `new`, not freed before and not in use: `NativeRef` frees once, when closed by its owner under the lock
    /// that covers all uses, or when unreachable.
    pub(crate) unsafe fn free(self) -> Result<(), Error> {
        if self.0 == 0 {
            return Ok(());
        }
        // SAFETY: promise of the caller.
        unsafe {
            if (*self.slot()).tag != T::TAG {
                return Err(Error::WrongHandle(T::NAME));
            }
            (*self.slot()).tag = 0;
            drop(Box::from_raw(self.slot()));
        }
        Ok(())
    }

    /// One of several handles that came in an array.
    pub(crate) fn from_raw(raw: jlong) -> Self {
        Self(raw, PhantomData)
    }

    /// Whether nothing was passed: for handles that may be left out.
    pub(crate) fn is_zero(self) -> bool {
        self.0 == 0
    }

    fn slot(self) -> *mut Slot<T> {
        std::ptr::with_exposed_provenance_mut(usize::try_from(self.0).unwrap_or(0))
    }

    /// # Safety
    /// As [`Handle::borrow`].
    unsafe fn checked<'a>(self) -> Result<&'a Slot<T>, Error> {
        if self.0 == 0 {
            return Err(Error::NullHandle(T::NAME));
        }
        // SAFETY: promise of the caller: not zero, so it was made by `new` and is alive.
        let slot = unsafe { &*self.slot() };
        if slot.tag != T::TAG {
            return Err(Error::WrongHandle(T::NAME));
        }
        Ok(slot)
    }

    /// Exclusive use; a second thread gets [`Error::InUse`] instead of undefined behaviour.
    ///
    /// # Safety
    /// Zero, or made by `new` and not freed while borrowed: the native's owner argument keeps it reachable.
    pub(crate) unsafe fn borrow<'a>(self) -> Result<InUse<'a, T>, Error> {
        // SAFETY: promise of the caller.
        let slot = unsafe { self.checked()? };
        if slot.busy.swap(true, Ordering::Acquire) {
            return Err(Error::InUse(T::NAME));
        }
        Ok(InUse(slot))
    }
}

impl<T: Managed + Sync> Handle<T> {
    /// Shared use of an immutable object.
    ///
    /// # Safety
    /// As [`Handle::borrow`].
    pub(crate) unsafe fn share<'a>(self) -> Result<&'a T, Error> {
        // SAFETY: promise of the caller; no exclusive borrow of a shared type is ever made.
        unsafe { self.checked().map(|slot| &*slot.value.get()) }
    }
}

fn address_of<T>(pointer: *mut T) -> jlong {
    // An address fits into 63 bits on every platform with a JVM (user space is the lower half).
    jlong::try_from(pointer.expose_provenance()).unwrap_or(0)
}

/// An exclusive borrow; given back when dropped, while unwinding too.
pub(crate) struct InUse<'a, T>(&'a Slot<T>);

impl<T> Deref for InUse<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the busy flag makes this the only borrow.
        unsafe { &*self.0.value.get() }
    }
}
impl<T> DerefMut for InUse<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the busy flag makes this the only borrow.
        unsafe { &mut *self.0.value.get() }
    }
}
impl<T> Drop for InUse<'_, T> {
    fn drop(&mut self) {
        self.0.busy.store(false, Ordering::Release);
    }
}
