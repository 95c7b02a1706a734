//! Java's `BigInteger` bytes (two's complement, big-endian) and `BIGNUM`.

use boring_sys as ffi;

use super::{Fault, Result, owned};

owned! {
    /// A number; zeroed when dropped.
    pub Number(ffi::BIGNUM), ffi::BN_clear_free
}

impl Number {
    /// Zero.
    pub(crate) fn zero() -> Result<Self> {
        // SAFETY: no preconditions.
        Self::own(unsafe { ffi::BN_new() })
    }

    /// From two's complement; no bytes are zero.
    pub fn from_java(bytes: &[u8]) -> Result<Self> {
        let negative = bytes.first().is_some_and(|first| first & 0x80 != 0);
        let mut magnitude = bytes.to_vec();
        if negative {
            negate(&mut magnitude);
        }
        // SAFETY: a valid slice; a new number.
        let number = Self::own(unsafe { ffi::BN_bin2bn(magnitude.as_ptr(), magnitude.len(), std::ptr::null_mut()) });
        crate::bytes::cleanse(&mut magnitude);
        let number = number?;
        // SAFETY: a live number.
        unsafe { ffi::BN_set_negative(number.as_ptr(), negative.into()) };
        Ok(number)
    }
}

/// Two's complement with room for a sign: one byte more than the magnitude, as Conscrypt's Java always got it.
///
/// # Safety
/// `number` is null, for which there is nothing, or live.
pub(crate) unsafe fn to_java(number: *const ffi::BIGNUM) -> Result<Option<Vec<u8>>> {
    if number.is_null() {
        return Ok(None);
    }
    // SAFETY: a live number; the padded function writes exactly the length that it is told.
    unsafe {
        let length = usize::try_from(ffi::BN_num_bytes(number)).map_err(|_| Fault::silent())? + 1;
        let mut bytes = vec![0; length];
        if ffi::BN_bn2bin_padded(bytes.as_mut_ptr(), length, number) != 1 {
            return Err(Fault::take());
        }
        if ffi::BN_is_negative(number) == 1 {
            negate(&mut bytes);
            if let Some(sign) = bytes.first_mut() {
                *sign |= 0x80;
            }
        }
        Ok(Some(bytes))
    }
}

/// The two's complement of as many bytes.
fn negate(bytes: &mut [u8]) {
    let mut carry = true;
    for byte in bytes.iter_mut().rev() {
        let (negated, carried) = (!*byte).overflowing_add(carry.into());
        *byte = negated;
        carry = carried;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        for (java, back) in [
            (&[][..], &[0][..]),
            (&[0], &[0]),
            (&[1], &[0, 1]),
            (&[0, 0x80], &[0, 0x80]),
            (&[0xff], &[0xff, 0xff]),
            (&[0x80], &[0xff, 0x80]),
            (&[0xff, 0], &[0xff, 0xff, 0]),
        ] {
            let number = Number::from_java(java).unwrap();
            // SAFETY: a live number.
            assert_eq!(unsafe { to_java(number.as_ptr()) }.unwrap().unwrap(), back, "{java:?}");
        }
    }
}
