//! A BIO over the caller's memory: reads from one window, writes to another, and spills what does not fit.

use std::os::raw::{c_char, c_int, c_long, c_void};
use std::sync::OnceLock;

use boring_sys as ffi;

use crate::error::check_ptr;
use crate::{Error, Result};

/// What the BIO reads from and writes to. Lives behind a raw pointer for as long as the connection: the callbacks change it
/// while `SSL_*` functions run, so no reference to it may be held across them.
#[derive(Debug)]
pub(super) struct Windows {
    input: *const u8,
    input_left: usize,
    output: *mut u8,
    output_left: usize,
    /// Bytes for the peer that found no room, oldest first.
    spill: Vec<u8>,
    spill_start: usize,
}

impl Windows {
    pub(super) const fn new() -> Self {
        Self {
            input: std::ptr::null(),
            input_left: 0,
            output: std::ptr::null_mut(),
            output_left: 0,
            spill: Vec::new(),
            spill_start: 0,
        }
    }

    /// # Safety
    /// `input` is readable and `output` writable for the lengths given, until [`Windows::close`].
    pub(super) unsafe fn open(&mut self, input: (*const u8, usize), output: (*mut u8, usize)) {
        (self.input, self.input_left) = input;
        (self.output, self.output_left) = output;
    }

    /// Ends the loan; answers how many bytes were left unread and unwritten.
    pub(super) fn close(&mut self) -> (usize, usize) {
        let left = (self.input_left, self.output_left);
        self.input = std::ptr::null();
        self.output = std::ptr::null_mut();
        (self.input_left, self.output_left) = (0, 0);
        left
    }

    pub(super) fn spilled(&self) -> usize {
        self.spill.len() - self.spill_start
    }

    /// All that is spilled, taken out.
    pub(super) fn take(&mut self) -> Vec<u8> {
        let mut all = std::mem::take(&mut self.spill);
        all.drain(..std::mem::take(&mut self.spill_start));
        all
    }

    /// Puts `bytes` before everything that is spilled.
    pub(super) fn put_back(&mut self, bytes: &[u8]) {
        let mut all = bytes.to_vec();
        all.extend_from_slice(self.spill.get(self.spill_start..).unwrap_or_default());
        self.spill = all;
        self.spill_start = 0;
    }

    /// Moves up to `capacity` spilled bytes to `output`.
    ///
    /// # Safety
    /// `output` is writable for `capacity` bytes.
    pub(super) unsafe fn drain(&mut self, output: *mut u8, capacity: usize) -> usize {
        let n = self.spilled().min(capacity);
        // SAFETY: `n` bytes are in the spill from `spill_start`, and fit (promise of the caller).
        unsafe { std::ptr::copy_nonoverlapping(self.spill.as_ptr().add(self.spill_start), output, n) };
        self.spill_start += n;
        if self.spilled() == 0 {
            self.spill = Vec::new();
            self.spill_start = 0;
        }
        n
    }
}

/// # Safety
/// `bio` was made by [`new`] with windows that are alive.
unsafe fn windows<'a>(bio: *mut ffi::BIO) -> &'a mut Windows {
    // SAFETY: promise of the caller; the reference does not outlive the callback, and nobody else holds one meanwhile.
    unsafe { &mut *ffi::BIO_get_data(bio).cast::<Windows>() }
}

unsafe extern "C" fn read(bio: *mut ffi::BIO, into: *mut c_char, length: c_int) -> c_int {
    // SAFETY: BoringSSL calls with our own BIO and a buffer of `length` bytes.
    unsafe {
        let w = windows(bio);
        ffi::BIO_clear_retry_flags(bio);
        let n = usize::try_from(length).unwrap_or(0).min(w.input_left);
        if n == 0 {
            ffi::BIO_set_retry_read(bio);
            return -1;
        }
        std::ptr::copy_nonoverlapping(w.input, into.cast(), n);
        w.input = w.input.add(n);
        w.input_left -= n;
        c_int::try_from(n).unwrap_or(-1)
    }
}

unsafe extern "C" fn write(bio: *mut ffi::BIO, from: *const c_char, length: c_int) -> c_int {
    // SAFETY: BoringSSL calls with our own BIO and a buffer of `length` bytes; room is checked before the copy.
    unsafe {
        let w = windows(bio);
        ffi::BIO_clear_retry_flags(bio);
        let n = usize::try_from(length).unwrap_or(0);
        // Order matters: once something spilled, all that follows does.
        let fits = if w.spilled() == 0 { n.min(w.output_left) } else { 0 };
        std::ptr::copy_nonoverlapping(from.cast(), w.output, fits);
        w.output = w.output.wrapping_add(fits);
        w.output_left -= fits;
        if fits < n {
            let rest = std::slice::from_raw_parts(from.cast::<u8>().add(fits), n - fits);
            if w.spill.try_reserve(rest.len()).is_err() {
                return -1;
            }
            w.spill.extend_from_slice(rest);
        }
        length
    }
}

unsafe extern "C" fn control(_bio: *mut ffi::BIO, command: c_int, _value: c_long, _pointer: *mut c_void) -> c_long {
    c_long::from(command == ffi::BIO_CTRL_FLUSH)
}

struct Method(*mut ffi::BIO_METHOD);
// SAFETY: written once, before it is shared; read-only afterwards.
unsafe impl Send for Method {}
// SAFETY: as above.
unsafe impl Sync for Method {}

fn method() -> *mut ffi::BIO_METHOD {
    static METHOD: OnceLock<Method> = OnceLock::new();
    METHOD
        .get_or_init(|| {
            // SAFETY: plain construction; a null method makes `BIO_new` fail, which `new` reports.
            unsafe {
                let method = ffi::BIO_meth_new(0, c"postscrypt".as_ptr());
                if !method.is_null() {
                    ffi::BIO_meth_set_read(method, Some(read));
                    ffi::BIO_meth_set_write(method, Some(write));
                    ffi::BIO_meth_set_ctrl(method, Some(control));
                }
                Method(method)
            }
        })
        .0
}

/// A new BIO over `windows`, which are the first field of the state that callbacks find through the BIO's data.
///
/// # Safety
/// `windows` outlives the BIO.
pub(super) unsafe fn new(windows: *mut Windows) -> Result<*mut ffi::BIO> {
    if method().is_null() {
        return Err(Error::OutOfMemory);
    }
    // SAFETY: a valid method; promise of the caller for the data.
    unsafe {
        let bio = check_ptr(ffi::BIO_new(method()))?;
        ffi::BIO_set_data(bio, windows.cast());
        ffi::BIO_set_init(bio, 1);
        Ok(bio)
    }
}
