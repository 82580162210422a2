//! Undercutting of banks by rivers.
//!
//! Drops cut channels one cell wide. Real rivers also erode their banks, most strongly on the
//! outside of bends. In this model, each bank loses a fraction of the incision of the adjacent
//! channel, and later drops carry the collapsed material away.

use crate::hydrology::state::grid::{DIRECTIONS, Grid};
use crate::parallel;
use multiversion::multiversion;

/// Base-2 logarithm of the divisor that limits the collapse of banks. In one step, a bank loses to
/// each neighbour at most the height difference between the two cells divided by this divisor.
const MAX_LOSS_SHIFT: u32 = 4;
/// Largest thickness of bank material that moves from one cell to another in a step (quanta of 2⁻²⁰
/// m; equal to 64 m). With this limit, the inflow from all neighbours fits in 32 bits.
const MAX_FALL: f32 = (1 << 26) as f32;
/// Offset for fast conversion of floating-point numbers to integers. All `f64` values from this
/// offset to twice the offset are integers, and their low mantissa bits hold the difference from
/// the offset.
const INTEGER_OFFSET: f64 = (1_u64 << 52) as f64;
/// Number of cells of a row that are processed in one pass.
const CELLS_PER_PASS: usize = 64;
const PADDED_CELLS: usize = CELLS_PER_PASS + 2;
/// Largest height difference within a window of cells for which 32-bit arithmetic is used (quanta
/// of 2⁻²⁰ m). Windows with larger differences are processed with 64-bit arithmetic.
const MAX_HEIGHT_RANGE: i64 = 1 << 30;

pub(in crate::hydrology) struct BankUndercutting<'a> {
    pub(in crate::hydrology) grid: Grid,
    /// Height of the ground in each cell before the drops of this step eroded it (quanta of 2⁻²⁰
    /// m).
    pub(in crate::hydrology) bed_before: &'a [i64],
    /// Height of the ground in each cell after the drops of this step eroded it (quanta of 2⁻²⁰ m).
    pub(in crate::hydrology) bed: &'a [i64],
    /// Upstream area of each cell (cells).
    pub(in crate::hydrology) area: &'a [f32],
    /// Mean direction of the drops in each cell (east, south), multiplied by the upstream area
    /// (cells).
    pub(in crate::hydrology) momentum: &'a [[f32; 2]],
    /// Density of the plant cover of each cell (dimensionless).
    pub(in crate::hydrology) cover: &'a [f32],
    /// Fraction of a bank collapse that the roots of a dense plant cover prevent.
    pub(in crate::hydrology) roots: f32,
    /// Material that all banks of a channel together lose, as a fraction of the channel's incision:
    /// the value of [`Params::undercutting`](crate::hydrology::Params::undercutting).
    pub(in crate::hydrology) undercut_fraction: f32,
}

/// Returns the thickness that collapses from one of the eight banks around a channel cell, as a
/// fraction of the channel's incision. Ignores the protection by roots. `undercut_fraction` is the
/// fraction that all banks together lose, and `[u, v]` is the direction of flow. `[east, south]` is
/// the direction to the bank, and `inverse_length` is the factor that normalises this vector.
///
/// The result is `undercut_fraction/8` for a bank beside a straight channel, twice as much for a
/// bank at which the flow is directed, and 0 for a bank in the upstream direction.
#[inline(always)]
fn collapse_fraction(
    undercut_fraction: f32,
    [u, v]: [f32; 2],
    [east, south]: [f32; 2],
    inverse_length: f32,
) -> f32 {
    let against = ((u * east + v * south) * inverse_length).clamp(-1.0, 1.0);
    undercut_fraction * 0.125 * (1.0 + against)
}

/// Truncates a thickness (quanta of 2⁻²⁰ m) to a whole number and limits it to [`MAX_FALL`]. A
/// saturating cast would prevent vectorisation.
#[inline(always)]
fn to_quanta(thickness: f32) -> i32 {
    let thickness = if thickness < MAX_FALL { thickness } else { MAX_FALL };
    (f64::from(thickness) + INTEGER_OFFSET).to_bits() as i32
}

const INVERSE_LENGTHS: [f32; 2] = [1.0, std::f32::consts::FRAC_1_SQRT_2];

impl BankUndercutting<'_> {
    fn flow_direction(&self, cell: usize) -> [f32; 2] {
        self.momentum[cell].map(|m| m / self.area[cell].max(1e-6))
    }

    /// Returns the fraction of a bank collapse that plant roots do not prevent.
    fn bare_fraction(&self, bank: usize) -> f32 {
        1.0 - self.roots * self.cover[bank].min(1.0)
    }

    /// Returns the thickness that collapses from a bank into an adjacent channel (quanta of 2⁻²⁰
    /// m). `direction_index` is the index of the direction from the channel to the bank.
    fn collapse_thickness(&self, bank: usize, channel: usize, direction_index: usize) -> i64 {
        let cut = self.bed_before[channel] - self.bed[channel];
        let height = self.bed[bank] - self.bed[channel];
        if cut <= 0 || height <= 0 {
            return 0;
        }
        let direction =
            [DIRECTIONS[direction_index].0 as f32, DIRECTIONS[direction_index].1 as f32];
        let share = collapse_fraction(
            self.undercut_fraction,
            self.flow_direction(channel),
            direction,
            INVERSE_LENGTHS[direction_index % 2],
        );
        i64::from(to_quanta(cut as f32 * (share * self.bare_fraction(bank))))
            .min(height >> MAX_LOSS_SHIFT)
    }

    pub(in crate::hydrology) fn run(&self, change: &mut Vec<i32>) {
        let grid = self.grid;
        change.resize(grid.cell_count(), 0);
        parallel::for_each_row(change, grid.nx, |y, row| self.compute_row(y, row));
    }

    /// Computes the height changes of the cells of row `y` (quanta of 2⁻²⁰ m). Uses vectorised
    /// windows where all neighbours are on the map and their heights are close together, and scalar
    /// code elsewhere.
    fn compute_row(&self, y: usize, change: &mut [i32]) {
        let Grid { nx, ny } = self.grid;
        if y == 0 || y + 1 == ny || nx < PADDED_CELLS {
            return self.compute_cells((0, y), change);
        }
        let mut window = [EMPTY; 3];
        for start in (1..nx - 1).step_by(CELLS_PER_PASS) {
            // The last window is shifted to end at the last inner cell.
            let start = start.min(nx - 1 - CELLS_PER_PASS);
            let cells = &mut change[start..start + CELLS_PER_PASS];
            match self.load_window(y * nx + start, &mut window) {
                WindowLoad::NoIncision => cells.fill(0),
                WindowLoad::InRange => compute_window(self.undercut_fraction, &window, cells),
                WindowLoad::OutOfRange => self.compute_cells((start, y), cells),
            }
        }
        self.compute_cells((0, y), &mut change[..1]);
        self.compute_cells((nx - 1, y), &mut change[nx - 1..]);
    }

    fn compute_cells(&self, (x, y): (usize, usize), change: &mut [i32]) {
        for (i, change) in change.iter_mut().enumerate() {
            let cell = y * self.grid.nx + x + i;
            let collapses = DIRECTIONS.iter().enumerate().filter_map(|(k, &direction)| {
                let neighbour = self.grid.neighbour((x + i, y), direction)?;
                // Seen from the neighbour, this cell lies in the opposite direction.
                Some(
                    self.collapse_thickness(neighbour, cell, k)
                        - self.collapse_thickness(cell, neighbour, (k + 4) % 8),
                )
            });
            *change = collapses.sum::<i64>() as i32;
        }
    }

    fn load_window(&self, first: usize, window: &mut [WindowRow; 3]) -> WindowLoad {
        let nx = self.grid.nx;
        let base = self.bed[first];
        let (mut far, mut cut) = (false, 0);
        for (k, row) in window.iter_mut().enumerate() {
            let start = first + k * nx - nx - 1;
            let cells = start..start + PADDED_CELLS;
            let lands = (&self.bed[cells.clone()], &self.bed_before[cells.clone()]);
            let [bound, cuts] = load_heights(base, lands, row);
            (far, cut) = (far | (bound >= MAX_HEIGHT_RANGE), cut | cuts);
        }
        if cut <= 0 && !far {
            return WindowLoad::NoIncision;
        }
        for (k, row) in window.iter_mut().enumerate() {
            let start = first + k * nx - nx - 1;
            let cells = start..start + PADDED_CELLS;
            let flows = (&self.area[cells.clone()], &self.momentum[cells.clone()]);
            load_flow_and_roots(flows, &self.cover[cells], self.roots, row);
        }
        if far { WindowLoad::OutOfRange } else { WindowLoad::InRange }
    }
}

enum WindowLoad {
    /// No cell in the window was incised, so nothing collapses.
    NoIncision,
    InRange,
    /// Heights in the window differ too much for 32-bit arithmetic.
    OutOfRange,
}

#[derive(Clone, Copy)]
struct WindowRow {
    /// Height of each cell relative to the window's base height (quanta of 2⁻²⁰ m).
    height: [i32; PADDED_CELLS],
    /// Incision of each cell in this step (quanta of 2⁻²⁰ m), at least 0.
    incision: [f32; PADDED_CELLS],
    /// Eastward component of the mean flow direction in each cell.
    east: [f32; PADDED_CELLS],
    south: [f32; PADDED_CELLS],
    /// Fraction of a bank collapse that plant roots do not prevent.
    unprotected_fraction: [f32; PADDED_CELLS],
}

const EMPTY: WindowRow = WindowRow {
    height: [0; PADDED_CELLS],
    incision: [0.0; PADDED_CELLS],
    east: [0.0; PADDED_CELLS],
    south: [0.0; PADDED_CELLS],
    unprotected_fraction: [0.0; PADDED_CELLS],
};

/// Loads one row of heights and incisions into the window. Heights are stored as offsets from the
/// height `base`. Returns two values: an upper bound on the absolute offsets and the incisions, and
/// a value that is positive if any cell was incised.
#[multiversion(targets = "simd")]
fn load_heights(base: i64, (bed, bed_before): (&[i64], &[i64]), row: &mut WindowRow) -> [i64; 2] {
    let (mut bound, mut cuts) = (0, 0);
    for (((height, to), &z), &was) in
        row.height.iter_mut().zip(&mut row.incision).zip(bed).zip(bed_before)
    {
        let (above, cut) = (z.wrapping_sub(base), was.wrapping_sub(z).max(0));
        // Collects bits that are 0 in every small difference, after removing its sign.
        bound |= (above ^ (above >> 63)) | cut;
        cuts |= cut;
        *height = above as i32;
        *to = cut as i32 as f32;
    }
    [bound, cuts]
}

#[multiversion(targets = "simd")]
fn load_flow_and_roots(
    (area, momentum): (&[f32], &[[f32; 2]]),
    cover: &[f32],
    roots: f32,
    row: &mut WindowRow,
) {
    for i in 0..PADDED_CELLS {
        let area = area[i].max(1e-6);
        row.east[i] = momentum[i][0] / area;
        row.south[i] = momentum[i][1] / area;
        row.unprotected_fraction[i] = 1.0 - roots * cover[i].min(1.0);
    }
}

#[multiversion(targets = "simd")]
fn compute_window(
    collapsed_fraction: f32,
    [above, here, below]: &[WindowRow; 3],
    change: &mut [i32],
) {
    let mut sums = [0; CELLS_PER_PASS];
    // The constant is the column of the neighbour relative to the cell's own column, which is 1.
    add_collapse::<0>(collapsed_fraction, here, above, [-1.0, -1.0], &mut sums);
    add_collapse::<1>(collapsed_fraction, here, above, [0.0, -1.0], &mut sums);
    add_collapse::<2>(collapsed_fraction, here, above, [1.0, -1.0], &mut sums);
    add_collapse::<0>(collapsed_fraction, here, here, [-1.0, 0.0], &mut sums);
    add_collapse::<2>(collapsed_fraction, here, here, [1.0, 0.0], &mut sums);
    add_collapse::<0>(collapsed_fraction, here, below, [-1.0, 1.0], &mut sums);
    add_collapse::<1>(collapsed_fraction, here, below, [0.0, 1.0], &mut sums);
    add_collapse::<2>(collapsed_fraction, here, below, [1.0, 1.0], &mut sums);
    change.copy_from_slice(&sums);
}

#[inline(always)]
fn add_collapse<const COLUMN: usize>(
    part: f32,
    row: &WindowRow,
    neighbour: &WindowRow,
    direction: [f32; 2],
    sums: &mut [i32; CELLS_PER_PASS],
) {
    let inverse_length = INVERSE_LENGTHS[usize::from(direction[0] != 0.0 && direction[1] != 0.0)];
    let back = direction.map(|w| -w);
    for (i, sum) in sums.iter_mut().enumerate() {
        let (own, other) = (i + 1, i + COLUMN);
        let height = neighbour.height[other] - row.height[own];
        let gain =
            collapse_fraction(part, [row.east[own], row.south[own]], direction, inverse_length);
        let loss = collapse_fraction(
            part,
            [neighbour.east[other], neighbour.south[other]],
            back,
            inverse_length,
        );
        let gain = to_quanta(row.incision[own] * (gain * neighbour.unprotected_fraction[other]));
        let loss = to_quanta(neighbour.incision[other] * (loss * row.unprotected_fraction[own]));
        *sum += gain.min(height.max(0) >> MAX_LOSS_SHIFT)
            - loss.min((-height).max(0) >> MAX_LOSS_SHIFT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the height changes of three cells in a column, from north to south: a bank, a
    /// channel and the other bank. `direction` is the direction of flow.
    fn bank_changes(direction: [f32; 2]) -> [i64; 3] {
        let grid = Grid { nx: 3, ny: 5 };
        let cells = grid.cell_count();
        let bed: Vec<i64> = (0..cells).map(|i| if i % 3 == 1 { 0 } else { 100_000 }).collect();
        let bed_before: Vec<i64> = bed.iter().map(|&z| if z == 0 { 1600 } else { z }).collect();
        let undercut = BankUndercutting {
            grid,
            bed_before: &bed_before,
            bed: &bed,
            area: &vec![10.0; cells],
            momentum: &vec![direction.map(|w| 10.0 * w); cells],
            cover: &vec![0.0; cells],
            roots: 0.7,
            undercut_fraction: 0.5,
        };
        let mut change = Vec::new();
        undercut.run(&mut change);
        assert_eq!(change.iter().map(|&z| i64::from(z)).sum::<i64>(), 0, "nothing is lost");
        [6, 7, 8].map(|i| i64::from(change[i]))
    }

    #[test]
    fn the_outer_bank_of_a_bend_loses_most() {
        let straight = bank_changes([0.0, 1.0]);
        assert!(straight[0] == straight[2] && (595..=600).contains(&straight[1]), "{straight:?}");
        let [west, channel, east] = bank_changes([0.7, 0.7]);
        assert!(east < 3 * west && west < 0 && channel == -west - east, "{west} {channel} {east}");
    }

    proptest! {
        #[test]
        fn windows_match_cells_and_conserve_mass(
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
            let all = 0..grid.cell_count();
            let bed: Vec<i64> = all.clone().map(|i| chance(i, 0) as i64 % rough).collect();
            let cuts = |i| if chance(i, 1) % rare == 0 { chance(i, 2) as i64 % (2 * cut) - cut } else { 0 };
            let bed_before: Vec<i64> = all.clone().map(|i| bed[i] + cuts(i)).collect();
            let part = |i: usize, salt| (chance(i, salt) % 1001) as f32 / 500.0 - 1.0;
            let area: Vec<f32> = all.clone().map(|i| (chance(i, 3) % 900) as f32).collect();
            let momentum: Vec<_> = all.clone().map(|i| [4, 5].map(|s| area[i] * part(i, s))).collect();
            let cover: Vec<f32> = all.map(|i| 1.0 + part(i, 6)).collect();
            let (bed, bed_before) = (&bed[..], &bed_before[..]);
            let (area, momentum, cover) = (&area[..], &momentum[..], &cover[..]);
            let undercut = BankUndercutting { grid, bed_before, bed, area, momentum, cover, roots: 0.7, undercut_fraction: 1.3 };
            let (mut fast, mut slow) = (Vec::new(), vec![0; nx]);
            undercut.run(&mut fast);
            for y in 0..grid.ny {
                undercut.compute_cells((0, y), &mut slow);
                prop_assert_eq!(&fast[y * nx..][..nx], &slow);
            }
            prop_assert_eq!(fast.iter().map(|&z| i64::from(z)).sum::<i64>(), 0);
        }
    }
}
