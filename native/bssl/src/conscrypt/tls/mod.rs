//! `SSL_CTX`, `SSL`, `SSL_SESSION` and `SSL_ECH_KEYS`.
//!
//! A connection is used by any thread: each function holds its lock. A handshake that needs a decision suspends ([`Want`]); the
//! decision is made with the lock released, handed in ([`Connection::answer`]), and the operation is run again.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use boring_sys as ffi;

use super::{Fault, Result, bytes, check, check_ptr, clear, owned};

mod callbacks;
mod connection;
mod ech;
mod facts;
mod key;
mod pair;
mod session;
mod setup;

pub use callbacks::Callbacks;
pub use connection::{Answer, Connection, Event, Failure, Operation, Outcome, Want};
pub use ech::{EchKeys, marshal_ech_config, marshal_ech_config_list};
pub use facts::{CertificateRequest, key_exchange, signature_key_type};
pub use key::KeyTask;
pub use pair::NetworkBio;
pub use session::Session;

/// `SSL_ERROR_…`.
pub mod code {
    use boring_sys as ffi;

    /// Success.
    pub const NONE: i32 = ffi::SSL_ERROR_NONE;
    /// The error queue says why.
    pub const SSL: i32 = ffi::SSL_ERROR_SSL;
    /// More is to be received.
    pub const WANT_READ: i32 = ffi::SSL_ERROR_WANT_READ;
    /// Something is to be sent.
    pub const WANT_WRITE: i32 = ffi::SSL_ERROR_WANT_WRITE;
    /// The transport failed or ended.
    pub const SYSCALL: i32 = ffi::SSL_ERROR_SYSCALL;
    /// The peer closed.
    pub const ZERO_RETURN: i32 = ffi::SSL_ERROR_ZERO_RETURN;
}

/// Longest session ID context, in bytes.
pub const MAX_SESSION_ID_CONTEXT: usize = 32;

/// A lock that its holder may take again: a callback of BoringSSL may ask the connection that it is called for.
#[derive(Debug, Default)]
pub(super) struct Lock {
    mutex: Mutex<()>,
    owner: AtomicU64,
}

/// The lock is held as long as this lives.
pub(super) struct Held<'a> {
    lock: &'a Lock,
    guard: Option<MutexGuard<'a, ()>>,
}

impl Lock {
    pub(super) fn hold(&self) -> Held<'_> {
        let me = thread_number();
        // Only this thread can have put its own number there.
        if self.owner.load(Ordering::Relaxed) == me {
            return Held { lock: self, guard: None };
        }
        let guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        self.owner.store(me, Ordering::Relaxed);
        Held { lock: self, guard: Some(guard) }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if self.guard.is_some() {
            self.lock.owner.store(0, Ordering::Relaxed);
        }
    }
}

/// Not 0, and different for each thread.
fn thread_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local! {
        static NUMBER: Cell<u64> = const { Cell::new(0) };
    }
    NUMBER.with(|number| {
        if number.get() == 0 {
            number.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        number.get()
    })
}

owned! {
    /// An `SSL_CTX` with Conscrypt's defaults: TLS 1.0 to 1.2 and no tickets until a connection says otherwise.
    pub Context(ffi::SSL_CTX), ffi::SSL_CTX_free
}

// SAFETY: what changes it after construction is locked below or by BoringSSL.
unsafe impl Sync for Context {}

/// Changes of contexts are rare: one lock for all of them.
static CONFIGURING: Mutex<()> = Mutex::new(());

fn configuring() -> MutexGuard<'static, ()> {
    CONFIGURING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn flags(all: &[i32]) -> u32 {
    all.iter().fold(0, |flags, flag| flags | flag.cast_unsigned())
}

impl Context {
    /// A new one.
    pub fn new() -> Result<Self> {
        // SAFETY: a fresh context, configured before it is shared.
        unsafe {
            let context = Self::own(ffi::SSL_CTX_new(ffi::TLS_with_buffers_method()))?;
            let ctx = context.as_ptr();
            ffi::SSL_CTX_set_options(ctx, flags(&[ffi::SSL_OP_ALL, ffi::SSL_OP_NO_TICKET]));
            check(ffi::SSL_CTX_set_min_proto_version(ctx, TLS_1_0))?;
            check(ffi::SSL_CTX_set_max_proto_version(ctx, TLS_1_2))?;
            let mode = [
                ffi::SSL_MODE_ENABLE_PARTIAL_WRITE,
                ffi::SSL_MODE_ENABLE_FALSE_START,
                ffi::SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER,
            ];
            ffi::SSL_CTX_set_mode(ctx, flags(&mode));
            ffi::SSL_CTX_set_session_cache_mode(ctx, ffi::SSL_SESS_CACHE_BOTH);
            check(ffi::SSL_CTX_set1_group_ids(ctx, GROUPS.as_ptr(), GROUPS.len()))?;
            check(ffi::SSL_CTX_set_verify_algorithm_prefs(ctx, SCHEMES.as_ptr(), SCHEMES.len()))?;
            callbacks::install(ctx);
            Ok(context)
        }
    }

    /// Which sessions may be resumed: up to [`MAX_SESSION_ID_CONTEXT`] bytes.
    pub fn set_session_id_context(&self, id: &[u8]) -> Result<()> {
        let _configuring = configuring();
        // SAFETY: a live context; the bytes are copied.
        check(unsafe { ffi::SSL_CTX_set_session_id_context(self.as_ptr(), id.as_ptr(), id.len()) })
    }

    /// How long sessions may be resumed, in seconds; answers what was set before.
    pub fn set_timeout(&self, seconds: u32) -> u32 {
        let _configuring = configuring();
        // SAFETY: a live context.
        unsafe { ffi::SSL_CTX_set_timeout(self.as_ptr(), seconds) }
    }

    /// Server: keys of Encrypted Client Hello.
    pub fn set_ech_keys(&self, keys: &EchKeys) -> Result<()> {
        let _configuring = configuring();
        // SAFETY: live objects; the context counts the keys, and locks itself.
        check(unsafe { ffi::SSL_CTX_set1_ech_keys(self.as_ptr(), keys.as_ptr()) })
    }

    /// A password known to both sides (SPAKE2+, RFC 9383): `limit` handshakes may fail.
    pub fn add_spake_credential(
        &self,
        context: &[u8],
        password: &[u8],
        (prover, verifier): (&[u8], &[u8]),
        is_client: bool,
        limit: u32,
    ) -> std::result::Result<(), (&'static str, Fault)> {
        let _configuring = configuring();
        let (mut w0, mut w1, mut record) = ([0; 32], [0; 32], [0; 65]);
        // SAFETY: sizes by type; slices; the credential is fresh, and counted by the context.
        unsafe {
            let registered = ffi::SSL_spake2plusv1_register(
                w0.as_mut_ptr(),
                w1.as_mut_ptr(),
                record.as_mut_ptr(),
                password.as_ptr(),
                password.len(),
                prover.as_ptr(),
                prover.len(),
                verifier.as_ptr(),
                verifier.len(),
            );
            check(registered).map_err(|fault| ("SSL_spake2plusv1_register failed", fault))?;
            let (make, second): (SpakeConstructor, &[u8]) = if is_client {
                (ffi::SSL_CREDENTIAL_new_spake2plusv1_client, &w1)
            } else {
                (ffi::SSL_CREDENTIAL_new_spake2plusv1_server, &record)
            };
            let credential = make(
                context.as_ptr(),
                context.len(),
                prover.as_ptr(),
                prover.len(),
                verifier.as_ptr(),
                verifier.len(),
                limit,
                w0.as_ptr(),
                w0.len(),
                second.as_ptr(),
                second.len(),
            );
            let result = check_ptr(credential)
                .map_err(|fault| ("SSL_CREDENTIAL_new_spake2plusv1 failed", fault))
                .and_then(|credential| {
                    let added = check(ffi::SSL_CTX_add1_credential(self.as_ptr(), credential));
                    ffi::SSL_CREDENTIAL_free(credential);
                    added.map_err(|fault| ("SSL_CTX_add1_credential failed", fault))
                });
            crate::bytes::cleanse(&mut w0);
            crate::bytes::cleanse(&mut w1);
            result
        }
    }
}

type SpakeConstructor = unsafe extern "C" fn(
    *const u8,
    usize,
    *const u8,
    usize,
    *const u8,
    usize,
    u32,
    *const u8,
    usize,
    *const u8,
    usize,
) -> *mut ffi::SSL_CREDENTIAL;

/// The groups of connections that are told of none: X25519, P-256, P-384. BoringSSL's own list depends on its revision.
pub(super) const GROUPS: [u16; 3] = [29, 23, 24];

/// The signature schemes that are accepted, best first; again, BoringSSL's own list depends on its revision.
const SCHEMES: [u16; 9] = [0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601, 0x0201];

const TLS_1_0: u16 = 0x0301;
const TLS_1_2: u16 = 0x0303;
