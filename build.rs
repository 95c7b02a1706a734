//! Build script of the bridge: checks that BoringSSL was built by `tools/boringssl`, and says how the library is linked.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo:rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").unwrap_or_default();
    let suffix = target.replace('-', "_");
    let path = format!("BORING_BSSL_PATH_{suffix}");
    println!("cargo:rerun-if-env-changed={path}");
    let default = || Path::new("target/boringssl").join(&target);
    let built = std::env::var_os(path).map_or_else(default, PathBuf::from).join(".built");
    println!("cargo:rerun-if-changed={}", built.display());
    if !built.exists() {
        println!("cargo::error=BoringSSL is not built for {target}: run tools/boringssl {target}");
        return ExitCode::FAILURE;
    }
    let cpp_runtime = format!("BORING_BSSL_RUST_CPPLIB_{suffix}");
    println!("cargo:rerun-if-env-changed={cpp_runtime}");
    if std::env::var(cpp_runtime).is_ok_and(|lib| lib.ends_with("=stdc++")) {
        // GNU's C++ runtime is linked in (.cargo/config.toml), so is its unwinder: Rust's std asks for libgcc_s, but with
        // the unwinder already defined the linker finds that it is not needed.
        println!("cargo::rustc-link-lib=static:+whole-archive,-bundle=gcc_eh");
    }
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let exports = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("native/bridge/exports");
    println!("cargo:rerun-if-changed={}", exports.display());
    let link = |argument: &str| println!("cargo::rustc-cdylib-link-arg={argument}");
    let name = library_name(&os);
    match os.as_str() {
        "linux" | "android" => {
            // Kernels of arm64 with pages of 16 KiB, Android 15 among them, refuse segments with a smaller alignment.
            link("-Wl,-z,max-page-size=16384");
            link(&format!("-Wl,-soname,{name}"));
            // BoringSSL gives each thread that uses it a destructor, which runs when that thread ends: after its class loader
            // was unloaded too. So the code stays mapped.
            link("-Wl,-z,nodelete");
        }
        // zig does not see rustc's own lists of exports for these two.
        "windows" => link(&exports.join("windows.def").display().to_string()),
        "macos" => {
            link(&format!("-Wl,-exported_symbols_list,{}", exports.join("macos.txt").display()));
            // Else the path of the build ends up in the library.
            link(&format!("-Wl,-install_name,@rpath/{name}"));
        }
        _ => {}
    }
    ExitCode::SUCCESS
}

/// What the file is called where it is loaded: with Conscrypt's natives, the name that Conscrypt looks for.
fn library_name(os: &str) -> String {
    let extension = if os == "macos" { "dylib" } else { "so" };
    if std::env::var_os("CARGO_FEATURE_CONSCRYPT_ABI").is_none() {
        return format!("libpostscrypt_jni.{extension}");
    }
    let system = if os == "macos" { "osx" } else { os };
    let processor = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default().replace("aarch64", "aarch_64");
    format!("libconscrypt_openjdk_jni-{system}-{processor}.{extension}")
}
