//! [`Labelled`]: a world whose cells are labelled, as the fast path and the plain loops both know it.

use super::bodies::NONE;
use super::cell::{FULL, Kind, Packed};

/// The air that is open to the top of the world, and all air where air does not count.
pub(super) const SKY: u32 = 0;

pub(super) trait Labelled {
    fn height(&self) -> u32;

    /// Whether there may be a liquid that is lighter than a kind of it.
    fn has_lighter(&self, kind: Kind) -> bool;

    fn cell(&self, x: u32, y: u32) -> Packed;

    fn body(&self, x: u32, y: u32) -> u32;

    fn is_member(&self, x: u32, y: u32) -> bool {
        self.body(x, y) != NONE
    }

    /// Whether a cell holds liquid that stands: on a wall, on its own that stands if one of them is
    /// full, or on a heavier one that stands. A body's other cells hang.
    fn stands(&self, x: u32, y: u32) -> bool;

    /// Whether a cell was part of a body of this kind when labelled: of that of a neighbour of the
    /// kind.
    fn has_part(&self, x: u32, y: u32, kind: Kind) -> bool;

    /// The row over whose sill a fall of full cells comes that ends in a cell: the lowest connected
    /// from the side with what stands, if any.
    fn sill_of(&self, (x, y): (u32, u32)) -> Option<u32> {
        self.sill_from((x, y), self.cell(x, y).kind(), [x, x])
    }

    /// The same from a row on, above which the fall's rows end there.
    fn sill_from(&self, (x, y): (u32, u32), kind: Kind, ends: [u32; 2]) -> Option<u32> {
        let (mut y, mut ends) = (y, ends);
        // What lies on a full cell of its own is of one body with it.
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

    /// Takes the ends of a stretch over to another row: back to the first part of a body of this
    /// kind, then as far as it goes. True once it reaches what stands.
    fn widen(&self, (x, y): (u32, u32), kind: Kind, ends: &mut [u32; 2]) -> bool {
        for (end, side) in ends.iter_mut().zip([-1, 1]) {
            while *end != x && !self.has_part(*end, y, kind) {
                *end = end.wrapping_add_signed(-side);
            }
            while self.has_part(end.wrapping_add_signed(side), y, kind) {
                *end = end.wrapping_add_signed(side);
                if self.stands(*end, y) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a body of oil runs out over what is heavier in this step.
    fn spreads(&self, body: u32) -> bool;

    /// The pocket of air in a cell that is on the grid and not full.
    fn air(&self, x: u32, y: u32) -> u32;
}

pub(super) fn floor(world: &impl Labelled, y: u32) -> i32 {
    (world.height() - 1 - y) as i32 * i32::from(FULL)
}
