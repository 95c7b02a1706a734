//! `X509_CRL` and `X509_REVOKED`.

use boring_sys as ffi;

use super::asn1::{self, Calendar, Oid};
use super::number::Number;
use super::pkey::PKey;
use super::x509::{Extension, X509, algorithm_oid, integer, oids, parameters, signature_bytes, value};
use super::{Fault, Result, check, clear, encode, owned, parse, print};

owned! {
    /// An `X509_CRL`: immutable, its caches are locked by BoringSSL.
    pub Crl(ffi::X509_CRL), ffi::X509_CRL_free
}

// SAFETY: see above.
unsafe impl Sync for Crl {}

owned! {
    /// An entry of a CRL, of its own.
    pub Revoked(ffi::X509_REVOKED), ffi::X509_REVOKED_free
}

// SAFETY: never changed.
unsafe impl Sync for Revoked {}

owned! {
    /// An `ASN1_INTEGER`.
    pub(super) Integer(ffi::ASN1_INTEGER), ffi::ASN1_INTEGER_free
}

/// Something inside an object: its address tells it apart from others there, and it can be copied.
#[derive(Debug)]
pub struct Part<T> {
    /// The same for the same part.
    pub identity: usize,
    /// A copy of it.
    pub copy: T,
}

/// A copy of an extension, if there is one.
///
/// # Safety
/// `extension` is null or live.
unsafe fn extension(extension: *mut ffi::X509_EXTENSION) -> Result<Option<Part<Extension>>> {
    if extension.is_null() {
        return Ok(None);
    }
    // SAFETY: live.
    let copy = Extension::own(unsafe { ffi::X509_EXTENSION_dup(extension) })?;
    Ok(Some(Part { identity: extension.addr(), copy }))
}

impl Crl {
    /// From the first element of a stream, whose bytes these are.
    pub fn from_stream(der: &[u8]) -> Result<Self> {
        // SAFETY: a live BIO.
        parse(der, |bio| Self::own(unsafe { ffi::d2i_X509_CRL_bio(bio, std::ptr::null_mut()) }))
    }

    /// The first CRL of PEM text.
    pub fn from_pem(text: &[u8]) -> Result<Self> {
        parse(text, |bio| {
            // SAFETY: a live BIO; no password callback data.
            Self::own(unsafe { ffi::PEM_read_bio_X509_CRL(bio, std::ptr::null_mut(), None, std::ptr::null_mut()) })
        })
    }

    /// Takes one more reference of a CRL that C owns.
    ///
    /// # Safety
    /// `pointer` is live.
    pub(super) unsafe fn shared(pointer: *mut ffi::X509_CRL) -> Result<Self> {
        // SAFETY: promise of the caller.
        unsafe { ffi::X509_CRL_up_ref(pointer) };
        Self::own(pointer)
    }

    /// The DER.
    pub fn to_der(&self) -> Result<Vec<u8>> {
        // SAFETY: a live CRL.
        unsafe { encode(|out| ffi::i2d_X509_CRL(self.0, out)) }
    }

    /// The TBSCertList.
    pub fn tbs(&self) -> Result<Vec<u8>> {
        // SAFETY: a live CRL.
        unsafe { encode(|out| ffi::i2d_X509_CRL_tbs(self.0, out)) }
    }

    /// The DER of the issuer's name.
    pub fn issuer(&self) -> Result<Vec<u8>> {
        // SAFETY: a live CRL, which keeps its name.
        unsafe { encode(|out| ffi::i2d_X509_NAME(ffi::X509_CRL_get_issuer(self.0), out)) }
    }

    /// 0 for version 1.
    pub fn version(&self) -> i64 {
        // SAFETY: a live CRL.
        #[allow(clippy::useless_conversion, reason = "C's long has 32 bits elsewhere")]
        i64::from(unsafe { ffi::X509_CRL_get_version(self.0) })
    }

    /// When it was issued.
    pub fn last_update(&self) -> Result<Calendar> {
        // SAFETY: a live CRL, which keeps its times.
        unsafe { asn1::calendar(ffi::X509_CRL_get0_lastUpdate(self.0)) }
    }

    /// Whether it says when the next one is issued.
    pub fn has_next_update(&self) -> bool {
        // SAFETY: a live CRL.
        !unsafe { ffi::X509_CRL_get0_nextUpdate(self.0) }.is_null()
    }

    /// When the next one is issued.
    pub fn next_update(&self) -> Result<Calendar> {
        if !self.has_next_update() {
            return Err(Fault::silent());
        }
        // SAFETY: a live CRL, which keeps its times.
        unsafe { asn1::calendar(ffi::X509_CRL_get0_nextUpdate(self.0)) }
    }

    fn signature_parts(&self) -> (*const ffi::ASN1_BIT_STRING, *const ffi::X509_ALGOR) {
        let (mut signature, mut algorithm) = (std::ptr::null(), std::ptr::null());
        // SAFETY: a live CRL.
        unsafe { ffi::X509_CRL_get0_signature(self.0, &raw mut signature, &raw mut algorithm) };
        (signature, algorithm)
    }

    /// The OID of the signature's algorithm.
    pub fn signature_oid(&self) -> Result<String> {
        // SAFETY: a live CRL, which keeps its algorithm.
        unsafe { algorithm_oid(self.signature_parts().1) }
    }

    /// The DER of the signature algorithm's parameters, if there are any.
    pub fn signature_parameters(&self) -> Result<Option<Vec<u8>>> {
        // SAFETY: a live CRL, which keeps its algorithm.
        unsafe { parameters(self.signature_parts().1) }
    }

    /// The signature.
    pub fn signature(&self) -> Vec<u8> {
        // SAFETY: a live CRL, which keeps its signature.
        unsafe { signature_bytes(self.signature_parts().0) }
    }

    /// Whether the signature is right by this key; a fault if not.
    pub fn verify(&self, key: &PKey) -> Result<()> {
        // SAFETY: live objects.
        check(unsafe { ffi::X509_CRL_verify(self.0, key.as_ptr()) })
    }

    /// The entry that revokes a certificate, if there is one.
    pub fn by_certificate(&self, certificate: &X509) -> Result<Option<Part<Revoked>>> {
        let mut found = std::ptr::null_mut();
        // SAFETY: live objects; the CRL keeps what is found.
        unsafe {
            if ffi::X509_CRL_get0_by_cert(self.0, &raw mut found, certificate.as_ptr()) == 0 {
                return Ok(None);
            }
            part(found)
        }
    }

    /// The entry of a serial number (Java's `BigInteger` bytes), if there is one.
    pub fn by_serial(&self, serial: &[u8]) -> Result<Option<Part<Revoked>>> {
        let number = Number::from_java(serial)?;
        let mut found = std::ptr::null_mut();
        // SAFETY: live objects; the CRL keeps what is found.
        unsafe {
            let serial = Integer::own(ffi::BN_to_ASN1_INTEGER(number.as_ptr(), std::ptr::null_mut()))?;
            if ffi::X509_CRL_get0_by_serial(self.0, &raw mut found, serial.0) == 0 {
                return Ok(None);
            }
            part(found)
        }
    }

    /// Copies of all entries; `None` if there is no list of them.
    pub fn entries(&self) -> Option<Result<Vec<Revoked>>> {
        // SAFETY: a live CRL, which keeps its entries.
        unsafe {
            let stack: *mut ffi::OPENSSL_STACK = ffi::X509_CRL_get_REVOKED(self.0).cast();
            if stack.is_null() {
                return None;
            }
            let entries = (0..ffi::sk_num(stack))
                .map(|i| Revoked::own(ffi::X509_REVOKED_dup(ffi::sk_value(stack, i).cast())))
                .collect();
            Some(entries)
        }
    }

    fn position(&self, oid: &str) -> i32 {
        // SAFETY: live objects.
        Oid::parse(oid).map_or(-1, |oid| unsafe { ffi::X509_CRL_get_ext_by_OBJ(self.0, oid.as_ptr(), -1) })
    }

    /// The value of the extension of this OID with its OCTET STRING header; `None` if there is none.
    pub fn extension_value(&self, oid: &str) -> Result<Option<Vec<u8>>> {
        let position = self.position(oid);
        if position < 0 {
            return Ok(None);
        }
        // SAFETY: a live CRL, which keeps the extension.
        unsafe { value(ffi::X509_CRL_get_ext(self.0, position)).map(Some) }
    }

    /// The extension of this OID.
    pub fn extension(&self, oid: &str) -> Result<Option<Part<Extension>>> {
        let position = self.position(oid);
        if position < 0 {
            return Ok(None);
        }
        // SAFETY: a live CRL, which keeps the extension.
        unsafe { extension(ffi::X509_CRL_get_ext(self.0, position)) }
    }

    /// The OIDs of the extensions that are critical, or not.
    pub fn extension_oids(&self, critical: i32) -> Result<Vec<String>> {
        // SAFETY: a live CRL, which keeps its extensions.
        unsafe {
            oids(
                |last| ffi::X509_CRL_get_ext_by_critical(self.0, critical, last),
                |position| ffi::X509_CRL_get_ext(self.0, position),
            )
        }
    }

    /// The CRL in words, as far as it can be printed.
    pub fn print(&self) -> (Vec<u8>, Result<()>) {
        // SAFETY: a live BIO and CRL.
        print(|bio| unsafe { ffi::X509_CRL_print(bio, self.0) == 1 })
    }
}

/// A copy of an entry, if there is one.
///
/// # Safety
/// `entry` is null or live.
unsafe fn part(entry: *mut ffi::X509_REVOKED) -> Result<Option<Part<Revoked>>> {
    if entry.is_null() {
        return Ok(None);
    }
    // SAFETY: live.
    let copy = Revoked::own(unsafe { ffi::X509_REVOKED_dup(entry) })?;
    Ok(Some(Part { identity: entry.addr(), copy }))
}

impl Revoked {
    /// A copy.
    pub fn try_clone(&self) -> Result<Self> {
        // SAFETY: a live entry.
        Self::own(unsafe { ffi::X509_REVOKED_dup(self.0) })
    }

    /// The DER.
    pub fn to_der(&self) -> Result<Vec<u8>> {
        // SAFETY: a live entry.
        unsafe { encode(|out| ffi::i2d_X509_REVOKED(self.0, out)) }
    }

    /// The serial number as Java's `BigInteger` bytes.
    pub fn serial(&self) -> Result<Option<Vec<u8>>> {
        // SAFETY: a live entry, which keeps its number.
        unsafe { integer(ffi::X509_REVOKED_get0_serialNumber(self.0)) }
    }

    /// When the certificate was revoked.
    pub fn date(&self) -> Result<Calendar> {
        // SAFETY: a live entry, which keeps its time.
        unsafe { asn1::calendar(ffi::X509_REVOKED_get0_revocationDate(self.0)) }
    }

    fn position(&self, oid: &str) -> i32 {
        // SAFETY: live objects.
        Oid::parse(oid).map_or(-1, |oid| unsafe { ffi::X509_REVOKED_get_ext_by_OBJ(self.0, oid.as_ptr(), -1) })
    }

    /// The value of the extension of this OID with its OCTET STRING header; `None` if there is none.
    pub fn extension_value(&self, oid: &str) -> Result<Option<Vec<u8>>> {
        let position = self.position(oid);
        if position < 0 {
            return Ok(None);
        }
        // SAFETY: a live entry, which keeps the extension.
        unsafe { value(ffi::X509_REVOKED_get_ext(self.0, position)).map(Some) }
    }

    /// The extension of this OID.
    pub fn extension(&self, oid: &str) -> Result<Option<Part<Extension>>> {
        let position = self.position(oid);
        if position < 0 {
            return Ok(None);
        }
        // SAFETY: a live entry, which keeps the extension.
        unsafe { extension(ffi::X509_REVOKED_get_ext(self.0, position)) }
    }

    /// The OIDs of the extensions that are critical, or not.
    pub fn extension_oids(&self, critical: i32) -> Result<Vec<String>> {
        // SAFETY: a live entry, which keeps its extensions.
        unsafe {
            oids(
                |last| ffi::X509_REVOKED_get_ext_by_critical(self.0, critical, last),
                |position| ffi::X509_REVOKED_get_ext(self.0, position),
            )
        }
    }

    /// The entry in words: number, date and extensions, without those that cannot be printed.
    pub fn print(&self) -> Vec<u8> {
        // SAFETY: a live BIO and entry, which keeps its parts; the texts are C strings.
        let (text, _) = print(|bio| unsafe {
            let put = |text: &std::ffi::CStr| ffi::BIO_puts(bio, text.as_ptr()) > 0;
            let printed = put(c"Serial Number: ")
                && ffi::i2a_ASN1_INTEGER(bio, ffi::X509_REVOKED_get0_serialNumber(self.0)) >= 0
                && put(c"\nRevocation Date: ")
                && ffi::ASN1_TIME_print(bio, ffi::X509_REVOKED_get0_revocationDate(self.0)) == 1
                && put(c"\n");
            let extensions = ffi::X509_REVOKED_get0_extensions(self.0);
            if printed && !extensions.is_null() {
                ffi::X509V3_extensions_print(bio, c"CRL entry extensions".as_ptr(), extensions, 0, 0);
            }
            printed
        });
        clear();
        text
    }
}
