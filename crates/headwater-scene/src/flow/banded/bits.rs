//! [`Bits`]: what is so in some cells of a world that is never in memory as a whole.

/// A bit for each cell of a grid.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    nx: usize,
    words: Vec<u64>,
}

impl Bits {
    pub(super) fn new(nx: usize, ny: usize) -> Self {
        Self { nx, words: vec![0; (nx * ny).div_ceil(64)] }
    }

    pub(super) fn get(&self, x: usize, y: usize) -> bool {
        let i = y * self.nx + x;
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, x: usize, y: usize, to: bool) {
        let i = y * self.nx + x;
        let bit = 1 << (i % 64);
        if to { self.words[i / 64] |= bit } else { self.words[i / 64] &= !bit }
    }
}
