//! The limit: what BoringSSL and the safe crate take, before any Java.
#![allow(missing_docs, clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark")]

use std::hint::black_box;
use std::time::Duration;

use benches::{Key, PACKET, Pair, RawAead};
use bssl::digest::{Algorithm, one_shot};
use bssl::hmac::Hmac;
use bssl::key::Kind;
use bssl::sign::{MAX_LENGTH, Scheme, sign, verify};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const TLS12: u16 = 0x0303;
const TLS13: u16 = 0x0304;
const X25519: u16 = 29;
const X25519MLKEM768: u16 = 0x11ec;
const SIZES: [usize; 5] = [64, 512, 1024, 4096, 16384];

fn nonce(counter: u64) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[4..].copy_from_slice(&counter.to_be_bytes());
    nonce
}

fn raw(c: &mut Criterion) {
    let mut group = c.benchmark_group("raw-aes-128-gcm");
    let aead = RawAead::aes_128_gcm();
    for size in SIZES {
        group.throughput(Throughput::Bytes(size as u64));
        let (source, mut sealed, mut plain) = (vec![7; size], vec![0; PACKET], vec![0; PACKET]);
        let mut counter = 0;
        let length = aead.seal(nonce(counter), &source, &mut sealed);
        aead.open(nonce(counter), &sealed[..length], &mut plain);
        assert_eq!(plain[..size], source);
        group.bench_function(format!("seal/{size}"), |b| {
            b.iter(|| {
                counter += 1;
                black_box(aead.seal(nonce(counter), black_box(&source), &mut sealed))
            });
        });
        group.bench_function(format!("seal-open/{size}"), |b| {
            b.iter(|| {
                counter += 1;
                let length = aead.seal(nonce(counter), black_box(&source), &mut sealed);
                assert_eq!(aead.open(nonce(counter), &sealed[..length], &mut plain), size);
            });
        });
    }
}

fn records(c: &mut Criterion) {
    let mut group = c.benchmark_group("record");
    for (name, version, key, fast) in
        [("tls13", TLS13, Key::Ec, true), ("tls12", TLS12, Key::Rsa, true), ("tls13-buffered", TLS13, Key::Ec, false)]
    {
        for size in SIZES {
            group.throughput(Throughput::Bytes(size as u64));
            let (mut client, mut server, _) = Pair::new(version, key, X25519, false, fast).handshake(None);
            let (source, mut record, mut plain) = (vec![7; size], vec![0; PACKET], vec![0; PACKET]);
            let sealed = client.wrap(&source, &mut record);
            server.unwrap(&record[..sealed.produced], &mut plain);
            assert_eq!(plain[..size], source);
            group.bench_function(format!("{name}/seal-open/{size}"), |b| {
                b.iter(|| {
                    let sealed = client.wrap(black_box(&source), &mut record);
                    let opened = server.unwrap(&record[..sealed.produced], &mut plain);
                    assert_eq!(opened.produced, size);
                });
            });
            group.bench_function(format!("{name}/seal/{size}"), |b| {
                b.iter(|| black_box(client.wrap(black_box(&source), &mut record)).produced);
            });
        }
    }
}

fn handshakes(c: &mut Criterion) {
    let mut group = c.benchmark_group("handshake");
    for (name, version, key, kx) in [
        ("tls13-p256-x25519", TLS13, Key::Ec, X25519),
        ("tls13-p256-x25519mlkem768", TLS13, Key::Ec, X25519MLKEM768),
        ("tls13-rsa2048-x25519", TLS13, Key::Rsa, X25519),
        ("tls12-p256-x25519", TLS12, Key::Ec, X25519),
        ("tls12-rsa2048-x25519", TLS12, Key::Rsa, X25519),
    ] {
        let pair = Pair::new(version, key, kx, false, true);
        group.bench_function(format!("{name}/full"), |b| b.iter(|| pair.handshake(None)));
        let pair = Pair::new(version, key, kx, true, true);
        let (_, _, mut session) = pair.handshake(None);
        group.bench_function(format!("{name}/resumed"), |b| {
            b.iter(|| {
                // TLS 1.2 may go on with the same session; TLS 1.3 gives a new one each time.
                let (_, _, next) = pair.handshake(session.as_ref());
                if next.is_some() {
                    session = next;
                }
            });
        });
    }
}

fn digests(c: &mut Criterion) {
    let mut group = c.benchmark_group("digest");
    for size in [64, 1024, 16384] {
        group.throughput(Throughput::Bytes(size as u64));
        let (data, mut out) = (vec![7; size], [0; 64]);
        for (name, algorithm) in [("sha256", Algorithm::Sha256), ("sha512", Algorithm::Sha512)] {
            group.bench_function(format!("{name}/{size}"), |b| {
                b.iter(|| one_shot(algorithm, black_box(&data), &mut out).expect("a digest"));
            });
        }
        let mut hmac = Hmac::new(Algorithm::Sha256).expect("an HMAC");
        hmac.set_key(&[1; 32]).expect("a key");
        group.bench_function(format!("hmac-sha256/{size}"), |b| {
            b.iter(|| {
                hmac.update(black_box(&data)).expect("data");
                hmac.finish(&mut out).expect("a code")
            });
        });
    }
}

fn random(c: &mut Criterion) {
    let mut out = [0; 32];
    c.bench_function("random/32", |b| b.iter(|| bssl::rand::fill(black_box(&mut out)).expect("random bytes")));
}

fn signatures(c: &mut Criterion) {
    let mut group = c.benchmark_group("sign");
    let (mut out, hash) = ([0; MAX_LENGTH], [7; 48]);
    for (name, kind, bits, scheme, length) in [
        ("rsa-2048", Kind::Rsa, 2048, Scheme::RsaPkcs1(Algorithm::Sha256), 32),
        ("p-384", Kind::P384, 0, Scheme::Ecdsa, 48),
    ] {
        let key = bssl::key::Key::generate(kind, bits, &[1, 0, 1]).expect("a key");
        let input = &hash[..length];
        group.bench_function(format!("{name}/sign"), |b| {
            b.iter(|| sign(&key, scheme, black_box(input), &mut out).expect("a signature"));
        });
        let length = sign(&key, scheme, input, &mut out).expect("a signature");
        let public = key.public_half().expect("its public half");
        group.bench_function(format!("{name}/verify"), |b| {
            b.iter(|| assert_eq!(verify(&public, scheme, black_box(input), &out[..length]), Ok(true)));
        });
    }
}

fn settings() -> Criterion {
    // QUICK: a tenth of the time, for tools/bench quick.
    let quick = std::env::var_os("QUICK").is_some();
    let (warm_up, measure) = if quick { (100, 300) } else { (1000, 3000) };
    Criterion::default()
        .warm_up_time(Duration::from_millis(warm_up))
        .measurement_time(Duration::from_millis(measure))
        .sample_size(if quick { 10 } else { 50 })
        .without_plots()
}

criterion_group!(name = all; config = settings(); targets = raw, records, handshakes, digests, random, signatures);
criterion_main!(all);
