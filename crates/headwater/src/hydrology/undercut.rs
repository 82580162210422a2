//! Banks that rivers undercut.
//!
//! Drops cut the cell that they are in, and so channels of one cell whose edges are those of cells. Water eats at its banks as well,
//! most where it runs against them: at the outside of bends. So a bank gives a part of what the channel beside it is cut, and falls
//! into it; the drops after carry that away.

use super::grid::{DIRECTIONS, Grid};
use crate::parallel;

/// Of the height between a bank and its channel, the part that a bank gives at most in a step to one of eight neighbours: half
/// to all.
const MOST: i64 = 16;

/// What channels take of their banks.
pub(super) struct Undercut<'a> {
    pub(super) grid: Grid,
    /// Heights (quanta) before drops carved, and after it.
    pub(super) before: &'a [i64],
    pub(super) bed: &'a [i64],
    /// Cells that drain to a cell, and the mean direction of drops times that.
    pub(super) area: &'a [f32],
    pub(super) momentum: &'a [[f32; 2]],
    /// Cover of plants over each cell, and how much of the fall a dense one holds back.
    pub(super) cover: &'a [f32],
    pub(super) roots: f32,
    /// The part of a cut that banks all around a channel give: [`Params::undercutting`](super::Params::undercutting).
    pub(super) part: f32,
}

impl Undercut<'_> {
    /// What falls from a bank into a channel beside it (quanta), which lies in direction `k` from the channel.
    fn fall(&self, bank: usize, channel: usize, k: usize) -> i64 {
        let cut = self.before[channel] - self.bed[channel];
        let height = self.bed[bank] - self.bed[channel];
        if cut <= 0 || height <= 0 {
            return 0;
        }
        let (east, south) = DIRECTIONS[k];
        let length = if k % 2 == 0 { 1.0 } else { std::f32::consts::SQRT_2 };
        let [u, v] = self.momentum[channel];
        let against =
            (u * east as f32 + v * south as f32) / (self.area[channel].max(1e-6) * length);
        // As much on both sides of a straight reach, twice as much where water runs straight against a bank, none of
        // where it comes from.
        let held = 1.0 - self.roots * self.cover[bank].min(1.0);
        let part = self.part * held * 0.125 * (1.0 + against.clamp(-1.0, 1.0));
        ((cut as f32 * part) as i64).min(height / MOST)
    }

    /// How the height of each cell changes (quanta).
    pub(super) fn run(&self, change: &mut Vec<i32>) {
        let grid = self.grid;
        change.resize(grid.cells(), 0);
        parallel::for_each_row(change, grid.nx, |y, row| {
            for (x, change) in row.iter_mut().enumerate() {
                let cell = y * grid.nx + x;
                let around = DIRECTIONS.iter().enumerate().filter_map(|(k, &way)| {
                    let beside = grid.beside((x, y), way)?;
                    // From the neighbour, this cell lies the other way.
                    Some(self.fall(beside, cell, k) - self.fall(cell, beside, (k + 4) % 8))
                });
                // Cuts of a step fit: they are parts of differences in height between neighbours.
                *change = around.sum::<i64>().clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What three columns of banks beside a channel from north to south get, where water runs in a direction.
    fn beside(way: [f32; 2]) -> [i64; 3] {
        let grid = Grid { nx: 3, ny: 5 };
        let cells = grid.cells();
        let bed: Vec<i64> = (0..cells).map(|i| if i % 3 == 1 { 0 } else { 100_000 }).collect();
        let before: Vec<i64> = bed.iter().map(|&z| if z == 0 { 1600 } else { z }).collect();
        let (area, momentum) = (vec![10.0; cells], vec![way.map(|w| 10.0 * w); cells]);
        let (bed, before) = (&bed[..], &before[..]);
        let undercut = Undercut {
            grid,
            before,
            bed,
            area: &area,
            momentum: &momentum,
            cover: &vec![0.0; cells],
            roots: 0.7,
            part: 0.5,
        };
        let mut change = Vec::new();
        undercut.run(&mut change);
        assert_eq!(change.iter().map(|&z| i64::from(z)).sum::<i64>(), 0, "nothing is lost");
        [6, 7, 8].map(|i| i64::from(change[i]))
    }

    #[test]
    fn the_outside_of_a_bend_gives_most() {
        let straight = beside([0.0, 1.0]);
        assert!(straight[0] == straight[2] && (595..=600).contains(&straight[1]), "{straight:?}");
        let [west, channel, east] = beside([0.7, 0.7]);
        assert!(east < 3 * west && west < 0 && channel == -west - east, "{west} {channel} {east}");
    }
}
