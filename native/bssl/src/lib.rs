//! Safe BoringSSL for Postscrypt. Knows no JNI; every function answers a [`Result`] and leaves BoringSSL's error queue
//! empty. One module per JCA area, with the same names as on the Java side.

pub mod aead;
pub mod agree;
pub mod boxed;
pub mod bytes;
mod chacha;
pub mod cipher;
pub mod cmac;
#[cfg(feature = "conscrypt")]
pub mod conscrypt;
mod der;
pub mod digest;
mod error;
mod extra;
pub mod hmac;
pub mod hpke;
pub mod kdf;
pub mod key;
pub mod keywrap;
pub mod library;
pub mod mac;
pub mod pq;
pub mod rand;
pub mod rsa;
pub mod sign;
#[cfg(test)]
mod testing;
pub mod tls;
mod wide;

pub use error::{Error, Result};
