//! Sediment exchange between drops and the bed.
//!
//! A drop erodes the bed when its sediment load is below its transport capacity, and deposits
//! sediment when the load is above the capacity. All drops of a batch see the same land, so each
//! drop applies only its share of a height change. The share follows from the number of visits to
//! each cell, which is counted before the exchange.

use super::cell_cache::CachedCell;
use super::descent::{END, LAKE, LeafWater, OFF, PIT, PathStep};
use crate::hydrology::ground::rock::Rock;
use crate::hydrology::lakes::Lakes;
use crate::hydrology::state::counts::VisitCounts;
use crate::hydrology::state::fixed;
use crate::hydrology::state::grid::Grid;

/// Fraction of a drop's sediment that is deposited in each lake that the drop passes through, as in
/// McDonald 2020.
const LAKE_DEPOSIT_FRACTION: f32 = 0.9;
/// Largest fraction of the height difference between two cells that a carving group can erode or
/// fill. A carving group consists of the drops that erode the same unchanged land together.
const MAX_STEP_FRACTION: f32 = 0.4;

/// Ratio of the slope assumed beyond the edge of the map to the slope just inside the edge. A ratio
/// of 1 would make the edge sink without limit.
const EDGE_SLOPE_RATIO: f32 = 0.85;
/// Number of path steps that determine the slope beyond the edge of the map: the last steps before
/// the drop leaves the map.
const EDGE_STEPS: usize = 8;

pub(in crate::hydrology) struct SedimentExchange<'a> {
    pub(in crate::hydrology) grid: Grid,
    /// Transport capacity of a full drop whose upstream area is one cell. It is the thickness of
    /// sediment on one cell (m), for a slope on which the drop falls 1 m per cell.
    pub(in crate::hydrology) capacity: f32,
    /// Fraction of the difference between sediment load and transport capacity that a drop
    /// exchanges with the bed per step.
    pub(in crate::hydrology) exchange_fraction: f32,
    /// Ground elevation of each cell (m), including the bed changes that have already been applied
    /// in this batch.
    pub(in crate::hydrology) heights: &'a [f32],
    /// Current soil thickness of each cell (quanta of 2⁻²⁰ m).
    pub(in crate::hydrology) soil: &'a [i64],
    pub(in crate::hydrology) cell_cache: &'a [CachedCell],
    pub(in crate::hydrology) rock: Rock<'a>,
    pub(in crate::hydrology) lakes: &'a Lakes,
    pub(in crate::hydrology) leaves: &'a [LeafWater],
    /// Number of visits to each cell by all drops of the batch.
    pub(in crate::hydrology) visits: VisitCounts<'a>,
    /// Number of visits to each cell by the drops of the current carving group.
    pub(in crate::hydrology) group_visits: VisitCounts<'a>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::hydrology) struct BedChange {
    pub(in crate::hydrology) cell: u32,
    /// Change in ground elevation (quanta of 2⁻²⁰ m), negative for erosion.
    pub(in crate::hydrology) change: i32,
    pub(in crate::hydrology) part: i16,
    pub(in crate::hydrology) direction: [i16; 2],
}

#[derive(Clone, Copy, Debug)]
pub(in crate::hydrology) struct LakeDelivery {
    pub(in crate::hydrology) cell: u32,
    pub(in crate::hydrology) sediment: i64,
}

pub(in crate::hydrology) trait ExchangeSink {
    fn push_bed_change(&mut self, change: BedChange);
    fn push_delivery(&mut self, delivery: LakeDelivery);
    fn export_sediment(&mut self, sediment: i64);
}

impl SedimentExchange<'_> {
    pub(in crate::hydrology) fn carry_sediment(
        &self,
        path: &[PathStep],
        sink: &mut impl ExchangeSink,
    ) {
        let Self { heights: bed, grid, .. } = *self;
        let mut load = 0_i64;
        let mut before = f32::NEG_INFINITY;
        // Height differences of the latest path steps, as a ring buffer.
        let mut falls = [0.0_f32; EDGE_STEPS];
        for (i, &step) in path.iter().enumerate() {
            let cell = step.cell;
            let next = path.get(i + 1);
            let height = bed[cell as usize];
            // Beyond the edge, the slope follows from the smallest fall of the last steps, so that
            // rivers erode the edge evenly.
            let (fall, rise) = match step.next {
                LAKE => {
                    let lake_deposit =
                        next.map_or(load, |to| self.sediment_left_in_lake(cell, to.cell, load));
                    load -= lake_deposit;
                    sink.push_delivery(LakeDelivery { cell, sediment: lake_deposit });
                    (before, falls) = (f32::NEG_INFINITY, [0.0; EDGE_STEPS]);
                    continue;
                }
                END => return sink.push_delivery(LakeDelivery { cell, sediment: load }),
                OFF => {
                    (EDGE_SLOPE_RATIO * falls.iter().copied().fold(f32::INFINITY, f32::min), 0.0)
                }
                PIT => {
                    let neighbours = grid.neighbours(cell as usize).map(|i| bed[i]);
                    (0.0, neighbours.fold(f32::INFINITY, f32::min) - height)
                }
                next => {
                    let fall = height - bed[next as usize];
                    falls[i % EDGE_STEPS] = fall.max(0.0);
                    (fall / grid.distance(cell as usize, next as usize), -fall)
                }
            };
            let change = self.height_change(step, load, height, fall, (before - height).max(rise));
            load -= i64::from(change);
            sink.push_bed_change(BedChange {
                cell,
                change,
                part: step.volume_fraction,
                direction: step.direction,
            });
            before = height;
            match step.next {
                OFF => return sink.export_sediment(load),
                PIT if next.is_none() => {
                    return sink.push_delivery(LakeDelivery { cell, sediment: load });
                }
                PIT => (before, falls) = (f32::NEG_INFINITY, [0.0; EDGE_STEPS]),
                _ => {}
            }
        }
    }

    /// Returns the change in ground elevation of a cell caused by one step of a drop (quanta of
    /// 2⁻²⁰ m). `fall` is the height (m) that the drop loses over a distance of one cell size.
    /// `rise` is the height (m) by which the adjacent ground on the drop's path exceeds this cell:
    /// the larger of the values before and after the cell.
    fn height_change(&self, step: PathStep, load: i64, height: f32, fall: f32, rise: f32) -> i32 {
        let cell = step.cell as usize;
        let cell_data = &self.cell_cache[cell];
        let visits = self.group_visits.get(step.cell).max(1) as f32;
        let part = f32::from(step.volume_fraction) / 16384.0;
        let capacity = self.capacity * part * cell_data.width * fall.max(0.0);
        let load_height = fixed::load_to_metres(load);
        let exchange = self.exchange_fraction * (load_height - capacity);
        // Both results are computed and one is selected, because the branch is unpredictable.
        let erodibility = self.rock.erodibility(cell, height, self.soil[cell]);
        let limit = MAX_STEP_FRACTION / visits;
        let erosion = fixed::to_quanta_i32(
            (-exchange * erodibility * cell_data.erodible_fraction).min(limit * fall),
        );
        // Deposits stay below the surrounding land, so that they do not block the stream.
        let deposit = fixed::to_quanta_i32(exchange.min(limit * rise.max(0.0)));
        let deposit = i64::from(deposit).min(load) as i32;
        if exchange < 0.0 { -erosion } else { deposit }
    }

    /// Returns the volume of sediment that a drop deposits in a lake before it continues at the
    /// cell `outlet` (quanta of 2⁻²⁰ m times the cell area). The result is at most half of the
    /// lake's water volume, divided by the number of drops that visit the outlet during the batch.
    fn sediment_left_in_lake(&self, cell: u32, outlet: u32, load: i64) -> i64 {
        let LeafWater { node, .. } = self.leaves[self.cell_cache[cell as usize].label as usize];
        let visits = self.visits.get(outlet).max(1);
        let limit = self.lakes.water_volume(node) / (2 * i64::from(visits));
        ((LAKE_DEPOSIT_FRACTION * load as f32) as i64).min(limit)
    }
}
