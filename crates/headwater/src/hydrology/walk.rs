//! The way of one drop over the land: the article's descent, from cell to cell.

use super::grid::Grid;
use super::hierarchy::{Hierarchy, NONE, Node};
use super::params::{EdgeKind, Params};

/// The article's step.
const DT: f32 = 1.2;
/// How high (cell's sizes) the square of its speed lifts a drop.
const LIFT: f32 = 0.005;
/// Steps without a new lowest height after which a drop has come to rest.
const PATIENCE: u32 = 48;
/// Below this part of its water a drop ends (the article's least volume).
const LEAST: i64 = 100;

/// The maps that drops read, as they are at the start of a batch.
pub(super) struct Maps<'a> {
    pub(super) grid: Grid,
    pub(super) params: &'a Params,
    /// Size of a cell (m).
    pub(super) size: f32,
    /// Heights (m).
    pub(super) bed: &'a [f32],
    /// Cells that drain to a cell.
    pub(super) area: &'a [f32],
    /// Mean direction of the drops in a cell, times `area`.
    pub(super) momentum: &'a [[f32; 2]],
    pub(super) hierarchy: &'a Hierarchy,
    /// Level (m) and node of the water over each leaf; a level below all ground without any.
    pub(super) leaves: &'a [Water],
    /// Water of a whole drop (quanta).
    pub(super) whole: i64,
}

/// The water over a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Water {
    /// The level in quanta, [`DRY`](super::lakes::DRY) without any, and in metres.
    pub(super) height: i64,
    pub(super) level: f32,
    pub(super) node: u32,
    pub(super) state: State,
}

/// What a drop finds in a lake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Room for more water.
    Filling,
    /// It runs over.
    Full,
    Sea,
}

/// A drop on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drop {
    /// Column and row, in parts of a cell.
    pub(super) at: [f32; 2],
    pub(super) speed: [f32; 2],
    /// Water (quanta on a cell).
    pub(super) water: i64,
    /// The node whose outlet it has left last; [`NONE`] if there is none, as for rain.
    pub(super) from: u32,
}

/// A cell on a drop's way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stride {
    pub(super) cell: u32,
    /// The next cell, or one of the marks below.
    pub(super) next: u32,
    /// Its water as a part of a whole drop, and its direction (16384ths).
    pub(super) part: i16,
    pub(super) direction: [i16; 2],
}

/// It leaves the map.
pub(super) const OFF: u32 = u32::MAX;
/// It ends in the depression that the cell is in; in a dry pit, it fills that up first.
pub(super) const END: u32 = u32::MAX - 1;
pub(super) const PIT: u32 = u32::MAX - 2;
/// It has come into a full lake, and goes on at its outlet.
pub(super) const LAKE: u32 = u32::MAX - 3;

/// Where a step leads.
pub(super) enum Next {
    To(usize),
    Off,
    Pit,
}

impl Maps<'_> {
    fn water_over(&self, cell: usize) -> Option<Water> {
        let water = self.leaves[self.hierarchy.label[cell] as usize];
        (self.bed[cell] < water.level).then_some(water)
    }

    /// How strong the stream is, 0 to 1.
    pub(super) fn strength(&self, cell: usize) -> f32 {
        let area = self.area[cell];
        area / (area + self.params.stream as f32)
    }

    /// The slope of the eight triangles around a cell (m per m), falling towards the east and south.
    fn fall(&self, cell: usize) -> [f32; 2] {
        let Grid { nx, ny } = self.grid;
        let (x, y) = (cell % nx, cell / nx);
        let z = self.bed;
        let (w, e) = (usize::from(x > 0), usize::from(x + 1 < nx));
        let (n, s) = (if y > 0 { nx } else { 0 }, if y + 1 < ny { nx } else { 0 });
        let (north, south) = (cell - n, cell + s);
        let corners = [z[north - w], z[north + e], z[south - w], z[south + e]];
        let east = corners[0] + corners[2] - corners[1] - corners[3];
        let down = corners[0] + corners[1] - corners[2] - corners[3];
        let (sides_x, sides_y) = (z[cell - w] - z[cell + e], z[north] - z[south]);
        let scale = 1.0 / (8.0 * self.size);
        [(east + 2.0 * sides_x) * scale, (down + 2.0 * sides_y) * scale]
    }

    /// The cell where the outlet of a full lake begins, and the one that water is led to from there.
    pub(super) fn outlet(&self, node: &Node) -> (usize, Next) {
        let inside = node.inside as usize;
        if node.outside == NONE {
            return (inside, Next::Off);
        }
        let outside = node.outside as usize;
        if self.bed[inside] >= self.bed[outside] {
            return (inside, Next::To(outside));
        }
        (outside, self.steepest(outside))
    }

    /// Down to the lowest neighbour.
    fn steepest(&self, cell: usize) -> Next {
        let lowest = |low: usize, i: usize| if self.bed[i] < self.bed[low] { i } else { low };
        let (x, y) = self.grid.at(cell);
        let n = self.grid.nx;
        let low = if self.grid.is_inside(x, y) {
            let (above, below) = (cell - n, cell + n);
            let around =
                [above - 1, above, above + 1, cell - 1, cell + 1, below - 1, below, below + 1];
            around.into_iter().fold(cell, lowest)
        } else {
            self.grid.neighbours(cell).fold(cell, lowest)
        };
        if low != cell {
            return Next::To(low);
        }
        let kinds = self.params.edges.touching(x, y, self.grid.nx, self.grid.ny);
        let open = kinds.into_iter().flatten().any(|kind| kind != EdgeKind::Wall);
        if open { Next::Off } else { Next::Pit }
    }

    /// Where the speed leads from a cell.
    fn ahead(&self, drop: &mut Drop, cell: usize) -> Next {
        let [u, v] = drop.speed;
        let most = u.abs().max(v.abs());
        if most < 1e-6 {
            return self.turned(drop, cell);
        }
        let at = [drop.at[0] + u / most, drop.at[1] + v / most];
        let Grid { nx, ny } = self.grid;
        let edges = &self.params.edges;
        let crossed = match at {
            [x, _] if x < 0.0 => Some(edges.west),
            [x, _] if x >= nx as f32 => Some(edges.east),
            [_, y] if y < 0.0 => Some(edges.north),
            [_, y] if y >= ny as f32 => Some(edges.south),
            _ => None,
        };
        if let Some(kind) = crossed {
            return if kind == EdgeKind::Wall { self.turned(drop, cell) } else { Next::Off };
        }
        let next = at[1] as usize * nx + at[0] as usize;
        let climb = self.bed[next] - self.bed[cell];
        if climb > LIFT * (u * u + v * v) * self.size {
            return self.turned(drop, cell);
        }
        drop.at = at;
        Next::To(next)
    }

    /// Where the speed leads from a cell, but not back over the divide of the lake that the drop comes out of. Were it
    /// to swing back, it would come out again, and swing back again.
    fn onward(&self, drop: &mut Drop, cell: usize) -> Next {
        let before = *drop;
        let way = self.ahead(drop, cell);
        if let Next::To(next) = way
            && drop.from != NONE
            && self.leaves[self.hierarchy.label[next] as usize].node == drop.from
        {
            *drop = before;
            return self.turned(drop, cell);
        }
        way
    }

    /// Down to the lowest neighbour, with what that leaves of the speed.
    fn turned(&self, drop: &mut Drop, cell: usize) -> Next {
        let way = self.steepest(cell);
        if let Next::To(next) = way {
            self.place(drop, cell, next);
        }
        way
    }

    /// Puts a drop in the middle of the cell next to its own.
    fn place(&self, drop: &mut Drop, cell: usize, next: usize) {
        let ((x0, y0), (x, y)) = (self.grid.at(cell), self.grid.at(next));
        let way = [x as f32 - x0 as f32, y as f32 - y0 as f32];
        let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
        let along = (drop.speed[0] * way[0] + drop.speed[1] * way[1]) / (length * length);
        drop.speed = way.map(|w| w * along.max(0.0));
        drop.at = [x as f32 + 0.5, y as f32 + 0.5];
    }

    /// Follows a drop to its end, and notes its way. Gives its water at the end, and what has dried.
    pub(super) fn walk(&self, mut drop: Drop, mut note: impl FnMut(Stride)) -> [i64; 2] {
        let params = self.params;
        let grid = self.grid;
        let mut cell = drop.at[1] as usize * grid.nx + drop.at[0] as usize;
        let mut forced = None;
        if drop.from != NONE {
            let (start, way) = self.outlet(&self.hierarchy.nodes[drop.from as usize]);
            (cell, forced) = (start, Some(way));
            drop.at = middle(grid, cell);
        }
        let (mut lowest, mut patience) = (f32::INFINITY, PATIENCE);
        let mut dried = 0;
        for _ in 0..8 * (grid.nx + grid.ny) {
            if forced.is_none()
                && let Some(water) = self.water_over(cell)
            {
                if water.state != State::Full || water.node == drop.from {
                    break;
                }
                drop.from = water.node;
                note(stride(cell, LAKE, 0.0, [0.0; 2]));
                let (start, way) = self.outlet(&self.hierarchy.nodes[water.node as usize]);
                (cell, forced) = (start, Some(way));
                (drop.at, drop.speed) = (middle(grid, cell), [0.0; 2]);
                (lowest, patience) = (f32::INFINITY, PATIENCE);
            }
            let height = self.bed[cell];
            if height < lowest {
                (lowest, patience) = (height, PATIENCE);
            } else {
                patience -= 1;
            }
            if patience == 0 || drop.water < self.whole / LEAST {
                break;
            }
            let stream = self.strength(cell);
            let [fx, fy] = self.fall(cell);
            let length = (1.0 + fx * fx + fy * fy).sqrt();
            let pull = params.momentum as f32 * stream / self.area[cell].max(1.0);
            let [mx, my] = self.momentum[cell];
            drop.speed[0] += DT * (fx / length + pull * mx);
            drop.speed[1] += DT * (fy / length + pull * my);
            let speed = drop.speed;
            let way = match forced.take() {
                None => self.onward(&mut drop, cell),
                Some(Next::To(next)) => {
                    self.place(&mut drop, cell, next);
                    Next::To(next)
                }
                Some(way) => way,
            };
            let slow = 1.0 - (params.friction as f32 * (1.0 - 0.5 * stream)).min(0.9);
            drop.speed = drop.speed.map(|v| v * slow);
            let part = drop.water as f32 / self.whole as f32;
            let drying = params.drying as f32 * (1.0 - 0.2 * stream);
            let dry = (drop.water as f32 * drying) as i64;
            drop.water -= dry;
            dried += dry;
            match way {
                Next::To(next) => {
                    note(stride(cell, next as u32, part, speed));
                    cell = next;
                }
                Next::Off => {
                    note(stride(cell, OFF, part, speed));
                    return [drop.water, dried];
                }
                Next::Pit => {
                    note(stride(cell, PIT, part, speed));
                    return [drop.water, dried];
                }
            }
        }
        note(stride(cell, END, 0.0, [0.0; 2]));
        [drop.water, dried]
    }
}

/// The middle of a cell.
fn middle(grid: Grid, cell: usize) -> [f32; 2] {
    let (x, y) = grid.at(cell);
    [x as f32 + 0.5, y as f32 + 0.5]
}

/// A note of a step.
fn stride(cell: usize, next: u32, part: f32, [u, v]: [f32; 2]) -> Stride {
    let length = (u * u + v * v).sqrt().max(1e-6);
    let direction = [u, v].map(|v| (16384.0 * v / length) as i16);
    Stride { cell: cell as u32, next, part: (16384.0 * part).min(16384.0) as i16, direction }
}
