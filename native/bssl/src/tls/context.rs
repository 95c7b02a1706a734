//! A configuration, computed once and shared by its connections.

use std::ffi::CString;
use std::sync::{Arc, Mutex, OnceLock};

use boring_sys as ffi;

use super::config::{ClientAuth, Config, Role};
use super::{callbacks, features};
use crate::error::{check, check_ptr};
use crate::{Error, Result};

/// An `SSL_CTX`: immutable after construction, shared by any number of connections and threads.
#[derive(Debug)]
pub struct Context {
    ctx: *mut ffi::SSL_CTX,
    pub(super) config: Config,
    /// The application protocols, in the form on the wire.
    pub(super) protocols: Vec<u8>,
    /// Certificate messages that were compressed, with the result: servers send few different ones.
    pub(super) compressed: Mutex<Vec<(Vec<u8>, Vec<u8>)>>,
}

// SAFETY: an SSL_CTX that is no longer configured may be used by several threads at once.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: this reference is ours.
        unsafe { ffi::SSL_CTX_free(self.ctx) };
    }
}

impl Context {
    /// Builds the context.
    ///
    /// # Errors
    /// [`Error::Argument`] for a value that BoringSSL does not know or cannot combine; nothing is silently left out.
    pub fn new(config: Config) -> Result<Arc<Self>> {
        let protocols = protocols_on_the_wire(&config.protocols)?;
        // SAFETY: a fresh SSL_CTX, owned by `context` from the next line on; pointers and lengths belong together.
        unsafe {
            let ctx = check_ptr(ffi::SSL_CTX_new(ffi::TLS_with_buffers_method()))?;
            let context = Self { ctx, config, protocols, compressed: Mutex::new(Vec::new()) };
            context.configure()?;
            Ok(Arc::new(context))
        }
    }

    /// # Safety
    /// Called once, before the context is shared.
    unsafe fn configure(&self) -> Result<()> {
        let (ctx, config) = (self.ctx, &self.config);
        let argument = |result: i32, what: &'static str| {
            if result == 1 { Ok(()) } else { Err(Error::Argument(what).after_clear()) }
        };
        // SAFETY: `ctx` is live and ours alone; slices outlive the calls, which copy.
        unsafe {
            ffi::SSL_CTX_set0_buffer_pool(ctx, buffer_pool());
            argument(ffi::SSL_CTX_set_min_proto_version(ctx, config.min_version), "unsupported protocol version")?;
            argument(ffi::SSL_CTX_set_max_proto_version(ctx, config.max_version), "unsupported protocol version")?;

            let (tls13, older): (Vec<u16>, Vec<u16>) = config.cipher_suites.iter().partition(|id| *id >> 8 == 0x13);
            if !tls13.is_empty() {
                // TLS 1.3 has no option for it: suites of equal preference leave the choice to the client.
                let equal = config.role == Role::Server && !config.server_order;
                let last = tls13.len() - 1;
                let flag = |i| if equal && i < last { ffi::SSL_CIPHER_FLAG_EQUAL_PREFERENCE_WITH_NEXT } else { 0 };
                let flags: Vec<u32> = (0..tls13.len()).map(|i| flag(i).unsigned_abs()).collect();
                argument(
                    ffi::SSL_CTX_set1_tls13_ciphers(ctx, tls13.as_ptr(), flags.as_ptr(), tls13.len()),
                    "unsupported TLS 1.3 cipher suite",
                )?;
            }
            if !older.is_empty() {
                let names = older.iter().map(|id| cipher_name(*id)).collect::<Option<Vec<_>>>();
                let list = names.and_then(|n| CString::new(n.join(":")).ok());
                let list = list.ok_or(Error::Argument("unsupported cipher suite"))?;
                argument(ffi::SSL_CTX_set_strict_cipher_list(ctx, list.as_ptr()), "unsupported cipher suite")?;
            }
            if !config.groups.is_empty() {
                argument(
                    ffi::SSL_CTX_set1_group_ids(ctx, config.groups.as_ptr(), config.groups.len()),
                    "unsupported named group",
                )?;
            }
            if !config.signature_schemes.is_empty() {
                let schemes = &config.signature_schemes;
                argument(
                    ffi::SSL_CTX_set_verify_algorithm_prefs(ctx, schemes.as_ptr(), schemes.len()),
                    "unsupported signature scheme",
                )?;
                argument(
                    ffi::SSL_CTX_set_signing_algorithm_prefs(ctx, schemes.as_ptr(), schemes.len()),
                    "unsupported signature scheme",
                )?;
            }

            self.configure_sessions()?;
            features::configure(ctx, config)?;
            ffi::SSL_CTX_set_info_callback(ctx, Some(callbacks::on_info));
            ffi::SSL_CTX_set_cert_cb_ex(ctx, Some(callbacks::on_certificate), std::ptr::null_mut());

            match config.role {
                Role::Client => {
                    ffi::SSL_CTX_set_custom_verify(ctx, ffi::SSL_VERIFY_PEER, Some(callbacks::on_verify));
                    let wire = &self.protocols;
                    if !wire.is_empty() {
                        // This one answers 0 for success.
                        check(1 - ffi::SSL_CTX_set_alpn_protos(ctx, wire.as_ptr(), wire.len()))?;
                    }
                }
                Role::Server => {
                    if config.server_order {
                        let option = u32::try_from(ffi::SSL_OP_CIPHER_SERVER_PREFERENCE).unwrap_or(0);
                        ffi::SSL_CTX_set_options(ctx, option);
                    }
                    let mode = match config.client_auth {
                        ClientAuth::None => ffi::SSL_VERIFY_NONE,
                        ClientAuth::Want => ffi::SSL_VERIFY_PEER,
                        ClientAuth::Need => ffi::SSL_VERIFY_PEER | ffi::SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
                    };
                    ffi::SSL_CTX_set_custom_verify(ctx, mode, Some(callbacks::on_verify));
                    ffi::SSL_CTX_set_select_certificate_cb(ctx, Some(callbacks::on_client_hello));
                    ffi::SSL_CTX_set_alpn_select_cb(ctx, Some(callbacks::on_alpn), std::ptr::null_mut());
                    if config.client_auth != ClientAuth::None && !config.ca_names.is_empty() {
                        self.set_ca_names()?;
                    }
                }
            }
        }
        Ok(())
    }

    /// # Safety
    /// As [`Context::configure`].
    unsafe fn configure_sessions(&self) -> Result<()> {
        let (ctx, config) = (self.ctx, &self.config);
        // SAFETY: `ctx` is live and ours alone.
        unsafe {
            if !config.resumption {
                ffi::SSL_CTX_set_session_cache_mode(ctx, ffi::SSL_SESS_CACHE_OFF);
                ffi::SSL_CTX_set_options(ctx, u32::try_from(ffi::SSL_OP_NO_TICKET).unwrap_or(0));
                return Ok(());
            }
            if !config.tickets {
                ffi::SSL_CTX_set_options(ctx, u32::try_from(ffi::SSL_OP_NO_TICKET).unwrap_or(0));
            }
            match config.role {
                Role::Client => {
                    ffi::SSL_CTX_set_reverify_on_resume(ctx, config.reverify.into());
                    ffi::SSL_CTX_set_session_cache_mode(ctx, ffi::SSL_SESS_CACHE_CLIENT);
                    ffi::SSL_CTX_sess_set_new_cb(ctx, Some(callbacks::on_new_session));
                }
                Role::Server => {
                    ffi::SSL_CTX_set_session_cache_mode(ctx, ffi::SSL_SESS_CACHE_SERVER);
                    ffi::SSL_CTX_sess_set_cache_size(ctx, config.session_cache_size.into());
                    ffi::SSL_CTX_set_timeout(ctx, config.session_timeout);
                    ffi::SSL_CTX_set_session_psk_dhe_timeout(ctx, config.session_timeout);
                    let id = features::session_id_context(&config.session_context);
                    check(ffi::SSL_CTX_set_session_id_context(ctx, id.as_ptr(), id.len()))?;
                    if config.external_sessions {
                        ffi::SSL_CTX_sess_set_new_cb(ctx, Some(callbacks::on_new_session));
                        ffi::SSL_CTX_sess_set_get_cb(ctx, Some(callbacks::on_session_lookup));
                    }
                    if !config.ticket_keys.is_empty() {
                        if config.ticket_keys.iter().any(|key| key.len() != features::TICKET_KEY_LEN) {
                            return Err(Error::Argument("a session ticket key has 48 bytes"));
                        }
                        check(ffi::SSL_CTX_set_tlsext_ticket_key_cb(ctx, Some(features::on_ticket_key)))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// # Safety
    /// As [`Context::configure`].
    unsafe fn set_ca_names(&self) -> Result<()> {
        // SAFETY: a fresh stack of fresh buffers, handed over to `ctx` whole; on failure it is freed by handing it over too.
        unsafe {
            let stack = check_ptr(ffi::OPENSSL_sk_new_null())?;
            let mut result = Ok(());
            for name in &self.config.ca_names {
                let buffer = ffi::CRYPTO_BUFFER_new(name.as_ptr(), name.len(), buffer_pool());
                if buffer.is_null() || ffi::OPENSSL_sk_push(stack, buffer.cast()) == 0 {
                    ffi::CRYPTO_BUFFER_free(buffer);
                    result = Err(Error::OutOfMemory.after_clear());
                    break;
                }
            }
            ffi::SSL_CTX_set0_client_CAs(self.ctx, stack.cast());
            result
        }
    }

    pub(super) fn as_ptr(&self) -> *mut ffi::SSL_CTX {
        self.ctx
    }
}

/// The standard (IANA) name of a cipher suite that BoringSSL has.
fn cipher_name(id: u16) -> Option<String> {
    // SAFETY: any id may be asked for; the answers are null or static.
    unsafe {
        let cipher = ffi::SSL_get_cipher_by_value(id);
        if cipher.is_null() {
            return None;
        }
        let name = std::ffi::CStr::from_ptr(ffi::SSL_CIPHER_standard_name(cipher));
        name.to_str().ok().map(str::to_owned)
    }
}

/// Protocol names as RFC 7301 section 3.1 writes them: each with a length byte before it.
pub(super) fn protocols_on_the_wire(protocols: &[Vec<u8>]) -> Result<Vec<u8>> {
    let mut wire = Vec::new();
    for name in protocols {
        let length = u8::try_from(name.len()).ok().filter(|n| *n > 0);
        wire.push(length.ok_or(Error::Argument("an application protocol name has 1 to 255 bytes"))?);
        wire.extend_from_slice(name);
    }
    Ok(wire)
}

struct Pool(*mut ffi::CRYPTO_BUFFER_POOL);
// SAFETY: a pool locks itself.
unsafe impl Send for Pool {}
// SAFETY: as above.
unsafe impl Sync for Pool {}

/// The one pool of certificates: equal certificates share memory. Null (no sharing) if it could not be made.
pub(super) fn buffer_pool() -> *mut ffi::CRYPTO_BUFFER_POOL {
    static POOL: OnceLock<Pool> = OnceLock::new();
    // SAFETY: plain construction.
    POOL.get_or_init(|| Pool(unsafe { ffi::CRYPTO_BUFFER_POOL_new() })).0
}
