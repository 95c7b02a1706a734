// Seals and opens records of application data straight between the caller's buffers.
//
// SSL_write and SSL_read copy every record through buffers of their own and cost more than the cryptography of a small record.
// These two functions do what they do to the connection's state in the one case that matters: an established connection,
// nothing pending, an AEAD, a record of data without padding. In every other case they leave the state as it is and answer
// "not done", and the caller goes through SSL_write or SSL_read, which then also decide what is wrong.
//
// They mirror do_seal_record, do_tls_write, tls_open_record and ssl_read_impl of exactly the revision that build.rs checks.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <openssl/aead.h>
#include <openssl/err.h>
#include <openssl/mem.h>
#include <openssl/ssl.h>

#include "crypto/internal.h"
#include "ssl/internal.h"

namespace {

using namespace bssl;

// Names two private members: an explicit instantiation may (C++17, [temp.spec] paragraph 6).
template <typename Tag, typename Tag::Member member>
struct Expose {
  friend typename Tag::Member reveal(Tag) { return member; }
};
struct Context {
  using Member = ScopedEVP_AEAD_CTX SSLAEADContext::*;
  friend Member reveal(Context);
};
struct FixedNonce {
  using Member = InplaceVector<uint8_t, 12> SSLAEADContext::*;
  friend Member reveal(FixedNonce);
};
template struct Expose<Context, &SSLAEADContext::ctx_>;
template struct Expose<FixedNonce, &SSLAEADContext::fixed_nonce_>;

constexpr size_t kNonce = 12;
constexpr size_t kTag = 16;
constexpr size_t kExplicitNonce = 8;
// Up to this many bytes it is cheaper to copy the plaintext beside its type and to seal both as one piece.
constexpr size_t kJoined = 2048;

// How one direction protects its records.
struct Protection {
  const EVP_AEAD_CTX *context;
  const uint8_t *fixed;
  bool tls13;
  // TLS 1.2 AES-GCM sends a part of the nonce (RFC 5288 section 3); all others mix it from the sequence number
  // (RFC 7905 section 2, RFC 8446 section 5.3).
  bool explicit_nonce;

  size_t prefix() const { return SSL3_RT_HEADER_LENGTH + (explicit_nonce ? kExplicitNonce : 0); }

  bool of(const SSL3_STATE *s3, SSLAEADContext *aead) {
    if (aead == nullptr || aead->is_null_cipher()) {
      return false;
    }
    const uint32_t algorithm = aead->cipher()->algorithm_enc;
    if (s3->version == TLS1_3_VERSION) {
      tls13 = true;
    } else if (s3->version == TLS1_2_VERSION) {
      tls13 = false;
    } else {
      return false;
    }
    if (algorithm == SSL_AES128GCM || algorithm == SSL_AES256GCM) {
      explicit_nonce = !tls13;
    } else if (algorithm == SSL_CHACHA20POLY1305) {
      explicit_nonce = false;
    } else {
      return false;
    }
    const auto &nonce = aead->*reveal(FixedNonce());
    context = (aead->*reveal(Context())).get();
    fixed = nonce.data();
    return context->tag_len == kTag && nonce.size() == (explicit_nonce ? kNonce - kExplicitNonce : kNonce) &&
           aead->ExplicitNonceLen() == (explicit_nonce ? kExplicitNonce : 0);
  }

  // `variable`: the 8 bytes that differ from record to record.
  void nonce(uint8_t out[kNonce], const uint8_t variable[8]) const {
    if (explicit_nonce) {
      memcpy(out, fixed, 4);
      memcpy(out + 4, variable, 8);
      return;
    }
    memcpy(out, fixed, 4);
    for (size_t i = 0; i < 8; i++) {
      out[4 + i] = fixed[4 + i] ^ variable[i];
    }
  }

  // The additional data: the header itself (RFC 8446 section 5.2), or number, type, version and length (RFC 5246 section
  // 6.2.3.3).
  CRYPTO_IVEC additional(uint8_t storage[13], uint64_t sequence, const uint8_t *header, size_t plaintext) const {
    if (tls13) {
      return {header, SSL3_RT_HEADER_LENGTH};
    }
    CRYPTO_store_u64_be(storage, sequence);
    storage[8] = header[0];
    storage[9] = header[1];
    storage[10] = header[2];
    storage[11] = static_cast<uint8_t>(plaintext >> 8);
    storage[12] = static_cast<uint8_t>(plaintext);
    return {storage, 13};
  }
};

}  // namespace

extern "C" {

// Seals `length` bytes as one record. `in` may be where the record's content begins: it is then sealed in place. Answers the
// record's length in bytes; or 0: not done, and nothing changed; or SIZE_MAX: not done, and what was to be sealed in place is gone.
size_t postscrypt_record_seal(SSL *opaque, const uint8_t *in, size_t length, uint8_t *out, size_t capacity) {
  SSLImpl *ssl = FromOpaque(opaque);
  SSL3_STATE *s3 = ssl->s3;
  if (s3->hs != nullptr || s3->write_shutdown != ssl_shutdown_none || !s3->write_buffer.empty() ||
      !s3->pending_write.empty() || s3->pending_flight != nullptr || s3->pending_hs_data != nullptr ||
      s3->alert_dispatch || s3->unreported_bytes_written != 0 || s3->write_sequence + 1 == 0 ||
      ssl->msg_callback != nullptr || length == 0 || length > ssl->max_send_fragment ||
      length > SSL3_RT_MAX_PLAIN_LENGTH) {
    return 0;
  }
  Protection protection;
  if (!protection.of(s3, s3->aead_write_ctx.get())) {
    return 0;
  }
  const size_t prefix = protection.prefix();
  const size_t content = length + (protection.tls13 ? 1 : 0);
  const size_t total = prefix + content + kTag;
  uint8_t *body = out + prefix;
  const bool in_place = in == body;
  if (capacity < total || (!in_place && buffers_alias(in, length, out, total))) {
    return 0;
  }

  const size_t body_length = total - SSL3_RT_HEADER_LENGTH;
  const uint8_t header[SSL3_RT_HEADER_LENGTH] = {SSL3_RT_APPLICATION_DATA, 3, 3, static_cast<uint8_t>(body_length >> 8),
                                                 static_cast<uint8_t>(body_length)};
  uint8_t variable[8], nonce[kNonce], storage[13];
  CRYPTO_store_u64_be(variable, s3->write_sequence);
  protection.nonce(nonce, variable);
  const CRYPTO_IVEC additional = protection.additional(storage, s3->write_sequence, header, length);

  const uint8_t type = SSL3_RT_APPLICATION_DATA;
  CRYPTO_IOVEC pieces[2] = {{body, in, length}, {body + length, &type, 1}};
  size_t count = protection.tls13 ? 2 : 1;
  if (protection.tls13 && (in_place || length <= kJoined)) {
    if (!in_place) {
      memcpy(body, in, length);
    }
    body[length] = type;
    pieces[0] = {body, body, content};
    count = 1;
  }
  size_t tag_length;
  if (!EVP_AEAD_CTX_sealv(protection.context, pieces, count, body + content, &tag_length, kTag, nonce, kNonce, &additional,
                          1)) {
    // No plaintext is left in the destination: sealv cleared the body.
    ERR_clear_error();
    return in_place ? SIZE_MAX : 0;
  }
  memcpy(out, header, sizeof(header));
  if (protection.explicit_nonce) {
    memcpy(out + SSL3_RT_HEADER_LENGTH, variable, sizeof(variable));
  }
  s3->write_sequence++;
  s3->key_update_pending = false;
  return total;
}

// Opens `in`, one whole record of `length` bytes. Answers how many bytes of data it held, or 0: not done, no state changed, and no
// plaintext in `out`.
size_t postscrypt_record_open(SSL *opaque, const uint8_t *in, size_t length, uint8_t *out, size_t capacity) {
  SSLImpl *ssl = FromOpaque(opaque);
  SSL3_STATE *s3 = ssl->s3;
  if (s3->hs != nullptr || s3->read_shutdown != ssl_shutdown_none || !s3->read_buffer.empty() ||
      !s3->pending_app_data.empty() || s3->renegotiate_pending || s3->hs_buf != nullptr || s3->has_message ||
      s3->skip_early_data || s3->read_sequence + 1 == 0 || ssl->msg_callback != nullptr) {
    return 0;
  }
  Protection protection;
  if (!protection.of(s3, s3->aead_read_ctx.get())) {
    return 0;
  }
  const size_t prefix = protection.prefix();
  const size_t hidden = protection.tls13 ? 1 : 0;
  if (length <= prefix + hidden + kTag) {
    return 0;  // Too short, or empty.
  }
  // Read once: the memory may be shared with threads that write to it.
  uint8_t header[SSL3_RT_HEADER_LENGTH];
  memcpy(header, in, sizeof(header));
  const size_t content = length - prefix - kTag;
  const size_t data = content - hidden;
  if (header[0] != SSL3_RT_APPLICATION_DATA || header[1] != 3 || header[2] != 3 ||
      (static_cast<size_t>(header[3]) << 8 | header[4]) != length - SSL3_RT_HEADER_LENGTH ||
      data > SSL3_RT_MAX_PLAIN_LENGTH || capacity < data ||
      buffers_alias(in, length, out, capacity > data ? content : data)) {
    return 0;
  }

  uint8_t variable[8], nonce[kNonce], storage[13];
  if (protection.explicit_nonce) {
    memcpy(variable, in + SSL3_RT_HEADER_LENGTH, sizeof(variable));
  } else {
    CRYPTO_store_u64_be(variable, s3->read_sequence);
  }
  protection.nonce(nonce, variable);
  const CRYPTO_IVEC additional = protection.additional(storage, s3->read_sequence, header, data);

  const uint8_t *body = in + prefix;
  uint8_t type = SSL3_RT_APPLICATION_DATA;
  CRYPTO_IOVEC pieces[2] = {{out, body, data}, {&type, body + data, hidden}};
  size_t count = protection.tls13 ? 2 : 1;
  // With room for the type beside the data both are one piece, which is faster; what was there is put back.
  const bool joined = protection.tls13 && capacity > data;
  uint8_t behind = 0;
  if (joined) {
    behind = out[data];
    pieces[0].len = content;
    count = 1;
  }
  const int ok = EVP_AEAD_CTX_openv_detached(protection.context, pieces, count, nonce, kNonce, body + content, kTag,
                                             &additional, 1);
  if (joined) {
    type = out[data];
    out[data] = behind;
  }
  if (!ok) {
    // openv_detached cleared the output; SSL_read will say what is wrong.
    ERR_clear_error();
    return 0;
  }
  if (type != SSL3_RT_APPLICATION_DATA) {
    // Padding, an alert, a ticket, a key update: not the caller's.
    OPENSSL_cleanse(out, data);
    return 0;
  }
  s3->read_sequence++;
  s3->empty_record_count = 0;
  s3->warning_alert_count = 0;
  s3->key_update_count = 0;
  return data;
}

}  // extern "C"
