//! AES key wrap: KW (RFC 3394, SP 800-38F section 6.2) and KWP (RFC 5649, SP 800-38F section 6.3).

use boring_sys as ffi;

use crate::error::{Error, Result, check};

const INTEGRITY: Error =
    Error::BlockSize("integrity check failed: the wrapped data were changed, or this is not their key");

/// An AES key schedule, zeroed when dropped.
struct Schedule(Box<ffi::AES_KEY>);

impl Schedule {
    fn new(key: &[u8], encrypt: bool) -> Result<Self> {
        let bits = match key.len() {
            16 => 128,
            24 => 192,
            32 => 256,
            _ => return Err(Error::Key("AES keys have 16, 24 or 32 bytes")),
        };
        // SAFETY: plain integers, for which zero is a value.
        let mut schedule = Self(Box::new(unsafe { std::mem::zeroed() }));
        // SAFETY: the key has as many bits.
        let result = unsafe {
            if encrypt {
                ffi::AES_set_encrypt_key(key.as_ptr(), bits, &raw mut *schedule.0)
            } else {
                ffi::AES_set_decrypt_key(key.as_ptr(), bits, &raw mut *schedule.0)
            }
        };
        if result == 0 { Ok(schedule) } else { Err(Error::Key("AES key").after_clear()) }
    }
}

impl Drop for Schedule {
    fn drop(&mut self) {
        // SAFETY: our own memory.
        unsafe { ffi::OPENSSL_cleanse((&raw mut *self.0).cast(), size_of::<ffi::AES_KEY>()) }
    }
}

fn room(length: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| Error::OutOfMemory)?;
    bytes.resize(length, 0);
    Ok(bytes)
}

fn iv_pointer(iv: Option<&[u8]>) -> Result<*const u8> {
    match iv {
        None => Ok(std::ptr::null()),
        Some(iv) if iv.len() == 8 => Ok(iv.as_ptr()),
        Some(_) => Err(Error::Parameter("the initial value of AES key wrap has 8 bytes")),
    }
}

/// Wraps `data`, at least 16 bytes and a multiple of 8, which become 8 bytes longer. `iv`: 8 bytes, or the standard's.
pub fn wrap(key: &[u8], iv: Option<&[u8]>, data: &[u8]) -> Result<Vec<u8>> {
    let iv = iv_pointer(iv)?;
    if data.len() < 16 || !data.len().is_multiple_of(8) || data.len() > MAX {
        return Err(Error::BlockSize("data to wrap have at least 16 bytes and a multiple of 8"));
    }
    let schedule = Schedule::new(key, true)?;
    let mut out = room(data.len() + 8)?;
    // SAFETY: a key for encryption; null or 8 bytes; room for 8 bytes more than come in.
    let written = unsafe { ffi::AES_wrap_key(&raw const *schedule.0, iv, out.as_mut_ptr(), data.as_ptr(), data.len()) };
    if usize::try_from(written) == Ok(out.len()) { Ok(out) } else { Err(Error::take()) }
}

/// Undoes [`wrap`]; [`Error::BlockSize`] if the integrity check fails.
pub fn unwrap(key: &[u8], iv: Option<&[u8]>, data: &[u8]) -> Result<Vec<u8>> {
    let iv = iv_pointer(iv)?;
    if data.len() < 24 || !data.len().is_multiple_of(8) || data.len() > MAX {
        return Err(Error::BlockSize("wrapped data have at least 24 bytes and a multiple of 8"));
    }
    let schedule = Schedule::new(key, false)?;
    let mut out = room(data.len() - 8)?;
    // SAFETY: a key for decryption; null or 8 bytes; room for 8 bytes less than come in.
    let written =
        unsafe { ffi::AES_unwrap_key(&raw const *schedule.0, iv, out.as_mut_ptr(), data.as_ptr(), data.len()) };
    if usize::try_from(written) == Ok(out.len()) {
        return Ok(out);
    }
    crate::bytes::cleanse(&mut out);
    Err(INTEGRITY.after_clear())
}

/// BoringSSL counts in `int`.
const MAX: usize = 0x7fff_fff0;

/// Wraps `data`, at least one byte, with padding: the length goes up to a multiple of 8, and 8 more.
pub fn wrap_padded(key: &[u8], data: &[u8]) -> Result<Vec<u8>> {
    if data.is_empty() || data.len() > MAX {
        return Err(Error::BlockSize("data to wrap have at least one byte"));
    }
    let schedule = Schedule::new(key, true)?;
    let mut out = room(data.len().next_multiple_of(8) + 8)?;
    let mut written = 0;
    // SAFETY: a key for encryption; `out` is as long as said.
    check(unsafe {
        ffi::AES_wrap_key_padded(
            &raw const *schedule.0,
            out.as_mut_ptr(),
            &raw mut written,
            out.len(),
            data.as_ptr(),
            data.len(),
        )
    })?;
    out.truncate(written);
    Ok(out)
}

/// Undoes [`wrap_padded`]; [`Error::BlockSize`] if the integrity check fails.
pub fn unwrap_padded(key: &[u8], data: &[u8]) -> Result<Vec<u8>> {
    if data.len() < 16 || !data.len().is_multiple_of(8) || data.len() > MAX {
        return Err(Error::BlockSize("wrapped data have at least 16 bytes and a multiple of 8"));
    }
    let schedule = Schedule::new(key, false)?;
    let mut out = room(data.len())?;
    let mut written = 0;
    // SAFETY: a key for decryption; `out` is as long as said.
    let result = unsafe {
        ffi::AES_unwrap_key_padded(
            &raw const *schedule.0,
            out.as_mut_ptr(),
            &raw mut written,
            out.len(),
            data.as_ptr(),
            data.len(),
        )
    };
    if result != 1 {
        crate::bytes::cleanse(&mut out);
        return Err(INTEGRITY.after_clear());
    }
    out.truncate(written);
    Ok(out)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::testing::{hex, to_hex};

    /// RFC 3394 section 4.1 and 4.6; RFC 5649 section 6.
    #[test]
    fn known_answers() {
        for (key, data, wrapped) in [
            (
                "000102030405060708090a0b0c0d0e0f",
                "00112233445566778899aabbccddeeff",
                "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5",
            ),
            (
                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                "00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f",
                "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21",
            ),
        ] {
            assert_eq!(to_hex(&wrap(&hex(key), None, &hex(data)).unwrap()), wrapped);
            assert_eq!(to_hex(&unwrap(&hex(key), None, &hex(wrapped)).unwrap()), data);
            assert_eq!(unwrap(&hex(key), Some(&[0; 8]), &hex(wrapped)), Err(INTEGRITY));
            let other = wrap(&hex(key), Some(&[9; 8]), &hex(data)).unwrap();
            assert_eq!(to_hex(&unwrap(&hex(key), Some(&[9; 8]), &other).unwrap()), data);
        }
        let key = hex("5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8");
        for (data, wrapped) in [
            ("466f7250617369", "afbeb0f07dfbf5419200f2ccb50bb24f"),
            (
                "c37b7e6492584340bed12207808941155068f738",
                "138bdeaa9b8fa7fc61f97742e72248ee5ae6ae5360d1ae6a5f54f373fa543b6a",
            ),
        ] {
            assert_eq!(to_hex(&wrap_padded(&key, &hex(data)).unwrap()), wrapped);
            assert_eq!(to_hex(&unwrap_padded(&key, &hex(wrapped)).unwrap()), data);
        }
    }

    #[test]
    fn misuse_is_an_error() {
        for length in [0, 8, 15, 17] {
            assert!(matches!(wrap(&[0; 16], None, &vec![0; length]), Err(Error::BlockSize(_))));
        }
        for length in [0, 8, 16, 25] {
            assert!(matches!(unwrap(&[0; 16], None, &vec![0; length]), Err(Error::BlockSize(_))));
            assert!(matches!(unwrap_padded(&[0; 16], &vec![0; length]), Err(Error::BlockSize(_))));
        }
        assert!(matches!(wrap_padded(&[0; 16], &[]), Err(Error::BlockSize(_))));
        assert!(matches!(wrap(&[0; 15], None, &[0; 16]), Err(Error::Key(_))));
        assert!(matches!(wrap(&[0; 16], Some(&[0; 7]), &[0; 16]), Err(Error::Parameter(_))));
    }
}
