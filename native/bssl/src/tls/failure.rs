//! Why a connection failed, in words.

use boring_sys as ffi;

use crate::error::Reason;

/// What kind of failure it was; decides the exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The peer sent a fatal alert.
    AlertReceived,
    /// The peer closed (close_notify) before the handshake was done.
    ClosedInHandshake,
    /// The peer broke the protocol, or no agreement was found; our alert says which.
    Peer,
    /// BoringSSL could not allocate.
    OutOfMemory,
    /// The server refused the Encrypted Client Hello: see [`Failure::ech_retry_configs`].
    EchRejected,
    /// What only a bug explains.
    Internal,
}

/// Why a connection failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The kind.
    pub kind: FailureKind,
    /// The alert (RFC 8446 section 6.2) that was received or sent, if any.
    pub alert: Option<u8>,
    /// In words, for the exception's message.
    pub text: String,
    /// With [`FailureKind::EchRejected`]: the `ECHConfigList` to try next, empty to try without.
    pub ech_retry_configs: Vec<u8>,
}

impl Failure {
    pub(super) fn new(reasons: &[Reason], received: Option<u8>, sent: Option<u8>, in_handshake: bool) -> Self {
        let failure = |kind, alert, text| Self { kind, alert, text, ech_retry_configs: Vec::new() };
        if let Some(alert) = received.filter(|a| *a != ALERT_CLOSE_NOTIFY) {
            let text = format!("Received fatal alert: {}", alert_name(alert));
            return failure(FailureKind::AlertReceived, received, text);
        }
        if reasons.iter().any(|r| r.reason == ffi::ERR_R_MALLOC_FAILURE) {
            return failure(FailureKind::OutOfMemory, sent, "out of native memory".to_owned());
        }
        if received.is_some() && in_handshake {
            let text = "the peer closed the connection (close_notify) during the handshake".to_owned();
            return failure(FailureKind::ClosedInHandshake, received, text);
        }
        // The first reason is the cause; what follows says where it surfaced.
        let Some(reason) = reasons.iter().find(|r| r.library == SSL_LIBRARY).or(reasons.first()) else {
            return failure(FailureKind::Internal, sent, "the TLS library failed without a reason".to_owned());
        };
        let ech_rejected = reason.library == SSL_LIBRARY && reason.reason == ffi::SSL_R_ECH_REJECTED;
        let kind = if ech_rejected { FailureKind::EchRejected } else { FailureKind::Peer };
        let what = explain(*reason);
        let text = sent.map_or_else(|| what.clone(), |alert| format!("{what} (sent alert {})", alert_name(alert)));
        failure(kind, sent, text)
    }
}

impl Failure {
    /// Whether the peer spoke another protocol.
    pub(super) fn is_other_protocol(reason: &Reason) -> bool {
        let other = [ffi::SSL_R_HTTP_REQUEST, ffi::SSL_R_HTTPS_PROXY_REQUEST];
        reason.library == SSL_LIBRARY && other.contains(&reason.reason)
    }
}

const ALERT_CLOSE_NOTIFY: u8 = 0;
const SSL_LIBRARY: i32 = ffi::ERR_LIB_SSL.0.cast_signed();

/// The reason in words; the ones that users meet get a sentence that says what to look at.
fn explain(reason: Reason) -> String {
    let sentence = if reason.library == SSL_LIBRARY {
        match reason.reason {
            ffi::SSL_R_WRONG_VERSION_NUMBER | ffi::SSL_R_INVALID_OUTER_RECORD_TYPE => {
                "Unrecognized SSL message, plaintext connection?"
            }
            ffi::SSL_R_HTTP_REQUEST => "Unrecognized SSL message, plaintext connection? (an HTTP request)",
            ffi::SSL_R_HTTPS_PROXY_REQUEST => "Unrecognized SSL message, plaintext connection? (an HTTP proxy request)",
            ffi::SSL_R_UNSUPPORTED_PROTOCOL => "no protocol version in common with the peer",
            ffi::SSL_R_NO_SHARED_CIPHER => "no cipher suites in common with the peer",
            ffi::SSL_R_NO_SHARED_GROUP => "no named groups in common with the peer",
            ffi::SSL_R_NO_COMMON_SIGNATURE_ALGORITHMS => "no signature algorithms in common with the peer",
            ffi::SSL_R_NO_CERTIFICATE_SET => "no certificate is available for this handshake",
            ffi::SSL_R_UNKNOWN_CERTIFICATE_TYPE => "the certificate's type is not usable here",
            ffi::SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE => "Empty client certificate chain",
            ffi::SSL_R_CERTIFICATE_VERIFY_FAILED => "the peer's certificate was not accepted",
            ffi::SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC => "a record failed its integrity check",
            ffi::SSL_R_ENCRYPTED_LENGTH_TOO_LONG | ffi::SSL_R_DATA_LENGTH_TOO_LONG => {
                "a record is longer than TLS allows"
            }
            ffi::SSL_R_NO_APPLICATION_PROTOCOL => "no application protocol in common with the peer",
            ffi::SSL_R_BAD_SIGNATURE => "the peer's handshake signature is wrong",
            ffi::SSL_R_DIGEST_CHECK_FAILED => "the peer's Finished message is wrong",
            ffi::SSL_R_TOO_MANY_EMPTY_FRAGMENTS => "too many empty records in a row",
            ffi::SSL_R_TOO_MANY_WARNING_ALERTS => "too many warning alerts in a row",
            ffi::SSL_R_TOO_MANY_KEY_UPDATES => "too many key updates in a row",
            ffi::SSL_R_NO_RENEGOTIATION => "renegotiation was refused",
            ffi::SSL_R_ECH_REJECTED => "the server refused the Encrypted Client Hello",
            ffi::SSL_R_CERT_CB_ERROR => "no usable certificate was chosen",
            _ => "",
        }
    } else {
        ""
    };
    if sentence.is_empty() { reason.text() } else { sentence.to_owned() }
}

/// The alert's RFC name (`handshake_failure`), or `alert_<number>` for one that has none.
pub(super) fn alert_name(alert: u8) -> String {
    // RFC 8446 section 6, and the older ones of RFC 5246 section 7.2, RFC 6066 section 9, RFC 7301 section 3.2.
    let name = match alert {
        0 => "close_notify",
        10 => "unexpected_message",
        20 => "bad_record_mac",
        21 => "decryption_failed",
        22 => "record_overflow",
        30 => "decompression_failure",
        40 => "handshake_failure",
        41 => "no_certificate",
        42 => "bad_certificate",
        43 => "unsupported_certificate",
        44 => "certificate_revoked",
        45 => "certificate_expired",
        46 => "certificate_unknown",
        47 => "illegal_parameter",
        48 => "unknown_ca",
        49 => "access_denied",
        50 => "decode_error",
        51 => "decrypt_error",
        60 => "export_restriction",
        70 => "protocol_version",
        71 => "insufficient_security",
        80 => "internal_error",
        86 => "inappropriate_fallback",
        90 => "user_canceled",
        100 => "no_renegotiation",
        109 => "missing_extension",
        110 => "unsupported_extension",
        111 => "certificate_unobtainable",
        112 => "unrecognized_name",
        113 => "bad_certificate_status_response",
        114 => "bad_certificate_hash_value",
        115 => "unknown_psk_identity",
        116 => "certificate_required",
        120 => "no_application_protocol",
        121 => "ech_required",
        _ => return format!("alert_{alert}"),
    };
    name.to_owned()
}
