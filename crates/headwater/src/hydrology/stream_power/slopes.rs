//! Creep that rounds hills: ∂z/∂t = D·∇²z, backward in time along rows, then columns. Fluxes are
//! whole quanta, so none is lost. Cells on open edges stay; nothing crosses other edges.

use super::super::grid::Grid;
use super::super::params::{EdgeKind, Edges};
use crate::parallel;
use crate::scratch::ScratchPool;
use std::ops::Deref;
use std::sync::atomic::{AtomicI64, Ordering};

/// Columns that a task takes through the map together.
const STRIP: usize = 64;

/// A line of cells along one direction. All lines of a direction are alike.
pub(in super::super) struct Line<V> {
    /// D·Δt over the square of a cell's size.
    r: f64,
    /// Whether the first and the last cell stay as they are.
    fixed: [bool; 2],
    /// 1 over the pivots of the elimination, one for each cell.
    inverse: V,
}

impl Line<Vec<f64>> {
    pub(in super::super) fn new(r: f64, fixed: [bool; 2], count: usize) -> Self {
        let mut inverse = Vec::new();
        pivots(r, fixed, count, &mut inverse);
        Self { r, fixed, inverse }
    }

    pub(in super::super) fn solved(&self, heights: &[f64]) -> Vec<f64> {
        let mut line = Vec::new();
        self.solve(heights.iter().copied(), &mut line);
        line
    }
}

fn pivots(r: f64, fixed: [bool; 2], count: usize, inverse: &mut Vec<f64>) {
    inverse.clear();
    // What a cell's height depends on that of the one before; a fixed cell's does not.
    let mut before = 0.0;
    for i in 0..count {
        let (first, last) = (i == 0, i + 1 == count);
        let stays = first && fixed[0] || last && fixed[1];
        let sides = if first || last { 1.0 } else { 2.0 };
        let pivot = if stays { 1.0 } else { 1.0 + sides * r - r * r * before };
        before = if stays { 0.0 } else { 1.0 / pivot };
        inverse.push(1.0 / pivot);
    }
}

impl<V: Deref<Target = [f64]>> Line<V> {
    pub(in super::super) fn is_fixed(&self, i: usize) -> bool {
        i == 0 && self.fixed[0] || i + 1 == self.inverse.len() && self.fixed[1]
    }

    /// Elimination: the right side of cell `i` from its height and what came out for the one before.
    pub(in super::super) fn forward(&self, i: usize, z: f64, before: f64) -> f64 {
        let z = if self.is_fixed(i) || i == 0 { z } else { z + self.r * before };
        z * self.inverse[i]
    }

    /// The height of cell `i` from its right side and the height of the one after.
    pub(in super::super) fn back(&self, i: usize, right: f64, after: f64) -> f64 {
        let alone = self.is_fixed(i) || i + 1 == self.inverse.len();
        if alone { right } else { right + self.r * self.inverse[i] * after }
    }

    /// The heights after the step, into `line`.
    fn solve(&self, heights: impl Iterator<Item = f64>, line: &mut Vec<f64>) {
        line.clear();
        let mut before = 0.0;
        for (i, z) in heights.enumerate() {
            before = self.forward(i, z, before);
            line.push(before);
        }
        let mut after = 0.0;
        for (i, z) in line.iter_mut().enumerate().rev() {
            after = self.back(i, *z, after);
            *z = after;
        }
    }

    pub(in super::super) fn flux(&self, before: f64, z: f64) -> i64 {
        (self.r * (z - before)).round() as i64
    }
}

#[derive(Clone, Copy)]
pub(in super::super) struct Hills<'a> {
    pub(in super::super) grid: Grid,
    pub(in super::super) edges: &'a Edges,
    pub(in super::super) r: f64,
}

/// Lets hills creep: ground and soil on it (quanta). Returns what has left over open edges (quanta;
/// below 0, what has come).
pub(in super::super) fn creep(
    Hills { grid, edges, r }: Hills,
    [bed, soil]: [&mut [i64]; 2],
    room: &mut Vec<i64>,
    scratch: &ScratchPool,
) -> i64 {
    let gone = AtomicI64::new(along_rows(Hills { grid, edges, r }, [bed, soil], scratch));
    let mut inverse = scratch.vec();
    let fixed = [open(edges.north), open(edges.south)];
    pivots(r, fixed, grid.ny, &mut inverse);
    let columns = Line { r, fixed, inverse: &inverse[..] };
    room.resize(grid.cells(), 0);
    let z: &[i64] = bed;
    let mut strips = scratch.filled(grid.nx.div_ceil(STRIP), ());
    parallel::for_each_pair(room, STRIP * grid.ny, &mut strips, |i, strip, ()| {
        let mut line = scratch.vec();
        across(&columns, grid, z, i * STRIP, strip, &mut line);
    });
    let room: &[i64] = room;
    parallel::for_each_row_pair(bed, grid.nx, soil, grid.nx, |y, bed, soil| {
        let mut left = 0;
        for (i, (bed, soil)) in bed.chunks_mut(STRIP).zip(soil.chunks_mut(STRIP)).enumerate() {
            let width = bed.len();
            let change = &room[i * STRIP * grid.ny + y * width..][..width];
            for (j, ((bed, soil), &change)) in bed.iter_mut().zip(soil).zip(change).enumerate() {
                let x = i * STRIP + j;
                let stays = x == 0 && open(edges.west) || x + 1 == grid.nx && open(edges.east);
                if stays {
                    continue;
                }
                if columns.is_fixed(y) {
                    left += change;
                    continue;
                }
                (*bed, *soil) = moved(*bed, *soil, change);
            }
        }
        gone.fetch_add(left, Ordering::Relaxed);
    });
    gone.into_inner()
}

fn open(kind: EdgeKind) -> bool {
    kind == EdgeKind::Open
}

/// Along all rows. Gives what has left over open edges (quanta).
pub(in super::super) fn along_rows(
    Hills { grid, edges, r }: Hills,
    [bed, soil]: [&mut [i64]; 2],
    scratch: &ScratchPool,
) -> i64 {
    let gone = AtomicI64::new(0);
    let mut inverse = scratch.vec();
    let fixed = [open(edges.west), open(edges.east)];
    pivots(r, fixed, grid.nx, &mut inverse);
    let rows = Line { r, fixed, inverse: &inverse[..] };
    let stays = |y: usize| y == 0 && open(edges.north) || y + 1 == grid.ny && open(edges.south);
    parallel::for_each_row_pair(bed, grid.nx, soil, grid.nx, |y, bed, soil| {
        if !stays(y) {
            let mut line = scratch.vec();
            gone.fetch_add(along(&rows, bed, soil, &mut line), Ordering::Relaxed);
        }
    });
    gone.into_inner()
}

/// Ground and soil after a change (quanta): soil goes first, then rock.
pub(in super::super) fn moved(bed: i64, soil: i64, change: i64) -> (i64, i64) {
    (bed + change, (soil + change).max(0))
}

/// Along a row. Gives what has come to cells that stay as they are, and so has left.
fn along(lines: &Line<&[f64]>, bed: &mut [i64], soil: &mut [i64], line: &mut Vec<f64>) -> i64 {
    lines.solve(bed.iter().map(|&z| z as f64), line);
    let (mut gone, mut back) = (0, 0);
    for i in 0..bed.len() {
        let next = line.get(i + 1).map_or(0, |&z| lines.flux(line[i], z));
        let change = next - back;
        back = next;
        if lines.is_fixed(i) {
            gone += change;
        } else {
            (bed[i], soil[i]) = moved(bed[i], soil[i], change);
        }
    }
    gone
}

/// Across the rows, in a strip of columns from `first` on. The strip becomes what each of its cells gains (quanta).
fn across(
    lines: &Line<&[f64]>,
    grid: Grid,
    bed: &[i64],
    first: usize,
    strip: &mut [i64],
    line: &mut Vec<i64>,
) {
    let width = strip.len() / grid.ny;
    // Numbers with fractions in the room of whole ones.
    let number = |bits: i64| f64::from_bits(bits as u64);
    let bits = |number: f64| number.to_bits() as i64;
    for y in 0..grid.ny {
        let (above, rows) = strip.split_at_mut(y * width);
        let above = above.rchunks_exact(width).next();
        for (x, right) in rows[..width].iter_mut().enumerate() {
            let before = above.map_or(0.0, |above| number(above[x]));
            *right = bits(lines.forward(y, bed[y * grid.nx + first + x] as f64, before));
        }
    }
    for y in (0..grid.ny - 1).rev() {
        let (rows, below) = strip.split_at_mut((y + 1) * width);
        for (z, &after) in rows[y * width..].iter_mut().zip(below.iter()) {
            *z = bits(lines.back(y, number(*z), number(after)));
        }
    }
    // What goes up over the upper side of each cell.
    line.clear();
    line.resize(width, 0);
    for y in 0..grid.ny {
        let (rows, below) = strip.split_at_mut((y + 1) * width);
        for (x, (z, up)) in rows[y * width..].iter_mut().zip(line.iter_mut()).enumerate() {
            let next = below.get(x).map_or(0, |&below| lines.flux(number(*z), number(below)));
            *z = next - *up;
            *up = next;
        }
    }
}
