//! Keys of any of the algorithms.

use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard};

use super::algorithm::Algorithm;
use super::evp::Pkey;
use super::mlkem::Expanded;
use super::{encoding, mldsa, slhdsa};
use crate::bytes::cleanse;
use crate::error::{Error, Result};
use crate::rand;

/// Secret bytes of any number, zeroed when dropped.
pub(crate) struct SecretBytes(Vec<u8>);

impl SecretBytes {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }

    pub(crate) fn get(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for SecretBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl Drop for SecretBytes {
    fn drop(&mut self) {
        cleanse(&mut self.0);
    }
}

/// How a private key was given, and so how it is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A seed, a scalar; for SLH-DSA the key itself.
    Seed,
    /// ML-KEM and ML-DSA: the expanded key, from which the seed cannot be had.
    Expanded,
}

pub(super) enum PublicInner {
    MlDsa(Box<dyn mldsa::Public>),
    SlhDsa([u8; 32]),
    /// Read when first used, if it is a private key's, which needs no check: most are only encoded, and reading one of
    /// ML-KEM means to expand its matrix.
    Kem(OnceLock<Pkey>),
}

/// A public key; immutable.
pub struct PublicKey {
    algorithm: Algorithm,
    bytes: Vec<u8>,
    pub(super) inner: PublicInner,
}

impl PublicKey {
    /// From the encoded key: FIPS 203 section 7.2, FIPS 204 algorithm 22, FIPS 205 section 9.1, RFC 7748 section 5;
    /// P-256: an uncompressed point (SEC 1 section 2.3.3).
    pub fn from_bytes(algorithm: Algorithm, bytes: &[u8]) -> Result<Self> {
        if bytes.len() != algorithm.public_length() {
            return Err(Error::Key("public key has another length"));
        }
        let inner = match algorithm {
            Algorithm::MlDsa44 | Algorithm::MlDsa65 | Algorithm::MlDsa87 => {
                PublicInner::MlDsa(mldsa::public(algorithm, bytes)?)
            }
            Algorithm::SlhDsaSha2_128s => PublicInner::SlhDsa(
                <[u8; 32]>::try_from(bytes).map_err(|_| Error::Key("public key has another length"))?,
            ),
            _ => PublicInner::Kem(Pkey::from_public(algorithm, bytes)?.into()),
        };
        Ok(Self { algorithm, bytes: bytes.to_vec(), inner })
    }

    /// From DER SubjectPublicKeyInfo (RFC 9935, 9881, 9909, 8410, 5480).
    pub fn from_spki(der: &[u8]) -> Result<Self> {
        if let Some((algorithm, bytes)) = encoding::read_spki(der)? {
            return Self::from_bytes(algorithm, bytes);
        }
        let (algorithm, key) = Pkey::from_spki(der)?;
        Ok(Self { algorithm, bytes: key.public_bytes(algorithm)?, inner: PublicInner::Kem(key.into()) })
    }

    /// Which algorithm's.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The encoded key, as [`PublicKey::from_bytes`] takes it.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// DER SubjectPublicKeyInfo.
    pub fn to_spki(&self) -> Result<Vec<u8>> {
        match (&self.inner, self.algorithm.oid()) {
            (PublicInner::Kem(_), None) => self.kem()?.to_spki(),
            (_, Some(oid)) => Ok(encoding::write_spki(oid, &self.bytes)),
            _ => Err(Error::Argument("no encoding")),
        }
    }

    /// A fresh shared secret of 32 bytes for the holder of the private key: the encapsulation and the secret, which the
    /// caller zeroes.
    pub fn encapsulate(&self) -> Result<(Vec<u8>, Vec<u8>)> {
        self.kem()?.encapsulate(self.algorithm)
    }

    /// As [`PublicKey::encapsulate`], with the randomness given: for known answers in tests only. Its format is
    /// BoringSSL's (`EVP_KEM_encap_external_entropy_for_testing`).
    #[doc(hidden)]
    pub fn encapsulate_for_testing(&self, entropy: &[u8]) -> Result<(Vec<u8>, Vec<u8>)> {
        self.kem()?.encapsulate_for_testing(self.algorithm, entropy)
    }

    pub(crate) fn kem(&self) -> Result<&Pkey> {
        match &self.inner {
            PublicInner::Kem(key) => match key.get() {
                Some(key) => Ok(key),
                None => {
                    let read = Pkey::from_public(self.algorithm, &self.bytes)?;
                    Ok(key.get_or_init(|| read))
                }
            },
            _ => Err(Error::Key("not a key of a key encapsulation mechanism")),
        }
    }
}

pub(super) enum PrivateInner {
    MlDsa(Box<dyn mldsa::Private>),
    SlhDsa(Box<[u8; 64]>),
    Kem(Pkey),
    MlKemExpanded(Expanded),
}

impl Drop for PrivateInner {
    fn drop(&mut self) {
        if let Self::SlhDsa(key) = self {
            cleanse(&mut **key);
        }
    }
}

pub(super) struct Secrets {
    bytes: SecretBytes,
    pub(super) inner: PrivateInner,
}

/// A private key: immutable until it is destroyed.
pub struct PrivateKey {
    algorithm: Algorithm,
    form: Form,
    public: Vec<u8>,
    secrets: RwLock<Option<Secrets>>,
}

impl PrivateKey {
    /// A new key.
    pub fn generate(algorithm: Algorithm) -> Result<Self> {
        match algorithm {
            Algorithm::SlhDsaSha2_128s => {
                let mut bytes = slhdsa::generate();
                let key = Self::from_bytes(algorithm, Form::Seed, &bytes);
                cleanse(&mut bytes);
                key
            }
            Algorithm::P256 => {
                let key = Pkey::generate(algorithm)?;
                let bytes = key.private_bytes(algorithm)?;
                Self::assemble(algorithm, Form::Seed, bytes.into(), PrivateInner::Kem(key))
            }
            _ => {
                let mut seed = [0; 64];
                let seed = seed.get_mut(..algorithm.seed_length()).unwrap_or_default();
                rand::fill(seed)?;
                let key = Self::from_bytes(algorithm, Form::Seed, seed);
                cleanse(seed);
                key
            }
        }
    }

    /// From a key's bytes in one of the forms, whose lengths are [`Algorithm::seed_length`] and
    /// [`Algorithm::expanded_length`].
    pub fn from_bytes(algorithm: Algorithm, form: Form, bytes: &[u8]) -> Result<Self> {
        let length = match form {
            Form::Seed => Some(algorithm.seed_length()),
            Form::Expanded => algorithm.expanded_length(),
        };
        if length != Some(bytes.len()) {
            return Err(Error::Key("private key has another length"));
        }
        let inner = match (algorithm, form) {
            (Algorithm::MlDsa44 | Algorithm::MlDsa65 | Algorithm::MlDsa87, Form::Seed) => {
                PrivateInner::MlDsa(mldsa::from_seed(algorithm, bytes)?)
            }
            (Algorithm::MlDsa44 | Algorithm::MlDsa65 | Algorithm::MlDsa87, Form::Expanded) => {
                PrivateInner::MlDsa(mldsa::from_expanded(algorithm, bytes)?)
            }
            (Algorithm::SlhDsaSha2_128s, _) => {
                let mut key = Box::new([0; 64]);
                key.copy_from_slice(bytes);
                PrivateInner::SlhDsa(key)
            }
            (_, Form::Expanded) => PrivateInner::MlKemExpanded(Expanded::parse(algorithm, bytes)?),
            (_, Form::Seed) => PrivateInner::Kem(Pkey::from_private(algorithm, bytes)?),
        };
        Self::assemble(algorithm, form, SecretBytes::new(bytes), inner)
    }

    fn assemble(algorithm: Algorithm, form: Form, bytes: SecretBytes, inner: PrivateInner) -> Result<Self> {
        let public = match &inner {
            PrivateInner::MlDsa(key) => key.public_bytes()?,
            PrivateInner::SlhDsa(key) => slhdsa::public(key).to_vec(),
            PrivateInner::Kem(key) => key.public_bytes(algorithm)?,
            PrivateInner::MlKemExpanded(_) => Expanded::public_part(algorithm, bytes.get())
                .ok_or(Error::Key("private key has another length"))?
                .to_vec(),
        };
        Ok(Self { algorithm, form, public, secrets: RwLock::new(Some(Secrets { bytes, inner })) })
    }

    /// From DER PKCS#8 or OneAsymmetricKey (RFC 5958): for ML-KEM and ML-DSA a seed, an expanded key or both, which
    /// must fit (RFC 9935 section 6, RFC 9881 section 6); a public key in it must fit too.
    pub fn from_pkcs8(der: &[u8]) -> Result<Self> {
        let Some(read) = encoding::read_pkcs8(der)? else {
            let (algorithm, key) = Pkey::from_pkcs8(der)?;
            let bytes = key.private_bytes(algorithm)?;
            return Self::assemble(algorithm, Form::Seed, bytes.into(), PrivateInner::Kem(key));
        };
        let key = match (read.seed, read.expanded) {
            (Some(seed), expanded) => {
                let key = Self::from_bytes(read.algorithm, Form::Seed, seed)?;
                if let Some(expanded) = expanded {
                    let other = Self::from_bytes(read.algorithm, Form::Expanded, expanded)?;
                    key.same_as_expanded(&other)?;
                }
                key
            }
            (None, Some(expanded)) => Self::from_bytes(read.algorithm, Form::Expanded, expanded)?,
            (None, None) => return Err(Error::Key("private key is missing")),
        };
        match read.public {
            Some(public) if public != key.public => Err(Error::Key("public key is not the private key's")),
            _ => Ok(key),
        }
    }

    /// Whether an expanded key is this seed's. The public keys must be equal; for ML-KEM the secret z is compared by
    /// what it does, the implicit rejection of an encapsulation that is not valid; ML-DSA's K only randomises
    /// signatures.
    fn same_as_expanded(&self, other: &Self) -> Result<()> {
        let differ = Err(Error::Key("seed and expanded key differ"));
        if self.public != other.public {
            return differ;
        }
        if let Some(length) = self.algorithm.encapsulation_length() {
            let probe = vec![0; length];
            let (a, b) = (SecretBytes(self.decapsulate(&probe)?), SecretBytes(other.decapsulate(&probe)?));
            if a.get() != b.get() {
                return differ;
            }
        }
        Ok(())
    }

    /// Which algorithm's.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// How it was given.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The encoded public key; known even after the key was destroyed.
    pub fn public_bytes(&self) -> &[u8] {
        &self.public
    }

    /// The public key.
    pub fn public_key(&self) -> Result<PublicKey> {
        if self.algorithm.encapsulation_length().is_some() {
            let inner = PublicInner::Kem(OnceLock::new());
            return Ok(PublicKey { algorithm: self.algorithm, bytes: self.public.clone(), inner });
        }
        PublicKey::from_bytes(self.algorithm, &self.public)
    }

    /// The key's bytes in its [`Form`]; the caller zeroes them.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        self.with(|secrets| Ok(secrets.bytes.get().to_vec()))
    }

    /// DER PKCS#8 with the key in its [`Form`]; the caller zeroes it.
    pub fn to_pkcs8(&self) -> Result<Vec<u8>> {
        self.with(|secrets| match (&secrets.inner, self.algorithm.oid()) {
            (PrivateInner::Kem(key), None) => key.to_pkcs8(),
            (_, Some(oid)) => Ok(encoding::write_pkcs8(self.algorithm, oid, self.form, secrets.bytes.get())),
            _ => Err(Error::Argument("no encoding")),
        })
    }

    /// The shared secret of 32 bytes in an encapsulation, which the caller zeroes. An encapsulation of the right length
    /// that was not made for this key gives ML-KEM and X-Wing some other secret (implicit rejection, FIPS 203 section
    /// 6.3); DHKEM refuses points that are not on the curve or of small order.
    pub fn decapsulate(&self, encapsulation: &[u8]) -> Result<Vec<u8>> {
        if self.algorithm.encapsulation_length() != Some(encapsulation.len()) {
            return Err(match self.algorithm.encapsulation_length() {
                Some(_) => Error::Encapsulation("encapsulation has another length"),
                None => Error::Key("not a key of a key encapsulation mechanism"),
            });
        }
        self.with(|secrets| match &secrets.inner {
            PrivateInner::Kem(key) => key.decapsulate(self.algorithm, encapsulation),
            PrivateInner::MlKemExpanded(key) => key.decapsulate(encapsulation),
            _ => Err(Error::Key("not a key of a key encapsulation mechanism")),
        })
    }

    /// Zeroes the secrets, waiting for uses under way; again is a no-op.
    pub fn destroy(&self) {
        self.secrets.write().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether it was destroyed.
    pub fn is_destroyed(&self) -> bool {
        self.read().is_none()
    }

    fn read(&self) -> RwLockReadGuard<'_, Option<Secrets>> {
        self.secrets.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn with<T>(&self, work: impl FnOnce(&Secrets) -> Result<T>) -> Result<T> {
        work(self.read().as_ref().ok_or(Error::State("key is destroyed"))?)
    }

    /// Lets `work` use the key of X25519 or P-256.
    pub(crate) fn with_kem<T>(&self, work: impl FnOnce(&Pkey) -> Result<T>) -> Result<T> {
        self.with(|secrets| match &secrets.inner {
            PrivateInner::Kem(key) => work(key),
            _ => Err(Error::Key("the key does not serve this purpose")),
        })
    }
}

/// What HPKE needs of [`Pkey`].
pub(crate) use super::evp::Pkey as Kem;
