//! Scene table `[[gauge]]` of the model `blocks`.

use crate::scene::event::gauge_edit::GaugeEntry;
use crate::scene::place::{Area, Disc, Position, Rect, resolve_position};
use headwater::Lattice;
use serde::Deserialize;

/// `[[gauge]]`: measuring device whose time series is written to `NAME.csv`. Needs exactly one of
/// `at`, `disc` and `rect`. At most 1000 gauges.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BlocksGauge {
    /// Name of the gauge and of its output file: 1 to 64 characters from `a`–`z`, `A`–`Z`, `0`–`9`,
    /// `_` and `-`.
    pub name: String,
    /// Position at which the gauge records the surface level of the connected liquid (cells above
    /// the bottom of the world; `NaN` if there is no liquid) and the fill of the cell (0 to 1).
    pub at: Option<Position>,
    /// Disc in which the gauge records the volume of each liquid (cells).
    pub disc: Option<Disc>,
    /// Rectangle in which the gauge records the volume of each liquid (cells).
    pub rect: Option<Rect>,
    /// Time between two readings (s), above 0. Default: 1/200 of the duration of the run.
    pub every: Option<f64>,
}

/// Cells that a gauge measures: a single cell, for its level and fill, or several cells, for the
/// volumes of the liquids.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BlocksTarget {
    /// Column and row of the cell whose level and fill are measured.
    Cell(usize, usize),
    /// Columns and rows of the cells in which the volumes of the liquids are measured.
    Cells(Vec<(usize, usize)>),
}

impl GaugeEntry for BlocksGauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}

impl BlocksGauge {
    /// Returns the area of a gauge with `disc` or `rect`. Returns an empty area for a gauge with
    /// `at`.
    pub fn area(&self) -> Area {
        Area { disc: self.disc, rect: self.rect, ..Area::default() }
    }

    /// Returns the cells that the gauge measures. Returns `None` if the position is outside
    /// `lattice`; validation rejects such scenes.
    pub fn target(&self, lattice: &Lattice) -> Option<BlocksTarget> {
        if let Some(at) = self.at {
            let (x, y) = lattice.cell_at(resolve_position(at, lattice))?;
            return Some(BlocksTarget::Cell(x, y));
        }
        let cells = self.area().region(lattice).cells(*lattice);
        Some(BlocksTarget::Cells(cells.into_iter().map(|(x, y, _)| (x, y)).collect()))
    }
}
