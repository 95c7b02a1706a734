//! `CMAC_CTX` and `HMAC_CTX`.

use bssl::conscrypt::mac::{Cmac, Hmac};
use jni::sys::{jint, jlong};

use super::digest::{md, pieces};
use super::error::{Error, Exception, Otherwise};

use super::slab::{Exclusive, Handle, Managed};
use super::types::{NativeRef, Ref, direct, secret};
use super::{kinds, natives};
use crate::bytes::ByteArray;

impl Managed for Exclusive<Cmac> {
    const TAG: u8 = kinds::CMAC_CTX;
    const NAME: &'static str = "cmacCtx";
}
impl NativeRef for Exclusive<Cmac> {
    const SIGNATURE: &'static str = "Lorg/conscrypt/NativeRef$CMAC_CTX;";
}

impl Managed for Exclusive<Hmac> {
    const TAG: u8 = kinds::HMAC_CTX;
    const NAME: &'static str = "hmacCtx";
}
impl NativeRef for Exclusive<Hmac> {
    const SIGNATURE: &'static str = "Lorg/conscrypt/NativeRef$HMAC_CTX;";
}

natives! { 'l =>
    /// A new context.
    fn CMAC_CTX_new(_env) -> Handle<Exclusive<Cmac>> {
        Handle::new(Exclusive::new(Cmac::new()?))
    }

    /// Frees it.
    fn CMAC_CTX_free(_env, context: Handle<Exclusive<Cmac>>) -> () {
        context.free()
    }

    /// Takes an AES key.
    fn CMAC_Init(env, context: Ref<'l, Exclusive<Cmac>>, key: ByteArray<'l>) -> () {
        let mut context = context.hold(env)?;
        let key = secret(env, "key", key)?;
        let result = context.init(&key);
        Ok(result.ok_or_else(|| Error::argument("CMAC_Init: Unsupported key length"))??)
    }

    /// Appends to the message.
    fn CMAC_Update(env, context: Ref<'l, Exclusive<Cmac>>, input: ByteArray<'l>, offset: jint, length: jint) -> () {
        let mut context = context.hold(env)?;
        pieces(env, "inBytes", input, offset, length, |piece| context.update(piece))
    }

    /// As `CMAC_Update`.
    fn CMAC_UpdateDirect(env, context: Ref<'l, Exclusive<Cmac>>, address: jlong, length: jint) -> () {
        let mut context = context.hold(env)?;
        #[allow(unsafe_code, reason = "memory that Java names by its address")]
        // SAFETY: Java promises so much memory there.
        let data = unsafe { direct(env, address, length)? };
        Ok(context.update(data)?)
    }

    /// The code.
    fn CMAC_Final(env, context: Ref<'l, Exclusive<Cmac>>) -> ByteArray<'l> {
        let mut context = context.hold(env)?;
        let code = context.finish()?;
        Ok(ByteArray::new(env, &code)?)
    }

    /// Back to the empty message.
    fn CMAC_Reset(env, context: Ref<'l, Exclusive<Cmac>>) -> () {
        context.hold(env)?.reset().always(Exception::Runtime, "there is no key to start again with")
    }

    /// A new context.
    fn HMAC_CTX_new(_env) -> Handle<Exclusive<Hmac>> {
        Handle::new(Exclusive::new(Hmac::new()?))
    }

    /// Frees it.
    fn HMAC_CTX_free(_env, context: Handle<Exclusive<Hmac>>) -> () {
        context.free()
    }

    /// Takes a key and a hash function.
    fn HMAC_Init_ex(env, context: Ref<'l, Exclusive<Hmac>>, key: ByteArray<'l>, digest: jlong) -> () {
        let mut context = context.hold(env)?;
        let key = secret(env, "key", key)?;
        Ok(context.init(&key, md(digest)?)?)
    }

    /// Appends to the message.
    fn HMAC_Update(env, context: Ref<'l, Exclusive<Hmac>>, input: ByteArray<'l>, offset: jint, length: jint) -> () {
        let mut context = context.hold(env)?;
        pieces(env, "inBytes", input, offset, length, |piece| context.update(piece))
    }

    /// As `HMAC_Update`.
    fn HMAC_UpdateDirect(env, context: Ref<'l, Exclusive<Hmac>>, address: jlong, length: jint) -> () {
        let mut context = context.hold(env)?;
        #[allow(unsafe_code, reason = "memory that Java names by its address")]
        // SAFETY: Java promises so much memory there.
        let data = unsafe { direct(env, address, length)? };
        Ok(context.update(data)?)
    }

    /// The code.
    fn HMAC_Final(env, context: Ref<'l, Exclusive<Hmac>>) -> ByteArray<'l> {
        let mut context = context.hold(env)?;
        let code = context.finish()?;
        Ok(ByteArray::new(env, &code)?)
    }

    /// Back to the empty message.
    fn HMAC_Reset(env, context: Ref<'l, Exclusive<Hmac>>) -> () {
        context.hold(env)?.reset().always(Exception::Runtime, "there is no key to start again with")
    }
}
