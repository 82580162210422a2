//! What stands in the place of chunks that are not loaded.
//!
//! Where liquids may pass into a chunk that is not loaded, a ghost of it stands in the grid: of its outermost cells those are air
//! that were air and lie along a chunk that is loaded, and all else is wall. Nothing flows the other way, and water that stands on
//! both sides of a border holds itself.

use super::stored::{Cells, WALLS};
use crate::blocks::cell::Packed;
use crate::open::CHUNK;
use serde::{Deserialize, Serialize};

/// Which of a chunk's outermost cells are air: a column in the west, one in the east, the top row and the bottom row, as the
/// [sides](crate::open::ChunkPos::sides) of a chunk are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Edges([u64; 4]);

/// The last column and row.
const LAST: usize = CHUNK - 1;

/// The cells of an edge, in order.
fn edge(i: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..CHUNK).map(move |at| [(0, at), (LAST, at), (at, 0), (at, LAST)][i])
}

impl Edges {
    pub(super) fn of(cells: &Cells) -> Self {
        let is_air = |i| {
            let bits = edge(i).map(|(x, y)| u64::from(cells[y][x] == Packed::AIR));
            bits.enumerate().fold(0, |all, (at, bit)| all | bit << at)
        };
        Self([0, 1, 2, 3].map(is_air))
    }

    /// The cells of the ghost that has loaded chunks on some sides; `None` if nothing can pass into it.
    ///
    /// What lies along the other sides is wall, or what runs out along them would get to a corner beyond which it matters what else
    /// is in the same grid: the ghost of one more chunk, or wall.
    pub(super) fn ghost(&self, is_loaded: [bool; 4]) -> Option<Box<Cells>> {
        let open = [0, 1, 2, 3].map(|i| if is_loaded[i] { self.0[i] } else { 0 });
        if open == [0; 4] {
            return None;
        }
        let mut cells = Box::new(WALLS);
        for (i, &bits) in open.iter().enumerate() {
            for (x, y) in
                edge(i).enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, at)| at)
            {
                cells[y][x] = Packed::AIR;
            }
        }
        Some(cells)
    }
}
