//! Work that holds up no other thread of Python, and ends before Python does.
//!
//! When Python ends, threads that it does not wait for ("daemon" ones) are stopped the next time they ask for it; one that is at work here would be
//! stopped in the middle of a function of Rust, which is nothing that can be survived. So whoever ends it asks all work to stop, and waits.

use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// How long whoever ends Python waits: for longer than a step takes, and no longer than somebody waits for a program to end.
const PATIENCE: Duration = Duration::from_secs(3);

/// How much work is being done.
static AT_WORK: AtomicUsize = AtomicUsize::new(0);
/// Which thread is ending Python.
static CLOSING: OnceLock<ThreadId> = OnceLock::new();

/// Whether Python ends, and not by the thread that asks: its work is to stop.
pub(crate) fn is_closing() -> bool {
    CLOSING.get().is_some_and(|&closing| closing != std::thread::current().id())
}

/// Counts work as long as it is there.
struct Work;

impl Work {
    fn begin() -> Self {
        AT_WORK.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        AT_WORK.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Does work that needs nothing of Python.
///
/// # Errors
/// `SystemExit`, which ends a thread without a word, if Python ends.
pub(crate) fn aside<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let counted = Work::begin();
    let done = if is_closing() { None } else { Some(py.detach(work)) };
    drop(counted);
    done.filter(|_| !is_closing()).ok_or_else(|| PySystemExit::new_err(()))
}

/// Has all work in other threads stop. Python calls it when it ends.
#[pyfunction]
pub(crate) fn close(py: Python<'_>) {
    CLOSING.get_or_init(|| std::thread::current().id());
    py.detach(|| {
        let began = Instant::now();
        while AT_WORK.load(Ordering::SeqCst) > 0 && began.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}
