//! Conversion of Python values to the values of scene files.

use crate::error::input_error;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use toml::{Table, Value};

/// Maximum nesting depth of lists and dicts. No scene needs deeper nesting.
const MAX_DEPTH: usize = 64;

/// Converts a Python value to a TOML value of a scene file.
pub(crate) fn to_toml(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    convert(value, MAX_DEPTH)
}

fn convert(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    let Some(inside) = depth.checked_sub(1) else {
        return Err(PyTypeError::new_err(format!(
            "a value of a scene: found lists or dicts more than {MAX_DEPTH} deep, allowed are fewer"
        )));
    };
    let to_toml = |value: &Bound<'_, PyAny>| convert(value, inside);
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        let whole = value.extract().map_err(|error: PyErr| {
            if !error.is_instance_of::<PyOverflowError>(value.py()) {
                return error;
            }
            let found =
                value.str().map_or_else(|_| "a greater one".into(), |text| text.to_string());
            let allowed = format!("{} to {}", i64::MIN, i64::MAX);
            input_error(value.py(), "a whole number of a scene", &found, &allowed)
        });
        return Ok(Value::Integer(whole?));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::String(value.extract()?));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let pair = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((key.extract::<String>()?, to_toml(&value)?))
        };
        return Ok(Value::Table(dict.iter().map(pair).collect::<PyResult<Table>>()?));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let all: PyResult<Vec<_>> = value.try_iter()?.map(|one| to_toml(&one?)).collect();
        return Ok(Value::Array(all?));
    }
    // Handles scalars and arrays of NumPy, and path objects.
    for method in ["tolist", "__fspath__"] {
        if value.hasattr(method)? {
            return to_toml(&value.call_method0(method)?);
        }
    }
    let found = value.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "a value of a scene: found {found}, allowed is a bool, a number, a text, a list or a dict of them"
    )))
}

/// Formats a Python value as a value in a scene file. A string is returned unchanged.
pub(crate) fn to_scene_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match to_toml(value)? {
        Value::String(text) => Ok(text),
        other => Ok(other.to_string()),
    }
}

/// Converts an item of a scene's list, such as a gauge, to a TOML string. The item is a dict or
/// already a TOML string.
pub(crate) fn entry_to_toml(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match to_toml(value)? {
        Value::String(text) => Ok(text),
        Value::Table(table) => Ok(table.to_string()),
        other => Err(PyTypeError::new_err(format!(
            "an entry: found {}, allowed is a dict or a text of TOML",
            other.type_str()
        ))),
    }
}

/// Converts a dict that maps scene keys to new values into a list of (key, formatted value) pairs.
/// Returns an empty list for `None`.
pub(crate) fn parse_overrides(set: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(String, String)>> {
    let Some(set) = set else { return Ok(Vec::new()) };
    let dict = set.cast::<PyDict>().map_err(|_| {
        PyTypeError::new_err("set: found no dict, allowed is one such as {\"grid.nx\": 256}")
    })?;
    dict.iter().map(|(key, value)| Ok((key.extract()?, to_scene_text(&value)?))).collect()
}
