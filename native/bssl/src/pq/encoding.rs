//! SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7) and OneAsymmetricKey (RFC 5958) of the post-quantum algorithms.
//!
//! BoringSSL reads seeds only; the expanded keys and the pairs that RFC 9935 and RFC 9881 allow too are read here. Keys
//! are written in the form that they came in, seeds as seeds.

use super::algorithm::{ALL, Algorithm};
use super::key::Form;
use crate::der::{BIT_STRING, INTEGER, OCTET_STRING, OID, Reader, SEQUENCE, context, context_constructed, element};
use crate::error::{Error, Result};

/// A private key as it was read; not looked into yet.
pub(super) struct Private<'a> {
    pub(super) algorithm: Algorithm,
    pub(super) seed: Option<&'a [u8]>,
    pub(super) expanded: Option<&'a [u8]>,
    pub(super) public: Option<&'a [u8]>,
}

/// The algorithm of an AlgorithmIdentifier; `Some(None)` for one that BoringSSL reads. Parameters are absent in all of
/// ours.
fn algorithm(identifier: &mut Reader<'_>) -> Option<Option<Algorithm>> {
    let oid = identifier.element(OID)?;
    let found = ALL.into_iter().find(|a| a.oid() == Some(oid));
    if found.is_some() && !identifier.is_empty() {
        return None;
    }
    Some(found)
}

/// The algorithm and the encoded key; `None` if it is of no algorithm here.
pub(super) fn read_spki(der: &[u8]) -> Result<Option<(Algorithm, &[u8])>> {
    let parse = || {
        let mut outer = Reader::new(der);
        let mut spki = outer.nested(SEQUENCE)?;
        let Some(algorithm) = algorithm(&mut spki.nested(SEQUENCE)?)? else {
            return Some(None);
        };
        let bits = spki.element(BIT_STRING)?;
        let (unused, bytes) = bits.split_first()?;
        (*unused == 0 && spki.is_empty() && outer.is_empty()).then_some(Some((algorithm, bytes)))
    };
    parse().ok_or(Error::Key("malformed SubjectPublicKeyInfo"))
}

pub(super) fn write_spki(oid: &[u8], key: &[u8]) -> Vec<u8> {
    let identifier = element(SEQUENCE, &[&element(OID, &[oid])]);
    element(SEQUENCE, &[&identifier, &element(BIT_STRING, &[&[0], key])])
}

/// The parts of a private key; `None` if it is of no algorithm here.
pub(super) fn read_pkcs8(der: &[u8]) -> Result<Option<Private<'_>>> {
    let parse = || {
        let mut outer = Reader::new(der);
        let mut info = outer.nested(SEQUENCE)?;
        let version = info.element(INTEGER)?;
        let Some(algorithm) = algorithm(&mut info.nested(SEQUENCE)?)? else {
            return Some(None);
        };
        let key = info.element(OCTET_STRING)?;
        if info.peek() == Some(context_constructed(0)) {
            info.element(context_constructed(0))?; // Attributes.
        }
        let public = match version {
            [0] => None,
            [1] if info.peek() == Some(context(1)) => {
                let (unused, bytes) = info.element(context(1))?.split_first()?;
                if *unused != 0 {
                    return None;
                }
                Some(bytes)
            }
            [1] => None,
            _ => return None,
        };
        if !info.is_empty() || !outer.is_empty() {
            return None;
        }
        let (seed, expanded) = read_private(algorithm, key)?;
        Some(Some(Private { algorithm, seed, expanded, public }))
    };
    parse().ok_or(Error::Key("malformed PKCS#8"))
}

/// Seed and expanded key.
type Parts<'a> = (Option<&'a [u8]>, Option<&'a [u8]>);

/// What is in the privateKey of OneAsymmetricKey. SLH-DSA and X-Wing: the key. ML-KEM, ML-DSA: a CHOICE of `[0]` seed,
/// OCTET STRING expandedKey, and a SEQUENCE of both.
fn read_private(algorithm: Algorithm, key: &[u8]) -> Option<Parts<'_>> {
    if algorithm.expanded_length().is_none() {
        return Some((Some(key), None));
    }
    let mut reader = Reader::new(key);
    let parts = match reader.peek()? {
        SEQUENCE => {
            let mut both = reader.nested(SEQUENCE)?;
            let parts = (Some(both.element(OCTET_STRING)?), Some(both.element(OCTET_STRING)?));
            both.is_empty().then_some(parts)?
        }
        OCTET_STRING => (None, Some(reader.element(OCTET_STRING)?)),
        _ => (Some(reader.element(context(0))?), None),
    };
    reader.is_empty().then_some(parts)
}

pub(super) fn write_pkcs8(algorithm: Algorithm, oid: &[u8], form: Form, key: &[u8]) -> Vec<u8> {
    let identifier = element(SEQUENCE, &[&element(OID, &[oid])]);
    let mut inner = match (algorithm.expanded_length(), form) {
        (None, _) => key.to_vec(),
        (Some(_), Form::Seed) => element(context(0), &[key]),
        (Some(_), Form::Expanded) => element(OCTET_STRING, &[key]),
    };
    let mut private = element(OCTET_STRING, &[&inner]);
    let out = element(SEQUENCE, &[&element(INTEGER, &[&[0]]), &identifier, &private]);
    crate::bytes::cleanse(&mut inner);
    crate::bytes::cleanse(&mut private);
    out
}
