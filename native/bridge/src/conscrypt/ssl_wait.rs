//! Waiting for sockets, in a way that other threads can end. A thread that waits borrows a pair of sockets to be woken by; there are as
//! many as threads that ever waited at the same time, and none for a connection at rest.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use jni::sys::jint;

use super::slab::lock;

/// What a thread waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum For {
    Reading,
    Writing,
}

/// Why it waits no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Woken {
    /// The socket is ready, or has failed.
    Ready,
    TimedOut,
    /// [`Waiting::interrupt`].
    Interrupted,
}

/// The threads that wait for one connection's socket.
#[derive(Default)]
pub(super) struct Waiting {
    interrupted: AtomicBool,
    wakers: Mutex<Vec<system::Waker>>,
}

impl Waiting {
    /// No thread waits any more, now and later.
    pub(super) fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Release);
        self.wake();
    }

    /// Lets all threads look again: another one moved bytes.
    pub(super) fn wake(&self) {
        for waker in lock(&self.wakers).iter() {
            waker.wake();
        }
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Acquire)
    }

    /// Until the socket is ready or the time is over: milliseconds, 0 is for ever.
    pub(super) fn wait(&self, descriptor: jint, what: For, millis: jint) -> std::io::Result<Woken> {
        let waker = system::Waker::take()?;
        {
            let mut wakers = lock(&self.wakers);
            if self.is_interrupted() {
                waker.give_back();
                return Ok(Woken::Interrupted);
            }
            wakers.push(waker.clone());
        }
        let result = waker.wait(descriptor, what, millis);
        lock(&self.wakers).retain(|other| *other != waker);
        waker.give_back();
        if self.is_interrupted() { Ok(Woken::Interrupted) } else { result }
    }
}

#[cfg(unix)]
pub(super) use system::set_blocking;

#[cfg(unix)]
#[allow(unsafe_code, reason = "poll, and a socket that Java owns")]
mod system {
    use std::ffi::{c_int, c_short};
    use std::io::{Error, ErrorKind, Read, Result, Write};
    use std::mem::ManuallyDrop;
    use std::net::TcpStream;
    use std::os::fd::{AsRawFd, FromRawFd};
    use std::os::unix::net::UnixStream;
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, Instant};

    use super::{For, Woken};
    use crate::conscrypt::slab::lock;

    #[repr(C)]
    struct PollFd {
        descriptor: c_int,
        events: c_short,
        revents: c_short,
    }

    // The same on every Unix.
    const POLLIN: c_short = 1;
    const POLLPRI: c_short = 2;
    const POLLOUT: c_short = 4;

    #[cfg(target_os = "linux")]
    type Count = std::ffi::c_ulong;
    #[cfg(not(target_os = "linux"))]
    type Count = std::ffi::c_uint;

    unsafe extern "C" {
        fn poll(descriptors: *mut PollFd, count: Count, timeout: c_int) -> c_int;
    }

    struct Pair {
        wake: UnixStream,
        woken: UnixStream,
    }

    static IDLE: Mutex<Vec<Arc<Pair>>> = Mutex::new(Vec::new());
    /// Pairs that are kept for later.
    const MOST_IDLE: usize = 64;

    #[derive(Clone)]
    pub(in super::super) struct Waker(Arc<Pair>);

    impl PartialEq for Waker {
        fn eq(&self, other: &Self) -> bool {
            Arc::ptr_eq(&self.0, &other.0)
        }
    }

    impl Waker {
        pub(super) fn take() -> Result<Self> {
            if let Some(pair) = lock(&IDLE).pop() {
                return Ok(Self(pair));
            }
            let (wake, woken) = UnixStream::pair()?;
            wake.set_nonblocking(true)?;
            woken.set_nonblocking(true)?;
            Ok(Self(Arc::new(Pair { wake, woken })))
        }

        /// Nobody may wake it any more.
        pub(super) fn give_back(self) {
            self.forget();
            let mut idle = lock(&IDLE);
            if idle.len() < MOST_IDLE {
                idle.push(self.0);
            }
        }

        pub(super) fn wake(&self) {
            // If there is no room, it is woken already.
            let _ = (&self.0.wake).write(&[1]);
        }

        fn forget(&self) {
            let mut bytes = [0; 64];
            while matches!((&self.0.woken).read(&mut bytes), Ok(count) if count > 0) {}
        }

        pub(super) fn wait(&self, descriptor: c_int, what: For, millis: c_int) -> Result<Woken> {
            let limit = u64::try_from(millis).ok().filter(|millis| *millis > 0).map(Duration::from_millis);
            let start = Instant::now();
            let events = POLLPRI | if what == For::Reading { POLLIN } else { POLLOUT };
            loop {
                let mut descriptors = [
                    PollFd { descriptor, events, revents: 0 },
                    PollFd { descriptor: self.0.woken.as_raw_fd(), events: POLLIN, revents: 0 },
                ];
                let left = match limit {
                    None => -1,
                    // Rounded up, so that it does not return before its time.
                    Some(limit) => {
                        let left = limit.saturating_sub(start.elapsed());
                        c_int::try_from(left.as_nanos().div_ceil(1_000_000)).unwrap_or(c_int::MAX)
                    }
                };
                // SAFETY: two entries; closed descriptors are reported in them.
                match unsafe { poll(descriptors.as_mut_ptr(), 2, left) } {
                    0 => return Ok(Woken::TimedOut),
                    count if count > 0 => {
                        self.forget();
                        return Ok(Woken::Ready);
                    }
                    _ => {
                        let error = Error::last_os_error();
                        if error.kind() != ErrorKind::Interrupted {
                            return Err(error);
                        }
                    }
                }
            }
        }
    }

    /// Whether reading and writing wait.
    pub(in super::super) fn set_blocking(descriptor: c_int, blocking: bool) -> Result<()> {
        // SAFETY: an open socket of Java's, which is not closed here.
        let socket = ManuallyDrop::new(unsafe { TcpStream::from_raw_fd(descriptor) });
        socket.set_nonblocking(!blocking)
    }
}

#[cfg(not(unix))]
pub(super) fn set_blocking(_descriptor: jint, _blocking: bool) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Conscrypt's sockets are over engines there.
#[cfg(not(unix))]
mod system {
    use std::ffi::c_int;
    use std::io::{ErrorKind, Result};

    use super::{For, Woken};

    #[derive(Clone, PartialEq)]
    pub(in super::super) struct Waker;

    impl Waker {
        pub(super) fn take() -> Result<Self> {
            Err(ErrorKind::Unsupported.into())
        }

        pub(super) fn give_back(self) {}

        pub(super) fn wake(&self) {}

        pub(super) fn wait(&self, _descriptor: c_int, _what: For, _millis: c_int) -> Result<Woken> {
            Err(ErrorKind::Unsupported.into())
        }
    }
}
