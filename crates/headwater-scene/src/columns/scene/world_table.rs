//! Scene tables of the model `columns` for the walls and the initial water.

use crate::blocks::BlocksWorldTable;
use crate::pixmap::text_map_size;
use crate::scene::place::{Position, resolve_position};
use headwater::Lattice;
use headwater::columns::{Anchor, AnchorKind};
use serde::Deserialize;
use std::path::PathBuf;

/// `[world]`: the grid of wall and air cells, given by exactly one of `map`, `file`, `blocks`, or
/// `nx` with `ny` for a grid of air.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ColumnsWorldTable {
    /// Side length of a cell (m), 0.000001 to 1000000. Default 1.
    #[serde(default = "default_cell_size")]
    pub cell: f64,
    /// Cells as a string with one line for each row and one character for each cell: `#` for wall,
    /// `.` for air, `~` for air with a level anchor (water level at the top of the cell), `o` for
    /// air with a bubble anchor (trapped air down to the bottom of the cell).
    pub map: Option<String>,
    /// PNG image with one pixel for each cell, in the colours of
    /// [`PALETTE`](crate::columns::PALETTE): black for wall, white for air, blue for air with a
    /// level anchor, orange for air with a bubble anchor. The path is relative to the scene file,
    /// or to the current directory if the key is set with `--set`.
    pub file: Option<PathBuf>,
    /// `[world.blocks]`: world of the model `blocks`, with the keys of `[world]` in a blocks scene.
    /// It is stepped until its water is at rest. This water becomes the initial water. Cannot be
    /// combined with `[[wall]]` or `[[anchor]]`.
    pub blocks: Option<BlocksWorldTable>,
    /// Number of columns of a grid of air, 1 to 1048576.
    pub nx: Option<usize>,
    /// Number of rows of a grid of air, 1 to 1048576.
    pub ny: Option<usize>,
}

fn default_cell_size() -> f64 {
    1.0
}

impl ColumnsWorldTable {
    /// Returns the number of columns and rows. Returns `None` if the size is read from the image
    /// file.
    pub fn size(&self) -> Option<(usize, usize)> {
        if let Some(map) = &self.map {
            return text_map_size(map);
        }
        if let Some(blocks) = &self.blocks {
            return blocks.size();
        }
        self.nx.zip(self.ny)
    }
}

/// `[[wall]]`: area that becomes wall, given by exactly one of `disc`, `rect`, `line`, `polygon`
/// and `everywhere`. Walls are applied in order. At most 1000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ColumnsWall {
    /// Whether the area becomes air instead of wall, for example a room within earlier walls.
    /// Default `false`.
    pub air: bool,
}

/// `[[anchor]]`: prescribes the water level or trapped air at a point in the initial state. At most
/// 1000, in addition to those of the map.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ColumnsAnchor {
    /// `"level"` (default): the surface of all water that is connected to this point is at the
    /// height of this point. `"bubble"`: air is trapped between this point and the ceiling above
    /// it.
    #[serde(default = "default_anchor_kind")]
    pub kind: AnchorKind,
    /// Position of the anchor.
    pub at: Position,
}

fn default_anchor_kind() -> AnchorKind {
    AnchorKind::Level
}

impl ColumnsAnchor {
    /// Converts this scene table to an anchor of the columns model. The position, which may be
    /// given in percent of the size of `lattice`, is converted to metres.
    pub fn to_anchor(&self, lattice: &Lattice) -> Anchor {
        Anchor { kind: self.kind, at: resolve_position(self.at, lattice) }
    }
}
