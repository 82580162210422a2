//! Execution of long tasks without Python's global interpreter lock (GIL), including a safe end of
//! these tasks when the interpreter shuts down.
//!
//! At interpreter shutdown, daemon threads are stopped when they next acquire the GIL. Stopping one
//! inside a Rust function would abort the process. The thread that shuts down the interpreter
//! therefore requests all tasks to stop, and waits for them.

use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// Longest time for which interpreter shutdown waits for running tasks. It is longer than any
/// single time step.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// Number of tasks that are currently running without the GIL.
static RUNNING_TASKS: AtomicUsize = AtomicUsize::new(0);
/// Id of the thread that shuts down the interpreter. It is set when the shutdown begins.
static SHUTDOWN_THREAD: OnceLock<ThreadId> = OnceLock::new();

/// Returns whether another thread is shutting down the interpreter. If so, the calling thread must
/// stop its work.
pub(crate) fn is_shutting_down() -> bool {
    SHUTDOWN_THREAD.get().is_some_and(|&closing| closing != std::thread::current().id())
}

/// Guard that counts a task as running as long as the guard exists.
struct TaskGuard;

impl TaskGuard {
    fn new() -> Self {
        RUNNING_TASKS.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for TaskGuard {
    fn drop(&mut self) {
        RUNNING_TASKS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs `work` without holding Python's global interpreter lock (GIL).
///
/// # Errors
/// Raises `SystemExit`, which ends a thread silently, if the interpreter is shutting down.
pub(crate) fn run_detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let guard = TaskGuard::new();
    let done = if is_shutting_down() { None } else { Some(py.detach(work)) };
    drop(guard);
    done.filter(|_| !is_shutting_down()).ok_or_else(|| PySystemExit::new_err(()))
}

/// Stops the tasks of all other threads, and waits until they have ended or a timeout of three
/// seconds has passed. The function is registered with `atexit`.
#[pyfunction]
pub(crate) fn shut_down(py: Python<'_>) {
    SHUTDOWN_THREAD.get_or_init(|| std::thread::current().id());
    py.detach(|| {
        let began = Instant::now();
        while RUNNING_TASKS.load(Ordering::SeqCst) > 0 && began.elapsed() < SHUTDOWN_TIMEOUT {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}
