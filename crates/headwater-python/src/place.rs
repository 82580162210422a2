//! [`Place`]: the area to which an edit, spring or drain applies, and its falloff, which weakens an
//! edit toward the rim of the area.

use crate::error::to_py_err;
use headwater_scene::facade;
use pyo3::prelude::*;

/// Area to which an edit, spring or drain applies. `falloff` defines how an edit weakens toward the
/// rim: "flat", "linear" or "smooth". Coordinates are [east, south] from the top-left corner, in
/// metres (in cells in block worlds).
#[pyclass(frozen, module = "headwater")]
#[derive(Debug)]
pub struct Place {
    pub(crate) place: facade::Place,
    repr: String,
}

fn new(
    py: Python<'_>,
    kind: &str,
    points: &[[f64; 2]],
    size: f64,
    falloff: &str,
) -> PyResult<Place> {
    let place = facade::Place::new(kind, points, size, falloff).map_err(|e| to_py_err(py, e))?;
    let size = if size > 0.0 { format!(", {size}") } else { String::new() };
    Ok(Place { place, repr: format!("Place.{kind}({points:?}{size}, falloff={falloff:?})") })
}

#[pymethods]
impl Place {
    /// Returns a place that covers all cells.
    #[staticmethod]
    fn everywhere(py: Python<'_>) -> PyResult<Self> {
        new(py, "everywhere", &[], 0.0, "flat")
    }

    /// Returns a disc with the given centre and radius.
    #[staticmethod]
    #[pyo3(signature = (center, radius, falloff="flat"))]
    fn disc(py: Python<'_>, center: [f64; 2], radius: f64, falloff: &str) -> PyResult<Self> {
        new(py, "disc", &[center], radius, falloff)
    }

    /// Returns a rectangle with the given north-west and south-east corners.
    #[staticmethod]
    #[pyo3(signature = (north_west, south_east, falloff="flat"))]
    fn rect(
        py: Python<'_>,
        north_west: [f64; 2],
        south_east: [f64; 2],
        falloff: &str,
    ) -> PyResult<Self> {
        new(py, "rect", &[north_west, south_east], 0.0, falloff)
    }

    /// Returns a band of the given width along the polyline through `points`.
    #[staticmethod]
    #[pyo3(signature = (points, width, falloff="flat"))]
    fn line(py: Python<'_>, points: Vec<[f64; 2]>, width: f64, falloff: &str) -> PyResult<Self> {
        new(py, "line", &points, width, falloff)
    }

    /// Returns the interior of the polygon with the given corners.
    #[staticmethod]
    fn polygon(py: Python<'_>, corners: Vec<[f64; 2]>) -> PyResult<Self> {
        new(py, "polygon", &corners, 0.0, "flat")
    }

    fn __repr__(&self) -> &str {
        &self.repr
    }
}
