//! Worlds of Headwater for Python: the extension module `headwater._headwater`, which the package
//! `headwater` wraps. The module is a thin layer over [`headwater_scene::facade`], with a method
//! for each method of the facade. `python/headwater/_headwater.pyi` documents arguments and
//! results.

mod array;
mod borrow;
mod error;
mod gil;
mod integers;
mod place;
mod raster;
mod record;
mod value;
mod views;
mod world;

use headwater_scene::facade::Facade;
use pyo3::prelude::*;

/// Returns the names of the built-in scenes. The first scene is the one recommended for beginners.
#[pyfunction]
fn scenes() -> Vec<&'static str> {
    Facade::scenes().collect()
}

/// Returns the TOML source of the built-in scene with the given name.
#[pyfunction]
fn scene_text(py: Python<'_>, name: &str) -> PyResult<&'static str> {
    Facade::scene_text(name).map_err(|error| error::to_py_err(py, error))
}

/// Checks a scene, given as TOML source, without creating a world. Raises a SceneError that lists
/// all errors in the scene.
#[pyfunction]
#[pyo3(signature = (text, set=None))]
fn check(py: Python<'_>, text: &str, set: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let overrides = value::parse_overrides(set)?;
    Facade::check(text, &overrides).map_err(|error| error::to_py_err(py, error))
}

#[pymodule]
fn _headwater(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<views::World>()?;
    module.add_class::<place::Place>()?;
    module.add_class::<borrow::Borrowed>()?;
    for function in [
        wrap_pyfunction!(scenes, module)?,
        wrap_pyfunction!(scene_text, module)?,
        wrap_pyfunction!(check, module)?,
        wrap_pyfunction!(raster::read_raster, module)?,
        wrap_pyfunction!(raster::write_raster, module)?,
        wrap_pyfunction!(raster::hydrology_report, module)?,
        wrap_pyfunction!(raster::metres_per_degree, module)?,
        wrap_pyfunction!(raster::cf_metadata, module)?,
    ] {
        module.add_function(function)?;
    }
    let close = wrap_pyfunction!(gil::shut_down, module)?;
    module.py().import("atexit")?.call_method1("register", (close,))?;
    Ok(())
}
