//! What a connection shares with the callbacks of BoringSSL: what they note, what they are answered, what came meanwhile.

use std::collections::VecDeque;

use boring_sys as ffi;

use super::Session;
use super::bio::Windows;
use super::connection::Task;
use super::context::Context;
use super::psk::Exchange;

/// What the callbacks read and write. Lives behind a raw pointer, which the BIO keeps: no reference is held across `SSL_*`. Small, as
/// idle connections have it: what only some need, or only while they shake hands, is in boxes.
#[derive(Debug)]
#[repr(C)]
pub(super) struct State {
    /// First, as the BIO takes the state for its windows.
    pub(super) windows: Windows,
    pub(super) server: bool,
    pub(super) task: Option<Task>,
    pub(super) verified: Option<std::result::Result<(), u8>>,
    pub(super) selected: Option<std::result::Result<(), u8>>,
    /// Gone when the handshake is done.
    pub(super) suspended: Option<Box<Suspended>>,
    /// Gone when all of it is taken.
    pub(super) events: Option<Box<Events>>,
    pub(super) credential: *const ffi::SSL_CREDENTIAL,
    /// The context: kept alive by the connection.
    pub(super) context: *const Context,
    pub(super) alert_received: Option<u8>,
    pub(super) alert_sent: Option<u8>,
}

impl State {
    pub(super) fn suspended(&mut self) -> &mut Suspended {
        self.suspended.get_or_insert_default()
    }

    pub(super) fn events(&mut self) -> &mut Events {
        self.events.get_or_insert_default()
    }
}

/// What a suspended handshake asks with and is answered.
#[derive(Debug, Default)]
pub(super) struct Suspended {
    pub(super) key_input: Vec<u8>,
    pub(super) key_result: Option<Option<Vec<u8>>>,
    /// Server: the ALPN extension's protocol list as the client sent it.
    pub(super) offered_protocols: Vec<u8>,
    /// Server: what a selector chose, in the form on the wire; empty: go on without ALPN.
    pub(super) protocol: Option<Vec<u8>>,
    /// Server: the session id that is looked for, and what was found.
    pub(super) session_id: Vec<u8>,
    pub(super) found: Option<Option<Session>>,
    pub(super) exchange: Exchange,
}

/// What came and waits to be taken.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// Client: sessions for later connections.
    pub(super) sessions: VecDeque<Session>,
    /// Lines of the key log.
    pub(super) key_log: Vec<Vec<u8>>,
}
