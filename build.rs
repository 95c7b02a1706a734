//! Build script of the bridge: checks that BoringSSL was built by `tools/boringssl`, and stamps the library.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo:rerun-if-changed=build.rs");
    if matches!(std::env::var("CARGO_CFG_TARGET_OS").as_deref(), Ok("linux" | "android")) {
        // BoringSSL gives each thread that uses it a destructor, which runs when that thread ends: after its class loader
        // was unloaded too. So the code stays mapped.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    let target = std::env::var("TARGET").unwrap_or_default();
    let built = Path::new("target/boringssl").join(&target).join(".built");
    println!("cargo:rerun-if-changed={}", built.display());
    if !built.exists() {
        println!("cargo::error=BoringSSL is not built for {target}: run tools/boringssl {target}");
        return ExitCode::FAILURE;
    }
    let cpp_runtime = format!("BORING_BSSL_RUST_CPPLIB_{}", target.replace('-', "_"));
    println!("cargo:rerun-if-env-changed={cpp_runtime}");
    if std::env::var(cpp_runtime).is_ok_and(|lib| lib.ends_with("=stdc++")) {
        // GNU's C++ runtime is linked in (.cargo/config.toml), so is its unwinder: Rust's std asks for libgcc_s, but with
        // the unwinder already defined the linker finds that it is not needed.
        println!("cargo::rustc-link-lib=static:+whole-archive,-bundle=gcc_eh");
    }
    ExitCode::SUCCESS
}
