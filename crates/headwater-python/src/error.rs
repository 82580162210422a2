//! What is wrong, as the exceptions of `headwater._errors`.

use headwater_scene::facade::{FacadeError, Fault};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The exception of an error.
pub(crate) fn raise(py: Python<'_>, error: FacadeError) -> PyErr {
    let class = match error.fault {
        Fault::Scene => "SceneError",
        Fault::Snapshot => "SnapshotError",
        Fault::Broken => "BrokenError",
        _ => "InputError",
    };
    make(py, class, (error.message, error.key, error.found, error.allowed))
}

/// An input that cannot be worked with.
pub(crate) fn input(py: Python<'_>, key: &str, found: &str, allowed: &str) -> PyErr {
    raise(py, FacadeError::input(key, found, allowed))
}

/// That a world cannot be worked with now.
pub(crate) fn busy(py: Python<'_>, found: &str, allowed: &str) -> PyErr {
    let message = format!("the world: found {found}, allowed is {allowed}");
    let parts = [Some("the world"), Some(found), Some(allowed)];
    let [key, found, allowed] = parts.map(|part| part.map(str::to_owned));
    make(py, "BusyError", (message, key, found, allowed))
}

type Parts = (String, Option<String>, Option<String>, Option<String>);

fn make(py: Python<'_>, class: &str, parts: Parts) -> PyErr {
    let made = py.import("headwater._errors").and_then(|module| {
        let class = module.getattr(class)?.cast_into::<PyType>()?;
        class.call1(parts)
    });
    made.map_or_else(|error| error, PyErr::from_value)
}
