//! Keys of the post-quantum algorithms and of key encapsulation mechanisms; encapsulation; signatures.

use std::sync::Arc;

use bssl::bytes::cleanse;
use bssl::pq::{Algorithm, Form, PrivateKey, PublicKey, Signer, Verifier};
use jni::sys::{jboolean, jint};

use super::natives;
use crate::boundary::Env;
use crate::bytes::{Buffer, ByteArray, ByteArrays, Owner, Place};
use crate::error::Error;
use crate::handle::{Handle, Managed};

impl Managed for Arc<PrivateKey> {
    const TAG: u32 = u32::from_be_bytes(*b"pqsk");
    const NAME: &'static str = "private key";
}

impl Managed for Arc<PublicKey> {
    const TAG: u32 = u32::from_be_bytes(*b"pqpk");
    const NAME: &'static str = "public key";
}

impl Managed for Signer {
    const TAG: u32 = u32::from_be_bytes(*b"pqsn");
    const NAME: &'static str = "signature";
}

impl Managed for Verifier {
    const TAG: u32 = u32::from_be_bytes(*b"pqvf");
    const NAME: &'static str = "signature";
}

/// A Java array with a copy of `secret`, which is zeroed.
pub(super) fn secret_array<'l>(env: &mut Env<'l>, mut secret: Vec<u8>) -> Result<ByteArray<'l>, Error> {
    let array = ByteArray::new(env, &secret);
    cleanse(&mut secret);
    array
}

/// Lets `work` see a copy of an array, which is zeroed then.
pub(super) fn with_secret<'l, T>(
    env: &mut Env<'l>,
    array: ByteArray<'l>,
    name: &'static str,
    work: impl FnOnce(&[u8]) -> Result<T, bssl::Error>,
) -> Result<T, Error> {
    let mut secret = array.to_vec(env, name)?;
    let result = work(&secret);
    cleanse(&mut secret);
    Ok(result?)
}

natives! { 'l =>
    /// A new private key.
    fn pq_generate(_env, algorithm: jint) -> Handle<Arc<PrivateKey>> {
        Ok(Handle::new(Arc::new(PrivateKey::generate(Algorithm::from_number(algorithm)?)?)))
    }

    /// A private key from a seed or an expanded key.
    fn pq_private_from_bytes(env, algorithm: jint, expanded: jboolean, key: ByteArray<'l>) -> Handle<Arc<PrivateKey>> {
        let algorithm = Algorithm::from_number(algorithm)?;
        let form = if expanded { Form::Expanded } else { Form::Seed };
        let key = with_secret(env, key, "key", |key| PrivateKey::from_bytes(algorithm, form, key))?;
        Ok(Handle::new(Arc::new(key)))
    }

    /// A private key from PKCS#8.
    fn pq_private_from_pkcs8(env, encoded: ByteArray<'l>) -> Handle<Arc<PrivateKey>> {
        Ok(Handle::new(Arc::new(with_secret(env, encoded, "encoded", PrivateKey::from_pkcs8)?)))
    }

    /// A public key from its encoded form.
    fn pq_public_from_bytes(env, algorithm: jint, key: ByteArray<'l>) -> Handle<Arc<PublicKey>> {
        let key = key.to_vec(env, "key")?;
        Ok(Handle::new(Arc::new(PublicKey::from_bytes(Algorithm::from_number(algorithm)?, &key)?)))
    }

    /// A public key from SubjectPublicKeyInfo.
    fn pq_public_from_spki(env, encoded: ByteArray<'l>) -> Handle<Arc<PublicKey>> {
        let encoded = encoded.to_vec(env, "encoded")?;
        Ok(Handle::new(Arc::new(PublicKey::from_spki(&encoded)?)))
    }

    /// The public key of a private one.
    fn pq_public_of(_env, key: Handle<Arc<PrivateKey>>, _owner: Owner<'l>) -> Handle<Arc<PublicKey>> {
        // SAFETY: the owner keeps it alive during the call.
        let key = unsafe { key.share()? };
        Ok(Handle::new(Arc::new(key.public_key()?)))
    }

    /// Frees it.
    fn pq_private_free(_env, key: Handle<Arc<PrivateKey>>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { key.free() }
    }

    /// Frees it.
    fn pq_public_free(_env, key: Handle<Arc<PublicKey>>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { key.free() }
    }

    /// The number of the algorithm.
    fn pq_private_algorithm(_env, key: Handle<Arc<PrivateKey>>, _owner: Owner<'l>) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        Ok(unsafe { key.share()? }.algorithm().number())
    }

    /// The number of the algorithm.
    fn pq_public_algorithm(_env, key: Handle<Arc<PublicKey>>, _owner: Owner<'l>) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        Ok(unsafe { key.share()? }.algorithm().number())
    }

    /// Whether the key is expanded, without a seed.
    fn pq_private_expanded(_env, key: Handle<Arc<PrivateKey>>, _owner: Owner<'l>) -> jboolean {
        // SAFETY: the owner keeps it alive during the call.
        Ok(unsafe { key.share()? }.form() == Form::Expanded)
    }

    /// The seed or the expanded key.
    fn pq_private_bytes(env, key: Handle<Arc<PrivateKey>>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let bytes = unsafe { key.share()? }.bytes()?;
        secret_array(env, bytes)
    }

    /// PKCS#8.
    fn pq_private_encoded(env, key: Handle<Arc<PrivateKey>>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let encoded = unsafe { key.share()? }.to_pkcs8()?;
        secret_array(env, encoded)
    }

    /// The encoded public key.
    fn pq_public_bytes(env, key: Handle<Arc<PublicKey>>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        ByteArray::new(env, unsafe { key.share()? }.bytes())
    }

    /// SubjectPublicKeyInfo.
    fn pq_public_encoded(env, key: Handle<Arc<PublicKey>>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let encoded = unsafe { key.share()? }.to_spki()?;
        ByteArray::new(env, &encoded)
    }

    /// Zeroes the key, whoever shares it.
    fn pq_private_destroy(_env, key: Handle<Arc<PrivateKey>>, _owner: Owner<'l>) -> () {
        // SAFETY: the owner keeps it alive during the call.
        unsafe { key.share()? }.destroy();
        Ok(())
    }

    /// A fresh secret: encapsulation and secret.
    fn kem_encapsulate(env, key: Handle<Arc<PublicKey>>, _owner: Owner<'l>) -> ByteArrays<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let (encapsulation, secret) = unsafe { key.share()? }.encapsulate()?;
        let mut both = [encapsulation, secret];
        let arrays = ByteArrays::new(env, &both);
        both.iter_mut().for_each(|bytes| cleanse(bytes));
        arrays
    }

    /// The secret in an encapsulation.
    fn kem_decapsulate(
        env, key: Handle<Arc<PrivateKey>>, _owner: Owner<'l>, encapsulation: ByteArray<'l>,
    ) -> ByteArray<'l> {
        let encapsulation = encapsulation.to_vec(env, "encapsulation")?;
        // SAFETY: the owner keeps it alive during the call.
        let secret = unsafe { key.share()? }.decapsulate(&encapsulation)?;
        secret_array(env, secret)
    }

    /// Begins an empty message to sign.
    fn pq_signer_new(
        env, key: Handle<Arc<PrivateKey>>, _owner: Owner<'l>, context: ByteArray<'l>,
    ) -> Handle<Signer> {
        let context = context.to_vec(env, "context")?;
        // SAFETY: the owner keeps it alive during the call.
        let key = Arc::clone(unsafe { key.share()? });
        Ok(Handle::new(Signer::new(key, &context)?))
    }

    /// Frees it.
    fn pq_signer_free(_env, signer: Handle<Signer>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { signer.free() }
    }

    /// Appends bytes of an array or a direct buffer.
    fn pq_signer_update(
        env, signer: Handle<Signer>, _owner: Owner<'l>,
        array: ByteArray<'l>, buffer: Buffer<'l>, offset: jint, length: jint,
    ) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut signer = unsafe { signer.borrow()? };
        let input = Place::of(env, "input", array, buffer, offset, length)?;
        input.for_each_piece(env, |piece| signer.update(piece))
    }

    /// Forgets the message.
    fn pq_signer_reset(_env, signer: Handle<Signer>, _owner: Owner<'l>) -> () {
        // SAFETY: the owner keeps it alive during the call.
        unsafe { signer.borrow()? }.reset();
        Ok(())
    }

    /// The signature; back to the empty message.
    fn pq_signer_sign(env, signer: Handle<Signer>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let signature = unsafe { signer.borrow()? }.sign()?;
        ByteArray::new(env, &signature)
    }

    /// Begins an empty message to verify.
    fn pq_verifier_new(
        env, key: Handle<Arc<PublicKey>>, _owner: Owner<'l>, context: ByteArray<'l>,
    ) -> Handle<Verifier> {
        let context = context.to_vec(env, "context")?;
        // SAFETY: the owner keeps it alive during the call.
        let key = Arc::clone(unsafe { key.share()? });
        Ok(Handle::new(Verifier::new(key, &context)?))
    }

    /// Frees it.
    fn pq_verifier_free(_env, verifier: Handle<Verifier>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { verifier.free() }
    }

    /// Appends bytes of an array or a direct buffer.
    fn pq_verifier_update(
        env, verifier: Handle<Verifier>, _owner: Owner<'l>,
        array: ByteArray<'l>, buffer: Buffer<'l>, offset: jint, length: jint,
    ) -> () {
        // SAFETY: the owner keeps it alive during the call.
        let mut verifier = unsafe { verifier.borrow()? };
        let input = Place::of(env, "input", array, buffer, offset, length)?;
        input.for_each_piece(env, |piece| verifier.update(piece))
    }

    /// Forgets the message.
    fn pq_verifier_reset(_env, verifier: Handle<Verifier>, _owner: Owner<'l>) -> () {
        // SAFETY: the owner keeps it alive during the call.
        unsafe { verifier.borrow()? }.reset();
        Ok(())
    }

    /// Whether the signature is valid; back to the empty message.
    fn pq_verifier_verify(
        env, verifier: Handle<Verifier>, _owner: Owner<'l>,
        signature: ByteArray<'l>, offset: jint, length: jint,
    ) -> jboolean {
        // SAFETY: the owner keeps it alive during the call.
        let mut verifier = unsafe { verifier.borrow()? };
        let signature = signature.slice(env, "signature", offset, length)?.to_vec(env)?;
        Ok(verifier.verify(&signature))
    }
}
