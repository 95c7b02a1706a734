package org.conscrypt;

import static org.conscrypt.Check.all;
import static org.conscrypt.Check.attempt;
import static org.conscrypt.Check.bytes;
import static org.conscrypt.Check.key;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import org.postscrypt.conscryptabi.Fixtures;

/** Certificates, CRLs, PKCS #7, OCSP, DER and streams. */
public final class CertificateCases {
  private CertificateCases() {}

  private static long bio(byte[] bytes) {
    return new OpenSSLBIOInputStream(new ByteArrayInputStream(bytes), true).getBioContext();
  }

  private static long cert(byte[] der) throws Exception {
    return NativeCrypto.d2i_X509(der);
  }

  private static Object time(long time) throws Exception {
    Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("UTC"));
    calendar.setTimeInMillis(0);
    NativeCrypto.ASN1_TIME_to_Calendar(time, calendar);
    return calendar.getTimeInMillis();
  }

  private static NativeRef.EVP_PKEY rsa() throws Exception {
    return key(NativeCrypto.EVP_parse_public_key(Fixtures.RSA.getPublic().getEncoded()));
  }

  private static NativeRef.EVP_PKEY ec() throws Exception {
    return key(NativeCrypto.EVP_parse_public_key(Fixtures.EC.getPublic().getEncoded()));
  }

  private static String printed(Check.Action action, ByteArrayOutputStream out) throws Exception {
    action.run();
    // What cannot be printed ends in BoringSSL's error queue: addresses and its revision's line numbers.
    return out.toString("UTF-8").replaceAll("\\d+:error:.*", "error");
  }

  public static Object certificates() throws Exception {
    List<Object> results = new ArrayList<>();
    for (byte[] der : new byte[][] {Fixtures.CA, Fixtures.LEAF, Fixtures.PLAIN, Fixtures.UNKNOWN_KEY}) {
      long x = cert(der);
      results.add(NativeCrypto.i2d_X509(x, null));
      results.add(NativeCrypto.get_X509_tbs_cert(x, null));
      results.add(NativeCrypto.i2d_X509_PUBKEY(x, null));
      results.add(NativeCrypto.X509_get_issuer_name(x, null));
      results.add(NativeCrypto.X509_get_subject_name(x, null));
      results.add(NativeCrypto.X509_get_serialNumber(x, null));
      results.add(NativeCrypto.X509_get_version(x, null));
      results.add(time(NativeCrypto.X509_get_notBefore(x, null)));
      results.add(time(NativeCrypto.X509_get_notAfter(x, null)));
      results.add(NativeCrypto.get_X509_sig_alg_oid(x, null));
      results.add(NativeCrypto.get_X509_sig_alg_parameter(x, null));
      results.add(NativeCrypto.get_X509_signature(x, null));
      results.add(NativeCrypto.get_X509_pubkey_oid(x, null));
      results.add(NativeCrypto.get_X509_issuerUID(x, null));
      results.add(NativeCrypto.get_X509_subjectUID(x, null));
      results.add(NativeCrypto.get_X509_ex_flags(x, null));
      results.add(NativeCrypto.get_X509_ex_kusage(x, null));
      results.add(NativeCrypto.get_X509_ex_xkusage(x, null));
      results.add(NativeCrypto.get_X509_ex_pathlen(x, null));
      results.add(NativeCrypto.get_X509_ext_oids(x, null, 0));
      results.add(NativeCrypto.get_X509_ext_oids(x, null, 1));
      for (String oid : new String[] {"2.5.29.15", "2.5.29.19", Fixtures.SCT_LIST, "1.2.3", "no oid"}) {
        results.add(NativeCrypto.X509_get_ext_oid(x, null, oid));
        results.add(attempt(() -> NativeCrypto.get_X509_tbs_cert_without_ext(x, null, oid)));
      }
      results.add(NativeCrypto.get_X509_GENERAL_NAME_stack(x, null, NativeCrypto.GN_STACK_SUBJECT_ALT_NAME));
      results.add(NativeCrypto.get_X509_GENERAL_NAME_stack(x, null, NativeCrypto.GN_STACK_ISSUER_ALT_NAME));
      results.add(NativeCrypto.get_X509_GENERAL_NAME_stack(x, null, 3));
      results.add(attempt(() -> NativeCrypto.EVP_marshal_public_key(key(NativeCrypto.X509_get_pubkey(x, null)))));
      results.add(attempt(() -> NativeCrypto.X509_verify(x, null, rsa())));
      results.add(attempt(() -> NativeCrypto.X509_verify(x, null, ec())));
      results.add(attempt(() -> NativeCrypto.X509_verify(x, null, null)));
      long ca = cert(Fixtures.CA);
      results.add(NativeCrypto.X509_cmp(x, null, ca, null) == 0);
      results.add(NativeCrypto.X509_check_issued(ca, null, x, null));
      results.add(NativeCrypto.X509_check_issued(x, null, ca, null));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      long bio = NativeCrypto.create_BIO_OutputStream(out);
      results.add(printed(() -> NativeCrypto.X509_print_ex(bio, x, null, 0, 0), out));
      NativeCrypto.BIO_free_all(bio);
      NativeCrypto.X509_free(x, null);
    }
    return results;
  }

  public static Object certificateErrors() throws Exception {
    long x = cert(Fixtures.CA);
    byte[] broken = Fixtures.CA.clone();
    broken[5] ^= 0x40;
    byte[] wrongSignature = Fixtures.CA.clone();
    wrongSignature[wrongSignature.length - 1] ^= 1;
    return all(
        attempt(() -> NativeCrypto.d2i_X509(null)), attempt(() -> NativeCrypto.d2i_X509(new byte[0])),
        attempt(() -> NativeCrypto.d2i_X509(bytes(50))), attempt(() -> NativeCrypto.d2i_X509(broken)),
        attempt(() -> NativeCrypto.X509_verify(cert(wrongSignature), null, rsa())),
        NativeCrypto.i2d_X509(cert(Fixtures.concat(Fixtures.CA, bytes(5))), null),
        attempt(() -> NativeCrypto.i2d_X509(0, null)), attempt(() -> NativeCrypto.X509_free(0, null)),
        attempt(() -> NativeCrypto.X509_get_pubkey(0, null)),
        attempt(() -> NativeCrypto.X509_get_ext_oid(0, null, "1.2.3")),
        attempt(() -> NativeCrypto.X509_get_ext_oid(x, null, null)),
        attempt(() -> NativeCrypto.get_X509_ext_oids(0, null, 0)),
        attempt(() -> NativeCrypto.X509_cmp(x, null, 0, null)),
        attempt(() -> NativeCrypto.X509_check_issued(0, null, x, null)),
        attempt(() -> NativeCrypto.X509_print_ex(0, x, null, 0, 0)),
        attempt(() -> NativeCrypto.ASN1_TIME_to_Calendar(0, Calendar.getInstance())));
  }

  public static Object streams() throws Exception {
    byte[] two = Fixtures.concat(Fixtures.CA, Fixtures.LEAF, bytes(10));
    ByteArrayInputStream source = new ByteArrayInputStream(two);
    // Streams that give a byte at a time are read to the same place.
    InputStream slow = new InputStream() {
      @Override
      public int read() {
        return source.read();
      }

      @Override
      public int read(byte[] b, int off, int len) {
        return source.read(b, off, Math.min(len, 1));
      }
    };
    OpenSSLBIOInputStream stream = new OpenSSLBIOInputStream(slow, true);
    InputStream failing = new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException("broken");
      }
    };
    String pem = "subject=CA\n" + Fixtures.pem("CERTIFICATE", Fixtures.CA)
        + Fixtures.pem("X509 CRL", Fixtures.CRL) + Fixtures.pem("X509 CERTIFICATE", Fixtures.LEAF) + "rest\n";
    long pemBio = bio(Fixtures.ascii(pem));
    long pemCrl = bio(Fixtures.ascii(pem));
    return all(
        NativeCrypto.i2d_X509(NativeCrypto.d2i_X509_bio(stream.getBioContext()), null),
        NativeCrypto.i2d_X509(NativeCrypto.d2i_X509_bio(stream.getBioContext()), null),
        source.available(),
        attempt(() -> NativeCrypto.d2i_X509_bio(stream.getBioContext())),
        attempt(() -> NativeCrypto.d2i_X509_bio(stream.getBioContext())),
        attempt(() -> NativeCrypto.d2i_X509_bio(new OpenSSLBIOInputStream(failing, true).getBioContext())),
        attempt(() -> NativeCrypto.PEM_read_bio_X509(new OpenSSLBIOInputStream(failing, true).getBioContext())),
        attempt(() -> NativeCrypto.d2i_X509_bio(new OpenSSLBIOInputStream(null, true).getBioContext())),
        attempt(() -> NativeCrypto.d2i_X509_bio(bio(new byte[] {0x30, (byte) 0x84, 0x7f, -1, -1, -1, 0}))),
        attempt(() -> NativeCrypto.d2i_X509_bio(bio(new byte[] {0x30, (byte) 0x89, 1, 2, 3}))),
        attempt(() -> NativeCrypto.d2i_X509_bio(bio(new byte[] {0x30, (byte) 0x80, 0, 0}))),
        attempt(() -> NativeCrypto.d2i_X509_bio(bio(new byte[] {0x1f, 3, 1, 2, 3}))),
        attempt(() -> NativeCrypto.d2i_X509_bio(0)),
        NativeCrypto.i2d_X509(NativeCrypto.PEM_read_bio_X509(pemBio), null),
        NativeCrypto.i2d_X509(NativeCrypto.PEM_read_bio_X509(pemBio), null),
        attempt(() -> NativeCrypto.PEM_read_bio_X509(pemBio)),
        NativeCrypto.i2d_X509_CRL(NativeCrypto.PEM_read_bio_X509_CRL(pemCrl), null),
        attempt(() -> NativeCrypto.PEM_read_bio_X509_CRL(bio(new byte[0]))),
        attempt(() -> NativeCrypto.PEM_read_bio_X509(bio(Fixtures.ascii("-----BEGIN CERTIFICATE-----\n!\n")))));
  }

  public static Object bios() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long sink = NativeCrypto.create_BIO_OutputStream(out);
    NativeCrypto.BIO_write(sink, bytes(10), 2, 5);
    NativeCrypto.BIO_write(sink, bytes(10), 0, 10);
    OutputStream failing = new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException("full");
      }
    };
    long full = NativeCrypto.create_BIO_OutputStream(failing);
    OpenSSLBIOInputStream in = new OpenSSLBIOInputStream(new ByteArrayInputStream(bytes(10)), true);
    byte[] buffer = new byte[7];
    byte[] rest = new byte[7];
    long x = cert(Fixtures.CA);
    Object[] results = all(
        out.toByteArray(),
        attempt(() -> NativeCrypto.BIO_write(sink, bytes(3), 1, 3)),
        attempt(() -> NativeCrypto.BIO_write(sink, bytes(3), -1, 1)),
        attempt(() -> NativeCrypto.BIO_write(sink, null, 0, 1)),
        attempt(() -> NativeCrypto.BIO_write(0, bytes(3), 0, 1)),
        attempt(() -> NativeCrypto.BIO_write(full, bytes(3), 0, 1)),
        attempt(() -> NativeCrypto.X509_print_ex(full, x, null, 0, 0)),
        NativeCrypto.BIO_read(in.getBioContext(), buffer), buffer,
        NativeCrypto.BIO_read(in.getBioContext(), rest), rest,
        attempt(() -> NativeCrypto.BIO_read(in.getBioContext(), rest)),
        attempt(() -> NativeCrypto.BIO_read(in.getBioContext(), null)),
        attempt(() -> NativeCrypto.BIO_read(0, rest)),
        attempt(() -> NativeCrypto.create_BIO_InputStream(null, true)),
        attempt(() -> NativeCrypto.create_BIO_OutputStream(null)),
        attempt(() -> NativeCrypto.BIO_free_all(0)));
    in.release();
    NativeCrypto.BIO_free_all(sink);
    return results;
  }

  public static Object sequences() throws Exception {
    byte[] both = Fixtures.sequence(Fixtures.CA, Fixtures.LEAF);
    long[] unpacked = NativeCrypto.ASN1_seq_unpack_X509_bio(bio(both));
    long[] certs = NativeCrypto.d2i_PKCS7_bio(bio(Fixtures.PKCS7), NativeCrypto.PKCS7_CERTS);
    long[] crls = NativeCrypto.d2i_PKCS7_bio(bio(Fixtures.PKCS7), NativeCrypto.PKCS7_CRLS);
    String pem = Fixtures.pem("PKCS7", Fixtures.PKCS7);
    long[] pemCerts = NativeCrypto.PEM_read_bio_PKCS7(bio(Fixtures.ascii(pem)), NativeCrypto.PKCS7_CERTS);
    long[] pemCrls = NativeCrypto.PEM_read_bio_PKCS7(bio(Fixtures.ascii(pem)), NativeCrypto.PKCS7_CRLS);
    List<Object> results = new ArrayList<>();
    for (long[] list : new long[][] {unpacked, certs, pemCerts}) {
      for (long x : list) {
        results.add(NativeCrypto.i2d_X509(x, null));
      }
      results.add(NativeCrypto.ASN1_seq_pack_X509(list));
      results.add(NativeCrypto.i2d_PKCS7(list));
    }
    for (long[] list : new long[][] {crls, pemCrls}) {
      for (long crl : list) {
        results.add(NativeCrypto.i2d_X509_CRL(crl, null));
      }
    }
    results.add(NativeCrypto.ASN1_seq_pack_X509(new long[0]));
    results.add(attempt(() -> NativeCrypto.i2d_PKCS7(new long[0])));
    results.add(attempt(() -> NativeCrypto.ASN1_seq_pack_X509(null)));
    results.add(attempt(() -> NativeCrypto.ASN1_seq_unpack_X509_bio(bio(bytes(9)))));
    results.add(attempt(() -> NativeCrypto.ASN1_seq_unpack_X509_bio(bio(Fixtures.CA))));
    results.add(attempt(() -> NativeCrypto.ASN1_seq_unpack_X509_bio(bio(new byte[] {4, 0}))));
    results.add(attempt(() -> NativeCrypto.d2i_PKCS7_bio(bio(Fixtures.CA), 1)));
    results.add(attempt(() -> NativeCrypto.d2i_PKCS7_bio(bio(new byte[0]), 2)));
    results.add(attempt(() -> NativeCrypto.d2i_PKCS7_bio(bio(Fixtures.PKCS7), 3)));
    results.add(attempt(() -> NativeCrypto.PEM_read_bio_PKCS7(bio(Fixtures.ascii(pem)), 3)));
    results.add(attempt(() -> NativeCrypto.PEM_read_bio_PKCS7(bio(new byte[0]), 1)));
    results.add(attempt(() -> NativeCrypto.d2i_PKCS7_bio(0, 1)));
    return results;
  }

  public static Object crls() throws Exception {
    List<Object> results = new ArrayList<>();
    for (byte[] der : new byte[][] {Fixtures.CRL, Fixtures.EMPTY_CRL}) {
      long crl = NativeCrypto.d2i_X509_CRL_bio(bio(der));
      results.add(NativeCrypto.i2d_X509_CRL(crl, null));
      results.add(NativeCrypto.get_X509_CRL_crl_enc(crl, null));
      results.add(NativeCrypto.X509_CRL_get_issuer_name(crl, null));
      results.add(NativeCrypto.X509_CRL_get_version(crl, null));
      results.add(time(NativeCrypto.X509_CRL_get_lastUpdate(crl, null)));
      long next = NativeCrypto.X509_CRL_get_nextUpdate(crl, null);
      results.add(next == 0 ? null : time(next));
      results.add(NativeCrypto.get_X509_CRL_sig_alg_oid(crl, null));
      results.add(NativeCrypto.get_X509_CRL_sig_alg_parameter(crl, null));
      results.add(NativeCrypto.get_X509_CRL_signature(crl, null));
      results.add(NativeCrypto.get_X509_CRL_ext_oids(crl, null, 0));
      results.add(NativeCrypto.get_X509_CRL_ext_oids(crl, null, 1));
      for (String oid : new String[] {"2.5.29.20", "1.2.3.4.5.8", "1.2.3", "no oid"}) {
        results.add(NativeCrypto.X509_CRL_get_ext_oid(crl, null, oid));
        long ext = NativeCrypto.X509_CRL_get_ext(crl, null, oid);
        results.add(ext == 0 ? null : NativeCrypto.X509_supported_extension(ext));
        results.add(ext == NativeCrypto.X509_CRL_get_ext(crl, null, oid));
      }
      results.add(attempt(() -> NativeCrypto.X509_CRL_verify(crl, null, rsa())));
      results.add(attempt(() -> NativeCrypto.X509_CRL_verify(crl, null, ec())));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      long bio = NativeCrypto.create_BIO_OutputStream(out);
      results.add(attempt(() -> printed(() -> NativeCrypto.X509_CRL_print(bio, crl, null), out)));
      results.add(NativeCrypto.X509_CRL_get0_by_cert(crl, null, cert(Fixtures.CA), null));
      long byCert = NativeCrypto.X509_CRL_get0_by_cert(crl, null, cert(Fixtures.LEAF), null);
      results.add(byCert == 0 ? null : NativeCrypto.X509_REVOKED_get_serialNumber(byCert, null));
      long[] entries = NativeCrypto.X509_CRL_get_REVOKED(crl, null);
      List<Long> all = new ArrayList<>();
      for (long entry : entries == null ? new long[0] : entries) {
        all.add(entry);
      }
      results.add(all.size());
      for (int serial : new int[] {300, 5, 6, -5}) {
        long entry = NativeCrypto.X509_CRL_get0_by_serial(crl, null, BigInteger.valueOf(serial).toByteArray());
        results.add(entry == 0);
        results.add(entry == NativeCrypto.X509_CRL_get0_by_serial(crl, null, BigInteger.valueOf(serial).toByteArray()));
        if (entry != 0) {
          all.add(NativeCrypto.X509_REVOKED_dup(entry));
        }
      }
      for (long entry : all) {
        results.add(NativeCrypto.i2d_X509_REVOKED(entry, null));
        results.add(NativeCrypto.X509_REVOKED_get_serialNumber(entry, null));
        results.add(time(NativeCrypto.get_X509_REVOKED_revocationDate(entry, null)));
        results.add(NativeCrypto.get_X509_REVOKED_ext_oids(entry, 0, null));
        results.add(NativeCrypto.get_X509_REVOKED_ext_oids(entry, 1, null));
        for (String oid : new String[] {"2.5.29.21", "1.2.3.4.5.7", "1.2.3", "no oid"}) {
          results.add(NativeCrypto.X509_REVOKED_get_ext_oid(entry, oid, null));
          long ext = NativeCrypto.X509_REVOKED_get_ext(entry, oid, null);
          results.add(ext == 0 ? null : NativeCrypto.X509_supported_extension(ext));
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        long sink = NativeCrypto.create_BIO_OutputStream(text);
        results.add(attempt(() -> printed(() -> NativeCrypto.X509_REVOKED_print(sink, entry, null), text)));
        NativeCrypto.X509_REVOKED_free(entry, null);
      }
      NativeCrypto.X509_CRL_free(crl, null);
    }
    return results;
  }

  public static Object crlErrors() throws Exception {
    long crl = NativeCrypto.d2i_X509_CRL_bio(bio(Fixtures.CRL));
    return all(
        attempt(() -> NativeCrypto.d2i_X509_CRL_bio(bio(Fixtures.CA))),
        attempt(() -> NativeCrypto.d2i_X509_CRL_bio(bio(new byte[0]))),
        attempt(() -> NativeCrypto.X509_CRL_free(0, null)),
        attempt(() -> NativeCrypto.X509_CRL_get0_by_serial(crl, null, null)),
        attempt(() -> NativeCrypto.X509_CRL_get0_by_serial(0, null, bytes(1))),
        attempt(() -> NativeCrypto.X509_CRL_get0_by_cert(crl, null, 0, null)),
        attempt(() -> NativeCrypto.X509_CRL_get_REVOKED(0, null)),
        attempt(() -> NativeCrypto.X509_CRL_get_ext(0, null, "1.2.3")),
        attempt(() -> NativeCrypto.X509_CRL_verify(crl, null, null)),
        attempt(() -> NativeCrypto.X509_CRL_print(0, crl, null)),
        attempt(() -> NativeCrypto.X509_REVOKED_dup(0)),
        attempt(() -> NativeCrypto.X509_REVOKED_free(0, null)),
        attempt(() -> NativeCrypto.X509_REVOKED_print(0, 0, null)),
        attempt(() -> NativeCrypto.i2d_X509_REVOKED(0, null)),
        attempt(() -> NativeCrypto.X509_supported_extension(0)));
  }

  public static Object ocsp() throws Exception {
    long ca = cert(Fixtures.CA);
    long leaf = cert(Fixtures.LEAF);
    long plain = cert(Fixtures.PLAIN);
    return all(
        NativeCrypto.get_ocsp_single_extension(Fixtures.OCSP, Fixtures.SCT_LIST, leaf, null, ca, null),
        NativeCrypto.get_ocsp_single_extension(Fixtures.OCSP, "1.2.3", leaf, null, ca, null),
        NativeCrypto.get_ocsp_single_extension(Fixtures.OCSP, Fixtures.SCT_LIST, plain, null, ca, null),
        NativeCrypto.get_ocsp_single_extension(Fixtures.OCSP, Fixtures.SCT_LIST, leaf, null, leaf, null),
        NativeCrypto.get_ocsp_single_extension(bytes(100), Fixtures.SCT_LIST, leaf, null, ca, null),
        NativeCrypto.get_ocsp_single_extension(new byte[0], Fixtures.SCT_LIST, leaf, null, ca, null),
        attempt(() -> NativeCrypto.get_ocsp_single_extension(null, Fixtures.SCT_LIST, leaf, null, ca, null)));
  }

  public static Object der() throws Exception {
    long root = NativeCrypto.asn1_write_init();
    long sequence = NativeCrypto.asn1_write_sequence(root);
    NativeCrypto.asn1_write_oid(sequence, "1.2.840.10045.2.1");
    NativeCrypto.asn1_write_null(sequence);
    NativeCrypto.asn1_write_uint64(sequence, 300);
    NativeCrypto.asn1_write_uint64(sequence, -1);
    long tag = NativeCrypto.asn1_write_tag(sequence, 2);
    NativeCrypto.asn1_write_octetstring(tag, bytes(200));
    NativeCrypto.asn1_write_flush(root);
    byte[] der = NativeCrypto.asn1_write_finish(root);
    for (long writer : new long[] {tag, sequence, root}) {
      NativeCrypto.asn1_write_free(writer);
    }
    long abandoned = NativeCrypto.asn1_write_init();
    NativeCrypto.asn1_write_null(abandoned);
    NativeCrypto.asn1_write_cleanup(abandoned);
    NativeCrypto.asn1_write_free(abandoned);
    NativeCrypto.asn1_write_free(0);
    NativeCrypto.asn1_read_free(0);
    long outer = NativeCrypto.asn1_read_init(der);
    long inner = NativeCrypto.asn1_read_sequence(outer);
    List<Object> results = new ArrayList<>();
    results.add(der);
    results.add(NativeCrypto.asn1_read_is_empty(outer));
    results.add(attempt(() -> NativeCrypto.asn1_read_null(NativeCrypto.asn1_read_init(der))));
    results.add(attempt(() -> NativeCrypto.asn1_read_octetstring(NativeCrypto.asn1_read_init(bytes(9)))));
    results.add(NativeCrypto.asn1_read_oid(inner));
    NativeCrypto.asn1_read_null(inner);
    results.add(NativeCrypto.asn1_read_uint64(inner));
    results.add(attempt(() -> NativeCrypto.asn1_read_sequence(NativeCrypto.asn1_read_init(bytes(9)))));
    results.add(NativeCrypto.asn1_read_uint64(inner));
    results.add(NativeCrypto.asn1_read_next_tag_is(inner, 2));
    results.add(NativeCrypto.asn1_read_next_tag_is(inner, 1));
    long tagged = NativeCrypto.asn1_read_tagged(inner);
    results.add(NativeCrypto.asn1_read_octetstring(tagged));
    results.add(NativeCrypto.asn1_read_is_empty(tagged));
    results.add(NativeCrypto.asn1_read_is_empty(inner));
    results.add(attempt(() -> NativeCrypto.asn1_read_tagged(inner)));
    results.add(attempt(() -> NativeCrypto.asn1_read_oid(inner)));
    results.add(attempt(() -> NativeCrypto.asn1_read_uint64(inner)));
    results.add(attempt(() -> NativeCrypto.asn1_read_octetstring(inner)));
    results.add(attempt(() -> NativeCrypto.asn1_read_init(null)));
    results.add(attempt(() -> NativeCrypto.asn1_read_oid(NativeCrypto.asn1_read_init(new byte[] {6, 2, 42, 3}))));
    results.add(attempt(() -> NativeCrypto.asn1_write_oid(NativeCrypto.asn1_write_init(), "1.2.3.4.5.6.7")));
    results.add(attempt(() -> NativeCrypto.asn1_write_oid(NativeCrypto.asn1_write_init(), "no oid")));
    results.add(attempt(() -> NativeCrypto.asn1_write_octetstring(NativeCrypto.asn1_write_init(), null)));
    for (long reader : new long[] {tagged, inner, outer}) {
      NativeCrypto.asn1_read_free(reader);
    }
    return results;
  }
}
