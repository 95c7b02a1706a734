//! Handles for Java code that is not ours: a `long` from it may be freed, of another kind, or made up, and is never a pointer.
//!
//! A handle is a name in [`table`], which is never wrong about it, and its kind. What a native works on stays: another thread that frees the
//! handle meanwhile frees the name, and the object when the call is over. What changes (`Exclusive`) one thread has at a time, and
//! others wait; a call into Java (an opaque key's, say) that comes back to the same object is an exception, and does not wait for
//! itself for ever.

use std::any::Any;
use std::marker::PhantomData;

pub(crate) use bssl::conscrypt::table::{Exclusive, Held, Pin, lock};

use bssl::conscrypt::table::{self, GENERATION_BITS, Missing, Place, SHARD_BITS, SLOT_BITS};
use jni::sys::jlong;

use super::error::{Error, Exception};
use crate::boundary::Env;

/// What can stand behind a [`Handle`].
pub(crate) trait Managed: Any + Send + Sync {
    /// Its kind's number, 1 to 127; no two kinds share one (see [`super::kinds`]).
    const TAG: u8;
    /// The kind's name, for messages.
    const NAME: &'static str;
}

// A handle, from the highest bit: 0, 7 bits of tag, the generation, the slot, the shard.
const INDEX_BITS: u32 = SLOT_BITS + SHARD_BITS;
const TAG_SHIFT: u32 = INDEX_BITS + GENERATION_BITS;
const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;
const GENERATION_MASK: u64 = (1 << GENERATION_BITS) - 1;
const SHARD_MASK: u64 = (1 << SHARD_BITS) - 1;
const _: () = assert!(TAG_SHIFT == 56);

/// A Java `long` that names one `T`; zero is none. A copy of it owns nothing.
#[repr(transparent)]
pub(crate) struct Handle<T>(jlong, PhantomData<fn() -> T>);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Handle<T> {}
impl<T> Default for Handle<T> {
    fn default() -> Self {
        Self(0, PhantomData)
    }
}

fn make(tag: u8, place: Place) -> jlong {
    let index = u64::try_from(place.slot).unwrap_or(0) << SHARD_BITS | u64::try_from(place.shard).unwrap_or(0);
    (u64::from(tag) << TAG_SHIFT | place.generation << INDEX_BITS | index).cast_signed()
}

/// Tag and place of a `long`, whatever it is.
fn parse(raw: jlong) -> (u8, Place) {
    let raw = raw.cast_unsigned();
    let index = raw & INDEX_MASK;
    let place = Place {
        shard: usize::try_from(index & SHARD_MASK).unwrap_or(0),
        slot: usize::try_from(index >> SHARD_BITS).unwrap_or(usize::MAX),
        generation: (raw >> INDEX_BITS) & GENERATION_MASK,
    };
    (u8::try_from(raw >> TAG_SHIFT).unwrap_or(0), place)
}

fn null(name: &'static str) -> Error {
    Error::new(Exception::NullPointer, format!("{name} == null"))
}

fn foreign(name: &'static str) -> Error {
    Error::new(Exception::IllegalState, format!("not a {name}"))
}

#[cold]
fn missing(missing: Missing, name: &'static str) -> Error {
    match missing {
        Missing::Gone => Error::new(Exception::IllegalState, format!("{name} was freed")),
        Missing::Foreign => foreign(name),
        Missing::Mine => Error::new(Exception::IllegalState, "in use by this thread"),
        Missing::Full => Error::new(Exception::OutOfMemory, "too many native objects"),
    }
}

/// Where `raw` leads if it has this tag.
fn place(raw: jlong, tag: u8, name: &'static str) -> Result<Place, Error> {
    if raw == 0 {
        return Err(null(name));
    }
    let (found, place) = parse(raw);
    if found == tag { Ok(place) } else { Err(foreign(name)) }
}

/// The object that a handle of another kind is part of: `raw` is what [`Handle::part`] made of one of `T` and this tag.
pub(crate) fn whole<T: Managed>(raw: jlong, tag: u8, name: &'static str) -> Result<Pin<T>, Error> {
    table::pin(place(raw, tag, name)?).map_err(|error| missing(error, name))
}

/// As [`whole`], for what one thread has at a time.
pub(crate) fn whole_held<T: Any + Send>(
    env: &Env<'_>,
    raw: jlong,
    tag: u8,
    name: &'static str,
) -> Result<Held<T>, Error> {
    table::hold(place(raw, tag, name)?, env.raw().addr()).map_err(|error| missing(error, name))
}

/// Whether `raw` has this tag.
pub(crate) fn has_tag(raw: jlong, tag: u8) -> bool {
    parse(raw).0 == tag
}

impl<T> Handle<T> {
    /// The `long` itself.
    pub(crate) fn raw(self) -> jlong {
        self.0
    }

    /// One that came in an array or a field.
    pub(crate) fn from_raw(raw: jlong) -> Self {
        Self(raw, PhantomData)
    }

    /// Whether it names nothing.
    pub(crate) fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The `long` for a part of the object, of the kind `tag`: valid as long as the object is, and not to be freed.
    pub(crate) fn part(self, tag: u8) -> jlong {
        make(tag, parse(self.0).1)
    }
}

impl<T: Managed> Handle<T> {
    fn place(self) -> Result<Place, Error> {
        place(self.0, T::TAG, T::NAME)
    }

    /// A name for `value`, which Java owns from here on.
    pub(crate) fn new(value: T) -> Result<Self, Error> {
        let place = table::insert(value).map_err(|error| missing(error, T::NAME))?;
        Ok(Self(make(T::TAG, place), PhantomData))
    }

    /// The object: `NullPointerException` for zero, `IllegalStateException` for a handle that was freed or is of another kind.
    #[inline]
    pub(crate) fn get(self) -> Result<Pin<T>, Error> {
        table::pin(self.place()?).map_err(|error| missing(error, T::NAME))
    }

    /// `NullPointerException` for zero: where several handles are passed, that comes before what is wrong with another.
    pub(crate) fn required(self) -> Result<(), Error> {
        if self.is_null() { Err(null(T::NAME)) } else { Ok(()) }
    }

    /// One more owner: it takes one more [`Handle::free`].
    pub(crate) fn retain(self) -> Result<(), Error> {
        self.get()?;
        table::retain(self.place()?).map_err(|error| missing(error, T::NAME))
    }

    /// One owner less; the last one frees. Exceptions as in [`Handle::get`].
    pub(crate) fn free(self) -> Result<(), Error> {
        table::free::<T>(self.place()?).map_err(|error| missing(error, T::NAME))
    }

    /// As [`Handle::free`], but zero is ignored.
    pub(crate) fn free_unless_null(self) -> Result<(), Error> {
        if self.is_null() { Ok(()) } else { self.free() }
    }
}

impl<T: Any + Send> Handle<Exclusive<T>>
where
    Exclusive<T>: Managed,
{
    /// The object for this thread alone; exceptions as in [`Handle::get`], and `IllegalStateException` if this thread has it already.
    #[inline]
    pub(crate) fn hold(self, env: &Env<'_>) -> Result<Held<T>, Error> {
        table::hold(self.place()?, env.raw().addr()).map_err(|error| missing(error, Exclusive::<T>::NAME))
    }
}

/// The `long` of entry `index` of a table of things that always exist.
pub(crate) fn fixed(tag: u8, index: usize) -> jlong {
    (u64::from(tag) << TAG_SHIFT | (u64::try_from(index).unwrap_or(0) & INDEX_MASK)).cast_signed()
}

/// The entry that [`fixed`] made the `long` of.
pub(crate) fn fixed_index(raw: jlong, tag: u8, name: &'static str) -> Result<usize, Error> {
    if raw == 0 {
        return Err(null(name));
    }
    if parse(raw).0 != tag {
        return Err(foreign(name));
    }
    usize::try_from(raw.cast_unsigned() & INDEX_MASK).map_err(|_| foreign(name))
}
