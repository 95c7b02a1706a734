//! Curves, points and EC keys (SEC 1), ECDH and ECDSA.

use std::ffi::{CStr, CString};

use boring_sys as ffi;

use super::number::{Number, to_java};
use super::pkey::PKey;
use super::{Fault, Library, Result, check, check_ptr, clear, owned, reason, with_cbb};

owned! {
    /// An `EC_GROUP`: immutable.
    pub Group(ffi::EC_GROUP), ffi::EC_GROUP_free
}

// SAFETY: nothing changes a group after construction.
unsafe impl Sync for Group {}

owned! {
    /// An `EC_POINT`, which knows its group.
    pub Point(ffi::EC_POINT), ffi::EC_POINT_free
}

owned! {
    /// An `EC_KEY` before it becomes part of a key.
    pub(super) EcKey(ffi::EC_KEY), ffi::EC_KEY_free
}

/// Java's `BigInteger` bytes.
type JavaNumber = Vec<u8>;

/// What must be there, as Java's bytes.
fn java(number: &Number) -> Result<JavaNumber> {
    // SAFETY: a live number.
    unsafe { to_java(number.as_ptr()) }?.ok_or_else(Fault::silent)
}

impl Group {
    /// The curve of this short name (`prime256v1`); `None` if there is none.
    pub fn by_name(name: &str) -> Option<Self> {
        let name = CString::new(name).ok()?;
        // SAFETY: a C string; any NID may be asked for.
        let group = unsafe { ffi::EC_GROUP_new_by_curve_name(ffi::OBJ_sn2nid(name.as_ptr())) };
        clear();
        Self::own(group).ok()
    }

    /// y² = x³ + ax + b over GF(p) with a generator (x, y) of this order. Numbers as Java's `BigInteger` bytes.
    pub fn arbitrary(p: &[u8], a: &[u8], b: &[u8], x: &[u8], y: &[u8], order: &[u8], cofactor: u32) -> Result<Self> {
        let (p, a, b) = (Number::from_java(p)?, Number::from_java(a)?, Number::from_java(b)?);
        let (x, y, order) = (Number::from_java(x)?, Number::from_java(y)?, Number::from_java(order)?);
        let one = Number::zero()?;
        // SAFETY: live numbers and, once made, a live group and point.
        unsafe {
            check(ffi::BN_set_u64(one.as_ptr(), cofactor.into()))?;
            let null = std::ptr::null_mut();
            let group = Self::own(ffi::EC_GROUP_new_curve_GFp(p.as_ptr(), a.as_ptr(), b.as_ptr(), null))?;
            let generator = Point::own(ffi::EC_POINT_new(group.0))?;
            check(ffi::EC_POINT_set_affine_coordinates_GFp(group.0, generator.0, x.as_ptr(), y.as_ptr(), null))?;
            check(ffi::EC_GROUP_set_generator(group.0, generator.0, order.as_ptr(), one.as_ptr()))?;
            Ok(group)
        }
    }

    /// From the DER OID of a curve, and nothing after it.
    pub fn from_der(der: &[u8]) -> Result<Self> {
        let mut cbs = super::cbs(der);
        // SAFETY: a CBS over a valid slice.
        let group = Self::own(unsafe { ffi::EC_KEY_parse_curve_name(&raw mut cbs) })?;
        if cbs.len == 0 { Ok(group) } else { Err(Fault::silent()) }
    }

    /// The DER OID.
    pub fn to_der(&self) -> Result<Vec<u8>> {
        // SAFETY: a live CBB and group.
        with_cbb(|cbb| unsafe { ffi::EC_KEY_marshal_curve_name(cbb, self.0) == 1 })
    }

    /// The short name of a known curve.
    pub fn name(&self) -> Option<String> {
        // SAFETY: a live group; short names are static.
        unsafe {
            let nid = ffi::EC_GROUP_get_curve_name(self.0);
            if nid == ffi::NID_undef {
                return None;
            }
            let name = ffi::OBJ_nid2sn(nid);
            if name.is_null() { None } else { Some(CStr::from_ptr(name).to_string_lossy().into_owned()) }
        }
    }

    /// p, a and b.
    pub fn curve(&self) -> Result<[JavaNumber; 3]> {
        let (p, a, b) = (Number::zero()?, Number::zero()?, Number::zero()?);
        // SAFETY: a live group and numbers.
        check(unsafe {
            ffi::EC_GROUP_get_curve_GFp(self.0, p.as_ptr(), a.as_ptr(), b.as_ptr(), std::ptr::null_mut())
        })?;
        Ok([java(&p)?, java(&a)?, java(&b)?])
    }

    /// The generator's order.
    pub fn order(&self) -> Result<JavaNumber> {
        let order = Number::zero()?;
        // SAFETY: a live group and number.
        check(unsafe { ffi::EC_GROUP_get_order(self.0, order.as_ptr(), std::ptr::null_mut()) })?;
        java(&order)
    }

    /// The cofactor.
    pub fn cofactor(&self) -> Result<JavaNumber> {
        let cofactor = Number::zero()?;
        // SAFETY: a live group and number.
        check(unsafe { ffi::EC_GROUP_get_cofactor(self.0, cofactor.as_ptr(), std::ptr::null_mut()) })?;
        java(&cofactor)
    }

    /// Bits of the field.
    pub fn degree(&self) -> u32 {
        // SAFETY: a live group.
        unsafe { ffi::EC_GROUP_get_degree(self.0) }
    }

    /// A copy of the generator.
    pub fn generator(&self) -> Result<Point> {
        // SAFETY: a live group, whose generator is null or live.
        unsafe {
            let generator = ffi::EC_GROUP_get0_generator(self.0);
            if generator.is_null() {
                return Err(Fault::silent());
            }
            Point::own(ffi::EC_POINT_dup(generator, self.0))
        }
    }

    /// The point at infinity.
    pub fn point(&self) -> Result<Point> {
        // SAFETY: a live group.
        Point::own(unsafe { ffi::EC_POINT_new(self.0) })
    }

    /// A new key.
    pub fn generate_key(&self) -> Result<PKey> {
        // SAFETY: a fresh key, a live group.
        unsafe {
            let key = EcKey::own(ffi::EC_KEY_new())?;
            check(ffi::EC_KEY_set_group(key.0, self.0))?;
            check(ffi::EC_KEY_generate_key(key.0))?;
            wrap(&key)
        }
    }

    /// A key from a public point, a private number (Java's `BigInteger` bytes), or both, which are checked. A missing public point is
    /// computed.
    pub fn key(&self, public: Option<&Point>, private: Option<&[u8]>) -> Result<PKey> {
        let private = private.map(Number::from_java).transpose()?;
        // SAFETY: a fresh key, live objects.
        unsafe {
            let key = EcKey::own(ffi::EC_KEY_new())?;
            check(ffi::EC_KEY_set_group(key.0, self.0))?;
            if let Some(public) = public {
                check(ffi::EC_KEY_set_public_key(key.0, public.0))?;
            }
            if let Some(private) = &private {
                check(ffi::EC_KEY_set_private_key(key.0, private.as_ptr()))?;
                if public.is_none() {
                    let computed = self.point()?;
                    check(ffi::EC_POINT_mul(
                        self.0,
                        computed.0,
                        private.as_ptr(),
                        std::ptr::null(),
                        std::ptr::null(),
                        std::ptr::null_mut(),
                    ))?;
                    check(ffi::EC_KEY_set_public_key(key.0, computed.0))?;
                }
            }
            check(ffi::EC_KEY_check_key(key.0))?;
            wrap(&key)
        }
    }
}

/// A key around `key`.
pub(super) fn wrap(key: &EcKey) -> Result<PKey> {
    // SAFETY: no preconditions; the key counts the EC key.
    unsafe {
        let pkey = PKey::own(ffi::EVP_PKEY_new())?;
        check(ffi::EVP_PKEY_set1_EC_KEY(pkey.as_ptr(), key.0))?;
        Ok(pkey)
    }
}

impl Point {
    /// Becomes (x, y), which must be on the curve.
    pub fn set(&mut self, group: &Group, x: &[u8], y: &[u8]) -> Result<()> {
        let (x, y) = (Number::from_java(x)?, Number::from_java(y)?);
        // SAFETY: live objects; a point of another group is refused.
        check(unsafe {
            ffi::EC_POINT_set_affine_coordinates_GFp(group.0, self.0, x.as_ptr(), y.as_ptr(), std::ptr::null_mut())
        })
    }

    /// x and y.
    pub fn coordinates(&self, group: &Group) -> Result<[JavaNumber; 2]> {
        let (x, y) = (Number::zero()?, Number::zero()?);
        // SAFETY: live objects; a point of another group is refused.
        check(unsafe {
            ffi::EC_POINT_get_affine_coordinates_GFp(group.0, self.0, x.as_ptr(), y.as_ptr(), std::ptr::null_mut())
        })?;
        Ok([java(&x)?, java(&y)?])
    }
}

impl PKey {
    fn ec(&self) -> Result<*mut ffi::EC_KEY> {
        // SAFETY: a live key, which keeps its EC key.
        check_ptr(unsafe { ffi::EVP_PKEY_get0_EC_KEY(self.as_ptr()) })
    }

    /// Whether it is an EC key.
    pub fn is_ec(&self) -> bool {
        self.id() == ffi::EVP_PKEY_EC
    }

    /// Its group.
    pub fn ec_group(&self) -> Result<Group> {
        let key = self.ec()?;
        // SAFETY: a live key, whose group is null or live.
        unsafe { Group::own(ffi::EC_GROUP_dup(ffi::EC_KEY_get0_group(key))) }
    }

    /// Its private number; `None` if it is not there.
    pub fn ec_private(&self) -> Result<Option<JavaNumber>> {
        let key = self.ec()?;
        // SAFETY: a live key; its number lives as long.
        unsafe { to_java(ffi::EC_KEY_get0_private_key(key)) }
    }

    /// A copy of its public point.
    pub fn ec_public(&self) -> Result<Point> {
        let key = self.ec()?;
        // SAFETY: a live key, whose point and group are null or live.
        unsafe {
            let point = ffi::EC_KEY_get0_public_key(key);
            if point.is_null() {
                return Err(Fault::silent());
            }
            Point::own(ffi::EC_POINT_dup(point, ffi::EC_KEY_get0_group(key)))
        }
    }

    /// The x coordinate that both parties share, at most `room` bytes of it.
    pub fn ecdh(&self, peer: &Self, room: usize) -> Result<Vec<u8>> {
        const LONGEST: usize = 66;
        let (peer, private) = (peer.ec()?, self.ec()?);
        let mut out = vec![0; room.min(LONGEST)];
        // SAFETY: live keys, whose point is null or live; a valid slice.
        unsafe {
            let point = ffi::EC_KEY_get0_public_key(peer);
            if point.is_null() {
                return Err(Fault::silent());
            }
            let length = ffi::ECDH_compute_key(out.as_mut_ptr().cast(), out.len(), point, private, None);
            out.truncate(usize::try_from(length).map_err(|_| Fault::take())?);
        }
        Ok(out)
    }

    /// The longest signature, in bytes.
    pub fn ecdsa_size(&self) -> Result<usize> {
        let key = self.ec()?;
        // SAFETY: a live key.
        Ok(unsafe { ffi::ECDSA_size(key) })
    }

    /// The signature of a digest; `None` if it is no EC key.
    pub fn ecdsa_sign(&self, digest: &[u8]) -> Option<Result<Vec<u8>>> {
        let key = self.ec().ok()?;
        // SAFETY: a live key.
        let mut signature = vec![0; unsafe { ffi::ECDSA_size(key) }];
        let mut length = 0;
        // SAFETY: a live key, a valid slice, and room for its longest signature.
        let result = check(unsafe {
            ffi::ECDSA_sign(0, digest.as_ptr(), digest.len(), signature.as_mut_ptr(), &raw mut length, key)
        });
        Some(result.map(|()| {
            signature.truncate(usize::try_from(length).unwrap_or(0));
            signature
        }))
    }

    /// Whether the signature of a digest is right; `None` if it is no EC key.
    pub fn ecdsa_verify(&self, digest: &[u8], signature: &[u8]) -> Option<Result<bool>> {
        let key = self.ec().ok()?;
        // SAFETY: a live key, valid slices.
        let result =
            unsafe { ffi::ECDSA_verify(0, digest.as_ptr(), digest.len(), signature.as_ptr(), signature.len(), key) };
        if result == 1 {
            return Some(Ok(true));
        }
        let fault = Fault::take();
        let wrong = fault.last().is_none_or(|entry| entry.is(Library::Ecdsa, reason::ECDSA_BAD_SIGNATURE));
        Some(if wrong { Ok(false) } else { Err(fault) })
    }
}
