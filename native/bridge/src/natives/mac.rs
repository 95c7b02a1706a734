//! Message authentication codes.

use bssl::bytes::cleanse;
use bssl::digest::MAX_LENGTH;
use bssl::mac::{Algorithm, Mac};
use jni::sys::{jboolean, jint};

use super::natives;
use crate::bytes::{Buffer, ByteArray, Owner, Place};
use crate::handle::{Handle, Managed};

impl Managed for Mac {
    const TAG: u32 = u32::from_be_bytes(*b"mac ");
    const NAME: &'static str = "MAC";
}

natives! { 'l =>
    /// Without a key yet.
    fn mac_new(_env, algorithm: jint) -> Handle<Mac> {
        Ok(Handle::new(Mac::new(Algorithm::from_number(algorithm)?)?))
    }

    /// Frees it.
    fn mac_free(_env, mac: Handle<Mac>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { mac.free() }
    }

    /// An independent copy.
    fn mac_clone(_env, mac: Handle<Mac>, _owner: Owner<'l>) -> Handle<Mac> {
        // SAFETY: the owner keeps it alive during the call.
        let mac = unsafe { mac.borrow()? };
        Ok(Handle::new(mac.try_clone()?))
    }

    /// Takes a key and starts an empty message.
    fn mac_set_key(env, mac: Handle<Mac>, _owner: Owner<'l>, key: ByteArray<'l>) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut mac = unsafe { mac.borrow()? };
        let mut key = key.to_vec(env, "key")?;
        let result = mac.set_key(&key);
        cleanse(&mut key);
        Ok(result?)
    }

    /// Back to the empty message under the same key.
    fn mac_reset(_env, mac: Handle<Mac>, _owner: Owner<'l>) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut mac = unsafe { mac.borrow()? };
        Ok(mac.reset()?)
    }

    /// Appends bytes of an array or a direct buffer.
    fn mac_update(
        env, mac: Handle<Mac>, _owner: Owner<'l>, start: jboolean,
        array: ByteArray<'l>, buffer: Buffer<'l>, offset: jint, length: jint,
    ) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut mac = unsafe { mac.borrow()? };
        let input = Place::of(env, "input", array, buffer, offset, length)?;
        if start {
            mac.start()?;
        }
        input.for_each_piece(env, |piece| mac.update(piece))
    }

    /// Appends bytes of an array, writes the code and goes back to the empty message.
    fn mac_finish(
        env, mac: Handle<Mac>, _owner: Owner<'l>, start: jboolean,
        array: ByteArray<'l>, offset: jint, length: jint,
        output: ByteArray<'l>, output_offset: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let mut mac = unsafe { mac.borrow()? };
        let input = Place::Array(array.slice(env, "input", offset, length)?);
        let output = output.slice(env, "output", output_offset, code_length(mac.algorithm()))?;
        if start {
            mac.start()?;
        }
        input.for_each_piece(env, |piece| mac.update(piece))?;
        let mut result = [0; MAX_LENGTH];
        mac.finish(&mut result)?;
        output.write_prefix(env, &result)
    }
}

/// Length of a code in bytes, as Java counts.
fn code_length(algorithm: Algorithm) -> jint {
    jint::try_from(algorithm.length()).unwrap_or(jint::MAX)
}
