//! `[[gauge]]` of a world of blocks.

use crate::scene::gauge_edit::Measuring;
use crate::scene::place::{Area, Disc, Position, Rect, resolve};
use headwater::Lattice;
use schemars::JsonSchema;
use serde::Deserialize;

/// `[[gauge]]`: writes what it measures to `NAME.csv`; exactly one of `at`, `disc`, `rect`; at most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlocksGauge {
    /// Its name and its file's: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// Measures how high the body at a place stands (cells above the bottom of the world; `NaN` where
    /// nothing stands), and how full the cell there is (0 to 1).
    pub at: Option<Position>,
    /// Measures the volume of each liquid in a round place (cells).
    pub disc: Option<Disc>,
    /// Measures the volume of each liquid in a rectangle (cells).
    pub rect: Option<Rect>,
    /// Time between two measurements (s), above 0. Default: a two-hundredth of the run.
    pub every: Option<f64>,
}

/// What a gauge measures, and where.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BlocksTarget {
    /// Level and fill at a cell, by its column and row.
    Cell(usize, usize),
    /// Volumes in cells.
    Cells(Vec<(usize, usize)>),
}

impl Measuring for BlocksGauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}

impl BlocksGauge {
    /// Where it measures a volume.
    pub fn area(&self) -> Area {
        Area { disc: self.disc, rect: self.rect, ..Area::default() }
    }

    /// What it measures on `lattice`. `None` off it, where no gauge of a checked scene is.
    pub fn target(&self, lattice: &Lattice) -> Option<BlocksTarget> {
        if let Some(at) = self.at {
            let (x, y) = lattice.cell_at(resolve(at, lattice))?;
            return Some(BlocksTarget::Cell(x, y));
        }
        let cells = self.area().region(lattice).cells(*lattice);
        Some(BlocksTarget::Cells(cells.into_iter().map(|(x, y, _)| (x, y)).collect()))
    }
}
