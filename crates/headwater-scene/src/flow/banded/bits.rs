//! [`Bits`]: what is so in some cells of a world that nobody has as a whole.

use std::ops::Range;

/// A bit for each cell of some rows of a grid.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    pub(super) nx: usize,
    pub(super) rows: Range<usize>,
    words: Vec<u64>,
}

impl Bits {
    pub(super) fn new(nx: usize, rows: Range<usize>) -> Self {
        let words = vec![0; (nx * rows.len()).div_ceil(64)];
        Self { nx, rows, words }
    }

    pub(super) fn get(&self, x: usize, y: usize) -> bool {
        let i = (y - self.rows.start) * self.nx + x;
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, x: usize, y: usize, to: bool) {
        let i = (y - self.rows.start) * self.nx + x;
        let bit = 1 << (i % 64);
        if to { self.words[i / 64] |= bit } else { self.words[i / 64] &= !bit }
    }
}
