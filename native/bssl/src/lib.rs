//! Safe BoringSSL for Postscrypt. Knows no JNI; every function answers a [`Result`] and leaves BoringSSL's error queue
//! empty. One module per JCA area, with the same names as on the Java side.

mod error;
pub mod library;

pub use error::{Error, Result};
