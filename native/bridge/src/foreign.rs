//! C functions that `java.lang.foreign` calls (JDK 22 and newer) for work so short that the way into native code counts.
//!
//! They do the same as the natives of the same names, over the same functions of [`bssl`]. The calls are *critical*: the thread
//! does not leave its Java state, so arrays are passed where they lie and no garbage collection begins before the
//! function returns. So nothing here calls the JVM, waits for anything, or takes longer than a record does; Java passes no
//! more than that, and checks the ranges.
//!
//! Each answers what the native would, or [`ELSEWHERE`] or [`FAILED`].
#![allow(unsafe_code, reason = "memory of Java as addresses; each function borrows its handle")]

use std::cell::RefCell;

use bssl::aead::{Aead, MAX_TAG};
use bssl::bytes::{FromTo, InOut};
use bssl::cipher::Cipher;
use bssl::digest::{self, Algorithm, MAX_LENGTH};
use bssl::mac::Mac;
use bssl::tls::{Connection, Outcome};
use jni::sys::{jint, jlong};

use crate::boundary::caught;
use crate::error::Error;
use crate::handle::Handle;
use crate::natives::{Nonce, check_key, pack};

/// Not a case for here, or something is wrong with the arguments; nothing changed. The native will do it, or say what is
/// wrong.
const ELSEWHERE: jlong = -1;
/// It failed, and must not be tried again: [`take_failure`] says why.
const FAILED: jlong = -2;

thread_local! {
    static FAILURE: RefCell<Option<Error>> = const { RefCell::new(None) };
}

/// Why this thread's last call here answered [`FAILED`].
pub(crate) fn take_failure() -> Error {
    FAILURE
        .with(|kept| kept.borrow_mut().take())
        .unwrap_or_else(|| Error::Panic("internal error: no failure".to_owned()))
}

/// The functions' addresses, in the order that Java knows.
pub(crate) fn addresses() -> [jlong; 7] {
    [
        tls_wrap as *const (),
        tls_unwrap as *const (),
        digest_one_shot as *const (),
        mac_one_shot as *const (),
        aead_seal as *const (),
        aead_open as *const (),
        cipher_run as *const (),
    ]
    .map(|function| jlong::try_from(function.expose_provenance()).unwrap_or(0))
}

/// Runs a function's body: a panic or an `Err` is kept for [`take_failure`].
#[inline]
fn guard(body: impl FnOnce() -> Result<jlong, Error>) -> jlong {
    clear_upper_halves();
    match caught(body) {
        Ok(answer) => answer,
        Err(error) => keep(error),
    }
}

#[cold]
fn keep(error: Error) -> jlong {
    FAILURE.with(|kept| *kept.borrow_mut() = Some(error));
    FAILED
}

/// The JVM's AVX code leaves the upper halves of its registers in use, which it clears before a native but not before a
/// critical call; until that is done every SSE instruction, those of AES among them, waits for the one before.
#[inline]
fn clear_upper_halves() {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx") {
        // SAFETY: the CPU has it. It changes nothing but upper halves, which belong to the callee and which code for plain
        // x86-64 like ours does not use.
        unsafe { std::arch::asm!("vzeroupper", options(nomem, nostack, preserves_flags)) };
    }
}

/// Bytes of Java: an array's first one and an offset, or the address of direct memory and zero; and how many.
struct Range {
    start: *mut u8,
    length: usize,
}

impl Range {
    /// `None` for what cannot be.
    #[inline]
    fn of(base: *mut u8, offset: jlong, length: jlong) -> Option<Self> {
        let length = usize::try_from(length).ok()?;
        Some(Self { start: base.wrapping_add(usize::try_from(offset).ok()?), length })
    }

    /// # Safety
    /// The range lies in memory that stays where it is during `'a`, and nobody here writes to it.
    #[inline]
    unsafe fn bytes<'a>(&self) -> &'a [u8] {
        // SAFETY: promise of the caller; writers on other threads are the caller's race, as everywhere in the JCA.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }

    /// Copies `bytes` to the start; `None` if they do not fit.
    ///
    /// # Safety
    /// The range lies in memory that stays where it is; `bytes` is Rust's own.
    #[inline]
    unsafe fn write(&self, bytes: &[u8]) -> Option<()> {
        // SAFETY: promise of the caller.
        (bytes.len() <= self.length)
            .then(|| unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.start, bytes.len()) })
    }
}

/// # Safety
/// As [`tls_wrap`].
#[inline]
unsafe fn record(
    connection: Handle<Connection>,
    source: Option<Range>,
    destination: Option<Range>,
    work: impl FnOnce(&mut Connection, (*const u8, usize), (*mut u8, usize)) -> Option<Outcome>,
) -> jlong {
    guard(|| {
        let (Some(source), Some(destination)) = (source, destination) else { return Ok(ELSEWHERE) };
        // SAFETY: the caller keeps the connection's owner reachable.
        let Ok(mut connection) = (unsafe { connection.borrow() }) else { return Ok(ELSEWHERE) };
        let outcome =
            work(&mut connection, (source.start.cast_const(), source.length), (destination.start, destination.length));
        Ok(outcome.map_or(ELSEWHERE, pack))
    })
}

/// Seals a record of data; whatever else a wrap may be is [`ELSEWHERE`].
///
/// # Safety
/// The handle's owner stays reachable, and the ranges lie in arrays or direct buffers that do; so for all functions here.
unsafe extern "C" fn tls_wrap(
    connection: Handle<Connection>,
    source: *mut u8,
    source_offset: jlong,
    source_length: jlong,
    destination: *mut u8,
    destination_offset: jlong,
    destination_length: jlong,
) -> jlong {
    let source = Range::of(source, source_offset, source_length);
    let destination = Range::of(destination, destination_offset, destination_length);
    // SAFETY: promise of the caller.
    unsafe { record(connection, source, destination, |c, s, d| c.wrap_directly(s, d)) }
}

/// Opens a record of data, as [`tls_wrap`].
///
/// # Safety
/// As [`tls_wrap`].
unsafe extern "C" fn tls_unwrap(
    connection: Handle<Connection>,
    source: *mut u8,
    source_offset: jlong,
    source_length: jlong,
    destination: *mut u8,
    destination_offset: jlong,
    destination_length: jlong,
) -> jlong {
    let source = Range::of(source, source_offset, source_length);
    let destination = Range::of(destination, destination_offset, destination_length);
    // SAFETY: promise of the caller.
    unsafe { record(connection, source, destination, |c, s, d| c.unwrap_directly(s, d)) }
}

/// The digest of the input; as the native of that name.
///
/// # Safety
/// As [`tls_wrap`].
unsafe extern "C" fn digest_one_shot(
    algorithm: jlong,
    input: *mut u8,
    input_offset: jlong,
    input_length: jlong,
    output: *mut u8,
    output_offset: jlong,
    output_length: jlong,
) -> jlong {
    guard(|| {
        let algorithm = jint::try_from(algorithm).ok().and_then(|number| Algorithm::from_number(number).ok());
        let input = Range::of(input, input_offset, input_length);
        let output = Range::of(output, output_offset, output_length);
        let (Some(algorithm), Some(input), Some(output)) = (algorithm, input, output) else { return Ok(ELSEWHERE) };
        if output.length < algorithm.length() {
            return Ok(ELSEWHERE);
        }
        // SAFETY: promise of the caller; Rust has no reference to the two. Not by way of an array: what was stored in words can be
        // loaded in vectors only once it has left the store buffer.
        let data = unsafe { FromTo::from_raw(input.start, input.length, output.start, output.length) };
        count(digest::one_shot_to(algorithm, &data)?)
    })
}

/// The code of a message that is all of the input: as the native `mac_finish` with a start.
///
/// # Safety
/// As [`tls_wrap`].
unsafe extern "C" fn mac_one_shot(
    mac: Handle<Mac>,
    input: *mut u8,
    input_offset: jlong,
    input_length: jlong,
    output: *mut u8,
    output_offset: jlong,
    output_length: jlong,
) -> jlong {
    guard(|| {
        let input = Range::of(input, input_offset, input_length);
        let output = Range::of(output, output_offset, output_length);
        let (Some(input), Some(output)) = (input, output) else { return Ok(ELSEWHERE) };
        // SAFETY: promise of the caller.
        let Ok(mut mac) = (unsafe { mac.borrow() }) else { return Ok(ELSEWHERE) };
        if output.length < mac.algorithm().length() {
            return Ok(ELSEWHERE);
        }
        mac.start()?;
        // SAFETY: promise of the caller.
        mac.update(unsafe { input.bytes() })?;
        let mut result = [0; MAX_LENGTH];
        let length = mac.finish(&mut result)?;
        // SAFETY: promise of the caller.
        unsafe { answer(&output, &result, length) }
    })
}

/// Writes the first `length` bytes of `result`, for which there is room, and answers how many they are.
///
/// # Safety
/// As [`Range::write`].
#[inline]
unsafe fn answer(output: &Range, result: &[u8], length: usize) -> Result<jlong, Error> {
    // SAFETY: promise of the caller.
    result.get(..length).and_then(|bytes| unsafe { output.write(bytes) }).ok_or(TOO_LONG)?;
    count(length)
}

fn count(length: usize) -> Result<jlong, Error> {
    jlong::try_from(length).map_err(|_| TOO_LONG)
}

/// Cannot be: lengths were checked before.
const TOO_LONG: Error = Error::Argument("output is too long");

/// Seals in one step, with a nonce of 12 bytes: as the native of that name. The output has room for the tag too.
///
/// # Safety
/// As [`tls_wrap`].
#[allow(clippy::too_many_arguments, reason = "what one call needs")]
unsafe extern "C" fn aead_seal(
    aead: Handle<Aead>,
    key_id: jlong,
    tag_length: jint,
    nonce_high: jlong,
    nonce_low: jint,
    additional: *mut u8,
    additional_length: jlong,
    input: *mut u8,
    input_offset: jlong,
    input_length: jlong,
    output: *mut u8,
    output_offset: jlong,
) -> jlong {
    guard(|| {
        let (additional, input) =
            (Range::of(additional, 0, additional_length), Range::of(input, input_offset, input_length));
        let output = Range::of(output, output_offset, input_length);
        let (Some(additional), Some(input), Some(output)) = (additional, input, output) else { return Ok(ELSEWHERE) };
        // SAFETY: promise of the caller.
        let Ok(aead) = (unsafe { aead.borrow() }) else { return Ok(ELSEWHERE) };
        let Ok(tag_length) = check_key(&aead, key_id, tag_length) else { return Ok(ELSEWHERE) };
        let nonce = Nonce::short(nonce_high, nonce_low);
        // SAFETY: promise of the caller; Rust has no reference to the two.
        let data = unsafe { InOut::from_raw(input.start, output.start, input.length) };
        // SAFETY: promise of the caller.
        let tag = aead.seal(nonce.bytes(), unsafe { additional.bytes() }, data)?;
        let behind = Range { start: output.start.wrapping_add(input.length), length: tag_length };
        // SAFETY: promise of the caller: there is room behind the ciphertext.
        let tag_length = unsafe { answer(&behind, &tag, tag_length)? };
        Ok(count(input.length)? + tag_length)
    })
}

/// Opens in one step, with a nonce of 12 bytes: as the native of that name.
///
/// # Safety
/// As [`tls_wrap`].
#[allow(clippy::too_many_arguments, reason = "what one call needs")]
unsafe extern "C" fn aead_open(
    aead: Handle<Aead>,
    key_id: jlong,
    tag_length: jint,
    nonce_high: jlong,
    nonce_low: jint,
    additional: *mut u8,
    additional_length: jlong,
    input: *mut u8,
    input_offset: jlong,
    input_length: jlong,
    output: *mut u8,
    output_offset: jlong,
) -> jlong {
    guard(|| {
        let (additional, input) =
            (Range::of(additional, 0, additional_length), Range::of(input, input_offset, input_length));
        let output = Range::of(output, output_offset, 0);
        let (Some(additional), Some(input), Some(output)) = (additional, input, output) else { return Ok(ELSEWHERE) };
        // SAFETY: promise of the caller.
        let Ok(aead) = (unsafe { aead.borrow() }) else { return Ok(ELSEWHERE) };
        let Ok(tag_length) = check_key(&aead, key_id, tag_length) else { return Ok(ELSEWHERE) };
        let nonce = Nonce::short(nonce_high, nonce_low);
        let Some(length) = input.length.checked_sub(tag_length) else { return Ok(ELSEWHERE) };
        let mut tag = [0; MAX_TAG];
        let Some((tag, _)) = tag.split_at_mut_checked(tag_length) else { return Ok(ELSEWHERE) };
        let behind = Range { start: input.start.wrapping_add(length), length: tag_length };
        // SAFETY: promise of the caller: the last bytes of the input.
        tag.copy_from_slice(unsafe { behind.bytes() });
        // SAFETY: promise of the caller; Rust has no reference to the two.
        let data = unsafe { InOut::from_raw(input.start, output.start, length) };
        // SAFETY: promise of the caller.
        aead.open(nonce.bytes(), unsafe { additional.bytes() }, data, tag)?;
        count(length)
    })
}

/// Begins and finishes: as the native of that name. Where the padding would have to tell whether there is room, or the ranges
/// overlap partly, that needs memory, and is [`ELSEWHERE`].
///
/// # Safety
/// As [`tls_wrap`].
#[allow(clippy::too_many_arguments, reason = "what one call needs")]
unsafe extern "C" fn cipher_run(
    cipher: Handle<Cipher>,
    key_id: jlong,
    iv: *mut u8,
    iv_length: jlong,
    counter: jint,
    input: *mut u8,
    input_offset: jlong,
    input_length: jlong,
    output: *mut u8,
    output_offset: jlong,
    output_length: jlong,
) -> jlong {
    guard(|| {
        let (iv, input) = (Range::of(iv, 0, iv_length), Range::of(input, input_offset, input_length));
        let output = Range::of(output, output_offset, output_length);
        let (Some(iv), Some(input), Some(output)) = (iv, input, output) else { return Ok(ELSEWHERE) };
        // SAFETY: promise of the caller.
        let Ok(mut cipher) = (unsafe { cipher.borrow() }) else { return Ok(ELSEWHERE) };
        let algorithm = cipher.algorithm();
        let known = cipher.check_key_id(key_id).is_ok() && iv.length == algorithm.iv_length();
        if !known || input.length > algorithm.step() {
            return Ok(ELSEWHERE);
        }
        // SAFETY: promise of the caller.
        cipher.begin(unsafe { iv.bytes() }, counter.cast_unsigned())?;
        let Ok(bound) = cipher.finish_length(input.length) else { return Ok(ELSEWHERE) };
        // SAFETY: promise of the caller; Rust has no reference to the two.
        let data = unsafe { FromTo::from_raw(input.start, input.length, output.start, bound.min(output.length)) };
        if data.room() < bound || data.overlaps_partly() {
            return Ok(ELSEWHERE);
        }
        count(cipher.finish(data)?)
    })
}
