//! What BoringSSL calls back: each callback answers from what was decided, or suspends the handshake. None leaves Rust.

use std::os::raw::{c_int, c_uint, c_void};

use boring_sys as ffi;

use super::connection::{ALERT_INTERNAL_ERROR, Task};
use super::state::State;
use super::{Session, slice};

/// What a key that we do not hold is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) enum KeyTask {
    /// A signature with this scheme.
    Sign(u16),
    /// An RSA decryption.
    Decrypt,
}

/// # Safety
/// `ssl` belongs to a live [`Connection`]; the reference does not outlive the callback, and nothing else holds one.
pub(super) unsafe fn state<'a>(ssl: *const ffi::SSL) -> &'a mut State {
    // SAFETY: promise of the caller; the BIO, with the state as its data, was set before the first callback could run.
    unsafe { &mut *ffi::BIO_get_data(ffi::SSL_get_rbio(ssl)).cast::<State>() }
}

pub(super) unsafe extern "C" fn on_info(ssl: *const ffi::SSL, kind: c_int, value: c_int) {
    // SAFETY: BoringSSL calls with a connection of ours.
    unsafe {
        let alert = u8::try_from(value & 0xff).ok();
        match kind {
            ffi::SSL_CB_READ_ALERT => state(ssl).alert_received = alert,
            ffi::SSL_CB_WRITE_ALERT => state(ssl).alert_sent = alert,
            ffi::SSL_CB_HANDSHAKE_DONE => {
                let selected = ffi::SSL_get0_selected_credential(ssl);
                if !selected.is_null() {
                    state(ssl).credential = selected;
                }
            }
            _ => {}
        }
    }
}

pub(super) unsafe extern "C" fn on_client_hello(hello: *const ffi::SSL_CLIENT_HELLO) -> ffi::ssl_select_cert_result_t {
    const APPLICATION_LAYER_PROTOCOL_NEGOTIATION: u16 = 16;
    // SAFETY: BoringSSL calls with a hello of a connection of ours; the extension lives as long as the hello.
    unsafe {
        let (mut data, mut length) = (std::ptr::null(), 0);
        let extension = APPLICATION_LAYER_PROTOCOL_NEGOTIATION;
        if ffi::SSL_early_callback_ctx_extension_get(hello, extension, &raw mut data, &raw mut length) == 1 {
            // Two bytes of length come first; BoringSSL checks the whole later.
            let list = slice((data, length)).get(2..).unwrap_or_default();
            state((*hello).ssl).suspended().offered_protocols = list.to_vec();
        }
    }
    ffi::ssl_select_cert_result_t::ssl_select_cert_success
}

pub(super) unsafe extern "C" fn on_certificate(ssl: *mut ffi::SSL, _arg: *mut c_void, out_alert: *mut u8) -> c_int {
    // SAFETY: BoringSSL calls with a connection of ours and a place for the alert.
    unsafe {
        let state = state(ssl);
        match state.selected.take() {
            None => {
                state.task = Some(if state.server { Task::ClientHello } else { Task::CertificateRequest });
                -1
            }
            Some(Ok(())) => 1,
            Some(Err(alert)) => {
                *out_alert = alert;
                0
            }
        }
    }
}

pub(super) unsafe extern "C" fn on_verify(ssl: *mut ffi::SSL, out_alert: *mut u8) -> ffi::ssl_verify_result_t {
    // SAFETY: BoringSSL calls with a connection of ours and a place for the alert.
    unsafe {
        let state = state(ssl);
        match state.verified.take() {
            None => {
                state.task = Some(Task::VerifyCertificate);
                ffi::ssl_verify_result_t::ssl_verify_retry
            }
            Some(Ok(())) => ffi::ssl_verify_result_t::ssl_verify_ok,
            Some(Err(alert)) => {
                *out_alert = alert;
                ffi::ssl_verify_result_t::ssl_verify_invalid
            }
        }
    }
}

pub(super) unsafe extern "C" fn on_new_session(ssl: *mut ffi::SSL, session: *mut ffi::SSL_SESSION) -> c_int {
    /// A server that sends more tickets than this in one go is wasting our memory.
    const MOST: usize = 16;
    // SAFETY: BoringSSL calls with a connection of ours; answering 1 takes over the reference.
    unsafe {
        let sessions = &mut state(ssl).events().sessions;
        if sessions.len() >= MOST {
            return 0;
        }
        sessions.push_back(Session::from_raw(session));
        1
    }
}

/// Server: the session of an id that the client offers and this context does not know.
pub(super) unsafe extern "C" fn on_session_lookup(
    ssl: *mut ffi::SSL,
    id: *const u8,
    id_len: c_int,
    out_copy: *mut c_int,
) -> *mut ffi::SSL_SESSION {
    // SAFETY: BoringSSL calls with a connection of ours, a readable id and a place to say that the reference is its own.
    unsafe {
        *out_copy = 0;
        let state = state(ssl);
        let suspended = state.suspended.get_or_insert_default();
        match suspended.found.take() {
            None => {
                suspended.session_id = slice((id, usize::try_from(id_len).unwrap_or(0))).to_vec();
                state.task = Some(Task::SessionLookup);
                ffi::SSL_magic_pending_session_ptr()
            }
            Some(session) => session.map_or(std::ptr::null_mut(), Session::into_raw),
        }
    }
}

pub(super) unsafe extern "C" fn on_alpn(
    ssl: *mut ffi::SSL,
    out: *mut *const u8,
    out_len: *mut u8,
    offered: *const u8,
    offered_len: c_uint,
    _arg: *mut c_void,
) -> c_int {
    // SAFETY: BoringSSL calls with a connection of ours, a list that it has checked, and places for the answer, which points
    // into the offered list or into our own, alive until the call returns.
    unsafe {
        let state = state(ssl);
        if let Some(chosen) = state.suspended.as_ref().and_then(|s| s.protocol.as_ref()) {
            let [_, name @ ..] = &chosen[..] else { return ffi::SSL_TLSEXT_ERR_NOACK };
            // One name. A selector may only pick what was offered; anything else was refused before.
            *out = name.as_ptr();
            *out_len = u8::try_from(name.len()).unwrap_or(0);
            return ffi::SSL_TLSEXT_ERR_OK;
        }
        let mine = &(*state.context).protocols;
        if mine.is_empty() {
            return ffi::SSL_TLSEXT_ERR_NOACK;
        }
        let mut chosen = std::ptr::null_mut();
        let result = ffi::SSL_select_next_proto(
            &raw mut chosen,
            out_len,
            mine.as_ptr(),
            c_uint::try_from(mine.len()).unwrap_or(0),
            offered,
            offered_len,
        );
        if result != ffi::OPENSSL_NPN_NEGOTIATED {
            return ffi::SSL_TLSEXT_ERR_ALERT_FATAL;
        }
        *out = chosen;
        ffi::SSL_TLSEXT_ERR_OK
    }
}

/// # Safety
/// `ssl` belongs to a live connection; `input` is readable for `length`.
pub(super) unsafe fn suspend_for_key(
    ssl: *mut ffi::SSL,
    task: KeyTask,
    input: *const u8,
    length: usize,
) -> ffi::ssl_private_key_result_t {
    // SAFETY: promise of the caller.
    unsafe {
        let state = state(ssl);
        let suspended = state.suspended();
        suspended.key_input = slice((input, length)).to_vec();
        suspended.key_result = None;
        state.task = Some(match task {
            KeyTask::Sign(scheme) => Task::Sign(scheme),
            KeyTask::Decrypt => Task::Decrypt,
        });
    }
    ffi::ssl_private_key_result_t::ssl_private_key_retry
}

/// # Safety
/// `ssl` belongs to a live connection; `out` is writable for `max_out`.
pub(super) unsafe fn resume_with_key_result(
    ssl: *mut ffi::SSL,
    out: *mut u8,
    out_len: *mut usize,
    max_out: usize,
) -> ffi::ssl_private_key_result_t {
    // SAFETY: promise of the caller.
    unsafe {
        match state(ssl).suspended().key_result.take() {
            None => ffi::ssl_private_key_result_t::ssl_private_key_retry,
            Some(Some(bytes)) if bytes.len() <= max_out => {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), out, bytes.len());
                *out_len = bytes.len();
                ffi::ssl_private_key_result_t::ssl_private_key_success
            }
            Some(_) => {
                ffi::SSL_send_fatal_alert(ssl, ALERT_INTERNAL_ERROR);
                ffi::ssl_private_key_result_t::ssl_private_key_failure
            }
        }
    }
}
