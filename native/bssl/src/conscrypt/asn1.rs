//! Reading and writing DER, OIDs and times.

use std::ffi::{CStr, CString};
use std::sync::Arc;

use boring_sys as ffi;

use super::{Fault, Result, check, clear, owned, with_cbb};

/// A tag of BoringSSL's (class, form and number in 32 bits).
type Tag = u32;

/// A constant of the bindings as a tag.
pub(super) const fn tag(value: i32) -> Tag {
    value.cast_unsigned()
}

const CONTEXT_SPECIFIC: Tag = 0x8000_0000;
const CONSTRUCTED: Tag = tag(ffi::CBS_ASN1_CONSTRUCTED);

/// The constructed context-specific tag of this number.
pub(super) const fn context(number: u32) -> Tag {
    CONTEXT_SPECIFIC | CONSTRUCTED | number
}

owned! {
    /// An `ASN1_OBJECT`.
    pub(super) Oid(ffi::ASN1_OBJECT), ffi::ASN1_OBJECT_free
}

impl Oid {
    /// From dotted numbers.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let text = CString::new(text).map_err(|_| Fault::silent())?;
        // SAFETY: a C string.
        Self::own(unsafe { ffi::OBJ_txt2obj(text.as_ptr(), 1) })
    }
}

/// An OID as dotted numbers.
///
/// # Safety
/// `oid` is live.
pub(crate) unsafe fn dotted(oid: *const ffi::ASN1_OBJECT) -> Result<String> {
    let mut text = [0; 128];
    let room = i32::try_from(text.len()).unwrap_or(0);
    // SAFETY: a live object; a buffer and its length.
    let length = unsafe { ffi::OBJ_obj2txt(text.as_mut_ptr(), room, oid, 1) };
    if length < 0 {
        return Err(Fault::take());
    }
    if length >= room {
        return Err(Fault::argument("ASN1_OBJECT_to_OID_string buffer too small"));
    }
    // SAFETY: terminated.
    Ok(unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned())
}

/// A position in DER, whose bytes it keeps alive.
#[derive(Debug, Clone)]
pub struct Reader {
    der: Arc<[u8]>,
    start: usize,
    end: usize,
}

impl Reader {
    /// At the start of `der`.
    pub fn new(der: &[u8]) -> Self {
        Self { der: der.into(), start: 0, end: der.len() }
    }

    fn left(&self) -> &[u8] {
        self.der.get(self.start..self.end).unwrap_or_default()
    }

    /// Reads on with a function of BoringSSL's; the position stays where it fails.
    fn read<T>(&mut self, read: impl FnOnce(*mut ffi::CBS) -> Option<T>) -> Option<T> {
        let mut cbs = super::cbs(self.left());
        let result = read(&raw mut cbs);
        clear();
        let result = result?;
        self.start = self.end - cbs.len;
        Some(result)
    }

    fn element(&mut self, tag: Option<Tag>) -> Option<Self> {
        let base = self.left().as_ptr();
        let offset = self.start;
        let (start, length) = self.read(|cbs| {
            let mut contents = super::cbs(&[]);
            // SAFETY: live CBSs; a null tag is not wanted.
            let found = unsafe {
                match tag {
                    Some(tag) => ffi::CBS_get_asn1(cbs, &raw mut contents, tag),
                    None => ffi::CBS_get_any_asn1(cbs, &raw mut contents, std::ptr::null_mut()),
                }
            };
            (found == 1).then(|| (contents.data.addr() - base.addr(), contents.len))
        })?;
        Some(Self { der: Arc::clone(&self.der), start: offset + start, end: offset + start + length })
    }

    /// What is left.
    pub(super) fn bytes(&self) -> &[u8] {
        self.left()
    }

    /// The contents of an element of this tag.
    pub(super) fn tagged(&mut self, tag: Tag) -> Option<Self> {
        self.element(Some(tag))
    }

    /// The contents of an element of this constructed context-specific tag.
    pub(super) fn context(&mut self, number: u32) -> Option<Self> {
        self.element(Some(context(number)))
    }

    /// Skips an element of this constructed context-specific tag if there is one; `None` if it is malformed.
    pub(super) fn optional_context(&mut self, number: u32) -> Option<()> {
        if self.next_is(number) { self.context(number).map(|_| ()) } else { Some(()) }
    }

    /// The next element, header and all.
    pub(super) fn element_der(&mut self) -> Option<Vec<u8>> {
        let start = self.start;
        self.sequence()?;
        self.der.get(start..self.start).map(<[u8]>::to_vec)
    }

    /// An OID's NID, 0 for one that BoringSSL does not know.
    pub(super) fn nid(&mut self) -> Option<i32> {
        let contents = self.element(Some(tag(ffi::CBS_ASN1_OBJECT)))?;
        let cbs = super::cbs(contents.left());
        // SAFETY: a live CBS.
        Some(unsafe { ffi::OBJ_cbs2nid(&raw const cbs) })
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.left().is_empty()
    }

    /// The contents of a SEQUENCE.
    pub fn sequence(&mut self) -> Option<Self> {
        self.element(Some(tag(ffi::CBS_ASN1_SEQUENCE)))
    }

    /// The contents of any element.
    pub fn any(&mut self) -> Option<Self> {
        self.element(None)
    }

    /// Whether the next element has this constructed context-specific tag.
    pub fn next_is(&self, number: u32) -> bool {
        let cbs = super::cbs(self.left());
        // SAFETY: a live CBS.
        unsafe { ffi::CBS_peek_asn1_tag(&raw const cbs, context(number)) == 1 }
    }

    /// The bytes of an OCTET STRING.
    pub fn octets(&mut self) -> Option<Vec<u8>> {
        self.element(Some(tag(ffi::CBS_ASN1_OCTETSTRING))).map(|contents| contents.left().to_vec())
    }

    /// An INTEGER of at most 64 bits that is not negative.
    pub fn unsigned(&mut self) -> Option<u64> {
        self.read(|cbs| {
            let mut value = 0;
            // SAFETY: a live CBS.
            (unsafe { ffi::CBS_get_asn1_uint64(cbs, &raw mut value) } == 1).then_some(value)
        })
    }

    /// A NULL.
    pub fn null(&mut self) -> Option<()> {
        self.element(Some(tag(ffi::CBS_ASN1_NULL))).map(|_| ())
    }

    /// An OID that BoringSSL knows, as dotted numbers.
    pub fn known_oid(&mut self) -> Option<Result<String>> {
        let contents = self.element(Some(tag(ffi::CBS_ASN1_OBJECT)))?;
        let cbs = super::cbs(contents.left());
        // SAFETY: a live CBS; objects of known NIDs are static.
        unsafe {
            let nid = ffi::OBJ_cbs2nid(&raw const cbs);
            let object = ffi::OBJ_nid2obj(nid);
            if nid == ffi::NID_undef || object.is_null() {
                return Some(Err(Fault::silent()));
            }
            Some(dotted(object))
        }
    }
}

/// An element that is being written. Whoever writes to it closes the part of it that was open, as in a `CBB`.
#[derive(Debug)]
struct Node {
    /// Its tag; the outermost has none.
    tag: Tag,
    contents: Vec<u8>,
    open: Option<usize>,
    parent: Option<usize>,
    closed: bool,
}

/// DER that is being written: elements in elements, named by numbers. 0 is the outermost.
#[derive(Debug)]
pub struct Writer(Vec<Node>);

impl Default for Writer {
    fn default() -> Self {
        Self::new()
    }
}

impl Writer {
    /// The outermost.
    pub const ROOT: usize = 0;

    /// Nothing written yet.
    pub fn new() -> Self {
        Self(vec![Node { tag: 0, contents: Vec::new(), open: None, parent: None, closed: false }])
    }

    fn node(&mut self, node: usize) -> Option<&mut Node> {
        self.0.get_mut(node).filter(|node| !node.closed)
    }

    /// Writes out what is open in `node`; `None` if that is closed itself, but not if it is finished.
    pub fn flush(&mut self, node: usize) -> Option<()> {
        let Some(here) = self.node(node) else { return (node == Self::ROOT).then_some(()) };
        let Some(open) = here.open.take() else { return Some(()) };
        self.flush(open)?;
        let child = self.node(open)?;
        child.closed = true;
        let (tag, contents) = (child.tag, std::mem::take(&mut child.contents));
        let element = element(tag, &contents).ok()?;
        self.node(node)?.contents.extend(element);
        Some(())
    }

    fn start(&mut self, node: usize, tag: Tag) -> Option<usize> {
        self.flush(node)?;
        let child = self.0.len();
        self.0.push(Node { tag, contents: Vec::new(), open: None, parent: Some(node), closed: false });
        self.node(node)?.open = Some(child);
        Some(child)
    }

    /// Starts a SEQUENCE in `node`; its number.
    pub fn sequence(&mut self, node: usize) -> Option<usize> {
        self.start(node, tag(ffi::CBS_ASN1_SEQUENCE))
    }

    /// Starts an element with a constructed context-specific tag; its number.
    pub fn tagged(&mut self, node: usize, number: u32) -> Option<usize> {
        if number > tag(ffi::CBS_ASN1_TAG_NUMBER_MASK) {
            return None;
        }
        self.start(node, context(number))
    }

    fn append(&mut self, node: usize, write: impl FnOnce(*mut ffi::CBB) -> bool) -> Option<()> {
        self.flush(node)?;
        let element = with_cbb(write).ok()?;
        self.node(node)?.contents.extend(element);
        Some(())
    }

    /// Writes an OCTET STRING.
    pub fn octets(&mut self, node: usize, bytes: &[u8]) -> Option<()> {
        self.flush(node)?;
        let element = element(tag(ffi::CBS_ASN1_OCTETSTRING), bytes).ok()?;
        self.node(node)?.contents.extend(element);
        Some(())
    }

    /// Writes an INTEGER.
    pub fn unsigned(&mut self, node: usize, value: u64) -> Option<()> {
        // SAFETY: a live CBB.
        self.append(node, |cbb| unsafe { ffi::CBB_add_asn1_uint64(cbb, value) == 1 })
    }

    /// Writes a NULL.
    pub fn null(&mut self, node: usize) -> Option<()> {
        self.flush(node)?;
        let element = element(tag(ffi::CBS_ASN1_NULL), &[]).ok()?;
        self.node(node)?.contents.extend(element);
        Some(())
    }

    /// Writes an OID that BoringSSL knows, from dotted numbers or its name.
    pub fn known_oid(&mut self, node: usize, text: &str) -> Option<()> {
        let text = CString::new(text).ok()?;
        // SAFETY: a C string.
        let nid = unsafe { ffi::OBJ_txt2nid(text.as_ptr()) };
        clear();
        if nid == ffi::NID_undef {
            return None;
        }
        // SAFETY: a live CBB.
        self.append(node, |cbb| unsafe { ffi::OBJ_nid2cbb(cbb, nid) == 1 })
    }

    /// All that was written; `node` must be the outermost. Nothing can be written afterwards.
    pub fn finish(&mut self, node: usize) -> Option<Vec<u8>> {
        if self.node(node)?.parent.is_some() {
            return None;
        }
        self.flush(node)?;
        let root = self.node(node)?;
        root.closed = true;
        Some(std::mem::take(&mut root.contents))
    }

    /// Forgets what was written.
    pub fn cleanup(&mut self, node: usize) {
        if self.node(node).is_some_and(|node| node.parent.is_none()) {
            self.0.iter_mut().for_each(|node| {
                node.closed = true;
                node.contents = Vec::new();
            });
        }
    }
}

fn element(tag: Tag, contents: &[u8]) -> Result<Vec<u8>> {
    // SAFETY: live CBBs; the inner one is finished by flushing the outer.
    with_cbb(|cbb| unsafe {
        let mut inner: ffi::CBB = std::mem::zeroed();
        ffi::CBB_add_asn1(cbb, &raw mut inner, tag) == 1
            && ffi::CBB_add_bytes(&raw mut inner, contents.as_ptr(), contents.len()) == 1
            && ffi::CBB_flush(cbb) == 1
    })
}

/// A time of a certificate or CRL in UTC: year, month (1 to 12), day, hour, minute, second.
pub type Calendar = [i32; 6];

owned! {
    /// An `ASN1_GENERALIZEDTIME`.
    pub(super) GeneralizedTime(ffi::ASN1_GENERALIZEDTIME), ffi::ASN1_GENERALIZEDTIME_free
}

/// The parts of a time.
///
/// # Safety
/// `time` is live.
pub(super) unsafe fn calendar(time: *const ffi::ASN1_TIME) -> Result<Calendar> {
    // SAFETY: a live time; the converted one lives while its text is read.
    unsafe {
        check(ffi::ASN1_TIME_check(time))?;
        let general = GeneralizedTime::own(ffi::ASN1_TIME_to_generalizedtime(time, std::ptr::null_mut()))?;
        let length = usize::try_from(ffi::ASN1_STRING_length(general.as_ptr())).unwrap_or(0);
        let text = super::bytes(ffi::ASN1_STRING_get0_data(general.as_ptr()), length);
        let number = |range| {
            let digits: &[u8] = text.get(range).unwrap_or_default();
            std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).ok_or_else(Fault::silent)
        };
        Ok([number(0..4)?, number(4..6)?, number(6..8)?, number(8..10)?, number(10..12)?, number(12..14)?])
    }
}

/// How many bytes [`read_length`] wants to see first.
pub const HEADER: usize = 2;

/// What a DER or BER element's header says of its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// So many more bytes of header follow.
    MoreHeader(usize),
    /// So many bytes of contents follow.
    Contents(usize),
    /// The contents end where the input does (an indefinite length, which BoringSSL reads to the end).
    ToTheEnd,
    /// No header that BoringSSL would follow.
    Malformed,
}

/// What follows `header`, whose tag is one byte.
pub fn read_length(header: &[u8]) -> Length {
    match header {
        [long_tag, ..] if long_tag & 0x1f == 0x1f => Length::Malformed,
        [_, short] if *short < 0x80 => Length::Contents((*short).into()),
        [constructed, 0x80] if constructed & 0x20 != 0 => Length::ToTheEnd,
        [_, long] if (0x81..=0x84).contains(long) => Length::MoreHeader((long & 0x7f).into()),
        [_, long, bytes @ ..] if bytes.len() == usize::from(long & 0x7f) && *long > 0x80 => {
            let length = bytes.iter().fold(0_u64, |length, byte| length << 8 | u64::from(*byte));
            usize::try_from(length).map_or(Length::Malformed, Length::Contents)
        }
        _ => Length::Malformed,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn written_and_read() {
        let mut writer = Writer::new();
        let sequence = writer.sequence(Writer::ROOT).unwrap();
        writer.known_oid(sequence, "1.2.840.113549.1.1.1").unwrap();
        writer.null(sequence).unwrap();
        let tagged = writer.tagged(sequence, 1).unwrap();
        writer.octets(tagged, b"abc").unwrap();
        writer.unsigned(sequence, 300).unwrap();
        assert_eq!(writer.octets(tagged, b"late"), None, "closed by its parent");
        assert_eq!(writer.finish(sequence), None, "not the outermost");
        let der = writer.finish(Writer::ROOT).unwrap();
        assert_eq!(writer.null(Writer::ROOT), None);

        let mut outer = Reader::new(&der);
        let mut reader = outer.sequence().unwrap();
        assert!(outer.is_empty());
        drop(outer);
        assert_eq!(reader.unsigned(), None);
        assert_eq!(reader.known_oid().unwrap().unwrap(), "1.2.840.113549.1.1.1");
        reader.null().unwrap();
        assert!(reader.next_is(1) && !reader.next_is(0));
        assert_eq!(reader.any().unwrap().octets().unwrap(), b"abc");
        assert_eq!(reader.unsigned(), Some(300));
        assert!(reader.is_empty());
    }

    #[test]
    fn lengths() {
        assert_eq!(read_length(&[0x30, 0x7f]), Length::Contents(0x7f));
        assert_eq!(read_length(&[0x30, 0x80]), Length::ToTheEnd);
        assert_eq!(read_length(&[0x30, 0x82]), Length::MoreHeader(2));
        assert_eq!(read_length(&[0x30, 0x82, 1, 0]), Length::Contents(256));
        assert_eq!(read_length(&[0x30, 0x85]), Length::Malformed);
    }
}
