//! Pre-shared keys of TLS 1.2 (RFC 4279): those of the configuration, and those that the caller is asked for.
//!
//! BoringSSL cannot wait for such a key. So the flights that it reads are read along, and the handshake suspends before the message
//! that makes it need the key: the client's before ServerHelloDone, the server's before ClientKeyExchange. Up to there all is in the
//! clear.

use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_uint};

use boring_sys as ffi;

use super::callbacks::state;
use super::{PreSharedKey, RECORD_HEADER};

/// Most bytes of an identity or a hint.
pub(super) const MAX_IDENTITY: usize = ffi::PSK_MAX_IDENTITY_LEN.unsigned_abs() as usize;
/// Most bytes of a key.
pub(super) const MAX_KEY: usize = ffi::PSK_MAX_PSK_LEN.unsigned_abs() as usize;

const CHANGE_CIPHER_SPEC: u8 = 20;
const HANDSHAKE: u8 = 22;

const SERVER_HELLO: u8 = 2;
const SERVER_KEY_EXCHANGE: u8 = 12;
const SERVER_HELLO_DONE: u8 = 14;
const CLIENT_KEY_EXCHANGE: u8 = 16;

const MESSAGE_HEADER: usize = 4;
/// Holds what is looked at: a ServerHello up to its cipher suite, a hint, an identity.
const MOST_KEPT: usize = MESSAGE_HEADER + 2 + MAX_IDENTITY;

/// Reads the peer's flights along, until the key was asked for or records are encrypted.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    /// The message that is being read: its first bytes.
    message: Vec<u8>,
    /// How many bytes of it there were.
    read: usize,
    /// Client: whether the server chose a suite with a pre-shared key.
    chosen: bool,
    /// There is nothing more to look for.
    done: bool,
    /// What the peer said: the server's hint, the client's identity.
    pub(super) name: Option<Vec<u8>>,
    /// What the caller answered.
    answer: Option<PreSharedKey>,
}

impl Exchange {
    /// Whether the key must be asked for before BoringSSL sees this record. Once it is true, it never is again.
    pub(super) fn asks(&mut self, server: bool, record: &[u8]) -> bool {
        if self.done {
            return false;
        }
        match record {
            [HANDSHAKE, ..] => {}
            [CHANGE_CIPHER_SPEC, ..] => {
                self.done = true;
                return false;
            }
            _ => return false,
        }
        let mut rest = record.get(RECORD_HEADER..).unwrap_or_default();
        while let Some((first, more)) = rest.split_first() {
            rest = more;
            if self.message.len() < MOST_KEPT {
                self.message.push(*first);
            }
            self.read += 1;
            let [kind, high, middle, low, body @ ..] = &self.message[..] else { continue };
            if self.read < MESSAGE_HEADER + u32::from_be_bytes([0, *high, *middle, *low]) as usize {
                continue;
            }
            match (server, *kind) {
                (true, CLIENT_KEY_EXCHANGE) => {
                    self.name = prefixed(body).map(<[u8]>::to_vec);
                    // Longer than allowed, or no message at all: BoringSSL refuses it without a key.
                    self.done = true;
                    return self.name.is_some();
                }
                (false, SERVER_HELLO) => self.chosen = chosen_suite(body).is_some_and(has_pre_shared_key),
                (false, SERVER_KEY_EXCHANGE) if self.chosen => {
                    self.name = prefixed(body).filter(|hint| !hint.is_empty()).map(<[u8]>::to_vec);
                }
                (false, SERVER_HELLO_DONE) if self.chosen => {
                    self.done = true;
                    return true;
                }
                _ => {}
            }
            self.message.clear();
            self.read = 0;
        }
        false
    }

    /// Takes the caller's answer; `None` refuses.
    pub(super) fn answer(&mut self, key: Option<PreSharedKey>) {
        self.answer = key;
    }
}

/// The bytes after a length of two bytes, of a message of which no more than that may be kept.
fn prefixed(body: &[u8]) -> Option<&[u8]> {
    let (length, rest) = body.split_first_chunk::<2>()?;
    rest.get(..usize::from(u16::from_be_bytes(*length)))
}

/// RFC 5246 section 7.4.1.3: version, random, session id, cipher suite.
fn chosen_suite(server_hello: &[u8]) -> Option<u16> {
    let (id_length, rest) = server_hello.get(34..)?.split_first()?;
    let (suite, _) = rest.get(usize::from(*id_length)..)?.split_first_chunk::<2>()?;
    Some(u16::from_be_bytes(*suite))
}

/// Whether a cipher suite of TLS 1.2 authenticates by a pre-shared key.
pub(super) fn has_pre_shared_key(suite: u16) -> bool {
    // SAFETY: any id may be asked for; the answer is null or static.
    unsafe {
        let cipher = ffi::SSL_get_cipher_by_value(suite);
        !cipher.is_null() && ffi::SSL_CIPHER_get_auth_nid(cipher) == ffi::NID_auth_psk
    }
}

/// The client's key: what the caller answered, or the first of the configuration.
pub(super) unsafe extern "C" fn on_client(
    ssl: *mut ffi::SSL,
    _hint: *const c_char,
    identity: *mut c_char,
    max_identity: c_uint,
    psk: *mut u8,
    max_psk: c_uint,
) -> c_uint {
    // SAFETY: BoringSSL calls with a connection of ours and buffers of `max_identity` and `max_psk` bytes.
    unsafe {
        let state = state(ssl);
        let config = &(*state.context).config;
        let answered = state.suspended.as_ref().and_then(|s| s.exchange.answer.as_ref());
        let key = if config.ask_pre_shared_key { answered } else { config.pre_shared_keys.first() };
        let Some((key, name)) = key.and_then(|k| CString::new(k.identity.clone()).ok().map(|name| (k, name))) else {
            return 0;
        };
        let name = name.as_bytes_with_nul();
        if name.len() > max_identity as usize || key.key.len() > max_psk as usize {
            return 0;
        }
        std::ptr::copy_nonoverlapping(name.as_ptr(), identity.cast(), name.len());
        std::ptr::copy_nonoverlapping(key.key.as_ptr(), psk, key.key.len());
        c_uint::try_from(key.key.len()).unwrap_or(0)
    }
}

/// The server's key for the identity that the client named: what the caller answered, or that of the configuration.
pub(super) unsafe extern "C" fn on_server(
    ssl: *mut ffi::SSL,
    identity: *const c_char,
    psk: *mut u8,
    max_psk: c_uint,
) -> c_uint {
    // SAFETY: BoringSSL calls with a connection of ours, a string and a buffer of `max_psk` bytes.
    unsafe {
        if identity.is_null() {
            return 0;
        }
        let wanted = CStr::from_ptr(identity).to_bytes();
        let state = state(ssl);
        let config = &(*state.context).config;
        let answered = state.suspended.as_ref().and_then(|s| s.exchange.answer.as_ref());
        let key = if config.ask_pre_shared_key {
            answered.filter(|k| k.identity == wanted)
        } else {
            config.pre_shared_keys.iter().find(|k| k.identity == wanted)
        };
        match key {
            Some(key) if key.key.len() <= max_psk as usize => {
                std::ptr::copy_nonoverlapping(key.key.as_ptr(), psk, key.key.len());
                c_uint::try_from(key.key.len()).unwrap_or(0)
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn record(messages: &[(u8, &[u8])]) -> Vec<u8> {
        let mut content = Vec::new();
        for (kind, body) in messages {
            content.push(*kind);
            content.extend_from_slice(&u32::try_from(body.len()).unwrap().to_be_bytes()[1..]);
            content.extend_from_slice(body);
        }
        let mut record = vec![HANDSHAKE, 3, 3];
        record.extend_from_slice(&u16::try_from(content.len()).unwrap().to_be_bytes());
        record.extend_from_slice(&content);
        record
    }

    fn server_hello(suite: u16) -> Vec<u8> {
        let mut body = vec![3, 3];
        body.extend_from_slice(&[7; 32]);
        body.push(32);
        body.extend_from_slice(&[8; 32]);
        body.extend_from_slice(&suite.to_be_bytes());
        body.extend_from_slice(&[0; 300]);
        body
    }

    #[test]
    fn a_client_asks_before_server_hello_done() {
        let hello = server_hello(0xc035);
        let all = record(&[(SERVER_HELLO, &hello), (SERVER_KEY_EXCHANGE, b"\0\x04hint0123"), (SERVER_HELLO_DONE, b"")]);
        let mut whole = Exchange::default();
        assert!(whole.asks(false, &all));
        assert_eq!(whole.name.as_deref(), Some(&b"hint"[..]));
        assert!(!whole.asks(false, &all), "once");

        // The same in records of a byte each.
        let mut pieces = Exchange::default();
        let content = all.get(RECORD_HEADER..).unwrap();
        let asked: Vec<bool> = content.iter().map(|b| pieces.asks(false, &[HANDSHAKE, 3, 3, 0, 1, *b])).collect();
        assert_eq!(asked.iter().position(|a| *a), Some(content.len() - 1));
        assert_eq!(pieces.name, whole.name);
    }

    #[test]
    fn other_suites_and_sides_ask_nothing() {
        let rsa = server_hello(0xc02f);
        let flight = record(&[(SERVER_HELLO, &rsa), (SERVER_KEY_EXCHANGE, b"\0\x04hint"), (SERVER_HELLO_DONE, b"")]);
        let mut exchange = Exchange::default();
        assert!(!exchange.asks(false, &flight));
        assert_eq!(exchange.name, None);
        let psk = record(&[(SERVER_HELLO, &server_hello(0x008c)), (SERVER_HELLO_DONE, b"")]);
        assert!(!Exchange::default().asks(true, &psk));
        let mut plain = Exchange::default();
        assert!(plain.asks(false, &psk));
        assert_eq!(plain.name, None);
    }

    #[test]
    fn a_server_asks_for_the_identity_in_client_key_exchange() {
        let exchange = |body: &[u8]| {
            let mut exchange = Exchange::default();
            let asked = exchange.asks(true, &record(&[(CLIENT_KEY_EXCHANGE, body)]));
            assert_eq!(asked, exchange.name.is_some());
            exchange.name
        };
        assert_eq!(exchange(b"\0\x03bob\x20").as_deref(), Some(&b"bob"[..]));
        assert_eq!(exchange(b"\0\0").as_deref(), Some(&b""[..]));
        assert_eq!(exchange(&[&[0, 128][..], &[b'x'; 128]].concat()).map(|name| name.len()), Some(128));
        for refused in [&b""[..], b"\0", b"\0\x04bob", &[&[0, 129][..], &[b'x'; 129]].concat()] {
            assert_eq!(exchange(refused), None);
        }
    }

    #[test]
    fn what_is_encrypted_is_not_looked_at() {
        let mut exchange = Exchange::default();
        assert!(!exchange.asks(true, &[CHANGE_CIPHER_SPEC, 3, 3, 0, 1, 1]));
        assert!(!exchange.asks(true, &record(&[(CLIENT_KEY_EXCHANGE, b"\0\x03bob")])));
    }
}
