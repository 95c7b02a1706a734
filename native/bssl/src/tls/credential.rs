//! What an endpoint proves its identity with: a certificate chain and its private key.

use boring_sys as ffi;

use super::callbacks;
use crate::error::{check, check_ptr};
use crate::{Error, Result};

const NOT_A_KEY: Error = Error::Key("not a PKCS#8 private key of a type that TLS uses");

/// Lets `work` have the private key of a PKCS#8 encoding, for no longer than its call; `None` if that is all but a key.
pub(super) fn with_private_key<T>(pkcs8: &[u8], work: impl FnOnce(*mut ffi::EVP_PKEY) -> T) -> Option<T> {
    let mut cbs = ffi::CBS { data: pkcs8.as_ptr(), len: pkcs8.len() };
    // SAFETY: the CBS covers `pkcs8`.
    let key = unsafe { ffi::EVP_parse_private_key(&raw mut cbs) };
    let answer = if key.is_null() || cbs.len != 0 { None } else { Some(work(key)) };
    // SAFETY: this reference is ours, or null.
    unsafe { ffi::EVP_PKEY_free(key) };
    answer
}

/// A certificate chain with its key, or with a key that only its owner can use. Immutable, shared by connections.
#[derive(Debug)]
pub struct Credential(*mut ffi::SSL_CREDENTIAL);

// SAFETY: immutable after construction, with an atomic reference count.
unsafe impl Send for Credential {}
// SAFETY: as above.
unsafe impl Sync for Credential {}

impl Clone for Credential {
    fn clone(&self) -> Self {
        // SAFETY: a live credential.
        unsafe { ffi::SSL_CREDENTIAL_up_ref(self.0) };
        Self(self.0)
    }
}

impl Drop for Credential {
    fn drop(&mut self) {
        // SAFETY: this reference is ours.
        unsafe { ffi::SSL_CREDENTIAL_free(self.0) };
    }
}

impl Credential {
    /// From a chain of DER certificates, leaf first, and the leaf's key as PKCS#8 (RFC 5208). `schemes`: the signature schemes
    /// that it may be used with, best first; empty for all that the key can do.
    ///
    /// # Errors
    /// [`Error::Certificate`] for a chain that is empty or malformed, [`Error::Key`] for a key that is malformed, of an
    /// unknown type, or does not belong to the leaf.
    pub fn new(chain: &[Vec<u8>], pkcs8: &[u8], schemes: &[u16]) -> Result<Self> {
        let credential = Self::with_chain(chain)?;
        let set = with_private_key(pkcs8, |key| {
            // SAFETY: live objects; the credential takes its own reference to the key.
            unsafe { ffi::SSL_CREDENTIAL_set1_private_key(credential.0, key) }
        });
        if set.ok_or_else(|| NOT_A_KEY.after_clear())? != 1 {
            return Err(Error::Key("the private key does not belong to the certificate").after_clear());
        }
        if !schemes.is_empty() {
            // SAFETY: a live credential that is not shared yet; the schemes are copied.
            unsafe {
                check(ffi::SSL_CREDENTIAL_set1_signing_algorithm_prefs(credential.0, schemes.as_ptr(), schemes.len()))?;
            }
        }
        Ok(credential)
    }

    /// From a chain whose key cannot be exported: signing suspends the handshake ([`super::Task::Sign`]). `schemes` are
    /// the TLS signature schemes that the key can do, best first.
    ///
    /// # Errors
    /// As [`Credential::new`].
    pub fn external(chain: &[Vec<u8>], schemes: &[u16]) -> Result<Self> {
        let credential = Self::with_chain(chain)?;
        // SAFETY: a live credential; the method is static.
        unsafe {
            check(ffi::SSL_CREDENTIAL_set_private_key_method(credential.0, &raw const EXTERNAL))?;
            check(ffi::SSL_CREDENTIAL_set1_signing_algorithm_prefs(credential.0, schemes.as_ptr(), schemes.len()))?;
        }
        Ok(credential)
    }

    /// From a key alone, as PKCS#8: a raw public key (RFC 7250).
    ///
    /// # Errors
    /// [`Error::Key`] for a key that is malformed or of an unknown type.
    pub fn raw_public_key(pkcs8: &[u8]) -> Result<Self> {
        // SAFETY: a live key, to which the credential takes its own reference.
        let credential = with_private_key(pkcs8, |key| unsafe { ffi::SSL_CREDENTIAL_new_raw_public_key(key) });
        match credential {
            Some(credential) if !credential.is_null() => Ok(Self(credential)),
            _ => Err(NOT_A_KEY.after_clear()),
        }
    }

    /// Sets what a server staples: an OCSP response (DER, RFC 6960) and a list of SCTs (RFC 6962 section 3.3).
    ///
    /// # Errors
    /// [`Error::Argument`] for a malformed list.
    pub fn staple(&mut self, ocsp_response: Option<&[u8]>, timestamps: Option<&[u8]>) -> Result<()> {
        let set =
            |bytes: &[u8], set: unsafe extern "C" fn(*mut ffi::SSL_CREDENTIAL, *const ffi::CRYPTO_BUFFER) -> i32| {
                // SAFETY: a live credential that is not shared yet; it takes its own reference to the fresh buffer.
                unsafe {
                    let buffer = check_ptr(ffi::CRYPTO_BUFFER_new(bytes.as_ptr(), bytes.len(), std::ptr::null_mut()))?;
                    let done = set(self.0, buffer);
                    ffi::CRYPTO_BUFFER_free(buffer);
                    if done == 1 { Ok(()) } else { Err(Error::Argument("nothing that can be stapled").after_clear()) }
                }
            };
        if let Some(response) = ocsp_response {
            set(response, ffi::SSL_CREDENTIAL_set1_ocsp_response)?;
        }
        if let Some(list) = timestamps {
            set(list, ffi::SSL_CREDENTIAL_set1_signed_cert_timestamp_list)?;
        }
        Ok(())
    }

    fn with_chain(chain: &[Vec<u8>]) -> Result<Self> {
        if chain.is_empty() {
            return Err(Error::Certificate("the certificate chain is empty"));
        }
        // SAFETY: fresh objects; every buffer made is freed, the credential takes its own references.
        unsafe {
            let credential = Self(check_ptr(ffi::SSL_CREDENTIAL_new_x509())?);
            let buffers: Vec<_> = chain
                .iter()
                .map(|der| ffi::CRYPTO_BUFFER_new(der.as_ptr(), der.len(), super::context::buffer_pool()))
                .collect();
            let set = if buffers.iter().any(|b| b.is_null()) {
                Err(Error::OutOfMemory)
            } else if ffi::SSL_CREDENTIAL_set1_cert_chain(credential.0, buffers.as_ptr(), buffers.len()) == 1 {
                Ok(())
            } else {
                Err(Error::Certificate("the leaf certificate cannot be parsed or its key type is not usable")
                    .after_clear())
            };
            for buffer in buffers {
                ffi::CRYPTO_BUFFER_free(buffer);
            }
            set.map(|()| credential)
        }
    }

    pub(super) fn as_ptr(&self) -> *mut ffi::SSL_CREDENTIAL {
        self.0
    }
}

static EXTERNAL: ffi::SSL_PRIVATE_KEY_METHOD =
    ffi::SSL_PRIVATE_KEY_METHOD { sign: Some(sign), decrypt: Some(decrypt), complete: Some(complete) };

unsafe extern "C" fn sign(
    ssl: *mut ffi::SSL,
    _out: *mut u8,
    _out_len: *mut usize,
    _max_out: usize,
    scheme: u16,
    input: *const u8,
    input_len: usize,
) -> ffi::ssl_private_key_result_t {
    // SAFETY: BoringSSL calls with a live connection and `input_len` readable bytes.
    unsafe { callbacks::suspend_for_key(ssl, callbacks::KeyTask::Sign(scheme), input, input_len) }
}

unsafe extern "C" fn decrypt(
    ssl: *mut ffi::SSL,
    _out: *mut u8,
    _out_len: *mut usize,
    _max_out: usize,
    input: *const u8,
    input_len: usize,
) -> ffi::ssl_private_key_result_t {
    // SAFETY: as in `sign`.
    unsafe { callbacks::suspend_for_key(ssl, callbacks::KeyTask::Decrypt, input, input_len) }
}

unsafe extern "C" fn complete(
    ssl: *mut ffi::SSL,
    out: *mut u8,
    out_len: *mut usize,
    max_out: usize,
) -> ffi::ssl_private_key_result_t {
    // SAFETY: BoringSSL calls with a live connection and `max_out` writable bytes.
    unsafe { callbacks::resume_with_key_result(ssl, out, out_len, max_out) }
}
