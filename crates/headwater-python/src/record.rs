//! Conversion of results to the named tuples that `headwater._records` defines.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Creates an instance of the named-tuple class with the name `class`, with the given values.
pub(crate) fn new_record<'py>(
    py: Python<'py>,
    class: &str,
    parts: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("headwater._records")?.getattr(class)?.call1(parts.into_pyobject(py)?)
}
