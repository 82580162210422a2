//! Hillslope diffusion ∂z/∂t = D·∇²z, implicit in time, solved first along rows, then along
//! columns. Fluxes are integers in fixed-point units, so mass is conserved exactly. Cells on open
//! edges keep their height. No material crosses the other edges.

use super::super::params::{EdgeKind, Edges};
use crate::hydrology::state::grid::Grid;
use crate::parallel;
use crate::scratch::ScratchPool;
use std::ops::Deref;
use std::sync::atomic::{AtomicI64, Ordering};

/// Number of columns per parallel task.
const COLUMNS_PER_TASK: usize = 64;

/// Tridiagonal system of equations for one line of cells (a row or a column). All rows share one
/// system, and all columns share another.
pub(in super::super) struct TridiagonalLine<V> {
    /// Diffusion number D·Δt/Δx² (dimensionless).
    r: f64,
    /// Whether each end cell of the line (first, last) keeps its height.
    is_end_fixed: [bool; 2],
    /// Inverse pivots of the forward elimination, one per cell.
    inverse_pivots: V,
}

impl TridiagonalLine<Vec<f64>> {
    pub(in super::super) fn new(r: f64, is_end_fixed: [bool; 2], count: usize) -> Self {
        let mut inverse_pivots = Vec::new();
        compute_inverse_pivots(r, is_end_fixed, count, &mut inverse_pivots);
        Self { r, is_end_fixed, inverse_pivots }
    }

    pub(in super::super) fn solve_to_vec(&self, heights: &[f64]) -> Vec<f64> {
        let mut line = Vec::new();
        self.solve_line(heights.iter().copied(), &mut line);
        line
    }
}

fn compute_inverse_pivots(r: f64, is_end_fixed: [bool; 2], count: usize, inverse: &mut Vec<f64>) {
    inverse.clear();
    // Coupling to the previous cell, which is 0 if the previous cell is fixed.
    let mut before = 0.0;
    for i in 0..count {
        let (first, last) = (i == 0, i + 1 == count);
        let is_fixed = first && is_end_fixed[0] || last && is_end_fixed[1];
        let sides = if first || last { 1.0 } else { 2.0 };
        let pivot = if is_fixed { 1.0 } else { 1.0 + sides * r - r * r * before };
        before = if is_fixed { 0.0 } else { 1.0 / pivot };
        inverse.push(1.0 / pivot);
    }
}

impl<V: Deref<Target = [f64]>> TridiagonalLine<V> {
    pub(in super::super) fn is_fixed(&self, i: usize) -> bool {
        i == 0 && self.is_end_fixed[0] || i + 1 == self.inverse_pivots.len() && self.is_end_fixed[1]
    }

    /// Performs the forward elimination for one cell. `z` is the height of cell `i` before the
    /// step, and `before` is the eliminated right-hand side of the previous cell. Returns the
    /// eliminated right-hand side of cell `i`.
    pub(in super::super) fn eliminate(&self, i: usize, z: f64, before: f64) -> f64 {
        let z = if self.is_fixed(i) || i == 0 { z } else { z + self.r * before };
        z * self.inverse_pivots[i]
    }

    /// Performs the back substitution for one cell. `rhs` is the eliminated right-hand side of
    /// cell `i`, and `next_height` is the new height of the next cell. Returns the new height of
    /// cell `i`.
    pub(in super::super) fn substitute(&self, i: usize, rhs: f64, next_height: f64) -> f64 {
        let is_uncoupled = self.is_fixed(i) || i + 1 == self.inverse_pivots.len();
        if is_uncoupled { rhs } else { rhs + self.r * self.inverse_pivots[i] * next_height }
    }

    /// Solves the system for a line of cells. `heights` are the heights before the step. Writes the
    /// heights after the step to `line`.
    fn solve_line(&self, heights: impl Iterator<Item = f64>, line: &mut Vec<f64>) {
        line.clear();
        let mut before = 0.0;
        for (i, z) in heights.enumerate() {
            before = self.eliminate(i, z, before);
            line.push(before);
        }
        let mut after = 0.0;
        for (i, z) in line.iter_mut().enumerate().rev() {
            after = self.substitute(i, *z, after);
            *z = after;
        }
    }

    pub(in super::super) fn flux(&self, before: f64, z: f64) -> i64 {
        (self.r * (z - before)).round() as i64
    }
}

#[derive(Clone, Copy)]
pub(in super::super) struct HillslopeDiffusion<'a> {
    pub(in super::super) grid: Grid,
    pub(in super::super) edges: &'a Edges,
    pub(in super::super) r: f64,
}

/// Diffuses the heights of the ground for one step, and adjusts the soil on it. Returns the volume
/// that leaves across open edges (quanta of 2⁻²⁰ m times the cell area), which is negative for
/// inflow.
pub(in super::super) fn diffuse(
    HillslopeDiffusion { grid, edges, r }: HillslopeDiffusion,
    [bed, soil]: [&mut [i64]; 2],
    buffer: &mut Vec<i64>,
    scratch: &ScratchPool,
) -> i64 {
    let outflow =
        AtomicI64::new(diffuse_rows(HillslopeDiffusion { grid, edges, r }, [bed, soil], scratch));
    let mut inverse = scratch.take_vec();
    let is_end_fixed = [is_open(edges.north), is_open(edges.south)];
    compute_inverse_pivots(r, is_end_fixed, grid.ny, &mut inverse);
    let columns = TridiagonalLine { r, is_end_fixed, inverse_pivots: &inverse[..] };
    buffer.resize(grid.cell_count(), 0);
    let z: &[i64] = bed;
    let mut strips = scratch.take_filled(grid.nx.div_ceil(COLUMNS_PER_TASK), ());
    parallel::for_each_chunk_with_item(
        buffer,
        COLUMNS_PER_TASK * grid.ny,
        &mut strips,
        |i, strip, ()| {
            let mut line = scratch.take_vec();
            diffuse_columns(&columns, grid, z, i * COLUMNS_PER_TASK, strip, &mut line);
        },
    );
    let buffer: &[i64] = buffer;
    parallel::for_each_row_pair(bed, grid.nx, soil, grid.nx, |y, bed, soil| {
        let mut left = 0;
        for (i, (bed, soil)) in
            bed.chunks_mut(COLUMNS_PER_TASK).zip(soil.chunks_mut(COLUMNS_PER_TASK)).enumerate()
        {
            let width = bed.len();
            let change = &buffer[i * COLUMNS_PER_TASK * grid.ny + y * width..][..width];
            for (j, ((bed, soil), &change)) in bed.iter_mut().zip(soil).zip(change).enumerate() {
                let x = i * COLUMNS_PER_TASK + j;
                let is_fixed =
                    x == 0 && is_open(edges.west) || x + 1 == grid.nx && is_open(edges.east);
                if is_fixed {
                    continue;
                }
                if columns.is_fixed(y) {
                    left += change;
                    continue;
                }
                (*bed, *soil) = apply_change(*bed, *soil, change);
            }
        }
        outflow.fetch_add(left, Ordering::Relaxed);
    });
    outflow.into_inner()
}

fn is_open(kind: EdgeKind) -> bool {
    kind == EdgeKind::Open
}

/// Diffuses the ground along all rows. Returns the volume that leaves across open edges (quanta of
/// 2⁻²⁰ m times the cell area).
pub(in super::super) fn diffuse_rows(
    HillslopeDiffusion { grid, edges, r }: HillslopeDiffusion,
    [bed, soil]: [&mut [i64]; 2],
    scratch: &ScratchPool,
) -> i64 {
    let outflow = AtomicI64::new(0);
    let mut inverse = scratch.take_vec();
    let is_end_fixed = [is_open(edges.west), is_open(edges.east)];
    compute_inverse_pivots(r, is_end_fixed, grid.nx, &mut inverse);
    let rows = TridiagonalLine { r, is_end_fixed, inverse_pivots: &inverse[..] };
    let is_fixed =
        |y: usize| y == 0 && is_open(edges.north) || y + 1 == grid.ny && is_open(edges.south);
    parallel::for_each_row_pair(bed, grid.nx, soil, grid.nx, |y, bed, soil| {
        if !is_fixed(y) {
            let mut line = scratch.take_vec();
            outflow.fetch_add(diffuse_row(&rows, bed, soil, &mut line), Ordering::Relaxed);
        }
    });
    outflow.into_inner()
}

/// Returns the height of the ground and the soil thickness of a cell after a height change (quanta
/// of 2⁻²⁰ m). Negative changes remove soil first, then rock.
pub(in super::super) fn apply_change(bed: i64, soil: i64, change: i64) -> (i64, i64) {
    (bed + change, (soil + change).max(0))
}

/// Diffuses the ground along a row. Returns the volume that flows into the cells of fixed height
/// and so leaves the map (quanta of 2⁻²⁰ m times the cell area).
fn diffuse_row(
    lines: &TridiagonalLine<&[f64]>,
    bed: &mut [i64],
    soil: &mut [i64],
    line: &mut Vec<f64>,
) -> i64 {
    lines.solve_line(bed.iter().map(|&z| z as f64), line);
    let (mut outflow, mut back) = (0, 0);
    for i in 0..bed.len() {
        let next = line.get(i + 1).map_or(0, |&z| lines.flux(line[i], z));
        let change = next - back;
        back = next;
        if lines.is_fixed(i) {
            outflow += change;
        } else {
            (bed[i], soil[i]) = apply_change(bed[i], soil[i], change);
        }
    }
    outflow
}

/// Diffuses the ground along adjacent columns, starting at column `first`. Writes the height change
/// of each cell (quanta of 2⁻²⁰ m) to `strip`, which holds these columns row by row.
fn diffuse_columns(
    lines: &TridiagonalLine<&[f64]>,
    grid: Grid,
    bed: &[i64],
    first: usize,
    strip: &mut [i64],
    line: &mut Vec<i64>,
) {
    let width = strip.len() / grid.ny;
    // The buffer of integers holds the bits of floats.
    let number = |bits: i64| f64::from_bits(bits as u64);
    let bits = |number: f64| number.to_bits() as i64;
    for y in 0..grid.ny {
        let (above, rows) = strip.split_at_mut(y * width);
        let above = above.rchunks_exact(width).next();
        for (x, right) in rows[..width].iter_mut().enumerate() {
            let before = above.map_or(0.0, |above| number(above[x]));
            *right = bits(lines.eliminate(y, bed[y * grid.nx + first + x] as f64, before));
        }
    }
    for y in (0..grid.ny - 1).rev() {
        let (rows, below) = strip.split_at_mut((y + 1) * width);
        for (z, &after) in rows[y * width..].iter_mut().zip(below.iter()) {
            *z = bits(lines.substitute(y, number(*z), number(after)));
        }
    }
    // Flux upward across the upper side of each cell.
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
