//! What a handshake agreed on.

use std::ffi::CStr;
use std::os::raw::c_uint;

use boring_sys as ffi;

use super::connection::{Connection, Task, slice};

impl Connection {
    /// The protocol version on the wire (0x0303, 0x0304); 0 before it is known.
    pub fn version(&self) -> u16 {
        if self.cipher_suite() == 0 && self.task() != Some(Task::ClientHello) {
            return 0;
        }
        // SAFETY: a live SSL.
        u16::try_from(unsafe { ffi::SSL_version(self.ssl) }).unwrap_or(0)
    }

    /// The cipher suite's IANA number; 0 before it is known.
    pub fn cipher_suite(&self) -> u16 {
        // SAFETY: a live SSL; the answers are null or static.
        unsafe {
            let pending = ffi::SSL_get_pending_cipher(self.ssl);
            let cipher = if pending.is_null() { ffi::SSL_get_current_cipher(self.ssl) } else { pending };
            if cipher.is_null() { 0 } else { ffi::SSL_CIPHER_get_protocol_id(cipher) }
        }
    }

    /// The named group of the key exchange; 0 if there is none (yet).
    pub fn group(&self) -> u16 {
        // SAFETY: a live SSL.
        unsafe { ffi::SSL_get_group_id(self.ssl) }
    }

    /// The application protocol; `None` when there is none.
    pub fn application_protocol(&self) -> Option<&[u8]> {
        let mut data = std::ptr::null();
        let mut length: c_uint = 0;
        // SAFETY: a live SSL; the answer lives as long as it.
        unsafe {
            ffi::SSL_get0_alpn_selected(self.ssl, &raw mut data, &raw mut length);
            (length > 0).then(|| slice((data, length as usize)))
        }
    }

    /// The server name that the client sent.
    pub fn server_name(&self) -> Option<&[u8]> {
        // SAFETY: a live SSL; the answer is null or a string that lives as long as it.
        unsafe {
            let name = ffi::SSL_get_servername(self.ssl, ffi::TLSEXT_NAMETYPE_host_name);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_bytes())
        }
    }

    /// The peer's chain, DER, leaf first; empty when it sent none.
    pub fn peer_certificates(&self) -> Vec<&[u8]> {
        // SAFETY: a live SSL.
        unsafe { self.buffers(ffi::SSL_get0_peer_certificates(self.ssl)) }
    }

    /// Client, at [`Task::CertificateRequest`]: the DER names of the CAs that the server accepts.
    pub fn requested_issuers(&self) -> Vec<&[u8]> {
        // SAFETY: a live SSL in a handshake.
        unsafe { self.buffers(ffi::SSL_get0_server_requested_CAs(self.ssl)) }
    }

    /// # Safety
    /// `stack` is null or a stack of buffers that lives as long as the SSL.
    unsafe fn buffers(&self, stack: *const ffi::stack_st_CRYPTO_BUFFER) -> Vec<&[u8]> {
        if stack.is_null() {
            return Vec::new();
        }
        // SAFETY: promise of the caller.
        unsafe {
            let stack = stack.cast();
            (0..ffi::OPENSSL_sk_num(stack))
                .map(|i| {
                    let buffer = ffi::OPENSSL_sk_value(stack, i).cast::<ffi::CRYPTO_BUFFER>();
                    slice((ffi::CRYPTO_BUFFER_data(buffer), ffi::CRYPTO_BUFFER_len(buffer)))
                })
                .collect()
        }
    }

    /// The signature schemes that the peer accepts; known from its hello or certificate request until the handshake ends.
    pub fn peer_signature_schemes(&self) -> &[u16] {
        let mut schemes = std::ptr::null();
        // SAFETY: a live SSL; the answer lives until the handshake goes on, which `&self` prevents.
        unsafe {
            let n = ffi::SSL_get0_peer_verify_algorithms(self.ssl, &raw mut schemes);
            if n == 0 { &[] } else { std::slice::from_raw_parts(schemes, n) }
        }
    }

    /// Client, TLS 1.2, at [`Task::CertificateRequest`]: the certificate types (RFC 5246 section 7.4.4) asked for.
    pub fn requested_certificate_types(&self) -> &[u8] {
        let mut types = std::ptr::null();
        // SAFETY: as in `peer_signature_schemes`.
        unsafe {
            let n = ffi::SSL_get0_certificate_types(self.ssl, &raw mut types);
            slice((types, n))
        }
    }

    /// Which of the credentials given to [`Connection::select`] is in use, from the time it is chosen.
    pub fn selected_credential(&self) -> Option<usize> {
        // SAFETY: a live SSL; the pointer is compared only.
        let selected = unsafe {
            let now = ffi::SSL_get0_selected_credential(self.ssl);
            if now.is_null() { (*self.state).credential } else { now }
        };
        self.credentials.iter().position(|c| std::ptr::eq(c.as_ptr(), selected))
    }

    /// The session's identifier (TLS 1.2: the server's; may be empty).
    pub fn session_id(&self) -> &[u8] {
        // SAFETY: a live SSL; the session lives as long as it.
        unsafe {
            let session = ffi::SSL_get_session(self.ssl);
            if session.is_null() {
                return &[];
            }
            let mut length: c_uint = 0;
            let id = ffi::SSL_SESSION_get_id(session, &raw mut length);
            slice((id, length as usize))
        }
    }

    /// Whether the handshake resumed a session.
    pub fn is_resumed(&self) -> bool {
        // SAFETY: a live SSL.
        unsafe { ffi::SSL_session_reused(self.ssl) == 1 }
    }

    /// When the session was made, in seconds since 1970; of a resumed one, when its first handshake was.
    pub fn session_time(&self) -> u64 {
        // SAFETY: a live SSL; the session lives as long as it.
        unsafe {
            let session = ffi::SSL_get_session(self.ssl);
            if session.is_null() { 0 } else { ffi::SSL_SESSION_get_time(session) }
        }
    }
}
