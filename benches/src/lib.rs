//! What the benchmarks share: raw AEADs, and connections in memory.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark stops at what goes wrong")]

use std::sync::Arc;

use boring_sys as ffi;
use bssl::tls::{Config, Connection, Context, Credential, Handshake, Role, Session, Status, Task};

/// Room for any record.
pub const PACKET: usize = 17 * 1024;

/// `EVP_AEAD` as it is: what no record can be faster than.
pub struct RawAead(Box<ffi::EVP_AEAD_CTX>);

impl RawAead {
    /// AES-128-GCM under a key of zeros.
    pub fn aes_128_gcm() -> Self {
        let key = [0_u8; 16];
        // SAFETY: a zeroed context is what init expects; the key is read only.
        unsafe {
            let mut context: Box<ffi::EVP_AEAD_CTX> = Box::new(std::mem::zeroed());
            let aead = ffi::EVP_aead_aes_128_gcm();
            let null = std::ptr::null_mut();
            assert_eq!(ffi::EVP_AEAD_CTX_init(&raw mut *context, aead, key.as_ptr(), key.len(), 16, null), 1);
            Self(context)
        }
    }

    /// Seals `source` with five bytes of additional data; answers how many bytes it made.
    pub fn seal(&self, nonce: [u8; 12], source: &[u8], destination: &mut [u8]) -> usize {
        let (additional, mut length) = ([23_u8, 3, 3, 0, 0], 0);
        // SAFETY: a live context and slices, which do not overlap.
        let ok = unsafe {
            ffi::EVP_AEAD_CTX_seal(
                &raw const *self.0,
                destination.as_mut_ptr(),
                &raw mut length,
                destination.len(),
                nonce.as_ptr(),
                nonce.len(),
                source.as_ptr(),
                source.len(),
                additional.as_ptr(),
                additional.len(),
            )
        };
        assert_eq!(ok, 1);
        length
    }

    /// The inverse of [`RawAead::seal`].
    pub fn open(&self, nonce: [u8; 12], source: &[u8], destination: &mut [u8]) -> usize {
        let (additional, mut length) = ([23_u8, 3, 3, 0, 0], 0);
        // SAFETY: as in `seal`.
        let ok = unsafe {
            ffi::EVP_AEAD_CTX_open(
                &raw const *self.0,
                destination.as_mut_ptr(),
                &raw mut length,
                destination.len(),
                nonce.as_ptr(),
                nonce.len(),
                source.as_ptr(),
                source.len(),
                additional.as_ptr(),
                additional.len(),
            )
        };
        assert_eq!(ok, 1);
        length
    }
}

impl Drop for RawAead {
    fn drop(&mut self) {
        // SAFETY: initialised, and used no more.
        unsafe { ffi::EVP_AEAD_CTX_cleanup(&raw mut *self.0) };
    }
}

/// The server's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// ECDSA, P-256.
    Ec,
    /// RSA, 2048 bits.
    Rsa,
}

/// Contexts of both sides, made once.
pub struct Pair {
    client: Arc<Context>,
    server: Arc<Context>,
    credential: Credential,
}

impl Pair {
    /// One version, one group; `fast_records` as in [`Config`].
    pub fn new(version: u16, key: Key, group: u16, resumption: bool, fast_records: bool) -> Self {
        let (chain, pkcs8) = match key {
            Key::Ec => (
                &include_bytes!("../../native/bssl/tests/data/ec.crt.der")[..],
                &include_bytes!("../../native/bssl/tests/data/ec.key.der")[..],
            ),
            Key::Rsa => (
                &include_bytes!("../../native/bssl/tests/data/rsa.crt.der")[..],
                &include_bytes!("../../native/bssl/tests/data/rsa.key.der")[..],
            ),
        };
        let context = |role| {
            let config = Config {
                groups: vec![group, 23],
                signature_schemes: vec![0x0403, 0x0804, 0x0401],
                resumption,
                fast_records,
                ..Config::new(role, version, version, vec![0x1301, 0xc02b, 0xc02f])
            };
            Context::new(config).expect("a context")
        };
        let credential = Credential::new(&[chain.to_vec()], pkcs8, &[]).expect("a credential");
        Self { client: context(Role::Client), server: context(Role::Server), credential }
    }

    /// A client's connection is made and its hello written; answers how many bytes that is.
    pub fn hello(&self, wire: &mut [u8]) -> usize {
        let mut client = Connection::new(&self.client).expect("a connection");
        let outcome = client.wrap(&[], wire);
        assert_eq!(outcome.status, Status::Ok);
        outcome.produced
    }

    /// A whole handshake; the session to resume, if there is any, and the one for the next time.
    pub fn handshake(&self, resume: Option<&Session>) -> (Connection, Connection, Option<Session>) {
        let mut client = Connection::new(&self.client).expect("a connection");
        let mut server = Connection::new(&self.server).expect("a connection");
        if let Some(session) = resume {
            client.set_session(session).expect("a session");
        }
        let (mut wire, mut plain) = ([0; 4 * PACKET], [0; PACKET]);
        for _ in 0..10 {
            let moved = self.flight(&mut client, &mut server, &mut wire, &mut plain)
                + self.flight(&mut server, &mut client, &mut wire, &mut plain);
            if moved == 0 {
                break;
            }
        }
        assert!(client.is_established() && server.is_established());
        assert_eq!(client.is_resumed(), resume.is_some());
        let session = client.take_new_session();
        (client, server, session)
    }

    fn decide(&self, end: &mut Connection) {
        while end.handshake() == Handshake::NeedTask {
            match end.task().expect("a task") {
                Task::VerifyCertificate => end.set_verified(Ok(())),
                _ => end.select(vec![self.credential.clone()], None, None),
            }
            .expect("an answer");
            if end.handshake() == Handshake::NeedWrap {
                return;
            }
        }
    }

    fn flight(&self, from: &mut Connection, to: &mut Connection, wire: &mut [u8], plain: &mut [u8]) -> usize {
        let mut length = 0;
        self.decide(from);
        while from.handshake() == Handshake::NeedWrap {
            let outcome = from.wrap(&[], &mut wire[length..]);
            assert_eq!(outcome.status, Status::Ok);
            length += outcome.produced;
            self.decide(from);
            if outcome.produced == 0 {
                break;
            }
        }
        let mut done = 0;
        while done < length {
            let outcome = to.unwrap(&wire[done..length], plain);
            assert_eq!(outcome.status, Status::Ok, "{:?}", to.failure());
            done += outcome.consumed;
            self.decide(to);
            if outcome.consumed == 0 && to.handshake() == Handshake::NeedWrap {
                let outcome = to.wrap(&[], &mut plain[..]);
                assert_eq!(outcome.produced, 0);
            }
        }
        length
    }
}
