//! RSA encryption.

use bssl::digest::Algorithm;
use bssl::key::Key;
use bssl::rsa::{self, Padding};
use jni::sys::{jboolean, jint};

use super::natives;
use crate::bytes::{ByteArray, Owner, SMALL, Scratch};
use crate::error::Error;
use crate::handle::Handle;

natives! { 'l =>
    /// Bytes of the modulus.
    fn rsa_size(_env, key: Handle<Key>, _owner: Owner<'l>) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let key = unsafe { key.share()? };
        Ok(jint::try_from(rsa::size(key)?).unwrap_or(jint::MAX))
    }

    /// Pads and applies the key, or applies it and removes the padding.
    fn rsa_apply(
        env, key: Handle<Key>, _owner: Owner<'l>, encrypt: jboolean,
        padding: jint, digest: jint, mgf: jint, label: ByteArray<'l>,
        input: ByteArray<'l>, offset: jint, length: jint, output: ByteArray<'l>, output_offset: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let key = unsafe { key.share()? };
        let label = label.to_vec_or_none(env)?.unwrap_or_default();
        let padding = match padding {
            0 => Padding::None,
            1 => Padding::Pkcs1,
            2 => Padding::Oaep {
                digest: Algorithm::from_number(digest)?,
                mgf: Algorithm::from_number(mgf)?,
                label: &label,
            },
            _ => return Err(Error::Argument("no such padding")),
        };
        let input = input.slice(env, "input", offset, length)?;
        if input.len() > SMALL {
            return Err(Error::Argument("longer than every RSA block"));
        }
        // The result may be shorter than the modulus: its room is checked when its length is known.
        output.slice(env, "output", output_offset, 0)?;
        let mut message = Scratch::new(input.len());
        input.read(env, message.bytes())?;
        let mut result = Scratch::new(rsa::size(key)?);
        let apply = if encrypt { rsa::encrypt } else { rsa::decrypt };
        let made = apply(key, padding, message.bytes(), result.bytes())?;
        let written = jint::try_from(made).unwrap_or(jint::MAX);
        output.slice(env, "output", output_offset, written)?.write_prefix(env, result.bytes())
    }
}
