//! Scene table `[[gauge]]` of the model `blocks`.

use crate::scene::gauge_edit::Measuring;
use crate::scene::place::{Area, Disc, Position, Rect, resolve};
use headwater::Lattice;
use schemars::JsonSchema;
use serde::Deserialize;

/// `[[gauge]]`: writes a time series to `NAME.csv`; exactly one of `at`, `disc`, `rect`; at most
/// 1000.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlocksGauge {
    /// Name, also of the file: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// Records the level of the liquid body at a position (cells above the bottom of the world;
    /// `NaN` if there is none), and the fill of the cell (0 to 1).
    pub at: Option<Position>,
    /// Records the volume of each liquid in a disc (cells).
    pub disc: Option<Disc>,
    /// Records the volume of each liquid in a rectangle (cells).
    pub rect: Option<Rect>,
    /// Time between two samples (s), above 0. Default: 1/200 of the run.
    pub every: Option<f64>,
}

/// Cells that a gauge measures.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BlocksTarget {
    /// Column and row of a cell, to measure its level and fill.
    Cell(usize, usize),
    /// Columns and rows of cells, to measure the volumes of liquids in them.
    Cells(Vec<(usize, usize)>),
}

impl Measuring for BlocksGauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}

impl BlocksGauge {
    /// Returns the area of a gauge with `disc` or `rect`.
    pub fn area(&self) -> Area {
        Area { disc: self.disc, rect: self.rect, ..Area::default() }
    }

    /// Returns the cells that the gauge measures; `None` if the position is outside `lattice`,
    /// which cannot happen in a checked scene.
    pub fn target(&self, lattice: &Lattice) -> Option<BlocksTarget> {
        if let Some(at) = self.at {
            let (x, y) = lattice.cell_at(resolve(at, lattice))?;
            return Some(BlocksTarget::Cell(x, y));
        }
        let cells = self.area().region(lattice).cells(*lattice);
        Some(BlocksTarget::Cells(cells.into_iter().map(|(x, y, _)| (x, y)).collect()))
    }
}
