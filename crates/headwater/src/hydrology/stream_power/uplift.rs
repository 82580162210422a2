//! Tectonic uplift of each cell during one step.

use crate::hydrology::state::fixed::{self, MAX_HEIGHT};

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Uplift<'a> {
    max_uplift: i64,
    /// Uplift rate of each cell divided by the largest uplift rate. `None` if the uplift is
    /// uniform.
    map: Option<&'a [f32]>,
    max_height: i64,
}

impl<'a> Uplift<'a> {
    pub(in super::super) fn new(max_uplift: f64, map: Option<&'a [f32]>) -> Self {
        Self {
            max_uplift: fixed::to_quanta(max_uplift.min(MAX_HEIGHT)),
            map,
            max_height: fixed::to_quanta(MAX_HEIGHT),
        }
    }

    pub(in super::super) fn uplift_at(&self, cell: usize, z: i64) -> i64 {
        let fraction = |map: &[f32]| (self.max_uplift as f64 * f64::from(map[cell])) as i64;
        self.map.map_or(self.max_uplift, fraction).min(self.max_height - z).max(0)
    }
}
