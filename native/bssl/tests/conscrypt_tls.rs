//! Conscrypt's connections in memory: what suspends, what is told, and how they end.
#![cfg(feature = "conscrypt")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    unsafe_code,
    reason = "a test fails by panicking; memory that a test names is its own"
)]

use std::cell::RefCell;

use bssl::conscrypt::opaque::{self, Holder};
use bssl::conscrypt::pkey::PKey;
use bssl::conscrypt::tls::{
    Answer, Callbacks, Connection, Context, Event, Failure, NetworkBio, Operation, Outcome, Session, Want, code,
};

const TLS12: u16 = 0x0303;
const TLS13: u16 = 0x0304;
const RSA_CERTIFICATE: &[u8] = include_bytes!("data/rsa.crt.der");
const RSA_KEY: &[u8] = include_bytes!("data/rsa.key.der");

/// The pre-shared key of a connection, none by default.
#[derive(Default)]
struct Psk(Option<&'static [u8]>);

impl Psk {
    fn write(&self, key: &mut [u8]) -> usize {
        let Some(psk) = self.0 else { return 0 };
        key[..psk.len()].copy_from_slice(psk);
        psk.len()
    }
}

impl Callbacks for Psk {
    fn client_psk(&self, hint: Option<&[u8]>, identity: &mut [u8], key: &mut [u8]) -> usize {
        assert_eq!(Some(&b"hint"[..]), hint);
        identity[..2].copy_from_slice(b"id");
        self.write(key)
    }

    fn server_psk(&self, hint: Option<&[u8]>, identity: Option<&[u8]>, key: &mut [u8]) -> usize {
        assert_eq!((Some(&b"hint"[..]), Some(&b"id"[..])), (hint, identity));
        self.write(key)
    }
}

/// One end, and what it decides.
struct End {
    connection: Connection,
    bio: NetworkBio,
    psk: Psk,
    trusts: bool,
    certificate: bool,
    /// Server: what is resumed.
    session: Option<Session>,
    /// Server: which of the offered protocols is chosen.
    choice: Option<usize>,
    asked: Vec<String>,
    sessions: Vec<Session>,
    states: Vec<i32>,
    done: bool,
    failure: Option<Failure>,
}

impl End {
    fn new(context: &Context, server: bool, version: u16) -> Self {
        let connection = Connection::new(context).unwrap();
        connection.set_server(server).unwrap();
        assert!(connection.set_versions(version, version).unwrap());
        let bio = connection.new_network_bio().unwrap();
        if server {
            connection.set_verify(0).unwrap();
        }
        Self {
            connection,
            bio,
            psk: Psk::default(),
            trusts: true,
            certificate: true,
            session: None,
            choice: None,
            asked: Vec::new(),
            sessions: Vec::new(),
            states: Vec::new(),
            done: false,
            failure: None,
        }
    }

    fn identity(&self) {
        let key = PKey::from_pkcs8_prefix(RSA_KEY).unwrap();
        self.connection.set_chain_and_key(&[RSA_CERTIFICATE.to_vec()], &key).unwrap();
    }

    fn decide(&mut self, want: &Want) {
        let answer = match want {
            Want::Verify => {
                assert_eq!(Some(vec![RSA_CERTIFICATE.to_vec()]), self.connection.peer_certificates());
                Answer::Verified(self.trusts)
            }
            Want::ClientCertificate => Answer::ClientCertificate(self.certificate),
            Want::ServerCertificate => {
                if let Some(offered) = self.connection.protocols_to_select() {
                    let chosen = self.choice.map(|at| offered[at + 1..=at + usize::from(offered[at])].to_vec());
                    self.connection.set_chosen_protocol(chosen);
                }
                Answer::ServerCertificate(self.certificate)
            }
            Want::Session(_) => Answer::Session(self.session.take()),
            Want::Key(task) => Answer::Key(self.connection.use_key(task).ok()),
        };
        let name = format!("{want:?}");
        self.asked.push(name.split(['(', ' ']).next().unwrap_or_default().to_owned());
        self.connection.answer(answer);
    }

    /// Runs an operation to its end or until the other end has to do something.
    fn run(&mut self, operation: Operation) -> Outcome {
        for _ in 0..20 {
            // SAFETY: the memory is the caller's and lives.
            let outcome = unsafe { self.connection.run(operation, &self.psk) }.unwrap();
            while let Some(event) = self.connection.take_event() {
                match event {
                    Event::StateChange(kind, _) => self.states.push(kind),
                    Event::NewSession(session) => self.sessions.push(session),
                }
            }
            match outcome {
                Outcome::Wants(want) => self.decide(&want),
                other => return other,
            }
        }
        panic!("it wants without end");
    }

    fn step(&mut self) {
        if self.done || self.failure.is_some() {
            return;
        }
        match self.run(Operation::Handshake) {
            Outcome::Done(_) => self.done = true,
            Outcome::Failed(failure) if failure.code == code::WANT_READ => {}
            Outcome::Failed(failure) => self.failure = Some(failure),
            Outcome::Wants(_) => unreachable!(),
        }
    }

    fn write(&mut self, data: &[u8]) -> Outcome {
        self.run(Operation::Write(data.as_ptr(), data.len() as i32))
    }

    /// The data, or why there is none.
    fn read(&mut self) -> Result<Vec<u8>, i32> {
        let mut data = vec![0; 1 << 15];
        match self.run(Operation::Read(data.as_mut_ptr(), data.len() as i32)) {
            Outcome::Done(count) => {
                data.truncate(count as usize);
                Ok(data)
            }
            Outcome::Failed(failure) => Err(failure.code),
            Outcome::Wants(_) => unreachable!(),
        }
    }

    fn reason(&self) -> String {
        let failure = self.failure.as_ref().unwrap();
        failure.fault.first().map(|entry| entry.text.clone()).unwrap_or_default()
    }
}

struct Pair {
    client: End,
    server: End,
}

fn pair(version: u16) -> Pair {
    let (client, server) = (Context::new().unwrap(), Context::new().unwrap());
    let pair = Pair { client: End::new(&client, false, version), server: End::new(&server, true, version) };
    pair.server.identity();
    pair
}

fn carry(from: &End, to: &End) -> bool {
    let mut moved = false;
    while from.bio.pending() > 0 {
        let mut bytes = vec![0; from.bio.pending()];
        assert_eq!(bytes.len() as i32, from.bio.read_slice(&mut bytes));
        assert!(to.bio.has_room(bytes.len()));
        assert_eq!(bytes.len() as i32, to.bio.write_slice(&bytes));
        moved = true;
    }
    moved
}

impl Pair {
    fn carry(&self) -> bool {
        carry(&self.client, &self.server) | carry(&self.server, &self.client)
    }

    fn handshake(&mut self) {
        for _ in 0..20 {
            self.client.step();
            let there = self.carry();
            self.server.step();
            if !(self.carry() | there) {
                break;
            }
        }
    }

    fn exchange(&mut self) {
        for (length, text) in [(5, b'a'), (16384, b'b')] {
            let data = vec![text; length];
            assert!(matches!(self.client.write(&data), Outcome::Done(count) if count as usize == length));
            self.carry();
            assert_eq!(Ok(data.clone()), self.server.read());
            assert!(matches!(self.server.write(&data), Outcome::Done(count) if count as usize == length));
            self.carry();
            assert_eq!(Ok(data), self.client.read());
        }
        assert_eq!(Err(code::WANT_READ), self.client.read());
    }
}

#[test]
fn a_handshake_of_each_version_with_data_each_way() {
    for (version, name) in [(TLS12, "TLSv1.2"), (TLS13, "TLSv1.3")] {
        let mut pair = pair(version);
        pair.client.connection.set_host_name(c"host.example").unwrap();
        pair.handshake();
        assert!(pair.client.done && pair.server.done, "{:?} {:?}", pair.client.failure, pair.server.failure);
        assert_eq!((name, name), (&*pair.client.connection.version(), &*pair.server.connection.version()));
        assert_eq!(["Verify"], *pair.client.asked);
        assert_eq!(["ServerCertificate"], *pair.server.asked);
        assert_eq!(Some("host.example"), pair.server.connection.server_name().as_deref());
        assert!(!pair.client.states.is_empty() && !pair.server.states.is_empty());
        pair.exchange();
        let secret = |end: &End| end.connection.export_keying_material(b"label", Some(b"context"), 40).unwrap();
        assert_eq!(secret(&pair.client), secret(&pair.server));
    }
}

#[test]
fn nothing_is_decided_unasked_and_a_refusal_ends_the_handshake() {
    for version in [TLS12, TLS13] {
        let mut distrusted = pair(version);
        distrusted.client.trusts = false;
        distrusted.handshake();
        assert!(!distrusted.client.done && !distrusted.server.done || version == TLS13);
        assert!(distrusted.client.reason().contains("CERTIFICATE_VERIFY_FAILED"), "{}", distrusted.client.reason());
        let mut refused = pair(version);
        refused.server.certificate = false;
        refused.handshake();
        assert!(!refused.server.done && refused.server.failure.is_some() && refused.client.failure.is_some());
        assert!(refused.client.asked.is_empty());
    }
}

#[test]
fn a_suspended_handshake_waits_for_its_answer() {
    for version in [TLS12, TLS13] {
        let mut pair = pair(version);
        pair.client.step();
        pair.carry();
        for _ in 0..3 {
            // SAFETY: no memory.
            let outcome = unsafe { pair.server.connection.run(Operation::Handshake, &Psk::default()) }.unwrap();
            assert!(matches!(outcome, Outcome::Wants(Want::ServerCertificate)));
            assert_eq!(0, pair.server.bio.pending());
        }
        assert!(!pair.server.connection.peer_schemes().is_empty());
        pair.handshake();
        assert!(pair.client.done && pair.server.done);
    }
}

#[test]
fn sessions_are_exported_imported_and_resumed() {
    for version in [TLS12, TLS13] {
        let (client, server) = (Context::new().unwrap(), Context::new().unwrap());
        server.set_session_id_context(b"here").unwrap();
        let new = || {
            let pair = Pair { client: End::new(&client, false, version), server: End::new(&server, true, version) };
            pair.server.identity();
            // Tickets: the server keeps nothing.
            pair.server.connection.change_options(0, boring_sys::SSL_OP_NO_TICKET.cast_unsigned());
            pair.client.connection.change_options(0, boring_sys::SSL_OP_NO_TICKET.cast_unsigned());
            pair
        };
        let mut first = new();
        first.handshake();
        first.exchange();
        assert!(!first.client.connection.is_resumed());
        let der = first.client.sessions.last().unwrap().to_der().unwrap();
        let session = Session::from_der(&der).unwrap();
        assert_eq!(der, session.to_der().unwrap());
        assert!(Session::from_der(&[der.as_slice(), &[0]].concat()).is_err());
        assert_eq!(version == TLS13, session.is_single_use());
        let mut second = new();
        second.client.connection.set_session(&session).unwrap();
        second.handshake();
        assert!(second.client.connection.is_resumed() && second.server.connection.is_resumed(), "{version:x}");
        assert!(second.client.asked.is_empty());
        second.exchange();
    }
}

#[test]
fn a_server_is_asked_for_its_sessions() {
    let (client, server) = (Context::new().unwrap(), Context::new().unwrap());
    server.set_session_id_context(b"here").unwrap();
    for known in [true, false] {
        let new = |version| {
            let pair = Pair { client: End::new(&client, false, version), server: End::new(&server, true, version) };
            pair.server.identity();
            pair
        };
        let mut first = new(TLS12);
        first.handshake();
        let mut second = new(TLS12);
        second.client.connection.set_session(first.client.sessions.last().unwrap()).unwrap();
        // Its own cache may know it: what is asked is what it does not.
        let other = Context::new().unwrap();
        other.set_session_id_context(b"here").unwrap();
        second.server = End::new(&other, true, TLS12);
        second.server.identity();
        second.server.session = if known { first.server.sessions.pop() } else { None };
        assert_eq!(known, second.server.session.is_some());
        second.handshake();
        assert!(second.server.asked.contains(&"Session".to_owned()), "{:?}", second.server.asked);
        assert_eq!((known, known), (second.client.connection.is_resumed(), second.server.connection.is_resumed()));
        second.exchange();
    }
}

#[test]
fn application_protocols() {
    const OFFERED: &[u8] = b"\x02h2\x08http/1.1";
    for version in [TLS12, TLS13] {
        for (mine, choice, expected) in [
            (Some(&b"\x08http/1.1\x02h2"[..]), None, Some("http/1.1")),
            (Some(b"\x03foo"), None, None),
            (None, None, None),
            (None, Some(Some(0)), Some("h2")),
            (None, Some(Some(3)), Some("http/1.1")),
            (None, Some(None), None),
        ] {
            let mut pair = pair(version);
            pair.client.connection.set_client_protocols(OFFERED).unwrap();
            if let Some(mine) = mine {
                pair.server.connection.set_server_protocols(mine.to_vec()).unwrap();
            }
            if let Some(choice) = choice {
                pair.server.connection.set_has_selector(true).unwrap();
                pair.server.choice = choice;
            }
            pair.handshake();
            assert!(pair.client.done && pair.server.done);
            for end in [&pair.client, &pair.server] {
                let protocol = end.connection.application_protocol().filter(|name| !name.is_empty());
                assert_eq!(expected.map(|name| name.as_bytes().to_vec()), protocol);
            }
        }
    }
}

#[test]
fn pre_shared_keys() {
    for (client, server, agrees) in [
        (Some(&b"0123456789abcdef"[..]), Some(&b"0123456789abcdef"[..]), true),
        (Some(b"0123456789abcdef"), Some(b"0123456789abcdeX"), false),
        (None, Some(b"0123456789abcdef"), false),
        (Some(b"0123456789abcdef"), None, false),
    ] {
        let mut pair = pair(TLS12);
        for end in [&mut pair.client, &mut pair.server] {
            end.connection.set_ciphers(&["TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA".to_owned()]).unwrap();
        }
        pair.client.connection.enable_client_psk(true).unwrap();
        pair.server.connection.enable_server_psk(true).unwrap();
        pair.server.connection.use_psk_identity_hint(Some(c"hint")).unwrap();
        (pair.client.psk, pair.server.psk) = (Psk(client), Psk(server));
        pair.handshake();
        assert_eq!((agrees, agrees), (pair.client.done, pair.server.done));
        if agrees {
            pair.exchange();
        }
    }
}

#[test]
fn shutdown_one_way_and_then_the_other() {
    for version in [TLS12, TLS13] {
        let mut pair = pair(version);
        pair.handshake();
        assert!(matches!(pair.client.run(Operation::Shutdown), Outcome::Done(0)));
        pair.carry();
        assert_eq!(Err(code::ZERO_RETURN), pair.server.read());
        // The other direction is still open.
        assert!(matches!(pair.server.write(b"late"), Outcome::Done(4)));
        pair.carry();
        assert_eq!(Ok(b"late".to_vec()), pair.client.read());
        assert!(matches!(pair.server.run(Operation::Shutdown), Outcome::Done(1)));
        pair.carry();
        assert_eq!(Err(code::ZERO_RETURN), pair.client.read());
        assert_eq!((3, 3), (pair.client.connection.shutdown_state(), pair.server.connection.shutdown_state()));
        assert!(matches!(pair.client.write(b"too late"), Outcome::Failed(failure) if failure.code == code::SSL));
    }
}

#[test]
fn a_record_that_was_tampered_with_ends_the_connection() {
    for version in [TLS12, TLS13] {
        let mut pair = pair(version);
        pair.handshake();
        pair.carry();
        assert_eq!(Err(code::WANT_READ), pair.client.read());
        assert!(matches!(pair.client.write(b"data"), Outcome::Done(4)));
        let mut record = vec![0; pair.client.bio.pending()];
        pair.client.bio.read_slice(&mut record);
        *record.last_mut().unwrap() ^= 1;
        pair.server.bio.write_slice(&record);
        assert_eq!(Err(code::SSL), pair.server.read());
        assert!(pair.server.bio.pending() > 0, "an alert");
    }
}

/// A key that is somewhere else, which counts its uses or fails.
struct Elsewhere {
    key: Option<PKey>,
    uses: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

impl Holder for Elsewhere {
    fn rsa_sign(&self, padding: i32, input: &[u8]) -> Option<Vec<u8>> {
        self.uses.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let operation = bssl::conscrypt::rsa::Operation::PrivateEncrypt;
        self.key.as_ref()?.rsa_crypt(operation, input, padding)?.ok()
    }

    fn rsa_decrypt(&self, _padding: i32, _input: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn ec_sign(&self, _digest: &[u8]) -> Option<Vec<u8>> {
        None
    }
}

#[test]
fn a_key_elsewhere_is_asked_while_the_handshake_is_suspended() {
    for version in [TLS12, TLS13] {
        for works in [true, false] {
            let key = PKey::from_pkcs8_prefix(RSA_KEY).unwrap();
            let [modulus, ..] = key.rsa_numbers().unwrap();
            let uses = std::sync::Arc::default();
            let holder = Elsewhere { key: works.then_some(key), uses: std::sync::Arc::clone(&uses) };
            let wrapper = opaque::rsa_key(Box::new(holder), &modulus.unwrap()).unwrap();
            let (client, server) = (Context::new().unwrap(), Context::new().unwrap());
            let mut pair = Pair { client: End::new(&client, false, version), server: End::new(&server, true, version) };
            pair.server.connection.set_chain_and_key(&[RSA_CERTIFICATE.to_vec()], &wrapper).unwrap();
            pair.handshake();
            assert_eq!((works, works), (pair.client.done, pair.server.done));
            assert_eq!(["ServerCertificate", "Key"], *pair.server.asked);
            assert_eq!(1, uses.load(std::sync::atomic::Ordering::Relaxed));
            if works {
                pair.exchange();
            }
        }
    }
}

#[test]
fn a_callback_may_ask_its_connection_but_not_run_or_change_it() {
    struct Curious<'a>(&'a Connection, RefCell<Vec<bool>>);
    impl Callbacks for Curious<'_> {
        fn client_psk(&self, _hint: Option<&[u8]>, _identity: &mut [u8], _key: &mut [u8]) -> usize {
            // SAFETY: no memory.
            let ran = unsafe { self.0.run(Operation::Handshake, &Psk::default()) };
            self.1.borrow_mut().extend([ran.is_ok(), self.0.set_verify(0).is_ok(), self.0.version() == "TLSv1.2"]);
            0
        }

        fn server_psk(&self, _hint: Option<&[u8]>, _identity: Option<&[u8]>, _key: &mut [u8]) -> usize {
            0
        }
    }
    let mut pair = pair(TLS12);
    for end in [&pair.client, &pair.server] {
        end.connection.set_ciphers(&["TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA".to_owned()]).unwrap();
    }
    pair.client.connection.enable_client_psk(true).unwrap();
    pair.server.connection.enable_server_psk(true).unwrap();
    pair.client.step();
    pair.carry();
    pair.server.step();
    pair.carry();
    let curious = Curious(&pair.client.connection, RefCell::default());
    // SAFETY: no memory.
    let outcome = unsafe { pair.client.connection.run(Operation::Handshake, &curious) }.unwrap();
    assert!(matches!(outcome, Outcome::Failed(failure) if failure.code == code::SSL));
    assert_eq!([false, false, true], **curious.1.borrow());
}

#[test]
fn a_second_hello_in_the_clear_ends_the_connection() {
    let mut pair = pair(TLS12);
    pair.handshake();
    pair.exchange();
    let mut other = self::pair(TLS12);
    other.client.step();
    let mut hello = vec![0; other.client.bio.pending()];
    other.client.bio.read_slice(&mut hello);
    pair.server.bio.write_slice(&hello);
    assert_eq!(Err(code::SSL), pair.server.read());
}
