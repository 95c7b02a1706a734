//! Reading and writing DER; times.

use std::sync::{Arc, Mutex};

use bssl::conscrypt::asn1::{Calendar as Fields, Reader, Writer};
use jni::sys::{jboolean, jint, jlong};

use super::error::{Error, Exception, Otherwise};
use super::slab::{Handle, Managed, has_tag, lock, whole};
use super::types::{Calendar, JString};
use super::x509::{CrlEntry, X509};
use super::{java, kinds, natives};
use crate::bytes::ByteArray;

impl Managed for Mutex<Reader> {
    const TAG: u8 = kinds::ASN1_READER;
    const NAME: &'static str = "cbs";
}

/// An element that is being written, of what is written as a whole.
struct Element {
    writer: Arc<Mutex<Writer>>,
    node: usize,
}

impl Managed for Element {
    const TAG: u8 = kinds::ASN1_WRITER;
    const NAME: &'static str = "cbb";
}

fn unreadable() -> Error {
    Error::new(Exception::Io, "Error reading ASN.1 encoding")
}

fn unwritable() -> Error {
    Error::new(Exception::Io, "Error writing ASN.1 encoding")
}

type Read = Handle<Mutex<Reader>>;

/// Reads one thing.
fn read<T>(reader: Read, read: impl FnOnce(&mut Reader) -> Option<T>) -> Result<T, Error> {
    read(&mut lock(&*reader.get()?)).ok_or_else(unreadable)
}

/// Writes one thing.
fn write<T>(element: Handle<Element>, write: impl FnOnce(&mut Writer, usize) -> Option<T>) -> Result<T, Error> {
    let element = element.get()?;
    write(&mut lock(&element.writer), element.node).ok_or_else(unwritable)
}

/// Starts an element inside another.
fn start(
    element: Handle<Element>,
    start: impl FnOnce(&mut Writer, usize) -> Option<usize>,
) -> Result<Handle<Element>, Error> {
    let outer = element.get()?;
    let node = start(&mut lock(&outer.writer), outer.node).ok_or_else(unwritable)?;
    Handle::new(Element { writer: Arc::clone(&outer.writer), node })
}

/// The time that a handle is a name for.
fn time(raw: jlong) -> Result<Fields, Error> {
    const NAME: &str = "asn1Time";
    let is = |tag| has_tag(raw, tag);
    let time = if is(kinds::NOT_BEFORE) {
        whole::<X509>(raw, kinds::NOT_BEFORE, NAME)?.not_before()
    } else if is(kinds::NOT_AFTER) {
        whole::<X509>(raw, kinds::NOT_AFTER, NAME)?.not_after()
    } else if is(kinds::LAST_UPDATE) {
        whole::<CrlEntry>(raw, kinds::LAST_UPDATE, NAME)?.crl.last_update()
    } else if is(kinds::NEXT_UPDATE) {
        whole::<CrlEntry>(raw, kinds::NEXT_UPDATE, NAME)?.crl.next_update()
    } else {
        whole::<super::x509::Entry>(raw, kinds::REVOCATION_DATE, NAME)?.entry.date()
    };
    time.always(Exception::Parsing, "Invalid date format")
}

natives! { 'l =>
    /// Sets a calendar to a time.
    fn ASN1_TIME_to_Calendar(env, asn1_time: jlong, calendar: Calendar<'l>) -> () {
        let [year, month, day, hour, minute, second] = time(asn1_time)?;
        if calendar.is_null() {
            return Err(Error::null("calendar == null"));
        }
        java::calendar_set(env, calendar.raw(), [year, month - 1, day, hour, minute, second])
    }

    /// At the start of an encoding.
    fn asn1_read_init(env, der: ByteArray<'l>) -> Read {
        if der.is_null() {
            return Err(unreadable());
        }
        let der = der.to_vec(env, "data")?;
        Handle::new(Mutex::new(Reader::new(&der)))
    }

    /// Into a SEQUENCE.
    fn asn1_read_sequence(_env, reader: Read) -> Read {
        Handle::new(Mutex::new(read(reader, Reader::sequence)?))
    }

    /// Whether a context-specific tag is next.
    fn asn1_read_next_tag_is(_env, reader: Read, tag: jint) -> jboolean {
        let reader = reader.get()?;
        let is = u32::try_from(tag).is_ok_and(|tag| lock(&reader).next_is(tag));
        Ok(is)
    }

    /// Into any element.
    fn asn1_read_tagged(_env, reader: Read) -> Read {
        Handle::new(Mutex::new(read(reader, Reader::any)?))
    }

    /// An OCTET STRING.
    fn asn1_read_octetstring(env, reader: Read) -> ByteArray<'l> {
        let octets = super::types::Secret(read(reader, Reader::octets)?);
        Ok(ByteArray::new(env, &octets)?)
    }

    /// An INTEGER of at most 64 bits.
    fn asn1_read_uint64(_env, reader: Read) -> jlong {
        Ok(read(reader, Reader::unsigned)?.cast_signed())
    }

    /// A NULL.
    fn asn1_read_null(_env, reader: Read) -> () {
        read(reader, Reader::null)
    }

    /// An OID.
    fn asn1_read_oid(env, reader: Read) -> JString<'l> {
        let oid = read(reader, Reader::known_oid)?;
        JString::new(env, &oid.always(Exception::Io, "Error reading ASN.1 encoding: OID not found")?)
    }

    /// Whether nothing is left.
    fn asn1_read_is_empty(_env, reader: Read) -> jboolean {
        Ok(lock(&*reader.get()?).is_empty())
    }

    /// Frees it.
    fn asn1_read_free(_env, reader: Read) -> () {
        reader.free_unless_null()
    }

    /// Nothing written yet.
    fn asn1_write_init(_env) -> Handle<Element> {
        Handle::new(Element { writer: Arc::new(Mutex::new(Writer::new())), node: Writer::ROOT })
    }

    /// Starts a SEQUENCE.
    fn asn1_write_sequence(_env, element: Handle<Element>) -> Handle<Element> {
        start(element, Writer::sequence)
    }

    /// Starts an element with a context-specific tag.
    fn asn1_write_tag(_env, element: Handle<Element>, tag: jint) -> Handle<Element> {
        let tag = u32::try_from(tag).map_err(|_| unwritable())?;
        start(element, |writer, node| writer.tagged(node, tag))
    }

    /// Writes an OCTET STRING.
    fn asn1_write_octetstring(env, element: Handle<Element>, octets: ByteArray<'l>) -> () {
        let octets = super::types::secret(env, "data == null", octets)?;
        write(element, |writer, node| writer.octets(node, &octets))
    }

    /// Writes an INTEGER.
    fn asn1_write_uint64(_env, element: Handle<Element>, value: jlong) -> () {
        write(element, |writer, node| writer.unsigned(node, value.cast_unsigned()))
    }

    /// Writes a NULL.
    fn asn1_write_null(_env, element: Handle<Element>) -> () {
        write(element, Writer::null)
    }

    /// Writes an OID.
    fn asn1_write_oid(env, element: Handle<Element>, oid: JString<'l>) -> () {
        let oid = oid.text(env, "oid == null")?;
        write(element, |writer, node| writer.known_oid(node, &oid))
    }

    /// Writes out what was started inside.
    fn asn1_write_flush(_env, element: Handle<Element>) -> () {
        write(element, Writer::flush)
    }

    /// The encoding.
    fn asn1_write_finish(env, element: Handle<Element>) -> ByteArray<'l> {
        let der = super::types::Secret(write(element, Writer::finish)?);
        Ok(ByteArray::new(env, &der)?)
    }

    /// Forgets what was written.
    fn asn1_write_cleanup(_env, element: Handle<Element>) -> () {
        let element = element.get()?;
        lock(&element.writer).cleanup(element.node);
        Ok(())
    }

    /// Frees it.
    fn asn1_write_free(_env, element: Handle<Element>) -> () {
        element.free_unless_null()
    }
}
