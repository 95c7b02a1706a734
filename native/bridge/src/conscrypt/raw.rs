//! Keys that are bytes, and random bytes.

use bssl::conscrypt::aead::scrypt;
use bssl::conscrypt::raw;
use jni::sys::{jboolean, jint};

use super::error::{Error, Exception, Otherwise};
use super::natives;
use super::types::{Input, Secret, exactly, new_array, secret};
use crate::boundary::Env;
use crate::bytes::{ArraySlice, ByteArray};

/// An array of exactly this length, to write to.
fn room<'l>(
    env: &mut Env<'l>,
    name: &'static str,
    array: ByteArray<'l>,
    length: jint,
    message: &'static str,
) -> Result<ArraySlice<'l>, Error> {
    if array.len(env, name)? != length {
        return Err(Error::argument(message));
    }
    Ok(array.slice(env, name, 0, length)?)
}

/// Writes both halves of a pair and forgets the private one.
fn write_pair<'l>(
    env: &mut Env<'l>,
    (public_room, private_room): (ArraySlice<'l>, ArraySlice<'l>),
    (public, private): (&[u8], &mut [u8]),
) -> Result<(), Error> {
    let result = public_room.write(env, public).and_then(|()| private_room.write(env, private));
    bssl::bytes::cleanse(private);
    Ok(result?)
}

natives! { 'l =>
    /// Fills an array.
    fn RAND_bytes(env, output: ByteArray<'l>) -> () {
        let length = output.len(env, "output == null")?;
        let mut bytes = Secret(vec![0; usize::try_from(length).unwrap_or(0)]);
        raw::random(&mut bytes)?;
        Ok(output.slice(env, "output", 0, length)?.write(env, &bytes)?)
    }

    /// scrypt.
    fn Scrypt_generate_key(
        env, password: ByteArray<'l>, salt: ByteArray<'l>, n: jint, r: jint, p: jint, length: jint,
    ) -> ByteArray<'l> {
        let password = secret(env, "password == null", password)?;
        let salt = salt.to_vec(env, "salt == null")?;
        // Where there can be no such array, C has none.
        let length = usize::try_from(length).map_err(|_| Error::null("negative key length"))?;
        // Java's memory first: it has a limit.
        let result = ByteArray::from_raw(new_array(env, length)?);
        let mut key = Secret::default();
        key.0.try_reserve_exact(length).map_err(|_| Error::new(Exception::OutOfMemory, "the key is too long"))?;
        key.0.resize(length, 0);
        // Negative numbers are refused as the huge ones that C makes of them.
        let unsigned = |number: jint| i64::from(number).cast_unsigned();
        scrypt(&password, &salt, unsigned(n), unsigned(r), unsigned(p), &mut key)?;
        let length = result.len(env, "key")?;
        result.slice(env, "key", 0, length)?.write(env, &key)?;
        Ok(result)
    }

    /// The shared secret.
    fn X25519(env, output: ByteArray<'l>, private: ByteArray<'l>, public: ByteArray<'l>) -> jboolean {
        let room = room(env, "outArray == null", output, 32, "Output array length != 32")?;
        let mut private = exactly(env, "privkeyArray == null", "Private key array length != 32", private)?;
        let public = exactly(env, "pubkeyArray == null", "Public key array length != 32", public)?;
        let shared = raw::x25519(&private, &public);
        bssl::bytes::cleanse(&mut private);
        let mut shared = shared.otherwise(Exception::InvalidKey)?;
        let result = room.write(env, &shared);
        bssl::bytes::cleanse(&mut shared);
        result?;
        Ok(true)
    }

    /// A new pair.
    fn X25519_keypair(env, public: ByteArray<'l>, private: ByteArray<'l>) -> () {
        const MESSAGE: &str = "Output key array length != 32";
        let rooms = (room(env, "outPublic == null", public, 32, MESSAGE)?, room(env, "outPrivate == null", private, 32, MESSAGE)?);
        let (public, mut private) = raw::x25519_pair();
        write_pair(env, rooms, (&public, &mut private))
    }

    /// A new pair.
    fn ED25519_keypair(env, public: ByteArray<'l>, private: ByteArray<'l>) -> () {
        let rooms = (
            room(env, "outPublic == null", public, 32, "Output public key array length != 32")?,
            room(env, "outPrivate == null", private, 64, "Output private key array length != 64")?,
        );
        let (public, mut private) = raw::ed25519_pair();
        write_pair(env, rooms, (&public, &mut private))
    }

    /// The public key of a seed.
    fn MLDSA44_public_key_from_seed(env, seed: ByteArray<'l>) -> ByteArray<'l> {
        let seed = secret(env, "privateKeySeed == null", seed)?;
        let public = raw::mldsa44_public(&seed)?;
        Ok(ByteArray::new(env, &public)?)
    }

    /// The public key of a seed.
    fn MLDSA65_public_key_from_seed(env, seed: ByteArray<'l>) -> ByteArray<'l> {
        let seed = secret(env, "privateKeySeed == null", seed)?;
        let public = raw::mldsa65_public(&seed)?;
        Ok(ByteArray::new(env, &public)?)
    }

    /// The public key of a seed.
    fn MLDSA87_public_key_from_seed(env, seed: ByteArray<'l>) -> ByteArray<'l> {
        let seed = secret(env, "privateKeySeed == null", seed)?;
        let public = raw::mldsa87_public(&seed)?;
        Ok(ByteArray::new(env, &public)?)
    }

    /// The public key of a seed.
    fn MLKEM768_public_key_from_seed(env, seed: ByteArray<'l>) -> ByteArray<'l> {
        let mut seed = exactly(env, "privateKeySeed == null", "privateKeySeed length != 64", seed)?;
        let public = raw::mlkem768_public(&seed);
        bssl::bytes::cleanse(&mut seed);
        let public = public.always(Exception::IllegalArgument, "MLKEM768_private_key_from_seed failed")?;
        Ok(ByteArray::new(env, &public)?)
    }

    /// The public key of a seed.
    fn MLKEM1024_public_key_from_seed(env, seed: ByteArray<'l>) -> ByteArray<'l> {
        let mut seed = exactly(env, "privateKeySeed == null", "privateKeySeed length != 64", seed)?;
        let public = raw::mlkem1024_public(&seed);
        bssl::bytes::cleanse(&mut seed);
        let public = public.always(Exception::IllegalArgument, "MLKEM1024_private_key_from_seed failed")?;
        Ok(ByteArray::new(env, &public)?)
    }

    /// The public key of a seed.
    fn XWING_public_key_from_seed(env, seed: ByteArray<'l>) -> ByteArray<'l> {
        let mut seed = exactly(env, "privateKeySeed == null", "privateKeySeed length != 32", seed)?;
        let public = raw::xwing_public(&seed);
        bssl::bytes::cleanse(&mut seed);
        let public = public?;
        Ok(ByteArray::new(env, &public)?)
    }

    /// A new pair.
    fn SLHDSA_SHA2_128S_generate_key(env, public: ByteArray<'l>, private: ByteArray<'l>) -> () {
        let rooms = (
            room(env, "outPublic == null", public, 32, "Output public key array length != 32")?,
            room(env, "outPrivate == null", private, 64, "Output private key array length != 64")?,
        );
        let (public, mut private) = raw::slhdsa_pair();
        write_pair(env, rooms, (&public, &mut private))
    }

    /// Signs.
    fn SLHDSA_SHA2_128S_sign(env, data: ByteArray<'l>, length: jint, private: ByteArray<'l>) -> ByteArray<'l> {
        let mut private = exactly(env, "privateKey == null", "Private key array length != 64", private)?;
        let signature = Input::of(env, "dataLen", data, 0, length)
            .and_then(|mut data| Ok(raw::slhdsa_sign(&private, data.bytes())?));
        bssl::bytes::cleanse(&mut private);
        Ok(ByteArray::new(env, &signature?)?)
    }

    /// 1 for a right signature, else 0.
    fn SLHDSA_SHA2_128S_verify(
        env, data: ByteArray<'l>, length: jint, signature: ByteArray<'l>, public: ByteArray<'l>,
    ) -> jint {
        let public = exactly(env, "publicKey == null", "Public key array length != 32", public)?;
        let mut data = Input::of(env, "dataLen", data, 0, length)?;
        let signature = signature.to_vec(env, "sig == null")?;
        Ok(raw::slhdsa_verify(&public, data.bytes(), &signature).into())
    }
}
