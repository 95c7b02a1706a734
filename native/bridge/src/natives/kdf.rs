//! Key derivation.

use bssl::bytes::cleanse;
use bssl::digest::{Algorithm, MAX_LENGTH};
use bssl::kdf;
use jni::sys::{jint, jlong};

use super::natives;
use crate::boundary::Env;
use crate::bytes::ByteArray;
use crate::error::Error;

natives! { 'l =>
    /// HKDF-Extract.
    fn hkdf_extract(env, algorithm: jint, secret: ByteArray<'l>, salt: ByteArray<'l>) -> ByteArray<'l> {
        let algorithm = Algorithm::from_number(algorithm)?;
        with(env, secret, salt, algorithm.length(), |secret, salt, out| {
            let mut full = [0; MAX_LENGTH];
            let result = kdf::hkdf_extract(algorithm, secret, salt, &mut full);
            out.copy_from_slice(full.get(..out.len()).unwrap_or_default());
            cleanse(&mut full);
            result.map(|_| ())
        })
    }

    /// HKDF-Expand.
    fn hkdf_expand(env, algorithm: jint, key: ByteArray<'l>, info: ByteArray<'l>, length: jint) -> ByteArray<'l> {
        let algorithm = Algorithm::from_number(algorithm)?;
        let length = checked(length)?;
        with(env, key, info, length, |key, info, out| kdf::hkdf_expand(algorithm, key, info, out))
    }

    /// PBKDF2 with HMAC.
    fn pbkdf2(
        env, algorithm: jint, password: ByteArray<'l>, salt: ByteArray<'l>, iterations: jint, length: jint,
    ) -> ByteArray<'l> {
        let algorithm = Algorithm::from_number(algorithm)?;
        let iterations = u32::try_from(iterations).unwrap_or(0);
        let length = checked(length)?;
        with(env, password, salt, length, |password, salt, out| kdf::pbkdf2(algorithm, password, salt, iterations, out))
    }

    /// scrypt.
    fn scrypt(
        env, password: ByteArray<'l>, salt: ByteArray<'l>, n: jlong, r: jint, p: jint, length: jint,
    ) -> ByteArray<'l> {
        let [n, r, p] = [n, r.into(), p.into()].map(|cost| u64::try_from(cost).unwrap_or(0));
        let length = checked(length)?;
        with(env, password, salt, length, |password, salt, out| {
            kdf::scrypt(password, salt, kdf::ScryptCost::new(n, r, p)?, out)
        })
    }
}

fn checked(length: jint) -> Result<usize, Error> {
    usize::try_from(length).map_err(|_| Error::Argument("a negative length"))
}

/// Copies a secret and another array, derives `length` bytes from them, and zeroes every copy.
fn with<'l>(
    env: &mut Env<'l>,
    secret: ByteArray<'l>,
    other: ByteArray<'l>,
    length: usize,
    work: impl FnOnce(&[u8], &[u8], &mut [u8]) -> Result<(), bssl::Error>,
) -> Result<ByteArray<'l>, Error> {
    let other = other.to_vec(env, "salt or info")?;
    let mut out = Vec::new();
    out.try_reserve_exact(length).map_err(|_| Error::Bssl(bssl::Error::OutOfMemory))?;
    out.resize(length, 0);
    let mut secret = secret.to_vec(env, "secret")?;
    let result = work(&secret, &other, &mut out);
    cleanse(&mut secret);
    let answer = result.map_err(Error::from).and_then(|()| ByteArray::new(env, &out));
    cleanse(&mut out);
    answer
}
