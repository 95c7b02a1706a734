//! Keys on the NIST curves (SEC 1, RFC 5480, RFC 5915).

use boring_sys as ffi;

use super::der::{self, SecretVec};
use super::{Kind, number};
use crate::error::{Error, Result, check, check_ptr};

/// An `EC_KEY`, immutable.
pub(crate) struct Ec(*mut ffi::EC_KEY);

// SAFETY: nothing changes a key after construction.
unsafe impl Send for Ec {}
// SAFETY: as above.
unsafe impl Sync for Ec {}

impl Drop for Ec {
    fn drop(&mut self) {
        // SAFETY: owned.
        unsafe { ffi::EC_KEY_free(self.0) };
    }
}

const BAD_PUBLIC: Error = Error::Key("not a point on the curve");
const BAD_PRIVATE: Error =
    Error::Key("not an EC private key: malformed, of another curve, out of range, or not its public point's");

fn bad(error: Error, bad: Error) -> Error {
    if error == Error::OutOfMemory { error } else { bad }
}

impl Ec {
    fn new(kind: Kind) -> Result<Self> {
        // SAFETY: no preconditions; a static group.
        unsafe {
            let key = Self(check_ptr(ffi::EC_KEY_new())?);
            check(ffi::EC_KEY_set_group(key.0, group(kind)?))?;
            Ok(key)
        }
    }

    /// From an encoded point (SEC 1 section 2.3.3), uncompressed or compressed.
    pub(super) fn public(kind: Kind, point: &[u8]) -> Result<Self> {
        let key = Self::new(kind)?;
        // SAFETY: a live key with a group; a valid slice.
        check(unsafe { ffi::EC_KEY_oct2key(key.0, point.as_ptr(), point.len(), std::ptr::null_mut()) })
            .map_err(|error| bad(error, BAD_PUBLIC))?;
        Ok(key)
    }

    /// From a DER ECPrivateKey (RFC 5915) without or with parameters, which must be this curve's.
    pub(super) fn private_from_der(kind: Kind, der: &[u8]) -> Result<Self> {
        let mut cbs = ffi::CBS { data: der.as_ptr(), len: der.len() };
        // SAFETY: the CBS covers the slice; a static group.
        let key = check_ptr(unsafe { ffi::EC_KEY_parse_private_key(&raw mut cbs, group(kind)?) })
            .map_err(|error| bad(error, BAD_PRIVATE))?;
        let key = Self(key);
        if cbs.len != 0 {
            return Err(BAD_PRIVATE);
        }
        // SAFETY: a live key that nobody else has yet; encodings do not depend on where it came from.
        unsafe { ffi::EC_KEY_set_conv_form(key.0, ffi::point_conversion_form_t::POINT_CONVERSION_UNCOMPRESSED) };
        Ok(key)
    }

    /// From a private number, big-endian with any number of leading zeros.
    pub(super) fn private(kind: Kind, scalar: &[u8]) -> Result<Self> {
        let octets = SecretVec(der::element(der::OCTET_STRING, &[scalar]));
        let sec1 = SecretVec(der::element(der::SEQUENCE, &[&der::integer(&[1]), &octets.0]));
        Self::private_from_der(kind, &sec1.0)
    }

    pub(super) fn generate(kind: Kind) -> Result<Self> {
        let key = Self::new(kind)?;
        // SAFETY: a live key with a group.
        check(unsafe { ffi::EC_KEY_generate_key(key.0) })?;
        Ok(key)
    }

    pub(super) fn public_half(&self, kind: Kind) -> Result<Self> {
        let key = Self::new(kind)?;
        // SAFETY: live keys of one group; the point is copied.
        check(unsafe { ffi::EC_KEY_set_public_key(key.0, ffi::EC_KEY_get0_public_key(self.0)) })?;
        Ok(key)
    }

    pub(crate) fn as_ptr(&self) -> *mut ffi::EC_KEY {
        self.0
    }

    /// The uncompressed point.
    pub(super) fn point(&self) -> Result<Vec<u8>> {
        let mut point = vec![0; 1 + 2 * 66];
        // SAFETY: a live key with a public point; a valid slice.
        let length = unsafe {
            ffi::EC_POINT_point2oct(
                ffi::EC_KEY_get0_group(self.0),
                ffi::EC_KEY_get0_public_key(self.0),
                ffi::point_conversion_form_t::POINT_CONVERSION_UNCOMPRESSED,
                point.as_mut_ptr(),
                point.len(),
                std::ptr::null_mut(),
            )
        };
        if length == 0 {
            return Err(Error::take());
        }
        point.truncate(length);
        Ok(point)
    }

    /// The private number, big-endian.
    pub(super) fn scalar(&self) -> Result<SecretVec> {
        // SAFETY: a live key; null if it has no private half.
        unsafe { number::bytes(ffi::EC_KEY_get0_private_key(self.0)) }
    }

    /// The DER ECPrivateKey with the public point and without parameters.
    pub(super) fn private_der(&self) -> Result<SecretVec> {
        let mut length = 0;
        let mut out = std::ptr::null_mut();
        // SAFETY: the CBB is initialised before and cleaned up behind its use; the bytes are copied, zeroed and freed.
        unsafe {
            let mut cbb = std::mem::MaybeUninit::uninit();
            ffi::CBB_zero(cbb.as_mut_ptr());
            let mut cbb = cbb.assume_init();
            let flags = u32::try_from(ffi::EC_PKEY_NO_PARAMETERS).unwrap_or(1);
            let made = ffi::CBB_init(&raw mut cbb, 256) == 1
                && ffi::EC_KEY_marshal_private_key(&raw mut cbb, self.0, flags) == 1
                && ffi::CBB_finish(&raw mut cbb, &raw mut out, &raw mut length) == 1;
            if !made {
                ffi::CBB_cleanup(&raw mut cbb);
                return Err(Error::take());
            }
            let copy = SecretVec(std::slice::from_raw_parts(out, length).to_vec());
            ffi::OPENSSL_cleanse(out.cast(), length);
            ffi::OPENSSL_free(out.cast());
            Ok(copy)
        }
    }
}

fn group(kind: Kind) -> Result<*const ffi::EC_GROUP> {
    // SAFETY: no preconditions; each answers a static group.
    unsafe {
        Ok(match kind {
            Kind::P224 => ffi::EC_group_p224(),
            Kind::P256 => ffi::EC_group_p256(),
            Kind::P384 => ffi::EC_group_p384(),
            Kind::P521 => ffi::EC_group_p521(),
            _ => return Err(Error::Argument("not a NIST curve")),
        })
    }
}
