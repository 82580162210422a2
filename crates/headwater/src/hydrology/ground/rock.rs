//! Erodibility and slope stability of the ground. Both depend on rock layers, on the spatial
//! variation of rock and on the soil cover.

use crate::hydrology::params::Strata;
use crate::hydrology::state::fixed;
use crate::hydrology::state::land::Land;
use crate::parallel;

/// Soil thickness above which the rock below has no effect on erosion, in multiples of the
/// parameter `unit` (the unit of length of the land).
const COVER_THICKNESS: f64 = 0.1;

#[derive(Clone, Copy, Debug)]
pub(in crate::hydrology) struct Rock<'a> {
    /// Erodibility of rock without layers, relative to soil (0 to 1).
    pub(in crate::hydrology) erodibility: f32,
    pub(in crate::hydrology) strata: Option<Strata>,
    /// Steepest stable slope of rock without layers (m per m).
    pub(in crate::hydrology) repose: f32,
    /// Spatial variation of the rock: one factor per cell, by which both its erodibility and its
    /// steepest stable slope are multiplied. Empty if the variation is 0.
    pub(in crate::hydrology) factors: &'a [f32],
    pub(in crate::hydrology) nx: usize,
    pub(in crate::hydrology) first_row: usize,
    pub(in crate::hydrology) size: f32,
    /// Soil thickness above which the rock below has no effect on erosion (quanta of 2⁻²⁰ m).
    pub(in crate::hydrology) cover_depth: i64,
    pub(in crate::hydrology) inverse_cover_depth: f32,
}

impl<'a> Rock<'a> {
    pub(in crate::hydrology) fn from_land(land: &Land, factors: &'a [f32]) -> Self {
        let cover_depth = fixed::to_quanta(COVER_THICKNESS * land.scale().unit).max(1);
        Self {
            erodibility: land.params.rock as f32,
            strata: land.params.strata,
            repose: land.params.rock_repose as f32,
            factors,
            nx: land.lattice.nx(),
            first_row: 0,
            size: land.lattice.dx() as f32,
            cover_depth,
            inverse_cover_depth: 1.0 / cover_depth as f32,
        }
    }

    /// Returns the erodibility of a cell relative to soil (0 to 1). `height` is the ground
    /// elevation of the cell (m), and `soil` is its soil thickness (quanta of 2⁻²⁰ m).
    pub(in crate::hydrology) fn erodibility(&self, cell: usize, height: f32, soil: i64) -> f32 {
        let rock = self.strata.map_or(self.erodibility, |strata| {
            if self.is_hard(&strata, cell, height) {
                strata.hard as f32
            } else {
                strata.soft as f32
            }
        });
        let rock = self.factors.get(cell).map_or(rock, |factor| (rock * factor).min(1.0));
        // Blend rock and soil by soil thickness. There is no branch, because soil varies from cell
        // to cell.
        let cover = soil.clamp(0, self.cover_depth) as f32 * self.inverse_cover_depth;
        rock + (1.0 - rock) * cover
    }

    pub(in crate::hydrology) fn is_uniform(&self) -> bool {
        let layers = |strata: Strata| strata.hard_repose > 0.0 || strata.soft_repose > 0.0;
        self.factors.is_empty() && !self.strata.is_some_and(layers)
    }

    /// Writes to `limits` the largest stable height difference between each cell's rock and an edge
    /// neighbour (quanta of 2⁻²⁰ m, at most 2³⁰). Leaves `limits` empty if the rock is uniform.
    pub(in crate::hydrology) fn write_repose_limits(&self, bed: &[i64], limits: &mut Vec<i32>) {
        const MAX_LIMIT: f32 = (1 << 30) as f32;
        limits.clear();
        if self.is_uniform() {
            return;
        }
        limits.resize(bed.len(), 0);
        let scale = self.size * fixed::PER_METRE as f32;
        parallel::for_each_row(limits, self.nx, |y, row| {
            for (x, limits) in row.iter_mut().enumerate() {
                let cell = y * self.nx + x;
                let slope = self.stable_slope(cell, fixed::to_metres_f32(bed[cell]));
                *limits = (slope * scale).min(MAX_LIMIT) as i32;
            }
        });
    }

    pub(in crate::hydrology) fn stable_slope(&self, cell: usize, height: f32) -> f32 {
        let of_layer = self.strata.map(|strata| {
            if self.is_hard(&strata, cell, height) {
                strata.hard_repose
            } else {
                strata.soft_repose
            }
        });
        let repose =
            of_layer.filter(|&repose| repose > 0.0).map_or(self.repose, |repose| repose as f32);
        self.factors.get(cell).map_or(repose, |factor| repose * factor)
    }

    fn is_hard(&self, strata: &Strata, cell: usize, height: f32) -> bool {
        let (x, y) = ((cell % self.nx) as f32, (self.first_row + cell / self.nx) as f32);
        let [east, south] = strata.dip.map(|dip| dip as f32 * self.size);
        let layer = (height - east * x - south * y) / strata.thickness as f32;
        layer - layer.floor() < strata.hard_part as f32
    }

    /// Returns whether hard rock lies above softer rock in a rock face. The face is in the given
    /// cell, between the elevations `high` and `low` (m).
    pub(in crate::hydrology) fn is_ledge(&self, cell: usize, high: f32, low: f32) -> bool {
        const PARTS: u8 = 16;
        let Some(strata) = self.strata.filter(|strata| strata.hard < strata.soft) else {
            return false;
        };
        let at = |k: u8| high + (low - high) * f32::from(k) / f32::from(PARTS);
        let mut faces = (0..=PARTS).map(|k| self.is_hard(&strata, cell, at(k)));
        // Search from the top down: first a hard layer, then a soft one.
        faces.any(|hard| hard) && faces.any(|hard| !hard)
    }
}
