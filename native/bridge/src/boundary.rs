//! What every native passes through: panics and errors become pending Java exceptions, and a default is returned.
#![allow(unsafe_code, reason = "calls through the JNI function table")]

use std::cell::RefCell;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jni::sys;

use crate::error::Error;

/// The current thread's JNI environment, lent for the duration of one native call.
///
/// Not `Copy`: what borrows it (a critical array, say) shuts out every other JNI call for as long.
#[repr(transparent)]
pub(crate) struct Env<'l>(*mut sys::JNIEnv, PhantomData<&'l mut ()>);

/// Calls a function of the JNI table: `jni!(env, v1_1, GetArrayLength, array)`.
macro_rules! jni_call {
    ($env:expr, $version:ident, $name:ident $(, $arg:expr)* $(,)?) => {{
        let raw = $env.raw();
        ((**raw).$version.$name)(raw $(, $arg)*)
    }};
}
pub(crate) use jni_call;

impl Env<'_> {
    /// # Safety
    /// `raw` is the environment of the current thread, as the JVM passed it.
    pub(crate) unsafe fn from_raw(raw: *mut sys::JNIEnv) -> Self {
        Self(raw, PhantomData)
    }

    pub(crate) fn raw(&self) -> *mut sys::JNIEnv {
        self.0
    }

    /// Whether a Java exception is pending.
    pub(crate) fn exception_check(&mut self) -> bool {
        // SAFETY: `self` is a valid environment of this thread (promise of `from_raw`).
        unsafe { jni_call!(self, v1_2, ExceptionCheck) }
    }

    /// Makes a new exception of `class` (with slashes) pending, unless one is pending already.
    pub(crate) fn throw_new(&mut self, class: &std::ffi::CStr, message: &str) {
        if self.exception_check() {
            return;
        }
        let message = modified_utf8(message);
        // SAFETY: a valid environment, no exception pending, NUL-terminated strings; a class that cannot be found leaves
        // NoClassDefFoundError pending, which is as good a report as any.
        unsafe {
            let class = jni_call!(self, v1_2, FindClass, class.as_ptr());
            if !class.is_null() {
                jni_call!(self, v1_2, ThrowNew, class, message.as_ptr());
                jni_call!(self, v1_2, DeleteLocalRef, class);
            }
        }
    }
}

/// `text` as a C string in the JVM's modified UTF-8; characters outside the BMP and NUL (none of ours) become `?`.
fn modified_utf8(text: &str) -> std::ffi::CString {
    let safe: String = text.chars().map(|c| if c == '\0' || u32::from(c) > 0xffff { '?' } else { c }).collect();
    std::ffi::CString::new(safe).unwrap_or_default()
}

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps where and why a panic happened for the exception's message; nothing is printed.
pub(crate) fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let what = info
            .payload()
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| info.payload().downcast_ref::<String>().cloned())
            .unwrap_or_default();
        let at = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        PANIC.with(|p| *p.borrow_mut() = Some(format!("internal error: {what}{at}")));
    }));
}

/// What a native may fail with.
pub(crate) trait Raise {
    /// For a panic, with what is known of it.
    fn panic(message: String) -> Self;

    /// Makes the Java exception pending.
    fn raise(&self, env: &mut Env<'_>);
}

impl Raise for Error {
    fn panic(message: String) -> Self {
        Self::Panic(message)
    }

    fn raise(&self, env: &mut Env<'_>) {
        if let Some(class) = self.java_class() {
            env.throw_new(class, &self.to_string());
        }
    }
}

/// Runs the body of one native: an `Err` or a panic becomes a pending Java exception, and `T::default()` is returned.
#[inline]
pub(crate) fn boundary<'l, T: Default, E: Raise>(
    mut env: Env<'l>,
    body: impl FnOnce(&mut Env<'l>) -> Result<T, E>,
) -> T {
    // Errors are raised inside: a `Result` that leaves `catch_unwind` is moved through memory, which costs more than a small call does.
    let result = catch_unwind(AssertUnwindSafe(|| match body(&mut env) {
        Ok(value) => value,
        Err(error) => raise(&mut env, &error),
    }));
    result.unwrap_or_else(|_| raise(&mut env, &E::panic(take_panic())))
}

/// Runs `body`; a panic becomes an error.
#[inline]
pub(crate) fn caught<T, E: Raise>(body: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| Err(E::panic(take_panic())))
}

/// What the panic hook kept of this thread's last panic.
#[cold]
pub(crate) fn take_panic() -> String {
    PANIC.with(|p| p.borrow_mut().take()).unwrap_or_else(|| "internal error".to_owned())
}

#[cold]
fn raise<T: Default, E: Raise>(env: &mut Env<'_>, error: &E) -> T {
    error.raise(env);
    T::default()
}
