//! Equations of columns and vessels in a network: rise of the water level during a step as a
//! function of the pressure heads.

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// Constant term (m) for a column with a free surface: `rise = 2·p + free_constant` for the
    /// head p.
    free_constant: f64,
    /// Coefficient of the head p in the rise of a full column, `rise = compressibility·p +
    /// full_constant`. It represents the compressibility of water.
    compressibility: f64,
    full_constant: f64,
}

pub(super) struct Column {
    /// Height of the water surface (m above the bottom of the grid).
    pub(super) surface: f64,
    /// Height of the ceiling (m above the bottom of the grid), and distance from the floor to the
    /// ceiling (m). `None` without a ceiling.
    pub(super) ceiling: Option<[f64; 2]>,
    /// Pressure head that trapped air or a floating body exerts on the surface (m).
    pub(super) air: f64,
}

/// Equation of motion of a vessel (columns whose water moves as one mass). It relates the head that
/// accelerates the mass to the rise of the vessel's columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VesselEquation {
    /// Coefficient of the linear equation `slope·head + from`. The result is the rise summed over
    /// all columns of the vessel (m).
    pub(super) slope: f64,
    pub(super) from: f64,
}

impl VesselEquation {
    /// Creates the equation of a vessel with the given number of columns. `mass` is the height of
    /// the water that moves as one mass (m), and `rise` is its upward velocity W at the start of
    /// the step (m/s). The head that changes the velocity to W' is `mass/g·(W' − W)/dt`. The
    /// velocity W' applies to the whole step; otherwise, errors would alternate in sign from step
    /// to step.
    pub(super) fn new(columns: usize, mass: f64, rise: f64, gravity: f64, dt: f64) -> Self {
        let all = columns as f64 * dt;
        Self { slope: all * gravity * dt / mass, from: all * rise }
    }

    pub(super) fn total_rise(&self, head: f64) -> f64 {
        self.slope * head + self.from
    }
}

/// Rise of a free surface per metre of head above its initial position. The factor is 2 because the
/// head is taken at the middle of the step.
const SLOPE: f64 = 2.0;

impl Node {
    pub(super) fn new(column: &Column, gravity: f64, sound: f64) -> Self {
        let Column { surface, ceiling, air } = *column;
        match ceiling {
            None => Self {
                free_constant: -SLOPE * (air + surface),
                compressibility: 0.0,
                full_constant: f64::INFINITY,
            },
            Some([ceiling, height]) => {
                let over = (surface - ceiling).max(0.0);
                let compressibility = height * gravity / (sound * sound);
                Self {
                    free_constant: -SLOPE * (air + surface.min(ceiling)) - over,
                    compressibility,
                    full_constant: ceiling - surface - compressibility * ceiling,
                }
            }
        }
    }

    /// Returns three values for a head (m): the rise of the column's water level during the step
    /// (m), the derivative of the rise with respect to the head, and whether the column is full. If
    /// the column belongs to a vessel (columns whose water moves as one mass), `vessel_head` is the
    /// additional head of the vessel (m).
    #[inline(always)]
    pub(super) fn rise(&self, head: f64, vessel_head: f64) -> (f64, f64, bool) {
        let free = SLOPE * (head - vessel_head) + self.free_constant;
        let full = self.compressibility * head + self.full_constant;
        if free < full { (free, SLOPE, false) } else { (full, self.compressibility, true) }
    }

    /// Returns the head (m) at which the column becomes full, or infinity if it has no ceiling. If
    /// the column belongs to a vessel (columns whose water moves as one mass), `vessel_head` is the
    /// additional head of the vessel.
    pub(super) fn filling_head(&self, vessel_head: f64) -> f64 {
        // Use a head slightly above the exact value, so that rounding does not leave the column
        // free.
        let head = (self.full_constant - self.free_constant + SLOPE * vessel_head)
            / (SLOPE - self.compressibility);
        head + 1e-12 * head.abs()
    }
}
