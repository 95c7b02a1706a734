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

/// Seals `source` as one record of data; answers the record's length. `None`: this is a case for `SSL_write`, and no state
/// changed.
///
/// # Safety
/// `ssl` is alive, `source` readable and `destination` writable for the lengths given. They may overlap.
#[inline]
pub(super) unsafe fn seal(
    ssl: *mut ffi::SSL,
    source: (*const u8, usize),
    destination: (*mut u8, usize),
) -> Option<usize> {
    #[cfg(feature = "fast-records")]
    {
        // SAFETY: promise of the caller.
        let length = unsafe { postscrypt_record_seal(ssl, source.0, source.1, destination.0, destination.1) };
        (length > 0).then_some(length)
    }
    #[cfg(not(feature = "fast-records"))]
    {
        let _ = (ssl, source, destination);
        None
    }
}

/// Opens `record`, one whole record; answers how many bytes of data it held. `None`: this is a case for `SSL_read`, no state
/// changed, and no plaintext is in `destination`.
///
/// # Safety
/// As [`seal`].
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
