//! Signatures and key agreement.

use bssl::agree;
use bssl::bytes::cleanse;
use bssl::digest::{self, Algorithm, Digest};
use bssl::key::Key;
use bssl::sign::{self, Scheme};
use jni::sys::{jboolean, jint};

use super::natives;
use crate::boundary::Env;
use crate::bytes::{ArraySlice, ByteArray, Owner, Place, SMALL, Scratch};
use crate::error::Error;
use crate::handle::Handle;

/// `scheme` as Java numbers it, with the digests' numbers and the length of the salt in bytes.
fn scheme(scheme: jint, digest: jint, mgf: jint, salt: jint) -> Result<(Scheme, Option<Algorithm>), Error> {
    Ok(match scheme {
        0 => {
            let digest = Algorithm::from_number(digest)?;
            (Scheme::RsaPkcs1(digest), Some(digest))
        }
        1 => (Scheme::RsaPkcs1Raw, None),
        2 => {
            let (digest, mgf) = (Algorithm::from_number(digest)?, Algorithm::from_number(mgf)?);
            (Scheme::RsaPss { digest, mgf, salt }, Some(digest))
        }
        3 | 4 => {
            let kind = if scheme == 3 { Scheme::Ecdsa } else { Scheme::EcdsaP1363 };
            (kind, if digest < 0 { None } else { Some(Algorithm::from_number(digest)?) })
        }
        5 => (Scheme::Ed25519, None),
        _ => return Err(Error::Argument("no such signature scheme")),
    })
}

/// Gives `work` the digest of what is in `started`, if any, and then `input`; or `input` itself.
fn digested<'l, T>(
    env: &mut Env<'l>,
    algorithm: Option<Algorithm>,
    started: Option<Handle<Digest>>,
    input: ArraySlice<'l>,
    work: impl FnOnce(&[u8]) -> Result<T, bssl::Error>,
) -> Result<T, Error> {
    let Some(algorithm) = algorithm else {
        if input.len() <= SMALL {
            let mut scratch = Scratch::new(input.len());
            input.read(env, scratch.bytes())?;
            return Ok(work(scratch.bytes())?);
        }
        let mut message = input.to_vec(env)?;
        let result = work(&message);
        cleanse(&mut message);
        return Ok(result?);
    };
    let mut out = [0; digest::MAX_LENGTH];
    let length = match started {
        Some(digest) => {
            // SAFETY: the owner keeps it alive during the call.
            let mut digest = unsafe { digest.borrow()? };
            if digest.algorithm() != algorithm {
                return Err(Error::Argument("the digest is of another algorithm"));
            }
            Place::Array(input).for_each_piece(env, |piece| digest.update(piece))?;
            digest.finish(&mut out)?
        }
        None if input.len() <= SMALL => {
            let mut scratch = Scratch::new(input.len());
            input.read(env, scratch.bytes())?;
            digest::one_shot(algorithm, scratch.bytes(), &mut out)?
        }
        None => {
            let mut digest = Digest::new(algorithm)?;
            Place::Array(input).for_each_piece(env, |piece| digest.update(piece))?;
            digest.finish(&mut out)?
        }
    };
    Ok(work(out.get(..length).unwrap_or_default())?)
}

natives! { 'l =>
    /// A signature.
    fn signature_sign(
        env, key: Handle<Key>, _owner: Owner<'l>, number: jint, digest: jint, mgf: jint, salt: jint,
        started: jboolean, digester: Handle<Digest>, _digester_owner: Owner<'l>,
        input: ByteArray<'l>, offset: jint, length: jint,
    ) -> ByteArray<'l> {
        let (scheme, algorithm) = scheme(number, digest, mgf, salt)?;
        // SAFETY: the owner keeps it alive during the call.
        let key = unsafe { key.share()? };
        let input = input.slice(env, "input", offset, length)?;
        let mut out = [0; sign::MAX_LENGTH];
        let made = digested(env, algorithm, started.then_some(digester), input, |input| {
            sign::sign(key, scheme, input, &mut out)
        })?;
        ByteArray::new(env, out.get(..made).unwrap_or_default())
    }

    /// Whether a signature is right.
    fn signature_verify(
        env, key: Handle<Key>, _owner: Owner<'l>, number: jint, digest: jint, mgf: jint, salt: jint,
        started: jboolean, digester: Handle<Digest>, _digester_owner: Owner<'l>,
        input: ByteArray<'l>, offset: jint, length: jint,
        signature: ByteArray<'l>, signature_offset: jint, signature_length: jint,
    ) -> jboolean {
        let (scheme, algorithm) = scheme(number, digest, mgf, salt)?;
        // SAFETY: the owner keeps it alive during the call.
        let key = unsafe { key.share()? };
        let input = input.slice(env, "input", offset, length)?;
        let signature = signature.slice(env, "signature", signature_offset, signature_length)?;
        if signature.len() > SMALL {
            return Err(bssl::Error::Signature("longer than every signature").into());
        }
        let mut copy = Scratch::new(signature.len());
        signature.read(env, copy.bytes())?;
        digested(env, algorithm, started.then_some(digester), input, |input| {
            sign::verify(key, scheme, input, copy.bytes())
        })
    }

    /// A shared secret.
    fn agreement_derive(
        env, key: Handle<Key>, _owner: Owner<'l>, peer: Handle<Key>, _peer_owner: Owner<'l>,
    ) -> ByteArray<'l> {
        // SAFETY: the owners keep them alive during the call.
        let (key, peer) = unsafe { (key.share()?, peer.share()?) };
        let mut secret = [0; agree::MAX_LENGTH];
        let made = agree::derive(key, peer, &mut secret)
            .map_err(Error::from)
            .and_then(|length| ByteArray::new(env, secret.get(..length).unwrap_or_default()));
        cleanse(&mut secret);
        made
    }
}
