//! `EVP_HPKE_CTX`.

use bssl::conscrypt::hpke::{HpkeCtx, Suite, Unsupported};
use jni::sys::jint;

use super::error::{Error, Exception, Otherwise};

use super::slab::{Exclusive, Handle, Managed};
use super::types::{JObject, JObjects, NativeRef, Ref, object_array, optional_secret, secret, set_element};
use super::{java, kinds, natives};
use crate::boundary::Env;
use crate::bytes::ByteArray;

impl Managed for Exclusive<HpkeCtx> {
    const TAG: u8 = kinds::EVP_HPKE_CTX;
    const NAME: &'static str = "ctx";
}
impl NativeRef for Exclusive<HpkeCtx> {
    const SIGNATURE: &'static str = "Lorg/conscrypt/NativeRef$EVP_HPKE_CTX;";
}
type Context = Exclusive<HpkeCtx>;

fn suite(kem: jint, kdf: jint, aead: jint) -> Result<Suite, Error> {
    // Conscrypt looks at the KEM first, then at the KDF, then at the AEAD.
    Suite::new(kem, kdf, aead).map_err(|unsupported| {
        Error::argument(match unsupported {
            Unsupported::Kem => "KEM is not supported",
            Unsupported::Kdf => "KDF is not supported",
            Unsupported::Aead => "AEAD is not supported",
        })
    })
}

/// A Java object that owns the context.
fn object<'l>(env: &mut Env<'l>, context: HpkeCtx) -> Result<JObject<'l>, Error> {
    let handle = Handle::new(Exclusive::new(context))?;
    match java::new_hpke_ctx(env, handle.raw()) {
        Ok(object) => Ok(JObject::from_raw(object)),
        Err(error) => {
            handle.free()?;
            Err(error)
        }
    }
}

/// The context and the encapsulated secret.
fn sender<'l>(
    env: &mut Env<'l>,
    suite: Suite,
    public: ByteArray<'l>,
    info: ByteArray<'l>,
    seed: Option<ByteArray<'l>>,
) -> Result<JObjects<'l>, Error> {
    let (public_name, seed_name) = ("publicKeyArray == null", "publicKeyArray or seedArray == null");
    let public = secret(env, if seed.is_some() { seed_name } else { public_name }, public)?;
    let seed = seed.map(|seed| secret(env, seed_name, seed)).transpose()?;
    let info = optional_secret(env, info)?.unwrap_or_default();
    let (context, enc) = HpkeCtx::sender(suite, &public, &info, seed.as_deref())?;
    let pair = object_array(env, c"java/lang/Object", 2)?;
    let enc = ByteArray::new(env, &enc)?;
    set_element(env, pair, 1, enc.raw())?;
    let context = object(env, context)?;
    set_element(env, pair, 0, context.raw())?;
    Ok(JObjects::from_raw(pair))
}

natives! { 'l =>
    /// A recipient.
    fn EVP_HPKE_CTX_setup_base_mode_recipient(
        env, kem: jint, kdf: jint, aead: jint, private: ByteArray<'l>, enc: ByteArray<'l>, info: ByteArray<'l>,
    ) -> JObject<'l> {
        let suite = suite(kem, kdf, aead)?;
        let private = secret(env, "privateKeyArray == null", private)?;
        let enc = secret(env, "encArray == null", enc)?;
        let info = optional_secret(env, info)?.unwrap_or_default();
        // Nothing is said of a secret of the wrong length for X-Wing.
        let context = HpkeCtx::recipient(suite, &private, &enc, &info).otherwise(Exception::InvalidKey)?;
        object(env, context)
    }

    /// A sender, and what it encapsulated.
    fn EVP_HPKE_CTX_setup_base_mode_sender(
        env, kem: jint, kdf: jint, aead: jint, public: ByteArray<'l>, info: ByteArray<'l>,
    ) -> JObjects<'l> {
        let suite = suite(kem, kdf, aead)?;
        sender(env, suite, public, info, None)
    }

    /// A sender whose secret is made of a seed.
    fn EVP_HPKE_CTX_setup_base_mode_sender_with_seed_for_testing(
        env, kem: jint, kdf: jint, aead: jint, public: ByteArray<'l>, info: ByteArray<'l>, seed: ByteArray<'l>,
    ) -> JObjects<'l> {
        let suite = suite(kem, kdf, aead)?;
        sender(env, suite, public, info, Some(seed))
    }

    /// Frees it.
    fn EVP_HPKE_CTX_free(_env, context: Handle<Context>) -> () {
        context.free()
    }

    /// Encrypts the next message.
    fn EVP_HPKE_CTX_seal(
        env, context: Ref<'l, Context>, plaintext: ByteArray<'l>, additional: ByteArray<'l>,
    ) -> ByteArray<'l> {
        let mut context = context.hold(env)?;
        let plaintext = secret(env, "plaintextArray == null", plaintext)?;
        let additional = optional_secret(env, additional)?.unwrap_or_default();
        let sealed = context.seal(&plaintext, &additional)?;
        Ok(ByteArray::new(env, &sealed)?)
    }

    /// Decrypts the next message.
    fn EVP_HPKE_CTX_open(
        env, context: Ref<'l, Context>, ciphertext: ByteArray<'l>, additional: ByteArray<'l>,
    ) -> ByteArray<'l> {
        let mut context = context.hold(env)?;
        let ciphertext = secret(env, "ciphertextArray == null", ciphertext)?;
        let additional = optional_secret(env, additional)?.unwrap_or_default();
        let opened = super::types::Secret(context.open(&ciphertext, &additional)?);
        Ok(ByteArray::new(env, &opened)?)
    }

    /// A secret for a context string.
    fn EVP_HPKE_CTX_export(
        env, context: Ref<'l, Context>, exporter_context: ByteArray<'l>, length: jint,
    ) -> ByteArray<'l> {
        let context = context.hold(env)?;
        let exporter_context = optional_secret(env, exporter_context)?.unwrap_or_default();
        let length = usize::try_from(length).map_err(|_| Error::argument("negative length"))?;
        let exported = super::types::Secret(context.export(&exporter_context, length)?);
        Ok(ByteArray::new(env, &exported)?)
    }
}
