//! Results as the named tuples of `headwater._records`.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Creates a named tuple of a class.
pub(crate) fn record<'py>(
    py: Python<'py>,
    class: &str,
    parts: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("headwater._records")?.getattr(class)?.call1(parts.into_pyobject(py)?)
}
