//! Rivers as connected lines, derived from the drainage network of the land. Rivers end in lakes or
//! at the edge of the map.

use headwater::hydrology::report::{Survey, Waterfall};
use headwater::hydrology::{Hydrology, Streams};
use headwater::{Field, Point};

/// Minimum drainage area of a drawn stream, as a fraction of the map area.
pub(crate) const MIN_AREA_FRACTION: f32 = 0.0018;
/// Number of passes that smooth the rivers, so that the eight flow directions of the grid are not
/// visible.
const SMOOTHING_PASSES: usize = 3;
/// Maximum number of cells between the lip and the foot of a waterfall.
const MAX_FALL_CELLS: usize = 6;
/// Cell number that stands for no cell.
const NO_CELL: u32 = u32::MAX;

/// Converts a cell number to an index; returns `None` for the cell number [`NO_CELL`].
fn cell_index(cell: u32) -> Option<usize> {
    (cell != NO_CELL).then_some(cell as usize)
}

/// River as a line of points. It begins at a source or a lake outlet, and ends at a confluence, a
/// lake or the edge of the map.
#[derive(Clone, Debug, PartialEq)]
pub struct River {
    /// Points of the line (m east and m south of the top-left corner of the map), in the direction
    /// of flow.
    pub points: Vec<[f32; 2]>,
    /// Drainage area at each point as a fraction of the map area. The value can exceed 1 where a
    /// river enters from outside the map.
    pub area_fraction: Vec<f32>,
    /// Whiteness of the water at each point: 1 on waterfalls, 0 elsewhere.
    pub whiteness: Vec<f32>,
}

/// Point of a river line: position (m), drainage area as a fraction of the map area, and whiteness
/// of the water (0 to 1).
pub type RiverPoint = ([f32; 2], f32, f32);

impl River {
    /// Returns the points of the river smoothed by two passes of corner cutting (G. Chaikin, 1974).
    /// Drainage areas and whiteness are interpolated; the two ends of the river do not move.
    pub fn smoothed_points(&self) -> Vec<RiverPoint> {
        let values = self.area_fraction.iter().copied().zip(self.whiteness.iter().copied());
        let points = self.points.iter().copied().zip(values);
        let mut line: Vec<_> =
            points.map(|(at, (area_fraction, whiteness))| (at, area_fraction, whiteness)).collect();
        for _ in 0..2 {
            let (Some(&first), Some(&last)) = (line.first(), line.last()) else { break };
            let mut cut = vec![first];
            for pair in line.windows(2) {
                let ((a, p, v), (b, q, w)) = (pair[0], pair[1]);
                let interpolate = |t: f32| {
                    ([0, 1].map(|k| a[k] + t * (b[k] - a[k])), p + t * (q - p), v + t * (w - v))
                };
                cut.extend([interpolate(0.25), interpolate(0.75)]);
            }
            cut.push(last);
            line = cut;
        }
        line
    }

    /// Returns the half-width of a drawn river, in 960ths of the longer side of the picture.
    /// `area_fraction` is the drainage area as a fraction of the map area. Rivers are drawn wider
    /// than in reality so that they are visible.
    pub fn half_width(area_fraction: f32) -> f32 {
        (0.25 + 4.6 * area_fraction.max(0.0).sqrt()).min(3.6)
    }
}

pub(super) fn rivers_from_world(world: &Hydrology, lake_depth: &Field<f32>) -> Vec<River> {
    // Without rain there are no rivers.
    if world.drops() == 0 {
        return Vec::new();
    }
    let lattice = world.lattice();
    // Both computations need much memory, so they run one after the other.
    let waterfalls = world.waterfalls();
    let Streams { discharge, receiver, .. } = world.streams(1.0);
    let cells = (lattice.nx() * lattice.ny()) as f32;
    let area_fraction = discharge.map(|rain| rain / cells);
    drop(discharge);
    let receiver_indices = receiver_indices(&receiver);
    drop(receiver);
    trace_rivers(receiver_indices, area_fraction, lake_depth, &waterfalls, lattice.dx())
}

/// Traces the rivers of a drainage survey. `depth` is the depth of the lakes (m), and `size` is the
/// side length of the square cells (m).
pub(super) fn rivers_from_survey(survey: &Survey, depth: &Field<f32>, size: f64) -> Vec<River> {
    let cells = depth.as_slice().len() as f32;
    let area_fraction = survey.area.map(|&area| area as f32 / cells);
    trace_rivers(receiver_indices(&survey.receiver), area_fraction, depth, &survey.waterfalls, size)
}

/// Returns, for each cell, the index of the cell that receives its flow, or [`NO_CELL`] if the flow
/// leaves the map or ends in the cell.
fn receiver_indices(receiver: &Field<Option<(usize, usize)>>) -> Vec<u32> {
    let number =
        |to: &Option<(usize, usize)>| to.map_or(NO_CELL, |(x, y)| (y * receiver.nx() + x) as u32);
    receiver.as_slice().iter().map(number).collect()
}

/// Traces rivers along the flow receivers of the cells. `area_fraction` is the drainage area of
/// each cell as a fraction of the map area.
fn trace_rivers(
    receiver: Vec<u32>,
    area_fraction: Field<f32>,
    depth: &Field<f32>,
    waterfalls: &[Waterfall],
    size: f64,
) -> Vec<River> {
    let mut is_waterfall = vec![false; depth.as_slice().len()];
    for fall in waterfalls {
        let cell = |at: Point| {
            let [x, y] = at.map(|metres| (metres / size) as usize);
            (y * depth.nx() + x) as u32
        };
        let (mut at, foot) = (cell(fall.lip), cell(fall.foot));
        // The receivers of a survey may differ from those of the rain.
        for _ in 0..MAX_FALL_CELLS {
            is_waterfall[at as usize] = true;
            match receiver[at as usize] {
                NO_CELL => break,
                _ if at == foot => break,
                to => at = to,
            }
        }
    }
    let (nx, size) = (area_fraction.nx(), size as f32);
    let (area_fraction, depth) = (area_fraction.as_slice(), depth.as_slice());
    // Upstream neighbour with the largest share.
    let mut main_tributary = vec![NO_CELL; depth.len()];
    for (cell, &to) in receiver.iter().enumerate() {
        let Some(largest) = main_tributary.get_mut(to as usize) else { continue };
        if *largest == NO_CELL || area_fraction[cell] > area_fraction[*largest as usize] {
            *largest = cell as u32;
        }
    }
    let mut network = DrainageNetwork {
        receiver,
        main_tributary,
        area_fraction,
        depth,
        is_waterfall,
        points: Vec::new(),
        nx,
        size,
    };
    network.points = network.smooth_points();
    let heads = (0..depth.len()).filter(|&cell| network.is_river_head(cell));
    heads.map(|head| network.trace_river_from(head)).collect()
}

/// Drainage network from which rivers are traced.
struct DrainageNetwork<'a> {
    receiver: Vec<u32>,
    /// For each cell, the index of the upstream cell with the largest drainage area; [`NO_CELL`] if
    /// there is no upstream cell.
    main_tributary: Vec<u32>,
    area_fraction: &'a [f32],
    depth: &'a [f32],
    /// Whether each cell is on a waterfall.
    is_waterfall: Vec<bool>,
    /// Cell centres (m), smoothed along rivers.
    points: Vec<[f32; 2]>,
    nx: usize,
    size: f32,
}

impl DrainageNetwork<'_> {
    fn is_river(&self, cell: usize) -> bool {
        self.area_fraction[cell] >= MIN_AREA_FRACTION && self.depth[cell] <= 0.0
    }

    /// Returns true if a river begins at the cell because no other river flows into the cell.
    fn is_river_head(&self, cell: usize) -> bool {
        self.is_river(cell)
            && !cell_index(self.main_tributary[cell]).is_some_and(|above| self.is_river(above))
    }

    /// Returns the cell centres (m) after smoothing along the rivers.
    fn smooth_points(&self) -> Vec<[f32; 2]> {
        let middle = |i: usize| [i % self.nx, i / self.nx].map(|i| (i as f32 + 0.5) * self.size);
        let mut points: Vec<[f32; 2]> = (0..self.main_tributary.len()).map(middle).collect();
        let rivers: Vec<usize> =
            (0..self.main_tributary.len()).filter(|&cell| self.is_river(cell)).collect();
        for _ in 0..SMOOTHING_PASSES {
            let moved = |cell: usize| {
                let here = points[cell];
                match (cell_index(self.main_tributary[cell]), cell_index(self.receiver[cell])) {
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

    /// Follows the river that begins at the cell `head` to its end.
    fn trace_river_from(&self, head: usize) -> River {
        let mut river =
            River { points: Vec::new(), area_fraction: Vec::new(), whiteness: Vec::new() };
        let mut add = |point: [f32; 2], area_fraction: f32, whiteness: f32| {
            river.points.push(point);
            river.area_fraction.push(area_fraction);
            river.whiteness.push(whiteness);
        };
        if let Some(above) =
            cell_index(self.main_tributary[head]).filter(|&above| self.depth[above] > 0.0)
        {
            add(self.points[above], self.area_fraction[head], 0.0);
        }
        let mut cell = head;
        loop {
            let area_fraction = self.area_fraction[cell];
            let whiteness = if self.is_waterfall[cell] { 1.0 } else { 0.0 };
            add(self.points[cell], area_fraction, whiteness);
            let Some(below) = cell_index(self.receiver[cell]) else {
                add(self.edge_point(cell), area_fraction, whiteness);
                break;
            };
            if !self.is_river(below) {
                // Extend the river well into the lake, because the shore may lie anywhere in the
                // first cell.
                add(self.points[below], area_fraction, whiteness);
                if let Some(next) = cell_index(self.receiver[below]) {
                    add(self.points[next], area_fraction, whiteness);
                }
                break;
            }
            if self.main_tributary[below] as usize != cell {
                add(self.points[below], area_fraction, whiteness);
                break;
            }
            cell = below;
        }
        river
    }

    /// Returns the end point (m) of a river that ends in the given cell. In a cell at the edge of
    /// the map, this is a point on the edge; in other cells, it is the smoothed cell centre.
    fn edge_point(&self, cell: usize) -> [f32; 2] {
        let (x, y) = (cell % self.nx, cell / self.nx);
        let (nx, ny) = (self.nx, self.main_tributary.len() / self.nx);
        let mut point = self.points[cell];
        if x == 0 || x + 1 == nx {
            point[0] = if x == 0 { 0.0 } else { nx as f32 * self.size };
        } else if y == 0 || y + 1 == ny {
            point[1] = if y == 0 { 0.0 } else { ny as f32 * self.size };
        }
        point
    }
}
