#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "tests")]

use super::*;
use crate::testing::{hex, to_hex};

fn all() -> Vec<(Algorithm, bool, usize)> {
    let lengths = |algorithm: Algorithm| match algorithm {
        Algorithm::AesEcb | Algorithm::AesCbc | Algorithm::AesCtr => vec![16, 24, 32],
        Algorithm::DesEdeEcb | Algorithm::DesEdeCbc => vec![24],
        Algorithm::Arc4 => vec![5, 16, 128],
        Algorithm::ChaCha20 => vec![32],
    };
    let mut all = Vec::new();
    for algorithm in Algorithm::ALL {
        for length in lengths(algorithm) {
            all.extend([(algorithm, false, length), (algorithm, true, length)]);
        }
    }
    all
}

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| u8::try_from((i * 7 + i / 256) % 256).unwrap()).collect()
}

fn cipher(algorithm: Algorithm, padded: bool, key_length: usize, encrypt: bool) -> Cipher {
    let mut cipher = Cipher::new(algorithm, padded);
    cipher.set_key(&message(key_length), encrypt).unwrap();
    cipher.begin(&message(algorithm.iv_length()), 1).unwrap();
    cipher
}

fn one_shot(cipher: &mut Cipher, data: &[u8]) -> Result<Vec<u8>> {
    let mut out = vec![0; cipher.finish_length(data.len())?];
    let written = cipher.finish(FromTo::separate(data, &mut out))?;
    out.truncate(written);
    Ok(out)
}

/// SP 800-38A appendix F: F.1.1, F.2.1, F.5.1 (AES-128), first blocks; RFC 6229 (ARC4, 40 bits).
#[test]
fn known_answers() {
    let key = hex("2b7e151628aed2a6abf7158809cf4f3c");
    let plain = hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
    for (algorithm, iv, expected) in [
        (Algorithm::AesEcb, "", "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"),
        (
            Algorithm::AesCbc,
            "000102030405060708090a0b0c0d0e0f",
            "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2",
        ),
        (
            Algorithm::AesCtr,
            "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
            "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff",
        ),
    ] {
        let mut cipher = Cipher::new(algorithm, false);
        cipher.set_key(&key, true).unwrap();
        cipher.begin(&hex(iv), 0).unwrap();
        assert_eq!(to_hex(&one_shot(&mut cipher, &plain).unwrap()), expected);
        assert_eq!(to_hex(&one_shot(&mut cipher, &plain).unwrap()), expected, "back to the start");
        cipher.set_key(&key, false).unwrap();
        cipher.begin(&hex(iv), 0).unwrap();
        assert_eq!(one_shot(&mut cipher, &hex(expected)).unwrap(), plain);
    }
    let mut arc4 = Cipher::new(Algorithm::Arc4, false);
    arc4.set_key(&hex("0102030405"), true).unwrap();
    arc4.begin(&[], 0).unwrap();
    for _ in 0..2 {
        assert_eq!(to_hex(&one_shot(&mut arc4, &[0; 16]).unwrap()), "b2396305f03dc027ccc3524a0a1118a8");
    }
}

#[test]
fn pieces_agree_with_one_step() {
    for (algorithm, padded, key_length) in all() {
        let block = if padded { 1 } else { algorithm.block() };
        for length in [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 100, 1000] {
            let plain = message(length / block * block);
            let mut encrypting = cipher(algorithm, padded, key_length, true);
            let sealed = one_shot(&mut encrypting, &plain).unwrap();
            let mut decrypting = cipher(algorithm, padded, key_length, false);
            assert_eq!(one_shot(&mut decrypting, &sealed).unwrap(), plain);
            for (cipher, from, to) in [(&mut encrypting, &plain, &sealed), (&mut decrypting, &sealed, &plain)] {
                for piece in [1, 5, 8, 16, 17, 999] {
                    let mut out = Vec::new();
                    for bytes in from.chunks(piece) {
                        let mut part = vec![0; cipher.update_length(bytes.len()).unwrap()];
                        let written = cipher.update(FromTo::separate(bytes, &mut part)).unwrap();
                        assert_eq!(written, part.len());
                        out.extend(part);
                    }
                    out.extend(one_shot(cipher, &[]).unwrap());
                    assert_eq!(&out, to, "{algorithm:?} {padded} {length} {piece}");
                }
            }
        }
    }
}

#[test]
fn every_overlap_is_copy_safe() {
    for (algorithm, padded, key_length) in all() {
        for first in [0, 3, 16] {
            for encrypt in [true, false] {
                let mut aside = cipher(algorithm, padded, key_length, true);
                let mut from = message(208);
                if !encrypt {
                    from = one_shot(&mut aside, &message(160)).unwrap();
                }
                let mut cipher = cipher(algorithm, padded, key_length, encrypt);
                let expected = one_shot(&mut cipher, &from).unwrap();
                for shift in 0..=80 {
                    let mut head = vec![0; cipher.update_length(first).unwrap()];
                    cipher.update(FromTo::separate(&from[..first], &mut head)).unwrap();
                    let rest = &from[first..];
                    let mut memory = vec![0xee; rest.len() + 200];
                    memory[40..40 + rest.len()].copy_from_slice(rest);
                    let room = cipher.finish_length(rest.len()).unwrap();
                    let base = memory.as_mut_ptr();
                    // SAFETY: both ranges lie inside `memory`, which nothing else refers to meanwhile.
                    let data = unsafe { FromTo::from_raw(base.add(40), rest.len(), base.add(shift), room) };
                    let written = cipher.finish(data).unwrap();
                    head.extend(&memory[shift..shift + written]);
                    assert_eq!(head, expected, "{algorithm:?} {padded} {first} {encrypt} {shift}");
                }
            }
        }
    }
}

#[test]
fn short_output_changes_nothing() {
    for (algorithm, padded, key_length) in all() {
        for encrypt in [true, false] {
            let mut from = message(48);
            if !encrypt {
                from =
                    one_shot(&mut cipher(algorithm, padded, key_length, true), &message(if padded { 40 } else { 48 }))
                        .unwrap();
            }
            let mut cipher = cipher(algorithm, padded, key_length, encrypt);
            let expected = one_shot(&mut cipher, &from).unwrap();
            let mut head = vec![0; cipher.update_length(21).unwrap()];
            assert!(cipher.update(FromTo::separate(&from[..21], &mut head[1..])).is_err());
            cipher.update(FromTo::separate(&from[..21], &mut head)).unwrap();
            let left = expected.len() - head.len();
            for room in 0..left {
                let mut out = vec![0xee; room];
                let result = cipher.finish(FromTo::separate(&from[21..], &mut out));
                assert!(matches!(result, Err(Error::ShortBuffer { .. })), "{algorithm:?} {padded} {room}");
                assert_eq!(out, vec![0xee; room]);
            }
            let mut out = vec![0; left];
            assert_eq!(cipher.finish(FromTo::separate(&from[21..], &mut out)), Ok(left));
            assert_eq!([head, out].concat(), expected);
        }
    }
}

/// A generator of test data, the same each time (xorshift).
fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 16).unwrap() % below
    }
}

/// What the wide instructions do is what BoringSSL does, whatever the pieces, places and counters.
#[test]
fn wide_instructions_agree_with_boringssl() {
    let mut next = numbers(0x9e37_79b9_7f4a_7c15);
    let mut compared = 0;
    for round in 0..4000 {
        let key: Vec<u8> = (0..[16, 24, 32][next(3)]).map(|_| next(256) as u8).collect();
        let mut iv: Vec<u8> = (0..16).map(|_| next(256) as u8).collect();
        // Counters that overflow after some blocks: 32, 64 and 128 bits of them.
        let ones = [0, 4, 8, 16][next(4)];
        iv[16 - ones..].fill(0xff);
        if ones > 0 {
            iv[15] -= next(200) as u8;
        }
        let (algorithm, encrypt, padded) =
            [(Algorithm::AesCtr, true, false), (Algorithm::AesCbc, false, false), (Algorithm::AesCbc, false, true)]
                [next(3)];
        let length = if round % 10 == 0 { next(20_000) } else { next(1500) };
        let mut from: Vec<u8> = (0..length).map(|_| next(256) as u8).collect();
        if algorithm == Algorithm::AesCbc {
            let mut sealing = Cipher::new(algorithm, padded);
            sealing.set_key(&key, true).unwrap();
            sealing.begin(&iv, 0).unwrap();
            if !padded {
                from.truncate(length / 16 * 16);
            }
            from = one_shot(&mut sealing, &from).unwrap();
            // Damaged now and then, so that the padding is wrong.
            if next(8) == 0 {
                let at = from.len().saturating_sub(1 + next(32)).min(from.len().max(1) - 1);
                from.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 + next(255) as u8);
            }
        }
        let mut ciphers = [true, false].map(|wide| {
            let mut cipher = Cipher::new(algorithm, padded);
            cipher.wide = wide;
            cipher.set_key(&key, encrypt).unwrap();
            cipher.begin(&iv, 0).unwrap();
            cipher
        });
        compared += usize::from(!matches!(&ciphers[0].keyed.as_ref().unwrap().engine, Engine::Evp(_)));
        assert!(matches!(&ciphers[1].keyed.as_ref().unwrap().engine, Engine::Evp(_)));
        // The same pieces, both at odd places; every other round in place.
        let mut rest = &from[..];
        let most = [17, 100, 700, 20_000][next(4)];
        while !rest.is_empty() && next(10) > 0 {
            let (piece, after) = rest.split_at(rest.len().min(1 + next(most)));
            let (shift, in_place) = (next(64), next(2) == 0);
            let mut outs = Vec::new();
            for cipher in &mut ciphers {
                let mut memory = vec![0xee; 2 * (piece.len() + 96)];
                memory[shift..shift + piece.len()].copy_from_slice(piece);
                let room = cipher.update_length(piece.len()).unwrap();
                let at = if in_place { shift } else { piece.len() + 96 + (shift * 7) % 64 };
                let base = memory.as_mut_ptr();
                // SAFETY: both ranges lie inside `memory`, which nothing else refers to meanwhile.
                let data = unsafe { FromTo::from_raw(base.add(shift), piece.len(), base.add(at), room) };
                assert_eq!(cipher.update(data), Ok(room));
                // What is before and behind the output is compared too.
                outs.push(memory);
            }
            assert!(outs[0] == outs[1], "{algorithm:?} {padded} {length} {}", piece.len());
            rest = after;
        }
        let [wide, plain] = ciphers.map(|mut cipher| {
            let results = [rest, &from].map(|last| one_shot(&mut cipher, last));
            results.map(|result| result.map_err(|error| error.to_string()))
        });
        assert!(wide == plain, "{algorithm:?} {padded} {length}: {wide:?} {plain:?}");
    }
    #[cfg(target_arch = "x86_64")]
    let expected = is_x86_feature_detected!("vaes") && is_x86_feature_detected!("avx512bw");
    #[cfg(not(target_arch = "x86_64"))]
    let expected = false;
    assert_eq!(compared, if expected { 4000 } else { 0 });
}

#[test]
fn bad_padding_and_bad_lengths() {
    for algorithm in [Algorithm::AesEcb, Algorithm::AesCbc, Algorithm::DesEdeCbc] {
        let block = algorithm.block();
        let good = one_shot(&mut cipher(algorithm, true, 24, true), &message(40)).unwrap();
        let mut decrypting = cipher(algorithm, true, 24, false);
        for tail in [&[0; 16][..block], &message(16)[..block]] {
            let mut plain = message(32);
            plain.truncate(32 - block);
            plain.extend(tail);
            let bad = one_shot(&mut cipher(algorithm, false, 24, true), &plain).unwrap();
            let mut out = [0xee; 48];
            assert_eq!(decrypting.finish(FromTo::separate(&bad, &mut out)), Err(Error::Padding(WRONG_PADDING)));
            assert_eq!(&out[..32 - block], &vec![0; 32 - block], "what was written is zero");
            assert_eq!(one_shot(&mut decrypting, &good).unwrap(), message(40), "back to the start");
        }
        for length in [1, block - 1, block + 1] {
            assert!(matches!(one_shot(&mut decrypting, &good[..length]), Err(Error::BlockSize(_))));
            let result = decrypting.finish(FromTo::separate(&good[..length], &mut [0; 64]));
            assert!(matches!(result, Err(Error::BlockSize(_))));
            assert_eq!(one_shot(&mut decrypting, &good).unwrap(), message(40));
        }
        assert!(one_shot(&mut decrypting, &[]).unwrap().is_empty());
    }
}

#[test]
fn misuse_is_an_error() {
    for algorithm in Algorithm::ALL {
        let mut cipher = Cipher::new(algorithm, true);
        assert_eq!(cipher.update(FromTo::separate(&[], &mut [])), Err(NO_KEY));
        assert_eq!(cipher.begin(&message(algorithm.iv_length()), 0), Err(NO_KEY));
        for length in [0, 4, 15, 33, 129] {
            if algorithm != Algorithm::Arc4 || !(5..=128).contains(&length) {
                assert!(matches!(cipher.set_key(&message(length), true), Err(Error::Key(_))), "{algorithm:?}");
            }
        }
        let length = if algorithm == Algorithm::ChaCha20 { 32 } else { 24 };
        let id = cipher.set_key(&message(length), true).unwrap();
        assert_eq!((cipher.check_key_id(id), cipher.check_key_id(id + 1)), (Ok(()), Err(OTHER_KEY)));
        assert_eq!(cipher.finish(FromTo::separate(&[], &mut [])), Err(NOT_BEGUN));
        assert!(matches!(cipher.begin(&message(algorithm.iv_length() + 1), 0), Err(Error::Parameter(_))));
        assert_eq!(cipher.update(FromTo::separate(&[1], &mut [0])), Err(NOT_BEGUN));
        assert_eq!(Algorithm::from_number(algorithm as i32), Ok(algorithm));
    }
    assert!(Algorithm::from_number(-1).is_err());
    assert!(Algorithm::from_number(7).is_err());
}
