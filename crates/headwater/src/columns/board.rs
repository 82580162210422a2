//! The board: where walls are, as a region tree.

use crate::field::Field;

/// What a square of cells holds.
const EMPTY: u8 = 0;
const SOLID: u8 = 1;
const MIXED: u8 = 2;

/// A quadtree over the walls, kept as one array per level: a square of `2^k` cells a side is empty, solid or
/// mixed. It answers which cell above another is the first that is empty or solid, in as many steps as there
/// are squares on the way.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    nx: usize,
    ny: usize,
    levels: Vec<Field<u8>>,
}

impl Regions {
    /// The tree of a board; `true` is wall.
    pub(super) fn new(walls: &Field<bool>) -> Self {
        let (nx, ny) = (walls.nx(), walls.ny());
        let mut levels = vec![walls.map(|&wall| u8::from(wall))];
        while let Some(last) = levels.last() {
            if last.nx() <= 1 && last.ny() <= 1 {
                break;
            }
            levels.push(coarser(last));
        }
        Self { nx, ny, levels }
    }

    /// The first row at or above row `y` of column `x` that is wall (`solid`) or is none; `None` if there is
    /// no such row on the board.
    pub(super) fn first_above(&self, x: usize, y: usize, solid: bool) -> Option<usize> {
        let passed = if solid { EMPTY } else { SOLID };
        let mut y = y;
        loop {
            let mut height = None;
            for (k, level) in self.levels.iter().enumerate() {
                if level.get(x >> k, y >> k) != Some(&passed) {
                    break;
                }
                height = Some(k);
            }
            let Some(k) = height else { return Some(y) };
            y = ((y >> k) << k).checked_sub(1)?;
        }
    }

    /// The empty runs of a column from below: heights of floor and ceiling in cells above the board's
    /// bottom, `None` where there is no ceiling but the sky.
    pub(super) fn spans(&self, x: usize, into: &mut Vec<(u32, Option<u32>)>) {
        into.clear();
        let height = |row: usize| (self.ny - 1 - row) as u32;
        let mut from = Some(self.ny - 1);
        while let Some(y) = from {
            let Some(bottom) = self.first_above(x, y, false) else { return };
            let top = self.first_above(x, bottom, true);
            into.push((height(bottom), top.map(height)));
            from = top;
        }
    }

    /// Columns.
    pub(super) fn nx(&self) -> usize {
        self.nx
    }

    /// Rows.
    pub(super) fn ny(&self) -> usize {
        self.ny
    }

    /// The board itself.
    pub(super) fn walls(&self) -> Field<bool> {
        match self.cells() {
            Some(cells) => cells.map(|&cell| cell == SOLID),
            None => Field::new(self.nx, self.ny, false),
        }
    }

    /// Whether a cell of the board is one of wall.
    pub(super) fn is_wall(&self, x: usize, y: usize) -> bool {
        self.cells().is_some_and(|cells| cells[(x, y)] == SOLID)
    }

    /// What each cell is, by one number; none on a board without cells.
    pub(super) fn cells(&self) -> Option<&Field<u8>> {
        self.levels.first()
    }
}

/// Squares of twice the side. What lies off the board counts as the rest of its square.
fn coarser(fine: &Field<u8>) -> Field<u8> {
    let (nx, ny) = (fine.nx(), fine.ny());
    let mut coarse = Field::new(nx.div_ceil(2), ny.div_ceil(2), MIXED);
    for y in 0..coarse.ny() {
        let upper = fine.row(2 * y);
        let lower = fine.row((2 * y + 1).min(ny - 1));
        for (x, cell) in coarse.row_mut(y).iter_mut().enumerate() {
            let (left, right) = (2 * x, (2 * x + 1).min(nx - 1));
            let one = upper[left];
            if [upper[right], lower[left], lower[right]] == [one; 3] {
                *cell = one;
            }
        }
    }
    coarse
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_tree_finds_what_a_walk_finds(
            nx in 1usize..40, ny in 1usize..40, size in 1usize..9, seed in 0u64..1000, solid: bool
        ) {
            let at = |x: usize, y: usize| {
                let mix = ((x / size) as u64 * 0x9e37 + (y / size) as u64 * 0x85eb + seed)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mix >> 40) & 1 == 1
            };
            let walls = Field::from_fn(nx, ny, at);
            let regions = Regions::new(&walls);
            for x in 0..nx {
                for y in 0..ny {
                    let walk = (0..=y).rev().find(|&y| walls[(x, y)] == solid);
                    prop_assert_eq!(regions.first_above(x, y, solid), walk);
                }
            }
            prop_assert_eq!(regions.walls(), walls);
        }
    }
}
