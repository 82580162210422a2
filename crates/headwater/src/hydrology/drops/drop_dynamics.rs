//! Per-step coefficients of a drop's motion, derived from the parameters and the cell size.

use crate::hydrology::state::land::Land;

/// Time step of a drop per unit of distance travelled (dimensionless), as in McDonald 2020.
const STEP_TIME: f64 = 1.2;
/// Height that a drop can climb per squared speed, in multiples of the parameter `unit` (the unit
/// of length of the land).
const CLIMB_PER_SPEED_SQUARED: f64 = 0.005;
/// Distance after which a drop comes to rest if it has not reached a new lowest elevation, in
/// multiples of the parameter `unit` (the unit of length of the land).
const MAX_STALL_DISTANCE: f64 = 48.0;

#[derive(Clone, Copy, Debug)]
pub(in crate::hydrology) struct DropDynamics {
    pub(in crate::hydrology) dt: f32,
    /// Fraction of its speed that a drop loses per step.
    pub(in crate::hydrology) friction: f32,
    /// Fraction of its water that a drop loses by evaporation per step.
    pub(in crate::hydrology) evaporation: f32,
    /// Fraction of the difference between sediment load and transport capacity that a drop
    /// exchanges with the bed per step.
    pub(in crate::hydrology) exchange_fraction: f32,
    /// Height that a drop can climb per squared speed (m).
    pub(in crate::hydrology) climb_per_speed_squared: f32,
    /// Number of steps after which a drop comes to rest if it has not reached a new lowest
    /// elevation.
    pub(in crate::hydrology) max_stall: u32,
    /// Upstream area at which the strength of a stream is ½ (cells).
    pub(in crate::hydrology) half_area: f32,
}

impl DropDynamics {
    pub(in crate::hydrology) fn from_land(land: &Land) -> Self {
        let (params, scale) = (&land.params, land.scale());
        Self {
            dt: (STEP_TIME * scale.step) as f32,
            friction: scale.per_step(params.friction) as f32,
            evaporation: scale.per_step(params.drying) as f32,
            exchange_fraction: scale.per_step(params.exchange) as f32,
            climb_per_speed_squared: (CLIMB_PER_SPEED_SQUARED * scale.unit) as f32,
            max_stall: (MAX_STALL_DISTANCE / scale.step).ceil().max(1.0) as u32,
            half_area: land.half_strength_area(),
        }
    }
}
