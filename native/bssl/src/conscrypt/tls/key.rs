//! Private keys that somebody else holds: a handshake suspends for them, and they are used with its lock released.

use boring_sys as ffi;

use super::connection::State;
use super::{Connection, Fault, Result, bytes, callbacks, check, check_ptr};
use crate::conscrypt::pkey::PKey;

/// What a key is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyTask {
    /// A signature of this input with this scheme.
    Sign(u16, Vec<u8>),
    /// An RSA decryption of this input, with its padding left in place.
    Decrypt(Vec<u8>),
}

pub(super) static HELD_ELSEWHERE: ffi::SSL_PRIVATE_KEY_METHOD =
    ffi::SSL_PRIVATE_KEY_METHOD { sign: Some(sign), decrypt: Some(decrypt), complete: Some(complete) };

/// Whether operations of this key leave BoringSSL.
pub(super) fn is_held_elsewhere(key: &PKey) -> bool {
    // SAFETY: a live key.
    unsafe { ffi::EVP_PKEY_is_opaque(key.as_ptr()) == 1 }
}

fn suspend(state: &State, task: KeyTask) -> ffi::ssl_private_key_result_t {
    state.key_result.set(None);
    state.want.replace(Some(super::Want::Key(task)));
    ffi::ssl_private_key_result_t::ssl_private_key_retry
}

unsafe extern "C" fn sign(
    ssl: *mut ffi::SSL,
    _out: *mut u8,
    _out_length: *mut usize,
    _room: usize,
    scheme: u16,
    input: *const u8,
    length: usize,
) -> ffi::ssl_private_key_result_t {
    // SAFETY: BoringSSL calls with a connection of ours and so many bytes.
    unsafe { suspend(callbacks::state(ssl), KeyTask::Sign(scheme, bytes(input, length).to_vec())) }
}

unsafe extern "C" fn decrypt(
    ssl: *mut ffi::SSL,
    _out: *mut u8,
    _out_length: *mut usize,
    _room: usize,
    input: *const u8,
    length: usize,
) -> ffi::ssl_private_key_result_t {
    // SAFETY: as above.
    unsafe { suspend(callbacks::state(ssl), KeyTask::Decrypt(bytes(input, length).to_vec())) }
}

unsafe extern "C" fn complete(
    ssl: *mut ffi::SSL,
    out: *mut u8,
    out_length: *mut usize,
    room: usize,
) -> ffi::ssl_private_key_result_t {
    // SAFETY: BoringSSL calls with a connection of ours and so much room.
    unsafe {
        match callbacks::state(ssl).key_result.take() {
            Some(Some(mut result)) if result.len() <= room => {
                std::ptr::copy_nonoverlapping(result.as_ptr(), out, result.len());
                *out_length = result.len();
                crate::bytes::cleanse(&mut result);
                ffi::ssl_private_key_result_t::ssl_private_key_success
            }
            _ => ffi::ssl_private_key_result_t::ssl_private_key_failure,
        }
    }
}

impl Connection {
    /// Does what a suspended handshake wants of the connection's key. Called without its lock: the key's holder may take its time.
    pub fn use_key(&self, task: &KeyTask) -> Result<Vec<u8>> {
        let key = {
            let (_held, _, state) = self.hold();
            let key = state.key.borrow();
            key.as_ref().ok_or_else(Fault::silent)?.share()
        };
        match task {
            KeyTask::Sign(scheme, input) => sign_with(&key, *scheme, input),
            KeyTask::Decrypt(input) => decrypt_with(&key, input),
        }
    }
}

fn sign_with(key: &PKey, scheme: u16, input: &[u8]) -> Result<Vec<u8>> {
    // SAFETY: live objects; the context is freed on every path, and counts the key; room of the length that is said.
    unsafe {
        let context = check_ptr(ffi::EVP_MD_CTX_new())?;
        let result = (|| {
            let mut parameters = std::ptr::null_mut();
            let md = ffi::SSL_get_signature_algorithm_digest(scheme);
            check(ffi::EVP_DigestSignInit(context, &raw mut parameters, md, std::ptr::null_mut(), key.as_ptr()))?;
            if ffi::SSL_is_signature_algorithm_rsa_pss(scheme) == 1 {
                check(ffi::EVP_PKEY_CTX_set_rsa_padding(parameters, ffi::RSA_PKCS1_PSS_PADDING))?;
                // A salt as long as the hash value.
                check(ffi::EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, -1))?;
            }
            let mut length = usize::try_from(ffi::EVP_PKEY_size(key.as_ptr())).unwrap_or(0);
            let mut signature = vec![0; length];
            check(ffi::EVP_DigestSign(context, signature.as_mut_ptr(), &raw mut length, input.as_ptr(), input.len()))?;
            signature.truncate(length);
            Ok(signature)
        })();
        ffi::EVP_MD_CTX_free(context);
        result
    }
}

fn decrypt_with(key: &PKey, input: &[u8]) -> Result<Vec<u8>> {
    // SAFETY: a live key, whose RSA half lives as long; room of the length that is said.
    unsafe {
        let rsa = ffi::EVP_PKEY_get0_RSA(key.as_ptr());
        if rsa.is_null() {
            return Err(Fault::take());
        }
        let mut length = usize::try_from(ffi::RSA_size(rsa)).unwrap_or(0);
        let mut plain = vec![0; length];
        let decrypted = ffi::RSA_decrypt(
            rsa,
            &raw mut length,
            plain.as_mut_ptr(),
            plain.len(),
            input.as_ptr(),
            input.len(),
            ffi::RSA_NO_PADDING,
        );
        check(decrypted)?;
        plain.truncate(length);
        Ok(plain)
    }
}
