//! The world as Python holds it: by one call at a time, and still as long as its layers are viewed.
#![allow(unsafe_code, reason = "owners of an array are counted here")]

use crate::error::busy;
use headwater_scene::facade::Facade;
use numpy::PyArray2;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A world of any model.
#[pyclass(subclass, frozen, module = "headwater._headwater")]
pub struct World {
    pub(crate) facade: Mutex<Facade>,
    pub(crate) loans: Loans,
}

/// Refuses to work in a process that was forked off one in which worlds were: the threads that step them are not there, and whoever
/// waits for them would wait for ever.
pub(crate) fn check_process(py: Python<'_>) -> PyResult<()> {
    static PROCESS: AtomicU32 = AtomicU32::new(0);
    let own = std::process::id();
    let first = PROCESS.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed);
    let is_alone = || std::env::var("RAYON_NUM_THREADS").is_ok_and(|threads| threads == "1");
    if first.is_ok() || first == Err(own) || is_alone() {
        return Ok(());
    }
    let found = "one that was forked off another in which there were worlds";
    let allowed = "one that begins anew, as of multiprocessing.get_context(\"spawn\"), or RAYON_NUM_THREADS=1 in its environment";
    Err(crate::error::broken(py, "the process", found, allowed))
}

impl World {
    /// The world, unless another thread is at work in it.
    pub(crate) fn look(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Facade>> {
        check_process(py)?;
        let allowed = "one call at a time";
        self.facade.try_lock().map_err(|_| busy(py, "another call at work in it", allowed))
    }

    /// The same, to change it: no view of a layer may be there.
    pub(crate) fn touch(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Facade>> {
        let facade = self.look(py)?;
        self.loans.check(py)?;
        Ok(facade)
    }
}

/// The views of a world's layers that are there: `borrow.rs` tells how they work.
#[derive(Default)]
pub(crate) struct Loans(Mutex<Vec<Loan>>);

/// A view.
pub(crate) struct Loan {
    pub(crate) layer: String,
    /// The array that all views point at.
    pub(crate) root: Py<PyArray2<f32>>,
    /// What keeps the numbers.
    pub(crate) owner: Py<PyAny>,
    /// What was handed out; nothing once the block has ended and nobody can see the numbers through it.
    pub(crate) given: Option<Py<PyArray2<f32>>>,
    /// Whether the block has ended.
    pub(crate) has_ended: bool,
}

impl Loan {
    /// Whether anybody can still see the numbers.
    fn is_open(&self, py: Python<'_>) -> bool {
        self.given.is_some() || owners(py, &self.root) > 1
    }
}

/// How many own an array.
pub(crate) fn owners(py: Python<'_>, array: &Py<PyArray2<f32>>) -> isize {
    // SAFETY: it is an object, and Python is attached.
    unsafe { pyo3::ffi::Py_REFCNT(array.bind(py).as_ptr()) }
}

impl Loans {
    /// All of them, those that ended too until somebody asks.
    pub(crate) fn all(&self) -> MutexGuard<'_, Vec<Loan>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses to go on while a layer is viewed.
    pub(crate) fn check(&self, py: Python<'_>) -> PyResult<()> {
        let Some(found) = self.settle(py) else { return Ok(()) };
        Err(busy(py, &found, "nothing that sees its numbers: leave the block, or copy"))
    }

    /// Forgets the views that nobody has any more, and says in words which is the first that is left. Nothing of Python runs while the
    /// list is locked: another thread might wait for that lock, and Python for that thread.
    pub(crate) fn settle(&self, py: Python<'_>) -> Option<String> {
        let ended = |loan: &&Loan| loan.has_ended;
        let given = |loan: &Loan| loan.given.as_ref().map(|given| given.clone_ref(py));
        let held: Vec<_> = self.all().iter().filter(ended).filter_map(given).collect();
        let harmless: Vec<_> = held.iter().filter(|given| !is_seen(py, given)).collect();
        if held.is_empty() && self.all().iter().any(|loan| loan.has_ended) {
            // Copies of variables that are gone go too.
            let _ = frames(py, |_, _| Ok(()));
        }
        let mut gone = Vec::new();
        let mut loans = self.all();
        for loan in loans.iter_mut().filter(|loan| loan.has_ended) {
            let is_own = |own: &Py<PyArray2<f32>>| harmless.iter().any(|given| given.is(own));
            if loan.given.as_ref().is_some_and(is_own) {
                gone.extend(loan.given.take());
            }
        }
        let (open, ended): (Vec<_>, Vec<_>) = loans.drain(..).partition(|loan| loan.is_open(py));
        *loans = open;
        let found = loans.first().map(|first| match (first.has_ended, &first.given) {
            (false, _) => format!("a view of the layer `{}`", first.layer),
            (true, Some(_)) => {
                format!("something that holds a view of the layer `{}`", first.layer)
            }
            (true, None) => format!("an array that was cut out of a view of `{}`", first.layer),
        });
        drop(loans);
        drop((gone, ended));
        found
    }
}

/// Whether something may see the numbers of an array that was handed out and emptied, by other means than arrays that NumPy cut out
/// of it: a masked array, an iterator or a buffer owns it. The loan does too, the caller, and variables of functions that are at
/// work, through which nothing is to be seen. What cannot be told counts as something.
fn is_seen(py: Python<'_>, given: &Py<PyArray2<f32>>) -> bool {
    variables(py, given).map_or(true, |variables| owners(py, given) - 2 > variables)
}

/// How often variables own an array.
fn variables(py: Python<'_>, array: &Py<PyArray2<f32>>) -> PyResult<isize> {
    // Before Python 3.13 what a function's variables hold is copied to be looked at, and the copies stay until the next look.
    let copies = py.version_info() < (3, 13);
    let mut found = 0;
    frames(py, |frame, values| {
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

/// Looks at all functions that are at work, and what their variables hold.
fn frames<'py>(
    py: Python<'py>,
    mut look: impl FnMut(&Bound<'py, PyAny>, Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    let mut frame = py.import("sys")?.call_method1("_getframe", (0,))?;
    while !frame.is_none() {
        look(&frame, frame.getattr("f_locals")?.call_method0("values")?)?;
        frame = frame.getattr("f_back")?;
    }
    Ok(())
}
