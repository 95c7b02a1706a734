//! Safe BoringSSL for Postscrypt. Knows no JNI; every function answers a [`Result`] and leaves BoringSSL's error queue
//! empty. One module per JCA area, with the same names as on the Java side.

pub mod aead;
pub mod agree;
pub mod bytes;
pub mod digest;
mod error;
pub mod hmac;
pub mod key;
pub mod library;
pub mod rand;
pub mod rsa;
pub mod sign;
#[cfg(test)]
mod testing;
pub mod tls;

pub use error::{Error, Result};

/// Overwrites `bytes` with zeros, in a way that the compiler cannot leave out.
pub fn cleanse(bytes: &mut [u8]) {
    // SAFETY: a valid slice.
    unsafe { boring_sys::OPENSSL_cleanse(bytes.as_mut_ptr().cast(), bytes.len()) };
}
