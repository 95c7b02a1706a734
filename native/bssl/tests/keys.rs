//! Keys: encodings both ways, what is refused, and use by many threads.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use bssl::digest::Algorithm;
use bssl::key::{Key, Kind, PrivateNumbers};
use bssl::rsa::{self, Padding};
use bssl::sign::{self, Scheme};
use bssl::{Error, agree};

fn generate(kind: Kind) -> Key {
    Key::generate(kind, 1024, &[1, 0, 1]).unwrap()
}

fn encoded(key: &Key) -> Vec<u8> {
    key.encode().unwrap().as_ref().to_vec()
}

fn numbers(key: &Key) -> Vec<Vec<u8>> {
    key.numbers().unwrap().iter().map(|number| number.as_ref().to_vec()).collect()
}

fn is_key_error<T>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::Key(_)))
}

#[test]
fn encodings_of_every_kind() {
    for kind in Kind::ALL {
        let key = generate(kind);
        let public = key.public_half().unwrap();
        assert!(key.is_private() && !public.is_private());
        assert_eq!((key.kind(), public.kind()), (kind, kind));
        let (pkcs8, spki) = (encoded(&key), encoded(&public));
        let again = Key::from_pkcs8(&pkcs8).unwrap();
        assert_eq!(encoded(&again), pkcs8, "{kind:?}");
        assert_eq!(numbers(&again), numbers(&key), "{kind:?}");
        assert_eq!(encoded(&Key::from_spki(&spki).unwrap()), spki, "{kind:?}");
        assert_eq!(encoded(&again.public_half().unwrap()), spki, "{kind:?}");
        assert!(is_key_error(Key::from_spki(&pkcs8)));
        assert!(is_key_error(Key::from_pkcs8(&spki)));
        for length in 0..spki.len() {
            assert!(is_key_error(Key::from_spki(&spki[..length])), "{kind:?} {length}");
        }
        for length in 0..pkcs8.len() {
            assert!(is_key_error(Key::from_pkcs8(&pkcs8[..length])), "{kind:?} {length}");
        }
    }
}

/// Any byte of an encoding may be anything: an error or a key, whose encoding is then its own.
#[test]
fn every_byte_changed() {
    for kind in Kind::ALL {
        let key = generate(kind);
        for (private, original) in [(true, encoded(&key)), (false, encoded(&key.public_half().unwrap()))] {
            for at in 0..original.len() {
                for change in [0x01, 0x80, 0xff] {
                    let mut der = original.clone();
                    der[at] ^= change;
                    let parsed = if private { Key::from_pkcs8(&der) } else { Key::from_spki(&der) };
                    match parsed {
                        Ok(key) => assert!(!encoded(&key).is_empty()),
                        Err(Error::Key(_)) => {}
                        Err(error) => panic!("{kind:?} {at}: {error}"),
                    }
                }
            }
        }
    }
}

#[test]
fn keys_from_numbers() {
    let key = generate(Kind::Rsa);
    let n = numbers(&key);
    assert_eq!(n.len(), 8);
    assert!(key.has_primes());
    let crt = Some([&n[3][..], &n[4], &n[5], &n[6], &n[7]]);
    let full = PrivateNumbers { n: &n[0], e: &n[1], d: &n[2], crt };
    assert_eq!(encoded(&Key::rsa_private(Kind::Rsa, &full).unwrap()), encoded(&key));
    for e in [&n[1][..], &[]] {
        let bare = Key::rsa_private(Kind::Rsa, &PrivateNumbers { e, crt: None, ..full }).unwrap();
        assert!(!bare.has_primes());
        assert_eq!(encoded(&Key::from_pkcs8(&encoded(&bare)).unwrap()), encoded(&bare));
        let mut out = [0; sign::MAX_LENGTH];
        let length = sign::sign(&bare, Scheme::RsaPkcs1Raw, b"abc", &mut out).unwrap();
        let public = key.public_half().unwrap();
        assert_eq!(sign::verify(&public, Scheme::RsaPkcs1Raw, b"abc", &out[..length]), Ok(true));
    }
    // The exponent is none of the usual ones, and unknown.
    let odd = Key::generate(Kind::Rsa, 1024, &[7]).unwrap();
    let m = numbers(&odd);
    let bare = Key::rsa_private(Kind::Rsa, &PrivateNumbers { n: &m[0], e: &[], d: &m[2], crt: None }).unwrap();
    assert!(is_key_error(bare.public_half()));
    assert_eq!(numbers(&bare)[1], b"");
    let mut out = [0; sign::MAX_LENGTH];
    let length = sign::sign(&bare, Scheme::RsaPkcs1Raw, b"abc", &mut out).unwrap();
    let public = odd.public_half().unwrap();
    assert_eq!(sign::verify(&public, Scheme::RsaPkcs1Raw, b"abc", &out[..length]), Ok(true));
    // Mixed up.
    assert!(is_key_error(Key::rsa_private(Kind::Rsa, &PrivateNumbers { d: &m[2], ..full })));
    assert!(is_key_error(Key::rsa_private(Kind::Rsa, &PrivateNumbers { d: &m[2], crt: None, ..full })));
    assert!(is_key_error(Key::rsa_private(Kind::Rsa, &PrivateNumbers { d: &[], crt: None, ..full })));
    assert!(matches!(Key::rsa_public(Kind::P256, &n[0], &n[1]), Err(Error::Argument(_))));

    for kind in [Kind::P224, Kind::P256, Kind::P384, Kind::P521] {
        let key = generate(kind);
        let scalar = &numbers(&key)[0];
        let mut padded = vec![0; 7];
        padded.extend_from_slice(scalar);
        for bytes in [scalar, &padded] {
            assert_eq!(encoded(&Key::ec_private(kind, bytes).unwrap()), encoded(&key));
        }
        assert!(is_key_error(Key::ec_private(kind, &[])));
        assert!(is_key_error(Key::ec_private(kind, &[0xff; 66])));
        let xy = numbers(&key.public_half().unwrap());
        let mut point = vec![4];
        point.extend_from_slice(&xy[0]);
        point.extend_from_slice(&xy[1]);
        assert_eq!(numbers(&Key::public_from_bits(kind, &point).unwrap()), xy);
        for bad in [&[][..], &[0], &point[..point.len() - 1], &[5; 65]] {
            assert!(is_key_error(Key::public_from_bits(kind, bad)), "{kind:?} {bad:?}");
        }
        point[0] = 6 | point[point.len() - 1] & 1;
        assert!(is_key_error(Key::public_from_bits(kind, &point)), "hybrid form");
    }
}

#[test]
fn pss_parameters() {
    // SHA-256, MGF1 with SHA-256, salt of 32 bytes (RFC 4055 section 3.1).
    let parameters = [
        0x30, 0x34, 0xa0, 0x0f, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05,
        0x00, 0xa1, 0x1c, 0x30, 0x1a, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08, 0x30, 0x0d,
        0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0xa2, 0x03, 0x02, 0x01, 0x20,
    ];
    let key = generate(Kind::RsaPss).with_pss_parameters(&parameters).unwrap();
    for again in [
        Key::from_pkcs8(&encoded(&key)).unwrap(),
        key.public_half().unwrap(),
        Key::from_spki(&encoded(&key.public_half().unwrap())).unwrap(),
    ] {
        assert_eq!(again.pss_parameters(), parameters);
        assert_eq!(again.kind(), Kind::RsaPss);
    }
    assert!(is_key_error(generate(Kind::Rsa).with_pss_parameters(&parameters)));
    assert!(is_key_error(generate(Kind::RsaPss).with_pss_parameters(&[0x30])));
    assert!(is_key_error(generate(Kind::RsaPss).with_pss_parameters(&[0x30, 0, 0])));
}

#[test]
fn generation_refuses() {
    for bits in [0, -128, 384, 500, 1000, 16512] {
        assert!(matches!(Key::generate(Kind::Rsa, bits, &[1, 0, 1]), Err(Error::Parameter(_))), "{bits}");
    }
    for e in [&[][..], &[1], &[2], &[1, 0, 0], &[1, 0, 0, 0, 1]] {
        assert!(matches!(Key::generate(Kind::Rsa, 1024, e), Err(Error::Parameter(_))), "{e:?}");
    }
}

#[test]
fn wrong_keys_for_operations() {
    let mut out = [0; sign::MAX_LENGTH];
    for kind in Kind::ALL {
        let key = generate(kind);
        let public = key.public_half().unwrap();
        for scheme in [
            Scheme::RsaPkcs1(Algorithm::Sha256),
            Scheme::RsaPkcs1Raw,
            Scheme::RsaPss { digest: Algorithm::Sha256, mgf: Algorithm::Sha1, salt: 8 },
            Scheme::Ecdsa,
            Scheme::EcdsaP1363,
            Scheme::Ed25519,
        ] {
            let rsa = matches!(scheme, Scheme::RsaPkcs1(_) | Scheme::RsaPkcs1Raw | Scheme::RsaPss { .. });
            let fits = match kind {
                Kind::Rsa | Kind::RsaPss => rsa,
                Kind::X25519 => false,
                Kind::Ed25519 => scheme == Scheme::Ed25519,
                _ => !rsa && scheme != Scheme::Ed25519,
            };
            let input = [7; 32];
            assert!(is_key_error(sign::sign(&public, scheme, &input, &mut out)), "{kind:?} {scheme:?}");
            assert!(is_key_error(sign::verify(&key, scheme, &input, &[0; 64])), "{kind:?} {scheme:?}");
            if fits {
                let length = sign::sign(&key, scheme, &input, &mut out).unwrap();
                assert_eq!(sign::verify(&public, scheme, &input, &out[..length]), Ok(true));
                assert_eq!(sign::verify(&public, scheme, &[8; 32], &out[..length]), Ok(false));
            } else {
                assert!(is_key_error(sign::sign(&key, scheme, &input, &mut out)), "{kind:?} {scheme:?}");
                assert!(is_key_error(sign::verify(&public, scheme, &input, &[0; 64])), "{kind:?} {scheme:?}");
            }
        }
        let mut secret = [0; agree::MAX_LENGTH];
        let agrees = !matches!(kind, Kind::Rsa | Kind::RsaPss | Kind::Ed25519);
        assert_eq!(agree::derive(&key, &public, &mut secret).is_ok(), agrees, "{kind:?}");
        assert!(is_key_error(agree::derive(&public, &key, &mut secret)));
        assert!(is_key_error(agree::derive(&key, &generate(Kind::Ed25519).public_half().unwrap(), &mut secret)));
        if !matches!(kind, Kind::Rsa | Kind::RsaPss) {
            assert!(is_key_error(rsa::encrypt(&public, Padding::Pkcs1, b"x", &mut out)));
        }
    }
}

#[test]
fn one_key_in_many_threads() {
    for kind in [Kind::Rsa, Kind::P256, Kind::Ed25519] {
        let key = generate(kind);
        let public = key.public_half().unwrap();
        let scheme = match kind {
            Kind::Rsa => Scheme::RsaPkcs1(Algorithm::Sha256),
            Kind::P256 => Scheme::Ecdsa,
            _ => Scheme::Ed25519,
        };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (key, public) = (&key, &public);
                scope.spawn(move || {
                    let input = [thread; 32];
                    let mut out = [0; sign::MAX_LENGTH];
                    for _ in 0..50 {
                        let length = sign::sign(key, scheme, &input, &mut out).unwrap();
                        assert_eq!(sign::verify(public, scheme, &input, &out[..length]), Ok(true));
                    }
                });
            }
        });
    }
}
