//! AES key wrap.

use bssl::bytes::cleanse;
use bssl::keywrap;
use jni::sys::{jboolean, jint};

use super::natives;
use crate::boundary::Env;
use crate::bytes::ByteArray;
use crate::error::Error;

natives! { 'l =>
    /// Wraps a range of an array.
    fn key_wrap(
        env, key: ByteArray<'l>, padded: jboolean, iv: ByteArray<'l>,
        input: ByteArray<'l>, offset: jint, length: jint,
    ) -> ByteArray<'l> {
        run(env, key, iv, (input, offset, length), |key, iv, data| {
            if padded { keywrap::wrap_padded(key, data) } else { keywrap::wrap(key, iv, data) }
        })
    }

    /// Undoes it.
    fn key_unwrap(
        env, key: ByteArray<'l>, padded: jboolean, iv: ByteArray<'l>,
        input: ByteArray<'l>, offset: jint, length: jint,
    ) -> ByteArray<'l> {
        run(env, key, iv, (input, offset, length), |key, iv, data| {
            if padded { keywrap::unwrap_padded(key, data) } else { keywrap::unwrap(key, iv, data) }
        })
    }
}

type Work = Result<Vec<u8>, bssl::Error>;

/// Copies the arguments, works on them, and zeroes every copy.
fn run<'l>(
    env: &mut Env<'l>,
    key: ByteArray<'l>,
    iv: ByteArray<'l>,
    (input, offset, length): (ByteArray<'l>, jint, jint),
    work: impl FnOnce(&[u8], Option<&[u8]>, &[u8]) -> Work,
) -> Result<ByteArray<'l>, Error> {
    let input = input.slice(env, "input", offset, length)?;
    let iv = iv.to_vec_or_none(env)?;
    let mut key = key.to_vec(env, "key")?;
    let mut data = input.to_vec(env)?;
    let result = work(&key, iv.as_deref(), &data);
    cleanse(&mut key);
    cleanse(&mut data);
    let mut out = result?;
    let answer = ByteArray::new(env, &out);
    cleanse(&mut out);
    answer
}
