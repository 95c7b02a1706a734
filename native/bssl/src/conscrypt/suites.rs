//! Names of cipher suites.

use std::ffi::{CStr, CString, c_char};

use boring_sys as ffi;

use super::{Fault, Result, clear, owned};

owned! {
    /// A context to ask.
    pub(super) Context(ffi::SSL_CTX), ffi::SSL_CTX_free
}

owned! {
    /// A connection to ask.
    pub(super) Connection(ffi::SSL), ffi::SSL_free
}

/// # Safety
/// `name` is a static C string.
unsafe fn text(name: *const c_char) -> String {
    // SAFETY: promise of the caller.
    unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
}

/// The cipher suites that a list in OpenSSL's syntax selects: standard name and OpenSSL's, in turn.
pub fn names(selector: &str) -> Result<Vec<String>> {
    let selector = CString::new(selector).map_err(|_| Fault::silent())?;
    // SAFETY: fresh objects; the connection keeps its ciphers, whose names are static.
    unsafe {
        let context = Context::own(ffi::SSL_CTX_new(ffi::TLS_with_buffers_method()))?;
        let connection = Connection::own(ffi::SSL_new(context.0))?;
        if ffi::SSL_set_cipher_list(connection.0, selector.as_ptr()) != 1 {
            return Err(Fault::take());
        }
        clear();
        let ciphers: *mut ffi::OPENSSL_STACK = ffi::SSL_get_ciphers(connection.0).cast();
        let mut names = Vec::new();
        for i in 0..ffi::sk_num(ciphers) {
            let cipher = ffi::sk_value(ciphers, i).cast();
            names.push(text(ffi::SSL_CIPHER_standard_name(cipher)));
            names.push(text(ffi::SSL_CIPHER_get_name(cipher)));
        }
        Ok(names)
    }
}

/// Whether BoringSSL is its FIPS module.
pub fn is_fips() -> bool {
    // SAFETY: no preconditions.
    unsafe { ffi::FIPS_mode() == 1 }
}
