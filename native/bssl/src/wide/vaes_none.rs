//! Where there is no VAES: no key ever comes to be.

/// Bytes in a block.
pub(crate) const BLOCK: usize = 16;

/// Never made.
#[derive(Clone)]
pub(crate) enum Key {}

impl Key {
    /// `None`.
    pub(crate) fn encrypting(_bytes: &[u8]) -> Option<Self> {
        None
    }

    /// `None`.
    pub(crate) fn decrypting(_bytes: &[u8]) -> Option<Self> {
        None
    }

    /// Never called.
    pub(crate) fn counter_mode(&self, _counter: u128, _blocks: &mut Blocks<'_>) {
        match *self {}
    }

    /// Never called.
    pub(crate) fn cbc_decrypt(&self, _previous: &[u8; BLOCK], _blocks: &mut Blocks<'_>) {
        match *self {}
    }
}

/// Never used.
pub(crate) struct Blocks<'a>(std::marker::PhantomData<&'a mut [u8]>);

impl<'a> Blocks<'a> {
    /// Never called.
    pub(crate) fn in_place(_bytes: &'a mut [u8]) -> Self {
        Self(std::marker::PhantomData)
    }

    /// # Safety
    /// None: never called.
    pub(crate) unsafe fn from_raw(_input: *const u8, _output: *mut u8, _count: usize) -> Self {
        Self(std::marker::PhantomData)
    }
}
