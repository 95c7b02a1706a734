//! `JNI_OnLoad`: the one exported symbol; registers the table of natives.
#![allow(unsafe_code, reason = "calls through the JNI function table")]

use std::ffi::{CStr, CString, c_void};
use std::panic::catch_unwind;

use jni::sys::{self, jint};

use crate::boundary::{Env, install_panic_hook, jni_call};
use crate::natives::{NATIVES, java_name};

/// The class that declares every native.
#[cfg(not(feature = "conscrypt-abi"))]
const CLASS: &CStr = c"org/postscrypt/nat/NativeCrypto";
/// Set by the loader around `System.load`; relocation leaves this name alone.
const CLASS_PROPERTY: &CStr = c"postscrypt.native.class";

/// Called by the JVM when the library is loaded: registers all natives, or leaves an exception that names the first one
/// that Java does not declare.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the JVM's name for it")]
pub(crate) extern "system" fn JNI_OnLoad(vm: *mut sys::JavaVM, _reserved: *mut c_void) -> jint {
    install_panic_hook();
    // SAFETY: the JVM passes a valid VM, on a thread that is attached.
    catch_unwind(|| unsafe { register(vm) }).unwrap_or(sys::JNI_ERR)
}

/// # Safety
/// `vm` is the running VM, and this thread is attached.
unsafe fn register(vm: *mut sys::JavaVM) -> jint {
    let mut raw: *mut c_void = std::ptr::null_mut();
    // SAFETY: promise of the caller.
    if unsafe { ((**vm).v1_2.GetEnv)(vm, &raw mut raw, sys::JNI_VERSION_1_6) } != sys::JNI_OK {
        return sys::JNI_ERR;
    }
    // SAFETY: just obtained for this thread.
    let mut env = unsafe { Env::from_raw(raw.cast()) };
    let class = match property(&mut env, CLASS_PROPERTY) {
        Err(Pending) => return sys::JNI_ERR,
        Ok(Some(class)) => class,
        // Our own loader names its class; another that loads this library is Conscrypt's.
        #[cfg(feature = "conscrypt-abi")]
        Ok(None) => {
            // SAFETY: this thread's environment and its VM.
            return unsafe { crate::conscrypt::register(&mut env, vm) };
        }
        #[cfg(not(feature = "conscrypt-abi"))]
        Ok(None) => CLASS.to_owned(),
    };
    // SAFETY: a valid environment and NUL-terminated strings that outlive the calls.
    unsafe {
        let class = jni_call!(env, v1_2, FindClass, class.as_ptr());
        if class.is_null() {
            return sys::JNI_ERR;
        }
        for native in NATIVES.iter().copied().flatten() {
            let (name, signature) = (java_name(native.rust_name), (native.signature)());
            let row = sys::JNINativeMethod {
                name: name.as_ptr().cast_mut(),
                signature: signature.as_ptr().cast_mut(),
                fnPtr: (native.function)(),
            };
            if jni_call!(env, v1_2, RegisterNatives, class, &raw const row, 1) != sys::JNI_OK {
                unregister(&mut env, class);
                return sys::JNI_ERR;
            }
        }
        jni_call!(env, v1_2, DeleteLocalRef, class);
    }
    sys::JNI_VERSION_1_6
}

/// Takes back what was registered so far, for the JVM is about to unmap this library; the pending exception stays.
///
/// # Safety
/// `env` is this thread's environment, `class` a live reference.
pub(crate) unsafe fn unregister(env: &mut Env<'_>, class: sys::jclass) {
    // SAFETY: promise of the caller; the exception is a local reference until this native frame ends, and none is
    // pending while UnregisterNatives runs.
    unsafe {
        let pending = jni_call!(env, v1_2, ExceptionOccurred);
        jni_call!(env, v1_2, ExceptionClear);
        jni_call!(env, v1_2, UnregisterNatives, class);
        if !pending.is_null() {
            jni_call!(env, v1_2, Throw, pending);
        }
    }
}

/// A Java exception is pending.
pub(crate) struct Pending;

/// A system property, which is how a loader tells `JNI_OnLoad` the name of a relocated (shaded) class: the JVM says nothing
/// about its caller.
pub(crate) fn property(env: &mut Env<'_>, name: &CStr) -> Result<Option<CString>, Pending> {
    // SAFETY: a valid environment, NUL-terminated strings, signatures as in java.lang.System; each result is checked
    // before it is used, and released.
    unsafe {
        let system = jni_call!(env, v1_2, FindClass, c"java/lang/System".as_ptr());
        if system.is_null() {
            return Err(Pending);
        }
        let signature = c"(Ljava/lang/String;)Ljava/lang/String;";
        let method = jni_call!(env, v1_2, GetStaticMethodID, system, c"getProperty".as_ptr(), signature.as_ptr());
        if method.is_null() {
            return Err(Pending);
        }
        let key = jni_call!(env, v1_2, NewStringUTF, name.as_ptr());
        if key.is_null() {
            return Err(Pending);
        }
        let arguments = [sys::jvalue { l: key }];
        let value = jni_call!(env, v1_2, CallStaticObjectMethodA, system, method, arguments.as_ptr());
        if env.exception_check() {
            return Err(Pending);
        }
        if value.is_null() {
            return Ok(None);
        }
        let text = jni_call!(env, v1_2, GetStringUTFChars, value, std::ptr::null_mut());
        if text.is_null() {
            return Err(Pending);
        }
        let name = CStr::from_ptr(text).to_owned();
        jni_call!(env, v1_2, ReleaseStringUTFChars, value, text);
        Ok(Some(name))
    }
}
