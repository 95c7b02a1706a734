//! Certificates and CRLs in PKCS #7, and in plain sequences.

use std::ops::Deref;

use boring_sys as ffi;

use super::asn1::{Reader, tag};
use super::crl::Crl;
use super::x509::X509;
use super::{Fault, Result, check, owned, parse, with_cbb};

/// The longest PKCS #7 or sequence that is read, in bytes.
pub const LONGEST: usize = 256 << 20;

owned! {
    /// A stack of certificates.
    pub(super) Certificates(ffi::OPENSSL_STACK), free_certificates
}

owned! {
    /// A stack of CRLs.
    pub(super) Crls(ffi::OPENSSL_STACK), free_crls
}

unsafe extern "C" fn free_certificate(certificate: *mut std::ffi::c_void) {
    // SAFETY: an element of a stack of certificates.
    unsafe { ffi::X509_free(certificate.cast()) };
}

unsafe extern "C" fn free_crl(crl: *mut std::ffi::c_void) {
    // SAFETY: an element of a stack of CRLs.
    unsafe { ffi::X509_CRL_free(crl.cast()) };
}

/// # Safety
/// A stack of certificates.
unsafe fn free_certificates(stack: *mut ffi::OPENSSL_STACK) {
    // SAFETY: promise of the caller.
    unsafe { ffi::sk_pop_free(stack, Some(free_certificate)) };
}

/// # Safety
/// A stack of CRLs.
unsafe fn free_crls(stack: *mut ffi::OPENSSL_STACK) {
    // SAFETY: promise of the caller.
    unsafe { ffi::sk_pop_free(stack, Some(free_crl)) };
}

/// Collects what `read` puts into a stack.
fn certificates(read: impl FnOnce(*mut ffi::stack_st_X509) -> Result<()>) -> Result<Vec<X509>> {
    // SAFETY: a fresh stack; its elements are certificates.
    unsafe {
        let stack = Certificates::own(ffi::sk_new_null())?;
        read(stack.0.cast())?;
        (0..ffi::sk_num(stack.0)).map(|i| X509::shared(ffi::sk_value(stack.0, i).cast())).collect()
    }
}

/// Collects what `read` puts into a stack.
fn crls(read: impl FnOnce(*mut ffi::stack_st_X509_CRL) -> Result<()>) -> Result<Vec<Crl>> {
    // SAFETY: a fresh stack; its elements are CRLs.
    unsafe {
        let stack = Crls::own(ffi::sk_new_null())?;
        read(stack.0.cast())?;
        (0..ffi::sk_num(stack.0)).map(|i| Crl::shared(ffi::sk_value(stack.0, i).cast())).collect()
    }
}

/// The element that a stream began with, as BoringSSL reads it.
fn element(der: &[u8]) -> Result<Vec<u8>> {
    parse(der, |bio| {
        let (mut data, mut length) = (std::ptr::null_mut(), 0);
        // SAFETY: a live BIO; what it allocates is copied and freed.
        unsafe {
            check(ffi::BIO_read_asn1(bio, &raw mut data, &raw mut length, LONGEST))?;
            let element = super::bytes(data, length).to_vec();
            ffi::OPENSSL_free(data.cast());
            Ok(element)
        }
    })
}

/// The certificates of a PKCS #7, the first element of a stream.
pub fn certificates_from_stream(der: &[u8]) -> Result<Vec<X509>> {
    let element = element(der)?;
    let mut cbs = super::cbs(&element);
    // SAFETY: a live stack and CBS.
    certificates(|stack| check(unsafe { ffi::PKCS7_get_certificates(stack, &raw mut cbs) }))
}

/// The CRLs of a PKCS #7, the first element of a stream.
pub fn crls_from_stream(der: &[u8]) -> Result<Vec<Crl>> {
    let element = element(der)?;
    let mut cbs = super::cbs(&element);
    // SAFETY: a live stack and CBS.
    crls(|stack| check(unsafe { ffi::PKCS7_get_CRLs(stack, &raw mut cbs) }))
}

/// The certificates of the first PKCS #7 of PEM text.
pub fn certificates_from_pem(text: &[u8]) -> Result<Vec<X509>> {
    // SAFETY: a live stack and BIO.
    parse(text, |bio| certificates(|stack| check(unsafe { ffi::PKCS7_get_PEM_certificates(stack, bio) })))
}

/// The CRLs of the first PKCS #7 of PEM text.
pub fn crls_from_pem(text: &[u8]) -> Result<Vec<Crl>> {
    // SAFETY: a live stack and BIO.
    parse(text, |bio| crls(|stack| check(unsafe { ffi::PKCS7_get_PEM_CRLs(stack, bio) })))
}

/// A PKCS #7 with these certificates.
pub fn bundle(certificates: &[impl Deref<Target = X509>]) -> Result<Vec<u8>> {
    // SAFETY: a fresh stack, to which each certificate gives a reference of its own; a live CBB.
    unsafe {
        let stack = Certificates::own(ffi::sk_new_null())?;
        for certificate in certificates {
            if ffi::sk_push(stack.0, certificate.as_ptr().cast()) == 0 {
                return Err(Fault::take());
            }
            ffi::X509_up_ref(certificate.as_ptr());
        }
        with_cbb(|cbb| ffi::PKCS7_bundle_certificates(cbb, stack.0.cast()) == 1)
    }
}

/// A SEQUENCE of these certificates.
pub fn pack(certificates: &[impl Deref<Target = X509>]) -> Result<Vec<u8>> {
    let contents = certificates.iter().map(|c| c.to_der()).collect::<Result<Vec<_>>>()?.concat();
    // SAFETY: live CBBs, the inner finished by flushing the outer.
    with_cbb(|cbb| unsafe {
        let mut inner: ffi::CBB = std::mem::zeroed();
        ffi::CBB_add_asn1(cbb, &raw mut inner, tag(ffi::CBS_ASN1_SEQUENCE)) == 1
            && ffi::CBB_add_bytes(&raw mut inner, contents.as_ptr(), contents.len()) == 1
            && ffi::CBB_flush(cbb) == 1
    })
}

/// The certificates of a SEQUENCE, the first element of a stream: a fault if the stream has no element, `None` if that is no
/// such sequence.
pub fn unpack(der: &[u8]) -> Result<Option<Vec<X509>>> {
    let element = element(der)?;
    let Some(mut sequence) = Reader::new(&element).sequence() else { return Ok(None) };
    let mut certificates = Vec::new();
    while !sequence.is_empty() {
        let certificate = sequence.element_der().and_then(|der| X509::from_der(&der).ok());
        let Some(certificate) = certificate else { return Ok(None) };
        certificates.push(certificate);
    }
    Ok(Some(certificates))
}
