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
            if self.is_hard(&strata, cell, height) {
                strata.hard as f32
            } else {
                strata.soft as f32
            }
        });
        let cover = soil.max(0) as f32 / self.deep as f32;
        rock + (1.0 - rock) * cover
    }

    /// Whether the rock in a cell at a height (m) is of a hard layer.
    fn is_hard(&self, strata: &Strata, cell: usize, height: f32) -> bool {
        let (x, y) = ((cell % self.nx) as f32, (cell / self.nx) as f32);
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
