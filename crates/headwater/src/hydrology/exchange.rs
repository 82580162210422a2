//! What drops take and leave on their way.
//!
//! A drop takes what it lacks to its capacity and leaves its excess. All drops of a batch meet the
//! same land, so each changes a cell by its share only, by counts of visits made before.

use super::counts::Counts;
use super::fixed;
use super::grid::Grid;
use super::lakes::Lakes;
use super::rock::Rock;
use super::spots::Spot;
use super::walk::{END, LAKE, OFF, PIT, Stride, Water};

/// The part of its sediment that a drop leaves in a lake it passes through (the article's).
const LEFT_IN_LAKE: f32 = 0.9;
/// The largest part of the height between two cells that a batch takes or lays.
const SHARE: f32 = 0.4;

/// Slope of the land beyond the edge, relative to that before it. With 1, the edge would sink for
/// ever.
const GENTLER: f32 = 0.85;
/// Steps over which the land beyond the edge is judged.
const REACH: usize = 8;

pub(super) struct Ground<'a> {
    pub(super) grid: Grid,
    /// What a drop can carry, and how much of what it lacks or has too much goes over in a step.
    pub(super) capacity: f32,
    pub(super) exchange: f32,
    /// Heights (m) and soil (quanta) as they are now; what else there is in a cell is so for the whole batch.
    pub(super) heights: &'a [f32],
    pub(super) soil: &'a [i64],
    pub(super) spots: &'a [Spot],
    pub(super) rock: Rock<'a>,
    pub(super) lakes: &'a Lakes,
    pub(super) leaves: &'a [Water],
    /// How often drops of this batch come through each cell, and those of them that meet the same land.
    pub(super) visits: Counts<'a>,
    pub(super) passing: Counts<'a>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Note {
    pub(super) cell: u32,
    /// Height that it left, or took if below 0 (quanta).
    pub(super) change: i32,
    pub(super) part: i16,
    pub(super) direction: [i16; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Delivery {
    pub(super) cell: u32,
    pub(super) sediment: i64,
}

pub(super) trait Traces {
    fn note(&mut self, note: Note);
    fn deliver(&mut self, delivery: Delivery);
    fn wash_out(&mut self, sediment: i64);
}

impl Ground<'_> {
    pub(super) fn carry(&self, way: &[Stride], traces: &mut impl Traces) {
        let Self { heights: bed, grid, .. } = *self;
        let mut load = 0_i64;
        let mut before = f32::NEG_INFINITY;
        // The last ones, in any order.
        let mut falls = [0.0_f32; REACH];
        for (i, &stride) in way.iter().enumerate() {
            let cell = stride.cell;
            let next = way.get(i + 1);
            let height = bed[cell as usize];
            // Beyond the edge the land is as gentle as anywhere on the last steps, so that rivers
            // cut the edge evenly.
            let (fall, rise) = match stride.next {
                LAKE => {
                    let left = next.map_or(load, |to| self.left_in_lake(cell, to.cell, load));
                    load -= left;
                    traces.deliver(Delivery { cell, sediment: left });
                    (before, falls) = (f32::NEG_INFINITY, [0.0; REACH]);
                    continue;
                }
                END => return traces.deliver(Delivery { cell, sediment: load }),
                OFF => (GENTLER * falls.iter().copied().fold(f32::INFINITY, f32::min), 0.0),
                PIT => {
                    let around = grid.neighbours(cell as usize).map(|i| bed[i]);
                    (0.0, around.fold(f32::INFINITY, f32::min) - height)
                }
                next => {
                    let fall = height - bed[next as usize];
                    falls[i % REACH] = fall.max(0.0);
                    (fall / grid.distance(cell as usize, next as usize), -fall)
                }
            };
            let change = self.change(stride, load, height, fall, (before - height).max(rise));
            load -= i64::from(change);
            traces.note(Note { cell, change, part: stride.part, direction: stride.direction });
            before = height;
            match stride.next {
                OFF => return traces.wash_out(load),
                PIT if next.is_none() => return traces.deliver(Delivery { cell, sediment: load }),
                PIT => (before, falls) = (f32::NEG_INFINITY, [0.0; REACH]),
                _ => {}
            }
        }
    }

    /// Change of the bed in a step (quanta). `fall` is the descent over a cell's length, `rise` how
    /// much higher the land before or behind is (m).
    fn change(&self, stride: Stride, load: i64, height: f32, fall: f32, rise: f32) -> i32 {
        let cell = stride.cell as usize;
        let spot = &self.spots[cell];
        let visits = self.passing.get(stride.cell).max(1) as f32;
        let part = f32::from(stride.part) / 16384.0;
        let able = self.capacity * part * spot.width * fall.max(0.0);
        let has = fixed::metres_of_load(load);
        let exchange = self.exchange * (has - able);
        // Both ways, and then one of them: which, nobody can guess before the maps have been read.
        let soft = self.rock.erodibility(cell, height, self.soil[cell]);
        let most = SHARE / visits;
        let taken = fixed::part((-exchange * soft * spot.bare).min(most * fall));
        // No higher than the land around it, so that nothing is piled up in a stream's way.
        let laid = fixed::part(exchange.min(most * rise.max(0.0)));
        let laid = i64::from(laid).min(load) as i32;
        if exchange < 0.0 { -taken } else { laid }
    }

    /// What a drop leaves in a lake on its way to a cell at the outlet: at most its share of the
    /// space.
    fn left_in_lake(&self, cell: u32, outlet: u32, load: i64) -> i64 {
        let Water { node, .. } = self.leaves[self.spots[cell as usize].label as usize];
        let passing = self.visits.get(outlet).max(1);
        let most = self.lakes.water(node) / (2 * i64::from(passing));
        ((LEFT_IN_LAKE * load as f32) as i64).min(most)
    }
}
