//! The worlds that there are, by handle. A handle is a number and no pointer, so that one that was destroyed is told from one that is there.

use crate::pointer::out;
use crate::status::{Done, Failure, HwStatus, guard};
use headwater_scene::facade::Facade;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

/// A world's handle: opaque, never 0, never given twice.
pub type HwWorld = u64;

struct Worlds {
    last: HwWorld,
    all: BTreeMap<HwWorld, Arc<Mutex<Facade>>>,
}

static WORLDS: Mutex<Worlds> = Mutex::new(Worlds { last: 0, all: BTreeMap::new() });

fn no_world(world: HwWorld) -> Failure {
    let message = format!("world: found {world}, allowed is the handle of one that is there");
    Failure::new(HwStatus::NoWorld, message)
}

fn busy() -> Failure {
    let message = "world: found another call at work in it, allowed is one at a time";
    Failure::new(HwStatus::Busy, message)
}

/// Takes a world in, and gives its handle.
pub(crate) fn take_in(world: Facade) -> HwWorld {
    let mut worlds = WORLDS.lock().unwrap_or_else(PoisonError::into_inner);
    worlds.last += 1;
    let handle = worlds.last;
    worlds.all.insert(handle, Arc::new(Mutex::new(world)));
    handle
}

/// Does something with a world that nobody else is at work in.
pub(crate) fn with<T>(world: HwWorld, work: impl FnOnce(&mut Facade) -> Done<T>) -> Done<T> {
    let found = WORLDS.lock().unwrap_or_else(PoisonError::into_inner).all.get(&world).cloned();
    let found = found.ok_or_else(|| no_world(world))?;
    let mut facade = match found.try_lock() {
        Ok(facade) => facade,
        Err(TryLockError::WouldBlock) => return Err(busy()),
        Err(TryLockError::Poisoned(_)) => {
            let message = "world: a fault of the library broke off a call in it: destroy it";
            return Err(Failure::new(HwStatus::Panicked, message));
        }
    };
    work(&mut facade)
}

/// Does something with a world, as a call from outside: a failure becomes a status, and nothing unwinds out of it.
pub(crate) fn on(world: HwWorld, work: impl FnOnce(&mut Facade) -> Done) -> HwStatus {
    guard(|| with(world, work))
}

/// Writes one value of a world to where the caller wants it.
///
/// # Safety
/// As of [`out`].
pub(crate) unsafe fn tell<T>(
    world: HwWorld,
    into: *mut T,
    what: &str,
    value: impl FnOnce(&mut Facade) -> T,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: as the caller says.
        *unsafe { out(into, what) }? = value(facade);
        Ok(())
    })
}

/// Destroys a world. Its handle is of no world from then on.
#[unsafe(no_mangle)]
pub extern "C" fn hw_destroy(world: HwWorld) -> HwStatus {
    guard(|| {
        let gone = {
            let mut worlds = WORLDS.lock().unwrap_or_else(PoisonError::into_inner);
            let found = worlds.all.get(&world).ok_or_else(|| no_world(world))?;
            if matches!(found.try_lock(), Err(TryLockError::WouldBlock)) {
                return Err(busy());
            }
            worlds.all.remove(&world)
        };
        drop(gone);
        Ok(())
    })
}
