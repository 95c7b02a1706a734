//! Message digests.

use bssl::digest::{self, Algorithm, Digest, MAX_LENGTH};
use jni::sys::{jboolean, jint};

use super::natives;
use crate::bytes::{Buffer, ByteArray, Owner, Place, SMALL};
use crate::handle::{Handle, Managed};

impl Managed for Digest {
    const TAG: u32 = u32::from_be_bytes(*b"dgst");
    const NAME: &'static str = "digest";
}

natives! { 'l =>
    /// A digest of the empty message.
    fn digest_new(_env, algorithm: jint) -> Handle<Digest> {
        Ok(Handle::new(Digest::new(Algorithm::from_number(algorithm)?)?))
    }

    /// Frees it.
    fn digest_free(_env, digest: Handle<Digest>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { digest.free() }
    }

    /// An independent copy.
    fn digest_clone(_env, digest: Handle<Digest>, _owner: Owner<'l>) -> Handle<Digest> {
        // SAFETY: the owner keeps it alive during the call.
        let digest = unsafe { digest.borrow()? };
        Ok(Handle::new(digest.try_clone()?))
    }

    /// Back to the empty message.
    fn digest_reset(_env, digest: Handle<Digest>, _owner: Owner<'l>) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut digest = unsafe { digest.borrow()? };
        Ok(digest.reset()?)
    }

    /// Appends bytes of an array or a direct buffer.
    fn digest_update(
        env, digest: Handle<Digest>, _owner: Owner<'l>, start: jboolean,
        array: ByteArray<'l>, buffer: Buffer<'l>, offset: jint, length: jint,
    ) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut digest = unsafe { digest.borrow()? };
        let input = Place::of(env, "input", array, buffer, offset, length)?;
        if start {
            digest.start()?;
        }
        input.for_each_piece(env, |piece| digest.update(piece))
    }

    /// Appends bytes of an array, writes the digest and goes back to the empty message.
    fn digest_finish(
        env, digest: Handle<Digest>, _owner: Owner<'l>, start: jboolean,
        array: ByteArray<'l>, offset: jint, length: jint,
        output: ByteArray<'l>, output_offset: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let mut digest = unsafe { digest.borrow()? };
        let input = Place::Array(array.slice(env, "input", offset, length)?);
        let output = output.slice(env, "output", output_offset, digest_length(digest.algorithm()))?;
        if start {
            digest.start()?;
        }
        input.for_each_piece(env, |piece| digest.update(piece))?;
        let mut result = [0; MAX_LENGTH];
        digest.finish(&mut result)?;
        output.write_prefix(env, &result)
    }

    /// The digest of bytes of an array.
    fn digest_one_shot(
        env, algorithm: jint,
        array: ByteArray<'l>, offset: jint, length: jint,
        output: ByteArray<'l>, output_offset: jint,
    ) -> jint {
        let algorithm = Algorithm::from_number(algorithm)?;
        let input = array.slice(env, "input", offset, length)?;
        let output = output.slice(env, "output", output_offset, digest_length(algorithm))?;
        let mut result = [0; MAX_LENGTH];
        if input.len() <= SMALL {
            digest::one_shot(algorithm, input.critical(env)?.bytes(), &mut result)?;
        } else {
            let mut digest = Digest::new(algorithm)?;
            Place::Array(input).for_each_piece(env, |piece| digest.update(piece))?;
            digest.finish(&mut result)?;
        }
        output.write_prefix(env, &result)
    }
}

/// Length of a digest in bytes, as Java counts.
fn digest_length(algorithm: Algorithm) -> jint {
    jint::try_from(algorithm.length()).unwrap_or(jint::MAX)
}
