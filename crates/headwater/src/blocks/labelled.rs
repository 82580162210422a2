//! [`Labelled`]: a world whose cells are labelled, as the fast path and the plain loops both know it.

use super::bodies::NONE;
use super::cell::{FULL, Kind, Packed};

/// The air that is open to the top of the world, and all air where air does not count.
pub(super) const SKY: u32 = 0;

/// A world whose cells are labelled. Places off the grid are wall.
pub(super) trait Labelled {
    /// Rows of the grid.
    fn height(&self) -> u32;

    /// Whether there may be a liquid that is lighter than a kind of it.
    fn has_lighter(&self, kind: Kind) -> bool;

    /// What is in a cell.
    fn cell(&self, x: u32, y: u32) -> Packed;

    /// The body that a cell is part of, or [`NONE`].
    fn body(&self, x: u32, y: u32) -> u32;

    /// Whether a cell is part of a body.
    fn is_member(&self, x: u32, y: u32) -> bool {
        self.body(x, y) != NONE
    }

    /// Whether a cell holds liquid that stands: on a wall, on a cell of its own that stands if one of them is full, or on a
    /// heavier liquid that stands. What is part of a body and does not stand hangs.
    fn stands(&self, x: u32, y: u32) -> bool;

    /// Whether a body of oil runs out over what is heavier in this step.
    fn spreads(&self, body: u32) -> bool;

    /// The pocket of air in a cell that is on the grid and not full.
    fn air(&self, x: u32, y: u32) -> u32;
}

/// Height of a cell's floor.
pub(super) fn floor(world: &impl Labelled, y: u32) -> i32 {
    (world.height() - 1 - y) as i32 * i32::from(FULL)
}
