//! One kind of work, so many times: `instructions <case> <times>`. `tools/instructions` counts what the processor executes for two
//! numbers of times, so that setting up cancels out.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark stops at what goes wrong")]

use std::hint::black_box;

use benches::{Key, PACKET, Pair, RawAead};
use bssl::aead::{self, Aead};
use bssl::bytes::InOut;
use bssl::digest::{Algorithm, one_shot};
use bssl::hmac::Hmac;

const TLS12: u16 = 0x0303;
const TLS13: u16 = 0x0304;
const X25519: u16 = 29;

fn nonce(counter: u64) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[4..].copy_from_slice(&counter.to_be_bytes());
    nonce
}

fn raw(size: usize, times: u64, opens: bool) {
    let aead = RawAead::aes_128_gcm();
    let (source, mut sealed, mut plain) = (vec![7; size], vec![0; PACKET], vec![0; PACKET]);
    for counter in 0..times {
        let length = aead.seal(nonce(counter), black_box(&source), &mut sealed);
        if opens {
            assert_eq!(aead.open(nonce(counter), &sealed[..length], &mut plain), size);
        }
    }
}

/// A message through `Aead`, as `javax.crypto.Cipher` has it.
fn one_step(size: usize, times: u64) {
    let mut aead = Aead::new(aead::Algorithm::AesGcm);
    aead.set_key(&[0; 16], 16).expect("a key");
    let (source, mut sealed) = (vec![7; size], vec![0; size]);
    for counter in 0..times {
        let data = InOut::separate(black_box(&source), &mut sealed).expect("room");
        black_box(aead.seal(&nonce(counter), &[], data).expect("a tag"));
    }
}

fn records(size: usize, times: u64, version: u16, fast: bool, opens: bool) {
    let (mut client, mut server, _) = Pair::new(version, Key::Ec, X25519, false, fast).handshake(None);
    let (source, mut record, mut plain) = (vec![7; size], vec![0; PACKET], vec![0; PACKET]);
    for _ in 0..times {
        let sealed = client.wrap(black_box(&source), &mut record);
        assert!(sealed.produced > size);
        if opens {
            assert_eq!(server.unwrap(&record[..sealed.produced], &mut plain).produced, size);
        }
    }
}

fn handshakes(times: u64, version: u16, resumes: bool) {
    let pair = Pair::new(version, Key::Ec, X25519, resumes, true);
    let (_, _, mut session) = pair.handshake(None);
    for _ in 0..times {
        let (_, _, next) = pair.handshake(session.as_ref().filter(|_| resumes));
        if next.is_some() {
            session = next;
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, case, times] = &arguments[..] else { panic!("instructions <case> <times>") };
    let times: u64 = times.parse().expect("a number");
    let (name, size) = case.split_once('/').unwrap_or((case, "0"));
    let size: usize = size.parse().expect("a size");
    match name {
        "aead-seal" => raw(size, times, false),
        "aead-seal-open" => raw(size, times, true),
        "one-step-seal" => one_step(size, times),
        "record-seal" => records(size, times, TLS13, true, false),
        "record-seal-open" => records(size, times, TLS13, true, true),
        "record12-seal-open" => records(size, times, TLS12, true, true),
        "buffered-seal-open" => records(size, times, TLS13, false, true),
        "sha256" => {
            let (data, mut out) = (vec![7; size], [0; 64]);
            for _ in 0..times {
                one_shot(Algorithm::Sha256, black_box(&data), &mut out).expect("a digest");
            }
        }
        "hmac-sha256" => {
            let (data, mut out) = (vec![7; size], [0; 64]);
            let mut hmac = Hmac::new(Algorithm::Sha256).expect("an HMAC");
            hmac.set_key(&[1; 32]).expect("a key");
            for _ in 0..times {
                hmac.update(black_box(&data)).expect("data");
                black_box(hmac.finish(&mut out).expect("a code"));
            }
        }
        "random" => {
            let mut out = vec![0; size];
            for _ in 0..times {
                bssl::rand::fill(black_box(&mut out)).expect("random bytes");
            }
        }
        "hello" => {
            let pair = Pair::new(TLS13, Key::Ec, X25519, false, true);
            let mut wire = vec![0; PACKET];
            for _ in 0..times {
                assert!(pair.hello(&mut wire) > 100);
            }
        }
        "handshake" => handshakes(times, TLS13, false),
        "handshake-resumed" => handshakes(times, TLS13, true),
        "handshake12" => handshakes(times, TLS12, false),
        "handshake12-resumed" => handshakes(times, TLS12, true),
        _ => panic!("no such case: {case}"),
    }
}
