//! Random bytes.

use jni::sys::jint;

use super::natives;
use crate::bytes::{ByteArray, Place, SMALL, Scratch};

natives! { 'l =>
    /// Fills a range of an array.
    fn random_bytes(env, output: ByteArray<'l>, offset: jint, length: jint) -> () {
        let output = Place::Array(output.slice(env, "output", offset, length)?);
        let total = output.len();
        for start in (0..total).step_by(SMALL) {
            let mut scratch = Scratch::new(SMALL.min(total - start));
            bssl::rand::fill(scratch.bytes())?;
            output.part(start, scratch.bytes().len())?.write(env, scratch.bytes())?;
        }
        Ok(())
    }
}
