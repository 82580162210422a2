//! Heat state of one column in integer units of height and heat, with its layers of ice and water.

use super::super::layout::Layout;
use super::column::{Column, ice_thickness};
use super::ledger::{BOILING_HEAT, BOILING_POINT, MELTING_HEAT, UNITS_PER_KELVIN};
use super::vectors::{HeatConversion, Scalar, round_to_i64};
use serde::{Deserialize, Serialize};

/// Returns the temperatures (°C) of the lower and the upper half of a column, given the amount of
/// `water` (in height quanta) and the heat of each half (in heat units). Returns 0 °C if there is
/// no water.
#[inline(always)]
pub(super) fn temperatures<C: HeatConversion>(water: i32, heats: [i64; 2]) -> [f64; 2] {
    let to_celsius = 1.0 / (f64::from(water) * UNITS_PER_KELVIN);
    // A deficit of less than the latent heat of one quantum is possible.
    heats.map(|heat| if water > 0 { (C::to_f64(heat) * to_celsius).max(0.0) } else { 0.0 })
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct IceLayers {
    /// Ice on the ground, below the water (water equivalent in height quanta, the integer unit of
    /// height).
    pub(in super::super) ground: i32,
    /// Water in the pond on the floating ice (in height quanta).
    pub(super) pond: i32,
    /// Crust of ice on the pond (water equivalent in height quanta).
    pub(super) crust: i32,
    pub(super) warmth: i64,
}

impl IceLayers {
    /// Returns whether the layers of ice and pond are valid: no layer is negative, and together
    /// they do not exceed `held`, the part of the column's depth that does not flow (in height
    /// quanta).
    pub(super) fn fits_in(&self, held: i32) -> bool {
        let Self { ground, pond, crust, warmth } = *self;
        let all = i64::from(ground) + i64::from(pond) + i64::from(crust);
        ground >= 0
            && pond >= 0
            && crust >= 0
            && all <= i64::from(held)
            && warmth.unsigned_abs() < 1 << 62
    }
}

pub(super) struct ColumnState {
    pub(super) depth: i32,
    /// Part of `depth` that does not flow: ice, and the pond on it (in height quanta, the integer
    /// unit of height).
    pub(super) held: i32,
    pub(super) tiers: IceLayers,
    pub(super) lower: i64,
    pub(super) upper: i64,
}

/// Layer of a column: the height of its upper end (m above the floor), and whether the layer is
/// ice.
pub(in super::super) type LayerTop = (f64, bool);

impl ColumnState {
    pub(super) fn liquid_water(&self) -> i32 {
        self.depth - self.held
    }

    pub(super) fn total_ice(&self) -> i32 {
        self.held - self.tiers.pond
    }

    fn floating_ice(&self) -> i32 {
        let IceLayers { ground, pond, crust, .. } = self.tiers;
        self.held - ground - pond - crust
    }

    /// Returns whether the column has floating ice, which can carry a pond.
    pub(super) fn has_floating_ice(&self) -> bool {
        self.floating_ice() > 0
    }

    pub(super) fn heat(&self) -> i64 {
        self.lower + self.upper + self.tiers.warmth - 2 * MELTING_HEAT * i64::from(self.total_ice())
    }

    #[inline]
    pub(super) fn half_temperatures(&self) -> [f64; 2] {
        temperatures::<Scalar>(self.liquid_water(), [self.lower, self.upper])
    }

    pub(super) fn pond_temperature(&self) -> f64 {
        let IceLayers { pond, warmth, .. } = self.tiers;
        if pond > 0 {
            (warmth as f64 / (2.0 * f64::from(pond) * UNITS_PER_KELVIN)).max(0.0)
        } else {
            0.0
        }
    }

    pub(super) fn to_column(&self, quantum: f64) -> Column {
        let metres = |quanta: i32| f64::from(quanta) * quantum;
        let IceLayers { ground, pond, crust, .. } = self.tiers;
        let [bottom, top] = self.half_temperatures();
        Column {
            ground_ice: metres(ground),
            water: metres(self.liquid_water()),
            lower_temperature: bottom,
            upper_temperature: top,
            ice: metres(self.floating_ice()),
            pond: metres(pond),
            pond_temperature: self.pond_temperature(),
            crust: metres(crust),
        }
    }

    /// Returns the layers of the column, from bottom to top. Ice takes up about one eleventh more
    /// volume than the water it melts to. For ice on the ground, this larger volume is used only
    /// where no water covers the ice.
    pub(super) fn layer_tops(&self, layout: &Layout) -> [LayerTop; 5] {
        let IceLayers { ground, pond, crust, .. } = self.tiers;
        let [ground, water, sheet, pond, crust] =
            [ground, self.liquid_water(), self.floating_ice(), pond, crust]
                .map(|q| layout.to_metres(q));
        let out = (ice_thickness(ground) - ground - water).max(0.0);
        let mut top = 0.0;
        [
            (ground + out, true),
            (water, false),
            (ice_thickness(sheet), true),
            (pond, false),
            (ice_thickness(crust), true),
        ]
        .map(|(thick, is_ice)| {
            top += thick;
            (top, is_ice)
        })
    }

    /// Returns the freeboard of the column's ice: the height of the top of the ice above the water
    /// surface (m).
    pub(super) fn freeboard(&self, layout: &Layout) -> f64 {
        if self.held == 0 {
            return 0.0;
        }
        let grown = |quanta: i32| {
            let water = layout.to_metres(quanta);
            ice_thickness(water) - water
        };
        let ground = self.tiers.ground;
        grown(self.total_ice() - ground)
            + (grown(ground) - layout.to_metres(self.liquid_water())).max(0.0)
    }

    /// Sets the state to the result of a heat update. The total heat is the previous heat plus
    /// `inflow` (in heat units). The rounding error is added to the upper half of the water.
    pub(super) fn apply_update(&mut self, column: &Column, inflow: i64, quantum: f64) {
        let heat = self.heat() + inflow;
        let sheet = (column.ice / quantum) as i32;
        if self.tiers == IceLayers::default() && [column.ground_ice, column.pond] == [0.0; 2] {
            self.held = sheet.clamp(0, self.depth);
        } else {
            self.set_layers(column, sheet, quantum);
        }
        let water = self.liquid_water();
        self.lower = round_to_i64(column.lower_temperature * UNITS_PER_KELVIN * f64::from(water));
        self.tiers.warmth = round_to_i64(
            column.pond_temperature * 2.0 * UNITS_PER_KELVIN * f64::from(self.tiers.pond),
        );
        let ice = 2 * MELTING_HEAT * i64::from(self.total_ice());
        self.upper = heat - self.lower - self.tiers.warmth + ice;
        // Heat below 0 °C means that water is frozen.
        let missing = (-self.upper).max(0) / (2 * MELTING_HEAT);
        let frozen = missing.min(i64::from(water)) as i32;
        self.held += frozen;
        self.upper += 2 * MELTING_HEAT * i64::from(frozen);
        if self.tiers.ground > 0 && self.held == frozen + self.tiers.ground {
            // A rounding deficit does not form a layer of its own.
            self.tiers.ground += frozen;
        }
        if self.held == self.depth {
            self.upper += std::mem::take(&mut self.lower);
        }
    }

    /// Sets the layers of ice and water from the result of a heat update. Layers of less than one
    /// height quantum vanish, and layers without support move down. `sheet` is the floating ice
    /// (water equivalent in height quanta), and `quantum` is the height of one quantum (m).
    fn set_layers(&mut self, column: &Column, sheet: i32, quantum: f64) {
        let mut left = self.depth;
        let mut part = |quanta: i32| {
            let part = quanta.clamp(0, left);
            left -= part;
            part
        };
        let nearest = |metres: f64| (metres / quantum).round() as i32;
        let mut ground = part(nearest(column.ground_ice));
        let mut sheet = part(sheet);
        let [mut pond, mut crust] = [column.pond, column.crust].map(|m| part(nearest(m)));
        if sheet == 0 {
            left += pond;
            (sheet, pond, crust) = (crust, 0, 0);
        } else if pond == 0 {
            (sheet, crust) = (sheet + crust, 0);
        }
        if left == 0 && sheet > 0 {
            (ground, sheet, pond, crust) = (ground + sheet, crust, 0, 0);
        }
        self.tiers = IceLayers { ground, pond, crust, warmth: 0 };
        self.held = ground + sheet + pond + crust;
    }

    /// Turns whole height quanta of water into steam, with the heat above 100 °C. The heat is
    /// always removed; the water is removed only if `takes_water` is true. Returns the removed
    /// water (in height quanta) and the removed heat (in heat units).
    pub(super) fn boil(&mut self, takes_water: bool) -> (i64, i64) {
        let water = i64::from(self.liquid_water());
        let over = (self.lower - BOILING_POINT * water).max(0)
            + (self.upper - BOILING_POINT * water).max(0);
        let quanta = over / (2 * BOILING_HEAT);
        if quanta == 0 {
            return (0, 0);
        }
        if !takes_water {
            let heat = 2 * BOILING_HEAT * quanta;
            let from_lower = (self.lower - BOILING_POINT * water).clamp(0, heat);
            self.lower -= from_lower;
            self.upper -= heat - from_lower;
            return (0, heat);
        }
        let all = self.lower + self.upper;
        let (heat, quanta) = if quanta >= water {
            (self.lower, self.upper) = (0, 0);
            (all, water)
        } else {
            let heat = 2 * (BOILING_HEAT + BOILING_POINT) * quanta;
            let left = (water - quanta) as f64 / water as f64;
            self.lower = round_to_i64(self.lower.min(BOILING_POINT * water) as f64 * left);
            self.upper = all - heat - self.lower;
            (heat, quanta)
        };
        self.depth -= quanta as i32;
        (quanta, heat)
    }
}

#[cfg(test)]
mod tests {
    use super::super::column::{Ambient, HEAT_CAPACITY, WATER_DENSITY};
    use super::super::warmth::heat_units;
    use super::*;

    /// Heat capacity per square metre of water that is 1 m deep (J/(m²·K)).
    const METRE_CAPACITY: f64 = WATER_DENSITY * HEAT_CAPACITY;

    #[test]
    fn a_column_conserves_its_heat_exactly() {
        let mut one = ColumnState {
            depth: 1_000_003,
            held: 17,
            tiers: IceLayers::default(),
            lower: 0,
            upper: 0,
        };
        one.lower = heat_units(3.3) * 1_000_000;
        one.upper = heat_units(0.7) * 999_000;
        let quantum = 1e-6;
        let before = one.lower + one.upper - 2 * MELTING_HEAT * 17;
        let [bottom, top] = one.half_temperatures();
        let water = f64::from(one.liquid_water()) * quantum;
        let mut column = Column {
            water,
            lower_temperature: bottom,
            upper_temperature: top,
            ice: 17.0 * quantum,
            ..Column::default()
        };
        let ambient = Ambient {
            air_temperature: -20.0,
            exchange_coefficient: 40.0,
            conductivity: 10.0,
            duration: 3e6,
        };
        let joules = column.advance(&ambient);
        assert!(column.ice > 0.1 && joules < -0.1 * METRE_CAPACITY);
        let inflow = (joules / METRE_CAPACITY / quantum * 2.0 * UNITS_PER_KELVIN).round() as i64;
        one.apply_update(&column, inflow, quantum);
        assert_eq!(
            one.lower + one.upper - 2 * MELTING_HEAT * i64::from(one.total_ice()),
            before + inflow
        );
        assert!(one.half_temperatures()[1] < 3.3 && one.total_ice() > 100_000);
    }

    #[test]
    fn heat_above_boiling_becomes_steam() {
        let water = 1000;
        let mut one = ColumnState {
            depth: water,
            held: 0,
            tiers: IceLayers::default(),
            lower: BOILING_POINT * 1000,
            upper: BOILING_POINT * 1000,
        };
        one.lower += 2 * BOILING_HEAT * 10 + 5;
        let before = one.lower + one.upper;
        let (quanta, heat) = one.boil(true);
        assert_eq!((quanta, one.depth), (10, 990));
        assert_eq!(one.lower + one.upper, before - heat);
        assert!((one.half_temperatures()[1] - 100.0).abs() < 1e-3);
        one.upper += 1 << 50;
        let all = one.lower + one.upper;
        assert_eq!(one.boil(true), (990, all));
        assert_eq!((one.depth, one.lower, one.upper), (0, 0, 0));
    }
}
