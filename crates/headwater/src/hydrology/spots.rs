//! What drops find in a cell, put together before a batch: a step reads it from one place.

use super::grid::Grid;
use super::pace::Pace;
use crate::parallel;
use multiversion::multiversion;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(32))]
pub(super) struct Spot {
    pub(super) height: f32,
    /// What a drop gains of speed: by the slope, and by the stream that it is in.
    pub(super) push: [f32; 2],
    /// How strong the stream is, 0 to 1.
    pub(super) strength: f32,
    pub(super) label: u32,
    /// The root of the cells that drain there, and the part of the erosion that plants leave.
    pub(super) width: f32,
    pub(super) bare: f32,
}

#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) grid: Grid,
    pub(super) size: f32,
    pub(super) pace: Pace,
    /// As [`Params::momentum`](super::Params::momentum), [`Params::attraction`](super::Params::attraction) and [`Params::roots`](super::Params::roots).
    pub(super) momentum: f32,
    pub(super) attraction: f32,
    pub(super) roots: f32,
    /// Heights (m), cells that drain to each, their mean direction times that, cover of plants, and leaves.
    pub(super) heights: &'a [f32],
    pub(super) area: &'a [f32],
    pub(super) momenta: &'a [[f32; 2]],
    pub(super) cover: &'a [f32],
    pub(super) label: &'a [u32],
}

/// Streams that drops are drawn towards drain so many times as much as one of half strength.
const LARGE: f32 = 3.0;
/// Cells of a row that are put together at once.
const SPAN: usize = 64;

impl Sources<'_> {
    pub(super) fn gather(&self, spots: &mut Vec<Spot>) {
        let Grid { nx, ny } = self.grid;
        spots.resize(nx * ny, Spot::default());
        parallel::for_each_row(spots, nx, |y, row| {
            let of_row = |y: usize| &self.heights[y * nx..][..nx];
            let area_of = |y: usize| &self.area[y * nx..][..nx];
            let around = [y.saturating_sub(1), y, (y + 1).min(ny - 1)];
            let (rows, areas) = (around.map(of_row), around.map(area_of));
            for (k, spots) in row.chunks_mut(SPAN).enumerate() {
                let mut falls = [[0.0; SPAN]; 2];
                slope(&near(rows, k * SPAN), 1.0 / (8.0 * self.size), &mut falls);
                let mut pulls = [[0.0; SPAN]; 2];
                rise(near(areas, k * SPAN), LARGE * self.pace.half, &mut pulls);
                fill(self, y * nx + k * SPAN, [&falls, &pulls], spots);
            }
        });
    }
}

/// Values of a row from one on and of the rows beside it, with one more to each side; clamped at
/// the edges.
fn near(rows: [&[f32]; 3], first: usize) -> [[f32; SPAN + 2]; 3] {
    let mut near = [[0.0; SPAN + 2]; 3];
    for (row, near) in rows.iter().zip(&mut near) {
        let n = (row.len() - first).min(SPAN + 1);
        near[1..=n].copy_from_slice(&row[first..first + n]);
        near[0] = row[first.saturating_sub(1)];
        if n <= SPAN {
            near[n + 1] = near[n];
        }
    }
    near
}

/// How the strength of streams rises between the western and eastern, and the northern and southern
/// cells, by areas; half of the most where `half` cells drain.
#[multiversion(targets = "simd")]
fn rise(mut areas: [[f32; SPAN + 2]; 3], half: f32, pulls: &mut [[f32; SPAN]; 2]) {
    for row in &mut areas {
        row.iter_mut().for_each(|area| *area /= *area + half);
    }
    let [north, own, south] = &areas;
    let [east, down] = pulls;
    for i in 0..SPAN {
        east[i] = own[i + 2] - own[i];
        down[i] = south[i + 1] - north[i + 1];
    }
}

/// The slopes of the eight triangles around cells (m per m), falling towards the east and the south.
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

#[multiversion(targets = "simd")]
fn fill(
    sources: &Sources,
    first: usize,
    [falls, pulls]: [&[[f32; SPAN]; 2]; 2],
    spots: &mut [Spot],
) {
    let Sources { pace, momentum, attraction, roots, .. } = *sources;
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
        east[i] = pace.time * (fx / length + pull * mx + attraction * pulls[0][i]);
        south[i] = pace.time * (fy / length + pull * my + attraction * pulls[1][i]);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydrology::land::Land;
    use crate::hydrology::params::Params;
    use crate::hydrology::world::Hydrology;
    use crate::{Field, Square};

    /// The spot of a cell, by the maps around it.
    fn plain(sources: &Sources, (x, y): (usize, usize)) -> Spot {
        let (grid, z) = (sources.grid, sources.heights);
        let cell = y * grid.nx + x;
        let at = |(x, y): (usize, usize)| z[y * grid.nx + x];
        let [nw, ne, sw, se] = grid.corners(x, y);
        let [north, south] = [(x, nw.1), (x, sw.1)].map(at);
        let [west, east] = [(nw.0, y), (ne.0, y)].map(at);
        let [nw, ne, sw, se] = [nw, ne, sw, se].map(at);
        let scale = 1.0 / (8.0 * sources.size);
        let fx = (nw + sw - ne - se + 2.0 * (west - east)) * scale;
        let fy = (nw + ne - sw - se + 2.0 * (north - south)) * scale;
        let (area, pace) = (sources.area[cell], sources.pace);
        let strength = area / (area + pace.half);
        let length = (1.0 + fx * fx + fy * fy).sqrt();
        let pull = sources.momentum * strength / area.max(1.0);
        let [mx, my] = sources.momenta[cell];
        let stream = |(x, y): (usize, usize)| {
            let area = sources.area[y * grid.nx + x];
            area / (area + LARGE * pace.half)
        };
        let [nw, ne, sw, _] = grid.corners(x, y);
        let east = stream((ne.0, y)) - stream((nw.0, y));
        let south = stream((x, sw.1)) - stream((x, nw.1));
        Spot {
            height: z[cell],
            push: [
                pace.time * (fx / length + pull * mx + sources.attraction * east),
                pace.time * (fy / length + pull * my + sources.attraction * south),
            ],
            strength,
            label: sources.label[cell],
            width: area.max(1.0).sqrt(),
            bare: 1.0 - sources.roots * sources.cover[cell].min(1.0),
        }
    }

    #[test]
    fn spots_are_those_of_cells_one_by_one() {
        for (nx, ny) in [(3, 3), (SPAN - 1, 4), (SPAN, 3), (SPAN + 1, 3), (2 * SPAN + 9, 5)] {
            let bed = Field::from_fn(nx, ny, |x, y| ((x * x * 31 + y * 17) % 101) as f32 * 0.07);
            let lattice = Square::new(nx, ny, 2.0, 2.0).expect("square cells");
            let mut world = Hydrology::new(lattice, Params::default(), &bed).expect("a bed");
            world.rain(200);
            let Land { area, momentum, params, .. } = &world.land;
            let sources = Sources {
                grid: world.land.grid(),
                size: 2.0,
                pace: Pace::of(&world.land),
                momentum: params.momentum as f32,
                attraction: params.attraction as f32,
                roots: params.roots as f32,
                heights: world.heights.as_slice(),
                area,
                momenta: momentum,
                cover: world.cover.as_slice(),
                label: &world.waters.hierarchy.label,
            };
            let mut spots = Vec::new();
            sources.gather(&mut spots);
            for (cell, spot) in spots.iter().enumerate() {
                assert_eq!(*spot, plain(&sources, sources.grid.at(cell)), "{cell} of {nx} × {ny}");
            }
        }
    }
}
