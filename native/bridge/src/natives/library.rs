//! About the library itself.

use super::natives;
use crate::bytes::{ByteArray, LongArray};
use crate::foreign;

natives! { 'l =>
    /// This build's stamp: must equal the Java side's, or the two do not belong together.
    fn library_version(env) -> ByteArray<'l> {
        ByteArray::new(env, env!("CARGO_PKG_VERSION").as_bytes())
    }

    /// What BoringSSL this is: crate version, API version and source stamp, in one line.
    fn library_boring_version(env) -> ByteArray<'l> {
        ByteArray::new(env, bssl::library::boring_version().as_bytes())
    }

    /// CPU features that BoringSSL uses here, space-separated.
    fn library_cpu_features(env) -> ByteArray<'l> {
        ByteArray::new(env, bssl::library::cpu_features().as_bytes())
    }

    /// Files and directories where the operating system keeps CA certificates, newline-separated, best first.
    fn library_system_certificates(env) -> ByteArray<'l> {
        ByteArray::new(env, bssl::library::system_certificates().as_bytes())
    }

    /// Addresses of the functions for `java.lang.foreign`, in the order of [`foreign::addresses`].
    fn library_foreign_functions(env) -> LongArray<'l> {
        LongArray::new(env, &foreign::addresses())
    }

    /// Throws what this thread's last call of such a function failed with.
    fn library_foreign_failure(_env) -> () {
        Err(foreign::take_failure())
    }
}
