//! Handles for Java code that is not ours: a `long` from it may be freed, of another kind, or made up, and is never a pointer.
//!
//! A handle names a slot of a table, the generation of its tenant and its kind. Freeing a slot changes its generation, so that an
//! old handle finds nothing, whoever lives there now; a slot whose generations are used up is not used again. What a
//! native works on is counted (`Arc`): another thread that frees the handle meanwhile frees the name, and the object when the call
//! is over. Locks are held for a look into the table only; a thread allocates in one of [`SHARDS`] tables.

use std::any::Any;
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::sys::jlong;

use super::error::{Error, Exception};

/// What can stand behind a [`Handle`].
pub(crate) trait Managed: Any + Send + Sync {
    /// Its kind's number, 1 to 127; no two kinds share one (see [`super::kinds`]).
    const TAG: u8;
    /// The kind's name, for messages.
    const NAME: &'static str;
}

// A handle, from the highest bit: 0, 7 bits of tag, 28 of generation, 28 of index, of which the lowest 4 are the shard.
const GENERATION_SHIFT: u32 = 28;
const TAG_SHIFT: u32 = 56;
const INDEX_MASK: u64 = (1 << GENERATION_SHIFT) - 1;
const GENERATION_MASK: u64 = (1 << (TAG_SHIFT - GENERATION_SHIFT)) - 1;
const SHARD_BITS: u32 = 4;
const SHARDS: usize = 1 << SHARD_BITS;
const SHARD_MASK: u64 = (1 << SHARD_BITS) - 1;

struct Slot {
    generation: u64,
    owners: u32,
    object: Option<Arc<dyn Any + Send + Sync>>,
}

struct Shard {
    slots: Vec<Slot>,
    free: Vec<usize>,
}

static TABLE: [Mutex<Shard>; SHARDS] = [const { Mutex::new(Shard { slots: Vec::new(), free: Vec::new() }) }; SHARDS];

/// The lock, whatever happened to a thread that held it: what is behind it stays consistent at every step.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A name without its kind.
#[derive(Clone, Copy)]
struct Place {
    shard: usize,
    slot: usize,
    generation: u64,
}

impl Place {
    fn shard(self) -> Option<MutexGuard<'static, Shard>> {
        TABLE.get(self.shard).map(lock)
    }

    /// The living slot of this generation.
    fn slot(self, shard: &mut Shard) -> Option<&mut Slot> {
        shard.slots.get_mut(self.slot).filter(|slot| slot.generation == self.generation && slot.object.is_some())
    }
}

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
    (u64::from(tag) << TAG_SHIFT | place.generation << GENERATION_SHIFT | index).cast_signed()
}

/// Tag and place of a `long`, whatever it is.
fn parse(raw: jlong) -> (u8, Place) {
    let raw = raw.cast_unsigned();
    let index = raw & INDEX_MASK;
    let place = Place {
        shard: usize::try_from(index & SHARD_MASK).unwrap_or(0),
        slot: usize::try_from(index >> SHARD_BITS).unwrap_or(usize::MAX),
        generation: (raw >> GENERATION_SHIFT) & GENERATION_MASK,
    };
    (u8::try_from(raw >> TAG_SHIFT).unwrap_or(0), place)
}

fn null(name: &'static str) -> Error {
    Error::new(Exception::NullPointer, format!("{name} == null"))
}

fn stale(name: &'static str) -> Error {
    Error::new(Exception::IllegalState, format!("{name} was freed"))
}

fn foreign(name: &'static str) -> Error {
    Error::new(Exception::IllegalState, format!("not a {name}"))
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
pub(crate) fn whole<T: Managed>(raw: jlong, tag: u8, name: &'static str) -> Result<Arc<T>, Error> {
    let place = place(raw, tag, name)?;
    find(place, name)
}

/// Whether `raw` has this tag.
pub(crate) fn has_tag(raw: jlong, tag: u8) -> bool {
    parse(raw).0 == tag
}

fn find<T: Managed>(place: Place, name: &'static str) -> Result<Arc<T>, Error> {
    let object = {
        let mut shard = place.shard().ok_or_else(|| stale(name))?;
        let slot = place.slot(&mut shard).ok_or_else(|| stale(name))?;
        slot.object.clone().ok_or_else(|| stale(name))?
    };
    object.downcast().map_err(|_| foreign(name))
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
    /// A name for `value`, which Java owns from here on.
    pub(crate) fn new(value: T) -> Result<Self, Error> {
        Self::share(Arc::new(value))
    }

    /// A name for an object that others may have too.
    pub(crate) fn share(value: Arc<T>) -> Result<Self, Error> {
        let index = current_shard();
        let mut shard = lock(TABLE.get(index).ok_or_else(too_many)?);
        let slot = match shard.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = shard.slots.len();
                if u64::try_from(slot).unwrap_or(u64::MAX) > INDEX_MASK >> SHARD_BITS {
                    return Err(too_many());
                }
                shard.slots.push(Slot { generation: 1, owners: 0, object: None });
                slot
            }
        };
        let tenant = shard.slots.get_mut(slot).ok_or_else(too_many)?;
        tenant.object = Some(value);
        tenant.owners = 1;
        Ok(Self(make(T::TAG, Place { shard: index, slot, generation: tenant.generation }), PhantomData))
    }

    /// The object: `NullPointerException` for zero, `IllegalStateException` for a handle that was freed or is of another kind.
    pub(crate) fn get(self) -> Result<Arc<T>, Error> {
        find(place(self.0, T::TAG, T::NAME)?, T::NAME)
    }

    /// `NullPointerException` for zero: where several handles are passed, that comes before what is wrong with another.
    pub(crate) fn required(self) -> Result<(), Error> {
        if self.is_null() { Err(null(T::NAME)) } else { Ok(()) }
    }

    /// One more owner: it takes one more [`Handle::free`].
    pub(crate) fn retain(self) -> Result<(), Error> {
        let place = place(self.0, T::TAG, T::NAME)?;
        let mut shard = place.shard().ok_or_else(|| stale(T::NAME))?;
        let slot = place.slot(&mut shard).ok_or_else(|| stale(T::NAME))?;
        slot.owners = slot.owners.checked_add(1).ok_or_else(too_many)?;
        Ok(())
    }

    /// One owner less; the last one frees. Exceptions as in [`Handle::get`].
    pub(crate) fn free(self) -> Result<(), Error> {
        let place = place(self.0, T::TAG, T::NAME)?;
        let object = {
            let mut shard = place.shard().ok_or_else(|| stale(T::NAME))?;
            let slot = place.slot(&mut shard).ok_or_else(|| stale(T::NAME))?;
            slot.owners -= 1;
            if slot.owners > 0 {
                return Ok(());
            }
            let object = slot.object.take();
            slot.generation += 1;
            if slot.generation <= GENERATION_MASK {
                shard.free.push(place.slot);
            }
            object
        };
        // Outside the lock: dropping may take long, or free other handles.
        drop(object);
        Ok(())
    }

    /// As [`Handle::free`], but zero is ignored.
    pub(crate) fn free_unless_null(self) -> Result<(), Error> {
        if self.is_null() { Ok(()) } else { self.free() }
    }
}

fn too_many() -> Error {
    Error::new(Exception::OutOfMemory, "too many native objects")
}

fn current_shard() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static SHARD: Cell<Option<usize>> = const { Cell::new(None) };
    }
    SHARD.with(|shard| {
        shard.get().unwrap_or_else(|| {
            let mine = NEXT.fetch_add(1, Ordering::Relaxed) % SHARDS;
            shard.set(Some(mine));
            mine
        })
    })
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
