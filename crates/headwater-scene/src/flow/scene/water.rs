//! The tables of water: what stands there at the start, what comes and goes, and the world's edges.

use crate::scene::place::{Coordinate, Position, resolve};
use headwater::lattice::Edge;
use headwater::{Lattice, Region, Series};
use serde::Deserialize;
use std::path::PathBuf;

/// `[water]`: the water at the start. Level, depth and lakes do not add up: the deepest counts.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// All ground below this height (m) is filled up to it: a sea. −100000 to 100000.
    pub level: Option<f64>,
    /// Water of this depth (m) stands everywhere, 0 to 10000.
    pub depth: Option<f64>,
    /// `[[water.lake]]`: at most 1000.
    #[serde(default, rename = "lake")]
    pub lakes: Vec<Lake>,
}

/// `[[water.lake]]`: fills the ground below `level` that is connected to a place.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lake {
    /// A place in the lake. Its ground must lie below `level`.
    pub at: Position,
    /// Height of the lake's surface (m), −100000 to 100000.
    pub level: f64,
}

/// The keys of `[[source]]` and `[[drain]]` beside `rate`: a place where water enters or leaves; at most 1000 of each.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourcePlace {
    /// Its place.
    pub at: Position,
    /// The radius over which it spreads (m), above 0. Default: one cell.
    pub radius: Option<f64>,
    /// When it starts (s). Default 0.
    #[serde(default)]
    pub from: f64,
    /// When it ends (s), after `from`. Default: never.
    pub until: Option<f64>,
}

impl SourcePlace {
    /// The cells it spreads over.
    pub fn region(&self, lattice: &Lattice) -> Region {
        // A disc that holds no other cell's centre still has the cell it lies in.
        let one_cell = 0.25 * lattice.dx().min(lattice.dy());
        Region::disc(resolve(self.at, lattice), self.radius.unwrap_or(one_cell))
    }
}

/// The key of `[rain]` beside `rate`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RainFiles {
    /// A raster that multiplies the rain, from 0 up; resampled to the grid. Relative to the scene
    /// file; in `--set`, to the current directory. Default: 1 everywhere.
    pub map: Option<PathBuf>,
}

/// `[[boundary]]`: what happens along an edge or a stretch of it. Elsewhere there is a wall.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boundary {
    /// `"west"`, `"east"`, `"north"` or `"south"`.
    pub edge: Edge,
    /// What happens there.
    pub kind: BoundaryKind,
    /// For inflow and outflow: water per metre of edge (m²/s), 0 to 10⁶; a number, or a table of
    /// `[seconds, discharge]`.
    pub discharge: Option<Series>,
    /// For stage: the height (m) of the water outside; a number, or a table of `[seconds, level]`. For
    /// wave: that of the still water, a number.
    pub level: Option<Series>,
    /// For wave: the amplitude of what comes in (m), 0 to 1000.
    pub amplitude: Option<f64>,
    /// For wave: the time from crest to crest (s), above 0 to 10⁶.
    pub period: Option<f64>,
    /// Where the stretch begins, in metres or percent from the west or north. Default 0.
    pub from: Option<Coordinate>,
    /// Where it ends. Default: the end of the edge.
    pub to: Option<Coordinate>,
}

/// What happens along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoundaryKind {
    /// No water passes.
    Wall,
    /// Water enters: `discharge`.
    Inflow,
    /// Water leaves: `discharge`, as long as there is some.
    Outflow,
    /// Water leaves as over a weir into nothing.
    Open,
    /// Water stands outside at `level`: a tide, a sea, a lake.
    Stage,
    /// A wave maker: waves of `amplitude` and `period` come in on still water of `level`; those from
    /// inside leave.
    Wave,
    /// What leaves comes in over the opposite edge. Whole edges only; one of the two need be named.
    Periodic,
}

impl Boundary {
    /// Length of its whole edge (m).
    pub fn edge_length(&self, lattice: &Lattice) -> f64 {
        match self.edge {
            Edge::West | Edge::East => lattice.height(),
            Edge::North | Edge::South => lattice.width(),
        }
    }

    /// The stretch it covers, in metres from the west or north.
    pub fn stretch(&self, lattice: &Lattice) -> [f64; 2] {
        let length = self.edge_length(lattice);
        let along = |end: Option<Coordinate>, default| end.map_or(default, |c| c.resolve(length));
        [along(self.from, 0.0), along(self.to, length)]
    }
}
