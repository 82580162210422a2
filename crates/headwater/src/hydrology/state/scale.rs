//! Conversion between cells and the unit of length that the parameter `unit` sets. It makes
//! parameters independent of the map resolution.

use crate::error::InputError;
use crate::hydrology::params::Params;
use crate::lattice::Square;
use crate::parameter::Range;

/// Largest allowed ratio between the unit of length and the cell size, regardless of which of the
/// two is larger.
const MAX_RATIO: f64 = 64.0;

#[derive(Clone, Copy, Debug)]
pub(in crate::hydrology) struct Scale {
    pub(in crate::hydrology) unit: f64,
    /// Distance between the centres of adjacent cells (units of length).
    pub(in crate::hydrology) step: f64,
    /// Number of cells in one square unit of length.
    pub(in crate::hydrology) cells: f64,
}

impl Scale {
    pub(in crate::hydrology) fn new(params: &Params, lattice: &Square) -> Self {
        let size = lattice.dx();
        let unit = if params.unit > 0.0 { params.unit } else { size };
        Self { unit, step: size / unit, cells: (unit / size) * (unit / size) }
    }

    /// Checks that the unit of length is within a factor of [`MAX_RATIO`] of the cell size.
    ///
    /// # Errors
    /// Returns [`InputError`] if the unit of length is too small or too large.
    pub(in crate::hydrology) fn check_unit(
        params: &Params,
        lattice: &Square,
    ) -> Result<(), InputError> {
        let size = lattice.dx();
        if params.unit == 0.0 {
            return Ok(());
        }
        Range::new(size / MAX_RATIO, size * MAX_RATIO)
            .depends_on("1/64 to 64 times the size of a cell")
            .check("unit", params.unit, "m")
    }

    pub(in crate::hydrology) fn per_step(self, part: f64) -> f64 {
        if self.step == 1.0 { part } else { 1.0 - libm::pow(1.0 - part, self.step) }
    }
}
