//! How a connection is configured.

use std::ffi::{CStr, CString, c_int};

use boring_sys as ffi;

use super::callbacks;
use super::key;
use super::session::Session;
use super::{Connection, Fault, GROUPS, Result, check, check_ptr, clear};
use crate::conscrypt::pkey::PKey;

fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Fault::argument("a zero byte inside a string"))
}

/// Certificates or names, freed when dropped.
struct Buffers(Vec<*mut ffi::CRYPTO_BUFFER>);

impl Buffers {
    fn new(items: &[Vec<u8>]) -> Result<Self> {
        let mut buffers = Self(Vec::with_capacity(items.len()));
        for item in items {
            // SAFETY: a valid slice, which is copied.
            let buffer = unsafe { ffi::CRYPTO_BUFFER_new(item.as_ptr(), item.len(), std::ptr::null_mut()) };
            buffers.0.push(check_ptr(buffer)?);
        }
        Ok(buffers)
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        for buffer in &self.0 {
            // SAFETY: each is ours, freed once.
            unsafe { ffi::CRYPTO_BUFFER_free(*buffer) };
        }
    }
}

impl Connection {
    /// Whether it is to act as a server.
    pub fn set_server(&self, server: bool) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL.
        unsafe {
            if server {
                ffi::SSL_set_accept_state(ssl);
            } else {
                ffi::SSL_set_connect_state(ssl);
            }
        }
        Ok(())
    }

    /// Sets and clears flags of `SSL_OP_…`; answers all that are set then.
    pub fn change_options(&self, set: u32, unset: u32) -> u32 {
        let (_held, ssl, _) = self.hold();
        // SAFETY: a live SSL.
        unsafe {
            ffi::SSL_clear_options(ssl, unset);
            ffi::SSL_set_options(ssl, set)
        }
    }

    /// Sets and clears flags of `SSL_MODE_…`; answers all that are set then.
    pub fn change_mode(&self, set: u32, unset: u32) -> u32 {
        let (_held, ssl, _) = self.hold();
        // SAFETY: a live SSL.
        unsafe {
            ffi::SSL_clear_mode(ssl, unset);
            ffi::SSL_set_mode(ssl, set)
        }
    }

    /// Whether a new session may be made (`SSL_MODE_NO_SESSION_CREATION`).
    pub fn set_session_creation(&self, enabled: bool) {
        let flag = ffi::SSL_MODE_NO_SESSION_CREATION.cast_unsigned();
        if enabled {
            self.change_mode(0, flag)
        } else {
            self.change_mode(flag, 0)
        };
    }

    /// The versions on the wire; false if one is not known.
    pub fn set_versions(&self, least: u16, most: u16) -> Result<bool> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL; both are tried.
        let set = unsafe {
            let least = ffi::SSL_set_min_proto_version(ssl, least);
            let most = ffi::SSL_set_max_proto_version(ssl, most);
            least == 1 && most == 1
        };
        clear();
        Ok(set)
    }

    /// The suites of these names; none leaves none.
    pub fn set_ciphers(&self, names: &[String]) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        let list = c_string(&names.join(":"))?;
        // SAFETY: a live SSL; the string is copied. An empty list is set, and reported as an error.
        let result = check(unsafe { ffi::SSL_set_cipher_list(ssl, list.as_ptr()) });
        if names.is_empty() { Ok(()) } else { result }
    }

    /// The named groups, by NID, best first; the default ones if there are none.
    pub fn set_groups(&self, nids: &[c_int]) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        if nids.is_empty() {
            // SAFETY: a live SSL; an array, which is copied.
            return check(unsafe { ffi::SSL_set1_group_ids(ssl, GROUPS.as_ptr(), GROUPS.len()) });
        }
        // SAFETY: a live SSL; a slice, which is copied.
        check(unsafe { ffi::SSL_set1_groups(ssl, nids.as_ptr(), nids.len()) })
    }

    /// Whether the peer's certificate is wanted and needed: flags of `SSL_VERIFY_…`.
    pub fn set_verify(&self, mode: c_int) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL.
        unsafe { ffi::SSL_set_custom_verify(ssl, mode, Some(callbacks::on_verify)) };
        Ok(())
    }

    /// Client: renegotiations are accepted (TLS 1.2 and older).
    pub fn accept_renegotiations(&self) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL.
        unsafe { ffi::SSL_set_renegotiate_mode(ssl, ffi::ssl_renegotiate_mode_t::ssl_renegotiate_freely) };
        Ok(())
    }

    /// Client: asks the server to staple an OCSP response.
    pub fn enable_ocsp_stapling(&self) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL.
        unsafe { ffi::SSL_enable_ocsp_stapling(ssl) };
        Ok(())
    }

    /// Client: asks the server for SCTs.
    pub fn enable_signed_cert_timestamps(&self) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL.
        unsafe { ffi::SSL_enable_signed_cert_timestamps(ssl) };
        Ok(())
    }

    /// Server: the OCSP response to staple.
    pub fn set_ocsp_response(&self, response: &[u8]) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL; the slice is copied.
        check(unsafe { ffi::SSL_set_ocsp_response(ssl, response.as_ptr(), response.len()) })
    }

    /// Server: the SCTs to send.
    pub fn set_signed_cert_timestamps(&self, list: &[u8]) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL; the slice is copied.
        check(unsafe { ffi::SSL_set_signed_cert_timestamp_list(ssl, list.as_ptr(), list.len()) })
    }

    /// Server: Channel IDs are accepted.
    pub fn enable_channel_id(&self) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL.
        check(unsafe { ffi::SSL_enable_tls_channel_id(ssl) })
    }

    /// Client: the key of its Channel ID.
    pub fn set_channel_id(&self, key: &PKey) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: live objects; the SSL counts the key.
        check(unsafe { ffi::SSL_set1_tls_channel_id(ssl, key.as_ptr()) })
    }

    /// The chain, leaf first, with its key. Operations of a key that somebody else holds suspend the handshake.
    pub fn set_chain_and_key(&self, chain: &[Vec<u8>], key: &PKey) -> Result<()> {
        let (_held, ssl, state) = self.hold_idle()?;
        let chain = Buffers::new(chain)?;
        let (own, method) = if key::is_held_elsewhere(key) {
            (std::ptr::null_mut(), &raw const key::HELD_ELSEWHERE)
        } else {
            (key.as_ptr(), std::ptr::null())
        };
        // SAFETY: live objects, which the SSL counts; a static method.
        check(unsafe { ffi::SSL_set_chain_and_key(ssl, chain.0.as_ptr(), chain.0.len(), own, method) })?;
        state.key.replace(if own.is_null() { Some(key.share()) } else { None });
        Ok(())
    }

    /// Server: the CAs (DER names) whose clients are accepted.
    pub fn set_client_cas(&self, names: &[Vec<u8>]) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        let mut names = Buffers::new(names)?;
        // SAFETY: a fresh stack, which takes over the buffers that were pushed; the SSL takes over the stack.
        unsafe {
            let stack = check_ptr(ffi::OPENSSL_sk_new_null())?;
            let mut result = Ok(());
            while let Some(buffer) = names.0.first().copied() {
                if ffi::OPENSSL_sk_push(stack, buffer.cast()) == 0 {
                    result = Err(Fault::take());
                    break;
                }
                names.0.remove(0);
            }
            ffi::SSL_set0_client_CAs(ssl, stack.cast());
            result
        }
    }

    /// Client: the server name to send.
    pub fn set_host_name(&self, name: &CStr) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL; the string is copied.
        check(unsafe { ffi::SSL_set_tlsext_host_name(ssl, name.as_ptr()) })
    }

    /// Client: the application protocols to offer, as on the wire.
    pub fn set_client_protocols(&self, protocols: &[u8]) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL; the slice is copied. This one answers 0 for success.
        check(1 - unsafe { ffi::SSL_set_alpn_protos(ssl, protocols.as_ptr(), protocols.len()) })
    }

    /// Server: the application protocols to choose from, as on the wire.
    pub fn set_server_protocols(&self, protocols: Vec<u8>) -> Result<()> {
        let (_held, _, state) = self.hold_idle()?;
        state.protocols.replace(Some(protocols));
        Ok(())
    }

    /// Server: somebody else chooses the application protocol.
    pub fn set_has_selector(&self, has: bool) -> Result<()> {
        let (_held, _, state) = self.hold_idle()?;
        state.has_selector.set(has);
        Ok(())
    }

    /// Client: a session to resume.
    pub fn set_session(&self, session: &Session) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: live objects; the SSL counts the session.
        check(unsafe { ffi::SSL_set_session(ssl, session.as_ptr()) })
    }

    /// The current session's lifetime in seconds; answers what it was. `None` without a session.
    pub fn set_session_timeout(&self, seconds: u32) -> Option<u32> {
        let (_held, ssl, _) = self.hold();
        // SAFETY: a live SSL and its session.
        unsafe {
            let session = ffi::SSL_get_session(ssl);
            (!session.is_null()).then(|| ffi::SSL_SESSION_set_timeout(session, seconds))
        }
    }

    /// Server: what clients are told of the identity that is wanted (TLS 1.2 and older).
    pub fn use_psk_identity_hint(&self, hint: Option<&CStr>) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL; the string is copied.
        check(unsafe { ffi::SSL_use_psk_identity_hint(ssl, hint.map_or(std::ptr::null(), CStr::as_ptr)) })
    }

    /// Client: pre-shared keys are asked for.
    pub fn enable_client_psk(&self, enabled: bool) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL.
        unsafe {
            if enabled {
                ffi::SSL_set_psk_client_callback(ssl, Some(callbacks::on_client_psk));
            } else {
                ffi::SSL_set_psk_client_callback(ssl, None);
            }
        }
        Ok(())
    }

    /// Server: pre-shared keys are asked for.
    pub fn enable_server_psk(&self, enabled: bool) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL.
        unsafe {
            if enabled {
                ffi::SSL_set_psk_server_callback(ssl, Some(callbacks::on_server_psk));
            } else {
                ffi::SSL_set_psk_server_callback(ssl, None);
            }
        }
        Ok(())
    }

    /// Client: what to encrypt the hello for: an `ECHConfigList`.
    pub fn set_ech_config_list(&self, list: &[u8]) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL; the slice is copied.
        check(unsafe { ffi::SSL_set1_ech_config_list(ssl, list.as_ptr(), list.len()) })
    }

    /// Client: sends something like an Encrypted Client Hello when there is none.
    pub fn set_ech_grease(&self, enabled: bool) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL.
        unsafe { ffi::SSL_set_enable_ech_grease(ssl, c_int::from(enabled)) };
        Ok(())
    }

    /// Reads and writes this socket from now on; the caller closes it.
    pub fn set_socket(&self, descriptor: c_int) -> Result<()> {
        let (_held, ssl, _) = self.hold_idle()?;
        // SAFETY: a live SSL.
        check(unsafe { ffi::SSL_set_fd(ssl, descriptor) })
    }

    /// The socket, if there is one.
    pub fn socket(&self) -> Option<c_int> {
        let (_held, ssl, _) = self.hold();
        // SAFETY: a live SSL.
        let descriptor = unsafe { ffi::SSL_get_fd(ssl) };
        clear();
        (descriptor >= 0).then_some(descriptor)
    }
}
