//! What not every connection uses: compression, key log, pre-shared keys, raw public keys, Encrypted Client Hello, shared tickets.

use std::ffi::{CStr, CString};
use std::io::{Read, Write};
use std::os::raw::{c_char, c_int};

use boring_sys as ffi;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::callbacks::state;
use super::config::{Config, Role};
use super::context::buffer_pool;
use super::{EchKey, PreSharedKey, psk, slice};
use crate::error::{check, check_ptr};
use crate::{Error, Result};

/// RFC 8879 section 7.3.
const COMPRESSION_ZLIB: u16 = 1;

/// Name, HMAC key and AES key, of 16 bytes each.
pub(super) const TICKET_KEY_LEN: usize = 48;

/// # Safety
/// `ctx` is live and not shared yet.
pub(super) unsafe fn configure(ctx: *mut ffi::SSL_CTX, config: &Config) -> Result<()> {
    // SAFETY: promise of the caller; slices outlive the calls, which copy.
    unsafe {
        if config.compress_certificates {
            let set =
                ffi::SSL_CTX_add_cert_compression_alg(ctx, COMPRESSION_ZLIB, Some(on_compress), Some(on_decompress));
            check(set)?;
        }
        if config.key_log {
            ffi::SSL_CTX_set_keylog_callback(ctx, Some(on_key_log));
        }
        let types = &config.peer_certificate_types;
        if !types.is_empty() {
            check(ffi::SSL_CTX_set1_accepted_peer_cert_types(ctx, types.as_ptr(), types.len()))?;
        }
        for key in &config.pre_shared_keys {
            add_pre_shared_key(ctx, key)?;
        }
        let keys = config.ask_pre_shared_key || !config.pre_shared_keys.is_empty();
        match config.role {
            Role::Client => {
                if config.request_stapling {
                    ffi::SSL_CTX_enable_ocsp_stapling(ctx);
                    ffi::SSL_CTX_enable_signed_cert_timestamps(ctx);
                }
                ffi::SSL_CTX_set_grease_enabled(ctx, c_int::from(config.grease));
                ffi::SSL_CTX_set_permute_extensions(ctx, c_int::from(config.permute_extensions));
                let types = &config.own_certificate_types;
                if !types.is_empty() {
                    check(ffi::SSL_CTX_set1_available_client_cert_types(ctx, types.as_ptr(), types.len()))?;
                }
                if keys {
                    ffi::SSL_CTX_set_psk_client_callback(ctx, Some(psk::on_client));
                }
            }
            Role::Server => {
                if keys {
                    ffi::SSL_CTX_set_psk_server_callback(ctx, Some(psk::on_server));
                }
                if !config.ech_keys.is_empty() {
                    set_ech_keys(ctx, &config.ech_keys)?;
                }
            }
        }
    }
    Ok(())
}

/// Client: what is set on the connection rather than on its context.
///
/// # Safety
/// `ssl` is live, its handshake not begun.
pub(super) unsafe fn configure_connection(ssl: *mut ffi::SSL, config: &Config) -> Result<()> {
    // SAFETY: promise of the caller; the list is copied.
    unsafe {
        ffi::SSL_set_enable_ech_grease(ssl, c_int::from(config.ech_grease));
        let list = &config.ech_config_list;
        if !list.is_empty() && ffi::SSL_set1_ech_config_list(ssl, list.as_ptr(), list.len()) != 1 {
            return Err(Error::Argument("not an ECHConfigList").after_clear());
        }
    }
    Ok(())
}

/// A session id context of 32 bytes for what a session was made under.
pub(super) fn session_id_context(under: &[u8]) -> [u8; 32] {
    let mut id = [0; 32];
    // SAFETY: `id` has SHA-256's 32 bytes.
    unsafe { ffi::SHA256(under.as_ptr(), under.len(), id.as_mut_ptr()) };
    id
}

// --- certificate compression ---

unsafe extern "C" fn on_compress(ssl: *mut ffi::SSL, out: *mut ffi::CBB, input: *const u8, length: usize) -> c_int {
    /// More than the chains of one server, fewer than an attacker could make us keep.
    const MOST: usize = 8;
    // SAFETY: BoringSSL calls with a connection of ours, a readable message and a buffer to append to.
    unsafe {
        let message = slice((input, length));
        let context = &*state(ssl).context;
        let Ok(mut kept) = context.compressed.lock() else { return 0 };
        let known = kept.iter().find(|(from, _)| from == message).map(|(_, to)| to.clone());
        let compressed = match known {
            Some(compressed) => compressed,
            None => {
                let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::default());
                let Ok(compressed) = encoder.write_all(message).and_then(|()| encoder.finish()) else { return 0 };
                if kept.len() >= MOST {
                    kept.remove(0);
                }
                kept.push((message.to_vec(), compressed.clone()));
                compressed
            }
        };
        ffi::CBB_add_bytes(out, compressed.as_ptr(), compressed.len())
    }
}

unsafe extern "C" fn on_decompress(
    _ssl: *mut ffi::SSL,
    out: *mut *mut ffi::CRYPTO_BUFFER,
    expected: usize,
    input: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: BoringSSL calls with a readable message; it has checked the expected length against its limit.
    unsafe {
        let mut plain = vec![0; expected];
        let mut decoder = ZlibDecoder::new(slice((input, length)));
        // Exactly the length that was announced, not a byte more.
        if decoder.read_exact(&mut plain).is_err() || !matches!(decoder.read(&mut [0]), Ok(0)) {
            return 0;
        }
        *out = ffi::CRYPTO_BUFFER_new(plain.as_ptr(), plain.len(), buffer_pool());
        c_int::from(!(*out).is_null())
    }
}

// --- key log ---

unsafe extern "C" fn on_key_log(ssl: *const ffi::SSL, line: *const c_char) {
    // SAFETY: BoringSSL calls with a connection of ours and a string.
    unsafe { state(ssl).events().key_log.push(CStr::from_ptr(line).to_bytes().to_vec()) };
}

// --- pre-shared keys ---

/// # Safety
/// As [`configure`].
unsafe fn add_pre_shared_key(ctx: *mut ffi::SSL_CTX, key: &PreSharedKey) -> Result<()> {
    if key.key.is_empty() || key.key.len() > psk::MAX_KEY || key.identity.is_empty() {
        return Err(Error::Argument("a pre-shared key has 1 to 256 bytes, and an identity"));
    }
    // SAFETY: promise of the caller; the context takes its own reference to the fresh credential.
    unsafe {
        let credential = check_ptr(ffi::SSL_CREDENTIAL_new_pre_shared_key(
            key.key.as_ptr(),
            key.key.len(),
            key.identity.as_ptr(),
            key.identity.len(),
            ffi::EVP_sha256(),
            key.context.as_ptr(),
            key.context.len(),
        ))?;
        let added = check(ffi::SSL_CTX_add1_credential(ctx, credential));
        ffi::SSL_CREDENTIAL_free(credential);
        added
    }
}

// --- Encrypted Client Hello ---

/// An X25519 key pair in HPKE's form; freed when dropped.
struct HpkeKey(*mut ffi::EVP_HPKE_KEY);

impl Drop for HpkeKey {
    fn drop(&mut self) {
        // SAFETY: ours alone.
        unsafe { ffi::EVP_HPKE_KEY_free(self.0) };
    }
}

impl HpkeKey {
    fn new(private_key: &[u8]) -> Result<Self> {
        // SAFETY: a fresh key; the bytes are copied.
        unsafe {
            let key = Self(check_ptr(ffi::EVP_HPKE_KEY_new())?);
            let kem = ffi::EVP_hpke_x25519_hkdf_sha256();
            if ffi::EVP_HPKE_KEY_init(key.0, kem, private_key.as_ptr(), private_key.len()) == 1 {
                Ok(key)
            } else {
                Err(Error::Key("an ECH key is an X25519 private key of 32 bytes").after_clear())
            }
        }
    }
}

/// # Safety
/// As [`configure`].
unsafe fn set_ech_keys(ctx: *mut ffi::SSL_CTX, keys: &[EchKey]) -> Result<()> {
    // SAFETY: promise of the caller; the context takes its own reference to the fresh list.
    unsafe {
        let list = check_ptr(ffi::SSL_ECH_KEYS_new())?;
        let result = keys.iter().try_for_each(|key| {
            let hpke = HpkeKey::new(&key.private_key)?;
            let retry = c_int::from(key.retry);
            let added = ffi::SSL_ECH_KEYS_add(list, retry, key.config.as_ptr(), key.config.len(), hpke.0);
            if added == 1 { Ok(()) } else { Err(Error::Argument("not an ECHConfig for this key").after_clear()) }
        });
        let result = result.and_then(|()| {
            let set = ffi::SSL_CTX_set1_ech_keys(ctx, list);
            if set == 1 { Ok(()) } else { Err(Error::Argument("no ECH key is for retries").after_clear()) }
        });
        ffi::SSL_ECH_KEYS_free(list);
        result
    }
}

/// A new key for Encrypted Client Hello: `id` tells it from others in use, `public_name` is the name in the clear, and
/// `max_name_len` the length in bytes of the longest name it hides.
///
/// # Errors
/// [`Error::Argument`] for a public name that is no host name.
pub fn generate_ech_key(id: u8, public_name: &str, max_name_len: usize) -> Result<EchKey> {
    let name = CString::new(public_name).map_err(|_| Error::Argument("not a host name"))?;
    // SAFETY: fresh objects; the buffer that BoringSSL allocates is copied and freed.
    unsafe {
        let key = HpkeKey(check_ptr(ffi::EVP_HPKE_KEY_new())?);
        check(ffi::EVP_HPKE_KEY_generate(key.0, ffi::EVP_hpke_x25519_hkdf_sha256()))?;
        let (mut out, mut length) = (std::ptr::null_mut(), 0);
        let made = ffi::SSL_marshal_ech_config(&raw mut out, &raw mut length, id, key.0, name.as_ptr(), max_name_len);
        if made != 1 {
            return Err(Error::Argument("not a name or length that an ECHConfig can have").after_clear());
        }
        let config = slice((out.cast_const(), length)).to_vec();
        ffi::OPENSSL_free(out.cast());
        let mut private_key = vec![0; 32];
        let mut written = 0;
        check(ffi::EVP_HPKE_KEY_private_key(key.0, private_key.as_mut_ptr(), &raw mut written, private_key.len()))?;
        Ok(EchKey { config, private_key, retry: true })
    }
}

// --- shared ticket keys ---

/// AES-128-CBC and HMAC-SHA-256, under the keys of the configuration.
pub(super) unsafe extern "C" fn on_ticket_key(
    ssl: *mut ffi::SSL,
    key_name: *mut u8,
    iv: *mut u8,
    cipher: *mut ffi::EVP_CIPHER_CTX,
    hmac: *mut ffi::HMAC_CTX,
    encrypt: c_int,
) -> c_int {
    const FAILED: c_int = -1;
    const UNKNOWN: c_int = 0;
    const DONE: c_int = 1;
    /// The ticket opens, and the client gets a new one under the first key.
    const RENEW: c_int = 2;
    // SAFETY: BoringSSL calls with a connection of ours, 16 bytes each for name and IV, and initialised contexts; the keys have
    // been checked to be of 48 bytes.
    unsafe {
        let keys = &(*state(ssl).context).config.ticket_keys;
        let index = if encrypt == 1 {
            0
        } else {
            let wanted = slice((key_name.cast_const(), 16));
            match keys.iter().position(|key| key.get(..16) == Some(wanted)) {
                Some(index) => index,
                None => return UNKNOWN,
            }
        };
        let Some((name, hmac_key, aes_key)) = keys.get(index).and_then(|key| {
            let (name, rest) = key.split_at_checked(16)?;
            let (hmac_key, aes_key) = rest.split_at_checked(16)?;
            Some((name, hmac_key, aes_key))
        }) else {
            return FAILED;
        };
        if encrypt == 1 {
            std::ptr::copy_nonoverlapping(name.as_ptr(), key_name, name.len());
            ffi::RAND_bytes(iv, 16);
        }
        let aes = ffi::EVP_aes_128_cbc();
        let none = std::ptr::null_mut();
        let ready = ffi::HMAC_Init_ex(hmac, hmac_key.as_ptr().cast(), hmac_key.len(), ffi::EVP_sha256(), none) == 1
            && ffi::EVP_CipherInit_ex(cipher, aes, none, aes_key.as_ptr(), iv, encrypt) == 1;
        match (ready, index) {
            (false, _) => FAILED,
            (true, 0) => DONE,
            (true, _) => RENEW,
        }
    }
}
