//! Objects behind names that may be anything: freed, of another kind, made up.
//!
//! A name is a slot and the generation of its tenant. Using an object is one atomic step to get it and one to give it back: a slot's
//! word counts who uses its tenant (`PINS`), says whether one of them has it alone (`LOCKED`), whether its name is still good (`ALIVE`), and
//! the generation. Freeing ends the name; the object goes when its last user is done, and only then does the slot get its next
//! generation. A slot whose generations are used up is not used again.

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

const LOCKED: u64 = 1 << 30;
const PINS: u64 = LOCKED - 1;
const ALIVE: u64 = 1 << 31;
const GENERATION_SHIFT: u32 = 32;

/// Generations that a slot has.
pub const GENERATION_BITS: u32 = 28;
/// Slots of a shard.
pub const SLOT_BITS: u32 = 24;
/// Shards: a thread allocates in one of them.
pub const SHARD_BITS: u32 = 4;

const LAST_GENERATION: u64 = (1 << GENERATION_BITS) - 1;
const SHARDS: usize = 1 << SHARD_BITS;
/// The first chunk's slots; each further chunk has twice as many as the one before.
const FIRST: usize = 64;
const CHUNKS: usize = 19;

/// An object's name, good or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Of [`SHARD_BITS`].
    pub shard: usize,
    /// Of [`SLOT_BITS`].
    pub slot: usize,
    /// Of [`GENERATION_BITS`].
    pub generation: u64,
}

/// Why there is no object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The name is freed or made up.
    Gone,
    /// The object is of another type.
    Foreign,
    /// This thread has it alone already.
    Mine,
    /// Every slot is taken.
    Full,
}

type Object = Box<dyn Any + Send + Sync>;

struct Slot {
    shard: &'static Shard,
    number: usize,
    word: AtomicU64,
    /// Who has it alone, 0 for none; known in time to that one only.
    holder: AtomicUsize,
    /// How often it has to be freed; changed under the shard's lock.
    owners: AtomicU32,
    /// Changed by whoever knows that nobody else looks: while the word has neither ALIVE nor PINS.
    object: UnsafeCell<Option<Object>>,
}

// SAFETY: `object` is Send and Sync itself; it is written as said above.
unsafe impl Sync for Slot {}

struct Shard {
    chunks: [OnceLock<Box<[Slot]>>; CHUNKS],
    room: Mutex<Room>,
}

struct Room {
    used: usize,
    free: Vec<usize>,
}

static TABLE: [Shard; SHARDS] = [const {
    Shard { chunks: [const { OnceLock::new() }; CHUNKS], room: Mutex::new(Room { used: 0, free: Vec::new() }) }
}; SHARDS];

/// Threads that wait for an object which another one has alone, and where.
static WAITING: AtomicUsize = AtomicUsize::new(0);
static GATE: Mutex<()> = Mutex::new(());
static OPENED: Condvar = Condvar::new();

/// The lock, whatever happened to a thread that held it: what is behind these stays consistent at every step.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The chunk of a slot, and its place there.
fn chunk_of(slot: usize) -> (usize, usize) {
    let chunk = usize::try_from((slot / FIRST + 1).ilog2()).unwrap_or(0);
    (chunk, slot - FIRST * ((1 << chunk) - 1))
}

impl Shard {
    fn slot(&self, slot: usize) -> Option<&Slot> {
        let (chunk, at) = chunk_of(slot);
        self.chunks.get(chunk)?.get()?.get(at)
    }
}

impl Place {
    fn shard(self) -> Option<&'static Shard> {
        TABLE.get(self.shard)
    }

    #[inline]
    fn slot(self) -> Result<&'static Slot, Missing> {
        self.shard().and_then(|shard| shard.slot(self.slot)).ok_or(Missing::Gone)
    }

    /// Whether a slot's word is that of this name's tenant.
    fn names(self, word: u64) -> bool {
        word & ALIVE != 0 && word >> GENERATION_SHIFT == self.generation
    }
}

/// An object that stays while this lives, whoever frees its name.
pub struct Pin<T> {
    // Small, for what was just written is slow to move after an atomic step.
    _user: User<0>,
    object: NonNull<T>,
}

/// An object that nobody else has while this lives.
pub struct Held<T> {
    _user: User<LOCKED>,
    object: NonNull<T>,
}

/// One of the users that a slot's word counts, with or without LOCKED.
struct User<const LOCK: u64>(&'static Slot);

/// What one thread at a time has: only [`hold`] gives it.
pub struct Exclusive<T>(UnsafeCell<T>);

// SAFETY: the value is reached through `Held`, of which there is one at a time.
unsafe impl<T: Send> Sync for Exclusive<T> {}

impl<T> Exclusive<T> {
    /// Of this value.
    pub fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }
}

/// Takes an object in; it has one owner.
pub fn insert<T: Any + Send + Sync>(object: T) -> Result<Place, Missing> {
    let index = current_shard();
    let shard: &'static Shard = TABLE.get(index).ok_or(Missing::Full)?;
    let slot = {
        let mut room = lock(&shard.room);
        match room.free.pop() {
            Some(slot) => slot,
            None if room.used >> SLOT_BITS == 0 => {
                room.used += 1;
                room.used - 1
            }
            None => return Err(Missing::Full),
        }
    };
    let (chunk, at) = chunk_of(slot);
    let chunk = shard.chunks.get(chunk).ok_or(Missing::Full)?.get_or_init(|| {
        let first = slot - at;
        let empty = |at| Slot {
            shard,
            number: first + at,
            word: AtomicU64::new(1 << GENERATION_SHIFT),
            holder: AtomicUsize::new(0),
            owners: AtomicU32::new(0),
            object: UnsafeCell::new(None),
        };
        (0..FIRST << chunk).map(empty).collect()
    });
    let tenant = chunk.get(at).ok_or(Missing::Full)?;
    // SAFETY: the slot was handed to this thread alone, and its word has neither ALIVE nor PINS.
    unsafe { *tenant.object.get() = Some(Box::new(object)) };
    tenant.owners.store(1, Ordering::Relaxed);
    let generation = tenant.word.load(Ordering::Relaxed) >> GENERATION_SHIFT;
    tenant.word.store(generation << GENERATION_SHIFT | ALIVE, Ordering::Release);
    Ok(Place { shard: index, slot, generation })
}

/// One user more; `None` if it is to be alone, and another one is.
#[inline]
fn enter<const LOCK: u64>(place: Place) -> Result<Option<User<LOCK>>, Missing> {
    let slot = place.slot()?;
    let mut word = slot.word.load(Ordering::Relaxed);
    loop {
        if !place.names(word) {
            return Err(Missing::Gone);
        }
        if word & LOCK != 0 {
            return Ok(None);
        }
        // SeqCst: see `Drop`.
        match slot.word.compare_exchange_weak(word, (word + 1) | LOCK, Ordering::SeqCst, Ordering::Relaxed) {
            Ok(_) => return Ok(Some(User(slot))),
            Err(now) => word = now,
        }
    }
}

impl<const LOCK: u64> User<LOCK> {
    #[inline]
    fn object<T: Any>(&self) -> Result<NonNull<T>, Missing> {
        // SAFETY: counted as a user, so nobody changes it.
        let object = unsafe { (*self.0.object.get()).as_deref() };
        object.and_then(|object| object.downcast_ref()).map(NonNull::from).ok_or(Missing::Foreign)
    }
}

impl<const LOCK: u64> Drop for User<LOCK> {
    #[inline]
    fn drop(&mut self) {
        if LOCK != 0 {
            self.0.holder.store(0, Ordering::Relaxed);
        }
        // SeqCst, as is what a waiting thread does: it either sees the lock free, or is seen here.
        let before = self.0.word.fetch_sub(1 + LOCK, Ordering::SeqCst);
        if before & (ALIVE | PINS) == 1 {
            leave_empty(self.0, before >> GENERATION_SHIFT);
        }
        if LOCK != 0 && WAITING.load(Ordering::SeqCst) != 0 {
            wake();
        }
    }
}

/// Lets waiting threads look again.
#[cold]
fn wake() {
    drop(lock(&GATE));
    OPENED.notify_all();
}

/// Drops what has neither a name nor a user any more, and gives the slot back. Called by the one that saw it become so.
#[cold]
fn leave_empty(slot: &'static Slot, generation: u64) {
    // SAFETY: neither ALIVE nor PINS, and the one caller that saw this.
    let object = unsafe { (*slot.object.get()).take() };
    let next = generation + 1;
    slot.word.store(next << GENERATION_SHIFT, Ordering::Release);
    if next <= LAST_GENERATION {
        lock(&slot.shard.room).free.push(slot.number);
    }
    // With no lock held: it may take long, or free other objects.
    drop(object);
}

/// The object, together with others that use it.
#[inline]
pub fn pin<T: Any + Send + Sync>(place: Place) -> Result<Pin<T>, Missing> {
    let user = enter::<0>(place)?.ok_or(Missing::Gone)?;
    let object = user.object()?;
    Ok(Pin { _user: user, object })
}

/// The object alone. Others that hold it are waited for, but `who` (this thread, not 0) itself.
#[inline]
pub fn hold<T: Any + Send>(place: Place, who: usize) -> Result<Held<T>, Missing> {
    let user = match enter::<LOCKED>(place)? {
        Some(user) => user,
        None => wait(place, who)?,
    };
    user.0.holder.store(who, Ordering::Relaxed);
    let object = user.object::<Exclusive<T>>()?;
    // SAFETY: alive while there is a user; the cell's own pointer.
    let object = unsafe { NonNull::new_unchecked(object.as_ref().0.get()) };
    Ok(Held { _user: user, object })
}

#[cold]
fn wait(place: Place, who: usize) -> Result<User<LOCKED>, Missing> {
    // Only this thread can have written its own number there.
    if place.slot()?.holder.load(Ordering::Relaxed) == who {
        return Err(Missing::Mine);
    }
    WAITING.fetch_add(1, Ordering::SeqCst);
    let mut gate = lock(&GATE);
    let result = loop {
        match enter::<LOCKED>(place) {
            Ok(Some(user)) => break Ok(user),
            Ok(None) => gate = OPENED.wait(gate).unwrap_or_else(PoisonError::into_inner),
            Err(missing) => break Err(missing),
        }
    };
    drop(gate);
    WAITING.fetch_sub(1, Ordering::SeqCst);
    result
}

/// One owner more; answers whether the name is good and has room for one.
pub fn retain(place: Place) -> Result<(), Missing> {
    let shard = place.shard().ok_or(Missing::Gone)?;
    let slot = place.slot()?;
    let _room = lock(&shard.room);
    if !place.names(slot.word.load(Ordering::Relaxed)) {
        return Err(Missing::Gone);
    }
    let owners = slot.owners.load(Ordering::Relaxed).checked_add(1).ok_or(Missing::Full)?;
    slot.owners.store(owners, Ordering::Relaxed);
    Ok(())
}

/// One owner less of an object of this type; with the last one the name ends, and the object when nobody uses it any more.
pub fn free<T: Any + Send + Sync>(place: Place) -> Result<(), Missing> {
    let user = enter::<0>(place)?.ok_or(Missing::Gone)?;
    user.object::<T>()?;
    let shard = place.shard().ok_or(Missing::Gone)?;
    let room = lock(&shard.room);
    if !place.names(user.0.word.load(Ordering::Relaxed)) {
        return Err(Missing::Gone);
    }
    let owners = user.0.owners.load(Ordering::Relaxed).saturating_sub(1);
    user.0.owners.store(owners, Ordering::Relaxed);
    if owners == 0 {
        user.0.word.fetch_and(!ALIVE, Ordering::SeqCst);
    }
    drop(room);
    // The user, which goes last, leaves the slot empty if it is the only one.
    drop(user);
    Ok(())
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

impl<T> Deref for Pin<T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: stays while the slot has this user.
        unsafe { self.object.as_ref() }
    }
}

impl<T> Deref for Held<T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: stays while the slot has this user, which has it alone.
        unsafe { self.object.as_ref() }
    }
}

impl<T> DerefMut for Held<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above.
        unsafe { self.object.as_mut() }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// Counts how many of it there are.
    struct Counted(Arc<AtomicUsize>, usize);

    impl Counted {
        fn new(count: &Arc<AtomicUsize>) -> Self {
            count.fetch_add(1, Ordering::SeqCst);
            Self(Arc::clone(count), 7)
        }
    }

    impl Drop for Counted {
        fn drop(&mut self) {
            self.1 = 0;
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }

    fn me() -> usize {
        thread_local! {
            static HERE: u8 = const { 0 };
        }
        HERE.with(|here| std::ptr::from_ref(here).addr())
    }

    #[test]
    fn a_freed_name_finds_nothing_and_its_slot_gets_another() {
        let count = Arc::new(AtomicUsize::new(0));
        let place = insert(Counted::new(&count)).unwrap();
        assert_eq!(7, pin::<Counted>(place).unwrap().1);
        assert_eq!(Some(Missing::Foreign), pin::<u8>(place).err());
        assert_eq!(Err(Missing::Foreign), free::<u8>(place));
        free::<Counted>(place).unwrap();
        assert_eq!(0, count.load(Ordering::SeqCst));
        assert_eq!(Some(Missing::Gone), pin::<Counted>(place).err());
        assert_eq!(Err(Missing::Gone), free::<Counted>(place));
        assert_eq!(Err(Missing::Gone), retain(place));
        let next = insert(5_u8).unwrap();
        assert_eq!((place.shard, place.slot, place.generation + 1), (next.shard, next.slot, next.generation));
        free::<u8>(next).unwrap();
    }

    #[test]
    fn made_up_names_find_nothing() {
        for shard in [0, 3, 15, 16, usize::MAX] {
            for slot in [0, 63, 64, 1 << 23, (1 << 24) - 1, usize::MAX / 2] {
                for generation in [0, LAST_GENERATION, u64::MAX] {
                    let place = Place { shard, slot, generation };
                    assert_eq!(Some(Missing::Gone), pin::<u8>(place).err());
                    assert_eq!(Some(Missing::Gone), hold::<u8>(place, 1).err());
                    assert_eq!(Err(Missing::Gone), free::<u8>(place));
                }
            }
        }
    }

    #[test]
    fn slots_of_all_chunks_are_apart() {
        let mut places: Vec<Place> = (0..1000_usize).map(|i| insert(i).unwrap()).collect();
        for (i, place) in places.iter().enumerate() {
            assert_eq!(i, *pin::<usize>(*place).unwrap());
        }
        places.iter().for_each(|place| free::<usize>(*place).unwrap());
        places.dedup();
        assert_eq!(1000, places.len());
        assert_eq!([(0, 0), (0, 63), (1, 0), (1, 127), (2, 0)], [0, 63, 64, 191, 192].map(chunk_of));
        assert!(chunk_of((1 << SLOT_BITS) - 1).0 < CHUNKS);
    }

    #[test]
    fn an_object_outlives_its_name_while_it_is_used() {
        let count = Arc::new(AtomicUsize::new(0));
        let place = insert(Exclusive::new(Counted::new(&count))).unwrap();
        let held = hold::<Counted>(place, me()).unwrap();
        free::<Exclusive<Counted>>(place).unwrap();
        assert_eq!(Some(Missing::Gone), hold::<Counted>(place, me()).err());
        assert_eq!((7, 1), (held.1, count.load(Ordering::SeqCst)));
        drop(held);
        assert_eq!(0, count.load(Ordering::SeqCst));
    }

    #[test]
    fn each_owner_frees() {
        let place = insert(1_u8).unwrap();
        retain(place).unwrap();
        free::<u8>(place).unwrap();
        assert_eq!(1, *pin::<u8>(place).unwrap());
        free::<u8>(place).unwrap();
        assert_eq!(Err(Missing::Gone), free::<u8>(place));
    }

    #[test]
    fn one_at_a_time_and_never_itself() {
        let place = insert(Exclusive::new(0_u64)).unwrap();
        let held = hold::<u64>(place, me()).unwrap();
        assert_eq!(Some(Missing::Mine), hold::<u64>(place, me()).err());
        drop(held);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20_000 {
                        // Not atomic: it is the lock that makes it so.
                        *hold::<u64>(place, me()).unwrap() += 1;
                    }
                });
            }
        });
        assert_eq!(80_000, *hold::<u64>(place, me()).unwrap());
        free::<Exclusive<u64>>(place).unwrap();
    }

    #[test]
    fn freed_while_others_wait_and_use() {
        let count = Arc::new(AtomicUsize::new(0));
        for round in 0..300_u32 {
            let exclusive = insert(Exclusive::new(Counted::new(&count))).unwrap();
            let shared = insert(Counted::new(&count)).unwrap();
            let bad = AtomicBool::new(false);
            std::thread::scope(|scope| {
                for thread in 0..4_u32 {
                    let bad = &bad;
                    scope.spawn(move || {
                        for i in 0..50 {
                            match hold::<Counted>(exclusive, me()) {
                                Ok(mut held) => {
                                    let before = held.1;
                                    held.1 = before + 1;
                                    bad.fetch_or(before < 7 || held.1 != before + 1, Ordering::Relaxed);
                                }
                                Err(missing) => {
                                    bad.fetch_or(missing != Missing::Gone, Ordering::Relaxed);
                                }
                            }
                            if let Ok(pinned) = pin::<Counted>(shared) {
                                bad.fetch_or(pinned.1 != 7, Ordering::Relaxed);
                            }
                            if thread == 3 && i == round % 50 {
                                free::<Exclusive<Counted>>(exclusive).unwrap();
                                free::<Counted>(shared).unwrap();
                            }
                        }
                    });
                }
            });
            assert!(!bad.load(Ordering::Relaxed));
            assert_eq!(0, count.load(Ordering::SeqCst));
        }
    }
}
