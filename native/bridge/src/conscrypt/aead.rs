//! `EVP_AEAD`: each call has its key.
#![allow(unsafe_code, reason = "direct buffers by their address")]

use bssl::conscrypt::aead::{Aead, Direction, Parameters, chacha20, has_aes_hardware};
use jni::sys::{jint, jlong};

use super::error::{Error, Exception};
use super::slab::{fixed, fixed_index};
use super::types::{Input, Room, Secret, secret};
use super::{java, kinds, natives};
use crate::boundary::Env;
use crate::bytes::{Buffer, ByteArray};

fn aead(raw: jlong) -> Result<Aead, Error> {
    let aead = Aead::at(fixed_index(raw, kinds::EVP_AEAD, "evpAead")?);
    aead.ok_or_else(|| Error::new(Exception::IllegalState, "not an evpAead"))
}

/// What an operation takes besides its data.
struct Operation<'l> {
    direction: Direction,
    aead: jlong,
    key: ByteArray<'l>,
    tag_length: jint,
    nonce: ByteArray<'l>,
    additional: ByteArray<'l>,
}

impl<'l> Operation<'l> {
    /// # Safety
    /// As [`Aead::transform`].
    unsafe fn run(
        &self,
        env: &mut Env<'l>,
        input: (*const u8, usize),
        output: (*mut u8, usize),
    ) -> Result<usize, Error> {
        let aead = aead(self.aead)?;
        let (mut key, mut additional, mut nonce) = (Room::empty(), Room::empty(), Room::empty());
        let key = key.read_all(env, "keyBytes", self.key)?;
        let additional = if self.additional.is_null() {
            additional.bytes(0)
        } else {
            additional.read_all(env, "aadBytes", self.additional)?
        };
        let nonce = nonce.read_all(env, "nonceBytes", self.nonce)?;
        // A negative length is refused as the huge one that C makes of it.
        let tag_length = usize::try_from(self.tag_length).unwrap_or(usize::MAX);
        let parameters = Parameters { key, tag_length, nonce, additional };
        // SAFETY: promise of the caller.
        Ok(unsafe { aead.transform(self.direction, &parameters, input, output)? })
    }

    fn arrays(
        &self,
        env: &mut Env<'l>,
        (output, output_offset): (ByteArray<'l>, jint),
        (input, input_offset, input_length): (ByteArray<'l>, jint, jint),
    ) -> Result<jint, Error> {
        let length = output.len(env, "outBytes")?;
        let room = output.slice(env, "out", output_offset, length.checked_sub(output_offset).unwrap_or(-1))?.len();
        let mut copy = Room::empty();
        let input = copy.read(env, "in", input, input_offset, input_length)?;
        let mut out = Room::empty();
        let out = out.bytes(room.min(input.len() + aead(self.aead)?.max_overhead()));
        // SAFETY: the two are disjoint, and ours.
        let written = unsafe { self.run(env, (input.as_ptr(), input.len()), (out.as_mut_ptr(), out.len()))? };
        let written = jint::try_from(written).unwrap_or(0);
        output.slice(env, "out", output_offset, written)?.write_prefix(env, out)?;
        Ok(written)
    }

    fn buffers(&self, env: &mut Env<'l>, output: Buffer<'l>, input: Buffer<'l>) -> Result<jint, Error> {
        let (mut from, length) = region(env, input, "inBuffer is not a direct ByteBuffer")?;
        let (to, room) = region(env, output, "outBuffer is not a direct ByteBuffer")?;
        let mut copy = Secret::default();
        if from.addr() < to.addr() + room && to.addr() < from.addr() + length {
            // SAFETY: the buffer's own memory, which lives during the call; no reference to it remains.
            copy.0 = unsafe { std::slice::from_raw_parts(from, length) }.to_vec();
            from = copy.0.as_mut_ptr();
        }
        // SAFETY: the buffers' own memory, or the copy; disjoint.
        let written = unsafe { self.run(env, (from, length), (to, room))? };
        Ok(jint::try_from(written).unwrap_or(0))
    }
}

/// The first `N` bytes of an array, as C reads them; `IllegalArgumentException` for fewer, where C reads on.
fn first<'l, const N: usize>(
    env: &mut Env<'l>,
    name: &'static str,
    message: &'static str,
    array: ByteArray<'l>,
) -> Result<[u8; N], Error> {
    secret(env, name, array)?.first_chunk().copied().ok_or_else(|| Error::argument(message))
}

/// Where the bytes between a direct buffer's position and limit are.
fn region<'l>(env: &mut Env<'l>, buffer: Buffer<'l>, message: &'static str) -> Result<(*mut u8, usize), Error> {
    if buffer.raw().is_null() || !java::is_byte_buffer(env, buffer.raw())? {
        return Err(Error::argument(message));
    }
    let (position, limit) = java::buffer_range(env, buffer.raw())?;
    let length = limit.checked_sub(position).unwrap_or(-1);
    let start = buffer.region(env, "buffer", position, length).map_err(|error| match error {
        crate::error::Error::NotDirect(_) => Error::argument(message),
        other => other.into(),
    })?;
    let start = if start.is_null() { std::ptr::NonNull::dangling().as_ptr() } else { start };
    Ok((start, usize::try_from(length).unwrap_or(0)))
}

natives! { 'l =>
    /// AES-128-GCM.
    fn EVP_aead_aes_128_gcm(_env) -> jlong { Ok(fixed(kinds::EVP_AEAD, Aead::AES_128_GCM)) }
    /// AES-256-GCM.
    fn EVP_aead_aes_256_gcm(_env) -> jlong { Ok(fixed(kinds::EVP_AEAD, Aead::AES_256_GCM)) }
    /// ChaCha20-Poly1305.
    fn EVP_aead_chacha20_poly1305(_env) -> jlong { Ok(fixed(kinds::EVP_AEAD, Aead::CHACHA20_POLY1305)) }
    /// AES-128-GCM-SIV.
    fn EVP_aead_aes_128_gcm_siv(_env) -> jlong { Ok(fixed(kinds::EVP_AEAD, Aead::AES_128_GCM_SIV)) }
    /// AES-256-GCM-SIV.
    fn EVP_aead_aes_256_gcm_siv(_env) -> jlong { Ok(fixed(kinds::EVP_AEAD, Aead::AES_256_GCM_SIV)) }

    /// Bytes that sealing adds at most.
    fn EVP_AEAD_max_overhead(_env, evp_aead: jlong) -> jint {
        Ok(jint::try_from(aead(evp_aead)?.max_overhead()).unwrap_or(0))
    }

    /// Bytes of a nonce.
    fn EVP_AEAD_nonce_length(_env, evp_aead: jlong) -> jint {
        Ok(jint::try_from(aead(evp_aead)?.nonce_length()).unwrap_or(0))
    }

    /// Seals.
    fn EVP_AEAD_CTX_seal(
        env, aead: jlong, key: ByteArray<'l>, tag_length: jint, output: ByteArray<'l>, output_offset: jint,
        nonce: ByteArray<'l>, input: ByteArray<'l>, input_offset: jint, input_length: jint, additional: ByteArray<'l>,
    ) -> jint {
        Operation { direction: Direction::Seal, aead, key, tag_length, nonce, additional }
            .arrays(env, (output, output_offset), (input, input_offset, input_length))
    }

    /// Opens.
    fn EVP_AEAD_CTX_open(
        env, aead: jlong, key: ByteArray<'l>, tag_length: jint, output: ByteArray<'l>, output_offset: jint,
        nonce: ByteArray<'l>, input: ByteArray<'l>, input_offset: jint, input_length: jint, additional: ByteArray<'l>,
    ) -> jint {
        Operation { direction: Direction::Open, aead, key, tag_length, nonce, additional }
            .arrays(env, (output, output_offset), (input, input_offset, input_length))
    }

    /// Seals between direct buffers.
    fn EVP_AEAD_CTX_seal_buf(
        env, aead: jlong, key: ByteArray<'l>, tag_length: jint, output: Buffer<'l>, nonce: ByteArray<'l>,
        input: Buffer<'l>, additional: ByteArray<'l>,
    ) -> jint {
        Operation { direction: Direction::Seal, aead, key, tag_length, nonce, additional }.buffers(env, output, input)
    }

    /// Opens between direct buffers.
    fn EVP_AEAD_CTX_open_buf(
        env, aead: jlong, key: ByteArray<'l>, tag_length: jint, output: Buffer<'l>, nonce: ByteArray<'l>,
        input: Buffer<'l>, additional: ByteArray<'l>,
    ) -> jint {
        Operation { direction: Direction::Open, aead, key, tag_length, nonce, additional }.buffers(env, output, input)
    }

    /// Whether the processor has instructions for AES.
    fn EVP_has_aes_hardware(_env) -> jint { Ok(has_aes_hardware().into()) }

    /// ChaCha20.
    fn chacha20_encrypt_decrypt(
        env, input: ByteArray<'l>, input_offset: jint, output: ByteArray<'l>, output_offset: jint, length: jint,
        key: ByteArray<'l>, nonce: ByteArray<'l>, counter: jint,
    ) -> () {
        for (array, name) in [(input, "in"), (output, "out"), (key, "key"), (nonce, "nonce")] {
            array.len(env, name)?;
        }
        let mut data = Input::of(env, "in", input, input_offset, length)?;
        let output = output.slice(env, "out", output_offset, length)?;
        let key = first(env, "key", "key length < 32", key)?;
        let nonce = first(env, "nonce", "nonce length < 12", nonce)?;
        chacha20(&key, &nonce, counter.cast_unsigned(), data.bytes());
        Ok(output.write(env, data.bytes())?)
    }
}
