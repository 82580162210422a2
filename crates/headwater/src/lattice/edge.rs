//! The four edges of a grid.

use serde::{Deserialize, Serialize};

/// One side of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Edge {
    /// The left side, column 0.
    West,
    /// The right side, column `nx − 1`.
    East,
    /// The top side, row 0.
    North,
    /// The bottom side, row `ny − 1`.
    South,
}

impl Edge {
    /// All four edges.
    pub const ALL: [Edge; 4] = [Edge::West, Edge::East, Edge::North, Edge::South];

    /// The edge on the other side.
    pub fn opposite(self) -> Edge {
        match self {
            Edge::West => Edge::East,
            Edge::East => Edge::West,
            Edge::North => Edge::South,
            Edge::South => Edge::North,
        }
    }

    /// True if its faces are x-faces, which water crosses to the east or west.
    pub fn is_x(self) -> bool {
        matches!(self, Edge::West | Edge::East)
    }
}
