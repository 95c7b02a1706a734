//! Hybrid public key encryption (RFC 9180), in all four modes.
//!
//! Base and auth mode are BoringSSL's `EVP_HPKE_CTX`. It has no pre-shared keys: for these the key schedule (section
//! 5.1) is in `schedule`, over BoringSSL's KEMs, HKDF and AEADs.

use boring_sys as ffi;

use crate::bytes::cleanse;
use crate::error::{Error, Result, check, check_ptr};
use crate::pq::{Algorithm, Form, PrivateKey, PublicKey};

mod schedule;

use schedule::{Hash, Scheduled, decapsulate_authenticated, encapsulate_with};

/// Key derivation functions (RFC 9180 section 7.2). The numbers are IANA's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kdf {
    /// HKDF-SHA256.
    HkdfSha256 = 1,
    /// HKDF-SHA384.
    HkdfSha384 = 2,
}

/// AEADs (RFC 9180 section 7.3). The numbers are IANA's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aead {
    /// AES-128-GCM.
    Aes128Gcm = 1,
    /// AES-256-GCM.
    Aes256Gcm = 2,
    /// ChaCha20-Poly1305.
    ChaCha20Poly1305 = 3,
}

impl Kdf {
    /// The function of an IANA number.
    pub fn from_number(number: i32) -> Result<Self> {
        match number {
            1 => Ok(Self::HkdfSha256),
            2 => Ok(Self::HkdfSha384),
            _ => Err(Error::Argument("no such HPKE KDF")),
        }
    }

    fn table(self) -> *const ffi::EVP_HPKE_KDF {
        // SAFETY: no preconditions; static tables.
        unsafe {
            match self {
                Self::HkdfSha256 => ffi::EVP_hpke_hkdf_sha256(),
                Self::HkdfSha384 => ffi::EVP_hpke_hkdf_sha384(),
            }
        }
    }

    fn hash(self) -> Hash {
        match self {
            Self::HkdfSha256 => Hash::Sha256,
            Self::HkdfSha384 => Hash::Sha384,
        }
    }
}

impl Aead {
    /// The AEAD of an IANA number.
    pub fn from_number(number: i32) -> Result<Self> {
        match number {
            1 => Ok(Self::Aes128Gcm),
            2 => Ok(Self::Aes256Gcm),
            3 => Ok(Self::ChaCha20Poly1305),
            _ => Err(Error::Argument("no such HPKE AEAD")),
        }
    }

    fn table(self) -> *const ffi::EVP_HPKE_AEAD {
        // SAFETY: no preconditions; static tables.
        unsafe {
            match self {
                Self::Aes128Gcm => ffi::EVP_hpke_aes_128_gcm(),
                Self::Aes256Gcm => ffi::EVP_hpke_aes_256_gcm(),
                Self::ChaCha20Poly1305 => ffi::EVP_hpke_chacha20_poly1305(),
            }
        }
    }

    /// `Nk`, bytes of a key (RFC 9180 section 7.3).
    fn key_length(self) -> usize {
        if self == Self::Aes128Gcm { 16 } else { 32 }
    }
}

/// Bytes by which a ciphertext is longer, `Nt`, with all AEADs.
pub const TAG: usize = 16;

/// Bytes that a pre-shared key must have (RFC 9180 section 5.1.2 asks for as much entropy).
pub const MIN_PSK: usize = 32;

/// `kem_id` of HPKE (RFC 9180 section 7.1, draft-ietf-hpke-pq).
fn kem_id(algorithm: Algorithm) -> Option<u16> {
    Some(match algorithm {
        Algorithm::P256 => 0x0010,
        Algorithm::X25519 => 0x0020,
        Algorithm::MlKem768 => 0x0041,
        Algorithm::MlKem1024 => 0x0042,
        Algorithm::XWing => 0x647a,
        _ => return None,
    })
}

fn kem_table(algorithm: Algorithm) -> Result<*const ffi::EVP_HPKE_KEM> {
    // SAFETY: no preconditions; static tables.
    unsafe {
        Ok(match algorithm {
            Algorithm::P256 => ffi::EVP_hpke_p256_hkdf_sha256(),
            Algorithm::X25519 => ffi::EVP_hpke_x25519_hkdf_sha256(),
            Algorithm::MlKem768 => ffi::EVP_hpke_mlkem768(),
            Algorithm::MlKem1024 => ffi::EVP_hpke_mlkem1024(),
            Algorithm::XWing => ffi::EVP_hpke_xwing(),
            _ => return Err(Error::Key("not a key of a key encapsulation mechanism")),
        })
    }
}

/// A pre-shared key and its identity, neither empty.
#[derive(Debug, Clone, Copy)]
pub struct Psk<'a> {
    /// At least [`MIN_PSK`] bytes.
    pub key: &'a [u8],
    /// What the two parties call it.
    pub id: &'a [u8],
}

impl Psk<'_> {
    fn check(self) -> Result<()> {
        if self.key.len() < MIN_PSK {
            return Err(Error::Parameter("a pre-shared key has at least 32 bytes"));
        }
        if self.id.is_empty() {
            return Err(Error::Parameter("a pre-shared key needs an identity"));
        }
        Ok(())
    }
}

/// A private key as BoringSSL's HPKE wants it.
struct Key(Box<ffi::EVP_HPKE_KEY>);

impl Key {
    fn new(key: &PrivateKey) -> Result<Self> {
        let kem = kem_table(key.algorithm())?;
        // SAFETY: all-zero bytes are what EVP_HPKE_KEY_zero makes.
        let mut copy = Self(Box::new(unsafe { std::mem::zeroed() }));
        let mut bytes = key.bytes()?;
        // SAFETY: a zero key; bytes valid for their length.
        let result = check(unsafe { ffi::EVP_HPKE_KEY_init(&raw mut *copy.0, kem, bytes.as_ptr(), bytes.len()) });
        cleanse(&mut bytes);
        result.map_err(|e| e.unless_memory(Error::Key("private key is not usable")))?;
        Ok(copy)
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: initialised or zero; what it points to is freed, which zeroes it, and then the copy itself is zeroed.
        unsafe {
            ffi::EVP_HPKE_KEY_cleanup(&raw mut *self.0);
            ffi::OPENSSL_cleanse((&raw mut *self.0).cast(), size_of::<ffi::EVP_HPKE_KEY>());
        }
    }
}

struct Boring(*mut ffi::EVP_HPKE_CTX);

impl Boring {
    fn new() -> Result<Self> {
        // SAFETY: no preconditions.
        Ok(Self(check_ptr(unsafe { ffi::EVP_HPKE_CTX_new() })?))
    }
}

impl Drop for Boring {
    fn drop(&mut self) {
        // SAFETY: owned, freed once; OPENSSL_free zeroes.
        unsafe { ffi::EVP_HPKE_CTX_free(self.0) }
    }
}

enum Context {
    Boring(Boring),
    Scheduled(Scheduled),
}

// SAFETY: BoringSSL's contexts belong to no thread; `&mut` guards every change.
unsafe impl Send for Context {}

impl Context {
    fn export(&self, context: &[u8], length: usize) -> Result<Vec<u8>> {
        let mut secret = vec![0; length];
        match self {
            Self::Boring(boring) => {
                // SAFETY: a context that was set up; everything is valid for its length.
                check(unsafe {
                    ffi::EVP_HPKE_CTX_export(
                        boring.0,
                        secret.as_mut_ptr(),
                        secret.len(),
                        context.as_ptr(),
                        context.len(),
                    )
                })
                .map_err(|e| e.unless_memory(Error::Argument("an exported secret cannot be that long")))?;
            }
            Self::Scheduled(scheduled) => scheduled.export(context, &mut secret)?,
        }
        Ok(secret)
    }
}

/// The side that encrypts: made for one recipient, with a fresh encapsulated key.
pub struct Sender {
    context: Context,
    encapsulated: Vec<u8>,
}

impl Sender {
    /// Sets up a context for the holder of `recipient`'s private key (RFC 9180 sections 5.1.1 to 5.1.4): with `psk`,
    /// for one who also knows that; with `auth`, one who can tell that this key's holder did it. `auth` is for DHKEM
    /// only.
    pub fn new(
        recipient: &PublicKey,
        kdf: Kdf,
        aead: Aead,
        info: &[u8],
        psk: Option<Psk<'_>>,
        auth: Option<&PrivateKey>,
    ) -> Result<Self> {
        Self::deterministic(recipient, kdf, aead, info, psk, auth, None)
    }

    /// As [`Sender::new`] with a given ephemeral key: for known answers in tests only.
    #[doc(hidden)]
    pub fn deterministic(
        recipient: &PublicKey,
        kdf: Kdf,
        aead: Aead,
        info: &[u8],
        psk: Option<Psk<'_>>,
        auth: Option<&PrivateKey>,
        ephemeral: Option<&PrivateKey>,
    ) -> Result<Self> {
        let algorithm = recipient.algorithm();
        let table = kem_table(algorithm)?;
        if let Some(auth) = auth {
            check_authentication(auth.algorithm(), algorithm)?;
        }
        if psk.is_some() || ephemeral.is_some() {
            let (encapsulated, mut secret) = match (auth, ephemeral) {
                (None, None) => recipient.encapsulate()?,
                (auth, Some(ephemeral)) => encapsulate_with(recipient, auth, ephemeral)?,
                (auth, None) => encapsulate_with(recipient, auth, &PrivateKey::generate(algorithm)?)?,
            };
            let scheduled = Scheduled::new(algorithm, kdf, aead, &secret, info, psk, auth.is_some());
            cleanse(&mut secret);
            return Ok(Self { context: Context::Scheduled(scheduled?), encapsulated });
        }
        let boring = Boring::new()?;
        let mut encapsulated = vec![0; algorithm.encapsulation_length().unwrap_or(0)];
        let mut written = 0;
        let public = recipient.bytes();
        // SAFETY: a fresh context, static tables, a live key; everything else is valid for its length.
        let result = unsafe {
            match auth {
                None => ffi::EVP_HPKE_CTX_setup_sender(
                    boring.0,
                    encapsulated.as_mut_ptr(),
                    &raw mut written,
                    encapsulated.len(),
                    table,
                    kdf.table(),
                    aead.table(),
                    public.as_ptr(),
                    public.len(),
                    info.as_ptr(),
                    info.len(),
                ),
                Some(auth) => ffi::EVP_HPKE_CTX_setup_auth_sender(
                    boring.0,
                    encapsulated.as_mut_ptr(),
                    &raw mut written,
                    encapsulated.len(),
                    &raw const *Key::new(auth)?.0,
                    kdf.table(),
                    aead.table(),
                    public.as_ptr(),
                    public.len(),
                    info.as_ptr(),
                    info.len(),
                ),
            }
        };
        check(result).map_err(|e| e.unless_memory(Error::Key("public key is not usable")))?;
        encapsulated.truncate(written);
        Ok(Self { context: Context::Boring(boring), encapsulated })
    }

    /// A sender in base mode whose randomness is `seed`: X25519's ephemeral private key, P-256's input of the key derivation
    /// (RFC 9180 section 7.1.3), the message of ML-KEM (32 bytes each), X-Wing's `eseed` (64 bytes). For known answers in tests only:
    /// with a seed that anybody knows, so is every message.
    ///
    /// # Errors
    /// [`Error::Key`] if the seed has another length or the public key is not usable.
    pub fn from_seed(recipient: &PublicKey, kdf: Kdf, aead: Aead, info: &[u8], seed: &[u8]) -> Result<Self> {
        let algorithm = recipient.algorithm();
        let table = kem_table(algorithm)?;
        let boring = Boring::new()?;
        let mut encapsulated = vec![0; algorithm.encapsulation_length().unwrap_or(0)];
        let mut written = 0;
        let public = recipient.bytes();
        // SAFETY: a fresh context, static tables; everything else is valid for its length.
        let result = unsafe {
            ffi::EVP_HPKE_CTX_setup_sender_with_seed_for_testing(
                boring.0,
                encapsulated.as_mut_ptr(),
                &raw mut written,
                encapsulated.len(),
                table,
                kdf.table(),
                aead.table(),
                public.as_ptr(),
                public.len(),
                info.as_ptr(),
                info.len(),
                seed.as_ptr(),
                seed.len(),
            )
        };
        check(result).map_err(|e| e.unless_memory(Error::Key("public key or seed is not usable")))?;
        encapsulated.truncate(written);
        Ok(Self { context: Context::Boring(boring), encapsulated })
    }

    /// The encapsulated key, `enc`, that the recipient needs.
    pub fn encapsulated(&self) -> &[u8] {
        &self.encapsulated
    }

    /// Encrypts the next message; the ciphertext is longer by [`TAG`] bytes.
    pub fn seal(&mut self, plaintext: &[u8], additional: &[u8]) -> Result<Vec<u8>> {
        let boring = match &mut self.context {
            Context::Boring(boring) => boring,
            Context::Scheduled(scheduled) => return scheduled.seal(plaintext, additional),
        };
        let mut ciphertext = vec![0; plaintext.len() + TAG];
        let mut written = 0;
        // SAFETY: a sender's context; everything is valid for its length, and `ciphertext` is separate.
        check(unsafe {
            ffi::EVP_HPKE_CTX_seal(
                boring.0,
                ciphertext.as_mut_ptr(),
                &raw mut written,
                ciphertext.len(),
                plaintext.as_ptr(),
                plaintext.len(),
                additional.as_ptr(),
                additional.len(),
            )
        })?;
        ciphertext.truncate(written);
        Ok(ciphertext)
    }

    /// A secret of `length` bytes, at most 255 times the KDF's hash, that the recipient can derive too (RFC 9180
    /// section 5.3); the caller zeroes it.
    pub fn export(&self, context: &[u8], length: usize) -> Result<Vec<u8>> {
        self.context.export(context, length)
    }
}

/// The side that decrypts.
pub struct Recipient {
    context: Context,
}

impl Recipient {
    /// Sets up the context that the sender made; parameters as in [`Sender::new`]. Whether `psk`, `info` and `auth` are
    /// the sender's shows at the first message.
    pub fn new(
        key: &PrivateKey,
        kdf: Kdf,
        aead: Aead,
        encapsulated: &[u8],
        info: &[u8],
        psk: Option<Psk<'_>>,
        auth: Option<&PublicKey>,
    ) -> Result<Self> {
        let algorithm = key.algorithm();
        let table = kem_table(algorithm)?;
        if let Some(auth) = auth {
            check_authentication(auth.algorithm(), algorithm)?;
        }
        if algorithm.encapsulation_length() != Some(encapsulated.len()) {
            return Err(Error::Encapsulation("encapsulated key has another length"));
        }
        if psk.is_some() {
            let mut secret = match auth {
                None => key.decapsulate(encapsulated)?,
                Some(auth) => decapsulate_authenticated(key, auth, encapsulated)?,
            };
            let scheduled = Scheduled::new(algorithm, kdf, aead, &secret, info, psk, auth.is_some());
            cleanse(&mut secret);
            return Ok(Self { context: Context::Scheduled(scheduled?) });
        }
        let boring = Boring::new()?;
        let (kdf, aead) = (kdf.table(), aead.table());
        let (enc, enc_len) = (encapsulated.as_ptr(), encapsulated.len());
        // SAFETY: a fresh context, static tables, live keys; everything else is valid for its length.
        let result = unsafe {
            match auth {
                Some(auth) => ffi::EVP_HPKE_CTX_setup_auth_recipient(
                    boring.0,
                    &raw const *Key::new(key)?.0,
                    kdf,
                    aead,
                    enc,
                    enc_len,
                    info.as_ptr(),
                    info.len(),
                    auth.bytes().as_ptr(),
                    auth.bytes().len(),
                ),
                // BoringSSL's own key knows seeds only.
                None if key.form() == Form::Expanded => {
                    let mut secret = key.decapsulate(encapsulated)?;
                    let result = ffi::EVP_HPKE_CTX_setup_recipient_with_shared_secret(
                        boring.0,
                        table,
                        kdf,
                        aead,
                        secret.as_ptr(),
                        secret.len(),
                        info.as_ptr(),
                        info.len(),
                    );
                    cleanse(&mut secret);
                    result
                }
                None => ffi::EVP_HPKE_CTX_setup_recipient(
                    boring.0,
                    &raw const *Key::new(key)?.0,
                    kdf,
                    aead,
                    enc,
                    enc_len,
                    info.as_ptr(),
                    info.len(),
                ),
            }
        };
        check(result).map_err(|e| e.unless_memory(Error::Encapsulation("encapsulated key is malformed")))?;
        Ok(Self { context: Context::Boring(boring) })
    }

    /// Decrypts the next message. [`Error::BadTag`] if it is not the next one, or was changed; the context stays where
    /// it was, so that the right one can still be opened.
    pub fn open(&mut self, ciphertext: &[u8], additional: &[u8]) -> Result<Vec<u8>> {
        let boring = match &mut self.context {
            Context::Boring(boring) => boring,
            Context::Scheduled(scheduled) => return scheduled.open(ciphertext, additional),
        };
        let mut plaintext = vec![0; ciphertext.len()];
        let mut written = 0;
        // SAFETY: a recipient's context; everything is valid for its length, and `plaintext` is separate.
        check(unsafe {
            ffi::EVP_HPKE_CTX_open(
                boring.0,
                plaintext.as_mut_ptr(),
                &raw mut written,
                plaintext.len(),
                ciphertext.as_ptr(),
                ciphertext.len(),
                additional.as_ptr(),
                additional.len(),
            )
        })
        .map_err(|e| e.unless_memory(Error::BadTag))?;
        plaintext.truncate(written);
        Ok(plaintext)
    }

    /// As [`Sender::export`].
    pub fn export(&self, context: &[u8], length: usize) -> Result<Vec<u8>> {
        self.context.export(context, length)
    }
}

/// Only Diffie-Hellman KEMs can authenticate (RFC 9180 section 4.1), and only with a key of their own group.
fn check_authentication(sender: Algorithm, recipient: Algorithm) -> Result<()> {
    if !matches!(recipient, Algorithm::X25519 | Algorithm::P256) {
        return Err(Error::Parameter("this KEM cannot authenticate the sender"));
    }
    if sender == recipient { Ok(()) } else { Err(Error::Key("the sender's key is of another algorithm")) }
}
