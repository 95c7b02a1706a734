//! `EVP_CIPHER` and `EVP_CIPHER_CTX`.

use bssl::conscrypt::cipher::{Cipher, CipherCtx};
use jni::sys::{jboolean, jint, jlong};

use super::error::{Error, Exception, Otherwise};

use super::slab::{Exclusive, Handle, Managed, fixed, fixed_index};
use super::types::{JString, NativeRef, Ref, Room, optional_secret};
use super::{kinds, natives};
use crate::boundary::Env;
use crate::bytes::ByteArray;

impl Managed for Exclusive<CipherCtx> {
    const TAG: u8 = kinds::EVP_CIPHER_CTX;
    const NAME: &'static str = "EVP_CIPHER_CTX";
}
impl NativeRef for Exclusive<CipherCtx> {
    const SIGNATURE: &'static str = "Lorg/conscrypt/NativeRef$EVP_CIPHER_CTX;";
}
type Context = Exclusive<CipherCtx>;

/// More than an update can write beyond its input: a held block and a partial one.
const SLACK: usize = 64;

fn cipher(raw: jlong) -> Result<Cipher, Error> {
    let cipher = Cipher::at(fixed_index(raw, kinds::EVP_CIPHER, "evpCipher")?);
    cipher.ok_or_else(|| Error::new(Exception::IllegalState, "not an evpCipher"))
}

/// How much of `array` lies behind `offset`.
fn room<'l>(env: &mut Env<'l>, name: &'static str, array: ByteArray<'l>, offset: jint) -> Result<usize, Error> {
    let length = array.len(env, name)?;
    let room = array.slice(env, name, offset, length.checked_sub(offset).unwrap_or(-1))?;
    Ok(room.len())
}

natives! { 'l =>
    /// A cipher by its name; 0 for an unknown one.
    fn EVP_get_cipherbyname(env, name: JString<'l>) -> jlong {
        let name = name.text(env, "algorithm == null")?;
        Ok(Cipher::index_of(&name).map_or(0, |index| fixed(kinds::EVP_CIPHER, index)))
    }

    /// Bytes of its IVs.
    fn EVP_CIPHER_iv_length(_env, evp_cipher: jlong) -> jint {
        Ok(jint::try_from(cipher(evp_cipher)?.iv_length()).unwrap_or(0))
    }

    /// A new context.
    fn EVP_CIPHER_CTX_new(_env) -> Handle<Context> {
        Handle::new(Exclusive::new(CipherCtx::new()?))
    }

    /// Frees it.
    fn EVP_CIPHER_CTX_free(_env, context: Handle<Context>) -> () {
        context.free_unless_null()
    }

    /// Sets what is given.
    fn EVP_CipherInit_ex(
        env, context: Ref<'l, Context>, evp_cipher: jlong, key: ByteArray<'l>, iv: ByteArray<'l>, encrypt: jboolean,
    ) -> () {
        let mut context = context.hold(env)?;
        let evp_cipher = if evp_cipher == 0 { None } else { Some(cipher(evp_cipher)?) };
        let (key, iv) = (optional_secret(env, key)?, optional_secret(env, iv)?);
        Ok(context.init(evp_cipher, key.as_deref(), iv.as_deref(), encrypt)?)
    }

    /// Transforms a range.
    fn EVP_CipherUpdate(
        env, context: Ref<'l, Context>, output: ByteArray<'l>, output_offset: jint,
        input: ByteArray<'l>, input_offset: jint, input_length: jint,
    ) -> jint {
        let mut context = context.hold(env)?;
        let mut copy = Room::empty();
        let input = copy.read(env, "inBytes", input, input_offset, input_length)?;
        let room = room(env, "outBytes", output, output_offset)?;
        let mut out = Room::empty();
        let out = out.bytes(room.min(input.len() + SLACK));
        let length = context.update(input, out)?;
        let length = jint::try_from(length).unwrap_or(0);
        output.slice(env, "outBytes", output_offset, length)?.write_prefix(env, out)?;
        Ok(length)
    }

    /// Writes the last block.
    fn EVP_CipherFinal_ex(env, context: Ref<'l, Context>, output: ByteArray<'l>, output_offset: jint) -> jint {
        let mut context = context.hold(env)?;
        let room = room(env, "outBytes", output, output_offset)?;
        let mut out = Room::empty();
        let out = out.bytes(room.min(SLACK));
        let length = context.finish(out).otherwise(Exception::BadPadding)?;
        let length = jint::try_from(length).unwrap_or(0);
        output.slice(env, "outBytes", output_offset, length)?.write_prefix(env, out)?;
        Ok(length)
    }

    /// Bytes of a block.
    fn EVP_CIPHER_CTX_block_size(env, context: Ref<'l, Context>) -> jint {
        let size = context.hold(env)?.block_size()?;
        Ok(jint::try_from(size).unwrap_or(0))
    }

    /// Bytes that wait for a full block.
    fn get_EVP_CIPHER_CTX_buf_len(env, context: Ref<'l, Context>) -> jint {
        Ok(context.hold(env)?.buffered())
    }

    /// Whether a decrypted block is held back.
    fn get_EVP_CIPHER_CTX_final_used(env, context: Ref<'l, Context>) -> jboolean {
        Ok(context.hold(env)?.final_used())
    }

    /// Whether blocks are padded.
    fn EVP_CIPHER_CTX_set_padding(env, context: Ref<'l, Context>, padding: jboolean) -> () {
        context.hold(env)?.set_padding(padding);
        Ok(())
    }

    /// Another key length, in bytes.
    fn EVP_CIPHER_CTX_set_key_length(env, context: Ref<'l, Context>, length: jint) -> () {
        let mut context = context.hold(env)?;
        Ok(context.set_key_length(u32::try_from(length).unwrap_or(u32::MAX))?)
    }
}
