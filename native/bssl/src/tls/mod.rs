//! TLS 1.2 (RFC 5246) and TLS 1.3 (RFC 8446): contexts, credentials and connections.
//!
//! Nothing here calls back into its user. A handshake that needs a decision (a certificate chain to verify, a credential to
//! choose, a signature by a key that we do not hold) *suspends*: the call returns [`Handshake::NeedTask`], the decision is
//! handed in, and the next call goes on.

mod bio;
mod callbacks;
mod config;
mod connection;
mod context;
mod credential;
mod failure;
mod features;
mod negotiated;
mod psk;
mod record;
mod session;
mod state;

pub use config::{ClientAuth, Config, EchKey, PreSharedKey, Role};
pub use connection::{Connection, Handshake, Outcome, Status, Task};
pub use context::Context;
pub use credential::Credential;
pub use failure::{Failure, FailureKind};
pub use features::generate_ech_key;
pub use session::Session;

/// Most plaintext bytes of one record (RFC 8446 section 5.1).
pub const MAX_PLAINTEXT: usize = 16384;
/// The record header: type, version, length.
pub const RECORD_HEADER: usize = 5;
/// Most bytes of one record, header included (RFC 5246 section 6.2.3): the size of a packet buffer.
pub const MAX_PACKET: usize = RECORD_HEADER + MAX_PLAINTEXT + 2048;

/// # Safety
/// The pointer is readable for the length, for as long as the answer is used; it may be null when the length is zero.
unsafe fn slice<'a>((data, length): (*const u8, usize)) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: promise of the caller.
    unsafe { std::slice::from_raw_parts(data, length) }
}
