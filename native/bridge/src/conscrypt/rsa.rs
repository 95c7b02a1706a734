//! RSA.

use bssl::conscrypt::rsa::{Numbers, Operation};
use jni::sys::jint;

use super::error::{Error, Exception, Otherwise};
use super::key::PKey;
use super::natives;
use super::slab::Handle;
use super::types::{Input, Ref, Secret, byte_arrays, optional_secret};
use crate::boundary::Env;
use crate::bytes::{ByteArray, ByteArrays};

/// Bytes written; -1 if the key is no RSA key.
fn crypt<'l>(
    env: &mut Env<'l>,
    operation: Operation,
    length: jint,
    input: ByteArray<'l>,
    output: ByteArray<'l>,
    key: Ref<'l, PKey>,
    padding: jint,
) -> Result<jint, Error> {
    let key = key.get(env)?;
    input.len(env, "from")?;
    output.len(env, "to")?;
    let mut input = Input::of(env, "from", input, 0, length)?;
    let Some(result) = key.rsa_crypt(operation, input.bytes(), padding) else { return Ok(-1) };
    let result = Secret(result.otherwise(Exception::BadPadding)?);
    let length = jint::try_from(result.len()).unwrap_or(0);
    output.slice(env, "to", 0, length)?.write(env, &result)?;
    Ok(length)
}

natives! { 'l =>
    /// From numbers.
    fn EVP_PKEY_new_RSA(
        env, n: ByteArray<'l>, e: ByteArray<'l>, d: ByteArray<'l>, p: ByteArray<'l>, q: ByteArray<'l>,
        dp: ByteArray<'l>, dq: ByteArray<'l>, qinv: ByteArray<'l>,
    ) -> Handle<PKey> {
        if e.is_null() && d.is_null() {
            return Err(Error::argument("e == null && d == null"));
        }
        let n = n.to_vec(env, "n == null")?;
        let mut optional = |array| optional_secret(env, array);
        let (e, d, p, q) = (optional(e)?, optional(d)?, optional(p)?, optional(q)?);
        let (dp, dq, qinv) = (optional(dp)?, optional(dq)?, optional(qinv)?);
        Handle::new(PKey::from_rsa(&Numbers {
            n: &n,
            e: e.as_deref(),
            d: d.as_deref(),
            p: p.as_deref(),
            q: q.as_deref(),
            dp: dp.as_deref(),
            dq: dq.as_deref(),
            qinv: qinv.as_deref(),
        })?)
    }

    /// A new key.
    fn RSA_generate_key_ex(env, bits: jint, exponent: ByteArray<'l>) -> Handle<PKey> {
        let exponent = exponent.to_vec(env, "publicExponent == null")?;
        Handle::new(PKey::generate_rsa(bits, &exponent)?)
    }

    /// Bytes of the modulus.
    fn RSA_size(env, key: Ref<'l, PKey>) -> jint {
        let size = key.get(env)?.rsa_size().always(Exception::Runtime, "RSA_size failed")?;
        Ok(jint::try_from(size).unwrap_or(0))
    }

    /// Signs.
    fn RSA_private_encrypt(
        env, length: jint, from: ByteArray<'l>, to: ByteArray<'l>, key: Ref<'l, PKey>, padding: jint,
    ) -> jint {
        crypt(env, Operation::PrivateEncrypt, length, from, to, key, padding)
    }

    /// Recovers what was signed.
    fn RSA_public_decrypt(
        env, length: jint, from: ByteArray<'l>, to: ByteArray<'l>, key: Ref<'l, PKey>, padding: jint,
    ) -> jint {
        crypt(env, Operation::PublicDecrypt, length, from, to, key, padding)
    }

    /// Encrypts.
    fn RSA_public_encrypt(
        env, length: jint, from: ByteArray<'l>, to: ByteArray<'l>, key: Ref<'l, PKey>, padding: jint,
    ) -> jint {
        crypt(env, Operation::PublicEncrypt, length, from, to, key, padding)
    }

    /// Decrypts.
    fn RSA_private_decrypt(
        env, length: jint, from: ByteArray<'l>, to: ByteArray<'l>, key: Ref<'l, PKey>, padding: jint,
    ) -> jint {
        crypt(env, Operation::PrivateDecrypt, length, from, to, key, padding)
    }

    /// n, e.
    fn get_RSA_public_params(env, key: Ref<'l, PKey>) -> ByteArrays<'l> {
        let [n, e, ..] = key.get(env)?.rsa_numbers()?;
        if n.is_none() {
            return Err(Error::null("n"));
        }
        if e.is_none() {
            return Err(Error::null("e"));
        }
        byte_arrays(env, &[n, e])
    }

    /// All numbers, null for unknown ones.
    fn get_RSA_private_params(env, key: Ref<'l, PKey>) -> ByteArrays<'l> {
        let mut numbers = key.get(env)?.rsa_numbers()?;
        if numbers.first().is_some_and(Option::is_none) {
            return Err(Error::null("n"));
        }
        let result = byte_arrays(env, &numbers);
        numbers.iter_mut().flatten().for_each(|number| bssl::bytes::cleanse(number));
        result
    }
}
