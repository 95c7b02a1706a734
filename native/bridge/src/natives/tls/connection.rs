//! TLS connections: made, wrapping and unwrapping, closed; why they failed.

use std::sync::Arc;

use bssl::tls::{Connection, Context, FailureKind, Handshake, MAX_PACKET, Outcome, Session, Status};
use jni::sys::{jint, jlong};

use crate::boundary::Env;
use crate::bytes::{Buffer, ByteArray, ByteArrays, Owner, Place, pinned};
use crate::error::Error;
use crate::handle::{Handle, Managed};
use crate::natives::natives;

impl Managed for Connection {
    const TAG: u32 = 0x7463_6f6e;
    const NAME: &'static str = "TLS connection";
}

/// `TlsOutcome` in Java reads this: status (bits 60 to 62), whether sessions or key log lines came (59), handshake (56 to 58), bytes consumed
/// (28 to 55) and produced (0 to 27).
pub(crate) fn pack(outcome: Outcome) -> jlong {
    let status = match outcome.status {
        Status::Ok => 0,
        Status::BufferUnderflow => 1,
        Status::BufferOverflow => 2,
        Status::Closed => 3,
        Status::Error => 4,
    };
    let handshake = handshake_code(outcome.handshake);
    let size = |n: usize| jlong::try_from(n).unwrap_or(0) & 0x0fff_ffff;
    (status << 60)
        | (jlong::from(outcome.events) << 59)
        | (jlong::from(handshake) << 56)
        | (size(outcome.consumed) << 28)
        | size(outcome.produced)
}

pub(super) fn handshake_code(handshake: Handshake) -> jint {
    match handshake {
        Handshake::NotHandshaking => 0,
        Handshake::Finished => 1,
        Handshake::NeedTask => 2,
        Handshake::NeedWrap => 3,
        Handshake::NeedUnwrap => 4,
    }
}

/// Runs `body` over the two places. Once established it is short, so arrays are pinned (copying even 64 bytes through the stack
/// takes as long); before that a call may take milliseconds, so arrays are copied.
#[inline]
fn with_places<'l>(
    env: &mut Env<'l>,
    connection: &mut Connection,
    source: Place<'l>,
    destination: Place<'l>,
    body: impl FnOnce(&mut Connection, (*const u8, usize), (*mut u8, usize)) -> Outcome,
) -> Result<Outcome, Error> {
    if let (Place::Direct { base: from, length: available }, Place::Direct { base: to, length: room }) =
        (source, destination)
    {
        return Ok(body(connection, (from.cast_const(), available), (to, room)));
    }
    if connection.is_established() {
        return pinned(env, source, destination, |s, d| body(connection, s, d));
    }
    with_copies(env, source, destination, |s, d| body(connection, s, d))
}

#[cold]
fn with_copies<'l>(
    env: &mut Env<'l>,
    source: Place<'l>,
    destination: Place<'l>,
    body: impl FnOnce((*const u8, usize), (*mut u8, usize)) -> Outcome,
) -> Result<Outcome, Error> {
    let source = source.part(0, source.len().min(MAX_PACKET))?;
    let mut copy = Vec::new();
    let from = match source {
        Place::Direct { base, length } => (base.cast_const(), length),
        Place::Array(_) => {
            copy.resize(source.len(), 0);
            source.read(env, &mut copy)?;
            (copy.as_ptr(), copy.len())
        }
    };
    match destination {
        Place::Direct { base, length } => Ok(body(from, (base, length))),
        Place::Array(_) => {
            let mut scratch = vec![0; destination.len().min(MAX_PACKET)];
            let outcome = body(from, (scratch.as_mut_ptr(), scratch.len()));
            destination.write(env, scratch.get(..outcome.produced).unwrap_or_default())?;
            Ok(outcome)
        }
    }
}

natives! { 'l =>
    /// A connection. For clients: the server name to send or null, and a session to offer for resumption or zero.
    fn tls_new(
        env, context: Handle<Arc<Context>>, _owner: Owner<'l>, server_name: ByteArray<'l>, session: Handle<Session>,
        _session_owner: Owner<'l>,
    ) -> Handle<Connection> {
        // SAFETY: `_owner` keeps the context alive, `_session_owner` the session.
        let context = unsafe { context.share()? };
        // SAFETY: as above.
        let session = if session.is_zero() { None } else { Some(unsafe { session.share()? }) };
        let server_name = server_name.to_vec_or_none(env)?;
        let mut connection = Connection::new(context)?;
        if let Some(name) = server_name {
            connection.set_server_name(&name)?;
        }
        if let Some(session) = session {
            connection.set_session(session)?;
        }
        Ok(Handle::new(connection))
    }

    /// Client, before the handshake: the key of a Channel ID.
    fn tls_set_channel_id_key(env, connection: Handle<Connection>, _owner: Owner<'l>, pkcs8: ByteArray<'l>) -> () {
        let mut key = pkcs8.to_vec(env, "pkcs8")?;
        // SAFETY: `_owner` keeps the connection alive.
        let result = unsafe { connection.borrow() }.map(|mut connection| connection.set_channel_id_key(&key));
        bssl::bytes::cleanse(&mut key);
        Ok(result??)
    }

    fn tls_free(_env, connection: Handle<Connection>) -> () {
        // SAFETY: NativeRef frees once.
        unsafe { connection.free() }
    }

    /// The oldest session that came and was not taken; zero when there is none.
    fn tls_take_session(_env, connection: Handle<Connection>, _owner: Owner<'l>) -> Handle<Session> {
        // SAFETY: `_owner` keeps the connection alive.
        Ok(unsafe { connection.borrow()? }.take_new_session().map(Handle::new).unwrap_or_default())
    }

    /// Lines of the key log since the last call.
    fn tls_take_key_log(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArrays<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        let lines = unsafe { connection.borrow()? }.take_key_log();
        ByteArrays::new(env, &lines)
    }

    /// Where the memory of a direct buffer begins, to be passed beside it; zero if it is none.
    fn tls_buffer_address(env, buffer: Buffer<'l>) -> jlong {
        buffer.address(env, "buffer")
    }

    /// Each range is given by an array, or by a direct buffer when that is null; its address may be zero. Answers a packed
    /// `TlsOutcome`.
    fn tls_wrap(
        env, connection: Handle<Connection>, _owner: Owner<'l>,
        source_array: ByteArray<'l>, source_buffer: Buffer<'l>, source_address: jlong, source_offset: jint,
        source_length: jint, destination_array: ByteArray<'l>, destination_buffer: Buffer<'l>, destination_address: jlong,
        destination_offset: jint, destination_length: jint,
    ) -> jlong {
        // SAFETY: `_owner` keeps the connection alive.
        let mut connection = unsafe { connection.borrow()? };
        let source = (source_array, source_buffer, source_address);
        // SAFETY: `TlsRecords` takes addresses from `tls_buffer_address`, and ranges from the buffers themselves.
        let source = unsafe { Place::at(env, "source", source, source_offset, source_length)? };
        let destination = (destination_array, destination_buffer, destination_address);
        // SAFETY: as above.
        let destination = unsafe { Place::at(env, "destination", destination, destination_offset, destination_length)? };
        // SAFETY: checked ranges of live Java memory.
        with_places(env, &mut connection, source, destination, |c, s, d| unsafe { c.wrap_raw(s, d) }).map(pack)
    }

    /// As `tls_wrap`.
    fn tls_unwrap(
        env, connection: Handle<Connection>, _owner: Owner<'l>,
        source_array: ByteArray<'l>, source_buffer: Buffer<'l>, source_address: jlong, source_offset: jint,
        source_length: jint, destination_array: ByteArray<'l>, destination_buffer: Buffer<'l>, destination_address: jlong,
        destination_offset: jint, destination_length: jint,
    ) -> jlong {
        // SAFETY: `_owner` keeps the connection alive.
        let mut connection = unsafe { connection.borrow()? };
        let source = (source_array, source_buffer, source_address);
        // SAFETY: `TlsRecords` takes addresses from `tls_buffer_address`, and ranges from the buffers themselves.
        let source = unsafe { Place::at(env, "source", source, source_offset, source_length)? };
        let destination = (destination_array, destination_buffer, destination_address);
        // SAFETY: as above.
        let destination = unsafe { Place::at(env, "destination", destination, destination_offset, destination_length)? };
        // SAFETY: checked ranges of live Java memory.
        with_places(env, &mut connection, source, destination, |c, s, d| unsafe { c.unwrap_raw(s, d) }).map(pack)
    }

    /// Takes out what waits to be wrapped; null when nothing does.
    fn tls_take_pending(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        let pending = unsafe { connection.borrow()? }.take_spilled();
        if pending.is_empty() { Ok(ByteArray::default()) } else { ByteArray::new(env, &pending) }
    }

    /// Closes our direction; bytes that wait to be wrapped then.
    fn tls_close_write(_env, connection: Handle<Connection>, _owner: Owner<'l>) -> jint {
        // SAFETY: `_owner` keeps the connection alive.
        let mut connection = unsafe { connection.borrow()? };
        connection.close_write();
        Ok(jint::try_from(connection.spilled()).unwrap_or(jint::MAX))
    }

    fn tls_close_read(_env, connection: Handle<Connection>, _owner: Owner<'l>) -> () {
        // SAFETY: `_owner` keeps the connection alive.
        unsafe { connection.borrow()? }.close_read();
        Ok(())
    }

    /// Kind (bits 8 and up: 0 none, 1 alert received, 2 closed in the handshake, 3 peer, 4 out of memory, 5 internal, 6 ECH rejected) and
    /// alert (low 8 bits; 255 when there is none).
    fn tls_failure(_env, connection: Handle<Connection>, _owner: Owner<'l>) -> jint {
        // SAFETY: `_owner` keeps the connection alive.
        let connection = unsafe { connection.borrow()? };
        let Some(failure) = connection.failure() else { return Ok(255) };
        let kind = match failure.kind {
            FailureKind::AlertReceived => 1,
            FailureKind::ClosedInHandshake => 2,
            FailureKind::Peer => 3,
            FailureKind::OutOfMemory => 4,
            FailureKind::Internal => 5,
            FailureKind::EchRejected => 6,
        };
        Ok((kind << 8) | failure.alert.map_or(255, jint::from))
    }

    /// The failure in words, UTF-8; null when there is none.
    fn tls_failure_text(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        match unsafe { connection.borrow()? }.failure() {
            Some(failure) => ByteArray::new(env, failure.text.as_bytes()),
            None => Ok(ByteArray::default()),
        }
    }

    /// After kind 6: the `ECHConfigList` to try next; empty to try without.
    fn tls_ech_retry_configs(env, connection: Handle<Connection>, _owner: Owner<'l>) -> ByteArray<'l> {
        // SAFETY: `_owner` keeps the connection alive.
        let connection = unsafe { connection.borrow()? };
        ByteArray::new(env, connection.failure().map_or(&[][..], |f| &f.ech_retry_configs))
    }
}
