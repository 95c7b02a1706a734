//! What fits nowhere else.
#![allow(unsafe_code, reason = "calls through the JNI function table")]

use bssl::conscrypt::suites;
use jni::sys::{jboolean, jlong};

use super::error::{Error, Exception, Otherwise};
use super::types::{JString, JStrings, NioBuffer};
use super::{java, natives};
use crate::boundary::jni_call;

natives! { 'l =>
    /// The cipher suites that a list selects.
    fn get_cipher_names(env, selector: JString<'l>) -> JStrings<'l> {
        let selector = selector.to_text(env).ok_or_else(|| Error::argument("selector == null"))?;
        let names = suites::names(&selector).always(Exception::IllegalArgument, "Unable to set SSL cipher list")?;
        JStrings::new(env, &names)
    }

    /// Where a direct byte buffer's memory is; 0 for anything else.
    fn getDirectBufferAddress(env, buffer: NioBuffer<'l>) -> jlong {
        if buffer.is_null() || !java::is_byte_buffer(env, buffer.raw())? {
            return Ok(0);
        }
        // SAFETY: a live buffer; null for one that is not direct.
        let address = unsafe { jni_call!(env, v1_4, GetDirectBufferAddress, buffer.raw()) };
        Ok(jlong::try_from(address.expose_provenance()).unwrap_or(0))
    }

    /// Whether BoringSSL is its FIPS module.
    fn usesBoringSsl_FIPS_mode(_env) -> jboolean {
        Ok(suites::is_fips())
    }
}
