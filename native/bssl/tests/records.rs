//! Records of data on the direct way (`shim/record.cc`) and through `SSL_write` and `SSL_read`: the outcomes are the same.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]

use std::collections::VecDeque;

use bssl::aead::{self, Aead};
use bssl::bytes::InOut;
use bssl::digest::Algorithm;
use bssl::hmac::Hmac;
use bssl::tls::{Config, Connection, Context, Credential, FailureKind, Handshake, Outcome, Role, Status, Task};

const TLS12: u16 = 0x0303;
const TLS13: u16 = 0x0304;
const PACKET: usize = 17408;
/// What destinations hold before a call.
const BLANK: u8 = 0xaa;

/// Every way in which records are protected; CBC among them, which never goes the direct way.
const SUITES: [(u16, u16); 8] = [
    (TLS13, 0x1301),
    (TLS13, 0x1302),
    (TLS13, 0x1303),
    (TLS12, 0xc02b),
    (TLS12, 0xc02c),
    (TLS12, 0xcca9),
    (TLS12, 0xc009),
    (TLS12, 0xc00a),
];

fn is_aead(suite: u16) -> bool {
    !matches!(suite, 0xc009 | 0xc00a)
}

/// xorshift64*: the same script for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn size(&mut self) -> usize {
        const EDGES: [usize; 14] = [0, 1, 2, 15, 16, 17, 2047, 2048, 2049, 4096, 16383, 16384, 16385, 17000];
        match self.below(4) {
            0 => EDGES[self.below(EDGES.len())],
            1 => self.below(17000),
            _ => self.below(200),
        }
    }
}

/// Both ends of an established connection, and the records on their way from each.
struct World {
    name: &'static str,
    ends: [Connection; 2],
    wire: [VecDeque<Vec<u8>>; 2],
    /// The last record that each end received.
    last: [Vec<u8>; 2],
}

/// What one step showed. Sizes of records without data are not told: tickets and signatures differ by themselves.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    outcome: Outcome,
    data: Vec<u8>,
    /// What is in the destination behind the data, if not what was there before.
    behind: Option<u8>,
    failure: Option<(FailureKind, Option<u8>, String)>,
}

fn split(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut records = vec![];
    while !bytes.is_empty() {
        let length = 5 + usize::from(u16::from_be_bytes([bytes[3], bytes[4]]));
        records.push(bytes[..length].to_vec());
        bytes = &bytes[length..];
    }
    records
}

fn config(role: Role, version: u16, suite: u16) -> Config {
    Config { groups: vec![29, 23], signature_schemes: vec![0x0403], ..Config::new(role, version, version, vec![suite]) }
}

fn established(name: &'static str, configs: [Config; 2]) -> World {
    let chain = [include_bytes!("data/ec.crt.der").to_vec()];
    let credential = Credential::new(&chain, include_bytes!("data/ec.key.der"), &[]).unwrap();
    let ends = configs.map(|config| Connection::new(&Context::new(config).unwrap()).unwrap());
    let mut world = World { name, ends, wire: [VecDeque::new(), VecDeque::new()], last: [vec![], vec![]] };
    let mut done = [false; 2];
    for _ in 0..100 {
        for (side, done) in done.iter_mut().enumerate() {
            let mut out = vec![0; PACKET];
            let end = &mut world.ends[side];
            let outcome = match end.handshake() {
                Handshake::NeedTask => {
                    match end.task().unwrap() {
                        Task::VerifyCertificate => end.set_verified(Ok(())).unwrap(),
                        _ => end.select(vec![credential.clone()], None, None).unwrap(),
                    }
                    continue;
                }
                Handshake::NeedWrap => {
                    let outcome = end.wrap(&[], &mut out);
                    world.wire[side].extend(split(&out[..outcome.produced]));
                    outcome
                }
                _ => {
                    let Some(record) = world.wire[1 - side].pop_front() else { continue };
                    let outcome = end.unwrap(&record, &mut out);
                    if outcome.consumed == 0 {
                        world.wire[1 - side].push_front(record);
                    }
                    outcome
                }
            };
            assert!(!matches!(outcome.status, Status::Error | Status::Closed), "{:?}", world.ends[side].failure());
            *done |= outcome.handshake == Handshake::Finished;
        }
        if done == [true; 2] && world.wire.iter().all(VecDeque::is_empty) {
            return world;
        }
    }
    panic!("the handshake does not end: {name}");
}

/// One step of a script, for all worlds alike.
#[derive(Debug, Clone)]
enum Step {
    /// Wraps so many bytes; the destination has so many bytes more or fewer than the record needs, or is a packet's.
    Wrap {
        side: usize,
        length: usize,
        room: Option<isize>,
        overlap: Option<usize>,
    },
    /// Unwraps the next record; the destination has so many bytes more or fewer than the data, or is a packet's.
    Unwrap {
        side: usize,
        room: Option<isize>,
        overlap: Option<usize>,
        prefix: Option<usize>,
    },
    /// Flips a bit of the next record, this far into it (in 1/256), and unwraps it.
    Corrupt {
        side: usize,
        at: usize,
        bit: u8,
    },
    /// Receives the last record again.
    Replay {
        side: usize,
    },
    /// Receives a record that claims another type.
    Type {
        side: usize,
        kind: u8,
    },
    CloseWrite {
        side: usize,
    },
    CloseRead {
        side: usize,
    },
}

impl World {
    fn observe(&self, side: usize, outcome: Outcome, memory: &[u8]) -> Seen {
        let (data, rest) = memory.split_at(outcome.produced.min(memory.len()));
        let failure = self.ends[side].failure().map(|f| (f.kind, f.alert, f.text.clone()));
        Seen { outcome, data: data.to_vec(), behind: rest.iter().copied().find(|b| *b != BLANK), failure }
    }

    /// Source and destination as parts of one piece of memory, `shift` bytes apart.
    fn overlapping(
        &mut self,
        side: usize,
        source: &[u8],
        capacity: usize,
        shift: usize,
        wrap: bool,
    ) -> (Outcome, Vec<u8>) {
        let mut memory = vec![BLANK; 2 * PACKET + 1000];
        let from = 500;
        let to = shift.min(memory.len() - capacity);
        memory[from..from + source.len()].copy_from_slice(source);
        let base = memory.as_mut_ptr();
        // SAFETY: both ranges are in `memory`, to which no reference is used meanwhile.
        let outcome = unsafe {
            let (from, to) = ((base.add(from).cast_const(), source.len()), (base.add(to), capacity));
            if wrap { self.ends[side].wrap_raw(from, to) } else { self.ends[side].unwrap_raw(from, to) }
        };
        (outcome, memory[to..to + outcome.produced].to_vec())
    }

    fn unwrap(&mut self, side: usize, source: &[u8], capacity: usize) -> Seen {
        let mut plain = vec![BLANK; capacity];
        let outcome = self.ends[side].unwrap(source, &mut plain);
        self.observe(side, outcome, &plain)
    }

    fn run(&mut self, step: &Step, overhead: usize) -> Option<Seen> {
        match *step {
            Step::Wrap { side, length, room, overlap } => {
                let source: Vec<u8> = (0..length).map(|i| (i * 7 + length) as u8).collect();
                let needed = length.min(16384) + overhead;
                let capacity = room.map_or(PACKET, |room| needed.saturating_add_signed(room).min(PACKET));
                let (outcome, memory) = if let Some(shift) = overlap {
                    self.overlapping(side, &source, capacity, shift, true)
                } else {
                    let mut memory = vec![BLANK; capacity];
                    let outcome = self.ends[side].wrap(&source, &mut memory);
                    if outcome.status == Status::Ok && outcome.consumed > 0 {
                        assert!(memory[outcome.produced..].iter().all(|b| *b == BLANK), "written behind a record");
                    }
                    (outcome, memory[..outcome.produced].to_vec())
                };
                self.wire[side].extend(split(&memory));
                let mut seen = self.observe(side, Outcome { produced: 0, ..outcome }, &[]);
                seen.outcome.produced = if outcome.consumed > 0 { outcome.produced } else { outcome.produced.min(1) };
                Some(seen)
            }
            Step::Unwrap { side, room, overlap, prefix } => {
                let record = self.wire[1 - side].pop_front()?;
                let data = record.len().saturating_sub(overhead);
                let capacity = room.map_or(PACKET, |room| data.saturating_add_signed(room).min(PACKET));
                let mut seen = if let Some(prefix) = prefix {
                    self.unwrap(side, &record[..prefix.min(record.len() - 1)], capacity)
                } else if let Some(shift) = overlap {
                    let (outcome, memory) = self.overlapping(side, &record, capacity, shift, false);
                    self.observe(side, outcome, &memory)
                } else {
                    self.unwrap(side, &record, capacity)
                };
                assert!(seen.outcome.consumed == 0 || seen.outcome.consumed == record.len());
                if seen.outcome.consumed == 0 {
                    self.wire[1 - side].push_front(record);
                } else {
                    self.last[side] = record;
                }
                if seen.outcome.produced == 0 {
                    seen.outcome.consumed = seen.outcome.consumed.min(1);
                }
                // No data came: the destination may be overwritten, but with nothing that means anything.
                if seen.data.is_empty() && seen.behind == Some(0) {
                    seen.behind = None;
                }
                Some(seen)
            }
            Step::Corrupt { side, at, bit } => {
                let mut record = self.wire[1 - side].pop_front()?;
                // Not in the length: that is another record, or none.
                let at = 5 + at * (record.len() - 5) / 256;
                record[at] ^= 1 << bit;
                Some(self.failing(side, &record))
            }
            Step::Replay { side } => {
                let record = self.last[side].clone();
                (!record.is_empty()).then(|| self.failing(side, &record))
            }
            Step::Type { side, kind } => {
                let mut record = self.wire[1 - side].pop_front()?;
                record[0] = kind;
                Some(self.failing(side, &record))
            }
            Step::CloseWrite { side } => {
                self.ends[side].close_write();
                None
            }
            Step::CloseRead { side } => {
                self.ends[side].close_read();
                None
            }
        }
    }

    fn failing(&mut self, side: usize, record: &[u8]) -> Seen {
        let mut seen = self.unwrap(side, record, PACKET);
        assert!(seen.behind.is_none_or(|byte| byte == 0), "{}: plaintext is left", self.name);
        seen.behind = None;
        seen
    }
}

fn script(random: &mut Random, closing: bool) -> Step {
    let side = random.below(2);
    let room = |random: &mut Random| match random.below(6) {
        0 => Some(0),
        1 => Some(-1),
        2 => Some(1),
        3 => Some(-random.below(20000).cast_signed()),
        _ => None,
    };
    let overlap = |random: &mut Random| match random.below(8) {
        0 => Some(random.below(2000)),
        1 => Some([500, 505, 495, 487][random.below(4)]),
        _ => None,
    };
    match random.below(if closing { 200 } else { 190 }) {
        0..80 => Step::Wrap { side, length: random.size(), room: room(random), overlap: overlap(random) },
        80..188 => {
            let prefix = (random.below(10) == 0).then(|| random.below(17000));
            Step::Unwrap { side, room: room(random), overlap: overlap(random), prefix }
        }
        188..190 => Step::Wrap { side, length: 0, room: None, overlap: None },
        190..193 => Step::Corrupt { side, at: random.below(256), bit: random.below(8) as u8 },
        193..195 => Step::Replay { side },
        195 => Step::Type { side, kind: [20, 21, 22, 24, 25][random.below(5)] },
        196..199 => Step::CloseWrite { side },
        _ => Step::CloseRead { side },
    }
}

/// Both ends on either way.
fn worlds(version: u16, suite: u16, limits: [u64; 2]) -> [World; 4] {
    [("direct", true, true), ("buffered", false, false), ("direct client", true, false), ("direct server", false, true)]
        .map(|(name, client, server)| {
            let base = |role, fast_records, records_per_key| Config {
                fast_records,
                records_per_key,
                resumption: true,
                ..config(role, version, suite)
            };
            established(name, [base(Role::Client, client, limits[0]), base(Role::Server, server, limits[1])])
        })
}

fn overhead(version: u16, suite: u16) -> usize {
    match (version, suite) {
        (TLS13, _) => 22,
        (_, 0xcca9) => 21,
        (_, 0xc02b | 0xc02c) => 29,
        // CBC: not exact, but the same for all.
        _ => 5 + 16 + 20 + 16,
    }
}

#[test]
fn random_traffic_has_the_same_outcomes_on_both_ways() {
    let mut direct_of = std::collections::HashMap::new();
    for seed in 1..=192_u64 {
        let (version, suite) = SUITES[seed as usize % SUITES.len()];
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let limits = [[1 << 24, 1 << 24], [3, 1 << 24], [1, 5], [40, 7]][seed as usize / SUITES.len() % 4];
        let mut worlds = worlds(version, suite, limits);
        // Half of the scripts never fail, so that they go on for long.
        let closing = seed / 32 % 2 == 1;
        for number in 0..300 {
            let step = script(&mut random, closing);
            let seen = worlds.each_mut().map(|world| world.run(&step, overhead(version, suite)));
            for (world, other) in worlds.iter().zip(&seen) {
                assert_eq!(&seen[1], other, "{} seed {seed} step {number} {step:?} suite {suite:x}", world.name);
            }
        }
        let direct = worlds.each_ref().map(|world| world.ends.each_ref().map(Connection::direct_records));
        assert_eq!(direct[1], [0, 0]);
        assert_eq!((direct[2][1], direct[3][0]), (0, 0));
        *direct_of.entry(suite).or_insert(0) += direct[0][0] + direct[0][1];
    }
    for (_, suite) in SUITES {
        let expected = cfg!(feature = "fast-records") && is_aead(suite);
        assert_eq!(direct_of[&suite] > 400, expected, "{suite:x}: {} records", direct_of[&suite]);
    }
}

#[test]
fn data_of_every_size_goes_the_direct_way() {
    for (version, suite) in SUITES {
        let configs = [Role::Client, Role::Server].map(|role| config(role, version, suite));
        let mut world = established("direct", configs);
        let mut count = 0;
        for length in (1..300).chain([2047, 2048, 2049, 4095, 4096, 5000, 16383, 16384]) {
            let data: Vec<u8> = (0..length).map(|i| (i + length) as u8).collect();
            for side in 0..2 {
                let mut record = vec![0; PACKET];
                let sealed = world.ends[side].wrap(&data, &mut record);
                assert_eq!((sealed.status, sealed.consumed), (Status::Ok, length));
                let mut plain = vec![0; length];
                let opened = world.ends[1 - side].unwrap(&record[..sealed.produced], &mut plain);
                assert_eq!((opened.status, opened.produced), (Status::Ok, length));
                assert_eq!(plain, data);
            }
            count += 2;
        }
        let expected = if cfg!(feature = "fast-records") && is_aead(suite) { count } else { 0 };
        assert_eq!(world.ends.each_ref().map(Connection::direct_records), [expected; 2], "{suite:x}");
    }
}

/// Seals what BoringSSL would not send: TLS 1.3 records of any type and padding, under the client's first keys.
struct Forge {
    gcm: Aead,
    iv: Vec<u8>,
    sequence: u64,
}

impl Forge {
    fn new(client: &mut Connection, key_length: usize, hash: Algorithm) -> Self {
        let lines = client.take_key_log();
        let secret = lines
            .iter()
            .map(|line| std::str::from_utf8(line).unwrap())
            .find_map(|line| line.strip_prefix("CLIENT_TRAFFIC_SECRET_0 "))
            .map(|rest| rest.split(' ').nth(1).unwrap())
            .unwrap();
        let secret: Vec<u8> =
            (0..secret.len()).step_by(2).map(|i| u8::from_str_radix(&secret[i..i + 2], 16).unwrap()).collect();
        let expand = |label: &str, length: usize| {
            // HKDF-Expand-Label (RFC 8446 section 7.1); one block is enough.
            let label = format!("tls13 {label}");
            let mut info = vec![0, length as u8, label.len() as u8];
            info.extend(label.bytes());
            info.extend([0, 1]);
            let mut hmac = Hmac::new(hash).unwrap();
            hmac.set_key(&secret).unwrap();
            hmac.update(&info).unwrap();
            let mut out = vec![0; hash.length()];
            hmac.finish(&mut out).unwrap();
            out.truncate(length);
            out
        };
        let mut gcm = Aead::new(aead::Algorithm::AesGcm);
        gcm.set_key(&expand("key", key_length), 16).unwrap();
        Self { gcm, iv: expand("iv", 12), sequence: 0 }
    }

    fn seal(&mut self, kind: u8, data: &[u8], padding: usize) -> Vec<u8> {
        let mut body = [data, &[kind], &vec![0; padding]].concat();
        let length = (body.len() + 16) as u16;
        let header = [23, 3, 3, (length >> 8) as u8, length as u8];
        let mut nonce = self.iv.clone();
        for (to, from) in nonce[4..].iter_mut().zip(self.sequence.to_be_bytes()) {
            *to ^= from;
        }
        self.sequence += 1;
        let tag = self.gcm.seal(&nonce, &header, InOut::in_place(&mut body)).unwrap();
        [&header[..], &body, &tag].concat()
    }
}

/// Type, data, and how many bytes of padding.
type Forged<'a> = (u8, &'a [u8], usize);

#[test]
fn forged_records_have_the_same_outcomes_on_both_ways() {
    const DATA: u8 = 23;
    const ALERT: u8 = 21;
    const HANDSHAKE: u8 = 22;
    let key_update: &[u8] = &[24, 0, 0, 1, 0];
    let big = vec![0x42; 16384];
    let empties = |n| vec![(DATA, &b""[..], 0); n];
    let warnings = |n| vec![(ALERT, &[1, 90][..], 0); n];
    let scripts: Vec<(&str, Vec<Forged<'_>>)> = vec![
        ("padded", vec![(DATA, b"one", 1), (DATA, b"two", 300), (DATA, b"three", 0), (DATA, &big, 0)]),
        ("no type", vec![(DATA, b"one", 0), (0, b"", 100)]),
        ("padding beyond the limit", vec![(DATA, &big, 1)]),
        ("more than a record", vec![(DATA, &[0x42; 16385], 0)]),
        ("zeros are data", vec![(DATA, &[0; 100], 0), (DATA, &[0; 100], 7)]),
        ("empty", [empties(32), vec![(DATA, b"x", 0)], empties(32), vec![(DATA, b"y", 0)]].concat()),
        ("too many empty", empties(33)),
        ("warnings", [warnings(4), vec![(DATA, b"x", 0)], warnings(4), vec![(DATA, b"x", 0)], warnings(5)].concat()),
        ("close_notify", vec![(DATA, b"one", 0), (ALERT, &[1, 0], 0), (DATA, b"late", 0)]),
        ("fatal alert", vec![(DATA, b"one", 0), (ALERT, &[2, 40], 0)]),
        ("malformed alert", vec![(ALERT, &[2], 0)]),
        ("two alerts", vec![(ALERT, &[1, 0, 1, 0], 0)]),
        ("half a message, then data", vec![(HANDSHAKE, &key_update[..3], 0), (DATA, b"no", 0)]),
        ("a message in halves", vec![(HANDSHAKE, &key_update[..3], 0), (HANDSHAKE, &key_update[3..], 0)]),
        ("change_cipher_spec", vec![(20, &[1], 0)]),
        ("unknown type", vec![(DATA, b"one", 0), (99, b"?", 0)]),
        ("unknown message", vec![(HANDSHAKE, &[99, 0, 0, 0], 0)]),
    ];
    for (suite, key_length, hash) in [(0x1301, 16, Algorithm::Sha256), (0x1302, 32, Algorithm::Sha384)] {
        for (name, records) in &scripts {
            for capacity in [PACKET, 3, 0] {
                let seen = [true, false].map(|fast_records| {
                    let base = |role| Config { fast_records, key_log: true, ..config(role, TLS13, suite) };
                    let mut world = established(name, [base(Role::Client), base(Role::Server)]);
                    let mut forge = Forge::new(&mut world.ends[0], key_length, hash);
                    world.ends[1].take_key_log();
                    let mut seen = vec![];
                    for (kind, data, padding) in records {
                        let record = forge.seal(*kind, data, *padding);
                        for capacity in [capacity, PACKET] {
                            let mut one = world.unwrap(1, &record, capacity);
                            let consumed = one.outcome.consumed > 0;
                            assert!(one.behind.is_none_or(|b| b == 0), "{name}: something is behind the data");
                            one.behind = None;
                            seen.push(one);
                            if consumed {
                                break;
                            }
                        }
                    }
                    // What the server has to say to it.
                    let mut out = vec![0; PACKET];
                    let said = world.ends[1].wrap(b"answer", &mut out);
                    (seen, said, world.ends[1].direct_records())
                });
                assert_eq!(seen[0].0, seen[1].0, "{name} {capacity}");
                assert_eq!(seen[0].1, seen[1].1, "{name} {capacity}");
                assert_eq!(seen[1].2, 0);
                if capacity == PACKET && records.iter().any(|r| r.0 == DATA && r.2 == 0 && !r.1.is_empty()) {
                    assert!(
                        seen[0].2 > 0
                            || !cfg!(feature = "fast-records")
                            || ["more than a record", "half a message, then data"].contains(name),
                        "{name}: no record went the direct way"
                    );
                }
            }
        }
    }
}
