//! What may cross to Conscrypt's Java and back, beyond the arrays of [`crate::bytes`].
#![allow(unsafe_code, reason = "calls through the JNI function table")]

use std::ffi::CString;
use std::marker::PhantomData;

use jni::sys::{self, jboolean, jint, jlong};

use super::error::Error;
use super::java;
use super::slab::{Exclusive, Handle, Held, Managed, Pin};
use crate::boundary::{Env, jni_call};
use crate::bytes::{ByteArray, LongArray, SMALL, Scratch};
use crate::natives::JniType;

impl<T> JniType for Handle<T> {
    const SIGNATURE: &'static str = "J";
}
impl JniType for sys::jshort {
    const SIGNATURE: &'static str = "S";
}

/// A type behind a subclass of `NativeRef`, and that class.
pub(crate) trait NativeRef: Managed {
    const SIGNATURE: &'static str;
}

/// A `NativeRef` argument, whose `address` names a `T`; may be null. It is reachable during the call, so its finaliser does not run.
#[repr(transparent)]
pub(crate) struct Ref<'l, T>(sys::jobject, PhantomData<&'l T>);

impl<T> Clone for Ref<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Ref<'_, T> {}
impl<T: NativeRef> JniType for Ref<'_, T> {
    const SIGNATURE: &'static str = <T as NativeRef>::SIGNATURE;
}

impl<'l, T: NativeRef> Ref<'l, T> {
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The handle in it.
    #[inline]
    pub(crate) fn handle(self, env: &mut Env<'l>) -> Result<Handle<T>, Error> {
        if self.0.is_null() {
            return Err(Error::null("contextObject == null"));
        }
        java::address(env, self.0).map(Handle::from_raw)
    }

    /// The object that it names.
    #[inline]
    pub(crate) fn get(self, env: &mut Env<'l>) -> Result<Pin<T>, Error> {
        self.handle(env)?.get()
    }
}

impl<'l, T: std::any::Any + Send> Ref<'l, Exclusive<T>>
where
    Exclusive<T>: NativeRef,
{
    /// The object that it names, for this thread alone.
    #[inline]
    pub(crate) fn hold(self, env: &mut Env<'l>) -> Result<Held<T>, Error> {
        self.handle(env)?.hold(env)
    }
}

macro_rules! references {
    ($($(#[$meta:meta])* $name:ident => $signature:literal),* $(,)?) => { $(
        $(#[$meta])*
        #[repr(transparent)]
        #[derive(Clone, Copy)]
        pub(crate) struct $name<'l>(
            #[allow(dead_code, reason = "some are held, not read")] sys::jobject,
            PhantomData<&'l ()>,
        );
        impl Default for $name<'_> {
            fn default() -> Self {
                Self(std::ptr::null_mut(), PhantomData)
            }
        }
        impl JniType for $name<'_> {
            const SIGNATURE: &'static str = $signature;
        }
        #[allow(dead_code, reason = "some are held, not read")]
        impl $name<'_> {
            pub(crate) fn raw(self) -> sys::jobject {
                self.0
            }

            pub(crate) fn from_raw(object: sys::jobject) -> Self {
                Self(object, PhantomData)
            }

            pub(crate) fn is_null(self) -> bool {
                self.0.is_null()
            }
        }
    )* };
}
references! {
    /// A string; may be null.
    JString => "Ljava/lang/String;",
    /// Strings; may be null.
    JStrings => "[Ljava/lang/String;",
    /// Any object.
    JObject => "Ljava/lang/Object;",
    /// Any objects.
    JObjects => "[Ljava/lang/Object;",
    /// Arrays of objects.
    JObjectArrays => "[[Ljava/lang/Object;",
    /// A `boolean[]`.
    JBooleans => "[Z",
    /// A `java.nio.Buffer`.
    NioBuffer => "Ljava/nio/Buffer;",
    /// A calendar.
    Calendar => "Ljava/util/Calendar;",
    /// A private key that Java holds.
    PrivateKey => "Ljava/security/PrivateKey;",
    /// The owner of an input BIO.
    BioInputStream => "Lorg/conscrypt/OpenSSLBIOInputStream;",
    /// A stream to write to.
    OutputStream => "Ljava/io/OutputStream;",
    /// The owner of an `X509`: keeps it reachable.
    CertificateHolder => "Lorg/conscrypt/OpenSSLX509Certificate;",
    /// The owner of an `X509_CRL`: keeps it reachable.
    CrlHolder => "Lorg/conscrypt/OpenSSLX509CRL;",
    /// The owner of an `X509_REVOKED`: keeps it reachable.
    EntryHolder => "Lorg/conscrypt/OpenSSLX509CRLEntry;",
    /// The owner of an `SSL`: keeps it reachable.
    NativeSsl => "Lorg/conscrypt/NativeSsl;",
    /// The owner of an `SSL_CTX`: keeps it reachable.
    SessionContext => "Lorg/conscrypt/AbstractSessionContext;",
    /// Who decides during handshakes.
    HandshakeCallbacks => "Lorg/conscrypt/NativeCrypto$SSLHandshakeCallbacks;",
    /// A socket.
    FileDescriptor => "Ljava/io/FileDescriptor;",
}

impl<'l> JString<'l> {
    pub(crate) fn new(env: &mut Env<'l>, text: &str) -> Result<Self, Error> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let length = jint::try_from(units.len()).map_err(|_| Error::Pending)?;
        // SAFETY: a valid environment; so many units.
        let string = unsafe { jni_call!(env, v1_2, NewString, units.as_ptr(), length) };
        if string.is_null() { Err(Error::Pending) } else { Ok(Self::from_raw(string)) }
    }

    /// Null for none.
    pub(crate) fn of(env: &mut Env<'l>, text: Option<&str>) -> Result<Self, Error> {
        text.map_or_else(|| Ok(Self::default()), |text| Self::new(env, text))
    }

    /// Its text; `None` for null. What is no text (half a surrogate pair) becomes U+FFFD.
    pub(crate) fn to_text(self, env: &mut Env<'l>) -> Option<String> {
        if self.is_null() {
            return None;
        }
        // SAFETY: a live string (the native's declared type); the region is all of it.
        unsafe {
            let length = jni_call!(env, v1_2, GetStringLength, self.raw());
            let mut units = vec![0; usize::try_from(length).unwrap_or(0)];
            jni_call!(env, v1_2, GetStringRegion, self.raw(), 0, length, units.as_mut_ptr());
            Some(String::from_utf16_lossy(&units))
        }
    }

    /// Its text in the JVM's modified UTF-8, which has no zero byte inside; `None` for null.
    pub(crate) fn to_c_string(self, env: &mut Env<'l>) -> Option<CString> {
        if self.is_null() {
            return None;
        }
        // SAFETY: a live string (the native's declared type); the region is all of it, with room for a zero byte.
        unsafe {
            let length = jni_call!(env, v1_2, GetStringLength, self.raw());
            let bytes = usize::try_from(jni_call!(env, v1_2, GetStringUTFLength, self.raw())).unwrap_or(0);
            let mut text = vec![0_u8; bytes + 1];
            jni_call!(env, v1_2, GetStringUTFRegion, self.raw(), 0, length, text.as_mut_ptr().cast());
            text.truncate(bytes);
            CString::new(text).ok()
        }
    }

    /// Its text; `NullPointerException` for null.
    pub(crate) fn text(self, env: &mut Env<'l>, message: &'static str) -> Result<String, Error> {
        self.to_text(env).ok_or_else(|| Error::null(message))
    }
}

/// A new `byte[]` of zeros.
pub(crate) fn new_array(env: &mut Env<'_>, length: usize) -> Result<sys::jbyteArray, Error> {
    let length = jint::try_from(length).map_err(|_| Error::argument("too many bytes"))?;
    // SAFETY: a valid environment.
    let array = unsafe { jni_call!(env, v1_2, NewByteArray, length) };
    if array.is_null() { Err(Error::Pending) } else { Ok(array) }
}

/// A new array of `length` elements of `class`, null at first.
pub(crate) fn object_array(
    env: &mut Env<'_>,
    class: &std::ffi::CStr,
    length: usize,
) -> Result<sys::jobjectArray, Error> {
    let length = jint::try_from(length).map_err(|_| Error::argument("too many elements"))?;
    let class = java::find_class(env, class)?;
    // SAFETY: a live class.
    let array = unsafe { jni_call!(env, v1_2, NewObjectArray, length, class, std::ptr::null_mut()) };
    java::delete(env, class);
    if array.is_null() { Err(Error::Pending) } else { Ok(array) }
}

/// Puts `element` into its place and drops the local reference to it.
pub(crate) fn set_element(
    env: &mut Env<'_>,
    array: sys::jobjectArray,
    index: usize,
    element: sys::jobject,
) -> Result<(), Error> {
    let index = jint::try_from(index).map_err(|_| Error::argument("too many elements"))?;
    // SAFETY: live references; an index outside leaves an exception.
    unsafe { jni_call!(env, v1_2, SetObjectArrayElement, array, index, element) };
    java::delete(env, element);
    java::returned(env, ())
}

impl<'l> JStrings<'l> {
    pub(crate) fn new(env: &mut Env<'l>, texts: &[String]) -> Result<Self, Error> {
        let array = object_array(env, c"java/lang/String", texts.len())?;
        for (index, text) in texts.iter().enumerate() {
            let string = JString::new(env, text)?;
            set_element(env, array, index, string.raw())?;
        }
        Ok(Self::from_raw(array))
    }
}

impl<'l> JStrings<'l> {
    /// All texts; `NullPointerException` for null and for a null element.
    pub(crate) fn to_texts(self, env: &mut Env<'l>, message: &'static str) -> Result<Vec<String>, Error> {
        if self.is_null() {
            return Err(Error::null(message));
        }
        // SAFETY: a live array (the native's declared type).
        let length = unsafe { jni_call!(env, v1_1, GetArrayLength, self.raw()) };
        (0..length)
            .map(|index| {
                // SAFETY: an index below its length.
                let element = unsafe { jni_call!(env, v1_2, GetObjectArrayElement, self.raw(), index) };
                let text = JString::from_raw(element).text(env, message);
                java::delete(env, element);
                text
            })
            .collect()
    }
}

impl<'l> JBooleans<'l> {
    pub(crate) fn new(env: &mut Env<'l>, bits: &[bool]) -> Result<Self, Error> {
        let length = jint::try_from(bits.len()).map_err(|_| Error::argument("too many bits"))?;
        let bits: Vec<jboolean> = bits.to_vec();
        // SAFETY: a valid environment; the region is the whole new array.
        unsafe {
            let array = jni_call!(env, v1_2, NewBooleanArray, length);
            if array.is_null() {
                return Err(Error::Pending);
            }
            jni_call!(env, v1_1, SetBooleanArrayRegion, array, 0, length, bits.as_ptr());
            Ok(Self::from_raw(array))
        }
    }
}

/// A new `long[]`.
pub(crate) fn long_array<'l>(env: &mut Env<'l>, longs: &[jlong]) -> Result<LongArray<'l>, Error> {
    let length = jint::try_from(longs.len()).map_err(|_| Error::argument("too many elements"))?;
    // SAFETY: a valid environment; the region is the whole new array.
    unsafe {
        let array = jni_call!(env, v1_2, NewLongArray, length);
        if array.is_null() {
            return Err(Error::Pending);
        }
        jni_call!(env, v1_1, SetLongArrayRegion, array, 0, length, longs.as_ptr());
        Ok(LongArray::from_raw(array))
    }
}

/// A `byte[][]` whose elements may be null.
pub(crate) fn byte_arrays<'l>(
    env: &mut Env<'l>,
    items: &[Option<Vec<u8>>],
) -> Result<crate::bytes::ByteArrays<'l>, Error> {
    let array = object_array(env, c"[B", items.len())?;
    for (index, item) in items.iter().enumerate() {
        if let Some(item) = item {
            let element = ByteArray::new(env, item)?;
            set_element(env, array, index, element.raw())?;
        }
    }
    Ok(crate::bytes::ByteArrays::from_raw(array))
}

/// Bytes that are zeroed when dropped.
#[derive(Default)]
pub(crate) struct Secret(pub(crate) Vec<u8>);

impl std::ops::Deref for Secret {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}
impl std::ops::DerefMut for Secret {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}
impl Drop for Secret {
    fn drop(&mut self) {
        bssl::bytes::cleanse(&mut self.0);
    }
}

/// Up to so many bytes of an argument are copied to the stack: few enough that moving them costs little.
const SHORT: usize = 256;

/// A range of an array, copied, short ones to the stack; zeroed when dropped.
#[allow(clippy::large_enum_variant, reason = "on the stack is the point")]
pub(crate) enum Input {
    Short([u8; SHORT], usize),
    Long(Secret),
}

impl Input {
    /// `NullPointerException` for a null array, `ArrayIndexOutOfBoundsException` for a range outside it.
    pub(crate) fn of<'l>(
        env: &mut Env<'l>,
        name: &'static str,
        array: ByteArray<'l>,
        offset: jint,
        length: jint,
    ) -> Result<Self, Error> {
        let slice = array.slice(env, name, offset, length)?;
        if slice.len() > SHORT {
            return Ok(Self::Long(Secret(slice.to_vec(env)?)));
        }
        let mut input = Self::Short([0; SHORT], slice.len());
        slice.read(env, input.bytes())?;
        Ok(input)
    }

    /// The whole array.
    pub(crate) fn all<'l>(env: &mut Env<'l>, name: &'static str, array: ByteArray<'l>) -> Result<Self, Error> {
        let length = array.len(env, name)?;
        Self::of(env, name, array, 0, length)
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        match self {
            Self::Short(bytes, length) => bytes.get_mut(..*length).unwrap_or_default(),
            Self::Long(bytes) => bytes,
        }
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        if let Self::Short(..) = self {
            bssl::bytes::cleanse(self.bytes());
        }
    }
}

/// Room for what is copied from an array or will be copied to one: short ones on the stack; zeroed when dropped.
pub(crate) struct Room {
    short: Scratch,
    long: Secret,
}

impl Room {
    /// None yet: made where it stays, for moving it costs a copy.
    #[inline]
    pub(crate) fn empty() -> Self {
        Self { short: Scratch::empty(), long: Secret::default() }
    }

    /// `length` zero bytes.
    #[inline]
    pub(crate) fn bytes(&mut self, length: usize) -> &mut [u8] {
        if length <= SMALL {
            self.short.resize(length);
            return self.short.bytes();
        }
        self.long = Secret(vec![0; length]);
        &mut self.long
    }

    /// A range of an array; exceptions as of [`Input::of`].
    #[inline]
    pub(crate) fn read<'l>(
        &mut self,
        env: &mut Env<'l>,
        name: &'static str,
        array: ByteArray<'l>,
        offset: jint,
        length: jint,
    ) -> Result<&mut [u8], Error> {
        let slice = array.slice(env, name, offset, length)?;
        let bytes = self.bytes(slice.len());
        slice.read(env, bytes)?;
        Ok(bytes)
    }

    /// The whole array; `NullPointerException` for null.
    #[inline]
    pub(crate) fn read_all<'l>(
        &mut self,
        env: &mut Env<'l>,
        name: &'static str,
        array: ByteArray<'l>,
    ) -> Result<&mut [u8], Error> {
        let slice = array.all(env, name)?;
        let bytes = self.bytes(slice.len());
        slice.read(env, bytes)?;
        Ok(bytes)
    }
}

/// The whole array, zeroed behind its use; `NullPointerException` for null.
pub(crate) fn secret<'l>(env: &mut Env<'l>, name: &'static str, array: ByteArray<'l>) -> Result<Secret, Error> {
    Ok(Secret(array.to_vec(env, name)?))
}

/// The whole array, zeroed behind its use; `None` for null.
pub(crate) fn optional_secret<'l>(env: &mut Env<'l>, array: ByteArray<'l>) -> Result<Option<Secret>, Error> {
    Ok(array.to_vec_or_none(env)?.map(Secret))
}

/// The whole array as `N` bytes; `IllegalArgumentException` for another length.
pub(crate) fn exactly<'l, const N: usize>(
    env: &mut Env<'l>,
    name: &'static str,
    message: &'static str,
    array: ByteArray<'l>,
) -> Result<[u8; N], Error> {
    let bytes = secret(env, name, array)?;
    <[u8; N]>::try_from(&*bytes).map_err(|_| Error::argument(message))
}

/// Memory that Java gives as an address and a length: the caller's word is all there is, as for the C library.
///
/// # Safety
/// So many bytes at `address` can be read during the call, which Java promises.
pub(crate) unsafe fn direct<'l>(_env: &Env<'l>, address: jlong, length: jint) -> Result<&'l [u8], Error> {
    if address == 0 {
        return Err(Error::null("inPtr == null"));
    }
    let length = usize::try_from(length)
        .map_err(|_| Error::new(super::error::Exception::ArrayIndexOutOfBounds, "negative length"))?;
    let address = usize::try_from(address).map_err(|_| Error::argument("not an address"))?;
    if length == 0 {
        return Ok(&[]);
    }
    // SAFETY: promise of the caller.
    Ok(unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(address), length) })
}
