//! The natives of Conscrypt's own `org.conscrypt.NativeCrypto`, release 2.6.3, so that its unmodified Java runs on this library.
//!
//! That Java is not ours, and its contract is a C library's: `long`s for every object, freed by finalisers or never; exceptions chosen
//! by BoringSSL's error codes; calls back into Java. So this module has its own table of natives ([`NATIVES`], with C's names as
//! they are), its own handles that no `long` can crash ([`slab`]), and its own table of exceptions ([`error`]). Each
//! native converts, calls one function of [`bssl::conscrypt`], converts back.
//!
//! Reading order: [`types`] (what may cross), [`slab`], [`error`], [`java`] (what is called in Java), then the areas.
//!
//! # Calls into Java
//!
//! Streams are read before and written after BoringSSL runs ([`bio`]). Opaque keys ([`key`]) are the exception: BoringSSL asks for
//! a signature in the middle, so Java is called with BoringSSL on the stack; the call catches panics, leaves a
//! Java exception pending, and reports failure, which BoringSSL passes on.
//!
//! # Nulls first
//!
//! That Java's own tests pass a null beside a handle that is made up, and expect the `NullPointerException`: a native looks at all its
//! arguments for null ([`slab::Handle::required`]) before it looks one handle up.
//!
//! # TLS (`ssl*.rs`)
//!
//! Conscrypt's natives make handshake callbacks (`SSLHandshakeCallbacks`) during `SSL_do_handshake`, `SSL_read`, `SSL_write` and
//! their `ENGINE_` kin. Here these natives suspend instead, as `bssl::tls` does, and make the call with nothing of BoringSSL's on
//! the stack and the connection's lock released, because the callback may call natives on the same connection
//! (`setLocalCertsAndPrivateKey`, `SSL_get_…`):
//!
//! ```text
//! loop {
//!     lock the connection; run SSL_do_handshake / SSL_read / SSL_write; unlock
//!     match what it wants {
//!         certificate verification  (custom verify answered ssl_verify_retry)     → verifyCertificateChain, note the verdict
//!         a client certificate      (cert_cb answered -1)                          → clientCertificateRequested
//!         a server certificate      (select_certificate_cb answered retry)         → serverCertificateRequested
//!         a session                 (get_session_cb answered pending)             → serverSessionRequested
//!         an opaque key             (private key method answered retry)           → CryptoUpcalls, with that key on the stack only
//!         events noted meanwhile    (info_callback, new_session_cb: queued)        → onSSLStateChange, onNewSessionEstablished
//!         bytes                     (file descriptors only)                        → poll, with the lock released
//!         nothing                                                                  → return
//!     }
//!     an exception of the callback stays pending and ends the native, after the alert that BoringSSL would send is queued
//! }
//! ```
//!
//! BoringSSL has no retry for PSK (`clientPSKKeyRequested`, `serverPSKKeyRequested`): there Java is called in the middle. The connection's lock may be taken again by its holder, so that such a callback may ask the connection; to run or to
//! configure it is an `IllegalStateException`. A selector of application protocols is asked together with the server's
//! certificate, with what the client's hello offers. What a connection owns for Java (callbacks
//! object, `NativeSsl`) are arguments of each native, never global references. `SSL_SESSION` handles have one owner for each
//! `SSL_SESSION_up_ref` ([`slab::Handle::retain`]); the one that is passed to `onNewSessionEstablished` is freed when the callback returns.

use std::ffi::{CString, c_void};
use std::sync::atomic::AtomicU64;

use jni::sys::{self, jint};

use crate::boundary::{Env, jni_call};
use crate::onload::{property, unregister};

mod aead;
mod asn1;
mod bio;
mod cipher;
mod digest;
mod ec;
mod error;
mod hpke;
mod java;
mod key;
mod kinds;
mod mac;
mod misc;
mod raw;
mod rsa;
mod slab;
mod ssl;
mod ssl_ech;
mod ssl_engine;
mod ssl_facts;
mod ssl_run;
mod ssl_session;
mod ssl_socket;
mod ssl_wait;
mod types;
mod x509;

/// One row: a static native method of `org.conscrypt.NativeCrypto`.
#[derive(Clone, Copy)]
pub(crate) struct Native {
    /// The same in Java.
    pub(crate) name: &'static str,
    pub(crate) signature: fn() -> String,
    pub(crate) function: fn() -> *mut c_void,
    /// How often it was called; only counted for tests.
    #[cfg_attr(not(feature = "conscrypt-call-counts"), allow(dead_code, reason = "read by tests' natives only"))]
    pub(crate) calls: &'static AtomicU64,
}

/// All natives.
const NATIVES: &[&[Native]] = &[
    aead::NATIVES,
    asn1::NATIVES,
    bio::NATIVES,
    cipher::NATIVES,
    digest::NATIVES,
    ec::NATIVES,
    hpke::NATIVES,
    key::NATIVES,
    mac::NATIVES,
    misc::NATIVES,
    raw::NATIVES,
    rsa::NATIVES,
    ssl::NATIVES,
    ssl_ech::NATIVES,
    ssl_engine::NATIVES,
    ssl_facts::NATIVES,
    ssl_session::NATIVES,
    ssl_socket::NATIVES,
    x509::NATIVES,
];

/// Declares natives under C's names, and their rows. Each body runs inside `boundary` and answers `Result<T, Error>`.
macro_rules! natives {
    ($l:lifetime => $( $(#[$meta:meta])* fn $name:ident($env:ident $(, $arg:ident : $type:ty)* $(,)?) -> $ret:ty $body:block )*) => {
        pub(super) const NATIVES: &[$crate::conscrypt::Native] = &[$({
            static CALLS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
            $(#[$meta])*
            #[allow(
                non_snake_case, clippy::too_many_arguments, clippy::extra_unused_lifetimes, clippy::unnecessary_wraps,
                reason = "C's names; a native takes what one call needs, and may need no reference"
            )]
            extern "system" fn $name<$l>(raw: *mut jni::sys::JNIEnv, _class: jni::sys::jclass $(, $arg: $type)*) -> $ret {
                #[cfg(feature = "conscrypt-call-counts")]
                CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                #[allow(unsafe_code, reason = "what the JVM passes")]
                // SAFETY: the JVM passes this thread's environment.
                let env = unsafe { $crate::boundary::Env::<$l>::from_raw(raw) };
                $crate::boundary::boundary(env, |$env: &mut $crate::boundary::Env<$l>| -> Result<$ret, $crate::conscrypt::error::Error> { $body })
            }
            #[allow(clippy::extra_unused_lifetimes, reason = "a native may need no reference")]
            fn signature<$l>() -> String {
                let arguments: &[&str] = &[$(<$type as $crate::natives::JniType>::SIGNATURE),*];
                format!("({}){}", arguments.concat(), <$ret as $crate::natives::JniType>::SIGNATURE)
            }
            $crate::conscrypt::Native {
                name: stringify!($name),
                signature,
                function: || $name as *const () as *mut std::ffi::c_void,
                calls: &CALLS,
            }
        }),*];
    };
}
pub(crate) use natives;

/// The package of relocated classes with slashes, such as `shaded/org/conscrypt`: only read where the stack does not say it.
const PACKAGE_PROPERTY: &std::ffi::CStr = c"postscrypt.conscrypt.package";

/// Registers the natives with Conscrypt's `NativeCrypto`, as its class loader sees it; or leaves an exception pending.
///
/// # Safety
/// `env` is this thread's environment, `vm` its VM.
#[allow(unsafe_code, reason = "calls through the JNI function table")]
pub(crate) unsafe fn register(env: &mut Env<'_>, vm: *mut sys::JavaVM) -> jint {
    let package = match java::loading_package(env) {
        Ok(Some(package)) => Some(package),
        Ok(None) => match property(env, PACKAGE_PROPERTY) {
            Ok(package) => package.and_then(|package| package.into_string().ok()),
            Err(_) => return sys::JNI_ERR,
        },
        Err(_) => return sys::JNI_ERR,
    };
    java::init(vm, package);
    let names: Vec<(CString, CString, *mut c_void)> = NATIVES
        .iter()
        .copied()
        .flatten()
        .map(|native| {
            let signature = java::relocated(&(native.signature)());
            (error::c_string(native.name), error::c_string(&signature), (native.function)())
        })
        .collect();
    let rows: Vec<sys::JNINativeMethod> = names
        .iter()
        .map(|(name, signature, function)| sys::JNINativeMethod {
            name: name.as_ptr().cast_mut(),
            signature: signature.as_ptr().cast_mut(),
            fnPtr: *function,
        })
        .collect();
    // SAFETY: a valid environment; the rows and their strings outlive the call.
    unsafe {
        let class = jni_call!(env, v1_2, FindClass, java::class("NativeCrypto").as_ptr());
        if class.is_null() {
            return sys::JNI_ERR;
        }
        let count = jint::try_from(rows.len()).unwrap_or(0);
        if jni_call!(env, v1_2, RegisterNatives, class, rows.as_ptr(), count) != sys::JNI_OK {
            unregister(env, class);
            return sys::JNI_ERR;
        }
        jni_call!(env, v1_2, DeleteLocalRef, class);
    }
    #[cfg(feature = "conscrypt-call-counts")]
    counts::register(env);
    sys::JNI_VERSION_1_6
}

/// What tests ask: which natives there are, and how often each was called.
#[cfg(feature = "conscrypt-call-counts")]
#[allow(unsafe_code, reason = "calls through the JNI function table")]
mod counts {
    use std::fmt::Write as _;
    use std::sync::atomic::Ordering;

    use jni::sys;

    use super::types::JString;
    use super::{NATIVES, java};
    use crate::boundary::{Env, boundary, jni_call};

    /// Lines of name, descriptor and count, tab-separated.
    extern "system" fn counts<'l>(raw: *mut sys::JNIEnv, _class: sys::jclass) -> JString<'l> {
        // SAFETY: the JVM passes this thread's environment.
        let env = unsafe { Env::<'l>::from_raw(raw) };
        boundary(env, |env| {
            let mut text = String::new();
            for native in NATIVES.iter().copied().flatten() {
                let calls = native.calls.load(Ordering::Relaxed);
                let _ = writeln!(text, "{}\t{}\t{calls}", native.name, (native.signature)());
            }
            JString::new(env, &text)
        })
    }

    /// Registers with the tests' class if there is one.
    pub(super) fn register(env: &mut Env<'_>) {
        // SAFETY: a valid environment, C strings that outlive the calls; an absent class leaves an exception, which is cleared.
        unsafe {
            let class = jni_call!(env, v1_2, FindClass, java::class("NativeCalls").as_ptr());
            if class.is_null() {
                jni_call!(env, v1_2, ExceptionClear);
                return;
            }
            let row = sys::JNINativeMethod {
                name: c"counts".as_ptr().cast_mut(),
                signature: c"()Ljava/lang/String;".as_ptr().cast_mut(),
                fnPtr: counts as *const () as *mut std::ffi::c_void,
            };
            jni_call!(env, v1_2, RegisterNatives, class, &raw const row, 1);
            jni_call!(env, v1_2, ExceptionClear);
        }
    }
}
