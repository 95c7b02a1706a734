//! HMAC.

use bssl::bytes::cleanse;
use bssl::digest::{Algorithm, MAX_LENGTH};
use bssl::hmac::Hmac;
use jni::sys::{jboolean, jint};

use super::digest::digest_length;
use super::natives;
use crate::bytes::{Buffer, ByteArray, Owner, Place};
use crate::handle::{Handle, Managed};

impl Managed for Hmac {
    const TAG: u32 = u32::from_be_bytes(*b"hmac");
    const NAME: &'static str = "HMAC";
}

natives! { 'l =>
    /// Without a key yet.
    fn hmac_new(_env, algorithm: jint) -> Handle<Hmac> {
        Ok(Handle::new(Hmac::new(Algorithm::from_number(algorithm)?)?))
    }

    /// Frees it.
    fn hmac_free(_env, hmac: Handle<Hmac>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { hmac.free() }
    }

    /// An independent copy.
    fn hmac_clone(_env, hmac: Handle<Hmac>, _owner: Owner<'l>) -> Handle<Hmac> {
        // SAFETY: the owner keeps it alive during the call.
        let hmac = unsafe { hmac.borrow()? };
        Ok(Handle::new(hmac.try_clone()?))
    }

    /// Takes a key and starts an empty message.
    fn hmac_set_key(env, hmac: Handle<Hmac>, _owner: Owner<'l>, key: ByteArray<'l>) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut hmac = unsafe { hmac.borrow()? };
        let mut key = key.to_vec(env, "key")?;
        let result = hmac.set_key(&key);
        cleanse(&mut key);
        Ok(result?)
    }

    /// Back to the empty message under the same key.
    fn hmac_reset(_env, hmac: Handle<Hmac>, _owner: Owner<'l>) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut hmac = unsafe { hmac.borrow()? };
        Ok(hmac.reset()?)
    }

    /// Appends bytes of an array or a direct buffer.
    fn hmac_update(
        env, hmac: Handle<Hmac>, _owner: Owner<'l>, start: jboolean,
        array: ByteArray<'l>, buffer: Buffer<'l>, offset: jint, length: jint,
    ) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut hmac = unsafe { hmac.borrow()? };
        let input = Place::of(env, "input", array, buffer, offset, length)?;
        if start {
            hmac.start()?;
        }
        input.for_each_piece(env, |piece| hmac.update(piece))
    }

    /// Appends bytes of an array, writes the code and goes back to the empty message.
    fn hmac_finish(
        env, hmac: Handle<Hmac>, _owner: Owner<'l>, start: jboolean,
        array: ByteArray<'l>, offset: jint, length: jint,
        output: ByteArray<'l>, output_offset: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let mut hmac = unsafe { hmac.borrow()? };
        let input = Place::Array(array.slice(env, "input", offset, length)?);
        let output = output.slice(env, "output", output_offset, digest_length(hmac.algorithm()))?;
        if start {
            hmac.start()?;
        }
        input.for_each_piece(env, |piece| hmac.update(piece))?;
        let mut result = [0; MAX_LENGTH];
        hmac.finish(&mut result)?;
        output.write_prefix(env, &result)
    }
}
