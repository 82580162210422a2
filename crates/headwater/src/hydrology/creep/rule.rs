//! How ground moves from a cell to a lower one: the plain rule.

use crate::hydrology::banks::Bed;
use crate::hydrology::grid::{DIRECTIONS, Grid};

/// Share of the excess that slides to one neighbour in a round; with all eight below, half of it.
pub(super) const SLIDE: i64 = 16;
/// The part of its soil that a cell gives to one neighbour at most.
pub(super) const SOIL: i64 = 8;

/// What rock bears to a corner that bears so much to a side: √2 times that, near enough.
#[inline(always)]
pub(super) fn to_corner(side: i32) -> i32 {
    (side >> 7) * 181
}

#[derive(Clone, Copy)]
pub(in super::super) struct Rule<'a> {
    pub(in super::super) grid: Grid,
    /// How much of a difference in height goes over to a neighbour (65536ths).
    pub(in super::super) rate: i64,
    /// Differences in height (quanta) that soil bears to a side and to a corner.
    pub(in super::super) repose: [i64; 2],
    /// Those that rock bears, where that is the same everywhere.
    pub(in super::super) rock_repose: [i64; 2],
    /// Else what the rock of each cell bears to a side, from 0 to 2³⁰; empty if it is the same everywhere.
    pub(in super::super) rock: &'a [i32],
    /// The beds of rivers wider than a cell; none at all if there are none.
    pub(in super::super) beds: &'a [Bed],
}

#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) bed: &'a [i64],
    pub(super) soil: &'a [i64],
}

impl Rule<'_> {
    /// Flux from a cell to a lower one (quanta): of soil at most an eighth, of rock what is too
    /// steep.
    fn flux(&self, ground: Ground, cell: usize, beside: usize, corner: usize) -> i64 {
        let Ground { bed: z, soil } = ground;
        let drop = z[cell] - z[beside];
        let creeping = (drop * self.rate) >> (16 + corner);
        let sliding = (drop - self.repose[corner]).max(0) / SLIDE;
        let bears = match self.rock.get(cell) {
            None => self.rock_repose[corner],
            Some(&side) if corner == 0 => side.into(),
            Some(&side) => to_corner(side).into(),
        };
        let falling = (drop - bears).max(0) / SLIDE;
        let flux = (creeping + sliding).min(drop / SLIDE).min(soil[cell] / SOIL).max(falling);
        // In a river's bed there are no banks.
        let Some(bed) = self.beds.get(cell) else { return flux };
        flux.max(z[cell].saturating_sub(bed.level(z).max(z[beside])).max(0) / SLIDE)
    }

    pub(super) fn change(&self, ground: Ground, (x, y): (usize, usize)) -> i64 {
        let (grid, z) = (self.grid, ground.bed);
        let cell = y * grid.nx + x;
        let mut change = 0;
        for (k, &way) in DIRECTIONS.iter().enumerate() {
            let Some(beside) = grid.beside((x, y), way) else { continue };
            change += if z[cell] > z[beside] {
                -self.flux(ground, cell, beside, k % 2)
            } else {
                self.flux(ground, beside, cell, k % 2)
            };
        }
        change
    }
}
