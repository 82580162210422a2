//! How easily the ground is worn.

use super::fixed;
use super::land::Land;
use super::params::Strata;
use crate::parallel;

/// Thickness of soil (units) above which water feels no rock.
const DEEP: f64 = 0.1;

#[derive(Clone, Copy, Debug)]
pub(super) struct Rock<'a> {
    /// That of rock without layers.
    pub(super) uniform: f32,
    pub(super) strata: Option<Strata>,
    /// The steepest slope that rock without layers bears.
    pub(super) repose: f32,
    /// How soft and steep each cell's rock is, as a part of that; empty if it is the same everywhere.
    pub(super) fabric: &'a [f32],
    pub(super) nx: usize,
    pub(super) north: usize,
    pub(super) size: f32,
    /// Soil (quanta) above which a drop feels no rock.
    pub(super) deep: i64,
    pub(super) shallow: f32,
}

impl<'a> Rock<'a> {
    pub(super) fn of(land: &Land, fabric: &'a [f32]) -> Self {
        let deep = fixed::quanta(DEEP * land.scale().unit).max(1);
        Self {
            uniform: land.params.rock as f32,
            strata: land.params.strata,
            repose: land.params.rock_repose as f32,
            fabric,
            nx: land.lattice.nx(),
            north: 0,
            size: land.lattice.dx() as f32,
            deep,
            shallow: 1.0 / deep as f32,
        }
    }

    /// Erodibility of a cell, 0 to 1, with its height (m) and its soil (quanta).
    pub(super) fn erodibility(&self, cell: usize, height: f32, soil: i64) -> f32 {
        let rock = self.strata.map_or(self.uniform, |strata| {
            if self.is_hard(&strata, cell, height) {
                strata.hard as f32
            } else {
                strata.soft as f32
            }
        });
        let rock = self.fabric.get(cell).map_or(rock, |factor| (rock * factor).min(1.0));
        // Soil's share of what is felt, without a branch: soils differ from cell to cell.
        let cover = soil.clamp(0, self.deep) as f32 * self.shallow;
        rock + (1.0 - rock) * cover
    }

    pub(super) fn is_even(&self) -> bool {
        let layers = |strata: Strata| strata.hard_repose > 0.0 || strata.soft_repose > 0.0;
        self.fabric.is_empty() && !self.strata.is_some_and(layers)
    }

    /// What the rock of each cell of a bed (quanta) bears to a side (quanta, at most 2³⁰); nothing if that is the same everywhere.
    pub(super) fn bearing(&self, bed: &[i64], bears: &mut Vec<i32>) {
        const MOST: f32 = (1 << 30) as f32;
        bears.clear();
        if self.is_even() {
            return;
        }
        bears.resize(bed.len(), 0);
        let scale = self.size * fixed::PER_METRE as f32;
        parallel::for_each_row(bears, self.nx, |y, row| {
            for (x, bears) in row.iter_mut().enumerate() {
                let cell = y * self.nx + x;
                let slope = self.repose(cell, fixed::metres_f32(bed[cell]));
                *bears = (slope * scale).min(MOST) as i32;
            }
        });
    }

    pub(super) fn repose(&self, cell: usize, height: f32) -> f32 {
        let of_layer = self.strata.map(|strata| {
            if self.is_hard(&strata, cell, height) {
                strata.hard_repose
            } else {
                strata.soft_repose
            }
        });
        let repose =
            of_layer.filter(|&repose| repose > 0.0).map_or(self.repose, |repose| repose as f32);
        self.fabric.get(cell).map_or(repose, |factor| repose * factor)
    }

    fn is_hard(&self, strata: &Strata, cell: usize, height: f32) -> bool {
        let (x, y) = ((cell % self.nx) as f32, (self.north + cell / self.nx) as f32);
        let [east, south] = strata.dip.map(|dip| dip as f32 * self.size);
        let layer = (height - east * x - south * y) / strata.thickness as f32;
        layer - layer.floor() < strata.hard_part as f32
    }

    /// Whether a face between two heights (m) has hard rock over softer rock.
    pub(super) fn is_ledge(&self, cell: usize, high: f32, low: f32) -> bool {
        const PARTS: u8 = 16;
        let Some(strata) = self.strata.filter(|strata| strata.hard < strata.soft) else {
            return false;
        };
        let at = |k: u8| high + (low - high) * f32::from(k) / f32::from(PARTS);
        let mut faces = (0..=PARTS).map(|k| self.is_hard(&strata, cell, at(k)));
        // From the top down: hard, then soft.
        faces.any(|hard| hard) && faces.any(|hard| !hard)
    }
}
