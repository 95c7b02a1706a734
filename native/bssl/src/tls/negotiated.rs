//! What a handshake agreed on.

use std::ffi::CStr;
use std::os::raw::c_uint;

use boring_sys as ffi;

use super::connection::{Connection, TLS13, Task};
use super::slice;
use crate::der;
use crate::{Error, Result};

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
        if self.is_established() && self.selected.is_some() {
            return self.selected;
        }
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
            if session.is_null() {
                return 0;
            }
            let time = ffi::SSL_SESSION_get_time(session);
            if self.version() < TLS13 {
                return time;
            }
            // In TLS 1.3 BoringSSL makes that the time of the resumption, and takes the time since off the session's lifetime.
            let whole = u64::from(ffi::SSL_DEFAULT_SESSION_AUTH_TIMEOUT.unsigned_abs());
            time.saturating_sub(whole.saturating_sub(auth_timeout(session).unwrap_or(whole)))
        }
    }

    /// The OCSP response that the peer stapled; empty when there is none.
    pub fn ocsp_response(&self) -> &[u8] {
        let (mut data, mut length) = (std::ptr::null(), 0);
        // SAFETY: a live SSL; the answer lives as long as its session.
        unsafe {
            ffi::SSL_get0_ocsp_response(self.ssl, &raw mut data, &raw mut length);
            slice((data, length))
        }
    }

    /// The peer's raw public key as `SubjectPublicKeyInfo`; `None` when it sent a certificate or nothing.
    pub fn peer_raw_public_key(&self) -> Option<Vec<u8>> {
        // SAFETY: a live SSL; the fresh CBB is finished or cleaned up, its buffer copied and freed.
        unsafe {
            let key = ffi::SSL_get0_peer_rpk(self.ssl);
            if key.is_null() {
                return None;
            }
            let mut cbb = std::mem::zeroed();
            let (mut out, mut length) = (std::ptr::null_mut(), 0);
            if ffi::CBB_init(&raw mut cbb, 128) != 1
                || ffi::EVP_marshal_public_key(&raw mut cbb, key) != 1
                || ffi::CBB_finish(&raw mut cbb, &raw mut out, &raw mut length) != 1
            {
                ffi::CBB_cleanup(&raw mut cbb);
                ffi::ERR_clear_error();
                return None;
            }
            let encoded = slice((out.cast_const(), length)).to_vec();
            ffi::OPENSSL_free(out.cast());
            Some(encoded)
        }
    }

    /// Client, at [`Task::VerifyCertificate`]: the name to check the chain for instead of the server's, when it refused the
    /// encrypted hello. Such a handshake fails in any case.
    pub fn ech_name_override(&self) -> Option<&[u8]> {
        let (mut name, mut length) = (std::ptr::null(), 0);
        // SAFETY: a live SSL; the answer lives as long as its handshake.
        unsafe {
            ffi::SSL_get0_ech_name_override(self.ssl, &raw mut name, &raw mut length);
            (length > 0).then(|| slice((name.cast(), length)))
        }
    }

    /// After an authenticated refusal of the encrypted hello: what to try next.
    pub(super) fn ech_retry_configs(&self) -> Vec<u8> {
        let (mut data, mut length) = (std::ptr::null(), 0);
        // SAFETY: a live SSL whose failure was `ECH_REJECTED`; the answer lives as long as it.
        unsafe {
            ffi::SSL_get0_ech_retry_configs(self.ssl, &raw mut data, &raw mut length);
            slice((data, length)).to_vec()
        }
    }

    /// Whether the server took the encrypted hello.
    pub fn is_ech_accepted(&self) -> bool {
        // SAFETY: a live SSL.
        unsafe { ffi::SSL_ech_accepted(self.ssl) == 1 }
    }

    /// Keying material bound to this connection (RFC 5705, RFC 8446 section 7.5); `None` as context differs from an empty one in
    /// TLS 1.2.
    ///
    /// # Errors
    /// [`Error::State`] before the handshake is done; [`Error::Argument`] for a length that is not possible.
    pub fn export_keying_material(&self, label: &[u8], context: Option<&[u8]>, length: usize) -> Result<Vec<u8>> {
        if !self.is_established() {
            return Err(Error::State("the handshake is not complete"));
        }
        let mut out = vec![0; length];
        let (data, size) = context.map_or((std::ptr::null(), 0), |c| (c.as_ptr(), c.len()));
        // SAFETY: a live SSL; lengths of slices.
        let done = unsafe {
            let use_context = i32::from(context.is_some());
            ffi::SSL_export_keying_material(
                self.ssl,
                out.as_mut_ptr(),
                length,
                label.as_ptr().cast(),
                label.len(),
                data,
                size,
                use_context,
            )
        };
        if done == 1 {
            Ok(out)
        } else {
            Err(Error::Argument("keying material of that length cannot be made").after_clear())
        }
    }

    /// The channel binding `tls-unique` (RFC 5929 section 3), of TLS 1.2 only.
    pub fn tls_unique(&self) -> Option<Vec<u8>> {
        let mut out = vec![0; 64];
        let mut length = 0;
        // SAFETY: a live SSL; `out` has as many bytes as are said.
        let done = unsafe { ffi::SSL_get_tls_unique(self.ssl, out.as_mut_ptr(), &raw mut length, out.len()) };
        if done != 1 {
            // SAFETY: no preconditions.
            unsafe { ffi::ERR_clear_error() };
            return None;
        }
        out.truncate(length);
        Some(out)
    }
}

/// For how many seconds a session may still be resumed and renewed. BoringSSL tells that only in the session's encoding.
///
/// # Safety
/// A live session.
unsafe fn auth_timeout(session: *const ffi::SSL_SESSION) -> Option<u64> {
    const AUTH_TIMEOUT: u8 = der::context_constructed(25);
    // SAFETY: promise of the caller; the encoding is copied, overwritten and freed.
    let mut encoded = unsafe {
        let (mut out, mut length) = (std::ptr::null_mut(), 0);
        if ffi::SSL_SESSION_to_bytes(session, &raw mut out, &raw mut length) != 1 {
            ffi::ERR_clear_error();
            return None;
        }
        let copy = slice((out.cast_const(), length)).to_vec();
        ffi::OPENSSL_cleanse(out.cast(), length);
        ffi::OPENSSL_free(out.cast());
        copy
    };
    let written = || {
        let mut fields = der::Reader::new(&encoded).nested(der::SEQUENCE)?;
        loop {
            let tag = fields.peek()?;
            let mut field = der::Reader::new(fields.element(tag)?);
            if tag == AUTH_TIMEOUT {
                let bytes = field.element(der::INTEGER)?;
                return Some(bytes.iter().fold(0, |n, b| (n << 8) | u64::from(*b)));
            }
        }
    };
    // Left out when it equals the other time-out.
    // SAFETY: promise of the caller.
    let seconds = written().unwrap_or_else(|| u64::from(unsafe { ffi::SSL_SESSION_get_timeout(session) }));
    crate::bytes::cleanse(&mut encoded);
    Some(seconds)
}
