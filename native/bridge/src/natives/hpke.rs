//! Hybrid public key encryption.

use std::sync::Arc;

use bssl::bytes::cleanse;
use bssl::hpke::{Aead, Kdf, Psk, Recipient, Sender};
use bssl::pq::{PrivateKey, PublicKey};
use jni::sys::jint;

use super::natives;
use super::pq::secret_array;
use crate::boundary::Env;
use crate::bytes::{ByteArray, Owner};
use crate::error::Error;
use crate::handle::{Handle, Managed};

impl Managed for Sender {
    const TAG: u32 = u32::from_be_bytes(*b"hpks");
    const NAME: &'static str = "HPKE sender";
}

impl Managed for Recipient {
    const TAG: u32 = u32::from_be_bytes(*b"hpkr");
    const NAME: &'static str = "HPKE recipient";
}

/// A pre-shared key, zeroed when dropped, and its identity; none if the key is null.
struct OwnedPsk(Option<(Vec<u8>, Vec<u8>)>);

impl OwnedPsk {
    fn read<'l>(env: &mut Env<'l>, key: ByteArray<'l>, id: ByteArray<'l>) -> Result<Self, Error> {
        let Some(key) = key.to_vec_or_none(env)? else {
            return Ok(Self(None));
        };
        let mut psk = Self(Some((key, Vec::new())));
        let id = id.to_vec(env, "psk id")?;
        if let Some((_, place)) = &mut psk.0 {
            *place = id;
        }
        Ok(psk)
    }

    fn get(&self) -> Option<Psk<'_>> {
        self.0.as_ref().map(|(key, id)| Psk { key, id })
    }
}

impl Drop for OwnedPsk {
    fn drop(&mut self) {
        if let Some((key, _)) = &mut self.0 {
            cleanse(key);
        }
    }
}

natives! { 'l =>
    /// A sender's context; a zero handle for `auth`: not authenticated.
    fn hpke_sender_new(
        env, kdf: jint, aead: jint, recipient: Handle<Arc<PublicKey>>, _owner: Owner<'l>,
        info: ByteArray<'l>, psk: ByteArray<'l>, psk_id: ByteArray<'l>,
        auth: Handle<Arc<PrivateKey>>, _auth_owner: Owner<'l>,
    ) -> Handle<Sender> {
        let info = info.to_vec(env, "info")?;
        let psk = OwnedPsk::read(env, psk, psk_id)?;
        // SAFETY: the owners keep them alive during the call.
        let (recipient, auth) =
            unsafe { (recipient.share()?, if auth.is_zero() { None } else { Some(auth.share()?) }) };
        let (kdf, aead) = (Kdf::from_number(kdf)?, Aead::from_number(aead)?);
        Ok(Handle::new(Sender::new(recipient, kdf, aead, &info, psk.get(), auth.map(|key| &**key))?))
    }

    /// A sender's context in base mode with given randomness.
    fn hpke_sender_from_seed(
        env, kdf: jint, aead: jint, recipient: Handle<Arc<PublicKey>>, _owner: Owner<'l>, info: ByteArray<'l>, seed: ByteArray<'l>,
    ) -> Handle<Sender> {
        let info = info.to_vec(env, "info")?;
        let mut seed = seed.to_vec(env, "seed")?;
        // SAFETY: the owner keeps it alive during the call.
        let recipient = unsafe { recipient.share()? };
        let sender = Kdf::from_number(kdf)
            .and_then(|kdf| Ok((kdf, Aead::from_number(aead)?)))
            .and_then(|(kdf, aead)| Sender::from_seed(recipient, kdf, aead, &info, &seed));
        cleanse(&mut seed);
        Ok(Handle::new(sender?))
    }

    /// Frees it.
    fn hpke_sender_free(_env, sender: Handle<Sender>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { sender.free() }
    }

    /// The encapsulated key.
    fn hpke_sender_encapsulated(env, sender: Handle<Sender>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        ByteArray::new(env, unsafe { sender.borrow()? }.encapsulated())
    }

    /// Encrypts the next message.
    fn hpke_sender_seal(
        env, sender: Handle<Sender>, _owner: Owner<'l>, plaintext: ByteArray<'l>, additional: ByteArray<'l>,
    ) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let mut sender = unsafe { sender.borrow()? };
        let additional = additional.to_vec(env, "aad")?;
        let mut plaintext = plaintext.to_vec(env, "plaintext")?;
        let ciphertext = sender.seal(&plaintext, &additional);
        cleanse(&mut plaintext);
        ByteArray::new(env, &ciphertext?)
    }

    /// A derived secret.
    fn hpke_sender_export(
        env, sender: Handle<Sender>, _owner: Owner<'l>, context: ByteArray<'l>, length: jint,
    ) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let sender = unsafe { sender.borrow()? };
        let context = context.to_vec(env, "context")?;
        let secret = sender.export(&context, export_length(length)?)?;
        secret_array(env, secret)
    }

    /// A recipient's context; a zero handle for `auth`: not authenticated.
    fn hpke_recipient_new(
        env, kdf: jint, aead: jint, key: Handle<Arc<PrivateKey>>, _owner: Owner<'l>, encapsulated: ByteArray<'l>,
        info: ByteArray<'l>, psk: ByteArray<'l>, psk_id: ByteArray<'l>,
        auth: Handle<Arc<PublicKey>>, _auth_owner: Owner<'l>,
    ) -> Handle<Recipient> {
        let encapsulated = encapsulated.to_vec(env, "encapsulated")?;
        let info = info.to_vec(env, "info")?;
        let psk = OwnedPsk::read(env, psk, psk_id)?;
        // SAFETY: the owners keep them alive during the call.
        let (key, auth) = unsafe { (key.share()?, if auth.is_zero() { None } else { Some(auth.share()?) }) };
        let (kdf, aead) = (Kdf::from_number(kdf)?, Aead::from_number(aead)?);
        let auth = auth.map(|key| &**key);
        Ok(Handle::new(Recipient::new(key, kdf, aead, &encapsulated, &info, psk.get(), auth)?))
    }

    /// Frees it.
    fn hpke_recipient_free(_env, recipient: Handle<Recipient>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { recipient.free() }
    }

    /// Decrypts the next message.
    fn hpke_recipient_open(
        env, recipient: Handle<Recipient>, _owner: Owner<'l>, ciphertext: ByteArray<'l>, additional: ByteArray<'l>,
    ) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let mut recipient = unsafe { recipient.borrow()? };
        let additional = additional.to_vec(env, "aad")?;
        let ciphertext = ciphertext.to_vec(env, "ciphertext")?;
        let plaintext = recipient.open(&ciphertext, &additional)?;
        secret_array(env, plaintext)
    }

    /// A derived secret.
    fn hpke_recipient_export(
        env, recipient: Handle<Recipient>, _owner: Owner<'l>, context: ByteArray<'l>, length: jint,
    ) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let recipient = unsafe { recipient.borrow()? };
        let context = context.to_vec(env, "context")?;
        let secret = recipient.export(&context, export_length(length)?)?;
        secret_array(env, secret)
    }
}

fn export_length(length: jint) -> Result<usize, Error> {
    // 255 hashes of 48 bytes: checked here, so that nobody allocates more.
    usize::try_from(length)
        .ok()
        .filter(|n| *n <= 255 * 48)
        .ok_or(Error::Argument("an exported secret cannot be that long"))
}
