//! [`Edge`], one of the four edges of a grid, which is used for boundary conditions.

use serde::{Deserialize, Serialize};

/// One of the four edges of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Edge {
    /// Western edge, next to column 0.
    West,
    /// Eastern edge, next to column `nx − 1`.
    East,
    /// Northern edge, next to row 0.
    North,
    /// Southern edge, next to row `ny − 1`.
    South,
}

impl Edge {
    /// All four edges, in the order west, east, north, south.
    pub const ALL: [Edge; 4] = [Edge::West, Edge::East, Edge::North, Edge::South];

    /// Returns the edge on the opposite side of the grid.
    pub fn opposite(self) -> Edge {
        match self {
            Edge::West => Edge::East,
            Edge::East => Edge::West,
            Edge::North => Edge::South,
            Edge::South => Edge::North,
        }
    }

    /// Returns whether the faces on this edge are x-faces, through which water flows eastward or
    /// westward. This is the case for the western and the eastern edge.
    pub fn has_x_faces(self) -> bool {
        matches!(self, Edge::West | Edge::East)
    }
}
