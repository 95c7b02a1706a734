//! `CMAC_CTX` and `HMAC_CTX`.

use std::sync::Mutex;

use bssl::conscrypt::mac::{Cmac, Hmac};
use jni::sys::{jint, jlong};

use super::digest::{md, pieces};
use super::error::Error;
use super::slab::{Handle, Managed, lock};
use super::types::{NativeRef, Ref, direct, secret};
use super::{kinds, natives};
use crate::bytes::ByteArray;

impl Managed for Mutex<Cmac> {
    const TAG: u8 = kinds::CMAC_CTX;
    const NAME: &'static str = "cmacCtx";
}
impl NativeRef for Mutex<Cmac> {
    const SIGNATURE: &'static str = "Lorg/conscrypt/NativeRef$CMAC_CTX;";
}

impl Managed for Mutex<Hmac> {
    const TAG: u8 = kinds::HMAC_CTX;
    const NAME: &'static str = "hmacCtx";
}
impl NativeRef for Mutex<Hmac> {
    const SIGNATURE: &'static str = "Lorg/conscrypt/NativeRef$HMAC_CTX;";
}

natives! { 'l =>
    /// A new context.
    fn CMAC_CTX_new(_env) -> Handle<Mutex<Cmac>> {
        Handle::new(Mutex::new(Cmac::new()?))
    }

    /// Frees it.
    fn CMAC_CTX_free(_env, context: Handle<Mutex<Cmac>>) -> () {
        context.free()
    }

    /// Takes an AES key.
    fn CMAC_Init(env, context: Ref<'l, Mutex<Cmac>>, key: ByteArray<'l>) -> () {
        let context = context.get(env)?;
        let key = secret(env, "key", key)?;
        let result = lock(&context).init(&key);
        Ok(result.ok_or_else(|| Error::argument("CMAC_Init: Unsupported key length"))??)
    }

    /// Appends to the message.
    fn CMAC_Update(env, context: Ref<'l, Mutex<Cmac>>, input: ByteArray<'l>, offset: jint, length: jint) -> () {
        let context = context.get(env)?;
        let mut context = lock(&context);
        pieces(env, "inBytes", input, offset, length, |piece| context.update(piece))
    }

    /// As `CMAC_Update`.
    fn CMAC_UpdateDirect(env, context: Ref<'l, Mutex<Cmac>>, address: jlong, length: jint) -> () {
        let context = context.get(env)?;
        #[allow(unsafe_code, reason = "memory that Java names by its address")]
        // SAFETY: Java promises so much memory there.
        let data = unsafe { direct(env, address, length)? };
        Ok(lock(&context).update(data)?)
    }

    /// The code.
    fn CMAC_Final(env, context: Ref<'l, Mutex<Cmac>>) -> ByteArray<'l> {
        let context = context.get(env)?;
        let code = lock(&context).finish()?;
        Ok(ByteArray::new(env, &code)?)
    }

    /// Back to the empty message.
    fn CMAC_Reset(env, context: Ref<'l, Mutex<Cmac>>) -> () {
        Ok(lock(&*context.get(env)?).reset()?)
    }

    /// A new context.
    fn HMAC_CTX_new(_env) -> Handle<Mutex<Hmac>> {
        Handle::new(Mutex::new(Hmac::new()?))
    }

    /// Frees it.
    fn HMAC_CTX_free(_env, context: Handle<Mutex<Hmac>>) -> () {
        context.free()
    }

    /// Takes a key and a hash function.
    fn HMAC_Init_ex(env, context: Ref<'l, Mutex<Hmac>>, key: ByteArray<'l>, digest: jlong) -> () {
        let context = context.get(env)?;
        let key = secret(env, "key", key)?;
        Ok(lock(&context).init(&key, md(digest)?)?)
    }

    /// Appends to the message.
    fn HMAC_Update(env, context: Ref<'l, Mutex<Hmac>>, input: ByteArray<'l>, offset: jint, length: jint) -> () {
        let context = context.get(env)?;
        let mut context = lock(&context);
        pieces(env, "inBytes", input, offset, length, |piece| context.update(piece))
    }

    /// As `HMAC_Update`.
    fn HMAC_UpdateDirect(env, context: Ref<'l, Mutex<Hmac>>, address: jlong, length: jint) -> () {
        let context = context.get(env)?;
        #[allow(unsafe_code, reason = "memory that Java names by its address")]
        // SAFETY: Java promises so much memory there.
        let data = unsafe { direct(env, address, length)? };
        Ok(lock(&context).update(data)?)
    }

    /// The code.
    fn HMAC_Final(env, context: Ref<'l, Mutex<Hmac>>) -> ByteArray<'l> {
        let context = context.get(env)?;
        let code = lock(&context).finish()?;
        Ok(ByteArray::new(env, &code)?)
    }

    /// Back to the empty message.
    fn HMAC_Reset(env, context: Ref<'l, Mutex<Hmac>>) -> () {
        Ok(lock(&*context.get(env)?).reset()?)
    }
}
