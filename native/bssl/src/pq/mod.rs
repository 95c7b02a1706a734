//! Keys of the post-quantum algorithms and of the key encapsulation mechanisms: ML-KEM (FIPS 203), ML-DSA (FIPS 204),
//! SLH-DSA (FIPS 205), X-Wing, and X25519 and P-256 as far as DHKEM (RFC 9180) needs them.
//!
//! Keys are immutable and shared by any number of threads; a private key can be destroyed, after which every use of it
//! answers [`Error::State`](crate::Error::State).

mod algorithm;
mod encoding;
mod evp;
mod key;
mod mldsa;
mod mlkem;
mod sign;
mod slhdsa;

pub use algorithm::Algorithm;
pub(crate) use key::Kem;
pub use key::{Form, PrivateKey, PublicKey};
pub use sign::{MAX_CONTEXT, Signer, Verifier};
