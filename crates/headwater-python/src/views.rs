//! The Python class [`World`]. A world processes one call at a time and cannot be changed while
//! views of its layers are open.
#![allow(unsafe_code, reason = "owners of an array are counted here")]

use crate::error::busy_error;
use headwater_scene::facade::Facade;
use numpy::PyArray2;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// World of any model, created from a scene. It can be advanced, edited and queried.
#[pyclass(subclass, frozen, module = "headwater._headwater")]
pub struct World {
    pub(crate) facade: Mutex<Facade>,
    pub(crate) views: OpenViews,
}

/// Raises an error if the current process was forked from a process that had worlds. A forked
/// process has no copies of the threads in the pool, so waiting for them would deadlock.
pub(crate) fn check_process(py: Python<'_>) -> PyResult<()> {
    static PROCESS: AtomicU32 = AtomicU32::new(0);
    let own = std::process::id();
    let first = PROCESS.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed);
    let is_alone = || std::env::var("RAYON_NUM_THREADS").is_ok_and(|threads| threads == "1");
    if first.is_ok() || first == Err(own) || is_alone() {
        return Ok(());
    }
    let found = "one forked from a process with worlds";
    let allowed = "a new process, for example from multiprocessing.get_context(\"spawn\"), or RAYON_NUM_THREADS=1 in its environment";
    Err(crate::error::broken_error(py, "the process", found, allowed))
}

impl World {
    /// Locks the world for reading. Raises a BusyError if another thread is using the world.
    pub(crate) fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Facade>> {
        check_process(py)?;
        let allowed = "one call at a time";
        self.facade.try_lock().map_err(|_| busy_error(py, "another call in progress", allowed))
    }

    /// Locks the world for a change. Raises a BusyError if another thread is using the world or if
    /// a view of a layer is open.
    pub(crate) fn lock_mut(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Facade>> {
        let facade = self.lock(py)?;
        self.views.ensure_no_open_views(py)?;
        Ok(facade)
    }
}

/// List of the open views of a world's layers. The module `borrow` describes views.
#[derive(Default)]
pub(crate) struct OpenViews(Mutex<Vec<View>>);

/// View of one layer: a NumPy array that refers to the memory of the world.
pub(crate) struct View {
    pub(crate) layer: String,
    /// NumPy array over the memory of the layer. All slices of the view refer to this array.
    pub(crate) root: Py<PyArray2<f32>>,
    /// Python object that owns the memory of the layer.
    pub(crate) owner: Py<PyAny>,
    /// NumPy array that the `with` block received; `None` once the block has ended and no other
    /// object refers to the array.
    pub(crate) given: Option<Py<PyArray2<f32>>>,
    /// Whether the `with` block of the view has ended.
    pub(crate) has_ended: bool,
}

impl View {
    /// Returns whether the view is open, which means that Python code can still access the memory
    /// through it.
    fn is_open(&self, py: Python<'_>) -> bool {
        self.given.is_some() || reference_count(py, &self.root) > 1
    }
}

/// Returns the Python reference count of a NumPy array.
pub(crate) fn reference_count(py: Python<'_>, array: &Py<PyArray2<f32>>) -> isize {
    // SAFETY: the pointer refers to a live Python object, and the GIL is held.
    unsafe { pyo3::ffi::Py_REFCNT(array.bind(py).as_ptr()) }
}

impl OpenViews {
    /// Locks and returns the list of views. The list may contain views that have ended and have not
    /// been collected yet.
    pub(crate) fn lock_views(&self) -> MutexGuard<'_, Vec<View>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Raises a BusyError if a view of a layer is open.
    pub(crate) fn ensure_no_open_views(&self, py: Python<'_>) -> PyResult<()> {
        let Some(found) = self.remove_ended_views(py) else { return Ok(()) };
        Err(busy_error(py, &found, "no views of its memory: leave the block or copy the array"))
    }

    /// Removes the views that are no longer open. Returns a description of the first view that is
    /// still open; `None` if there is none. No Python code runs while the list is locked: otherwise
    /// a deadlock could occur if another thread waited for the lock while it held the GIL.
    pub(crate) fn remove_ended_views(&self, py: Python<'_>) -> Option<String> {
        let ended = |view: &&View| view.has_ended;
        let given = |view: &View| view.given.as_ref().map(|given| given.clone_ref(py));
        let held: Vec<_> = self.lock_views().iter().filter(ended).filter_map(given).collect();
        let harmless: Vec<_> = held.iter().filter(|given| !is_referenced(py, given)).collect();
        if held.is_empty() && self.lock_views().iter().any(|view| view.has_ended) {
            // This call also drops the copies of variables that frames keep.
            let _ = for_each_frame(py, |_, _| Ok(()));
        }
        let mut ended_views = Vec::new();
        let mut views = self.lock_views();
        for view in views.iter_mut().filter(|view| view.has_ended) {
            let is_own = |own: &Py<PyArray2<f32>>| harmless.iter().any(|given| given.is(own));
            if view.given.as_ref().is_some_and(is_own) {
                ended_views.extend(view.given.take());
            }
        }
        let (open, ended): (Vec<_>, Vec<_>) = views.drain(..).partition(|view| view.is_open(py));
        *views = open;
        let found = views.first().map(|first| match (first.has_ended, &first.given) {
            (false, _) => format!("a view of the layer `{}`", first.layer),
            (true, Some(_)) => {
                format!("an object that references a view of the layer `{}`", first.layer)
            }
            (true, None) => format!("an array sliced from a view of the layer `{}`", first.layer),
        });
        drop(views);
        drop((ended_views, ended));
        found
    }
}

/// Returns whether an object other than a NumPy slice may still use the emptied array of a view.
/// Such objects are masked arrays, iterators and buffers, for example. References from the view
/// itself, from the caller, and from local variables of running functions are ignored. Returns true
/// if this cannot be determined.
fn is_referenced(py: Python<'_>, array: &Py<PyArray2<f32>>) -> bool {
    count_variables(py, array).map_or(true, |variables| reference_count(py, array) - 2 > variables)
}

/// Returns the number of local variables in running Python functions that refer to an array.
fn count_variables(py: Python<'_>, array: &Py<PyArray2<f32>>) -> PyResult<isize> {
    // Before Python 3.13, reading the variables of a function creates copies, which stay until the
    // next read.
    let copies = py.version_info() < (3, 13);
    let mut found = 0;
    for_each_frame(py, |frame, values| {
        const FAST: u32 = 1;
        let is_fast = frame.getattr("f_code")?.getattr("co_flags")?.extract::<u32>()? & FAST != 0;
        for value in values.try_iter()? {
            if value?.is(array) {
                found += if is_fast && copies { 2 } else { 1 };
            }
        }
        Ok(())
    })?;
    Ok(found)
}

/// Calls `visit` for every running Python function, with its frame and the values of its local
/// variables.
fn for_each_frame<'py>(
    py: Python<'py>,
    mut visit: impl FnMut(&Bound<'py, PyAny>, Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    let mut frame = py.import("sys")?.call_method1("_getframe", (0,))?;
    while !frame.is_none() {
        visit(&frame, frame.getattr("f_locals")?.call_method0("values")?)?;
        frame = frame.getattr("f_back")?;
    }
    Ok(())
}
