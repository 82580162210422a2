//! How much the land rises in a step.

use super::super::fixed::{self, HIGHEST};

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Rise<'a> {
    most: i64,
    /// The part of it on each cell; all everywhere without.
    map: Option<&'a [f32]>,
    highest: i64,
}

impl<'a> Rise<'a> {
    pub(in super::super) fn new(most: f64, map: Option<&'a [f32]>) -> Self {
        Self { most: fixed::quanta(most.min(HIGHEST)), map, highest: fixed::quanta(HIGHEST) }
    }

    pub(in super::super) fn of(&self, cell: usize, z: i64) -> i64 {
        let part = |map: &[f32]| (self.most as f64 * f64::from(map[cell])) as i64;
        self.map.map_or(self.most, part).min(self.highest - z).max(0)
    }
}
