//! `EC_GROUP`, `EC_POINT`, EC keys, ECDH and ECDSA.

pub(super) use bssl::conscrypt::ec::Group;

use bssl::conscrypt::ec::Point;
use jni::sys::jint;

use super::error::{Error, Exception, Otherwise};

use super::key::PKey;
use super::slab::{Exclusive, Handle, Managed};
use super::types::{Input, JString, NativeRef, Ref, Secret, optional_secret};
use super::{kinds, natives};
use crate::bytes::{ByteArray, ByteArrays};

impl Managed for Group {
    const TAG: u8 = kinds::EC_GROUP;
    const NAME: &'static str = "group";
}
impl NativeRef for Group {
    const SIGNATURE: &'static str = "Lorg/conscrypt/NativeRef$EC_GROUP;";
}

impl Managed for Exclusive<Point> {
    const TAG: u8 = kinds::EC_POINT;
    const NAME: &'static str = "point";
}
impl NativeRef for Exclusive<Point> {
    const SIGNATURE: &'static str = "Lorg/conscrypt/NativeRef$EC_POINT;";
}

natives! { 'l =>
    /// The curve of a name; 0 for an unknown one.
    fn EC_GROUP_new_by_curve_name(env, name: JString<'l>) -> Handle<Group> {
        let name = name.text(env, "curveName == null")?;
        Group::by_name(&name).map_or_else(|| Ok(Handle::default()), Handle::new)
    }

    /// A curve from its numbers.
    fn EC_GROUP_new_arbitrary(
        env, p: ByteArray<'l>, a: ByteArray<'l>, b: ByteArray<'l>, x: ByteArray<'l>, y: ByteArray<'l>,
        order: ByteArray<'l>, cofactor: jint,
    ) -> Handle<Group> {
        let cofactor = u32::try_from(cofactor).ok().filter(|cofactor| *cofactor > 0);
        let cofactor = cofactor.ok_or_else(|| Error::argument("cofactor < 1"))?;
        let (p, a, b) = (p.to_vec(env, "p == null")?, a.to_vec(env, "a == null")?, b.to_vec(env, "b == null")?);
        let (x, y) = (x.to_vec(env, "x == null")?, y.to_vec(env, "y == null")?);
        let order = order.to_vec(env, "order == null")?;
        Handle::new(Group::arbitrary(&p, &a, &b, &x, &y, &order, cofactor)?)
    }

    /// Frees it.
    fn EC_GROUP_clear_free(_env, group: Handle<Group>) -> () {
        group.free()
    }

    /// Its name; null for a curve without one.
    fn EC_GROUP_get_curve_name(env, group: Ref<'l, Group>) -> JString<'l> {
        let name = group.get(env)?.name();
        name.map_or_else(|| Ok(JString::default()), |name| JString::new(env, &name))
    }

    /// p, a, b.
    fn EC_GROUP_get_curve(env, group: Ref<'l, Group>) -> ByteArrays<'l> {
        let numbers = group.get(env)?.curve()?;
        Ok(ByteArrays::new(env, &numbers)?)
    }

    /// The generator's order.
    fn EC_GROUP_get_order(env, group: Ref<'l, Group>) -> ByteArray<'l> {
        let order = group.get(env)?.order()?;
        Ok(ByteArray::new(env, &order)?)
    }

    /// Bits of the field.
    fn EC_GROUP_get_degree(env, group: Ref<'l, Group>) -> jint {
        match group.get(env)?.degree() {
            0 => Err(Error::new(Exception::Runtime, "not supported")),
            degree => Ok(jint::try_from(degree).unwrap_or(0)),
        }
    }

    /// The cofactor.
    fn EC_GROUP_get_cofactor(env, group: Ref<'l, Group>) -> ByteArray<'l> {
        let cofactor = group.get(env)?.cofactor()?;
        Ok(ByteArray::new(env, &cofactor)?)
    }

    /// A copy of the generator.
    fn EC_GROUP_get_generator(env, group: Ref<'l, Group>) -> Handle<Exclusive<Point>> {
        let generator = group.get(env)?.generator().always(Exception::OutOfMemory, "unable to dupe generator")?;
        Handle::new(Exclusive::new(generator))
    }

    /// A new point.
    fn EC_POINT_new(env, group: Ref<'l, Group>) -> Handle<Exclusive<Point>> {
        let point = group.get(env)?.point().always(Exception::OutOfMemory, "Unable create an EC_POINT")?;
        Handle::new(Exclusive::new(point))
    }

    /// Frees it.
    fn EC_POINT_clear_free(_env, point: Handle<Exclusive<Point>>) -> () {
        point.free()
    }

    /// Sets x and y.
    fn EC_POINT_set_affine_coordinates(
        env, group: Ref<'l, Group>, point: Ref<'l, Exclusive<Point>>, x: ByteArray<'l>, y: ByteArray<'l>,
    ) -> () {
        let (group, mut point) = (group.get(env)?, point.hold(env)?);
        let (x, y) = (x.to_vec(env, "x == null")?, y.to_vec(env, "y == null")?);
        Ok(point.set(&group, &x, &y)?)
    }

    /// x and y.
    fn EC_POINT_get_affine_coordinates(env, group: Ref<'l, Group>, point: Ref<'l, Exclusive<Point>>) -> ByteArrays<'l> {
        let (group, point) = (group.get(env)?, point.hold(env)?);
        let numbers = point.coordinates(&group)?;
        Ok(ByteArrays::new(env, &numbers)?)
    }

    /// A new key.
    fn EC_KEY_generate_key(env, group: Ref<'l, Group>) -> Handle<PKey> {
        Handle::new(group.get(env)?.generate_key()?)
    }

    /// A key from its parts.
    fn EVP_PKEY_new_EC_KEY(
        env, group: Ref<'l, Group>, public: Ref<'l, Exclusive<Point>>, private: ByteArray<'l>,
    ) -> Handle<PKey> {
        let group = group.get(env)?;
        let public = if public.is_null() { None } else { Some(public.hold(env)?) };
        let private = optional_secret(env, private)?;
        Handle::new(group.key(public.as_deref(), private.as_deref())?)
    }

    /// A key's group.
    fn EC_KEY_get1_group(env, key: Ref<'l, PKey>) -> Handle<Group> {
        let key = key.get(env)?;
        if !key.is_ec() {
            return Err(Error::new(Exception::Runtime, "not EC key"));
        }
        Handle::new(key.ec_group()?)
    }

    /// A key's private number.
    fn EC_KEY_get_private_key(env, key: Ref<'l, PKey>) -> ByteArray<'l> {
        let number = key.get(env)?.ec_private()?.ok_or_else(|| Error::null("privkey"))?;
        Ok(ByteArray::new(env, &Secret(number))?)
    }

    /// A key's public point.
    fn EC_KEY_get_public_key(env, key: Ref<'l, PKey>) -> Handle<Exclusive<Point>> {
        Handle::new(Exclusive::new(key.get(env)?.ec_public()?))
    }

    /// The DER OID of a curve.
    fn EC_KEY_marshal_curve_name(env, group: Ref<'l, Group>) -> ByteArray<'l> {
        let group = group.get(env).map_err(|error| match error {
            Error::Pending => error,
            _ => Error::new(Exception::Io, "Invalid group pointer"),
        })?;
        let der = group.to_der().always(Exception::Io, "Error writing ASN.1 encoding")?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// The curve of a DER OID.
    fn EC_KEY_parse_curve_name(env, der: ByteArray<'l>) -> Handle<Group> {
        if der.is_null() {
            return Err(Error::new(Exception::Io, "Null EC curve name"));
        }
        let der = der.to_vec(env, "curveNameBytes == null")?;
        Handle::new(Group::from_der(&der).always(Exception::Io, "Error reading ASN.1 encoding")?)
    }

    /// The shared secret; answers its length.
    fn ECDH_compute_key(
        env, output: ByteArray<'l>, offset: jint, public: Ref<'l, PKey>, private: Ref<'l, PKey>,
    ) -> jint {
        let (public, private) = (public.get(env)?, private.get(env)?);
        let length = output.len(env, "outArray == null")?;
        let room = output.slice(env, "outArray", offset, length.checked_sub(offset).unwrap_or(-1))?;
        let secret = Secret(private.ecdh(&public, room.len()).otherwise(Exception::InvalidKey)?);
        room.write(env, &secret)?;
        Ok(jint::try_from(secret.len()).unwrap_or(0))
    }

    /// The longest signature, in bytes.
    fn ECDSA_size(env, key: Ref<'l, PKey>) -> jint {
        let size = key.get(env)?.ecdsa_size().always(Exception::Runtime, "ECDSA_size failed")?;
        Ok(jint::try_from(size).unwrap_or(0))
    }

    /// Signs a digest; answers the signature's length, -1 for another kind of key.
    fn ECDSA_sign(env, data: ByteArray<'l>, length: jint, signature: ByteArray<'l>, key: Ref<'l, PKey>) -> jint {
        let key = key.get(env)?;
        let mut data = Input::of(env, "dataLen", data, 0, length)?;
        signature.len(env, "sig == null")?;
        let Some(signed) = key.ecdsa_sign(data.bytes()) else { return Ok(-1) };
        let signed = signed?;
        let length = jint::try_from(signed.len()).unwrap_or(0);
        signature.slice(env, "sig", 0, length)?.write(env, &signed)?;
        Ok(length)
    }

    /// 1 for a right signature of a digest, 0 for a wrong one, -1 for another kind of key.
    fn ECDSA_verify(env, data: ByteArray<'l>, length: jint, signature: ByteArray<'l>, key: Ref<'l, PKey>) -> jint {
        let key = key.get(env)?;
        let mut data = Input::of(env, "dataLen", data, 0, length)?;
        let mut signature = Input::all(env, "sig == null", signature)?;
        let Some(right) = key.ecdsa_verify(data.bytes(), signature.bytes()) else { return Ok(-1) };
        Ok(right?.into())
    }
}
