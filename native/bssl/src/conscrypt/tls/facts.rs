//! What a connection can be asked.

use std::ffi::{CStr, c_char, c_int};

use boring_sys as ffi;

use super::session::{self, Session};
use super::{Connection, Result, bytes, check, clear};

/// # Safety
/// `text` is null or a C string.
pub(super) unsafe fn text(text: *const c_char) -> Option<String> {
    // SAFETY: promise of the caller.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// # Safety
/// `cipher` is null or of BoringSSL's table.
pub(super) unsafe fn standard_name(cipher: *const ffi::SSL_CIPHER) -> Option<String> {
    // SAFETY: promise of the caller.
    if cipher.is_null() { None } else { unsafe { text(ffi::SSL_CIPHER_standard_name(cipher)) } }
}

/// The key exchange of a cipher suite (`SSL_CIPHER_get_kx_name`), by its IANA number.
pub fn key_exchange(suite: u16) -> Option<String> {
    // SAFETY: any number may be asked for; the names are static.
    unsafe {
        let cipher = ffi::SSL_get_cipher_by_value(suite);
        if cipher.is_null() { None } else { text(ffi::SSL_CIPHER_get_kx_name(cipher)) }
    }
}

/// The `EVP_PKEY` type of a signature scheme; 0 if it is not known.
pub fn signature_key_type(scheme: u16) -> c_int {
    // SAFETY: no preconditions.
    unsafe { ffi::SSL_get_signature_algorithm_key_type(scheme) }
}

/// Empty is none.
fn some(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.is_empty() { None } else { Some(bytes.to_vec()) }
}

/// # Safety
/// `stack` is null or a live stack of buffers.
unsafe fn buffers(stack: *const ffi::stack_st_CRYPTO_BUFFER) -> Vec<Vec<u8>> {
    if stack.is_null() {
        return Vec::new();
    }
    // SAFETY: promise of the caller.
    unsafe {
        let stack = stack.cast();
        let mut all = Vec::new();
        for i in 0..ffi::OPENSSL_sk_num(stack) {
            let buffer = ffi::OPENSSL_sk_value(stack, i).cast::<ffi::CRYPTO_BUFFER>();
            all.push(bytes(ffi::CRYPTO_BUFFER_data(buffer), ffi::CRYPTO_BUFFER_len(buffer)).to_vec());
        }
        all
    }
}

/// What a server asks of a client.
#[derive(Debug)]
pub struct CertificateRequest {
    /// Certificate types (RFC 5246 section 7.4.4).
    pub types: Vec<u8>,
    /// Signature schemes.
    pub schemes: Vec<u16>,
    /// DER names of CAs.
    pub issuers: Vec<Vec<u8>>,
}

impl Connection {
    /// Asks something of the SSL.
    fn ask<T>(&self, question: impl FnOnce(*mut ffi::SSL) -> T) -> T {
        let (_held, ssl, _) = self.hold();
        question(ssl)
    }

    /// All flags of `SSL_OP_…` that are set.
    pub fn options(&self) -> u32 {
        // SAFETY: a live SSL.
        self.ask(|ssl| unsafe { ffi::SSL_get_options(ssl) })
    }

    /// All flags of `SSL_MODE_…` that are set.
    pub fn mode(&self) -> u32 {
        // SAFETY: a live SSL.
        self.ask(|ssl| unsafe { ffi::SSL_get_mode(ssl) })
    }

    /// The IANA numbers of the cipher suites to choose from.
    pub fn ciphers(&self) -> Vec<u16> {
        // SAFETY: a live SSL; its stack of static ciphers.
        self.ask(|ssl| unsafe {
            let ciphers: *const ffi::OPENSSL_STACK = ffi::SSL_get_ciphers(ssl).cast();
            let count = if ciphers.is_null() { 0 } else { ffi::OPENSSL_sk_num(ciphers) };
            (0..count).map(|i| ffi::SSL_CIPHER_get_protocol_id(ffi::OPENSSL_sk_value(ciphers, i).cast())).collect()
        })
    }

    /// The standard name of the cipher suite in use.
    pub fn current_cipher(&self) -> Option<String> {
        // SAFETY: a live SSL.
        self.ask(|ssl| unsafe { standard_name(ffi::SSL_get_current_cipher(ssl)) })
    }

    /// The key exchange of the cipher suite that is being negotiated.
    pub fn pending_key_exchange(&self) -> String {
        // SAFETY: a live SSL; null is allowed.
        self.ask(|ssl| unsafe { text(ffi::SSL_CIPHER_get_kx_name(ffi::SSL_get_pending_cipher(ssl))) })
            .unwrap_or_default()
    }

    /// BoringSSL's name of the version.
    pub fn version(&self) -> String {
        // SAFETY: a live SSL.
        self.ask(|ssl| unsafe { text(ffi::SSL_get_version(ssl)) }).unwrap_or_default()
    }

    /// The named group's name (BoringSSL's).
    pub fn group_name(&self) -> Option<String> {
        // SAFETY: a live SSL; null for an unknown group.
        self.ask(|ssl| unsafe { text(ffi::SSL_get_group_name(ffi::SSL_get_group_id(ssl))) })
    }

    /// The peer's chain, leaf first; `None` if it has none.
    pub fn peer_certificates(&self) -> Option<Vec<Vec<u8>>> {
        // SAFETY: a live SSL.
        self.ask(|ssl| unsafe {
            let chain = ffi::SSL_get0_peer_certificates(ssl);
            if chain.is_null() { None } else { Some(buffers(chain)) }
        })
    }

    /// Client, while a certificate is asked for: what the server says.
    pub fn certificate_request(&self) -> CertificateRequest {
        // SAFETY: a live SSL in a handshake; what it answers is copied.
        self.ask(|ssl| unsafe {
            let (mut types, mut schemes) = (std::ptr::null(), std::ptr::null());
            let count = ffi::SSL_get0_certificate_types(ssl, &raw mut types);
            let types = bytes(types, count).to_vec();
            let count = ffi::SSL_get0_peer_verify_algorithms(ssl, &raw mut schemes);
            let schemes = if count == 0 { Vec::new() } else { std::slice::from_raw_parts(schemes, count).to_vec() };
            CertificateRequest { types, schemes, issuers: buffers(ffi::SSL_get0_server_requested_CAs(ssl)) }
        })
    }

    /// Server, while its certificate is asked for: the signature schemes of the client's hello.
    pub fn peer_schemes(&self) -> Vec<u16> {
        let (_held, _, state) = self.hold();
        state.peer_schemes.borrow().clone()
    }

    /// Server: the name that the client sent.
    pub fn server_name(&self) -> Option<String> {
        // SAFETY: a live SSL.
        self.ask(|ssl| unsafe { text(ffi::SSL_get_servername(ssl, ffi::TLSEXT_NAMETYPE_host_name)) })
    }

    /// The application protocol that was negotiated.
    pub fn application_protocol(&self) -> Option<Vec<u8>> {
        let (mut data, mut length) = (std::ptr::null(), 0);
        // SAFETY: a live SSL; what it answers is copied.
        self.ask(|ssl| unsafe {
            ffi::SSL_get0_alpn_selected(ssl, &raw mut data, &raw mut length);
            some(bytes(data, usize::try_from(length).unwrap_or(0)))
        })
    }

    /// Client: the OCSP response that the server stapled.
    pub fn ocsp_response(&self) -> Option<Vec<u8>> {
        let (mut data, mut length) = (std::ptr::null(), 0);
        // SAFETY: a live SSL; what it answers is copied.
        self.ask(|ssl| unsafe {
            ffi::SSL_get0_ocsp_response(ssl, &raw mut data, &raw mut length);
            some(bytes(data, length))
        })
    }

    /// Client: the SCTs that the server sent.
    pub fn signed_cert_timestamps(&self) -> Option<Vec<u8>> {
        let (mut data, mut length) = (std::ptr::null(), 0);
        // SAFETY: a live SSL; what it answers is copied.
        self.ask(|ssl| unsafe {
            ffi::SSL_get0_signed_cert_timestamp_list(ssl, &raw mut data, &raw mut length);
            some(bytes(data, length))
        })
    }

    /// The channel binding `tls-unique` (RFC 5929 section 3).
    pub fn tls_unique(&self) -> Option<Vec<u8>> {
        let (mut out, mut length) = ([0; 16], 0);
        // SAFETY: a live SSL; room of this length.
        let done =
            self.ask(|ssl| unsafe { ffi::SSL_get_tls_unique(ssl, out.as_mut_ptr(), &raw mut length, out.len()) });
        clear();
        if done == 1 { some(out.get(..length)?) } else { None }
    }

    /// Server: the client's Channel ID.
    pub fn channel_id(&self) -> Option<Vec<u8>> {
        let mut out = [0; 64];
        // SAFETY: a live SSL; room of this length.
        let length = self.ask(|ssl| unsafe { ffi::SSL_get_tls_channel_id(ssl, out.as_mut_ptr(), out.len()) });
        clear();
        (length == out.len()).then(|| out.to_vec())
    }

    /// Keying material (RFC 5705).
    pub fn export_keying_material(&self, label: &[u8], context: Option<&[u8]>, length: usize) -> Result<Vec<u8>> {
        let (_held, ssl, _) = self.hold_idle()?;
        let mut out = vec![0; length];
        let (data, size) = context.map_or((std::ptr::null(), 0), |context| (context.as_ptr(), context.len()));
        // SAFETY: a live SSL; lengths of slices.
        let done = unsafe {
            ffi::SSL_export_keying_material(
                ssl,
                out.as_mut_ptr(),
                length,
                label.as_ptr().cast(),
                label.len(),
                data,
                size,
                c_int::from(context.is_some()),
            )
        };
        check(done)?;
        Ok(out)
    }

    /// Flags of `SSL_SENT_SHUTDOWN` and `SSL_RECEIVED_SHUTDOWN`.
    pub fn shutdown_state(&self) -> c_int {
        // SAFETY: a live SSL.
        self.ask(|ssl| unsafe { ffi::SSL_get_shutdown(ssl) })
    }

    /// Bytes of data that can be read without the transport.
    pub fn pending(&self) -> c_int {
        // SAFETY: a live SSL.
        self.ask(|ssl| unsafe { ffi::SSL_pending(ssl) })
    }

    /// By how many bytes a record is longer than its data.
    pub fn max_seal_overhead(&self) -> usize {
        // SAFETY: a live SSL.
        self.ask(|ssl| unsafe { ffi::SSL_max_seal_overhead(ssl) })
    }

    /// Whether the handshake resumed a session.
    pub fn is_resumed(&self) -> bool {
        // SAFETY: a live SSL.
        self.ask(|ssl| unsafe { ffi::SSL_session_reused(ssl) == 1 })
    }

    /// Whether data may be read and written.
    pub fn is_ready(&self) -> bool {
        // SAFETY: a live SSL.
        self.ask(|ssl| unsafe {
            ffi::SSL_is_init_finished(ssl) == 1
                || ffi::SSL_in_false_start(ssl) == 1
                || ffi::SSL_renegotiate_pending(ssl) == 1
        })
    }

    /// The session, counted once more.
    pub fn session(&self) -> Option<Session> {
        // SAFETY: a live SSL; the answer is null or a reference for us.
        self.ask(|ssl| unsafe {
            let session = ffi::SSL_get1_session(ssl);
            if session.is_null() { None } else { Some(Session::from_raw(session)) }
        })
    }

    /// ID, time (seconds since 1970) and lifetime (seconds) of the current session, which may still be in the making.
    pub fn session_facts(&self) -> Option<(Vec<u8>, u64, u32)> {
        // SAFETY: a live SSL and its session.
        self.ask(|ssl| unsafe {
            let session = ffi::SSL_get_session(ssl);
            if session.is_null() {
                return None;
            }
            let times = (ffi::SSL_SESSION_get_time(session), ffi::SSL_SESSION_get_timeout(session));
            Some((session::id(session).to_vec(), times.0, times.1))
        })
    }

    /// Client: the name that the server's chain is for when it refused the encrypted hello.
    pub fn ech_name_override(&self) -> Option<String> {
        let (mut name, mut length) = (std::ptr::null(), 0);
        // SAFETY: a live SSL; what it answers is copied.
        self.ask(|ssl| unsafe {
            ffi::SSL_get0_ech_name_override(ssl, &raw mut name, &raw mut length);
            some(bytes(name.cast(), length)).map(|name| String::from_utf8_lossy(&name).into_owned())
        })
    }

    /// Client, after the server refused the encrypted hello: the `ECHConfigList` to try next. At any other time, a list that
    /// is not valid, so that nobody takes it for "without".
    pub fn ech_retry_configs(&self) -> Option<Vec<u8>> {
        let (mut data, mut length) = (std::ptr::null(), 0);
        // SAFETY: a live SSL; what it answers is copied.
        self.ask(|ssl| unsafe {
            ffi::SSL_get0_ech_retry_configs(ssl, &raw mut data, &raw mut length);
            some(bytes(data, length))
        })
    }

    /// Whether the server took the encrypted hello.
    pub fn is_ech_accepted(&self) -> bool {
        // SAFETY: a live SSL.
        self.ask(|ssl| unsafe { ffi::SSL_ech_accepted(ssl) == 1 })
    }
}
