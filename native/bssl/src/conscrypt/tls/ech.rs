//! Keys and configurations of Encrypted Client Hello.

use std::ffi::CString;

use boring_sys as ffi;

use super::{Fault, Result, bytes, check, owned};

owned! {
    /// An `SSL_ECH_KEYS`.
    pub EchKeys(ffi::SSL_ECH_KEYS), ffi::SSL_ECH_KEYS_free
}

// SAFETY: only filled before it is shared.
unsafe impl Sync for EchKeys {}

/// Longest name of a server that the padding hides, in bytes.
const MAX_NAME: usize = 128;

/// Lets `work` use an X25519 key of HPKE.
fn with_key<T>(private: &[u8], work: impl FnOnce(*const ffi::EVP_HPKE_KEY) -> Result<T>) -> Result<T> {
    // SAFETY: a fresh key, initialised before its use and freed (with its secret) after it.
    unsafe {
        let key = super::check_ptr(ffi::EVP_HPKE_KEY_new())?;
        let kem = ffi::EVP_hpke_x25519_hkdf_sha256();
        let result = check(ffi::EVP_HPKE_KEY_init(key, kem, private.as_ptr(), private.len())).and_then(|()| work(key));
        ffi::EVP_HPKE_KEY_free(key);
        result
    }
}

/// # Safety
/// `write` leaves null or memory of BoringSSL's allocator and its length.
unsafe fn allocated(write: impl FnOnce(*mut *mut u8, *mut usize) -> i32) -> Result<Vec<u8>> {
    let (mut data, mut length) = (std::ptr::null_mut(), 0);
    check(write(&raw mut data, &raw mut length))?;
    // SAFETY: promise of the caller.
    unsafe {
        let copy = bytes(data, length).to_vec();
        ffi::OPENSSL_free(data.cast());
        Ok(copy)
    }
}

impl EchKeys {
    /// Without keys.
    pub fn new() -> Result<Self> {
        // SAFETY: no preconditions.
        Self::own(unsafe { ffi::SSL_ECH_KEYS_new() })
    }

    /// One X25519 key, with the configuration that clients know and are told again when theirs is outdated.
    pub fn of(private: &[u8], config: &[u8]) -> Result<Self> {
        let keys = Self::new()?;
        with_key(private, |key| {
            // SAFETY: live objects and a slice, which are copied.
            check(unsafe { ffi::SSL_ECH_KEYS_add(keys.as_ptr(), 1, config.as_ptr(), config.len(), key) })
        })?;
        Ok(keys)
    }
}

/// The `ECHConfig` of an X25519 key: with this identifier, for servers behind `public_name`.
pub fn marshal_ech_config(id: u8, private: &[u8], public_name: &str) -> Result<Vec<u8>> {
    let name = CString::new(public_name).map_err(|_| Fault::argument("a zero byte inside the name"))?;
    // SAFETY: a live key, a C string; what is allocated is handed over.
    with_key(private, |key| unsafe {
        allocated(|data, length| ffi::SSL_marshal_ech_config(data, length, id, key, name.as_ptr(), MAX_NAME))
    })
}

/// The `ECHConfigList` of one or more `ECHConfig`s, one after the other, as `SSL_ECH_KEYS_marshal_retry_configs` makes it.
pub fn marshal_ech_config_list(configs: &[u8]) -> Result<Vec<u8>> {
    let malformed = || Fault::argument("not ECHConfigs");
    let mut rest = configs;
    loop {
        // Version and length of the contents come first.
        let [_, _, high, low, contents @ ..] = rest else { return Err(malformed()) };
        rest = contents.get(usize::from(u16::from_be_bytes([*high, *low]))..).ok_or_else(malformed)?;
        if rest.is_empty() {
            break;
        }
    }
    let length = u16::try_from(configs.len()).map_err(|_| malformed())?;
    let mut list = length.to_be_bytes().to_vec();
    list.extend_from_slice(configs);
    Ok(list)
}
