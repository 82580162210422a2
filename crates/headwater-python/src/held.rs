//! The world as Python holds it: by one call at a time, and still as long as its layers are viewed.
#![allow(unsafe_code, reason = "owners of an array are counted here")]

use crate::error::busy;
use headwater_scene::facade::Facade;
use numpy::PyArray2;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A world of any model.
#[pyclass(subclass, frozen, module = "headwater._headwater")]
pub struct World {
    pub(crate) facade: Mutex<Facade>,
    pub(crate) loans: Loans,
}

impl World {
    /// The world, unless another thread is at work in it.
    pub(crate) fn look(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Facade>> {
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
    /// What was handed out; nothing once the block has ended.
    pub(crate) given: Option<Py<PyArray2<f32>>>,
}

impl Loan {
    /// Whether anybody can still see the numbers.
    fn is_open(&self, py: Python<'_>) -> bool {
        // SAFETY: it is an object, and Python is attached.
        let owners = || unsafe { pyo3::ffi::Py_REFCNT(self.root.bind(py).as_ptr()) };
        self.given.is_some() || owners() > 1
    }
}

impl Loans {
    /// All of them, those that ended too until somebody asks.
    pub(crate) fn all(&self) -> MutexGuard<'_, Vec<Loan>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses to go on while a layer is viewed.
    pub(crate) fn check(&self, py: Python<'_>) -> PyResult<()> {
        let mut loans = self.all();
        let (open, ended): (Vec<_>, Vec<_>) = loans.drain(..).partition(|loan| loan.is_open(py));
        *loans = open;
        let Some(first) = loans.first() else {
            drop(loans);
            drop(ended);
            return Ok(());
        };
        let found = match first.given {
            Some(_) => format!("a view of the layer `{}`", first.layer),
            None => format!("an array that was cut out of a view of `{}`", first.layer),
        };
        Err(busy(py, &found, "nothing that sees its numbers: leave the block, or copy"))
    }
}
