//! The kinds of handles, each with its number: see [`super::slab`].

pub(crate) const EVP_PKEY: u8 = 1;
pub(crate) const EVP_PKEY_CTX: u8 = 2;
/// The `EVP_PKEY_CTX` inside an `EVP_MD_CTX`: a part of that.
pub(crate) const EVP_PKEY_CTX_OF_MD_CTX: u8 = 3;
pub(crate) const EVP_MD_CTX: u8 = 4;
pub(crate) const EVP_MD: u8 = 5;
pub(crate) const EVP_CIPHER: u8 = 6;
pub(crate) const EVP_CIPHER_CTX: u8 = 7;
pub(crate) const EVP_AEAD: u8 = 8;
pub(crate) const HMAC_CTX: u8 = 9;
pub(crate) const CMAC_CTX: u8 = 10;
pub(crate) const EVP_HPKE_CTX: u8 = 11;
pub(crate) const EC_GROUP: u8 = 12;
pub(crate) const EC_POINT: u8 = 13;
pub(crate) const BIO: u8 = 14;
pub(crate) const X509: u8 = 15;
pub(crate) const X509_CRL: u8 = 16;
pub(crate) const X509_REVOKED: u8 = 17;
pub(crate) const X509_EXTENSION: u8 = 18;
/// Times: parts of what has them.
pub(crate) const NOT_BEFORE: u8 = 19;
pub(crate) const NOT_AFTER: u8 = 20;
pub(crate) const LAST_UPDATE: u8 = 21;
pub(crate) const NEXT_UPDATE: u8 = 22;
pub(crate) const REVOCATION_DATE: u8 = 23;
pub(crate) const ASN1_READER: u8 = 24;
pub(crate) const ASN1_WRITER: u8 = 25;
pub(crate) const SSL: u8 = 40;
pub(crate) const SSL_CTX: u8 = 41;
pub(crate) const SSL_SESSION: u8 = 42;
pub(crate) const SSL_ECH_KEYS: u8 = 43;
/// BoringSSL's table of cipher suites, by IANA number.
pub(crate) const SSL_CIPHER: u8 = 44;
