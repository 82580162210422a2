//! Banks that rivers undercut.
//!
//! Drops cut channels of one cell, but water eats at banks too, most at the outside of bends. A
//! bank gives a part of what the channel beside it is cut; the next drops carry that away.

use super::grid::{DIRECTIONS, Grid};
use crate::parallel;
use multiversion::multiversion;

/// Part (a power of two) of a bank's height that it gives at most to one of eight neighbours in a
/// step.
const MOST: u32 = 4;
/// The most that falls from one cell to another in a step (quanta; 64 m): what comes from all around fits 32 bits.
const HIGHEST: f32 = (1 << 26) as f32;
/// Numbers from here to twice as far have no parts below 1, and their last bits are those of a whole number.
const WHOLE: f64 = (1_u64 << 52) as f64;
/// Cells that are looked at together, and those of a row of them: one more to each side.
const SPAN: usize = 64;
const WIDE: usize = SPAN + 2;
/// How far (quanta) heights that are looked at together may lie apart.
const FAR: i64 = 1 << 30;

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

/// Part of a channel's cut that falls from a bank in a direction (of length 1 with `length`),
/// without roots: even on straight reaches, double where water runs against it, none upstream.
#[inline(always)]
fn share(part: f32, [u, v]: [f32; 2], [east, south]: [f32; 2], length: f32) -> f32 {
    let against = ((u * east + v * south) * length).clamp(-1.0, 1.0);
    part * 0.125 * (1.0 + against)
}

/// What falls, in whole quanta up to the most. A saturating cast would not be vectorised.
#[inline(always)]
fn whole(falls: f32) -> i32 {
    let falls = if falls < HIGHEST { falls } else { HIGHEST };
    (f64::from(falls) + WHOLE).to_bits() as i32
}

const LENGTHS: [f32; 2] = [1.0, std::f32::consts::FRAC_1_SQRT_2];

impl Undercut<'_> {
    fn direction(&self, cell: usize) -> [f32; 2] {
        self.momentum[cell].map(|m| m / self.area[cell].max(1e-6))
    }

    /// How much of what would fall from a bank its roots let go.
    fn loose(&self, bank: usize) -> f32 {
        1.0 - self.roots * self.cover[bank].min(1.0)
    }

    /// What falls from a bank into a channel beside it (quanta), which lies in direction `k` from the channel.
    fn fall(&self, bank: usize, channel: usize, k: usize) -> i64 {
        let cut = self.before[channel] - self.bed[channel];
        let height = self.bed[bank] - self.bed[channel];
        if cut <= 0 || height <= 0 {
            return 0;
        }
        let way = [DIRECTIONS[k].0 as f32, DIRECTIONS[k].1 as f32];
        let share = share(self.part, self.direction(channel), way, LENGTHS[k % 2]);
        i64::from(whole(cut as f32 * (share * self.loose(bank)))).min(height >> MOST)
    }

    pub(super) fn run(&self, change: &mut Vec<i32>) {
        let grid = self.grid;
        change.resize(grid.cells(), 0);
        parallel::for_each_row(change, grid.nx, |y, row| self.row(y, row));
    }

    /// That of a row: in spans where all neighbours are on the map and heights are near one another, else cell by cell.
    fn row(&self, y: usize, change: &mut [i32]) {
        let Grid { nx, ny } = self.grid;
        if y == 0 || y + 1 == ny || nx < WIDE {
            return self.plain((0, y), change);
        }
        let mut window = [EMPTY; 3];
        for start in (1..nx - 1).step_by(SPAN) {
            // The last one begins where it still has room.
            let start = start.min(nx - 1 - SPAN);
            let cells = &mut change[start..start + SPAN];
            match self.take(y * nx + start, &mut window) {
                Taken::Quiet => cells.fill(0),
                Taken::Near => changes(self.part, &window, cells),
                Taken::Far => self.plain((start, y), cells),
            }
        }
        self.plain((0, y), &mut change[..1]);
        self.plain((nx - 1, y), &mut change[nx - 1..]);
    }

    fn plain(&self, (x, y): (usize, usize), change: &mut [i32]) {
        for (i, change) in change.iter_mut().enumerate() {
            let cell = y * self.grid.nx + x + i;
            let around = DIRECTIONS.iter().enumerate().filter_map(|(k, &way)| {
                let beside = self.grid.beside((x + i, y), way)?;
                // From the neighbour, this cell lies the other way.
                Some(self.fall(beside, cell, k) - self.fall(cell, beside, (k + 4) % 8))
            });
            *change = around.sum::<i64>() as i32;
        }
    }

    fn take(&self, first: usize, window: &mut [Row; 3]) -> Taken {
        let nx = self.grid.nx;
        let base = self.bed[first];
        let (mut far, mut cut) = (false, 0);
        for (k, row) in window.iter_mut().enumerate() {
            let start = first + k * nx - nx - 1;
            let cells = start..start + WIDE;
            let lands = (&self.bed[cells.clone()], &self.before[cells.clone()]);
            let [most, cuts] = heights(base, lands, row);
            (far, cut) = (far | (most >= FAR), cut | cuts);
        }
        if cut <= 0 && !far {
            return Taken::Quiet;
        }
        for (k, row) in window.iter_mut().enumerate() {
            let start = first + k * nx - nx - 1;
            let cells = start..start + WIDE;
            let flows = (&self.area[cells.clone()], &self.momentum[cells.clone()]);
            waters(flows, &self.cover[cells], self.roots, row);
        }
        if far { Taken::Far } else { Taken::Near }
    }
}

enum Taken {
    /// No channel is cut there.
    Quiet,
    Near,
    /// Heights are too far apart.
    Far,
}

#[derive(Clone, Copy)]
struct Row {
    /// Heights above that of the window, and how much each was cut, 0 or above.
    height: [i32; WIDE],
    cut: [f32; WIDE],
    /// Direction of the water, and what roots let go.
    east: [f32; WIDE],
    south: [f32; WIDE],
    loose: [f32; WIDE],
}

const EMPTY: Row = Row {
    height: [0; WIDE],
    cut: [0.0; WIDE],
    east: [0.0; WIDE],
    south: [0.0; WIDE],
    loose: [0.0; WIDE],
};

/// Takes heights and cuts into a row; gives a bound of how far heights are apart, and above 0 if a cell was cut.
#[multiversion(targets = "simd")]
fn heights(base: i64, (bed, before): (&[i64], &[i64]), row: &mut Row) -> [i64; 2] {
    let (mut most, mut cuts) = (0, 0);
    for (((height, to), &z), &was) in row.height.iter_mut().zip(&mut row.cut).zip(bed).zip(before) {
        let (above, cut) = (z.wrapping_sub(base), was.wrapping_sub(z).max(0));
        // All bits that a near one has not: its own sign throughout.
        most |= (above ^ (above >> 63)) | cut;
        cuts |= cut;
        *height = above as i32;
        *to = cut as i32 as f32;
    }
    [most, cuts]
}

#[multiversion(targets = "simd")]
fn waters((area, momentum): (&[f32], &[[f32; 2]]), cover: &[f32], roots: f32, row: &mut Row) {
    for i in 0..WIDE {
        let area = area[i].max(1e-6);
        row.east[i] = momentum[i][0] / area;
        row.south[i] = momentum[i][1] / area;
        row.loose[i] = 1.0 - roots * cover[i].min(1.0);
    }
}

#[multiversion(targets = "simd")]
fn changes(part: f32, [above, here, below]: &[Row; 3], change: &mut [i32]) {
    let mut sums = [0; SPAN];
    // By rows, and the columns that cells stand at in them; 1 is their own.
    exchange::<0>(part, here, above, [-1.0, -1.0], &mut sums);
    exchange::<1>(part, here, above, [0.0, -1.0], &mut sums);
    exchange::<2>(part, here, above, [1.0, -1.0], &mut sums);
    exchange::<0>(part, here, here, [-1.0, 0.0], &mut sums);
    exchange::<2>(part, here, here, [1.0, 0.0], &mut sums);
    exchange::<0>(part, here, below, [-1.0, 1.0], &mut sums);
    exchange::<1>(part, here, below, [0.0, 1.0], &mut sums);
    exchange::<2>(part, here, below, [1.0, 1.0], &mut sums);
    change.copy_from_slice(&sums);
}

#[inline(always)]
fn exchange<const COLUMN: usize>(
    part: f32,
    row: &Row,
    beside: &Row,
    way: [f32; 2],
    sums: &mut [i32; SPAN],
) {
    let length = LENGTHS[usize::from(way[0] != 0.0 && way[1] != 0.0)];
    let back = way.map(|w| -w);
    for (i, sum) in sums.iter_mut().enumerate() {
        let (own, other) = (i + 1, i + COLUMN);
        let height = beside.height[other] - row.height[own];
        let gets = share(part, [row.east[own], row.south[own]], way, length);
        let gives = share(part, [beside.east[other], beside.south[other]], back, length);
        let gets = whole(row.cut[own] * (gets * beside.loose[other]));
        let gives = whole(beside.cut[other] * (gives * row.loose[own]));
        *sum += gets.min(height.max(0) >> MOST) - gives.min((-height).max(0) >> MOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What three columns of banks beside a channel from north to south get, where water runs in a direction.
    fn beside(way: [f32; 2]) -> [i64; 3] {
        let grid = Grid { nx: 3, ny: 5 };
        let cells = grid.cells();
        let bed: Vec<i64> = (0..cells).map(|i| if i % 3 == 1 { 0 } else { 100_000 }).collect();
        let before: Vec<i64> = bed.iter().map(|&z| if z == 0 { 1600 } else { z }).collect();
        let undercut = Undercut {
            grid,
            before: &before,
            bed: &bed,
            area: &vec![10.0; cells],
            momentum: &vec![way.map(|w| 10.0 * w); cells],
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

    proptest! {
        #[test]
        fn spans_fall_as_cells_do_and_nothing_is_lost(
            (nx, seed) in (3..220_usize, 0..1_u64 << 40),
            rough in prop_oneof![2..200_i64, 1 << 10..1_i64 << 29, 1 << 32..1_i64 << 36],
            (cut, rare) in (prop_oneof![1..1_i64 << 28, 1 << 30..1_i64 << 40], 1..2000_u64),
        ) {
            let grid = Grid { nx, ny: 6 };
            let chance = |i: usize, salt: u64| {
                let z = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (seed + salt);
                let z = (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                (z ^ (z >> 32)) >> 20
            };
            let all = 0..grid.cells();
            let bed: Vec<i64> = all.clone().map(|i| chance(i, 0) as i64 % rough).collect();
            let cuts = |i| if chance(i, 1) % rare == 0 { chance(i, 2) as i64 % (2 * cut) - cut } else { 0 };
            let before: Vec<i64> = all.clone().map(|i| bed[i] + cuts(i)).collect();
            let part = |i: usize, salt| (chance(i, salt) % 1001) as f32 / 500.0 - 1.0;
            let area: Vec<f32> = all.clone().map(|i| (chance(i, 3) % 900) as f32).collect();
            let momentum: Vec<_> = all.clone().map(|i| [4, 5].map(|s| area[i] * part(i, s))).collect();
            let cover: Vec<f32> = all.map(|i| 1.0 + part(i, 6)).collect();
            let (bed, before) = (&bed[..], &before[..]);
            let (area, momentum, cover) = (&area[..], &momentum[..], &cover[..]);
            let undercut = Undercut { grid, before, bed, area, momentum, cover, roots: 0.7, part: 1.3 };
            let (mut fast, mut slow) = (Vec::new(), vec![0; nx]);
            undercut.run(&mut fast);
            for y in 0..grid.ny {
                undercut.plain((0, y), &mut slow);
                prop_assert_eq!(&fast[y * nx..][..nx], &slow);
            }
            prop_assert_eq!(fast.iter().map(|&z| i64::from(z)).sum::<i64>(), 0);
        }
    }
}
