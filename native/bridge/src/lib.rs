//! The JNI bridge of Postscrypt. Every native converts its arguments, calls one function of [`bssl`] and converts the
//! result back; no cryptography is done here.
//!
//! Reading order: [`natives`] (one module per area, the table of natives) → [`boundary`] (what every native passes
//! through) → [`handle`] and [`bytes`] (the only places that turn Java values into Rust memory). Beside them stands
//! [`foreign`]: a few of the natives once more, as C functions for `java.lang.foreign`.

#![deny(unsafe_code)]

#[cfg(not(panic = "unwind"))]
compile_error!("a panic must become a Java exception, never the end of the JVM: build with panic = \"unwind\"");

mod boundary;
mod bytes;
#[cfg(feature = "conscrypt-abi")]
mod conscrypt;
mod error;
mod foreign;
mod handle;
mod natives;
mod onload;
