//! Conversion of results to the named tuples of `headwater._records`.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Creates an instance of a named-tuple class.
pub(crate) fn record<'py>(
    py: Python<'py>,
    class: &str,
    parts: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("headwater._records")?.getattr(class)?.call1(parts.into_pyobject(py)?)
}
