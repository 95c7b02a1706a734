//! `EVP_PKEY`, `EVP_PKEY_CTX`, and keys that Java holds.
#![allow(unsafe_code, reason = "calls through the JNI function table")]

use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) use bssl::conscrypt::pkey::PKey;

use bssl::conscrypt::digest::MdCtx;
use bssl::conscrypt::opaque::{self, Holder};
use bssl::conscrypt::pkey::{Crypt, PKeyCtx, PKeyCtxRef};
use jni::sys::{jint, jlong};

use super::digest::md;
use super::ec::Group;
use super::error::{Error, Exception, Otherwise};

use super::java::{self, Global, Upcall};
use super::slab::{Exclusive, Handle, Managed, has_tag, whole_held};
use super::types::{Input, JString, NativeRef, PrivateKey, Ref, Secret, secret};
use super::{kinds, natives};
use crate::boundary::{Env, Raise, take_panic};
use crate::bytes::{ByteArray, IntArray};

impl Managed for PKey {
    const TAG: u8 = kinds::EVP_PKEY;
    const NAME: &'static str = "EVP_PKEY";
}
impl NativeRef for PKey {
    const SIGNATURE: &'static str = "Lorg/conscrypt/NativeRef$EVP_PKEY;";
}

impl Managed for Exclusive<PKeyCtx> {
    const TAG: u8 = kinds::EVP_PKEY_CTX;
    const NAME: &'static str = "EVP_PKEY_CTX";
}
impl NativeRef for Exclusive<PKeyCtx> {
    const SIGNATURE: &'static str = "Lorg/conscrypt/NativeRef$EVP_PKEY_CTX;";
}
type Context = Exclusive<PKeyCtx>;

const BAD_PRIVATE: &str = "Error parsing private key";
const BAD_PUBLIC: &str = "Error parsing public key";
const BAD_TYPE: &str = "unsupported pkeyType";

/// Lets `work` set parameters of a context: one of its own, or the one inside an `EVP_MD_CTX`.
fn with_context(
    env: &Env<'_>,
    raw: jlong,
    work: impl FnOnce(&mut PKeyCtxRef) -> bssl::conscrypt::Result<()>,
) -> Result<(), Error> {
    let result = if has_tag(raw, kinds::EVP_PKEY_CTX_OF_MD_CTX) {
        whole_held::<MdCtx>(env, raw, kinds::EVP_PKEY_CTX_OF_MD_CTX, "EVP_PKEY_CTX")?.with_pkey_ctx(work)
    } else {
        let mut context = Handle::<Context>::from_raw(raw).hold(env)?;
        work(&mut context.borrow())
    };
    result.otherwise(Exception::InvalidAlgorithmParameter)
}

fn required_md(raw: jlong) -> Result<bssl::conscrypt::digest::Md, Error> {
    md(raw)?.ok_or_else(|| Error::null("md == null"))
}

/// The types that a native is given, at least one.
fn types<'l>(env: &mut Env<'l>, types: IntArray<'l>) -> Result<Vec<jint>, Error> {
    let types = types.to_vec(env, "algs == null")?;
    if types.is_empty() { Err(Error::argument("algs.length == 0")) } else { Ok(types) }
}

fn crypt<'l>(
    env: &mut Env<'l>,
    which: Crypt,
    context: Ref<'l, Context>,
    (output, output_offset): (ByteArray<'l>, jint),
    (input, input_offset, input_length): (ByteArray<'l>, jint, jint),
) -> Result<jint, Error> {
    let mut context = context.hold(env)?;
    let length = output.len(env, "outBytes")?;
    input.len(env, "inBytes")?;
    let room = output.slice(env, "outBytes", output_offset, length.checked_sub(output_offset).unwrap_or(-1))?.len();
    let mut input = Input::of(env, "inBytes", input, input_offset, input_length)?;
    // The longest RSA modulus has 2 KiB.
    let mut out = Secret(vec![0; room.min(2048)]);
    let written = context.crypt(which, input.bytes(), &mut out).otherwise(Exception::BadPadding)?;
    let written = jint::try_from(written).unwrap_or(0);
    output.slice(env, "outBytes", output_offset, written)?.write_prefix(env, &out)?;
    Ok(written)
}

fn utf8<'l>(env: &mut Env<'l>, text: &[u8]) -> Result<JString<'l>, Error> {
    JString::new(env, &String::from_utf8_lossy(text))
}

/// A `java.security.PrivateKey` that is used through `CryptoUpcalls`.
struct JavaKey(Global);

impl JavaKey {
    /// Calls Java from within BoringSSL: nothing unwinds, and an exception stays pending.
    fn call(&self, upcall: Upcall, input: &[u8]) -> Option<Vec<u8>> {
        let mut env = java::current_env()?;
        if env.exception_check() {
            return None;
        }
        let result = catch_unwind(AssertUnwindSafe(|| -> Result<Option<Vec<u8>>, Error> {
            let input = ByteArray::new(&mut env, input)?.raw();
            let output = java::upcall(&mut env, upcall, self.0.get(), input)?;
            java::delete(&mut env, input);
            let bytes = ByteArray::from_raw(output).to_vec_or_none(&mut env)?;
            java::delete(&mut env, output);
            Ok(bytes)
        }));
        let error = match result {
            Ok(Ok(bytes)) => return bytes,
            Ok(Err(error)) => error,
            Err(_) => Error::panic(take_panic()),
        };
        error.raise(&mut env);
        None
    }
}

impl Holder for JavaKey {
    fn rsa_sign(&self, padding: i32, input: &[u8]) -> Option<Vec<u8>> {
        self.call(Upcall::RsaSign(padding), input)
    }

    fn rsa_decrypt(&self, padding: i32, input: &[u8]) -> Option<Vec<u8>> {
        self.call(Upcall::RsaDecrypt(padding), input)
    }

    fn ec_sign(&self, digest: &[u8]) -> Option<Vec<u8>> {
        self.call(Upcall::EcSign, digest)
    }
}

natives! { 'l =>
    /// Frees it.
    fn EVP_PKEY_free(_env, key: Handle<PKey>) -> () {
        key.free_unless_null()
    }

    /// Its type.
    fn EVP_PKEY_type(env, key: Ref<'l, PKey>) -> jint {
        Ok(key.get(env)?.id())
    }

    /// 1 for the same public key.
    fn EVP_PKEY_cmp(env, one: Ref<'l, PKey>, other: Ref<'l, PKey>) -> jint {
        Ok(one.get(env)?.compare(&*other.get(env)?))
    }

    /// The public key in words.
    fn EVP_PKEY_print_public(env, key: Ref<'l, PKey>) -> JString<'l> {
        let text = key.get(env)?.print_public()?;
        utf8(env, &text)
    }

    /// The parameters in words.
    fn EVP_PKEY_print_params(env, key: Ref<'l, PKey>) -> JString<'l> {
        let text = key.get(env)?.print_params()?;
        utf8(env, &text)
    }

    /// PKCS#8.
    fn EVP_marshal_private_key(env, key: Ref<'l, PKey>) -> ByteArray<'l> {
        let der = Secret(key.get(env)?.to_pkcs8()?);
        Ok(ByteArray::new(env, &der)?)
    }

    /// SubjectPublicKeyInfo.
    fn EVP_marshal_public_key(env, key: Ref<'l, PKey>) -> ByteArray<'l> {
        let der = key.get(env)?.to_spki()?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// From PKCS#8.
    fn EVP_parse_private_key(env, der: ByteArray<'l>) -> Handle<PKey> {
        let der = secret(env, "keyJavaBytes == null", der)?;
        Handle::new(PKey::from_pkcs8_prefix(&der).always(Exception::Parsing, BAD_PRIVATE)?)
    }

    /// From SubjectPublicKeyInfo.
    fn EVP_parse_public_key(env, der: ByteArray<'l>) -> Handle<PKey> {
        let der = der.to_vec(env, "keyJavaBytes == null")?;
        Handle::new(PKey::from_spki_prefix(&der).always(Exception::Parsing, BAD_PUBLIC)?)
    }

    /// From PKCS#8 of one of some types.
    fn EVP_PKEY_from_private_key_info(env, der: ByteArray<'l>, algorithms: IntArray<'l>) -> Handle<PKey> {
        let der = secret(env, "key_java_bytes == null", der)?;
        let types = types(env, algorithms)?;
        let key = PKey::from_private_key_info(&der, &types).ok_or_else(|| Error::argument(BAD_TYPE))?;
        Handle::new(key.always(Exception::Parsing, BAD_PRIVATE)?)
    }

    /// From SubjectPublicKeyInfo of one of some types.
    fn EVP_PKEY_from_subject_public_key_info(env, der: ByteArray<'l>, algorithms: IntArray<'l>) -> Handle<PKey> {
        let der = der.to_vec(env, "key_java_bytes == null")?;
        let types = types(env, algorithms)?;
        let key = PKey::from_subject_public_key_info(&der, &types).ok_or_else(|| Error::argument(BAD_TYPE))?;
        Handle::new(key.always(Exception::Parsing, BAD_PUBLIC)?)
    }

    /// From a private key's bytes.
    fn EVP_PKEY_from_raw_private_key(env, key_type: jint, bytes: ByteArray<'l>) -> Handle<PKey> {
        let bytes = secret(env, "key_java_bytes == null", bytes)?;
        let key = PKey::from_raw_private(key_type, &bytes).ok_or_else(|| Error::argument("unsupported pkey_type"))?;
        Handle::new(key.always(Exception::Parsing, BAD_PRIVATE)?)
    }

    /// From a public key's bytes.
    fn EVP_PKEY_from_raw_public_key(env, key_type: jint, bytes: ByteArray<'l>) -> Handle<PKey> {
        let bytes = bytes.to_vec(env, "key_java_bytes == null")?;
        let key = PKey::from_raw_public(key_type, &bytes).ok_or_else(|| Error::argument(BAD_TYPE))?;
        Handle::new(key.always(Exception::Parsing, BAD_PUBLIC)?)
    }

    /// From a seed.
    fn EVP_PKEY_from_private_seed(env, key_type: jint, seed: ByteArray<'l>) -> Handle<PKey> {
        let seed = secret(env, "javaSeedBytes == null", seed)?;
        let key = PKey::from_private_seed(key_type, &seed)
            .ok_or_else(|| Error::new(Exception::InvalidKey, BAD_TYPE))?;
        Handle::new(key.always(Exception::Parsing, BAD_PRIVATE)?)
    }

    /// The private key's bytes.
    fn EVP_PKEY_get_raw_private_key(env, key: Ref<'l, PKey>) -> ByteArray<'l> {
        let bytes = Secret(key.get(env)?.raw_private()?);
        Ok(ByteArray::new(env, &bytes)?)
    }

    /// The public key's bytes.
    fn EVP_PKEY_get_raw_public_key(env, key: Ref<'l, PKey>) -> ByteArray<'l> {
        let bytes = key.get(env)?.raw_public()?;
        Ok(ByteArray::new(env, &bytes)?)
    }

    /// The seed.
    fn EVP_PKEY_get_private_seed(env, key: Ref<'l, PKey>) -> ByteArray<'l> {
        let seed = Secret(key.get(env)?.private_seed()?);
        Ok(ByteArray::new(env, &seed)?)
    }

    /// The bytes of an X25519 key in PKCS#8.
    fn EVP_raw_X25519_private_key(env, der: ByteArray<'l>) -> ByteArray<'l> {
        let der = secret(env, "keyJavaBytes == null", der)?;
        let key = PKey::from_pkcs8_prefix(&der).always(Exception::Parsing, BAD_PRIVATE)?;
        if !key.is_x25519() {
            return Err(Error::new(Exception::InvalidKey, "Invalid key type"));
        }
        let bytes = Secret(key.raw_private()?);
        Ok(ByteArray::new(env, &bytes)?)
    }

    /// A key that Java holds, with its modulus.
    fn getRSAPrivateKeyWrapper(env, key: PrivateKey<'l>, modulus: ByteArray<'l>) -> Handle<PKey> {
        let modulus = modulus.to_vec(env, "modulusBytes == null")?;
        if key.is_null() {
            return Err(Error::null("javaKey == null"));
        }
        let holder = JavaKey(Global::new(env, key.raw())?);
        Handle::new(opaque::rsa_key(Box::new(holder), &modulus)?)
    }

    /// A key that Java holds, with its group.
    fn getECPrivateKeyWrapper(env, key: PrivateKey<'l>, group: Ref<'l, Group>) -> Handle<PKey> {
        let group = group.get(env)?;
        if key.is_null() {
            return Err(Error::null("javaKey == null"));
        }
        let holder = JavaKey(Global::new(env, key.raw())?);
        Handle::new(opaque::ec_key(Box::new(holder), &group)?)
    }

    /// Ready to encrypt.
    fn EVP_PKEY_encrypt_init(env, key: Ref<'l, PKey>) -> Handle<Context> {
        let key = key.get(env)?;
        Handle::new(Exclusive::new(PKeyCtx::new(&key, Crypt::Encrypt).otherwise(Exception::InvalidKey)?))
    }

    /// Ready to decrypt.
    fn EVP_PKEY_decrypt_init(env, key: Ref<'l, PKey>) -> Handle<Context> {
        let key = key.get(env)?;
        Handle::new(Exclusive::new(PKeyCtx::new(&key, Crypt::Decrypt).otherwise(Exception::InvalidKey)?))
    }

    /// Encrypts.
    fn EVP_PKEY_encrypt(
        env, context: Ref<'l, Context>, output: ByteArray<'l>, output_offset: jint,
        input: ByteArray<'l>, input_offset: jint, input_length: jint,
    ) -> jint {
        crypt(env, Crypt::Encrypt, context, (output, output_offset), (input, input_offset, input_length))
    }

    /// Decrypts.
    fn EVP_PKEY_decrypt(
        env, context: Ref<'l, Context>, output: ByteArray<'l>, output_offset: jint,
        input: ByteArray<'l>, input_offset: jint, input_length: jint,
    ) -> jint {
        crypt(env, Crypt::Decrypt, context, (output, output_offset), (input, input_offset, input_length))
    }

    /// Frees it; one inside an `EVP_MD_CTX` is freed with that.
    fn EVP_PKEY_CTX_free(_env, context: Handle<Context>) -> () {
        context.free_unless_null()
    }

    /// RSA's padding.
    fn EVP_PKEY_CTX_set_rsa_padding(env, context: jlong, padding: jint) -> () {
        with_context(env, context, |context| context.set_rsa_padding(padding))
    }

    /// Bytes of PSS's salt.
    fn EVP_PKEY_CTX_set_rsa_pss_saltlen(env, context: jlong, length: jint) -> () {
        with_context(env, context, |context| context.set_rsa_pss_salt_length(length))
    }

    /// MGF1's hash function.
    fn EVP_PKEY_CTX_set_rsa_mgf1_md(env, context: jlong, digest: jlong) -> () {
        let digest = required_md(digest)?;
        with_context(env, context, |context| context.set_rsa_mgf1_md(digest))
    }

    /// OAEP's hash function.
    fn EVP_PKEY_CTX_set_rsa_oaep_md(env, context: jlong, digest: jlong) -> () {
        let digest = required_md(digest)?;
        with_context(env, context, |context| context.set_rsa_oaep_md(digest))
    }

    /// OAEP's label.
    fn EVP_PKEY_CTX_set_rsa_oaep_label(env, context: jlong, label: ByteArray<'l>) -> () {
        let label = label.to_vec(env, "labelJava == null")?;
        with_context(env, context, |context| context.set_rsa_oaep_label(&label))
    }

    /// The first public key of PEM text.
    fn PEM_read_bio_PUBKEY(env, bio: Handle<super::bio::Bio>) -> Handle<PKey> {
        Handle::new(bio.get()?.read_pem(env, PKey::public_from_pem)?)
    }

    /// The first private key of PEM text.
    fn PEM_read_bio_PrivateKey(env, bio: Handle<super::bio::Bio>) -> Handle<PKey> {
        Handle::new(bio.get()?.read_pem(env, PKey::private_from_pem)?)
    }
}
