//! Records of data without a detour: see `shim/record.cc`.

use boring_sys as ffi;

#[cfg(feature = "fast-records")]
unsafe extern "C" {
    fn postscrypt_record_seal(
        ssl: *mut ffi::SSL,
        source: *const u8,
        length: usize,
        destination: *mut u8,
        capacity: usize,
    ) -> usize;
    fn postscrypt_record_open(
        ssl: *mut ffi::SSL,
        record: *const u8,
        length: usize,
        destination: *mut u8,
        capacity: usize,
    ) -> usize;
}

/// What became of a record that was to be sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "fast-records"), allow(dead_code, reason = "without the shim nothing is sealed here"))]
pub(super) enum Sealed {
    /// It is so many bytes long.
    Done(usize),
    /// This is a case for `SSL_write`, and nothing changed.
    NotDone,
    /// The cipher refused, and the source, which was to be sealed in place, is gone.
    Lost,
}

/// Seals `source` as one record of data; in place, where the source lies where the record's content goes.
///
/// # Safety
/// `ssl` is alive, `source` readable and `destination` writable for the lengths given. They may overlap.
#[inline]
pub(super) unsafe fn seal(ssl: *mut ffi::SSL, source: (*const u8, usize), destination: (*mut u8, usize)) -> Sealed {
    #[cfg(feature = "fast-records")]
    {
        // SAFETY: promise of the caller.
        match unsafe { postscrypt_record_seal(ssl, source.0, source.1, destination.0, destination.1) } {
            0 => Sealed::NotDone,
            usize::MAX => Sealed::Lost,
            length => Sealed::Done(length),
        }
    }
    #[cfg(not(feature = "fast-records"))]
    {
        let _ = (ssl, source, destination);
        Sealed::NotDone
    }
}

/// Opens `record`, one whole record; answers how many bytes of data it held. `None`: this is a case for `SSL_read`, no state
/// changed, and no plaintext is in `destination`.
///
/// # Safety
/// `ssl` is alive, `record` readable and `destination` writable for the lengths given. They may overlap.
#[inline]
pub(super) unsafe fn open(
    ssl: *mut ffi::SSL,
    record: (*const u8, usize),
    destination: (*mut u8, usize),
) -> Option<usize> {
    #[cfg(feature = "fast-records")]
    {
        // SAFETY: promise of the caller.
        let length = unsafe { postscrypt_record_open(ssl, record.0, record.1, destination.0, destination.1) };
        (length > 0).then_some(length)
    }
    #[cfg(not(feature = "fast-records"))]
    {
        let _ = (ssl, record, destination);
        None
    }
}
