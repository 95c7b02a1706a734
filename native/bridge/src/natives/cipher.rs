//! Ciphers without authentication.

use bssl::bytes::{FromTo, cleanse};
use bssl::cipher::{Algorithm, Cipher};
use jni::sys::{jboolean, jint, jlong};

use super::natives;
use crate::boundary::Env;
use crate::bytes::{Buffer, ByteArray, Owner, Place, transfer};
use crate::error::Error;
use crate::handle::{Handle, Managed};

impl Managed for Cipher {
    const TAG: u32 = u32::from_be_bytes(*b"ciph");
    const NAME: &'static str = "cipher";
}

natives! { 'l =>
    /// Without a key yet.
    fn cipher_new(_env, algorithm: jint, padded: jboolean) -> Handle<Cipher> {
        Ok(Handle::new(Cipher::new(Algorithm::from_number(algorithm)?, padded)))
    }

    /// Frees it.
    fn cipher_free(_env, cipher: Handle<Cipher>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { cipher.free() }
    }

    /// Takes a key for one direction; answers its number.
    fn cipher_set_key(
        env, cipher: Handle<Cipher>, _owner: Owner<'l>, key: ByteArray<'l>, encrypt: jboolean,
    ) -> jlong {
        // SAFETY: the owner keeps it alive during the call.
        let mut cipher = unsafe { cipher.borrow()? };
        let mut key = key.to_vec(env, "key")?;
        let result = cipher.set_key(&key, encrypt);
        cleanse(&mut key);
        Ok(result?)
    }

    /// Starts with an IV, which may be null for ciphers without one, and a block counter.
    fn cipher_begin(
        env, cipher: Handle<Cipher>, _owner: Owner<'l>, key_id: jlong, iv: ByteArray<'l>, counter: jint,
    ) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut cipher = unsafe { cipher.borrow()? };
        cipher.check_key_id(key_id)?;
        begin(env, &mut cipher, iv, counter)
    }

    /// Works on more input; answers how many bytes were written.
    fn cipher_update(
        env, cipher: Handle<Cipher>, _owner: Owner<'l>,
        input: ByteArray<'l>, input_buffer: Buffer<'l>, input_offset: jint, input_length: jint,
        output: ByteArray<'l>, output_buffer: Buffer<'l>, output_offset: jint, output_length: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let mut cipher = unsafe { cipher.borrow()? };
        let input = Place::of(env, "input", input, input_buffer, input_offset, input_length)?;
        let output = Place::of(env, "output", output, output_buffer, output_offset, output_length)?;
        let needed = cipher.update_length(input.len())?;
        let output = checked_part(output, needed)?;
        count(update(env, &mut cipher, input, output)?)
    }

    /// Works on the last input and goes back to the start; answers how many bytes were written.
    fn cipher_finish(
        env, cipher: Handle<Cipher>, _owner: Owner<'l>,
        input: ByteArray<'l>, input_buffer: Buffer<'l>, input_offset: jint, input_length: jint,
        output: ByteArray<'l>, output_buffer: Buffer<'l>, output_offset: jint, output_length: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let mut cipher = unsafe { cipher.borrow()? };
        let input = Place::of(env, "input", input, input_buffer, input_offset, input_length)?;
        let output = Place::of(env, "output", output, output_buffer, output_offset, output_length)?;
        finish(env, &mut cipher, input, output)
    }

    /// `cipher_begin` and `cipher_finish`.
    fn cipher_run(
        env, cipher: Handle<Cipher>, _owner: Owner<'l>, key_id: jlong, iv: ByteArray<'l>, counter: jint,
        input: ByteArray<'l>, input_buffer: Buffer<'l>, input_offset: jint, input_length: jint,
        output: ByteArray<'l>, output_buffer: Buffer<'l>, output_offset: jint, output_length: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let mut cipher = unsafe { cipher.borrow()? };
        cipher.check_key_id(key_id)?;
        let input = Place::of(env, "input", input, input_buffer, input_offset, input_length)?;
        let output = Place::of(env, "output", output, output_buffer, output_offset, output_length)?;
        begin(env, &mut cipher, iv, counter)?;
        finish(env, &mut cipher, input, output)
    }
}

/// Starts with an IV, which may be null for ciphers without one, and a block counter.
fn begin<'l>(env: &mut Env<'l>, cipher: &mut Cipher, iv: ByteArray<'l>, counter: jint) -> Result<(), Error> {
    let mut bytes = [0; MAX_IV];
    let mut given: &[u8] = &[];
    if !iv.is_null() {
        let iv = iv.all(env, "IV")?;
        // One that is longer than any is refused below.
        let start = bytes.get_mut(..iv.len().min(MAX_IV)).unwrap_or_default();
        iv.read(env, start)?;
        given = start;
    }
    Ok(cipher.begin(given, counter.cast_unsigned())?)
}

/// Longer than every IV.
const MAX_IV: usize = 17;

/// Works on the last input and goes back to the start; answers how many bytes were written.
fn finish<'l>(env: &mut Env<'l>, cipher: &mut Cipher, input: Place<'l>, output: Place<'l>) -> Result<jint, Error> {
    let bound = match cipher.finish_length(input.len()) {
        Ok(bound) => bound,
        Err(error) => {
            cipher.rewind()?;
            return Err(error.into());
        }
    };
    let output = output.part(0, bound.min(output.len()))?;
    if input.len() <= cipher.algorithm().step() || both_direct(input, output) {
        return count(transfer(env, input, output, |data| cipher.finish(data))?);
    }
    if output.len() < bound {
        // Too short, or only the padding tells: all in memory of our own.
        let mut plain = Zeroed::new(output.len())?;
        let copy = Zeroed::read(env, input)?;
        let written = cipher.finish(FromTo::separate(&copy.0, &mut plain.0))?;
        output.write(env, plain.0.get(..written).unwrap_or_default())?;
        return count(written);
    }
    let result = update(env, cipher, input, output);
    let written = match result {
        Ok(written) => written,
        Err(error) => {
            cipher.rewind()?;
            return Err(error);
        }
    };
    let mut last = [0; 16];
    let result = cipher.finish(FromTo::separate(&[], &mut last));
    match result {
        Ok(length) => {
            output.part(written, length)?.write(env, last.get(..length).unwrap_or_default())?;
            cleanse(&mut last);
            count(written + length)
        }
        Err(error) => {
            output.part(0, written)?.clear(env)?;
            Err(error.into())
        }
    }
}

/// Heap memory that is zeroed when dropped.
struct Zeroed(Vec<u8>);

impl Zeroed {
    fn new(length: usize) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).map_err(|_| Error::Bssl(bssl::Error::OutOfMemory))?;
        bytes.resize(length, 0);
        Ok(Self(bytes))
    }

    fn read<'l>(env: &mut Env<'l>, input: Place<'l>) -> Result<Self, Error> {
        let mut copy = Self::new(input.len())?;
        input.read(env, &mut copy.0)?;
        Ok(copy)
    }
}

impl Drop for Zeroed {
    fn drop(&mut self) {
        cleanse(&mut self.0);
    }
}

fn count(length: usize) -> Result<jint, Error> {
    jint::try_from(length).map_err(|_| Error::Argument("more than an array can take"))
}

fn both_direct(input: Place<'_>, output: Place<'_>) -> bool {
    matches!((input, output), (Place::Direct { .. }, Place::Direct { .. }))
}

/// The first `needed` bytes of the output, or [`bssl::Error::ShortBuffer`].
fn checked_part(output: Place<'_>, needed: usize) -> Result<Place<'_>, Error> {
    let available = output.len();
    if needed > available {
        return Err(Error::Bssl(bssl::Error::ShortBuffer { needed, available }));
    }
    output.part(0, needed)
}

/// Works on all input, in steps that keep critical sections short; there is room for what comes out.
fn update<'l>(env: &mut Env<'l>, cipher: &mut Cipher, input: Place<'l>, output: Place<'l>) -> Result<usize, Error> {
    let (step, length) = (cipher.algorithm().step(), input.len());
    if length <= step || both_direct(input, output) {
        return transfer(env, input, output, |data| cipher.update(data));
    }
    let mut written = 0;
    if input.overwritten_by(env, output, cipher.pending()) {
        let copy = Zeroed::read(env, input)?;
        let mut part = Zeroed::new(step + 32)?;
        for piece in copy.0.chunks(step) {
            let count = cipher.update(FromTo::separate(piece, &mut part.0))?;
            output.part(written, count)?.write(env, part.0.get(..count).unwrap_or_default())?;
            written += count;
        }
        return Ok(written);
    }
    for start in (0..length).step_by(step) {
        let piece = input.part(start, step.min(length - start))?;
        let needed = cipher.update_length(piece.len())?;
        let part = output.part(written, needed)?;
        written += transfer(env, piece, part, |data| cipher.update(data))?;
    }
    Ok(written)
}
