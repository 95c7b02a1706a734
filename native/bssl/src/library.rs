//! About the library itself.

use boring_sys as ffi;

/// The BoringSSL in here, in one line: the crate that bundles it and its API version.
pub fn boring_version() -> String {
    format!("boring-sys {} API {}", "5.4.0", ffi::BORINGSSL_API_VERSION)
}

/// CPU features that BoringSSL uses on this machine, space-separated; empty when none are known.
pub fn cpu_features() -> String {
    let mut features = Vec::new();
    // SAFETY: no preconditions.
    if unsafe { ffi::EVP_has_aes_hardware() } == 1 {
        features.push("aes");
    }
    #[cfg(target_arch = "x86_64")]
    for (name, there) in [
        ("ssse3", std::arch::is_x86_feature_detected!("ssse3")),
        ("avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("avx512bw", std::arch::is_x86_feature_detected!("avx512bw")),
        ("vaes", std::arch::is_x86_feature_detected!("vaes")),
        ("vpclmulqdq", std::arch::is_x86_feature_detected!("vpclmulqdq")),
        ("bmi2", std::arch::is_x86_feature_detected!("bmi2")),
        ("adx", std::arch::is_x86_feature_detected!("adx")),
        ("sha", std::arch::is_x86_feature_detected!("sha")),
    ] {
        if there {
            features.push(name);
        }
    }
    features.join(" ")
}

/// Files and directories where the operating system keeps its CA certificates, newline-separated, the bundle file first.
/// `SSL_CERT_FILE` and `SSL_CERT_DIR` come before what is probed. Empty when nothing is found.
pub fn system_certificates() -> String {
    let found = openssl_probe::probe();
    found
        .cert_file
        .into_iter()
        .chain(found.cert_dir)
        .map(|p| p.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join("\n")
}
