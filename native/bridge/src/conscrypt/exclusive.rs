//! Objects that one thread uses at a time: others wait.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use super::error::{Error, Exception};
use super::slab::lock;

/// A mutex that knows its thread: a call into Java (an opaque key's, say) that comes back to the same object is an exception, and does
/// not wait for itself for ever.
pub(crate) struct Exclusive<T> {
    owner: AtomicUsize,
    value: Mutex<T>,
}

/// The object, until dropped.
pub(crate) struct Held<'a, T> {
    owner: &'a AtomicUsize,
    value: MutexGuard<'a, T>,
}

/// A number that no other living thread has; not zero.
fn this_thread() -> usize {
    thread_local! {
        static HERE: u8 = const { 0 };
    }
    HERE.with(|here| std::ptr::from_ref(here).addr())
}

impl<T> Exclusive<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { owner: AtomicUsize::new(0), value: Mutex::new(value) }
    }

    /// Waits for other threads; `IllegalStateException` if this one is inside already.
    pub(crate) fn lock(&self) -> Result<Held<'_, T>, Error> {
        let me = this_thread();
        if self.owner.load(Ordering::Relaxed) == me {
            return Err(Error::new(Exception::IllegalState, "in use by this thread"));
        }
        let value = lock(&self.value);
        self.owner.store(me, Ordering::Relaxed);
        Ok(Held { owner: &self.owner, value })
    }
}

impl<T> Deref for Held<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}
impl<T> DerefMut for Held<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}
impl<T> Drop for Held<'_, T> {
    fn drop(&mut self) {
        // Before the lock is given back.
        self.owner.store(0, Ordering::Relaxed);
    }
}
