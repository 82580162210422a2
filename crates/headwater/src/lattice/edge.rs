//! [`Edge`]: one of the four edges of a grid, for boundary conditions.

use serde::{Deserialize, Serialize};

/// Edge of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Edge {
    /// Western edge, at column 0.
    West,
    /// Eastern edge, at column `nx − 1`.
    East,
    /// Northern edge, at row 0.
    North,
    /// Southern edge, at row `ny − 1`.
    South,
}

impl Edge {
    /// All four edges.
    pub const ALL: [Edge; 4] = [Edge::West, Edge::East, Edge::North, Edge::South];

    /// Returns the opposite edge.
    pub fn opposite(self) -> Edge {
        match self {
            Edge::West => Edge::East,
            Edge::East => Edge::West,
            Edge::North => Edge::South,
            Edge::South => Edge::North,
        }
    }

    /// Returns whether the faces of the edge are x-faces, which flow crosses eastward or westward.
    pub fn is_x(self) -> bool {
        matches!(self, Edge::West | Edge::East)
    }
}
