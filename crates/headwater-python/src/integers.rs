//! Conversion of Python integers, which have no upper limit, to unsigned Rust integers.

use crate::error::input_error;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

/// Integer argument of a Python method, from 0 to the maximum of `T`. Other values raise an
/// `InputError`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unsigned<T>(pub(crate) T);

/// Integer type whose maximum can be shown in error messages.
pub(crate) trait FormatMax {
    /// Returns the maximum of the type, formatted for an error message.
    fn max_text() -> String;
}

impl FormatMax for u32 {
    fn max_text() -> String {
        Self::MAX.to_string()
    }
}

impl FormatMax for u64 {
    fn max_text() -> String {
        Self::MAX.to_string()
    }
}

impl FormatMax for usize {
    fn max_text() -> String {
        Self::MAX.to_string()
    }
}

impl<'a, 'py, T: FormatMax + FromPyObject<'a, 'py, Error = PyErr>> FromPyObject<'a, 'py>
    for Unsigned<T>
{
    type Error = PyErr;

    fn extract(given: pyo3::Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        given.extract::<T>().map(Self).map_err(|error| {
            let py = given.py();
            if !error.is_instance_of::<PyOverflowError>(py) {
                return error;
            }
            let found =
                given.str().map_or_else(|_| "a greater one".into(), |text| text.to_string());
            input_error(py, "a whole number", &found, &format!("0 to {}", T::max_text()))
        })
    }
}
