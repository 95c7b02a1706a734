#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use super::*;
use crate::testing::{hex, to_hex};

fn keyed(key: &[u8], tag_length: usize) -> Aead {
    let mut gcm = Aead::new(Algorithm::AesGcm);
    gcm.set_key(key, tag_length).unwrap();
    gcm
}

fn seal(gcm: &Aead, nonce: &[u8], additional: &[u8], message: &[u8]) -> Vec<u8> {
    let mut out = message.to_vec();
    let tag = gcm.seal(nonce, additional, InOut::in_place(&mut out)).unwrap();
    out.extend_from_slice(&tag[..gcm.tag_length().unwrap()]);
    out
}

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| u8::try_from((i * 7 + i / 256) % 256).unwrap()).collect()
}

/// The GCM specification's test cases 2, 4, 5 and 6 (AES-128; nonces of 12, 8 and 60 bytes) and 16 (AES-256).
#[test]
fn known_answers() {
    let plain = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525\
                 b16aedf5aa0de657ba637b39";
    let additional = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
    let key = "feffe9928665731c6d6a8f9467308308";
    for (key, nonce, additional, plain, cipher, tag) in [
        (
            "00000000000000000000000000000000",
            "000000000000000000000000",
            "",
            "00000000000000000000000000000000",
            "0388dace60b6a392f328c2b971b2fe78",
            "ab6e47d42cec13bdf53a67b21257bddf",
        ),
        (
            key,
            "cafebabefacedbaddecaf888",
            additional,
            plain,
            "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05\
             1ba30b396a0aac973d58e091",
            "5bc94fbc3221a5db94fae95ae7121a47",
        ),
        (
            key,
            "cafebabefacedbad",
            additional,
            plain,
            "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c742373806900e49f24b22b097544d4896b42\
             4989b5e1ebac0f07c23f4598",
            "3612d2e79e3b0785561be14aaca2fccb",
        ),
        (
            key,
            "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b5254\
             16aedbf5a0de6a57a637b39b",
            additional,
            plain,
            "8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca701e4a9a4fba43c90ccdcb281d48c7c6f\
             d62875d2aca417034c34aee5",
            "619cc5aefffe0bfa462af43c1699d050",
        ),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            "cafebabefacedbaddecaf888",
            additional,
            plain,
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838\
             c5f61e6393ba7a0abcc9f662",
            "76fc6ece0f4e1768cddf8853bb2d551b",
        ),
    ] {
        for tag_length in 12..=16 {
            let gcm = keyed(&hex(key), tag_length);
            let sealed = seal(&gcm, &hex(nonce), &hex(additional), &hex(plain));
            assert_eq!(to_hex(&sealed), format!("{cipher}{}", &tag[..tag_length * 2]));
            let (data, tag) = sealed.split_at(sealed.len() - tag_length);
            let mut opened = vec![0; data.len()];
            let data = InOut::separate(data, &mut opened).unwrap();
            gcm.open(&hex(nonce), &hex(additional), data, tag).unwrap();
            assert_eq!(to_hex(&opened), plain);
        }
    }
}

#[test]
fn streams_agree_with_one_step() {
    for (key_length, nonce_length, tag_length) in [(16, 12, 16), (24, 1, 12), (32, 12, 13), (32, 16, 16), (16, 99, 15)]
    {
        let mut gcm = keyed(&message(key_length), tag_length);
        let (nonce, additional) = (message(nonce_length), message(33));
        for length in [0, 1, 15, 16, 17, 255, 1000, 5000] {
            let plain = message(length);
            let expected = seal(&gcm, &nonce, &additional, &plain);
            for piece in [1, 7, 16, 100, 4999] {
                gcm.begin(Direction::Seal, &nonce).unwrap();
                additional.chunks(piece).for_each(|bytes| gcm.additional(bytes).unwrap());
                let mut sealed = plain.clone();
                sealed.chunks_mut(piece).for_each(|bytes| gcm.seal_piece(InOut::in_place(bytes)).unwrap());
                sealed.extend_from_slice(&gcm.finish_seal().unwrap()[..tag_length]);
                assert_eq!(sealed, expected);

                gcm.begin(Direction::Open, &nonce).unwrap();
                additional.chunks(piece).for_each(|bytes| gcm.additional(bytes).unwrap());
                for bytes in sealed.chunks(piece) {
                    gcm.hold(bytes).unwrap();
                }
                assert_eq!(gcm.finish_open().unwrap(), plain);

                let (mut data, tag) = (sealed[..length].to_vec(), &sealed[length..]);
                gcm.begin(Direction::Open, &nonce).unwrap();
                additional.chunks(piece).for_each(|bytes| gcm.additional(bytes).unwrap());
                data.chunks_mut(piece).for_each(|bytes| gcm.open_piece(InOut::in_place(bytes)).unwrap());
                gcm.finish_opened(tag).unwrap();
                assert_eq!(data, plain);
            }
        }
    }
}

#[test]
fn every_overlap_is_copy_safe() {
    let gcm = keyed(&message(16), 16);
    let nonce = message(12);
    for length in [0, 1, 16, 33, 200, 1111] {
        let plain = message(length);
        let sealed = seal(&gcm, &nonce, b"a", &plain);
        let (cipher, tag) = sealed.split_at(length);
        for shift in 0..=34 {
            let mut memory = vec![0xee; length + 34];
            let base = memory.as_mut_ptr();
            memory[17..17 + length].copy_from_slice(&plain);
            // SAFETY: both ranges lie inside `memory`, which nothing else refers to meanwhile.
            let data = unsafe { InOut::from_raw(base.add(17), base.add(shift), length) };
            assert_eq!(gcm.seal(&nonce, b"a", data).unwrap(), tag);
            assert_eq!(&memory[shift..shift + length], cipher, "shift {shift}");

            memory[17..17 + length].copy_from_slice(cipher);
            let base = memory.as_mut_ptr();
            // SAFETY: as above.
            let data = unsafe { InOut::from_raw(base.add(17), base.add(shift), length) };
            gcm.open(&nonce, b"a", data, tag).unwrap();
            assert_eq!(&memory[shift..shift + length], plain, "shift {shift}");
        }
    }
}

#[test]
fn bad_tags_release_nothing() {
    let mut gcm = keyed(&message(16), 16);
    let (nonce, plain) = (message(12), message(100));
    let good = seal(&gcm, &nonce, b"", &plain);
    for flipped in 0..good.len() {
        let mut sealed = good.clone();
        sealed[flipped] ^= 1;
        let mut out = vec![0xee; 100];
        let data = InOut::separate(&sealed[..100], &mut out).unwrap();
        assert_eq!(gcm.open(&nonce, b"", data, &sealed[100..]), Err(Error::BadTag));
        assert_eq!(out, [0; 100]);

        gcm.begin(Direction::Open, &nonce).unwrap();
        gcm.hold(&sealed).unwrap();
        assert_eq!(gcm.finish_open(), Err(Error::BadTag));
        assert_eq!(gcm.held(), 0);

        gcm.begin(Direction::Open, &nonce).unwrap();
        sealed[..100].chunks_mut(30).for_each(|bytes| gcm.open_piece(InOut::in_place(bytes)).unwrap());
        assert_eq!(gcm.finish_opened(&sealed[100..]), Err(Error::BadTag));
        assert_eq!(gcm.finish_opened(&sealed[100..]), Err(NOT_BEGUN));
    }
    for short in 0..16 {
        gcm.begin(Direction::Open, &nonce).unwrap();
        gcm.hold(&vec![0; short]).unwrap();
        assert_eq!(gcm.finish_open(), Err(Error::BadTag));
        gcm.begin(Direction::Open, &nonce).unwrap();
        gcm.open_piece(InOut::in_place(&mut good[..100].to_vec())).unwrap();
        assert_eq!(gcm.finish_opened(&good[100..100 + short]), Err(Error::BadTag));
    }
    gcm.begin(Direction::Open, &nonce).unwrap();
    gcm.hold(&good).unwrap();
    gcm.hold(&[0; 3]).unwrap();
    gcm.unhold(3);
    assert_eq!(gcm.finish_open().unwrap(), plain);
}

#[test]
fn misuse_is_an_error() {
    let mut gcm = Aead::new(Algorithm::AesGcm);
    let nothing = || InOut::separate(&[], &mut []).unwrap();
    assert_eq!(gcm.begin(Direction::Seal, &[1]), Err(NO_KEY));
    assert_eq!(gcm.seal(&[1], &[], nothing()), Err(NO_KEY));
    assert_eq!(gcm.set_tag_length(16), Err(NO_KEY));
    for length in [0, 15, 17, 33, 64] {
        assert!(matches!(gcm.set_key(&message(length), 16), Err(Error::Key(_))));
    }
    for tag_length in [0, 4, 11, 17] {
        assert!(matches!(gcm.set_key(&message(16), tag_length), Err(Error::Parameter(_))));
    }
    gcm.set_key(&message(16), 16).unwrap();
    assert!(matches!(gcm.seal(&[], &[], nothing()), Err(Error::Parameter(_))));
    assert!(matches!(gcm.begin(Direction::Seal, &[]), Err(Error::Parameter(_))));
    assert_eq!(gcm.additional(b"x"), Err(NOT_BEGUN));
    assert_eq!(gcm.seal_piece(nothing()), Err(NOT_BEGUN));
    assert_eq!(gcm.finish_seal(), Err(NOT_BEGUN));
    assert_eq!(gcm.hold(&[0]), Err(NOT_BEGUN));
    gcm.begin(Direction::Seal, &[1]).unwrap();
    assert_eq!(gcm.hold(&[0]), Err(NOT_BEGUN));
    assert_eq!(gcm.finish_open(), Err(NOT_BEGUN));
    gcm.seal_piece(InOut::in_place(&mut [1])).unwrap();
    assert!(matches!(gcm.additional(b"x"), Err(Error::State(_))));
    gcm.streamed = Algorithm::AesGcm.max_message();
    assert_eq!(gcm.seal_piece(InOut::in_place(&mut [1])), Err(TOO_LONG));
    gcm.finish_seal().unwrap();
    assert_eq!(gcm.finish_seal(), Err(NOT_BEGUN));
    gcm.begin(Direction::Seal, &[1]).unwrap();
    assert_eq!(gcm.open_piece(InOut::in_place(&mut [1])), Err(NOT_BEGUN));
    assert_eq!(gcm.finish_opened(&[0; 16]), Err(NOT_BEGUN));
    gcm.begin(Direction::Open, &[1]).unwrap();
    gcm.hold(&[0]).unwrap();
    assert_eq!(gcm.open_piece(InOut::in_place(&mut [1])), Err(OPENED_AT_ONCE));
    gcm.begin(Direction::Open, &[1]).unwrap();
    gcm.streamed = Algorithm::AesGcm.max_message();
    assert_eq!(gcm.open_piece(InOut::in_place(&mut [1])), Err(TOO_LONG));
    let first = gcm.set_key(&message(16), 16).unwrap();
    assert_eq!((gcm.check_key_id(first, 16), gcm.check_key_id(first, 15)), (Ok(()), Err(OTHER_KEY)));
    let second = gcm.set_key(&message(16), 15).unwrap();
    assert_eq!((gcm.check_key_id(first, 15), gcm.check_key_id(second, 15)), (Err(OTHER_KEY), Ok(())));
}

/// What every algorithm takes: key, nonce and tag lengths.
const SHAPES: [(Algorithm, &[usize], usize, &[usize]); 4] = [
    (Algorithm::AesGcmSiv, &[16, 32], 12, &[16]),
    (Algorithm::AesCcm, &[16], 13, &[4, 8, 16]),
    (Algorithm::ChaCha20Poly1305, &[32], 12, &[16]),
    (Algorithm::XChaCha20Poly1305, &[32], 24, &[16]),
];

#[test]
fn the_others_stream_as_they_do_in_one_step() {
    for (algorithm, keys, nonce_length, tags) in SHAPES {
        for (key_length, tag_length) in keys.iter().flat_map(|key| tags.iter().map(move |tag| (*key, *tag))) {
            let mut aead = Aead::new(algorithm);
            aead.set_key(&message(key_length), tag_length).unwrap();
            let (nonce, additional) = (message(nonce_length), message(33));
            for length in [0, 1, 15, 16, 17, 63, 64, 65, 255, 1000, 5000] {
                let plain = message(length);
                let expected = seal(&aead, &nonce, &additional, &plain);
                for piece in [1, 7, 16, 64, 100, 4999] {
                    aead.begin(Direction::Seal, &nonce).unwrap();
                    additional.chunks(piece).for_each(|bytes| aead.additional(bytes).unwrap());
                    let sealed = if algorithm.streams() {
                        let mut sealed = plain.clone();
                        sealed.chunks_mut(piece).for_each(|b| aead.seal_piece(InOut::in_place(b)).unwrap());
                        sealed.extend_from_slice(&aead.finish_seal().unwrap()[..tag_length]);
                        sealed
                    } else {
                        for bytes in plain.chunks(piece) {
                            aead.hold(bytes).unwrap();
                        }
                        aead.finish_held_seal().unwrap().to_vec()
                    };
                    assert_eq!(sealed, expected, "{algorithm:?} {length} {piece}");

                    aead.begin(Direction::Open, &nonce).unwrap();
                    additional.chunks(piece).for_each(|bytes| aead.additional(bytes).unwrap());
                    for bytes in sealed.chunks(piece) {
                        aead.hold(bytes).unwrap();
                    }
                    assert_eq!(aead.finish_open().unwrap(), plain);
                }
                let mut bad = expected.clone();
                *bad.last_mut().unwrap() ^= 1;
                let mut out = vec![0xee; length];
                let data = InOut::separate(&bad[..length], &mut out).unwrap();
                assert_eq!(aead.open(&nonce, &additional, data, &bad[length..]), Err(Error::BadTag));
                assert_eq!(out, vec![0; length]);
                aead.begin(Direction::Open, &nonce).unwrap();
                aead.hold(&bad).unwrap();
                assert_eq!(aead.finish_open(), Err(Error::BadTag));
                assert_eq!(aead.held(), 0);
            }
        }
    }
}

#[test]
fn the_others_refuse_what_they_cannot_use() {
    for (algorithm, keys, nonce_length, tags) in SHAPES {
        let mut aead = Aead::new(algorithm);
        for length in 0..=33 {
            assert_eq!(aead.set_key(&message(length), tags[0]).is_ok(), keys.contains(&length), "{length}");
            assert_eq!(aead.set_key(&message(keys[0]), length).is_ok(), tags.contains(&length), "{length}");
        }
        aead.set_key(&message(keys[0]), tags[0]).unwrap();
        for length in 0..=30 {
            assert_eq!(aead.begin(Direction::Open, &message(length)).is_ok(), length == nonce_length);
            let result = aead.seal(&message(length), &[], InOut::in_place(&mut [1]));
            assert_eq!(result.is_ok(), length == nonce_length);
        }
        let other = if algorithm.streams() {
            aead.begin(Direction::Seal, &message(nonce_length)).unwrap();
            assert_eq!(aead.hold(&[0]), Err(NOT_BEGUN));
            aead.finish_held_seal().map(|_| ())
        } else {
            aead.begin(Direction::Seal, &message(nonce_length)).unwrap();
            assert_eq!(aead.seal_piece(InOut::in_place(&mut [1])), Err(HELD));
            aead.finish_seal().map(|_| ())
        };
        assert!(matches!(other, Err(Error::State(_))));
        aead.begin(Direction::Open, &message(nonce_length)).unwrap();
        assert_eq!(aead.open_piece(InOut::in_place(&mut [1])), Err(OPENED_AT_ONCE));
        assert_eq!(aead.finish_opened(&[0; 16]), Err(OPENED_AT_ONCE));
        aead.begin(Direction::Seal, &message(nonce_length)).unwrap();
        aead.streamed = algorithm.max_message();
        assert!(
            aead.hold(&[0]).is_err() && (!algorithm.streams() || aead.seal_piece(InOut::in_place(&mut [1])).is_err())
        );
        assert_eq!(Algorithm::from_number(algorithm as i32), Ok(algorithm));
    }
    let mut ccm = Aead::new(Algorithm::AesCcm);
    ccm.set_key(&message(16), 8).unwrap();
    ccm.seal(&message(13), &[], InOut::in_place(&mut vec![0; 65535])).unwrap();
    assert_eq!(ccm.seal(&message(13), &[], InOut::in_place(&mut vec![0; 65536])), Err(TOO_LONG));
    assert!(Algorithm::from_number(5).is_err() && Algorithm::from_number(-1).is_err());
}
