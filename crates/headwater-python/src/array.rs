//! Conversion between fields and NumPy arrays.

use crate::error::input_error;
use headwater::{Field, Point};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyReadwriteArray2};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// Copies a field to a new NumPy array. The array is indexed as `array[row, column]`.
pub(crate) fn copy_to_array<'py>(
    py: Python<'py>,
    field: &Field<f32>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    PyArray1::from_slice(py, field.as_slice()).reshape([field.ny(), field.nx()])
}

/// Moves the values of a field into a NumPy array without copying them.
pub(crate) fn move_to_array<'py>(
    py: Python<'py>,
    field: Field<f32>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let shape = [field.ny(), field.nx()];
    PyArray1::from_vec(py, field.into_vec()).reshape(shape)
}

/// Checks that a layer of `ny × nx` values can be written to a NumPy array, and borrows the array
/// for writing. The array must be float32, C-contiguous and writable, must have the shape of the
/// layer, and must not be borrowed elsewhere.
pub(crate) fn borrow_writable<'py>(
    array: &Bound<'py, PyAny>,
    shape: [usize; 2],
) -> PyResult<PyReadwriteArray2<'py, f32>> {
    let py = array.py();
    let allowed = format!("a writable C-contiguous array of float32, {} × {}", shape[0], shape[1]);
    let refuse = |found: String| input_error(py, "an array for a layer", &found, &allowed);
    let any = array.cast::<PyUntypedArray>().map_err(|_| {
        refuse(array.get_type().name().map_or_else(|_| "no array".into(), |name| name.to_string()))
    })?;
    let typed = array
        .cast::<PyArray2<f32>>()
        .map_err(|_| refuse(format!("{} in {} dimensions", any.dtype(), any.ndim())))?;
    if typed.shape() != shape {
        return Err(refuse(format!("{} × {}", typed.shape()[0], typed.shape()[1])));
    }
    if !typed.is_c_contiguous() {
        return Err(refuse(format!("strides of {:?} bytes", typed.strides())));
    }
    typed.try_readwrite().map_err(|error| refuse(error.to_string()))
}

/// Converts a two-dimensional NumPy array of heights (m) to a field. The array may have any numeric
/// type and any memory layout. `array_name` names the array in error messages.
pub(crate) fn to_field(array: &Bound<'_, PyAny>, array_name: &str) -> PyResult<Field<f32>> {
    let py = array.py();
    let refuse = |found: &str| input_error(py, array_name, found, "numbers in rows and columns");
    let numpy = py.import("numpy")?;
    let single = numpy.call_method1("ascontiguousarray", (array, "float32"));
    let single = single.map_err(|error| refuse(&error.value(py).to_string()))?;
    let read = single.extract::<PyReadonlyArray2<'_, f32>>();
    let read = read.map_err(|_| refuse("an array that has not two dimensions"))?;
    let (ny, nx) = (read.shape()[0], read.shape()[1]);
    let values = read.as_slice().map_err(|error| refuse(&error.to_string()))?;
    Field::from_vec(nx, ny, values.to_vec()).map_err(|error| refuse(&error.to_string()))
}

/// Converts a two-dimensional NumPy array with a row `[x, y]` per point to a list of points. The
/// array may have any numeric type and any memory layout.
pub(crate) fn to_points(array: &Bound<'_, PyAny>) -> PyResult<Vec<Point>> {
    let py = array.py();
    let refuse = |found: &str| input_error(py, "points", found, "rows of two numbers");
    let double = py.import("numpy")?.call_method1("ascontiguousarray", (array, "float64"));
    let double = double.map_err(|error| refuse(&error.value(py).to_string()))?;
    let read = double.extract::<PyReadonlyArray2<'_, f64>>();
    let read = read.map_err(|_| refuse("an array that has not two dimensions"))?;
    if read.shape()[1] != 2 {
        return Err(refuse(&format!("rows of {}", read.shape()[1])));
    }
    let values = read.as_slice().map_err(|error| refuse(&error.to_string()))?;
    Ok(values.chunks_exact(2).map(|point| [point[0], point[1]]).collect())
}
