//! Key derivation: HKDF (RFC 5869), PBKDF2 (RFC 8018 section 5.2) and scrypt (RFC 7914).

use boring_sys as ffi;

use crate::digest::{Algorithm, MAX_LENGTH};
use crate::error::{Error, Result, check};

/// HKDF-Extract: the pseudorandom key of `secret` and `salt` (both may be empty), as long as the digest, written to the
/// start of `out`; answers its length in bytes.
pub fn hkdf_extract(algorithm: Algorithm, secret: &[u8], salt: &[u8], out: &mut [u8; MAX_LENGTH]) -> Result<usize> {
    let mut length = 0;
    // SAFETY: `out` has room for any digest.
    check(unsafe {
        ffi::HKDF_extract(
            out.as_mut_ptr(),
            &raw mut length,
            algorithm.md(),
            secret.as_ptr(),
            secret.len(),
            salt.as_ptr(),
            salt.len(),
        )
    })?;
    Ok(length)
}

/// HKDF-Expand: fills `out`, at most 255 digests long ([`Error::Argument`]).
pub fn hkdf_expand(algorithm: Algorithm, key: &[u8], info: &[u8], out: &mut [u8]) -> Result<()> {
    if out.len() > 255 * algorithm.length() {
        return Err(Error::Argument("HKDF answers at most 255 times the digest's length"));
    }
    // SAFETY: slices with their lengths.
    check(unsafe {
        ffi::HKDF_expand(
            out.as_mut_ptr(),
            out.len(),
            algorithm.md(),
            key.as_ptr(),
            key.len(),
            info.as_ptr(),
            info.len(),
        )
    })
}

/// PBKDF2 with HMAC: fills `out`. At least one iteration ([`Error::Argument`]).
pub fn pbkdf2(algorithm: Algorithm, password: &[u8], salt: &[u8], iterations: u32, out: &mut [u8]) -> Result<()> {
    if iterations == 0 {
        return Err(Error::Argument("PBKDF2 takes at least one iteration"));
    }
    // SAFETY: slices with their lengths.
    check(unsafe {
        ffi::PKCS5_PBKDF2_HMAC(
            password.as_ptr().cast(),
            password.len(),
            salt.as_ptr(),
            salt.len(),
            iterations,
            algorithm.md(),
            out.len(),
            out.as_mut_ptr(),
        )
    })
}

/// The cost of scrypt, checked against RFC 7914 section 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScryptCost {
    n: u64,
    r: u64,
    p: u64,
}

impl ScryptCost {
    /// `n` (CPU and memory): a power of two above 1 and below 2^(16 `r`), at most 2^32 as BoringSSL has it; `r` (block
    /// size) and `p` (parallelisation) positive with `r * p` below 2^30. Memory needed: about `128 * r * (n + p)`
    /// bytes.
    pub fn new(n: u64, r: u64, p: u64) -> Result<Self> {
        let fits = n > 1 && n.is_power_of_two() && n <= 1 << 32 && (r >= 4 || n < 1 << (16 * r));
        let product = r.checked_mul(p).is_some_and(|product| product > 0 && product < 1 << 30);
        if fits && product {
            Ok(Self { n, r, p })
        } else {
            Err(Error::Argument("not an scrypt cost: n is a power of two below 2^(16 r), r * p is below 2^30"))
        }
    }
}

/// scrypt: fills `out`. [`Error::OutOfMemory`] if the cost asks for more memory than there is.
pub fn scrypt(password: &[u8], salt: &[u8], cost: ScryptCost, out: &mut [u8]) -> Result<()> {
    // SAFETY: slices with their lengths.
    let result = unsafe {
        ffi::EVP_PBE_scrypt(
            password.as_ptr().cast(),
            password.len(),
            salt.as_ptr(),
            salt.len(),
            cost.n,
            cost.r,
            cost.p,
            usize::MAX >> 1,
            out.as_mut_ptr(),
            out.len(),
        )
    };
    // With the cost checked, nothing but memory is left to fail.
    if result == 1 { Ok(()) } else { Err(Error::OutOfMemory.after_clear()) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::testing::{hex, to_hex};

    /// RFC 5869 test cases 1 and 3.
    #[test]
    fn hkdf() {
        for (salt, info, key, expected) in [
            (
                "000102030405060708090a0b0c",
                "f0f1f2f3f4f5f6f7f8f9",
                "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
            ),
            (
                "",
                "",
                "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
            ),
        ] {
            let (mut extracted, mut out) = ([0; MAX_LENGTH], [0; 42]);
            assert_eq!(hkdf_extract(Algorithm::Sha256, &[0x0b; 22], &hex(salt), &mut extracted), Ok(32));
            assert_eq!(to_hex(&extracted[..32]), key);
            hkdf_expand(Algorithm::Sha256, &extracted[..32], &hex(info), &mut out).unwrap();
            assert_eq!(to_hex(&out), expected);
        }
        assert!(hkdf_expand(Algorithm::Sha256, &[1], &[], &mut vec![0; 255 * 32]).is_ok());
        let mut long = vec![0; 255 * 32 + 1];
        assert!(matches!(hkdf_expand(Algorithm::Sha256, &[1], &[], &mut long), Err(Error::Argument(_))));
    }

    /// RFC 6070, and RFC 7914 section 11.
    #[test]
    fn pbkdf2_known_answers() {
        let mut out = [0; 20];
        pbkdf2(Algorithm::Sha1, b"password", b"salt", 4096, &mut out).unwrap();
        assert_eq!(to_hex(&out), "4b007901b765489abead49d926f721d065a429c1");
        let mut out = [0; 16];
        pbkdf2(Algorithm::Sha256, b"passwd", b"salt", 1, &mut out).unwrap();
        assert_eq!(to_hex(&out), "55ac046e56e3089fec1691c22544b605");
        assert!(matches!(pbkdf2(Algorithm::Sha256, b"", b"", 0, &mut out), Err(Error::Argument(_))));
        pbkdf2(Algorithm::Sha256, b"", b"", 1, &mut []).unwrap();
    }

    /// RFC 7914 section 12.
    #[test]
    fn scrypt_known_answers() {
        for (password, salt, (n, r, p), expected) in [
            ("", "", (16, 1, 1), "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"),
            ("password", "NaCl", (1024, 8, 16), "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"),
        ] {
            let mut out = [0; 32];
            let cost = ScryptCost::new(n, r, p).unwrap();
            scrypt(password.as_bytes(), salt.as_bytes(), cost, &mut out).unwrap();
            assert_eq!(to_hex(&out), expected);
        }
        for (n, r, p) in [(0, 1, 1), (1, 1, 1), (3, 1, 1), (1 << 16, 1, 1), (1 << 33, 8, 1), (16, 0, 1), (16, 1, 0)] {
            assert!(ScryptCost::new(n, r, p).is_err(), "{n} {r} {p}");
        }
        assert!(ScryptCost::new(16, 1 << 15, 1 << 15).is_err());
        assert!(ScryptCost::new(16, u64::MAX, u64::MAX).is_err());
        assert!(ScryptCost::new(1 << 15, 1, 1).is_ok());
    }
}
