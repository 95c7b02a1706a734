//! Random bytes.

use boring_sys as ffi;

use crate::error::{Result, check};

/// Fills `out` from BoringSSL's generator (`RAND_bytes`): an AES-CTR DRBG per thread, seeded and reseeded from the
/// operating system (SP 800-90A). It needs no seed from its callers, and aborts rather than answer predictable bytes.
pub fn fill(out: &mut [u8]) -> Result<()> {
    // SAFETY: valid for writes of its length.
    check(unsafe { ffi::RAND_bytes(out.as_mut_ptr(), out.len()) })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn fills_everything_and_never_repeats() {
        for length in [0, 1, 16, 17, 4096] {
            let (mut first, mut second) = (vec![0; length], vec![0; length]);
            fill(&mut first).unwrap();
            fill(&mut second).unwrap();
            assert!(length < 16 || first != second);
        }
        // Each of 64 bytes is non-zero in one of 8 fills, but for chance 64 * 2^-64.
        let mut seen = [0_u8; 64];
        for _ in 0..8 {
            let mut out = [0; 64];
            fill(&mut out).unwrap();
            seen.iter_mut().zip(out).for_each(|(s, o)| *s |= o);
        }
        assert!(seen.iter().all(|byte| *byte != 0));
    }
}
