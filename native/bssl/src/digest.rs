//! Message digests: MD5 (RFC 1321), SHA-1 and SHA-2 (FIPS 180-4), SHA-3 (FIPS 202), BLAKE2b-256 (RFC 7693).

use boring_sys as ffi;

use crate::bytes::FromTo;
use crate::error::{Error, Result, check, check_ptr};

/// The longest digest, in bytes.
pub const MAX_LENGTH: usize = 64;

/// A hash function. The numbers cross to Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Algorithm {
    /// MD5, RFC 1321: 16 bytes.
    Md5 = 0,
    /// SHA-1: 20 bytes.
    Sha1 = 1,
    /// SHA-224: 28 bytes.
    Sha224 = 2,
    /// SHA-256: 32 bytes.
    Sha256 = 3,
    /// SHA-384: 48 bytes.
    Sha384 = 4,
    /// SHA-512: 64 bytes.
    Sha512 = 5,
    /// SHA-512/256: 32 bytes.
    Sha512_256 = 6,
    /// SHA3-256: 32 bytes.
    Sha3_256 = 7,
    /// SHA3-384: 48 bytes.
    Sha3_384 = 8,
    /// SHA3-512: 64 bytes.
    Sha3_512 = 9,
    /// BLAKE2b without a key: 32 bytes.
    Blake2b256 = 10,
}

impl Algorithm {
    /// All of them, each at the index of its number.
    pub const ALL: [Self; 11] = [
        Self::Md5,
        Self::Sha1,
        Self::Sha224,
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Sha512_256,
        Self::Sha3_256,
        Self::Sha3_384,
        Self::Sha3_512,
        Self::Blake2b256,
    ];

    /// The algorithm with this number.
    pub fn from_number(number: i32) -> Result<Self> {
        usize::try_from(number)
            .ok()
            .and_then(|index| Self::ALL.get(index).copied())
            .ok_or(Error::Argument("no such digest algorithm"))
    }

    /// Length of the digest, in bytes.
    pub fn length(self) -> usize {
        match self {
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha224 => 28,
            Self::Sha256 | Self::Sha512_256 | Self::Sha3_256 | Self::Blake2b256 => 32,
            Self::Sha384 | Self::Sha3_384 => 48,
            Self::Sha512 | Self::Sha3_512 => 64,
        }
    }

    pub(crate) fn md(self) -> *const ffi::EVP_MD {
        // SAFETY: no preconditions; each answers a static table.
        unsafe {
            match self {
                Self::Md5 => ffi::EVP_md5(),
                Self::Sha1 => ffi::EVP_sha1(),
                Self::Sha224 => ffi::EVP_sha224(),
                Self::Sha256 => ffi::EVP_sha256(),
                Self::Sha384 => ffi::EVP_sha384(),
                Self::Sha512 => ffi::EVP_sha512(),
                Self::Sha512_256 => ffi::EVP_sha512_256(),
                Self::Sha3_256 => ffi::EVP_sha3_256(),
                Self::Sha3_384 => ffi::EVP_sha3_384(),
                Self::Sha3_512 => ffi::EVP_sha3_512(),
                Self::Blake2b256 => ffi::EVP_blake2b256(),
            }
        }
    }
}

/// The first `length` bytes of `out`, or [`Error::ShortBuffer`].
pub(crate) fn prefix(out: &mut [u8], length: usize) -> Result<&mut [u8]> {
    let available = out.len();
    out.get_mut(..length).ok_or(Error::ShortBuffer { needed: length, available })
}

/// The digest of `data` in one step, written to the start of `out`; answers its length in bytes.
pub fn one_shot(algorithm: Algorithm, data: &[u8], out: &mut [u8]) -> Result<usize> {
    one_shot_to(algorithm, &FromTo::separate(data, out))
}

/// As [`one_shot`], straight to where the digest is wanted, which may be the input's memory too.
pub fn one_shot_to(algorithm: Algorithm, data: &FromTo<'_>) -> Result<usize> {
    let length = algorithm.length();
    let (input, size, output, available) = data.parts();
    if available < length {
        return Err(Error::ShortBuffer { needed: length, available });
    }
    // SAFETY: the input is `size` bytes and the output has room for this algorithm's digest (promise of `FromTo`'s constructors),
    // which is written when all was read; the length pointer may be null. The functions of their own cannot fail, and take 17 ns less
    // than `EVP_Digest`, which copies and clears a context for any digest.
    unsafe {
        match algorithm {
            Algorithm::Sha1 => ffi::SHA1(input, size, output),
            Algorithm::Sha224 => ffi::SHA224(input, size, output),
            Algorithm::Sha256 => ffi::SHA256(input, size, output),
            Algorithm::Sha384 => ffi::SHA384(input, size, output),
            Algorithm::Sha512 => ffi::SHA512(input, size, output),
            Algorithm::Sha512_256 => ffi::SHA512_256(input, size, output),
            Algorithm::Md5
            | Algorithm::Sha3_256
            | Algorithm::Sha3_384
            | Algorithm::Sha3_512
            | Algorithm::Blake2b256 => {
                let (none, engine) = (std::ptr::null_mut(), std::ptr::null_mut());
                check(ffi::EVP_Digest(input.cast(), size, output, none, algorithm.md(), engine))?;
                return Ok(length);
            }
        }
    };
    Ok(length)
}

/// A digest being computed (`EVP_MD_CTX`). Its state is zeroed when dropped.
pub struct Digest {
    context: *mut ffi::EVP_MD_CTX,
    algorithm: Algorithm,
    /// Whether there may be a message.
    begun: bool,
}

// SAFETY: the context belongs to no thread; `&mut` guards every change.
unsafe impl Send for Digest {}

impl Digest {
    /// An empty message.
    pub fn new(algorithm: Algorithm) -> Result<Self> {
        // SAFETY: no preconditions.
        let context = check_ptr(unsafe { ffi::EVP_MD_CTX_new() })?;
        let mut digest = Self { context, algorithm, begun: false };
        digest.reset()?;
        Ok(digest)
    }

    /// Which hash function this is.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// An independent copy of the state so far.
    pub fn try_clone(&self) -> Result<Self> {
        // SAFETY: no preconditions.
        let context = check_ptr(unsafe { ffi::EVP_MD_CTX_new() })?;
        let copy = Self { context, algorithm: self.algorithm, begun: self.begun };
        // SAFETY: both are live contexts.
        check(unsafe { ffi::EVP_MD_CTX_copy_ex(copy.context, self.context) })?;
        Ok(copy)
    }

    /// Back to the empty message.
    pub fn reset(&mut self) -> Result<()> {
        // SAFETY: a live context.
        check(unsafe { ffi::EVP_DigestInit_ex(self.context, self.algorithm.md(), std::ptr::null_mut()) })?;
        self.begun = false;
        Ok(())
    }

    /// Makes sure that the message is empty; costs nothing if it is.
    pub fn start(&mut self) -> Result<()> {
        if self.begun { self.reset() } else { Ok(()) }
    }

    /// Appends `data` to the message.
    pub fn update(&mut self, data: &[u8]) -> Result<()> {
        self.begun = true;
        // SAFETY: a live, initialised context.
        check(unsafe { ffi::EVP_DigestUpdate(self.context, data.as_ptr().cast(), data.len()) })
    }

    /// Writes the digest to the start of `out` and goes back to the empty message; answers the length in bytes.
    pub fn finish(&mut self, out: &mut [u8]) -> Result<usize> {
        let out = prefix(out, self.algorithm.length())?;
        self.begun = true;
        // SAFETY: a live, initialised context; `out` has room for its digest.
        check(unsafe { ffi::EVP_DigestFinal_ex(self.context, out.as_mut_ptr(), std::ptr::null_mut()) })?;
        self.reset()?;
        Ok(out.len())
    }
}

impl Drop for Digest {
    fn drop(&mut self) {
        // SAFETY: owned and live; zeroed, then freed once.
        unsafe {
            ffi::EVP_MD_CTX_cleanse(self.context);
            ffi::EVP_MD_CTX_free(self.context);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::testing::{hex, to_hex};

    fn digest(algorithm: Algorithm, data: &[u8]) -> String {
        let mut out = [0; MAX_LENGTH];
        let length = one_shot(algorithm, data, &mut out).unwrap();
        to_hex(&out[..length])
    }

    /// RFC 1321 appendix A.5; FIPS 180-2/180-4 and 202 examples; BLAKE2b-256 as `b2sum -l 256` says.
    const KNOWN: &[(Algorithm, &str, &str)] = &[
        (Algorithm::Md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
        (Algorithm::Md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (Algorithm::Md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (Algorithm::Sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            Algorithm::Sha1,
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
        ),
        (Algorithm::Sha224, "abc", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
        (Algorithm::Sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            Algorithm::Sha384,
            "abc",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
        ),
        (
            Algorithm::Sha512,
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd\
             454d4423643ce80e2a9ac94fa54ca49f",
        ),
        (Algorithm::Sha3_256, "abc", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
        (
            Algorithm::Sha3_384,
            "abc",
            "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25",
        ),
        (
            Algorithm::Sha3_512,
            "abc",
            "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e39340\
             57340b4cf408d5a56592f8274eec53f0",
        ),
        (Algorithm::Blake2b256, "abc", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"),
        (Algorithm::Sha512_256, "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
    ];

    #[test]
    fn known_answers() {
        for (algorithm, message, expected) in KNOWN {
            assert_eq!(&digest(*algorithm, message.as_bytes()), expected, "{algorithm:?}");
        }
    }

    #[test]
    fn pieces_clone_and_reset_agree_with_one_shot() {
        let message: Vec<u8> = (0..=255).collect();
        for algorithm in Algorithm::ALL {
            let expected = hex(&digest(algorithm, &message));
            let mut context = Digest::new(algorithm).unwrap();
            let mut out = [0; MAX_LENGTH];
            for split in 0..=message.len() {
                context.update(&message[..split]).unwrap();
                let mut copy = context.try_clone().unwrap();
                context.update(b"elsewhere").unwrap();
                context.start().unwrap();
                context.update(b"elsewhere").unwrap();
                context.reset().unwrap();
                copy.update(&message[split..]).unwrap();
                assert_eq!(copy.finish(&mut out).unwrap(), algorithm.length());
                assert_eq!(&out[..algorithm.length()], expected);
                // `finish` went back to the empty message.
                copy.update(&message).unwrap();
                copy.finish(&mut out).unwrap();
                assert_eq!(&out[..algorithm.length()], expected);
            }
        }
    }

    #[test]
    fn short_output_changes_nothing() {
        let mut context = Digest::new(Algorithm::Sha256).unwrap();
        context.update(b"abc").unwrap();
        let mut short = [7; 31];
        assert_eq!(context.finish(&mut short), Err(Error::ShortBuffer { needed: 32, available: 31 }));
        assert_eq!(short, [7; 31]);
        let mut out = [0; 32];
        context.finish(&mut out).unwrap();
        assert_eq!(to_hex(&out), digest(Algorithm::Sha256, b"abc"));
    }

    #[test]
    fn numbers() {
        for (number, algorithm) in (0..).zip(Algorithm::ALL) {
            assert_eq!(Algorithm::from_number(number), Ok(algorithm));
        }
        assert!(Algorithm::from_number(-1).is_err());
        assert!(Algorithm::from_number(11).is_err());
    }
}
