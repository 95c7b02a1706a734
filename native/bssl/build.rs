//! Build script: compiles the record shim against the BoringSSL tree that is linked, and against no other.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What the shim sees of BoringSSL's insides, and what it does the same as: relative to the source tree.
const MIRRORED: [&str; 12] = [
    "ssl/internal.h",
    "ssl/s3_pkt.cc",
    "ssl/ssl_aead_ctx.cc",
    "ssl/ssl_buffer.cc",
    "ssl/ssl_lib.cc",
    "ssl/tls_record.cc",
    "crypto/internal.h",
    "crypto/mem_internal.h",
    "crypto/err/internal.h",
    "crypto/lhash/internal.h",
    "crypto/spake2plus/internal.h",
    "include/openssl/aead.h",
];

/// [`stamp`] of [`MIRRORED`] in the revision that the shim was written for. When BoringSSL is updated, compare these files with
/// the old ones, adapt the shim, run its tests, and only then put the new value here.
const STAMP: u64 = 0x0435_62e3_b04f_d206;

fn main() -> ExitCode {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_FAST_RECORDS").is_none() {
        return ExitCode::SUCCESS;
    }
    match shim() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={message} (or build without the feature fast-records)");
            ExitCode::FAILURE
        }
    }
}

fn shim() -> Result<(), String> {
    let source = source()?;
    let found = stamp(&source)?;
    if found != STAMP {
        return Err(format!(
            "the record shim was written for another revision of BoringSSL: {} has stamp {found:#018x}, not {STAMP:#018x}",
            source.display()
        ));
    }
    println!("cargo:rerun-if-changed=shim/record.cc");
    // As BoringSSL itself is compiled. No C++ runtime is asked for: BoringSSL needs one, and says which.
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .cpp_link_stdlib(None)
        .file("shim/record.cc")
        .include(&source)
        .include(source.join("include"))
        .define("NDEBUG", None)
        .opt_level(3)
        .debug(false)
        .warnings(false)
        .std("c++17");
    for flag in ["-fno-exceptions", "-fno-rtti", "-fno-strict-aliasing", "-fno-common", "-fvisibility=hidden"] {
        build.flag_if_supported(flag);
    }
    // No build path may end up in the library.
    build.flag_if_supported(format!("-ffile-prefix-map={}=boringssl", source.display()));
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    build.flag_if_supported(format!("-ffile-prefix-map={here}=bssl"));
    build.try_compile("postscrypt_record").map_err(|error| format!("the record shim does not compile: {error}"))
}

/// BoringSSL's source: beside the build that boring-sys links (`BORING_BSSL_PATH_<target>`), where tools/boringssl puts both.
fn source() -> Result<PathBuf, String> {
    let target = std::env::var("TARGET").unwrap_or_default();
    let variable = format!("BORING_BSSL_PATH_{}", target.replace('-', "_"));
    println!("cargo:rerun-if-env-changed={variable}");
    let workspace = || {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
        Path::new(&manifest).join("../../target/boringssl").join(&target)
    };
    let build = std::env::var_os(&variable).map_or_else(workspace, PathBuf::from);
    let source = build.parent().map(|parent| parent.join("src")).unwrap_or_default();
    if source.join("ssl/internal.h").exists() {
        Ok(source)
    } else {
        Err(format!("BoringSSL's source is not in {}: run tools/boringssl {target}", source.display()))
    }
}

/// FNV-1a over the files: tells revisions apart, and nothing more.
fn stamp(source: &Path) -> Result<u64, String> {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for name in MIRRORED {
        let path = source.join(name);
        println!("cargo:rerun-if-changed={}", path.display());
        let bytes = std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        for byte in name.bytes().chain(bytes) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    Ok(hash)
}
