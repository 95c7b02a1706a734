//! `EVP_MD` and `EVP_MD_CTX`; signing and verifying.

use bssl::conscrypt::digest::{Md, MdCtx, Purpose};
use jni::sys::{jboolean, jint, jlong};

use super::error::{Error, Exception};

use super::key::PKey;
use super::slab::{Exclusive, Handle, Managed, fixed, fixed_index};
use super::types::{Input, JString, NativeRef, Ref, Secret, direct};
use super::{kinds, natives};
use crate::boundary::Env;
use crate::bytes::{ByteArray, SMALL, Scratch};

impl Managed for Exclusive<MdCtx> {
    const TAG: u8 = kinds::EVP_MD_CTX;
    const NAME: &'static str = "EVP_MD_CTX";
}
impl NativeRef for Exclusive<MdCtx> {
    const SIGNATURE: &'static str = "Lorg/conscrypt/NativeRef$EVP_MD_CTX;";
}
type Context = Exclusive<MdCtx>;

/// Bytes of an array that are copied and worked on at once.
const STEP: usize = 64 << 10;

/// The hash function of a handle; `None` for zero.
pub(super) fn md(raw: jlong) -> Result<Option<Md>, Error> {
    if raw == 0 {
        return Ok(None);
    }
    let md = Md::at(fixed_index(raw, kinds::EVP_MD, "evp_md")?);
    md.map(Some).ok_or_else(|| Error::new(Exception::IllegalState, "not an evp_md"))
}

/// Lets `work` have a range of an array, a piece at a time.
#[inline]
pub(super) fn pieces<'l>(
    env: &mut Env<'l>,
    name: &'static str,
    array: ByteArray<'l>,
    offset: jint,
    length: jint,
    mut work: impl FnMut(&[u8]) -> bssl::conscrypt::Result<()>,
) -> Result<(), Error> {
    let slice = array.slice(env, name, offset, length)?;
    if slice.len() <= SMALL {
        let mut scratch = Scratch::empty();
        scratch.resize(slice.len());
        slice.read(env, scratch.bytes())?;
        return Ok(work(scratch.bytes())?);
    }
    let mut buffer = Secret(vec![0; slice.len().min(STEP)]);
    let mut done = 0;
    while done < slice.len() {
        let step = STEP.min(slice.len() - done);
        let piece = buffer.get_mut(..step).unwrap_or_default();
        slice.read_at(env, done, piece)?;
        work(piece)?;
        done += step;
    }
    Ok(())
}

/// Appends a range of an array to what is signed or verified.
#[inline]
fn update<'l>(
    env: &mut Env<'l>,
    context: Ref<'l, Context>,
    purpose: Purpose,
    array: ByteArray<'l>,
    offset: jint,
    length: jint,
) -> Result<(), Error> {
    let mut context = context.hold(env)?;
    pieces(env, "inBytes", array, offset, length, |piece| context.update_with_key(purpose, piece))
}

/// Appends memory.
fn update_direct<'l>(
    env: &mut Env<'l>,
    context: Ref<'l, Context>,
    purpose: Option<Purpose>,
    address: jlong,
    length: jint,
) -> Result<(), Error> {
    let mut context = context.hold(env)?;
    #[allow(unsafe_code, reason = "memory that Java names by its address")]
    // SAFETY: Java promises so much memory there.
    let data = unsafe { direct(env, address, length)? };
    match purpose {
        None => context.update(data)?,
        Some(purpose) => context.update_with_key(purpose, data)?,
    }
    Ok(())
}

/// Starts signing or verifying; answers the handle of the inner `EVP_PKEY_CTX`.
fn init<'l>(
    env: &mut Env<'l>,
    context: Ref<'l, Context>,
    purpose: Purpose,
    digest: jlong,
    key: Ref<'l, PKey>,
) -> Result<jlong, Error> {
    let handle = context.handle(env)?;
    let mut context = handle.hold(env)?;
    let digest = md(digest)?;
    let key = key.get(env)?;
    if digest.is_none() && !key.signs_messages() {
        return Err(Error::null("md == null"));
    }
    context.init_with_key(purpose, digest, &key)?;
    Ok(handle.part(kinds::EVP_PKEY_CTX_OF_MD_CTX))
}

natives! { 'l =>
    /// A new context.
    fn EVP_MD_CTX_create(_env) -> Handle<Context> {
        Handle::new(Exclusive::new(MdCtx::new()?))
    }

    /// As new.
    fn EVP_MD_CTX_cleanup(env, context: Ref<'l, Context>) -> () {
        context.hold(env)?.cleanup();
        Ok(())
    }

    /// Frees it.
    fn EVP_MD_CTX_destroy(_env, context: Handle<Context>) -> () {
        context.free_unless_null()
    }

    /// The first becomes a copy of the second.
    fn EVP_MD_CTX_copy_ex(env, to: Ref<'l, Context>, from: Ref<'l, Context>) -> jint {
        let (to, from) = (to.handle(env)?, from.handle(env)?);
        to.get()?;
        from.get()?;
        let unable = || Error::new(Exception::Runtime, "Unable to copy EVP_MD_CTX");
        if to.raw() == from.raw() {
            return Err(unable());
        }
        // Through a third one, so that no two are held at once.
        let mut copy = MdCtx::new()?;
        copy.copy_from(&*from.hold(env)?).map_err(|_| unable())?;
        to.hold(env)?.copy_from(&copy).map_err(|_| unable())?;
        Ok(1)
    }

    /// Starts a digest.
    fn EVP_DigestInit_ex(env, context: Ref<'l, Context>, digest: jlong) -> jint {
        let mut context = context.hold(env)?;
        let digest = md(digest)?.ok_or_else(|| Error::null("evp_md == null"))?;
        context.init(digest)?;
        Ok(1)
    }

    /// Writes the digest.
    fn EVP_DigestFinal_ex(env, context: Ref<'l, Context>, output: ByteArray<'l>, offset: jint) -> jint {
        let mut context = context.hold(env)?;
        if output.is_null() {
            return Err(Error::null("hash == null"));
        }
        let length = jint::try_from(context.size()?).unwrap_or(jint::MAX);
        let output = output.slice(env, "hash", offset, length)?;
        let mut digest = [0; bssl::digest::MAX_LENGTH];
        // What was finished before writes nothing.
        output.read(env, digest.get_mut(..output.len()).unwrap_or_default())?;
        context.finish(&mut digest)?;
        Ok(output.write_prefix(env, &digest)?)
    }

    /// A hash function by its name.
    fn EVP_get_digestbyname(env, name: JString<'l>) -> jlong {
        let name = name.text(env, "algorithm == null")?;
        let index = Md::index_of(&name).ok_or_else(|| Error::new(Exception::Runtime, "Hash algorithm not found"))?;
        Ok(fixed(kinds::EVP_MD, index))
    }

    /// Bytes of its digests.
    fn EVP_MD_size(_env, digest: jlong) -> jint {
        let digest = md(digest)?.ok_or_else(|| Error::null("evp_md == null"))?;
        Ok(jint::try_from(digest.size()).unwrap_or(0))
    }

    /// Appends to a digest's message.
    fn EVP_DigestUpdate(env, context: Ref<'l, Context>, input: ByteArray<'l>, offset: jint, length: jint) -> () {
        let mut context = context.hold(env)?;
        pieces(env, "inBytes", input, offset, length, |piece| context.update(piece))
    }

    /// As `EVP_DigestUpdate`.
    fn EVP_DigestUpdateDirect(env, context: Ref<'l, Context>, address: jlong, length: jint) -> () {
        update_direct(env, context, None, address, length)
    }

    /// Starts signing.
    fn EVP_DigestSignInit(env, context: Ref<'l, Context>, digest: jlong, key: Ref<'l, PKey>) -> jlong {
        init(env, context, Purpose::Sign, digest, key)
    }

    /// Starts verifying.
    fn EVP_DigestVerifyInit(env, context: Ref<'l, Context>, digest: jlong, key: Ref<'l, PKey>) -> jlong {
        init(env, context, Purpose::Verify, digest, key)
    }

    /// Appends to the message that is signed.
    fn EVP_DigestSignUpdate(env, context: Ref<'l, Context>, input: ByteArray<'l>, offset: jint, length: jint) -> () {
        update(env, context, Purpose::Sign, input, offset, length)
    }

    /// As `EVP_DigestSignUpdate`.
    fn EVP_DigestSignUpdateDirect(env, context: Ref<'l, Context>, address: jlong, length: jint) -> () {
        update_direct(env, context, Some(Purpose::Sign), address, length)
    }

    /// Appends to the message that is verified.
    fn EVP_DigestVerifyUpdate(env, context: Ref<'l, Context>, input: ByteArray<'l>, offset: jint, length: jint) -> () {
        update(env, context, Purpose::Verify, input, offset, length)
    }

    /// As `EVP_DigestVerifyUpdate`.
    fn EVP_DigestVerifyUpdateDirect(env, context: Ref<'l, Context>, address: jlong, length: jint) -> () {
        update_direct(env, context, Some(Purpose::Verify), address, length)
    }

    /// The signature.
    fn EVP_DigestSignFinal(env, context: Ref<'l, Context>) -> ByteArray<'l> {
        let mut context = context.hold(env)?;
        let signature = context.sign_final()?;
        Ok(ByteArray::new(env, &signature)?)
    }

    /// Whether the signature is right.
    fn EVP_DigestVerifyFinal(
        env, context: Ref<'l, Context>, signature: ByteArray<'l>, offset: jint, length: jint,
    ) -> jboolean {
        let mut context = context.hold(env)?;
        let mut signature = Input::of(env, "signature", signature, offset, length)?;
        Ok(context.verify_final(signature.bytes())?)
    }

    /// The signature of a message.
    fn EVP_DigestSign(
        env, context: Ref<'l, Context>, input: ByteArray<'l>, offset: jint, length: jint,
    ) -> ByteArray<'l> {
        let mut context = context.hold(env)?;
        let mut input = Input::of(env, "inBytes", input, offset, length)?;
        let signature = context.sign(input.bytes())?;
        Ok(ByteArray::new(env, &signature)?)
    }

    /// Whether the signature of a message is right.
    fn EVP_DigestVerify(
        env, context: Ref<'l, Context>, signature: ByteArray<'l>, signature_offset: jint, signature_length: jint,
        data: ByteArray<'l>, data_offset: jint, data_length: jint,
    ) -> jboolean {
        let mut context = context.hold(env)?;
        let mut signature = Input::of(env, "signature", signature, signature_offset, signature_length)?;
        let mut data = Input::of(env, "data", data, data_offset, data_length)?;
        Ok(context.verify(signature.bytes(), data.bytes())?)
    }
}
