//! Parcels: amounts of water that are moved between columns, together with their heat and ice.

use super::super::layout::Layout;
use super::edges::carried_heat;
use super::ledger::MELTING_HEAT;
use super::one::{ColumnState, IceLayers};
use super::params::Heat;
use super::warmth::{HeatState, heat_units};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Parcel {
    /// Amount of water in the parcel, including ice (in height quanta of water in one column).
    pub(in super::super) quanta: i32,
    /// Part of the amount that is ice, or lies as a pond on ice (in height quanta).
    held: i32,
    tiers: IceLayers,
    /// Heat of the lower and the upper half of the parcel's liquid water (in heat units).
    half_heats: [i64; 2],
}

#[derive(Default)]
pub(in super::super) struct LostWater {
    pub(in super::super) quanta: i64,
    /// Heat (in heat units) of water that was lost because it found no space when cells became
    /// wall. The value is 0 in a world that stores no heat per column because all water has the
    /// temperature of the air.
    pub(in super::super) heat: i128,
}

#[derive(Default)]
pub(in super::super) struct ColumnHeat {
    /// Whether heat is stored per column. A flag is needed because the arrays are also empty if the
    /// world has no columns left.
    is_kept: bool,
    lower: Vec<i64>,
    upper: Vec<i64>,
    held: Vec<i32>,
    tiers: Vec<IceLayers>,
}

impl Parcel {
    /// Creates a parcel that contains all water of a column. If `warmth` is `None`, the parcel has
    /// no heat.
    pub(in super::super) fn from_column(warmth: Option<&HeatState>, c: usize, quanta: i32) -> Self {
        let Some(warmth) = warmth else { return Self { quanta, ..Self::default() } };
        let ColumnState { held, tiers, lower, upper, .. } = warmth.column_state(quanta, c);
        Self { quanta, held, tiers, half_heats: [lower, upper] }
    }

    pub(in super::super) fn heat(&self) -> i128 {
        let IceLayers { pond, warmth, .. } = self.tiers;
        i128::from(self.half_heats[0] + self.half_heats[1] + warmth)
            - i128::from(2 * MELTING_HEAT * i64::from(self.held - pond))
    }

    /// Splits the parcel into parts of the given amounts (in height quanta), from bottom to top. If
    /// one part is as large as the whole parcel, this part keeps the layers of ice. Otherwise, the
    /// ice goes to the uppermost parts.
    pub(in super::super) fn split(mut self, amounts: &[i32]) -> Vec<Self> {
        if self.quanta > 0 && amounts.contains(&self.quanta) {
            let whole = |&amount: &i32| if amount > 0 { self } else { Self::default() };
            return amounts.iter().map(whole).collect();
        }
        self.merge_layers();
        let mut parts: Vec<Self> = amounts
            .iter()
            .rev()
            .map(|&quanta| {
                let ice = self.held.min(quanta);
                self.split_off(quanta, ice)
            })
            .collect();
        // A column without water may have a rounding remainder of heat.
        if let Some(last) = parts.last_mut() {
            last.half_heats[0] += self.half_heats[0];
            last.half_heats[1] += self.half_heats[1];
        }
        parts.reverse();
        parts
    }

    pub(in super::super) fn take(&mut self, quanta: i32) -> Self {
        self.merge_layers();
        let ice = i64::from(self.held) * i64::from(quanta) / i64::from(self.quanta.max(1));
        let water = self.quanta - self.held;
        let ice = (ice as i32).max(quanta - water);
        self.split_off(quanta, ice)
    }

    /// Merges the pond into the water, and all layers of ice into one.
    fn merge_layers(&mut self) {
        let IceLayers { pond, warmth, .. } = std::mem::take(&mut self.tiers);
        self.held -= pond;
        self.half_heats[0] += warmth / 2;
        self.half_heats[1] += warmth - warmth / 2;
    }

    fn split_off(&mut self, quanta: i32, ice: i32) -> Self {
        let (water, all_water) = (quanta - ice, self.quanta - self.held);
        let halves = self.half_heats.map(|heat| {
            if water == all_water { heat } else { carried_heat(heat, water, all_water) }
        });
        self.quanta -= quanta;
        self.held -= ice;
        self.half_heats = [self.half_heats[0] - halves[0], self.half_heats[1] - halves[1]];
        Self { quanta, held: ice, tiers: IceLayers::default(), half_heats: halves }
    }
}

impl ColumnHeat {
    pub(in super::super) fn new(columns: usize) -> Self {
        Self {
            is_kept: true,
            lower: vec![0; columns],
            upper: vec![0; columns],
            held: vec![0; columns],
            tiers: vec![IceLayers::default(); columns],
        }
    }

    /// Adds a parcel to a column. Does nothing if no heat is stored per column. The parcel keeps
    /// its layers of ice only if it is the first one in the column.
    pub(in super::super) fn add_parcel(
        &mut self,
        column: usize,
        mut parcel: Parcel,
        is_first: bool,
    ) {
        if !self.is_kept {
            return;
        }
        if !is_first {
            parcel.merge_layers();
        }
        self.lower[column] += parcel.half_heats[0];
        self.upper[column] += parcel.half_heats[1];
        self.held[column] += parcel.held;
        if is_first {
            self.tiers[column] = parcel.tiers;
        }
    }
}

impl HeatState {
    /// Replaces the heat state after a change of the layout. `warm` is the heat of the columns in
    /// the new layout. The heat of lost water is recorded in the ledger. If `warm` holds no heat
    /// per column, all pools are set to rest, unless water at air temperature would freeze or
    /// bubble.
    pub(in super::super) fn replace_layout(
        &mut self,
        layout: &Layout,
        warm: ColumnHeat,
        lost: &LostWater,
        step: u64,
        heat: &Heat,
    ) {
        let (n, pools) = (layout.column_count(), layout.pools.len());
        let kept = warm.is_kept;
        let warm = if kept { warm } else { ColumnHeat::new(n) };
        (self.lower, self.upper) = (warm.lower, warm.upper);
        (self.held, self.tiers) = (warm.held, warm.tiers);
        // New pools may be at rest only if the temperature of the air allows it.
        let awake = kept || !heat.is_calm_at(self.air);
        self.active = if awake { (0..pools as u32).collect() } else { Vec::new() };
        self.last = vec![step; pools];
        self.boiling = vec![false; pools];
        self.make_workspace(n);
        self.ledger.water -= if kept {
            lost.heat
        } else {
            2 * i128::from(heat_units(self.air)) * i128::from(lost.quanta)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_parcel_sum_to_the_whole() {
        let whole = Parcel {
            quanta: 1003,
            held: 301,
            tiers: IceLayers::default(),
            half_heats: [7_000_001, 9_999_999],
        };
        let parts = whole.split(&[3, 500, 0, 400, 100]);
        assert_eq!(parts.iter().map(|part| part.quanta).sum::<i32>(), 1003);
        assert_eq!(parts.iter().map(Parcel::heat).sum::<i128>(), whole.heat());
        assert_eq!(parts.iter().map(|part| part.held).collect::<Vec<_>>(), [0, 0, 0, 201, 100]);
        let mut rest = whole;
        let taken = rest.take(1000);
        assert_eq!(taken.heat() + rest.heat(), whole.heat());
        assert!(taken.held <= taken.quanta && rest.held <= rest.quanta && rest.held >= 0);
    }
}
