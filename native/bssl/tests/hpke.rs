//! RFC 9180 appendix A, all four modes, both sides.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use bssl::Error;
use bssl::hpke::{Aead, Kdf, Psk, Recipient, Sender};
use bssl::pq::{Algorithm, Form, PrivateKey, PublicKey};

const VECTORS: &str = include_str!("../../../java/src/test/resources/vectors/pq/hpke.txt");

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

#[test]
fn rfc_9180() {
    let plaintext = b"Beauty is truth, truth beauty";
    let mut modes = [0; 4];
    for line in VECTORS.lines().filter(|line| !line.starts_with('#')) {
        let f: Vec<&str> = line.split('|').collect();
        let mode: usize = f[0].parse().unwrap();
        modes[mode] += 1;
        let kem = if f[1] == "32" { Algorithm::X25519 } else { Algorithm::P256 };
        let kdf = Kdf::from_number(f[2].parse().unwrap()).unwrap();
        let aead = Aead::from_number(f[3].parse().unwrap()).unwrap();
        let [info, ephemeral, public, private, psk, psk_id, sender_public, sender_private, enc] =
            [4, 5, 6, 7, 8, 9, 10, 11, 12].map(|i| hex(f[i]));
        let ephemeral = PrivateKey::from_bytes(kem, Form::Seed, &ephemeral).unwrap();
        let private = PrivateKey::from_bytes(kem, Form::Seed, &private).unwrap();
        assert_eq!(private.public_bytes(), public);
        let public = PublicKey::from_bytes(kem, &public).unwrap();
        let psk = (mode & 1 != 0).then_some(Psk { key: &psk, id: &psk_id });
        let auth = (mode & 2 != 0).then(|| {
            (
                PublicKey::from_bytes(kem, &sender_public).unwrap(),
                PrivateKey::from_bytes(kem, Form::Seed, &sender_private).unwrap(),
            )
        });
        let (auth_public, auth_private) = auth.as_ref().map(|(a, b)| (a, b)).unzip();

        let mut sender = Sender::deterministic(&public, kdf, aead, &info, psk, auth_private, Some(&ephemeral)).unwrap();
        assert_eq!(sender.encapsulated(), enc);
        // Of P-256, the vectors have no seed.
        if mode == 0 && kem == Algorithm::X25519 {
            let seed = ephemeral.bytes().unwrap();
            let seeded = Sender::from_seed(&public, kdf, aead, &info, &seed).unwrap();
            assert_eq!(seeded.encapsulated(), enc);
            assert_eq!(seeded.export(b"", 32).unwrap(), sender.export(b"", 32).unwrap());
            assert!(Sender::from_seed(&public, kdf, aead, &info, &seed[1..]).is_err());
        }
        let mut recipient = Recipient::new(&private, kdf, aead, &enc, &info, psk, auth_public).unwrap();
        let mut sequence = 0;
        for item in f[13].split(',') {
            let parts: Vec<&str> = item.split(':').collect();
            let (number, aad, expected) = (parts[0].parse::<u32>().unwrap(), hex(parts[1]), hex(parts[2]));
            while sequence < number {
                let skipped = sender.seal(b"", b"").unwrap();
                recipient.open(&skipped, b"").unwrap();
                sequence += 1;
            }
            let ciphertext = sender.seal(plaintext, &aad).unwrap();
            assert_eq!(ciphertext, expected);
            assert_eq!(recipient.open(&ciphertext, b"other"), Err(Error::BadTag), "and the sequence stays");
            assert_eq!(recipient.open(&ciphertext, &aad).unwrap(), plaintext);
            sequence += 1;
        }
        for item in f[14].split(',') {
            let (context, expected) = item.split_once(':').unwrap();
            assert_eq!(sender.export(&hex(context), 32).unwrap(), hex(expected));
            assert_eq!(recipient.export(&hex(context), 32).unwrap(), hex(expected));
        }
        assert!(matches!(sender.export(b"", 255 * 32 + 1), Err(Error::Argument(_))));
        assert_eq!(sender.export(b"", 255 * 32).unwrap(), recipient.export(b"", 255 * 32).unwrap());

        // With a fresh ephemeral key: BoringSSL's own contexts on both sides, or ours.
        let mut sender = Sender::new(&public, kdf, aead, &info, psk, auth_private).unwrap();
        let mut recipient =
            Recipient::new(&private, kdf, aead, sender.encapsulated(), &info, psk, auth_public).unwrap();
        let ciphertext = sender.seal(plaintext, b"a").unwrap();
        assert_eq!(recipient.open(&ciphertext, b"a").unwrap(), plaintext);
        let mut stranger = Recipient::new(&private, kdf, aead, sender.encapsulated(), b"x", psk, auth_public).unwrap();
        assert_eq!(stranger.open(&ciphertext, b"a"), Err(Error::BadTag));
    }
    assert_eq!(modes, [4; 4]);
}

/// The key schedule that serves pre-shared keys, against BoringSSL's own contexts.
#[test]
fn both_schedules_agree() {
    for kem in [Algorithm::X25519, Algorithm::P256] {
        for kdf in [Kdf::HkdfSha256, Kdf::HkdfSha384] {
            for aead in [Aead::Aes128Gcm, Aead::Aes256Gcm, Aead::ChaCha20Poly1305] {
                let key = PrivateKey::generate(kem).unwrap();
                let ephemeral = PrivateKey::generate(kem).unwrap();
                let auth = PrivateKey::generate(kem).unwrap();
                let auth_public = auth.public_key().unwrap();
                for authenticated in [false, true] {
                    let mut sender = Sender::deterministic(
                        &key.public_key().unwrap(),
                        kdf,
                        aead,
                        b"info",
                        None,
                        authenticated.then_some(&auth),
                        Some(&ephemeral),
                    )
                    .unwrap();
                    let mut recipient = Recipient::new(
                        &key,
                        kdf,
                        aead,
                        sender.encapsulated(),
                        b"info",
                        None,
                        authenticated.then_some(&auth_public),
                    )
                    .unwrap();
                    for i in 0..300_u32 {
                        let message = i.to_be_bytes();
                        let sealed = sender.seal(&message, b"").unwrap();
                        assert_eq!(recipient.open(&sealed, b"").unwrap(), message);
                    }
                    assert_eq!(sender.export(b"c", 77).unwrap(), recipient.export(b"c", 77).unwrap());
                }
            }
        }
    }
}

#[test]
fn every_kem() {
    for kem in [Algorithm::X25519, Algorithm::P256, Algorithm::MlKem768, Algorithm::MlKem1024, Algorithm::XWing] {
        let key = PrivateKey::generate(kem).unwrap();
        let public = key.public_key().unwrap();
        for psk in [None, Some(Psk { key: &[7; 32], id: b"id" })] {
            let (kdf, aead) = (Kdf::HkdfSha384, Aead::Aes256Gcm);
            let mut sender = Sender::new(&public, kdf, aead, b"info", psk, None).unwrap();
            assert_eq!(Some(sender.encapsulated().len()), kem.encapsulation_length());
            let mut recipient = Recipient::new(&key, kdf, aead, sender.encapsulated(), b"info", psk, None).unwrap();
            let sealed = sender.seal(b"message", b"").unwrap();
            assert_eq!(recipient.open(&sealed, b"").unwrap(), b"message");
            for length in [0, 1, sender.encapsulated().len() - 1, sender.encapsulated().len() + 1] {
                assert!(matches!(
                    Recipient::new(&key, kdf, aead, &vec![4; length], b"info", psk, None),
                    Err(Error::Encapsulation(_))
                ));
            }
        }
        let authenticated = Sender::new(&public, Kdf::HkdfSha256, Aead::Aes128Gcm, b"", None, Some(&key));
        assert_eq!(authenticated.is_ok(), matches!(kem, Algorithm::X25519 | Algorithm::P256));
        for psk in [Psk { key: &[7; 31], id: b"id" }, Psk { key: &[7; 32], id: b"" }] {
            let result = Sender::new(&public, Kdf::HkdfSha256, Aead::Aes128Gcm, b"", Some(psk), None);
            assert!(matches!(result, Err(Error::Parameter(_))));
        }
        key.destroy();
        let result = Recipient::new(
            &key,
            Kdf::HkdfSha256,
            Aead::Aes128Gcm,
            &vec![9; kem.encapsulation_length().unwrap()],
            b"",
            None,
            None,
        );
        assert!(matches!(result, Err(Error::State(_))), "destroyed");
    }
    let mldsa = PrivateKey::generate(Algorithm::MlDsa44).unwrap();
    let result = Sender::new(&mldsa.public_key().unwrap(), Kdf::HkdfSha256, Aead::Aes128Gcm, b"", None, None);
    assert!(matches!(result, Err(Error::Key(_))));
}
