//! `BIO`s over Java's streams. Nothing of BoringSSL is on the stack while a stream is called: what it would read is read before, what it
//! writes is written afterwards.

use bssl::conscrypt::asn1::{HEADER, Length, read_length};
use bssl::conscrypt::tls::NetworkBio;
use bssl::conscrypt::{Library, pkcs7, reason};
use jni::sys::{self, jboolean, jint};

use super::error::{Error, Exception};
use super::java::{self, Global};
use super::slab::{Handle, Managed};
use super::types::{BioInputStream, OutputStream, new_array};
use super::{kinds, natives};
use crate::boundary::Env;
use crate::bytes::ByteArray;

/// What a `BIO` is over.
pub(super) enum Bio {
    /// An `OpenSSLBIOInputStream`.
    Input(Global),
    /// An `OutputStream`.
    Output(Global),
    /// What a connection reads and writes (`SSL_BIO_new`).
    Network(NetworkBio),
}

impl Managed for Bio {
    const TAG: u8 = kinds::BIO;
    const NAME: &'static str = "bio";
}

/// A line of PEM is read up to this length, in bytes; the rest of a longer one is another.
const LINE: jint = 65;
/// Bytes that are asked of a stream at once.
const STEP: usize = 64 << 10;

/// The first `count` bytes of `array`, which Java says that it filled.
fn filled<'l>(env: &mut Env<'l>, array: sys::jbyteArray, count: jint) -> Result<Vec<u8>, Error> {
    let slice = ByteArray::from_raw(array).slice(env, "stream", 0, count)?;
    Ok(slice.to_vec(env)?)
}

impl Bio {
    fn input(&self) -> Result<&Global, Error> {
        match self {
            Self::Input(stream) => Ok(stream),
            Self::Output(_) | Self::Network(_) => Err(Error::new(Exception::IllegalState, "not an input BIO")),
        }
    }

    /// The outer half of a pair.
    pub(super) fn network(&self) -> Result<&NetworkBio, Error> {
        match self {
            Self::Network(bio) => Ok(bio),
            Self::Input(_) | Self::Output(_) => Err(Error::new(Exception::IllegalState, "not a network BIO")),
        }
    }

    /// Appends up to `wanted` bytes; fewer only if the stream ends.
    fn read(&self, env: &mut Env<'_>, wanted: usize, into: &mut Vec<u8>) -> Result<(), Error> {
        let stream = self.input()?;
        let mut left = wanted;
        while left > 0 {
            let array = new_array(env, left.min(STEP))?;
            let count = java::stream_read(env, stream.get(), array)?;
            if count > 0 {
                let bytes = filled(env, array, count)?;
                left = left.saturating_sub(bytes.len());
                into.extend(bytes);
            }
            java::delete(env, array);
            if count <= 0 {
                break;
            }
        }
        Ok(())
    }

    /// As much of the stream as BoringSSL would read of one DER element: a malformed header is handed to it as far as it looks.
    pub(super) fn read_element(&self, env: &mut Env<'_>) -> Result<Vec<u8>, Error> {
        let mut element = Vec::new();
        self.read(env, HEADER, &mut element)?;
        if element.len() < HEADER {
            return Ok(element);
        }
        let mut length = read_length(&element);
        if let Length::MoreHeader(more) = length {
            self.read(env, more, &mut element)?;
            if element.len() < HEADER + more {
                return Ok(element);
            }
            length = read_length(&element);
        }
        match length {
            Length::Contents(contents) if contents <= pkcs7::LONGEST => self.read(env, contents, &mut element)?,
            Length::ToTheEnd => self.read(env, pkcs7::LONGEST, &mut element)?,
            Length::Contents(_) | Length::MoreHeader(_) | Length::Malformed => {}
        }
        Ok(element)
    }

    /// The next line, without its end; empty when the stream ended.
    fn line(&self, env: &mut Env<'_>, buffer: sys::jbyteArray) -> Result<Vec<u8>, Error> {
        let count = java::stream_gets(env, self.input()?.get(), buffer)?;
        filled(env, buffer, count.max(0))
    }

    /// The first thing in PEM text that `parse` takes. The stream is read to the end of it and no further.
    pub(super) fn read_pem<T>(
        &self,
        env: &mut Env<'_>,
        parse: impl Fn(&[u8]) -> bssl::conscrypt::Result<T>,
    ) -> Result<T, Error> {
        let buffer = new_array(env, usize::try_from(LINE).unwrap_or(0))?;
        let mut block = Vec::new();
        loop {
            let line = self.line(env, buffer)?;
            if line.is_empty() {
                break;
            }
            if block.is_empty() && !line.starts_with(b"-----BEGIN ") {
                continue;
            }
            block.extend_from_slice(&line);
            block.push(b'\n');
            if block.len() > pkcs7::LONGEST {
                return Err(Error::new(Exception::Io, "PEM is too long"));
            }
            if line.starts_with(b"-----END ") {
                match parse(&block) {
                    // Of another kind: the next one may do.
                    Err(fault) if fault.last().is_some_and(|e| e.is(Library::Pem, reason::PEM_NO_START_LINE)) => {
                        bssl::bytes::cleanse(&mut block);
                        block.clear();
                    }
                    result => {
                        bssl::bytes::cleanse(&mut block);
                        java::delete(env, buffer);
                        return Ok(result?);
                    }
                }
            }
        }
        java::delete(env, buffer);
        Ok(parse(&block)?)
    }

    /// Writes all of `bytes`.
    pub(super) fn write<'l>(&self, env: &mut Env<'l>, bytes: &[u8]) -> Result<(), Error> {
        let Self::Output(stream) = self else {
            return Err(Error::new(Exception::IllegalState, "not an output BIO"));
        };
        if bytes.is_empty() {
            return Ok(());
        }
        let array = ByteArray::new(env, bytes)?.raw();
        java::stream_write(env, stream.get(), array)?;
        java::delete(env, array);
        Ok(())
    }

    /// Writes what was printed, and then reports what stopped it. The natives that print declare no `IOException`.
    pub(super) fn write_printed(
        &self,
        env: &mut Env<'_>,
        (text, result): (Vec<u8>, bssl::conscrypt::Result<()>),
    ) -> Result<(), Error> {
        if let Err(error) = self.write(env, &text) {
            return Err(match error {
                Error::Pending => {
                    java::clear(env);
                    Error::new(Exception::Runtime, "the stream cannot be written")
                }
                other => other,
            });
        }
        Ok(result?)
    }
}

natives! { 'l =>
    /// Over a stream to read; whether its end is final makes no difference here.
    fn create_BIO_InputStream(env, stream: BioInputStream<'l>, _finite: jboolean) -> Handle<Bio> {
        if stream.is_null() {
            return Err(Error::null("stream == null"));
        }
        Handle::new(Bio::Input(Global::new(env, stream.raw())?))
    }

    /// Over a stream to write.
    fn create_BIO_OutputStream(env, stream: OutputStream<'l>) -> Handle<Bio> {
        if stream.is_null() {
            return Err(Error::null("stream == null"));
        }
        Handle::new(Bio::Output(Global::new(env, stream.raw())?))
    }

    /// Frees it.
    fn BIO_free_all(_env, bio: Handle<Bio>) -> () {
        bio.free()
    }

    /// Reads what one call of the stream gives.
    fn BIO_read(env, bio: Handle<Bio>, output: ByteArray<'l>) -> jint {
        let bio = bio.get()?;
        if output.is_null() {
            return Err(Error::null("output == null"));
        }
        let room = output.len(env, "output")?;
        if let Bio::Network(bio) = &*bio {
            let mut bytes = vec![0; usize::try_from(room).unwrap_or(0)];
            let count = bio.read_slice(&mut bytes);
            let read = usize::try_from(count).ok().filter(|count| *count > 0).and_then(|count| bytes.get(..count));
            let read = read.ok_or_else(|| Error::new(Exception::Io, "BIO_read"))?;
            return Ok(output.slice(env, "output", 0, count)?.write_prefix(env, read)?);
        }
        let stream = bio.input()?;
        let array = new_array(env, usize::try_from(room).unwrap_or(0))?;
        let count = java::stream_read(env, stream.get(), array)?;
        if count <= 0 {
            return Err(Error::new(Exception::Io, "BIO_read"));
        }
        let bytes = filled(env, array, count)?;
        output.slice(env, "output", 0, count)?.write(env, &bytes)?;
        Ok(count)
    }

    /// Writes to the stream.
    fn BIO_write(env, bio: Handle<Bio>, input: ByteArray<'l>, offset: jint, length: jint) -> () {
        let bio = bio.get()?;
        if input.is_null() {
            return Err(Error::null("input == null"));
        }
        let bytes = input.slice(env, "input", offset, length)?.to_vec(env)?;
        if let Bio::Network(bio) = &*bio {
            return match bio.write_slice(&bytes) {
                count if count == length => Ok(()),
                _ => Err(Error::new(Exception::Io, "BIO_write")),
            };
        }
        bio.write(env, &bytes)
    }
}
