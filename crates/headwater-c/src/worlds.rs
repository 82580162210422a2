//! Registry that maps handles to worlds. A handle is a number instead of a pointer, so that the
//! library can detect the handle of a destroyed world.

use crate::pointer::output_mut;
use crate::status::{CallResult, Failure, HwStatus, catch_panics};
use headwater_scene::facade::{Facade, FacadeError};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// Handle of a world: an opaque number that is never 0 and never reused.
pub type HwWorld = u64;

struct WorldRegistry {
    last: HwWorld,
    all: BTreeMap<HwWorld, Arc<Mutex<Facade>>>,
}

static WORLDS: Mutex<WorldRegistry> = Mutex::new(WorldRegistry { last: 0, all: BTreeMap::new() });

fn no_world_failure(world: HwWorld) -> Failure {
    let message = format!("world: found {world}, allowed is the handle of an existing world");
    Failure::new(HwStatus::NoWorld, message)
}

fn busy_failure() -> Failure {
    let message = "world: found in use by another call, allowed is one call at a time";
    Failure::new(HwStatus::Busy, message)
}

/// Checks that the current process was not forked after the first call of this function. A forked
/// process has no copies of the threads in the pool, so waiting for them would deadlock.
pub(crate) fn check_process() -> CallResult {
    static PROCESS: AtomicU32 = AtomicU32::new(0);
    let own = std::process::id();
    let first = PROCESS.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed);
    if first.is_ok() || first == Err(own) {
        return Ok(());
    }
    let found = "one forked from a process that used the library";
    let allowed = "a new process: call exec after fork, or fork before the first world";
    let error = FacadeError::invalid_argument("process", found, allowed);
    Err(Failure::from(error).with_status(HwStatus::Broken))
}

/// Locks the registry of worlds.
fn lock_registry() -> CallResult<MutexGuard<'static, WorldRegistry>> {
    check_process()?;
    Ok(WORLDS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Adds a world to the registry and returns its new handle.
pub(crate) fn register_world(world: Facade) -> CallResult<HwWorld> {
    let mut worlds = lock_registry()?;
    worlds.last += 1;
    let handle = worlds.last;
    worlds.all.insert(handle, Arc::new(Mutex::new(world)));
    Ok(handle)
}

/// Runs `work` with exclusive access to a world on behalf of a C caller. Returns the status of the
/// call, and keeps panics from unwinding into C.
pub(crate) fn call_with_world(
    world: HwWorld,
    work: impl FnOnce(&mut Facade) -> CallResult,
) -> HwStatus {
    catch_panics(|| {
        let found = lock_registry()?.all.get(&world).cloned();
        let found = found.ok_or_else(|| no_world_failure(world))?;
        let mut facade = match found.try_lock() {
            Ok(facade) => facade,
            Err(TryLockError::WouldBlock) => return Err(busy_failure()),
            Err(TryLockError::Poisoned(_)) => {
                let message = "world: a call failed with an internal error: destroy the world";
                return Err(Failure::new(HwStatus::Panicked, message));
            }
        };
        work(&mut facade)
    })
}

/// Computes a value from a world and writes the value to the output `into` of the C caller.
///
/// # Safety
/// `into` is null, or valid for writes of a `T` during the call.
pub(crate) unsafe fn write_result<T>(
    world: HwWorld,
    into: *mut T,
    argument_name: &str,
    value: impl FnOnce(&mut Facade) -> T,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: guaranteed by the caller.
        let into = unsafe { output_mut(into, argument_name) }?;
        *into = value(facade);
        Ok(())
    })
}

/// Destroys a world and frees its memory. The handle is invalid afterwards.
#[unsafe(no_mangle)]
pub extern "C" fn hw_destroy(world: HwWorld) -> HwStatus {
    catch_panics(|| {
        let removed = {
            let mut worlds = lock_registry()?;
            let found = worlds.all.get(&world).ok_or_else(|| no_world_failure(world))?;
            if matches!(found.try_lock(), Err(TryLockError::WouldBlock)) {
                return Err(busy_failure());
            }
            worlds.all.remove(&world)
        };
        drop(removed);
        Ok(())
    })
}
