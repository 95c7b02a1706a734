//! The table of natives, one module per area; each row's name and JNI signature come from its Rust function.
#![allow(unsafe_code, reason = "each native borrows its handles; the owner argument keeps them alive")]

use std::ffi::{CString, c_void};

use jni::sys;

use crate::bytes::{Buffer, ByteArray, ByteArrays, IntArray, LongArray, Owner};
use crate::handle::Handle;

mod aead;
mod boxed;
mod cipher;
mod digest;
mod hpke;
mod kdf;
mod key;
mod keywrap;
mod library;
mod mac;
mod pq;
mod rand;
mod rsa;
mod sign;
mod tls;

pub(crate) use aead::{Nonce, check_key};
pub(crate) use tls::connection::pack;

/// One row: a static native method of `NativeCrypto`.
pub(crate) struct Native {
    /// `digest_update` here is `digestUpdate` in Java.
    pub(crate) rust_name: &'static str,
    pub(crate) signature: fn() -> CString,
    pub(crate) function: fn() -> *mut c_void,
}

/// All natives.
pub(crate) const NATIVES: &[&[Native]] = &[
    library::NATIVES,
    digest::NATIVES,
    mac::NATIVES,
    aead::NATIVES,
    cipher::NATIVES,
    keywrap::NATIVES,
    kdf::NATIVES,
    rand::NATIVES,
    tls::NATIVES,
    tls::connection::NATIVES,
    tls::suspension::NATIVES,
    tls::negotiated::NATIVES,
    pq::NATIVES,
    hpke::NATIVES,
    boxed::NATIVES,
    // asymmetric
    key::NATIVES,
    sign::NATIVES,
    rsa::NATIVES,
];

/// A type that may cross, and how JNI spells it.
pub(crate) trait JniType {
    const SIGNATURE: &'static str;
}
macro_rules! jni_types {
    ($($type:ty => $signature:literal),* $(,)?) => { $(impl JniType for $type { const SIGNATURE: &'static str = $signature; })* };
}
jni_types! {
    () => "V", sys::jint => "I", sys::jlong => "J", sys::jboolean => "Z",
    ByteArray<'_> => "[B", ByteArrays<'_> => "[[B", IntArray<'_> => "[I", LongArray<'_> => "[J",
    Buffer<'_> => "Ljava/nio/ByteBuffer;", Owner<'_> => "Ljava/lang/Object;",
}
impl<T> JniType for Handle<T> {
    const SIGNATURE: &'static str = "J";
}

/// Declares natives and their rows. Each body runs inside `boundary` and answers `Result<T, Error>`:
/// ```ignore
/// natives! { 'l =>
///     fn digest_update(env, digest: Handle<Digest>, _owner: Owner<'l>, input: ByteArray<'l>) -> () { … Ok(()) }
/// }
/// ```
macro_rules! natives {
    ($l:lifetime => $( $(#[$meta:meta])* fn $name:ident($env:ident $(, $arg:ident : $type:ty)* $(,)?) -> $ret:ty $body:block )*) => {
        pub(crate) const NATIVES: &[$crate::natives::Native] = &[$({
            $(#[$meta])*
            #[allow(
                clippy::too_many_arguments, clippy::extra_unused_lifetimes,
                reason = "a native takes what one call needs, and may need no reference"
            )]
            extern "system" fn $name<$l>(raw: *mut jni::sys::JNIEnv, _class: jni::sys::jclass $(, $arg: $type)*) -> $ret {
                // SAFETY: the JVM passes this thread's environment.
                let env = unsafe { $crate::boundary::Env::<$l>::from_raw(raw) };
                $crate::boundary::boundary(env, |$env: &mut $crate::boundary::Env<$l>| -> Result<$ret, $crate::error::Error> { $body })
            }
            #[allow(clippy::extra_unused_lifetimes, reason = "a native may need no reference")]
            fn signature<$l>() -> std::ffi::CString {
                $crate::natives::signature(
                    &[$(<$type as $crate::natives::JniType>::SIGNATURE),*],
                    <$ret as $crate::natives::JniType>::SIGNATURE,
                )
            }
            $crate::natives::Native {
                rust_name: stringify!($name),
                signature,
                function: || $name as *const () as *mut std::ffi::c_void,
            }
        }),*];
    };
}
pub(crate) use natives;

pub(crate) fn signature(arguments: &[&str], result: &str) -> CString {
    CString::new(format!("({}){result}", arguments.concat())).unwrap_or_default()
}

/// `digest_update` → `digestUpdate`.
pub(crate) fn java_name(rust_name: &str) -> CString {
    let mut name = String::with_capacity(rust_name.len());
    let mut upper = false;
    for c in rust_name.chars() {
        if c == '_' {
            upper = true;
        } else if upper {
            name.extend(c.to_uppercase());
            upper = false;
        } else {
            name.push(c);
        }
    }
    CString::new(name).unwrap_or_default()
}
