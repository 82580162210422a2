//! What drops find in a cell, put together before a batch: a step reads it from one place.

use super::grid::Grid;
use super::pace::Pace;
use crate::parallel;
use multiversion::multiversion;

/// A cell, as it is for a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(32))]
pub(super) struct Spot {
    /// The height (m).
    pub(super) height: f32,
    /// What a drop gains of speed: by the slope, and by the stream that it is in.
    pub(super) push: [f32; 2],
    /// How strong the stream is, 0 to 1.
    pub(super) strength: f32,
    /// The leaf of the hierarchy of depressions.
    pub(super) label: u32,
    /// The root of the cells that drain there, and the part of the erosion that plants leave.
    pub(super) width: f32,
    pub(super) bare: f32,
}

/// The maps that spots are made of.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) grid: Grid,
    /// Size of a cell (m).
    pub(super) size: f32,
    pub(super) pace: Pace,
    /// As [`Params::momentum`](super::Params::momentum) and [`Params::roots`](super::Params::roots).
    pub(super) momentum: f32,
    pub(super) roots: f32,
    /// Heights (m), cells that drain to each, their mean direction times that, cover of plants, and leaves.
    pub(super) heights: &'a [f32],
    pub(super) area: &'a [f32],
    pub(super) momenta: &'a [[f32; 2]],
    pub(super) cover: &'a [f32],
    pub(super) label: &'a [u32],
}

/// Cells of a row that are put together at once.
const SPAN: usize = 64;

impl Sources<'_> {
    /// Puts together all spots. `spots` lends its memory.
    pub(super) fn gather(&self, spots: &mut Vec<Spot>) {
        let Grid { nx, ny } = self.grid;
        spots.resize(nx * ny, Spot::default());
        parallel::for_each_row(spots, nx, |y, row| {
            let of_row = |y: usize| &self.heights[y * nx..][..nx];
            let rows = [of_row(y.saturating_sub(1)), of_row(y), of_row((y + 1).min(ny - 1))];
            for (k, spots) in row.chunks_mut(SPAN).enumerate() {
                let mut falls = [[0.0; SPAN]; 2];
                slopes(rows, k * SPAN, self.size, &mut falls);
                fill(self, y * nx + k * SPAN, &falls, spots);
            }
        });
    }
}

/// The slopes of the eight triangles around cells (m per m), falling towards the east and the south: from one of a row on, of
/// the row above, its own, and the one below. What lies off the map is as high as what lies on its edge.
fn slopes(rows: [&[f32]; 3], first: usize, size: f32, falls: &mut [[f32; SPAN]; 2]) {
    let mut near = [[0.0; SPAN + 2]; 3];
    for (row, near) in rows.iter().zip(&mut near) {
        let n = (row.len() - first).min(SPAN + 1);
        near[1..=n].copy_from_slice(&row[first..first + n]);
        near[0] = row[first.saturating_sub(1)];
        if n <= SPAN {
            near[n + 1] = near[n];
        }
    }
    slope(&near, 1.0 / (8.0 * size), falls);
}

#[multiversion(targets = "simd")]
fn slope(rows: &[[f32; SPAN + 2]; 3], scale: f32, falls: &mut [[f32; SPAN]; 2]) {
    let [north, own, south] = rows;
    let [east, down] = falls;
    for i in 0..SPAN {
        let (w, e) = (i, i + 2);
        let corners = [north[w], north[e], south[w], south[e]];
        let to_east = corners[0] + corners[2] - corners[1] - corners[3];
        let to_south = corners[0] + corners[1] - corners[2] - corners[3];
        let (side_x, side_y) = (own[w] - own[e], north[i + 1] - south[i + 1]);
        east[i] = (to_east + 2.0 * side_x) * scale;
        down[i] = (to_south + 2.0 * side_y) * scale;
    }
}

/// Fills in spots from cell number `first` on.
#[multiversion(targets = "simd")]
fn fill(sources: &Sources, first: usize, falls: &[[f32; SPAN]; 2], spots: &mut [Spot]) {
    let Sources { pace, momentum, roots, .. } = *sources;
    let n = spots.len().min(SPAN);
    let (heights, area) = (&sources.heights[first..][..n], &sources.area[first..][..n]);
    let (momenta, cover) = (&sources.momenta[first..][..n], &sources.cover[first..][..n]);
    let label = &sources.label[first..][..n];
    let [mut east, mut south] = [[0.0; SPAN]; 2];
    let [mut strength, mut width, mut bare] = [[0.0; SPAN]; 3];
    for i in 0..n {
        let [fx, fy] = [falls[0][i], falls[1][i]];
        strength[i] = area[i] / (area[i] + pace.half);
        let length = (1.0 + fx * fx + fy * fy).sqrt();
        let pull = momentum * strength[i] / area[i].max(1.0);
        let [mx, my] = momenta[i];
        east[i] = pace.time * (fx / length + pull * mx);
        south[i] = pace.time * (fy / length + pull * my);
        width[i] = area[i].max(1.0).sqrt();
        bare[i] = 1.0 - roots * cover[i].min(1.0);
    }
    for (i, spot) in spots.iter_mut().enumerate() {
        *spot = Spot {
            height: heights[i],
            push: [east[i], south[i]],
            strength: strength[i],
            label: label[i],
            width: width[i],
            bare: bare[i],
        };
    }
}
