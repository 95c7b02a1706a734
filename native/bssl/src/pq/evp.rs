//! Keys behind BoringSSL's `EVP_PKEY`: seeds of ML-KEM and X-Wing, X25519, P-256.

use boring_sys as ffi;

use super::algorithm::Algorithm;
use crate::bytes::cleanse;
use crate::error::{Error, Result, check, check_ptr};

/// A public or private key; immutable.
pub(crate) struct Pkey(*mut ffi::EVP_PKEY);

// SAFETY: an EVP_PKEY may be used by several threads as long as none changes it (evp.h, "Public/private keys"), and
// nothing here does.
unsafe impl Send for Pkey {}
// SAFETY: as above.
unsafe impl Sync for Pkey {}

impl Drop for Pkey {
    fn drop(&mut self) {
        // SAFETY: owned, freed once.
        unsafe { ffi::EVP_PKEY_free(self.0) }
    }
}

/// Growing output; what it held is zeroed when dropped.
struct Builder(ffi::CBB);

impl Builder {
    fn new() -> Result<Self> {
        // SAFETY: CBB_zero's state is all zeros.
        let mut builder = Self(unsafe { std::mem::zeroed() });
        // SAFETY: a CBB of our own.
        check(unsafe { ffi::CBB_init(&raw mut builder.0, 128) })?;
        Ok(builder)
    }

    fn to_vec(&self) -> Vec<u8> {
        // SAFETY: an initialised CBB without open children; its data is valid for its length.
        unsafe { std::slice::from_raw_parts(ffi::CBB_data(&raw const self.0), ffi::CBB_len(&raw const self.0)) }
            .to_vec()
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: initialised or zero; its memory comes from OPENSSL_malloc, which zeroes what it frees.
        unsafe { ffi::CBB_cleanup(&raw mut self.0) }
    }
}

impl Pkey {
    fn algorithm_table(algorithm: Algorithm) -> Result<*const ffi::EVP_PKEY_ALG> {
        algorithm.evp().ok_or(Error::Argument("not a KEM"))
    }

    pub(crate) fn generate(algorithm: Algorithm) -> Result<Self> {
        // SAFETY: a static table.
        Ok(Self(check_ptr(unsafe { ffi::EVP_PKEY_generate_from_alg(Self::algorithm_table(algorithm)?) })?))
    }

    /// From a seed, X25519's bytes or P-256's scalar.
    pub(crate) fn from_private(algorithm: Algorithm, bytes: &[u8]) -> Result<Self> {
        let table = Self::algorithm_table(algorithm)?;
        // SAFETY: a static table; bytes valid for their length.
        let key = unsafe {
            match algorithm {
                Algorithm::X25519 => ffi::EVP_PKEY_from_raw_private_key(table, bytes.as_ptr(), bytes.len()),
                Algorithm::P256 => ffi::EVP_PKEY_from_ec_private_scalar(table, bytes.as_ptr(), bytes.len()),
                _ => ffi::EVP_PKEY_from_private_seed(table, bytes.as_ptr(), bytes.len()),
            }
        };
        check_ptr(key).map(Self).map_err(|e| e.unless_memory(Error::Key("malformed private key")))
    }

    /// From the encoded public key; P-256: an uncompressed point.
    pub(crate) fn from_public(algorithm: Algorithm, bytes: &[u8]) -> Result<Self> {
        let table = Self::algorithm_table(algorithm)?;
        // SAFETY: a static table; bytes valid for their length.
        let key = unsafe {
            match algorithm {
                Algorithm::P256 => ffi::EVP_PKEY_from_ec_uncompressed_point(table, bytes.as_ptr(), bytes.len()),
                _ => ffi::EVP_PKEY_from_raw_public_key(table, bytes.as_ptr(), bytes.len()),
            }
        };
        check_ptr(key).map(Self).map_err(|e| e.unless_memory(Error::Key("malformed public key")))
    }

    /// An X25519 or P-256 key from PKCS#8, and which it is.
    pub(crate) fn from_pkcs8(der: &[u8]) -> Result<(Algorithm, Self)> {
        Self::from_der(der, ffi::EVP_PKEY_from_private_key_info, "not a private key of an algorithm that is known here")
    }

    /// An X25519 or P-256 key from SubjectPublicKeyInfo, and which it is.
    pub(crate) fn from_spki(der: &[u8]) -> Result<(Algorithm, Self)> {
        Self::from_der(
            der,
            ffi::EVP_PKEY_from_subject_public_key_info,
            "not a public key of an algorithm that is known here",
        )
    }

    fn from_der(
        der: &[u8],
        parse: unsafe extern "C" fn(*const u8, usize, *const *const ffi::EVP_PKEY_ALG, usize) -> *mut ffi::EVP_PKEY,
        otherwise: &'static str,
    ) -> Result<(Algorithm, Self)> {
        for algorithm in [Algorithm::X25519, Algorithm::P256] {
            let table = Self::algorithm_table(algorithm)?;
            // SAFETY: bytes valid for their length, one static table.
            let key = unsafe { parse(der.as_ptr(), der.len(), &raw const table, 1) };
            if !key.is_null() {
                return Ok((algorithm, Self(key)));
            }
            if Error::take() == Error::OutOfMemory {
                return Err(Error::OutOfMemory);
            }
        }
        Err(Error::Key(otherwise))
    }

    /// The short form of a private key.
    pub(crate) fn private_bytes(&self, algorithm: Algorithm) -> Result<Vec<u8>> {
        let read: Getter = match algorithm {
            Algorithm::P256 => return self.marshal(ffi::EVP_PKEY_marshal_ec_private_scalar),
            Algorithm::X25519 => ffi::EVP_PKEY_get_raw_private_key,
            _ => ffi::EVP_PKEY_get_private_seed,
        };
        self.get(read, algorithm.seed_length())
    }

    /// The encoded public key.
    pub(crate) fn public_bytes(&self, algorithm: Algorithm) -> Result<Vec<u8>> {
        if algorithm == Algorithm::P256 {
            return self.marshal(ffi::EVP_PKEY_marshal_ec_uncompressed_point);
        }
        self.get(ffi::EVP_PKEY_get_raw_public_key, algorithm.public_length())
    }

    /// PKCS#8, as BoringSSL writes it.
    pub(crate) fn to_pkcs8(&self) -> Result<Vec<u8>> {
        self.marshal(ffi::EVP_marshal_private_key)
    }

    /// SubjectPublicKeyInfo, as BoringSSL writes it.
    pub(crate) fn to_spki(&self) -> Result<Vec<u8>> {
        self.marshal(ffi::EVP_marshal_public_key)
    }

    fn get(&self, read: Getter, length: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        let mut written = length;
        // SAFETY: a live key; room for `written` bytes.
        check(unsafe { read(self.0, bytes.as_mut_ptr(), &raw mut written) })?;
        bytes.truncate(written);
        Ok(bytes)
    }

    fn marshal(
        &self,
        write: unsafe extern "C" fn(*mut ffi::CBB, *const ffi::EVP_PKEY) -> std::ffi::c_int,
    ) -> Result<Vec<u8>> {
        let mut builder = Builder::new()?;
        // SAFETY: a live CBB and key.
        check(unsafe { write(&raw mut builder.0, self.0) })?;
        Ok(builder.to_vec())
    }

    /// A fresh shared secret for this public key: encapsulation and secret.
    pub(crate) fn encapsulate(&self, algorithm: Algorithm) -> Result<(Vec<u8>, Vec<u8>)> {
        let kem = algorithm.evp_kem().ok_or(Error::Argument("not a KEM"))?;
        // SAFETY: a static table.
        let (mut encapsulation, mut secret) =
            unsafe { (vec![0; ffi::EVP_KEM_ciphertext_len(kem)], vec![0; ffi::EVP_KEM_secret_len(kem)]) };
        // SAFETY: a live key of the KEM's type; room as the KEM says.
        let result = unsafe {
            ffi::EVP_KEM_encap(
                kem,
                encapsulation.as_mut_ptr(),
                encapsulation.len(),
                secret.as_mut_ptr(),
                secret.len(),
                self.0,
            )
        };
        if let Err(error) = check(result) {
            cleanse(&mut secret);
            // X25519 with a point of small order (RFC 9180 section 7.1.4) is all that can fail.
            return Err(error.unless_memory(Error::Key("public key is not usable")));
        }
        Ok((encapsulation, secret))
    }

    pub(crate) fn encapsulate_for_testing(&self, algorithm: Algorithm, entropy: &[u8]) -> Result<(Vec<u8>, Vec<u8>)> {
        let kem = algorithm.evp_kem().ok_or(Error::Argument("not a KEM"))?;
        // SAFETY: a static table.
        let (mut encapsulation, mut secret) =
            unsafe { (vec![0; ffi::EVP_KEM_ciphertext_len(kem)], vec![0; ffi::EVP_KEM_secret_len(kem)]) };
        // SAFETY: a live key of the KEM's type; room as the KEM says; entropy valid for its length, which is checked.
        check(unsafe {
            ffi::EVP_KEM_encap_external_entropy_for_testing(
                kem,
                encapsulation.as_mut_ptr(),
                encapsulation.len(),
                secret.as_mut_ptr(),
                secret.len(),
                self.0,
                entropy.as_ptr(),
                entropy.len(),
            )
        })?;
        Ok((encapsulation, secret))
    }

    /// The shared secret in an encapsulation of the right length.
    pub(crate) fn decapsulate(&self, algorithm: Algorithm, encapsulation: &[u8]) -> Result<Vec<u8>> {
        let kem = algorithm.evp_kem().ok_or(Error::Argument("not a KEM"))?;
        // SAFETY: a static table.
        let mut secret = vec![0; unsafe { ffi::EVP_KEM_secret_len(kem) }];
        // SAFETY: a live private key of the KEM's type; room as the KEM says.
        let result = unsafe {
            ffi::EVP_KEM_decap(
                kem,
                secret.as_mut_ptr(),
                secret.len(),
                encapsulation.as_ptr(),
                encapsulation.len(),
                self.0,
            )
        };
        if let Err(error) = check(result) {
            cleanse(&mut secret);
            return Err(error.unless_memory(Error::Encapsulation("encapsulation is malformed")));
        }
        Ok(secret)
    }

    /// The Diffie-Hellman secret of this private and that public key, both X25519 or both P-256.
    pub(crate) fn agree(&self, peer: &Self) -> Result<Vec<u8>> {
        // SAFETY: a live key.
        let context = Derivation(check_ptr(unsafe { ffi::EVP_PKEY_CTX_new(self.0, std::ptr::null_mut()) })?);
        let mut secret = vec![0; 32];
        let mut written = secret.len();
        // SAFETY: a live context and keys; room for the 32 bytes of either algorithm.
        let result = unsafe {
            check(ffi::EVP_PKEY_derive_init(context.0))
                .and_then(|()| check(ffi::EVP_PKEY_derive_set_peer(context.0, peer.0)))
                .and_then(|()| check(ffi::EVP_PKEY_derive(context.0, secret.as_mut_ptr(), &raw mut written)))
        };
        if let Err(error) = result {
            cleanse(&mut secret);
            return Err(error.unless_memory(Error::Key("public key is not usable")));
        }
        Ok(secret)
    }
}

type Getter = unsafe extern "C" fn(*const ffi::EVP_PKEY, *mut u8, *mut usize) -> std::ffi::c_int;

struct Derivation(*mut ffi::EVP_PKEY_CTX);

impl Drop for Derivation {
    fn drop(&mut self) {
        // SAFETY: owned, freed once.
        unsafe { ffi::EVP_PKEY_CTX_free(self.0) }
    }
}
