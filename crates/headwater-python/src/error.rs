//! Conversion of errors to the Python exceptions that `headwater._errors` defines.

use headwater_scene::facade::{ErrorKind, FacadeError};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Converts an error of the language-independent API ([`headwater_scene::facade`]) to the
/// corresponding Python exception.
pub(crate) fn to_py_err(py: Python<'_>, error: FacadeError) -> PyErr {
    let class = match error.kind {
        ErrorKind::Scene => "SceneError",
        ErrorKind::Snapshot => "SnapshotError",
        ErrorKind::Broken => "BrokenError",
        _ => "InputError",
    };
    new_exception(py, class, (error.message, error.key, error.found, error.allowed))
}

/// Creates an `InputError` for the invalid input `key`. `found` is the invalid value and `allowed`
/// describes the allowed values.
pub(crate) fn input_error(py: Python<'_>, key: &str, found: &str, allowed: &str) -> PyErr {
    to_py_err(py, FacadeError::invalid_argument(key, found, allowed))
}

/// Creates a `BusyError` for a world that is in use by another call.
pub(crate) fn busy_error(py: Python<'_>, found: &str, allowed: &str) -> PyErr {
    create_error(py, "BusyError", ["the world", found, allowed])
}

/// Creates a `BrokenError` for a world that can no longer be used.
pub(crate) fn broken_error(py: Python<'_>, key: &str, found: &str, allowed: &str) -> PyErr {
    create_error(py, "BrokenError", [key, found, allowed])
}

fn create_error(py: Python<'_>, class: &str, [key, found, allowed]: [&str; 3]) -> PyErr {
    let message = format!("{key}: found {found}, allowed is {allowed}");
    let [key, found, allowed] = [key, found, allowed].map(|part| Some(part.to_owned()));
    new_exception(py, class, (message, key, found, allowed))
}

type ErrorParts = (String, Option<String>, Option<String>, Option<String>);

fn new_exception(py: Python<'_>, class: &str, parts: ErrorParts) -> PyErr {
    let made = py.import("headwater._errors").and_then(|module| {
        let class = module.getattr(class)?.cast_into::<PyType>()?;
        class.call1(parts)
    });
    made.map_or_else(|error| error, PyErr::from_value)
}
