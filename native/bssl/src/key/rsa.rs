//! RSA keys (RFC 8017).

use boring_sys as ffi;

use super::der::{self, Reader, SecretVec};
use super::number::{self, Number};
use crate::error::{Error, Result, check, check_ptr};

/// An `RSA`: immutable, its private operations lock what they compute once.
pub(crate) struct Rsa(*mut ffi::RSA);

// SAFETY: nothing changes a key after construction but caches that BoringSSL locks.
unsafe impl Send for Rsa {}
// SAFETY: as above.
unsafe impl Sync for Rsa {}

impl Drop for Rsa {
    fn drop(&mut self) {
        // SAFETY: owned.
        unsafe { ffi::RSA_free(self.0) };
    }
}

const BAD_PUBLIC: Error = Error::Key("not an RSA public key: modulus 512 to 16384 bits, exponent odd, 2 to 33 bits");
const BAD_PRIVATE: Error = Error::Key("not an RSA private key, or its numbers do not belong together");

/// A null pointer is a bad key, unless memory was short.
fn key<T>(pointer: *mut T, bad: Error) -> Result<*mut T> {
    check_ptr(pointer).map_err(|error| if error == Error::OutOfMemory { error } else { bad })
}

/// The numbers of a private key, big-endian.
#[derive(Debug, Clone, Copy)]
pub struct PrivateNumbers<'a> {
    /// The modulus.
    pub n: &'a [u8],
    /// The public exponent; empty if unknown.
    pub e: &'a [u8],
    /// The private exponent.
    pub d: &'a [u8],
    /// p, q, d mod p - 1, d mod q - 1 and the inverse of q mod p.
    pub crt: Option<[&'a [u8]; 5]>,
}

impl Rsa {
    pub(super) fn public(n: &[u8], e: &[u8]) -> Result<Self> {
        let (n, e) = (Number::new(n)?, Number::new(e)?);
        // SAFETY: live numbers, which are copied.
        key(unsafe { ffi::RSA_new_public_key(n.as_ptr(), e.as_ptr()) }, BAD_PUBLIC).map(Self)
    }

    /// From a DER RSAPublicKey.
    pub(super) fn public_from_der(der: &[u8]) -> Result<Self> {
        // SAFETY: a valid slice.
        key(unsafe { ffi::RSA_public_key_from_bytes(der.as_ptr(), der.len()) }, BAD_PUBLIC).map(Self)
    }

    pub(super) fn private(numbers: &PrivateNumbers<'_>) -> Result<Self> {
        if der::significant(numbers.d).is_empty() {
            return Err(BAD_PRIVATE);
        }
        let (n, d) = (Number::new(numbers.n)?, Number::new(numbers.d)?);
        let Some([p, q, dp, dq, qinv]) = numbers.crt else {
            return Self::without_primes(&n, numbers.e, &d);
        };
        let e = Number::new(numbers.e)?;
        let (p, q, dp, dq, qinv) =
            (Number::new(p)?, Number::new(q)?, Number::new(dp)?, Number::new(dq)?, Number::new(qinv)?);
        // SAFETY: live numbers, which are copied; an inconsistent key is refused.
        key(
            unsafe {
                ffi::RSA_new_private_key(
                    n.as_ptr(),
                    e.as_ptr(),
                    d.as_ptr(),
                    p.as_ptr(),
                    q.as_ptr(),
                    dp.as_ptr(),
                    dq.as_ptr(),
                    qinv.as_ptr(),
                )
            },
            BAD_PRIVATE,
        )
        .map(Self)
    }

    /// Where the public exponent is missing too, the usual ones are tried: with it BoringSSL checks every result, which
    /// is its guard against faults.
    fn without_primes(n: &Number, e: &[u8], d: &Number) -> Result<Self> {
        const USUAL: [&[u8]; 3] = [&[1, 0, 1], &[3], &[17]];
        let given = [e];
        for e in if e.is_empty() { &USUAL[..] } else { &given[..] } {
            let e = Number::new(e)?;
            // SAFETY: live numbers, which are copied.
            let rsa = key(unsafe { ffi::RSA_new_private_key_no_crt(n.as_ptr(), e.as_ptr(), d.as_ptr()) }, BAD_PRIVATE)?;
            let rsa = Self(rsa);
            if rsa.works()? {
                return Ok(rsa);
            }
        }
        if !e.is_empty() {
            return Err(BAD_PRIVATE);
        }
        // SAFETY: live numbers, which are copied.
        key(unsafe { ffi::RSA_new_private_key_no_e(n.as_ptr(), d.as_ptr()) }, BAD_PRIVATE).map(Self)
    }

    /// Whether the private exponent undoes the public one, by an example.
    fn works(&self) -> Result<bool> {
        let mut block = vec![0; self.size()];
        if let Some(last) = block.last_mut() {
            *last = 2;
        }
        let mut out = vec![0; self.size()];
        match self.sign_raw(&block, &mut out, ffi::RSA_NO_PADDING) {
            Ok(_) => Ok(true),
            Err(Error::OutOfMemory) => Err(Error::OutOfMemory),
            Err(_) => Ok(false),
        }
    }

    /// From a DER RSAPrivateKey of two primes. Zeros for what is unknown are accepted: that is how providers write keys
    /// of which they know only modulus and private exponent.
    pub(super) fn private_from_der(der: &[u8]) -> Result<Self> {
        let mut all = Reader::new(der);
        let mut numbers: [&[u8]; 9] = [&[]; 9];
        let parsed = all.sequence().filter(|_| all.is_empty()).and_then(|mut inside| {
            for number in &mut numbers {
                *number = inside.unsigned()?;
            }
            inside.is_empty().then_some(())
        });
        let [version, n, e, d, p, q, dp, dq, qinv] = numbers;
        if parsed.is_none() || !version.is_empty() {
            return Err(BAD_PRIVATE);
        }
        let crt = [p, q, dp, dq, qinv];
        let crt = if e.is_empty() || crt.iter().any(|number| number.is_empty()) { None } else { Some(crt) };
        Self::private(&PrivateNumbers { n, e, d, crt })
    }

    pub(super) fn generate(bits: i32, exponent: &[u8]) -> Result<Self> {
        let e = Number::new(exponent)?;
        // SAFETY: no preconditions.
        let rsa = Self(check_ptr(unsafe { ffi::RSA_new() })?);
        // SAFETY: a fresh key; no callback.
        let made = unsafe { ffi::RSA_generate_key_ex(rsa.0, bits, e.as_ptr(), std::ptr::null_mut()) };
        check(made).map_err(|error| match error {
            Error::OutOfMemory => error,
            _ => Error::Parameter("no RSA key of this size and public exponent can be made"),
        })?;
        Ok(rsa)
    }

    pub(super) fn public_half(&self) -> Result<Self> {
        // SAFETY: a live key; its numbers are copied, a null exponent is refused before.
        unsafe {
            let (n, e) = (ffi::RSA_get0_n(self.0), ffi::RSA_get0_e(self.0));
            if e.is_null() {
                return Err(Error::Key("the public exponent of the RSA key is unknown"));
            }
            key(ffi::RSA_new_public_key(n, e), BAD_PUBLIC).map(Self)
        }
    }

    pub(super) fn has_primes(&self) -> bool {
        // SAFETY: a live key.
        !unsafe { ffi::RSA_get0_p(self.0) }.is_null()
    }

    pub(crate) fn as_ptr(&self) -> *mut ffi::RSA {
        self.0
    }

    /// Length of the modulus, in bytes.
    pub(crate) fn size(&self) -> usize {
        // SAFETY: a live key.
        usize::try_from(unsafe { ffi::RSA_size(self.0) }).unwrap_or(0)
    }

    /// The private operation on a padded block (`RSA_sign_raw`); `out` has room for the modulus.
    pub(crate) fn sign_raw(&self, input: &[u8], out: &mut [u8], padding: i32) -> Result<usize> {
        let mut length = 0;
        // SAFETY: a live key and valid slices.
        check(unsafe {
            ffi::RSA_sign_raw(
                self.0,
                &raw mut length,
                out.as_mut_ptr(),
                out.len(),
                input.as_ptr(),
                input.len(),
                padding,
            )
        })?;
        Ok(length)
    }

    /// n, e; for a private key also d and, if known, the five CRT numbers. Big-endian; an unknown e is empty.
    pub(super) fn numbers(&self, private: bool) -> Result<Vec<SecretVec>> {
        // SAFETY: a live key; its numbers live as long.
        unsafe {
            let mut all = vec![number::bytes(ffi::RSA_get0_n(self.0))?, number::bytes(ffi::RSA_get0_e(self.0))?];
            if private {
                all.push(number::bytes(ffi::RSA_get0_d(self.0))?);
                if !ffi::RSA_get0_p(self.0).is_null() {
                    for number in [
                        ffi::RSA_get0_p(self.0),
                        ffi::RSA_get0_q(self.0),
                        ffi::RSA_get0_dmp1(self.0),
                        ffi::RSA_get0_dmq1(self.0),
                        ffi::RSA_get0_iqmp(self.0),
                    ] {
                        all.push(number::bytes(number)?);
                    }
                }
            }
            Ok(all)
        }
    }

    /// The DER RSAPublicKey.
    pub(super) fn public_der(&self) -> Result<Vec<u8>> {
        let parts: Vec<_> = self.numbers(false)?.iter().map(|number| der::integer(&number.0)).collect();
        let parts: Vec<_> = parts.iter().map(Vec::as_slice).collect();
        Ok(der::element(der::SEQUENCE, &parts))
    }

    /// The DER RSAPrivateKey, zeros for what is unknown.
    pub(super) fn private_der(&self) -> Result<SecretVec> {
        let mut parts = vec![SecretVec(der::integer(&[]))];
        for number in self.numbers(true)? {
            parts.push(SecretVec(der::integer(&number.0)));
        }
        while parts.len() < 9 {
            parts.push(SecretVec(der::integer(&[])));
        }
        let parts: Vec<_> = parts.iter().map(|part| part.0.as_slice()).collect();
        Ok(SecretVec(der::element(der::SEQUENCE, &parts)))
    }
}
