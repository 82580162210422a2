//! Rivers as lines. Where they run and how strong they are follows from the land and the rain on it, so that none
//! is broken off. In lakes they end.

use headwater::hydrology::report::{Survey, Waterfall};
use headwater::hydrology::{Hydrology, Streams};
use headwater::{Field, Point};

/// The part of the map that a stream must drain to be drawn.
pub(in crate::picture) const LEAST: f32 = 0.0018;
/// Rounds in which each point moves towards the mean of its neighbours along the river: the land's eight
/// directions shall not show.
const ROUNDS: usize = 3;
/// The most cells from the lip of a waterfall to its foot.
const FALL: usize = 6;
/// No cell.
const NONE: u32 = u32::MAX;

/// The cell of a number, if it is one.
fn known(cell: u32) -> Option<usize> {
    (cell != NONE).then_some(cell as usize)
}

/// A river from its head, or from a lake, to where it joins another, ends in a lake or leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct River {
    /// From the top-left corner to the east and to the south (m), going down.
    pub points: Vec<[f32; 2]>,
    /// At each point, what drains there as a part of the whole map (0 to 1, or more where rivers enter from
    /// outside).
    pub share: Vec<f32>,
    /// At each point, whether the water falls: 1 on waterfalls, 0 elsewhere.
    pub white: Vec<f32>,
}

/// A point of a river's line: where it is (m), the share and the white there.
pub type RiverPoint = ([f32; 2], f32, f32);

impl River {
    /// Its points with their shares and their white, with the corners cut twice (G. Chaikin, 1974); both ends stay.
    pub fn rounded(&self) -> Vec<RiverPoint> {
        let values = self.share.iter().copied().zip(self.white.iter().copied());
        let points = self.points.iter().copied().zip(values);
        let mut line: Vec<_> = points.map(|(at, (share, white))| (at, share, white)).collect();
        for _ in 0..2 {
            let (Some(&first), Some(&last)) = (line.first(), line.last()) else { break };
            let mut cut = vec![first];
            for pair in line.windows(2) {
                let ((a, p, v), (b, q, w)) = (pair[0], pair[1]);
                let between = |t: f32| {
                    ([0, 1].map(|k| a[k] + t * (b[k] - a[k])), p + t * (q - p), v + t * (w - v))
                };
                cut.extend([between(0.25), between(0.75)]);
            }
            cut.push(last);
            line = cut;
        }
        line
    }

    /// Half the width with which a river is drawn where it drains a share of the map, in 960ths of a picture's
    /// longer side: wider than it is, or nobody would see it.
    pub fn half_width(share: f32) -> f32 {
        (0.25 + 4.6 * share.max(0.0).sqrt()).min(3.6)
    }
}

pub(super) fn of_world(world: &Hydrology, lake_depth: &Field<f32>) -> Vec<River> {
    // Before the first drop, nothing runs.
    if world.drops() == 0 {
        return Vec::new();
    }
    let lattice = world.lattice();
    // What each of the two needs is large: not both at a time.
    let waterfalls = world.waterfalls();
    let Streams { discharge, receiver, .. } = world.streams(1.0);
    let cells = (lattice.nx() * lattice.ny()) as f32;
    let share = discharge.map(|rain| rain / cells);
    drop(discharge);
    let ways = ways(&receiver);
    drop(receiver);
    trace(ways, share, lake_depth, &waterfalls, lattice.dx())
}

/// The channels of a surveyed land with lakes (m) on it, of square cells of `size` m.
pub(super) fn of_survey(survey: &Survey, depth: &Field<f32>, size: f64) -> Vec<River> {
    let cells = depth.as_slice().len() as f32;
    let share = survey.area.map(|&area| area as f32 / cells);
    trace(ways(&survey.receiver), share, depth, &survey.waterfalls, size)
}

/// The numbers of the cells' receivers; [`NONE`] where water leaves or ends.
fn ways(receiver: &Field<Option<(usize, usize)>>) -> Vec<u32> {
    let number =
        |to: &Option<(usize, usize)>| to.map_or(NONE, |(x, y)| (y * receiver.nx() + x) as u32);
    receiver.as_slice().iter().map(number).collect()
}

/// Rivers along the ways to cells' receivers, with the part of the map that drains to each cell, and white where water falls.
fn trace(
    receiver: Vec<u32>,
    share: Field<f32>,
    depth: &Field<f32>,
    waterfalls: &[Waterfall],
    size: f64,
) -> Vec<River> {
    let mut falls = vec![false; depth.as_slice().len()];
    for fall in waterfalls {
        let cell = |at: Point| {
            let [x, y] = at.map(|metres| (metres / size) as usize);
            (y * depth.nx() + x) as u32
        };
        let (mut at, foot) = (cell(fall.lip), cell(fall.foot));
        // A survey's receivers may lead elsewhere than those of rain.
        for _ in 0..FALL {
            falls[at as usize] = true;
            match receiver[at as usize] {
                NONE => break,
                _ if at == foot => break,
                to => at = to,
            }
        }
    }
    let (nx, size) = (share.nx(), size as f32);
    let (share, depth) = (share.as_slice(), depth.as_slice());
    // From which neighbour most of the water comes.
    let mut main = vec![NONE; depth.len()];
    for (cell, &to) in receiver.iter().enumerate() {
        let Some(most) = main.get_mut(to as usize) else { continue };
        if *most == NONE || share[cell] > share[*most as usize] {
            *most = cell as u32;
        }
    }
    let mut network = Network { receiver, main, share, depth, falls, points: Vec::new(), nx, size };
    network.points = network.smooth();
    let heads = (0..depth.len()).filter(|&cell| network.is_head(cell));
    heads.map(|head| network.follow(head)).collect()
}

/// Ways of the water over a land.
struct Network<'a> {
    receiver: Vec<u32>,
    /// The cell that most of a cell's water comes from.
    main: Vec<u32>,
    share: &'a [f32],
    depth: &'a [f32],
    /// Where water falls.
    falls: Vec<bool>,
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
        self.is_river(cell) && !known(self.main[cell]).is_some_and(|above| self.is_river(above))
    }

    /// The middles of the cells, those of rivers smoothed.
    fn smooth(&self) -> Vec<[f32; 2]> {
        let middle = |i: usize| [i % self.nx, i / self.nx].map(|i| (i as f32 + 0.5) * self.size);
        let mut points: Vec<[f32; 2]> = (0..self.main.len()).map(middle).collect();
        let rivers: Vec<usize> = (0..self.main.len()).filter(|&cell| self.is_river(cell)).collect();
        for _ in 0..ROUNDS {
            let moved = |cell: usize| {
                let here = points[cell];
                match (known(self.main[cell]), known(self.receiver[cell])) {
                    (Some(above), Some(below)) => {
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
        let mut river = River { points: Vec::new(), share: Vec::new(), white: Vec::new() };
        let mut add = |point: [f32; 2], share: f32, white: f32| {
            river.points.push(point);
            river.share.push(share);
            river.white.push(white);
        };
        if let Some(above) = known(self.main[head]).filter(|&above| self.depth[above] > 0.0) {
            add(self.points[above], self.share[head], 0.0);
        }
        let mut cell = head;
        loop {
            let share = self.share[cell];
            let white = if self.falls[cell] { 1.0 } else { 0.0 };
            add(self.points[cell], share, white);
            let Some(below) = known(self.receiver[cell]) else {
                add(self.rim(cell), share, white);
                break;
            };
            if !self.is_river(below) {
                // Well into the lake, whose shore may lie anywhere in its first cell.
                add(self.points[below], share, white);
                if let Some(next) = known(self.receiver[below]) {
                    add(self.points[next], share, white);
                }
                break;
            }
            if self.main[below] as usize != cell {
                add(self.points[below], share, white);
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
