//! Rivers as lines. Where they run and how strong they are follows from the land and the rain on it, so that none
//! is broken off. In lakes they end.

use super::River;
use crate::picture::View;
use crate::picture::color::{Ramp, Rgb, smoothstep};
use headwater::Field;
use headwater::hydrology::Hydrology;
use headwater::hydrology::report::Survey;

/// The part of the map that a stream must drain to be drawn.
const LEAST: f32 = 0.0018;
/// Rounds in which each point moves towards the mean of its neighbours along the river: the land's eight
/// directions shall not show.
const ROUNDS: usize = 3;
/// No cell.
const NONE: usize = usize::MAX;

/// All rivers of a world.
pub(super) fn of_world(world: &Hydrology, lake_depth: &Field<f32>) -> Vec<River> {
    // Before the first drop, nothing runs.
    if world.drops() == 0 {
        return Vec::new();
    }
    let lattice = world.lattice();
    let streams = world.streams(1.0);
    let cells = (lattice.nx() * lattice.ny()) as f32;
    let share = streams.discharge.map(|rain| rain / cells);
    trace(&streams.receiver, share, lake_depth, lattice.dx())
}

/// The channels of a surveyed land with lakes (m) on it, of square cells of `size` m.
pub(super) fn of_survey(survey: &Survey, depth: &Field<f32>, size: f64) -> Vec<River> {
    let cells = depth.as_slice().len() as f32;
    trace(&survey.receiver, survey.area.map(|&area| area as f32 / cells), depth, size)
}

/// Rivers along the ways to cells' receivers, with the part of the map that drains to each cell.
fn trace(
    receiver: &Field<Option<(usize, usize)>>,
    share: Field<f32>,
    depth: &Field<f32>,
    size: f64,
) -> Vec<River> {
    let (nx, size) = (share.nx(), size as f32);
    let receiver: Vec<Option<usize>> =
        receiver.as_slice().iter().map(|to| to.map(|(x, y)| y * nx + x)).collect();
    let (share, depth) = (share.as_slice(), depth.as_slice());
    // From which neighbour most of the water comes.
    let mut main = vec![NONE; depth.len()];
    for (cell, to) in receiver.iter().enumerate() {
        let Some(to) = *to else { continue };
        if main[to] == NONE || share[cell] > share[main[to]] {
            main[to] = cell;
        }
    }
    let mut network = Network { receiver, main, share, depth, points: Vec::new(), nx, size };
    network.points = network.smooth();
    let heads = (0..depth.len()).filter(|&cell| network.is_head(cell));
    heads.map(|head| network.follow(head)).collect()
}

/// Ways of the water over a land.
struct Network<'a> {
    receiver: Vec<Option<usize>>,
    /// The cell that most of a cell's water comes from.
    main: Vec<usize>,
    share: &'a [f32],
    depth: &'a [f32],
    /// Middles of the cells (m), those of rivers moved along their ways.
    points: Vec<[f32; 2]>,
    nx: usize,
    size: f32,
}

impl Network<'_> {
    fn is_river(&self, cell: usize) -> bool {
        self.share[cell] >= LEAST && self.depth[cell] <= 0.0
    }

    /// Whether a river begins on a cell: no other comes down to it.
    fn is_head(&self, cell: usize) -> bool {
        let above = self.main[cell];
        self.is_river(cell) && (above == NONE || !self.is_river(above))
    }

    /// The middles of the cells, those of rivers smoothed.
    fn smooth(&self) -> Vec<[f32; 2]> {
        let middle = |i: usize| [i % self.nx, i / self.nx].map(|i| (i as f32 + 0.5) * self.size);
        let mut points: Vec<[f32; 2]> = (0..self.main.len()).map(middle).collect();
        let rivers: Vec<usize> = (0..self.main.len()).filter(|&cell| self.is_river(cell)).collect();
        for _ in 0..ROUNDS {
            let moved = |cell: usize| {
                let here = points[cell];
                match (self.main[cell], self.receiver[cell]) {
                    (above, Some(below)) if above != NONE => {
                        [0, 1].map(|k| 0.5 * here[k] + 0.25 * (points[above][k] + points[below][k]))
                    }
                    _ => here,
                }
            };
            let moved: Vec<[f32; 2]> = rivers.iter().map(|&cell| moved(cell)).collect();
            for (&cell, point) in rivers.iter().zip(moved) {
                points[cell] = point;
            }
        }
        points
    }

    /// The river that begins on a cell.
    fn follow(&self, head: usize) -> River {
        let mut river = River { points: Vec::new(), share: Vec::new() };
        let mut add = |point: [f32; 2], share: f32| {
            river.points.push(point);
            river.share.push(share);
        };
        let above = self.main[head];
        if above != NONE && self.depth[above] > 0.0 {
            add(self.points[above], self.share[head]);
        }
        let mut cell = head;
        loop {
            let share = self.share[cell];
            add(self.points[cell], share);
            let Some(below) = self.receiver[cell] else {
                add(self.rim(cell), share);
                break;
            };
            if !self.is_river(below) {
                // Well into the lake, whose shore may lie anywhere in its first cell.
                add(self.points[below], share);
                if let Some(next) = self.receiver[below] {
                    add(self.points[next], share);
                }
                break;
            }
            if self.main[below] != cell {
                add(self.points[below], share);
                break;
            }
            cell = below;
        }
        river
    }

    /// The point of the rim beside a cell at it; elsewhere, the cell's own.
    fn rim(&self, cell: usize) -> [f32; 2] {
        let (x, y) = (cell % self.nx, cell / self.nx);
        let (nx, ny) = (self.nx, self.main.len() / self.nx);
        let mut point = self.points[cell];
        if x == 0 || x + 1 == nx {
            point[0] = if x == 0 { 0.0 } else { nx as f32 * self.size };
        } else if y == 0 || y + 1 == ny {
            point[1] = if y == 0 { 0.0 } else { ny as f32 * self.size };
        }
        point
    }
}

/// Rivers on the pixels of a picture.
pub(in crate::picture) struct Ribbons {
    /// How much of a pixel is river, 0 to 1.
    pub(in crate::picture) cover: Vec<f32>,
    /// Its colour there.
    pub(in crate::picture) color: Vec<Rgb>,
}

impl Ribbons {
    /// The rivers of a view.
    pub(in crate::picture) fn new(
        rivers: &[River],
        view: &View<'_>,
        width: usize,
        height: usize,
    ) -> Self {
        let pixels = width as f64 / view.lattice.width();
        let unit = (width.max(height) as f32 / 960.0).max(0.4);
        let water = Ramp::new(&[(0.0, 0x6FB2D2), (0.4, 0x4A97C6), (1.0, 0x2B71AE)]);
        let mut ribbons =
            Self { cover: vec![0.0; width * height], color: vec![[0.0; 3]; width * height] };
        for river in rivers {
            let line = rounded(river);
            for pair in line.windows(2) {
                let end = |(point, share): ([f32; 2], f32)| {
                    let root = share.max(0.0).sqrt();
                    let at = point.map(|metres| metres * pixels as f32);
                    (at, unit * (0.25 + 4.6 * root).min(3.6), root)
                };
                ribbons.add(width, end(pair[0]), end(pair[1]), &water);
            }
        }
        ribbons
    }

    /// Adds a piece of a line between two points (pixels, half the width, root of the share).
    fn add(&mut self, width: usize, from: End, to: End, water: &Ramp) {
        let height = self.cover.len() / width;
        let reach = from.1.max(to.1) + 1.0;
        let range = |k: usize, size: usize| {
            let low = (from.0[k].min(to.0[k]) - reach).floor().clamp(0.0, size as f32);
            let high = (from.0[k].max(to.0[k]) + reach).ceil().clamp(0.0, size as f32);
            low as usize..high as usize
        };
        let along = [0, 1].map(|k| to.0[k] - from.0[k]);
        let length = (along[0] * along[0] + along[1] * along[1]).max(1e-6);
        for y in range(1, height) {
            for x in range(0, width) {
                let off = [x as f32 + 0.5 - from.0[0], y as f32 + 0.5 - from.0[1]];
                let t = ((off[0] * along[0] + off[1] * along[1]) / length).clamp(0.0, 1.0);
                let aside = (off[0] - t * along[0]).hypot(off[1] - t * along[1]);
                let half = from.1 + (to.1 - from.1) * t;
                let root = from.2 + (to.2 - from.2) * t;
                // The thinnest brooks are faint rather than thinner than a pixel.
                let clear = smoothstep(0.5 * LEAST.sqrt(), 2.2 * LEAST.sqrt(), root);
                let cover = (half + 0.5 - aside).clamp(0.0, 1.0) * clear;
                let i = y * width + x;
                if cover > self.cover[i] {
                    self.cover[i] = cover;
                    self.color[i] = water.at((root - 0.03) / 0.5);
                }
            }
        }
    }
}

/// An end of a piece of a line: where (pixels), half the width, the root of the share.
type End = ([f32; 2], f32, f32);

/// A river's points with its corners cut twice (G. Chaikin, 1974); both ends stay.
fn rounded(river: &River) -> Vec<([f32; 2], f32)> {
    let mut line: Vec<_> = river.points.iter().copied().zip(river.share.iter().copied()).collect();
    for _ in 0..2 {
        let (Some(&first), Some(&last)) = (line.first(), line.last()) else { break };
        let mut cut = vec![first];
        for pair in line.windows(2) {
            let ((a, p), (b, q)) = (pair[0], pair[1]);
            let between = |t: f32| ([0, 1].map(|k| a[k] + t * (b[k] - a[k])), p + t * (q - p));
            cut.extend([between(0.25), between(0.75)]);
        }
        cut.push(last);
        line = cut;
    }
    line
}
