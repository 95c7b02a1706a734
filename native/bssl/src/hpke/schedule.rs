//! What BoringSSL's HPKE has not: contexts from the key schedule (RFC 9180 section 5.1), which pre-shared keys need, and DHKEM
//! (section 4.1) with authentication or a given ephemeral key. What is secret and stays here is zeroed when dropped; no nonce is used
//! twice.

use boring_sys as ffi;

use super::{Aead, Kdf, Psk, TAG, kem_id};
use crate::bytes::cleanse;
use crate::error::{Error, Result, check, check_ptr};
use crate::pq::{Algorithm, Kem, PrivateKey, PublicKey};

/// Bytes of a nonce, `Nn`, of all AEADs.
const NONCE: usize = 12;

#[derive(Clone, Copy)]
pub(super) enum Hash {
    Sha256,
    Sha384,
}

impl Hash {
    fn table(self) -> *const ffi::EVP_MD {
        // SAFETY: no preconditions; static tables.
        unsafe {
            match self {
                Self::Sha256 => ffi::EVP_sha256(),
                Self::Sha384 => ffi::EVP_sha384(),
            }
        }
    }

    fn length(self) -> usize {
        match self {
            Self::Sha256 => 32,
            Self::Sha384 => 48,
        }
    }
}

/// Secret bytes of a computation, zeroed when dropped.
struct Buffer(Vec<u8>);

impl Buffer {
    fn concat(parts: &[&[u8]]) -> Self {
        Self(parts.concat())
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        cleanse(&mut self.0);
    }
}

/// LabeledExtract and LabeledExpand (RFC 9180 section 4) of one suite.
struct Labeled {
    hash: Hash,
    suite: Vec<u8>,
}

impl Labeled {
    fn extract(&self, salt: &[u8], label: &[u8], secret: &[u8]) -> Result<Buffer> {
        let input = Buffer::concat(&[b"HPKE-v1", &self.suite, label, secret]);
        let mut out = Buffer(vec![0; self.hash.length()]);
        let mut written = 0;
        // SAFETY: room for one hash; everything else is valid for its length.
        check(unsafe {
            ffi::HKDF_extract(
                out.0.as_mut_ptr(),
                &raw mut written,
                self.hash.table(),
                input.0.as_ptr(),
                input.0.len(),
                salt.as_ptr(),
                salt.len(),
            )
        })?;
        Ok(out)
    }

    fn expand(&self, key: &[u8], label: &[u8], info: &[u8], out: &mut [u8]) -> Result<()> {
        let too_long = Error::Argument("an exported secret cannot be that long");
        let length = u16::try_from(out.len()).map_err(|_| too_long.clone())?.to_be_bytes();
        let info = [&length[..], b"HPKE-v1", &self.suite, label, info].concat();
        // SAFETY: everything is valid for its length.
        check(unsafe {
            ffi::HKDF_expand(
                out.as_mut_ptr(),
                out.len(),
                self.hash.table(),
                key.as_ptr(),
                key.len(),
                info.as_ptr(),
                info.len(),
            )
        })
        .map_err(|e| e.unless_memory(too_long))
    }
}

/// ExtractAndExpand of DHKEM (RFC 9180 section 4.1).
fn extract_and_expand(algorithm: Algorithm, dh: &Buffer, kem_context: &[u8]) -> Result<Vec<u8>> {
    let id = kem_id(algorithm).ok_or(Error::Argument("not a KEM"))?;
    let labeled = Labeled { hash: Hash::Sha256, suite: [&b"KEM"[..], &id.to_be_bytes()].concat() };
    let key = labeled.extract(&[], b"eae_prk", &dh.0)?;
    let mut secret = vec![0; 32];
    labeled.expand(&key.0, b"shared_secret", kem_context, &mut secret)?;
    Ok(secret)
}

fn agree(key: &PrivateKey, peer: &Kem) -> Result<Buffer> {
    key.with_kem(|key| key.agree(peer)).map(Buffer)
}

/// Encap, or AuthEncap if there is a sender's key, of DHKEM: encapsulated key and secret.
pub(super) fn encapsulate_with(
    recipient: &PublicKey,
    auth: Option<&PrivateKey>,
    ephemeral: &PrivateKey,
) -> Result<(Vec<u8>, Vec<u8>)> {
    let encapsulated = ephemeral.public_bytes().to_vec();
    let first = agree(ephemeral, recipient.kem()?)?;
    let (dh, context) = match auth {
        None => (first, [&encapsulated, recipient.bytes()].concat()),
        Some(auth) => {
            let second = agree(auth, recipient.kem()?)?;
            let context = [&encapsulated, recipient.bytes(), auth.public_bytes()].concat();
            (Buffer::concat(&[&first.0, &second.0]), context)
        }
    };
    let secret = extract_and_expand(recipient.algorithm(), &dh, &context)?;
    Ok((encapsulated, secret))
}

/// AuthDecap of DHKEM.
pub(super) fn decapsulate_authenticated(key: &PrivateKey, auth: &PublicKey, encapsulated: &[u8]) -> Result<Vec<u8>> {
    let malformed = Error::Encapsulation("encapsulated key is malformed");
    let ephemeral =
        PublicKey::from_bytes(key.algorithm(), encapsulated).map_err(|e| e.unless_memory(malformed.clone()))?;
    let first = agree(key, ephemeral.kem()?).map_err(|e| match e {
        Error::Key(_) => malformed,
        other => other,
    })?;
    let second = agree(key, auth.kem()?)?;
    let context = [encapsulated, key.public_bytes(), auth.bytes()].concat();
    extract_and_expand(key.algorithm(), &Buffer::concat(&[&first.0, &second.0]), &context)
}

/// A context from the key schedule (RFC 9180 section 5.1); serves either side, as the types around it keep apart.
pub(super) struct Scheduled {
    labeled: Labeled,
    aead: *mut ffi::EVP_AEAD_CTX,
    base_nonce: [u8; NONCE],
    exporter: Buffer,
    sequence: u64,
}

impl Scheduled {
    pub(super) fn new(
        algorithm: Algorithm,
        kdf: Kdf,
        aead: Aead,
        secret: &[u8],
        info: &[u8],
        psk: Option<Psk<'_>>,
        authenticated: bool,
    ) -> Result<Self> {
        if let Some(psk) = psk {
            psk.check()?;
        }
        let psk_or_none = psk.unwrap_or(Psk { key: &[], id: &[] });
        let mode = u8::from(psk.is_some()) | u8::from(authenticated) << 1;
        let id = kem_id(algorithm).ok_or(Error::Argument("not a KEM"))?;
        // SAFETY: static tables.
        let (kdf_id, aead_id) = unsafe { (ffi::EVP_HPKE_KDF_id(kdf.table()), ffi::EVP_HPKE_AEAD_id(aead.table())) };
        let labeled = Labeled {
            hash: kdf.hash(),
            suite: [&b"HPKE"[..], &id.to_be_bytes(), &kdf_id.to_be_bytes(), &aead_id.to_be_bytes()].concat(),
        };
        let psk_id_hash = labeled.extract(&[], b"psk_id_hash", psk_or_none.id)?;
        let info_hash = labeled.extract(&[], b"info_hash", info)?;
        let context = [&[mode][..], &psk_id_hash.0, &info_hash.0].concat();
        let secret = labeled.extract(secret, b"secret", psk_or_none.key)?;
        let mut key = Buffer(vec![0; aead.key_length()]);
        labeled.expand(&secret.0, b"key", &context, &mut key.0)?;
        let mut base_nonce = [0; NONCE];
        labeled.expand(&secret.0, b"base_nonce", &context, &mut base_nonce)?;
        let mut exporter = Buffer(vec![0; kdf.hash().length()]);
        labeled.expand(&secret.0, b"exp", &context, &mut exporter.0)?;
        // SAFETY: static tables; a key as long as the AEAD wants it.
        let aead = check_ptr(unsafe {
            ffi::EVP_AEAD_CTX_new(ffi::EVP_HPKE_AEAD_aead(aead.table()), key.0.as_ptr(), key.0.len(), TAG)
        })?;
        Ok(Self { labeled, aead, base_nonce, exporter, sequence: 0 })
    }

    /// ComputeNonce (section 5.2).
    fn nonce(&self) -> Result<[u8; NONCE]> {
        if self.sequence == u64::MAX {
            return Err(Error::State("too many messages"));
        }
        let mut nonce = self.base_nonce;
        nonce.iter_mut().rev().zip(self.sequence.to_be_bytes().iter().rev()).for_each(|(n, s)| *n ^= s);
        Ok(nonce)
    }

    pub(super) fn seal(&mut self, plaintext: &[u8], additional: &[u8]) -> Result<Vec<u8>> {
        let nonce = self.nonce()?;
        let mut ciphertext = vec![0; plaintext.len() + TAG];
        let mut written = 0;
        // SAFETY: a live context; everything is valid for its length, and `ciphertext` is separate.
        check(unsafe {
            ffi::EVP_AEAD_CTX_seal(
                self.aead,
                ciphertext.as_mut_ptr(),
                &raw mut written,
                ciphertext.len(),
                nonce.as_ptr(),
                nonce.len(),
                plaintext.as_ptr(),
                plaintext.len(),
                additional.as_ptr(),
                additional.len(),
            )
        })?;
        self.sequence += 1;
        ciphertext.truncate(written);
        Ok(ciphertext)
    }

    pub(super) fn open(&mut self, ciphertext: &[u8], additional: &[u8]) -> Result<Vec<u8>> {
        let nonce = self.nonce()?;
        let mut plaintext = vec![0; ciphertext.len()];
        let mut written = 0;
        // SAFETY: a live context; everything is valid for its length, and `plaintext` is separate.
        check(unsafe {
            ffi::EVP_AEAD_CTX_open(
                self.aead,
                plaintext.as_mut_ptr(),
                &raw mut written,
                plaintext.len(),
                nonce.as_ptr(),
                nonce.len(),
                ciphertext.as_ptr(),
                ciphertext.len(),
                additional.as_ptr(),
                additional.len(),
            )
        })
        .map_err(|e| e.unless_memory(Error::BadTag))?;
        self.sequence += 1;
        plaintext.truncate(written);
        Ok(plaintext)
    }

    pub(super) fn export(&self, context: &[u8], out: &mut [u8]) -> Result<()> {
        self.labeled.expand(&self.exporter.0, b"sec", context, out)
    }
}

impl Drop for Scheduled {
    fn drop(&mut self) {
        cleanse(&mut self.base_nonce);
        // SAFETY: owned, freed once; OPENSSL_free zeroes the key schedule.
        unsafe { ffi::EVP_AEAD_CTX_free(self.aead) }
    }
}
