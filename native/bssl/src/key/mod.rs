//! Asymmetric keys: RSA (RFC 8017), the NIST curves (RFC 5480), X25519 (RFC 7748) and Ed25519 (RFC 8032), and their
//! encodings: SubjectPublicKeyInfo (RFC 5280) and PKCS#8 (RFC 5208, RFC 5958, RFC 8410).

use boring_sys as ffi;

use crate::bytes::Secret;
use crate::error::{Error, Result};

pub(crate) mod der;
mod ec;
mod number;
mod rsa;

use der::{Reader, SecretVec};
pub(crate) use ec::Ec;
pub use rsa::PrivateNumbers;
pub(crate) use rsa::Rsa;

/// What a key is for and on. The numbers cross to Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Kind {
    /// RSA under rsaEncryption.
    Rsa = 0,
    /// RSA for PSS signatures only (RFC 4055 id-RSASSA-PSS), with or without parameters.
    RsaPss = 1,
    /// secp224r1.
    P224 = 2,
    /// secp256r1.
    P256 = 3,
    /// secp384r1.
    P384 = 4,
    /// secp521r1.
    P521 = 5,
    /// X25519.
    X25519 = 6,
    /// Ed25519.
    Ed25519 = 7,
}

const OID_RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const OID_RSA_PSS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a];
const OID_EC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
const OID_X25519: &[u8] = &[0x2b, 0x65, 0x6e];
const OID_ED25519: &[u8] = &[0x2b, 0x65, 0x70];

impl Kind {
    /// All of them, each at the index of its number.
    pub const ALL: [Self; 8] =
        [Self::Rsa, Self::RsaPss, Self::P224, Self::P256, Self::P384, Self::P521, Self::X25519, Self::Ed25519];

    /// The kind with this number.
    pub fn from_number(number: i32) -> Result<Self> {
        usize::try_from(number)
            .ok()
            .and_then(|index| Self::ALL.get(index).copied())
            .ok_or(Error::Argument("no such kind of key"))
    }

    fn curve_oid(self) -> Option<&'static [u8]> {
        match self {
            Self::P224 => Some(&[0x2b, 0x81, 0x04, 0x00, 0x21]),
            Self::P256 => Some(&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]),
            Self::P384 => Some(&[0x2b, 0x81, 0x04, 0x00, 0x22]),
            Self::P521 => Some(&[0x2b, 0x81, 0x04, 0x00, 0x23]),
            _ => None,
        }
    }

    /// The AlgorithmIdentifier; `pss` are the parameters of a PSS key.
    fn identifier(self, pss: &[u8]) -> Vec<u8> {
        let object = |oid: &[u8]| der::element(der::OBJECT, &[oid]);
        let parts = match self {
            Self::Rsa => [object(OID_RSA), der::element(der::NULL, &[])],
            Self::RsaPss => [object(OID_RSA_PSS), pss.to_vec()],
            Self::X25519 => [object(OID_X25519), Vec::new()],
            Self::Ed25519 => [object(OID_ED25519), Vec::new()],
            _ => [object(OID_EC), object(self.curve_oid().unwrap_or_default())],
        };
        der::element(der::SEQUENCE, &[&parts[0], &parts[1]])
    }

    /// The kind and PSS parameters that an AlgorithmIdentifier means.
    fn parse(mut identifier: Reader<'_>) -> Option<(Self, &[u8])> {
        let oid = identifier.read(der::OBJECT)?;
        let parameters = identifier.rest();
        let kind = match oid {
            OID_RSA => Self::Rsa,
            OID_RSA_PSS => Self::RsaPss,
            OID_X25519 => Self::X25519,
            OID_ED25519 => Self::Ed25519,
            OID_EC => {
                let curve = identifier.read(der::OBJECT).filter(|_| identifier.is_empty())?;
                return Self::ALL.into_iter().find(|kind| kind.curve_oid() == Some(curve)).map(|kind| (kind, &[][..]));
            }
            _ => return None,
        };
        match kind {
            // RFC 4055 says NULL; absent is common.
            Self::Rsa => identifier.optional(der::NULL)?.unwrap_or_default().is_empty(),
            Self::RsaPss => identifier.optional(der::SEQUENCE).is_some(),
            _ => true,
        }
        .then_some(())?;
        identifier.is_empty().then_some((kind, if kind == Self::RsaPss { parameters } else { &[] }))
    }
}

enum Material {
    Rsa(Rsa),
    Ec(Ec),
    Raw { public: [u8; 32], private: Option<Secret<64>> },
}

/// A public or private key. Immutable, so any number of threads may use it; private material is zeroed when dropped.
pub struct Key {
    kind: Kind,
    private: bool,
    material: Material,
    pss: Vec<u8>,
}

const BAD_SPKI: Error = Error::Key("not an X.509 SubjectPublicKeyInfo of a known key type");
const BAD_PKCS8: Error = Error::Key("not a PKCS#8 private key of a known key type");
const PUBLIC_MISMATCH: Error = Error::Key("the PKCS#8 encoding's public key is not the private key's");

/// PKCS#8 version 2's public key: `[1] IMPLICIT BIT STRING`.
const PKCS8_PUBLIC: u8 = 0x81;
/// PKCS#8 attributes: `[0] IMPLICIT SET`.
const PKCS8_ATTRIBUTES: u8 = 0xa0;

impl Key {
    fn new(kind: Kind, private: bool, material: Material) -> Self {
        Self { kind, private, material, pss: Vec::new() }
    }

    /// An RSA key for PSS only with these DER parameters (RFC 4055 section 3.1); empty for none.
    pub fn with_pss_parameters(mut self, der: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(der);
        if self.kind != Kind::RsaPss || !der.is_empty() && (reader.sequence().is_none() || !reader.is_empty()) {
            return Err(Error::Key("not parameters of an RSASSA-PSS key"));
        }
        self.pss = der.to_vec();
        Ok(self)
    }

    /// From a SubjectPublicKeyInfo (RFC 5280 section 4.1), all of `der`.
    ///
    /// # Errors
    /// [`Error::Key`] if it is malformed, of a type not in [`Kind`], or holds an impossible key.
    pub fn from_spki(der: &[u8]) -> Result<Self> {
        let mut all = Reader::new(der);
        let parsed = all.sequence().filter(|_| all.is_empty()).and_then(|mut info| {
            let identifier = Kind::parse(info.sequence()?)?;
            let bits = info.bits(der::BIT_STRING)?;
            info.is_empty().then_some((identifier, bits))
        });
        let ((kind, pss), bits) = parsed.ok_or(BAD_SPKI)?;
        let key = Self::public_from_bits(kind, bits)?;
        if pss.is_empty() { Ok(key) } else { key.with_pss_parameters(pss) }
    }

    /// From what a SubjectPublicKeyInfo's bit string holds: a DER RSAPublicKey, an encoded point, or 32 bytes.
    pub fn public_from_bits(kind: Kind, bits: &[u8]) -> Result<Self> {
        let material = match kind {
            Kind::Rsa | Kind::RsaPss => Material::Rsa(Rsa::public_from_der(bits)?),
            Kind::X25519 | Kind::Ed25519 => Material::Raw {
                public: bits.try_into().map_err(|_| Error::Key("a raw public key has 32 bytes"))?,
                private: None,
            },
            _ => Material::Ec(Ec::public(kind, bits)?),
        };
        Ok(Self::new(kind, false, material))
    }

    /// From PKCS#8, all of `der`: PrivateKeyInfo (RFC 5208) or OneAsymmetricKey (RFC 5958), whose public key must be
    /// the private key's.
    ///
    /// # Errors
    /// [`Error::Key`] if it is malformed, of a type not in [`Kind`], or holds an impossible key.
    pub fn from_pkcs8(der: &[u8]) -> Result<Self> {
        let mut all = Reader::new(der);
        let parsed = all.sequence().filter(|_| all.is_empty()).and_then(|mut info| {
            let version = info.unsigned()?;
            let identifier = Kind::parse(info.sequence()?)?;
            let octets = info.read(der::OCTET_STRING)?;
            info.optional(PKCS8_ATTRIBUTES)?;
            let public = if info.tag() == Some(PKCS8_PUBLIC) { Some(info.bits(PKCS8_PUBLIC)?) } else { None };
            let known = version.is_empty() && public.is_none() || version == [1];
            (info.is_empty() && known).then_some((identifier, octets, public))
        });
        let ((kind, pss), octets, public) = parsed.ok_or(BAD_PKCS8)?;
        let key = match kind {
            Kind::Rsa | Kind::RsaPss => Self::new(kind, true, Material::Rsa(Rsa::private_from_der(octets)?)),
            Kind::X25519 | Kind::Ed25519 => {
                let mut inner = Reader::new(octets);
                let raw = inner.read(der::OCTET_STRING).filter(|_| inner.is_empty()).ok_or(BAD_PKCS8)?;
                Self::raw_private(kind, raw)?
            }
            _ => Self::new(kind, true, Material::Ec(Ec::private_from_der(kind, octets)?)),
        };
        if let Some(bits) = public {
            let same = Self::public_from_bits(kind, bits).and_then(|public| Ok(public.bits()? == key.bits()?));
            if same != Ok(true) {
                return Err(PUBLIC_MISMATCH);
            }
        }
        if pss.is_empty() { Ok(key) } else { key.with_pss_parameters(pss) }
    }

    /// RSA from its modulus and public exponent, big-endian.
    pub fn rsa_public(kind: Kind, n: &[u8], e: &[u8]) -> Result<Self> {
        Self::rsa_kind(kind)?;
        Ok(Self::new(kind, false, Material::Rsa(Rsa::public(n, e)?)))
    }

    /// RSA from its private numbers.
    pub fn rsa_private(kind: Kind, numbers: &PrivateNumbers<'_>) -> Result<Self> {
        Self::rsa_kind(kind)?;
        Ok(Self::new(kind, true, Material::Rsa(Rsa::private(numbers)?)))
    }

    fn rsa_kind(kind: Kind) -> Result<()> {
        match kind {
            Kind::Rsa | Kind::RsaPss => Ok(()),
            _ => Err(Error::Argument("not a kind of RSA key")),
        }
    }

    /// From the private number of a NIST curve's key, big-endian with any number of leading zeros.
    pub fn ec_private(kind: Kind, scalar: &[u8]) -> Result<Self> {
        Ok(Self::new(kind, true, Material::Ec(Ec::private(kind, scalar)?)))
    }

    /// From the 32 bytes of an X25519 private key or an Ed25519 seed.
    pub fn raw_private(kind: Kind, bytes: &[u8]) -> Result<Self> {
        let seed: &[u8; 32] = bytes.try_into().map_err(|_| Error::Key("a raw private key has 32 bytes"))?;
        let mut public = [0; 32];
        let private = match kind {
            Kind::X25519 => {
                // SAFETY: 32 bytes each.
                unsafe { ffi::X25519_public_from_private(public.as_mut_ptr(), seed.as_ptr()) };
                Secret::new(seed)
            }
            Kind::Ed25519 => {
                let mut pair = SecretVec(vec![0; 64]);
                // SAFETY: 32, 64 and 32 bytes.
                unsafe {
                    ffi::ED25519_keypair_from_seed(public.as_mut_ptr(), pair.0.as_mut_ptr(), seed.as_ptr());
                }
                Secret::new(&pair.0)
            }
            _ => return Err(Error::Argument("not a kind of key with raw encodings")),
        };
        Ok(Self::new(kind, true, Material::Raw { public, private }))
    }

    /// A new private key. `bits` and `exponent` (big-endian) are RSA's and ignored by the others; BoringSSL makes
    /// moduli of 512 to 16384 bits in steps of 128.
    pub fn generate(kind: Kind, bits: i32, exponent: &[u8]) -> Result<Self> {
        match kind {
            Kind::Rsa | Kind::RsaPss => {
                if bits % 128 != 0 {
                    return Err(Error::Parameter("RSA keys are made in sizes that are multiples of 128 bits"));
                }
                Ok(Self::new(kind, true, Material::Rsa(Rsa::generate(bits, exponent)?)))
            }
            Kind::X25519 | Kind::Ed25519 => {
                let mut seed = SecretVec(vec![0; 32]);
                crate::rand::fill(&mut seed.0)?;
                Self::raw_private(kind, &seed.0)
            }
            _ => Ok(Self::new(kind, true, Material::Ec(Ec::generate(kind)?))),
        }
    }

    /// The public key that belongs to this one.
    ///
    /// # Errors
    /// [`Error::Key`] for an RSA key whose public exponent is unknown.
    pub fn public_half(&self) -> Result<Self> {
        let material = match &self.material {
            Material::Rsa(rsa) => Material::Rsa(rsa.public_half()?),
            Material::Ec(ec) => Material::Ec(ec.public_half(self.kind)?),
            Material::Raw { public, .. } => Material::Raw { public: *public, private: None },
        };
        Ok(Self { kind: self.kind, private: false, material, pss: self.pss.clone() })
    }

    /// What kind of key this is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether it has its private half.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// Whether it is a private RSA key with its primes and CRT numbers.
    pub fn has_primes(&self) -> bool {
        matches!(&self.material, Material::Rsa(rsa) if self.private && rsa.has_primes())
    }

    /// DER parameters of an RSASSA-PSS key; empty if it has none.
    pub fn pss_parameters(&self) -> &[u8] {
        &self.pss
    }

    /// What a SubjectPublicKeyInfo's bit string holds.
    fn bits(&self) -> Result<Vec<u8>> {
        match &self.material {
            Material::Rsa(rsa) => rsa.public_der(),
            Material::Ec(ec) => ec.point(),
            Material::Raw { public, .. } => Ok(public.to_vec()),
        }
    }

    /// The canonical encoding: a SubjectPublicKeyInfo, or PKCS#8 version 1 (an EC key with its point and without inner
    /// parameters). Zeroed when dropped.
    pub fn encode(&self) -> Result<impl AsRef<[u8]> + use<>> {
        let identifier = self.kind.identifier(&self.pss);
        if !self.private {
            let bits = der::element(der::BIT_STRING, &[&[0], &self.bits()?]);
            return Ok(Encoded(SecretVec(der::element(der::SEQUENCE, &[&identifier, &bits]))));
        }
        let inner = match &self.material {
            Material::Rsa(rsa) => rsa.private_der()?,
            Material::Ec(ec) => ec.private_der()?,
            Material::Raw { private, .. } => SecretVec(der::element(der::OCTET_STRING, &[seed(private)])),
        };
        let octets = SecretVec(der::element(der::OCTET_STRING, &[&inner.0]));
        Ok(Encoded(SecretVec(der::element(der::SEQUENCE, &[&der::integer(&[]), &identifier, &octets.0]))))
    }

    /// The key's numbers, big-endian: RSA n, e and for a private key d, p, q, dp, dq, qinv as far as known (an unknown
    /// e is empty); a NIST curve's x, y or private number. The 32 bytes of a raw key as they are.
    pub fn numbers(&self) -> Result<Vec<impl AsRef<[u8]> + use<>>> {
        let all = match &self.material {
            Material::Rsa(rsa) => rsa.numbers(self.private)?,
            Material::Ec(ec) if self.private => vec![ec.scalar()?],
            Material::Ec(ec) => {
                let point = ec.point()?;
                let (x, y) = point.get(1..).unwrap_or_default().split_at(point.len() / 2);
                vec![SecretVec(x.to_vec()), SecretVec(y.to_vec())]
            }
            Material::Raw { private, .. } if self.private => vec![SecretVec(seed(private).to_vec())],
            Material::Raw { public, .. } => vec![SecretVec(public.to_vec())],
        };
        Ok(all.into_iter().map(Encoded).collect())
    }

    pub(crate) fn rsa(&self, private: bool) -> Result<&Rsa> {
        match &self.material {
            Material::Rsa(rsa) if self.private == private => Ok(rsa),
            _ => Err(Error::Key("not an RSA key of the right half")),
        }
    }

    pub(crate) fn any_rsa(&self) -> Result<&Rsa> {
        match &self.material {
            Material::Rsa(rsa) => Ok(rsa),
            _ => Err(Error::Key("not an RSA key")),
        }
    }

    pub(crate) fn ec(&self, private: bool) -> Result<&Ec> {
        match &self.material {
            Material::Ec(ec) if self.private == private => Ok(ec),
            _ => Err(Error::Key("not an EC key of the right half")),
        }
    }

    /// The 32 public bytes of a key of this kind.
    pub(crate) fn raw_public(&self, kind: Kind) -> Result<&[u8; 32]> {
        match &self.material {
            Material::Raw { public, .. } if self.kind == kind && !self.private => Ok(public),
            _ => Err(Error::Key("not a public key of the right kind")),
        }
    }

    /// The private bytes of a key of this kind: 32 of X25519, 64 (seed and public key) of Ed25519.
    pub(crate) fn raw_secret(&self, kind: Kind) -> Result<&[u8]> {
        match &self.material {
            Material::Raw { private: Some(private), .. } if self.kind == kind => Ok(private.get()),
            _ => Err(Error::Key("not a private key of the right kind")),
        }
    }
}

fn seed(private: &Option<Secret<64>>) -> &[u8] {
    private.as_ref().and_then(|secret| secret.get().get(..32)).unwrap_or_default()
}

/// Bytes of a key that leave this module; zeroed when dropped.
struct Encoded(SecretVec);

impl AsRef<[u8]> for Encoded {
    fn as_ref(&self) -> &[u8] {
        &self.0.0
    }
}
