//! Certificates, CRLs and their entries; PKCS #7; OCSP.

use std::collections::HashMap;
use std::sync::Mutex;

pub(super) use bssl::conscrypt::x509::X509;

use bssl::conscrypt::crl::{Crl, Part, Revoked};
use bssl::conscrypt::x509::{Alternative, Extension, Name, NoKey};
use bssl::conscrypt::{ocsp, pkcs7};
use jni::sys::{jint, jlong};

use super::bio::Bio;
use super::error::{Error, Exception, Otherwise};
use super::key::PKey;
use super::slab::{Handle, Managed, Pin, lock};
use super::types::{
    CertificateHolder, CrlHolder, EntryHolder, JBooleans, JObjectArrays, JString, JStrings, Ref, long_array,
    object_array, set_element,
};
use super::{java, kinds, natives};
use crate::boundary::Env;
use crate::bytes::{ByteArray, LongArray};

impl Managed for X509 {
    const TAG: u8 = kinds::X509;
    const NAME: &'static str = "x509";
}

/// A CRL, and the handles of its parts that Java was given: those are not freed one by one.
pub(super) struct CrlEntry {
    pub(super) crl: Crl,
    entries: Parts<Entry>,
    extensions: Parts<Extension>,
}

impl Managed for CrlEntry {
    const TAG: u8 = kinds::X509_CRL;
    const NAME: &'static str = "crl";
}

/// An entry of a CRL, and the handles of its extensions that Java was given.
pub(super) struct Entry {
    pub(super) entry: Revoked,
    extensions: Parts<Extension>,
}

impl Managed for Entry {
    const TAG: u8 = kinds::X509_REVOKED;
    const NAME: &'static str = "revoked";
}

impl Managed for Extension {
    const TAG: u8 = kinds::X509_EXTENSION;
    const NAME: &'static str = "ext";
}

/// Handles that live as long as the object they belong to, one for each part.
struct Parts<T: Managed>(Mutex<HashMap<usize, Handle<T>>>);

impl<T: Managed> Default for Parts<T> {
    fn default() -> Self {
        Self(Mutex::new(HashMap::new()))
    }
}

impl<T: Managed> Parts<T> {
    /// The part's handle: the one of before, if Java has not freed it.
    fn handle(&self, identity: usize, make: impl FnOnce() -> T) -> Result<Handle<T>, Error> {
        let mut handles = lock(&self.0);
        if let Some(handle) = handles.get(&identity).filter(|handle| handle.get().is_ok()) {
            return Ok(*handle);
        }
        let handle = Handle::new(make())?;
        handles.insert(identity, handle);
        Ok(handle)
    }

    fn optional(&self, part: Option<Part<T>>) -> Result<Handle<T>, Error> {
        part.map_or_else(|| Ok(Handle::default()), |part| self.handle(part.identity, || part.copy))
    }
}

impl<T: Managed> Drop for Parts<T> {
    fn drop(&mut self) {
        for handle in lock(&self.0).values() {
            // Java may have freed it, which it should not.
            let _ = handle.free();
        }
    }
}

fn crl(crl: Crl) -> Result<Handle<CrlEntry>, Error> {
    Handle::new(CrlEntry { crl, entries: Parts::default(), extensions: Parts::default() })
}

fn entry(entry: Revoked) -> Entry {
    Entry { entry, extensions: Parts::default() }
}

/// An optional array.
fn optional<'l>(env: &mut Env<'l>, bytes: Option<Vec<u8>>) -> Result<ByteArray<'l>, Error> {
    bytes.map_or_else(|| Ok(ByteArray::default()), |bytes| Ok(ByteArray::new(env, &bytes)?))
}

fn bits<'l>(env: &mut Env<'l>, bits: Option<Vec<bool>>) -> Result<JBooleans<'l>, Error> {
    bits.map_or_else(|| Ok(JBooleans::default()), |bits| JBooleans::new(env, &bits))
}

/// An array of handles for new objects.
fn handles<'l, T, M: Managed>(
    env: &mut Env<'l>,
    objects: Vec<T>,
    make: impl Fn(T) -> Result<Handle<M>, Error>,
) -> Result<LongArray<'l>, Error> {
    let handles = objects.into_iter().map(make).collect::<Result<Vec<_>, _>>()?;
    let longs: Vec<jlong> = handles.iter().map(|handle| handle.raw()).collect();
    long_array(env, &longs).inspect_err(|_| {
        for handle in handles {
            let _ = handle.free();
        }
    })
}

/// The certificates of an array of handles.
fn certificates<'l>(env: &mut Env<'l>, longs: LongArray<'l>) -> Result<Vec<Pin<X509>>, Error> {
    let longs = longs.to_vec(env, "certs == null")?;
    longs.into_iter().map(|long| Handle::from_raw(long).get()).collect()
}

const PKCS7_CERTS: jint = 1;
const PKCS7_CRLS: jint = 2;
const SUBJECT: jint = 1;
const ISSUER: jint = 2;

natives! { 'l =>
    /// From DER.
    fn d2i_X509(env, der: ByteArray<'l>) -> Handle<X509> {
        let der = der.to_vec(env, "certBytes == null")?;
        Handle::new(X509::from_der_prefix(&der).otherwise(Exception::Parsing)?)
    }

    /// From a stream of DER.
    fn d2i_X509_bio(env, bio: Handle<Bio>) -> Handle<X509> {
        let der = bio.get()?.read_element(env)?;
        Handle::new(X509::from_stream(&der)?)
    }

    /// From PEM.
    fn PEM_read_bio_X509(env, bio: Handle<Bio>) -> Handle<X509> {
        Handle::new(bio.get()?.read_pem(env, X509::from_pem)?)
    }

    /// Frees it.
    fn X509_free(_env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> () {
        x509.free()
    }

    /// DER.
    fn i2d_X509(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> ByteArray<'l> {
        let der = x509.get()?.to_der()?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// SubjectPublicKeyInfo.
    fn i2d_X509_PUBKEY(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> ByteArray<'l> {
        let der = x509.get()?.spki()?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// TBSCertificate.
    fn get_X509_tbs_cert(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> ByteArray<'l> {
        let der = x509.get()?.tbs()?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// TBSCertificate without an extension.
    fn get_X509_tbs_cert_without_ext(
        env, x509: Handle<X509>, _holder: CertificateHolder<'l>, oid: JString<'l>,
    ) -> ByteArray<'l> {
        let x509 = x509.get()?;
        let oid = oid.text(env, "oid == null")?;
        let tbs = x509.tbs_without(&oid)?.ok_or_else(|| Error::argument("Invalid OID."))?;
        let tbs = tbs.ok_or_else(|| Error::argument("Extension not found."))?;
        Ok(ByteArray::new(env, &tbs)?)
    }

    /// The public key.
    fn X509_get_pubkey(_env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> Handle<PKey> {
        match x509.get()?.key() {
            Ok(key) => Handle::new(key),
            Err(NoKey::Algorithm) => Err(Error::new(Exception::NoSuchAlgorithm, "X509_get_pubkey")),
            Err(NoKey::Fault(fault)) => Err(Error::Library(fault, Exception::InvalidKey)),
        }
    }

    /// The public key's algorithm.
    fn get_X509_pubkey_oid(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> JString<'l> {
        let oid = x509.get()?.key_oid()?;
        JString::new(env, &oid)
    }

    /// Checks the signature.
    fn X509_verify(env, x509: Handle<X509>, _holder: CertificateHolder<'l>, key: Ref<'l, PKey>) -> () {
        x509.required()?;
        let key = key.get(env)?;
        x509.get()?.verify(&key).otherwise(Exception::Certificate)
    }

    /// The issuer's name.
    fn X509_get_issuer_name(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> ByteArray<'l> {
        let der = x509.get()?.issuer()?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// The subject's name.
    fn X509_get_subject_name(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> ByteArray<'l> {
        let der = x509.get()?.subject()?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// The serial number.
    fn X509_get_serialNumber(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> ByteArray<'l> {
        let serial = x509.get()?.serial()?;
        optional(env, serial)
    }

    /// The version, 0 for the first.
    fn X509_get_version(_env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> jlong {
        Ok(x509.get()?.version())
    }

    /// A time.
    fn X509_get_notBefore(_env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> jlong {
        x509.get()?;
        Ok(x509.part(kinds::NOT_BEFORE))
    }

    /// A time.
    fn X509_get_notAfter(_env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> jlong {
        x509.get()?;
        Ok(x509.part(kinds::NOT_AFTER))
    }

    /// The signature's algorithm.
    fn get_X509_sig_alg_oid(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> JString<'l> {
        let oid = x509.get()?.signature_oid()?;
        JString::new(env, &oid)
    }

    /// The signature algorithm's parameters.
    fn get_X509_sig_alg_parameter(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> ByteArray<'l> {
        let parameters = x509.get()?.signature_parameters()?;
        optional(env, parameters)
    }

    /// The signature.
    fn get_X509_signature(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> ByteArray<'l> {
        let signature = x509.get()?.signature();
        Ok(ByteArray::new(env, &signature)?)
    }

    /// The issuer's unique identifier.
    fn get_X509_issuerUID(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> JBooleans<'l> {
        let uid = x509.get()?.issuer_uid();
        bits(env, uid)
    }

    /// The subject's unique identifier.
    fn get_X509_subjectUID(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> JBooleans<'l> {
        let uid = x509.get()?.subject_uid();
        bits(env, uid)
    }

    /// `EXFLAG_` bits.
    fn get_X509_ex_flags(_env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> jint {
        Ok(x509.get()?.flags().cast_signed())
    }

    /// KeyUsage.
    fn get_X509_ex_kusage(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> JBooleans<'l> {
        let usage = x509.get()?.key_usage();
        bits(env, usage)
    }

    /// ExtendedKeyUsage.
    fn get_X509_ex_xkusage(env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> JStrings<'l> {
        match x509.get()?.extended_key_usage() {
            Some(oids) => JStrings::new(env, &oids?),
            None => Ok(JStrings::default()),
        }
    }

    /// How many CA certificates may follow.
    fn get_X509_ex_pathlen(_env, x509: Handle<X509>, _holder: CertificateHolder<'l>) -> jint {
        Ok(x509.get()?.path_length())
    }

    /// Alternative names: pairs of type and value.
    fn get_X509_GENERAL_NAME_stack(
        env, x509: Handle<X509>, _holder: CertificateHolder<'l>, which: jint,
    ) -> JObjectArrays<'l> {
        let x509 = x509.get()?;
        let which = match which {
            SUBJECT => Alternative::Subject,
            ISSUER => Alternative::Issuer,
            _ => return Ok(JObjectArrays::default()),
        };
        let names = x509.alternative_names(which).transpose()?.unwrap_or_default();
        if names.is_empty() {
            return Ok(JObjectArrays::default());
        }
        let array = object_array(env, c"[Ljava/lang/Object;", names.len())?;
        for (index, (kind, name)) in names.iter().enumerate() {
            let pair = object_array(env, c"java/lang/Object", 2)?;
            let kind = java::integer(env, *kind)?;
            set_element(env, pair, 0, kind)?;
            let value = match name {
                Name::Text(text) => JString::new(env, text)?.raw(),
                Name::Der(der) => ByteArray::new(env, der)?.raw(),
            };
            set_element(env, pair, 1, value)?;
            set_element(env, array, index, pair)?;
        }
        Ok(JObjectArrays::from_raw(array))
    }

    /// An extension's value.
    fn X509_get_ext_oid(env, x509: Handle<X509>, _holder: CertificateHolder<'l>, oid: JString<'l>) -> ByteArray<'l> {
        let x509 = x509.get()?;
        let oid = oid.text(env, "oid == null")?;
        optional(env, x509.extension(&oid)?)
    }

    /// The OIDs of critical, or of other extensions.
    fn get_X509_ext_oids(env, x509: Handle<X509>, _holder: CertificateHolder<'l>, critical: jint) -> JStrings<'l> {
        let oids = x509.get()?.extension_oids(critical)?;
        JStrings::new(env, &oids)
    }

    /// 0 for the same certificate.
    fn X509_cmp(
        _env, one: Handle<X509>, _holder: CertificateHolder<'l>, other: Handle<X509>, _holder2: CertificateHolder<'l>,
    ) -> jint {
        one.required()?;
        other.required()?;
        Ok(one.get()?.compare(&*other.get()?))
    }

    /// 0 if the first may have issued the second.
    fn X509_check_issued(
        _env, one: Handle<X509>, _holder: CertificateHolder<'l>, other: Handle<X509>, _holder2: CertificateHolder<'l>,
    ) -> jint {
        one.required()?;
        other.required()?;
        Ok(one.get()?.check_issued(&*other.get()?))
    }

    /// Writes it in words.
    fn X509_print_ex(
        env, bio: Handle<Bio>, x509: Handle<X509>, _holder: CertificateHolder<'l>, name_flags: jlong, flags: jlong,
    ) -> () {
        bio.required()?;
        x509.required()?;
        let (bio, x509) = (bio.get()?, x509.get()?);
        bio.write_printed(env, x509.print(name_flags.cast_unsigned(), flags.cast_unsigned()))
    }

    /// Whether BoringSSL knows an extension.
    fn X509_supported_extension(_env, extension: Handle<Extension>) -> jint {
        Ok(extension.get()?.is_supported().into())
    }

    /// The certificates of a SEQUENCE.
    fn ASN1_seq_unpack_X509_bio(env, bio: Handle<Bio>) -> LongArray<'l> {
        const MESSAGE: &str = "Error reading X.509 data";
        let der = bio.get()?.read_element(env)?;
        let certificates = pkcs7::unpack(&der).otherwise(Exception::Parsing)?;
        let certificates = certificates.ok_or_else(|| Error::new(Exception::Parsing, MESSAGE))?;
        handles(env, certificates, Handle::new)
    }

    /// A SEQUENCE of certificates.
    fn ASN1_seq_pack_X509(env, certs: LongArray<'l>) -> ByteArray<'l> {
        let der = pkcs7::pack(&certificates(env, certs)?)?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// A PKCS #7 of certificates.
    fn i2d_PKCS7(env, certs: LongArray<'l>) -> ByteArray<'l> {
        let der = pkcs7::bundle(&certificates(env, certs)?)?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// The certificates or CRLs of a PKCS #7.
    fn d2i_PKCS7_bio(env, bio: Handle<Bio>, which: jint) -> LongArray<'l> {
        let der = bio.get()?.read_element(env)?;
        match which {
            PKCS7_CERTS => {
                let found = pkcs7::certificates_from_stream(&der).otherwise(Exception::Parsing)?;
                handles(env, found, Handle::new)
            }
            PKCS7_CRLS => {
                let found = pkcs7::crls_from_stream(&der).otherwise(Exception::Parsing)?;
                handles(env, found, crl)
            }
            _ => Err(Error::new(Exception::Runtime, "unknown PKCS7 field")),
        }
    }

    /// The certificates or CRLs of a PKCS #7 in PEM.
    fn PEM_read_bio_PKCS7(env, bio: Handle<Bio>, which: jint) -> LongArray<'l> {
        let bio = bio.get()?;
        match which {
            PKCS7_CERTS => {
                let found = bio.read_pem(env, pkcs7::certificates_from_pem)?;
                handles(env, found, Handle::new)
            }
            PKCS7_CRLS => {
                let found = bio.read_pem(env, pkcs7::crls_from_pem)?;
                handles(env, found, crl)
            }
            _ => Err(Error::new(Exception::Runtime, "unknown PKCS7 field")),
        }
    }

    /// An extension of an OCSP response about a certificate.
    fn get_ocsp_single_extension(
        env, response: ByteArray<'l>, oid: JString<'l>, x509: Handle<X509>, _holder: CertificateHolder<'l>,
        issuer: Handle<X509>, _holder2: CertificateHolder<'l>,
    ) -> ByteArray<'l> {
        let response = response.to_vec(env, "ocspDataBytes == null")?;
        let oid = oid.text(env, "oid == null")?;
        x509.required()?;
        issuer.required()?;
        let (x509, issuer) = (x509.get()?, issuer.get()?);
        let found = ocsp::single_extension(&response, &oid, &x509, &issuer)?;
        optional(env, found)
    }

    /// From a stream of DER.
    fn d2i_X509_CRL_bio(env, bio: Handle<Bio>) -> Handle<CrlEntry> {
        let der = bio.get()?.read_element(env)?;
        crl(Crl::from_stream(&der)?)
    }

    /// From PEM.
    fn PEM_read_bio_X509_CRL(env, bio: Handle<Bio>) -> Handle<CrlEntry> {
        crl(bio.get()?.read_pem(env, Crl::from_pem)?)
    }

    /// Frees it.
    fn X509_CRL_free(_env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>) -> () {
        crl.free()
    }

    /// DER.
    fn i2d_X509_CRL(env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>) -> ByteArray<'l> {
        let der = crl.get()?.crl.to_der()?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// TBSCertList.
    fn get_X509_CRL_crl_enc(env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>) -> ByteArray<'l> {
        let der = crl.get()?.crl.tbs()?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// The issuer's name.
    fn X509_CRL_get_issuer_name(env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>) -> ByteArray<'l> {
        let der = crl.get()?.crl.issuer()?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// The version, 0 for the first.
    fn X509_CRL_get_version(_env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>) -> jlong {
        Ok(crl.get()?.crl.version())
    }

    /// A time.
    fn X509_CRL_get_lastUpdate(_env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>) -> jlong {
        crl.get()?;
        Ok(crl.part(kinds::LAST_UPDATE))
    }

    /// A time; 0 if there is none.
    fn X509_CRL_get_nextUpdate(_env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>) -> jlong {
        Ok(if crl.get()?.crl.has_next_update() { crl.part(kinds::NEXT_UPDATE) } else { 0 })
    }

    /// The signature's algorithm.
    fn get_X509_CRL_sig_alg_oid(env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>) -> JString<'l> {
        let oid = crl.get()?.crl.signature_oid()?;
        JString::new(env, &oid)
    }

    /// The signature algorithm's parameters.
    fn get_X509_CRL_sig_alg_parameter(env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>) -> ByteArray<'l> {
        let parameters = crl.get()?.crl.signature_parameters()?;
        optional(env, parameters)
    }

    /// The signature.
    fn get_X509_CRL_signature(env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>) -> ByteArray<'l> {
        let signature = crl.get()?.crl.signature();
        Ok(ByteArray::new(env, &signature)?)
    }

    /// Checks the signature.
    fn X509_CRL_verify(env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>, key: Ref<'l, PKey>) -> () {
        crl.required()?;
        let key = key.get(env)?;
        Ok(crl.get()?.crl.verify(&key)?)
    }

    /// The entry of a certificate, which belongs to the CRL; 0 if there is none.
    fn X509_CRL_get0_by_cert(
        _env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>, x509: Handle<X509>, _holder2: CertificateHolder<'l>,
    ) -> Handle<Entry> {
        crl.required()?;
        x509.required()?;
        let (crl, x509) = (crl.get()?, x509.get()?);
        match crl.crl.by_certificate(&x509)? {
            Some(part) => crl.entries.handle(part.identity, || entry(part.copy)),
            None => Ok(Handle::default()),
        }
    }

    /// The entry of a serial number, which belongs to the CRL; 0 if there is none.
    fn X509_CRL_get0_by_serial(
        env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>, serial: ByteArray<'l>,
    ) -> Handle<Entry> {
        let crl = crl.get()?;
        let serial = serial.to_vec(env, "serial == null")?;
        match crl.crl.by_serial(&serial)? {
            Some(part) => crl.entries.handle(part.identity, || entry(part.copy)),
            None => Ok(Handle::default()),
        }
    }

    /// Copies of all entries.
    fn X509_CRL_get_REVOKED(env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>) -> LongArray<'l> {
        match crl.get()?.crl.entries() {
            Some(entries) => handles(env, entries?, |one| Handle::new(entry(one))),
            None => Ok(LongArray::default()),
        }
    }

    /// An extension, which belongs to the CRL; 0 if there is none.
    fn X509_CRL_get_ext(env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>, oid: JString<'l>) -> Handle<Extension> {
        let crl = crl.get()?;
        let oid = oid.text(env, "oid == null")?;
        crl.extensions.optional(crl.crl.extension(&oid)?)
    }

    /// An extension's value.
    fn X509_CRL_get_ext_oid(env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>, oid: JString<'l>) -> ByteArray<'l> {
        let crl = crl.get()?;
        let oid = oid.text(env, "oid == null")?;
        optional(env, crl.crl.extension_value(&oid)?)
    }

    /// The OIDs of critical, or of other extensions.
    fn get_X509_CRL_ext_oids(env, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>, critical: jint) -> JStrings<'l> {
        let oids = crl.get()?.crl.extension_oids(critical)?;
        JStrings::new(env, &oids)
    }

    /// Writes it in words.
    fn X509_CRL_print(env, bio: Handle<Bio>, crl: Handle<CrlEntry>, _holder: CrlHolder<'l>) -> () {
        bio.required()?;
        crl.required()?;
        let (bio, crl) = (bio.get()?, crl.get()?);
        bio.write_printed(env, crl.crl.print())
    }

    /// A copy.
    fn X509_REVOKED_dup(_env, revoked: Handle<Entry>) -> Handle<Entry> {
        Handle::new(entry(revoked.get()?.entry.try_clone()?))
    }

    /// Frees it.
    fn X509_REVOKED_free(_env, revoked: Handle<Entry>, _holder: EntryHolder<'l>) -> () {
        revoked.free()
    }

    /// DER.
    fn i2d_X509_REVOKED(env, revoked: Handle<Entry>, _holder: EntryHolder<'l>) -> ByteArray<'l> {
        let der = revoked.get()?.entry.to_der()?;
        Ok(ByteArray::new(env, &der)?)
    }

    /// The serial number.
    fn X509_REVOKED_get_serialNumber(env, revoked: Handle<Entry>, _holder: EntryHolder<'l>) -> ByteArray<'l> {
        let serial = revoked.get()?.entry.serial()?;
        optional(env, serial)
    }

    /// A time.
    fn get_X509_REVOKED_revocationDate(_env, revoked: Handle<Entry>, _holder: EntryHolder<'l>) -> jlong {
        revoked.get()?;
        Ok(revoked.part(kinds::REVOCATION_DATE))
    }

    /// An extension, which belongs to the entry; 0 if there is none.
    fn X509_REVOKED_get_ext(
        env, revoked: Handle<Entry>, oid: JString<'l>, _holder: EntryHolder<'l>,
    ) -> Handle<Extension> {
        let revoked = revoked.get()?;
        let oid = oid.text(env, "oid == null")?;
        revoked.extensions.optional(revoked.entry.extension(&oid)?)
    }

    /// An extension's value.
    fn X509_REVOKED_get_ext_oid(
        env, revoked: Handle<Entry>, oid: JString<'l>, _holder: EntryHolder<'l>,
    ) -> ByteArray<'l> {
        let revoked = revoked.get()?;
        let oid = oid.text(env, "oid == null")?;
        optional(env, revoked.entry.extension_value(&oid)?)
    }

    /// The OIDs of critical, or of other extensions.
    fn get_X509_REVOKED_ext_oids(
        env, revoked: Handle<Entry>, critical: jint, _holder: EntryHolder<'l>,
    ) -> JStrings<'l> {
        let oids = revoked.get()?.entry.extension_oids(critical)?;
        JStrings::new(env, &oids)
    }

    /// Writes it in words.
    fn X509_REVOKED_print(env, bio: Handle<Bio>, revoked: Handle<Entry>, _holder: EntryHolder<'l>) -> () {
        bio.required()?;
        revoked.required()?;
        let (bio, revoked) = (bio.get()?, revoked.get()?);
        bio.write_printed(env, (revoked.entry.print(), Ok(())))
    }
}
