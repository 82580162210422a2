//! Conduction of heat between neighbouring columns. Heat is exchanged at the lower and the upper
//! end of the range of heights in which both columns contain water.

use super::super::layout::Layout;
use super::column::{HEAT_CAPACITY, WATER_DENSITY};
use super::ledger::UNITS_PER_KELVIN;
use super::one::{IceLayers, temperatures};
use super::params::Heat;
use super::row::{BLOCK, ColumnRow, EdgeHeat, HalfHeats};
use super::vectors::{HeatConversion, Scalar, Vectorized};
use super::warmth::HeatState;
use multiversion::multiversion;

/// Stability limit of conduction: the largest fraction of the temperature difference that two
/// neighbouring columns exchange in one step at one height. They exchange heat at two heights, the
/// lower and the upper end of the range in which both contain water. A column therefore takes part
/// in four such exchanges, and temperatures do not overshoot.
const MAX_FRACTION: f64 = 0.125;

/// Largest number of substeps per heat update. Conduction that would need more substeps is limited.
const MAX_SUBSTEPS: f64 = 256.0;

/// Smallest temperature difference (K) between two pools at their joint (an opening between them)
/// that activates a pool at rest.
const WAKE_DIFFERENCE: f64 = 0.01;

/// Conductance between two columns per height quantum (integer unit of height) in which both
/// contain water. The value includes the time step and is divided by the heat capacity of one
/// quantum of water, so it is dimensionless.
#[derive(Clone, Copy)]
pub(super) struct Conductance(f64);

impl Conductance {
    pub(super) fn new(heat: &Heat, layout: &Layout, time: f64) -> Self {
        let conductance = heat.horizontal * layout.quantum / layout.width;
        Self(conductance * time / (WATER_DENSITY * HEAT_CAPACITY * layout.quantum_volume()))
    }

    /// Returns the smallest number of substeps with which [`MAX_FRACTION`] does not limit the
    /// exchange, but at most [`MAX_SUBSTEPS`].
    pub(super) fn substeps(self) -> u32 {
        (2.0 * self.0 / MAX_FRACTION).ceil().clamp(1.0, MAX_SUBSTEPS) as u32
    }
}

/// Water of a column on one side of an edge: the height of its lower end (in height quanta above
/// the bottom of the grid) and its amount (in height quanta).
#[derive(Clone, Copy, Debug, Default)]
struct WaterColumn {
    floor: i32,
    water: i32,
}

impl WaterColumn {
    /// Returns the relative position of the height `level` in the water, from 0 at the lower end to
    /// 1 at the surface.
    #[inline(always)]
    fn relative_height(&self, level: i32) -> f64 {
        f64::from(level - self.floor) / f64::from(self.water)
    }

    /// Returns the inverse of the effective heat capacity of the water at the relative height
    /// `relative_height`. Heat that enters at this height is divided between both halves. The lower
    /// half receives the fraction `1 − relative_height`.
    #[inline(always)]
    fn inverse_capacity(&self, relative_height: f64) -> f64 {
        ((1.0 - relative_height) * (1.0 - relative_height) + relative_height * relative_height)
            / (0.5 * f64::from(self.water))
    }
}

/// Divides two amounts of heat, which enter the water at the relative heights `relative_heights`,
/// between the lower and the upper half.
#[inline(always)]
fn divide_heat<C: HeatConversion>(relative_heights: [f64; 2], heats: [i64; 2]) -> HalfHeats {
    let upper = C::round_to_heat_units(C::to_f64(heats[0]) * relative_heights[0])
        + C::round_to_heat_units(C::to_f64(heats[1]) * relative_heights[1]);
    [heats[0] + heats[1] - upper, upper]
}

#[inline(always)]
fn interpolate(halves: [f64; 2], relative_height: f64) -> f64 {
    halves[0] + (halves[1] - halves[0]) * relative_height
}

/// Returns the lower and the upper end of the height range in which both columns contain water,
/// clipped to the opening between `sill` (its lower end) and `lintel` (its upper end). All heights
/// are in height quanta. The range is empty if its lower end is not below its upper end.
#[inline(always)]
fn shared_range(sides: [WaterColumn; 2], sill: i32, lintel: i32) -> [i32; 2] {
    let low = sides[0].floor.max(sides[1].floor).max(sill);
    let [top, other] = [sides[0].floor + sides[0].water, sides[1].floor + sides[1].water];
    [low, top.min(other).min(lintel)]
}

/// Returns the heat that flows from the western to the eastern column. It flows at the two ends of
/// the height range in which both columns contain water; `ends` contains the heights of these ends.
#[inline(always)]
fn edge_heat<C: HeatConversion>(
    conductance: Conductance,
    sides: [WaterColumn; 2],
    halves: [[f64; 2]; 2],
    ends: [i32; 2],
) -> EdgeHeat {
    // Columns without a shared range exchange no heat. The clamp avoids overflow.
    let ratio = 0.5 * conductance.0 * f64::from((ends[1] - ends[0]).max(0));
    let [left, right] = sides;
    // The computation is written out, because the compiler does not vectorise closures over arrays.
    let heat = |place_left: f64, place_right: f64| {
        let gap = interpolate(halves[0], place_left) - interpolate(halves[1], place_right);
        let inverse_capacity =
            left.inverse_capacity(place_left) + right.inverse_capacity(place_right);
        let part = (ratio * inverse_capacity).min(MAX_FRACTION);
        C::round_to_heat_units(gap * part / inverse_capacity * 2.0 * UNITS_PER_KELVIN)
    };
    let lefts = [left.relative_height(ends[0]), left.relative_height(ends[1])];
    let rights = [right.relative_height(ends[0]), right.relative_height(ends[1])];
    let heats = [heat(lefts[0], rights[0]), heat(lefts[1], rights[1])];
    EdgeHeat { lost: divide_heat::<C>(lefts, heats), gained: divide_heat::<C>(rights, heats) }
}

struct ConductionRow<'a> {
    spread: Conductance,
    floor: &'a [i32],
    depth: &'a [i32],
    held: &'a [i32],
    tiers: &'a [IceLayers],
    lower: &'a mut [i64],
    upper: &'a mut [i64],
}

impl ConductionRow<'_> {
    fn water_column(&self, column: usize) -> WaterColumn {
        WaterColumn {
            floor: self.floor[column] + self.tiers[column].ground,
            water: self.depth[column] - self.held[column],
        }
    }

    fn half_temperatures(&self, column: usize) -> [f64; 2] {
        temperatures::<Scalar>(
            self.depth[column] - self.held[column],
            [self.lower[column], self.upper[column]],
        )
    }
}

impl ColumnRow for ConductionRow<'_> {
    fn len(&self) -> usize {
        self.depth.len()
    }

    fn edge_heat(&self, c: usize) -> EdgeHeat {
        let sides = [c, c + 1].map(|c| self.water_column(c));
        let ends = shared_range(sides, i32::MIN, i32::MAX);
        if ends[0] >= ends[1] {
            return EdgeHeat::default();
        }
        edge_heat::<Scalar>(self.spread, sides, [c, c + 1].map(|c| self.half_temperatures(c)), ends)
    }

    fn add_heat(&mut self, c: usize, heats: HalfHeats) {
        self.lower[c] += heats[0];
        self.upper[c] += heats[1];
    }

    fn split_at(self, at: usize) -> [Self; 2] {
        let spread = self.spread;
        let (floor, floors) = self.floor.split_at(at);
        let (depth, depths) = self.depth.split_at(at);
        let (held, helds) = self.held.split_at(at);
        let (tiers, more) = self.tiers.split_at(at);
        let (lower, lowers) = self.lower.split_at_mut(at);
        let (upper, uppers) = self.upper.split_at_mut(at);
        [
            Self { spread, floor, depth, held, tiers, lower, upper },
            Self {
                spread,
                floor: floors,
                depth: depths,
                held: helds,
                tiers: more,
                lower: lowers,
                upper: uppers,
            },
        ]
    }

    fn exchange_block(self, inflow: HalfHeats, outflow: HalfHeats) {
        let n = self.len();
        let mut sides = [WaterColumn::default(); BLOCK];
        for (c, side) in sides[..n].iter_mut().enumerate() {
            *side = self.water_column(c);
        }
        let (floors, waters) = (sides.map(|side| side.floor), sides.map(|side| side.water));
        conduct_block(
            self.spread,
            &floors[..n],
            &waters[..n],
            self.lower,
            self.upper,
            [inflow, outflow],
        );
    }
}

/// Exchanges heat between up to [`BLOCK`] columns, given the height of the lower end and the amount
/// of water in each column (in height quanta).
#[multiversion(targets = "simd")]
fn conduct_block(
    conductance: Conductance,
    floor: &[i32],
    water: &[i32],
    lower: &mut [i64],
    upper: &mut [i64],
    [inflow, outflow]: [HalfHeats; 2],
) {
    let n = floor.len();
    if n == 0 {
        return;
    }
    let (water, lower, upper) = (&water[..n], &mut lower[..n], &mut upper[..n]);
    let (mut bottoms, mut tops) = ([0.0; BLOCK], [0.0; BLOCK]);
    let (bottom, top) = (&mut bottoms[..n], &mut tops[..n]);
    for c in 0..n {
        [bottom[c], top[c]] = temperatures::<Vectorized>(water[c], [lower[c], upper[c]]);
    }
    let mut lost = [[0_i64; BLOCK]; 2];
    let mut gained = [[0_i64; BLOCK + 1]; 2];
    let [lost_low, lost_high] = &mut lost;
    let [gained_low, gained_high] = &mut gained;
    let (lost_low, lost_high) = (&mut lost_low[..n], &mut lost_high[..n]);
    let (gained_low, gained_high) = (&mut gained_low[..=n], &mut gained_high[..=n]);
    for c in 0..n - 1 {
        let side = |c: usize| WaterColumn { floor: floor[c], water: water[c] };
        let (sides, temperatures) =
            ([side(c), side(c + 1)], [[bottom[c], top[c]], [bottom[c + 1], top[c + 1]]]);
        let ends = shared_range(sides, i32::MIN, i32::MAX);
        let over = edge_heat::<Vectorized>(conductance, sides, temperatures, ends);
        let touch = |heat: i64| if ends[0] < ends[1] { heat } else { 0 };
        (lost_low[c], lost_high[c]) = (touch(over.lost[0]), touch(over.lost[1]));
        (gained_low[c + 1], gained_high[c + 1]) = (touch(over.gained[0]), touch(over.gained[1]));
    }
    (gained_low[0], gained_high[0]) = (inflow[0], inflow[1]);
    (lost_low[n - 1], lost_high[n - 1]) = (outflow[0], outflow[1]);
    for c in 0..n {
        lower[c] += gained_low[c] - lost_low[c];
        upper[c] += gained_high[c] - lost_high[c];
    }
}

impl HeatState {
    fn water_column(&self, layout: &Layout, depth: &[i32], column: usize) -> WaterColumn {
        let floor = layout.floor[column] + self.tiers[column].ground;
        WaterColumn { floor, water: depth[column] - self.held[column] }
    }

    /// Exchanges heat between the columns of an active pool. All fluxes are computed from the
    /// temperatures before the exchange.
    pub(super) fn conduct_heat(
        &mut self,
        layout: &Layout,
        depth: &[i32],
        spread: Conductance,
        pool: usize,
        is_parallel: bool,
    ) {
        let columns = layout.pools[pool].columns.clone();
        let row = ConductionRow {
            spread,
            floor: &layout.floor[columns.clone()],
            depth: &depth[columns.clone()],
            held: &self.held[columns.clone()],
            tiers: &self.tiers[columns.clone()],
            lower: &mut self.lower[columns.clone()],
            upper: &mut self.upper[columns],
        };
        if is_parallel { row.exchange_heat() } else { row.exchange_heat_plain() }
    }

    /// Exchanges heat through a joint (an opening between two pools). If one pool is at rest and
    /// the temperatures differ by more than [`WAKE_DIFFERENCE`], activates this pool.
    pub(super) fn conduct_through_joint(
        &mut self,
        layout: &Layout,
        depth: &[i32],
        conductance: Conductance,
        joint_index: usize,
        step: u64,
    ) {
        let joint = &layout.joints[joint_index];
        let columns = [joint.left, joint.right];
        let pools = [joint.left_pool, joint.right_pool].map(|pool| pool as usize);
        let active = pools.map(|pool| self.is_active(pool));
        let (mut sides, mut halves) = ([WaterColumn { floor: 0, water: 0 }; 2], [[self.air; 2]; 2]);
        for (i, &c) in columns.iter().enumerate() {
            if active[i] {
                (sides[i], halves[i]) =
                    (self.water_column(layout, depth, c), self.half_temperatures(depth, c));
            } else {
                sides[i] = WaterColumn { floor: layout.floor[c], water: depth[c] };
            }
        }
        let ends = shared_range(sides, joint.sill, joint.lintel);
        if ends[0] >= ends[1] {
            return;
        }
        if active != [true; 2] {
            let felt = ends.into_iter().any(|end| {
                let [a, b] = [0, 1].map(|i| interpolate(halves[i], sides[i].relative_height(end)));
                (a - b).abs() > WAKE_DIFFERENCE
            });
            if !felt {
                return;
            }
            pools.into_iter().for_each(|pool| self.activate(layout, depth, pool, step));
        }
        let EdgeHeat { lost, gained } = edge_heat::<Scalar>(conductance, sides, halves, ends);
        for (c, heats) in columns.into_iter().zip([lost.map(|heat| -heat), gained]) {
            self.lower[c] += heats[0];
            self.upper[c] += heats[1];
        }
    }
}
