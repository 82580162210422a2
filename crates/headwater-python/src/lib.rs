//! Headwater's worlds for Python: the module `headwater._headwater`, which the package `headwater` wraps. It is thin over
//! [`headwater_scene::facade`], whose every call has a method here. What is given and taken is described in
//! `python/headwater/_headwater.pyi`.

mod array;
mod aside;
mod borrow;
mod error;
mod held;
mod place;
mod raster;
mod record;
mod value;
mod whole;
mod world;

use headwater_scene::facade::Facade;
use pyo3::prelude::*;

/// The names of the library's scenes, the one to begin with first.
#[pyfunction]
fn scenes() -> Vec<&'static str> {
    Facade::scenes().collect()
}

/// The text of a scene of the library.
#[pyfunction]
fn scene_text(py: Python<'_>, name: &str) -> PyResult<&'static str> {
    Facade::scene_text(name).map_err(|error| error::raise(py, error))
}

/// Checks a scene's text without making its world.
#[pyfunction]
#[pyo3(signature = (text, set=None))]
fn check(py: Python<'_>, text: &str, set: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let overrides = value::overrides(set)?;
    Facade::check(text, &overrides).map_err(|error| error::raise(py, error))
}

#[pymodule]
fn _headwater(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<held::World>()?;
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
        wrap_pyfunction!(raster::cf, module)?,
    ] {
        module.add_function(function)?;
    }
    let close = wrap_pyfunction!(aside::close, module)?;
    module.py().import("atexit")?.call_method1("register", (close,))?;
    Ok(())
}
