//! [`CellLabels`]: read access to cells and their labels (the body or air pocket to which each cell
//! belongs), implemented by the fast grid and by the reference implementation.

use super::bodies::NONE;
use super::cell::{FULL, Kind, PackedCell};

/// Label of all air that is connected to the top of the world. If `Params::trapped_air` is false,
/// all air has this label.
pub(in crate::blocks) const SKY: u32 = 0;

pub(in crate::blocks) trait CellLabels {
    fn height(&self) -> u32;

    /// Returns whether the world may hold a liquid that is lighter than `kind`.
    fn may_hold_lighter(&self, kind: Kind) -> bool;

    fn cell(&self, x: u32, y: u32) -> PackedCell;

    fn body(&self, x: u32, y: u32) -> u32;

    fn is_member(&self, x: u32, y: u32) -> bool {
        self.body(x, y) != NONE
    }

    /// Returns whether a cell holds supported liquid. Liquid is supported if it lies on a wall or
    /// on supported heavier liquid. It is also supported if it lies on supported liquid of its own
    /// kind and one of these two cells is full. All other liquid cells are unsupported.
    fn is_supported(&self, x: u32, y: u32) -> bool;

    /// Returns whether a cell belonged to a body of liquid `kind` when labels were last updated.
    /// Adjacent cells of one kind in bodies belong to the same body.
    fn was_in_body(&self, x: u32, y: u32, kind: Kind) -> bool;

    /// Returns the row of the sill that feeds the falling stream whose lower end is the given cell.
    /// The sill is the lowest row in which the stream is connected sideways to supported liquid.
    /// Returns `None` if there is no sill.
    fn sill_row(&self, (x, y): (u32, u32)) -> Option<u32> {
        self.find_sill_row((x, y), self.cell(x, y).kind(), [x, x])
    }

    /// Continues the search of [`sill_row`](Self::sill_row) upward from a row. `ends` are the first
    /// and the last column of the falling stream in the row below.
    fn find_sill_row(&self, (x, y): (u32, u32), kind: Kind, ends: [u32; 2]) -> Option<u32> {
        let (mut y, mut ends) = (y, ends);
        // Liquid on a full cell of its own kind belongs to the same body.
        loop {
            let here = self.cell(x, y);
            if here.kind() != kind {
                return None;
            }
            if self.widen_stream((x, y), kind, &mut ends) {
                return Some(y);
            }
            if y == 0 || here.fill() < FULL {
                return None;
            }
            y -= 1;
        }
    }

    /// Updates `ends`, the first and last column of a falling stream, from the row below to row
    /// `y`. Each end first moves inward to the nearest cell of a body of liquid `kind`, but not
    /// past column `x`. It then moves outward to the last contiguous cell of such a body. Returns
    /// true as soon as the outward movement reaches supported liquid, otherwise false.
    fn widen_stream(&self, (x, y): (u32, u32), kind: Kind, ends: &mut [u32; 2]) -> bool {
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

    /// Returns whether a body of oil spreads over heavier liquid in this step. Oil exerts no
    /// pressure on the liquid below it while it spreads.
    fn is_spreading(&self, body: u32) -> bool;

    /// Returns the label of the air pocket in a cell. The cell must be on the grid and must not be
    /// full.
    fn air_pocket(&self, x: u32, y: u32) -> u32;
}

pub(in crate::blocks) fn floor_height(world: &impl CellLabels, y: u32) -> i32 {
    (world.height() - 1 - y) as i32 * i32::from(FULL)
}
