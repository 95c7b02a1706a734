//! One extension of one answer of an OCSP response (RFC 6960).

use boring_sys as ffi;

use super::asn1::{Oid, Reader, tag};
use super::x509::{X509, value};
use super::{Result, clear, owned};

owned! {
    /// Extensions.
    pub(super) Extensions(ffi::X509_EXTENSIONS), free_extensions
}

/// # Safety
/// A stack of extensions.
unsafe fn free_extensions(stack: *mut ffi::X509_EXTENSIONS) {
    unsafe extern "C" fn free(extension: *mut std::ffi::c_void) {
        // SAFETY: an element of the stack.
        unsafe { ffi::X509_EXTENSION_free(extension.cast()) };
    }
    // SAFETY: promise of the caller.
    unsafe { ffi::sk_pop_free(stack.cast(), Some(free)) };
}

/// The value, with its OCTET STRING header, of the extension `oid` in the answer about `certificate`; `None` if the response has none,
/// is of another type, or is malformed.
pub fn single_extension(response: &[u8], oid: &str, certificate: &X509, issuer: &X509) -> Result<Option<Vec<u8>>> {
    let found = answer(response, certificate, issuer).and_then(extensions);
    clear();
    match found {
        Some(extensions) => extension(&extensions, oid),
        None => Ok(None),
    }
}

/// The SingleResponse about the certificate.
fn answer(response: &[u8], certificate: &X509, issuer: &X509) -> Option<Reader> {
    let mut ocsp_response = Reader::new(response).sequence()?;
    ocsp_response.tagged(tag(ffi::CBS_ASN1_ENUMERATED))?;
    let mut response_bytes = ocsp_response.context(0)?.sequence()?;
    if response_bytes.nid()? != ffi::NID_id_pkix_OCSP_basic {
        return None;
    }
    let mut basic = response_bytes.tagged(tag(ffi::CBS_ASN1_OCTETSTRING))?.sequence()?;
    let mut data = basic.sequence()?;
    data.optional_context(0)?;
    // Who answered, and when.
    data.any()?;
    data.any()?;
    let mut answers = data.sequence()?;
    while !answers.is_empty() {
        let answer = answers.sequence()?;
        if answer.clone().sequence().and_then(|id| is_about(id, certificate, issuer)) == Some(true) {
            return Some(answer);
        }
    }
    None
}

/// Whether a CertID is that of the certificate.
fn is_about(mut id: Reader, certificate: &X509, issuer: &X509) -> Option<bool> {
    let nid = id.sequence()?.nid()?;
    let name_hash = id.octets()?;
    let key_hash = id.octets()?;
    let serial = id.tagged(tag(ffi::CBS_ASN1_INTEGER))?;
    // SAFETY: live certificates, which keep their parts; a static hash function.
    unsafe {
        let mut at = serial.bytes().as_ptr();
        let length = serial.bytes().len().try_into().ok()?;
        let number = super::crl::Integer::own(ffi::c2i_ASN1_INTEGER(std::ptr::null_mut(), &raw mut at, length)).ok()?;
        if ffi::ASN1_INTEGER_cmp(ffi::X509_get0_serialNumber(certificate.as_ptr()), number.as_ptr()) != 0 {
            return Some(false);
        }
        let md = ffi::EVP_get_digestbynid(nid);
        if md.is_null() {
            return Some(false);
        }
        let key = ffi::X509_get0_pubkey_bitstr(issuer.as_ptr());
        let length = usize::try_from(ffi::ASN1_STRING_length(key)).ok()?;
        let key = super::bytes(ffi::ASN1_STRING_get0_data(key), length);
        let hash = |data: &[u8]| super::digest::digest(md, data).ok();
        Some(hash(&issuer.subject().ok()?)? == name_hash && hash(key)? == key_hash)
    }
}

/// The extensions of a SingleResponse.
fn extensions(mut answer: Reader) -> Option<Extensions> {
    // Of what, its status, and this update.
    for _ in 0..3 {
        answer.any()?;
    }
    answer.optional_context(0)?;
    let extensions = answer.context(1)?;
    let mut at = extensions.bytes().as_ptr();
    let length = extensions.bytes().len().try_into().ok()?;
    // SAFETY: a valid slice.
    Extensions::own(unsafe { ffi::d2i_X509_EXTENSIONS(std::ptr::null_mut(), &raw mut at, length) }).ok()
}

fn extension(extensions: &Extensions, oid: &str) -> Result<Option<Vec<u8>>> {
    let Ok(oid) = Oid::parse(oid) else { return Ok(None) };
    // SAFETY: live objects; the stack keeps the extension.
    unsafe {
        let position = ffi::X509v3_get_ext_by_OBJ(extensions.0, oid.as_ptr(), -1);
        if position < 0 {
            return Ok(None);
        }
        value(ffi::X509v3_get_ext(extensions.0, position)).map(Some)
    }
}
