//! Box: handshake and records.

use std::sync::Arc;

use bssl::boxed::{HEADER, Handshake, Kind, Opener, Sealer, TAG};
use bssl::bytes::{InOut, cleanse};
use bssl::pq::{PrivateKey, PublicKey};
use jni::sys::{jboolean, jint};

use super::natives;
use crate::boundary::Env;
use crate::bytes::{Buffer, ByteArray, Owner, Place, transform};
use crate::error::Error;
use crate::handle::{Handle, Managed};

/// A handshake, and the direction that was not taken yet.
pub(crate) struct Pending {
    handshake: Handshake,
    sealer: Option<Sealer>,
    opener: Option<Opener>,
}

impl Pending {
    fn split(&mut self) -> Result<(), bssl::Error> {
        if self.sealer.is_none() && self.opener.is_none() {
            let (sealer, opener) = self.handshake.split()?;
            (self.sealer, self.opener) = (Some(sealer), Some(opener));
        }
        Ok(())
    }
}

impl Managed for Pending {
    const TAG: u32 = u32::from_be_bytes(*b"boxh");
    const NAME: &'static str = "box handshake";
}

impl Managed for Sealer {
    const TAG: u32 = u32::from_be_bytes(*b"boxs");
    const NAME: &'static str = "box";
}

impl Managed for Opener {
    const TAG: u32 = u32::from_be_bytes(*b"boxo");
    const NAME: &'static str = "box";
}

const TAKEN: Error = Error::Bssl(bssl::Error::State("this direction was taken already"));

natives! { 'l =>
    /// A handshake's start.
    fn box_handshake_new(
        env, initiator: jboolean, own: Handle<Arc<PrivateKey>>, _owner: Owner<'l>,
        peer: Handle<Arc<PublicKey>>, _peer_owner: Owner<'l>, context: ByteArray<'l>,
    ) -> Handle<Pending> {
        let context = context.to_vec(env, "context")?;
        // SAFETY: the owners keep them alive during the call.
        let (own, peer) = unsafe { (own.share()?, peer.share()?) };
        let handshake = Handshake::new(initiator, own, peer, &context)?;
        Ok(Handle::new(Pending { handshake, sealer: None, opener: None }))
    }

    /// Frees it.
    fn box_handshake_free(_env, handshake: Handle<Pending>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { handshake.free() }
    }

    /// Our message.
    fn box_handshake_write(env, handshake: Handle<Pending>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let message = unsafe { handshake.borrow()? }.handshake.write()?;
        ByteArray::new(env, &message)
    }

    /// The other's message.
    fn box_handshake_read(env, handshake: Handle<Pending>, _owner: Owner<'l>, message: ByteArray<'l>) -> () {
        let message = message.to_vec(env, "message")?;
        // SAFETY: the owner keeps it alive during the call.
        Ok(unsafe { handshake.borrow()? }.handshake.read(&message)?)
    }

    /// The hash of the handshake.
    fn box_handshake_hash(env, handshake: Handle<Pending>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: the owner keeps it alive during the call.
        let hash = unsafe { handshake.borrow()? }.handshake.hash()?;
        ByteArray::new(env, &hash)
    }

    /// The sending direction.
    fn box_handshake_sealer(_env, handshake: Handle<Pending>, _owner: Owner<'l>) -> Handle<Sealer> {
        // SAFETY: the owner keeps it alive during the call.
        let mut pending = unsafe { handshake.borrow()? };
        pending.split()?;
        Ok(Handle::new(pending.sealer.take().ok_or(TAKEN)?))
    }

    /// The receiving direction.
    fn box_handshake_opener(_env, handshake: Handle<Pending>, _owner: Owner<'l>) -> Handle<Opener> {
        // SAFETY: the owner keeps it alive during the call.
        let mut pending = unsafe { handshake.borrow()? };
        pending.split()?;
        Ok(Handle::new(pending.opener.take().ok_or(TAKEN)?))
    }

    /// Frees it.
    fn box_sealer_free(_env, sealer: Handle<Sealer>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { sealer.free() }
    }

    /// Frees it.
    fn box_opener_free(_env, opener: Handle<Opener>) -> () {
        // SAFETY: `NativeRef` frees once, when nothing uses the handle any more.
        unsafe { opener.free() }
    }

    /// Writes one record.
    fn box_seal(
        env, sealer: Handle<Sealer>, _owner: Owner<'l>, kind: jint,
        input: ByteArray<'l>, input_buffer: Buffer<'l>, input_offset: jint, input_length: jint,
        output: ByteArray<'l>, output_buffer: Buffer<'l>, output_offset: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let mut sealer = unsafe { sealer.borrow()? };
        let kind = Kind::from_number(kind)?;
        let input = Place::of(env, "input", input, input_buffer, input_offset, input_length)?;
        let record = input_length.checked_add(OVERHEAD).ok_or(Error::Argument("a record cannot be that long"))?;
        let output = Place::of(env, "output", output, output_buffer, output_offset, record)?;
        let body = output.part(HEADER, input.len())?;
        let (header, tag) = apart(env, input, body, |data| sealer.seal(kind, data))?;
        output.part(0, HEADER)?.write(env, &header)?;
        output.part(HEADER + input.len(), TAG)?.write(env, &tag)?;
        Ok(record)
    }

    /// Reads one whole record; answers its kind.
    fn box_open(
        env, opener: Handle<Opener>, _owner: Owner<'l>,
        input: ByteArray<'l>, input_buffer: Buffer<'l>, input_offset: jint, input_length: jint,
        output: ByteArray<'l>, output_buffer: Buffer<'l>, output_offset: jint,
    ) -> jint {
        // SAFETY: the owner keeps it alive during the call.
        let mut opener = unsafe { opener.borrow()? };
        let plaintext = input_length.checked_sub(OVERHEAD).filter(|n| *n >= 0);
        let plaintext = plaintext.ok_or(Error::Argument("not a whole record"))?;
        let input = Place::of(env, "input", input, input_buffer, input_offset, input_length)?;
        let output = Place::of(env, "output", output, output_buffer, output_offset, plaintext)?;
        let (mut header, mut tag) = ([0; HEADER], [0; TAG]);
        input.part(0, HEADER)?.read(env, &mut header)?;
        input.part(HEADER + output.len(), TAG)?.read(env, &mut tag)?;
        let body = input.part(HEADER, output.len())?;
        let kind = apart(env, body, output, |data| opener.open(header, data, &tag))?;
        Ok(match kind {
            Kind::Part => 0,
            Kind::Last => 1,
            Kind::End => 2,
        })
    }
}

/// Header and tag, as Java counts.
const OVERHEAD: jint = 20;

/// As [`transform`]; input and output that overlap partly in one array go through a copy.
fn apart<'l, T>(
    env: &mut Env<'l>,
    input: Place<'l>,
    output: Place<'l>,
    work: impl FnOnce(InOut<'_>) -> Result<T, bssl::Error>,
) -> Result<T, Error> {
    if !input.overlaps_in_array(env, output) {
        return transform(env, input, output, work);
    }
    let mut copy = vec![0; input.len()];
    let result = input.read(env, &mut copy).and_then(|()| Ok(work(InOut::in_place(&mut copy))?));
    let written = result.and_then(|value| output.write(env, &copy).map(|()| value));
    cleanse(&mut copy);
    written
}
