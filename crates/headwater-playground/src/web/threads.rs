//! Threads of a page: web workers that run this same module in the same memory, made one pool with the page's own
//! thread, which does its part of the work. The page starts the workers, each calls [`work`], then the page calls
//! [`gather`].

use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::sync::{Mutex, TryLockError};
use std::time::Duration;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Threads of the pool that no worker has taken yet.
static OPEN: Mutex<Vec<ThreadBuilder>> = Mutex::new(Vec::new());

/// Calls `act` with the open threads as soon as nobody else has them: a page's own thread may not wait.
fn with_open<T>(act: impl FnOnce(&mut Vec<ThreadBuilder>) -> T) -> T {
    loop {
        match OPEN.try_lock() {
            Ok(mut open) => return act(&mut open),
            Err(TryLockError::Poisoned(poisoned)) => return act(&mut poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
        }
    }
}

/// Makes the page's own thread and as many workers one pool, on which worlds are stepped from then on. Each of them
/// must have called [`work`], or be about to without any help of the page's own thread.
///
/// # Errors
/// Says in words if there is a pool already.
#[wasm_bindgen]
pub fn gather(workers: usize) -> Result<(), JsError> {
    let pool = ThreadPoolBuilder::new().num_threads(workers + 1).use_current_thread();
    let pool = pool.spawn_handler(|thread| {
        with_open(|open| open.push(thread));
        Ok(())
    });
    Ok(pool.build_global()?)
}

/// A worker's life: waits for [`gather`], then works as long as the page is there.
#[wasm_bindgen]
pub fn work() {
    loop {
        if let Some(thread) = with_open(Vec::pop) {
            return thread.run();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
