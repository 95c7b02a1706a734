//! Box: an authenticated channel between two parties who know each other's X25519 public keys.
//!
//! The handshake is Noise's pattern KK (The Noise Protocol Framework, revision 34, section 7.5) with X25519,
//! AES-256-GCM and SHA-256: one message each way. Records follow, each under the next nonce of its direction;
//! `docs/BOX.md` has the format and the reasons.

use boring_sys as ffi;

use crate::bytes::{InOut, Secret, cleanse};
use crate::error::{Error, Result, check, check_ptr};
use crate::pq::{Algorithm, PrivateKey, PublicKey};

const PROTOCOL: &[u8; 28] = b"Noise_KK_25519_AESGCM_SHA256";

/// What the prologue begins with: the record format's name and version.
const LABEL: &[u8] = b"Postscrypt Box 1";

/// Bytes of X25519 keys, of hashes and of AEAD keys.
const LENGTH: usize = 32;

/// Bytes of a tag.
pub const TAG: usize = 16;

/// Bytes of a handshake message: an ephemeral key and the tag of an empty payload.
pub const HANDSHAKE: usize = LENGTH + TAG;

/// Bytes of a record's header: its kind, and the length of its plaintext in 3 bytes, big-endian.
pub const HEADER: usize = 4;

/// Bytes of plaintext that a record may have.
pub const MAX_PLAINTEXT: usize = 1 << 16;

/// Records after which a direction's key is replaced (Noise section 11.3), well before AES-GCM's limits.
const REKEY_INTERVAL: u64 = 1 << 20;

/// What a record carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bytes of a message that goes on; at least one.
    Part = 0,
    /// The last bytes of a message; there may be none.
    Last = 1,
    /// Nothing: no record follows.
    End = 2,
}

impl Kind {
    /// The kind of a number.
    pub fn from_number(number: i32) -> Result<Self> {
        match number {
            0 => Ok(Self::Part),
            1 => Ok(Self::Last),
            2 => Ok(Self::End),
            _ => Err(Error::Argument("no such kind of record")),
        }
    }

    /// Whether a record of this kind may have so many bytes of plaintext.
    fn allows(self, length: usize) -> bool {
        match self {
            Self::Part => (1..=MAX_PLAINTEXT).contains(&length),
            Self::Last => length <= MAX_PLAINTEXT,
            Self::End => length == 0,
        }
    }

    fn header(self, length: usize) -> Result<[u8; HEADER]> {
        if !self.allows(length) {
            return Err(Error::Argument("a record of this kind cannot be that long"));
        }
        let [_, high, middle, low] = u32::try_from(length).unwrap_or(0).to_be_bytes();
        #[allow(clippy::as_conversions, reason = "a fieldless enum's number")]
        Ok([self as u8, high, middle, low])
    }

    /// Kind and length of the plaintext that a header tells; not authenticated yet.
    pub fn parse(header: [u8; HEADER]) -> Result<(Self, usize)> {
        let [kind, high, middle, low] = header;
        let kind = Self::from_number(kind.into()).map_err(|_| Error::BadTag)?;
        let length = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
        if kind.allows(length) { Ok((kind, length)) } else { Err(Error::BadTag) }
    }
}

/// Noise's CipherState: AES-256-GCM and a counter.
struct Cipher {
    context: *mut ffi::EVP_AEAD_CTX,
    counter: u64,
}

// SAFETY: BoringSSL's contexts belong to no thread; `&mut` guards every change.
unsafe impl Send for Cipher {}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: owned, freed once; OPENSSL_free zeroes the key schedule.
        unsafe { ffi::EVP_AEAD_CTX_free(self.context) }
    }
}

impl Cipher {
    fn new(key: &[u8; LENGTH]) -> Result<Self> {
        // SAFETY: a static table; a key as long as it wants.
        let context =
            check_ptr(unsafe { ffi::EVP_AEAD_CTX_new(ffi::EVP_aead_aes_256_gcm(), key.as_ptr(), key.len(), TAG) })?;
        Ok(Self { context, counter: 0 })
    }

    /// 32 zero bits and the counter, big-endian (Noise section 12.4).
    fn nonce(counter: u64) -> [u8; 12] {
        let mut nonce = [0; 12];
        nonce.iter_mut().skip(4).zip(counter.to_be_bytes()).for_each(|(n, c)| *n = c);
        nonce
    }

    /// The counter of the next record; the last value is REKEY's.
    fn next(&self) -> Result<u64> {
        if self.counter == u64::MAX { Err(Error::State("too many records")) } else { Ok(self.counter) }
    }

    fn seal_at(&self, counter: u64, additional: &[u8], mut data: InOut<'_>) -> Result<[u8; TAG]> {
        let nonce = Self::nonce(counter);
        let (input, output, length) = data.settle();
        let mut tag = [0; TAG];
        let mut written = 0;
        // SAFETY: a live context; input and output equal or disjoint (`settle`); the rest is valid for its length.
        check(unsafe {
            ffi::EVP_AEAD_CTX_seal_scatter(
                self.context,
                output,
                tag.as_mut_ptr(),
                &raw mut written,
                tag.len(),
                nonce.as_ptr(),
                nonce.len(),
                input,
                length,
                std::ptr::null(),
                0,
                additional.as_ptr(),
                additional.len(),
            )
        })?;
        Ok(tag)
    }

    fn seal(&mut self, additional: &[u8], data: InOut<'_>) -> Result<[u8; TAG]> {
        let tag = self.seal_at(self.next()?, additional, data)?;
        self.counter += 1;
        Ok(tag)
    }

    fn open(&mut self, additional: &[u8], mut data: InOut<'_>, tag: &[u8; TAG]) -> Result<()> {
        let nonce = Self::nonce(self.next()?);
        let (input, output, length) = data.settle();
        // SAFETY: as in `seal_at`. After a wrong tag the output is all zero.
        check(unsafe {
            ffi::EVP_AEAD_CTX_open_gather(
                self.context,
                output,
                nonce.as_ptr(),
                nonce.len(),
                input,
                length,
                tag.as_ptr(),
                tag.len(),
                additional.as_ptr(),
                additional.len(),
            )
        })
        .map_err(|e| e.unless_memory(Error::BadTag))?;
        self.counter += 1;
        Ok(())
    }

    /// REKEY (Noise section 4.2); the counter goes on.
    fn rekey(&mut self) -> Result<()> {
        let mut key = [0; LENGTH];
        let sealed = self.seal_at(u64::MAX, &[], InOut::in_place(&mut key));
        let next = sealed.and_then(|_| Self::new(&key));
        cleanse(&mut key);
        let counter = self.counter;
        *self = next?;
        self.counter = counter;
        Ok(())
    }

    /// After a record: a new key in time. The other side does the same.
    fn age(&mut self) -> Result<()> {
        if self.counter.is_multiple_of(REKEY_INTERVAL) { self.rekey() } else { Ok(()) }
    }
}

/// Noise's SymmetricState.
struct Symmetric {
    chaining: Secret<LENGTH>,
    hash: [u8; LENGTH],
    cipher: Option<Cipher>,
}

fn sha256(parts: &[&[u8]]) -> [u8; LENGTH] {
    let mut hash = [0; LENGTH];
    let bytes = parts.concat();
    // SAFETY: bytes valid for their length; room for the hash.
    unsafe { ffi::SHA256(bytes.as_ptr(), bytes.len(), hash.as_mut_ptr()) };
    hash
}

/// Noise's HKDF with two outputs (section 4.3), which is RFC 5869's with an empty info.
fn hkdf(chaining: &[u8], input: &[u8]) -> Result<[Secret<LENGTH>; 2]> {
    let mut out = [0; 2 * LENGTH];
    // SAFETY: everything is valid for its length.
    let result = check(unsafe {
        ffi::HKDF(
            out.as_mut_ptr(),
            out.len(),
            ffi::EVP_sha256(),
            input.as_ptr(),
            input.len(),
            chaining.as_ptr(),
            chaining.len(),
            std::ptr::null(),
            0,
        )
    });
    let (first, second) = out.split_at(LENGTH);
    let secrets = Secret::new(first).zip(Secret::new(second));
    cleanse(&mut out);
    result?;
    secrets.map(|(a, b)| [a, b]).ok_or(Error::State("HKDF"))
}

fn cipher_of(key: &Secret<LENGTH>) -> Result<Cipher> {
    Cipher::new(key.get().try_into().map_err(|_| Error::State("key length"))?)
}

impl Symmetric {
    fn new(prologue: &[&[u8]]) -> Result<Self> {
        let mut hash = [0; LENGTH];
        hash.iter_mut().zip(PROTOCOL).for_each(|(h, p)| *h = *p);
        let chaining = Secret::new(&hash).ok_or(Error::State("hash length"))?;
        let mut symmetric = Self { chaining, hash, cipher: None };
        symmetric.mix_hash(&prologue.concat());
        Ok(symmetric)
    }

    fn mix_hash(&mut self, data: &[u8]) {
        self.hash = sha256(&[&self.hash, data]);
    }

    fn mix_key(&mut self, input: &Secret<LENGTH>) -> Result<()> {
        let [chaining, key] = hkdf(self.chaining.get(), input.get())?;
        self.cipher = Some(cipher_of(&key)?);
        self.chaining = chaining;
        Ok(())
    }

    fn encrypt(&mut self, payload: &[u8]) -> Result<Vec<u8>> {
        let cipher = self.cipher.as_mut().ok_or(Error::State("no key yet"))?;
        let mut sealed = payload.to_vec();
        let tag = cipher.seal(&self.hash, InOut::in_place(&mut sealed))?;
        sealed.extend_from_slice(&tag);
        self.mix_hash(&sealed);
        Ok(sealed)
    }

    fn decrypt(&mut self, sealed: &[u8]) -> Result<Vec<u8>> {
        let cipher = self.cipher.as_mut().ok_or(Error::State("no key yet"))?;
        let (body, tag) = sealed.split_last_chunk::<TAG>().ok_or(Error::BadTag)?;
        let mut payload = body.to_vec();
        cipher.open(&self.hash, InOut::in_place(&mut payload), tag)?;
        self.mix_hash(sealed);
        Ok(payload)
    }
}

fn x25519(private: &Secret<LENGTH>, public: &[u8; LENGTH]) -> Result<Secret<LENGTH>> {
    let mut shared = [0; LENGTH];
    // SAFETY: 32 bytes each.
    let result = unsafe { ffi::X25519(shared.as_mut_ptr(), private.get().as_ptr(), public.as_ptr()) };
    let secret = Secret::new(&shared);
    cleanse(&mut shared);
    if result != 1 {
        return Err(Error::BadTag.after_clear());
    }
    secret.ok_or(Error::State("key length"))
}

fn public_of(private: &Secret<LENGTH>) -> [u8; LENGTH] {
    let mut public = [0; LENGTH];
    // SAFETY: 32 bytes each.
    unsafe { ffi::X25519_public_from_private(public.as_mut_ptr(), private.get().as_ptr()) };
    public
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The initiator's message is next.
    First,
    /// The responder's.
    Second,
    Done,
    Failed,
}

/// A handshake: the initiator writes, reads; the responder reads, writes; then both split.
pub struct Handshake {
    initiator: bool,
    step: Step,
    symmetric: Symmetric,
    own: Secret<LENGTH>,
    peer: [u8; LENGTH],
    /// ss, which is the same in every handshake of the two.
    shared: Secret<LENGTH>,
    ephemeral: Secret<LENGTH>,
    peer_ephemeral: [u8; LENGTH],
    directions: Option<(Sealer, Opener)>,
}

impl Handshake {
    /// A handshake between the holders of two X25519 keys. `context` is whatever both must agree on, of any length.
    pub fn new(initiator: bool, own: &PrivateKey, peer: &PublicKey, context: &[u8]) -> Result<Self> {
        if own.algorithm() != Algorithm::X25519 || peer.algorithm() != Algorithm::X25519 {
            return Err(Error::Key("a box needs X25519 keys"));
        }
        let mut bytes = own.bytes()?;
        let secret = Secret::new(&bytes);
        cleanse(&mut bytes);
        let mut ephemeral = [0; LENGTH];
        crate::rand::fill(&mut ephemeral)?;
        let ephemeral_secret = Secret::new(&ephemeral);
        cleanse(&mut ephemeral);
        let (Some(own), Some(ephemeral)) = (secret, ephemeral_secret) else {
            return Err(Error::Key("a box needs X25519 keys"));
        };
        let peer = peer.bytes().try_into().map_err(|_| Error::Key("a box needs X25519 keys"))?;
        Self::with(initiator, own, peer, ephemeral, &[LABEL, context])
    }

    fn with(
        initiator: bool,
        own: Secret<LENGTH>,
        peer: [u8; LENGTH],
        ephemeral: Secret<LENGTH>,
        prologue: &[&[u8]],
    ) -> Result<Self> {
        let shared = x25519(&own, &peer).map_err(|_| Error::Key("the peer's public key is not usable"))?;
        let mut symmetric = Symmetric::new(prologue)?;
        let own_public = public_of(&own);
        let (first, second) = if initiator { (&own_public, &peer) } else { (&peer, &own_public) };
        symmetric.mix_hash(first);
        symmetric.mix_hash(second);
        Ok(Self {
            initiator,
            step: Step::First,
            symmetric,
            own,
            peer,
            shared,
            ephemeral,
            peer_ephemeral: [0; LENGTH],
            directions: None,
        })
    }

    /// The next message, if it is our turn. After a failure the handshake is of no use.
    pub fn write(&mut self) -> Result<Vec<u8>> {
        self.write_payload(&[])
    }

    fn write_payload(&mut self, payload: &[u8]) -> Result<Vec<u8>> {
        let step = self.turn(if self.initiator { Step::First } else { Step::Second })?;
        let ephemeral = public_of(&self.ephemeral);
        self.symmetric.mix_hash(&ephemeral);
        self.mix(step)?;
        let sealed = self.symmetric.encrypt(payload)?;
        self.advance(step)?;
        Ok([&ephemeral[..], &sealed].concat())
    }

    /// Reads the other's message. [`Error::BadTag`] if it was not made by the holder of the other key, for this one,
    /// with the same context; the handshake is of no use then.
    pub fn read(&mut self, message: &[u8]) -> Result<()> {
        let payload = self.read_payload(message)?;
        if payload.is_empty() {
            return Ok(());
        }
        self.step = Step::Failed;
        Err(Error::BadTag)
    }

    fn read_payload(&mut self, message: &[u8]) -> Result<Vec<u8>> {
        let step = self.turn(if self.initiator { Step::Second } else { Step::First })?;
        let (ephemeral, sealed) = message.split_first_chunk::<LENGTH>().ok_or(Error::BadTag)?;
        self.peer_ephemeral = *ephemeral;
        self.symmetric.mix_hash(ephemeral);
        self.mix(step)?;
        let payload = self.symmetric.decrypt(sealed)?;
        self.advance(step)?;
        Ok(payload)
    }

    /// Takes the turn; until `advance`, the handshake counts as failed.
    fn turn(&mut self, mine: Step) -> Result<Step> {
        if self.step != mine {
            return Err(Error::State(match self.step {
                Step::Failed => "the handshake failed",
                Step::Done => "the handshake is over",
                Step::First | Step::Second => "it is the other side's turn",
            }));
        }
        self.step = Step::Failed;
        Ok(mine)
    }

    /// es, ss; or ee, se. The letters name the initiator's key first.
    fn mix(&mut self, step: Step) -> Result<()> {
        let (first, second) = match (step, self.initiator) {
            (Step::First, true) => (x25519(&self.ephemeral, &self.peer)?, None),
            (Step::First, false) => (x25519(&self.own, &self.peer_ephemeral)?, None),
            (_, initiator) => {
                let ee = x25519(&self.ephemeral, &self.peer_ephemeral)?;
                let se = if initiator {
                    x25519(&self.own, &self.peer_ephemeral)?
                } else {
                    x25519(&self.ephemeral, &self.peer)?
                };
                (ee, Some(se))
            }
        };
        self.symmetric.mix_key(&first)?;
        self.symmetric.mix_key(second.as_ref().unwrap_or(&self.shared))
    }

    fn advance(&mut self, step: Step) -> Result<()> {
        if step == Step::First {
            self.step = Step::Second;
            return Ok(());
        }
        let [first, second] = hkdf(self.symmetric.chaining.get(), &[])?;
        let (ours, theirs) = if self.initiator { (first, second) } else { (second, first) };
        let sealer = Sealer { cipher: cipher_of(&ours)?, ended: false };
        let opener = Opener { cipher: cipher_of(&theirs)?, state: Opening::Open };
        self.directions = Some((sealer, opener));
        self.step = Step::Done;
        Ok(())
    }

    /// The two directions of the channel, once the handshake is over; only once.
    pub fn split(&mut self) -> Result<(Sealer, Opener)> {
        self.directions.take().ok_or(Error::State("the handshake is not over, or was split"))
    }

    /// The hash of the handshake, the same on both sides and of no other handshake (Noise section 11.2): a channel
    /// binding.
    pub fn hash(&self) -> Result<[u8; LENGTH]> {
        if self.step == Step::Done { Ok(self.symmetric.hash) } else { Err(Error::State("the handshake is not over")) }
    }
}

/// The sending direction.
pub struct Sealer {
    cipher: Cipher,
    ended: bool,
}

impl Sealer {
    /// Encrypts one record's plaintext; answers its header, which goes before it, and its tag, which goes behind.
    pub fn seal(&mut self, kind: Kind, data: InOut<'_>) -> Result<([u8; HEADER], [u8; TAG])> {
        if self.ended {
            return Err(Error::State("the box was ended"));
        }
        let header = kind.header(data.len())?;
        let tag = self.cipher.seal(&header, data)?;
        self.cipher.age().inspect_err(|_| self.ended = true)?;
        self.ended = kind == Kind::End;
        Ok((header, tag))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    Open,
    Ended,
    Failed,
}

/// The receiving direction. After a record that is not the next one it is of no use.
pub struct Opener {
    cipher: Cipher,
    state: Opening,
}

impl Opener {
    /// Decrypts one record's ciphertext. [`Error::BadTag`] if it is not the other side's next record (changed,
    /// repeated, out of order, from another channel or direction), and with that the end: whatever follows is refused.
    /// The output is all zero then.
    pub fn open(&mut self, header: [u8; HEADER], data: InOut<'_>, tag: &[u8; TAG]) -> Result<Kind> {
        match self.state {
            Opening::Open => {}
            Opening::Ended => return Err(Error::State("the box was ended by the other side")),
            Opening::Failed => return Err(Error::State("the box failed")),
        }
        self.state = Opening::Failed;
        let (kind, length) = Kind::parse(header)?;
        if length != data.len() {
            return Err(Error::BadTag);
        }
        self.cipher.open(&header, data, tag)?;
        self.cipher.age()?;
        self.state = if kind == Kind::End { Opening::Ended } else { Opening::Open };
        Ok(kind)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::testing::hex;

    fn secret(text: &str) -> Secret<LENGTH> {
        Secret::new(&hex(text)).unwrap()
    }

    /// A test vector of the project cacophony (public domain, Unlicense), `vectors/cacophony.txt`.
    #[test]
    fn handshake_is_noise_kk() {
        let prologue = hex("4a6f686e2047616c74");
        let mut initiator = Handshake::with(
            true,
            secret("e61ef9919cde45dd5f82166404bd08e38bceb5dfdfded0a34c8df7ed542214d1"),
            hex("31e0303fd6418d2f8c0e78b91f22e8caed0fbe48656dcf4767e4834f701b8f62").try_into().unwrap(),
            secret("893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a"),
            &[&prologue],
        )
        .unwrap();
        let mut responder = Handshake::with(
            false,
            secret("4a3acbfdb163dec651dfa3194dece676d437029c62a408b4c5ea9114246e4893"),
            hex("6bc3822a2aa7f4e6981d6538692b3cdf3e6df9eea6ed269eb41d93c22757b75a").try_into().unwrap(),
            secret("bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b"),
            &[&prologue],
        )
        .unwrap();
        let payloads = [hex("4c756477696720766f6e204d69736573"), hex("4d757272617920526f746862617264")];
        let first = initiator.write_payload(&payloads[0]).unwrap();
        assert_eq!(
            first,
            hex("ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c79448564738a841228e693caeec4c497a8bd56\
                 2231c3e51a1f03c4fd45dfe3a67870")
        );
        assert_eq!(responder.read_payload(&first).unwrap(), payloads[0]);
        let second = responder.write_payload(&payloads[1]).unwrap();
        assert_eq!(
            second,
            hex("95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843b94504c4d83506f5dd2568b68490eba8\
                 ed6f9cf2cca194a273c56d7ae3c558")
        );
        assert_eq!(initiator.read_payload(&second).unwrap(), payloads[1]);
        let hash = hex("c03693acd830588fac76dd414c9e100e8c601d27511de855100239f7705fa3f2");
        assert_eq!((&initiator.hash().unwrap()[..], &responder.hash().unwrap()[..]), (&hash[..], &hash[..]));
        let (mut sealer, _) = initiator.split().unwrap();
        let (mut back, _) = responder.split().unwrap();
        for (first, payload, expected) in [
            (true, "462e20412e20486179656b", "6a5c10a201d4e3a08f79f64949e55731f774913a4d949bda3fcebf"),
            (false, "4361726c204d656e676572", "4e8a1bf06926fdd74e2f516e2b0c11cc1dc3387fadeb75389d4342"),
            (
                true,
                "4a65616e2d426170746973746520536179",
                "c1df7194ca8ea51d4dd99059bc9b90288112d47237d8481f1773fb26a31629a05c",
            ),
        ] {
            let cipher = if first { &mut sealer.cipher } else { &mut back.cipher };
            let mut data = hex(payload);
            let tag = cipher.seal(&[], InOut::in_place(&mut data)).unwrap();
            assert_eq!([&data[..], &tag].concat(), hex(expected));
        }
    }

    fn pair() -> (Handshake, Handshake) {
        let (a, b) =
            (PrivateKey::generate(Algorithm::X25519).unwrap(), PrivateKey::generate(Algorithm::X25519).unwrap());
        let (pa, pb) = (a.public_key().unwrap(), b.public_key().unwrap());
        (Handshake::new(true, &a, &pb, b"test").unwrap(), Handshake::new(false, &b, &pa, b"test").unwrap())
    }

    fn connected() -> ((Sealer, Opener), (Sealer, Opener)) {
        let (mut a, mut b) = pair();
        let first = a.write().unwrap();
        assert_eq!(first.len(), HANDSHAKE);
        b.read(&first).unwrap();
        let second = b.write().unwrap();
        assert_eq!(second.len(), HANDSHAKE);
        a.read(&second).unwrap();
        assert_eq!(a.hash().unwrap(), b.hash().unwrap());
        (a.split().unwrap(), b.split().unwrap())
    }

    #[test]
    fn keys_are_replaced_on_both_sides_alike() {
        let ((mut sealer, _), (_, mut opener)) = connected();
        for _ in 0..=REKEY_INTERVAL {
            let mut data = *b"same";
            let (header, tag) = sealer.seal(Kind::Last, InOut::in_place(&mut data)).unwrap();
            opener.open(header, InOut::in_place(&mut data), &tag).unwrap();
            assert_eq!(data, *b"same");
        }
        // A new key was taken: the old one, at the same counter, does not open.
        let ((mut sealer, _), (_, mut opener)) = connected();
        sealer.cipher.counter = REKEY_INTERVAL - 1;
        opener.cipher.counter = REKEY_INTERVAL;
        let mut data = *b"one";
        sealer.seal(Kind::Last, InOut::in_place(&mut data)).unwrap();
        let mut data = *b"two";
        let (header, tag) = sealer.seal(Kind::Last, InOut::in_place(&mut data)).unwrap();
        assert_eq!(opener.open(header, InOut::in_place(&mut data), &tag), Err(Error::BadTag));
    }

    #[test]
    fn a_wrong_step_or_key_fails() {
        let (mut a, mut b) = pair();
        assert!(matches!(b.write(), Err(Error::State(_))));
        assert!(matches!(a.read(&[0; HANDSHAKE]), Err(Error::State(_))));
        assert!(matches!(a.split(), Err(Error::State(_))));
        assert!(matches!(a.hash(), Err(Error::State(_))));
        let mut first = a.write().unwrap();
        assert!(matches!(a.write(), Err(Error::State(_))));
        first[40] ^= 1;
        assert_eq!(b.read(&first), Err(Error::BadTag));
        first[40] ^= 1;
        assert!(matches!(b.read(&first), Err(Error::State(_))), "failed for good");
        let (_, mut stranger) = pair();
        assert_eq!(stranger.read(&first), Err(Error::BadTag));
        for short in [0, 31, 32, 47] {
            let (_, mut b) = pair();
            assert_eq!(b.read(&first[..short]), Err(Error::BadTag));
        }
        // A point of small order contributes nothing.
        let (_, mut b) = pair();
        assert_eq!(b.read(&[0; HANDSHAKE]), Err(Error::BadTag));
        let own = PrivateKey::generate(Algorithm::X25519).unwrap();
        let zero = PublicKey::from_bytes(Algorithm::X25519, &[0; LENGTH]).unwrap();
        assert!(matches!(Handshake::new(true, &own, &zero, b""), Err(Error::Key(_))));
    }

    #[test]
    fn ends_and_failures_are_final() {
        let ((mut sealer, mut own), (mut back, mut opener)) = connected();
        let mut data = *b"hello";
        let (header, tag) = sealer.seal(Kind::Last, InOut::in_place(&mut data)).unwrap();
        // Reflected.
        assert_eq!(own.open(header, InOut::in_place(&mut data.clone()), &tag), Err(Error::BadTag));
        assert!(matches!(own.open(header, InOut::in_place(&mut data.clone()), &tag), Err(Error::State(_))));
        opener.open(header, InOut::in_place(&mut data.clone()), &tag).unwrap();
        let (end, end_tag) = sealer.seal(Kind::End, InOut::in_place(&mut [])).unwrap();
        assert!(matches!(sealer.seal(Kind::Last, InOut::in_place(&mut [])), Err(Error::State(_))));
        assert_eq!(opener.open(end, InOut::in_place(&mut []), &end_tag), Ok(Kind::End));
        assert!(matches!(opener.open(end, InOut::in_place(&mut []), &end_tag), Err(Error::State(_))));
        assert!(matches!(back.seal(Kind::Part, InOut::in_place(&mut [])), Err(Error::Argument(_))));
        assert!(matches!(back.seal(Kind::End, InOut::in_place(&mut [1])), Err(Error::Argument(_))));
        assert!(matches!(
            back.seal(Kind::Last, InOut::in_place(&mut vec![0; MAX_PLAINTEXT + 1])),
            Err(Error::Argument(_))
        ));
        for bad in [[3, 0, 0, 0], [0, 0, 0, 0], [2, 0, 0, 1], [1, 1, 0, 1], [255, 255, 255, 255]] {
            assert_eq!(Kind::parse(bad), Err(Error::BadTag));
        }
        assert_eq!(Kind::parse([0, 1, 0, 0]), Ok((Kind::Part, MAX_PLAINTEXT)));
    }
}
