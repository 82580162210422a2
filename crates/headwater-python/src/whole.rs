//! Whole numbers that Python gives: its own have no end.

use crate::error::input;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

/// A whole number from 0 up to the most that `T` holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole<T>(pub(crate) T);

/// Types of whole numbers, with the most they hold.
pub(crate) trait Most {
    /// It in words.
    fn most() -> String;
}

impl Most for u32 {
    fn most() -> String {
        Self::MAX.to_string()
    }
}

impl Most for u64 {
    fn most() -> String {
        Self::MAX.to_string()
    }
}

impl Most for usize {
    fn most() -> String {
        Self::MAX.to_string()
    }
}

impl<'a, 'py, T: Most + FromPyObject<'a, 'py, Error = PyErr>> FromPyObject<'a, 'py> for Whole<T> {
    type Error = PyErr;

    fn extract(given: pyo3::Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        given.extract::<T>().map(Self).map_err(|error| {
            let py = given.py();
            if !error.is_instance_of::<PyOverflowError>(py) {
                return error;
            }
            let found =
                given.str().map_or_else(|_| "a greater one".into(), |text| text.to_string());
            input(py, "a whole number", &found, &format!("0 to {}", T::most()))
        })
    }
}
