//! The tables of the board: its walls, and where water stands at the start.

use crate::blocks::BlocksWorldTable;
use crate::scene::place::{Position, resolve};
use headwater::Lattice;
use headwater::columns::{Anchor, AnchorKind, read_map};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// `[world]`: the board of walls; `map`, `file`, `blocks`, or `nx` with `ny` for a board of air to build walls on.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnsWorldTable {
    /// Size of a cell (m), 0.000001 to 1000000. Default 1.
    #[serde(default = "one_metre")]
    pub cell: f64,
    /// The board as text, a line for each row and a character for each cell: `#` wall, `.` air, `~` a level
    /// anchor at the top of the cell, `o` a bubble anchor at its bottom.
    pub map: Option<String>,
    /// A PNG with one pixel for each cell, in the colours of [`PALETTE`](crate::columns::PALETTE): black
    /// wall, white air, blue a level anchor, orange a bubble anchor. Relative to the scene file; in `--set`, to the
    /// current directory.
    pub file: Option<PathBuf>,
    /// `[world.blocks]`: a world of blocks, as the `[world]` of a scene of that model. Its water falls and levels out
    /// by the rule of blocks until it rests, before the run begins; then it becomes pools, and needs no anchors.
    pub blocks: Option<BlocksWorldTable>,
    /// Columns of a board of air, 1 to 1048576.
    pub nx: Option<usize>,
    /// Its rows, 1 to 1048576.
    pub ny: Option<usize>,
}

fn one_metre() -> f64 {
    1.0
}

impl ColumnsWorldTable {
    /// Columns and rows, where they are known without reading a file.
    pub fn size(&self) -> Option<(usize, usize)> {
        if let Some(map) = &self.map {
            return read_map(map, self.cell).ok().map(|(walls, _)| (walls.nx(), walls.ny()));
        }
        if let Some(blocks) = &self.blocks {
            return blocks.size();
        }
        self.nx.zip(self.ny)
    }
}

/// `[[wall]]`: walls on the board, one after the other, in exactly one of `disc`, `rect`, `line`,
/// `polygon`, `everywhere`; at most 1000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ColumnsWall {
    /// `true`: air instead, as for a room in what was built before. Default `false`.
    pub air: bool,
}

/// `[[anchor]]`: says where water or air is at the start; at most 1000, besides those of the map.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnsAnchor {
    /// `"level"` (default): water stands here, and as high wherever it can get to. `"bubble"`: air stays
    /// here under the ceiling.
    #[serde(default = "level")]
    pub kind: AnchorKind,
    /// Where.
    pub at: Position,
}

fn level() -> AnchorKind {
    AnchorKind::Level
}

impl ColumnsAnchor {
    /// The anchor on `lattice`.
    pub fn anchor(&self, lattice: &Lattice) -> Anchor {
        Anchor { kind: self.kind, at: resolve(self.at, lattice) }
    }
}
