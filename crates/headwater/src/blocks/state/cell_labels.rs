//! [`CellLabels`]: read access to cells and their labels, implemented by the fast grid and by the
//! reference implementation.

use super::bodies::NONE;
use super::cell::{FULL, Kind, Packed};

/// Label of the air connected to the top of the world. With `Params::trapped_air` off, all air has
/// this label.
pub(in crate::blocks) const SKY: u32 = 0;

pub(in crate::blocks) trait CellLabels {
    fn height(&self) -> u32;

    /// Returns whether the world can hold a liquid lighter than `kind`.
    fn has_lighter(&self, kind: Kind) -> bool;

    fn cell(&self, x: u32, y: u32) -> Packed;

    fn body(&self, x: u32, y: u32) -> u32;

    fn is_member(&self, x: u32, y: u32) -> bool {
        self.body(x, y) != NONE
    }

    /// Returns whether a cell holds supported liquid. Liquid is supported if it lies on a wall, on
    /// supported heavier liquid, or on supported liquid of its own kind where one of the two cells
    /// is full. All other cells of a body are unsupported.
    fn is_supported(&self, x: u32, y: u32) -> bool;

    /// Returns whether a cell belonged to a body of liquid `kind` at the last labelling. Adjacent
    /// cells of one kind belong to the same body.
    fn was_in_body(&self, x: u32, y: u32, kind: Kind) -> bool;

    /// Returns the row of the sill that feeds the fall ending at the given cell: the lowest row in
    /// which the fall is connected sideways to supported liquid. Returns `None` if there is no
    /// sill.
    fn sill_of(&self, (x, y): (u32, u32)) -> Option<u32> {
        self.sill_from((x, y), self.cell(x, y).kind(), [x, x])
    }

    /// Continues [`sill_of`](Self::sill_of) from a row upward. `ends` are the first and last column
    /// of the fall in the row below.
    fn sill_from(&self, (x, y): (u32, u32), kind: Kind, ends: [u32; 2]) -> Option<u32> {
        let (mut y, mut ends) = (y, ends);
        // Liquid on a full cell of its own kind belongs to the same body.
        loop {
            let here = self.cell(x, y);
            if here.kind() != kind {
                return None;
            }
            if self.widen((x, y), kind, &mut ends) {
                return Some(y);
            }
            if y == 0 || here.fill() < FULL {
                return None;
            }
            y -= 1;
        }
    }

    /// Moves the `ends` of a fall from the previous row to row `y`: each end moves inward to the
    /// first cell of a body of this kind, then outward to the edge of the body. Returns true as
    /// soon as it reaches supported liquid on the way outward.
    fn widen(&self, (x, y): (u32, u32), kind: Kind, ends: &mut [u32; 2]) -> bool {
        for (end, side) in ends.iter_mut().zip([-1, 1]) {
            while *end != x && !self.was_in_body(*end, y, kind) {
                *end = end.wrapping_add_signed(-side);
            }
            while self.was_in_body(end.wrapping_add_signed(side), y, kind) {
                *end = end.wrapping_add_signed(side);
                if self.is_supported(*end, y) {
                    return true;
                }
            }
        }
        false
    }

    /// Returns whether a body of oil spreads over heavier liquid in this step. Spreading oil exerts
    /// no weight.
    fn is_spreading(&self, body: u32) -> bool;

    /// Returns the label of the air pocket in a cell, which must be on the grid and not full.
    fn air(&self, x: u32, y: u32) -> u32;
}

pub(in crate::blocks) fn floor(world: &impl CellLabels, y: u32) -> i32 {
    (world.height() - 1 - y) as i32 * i32::from(FULL)
}
