package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.Provider;
import java.security.Security;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttp;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.TlsVersion;
import org.conscrypt.Conscrypt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** OkHttp, 4 or 5 by what the class path has, which chooses its Conscrypt platform. */
class OkHttpIT {
  private static final Provider PROVIDER = Conscrypt.newProvider();

  @BeforeAll
  static void register() {
    Security.insertProviderAt(PROVIDER, 1);
  }

  @AfterAll
  static void remove() {
    Security.removeProvider("Conscrypt");
  }

  @Test
  void theVersionIsTheOneAskedFor() throws Exception {
    String wanted = System.getProperty("okhttp.version");
    // By reflection: the compiler would take the constant of the version that it compiles with.
    Object version = OkHttp.class.getField("VERSION").get(null);
    assertTrue(wanted == null || wanted.equals(version), version + ", not " + wanted);
  }

  @Test
  void thePlatformIsConscrypts() throws Exception {
    Class<?> platform = Class.forName("okhttp3.internal.platform.Platform");
    Object companion = platform.getField("Companion").get(null);
    Object chosen = companion.getClass().getMethod("get").invoke(companion);
    assertEquals("okhttp3.internal.platform.ConscryptPlatform", chosen.getClass().getName());
  }

  @Test
  void http2() throws Exception {
    X509TrustManager trust = Pki.trustManager(PROVIDER);
    SSLContext context = Pki.client(PROVIDER);
    OkHttpClient client =
        new OkHttpClient.Builder()
            .sslSocketFactory(context.getSocketFactory(), trust)
            .callTimeout(60, TimeUnit.SECONDS)
            .build();
    try (JettyServer server = new JettyServer()) {
      Request request = new Request.Builder().url("https://localhost:" + server.port() + "/").build();
      for (int i = 0; i < 2; i++) {
        try (Response response = client.newCall(request).execute()) {
          assertEquals(Protocol.HTTP_2, response.protocol());
          assertEquals("HTTP/2.0 " + Loopback.TEXT, response.body().string());
          assertNotNull(response.handshake());
          assertEquals(TlsVersion.TLS_1_3, response.handshake().tlsVersion());
        }
      }
      Request wrong = new Request.Builder().url("https://127.0.0.2:" + server.port() + "/").build();
      Assertions.assertThrows(java.io.IOException.class, () -> client.newCall(wrong).execute());
    } finally {
      client.dispatcher().executorService().shutdown();
      client.connectionPool().evictAll();
    }
  }

  @Test
  void hostnamesAreVerifiedByOkHttp() throws Exception {
    OkHttpClient client =
        new OkHttpClient.Builder()
            .sslSocketFactory(Pki.client(PROVIDER).getSocketFactory(), Pki.trustManager(PROVIDER))
            .hostnameVerifier((host, session) -> false)
            .build();
    try (JettyServer server = new JettyServer()) {
      Request request = new Request.Builder().url("https://localhost:" + server.port() + "/").build();
      Assertions.assertThrows(SSLPeerUnverifiedException.class, () -> client.newCall(request).execute());
    } finally {
      client.dispatcher().executorService().shutdown();
      client.connectionPool().evictAll();
    }
  }
}
