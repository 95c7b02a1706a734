//! As much DER (X.690) as fixed-size keys in SubjectPublicKeyInfo and PKCS#8 need; strict, no copies.

/// What remains to be read. Every reader answers `None` for anything that is not the DER it expects.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Nothing remains.
    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The tag of the next element.
    pub(crate) fn peek(self) -> Option<u8> {
        self.0.first().copied()
    }

    /// The content of the next element, which has this tag.
    pub(crate) fn element(&mut self, tag: u8) -> Option<&'a [u8]> {
        let (found, rest) = self.0.split_first()?;
        let (first, rest) = rest.split_first()?;
        let (length, rest) = match first {
            0..=0x7f => (usize::from(*first), rest),
            0x81 => {
                let (length, rest) = rest.split_first()?;
                (usize::from(*length), rest)
            }
            0x82 => {
                let (length, rest) = rest.split_first_chunk::<2>()?;
                (usize::from(u16::from_be_bytes(*length)), rest)
            }
            // Longer than any key here.
            _ => return None,
        };
        let shortest = match first {
            0x81 => length >= 0x80,
            0x82 => length >= 0x100,
            _ => true,
        };
        if *found != tag || !shortest || length > rest.len() {
            return None;
        }
        let (content, rest) = rest.split_at(length);
        self.0 = rest;
        Some(content)
    }

    /// As [`Reader::element`], to be read further.
    pub(crate) fn nested(&mut self, tag: u8) -> Option<Self> {
        self.element(tag).map(Self)
    }
}

/// Tags.
pub(crate) const INTEGER: u8 = 0x02;
pub(crate) const BIT_STRING: u8 = 0x03;
pub(crate) const OCTET_STRING: u8 = 0x04;
pub(crate) const OID: u8 = 0x06;
pub(crate) const SEQUENCE: u8 = 0x30;

/// The bytes of a primitive context-specific tag, `[number] IMPLICIT`.
pub(crate) const fn context(number: u8) -> u8 {
    0x80 | number
}

/// The bytes of a constructed context-specific tag.
pub(crate) const fn context_constructed(number: u8) -> u8 {
    0xa0 | number
}

/// An element with `parts` as its content, one after the other; at most 65535 bytes of it.
pub(crate) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = Vec::with_capacity(length + 4);
    out.push(tag);
    let [_, _, high, low] = u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes();
    match length {
        0..=0x7f => out.push(low),
        0x80..=0xff => out.extend([0x81, low]),
        _ => out.extend([0x82, high, low]),
    }
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn writes_what_it_reads() {
        for length in [0, 1, 127, 128, 255, 256, 65535] {
            let content = vec![7; length];
            let written = element(OCTET_STRING, &[&content]);
            let mut reader = Reader::new(&written);
            assert_eq!(reader.peek(), Some(OCTET_STRING));
            assert_eq!(reader.element(OCTET_STRING).unwrap(), content);
            assert!(reader.is_empty());
            assert!(Reader::new(&written).element(SEQUENCE).is_none());
            for cut in 0..written.len().min(300) {
                assert!(Reader::new(written.get(..cut).unwrap()).element(OCTET_STRING).is_none());
            }
        }
    }

    #[test]
    fn refuses_what_is_not_der() {
        for bad in
            [&[4, 0x81, 1, 0][..], &[4, 0x82, 0, 1, 0], &[4, 0x80, 0, 0], &[4, 0x83, 0, 0, 1, 0], &[4, 0xff], &[4]]
        {
            assert!(Reader::new(bad).element(OCTET_STRING).is_none(), "{bad:?}");
        }
    }
}
