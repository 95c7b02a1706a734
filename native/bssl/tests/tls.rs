//! Handshakes and records in memory, both sides ours.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]

use std::sync::Arc;

use bssl::tls::{
    ClientAuth, Config, Connection, Context, Credential, FailureKind, Handshake, PreSharedKey, Role, Status, Task,
};

const TLS12: u16 = 0x0303;
const TLS13: u16 = 0x0304;
const SCHEMES: [u16; 4] = [0x0403, 0x0804, 0x0401, 0x0807];

struct Key {
    chain: Vec<Vec<u8>>,
    pkcs8: &'static [u8],
    suite: u16,
}

fn keys() -> [Key; 2] {
    [
        Key {
            chain: vec![include_bytes!("data/ec.crt.der").to_vec()],
            pkcs8: include_bytes!("data/ec.key.der"),
            suite: 0xc02b,
        },
        Key {
            chain: vec![include_bytes!("data/rsa.crt.der").to_vec()],
            pkcs8: include_bytes!("data/rsa.key.der"),
            suite: 0xc02f,
        },
    ]
}

fn config(role: Role, version: u16) -> Config {
    Config {
        groups: vec![0x11ec, 29, 23],
        signature_schemes: SCHEMES.to_vec(),
        ..Config::new(role, version, version, vec![0x1301, 0x1302, 0xc02b, 0xc02f])
    }
}

/// Both ends of a connection and what is in flight between them.
struct Pair {
    client: Connection,
    server: Connection,
    finished: [usize; 2],
}

/// What the deciders of a test answer.
struct Answers {
    server: Vec<Credential>,
    client: Vec<Credential>,
    verdict: Result<(), u8>,
    key: Option<PreSharedKey>,
    session: Option<Vec<u8>>,
}

impl Answers {
    fn with(key: &Key) -> Self {
        let credential = Credential::new(&key.chain, key.pkcs8, &SCHEMES).unwrap();
        Self { server: vec![credential], client: vec![], verdict: Ok(()), key: None, session: None }
    }
}

impl Pair {
    fn new(client: Config, server: Config) -> Self {
        let connection = |config| Connection::new(&Context::new(config).unwrap()).unwrap();
        Self { client: connection(client), server: connection(server), finished: [0; 2] }
    }

    fn answer(connection: &mut Connection, answers: &Answers) {
        match connection.task().expect("a task") {
            Task::VerifyCertificate => connection.set_verified(answers.verdict).unwrap(),
            Task::ClientHello => connection.select(answers.server.clone(), None, None).unwrap(),
            Task::CertificateRequest => connection.select(answers.client.clone(), None, None).unwrap(),
            Task::PreSharedKey => connection.set_pre_shared_key(answers.key.clone()).unwrap(),
            Task::SessionLookup => connection.set_found_session(answers.session.as_deref()).unwrap(),
            other => panic!("unexpected {other:?}"),
        }
    }

    /// Drives both ends until neither moves; answers the statuses that ended in [`Status::Error`], client's first.
    fn pump(&mut self, answers: &Answers) -> [bool; 2] {
        let mut failed = [false; 2];
        let mut wire = [Vec::new(), Vec::new()];
        for _ in 0..100 {
            let mut moved = false;
            for side in 0..2 {
                let end = if side == 0 { &mut self.client } else { &mut self.server };
                match end.handshake() {
                    Handshake::NeedTask => {
                        Self::answer(end, answers);
                        moved = true;
                    }
                    Handshake::NeedWrap => {
                        let mut out = vec![0; 17000];
                        let outcome = end.wrap(&[], &mut out);
                        wire[side].extend_from_slice(&out[..outcome.produced]);
                        self.finished[side] += usize::from(outcome.handshake == Handshake::Finished);
                        failed[side] |= outcome.status == Status::Error;
                        moved = true;
                    }
                    Handshake::NeedUnwrap | Handshake::NotHandshaking if !wire[1 - side].is_empty() => {
                        let mut out = vec![0; 17000];
                        let outcome = end.unwrap(&wire[1 - side], &mut out);
                        wire[1 - side].drain(..outcome.consumed);
                        self.finished[side] += usize::from(outcome.handshake == Handshake::Finished);
                        failed[side] |= outcome.status == Status::Error;
                        moved |= outcome.consumed > 0 || outcome.handshake != Handshake::NeedUnwrap;
                        if matches!(outcome.status, Status::Error | Status::Closed) {
                            wire[1 - side].clear();
                        }
                    }
                    _ => {}
                }
            }
            if !moved {
                break;
            }
        }
        failed
    }

    fn established(version: u16, key: &Key) -> Self {
        let mut pair = Self::new(config(Role::Client, version), config(Role::Server, version));
        assert_eq!(pair.pump(&Answers::with(key)), [false, false]);
        assert_eq!(pair.finished, [1, 1]);
        pair
    }
}

fn send(from: &mut Connection, to: &mut Connection, data: &[u8]) -> Vec<u8> {
    let (mut rest, mut received) = (data, Vec::new());
    let mut record = vec![0; 17000];
    let mut plain = vec![0; 16384];
    while !rest.is_empty() {
        let sealed = from.wrap(rest, &mut record);
        assert_eq!(sealed.status, Status::Ok);
        rest = &rest[sealed.consumed..];
        let mut wire = &record[..sealed.produced];
        while !wire.is_empty() {
            let opened = to.unwrap(wire, &mut plain);
            assert_eq!(opened.status, Status::Ok);
            wire = &wire[opened.consumed..];
            received.extend_from_slice(&plain[..opened.produced]);
        }
    }
    received
}

/// As [`send`], wrapping until all is gone and nothing waits; counts the wraps that carried no data.
fn exchange(from: &mut Connection, to: &mut Connection, data: &[u8], without_data: &mut usize) -> Vec<u8> {
    let (mut rest, mut received) = (data, Vec::new());
    let (mut record, mut plain) = (vec![0; 17000], vec![0; 16384]);
    for _ in 0..20 {
        if rest.is_empty()
            && from.handshake() == Handshake::NotHandshaking
            && to.handshake() == Handshake::NotHandshaking
        {
            break;
        }
        if !rest.is_empty() || from.handshake() == Handshake::NeedWrap {
            let sealed = from.wrap(rest, &mut record);
            assert_eq!(sealed.status, Status::Ok);
            *without_data += usize::from(sealed.consumed == 0);
            rest = &rest[sealed.consumed..];
            received.extend(deliver(to, &record[..sealed.produced], &mut plain));
        }
        if to.handshake() == Handshake::NeedWrap {
            let sealed = to.wrap(&[], &mut record);
            assert_eq!(sealed.status, Status::Ok);
            assert!(deliver(from, &record[..sealed.produced], &mut plain).is_empty());
        }
    }
    received
}

fn deliver(to: &mut Connection, mut wire: &[u8], plain: &mut [u8]) -> Vec<u8> {
    let mut received = Vec::new();
    while !wire.is_empty() {
        let opened = to.unwrap(wire, plain);
        assert_eq!(opened.status, Status::Ok);
        wire = &wire[opened.consumed..];
        received.extend_from_slice(&plain[..opened.produced]);
    }
    received
}

#[test]
fn data_in_both_versions_with_both_key_types() {
    for version in [TLS12, TLS13] {
        for key in keys() {
            let mut pair = Pair::established(version, &key);
            assert_eq!(pair.client.version(), version);
            assert_eq!(pair.client.cipher_suite(), if version == TLS12 { key.suite } else { 0x1301 });
            assert_eq!(pair.client.peer_certificates(), [key.chain[0].as_slice()]);
            assert_eq!(pair.server.selected_credential(), Some(0));
            if version == TLS13 {
                assert_eq!(pair.client.group(), 0x11ec);
            }
            let data: Vec<u8> = (0..100_000_u32).map(|i| i as u8).collect();
            for length in [1, 2, 64, 1000, 16383, 16384, 16385, 100_000] {
                assert_eq!(send(&mut pair.client, &mut pair.server, &data[..length]), data[..length]);
                assert_eq!(send(&mut pair.server, &mut pair.client, &data[..length]), data[..length]);
            }
        }
    }
}

#[test]
fn sessions_are_resumed_with_the_peers_chain() {
    for version in [TLS12, TLS13] {
        let key = &keys()[0];
        let contexts = [Role::Client, Role::Server]
            .map(|role| Context::new(Config { resumption: true, ..config(role, version) }).unwrap());
        let mut sessions: Vec<bssl::tls::Session> = vec![];
        for round in 0..4 {
            let [client, server] = contexts.each_ref().map(|c| Connection::new(c).unwrap());
            let mut pair = Pair { client, server, finished: [0; 2] };
            let offered = sessions.pop();
            if let Some(session) = &offered {
                pair.client.set_session(session).unwrap();
            }
            assert_eq!(pair.pump(&Answers::with(key)), [false, false]);
            assert_eq!(pair.finished, [1, 1], "{version:x} {round}");
            assert_eq!(pair.client.is_resumed(), offered.is_some(), "{version:x} {round}");
            assert_eq!(pair.server.is_resumed(), offered.is_some());
            assert_eq!(pair.client.peer_certificates(), [key.chain[0].as_slice()]);
            // TLS 1.3: the tickets come with the server's first data.
            assert_eq!(send(&mut pair.server, &mut pair.client, b"hello"), b"hello");
            sessions.extend(std::iter::from_fn(|| pair.client.take_new_session()));
            if version == TLS13 {
                assert!(sessions.iter().all(|s| s.is_single_use() && s.id().len() == 32));
            }
            assert!(!sessions.is_empty() || (version == TLS12 && round > 0), "{version:x} {round}");
        }
    }
}

#[test]
fn pre_shared_keys_are_asked_for_in_time() {
    for suite in [0xccac, 0xc035, 0x008d] {
        let config = |role| Config { ask_pre_shared_key: true, cipher_suites: vec![suite], ..config(role, TLS12) };
        let key = |identity: &[u8]| PreSharedKey { identity: identity.to_vec(), key: vec![7; 5], context: vec![] };
        for (answer, fails) in [(Some(key(b"bob")), false), (None, true)] {
            let mut pair = Pair::new(config(Role::Client), config(Role::Server));
            pair.server.set_pre_shared_key_hint(b"hint").unwrap();
            let answers = Answers { key: answer, server: vec![], ..Answers::with(&keys()[0]) };
            let failed = pair.pump(&answers);
            assert_eq!(failed, [fails; 2]);
            assert_eq!(pair.client.pre_shared_key_name().is_some(), fails, "forgotten, once established");
            if !fails {
                assert_eq!(pair.client.cipher_suite(), suite);
                assert_eq!(send(&mut pair.client, &mut pair.server, b"hello"), b"hello");
            }
        }
        let mut client = Pair::new(config(Role::Client), config(Role::Server)).client;
        assert!(client.set_pre_shared_key(Some(key(b"early"))).is_err());
        assert!(client.set_pre_shared_key(Some(key(&[b'x'; 129]))).is_err());
        assert!(client.set_pre_shared_key_hint(&[b'x'; 129]).is_err());
        assert!(client.set_pre_shared_key_hint(b"a\0b").is_err());
    }
}

#[test]
fn a_servers_sessions_are_kept_outside() {
    let key = &keys()[0];
    let client = Context::new(Config { resumption: true, tickets: false, ..config(Role::Client, TLS12) }).unwrap();
    let (mut offered, mut kept): (Option<bssl::tls::Session>, Option<Vec<u8>>) = (None, None);
    for round in 0..4 {
        let server =
            Config { resumption: true, tickets: false, external_sessions: true, ..config(Role::Server, TLS12) };
        let server = Context::new(server).unwrap();
        let [one, other] = [&client, &server].map(|c| Connection::new(c).unwrap());
        let mut pair = Pair { client: one, server: other, finished: [0; 2] };
        if let Some(session) = &offered {
            pair.client.set_session(session).unwrap();
        }
        if round == 3 {
            kept = Some(vec![0x30, 1, 2]);
        }
        let answers = Answers { session: kept.clone(), ..Answers::with(key) };
        assert_eq!(pair.pump(&answers), [false, false]);
        assert_eq!(pair.server.is_resumed(), round == 1 || round == 2, "round {round}");
        assert_eq!(send(&mut pair.server, &mut pair.client, b"hello"), b"hello");
        if round == 0 {
            offered = pair.client.take_new_session();
            let session = pair.server.take_new_session().unwrap();
            assert_eq!(session.id(), offered.as_ref().unwrap().id());
            kept = Some(session.to_bytes().unwrap());
        }
    }
}

#[test]
fn sessions_survive_as_bytes_and_are_verified_again() {
    for version in [TLS12, TLS13] {
        let key = &keys()[0];
        let client = || {
            let config = Config { resumption: true, reverify: true, ..config(Role::Client, version) };
            Context::new(config).unwrap()
        };
        let server = Context::new(Config { resumption: true, ..config(Role::Server, version) }).unwrap();
        let mut kept: Option<Vec<u8>> = None;
        for round in 0..3 {
            let context = client();
            let [one, other] = [&context, &server].map(|c| Connection::new(c).unwrap());
            let mut pair = Pair { client: one, server: other, finished: [0; 2] };
            let session = kept.take().map(|bytes| bssl::tls::Session::from_bytes(&context, &bytes).unwrap());
            if let Some(session) = &session {
                pair.client.set_session(session).unwrap();
            }
            let mut answers = Answers::with(key);
            if round == 2 {
                answers.verdict = Err(48);
                assert!(pair.pump(&answers)[0], "verified again, and refused");
                continue;
            }
            assert_eq!(pair.pump(&answers), [false, false]);
            assert_eq!(pair.client.is_resumed(), session.is_some(), "{version:x} {round}");
            assert_eq!(pair.client.peer_certificates(), [key.chain[0].as_slice()]);
            assert_eq!(send(&mut pair.server, &mut pair.client, b"hello"), b"hello");
            let fresh = pair.client.take_new_session();
            kept = fresh.or(session).map(|session| session.to_bytes().unwrap());
        }
        assert!(bssl::tls::Session::from_bytes(&client(), b"no session").is_err());
        assert!(bssl::tls::Session::from_bytes(&client(), b"").is_err());
    }
}

#[test]
fn without_tickets_tls12_resumes_by_id_and_a_tls13_server_not() {
    for version in [TLS12, TLS13] {
        let key = &keys()[0];
        let contexts = [Role::Client, Role::Server]
            .map(|role| Context::new(Config { resumption: true, tickets: false, ..config(role, version) }).unwrap());
        let mut session = None;
        for round in 0..2 {
            let [client, server] = contexts.each_ref().map(|c| Connection::new(c).unwrap());
            let mut pair = Pair { client, server, finished: [0; 2] };
            if let Some(session) = &session {
                pair.client.set_session(session).unwrap();
            }
            assert_eq!(pair.pump(&Answers::with(key)), [false, false]);
            assert_eq!(pair.client.is_resumed(), version == TLS12 && round == 1);
            assert_eq!(send(&mut pair.server, &mut pair.client, b"hello"), b"hello");
            session = pair.client.take_new_session().or(session);
            assert_eq!(session.is_some(), version == TLS12);
        }
    }
}

#[test]
fn keys_are_replaced_before_their_limit() {
    for limit in [1, 3] {
        let often = |role| Config { records_per_key: limit, ..config(role, TLS13) };
        let mut pair = Pair::new(often(Role::Client), often(Role::Server));
        assert_eq!(pair.pump(&Answers::with(&keys()[0])), [false, false]);
        let mut without_data = 0;
        for round in 0..20_u8 {
            let [client, server] = [&mut pair.client, &mut pair.server];
            assert_eq!(exchange(client, server, &[round; 100], &mut without_data), [round; 100]);
            assert_eq!(exchange(server, client, &[round; 200], &mut without_data), [round; 200]);
        }
        assert!(without_data >= 12, "key updates were sent: {without_data}");
    }
}

#[test]
fn a_small_destination_changes_nothing() {
    for version in [TLS12, TLS13] {
        let mut pair = Pair::established(version, &keys()[0]);
        let mut record = vec![0; 17000];
        let needed = pair.client.wrap(b"twelve bytes", &mut record).produced;
        let again = pair.client.wrap(b"twelve bytes", &mut record[..needed - 8]);
        assert_eq!((again.status, again.consumed, again.produced), (Status::BufferOverflow, 0, 0));

        for small in [0, 1, 11] {
            let mut tiny = vec![0; small];
            let opened = pair.server.unwrap(&record[..needed], &mut tiny);
            assert_eq!((opened.status, opened.consumed, opened.produced), (Status::BufferOverflow, 0, 0), "{small}");
        }
        let mut plain = vec![0; 12];
        let opened = pair.server.unwrap(&record[..needed], &mut plain);
        assert_eq!((opened.status, opened.consumed, opened.produced), (Status::Ok, needed, 12));
        assert_eq!(&plain, b"twelve bytes");
        assert_eq!(send(&mut pair.client, &mut pair.server, b"next"), b"next");
    }
}

#[test]
fn every_prefix_of_a_record_underflows() {
    let mut pair = Pair::established(TLS13, &keys()[0]);
    let mut record = vec![0; 17000];
    let length = pair.client.wrap(b"data", &mut record).produced;
    let mut plain = [0; 100];
    for prefix in 0..length {
        let opened = pair.server.unwrap(&record[..prefix], &mut plain);
        assert_eq!((opened.status, opened.consumed, opened.produced), (Status::BufferUnderflow, 0, 0), "{prefix}");
    }
    assert_eq!(pair.server.unwrap(&record[..length], &mut plain).produced, 4);
}

#[test]
fn a_rejected_chain_sends_its_alert() {
    for version in [TLS12, TLS13] {
        let mut pair = Pair::new(config(Role::Client, version), config(Role::Server, version));
        let answers = Answers { verdict: Err(48), ..Answers::with(&keys()[1]) };
        assert_eq!(pair.pump(&answers), [true, true]);
        assert_eq!(pair.client.failure().map(|f| (f.kind, f.alert)), Some((FailureKind::Peer, Some(48))));
        let seen = pair.server.failure().unwrap();
        assert_eq!(
            (seen.kind, seen.alert, seen.text.as_str()),
            (FailureKind::AlertReceived, Some(48), "Received fatal alert: unknown_ca")
        );
    }
}

#[test]
fn client_certificates() {
    for version in [TLS12, TLS13] {
        for (auth, present, ok) in [
            (ClientAuth::Want, true, true),
            (ClientAuth::Want, false, true),
            (ClientAuth::Need, true, true),
            (ClientAuth::Need, false, false),
        ] {
            // A thousand CA names: the flight spans several records and wraps.
            let name = |i: u32| {
                [&[0x30, 22, 0x31, 20, 0x30, 18, 0x06, 3, 0x55, 4, 3, 0x0c, 11][..], format!("name {i:06}").as_bytes()]
                    .concat()
            };
            let ca_names = (0..1000).map(name).collect::<Vec<_>>();
            let server = Config { client_auth: auth, ca_names: ca_names.clone(), ..config(Role::Server, version) };
            let mut pair = Pair::new(config(Role::Client, version), server);
            let [ec, rsa] = keys();
            let mut answers = Answers::with(&ec);
            if present {
                answers.client.push(Credential::new(&rsa.chain, rsa.pkcs8, &SCHEMES).unwrap());
            }
            let failed = pair.pump(&answers);
            assert_eq!(failed[1], !ok, "{version:x} {auth:?} {present}: {:?}", pair.server.failure());
            if ok {
                assert_eq!(pair.finished, [1, 1]);
                assert_eq!(pair.server.peer_certificates().len(), usize::from(present));
                assert_eq!(pair.client.selected_credential(), present.then_some(0));
            } else {
                assert_eq!(
                    pair.server.failure().map(|f| f.text.contains("Empty client certificate chain")),
                    Some(true)
                );
            }
        }
    }
}

#[test]
fn what_is_no_tls_fails_at_once_with_an_alert() {
    for garbage in [
        &b"GET / HTTP/1.1\r\n"[..],
        b"\x00\x01\x02\x03\x04\x05",
        b"\x16\x03\x01\xff\xff\x01",
        b"\x80\x01\x01\x03\x01\x00",
    ] {
        let mut server = Connection::new(&Context::new(config(Role::Server, TLS13)).unwrap()).unwrap();
        let outcome = server.unwrap(garbage, &mut []);
        assert_eq!(outcome.status, Status::Error, "{garbage:?}");
        assert_eq!(outcome.handshake, Handshake::NeedWrap, "{garbage:?}");
        let mut out = [0; 100];
        let alert = server.wrap(&[], &mut out);
        assert_eq!((alert.status, alert.produced), (Status::Closed, 7));
        assert_eq!(out[0], 21);
        assert_eq!(server.unwrap(garbage, &mut []).status, Status::Closed);
    }
}

#[test]
fn a_flipped_bit_fails_the_connection() {
    for version in [TLS12, TLS13] {
        let mut pair = Pair::established(version, &keys()[0]);
        let mut record = vec![0; 200];
        let length = pair.client.wrap(b"data", &mut record).produced;
        record[length - 1] ^= 1;
        let mut plain = [0; 200];
        assert_eq!(pair.server.unwrap(&record[..length], &mut plain).status, Status::Error);
        assert_eq!(plain, [0; 200]);
        let out = pair.server.wrap(&[], &mut record);
        assert_eq!(out.status, Status::Closed);
        assert_eq!(pair.client.unwrap(&record[..out.produced], &mut plain).status, Status::Error);
        assert_eq!(pair.client.failure().map(|f| f.alert), Some(Some(20)));
    }
}

#[test]
fn directions_close_independently_in_tls13() {
    let mut pair = Pair::established(TLS13, &keys()[0]);
    let mut wire = vec![0; 200];
    pair.client.close_write();
    let out = pair.client.wrap(b"lost", &mut wire);
    assert_eq!((out.status, out.consumed), (Status::Closed, 0));
    let mut plain = [0; 100];
    assert_eq!(pair.server.unwrap(&wire[..out.produced], &mut plain).status, Status::Closed);
    assert_eq!(send(&mut pair.server, &mut pair.client, b"still here"), b"still here");
    assert_eq!(pair.client.wrap(b"", &mut wire).status, Status::Closed);
}

#[test]
fn no_agreement_has_words_and_an_alert() {
    let client = config(Role::Client, TLS12);
    let server = config(Role::Server, TLS13);
    let mut pair = Pair::new(client, server);
    assert_eq!(pair.pump(&Answers::with(&keys()[0])), [true, true]);
    let failure = pair.server.failure().unwrap();
    assert_eq!(failure.alert, Some(70));
    assert!(failure.text.contains("protocol version"), "{}", failure.text);
}

#[test]
fn application_protocols() {
    for (offered, supported, chosen) in [
        (vec!["h2", "http/1.1"], vec!["http/1.1", "h2"], Some("http/1.1")),
        (vec!["h2"], vec![], None),
        (vec![], vec!["h2"], None),
    ] {
        let list = |names: &[&str]| names.iter().map(|n| n.as_bytes().to_vec()).collect::<Vec<_>>();
        let client = Config { protocols: list(&offered), ..config(Role::Client, TLS13) };
        let server = Config { protocols: list(&supported), ..config(Role::Server, TLS13) };
        let mut pair = Pair::new(client, server);
        assert_eq!(pair.pump(&Answers::with(&keys()[0])), [false, false]);
        assert_eq!(pair.client.application_protocol(), chosen.map(str::as_bytes));
        assert_eq!(pair.server.application_protocol(), chosen.map(str::as_bytes));
    }
    let client = Config { protocols: vec![b"h2".to_vec()], ..config(Role::Client, TLS12) };
    let server = Config { protocols: vec![b"h3".to_vec()], ..config(Role::Server, TLS12) };
    let mut pair = Pair::new(client, server);
    assert_eq!(pair.pump(&Answers::with(&keys()[0])), [true, true]);
    assert_eq!(pair.client.failure().map(|f| f.alert), Some(Some(120)));
}

#[test]
fn contexts_refuse_what_they_do_not_know() {
    let bad = |change: fn(&mut Config)| {
        let mut config = config(Role::Client, TLS13);
        change(&mut config);
        Context::new(config).map(|_: Arc<Context>| ()).is_err()
    };
    assert!(bad(|c| c.cipher_suites = vec![0x1399]));
    assert!(bad(|c| c.cipher_suites = vec![0x0099]));
    assert!(bad(|c| c.groups = vec![1]));
    assert!(bad(|c| c.max_version = 0x0299));
    assert!(bad(|c| c.protocols = vec![vec![]]));
}

#[test]
fn credentials_refuse_what_does_not_belong_together() {
    let [ec, rsa] = keys();
    assert!(Credential::new(&ec.chain, rsa.pkcs8, &SCHEMES).is_err());
    assert!(Credential::new(&[], ec.pkcs8, &SCHEMES).is_err());
    assert!(Credential::new(&[vec![1, 2, 3]], ec.pkcs8, &SCHEMES).is_err());
    assert!(Credential::new(&ec.chain, &ec.pkcs8[..40], &SCHEMES).is_err());
}
