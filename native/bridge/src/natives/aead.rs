//! Authenticated encryption.
//!
//! A nonce of 12 bytes comes as a `long` and an `int` (big-endian), which saves an array; any other as an array.
//! Additional data of an operation's start come in an array of at most [`SMALL`] bytes; more of it goes through
//! `aead_additional`.

use bssl::aead::{Aead, Algorithm, Direction, MAX_TAG};
use bssl::bytes::cleanse;
use jni::sys::{jboolean, jint, jlong};

use super::natives;
use crate::boundary::Env;
use crate::bytes::{
    Buffer, ByteArray, Owner, Place, SMALL, Scratch, transform, transform_all_but, transform_and_append,
};
use crate::error::Error;
use crate::handle::{Handle, Managed};

impl Managed for Aead {
    const TAG: u32 = u32::from_be_bytes(*b"aead");
    const NAME: &'static str = "AEAD";
}

/// Bytes of arrays that are sealed or opened in one critical section: below a millisecond at 1 GB/s and more.
const ONE_STEP: usize = 1 << 20;

/// Where there must be several, so many bytes in each.
const STEP: usize = 256 << 10;

natives! { 'l =>
    /// Without a key yet.
    fn aead_new(_env, algorithm: jint) -> Handle<Aead> {
        Ok(Handle::new(Aead::new(Algorithm::from_number(algorithm)?)))
    }

    /// Frees it.
    fn aead_free(_env, aead: Handle<Aead>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { aead.free() }
    }

    /// Takes a key; answers its number.
    fn aead_set_key(env, aead: Handle<Aead>, _owner: Owner<'l>, key: ByteArray<'l>, tag_length: jint) -> jlong {
        // SAFETY: the owner keeps it alive during the call.
        let mut aead = unsafe { aead.borrow()? };
        let mut key = key.to_vec(env, "key")?;
        let result = aead.set_key(&key, usize::try_from(tag_length).unwrap_or(0));
        cleanse(&mut key);
        Ok(result?)
    }

    /// Another tag length for the same key.
    fn aead_set_tag_length(_env, aead: Handle<Aead>, _owner: Owner<'l>, tag_length: jint) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut aead = unsafe { aead.borrow()? };
        Ok(aead.set_tag_length(usize::try_from(tag_length).unwrap_or(0))?)
    }

    /// Forgets what was being streamed.
    fn aead_abandon(_env, aead: Handle<Aead>, _owner: Owner<'l>) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut aead = unsafe { aead.borrow()? };
        aead.abandon();
        Ok(())
    }

    /// Seals in one step.
    fn aead_seal(
        env, aead: Handle<Aead>, _owner: Owner<'l>, key_id: jlong, tag_length: jint,
        nonce_high: jlong, nonce_low: jint, nonce: ByteArray<'l>, additional: ByteArray<'l>, additional_length: jint,
        input: ByteArray<'l>, input_buffer: Buffer<'l>, input_offset: jint, input_length: jint,
        output: ByteArray<'l>, output_buffer: Buffer<'l>, output_offset: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let mut aead = unsafe { aead.borrow()? };
        let tag_length = check_key(&aead, key_id, tag_length)?;
        let output_length = sealed_length(input_length, tag_length)?;
        let input = Place::of(env, "input", input, input_buffer, input_offset, input_length)?;
        let output = Place::of(env, "output", output, output_buffer, output_offset, output_length)?;
        let nonce = Nonce::of(env, nonce_high, nonce_low, nonce)?;
        let mut scratch = Scratch::empty();
        load_additional(env, &mut scratch, additional, additional_length)?;
        let additional = scratch.bytes();
        if both_direct(input, output) || input.len() <= ONE_STEP {
            transform_and_append(env, input, output, |data| aead.seal(nonce.bytes(), additional, data))?;
        } else {
            check_overlap(env, &aead, input, output)?;
            aead.begin(Direction::Seal, nonce.bytes())?;
            aead.additional(additional)?;
            seal_rest(env, &mut aead, input, output)?;
        }
        Ok(output_length)
    }

    /// Opens in one step. Additional data as in `aead_seal`.
    fn aead_open(
        env, aead: Handle<Aead>, _owner: Owner<'l>, key_id: jlong, tag_length: jint,
        nonce_high: jlong, nonce_low: jint, nonce: ByteArray<'l>, additional: ByteArray<'l>, additional_length: jint,
        input: ByteArray<'l>, input_buffer: Buffer<'l>, input_offset: jint, input_length: jint,
        output: ByteArray<'l>, output_buffer: Buffer<'l>, output_offset: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let mut aead = unsafe { aead.borrow()? };
        let tag_length = check_key(&aead, key_id, tag_length)?;
        let input = Place::of(env, "input", input, input_buffer, input_offset, input_length)?;
        let length = input.len().checked_sub(tag_length);
        let output_length = input_length - if length.is_some() { tag_size(tag_length) } else { input_length };
        let output = Place::of(env, "output", output, output_buffer, output_offset, output_length)?;
        let nonce = Nonce::of(env, nonce_high, nonce_low, nonce)?;
        let mut scratch = Scratch::empty();
        load_additional(env, &mut scratch, additional, additional_length)?;
        let additional = scratch.bytes();
        let Some(length) = length else { return Err(Error::Bssl(bssl::Error::BadTag)) };
        if both_direct(input, output) || length <= ONE_STEP {
            transform_all_but::<MAX_TAG>(env, input, output, tag_length, |data, tag| {
                aead.open(nonce.bytes(), additional, data, tag)
            })?;
        } else {
            aead.begin(Direction::Open, nonce.bytes())?;
            aead.additional(additional)?;
            open_rest(env, &mut aead, input, output)?;
        }
        Ok(output_length)
    }

    /// Starts a stream.
    fn aead_begin(
        env, aead: Handle<Aead>, _owner: Owner<'l>, key_id: jlong, tag_length: jint, seal: jboolean,
        nonce_high: jlong, nonce_low: jint, nonce: ByteArray<'l>, additional: ByteArray<'l>, additional_length: jint,
    ) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut aead = unsafe { aead.borrow()? };
        check_key(&aead, key_id, tag_length)?;
        let nonce = Nonce::of(env, nonce_high, nonce_low, nonce)?;
        let mut scratch = Scratch::empty();
        load_additional(env, &mut scratch, additional, additional_length)?;
        let additional = scratch.bytes();
        aead.begin(if seal { Direction::Seal } else { Direction::Open }, nonce.bytes())?;
        Ok(aead.additional(additional)?)
    }

    /// Appends additional data to a stream.
    fn aead_additional(
        env, aead: Handle<Aead>, _owner: Owner<'l>,
        array: ByteArray<'l>, buffer: Buffer<'l>, offset: jint, length: jint,
    ) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut aead = unsafe { aead.borrow()? };
        let input = Place::of(env, "input", array, buffer, offset, length)?;
        input.for_each_piece(env, |piece| aead.additional(piece))
    }

    /// Seals the next bytes of a stream.
    fn aead_seal_piece(
        env, aead: Handle<Aead>, _owner: Owner<'l>,
        input: ByteArray<'l>, input_buffer: Buffer<'l>, input_offset: jint, input_length: jint,
        output: ByteArray<'l>, output_buffer: Buffer<'l>, output_offset: jint,
    ) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut aead = unsafe { aead.borrow()? };
        let input = Place::of(env, "input", input, input_buffer, input_offset, input_length)?;
        let output = Place::of(env, "output", output, output_buffer, output_offset, input_length)?;
        check_overlap(env, &aead, input, output)?;
        seal_pieces(env, &mut aead, input, output)
    }

    /// Seals the last bytes of a stream and writes the tag behind them.
    fn aead_finish_seal(
        env, aead: Handle<Aead>, _owner: Owner<'l>,
        input: ByteArray<'l>, input_buffer: Buffer<'l>, input_offset: jint, input_length: jint,
        output: ByteArray<'l>, output_buffer: Buffer<'l>, output_offset: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let mut aead = unsafe { aead.borrow()? };
        // Where the algorithm does not stream, what is held comes out too.
        let held = if aead.algorithm().streams() { 0 } else { jint::try_from(aead.held()).map_err(|_| TOO_LONG)? };
        let rest_length = sealed_length(input_length, aead.tag_length()?)?;
        let output_length = rest_length.checked_add(held).ok_or(TOO_LONG)?;
        let input = Place::of(env, "input", input, input_buffer, input_offset, input_length)?;
        let output = Place::of(env, "output", output, output_buffer, output_offset, output_length)?;
        check_overlap(env, &aead, input, output)?;
        seal_rest(env, &mut aead, input, output)?;
        Ok(output_length)
    }

    /// Keeps the next bytes of a stream that is opened, or sealed where the algorithm does not stream.
    fn aead_hold(
        env, aead: Handle<Aead>, _owner: Owner<'l>,
        array: ByteArray<'l>, buffer: Buffer<'l>, offset: jint, length: jint,
    ) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut aead = unsafe { aead.borrow()? };
        let input = Place::of(env, "input", array, buffer, offset, length)?;
        hold(env, &mut aead, input)
    }

    /// Takes the last bytes, checks the tag and writes all plaintext.
    fn aead_finish_open(
        env, aead: Handle<Aead>, _owner: Owner<'l>,
        input: ByteArray<'l>, input_buffer: Buffer<'l>, input_offset: jint, input_length: jint,
        output: ByteArray<'l>, output_buffer: Buffer<'l>, output_offset: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let mut aead = unsafe { aead.borrow()? };
        let tag_length = aead.tag_length()?;
        let input = Place::of(env, "input", input, input_buffer, input_offset, input_length)?;
        let total = aead.held().checked_add(input.len()).ok_or(Error::Bssl(bssl::Error::OutOfMemory))?;
        let length = jint::try_from(total.saturating_sub(tag_length)).map_err(|_| TOO_LONG)?;
        let output = Place::of(env, "output", output, output_buffer, output_offset, length)?;
        open_rest(env, &mut aead, input, output)?;
        Ok(length)
    }
}

const TOO_LONG: Error = Error::Argument("more than an array can take");

/// Checks that the key is the one that the caller means; answers the tag's length.
pub(crate) fn check_key(aead: &Aead, key_id: jlong, tag_length: jint) -> Result<usize, Error> {
    let tag_length = usize::try_from(tag_length).unwrap_or(0);
    aead.check_key_id(key_id, tag_length)?;
    Ok(tag_length)
}

fn tag_size(tag_length: usize) -> jint {
    jint::try_from(tag_length).unwrap_or(0)
}

/// Length of ciphertext and tag.
fn sealed_length(input_length: jint, tag_length: usize) -> Result<jint, Error> {
    let tag_length = tag_size(tag_length);
    let error = || Error::Range { offset: 0, length: input_length.into(), available: (jint::MAX - tag_length).into() };
    input_length.checked_add(tag_length).ok_or_else(error)
}

/// A nonce: 12 bytes in here, or others.
pub(crate) enum Nonce {
    Short([u8; 12]),
    Other(Vec<u8>),
}

impl Nonce {
    fn of<'l>(env: &mut Env<'l>, high: jlong, low: jint, array: ByteArray<'l>) -> Result<Self, Error> {
        if !array.is_null() {
            return array.to_vec(env, "nonce").map(Self::Other);
        }
        Ok(Self::short(high, low))
    }

    pub(crate) fn short(high: jlong, low: jint) -> Self {
        let mut bytes = [0; 12];
        for (byte, value) in bytes.iter_mut().zip(high.to_be_bytes().into_iter().chain(low.to_be_bytes())) {
            *byte = value;
        }
        Self::Short(bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Short(bytes) => bytes,
            Self::Other(bytes) => bytes,
        }
    }
}

/// The first `length` bytes of an array, which may be null if that is zero, in `scratch`.
#[inline]
fn load_additional<'l>(
    env: &mut Env<'l>,
    scratch: &mut Scratch,
    array: ByteArray<'l>,
    length: jint,
) -> Result<(), Error> {
    if length == 0 {
        return Ok(());
    }
    let slice = array.slice(env, "additional data", 0, length)?;
    if slice.len() > SMALL {
        return Err(Error::Argument("more than 2048 bytes of additional data at once"));
    }
    scratch.resize(slice.len());
    slice.read(env, scratch.bytes())
}

/// Whether neither needs a critical section, so that any length is one step.
fn both_direct(input: Place<'_>, output: Place<'_>) -> bool {
    matches!((input, output), (Place::Direct { .. }, Place::Direct { .. }))
}

/// How many of `length` bytes, which are sealed or opened piece by piece, go through in one critical section, or without one.
fn most_at_once(input: Place<'_>, output: Place<'_>, length: usize) -> usize {
    if both_direct(input, output) || length <= ONE_STEP { length.max(1) } else { STEP }
}

/// What goes through in several steps must not be overwritten before it was read.
fn check_overlap<'l>(env: &mut Env<'l>, aead: &Aead, input: Place<'l>, output: Place<'l>) -> Result<(), Error> {
    if aead.algorithm().streams() && input.len() > ONE_STEP && input.overlaps_in_array(env, output) {
        return Err(Error::Argument("input and output overlap partly: move the input first"));
    }
    Ok(())
}

fn seal_pieces<'l>(env: &mut Env<'l>, aead: &mut Aead, input: Place<'l>, output: Place<'l>) -> Result<(), Error> {
    let length = input.len();
    let most = most_at_once(input, output, length);
    for start in (0..length).step_by(most) {
        let step = most.min(length - start);
        let (input, output) = (input.part(start, step)?, output.part(start, step)?);
        transform(env, input, output, |data| aead.seal_piece(data))?;
    }
    Ok(())
}

fn seal_rest<'l>(env: &mut Env<'l>, aead: &mut Aead, input: Place<'l>, output: Place<'l>) -> Result<(), Error> {
    if !aead.algorithm().streams() {
        hold(env, aead, input)?;
        let result = aead.finish_held_seal().map_err(Error::from).and_then(|sealed| output.write(env, sealed));
        aead.abandon();
        return result;
    }
    seal_pieces(env, aead, input, output)?;
    let tag = aead.finish_seal()?;
    let tag = tag.get(..aead.tag_length()?).unwrap_or_default();
    output.part(input.len(), tag.len())?.write(env, tag)
}

/// The last input, tag included. The plaintext is written if the tag is right; otherwise the output is unchanged, or what of it
/// was written is zero.
fn open_rest<'l>(env: &mut Env<'l>, aead: &mut Aead, input: Place<'l>, output: Place<'l>) -> Result<(), Error> {
    let straight = aead.held() == 0 && aead.algorithm().opens_in_pieces();
    if let Some(length) = input.len().checked_sub(aead.tag_length()?).filter(|_| straight) {
        // Several steps must not overwrite what is still to be read; one does not.
        if most_at_once(input, output, length) >= length || !input.overwritten_by(env, output, 0) {
            return open_all(env, aead, input, output, length);
        }
    }
    hold(env, aead, input)?;
    let Some(length) = aead.held().checked_sub(aead.tag_length()?).filter(|_| aead.algorithm().opens_in_pieces())
    else {
        return open_held(env, aead, output);
    };
    let mut held = aead.take_held();
    // SAFETY: `held` is there until this function returns, and nobody else has it.
    let input = unsafe { Place::own(&mut held) };
    open_all(env, aead, input, output, length)
}

/// Opens `length` bytes and their tag, nothing of which is held, straight into the output.
fn open_all<'l>(
    env: &mut Env<'l>,
    aead: &mut Aead,
    input: Place<'l>,
    output: Place<'l>,
    length: usize,
) -> Result<(), Error> {
    let mut tag = [0; MAX_TAG];
    let tag = tag.get_mut(..input.len() - length).unwrap_or_default();
    input.part(length, tag.len())?.read(env, tag)?;
    let most = most_at_once(input, output, length);
    let mut written = 0;
    let mut open = |env: &mut Env<'l>| {
        for start in (0..length).step_by(most) {
            let step = most.min(length - start);
            let (input, output) = (input.part(start, step)?, output.part(start, step)?);
            written = start + step;
            transform(env, input, output, |data| aead.open_piece(data))?;
        }
        Ok(aead.finish_opened(tag)?)
    };
    let result = open(env);
    if result.is_err() {
        output.part(0, written)?.clear(env)?;
    }
    aead.abandon();
    result
}

/// Holds all or, if that fails, as much as before.
fn hold<'l>(env: &mut Env<'l>, aead: &mut Aead, input: Place<'l>) -> Result<(), Error> {
    let before = aead.held();
    let result = input.for_each_piece(env, |piece| aead.hold(piece));
    if result.is_err() {
        aead.unhold(aead.held() - before);
    }
    result
}

/// Writes the plaintext if the tag is right; the copy here is zeroed in any case.
fn open_held<'l>(env: &mut Env<'l>, aead: &mut Aead, output: Place<'l>) -> Result<(), Error> {
    let result = aead.finish_open().map_err(Error::from).and_then(|plain| output.write(env, plain));
    aead.abandon();
    result
}
