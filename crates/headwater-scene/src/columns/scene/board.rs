//! Scene tables for the walls and the initial water of the model `columns`.

use crate::blocks::BlocksWorldTable;
use crate::scene::place::{Position, resolve};
use headwater::Lattice;
use headwater::columns::{Anchor, AnchorKind, read_map};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// `[world]`: the board of walls, by exactly one of `map`, `file`, `blocks`, or `nx` with `ny` for
/// a board of air.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnsWorldTable {
    /// Cell size (m), 0.000001 to 1000000. Default 1.
    #[serde(default = "one_metre")]
    pub cell: f64,
    /// The board as text, with a line per row and a character per cell: `#` wall, `.` air, `~` a
    /// level anchor at the top of the cell, `o` a bubble anchor at its bottom.
    pub map: Option<String>,
    /// PNG image with one pixel per cell in the colours of [`PALETTE`](crate::columns::PALETTE):
    /// black wall, white air, blue level anchor, orange bubble anchor. The path is relative to the
    /// scene file; in `--set`, to the current directory.
    pub file: Option<PathBuf>,
    /// `[world.blocks]`: a world of blocks, as the `[world]` of a blocks scene. The blocks model
    /// runs until its water is at rest; then the water becomes pools without anchors.
    pub blocks: Option<BlocksWorldTable>,
    /// Columns of a board of air, 1 to 1048576.
    pub nx: Option<usize>,
    /// Rows of a board of air, 1 to 1048576.
    pub ny: Option<usize>,
}

fn one_metre() -> f64 {
    1.0
}

impl ColumnsWorldTable {
    /// Returns the numbers of columns and rows; `None` if they are known only from the file.
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

/// `[[wall]]`: walls on the board, applied in order, each with exactly one of `disc`, `rect`,
/// `line`, `polygon`, `everywhere`; at most 1000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ColumnsWall {
    /// `true` makes air instead, as for a room within earlier walls. Default `false`.
    pub air: bool,
}

/// `[[anchor]]`: prescribes water or air at a point at the start; at most 1000, in addition to
/// those of the map.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnsAnchor {
    /// `"level"` (default): the water level is here, for all water connected with this point.
    /// `"bubble"`: air is trapped here under the ceiling.
    #[serde(default = "level")]
    pub kind: AnchorKind,
    /// Position.
    pub at: Position,
}

fn level() -> AnchorKind {
    AnchorKind::Level
}

impl ColumnsAnchor {
    /// Returns the model's anchor, with its position resolved on `lattice`.
    pub fn anchor(&self, lattice: &Lattice) -> Anchor {
        Anchor { kind: self.kind, at: resolve(self.at, lattice) }
    }
}
