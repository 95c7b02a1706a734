//! RSA keys and their bare operations (RFC 8017).

use boring_sys as ffi;

use super::number::{Number, to_java};
use super::pkey::PKey;
use super::{Fault, Result, check, check_ptr, owned};

owned! {
    /// An `RSA` before it becomes part of a key.
    pub(super) Rsa(ffi::RSA), ffi::RSA_free
}

/// An RSA key's numbers as Java's `BigInteger` bytes; what is left out is unknown.
#[derive(Debug, Clone, Copy, Default)]
#[allow(missing_docs, reason = "RFC 8017's names")]
pub struct Numbers<'a> {
    pub n: &'a [u8],
    pub e: Option<&'a [u8]>,
    pub d: Option<&'a [u8]>,
    pub p: Option<&'a [u8]>,
    pub q: Option<&'a [u8]>,
    pub dp: Option<&'a [u8]>,
    pub dq: Option<&'a [u8]>,
    pub qinv: Option<&'a [u8]>,
}

/// A bare operation: which key, and which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Signing.
    PrivateEncrypt,
    /// Decrypting.
    PrivateDecrypt,
    /// Encrypting.
    PublicEncrypt,
    /// Recovering what was signed.
    PublicDecrypt,
}

/// A key around `rsa`.
pub(super) fn key(rsa: &Rsa) -> Result<PKey> {
    // SAFETY: no preconditions; the key counts the RSA.
    unsafe {
        let key = PKey::own(ffi::EVP_PKEY_new())?;
        check(ffi::EVP_PKEY_set1_RSA(key.as_ptr(), rsa.as_ptr()))?;
        Ok(key)
    }
}

fn optional(bytes: Option<&[u8]>) -> Result<Option<Number>> {
    bytes.map(Number::from_java).transpose()
}

impl PKey {
    /// From numbers: public without `d`; with all of them a key with CRT.
    pub fn from_rsa(numbers: &Numbers<'_>) -> Result<Self> {
        let n = Number::from_java(numbers.n)?;
        let (e, d) = (optional(numbers.e)?, optional(numbers.d)?);
        let crt = [numbers.p, numbers.q, numbers.dp, numbers.dq, numbers.qinv];
        let crt = crt.into_iter().map(optional).collect::<Result<Vec<_>>>()?;
        // SAFETY: live numbers, which are copied.
        let rsa = unsafe {
            match (&e, &d, crt.as_slice()) {
                (Some(e), None, _) => ffi::RSA_new_public_key(n.as_ptr(), e.as_ptr()),
                (None, Some(d), _) => ffi::RSA_new_private_key_no_e(n.as_ptr(), d.as_ptr()),
                (Some(e), Some(d), [Some(p), Some(q), Some(dp), Some(dq), Some(qinv)]) => ffi::RSA_new_private_key(
                    n.as_ptr(),
                    e.as_ptr(),
                    d.as_ptr(),
                    p.as_ptr(),
                    q.as_ptr(),
                    dp.as_ptr(),
                    dq.as_ptr(),
                    qinv.as_ptr(),
                ),
                (Some(e), Some(d), _) => ffi::RSA_new_private_key_no_crt(n.as_ptr(), e.as_ptr(), d.as_ptr()),
                (None, None, _) => std::ptr::null_mut(),
            }
        };
        key(&Rsa::own(rsa)?)
    }

    /// A new RSA key; the exponent as Java's `BigInteger` bytes.
    pub fn generate_rsa(bits: i32, exponent: &[u8]) -> Result<Self> {
        let e = Number::from_java(exponent)?;
        // SAFETY: a fresh key, a live number, no callback.
        unsafe {
            let rsa = Rsa::own(ffi::RSA_new())?;
            check(ffi::RSA_generate_key_ex(rsa.as_ptr(), bits, e.as_ptr(), std::ptr::null_mut()))?;
            key(&rsa)
        }
    }

    fn rsa(&self) -> Result<*mut ffi::RSA> {
        // SAFETY: a live key, which keeps its RSA.
        check_ptr(unsafe { ffi::EVP_PKEY_get0_RSA(self.as_ptr()) })
    }

    /// Bytes of the modulus; a fault if it is no RSA key.
    pub fn rsa_size(&self) -> Result<usize> {
        let rsa = self.rsa()?;
        // SAFETY: a live key.
        Ok(usize::try_from(unsafe { ffi::RSA_size(rsa) }).unwrap_or(0))
    }

    /// A bare operation; `None` if it is no RSA key.
    pub fn rsa_crypt(&self, operation: Operation, input: &[u8], padding: i32) -> Option<Result<Vec<u8>>> {
        let rsa = self.rsa().ok()?;
        let run = match operation {
            Operation::PrivateEncrypt => ffi::RSA_private_encrypt,
            Operation::PrivateDecrypt => ffi::RSA_private_decrypt,
            Operation::PublicEncrypt => ffi::RSA_public_encrypt,
            Operation::PublicDecrypt => ffi::RSA_public_decrypt,
        };
        // SAFETY: a live key.
        let size = usize::try_from(unsafe { ffi::RSA_size(rsa) }).unwrap_or(0);
        let mut output = vec![0; size];
        // SAFETY: a live key, a valid slice, and room for a modulus.
        let length = unsafe { run(input.len(), input.as_ptr(), output.as_mut_ptr(), rsa, padding) };
        Some(match usize::try_from(length) {
            Ok(length) => {
                output.truncate(length);
                Ok(output)
            }
            Err(_) => Err(Fault::take()),
        })
    }

    /// n, e, d, p, q, d mod p - 1, d mod q - 1, q⁻¹ mod p as Java's `BigInteger` bytes, as far as known.
    pub fn rsa_numbers(&self) -> Result<[Option<Vec<u8>>; 8]> {
        let rsa = self.rsa()?;
        // SAFETY: a live key; its numbers live as long.
        unsafe {
            Ok([
                to_java(ffi::RSA_get0_n(rsa))?,
                to_java(ffi::RSA_get0_e(rsa))?,
                to_java(ffi::RSA_get0_d(rsa))?,
                to_java(ffi::RSA_get0_p(rsa))?,
                to_java(ffi::RSA_get0_q(rsa))?,
                to_java(ffi::RSA_get0_dmp1(rsa))?,
                to_java(ffi::RSA_get0_dmq1(rsa))?,
                to_java(ffi::RSA_get0_iqmp(rsa))?,
            ])
        }
    }
}
