//! As much DER (X.690) as key encodings need: reading refuses every other form of BER.

use crate::bytes::cleanse;

pub(crate) const INTEGER: u8 = 0x02;
pub(crate) const BIT_STRING: u8 = 0x03;
pub(crate) const OCTET_STRING: u8 = 0x04;
pub(crate) const NULL: u8 = 0x05;
pub(crate) const OBJECT: u8 = 0x06;
pub(crate) const SEQUENCE: u8 = 0x30;

/// What remains to be read.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(der: &'a [u8]) -> Self {
        Self(der)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn rest(self) -> &'a [u8] {
        self.0
    }

    /// The next element's tag.
    pub(crate) fn tag(self) -> Option<u8> {
        self.0.first().copied()
    }

    /// The content of the next element, which has this tag.
    pub(crate) fn read(&mut self, tag: u8) -> Option<&'a [u8]> {
        let (&found, rest) = self.0.split_first()?;
        let (&first, mut rest) = rest.split_first()?;
        if found != tag {
            return None;
        }
        let mut length = usize::from(first);
        if first >= 0x80 {
            let octets = usize::from(first & 0x7f);
            if octets == 0 || octets > 4 {
                return None;
            }
            let (bytes, behind) = rest.split_at_checked(octets)?;
            length = bytes.iter().try_fold(0_usize, |sum, byte| Some(sum.checked_mul(256)? + usize::from(*byte)))?;
            if length < 0x80 || bytes.first() == Some(&0) {
                return None;
            }
            rest = behind;
        }
        let (content, behind) = rest.split_at_checked(length)?;
        self.0 = behind;
        Some(content)
    }

    /// The content of the next element, if it has this tag.
    pub(crate) fn optional(&mut self, tag: u8) -> Option<Option<&'a [u8]>> {
        if self.tag() == Some(tag) { self.read(tag).map(Some) } else { Some(None) }
    }

    pub(crate) fn sequence(&mut self) -> Option<Self> {
        self.read(SEQUENCE).map(Self)
    }

    /// A non-negative integer, big-endian without leading zeros; zero is empty.
    pub(crate) fn unsigned(&mut self) -> Option<&'a [u8]> {
        let content = self.read(INTEGER)?;
        match content {
            [0] => Some(&[]),
            [0, high, ..] if *high >= 0x80 => content.get(1..),
            [high, ..] if (1..0x80).contains(high) => Some(content),
            _ => None,
        }
    }

    /// A bit string of whole bytes.
    pub(crate) fn bits(&mut self, tag: u8) -> Option<&'a [u8]> {
        match self.read(tag)?.split_first()? {
            (0, bytes) => Some(bytes),
            _ => None,
        }
    }
}

/// An element that holds `parts` one behind the other.
pub(crate) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = Vec::with_capacity(length + 6);
    out.push(tag);
    let bytes = length.to_be_bytes();
    let significant = bytes.iter().position(|byte| *byte != 0).and_then(|zeros| bytes.get(zeros..)).unwrap_or(&[0]);
    match significant {
        [small] if *small < 0x80 => out.push(*small),
        long => {
            out.push(0x80 | u8::try_from(long.len()).unwrap_or(0));
            out.extend_from_slice(long);
        }
    }
    for part in parts {
        out.extend_from_slice(part);
    }
    out
}

/// A non-negative integer, from big-endian bytes with any number of leading zeros.
pub(crate) fn integer(bytes: &[u8]) -> Vec<u8> {
    let digits = significant(bytes);
    match digits.first() {
        Some(high) if *high < 0x80 => element(INTEGER, &[digits]),
        _ => element(INTEGER, &[&[0], digits]),
    }
}

/// Without leading zeros.
pub(crate) fn significant(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    bytes.get(zeros..).unwrap_or_default()
}

/// A growable secret, zeroed when dropped.
pub(crate) struct SecretVec(pub(crate) Vec<u8>);

impl Drop for SecretVec {
    fn drop(&mut self) {
        cleanse(&mut self.0);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        for length in [0, 1, 127, 128, 255, 256, 65535, 65536] {
            let der = element(OCTET_STRING, &[&vec![7; length]]);
            let mut reader = Reader::new(&der);
            assert_eq!(reader.read(OCTET_STRING).unwrap().len(), length);
            assert!(reader.is_empty());
            assert!(Reader::new(der.get(..der.len() - 1).unwrap()).read(OCTET_STRING).is_none());
        }
        for bad in [&[4, 0x80][..], &[4, 0x81, 1, 0], &[4, 0x82, 0, 0x80], &[4, 0x85, 0, 0, 0, 0, 1, 0], &[4], &[]] {
            assert!(Reader::new(bad).read(OCTET_STRING).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn integers() {
        for (bytes, der) in [
            (&[][..], &[2, 1, 0][..]),
            (&[0, 0, 1], &[2, 1, 1]),
            (&[0x80], &[2, 2, 0, 0x80]),
            (&[0, 0x7f, 0xff], &[2, 2, 0x7f, 0xff]),
        ] {
            assert_eq!(integer(bytes), der);
            assert_eq!(Reader::new(der).unsigned().unwrap(), significant(bytes));
        }
        for bad in [&[2, 0][..], &[2, 1, 0x80], &[2, 2, 0, 1], &[2, 2, 0, 0]] {
            assert!(Reader::new(bad).unsigned().is_none(), "{bad:?}");
        }
    }
}
