//! Asymmetric keys.

use bssl::bytes::cleanse;
use bssl::key::{Key, Kind, PrivateNumbers};
use jni::sys::{jboolean, jint};

use super::natives;
use crate::boundary::Env;
use crate::bytes::{ByteArray, ByteArrays, Owner};
use crate::error::Error;
use crate::handle::{Handle, Managed};

impl Managed for Key {
    const TAG: u32 = u32::from_be_bytes(*b"pkey");
    const NAME: &'static str = "key";
}

/// What the array holds, zeroed behind `use_it`.
fn with_secret<'l, T>(
    env: &mut Env<'l>,
    name: &'static str,
    array: ByteArray<'l>,
    use_it: impl FnOnce(&[u8]) -> Result<T, bssl::Error>,
) -> Result<T, Error> {
    let mut bytes = array.to_vec(env, name)?;
    let result = use_it(&bytes);
    cleanse(&mut bytes);
    Ok(result?)
}

natives! { 'l =>
    /// From a SubjectPublicKeyInfo.
    fn key_from_spki(env, der: ByteArray<'l>) -> Handle<Key> {
        Ok(Handle::new(Key::from_spki(&der.to_vec(env, "key")?)?))
    }

    /// From PKCS#8.
    fn key_from_pkcs8(env, der: ByteArray<'l>) -> Handle<Key> {
        with_secret(env, "key", der, Key::from_pkcs8).map(Handle::new)
    }

    /// From an encoded point or raw bytes.
    fn key_from_public_bytes(env, kind: jint, bytes: ByteArray<'l>) -> Handle<Key> {
        let kind = Kind::from_number(kind)?;
        Ok(Handle::new(Key::public_from_bits(kind, &bytes.to_vec(env, "key")?)?))
    }

    /// From a curve's private number or raw bytes.
    fn key_from_private_bytes(env, kind: jint, bytes: ByteArray<'l>) -> Handle<Key> {
        let kind = Kind::from_number(kind)?;
        let parse = match kind {
            Kind::X25519 | Kind::Ed25519 => Key::raw_private,
            _ => Key::ec_private,
        };
        with_secret(env, "key", bytes, |bytes| parse(kind, bytes)).map(Handle::new)
    }

    /// An RSA key from its numbers.
    fn key_from_rsa_numbers(
        env, private: jboolean, pss: jboolean, numbers: ByteArrays<'l>, parameters: ByteArray<'l>,
    ) -> Handle<Key> {
        let kind = if pss { Kind::RsaPss } else { Kind::Rsa };
        let parameters = parameters.to_vec_or_none(env)?;
        let mut numbers = numbers.to_vecs(env, "numbers")?;
        let key = rsa(kind, private, &numbers);
        for number in &mut numbers {
            cleanse(number);
        }
        let key = key?;
        Ok(Handle::new(match parameters {
            Some(parameters) => key.with_pss_parameters(&parameters)?,
            None => key,
        }))
    }

    /// A new private key.
    fn key_generate(env, kind: jint, bits: jint, exponent: ByteArray<'l>) -> Handle<Key> {
        let exponent = exponent.to_vec_or_none(env)?.unwrap_or_default();
        Ok(Handle::new(Key::generate(Kind::from_number(kind)?, bits, &exponent)?))
    }

    /// Frees it.
    fn key_free(_env, key: Handle<Key>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { key.free() }
    }

    /// Its public half.
    fn key_public_half(_env, key: Handle<Key>, _owner: Owner<'l>) -> Handle<Key> {
        // SAFETY: the owner keeps it alive during the call.
        let key = unsafe { key.share()? };
        Ok(Handle::new(key.public_half()?))
    }

    /// Its kind's number, and in bit 8 whether it has primes.
    fn key_kind(_env, key: Handle<Key>, _owner: Owner<'l>) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let key = unsafe { key.share()? };
        Ok(key.kind() as jint | jint::from(key.has_primes()) << 8)
    }

    /// Its encoding.
    fn key_encode(env, key: Handle<Key>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let key = unsafe { key.share()? };
        ByteArray::new(env, key.encode()?.as_ref())
    }

    /// Its numbers.
    fn key_numbers(env, key: Handle<Key>, _owner: Owner<'l>) -> ByteArrays<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let key = unsafe { key.share()? };
        ByteArrays::new(env, &key.numbers()?)
    }

    /// Its PSS parameters.
    fn key_pss_parameters(env, key: Handle<Key>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let key = unsafe { key.share()? };
        ByteArray::new(env, key.pss_parameters())
    }
}

fn rsa(kind: Kind, private: bool, numbers: &[Vec<u8>]) -> Result<Key, bssl::Error> {
    match (private, numbers) {
        (false, [n, e]) => Key::rsa_public(kind, n, e),
        (true, [n, e, d]) => Key::rsa_private(kind, &PrivateNumbers { n, e, d, crt: None }),
        (true, [n, e, d, p, q, dp, dq, qinv]) => {
            Key::rsa_private(kind, &PrivateNumbers { n, e, d, crt: Some([p, q, dp, dq, qinv]) })
        }
        _ => Err(bssl::Error::Argument("an RSA key has 2, 3 or 8 numbers")),
    }
}
