//! What these natives look at and call in Java.
#![allow(unsafe_code, reason = "calls through the JNI function table")]

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use jni::sys::{self, jint, jlong};

use super::error::{Error, c_string};
use super::types::JString;
use crate::boundary::{Env, jni_call};

/// Conscrypt's package, as it is written in the signatures here.
const PACKAGE: &str = "org/conscrypt";

static VM: AtomicPtr<sys::JavaVM> = AtomicPtr::new(std::ptr::null_mut());
static RELOCATED: OnceLock<Option<String>> = OnceLock::new();

/// Told by `JNI_OnLoad`, before anything else.
pub(super) fn init(vm: *mut sys::JavaVM, package: Option<String>) {
    VM.store(vm, Ordering::Release);
    RELOCATED.get_or_init(|| package);
}

fn package() -> &'static str {
    RELOCATED.get().and_then(Option::as_deref).unwrap_or(PACKAGE)
}

/// A signature with the package that Conscrypt really is in.
pub(super) fn relocated(signature: &str) -> String {
    signature.replace(PACKAGE, package())
}

/// The name of a class in Conscrypt's package, for `FindClass`.
pub(super) fn class(name: &str) -> CString {
    c_string(&format!("{}/{name}", package()))
}

/// This thread's environment; the thread is attached if it has none.
pub(super) fn current_env<'l>() -> Option<Env<'l>> {
    let vm = VM.load(Ordering::Acquire);
    if vm.is_null() {
        return None;
    }
    let mut raw: *mut c_void = std::ptr::null_mut();
    // SAFETY: the VM that loaded this library.
    unsafe {
        if ((**vm).v1_2.GetEnv)(vm, &raw mut raw, sys::JNI_VERSION_1_6) != sys::JNI_OK
            && ((**vm).v1_4.AttachCurrentThreadAsDaemon)(vm, &raw mut raw, std::ptr::null_mut()) != sys::JNI_OK
        {
            return None;
        }
        Some(Env::from_raw(raw.cast()))
    }
}

/// A class and the members of it that are wanted, found once. Valid as long as the class, which lives as long as this library.
macro_rules! id {
    ($env:expr, $find:ident, $class:expr, $name:expr, $signature:expr) => {{
        static ID: std::sync::atomic::AtomicPtr<std::ffi::c_void> =
            std::sync::atomic::AtomicPtr::new(std::ptr::null_mut());
        $crate::conscrypt::java::find(
            &ID,
            $env,
            || std::borrow::Cow::from($class),
            |env, class| {
                // SAFETY: a live class and C strings.
                unsafe { jni_call!(env, v1_2, $find, class, $name.as_ptr(), $signature.as_ptr()).cast() }
            },
        )
    }};
}
pub(super) use id;

pub(super) fn find<'c>(
    id: &AtomicPtr<c_void>,
    env: &mut Env<'_>,
    class: impl FnOnce() -> Cow<'c, CStr>,
    get: impl FnOnce(&mut Env<'_>, sys::jclass) -> *mut c_void,
) -> Result<*mut c_void, Error> {
    let known = id.load(Ordering::Acquire);
    if !known.is_null() {
        return Ok(known);
    }
    let class = find_class(env, &class())?;
    let found = get(env, class);
    delete(env, class);
    if found.is_null() {
        return Err(Error::Pending);
    }
    id.store(found, Ordering::Release);
    Ok(found)
}

/// A class, as Conscrypt's class loader sees it.
pub(super) fn find_class(env: &mut Env<'_>, name: &CStr) -> Result<sys::jclass, Error> {
    // SAFETY: a valid environment, a C string.
    let class = unsafe { jni_call!(env, v1_2, FindClass, name.as_ptr()) };
    if class.is_null() { Err(Error::Pending) } else { Ok(class) }
}

/// Drops a local reference early.
pub(super) fn delete(env: &mut Env<'_>, object: sys::jobject) {
    if !object.is_null() {
        // SAFETY: a local reference that nobody else uses.
        unsafe { jni_call!(env, v1_2, DeleteLocalRef, object) };
    }
}

/// `Pending` if a call just made left an exception.
pub(super) fn returned<T>(env: &mut Env<'_>, value: T) -> Result<T, Error> {
    if env.exception_check() { Err(Error::Pending) } else { Ok(value) }
}

/// Forgets a pending exception.
pub(super) fn clear(env: &mut Env<'_>) {
    // SAFETY: a valid environment.
    unsafe { jni_call!(env, v1_2, ExceptionClear) };
}

/// The package, with slashes, of the Conscrypt that is loading this library: the JVM does not tell `JNI_OnLoad` its caller, and shading
/// tools rename packages, but the stack has the `NativeCryptoJni` that loads. `None` if there is no such frame, as when classes are
/// renamed further or something else loads.
pub(super) fn loading_package(env: &mut Env<'_>) -> Result<Option<String>, Error> {
    const LOADER: &str = ".NativeCryptoJni";
    let constructor = id!(env, GetMethodID, c"java/lang/Throwable", c"<init>", c"()V")?;
    let signature = c"()[Ljava/lang/StackTraceElement;";
    let get_stack_trace = id!(env, GetMethodID, c"java/lang/Throwable", c"getStackTrace", signature)?;
    let signature = c"()Ljava/lang/String;";
    let get_class_name = id!(env, GetMethodID, c"java/lang/StackTraceElement", c"getClassName", signature)?;
    let class = find_class(env, c"java/lang/Throwable")?;
    // SAFETY: live references, methods of their classes, no arguments; each result is looked at before it is used.
    unsafe {
        let throwable = jni_call!(env, v1_2, NewObjectA, class, constructor.cast(), std::ptr::null());
        delete(env, class);
        let throwable = returned(env, throwable)?;
        let call = |env: &mut Env<'_>, object, method: *mut c_void| {
            let result = jni_call!(env, v1_2, CallObjectMethodA, object, method.cast(), std::ptr::null());
            returned(env, result)
        };
        let frames = call(env, throwable, get_stack_trace)?;
        delete(env, throwable);
        let length = jni_call!(env, v1_1, GetArrayLength, frames);
        let mut package = None;
        for index in 0..length {
            let frame = jni_call!(env, v1_2, GetObjectArrayElement, frames, index);
            let name = call(env, frame, get_class_name)?;
            let text = JString::from_raw(name).to_text(env);
            delete(env, name);
            delete(env, frame);
            // The innermost: another copy may be the one that makes this one load.
            package = text.and_then(|text| Some(text.strip_suffix(LOADER)?.replace('.', "/")));
            if package.is_some() {
                break;
            }
        }
        delete(env, frames);
        Ok(package)
    }
}

/// `NativeRef.address`.
pub(super) fn address(env: &mut Env<'_>, native_ref: sys::jobject) -> Result<jlong, Error> {
    let field = id!(env, GetFieldID, class("NativeRef"), c"address", c"J")?;
    // SAFETY: an object of a subclass of NativeRef (the native's declared type), its field.
    Ok(unsafe { jni_call!(env, v1_2, GetLongField, native_ref, field.cast()) })
}

/// `new NativeRef.EVP_HPKE_CTX(long)`.
pub(super) fn new_hpke_ctx(env: &mut Env<'_>, handle: jlong) -> Result<sys::jobject, Error> {
    let name = class("NativeRef$EVP_HPKE_CTX");
    let constructor = id!(env, GetMethodID, &name, c"<init>", c"(J)V")?;
    let class = find_class(env, &name)?;
    let arguments = [sys::jvalue { j: handle }];
    // SAFETY: a class, its constructor, its argument.
    let object = unsafe { jni_call!(env, v1_2, NewObjectA, class, constructor.cast(), arguments.as_ptr()) };
    delete(env, class);
    if object.is_null() { Err(Error::Pending) } else { Ok(object) }
}

/// `FileDescriptor.fd`; negative when it is closed.
pub(super) fn descriptor(env: &mut Env<'_>, object: sys::jobject) -> Result<jint, Error> {
    let field = id!(env, GetFieldID, c"java/io/FileDescriptor", c"fd", c"I")?;
    // SAFETY: a FileDescriptor (the native's declared type), its field.
    Ok(unsafe { jni_call!(env, v1_2, GetIntField, object, field.cast()) })
}

/// `Integer.valueOf(int)`.
pub(super) fn integer(env: &mut Env<'_>, value: jint) -> Result<sys::jobject, Error> {
    let method = id!(env, GetStaticMethodID, c"java/lang/Integer", c"valueOf", c"(I)Ljava/lang/Integer;")?;
    let class = find_class(env, c"java/lang/Integer")?;
    let arguments = [sys::jvalue { i: value }];
    // SAFETY: a class, its method, its argument.
    let object = unsafe { jni_call!(env, v1_2, CallStaticObjectMethodA, class, method.cast(), arguments.as_ptr()) };
    delete(env, class);
    returned(env, object)
}

/// `Calendar.set(year, month, day, hour, minute, second)`, where January is 0.
pub(super) fn calendar_set(env: &mut Env<'_>, calendar: sys::jobject, fields: [jint; 6]) -> Result<(), Error> {
    let method = id!(env, GetMethodID, c"java/util/Calendar", c"set", c"(IIIIII)V")?;
    let arguments = fields.map(|i| sys::jvalue { i });
    // SAFETY: a Calendar (the native's declared type), its method, its arguments.
    unsafe { jni_call!(env, v1_2, CallVoidMethodA, calendar, method.cast(), arguments.as_ptr()) };
    returned(env, ())
}

/// `InputStream.read(byte[])`.
pub(super) fn stream_read(env: &mut Env<'_>, stream: sys::jobject, array: sys::jbyteArray) -> Result<jint, Error> {
    let method = id!(env, GetMethodID, c"java/io/InputStream", c"read", c"([B)I")?;
    let arguments = [sys::jvalue { l: array }];
    // SAFETY: an InputStream, its method, its argument.
    let count = unsafe { jni_call!(env, v1_2, CallIntMethodA, stream, method.cast(), arguments.as_ptr()) };
    returned(env, count)
}

/// `OpenSSLBIOInputStream.gets(byte[])`.
pub(super) fn stream_gets(env: &mut Env<'_>, stream: sys::jobject, array: sys::jbyteArray) -> Result<jint, Error> {
    let method = id!(env, GetMethodID, class("OpenSSLBIOInputStream"), c"gets", c"([B)I")?;
    let arguments = [sys::jvalue { l: array }];
    // SAFETY: an OpenSSLBIOInputStream, its method, its argument.
    let count = unsafe { jni_call!(env, v1_2, CallIntMethodA, stream, method.cast(), arguments.as_ptr()) };
    returned(env, count)
}

/// `OutputStream.write(byte[])`.
pub(super) fn stream_write(env: &mut Env<'_>, stream: sys::jobject, array: sys::jbyteArray) -> Result<(), Error> {
    let method = id!(env, GetMethodID, c"java/io/OutputStream", c"write", c"([B)V")?;
    let arguments = [sys::jvalue { l: array }];
    // SAFETY: an OutputStream, its method, its argument.
    unsafe { jni_call!(env, v1_2, CallVoidMethodA, stream, method.cast(), arguments.as_ptr()) };
    returned(env, ())
}

/// A buffer's position and limit.
pub(super) fn buffer_range(env: &mut Env<'_>, buffer: sys::jobject) -> Result<(jint, jint), Error> {
    let position = id!(env, GetMethodID, c"java/nio/Buffer", c"position", c"()I")?;
    let limit = id!(env, GetMethodID, c"java/nio/Buffer", c"limit", c"()I")?;
    let mut call = |method: *mut c_void| {
        // SAFETY: a Buffer, its methods.
        let value = unsafe { jni_call!(env, v1_2, CallIntMethodA, buffer, method.cast(), std::ptr::null()) };
        returned(env, value)
    };
    Ok((call(position)?, call(limit)?))
}

/// Whether `object` is a `ByteBuffer`.
pub(super) fn is_byte_buffer(env: &mut Env<'_>, object: sys::jobject) -> Result<bool, Error> {
    let class = find_class(env, c"java/nio/ByteBuffer")?;
    // SAFETY: live references.
    let is = unsafe { jni_call!(env, v1_1, IsInstanceOf, object, class) };
    delete(env, class);
    Ok(is)
}

/// The operations of `CryptoUpcalls`.
#[derive(Clone, Copy)]
pub(super) enum Upcall {
    RsaSign(jint),
    RsaDecrypt(jint),
    EcSign,
}

/// Calls `CryptoUpcalls` with a Java private key: a `byte[]` or null.
pub(super) fn upcall(
    env: &mut Env<'_>,
    upcall: Upcall,
    key: sys::jobject,
    input: sys::jbyteArray,
) -> Result<sys::jbyteArray, Error> {
    let name = class("CryptoUpcalls");
    let (method, arguments) = match upcall {
        Upcall::EcSign => {
            let signature = c"(Ljava/security/PrivateKey;[B)[B";
            let method = id!(env, GetStaticMethodID, &name, c"ecSignDigestWithPrivateKey", signature)?;
            (method, [sys::jvalue { l: key }, sys::jvalue { l: input }, sys::jvalue { j: 0 }])
        }
        Upcall::RsaSign(padding) => {
            let signature = c"(Ljava/security/PrivateKey;I[B)[B";
            let method = id!(env, GetStaticMethodID, &name, c"rsaSignDigestWithPrivateKey", signature)?;
            (method, [sys::jvalue { l: key }, sys::jvalue { i: padding }, sys::jvalue { l: input }])
        }
        Upcall::RsaDecrypt(padding) => {
            let signature = c"(Ljava/security/PrivateKey;I[B)[B";
            let method = id!(env, GetStaticMethodID, &name, c"rsaDecryptWithPrivateKey", signature)?;
            (method, [sys::jvalue { l: key }, sys::jvalue { i: padding }, sys::jvalue { l: input }])
        }
    };
    let class = find_class(env, &name)?;
    // SAFETY: a class, its method, its arguments.
    let result = unsafe { jni_call!(env, v1_2, CallStaticObjectMethodA, class, method.cast(), arguments.as_ptr()) };
    delete(env, class);
    returned(env, result)
}

/// A Java object that a native object needs beyond the call: deleted when dropped, on any thread.
pub(super) struct Global(sys::jobject);

// SAFETY: global references belong to no thread.
unsafe impl Send for Global {}
// SAFETY: as above; the object looks after itself.
unsafe impl Sync for Global {}

impl Global {
    pub(super) fn new(env: &mut Env<'_>, object: sys::jobject) -> Result<Self, Error> {
        // SAFETY: a live reference.
        let global = unsafe { jni_call!(env, v1_2, NewGlobalRef, object) };
        if global.is_null() { Err(Error::Pending) } else { Ok(Self(global)) }
    }

    pub(super) fn get(&self) -> sys::jobject {
        self.0
    }
}

impl Drop for Global {
    fn drop(&mut self) {
        if let Some(env) = current_env() {
            // SAFETY: ours, deleted once; allowed while an exception is pending.
            unsafe { jni_call!(env, v1_2, DeleteGlobalRef, self.0) };
        }
    }
}
