//! `X509` and its parts.

use std::ffi::{c_int, c_ulong, c_void};

use boring_sys as ffi;

use super::asn1::{self, Calendar, Oid, dotted};
use super::number::to_java;
use super::pkey::PKey;
use super::{Fault, Library, Result, bytes, check, clear, encode, owned, parse, print, reason};

owned! {
    /// An `X509`: immutable, its caches are locked by BoringSSL.
    pub X509(ffi::X509), ffi::X509_free
}

// SAFETY: see above.
unsafe impl Sync for X509 {}

owned! {
    /// A copy of an `X509_EXTENSION`.
    pub Extension(ffi::X509_EXTENSION), ffi::X509_EXTENSION_free
}

// SAFETY: never changed.
unsafe impl Sync for Extension {}

impl Extension {
    /// Whether BoringSSL's path validation knows it.
    pub fn is_supported(&self) -> bool {
        // SAFETY: a live extension.
        unsafe { ffi::X509_supported_extension(self.0) == 1 }
    }
}

/// A name of a subject or issuer alternative name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Name {
    /// Text, as Java wants it.
    Text(String),
    /// The DER of the GeneralName.
    Der(Vec<u8>),
}

/// Which alternative names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alternative {
    /// Of the subject.
    Subject,
    /// Of the issuer.
    Issuer,
}

/// Why there is no public key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoKey {
    /// Its algorithm or curve is not supported.
    Algorithm,
    /// It is malformed.
    Fault(Fault),
}

/// The DER of an OCTET STRING, such as an extension's value.
///
/// # Safety
/// `octets` is null or live.
unsafe fn octets(octets: *const ffi::ASN1_OCTET_STRING) -> Result<Vec<u8>> {
    if octets.is_null() {
        return Err(Fault::silent());
    }
    // SAFETY: a live string.
    unsafe { encode(|out| ffi::i2d_ASN1_OCTET_STRING(octets, out)) }
}

/// The value of an extension with its OCTET STRING header.
///
/// # Safety
/// `extension` is live.
pub(super) unsafe fn value(extension: *const ffi::X509_EXTENSION) -> Result<Vec<u8>> {
    // SAFETY: a live extension, which keeps its value.
    unsafe { octets(ffi::X509_EXTENSION_get_data(extension)) }
}

/// The OIDs of extensions, one position after another.
///
/// # Safety
/// `next` answers the position after another or -1, `at` a live extension.
pub(super) unsafe fn oids(
    next: impl Fn(c_int) -> c_int,
    at: impl Fn(c_int) -> *mut ffi::X509_EXTENSION,
) -> Result<Vec<String>> {
    let mut all = Vec::new();
    let mut position = next(-1);
    while position != -1 {
        // SAFETY: promise of the caller.
        all.push(unsafe { dotted(ffi::X509_EXTENSION_get_object(at(position))) }?);
        position = next(position);
    }
    Ok(all)
}

/// The bits of a BIT STRING.
///
/// # Safety
/// `string` is live.
unsafe fn bits(string: *const ffi::ASN1_BIT_STRING) -> Vec<bool> {
    // SAFETY: promise of the caller.
    unsafe {
        let length = ffi::ASN1_STRING_length(string) * 8 - c_int::from(ffi::ASN1_BIT_STRING_unused_bits(string));
        (0..length).map(|bit| ffi::ASN1_BIT_STRING_get_bit(string, bit) == 1).collect()
    }
}

/// The bytes of a string.
///
/// # Safety
/// `string` is live; its bytes live as long.
unsafe fn string<'a>(string: *const ffi::ASN1_STRING) -> &'a [u8] {
    // SAFETY: promise of the caller.
    unsafe {
        let length = usize::try_from(ffi::ASN1_STRING_length(string)).unwrap_or(0);
        bytes(ffi::ASN1_STRING_get0_data(string), length)
    }
}

/// The bytes of a signature.
///
/// # Safety
/// `signature` is live.
pub(super) unsafe fn signature_bytes(signature: *const ffi::ASN1_BIT_STRING) -> Vec<u8> {
    // SAFETY: promise of the caller.
    unsafe { string(signature) }.to_vec()
}

/// The DER of an algorithm's parameters, if there are any.
///
/// # Safety
/// `algorithm` is live.
pub(super) unsafe fn parameters(algorithm: *const ffi::X509_ALGOR) -> Result<Option<Vec<u8>>> {
    owned! {
        /// An `ASN1_TYPE`.
        Any(ffi::ASN1_TYPE), ffi::ASN1_TYPE_free
    }
    // SAFETY: a live algorithm, which keeps its parameters; they are copied.
    unsafe {
        let (mut kind, mut value) = (0, std::ptr::null());
        ffi::X509_ALGOR_get0(std::ptr::null_mut(), &raw mut kind, &raw mut value, algorithm);
        if kind == ffi::V_ASN1_UNDEF {
            return Ok(None);
        }
        let any = Any::own(ffi::ASN1_TYPE_new())?;
        check(ffi::ASN1_TYPE_set1(any.0, kind, value))?;
        encode(|out| ffi::i2d_ASN1_TYPE(any.0, out)).map(Some)
    }
}

/// The OID of an algorithm.
///
/// # Safety
/// `algorithm` is live.
pub(super) unsafe fn algorithm_oid(algorithm: *const ffi::X509_ALGOR) -> Result<String> {
    // SAFETY: a live algorithm, which keeps its OID.
    unsafe {
        let mut oid = std::ptr::null();
        ffi::X509_ALGOR_get0(&raw mut oid, std::ptr::null_mut(), std::ptr::null_mut(), algorithm);
        dotted(oid)
    }
}

/// An INTEGER as Java's `BigInteger` bytes.
///
/// # Safety
/// `integer` is live.
pub(super) unsafe fn integer(integer: *const ffi::ASN1_INTEGER) -> Result<Option<Vec<u8>>> {
    // SAFETY: promise of the caller.
    unsafe {
        let number = super::number::Number::own(ffi::ASN1_INTEGER_to_BN(integer, std::ptr::null_mut()))?;
        to_java(number.as_ptr())
    }
}

impl X509 {
    /// From the start of `der`.
    pub fn from_der_prefix(der: &[u8]) -> Result<Self> {
        let length = der.len().try_into().map_err(|_| Fault::silent())?;
        let mut at = der.as_ptr();
        // SAFETY: a valid slice.
        Self::own(unsafe { ffi::d2i_X509(std::ptr::null_mut(), &raw mut at, length) })
    }

    /// From all of `der`.
    pub(crate) fn from_der(der: &[u8]) -> Result<Self> {
        let length = der.len().try_into().map_err(|_| Fault::silent())?;
        let mut at = der.as_ptr();
        // SAFETY: a valid slice.
        let certificate = Self::own(unsafe { ffi::d2i_X509(std::ptr::null_mut(), &raw mut at, length) })?;
        if at.addr() == der.as_ptr().addr() + der.len() { Ok(certificate) } else { Err(Fault::silent()) }
    }

    /// From the first element of a stream, whose bytes these are.
    pub fn from_stream(der: &[u8]) -> Result<Self> {
        // SAFETY: a live BIO.
        parse(der, |bio| Self::own(unsafe { ffi::d2i_X509_bio(bio, std::ptr::null_mut()) }))
    }

    /// The first certificate of PEM text.
    pub fn from_pem(text: &[u8]) -> Result<Self> {
        parse(text, |bio| {
            // SAFETY: a live BIO; no password callback data.
            Self::own(unsafe { ffi::PEM_read_bio_X509(bio, std::ptr::null_mut(), None, std::ptr::null_mut()) })
        })
    }

    /// Takes one more reference of a certificate that C owns.
    ///
    /// # Safety
    /// `pointer` is live.
    pub(super) unsafe fn shared(pointer: *mut ffi::X509) -> Result<Self> {
        // SAFETY: promise of the caller.
        unsafe { ffi::X509_up_ref(pointer) };
        Self::own(pointer)
    }

    /// The DER.
    pub fn to_der(&self) -> Result<Vec<u8>> {
        // SAFETY: a live certificate.
        unsafe { encode(|out| ffi::i2d_X509(self.0, out)) }
    }

    /// The TBSCertificate.
    pub fn tbs(&self) -> Result<Vec<u8>> {
        // SAFETY: a live certificate.
        unsafe { encode(|out| ffi::i2d_X509_tbs(self.0, out)) }
    }

    /// The TBSCertificate without the extension of this OID: `None` if that is no OID, an empty `Option` inside if there is no such
    /// extension.
    pub fn tbs_without(&self, oid: &str) -> Result<Option<Option<Vec<u8>>>> {
        // SAFETY: live objects; the copy is changed, and nobody else has it.
        unsafe {
            let copy = Self::own(ffi::X509_dup(self.0))?;
            let Ok(oid) = Oid::parse(oid) else { return Ok(None) };
            let position = ffi::X509_get_ext_by_OBJ(copy.0, oid.as_ptr(), -1);
            if position < 0 {
                return Ok(Some(None));
            }
            ffi::X509_EXTENSION_free(ffi::X509_delete_ext(copy.0, position));
            encode(|out| ffi::i2d_re_X509_tbs(copy.0, out)).map(|tbs| Some(Some(tbs)))
        }
    }

    /// The SubjectPublicKeyInfo.
    pub fn spki(&self) -> Result<Vec<u8>> {
        // SAFETY: a live certificate, which keeps its key.
        unsafe { encode(|out| ffi::i2d_X509_PUBKEY(ffi::X509_get_X509_PUBKEY(self.0), out)) }
    }

    /// The OID of the public key's algorithm.
    pub fn key_oid(&self) -> Result<String> {
        // SAFETY: a live certificate, which keeps its key and that its OID.
        unsafe {
            let mut oid = std::ptr::null_mut();
            check(ffi::X509_PUBKEY_get0_param(
                &raw mut oid,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                ffi::X509_get_X509_PUBKEY(self.0),
            ))?;
            dotted(oid)
        }
    }

    /// The public key.
    pub fn key(&self) -> std::result::Result<PKey, NoKey> {
        // SAFETY: a live certificate.
        PKey::own(unsafe { ffi::X509_get_pubkey(self.0) }).map_err(|fault| {
            let unknown = fault.last().is_some_and(|e| e.is(Library::Evp, reason::EVP_UNKNOWN_PUBLIC_KEY_TYPE))
                || fault.first().is_some_and(|e| e.is(Library::Ec, reason::EC_UNKNOWN_GROUP));
            if unknown { NoKey::Algorithm } else { NoKey::Fault(fault) }
        })
    }

    /// Whether the signature is right by this key; a fault if not.
    pub fn verify(&self, key: &PKey) -> Result<()> {
        // SAFETY: live objects.
        check(unsafe { ffi::X509_verify(self.0, key.as_ptr()) })
    }

    /// The DER of the issuer's name.
    pub fn issuer(&self) -> Result<Vec<u8>> {
        // SAFETY: a live certificate, which keeps its names.
        unsafe { encode(|out| ffi::i2d_X509_NAME(ffi::X509_get_issuer_name(self.0), out)) }
    }

    /// The DER of the subject's name.
    pub fn subject(&self) -> Result<Vec<u8>> {
        // SAFETY: a live certificate, which keeps its names.
        unsafe { encode(|out| ffi::i2d_X509_NAME(ffi::X509_get_subject_name(self.0), out)) }
    }

    /// The serial number as Java's `BigInteger` bytes.
    pub fn serial(&self) -> Result<Option<Vec<u8>>> {
        // SAFETY: a live certificate, which keeps its number.
        unsafe { integer(ffi::X509_get0_serialNumber(self.0)) }
    }

    /// 0 for version 1.
    pub fn version(&self) -> i64 {
        // SAFETY: a live certificate.
        #[allow(clippy::useless_conversion, reason = "C's long has 32 bits elsewhere")]
        i64::from(unsafe { ffi::X509_get_version(self.0) })
    }

    /// The first moment of validity.
    pub fn not_before(&self) -> Result<Calendar> {
        // SAFETY: a live certificate, which keeps its times.
        unsafe { asn1::calendar(ffi::X509_get0_notBefore(self.0)) }
    }

    /// The last moment of validity.
    pub fn not_after(&self) -> Result<Calendar> {
        // SAFETY: a live certificate, which keeps its times.
        unsafe { asn1::calendar(ffi::X509_get0_notAfter(self.0)) }
    }

    /// The OID of the signature's algorithm.
    pub fn signature_oid(&self) -> Result<String> {
        // SAFETY: a live certificate, which keeps its algorithm.
        unsafe { algorithm_oid(self.signature_parts().1) }
    }

    /// The DER of the signature algorithm's parameters, if there are any.
    pub fn signature_parameters(&self) -> Result<Option<Vec<u8>>> {
        // SAFETY: a live certificate, which keeps its algorithm.
        unsafe { parameters(self.signature_parts().1) }
    }

    /// The signature.
    pub fn signature(&self) -> Vec<u8> {
        // SAFETY: a live certificate, which keeps its signature.
        unsafe { signature_bytes(self.signature_parts().0) }
    }

    fn signature_parts(&self) -> (*const ffi::ASN1_BIT_STRING, *const ffi::X509_ALGOR) {
        let (mut signature, mut algorithm) = (std::ptr::null(), std::ptr::null());
        // SAFETY: a live certificate.
        unsafe { ffi::X509_get0_signature(&raw mut signature, &raw mut algorithm, self.0) };
        (signature, algorithm)
    }

    /// The issuer's unique identifier.
    pub fn issuer_uid(&self) -> Option<Vec<bool>> {
        let mut uid = std::ptr::null();
        // SAFETY: a live certificate, which keeps its identifiers.
        unsafe {
            ffi::X509_get0_uids(self.0, &raw mut uid, std::ptr::null_mut());
            if uid.is_null() { None } else { Some(bits(uid)) }
        }
    }

    /// The subject's unique identifier.
    pub fn subject_uid(&self) -> Option<Vec<bool>> {
        let mut uid = std::ptr::null();
        // SAFETY: a live certificate, which keeps its identifiers.
        unsafe {
            ffi::X509_get0_uids(self.0, std::ptr::null_mut(), &raw mut uid);
            if uid.is_null() { None } else { Some(bits(uid)) }
        }
    }

    /// `EXFLAG_` bits.
    pub fn flags(&self) -> u32 {
        // SAFETY: a live certificate.
        let flags = unsafe { ffi::X509_get_extension_flags(self.0) };
        clear();
        flags
    }

    /// An extension, decoded and freed by the functions of its type; nothing if it is absent or malformed.
    ///
    /// # Safety
    /// `T` is the type of the extension of this NID, `free` frees it.
    unsafe fn decoded<T, R>(
        &self,
        nid: c_int,
        free: unsafe extern "C" fn(*mut T),
        read: impl FnOnce(*mut T) -> R,
    ) -> Option<R> {
        // SAFETY: a live certificate; the decoded extension is ours and freed once.
        unsafe {
            let extension: *mut T =
                ffi::X509_get_ext_d2i(self.0, nid, std::ptr::null_mut(), std::ptr::null_mut()).cast();
            clear();
            if extension.is_null() {
                return None;
            }
            let result = read(extension);
            free(extension);
            Some(result)
        }
    }

    /// The bits of KeyUsage.
    pub fn key_usage(&self) -> Option<Vec<bool>> {
        // SAFETY: KeyUsage is a BIT STRING.
        unsafe { self.decoded(ffi::NID_key_usage, ffi::ASN1_BIT_STRING_free, |usage| bits(usage)) }
    }

    /// The OIDs of ExtendedKeyUsage.
    pub fn extended_key_usage(&self) -> Option<Result<Vec<String>>> {
        unsafe extern "C" fn free(stack: *mut ffi::OPENSSL_STACK) {
            // SAFETY: a stack of OIDs.
            unsafe { ffi::sk_pop_free(stack, Some(free_oid)) };
        }
        unsafe extern "C" fn free_oid(oid: *mut c_void) {
            // SAFETY: an OID.
            unsafe { ffi::ASN1_OBJECT_free(oid.cast()) };
        }
        // SAFETY: ExtendedKeyUsage is a stack of OIDs, live while they are read.
        unsafe {
            self.decoded(ffi::NID_ext_key_usage, free, |stack: *mut ffi::OPENSSL_STACK| {
                (0..ffi::sk_num(stack)).map(|i| dotted(ffi::sk_value(stack, i).cast())).collect()
            })
        }
    }

    /// How many CA certificates may follow: -1 if that is not limited or it is no CA.
    pub fn path_length(&self) -> i32 {
        // SAFETY: the type of BasicConstraints, live while it is read.
        let length = unsafe {
            self.decoded(ffi::NID_basic_constraints, ffi::BASIC_CONSTRAINTS_free, |constraints| {
                let constraints = &*constraints;
                if constraints.pathlen.is_null() || constraints.ca == 0 {
                    return -1;
                }
                i32::try_from(ffi::ASN1_INTEGER_get(constraints.pathlen)).unwrap_or(-1).max(-1)
            })
        };
        clear();
        length.unwrap_or(-1)
    }

    /// Alternative names and their types; names that are malformed are left out. `None`: there is no such extension, or it is
    /// malformed.
    pub fn alternative_names(&self, which: Alternative) -> Option<Result<Vec<(i32, Name)>>> {
        unsafe extern "C" fn free(stack: *mut ffi::OPENSSL_STACK) {
            // SAFETY: a stack of names.
            unsafe { ffi::sk_pop_free(stack, Some(free_name)) };
        }
        unsafe extern "C" fn free_name(name: *mut c_void) {
            // SAFETY: a name.
            unsafe { ffi::GENERAL_NAME_free(name.cast()) };
        }
        let nid = match which {
            Alternative::Subject => ffi::NID_subject_alt_name,
            Alternative::Issuer => ffi::NID_issuer_alt_name,
        };
        // SAFETY: both are stacks of names, live while they are read.
        unsafe {
            self.decoded(nid, free, |stack: *mut ffi::OPENSSL_STACK| {
                let mut names = Vec::new();
                for i in 0..ffi::sk_num(stack) {
                    let general: *mut ffi::GENERAL_NAME = ffi::sk_value(stack, i).cast();
                    if let Some(name) = name(general)? {
                        names.push(((*general).type_, name));
                    }
                }
                Ok(names)
            })
        }
    }

    /// The value of the extension of this OID with its OCTET STRING header; `None` if there is none.
    pub fn extension(&self, oid: &str) -> Result<Option<Vec<u8>>> {
        let Ok(oid) = Oid::parse(oid) else { return Ok(None) };
        // SAFETY: live objects; the certificate keeps the extension.
        unsafe {
            let position = ffi::X509_get_ext_by_OBJ(self.0, oid.as_ptr(), -1);
            if position < 0 {
                return Ok(None);
            }
            value(ffi::X509_get_ext(self.0, position)).map(Some)
        }
    }

    /// The OIDs of the extensions that are critical, or not.
    pub fn extension_oids(&self, critical: i32) -> Result<Vec<String>> {
        // SAFETY: a live certificate, which keeps its extensions.
        unsafe {
            oids(
                |last| ffi::X509_get_ext_by_critical(self.0, critical, last),
                |position| ffi::X509_get_ext(self.0, position),
            )
        }
    }

    /// 0 if both are the same certificate.
    pub fn compare(&self, other: &Self) -> i32 {
        // SAFETY: live certificates.
        unsafe { ffi::X509_cmp(self.0, other.0) }
    }

    /// 0 if `self` may have issued `subject`, by names and extensions; else an `X509_V_ERR_` code.
    pub fn check_issued(&self, subject: &Self) -> i32 {
        // SAFETY: live certificates.
        let result = unsafe { ffi::X509_check_issued(self.0, subject.0) };
        clear();
        result
    }

    /// The certificate in words, as far as it can be printed.
    pub fn print(&self, name_flags: u64, certificate_flags: u64) -> (Vec<u8>, Result<()>) {
        let flags = |flags: u64| c_ulong::try_from(flags).unwrap_or(0);
        // SAFETY: a live BIO and certificate.
        print(|bio| unsafe { ffi::X509_print_ex(bio, self.0, flags(name_flags), flags(certificate_flags)) == 1 })
    }
}

/// A GeneralName as Java wants it; `None` if it is malformed.
///
/// # Safety
/// `general` is live.
unsafe fn name(general: *mut ffi::GENERAL_NAME) -> Result<Option<Name>> {
    // SAFETY: a live name, whose type says which member of the union it has.
    unsafe {
        let kind = (*general).type_;
        Ok(match kind {
            ffi::GEN_EMAIL | ffi::GEN_DNS | ffi::GEN_URI => {
                let text = string((*general).d.ia5);
                let ascii = text.iter().all(|byte| (1..=127).contains(byte));
                ascii.then(|| Name::Text(text.iter().copied().map(char::from).collect()))
            }
            ffi::GEN_DIRNAME => Some(Name::Text(rfc2253((*general).d.directoryName)?)),
            ffi::GEN_IPADD => match string((*general).d.ip) {
                [a, b, c, d] => Some(Name::Text(format!("{a}.{b}.{c}.{d}"))),
                long => <[u8; 16]>::try_from(long).ok().map(|ip| Name::Text(ipv6(ip))),
            },
            ffi::GEN_RID => Some(Name::Text(dotted((*general).d.registeredID)?)),
            _ => Some(Name::Der(encode(|out| ffi::i2d_GENERAL_NAME(general, out))?)),
        })
    }
}

/// As `inet_ntop` writes it.
fn ipv6(address: [u8; 16]) -> String {
    std::net::Ipv6Addr::from(address).to_string()
}

/// A name in RFC 2253's form. Without conversion BoringSSL writes a character up to U+00FF as that byte, and others escaped.
///
/// # Safety
/// `name` is live.
unsafe fn rfc2253(name: *const ffi::X509_NAME) -> Result<String> {
    let flags = ffi::XN_FLAG_RFC2253 & !(ffi::ASN1_STRFLGS_UTF8_CONVERT | ffi::ASN1_STRFLGS_ESC_MSB);
    let flags = c_ulong::try_from(flags).unwrap_or(0);
    // SAFETY: a live BIO and name.
    let (text, result) = print(|bio| unsafe { ffi::X509_NAME_print_ex(bio, name, 0, flags) >= 0 });
    result?;
    Ok(text.into_iter().map(char::from).collect())
}
