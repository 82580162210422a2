//! How easily the ground is worn.

use super::fixed;
use super::land::Land;
use super::params::Strata;

/// Thickness of soil (units) above which water feels no rock.
const DEEP: f64 = 0.1;

/// Erodibility of a map's ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rock {
    /// That of rock without layers.
    pub(super) uniform: f32,
    pub(super) strata: Option<Strata>,
    pub(super) nx: usize,
    /// Size of a cell (m).
    pub(super) size: f32,
    /// Soil (quanta) above which a drop feels no rock.
    pub(super) deep: i64,
}

impl Rock {
    pub(super) fn of(land: &Land) -> Self {
        Self {
            uniform: land.params.rock as f32,
            strata: land.params.strata,
            nx: land.lattice.nx(),
            size: land.lattice.dx() as f32,
            deep: fixed::quanta(DEEP * land.scale().unit).max(1),
        }
    }

    /// Erodibility of a cell, 0 to 1, with its height (m) and its soil (quanta).
    pub(super) fn erodibility(&self, cell: usize, height: f32, soil: i64) -> f32 {
        if soil >= self.deep {
            return 1.0;
        }
        let rock = self.strata.map_or(self.uniform, |strata| {
            let (x, y) = ((cell % self.nx) as f32, (cell / self.nx) as f32);
            let [east, south] = strata.dip.map(|dip| dip as f32 * self.size);
            let layer = (height - east * x - south * y) / strata.thickness as f32;
            let hard = layer - layer.floor() < strata.hard_part as f32;
            if hard { strata.hard as f32 } else { strata.soft as f32 }
        });
        let cover = soil.max(0) as f32 / self.deep as f32;
        rock + (1.0 - rock) * cover
    }
}
