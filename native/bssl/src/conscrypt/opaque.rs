//! Private keys that somebody else holds (a keystore in hardware, say): RSA and EC keys whose operations are a call of [`Holder`].

use std::ffi::{c_int, c_long, c_void};
use std::sync::OnceLock;

use boring_sys as ffi;

use super::ec::{self, EcKey, Group};
use super::number::Number;
use super::pkey::PKey;
use super::rsa::{self, Rsa};
use super::{Fault, Result, check};

/// Who holds a key. Called on the thread that uses the key, inside BoringSSL: it must not unwind, and whatever it has to report
/// beyond failure, it keeps.
pub trait Holder: Send + Sync {
    /// An RSA signature with this padding (`RSA_PKCS1_PADDING`, `RSA_NO_PADDING`).
    fn rsa_sign(&self, padding: i32, input: &[u8]) -> Option<Vec<u8>>;
    /// An RSA decryption with this padding.
    fn rsa_decrypt(&self, padding: i32, input: &[u8]) -> Option<Vec<u8>>;
    /// An ECDSA signature of a digest, in DER.
    fn ec_sign(&self, digest: &[u8]) -> Option<Vec<u8>>;
}

/// What stands behind an opaque key's extra data.
struct Held(Box<dyn Holder>);

struct Engine {
    engine: *mut ffi::ENGINE,
    rsa_index: c_int,
    ec_index: c_int,
}

// SAFETY: made once, then only read.
unsafe impl Send for Engine {}
// SAFETY: as above.
unsafe impl Sync for Engine {}

static ENGINE: OnceLock<Option<Engine>> = OnceLock::new();

fn engine() -> Result<&'static Engine> {
    ENGINE.get_or_init(make).as_ref().ok_or_else(Fault::silent)
}

fn make() -> Option<Engine> {
    // SAFETY: the methods live for ever; zero is right for what is not set.
    unsafe {
        let rsa_index = ffi::RSA_get_ex_new_index(0, std::ptr::null_mut(), std::ptr::null_mut(), None, Some(free));
        let ec_index = ffi::EC_KEY_get_ex_new_index(0, std::ptr::null_mut(), std::ptr::null_mut(), None, Some(free));
        let engine = ffi::ENGINE_new();
        if rsa_index < 0 || ec_index < 0 || engine.is_null() {
            return None;
        }
        let mut rsa: ffi::RSA_METHOD = std::mem::zeroed();
        rsa.common.is_static = 1;
        rsa.sign_raw = Some(rsa_sign_raw);
        rsa.decrypt = Some(rsa_decrypt);
        rsa.flags = ffi::RSA_FLAG_OPAQUE;
        let mut ecdsa: ffi::ECDSA_METHOD = std::mem::zeroed();
        ecdsa.common.is_static = 1;
        ecdsa.sign = Some(ec_sign);
        ecdsa.flags = ffi::ECDSA_FLAG_OPAQUE;
        let (rsa, ecdsa) = (Box::leak(Box::new(rsa)), Box::leak(Box::new(ecdsa)));
        ffi::ENGINE_set_RSA_method(engine, rsa, std::mem::size_of::<ffi::RSA_METHOD>());
        ffi::ENGINE_set_ECDSA_method(engine, ecdsa, std::mem::size_of::<ffi::ECDSA_METHOD>());
        Some(Engine { engine, rsa_index, ec_index })
    }
}

/// Frees an opaque key's extra data.
unsafe extern "C" fn free(
    _parent: *mut c_void,
    held: *mut c_void,
    _all: *mut ffi::CRYPTO_EX_DATA,
    _index: c_int,
    _number: c_long,
    _argument: *mut c_void,
) {
    if !held.is_null() {
        // SAFETY: put there by `rsa_key` or `ec_key`, freed once.
        drop(unsafe { Box::from_raw(held.cast::<Held>()) });
    }
}

fn held(holder: Box<dyn Holder>) -> *mut c_void {
    Box::into_raw(Box::new(Held(holder))).cast()
}

/// An opaque RSA key with this modulus (Java's `BigInteger` bytes).
pub fn rsa_key(holder: Box<dyn Holder>, modulus: &[u8]) -> Result<PKey> {
    let engine = engine()?;
    let n = Number::from_java(modulus)?;
    // SAFETY: a live engine and number; the key takes the extra data on success only.
    unsafe {
        let key = Rsa::own(ffi::RSA_new_method_no_e(engine.engine, n.as_ptr()))?;
        let data = held(holder);
        if ffi::RSA_set_ex_data(key.as_ptr(), engine.rsa_index, data) != 1 {
            drop(Box::from_raw(data.cast::<Held>()));
            return Err(Fault::take());
        }
        rsa::key(&key)
    }
}

/// An opaque EC key in this group.
pub fn ec_key(holder: Box<dyn Holder>, group: &Group) -> Result<PKey> {
    let engine = engine()?;
    // SAFETY: a live engine and group; the key takes the extra data on success only.
    unsafe {
        let key = EcKey::own(ffi::EC_KEY_new_method(engine.engine))?;
        check(ffi::EC_KEY_set_group(key.as_ptr(), group.as_ptr()))?;
        let data = held(holder);
        if ffi::EC_KEY_set_ex_data(key.as_ptr(), engine.ec_index, data) != 1 {
            drop(Box::from_raw(data.cast::<Held>()));
            return Err(Fault::take());
        }
        ec::wrap(&key)
    }
}

/// # Safety
/// `rsa` is a live key that [`rsa_key`] made.
unsafe fn rsa_holder<'a>(rsa: *const ffi::RSA) -> Option<&'a dyn Holder> {
    let index = engine().ok()?.rsa_index;
    // SAFETY: promise of the caller: the key keeps its holder.
    unsafe { ffi::RSA_get_ex_data(rsa, index).cast::<Held>().as_ref() }.map(|held| &*held.0)
}

/// Reports that the holder failed.
fn failed() -> c_int {
    // SAFETY: a static file name.
    unsafe {
        ffi::ERR_put_error(
            i32::try_from(ffi::ERR_LIB_RSA.0).unwrap_or(0),
            0,
            ffi::ERR_R_INTERNAL_ERROR,
            c"opaque".as_ptr(),
            0,
        );
    }
    0
}

/// Copies what a holder answered to `out`, with zeros before it if it is to have a fixed length.
///
/// # Safety
/// `room` bytes at `out` may be written.
unsafe fn deliver(answer: &[u8], length: usize, out: *mut u8, room: usize) -> Option<()> {
    let zeros = length.checked_sub(answer.len())?;
    if room < length {
        return None;
    }
    // SAFETY: promise of the caller, and the checks above.
    unsafe {
        std::ptr::write_bytes(out, 0, zeros);
        std::ptr::copy_nonoverlapping(answer.as_ptr(), out.add(zeros), answer.len());
    }
    Some(())
}

unsafe extern "C" fn rsa_sign_raw(
    rsa: *mut ffi::RSA,
    out_length: *mut usize,
    out: *mut u8,
    room: usize,
    input: *const u8,
    input_length: usize,
    padding: c_int,
) -> c_int {
    // SAFETY: BoringSSL passes a live key of this engine, and buffers of these lengths.
    unsafe {
        let size = usize::try_from(ffi::RSA_size(rsa)).unwrap_or(0);
        let supported = matches!(padding, ffi::RSA_PKCS1_PADDING | ffi::RSA_NO_PADDING);
        let answer = rsa_holder(rsa)
            .filter(|_| supported)
            .and_then(|holder| holder.rsa_sign(padding, super::bytes(input, input_length)));
        match answer.and_then(|answer| deliver(&answer, size, out, room)) {
            Some(()) => {
                *out_length = size;
                1
            }
            None => failed(),
        }
    }
}

unsafe extern "C" fn rsa_decrypt(
    rsa: *mut ffi::RSA,
    out_length: *mut usize,
    out: *mut u8,
    room: usize,
    input: *const u8,
    input_length: usize,
    padding: c_int,
) -> c_int {
    // SAFETY: BoringSSL passes a live key of this engine, and buffers of these lengths.
    unsafe {
        let answer = rsa_holder(rsa).and_then(|holder| holder.rsa_decrypt(padding, super::bytes(input, input_length)));
        match answer.and_then(|mut answer| {
            let length = answer.len();
            let delivered = deliver(&answer, length, out, room);
            crate::bytes::cleanse(&mut answer);
            delivered.map(|()| length)
        }) {
            Some(length) => {
                *out_length = length;
                1
            }
            None => failed(),
        }
    }
}

unsafe extern "C" fn ec_sign(
    digest: *const u8,
    digest_length: usize,
    out: *mut u8,
    out_length: *mut u32,
    key: *mut ffi::EC_KEY,
) -> c_int {
    // SAFETY: BoringSSL passes a live key of this engine, a digest of this length, and room for the longest signature.
    unsafe {
        let holder = engine()
            .ok()
            .and_then(|engine| ffi::EC_KEY_get_ex_data(key, engine.ec_index).cast::<Held>().as_ref())
            .map(|held| &*held.0);
        let answer = holder.and_then(|holder| holder.ec_sign(super::bytes(digest, digest_length)));
        let room = ffi::ECDSA_size(key);
        let written = answer.and_then(|answer| {
            deliver(&answer, answer.len(), out, room)?;
            u32::try_from(answer.len()).ok()
        });
        match written {
            Some(length) => {
                *out_length = length;
                1
            }
            None => failed(),
        }
    }
}
