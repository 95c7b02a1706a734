//! What BoringSSL calls: each callback answers from what was decided, or suspends. Only pre-shared keys are asked for at once, as
//! BoringSSL cannot wait for them.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use boring_sys as ffi;

use super::bytes;
use super::connection::{Event, State, Want};
use super::session::Session;

/// Who knows pre-shared keys. Called on the thread that runs the operation, with BoringSSL on the stack: it must not unwind. It may
/// ask the connection, not run it.
pub trait Callbacks {
    /// Client: writes identity (zero-terminated) and key for what the server hints at; answers the key's length, 0 for none.
    fn client_psk(&self, hint: Option<&[u8]>, identity: &mut [u8], key: &mut [u8]) -> usize;
    /// Server: writes the key of an identity; answers its length, 0 for none.
    fn server_psk(&self, hint: Option<&[u8]>, identity: Option<&[u8]>, key: &mut [u8]) -> usize;
}

const EXTENSION_SIGNATURE_ALGORITHMS: u16 = 13;
const EXTENSION_ALPN: u16 = 16;
/// More tickets than this in one go waste memory.
const MOST_EVENTS: usize = 64;

/// Where a connection's [`State`] hangs at its SSL.
pub(super) fn ex_index() -> c_int {
    static INDEX: OnceLock<c_int> = OnceLock::new();
    // SAFETY: no preconditions.
    *INDEX
        .get_or_init(|| unsafe { ffi::SSL_get_ex_new_index(0, std::ptr::null_mut(), std::ptr::null_mut(), None, None) })
}

/// # Safety
/// `ctx` is live and not shared yet.
pub(super) unsafe fn install(ctx: *mut ffi::SSL_CTX) {
    // SAFETY: promise of the caller.
    unsafe {
        ffi::SSL_CTX_set_info_callback(ctx, Some(on_info));
        ffi::SSL_CTX_set_cert_cb(ctx, Some(on_certificate), std::ptr::null_mut());
        ffi::SSL_CTX_set_select_certificate_cb(ctx, Some(on_client_hello));
        ffi::SSL_CTX_set_alpn_select_cb(ctx, Some(on_alpn), std::ptr::null_mut());
        ffi::SSL_CTX_sess_set_new_cb(ctx, Some(on_new_session));
        ffi::SSL_CTX_sess_set_get_cb(ctx, Some(on_session));
    }
}

/// # Safety
/// `ssl` belongs to a live connection, whose lock is held.
pub(super) unsafe fn state<'a>(ssl: *const ffi::SSL) -> &'a State {
    // SAFETY: promise of the caller; set before the first callback could run.
    unsafe { &*ffi::SSL_get_ex_data(ssl, ex_index()).cast::<State>() }
}

unsafe extern "C" fn on_info(ssl: *const ffi::SSL, kind: c_int, value: c_int) {
    if kind & (ffi::SSL_CB_HANDSHAKE_START | ffi::SSL_CB_HANDSHAKE_DONE) == 0 {
        return;
    }
    // SAFETY: BoringSSL calls with a connection of ours.
    let state = unsafe { state(ssl) };
    if kind & ffi::SSL_CB_HANDSHAKE_START != 0 {
        state.forget_decisions();
    }
    let mut events = state.events.borrow_mut();
    if events.len() < MOST_EVENTS {
        events.push_back(Event::StateChange(kind, value));
    }
}

pub(super) unsafe extern "C" fn on_verify(ssl: *mut ffi::SSL, _alert: *mut u8) -> ffi::ssl_verify_result_t {
    // SAFETY: BoringSSL calls with a connection of ours.
    let state = unsafe { state(ssl) };
    match state.verified.take() {
        None => {
            state.want.replace(Some(Want::Verify));
            ffi::ssl_verify_result_t::ssl_verify_retry
        }
        Some(true) => ffi::ssl_verify_result_t::ssl_verify_ok,
        Some(false) => ffi::ssl_verify_result_t::ssl_verify_invalid,
    }
}

unsafe extern "C" fn on_certificate(ssl: *mut ffi::SSL, _argument: *mut c_void) -> c_int {
    // SAFETY: BoringSSL calls with a connection of ours.
    let state = unsafe {
        if ffi::SSL_is_server(ssl) == 1 {
            return 1;
        }
        state(ssl)
    };
    match state.client_certificate.take() {
        None => {
            state.want.replace(Some(Want::ClientCertificate));
            -1
        }
        Some(done) => c_int::from(done),
    }
}

unsafe extern "C" fn on_client_hello(hello: *const ffi::SSL_CLIENT_HELLO) -> ffi::ssl_select_cert_result_t {
    // SAFETY: BoringSSL calls with a hello of a connection of ours.
    let state = unsafe { state((*hello).ssl) };
    match state.server_certificate.take() {
        None => {
            // SAFETY: as above; two bytes of length come first, and BoringSSL checks the whole later.
            unsafe {
                state.offered.replace(extension(hello, EXTENSION_ALPN).get(2..).unwrap_or_default().to_vec());
                let schemes = extension(hello, EXTENSION_SIGNATURE_ALGORITHMS).get(2..).unwrap_or_default();
                let schemes = schemes.chunks_exact(2).map(|pair| {
                    let mut value = [0; 2];
                    value.copy_from_slice(pair);
                    u16::from_be_bytes(value)
                });
                state.peer_schemes.replace(schemes.collect());
            }
            state.want.replace(Some(Want::ServerCertificate));
            ffi::ssl_select_cert_result_t::ssl_select_cert_retry
        }
        Some(true) => ffi::ssl_select_cert_result_t::ssl_select_cert_success,
        Some(false) => ffi::ssl_select_cert_result_t::ssl_select_cert_error,
    }
}

/// The contents of an extension; empty if it is not there.
///
/// # Safety
/// `hello` is live as long as the answer.
unsafe fn extension<'a>(hello: *const ffi::SSL_CLIENT_HELLO, number: u16) -> &'a [u8] {
    let (mut data, mut length) = (std::ptr::null(), 0);
    // SAFETY: promise of the caller.
    unsafe {
        match ffi::SSL_early_callback_ctx_extension_get(hello, number, &raw mut data, &raw mut length) {
            1 => bytes(data, length),
            _ => &[],
        }
    }
}

unsafe extern "C" fn on_alpn(
    ssl: *mut ffi::SSL,
    out: *mut *const u8,
    out_length: *mut u8,
    offered: *const u8,
    offered_length: c_uint,
    _argument: *mut c_void,
) -> c_int {
    // SAFETY: BoringSSL calls with a connection of ours, a list that it has checked, and places for the answer, which points into
    // that list or into what the state keeps until the next handshake.
    unsafe {
        let state = state(ssl);
        if state.has_selector.get() {
            let chosen = state.chosen.borrow();
            let Some(chosen) = chosen.as_ref() else { return ffi::SSL_TLSEXT_ERR_NOACK };
            let Ok(length) = u8::try_from(chosen.len()) else { return ffi::SSL_TLSEXT_ERR_NOACK };
            *out = chosen.as_ptr();
            *out_length = length;
            return ffi::SSL_TLSEXT_ERR_OK;
        }
        let protocols = state.protocols.borrow();
        let Some(mine) = protocols.as_ref() else { return ffi::SSL_TLSEXT_ERR_NOACK };
        let mut chosen = std::ptr::null_mut();
        let result = ffi::SSL_select_next_proto(
            &raw mut chosen,
            out_length,
            mine.as_ptr(),
            c_uint::try_from(mine.len()).unwrap_or(0),
            offered,
            offered_length,
        );
        if result != ffi::OPENSSL_NPN_NEGOTIATED {
            return ffi::SSL_TLSEXT_ERR_NOACK;
        }
        *out = chosen;
        ffi::SSL_TLSEXT_ERR_OK
    }
}

unsafe extern "C" fn on_new_session(ssl: *mut ffi::SSL, session: *mut ffi::SSL_SESSION) -> c_int {
    // SAFETY: BoringSSL calls with a connection of ours; answering 1 takes over the reference.
    unsafe {
        let mut events = state(ssl).events.borrow_mut();
        if events.len() >= MOST_EVENTS {
            return 0;
        }
        events.push_back(Event::NewSession(Session::from_raw(session)));
    }
    1
}

unsafe extern "C" fn on_session(
    ssl: *mut ffi::SSL,
    id: *const u8,
    length: c_int,
    out_copy: *mut c_int,
) -> *mut ffi::SSL_SESSION {
    // SAFETY: BoringSSL calls with a connection of ours and an ID of this length; it takes over the reference.
    unsafe {
        *out_copy = 0;
        let state = state(ssl);
        match state.session.take() {
            None => {
                let id = bytes(id, usize::try_from(length).unwrap_or(0)).to_vec();
                state.want.replace(Some(Want::Session(id)));
                ffi::SSL_magic_pending_session_ptr()
            }
            Some(answer) => answer.map_or(std::ptr::null_mut(), Session::into_raw),
        }
    }
}

/// # Safety
/// `text` is null or a C string that lives as long as the answer.
unsafe fn text<'a>(text: *const c_char) -> Option<&'a [u8]> {
    // SAFETY: promise of the caller.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_bytes())
}

/// Memory to write to, zeroed.
///
/// # Safety
/// So many bytes at `data` may be written as long as the answer lives.
unsafe fn room<'a>(data: *mut u8, length: c_uint) -> &'a mut [u8] {
    let length = usize::try_from(length).unwrap_or(0);
    // SAFETY: promise of the caller.
    unsafe {
        std::ptr::write_bytes(data, 0, length);
        std::slice::from_raw_parts_mut(data, length)
    }
}

pub(super) unsafe extern "C" fn on_client_psk(
    ssl: *mut ffi::SSL,
    hint: *const c_char,
    identity: *mut c_char,
    identity_room: c_uint,
    key: *mut u8,
    key_room: c_uint,
) -> c_uint {
    // SAFETY: BoringSSL calls with a connection of ours, a C string or null, and room of these lengths.
    unsafe {
        let Some(callbacks) = state(ssl).callbacks() else { return 0 };
        let (identity, key) = (room(identity.cast(), identity_room), room(key, key_room));
        let length = callbacks.client_psk(text(hint), identity, key);
        if let Some(end) = identity.last_mut() {
            *end = 0;
        }
        if length > key.len() { 0 } else { c_uint::try_from(length).unwrap_or(0) }
    }
}

pub(super) unsafe extern "C" fn on_server_psk(
    ssl: *mut ffi::SSL,
    identity: *const c_char,
    key: *mut u8,
    key_room: c_uint,
) -> c_uint {
    // SAFETY: as above.
    unsafe {
        let Some(callbacks) = state(ssl).callbacks() else { return 0 };
        let key = room(key, key_room);
        let length = callbacks.server_psk(text(ffi::SSL_get_psk_identity_hint(ssl)), text(identity), key);
        if length > key.len() { 0 } else { c_uint::try_from(length).unwrap_or(0) }
    }
}
