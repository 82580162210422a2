//! Heat of a single column: mixing of its lower and upper half, growth and melting of ice, and
//! exchange with the air. All processes have closed-form solutions, so a pool that slept for an
//! hour can be brought up to date in one step.

use super::vectors::one_minus_exp;

pub(super) const WATER_DENSITY: f64 = 1000.0;
pub(super) const ICE_DENSITY: f64 = 917.0;

pub(super) const HEAT_CAPACITY: f64 = 4186.0;

/// Latent heat of fusion of water (J/kg).
pub(super) const LATENT_FUSION: f64 = 334e3;
pub(super) const LATENT_VAPORISATION: f64 = 2257e3;

/// Thermal conductivity of ice (W/(m·K)) at 0 °C (Petrenko & Whitworth 1999).
pub(super) const ICE_CONDUCTIVITY: f64 = 2.2;

/// Temperature of maximum density of water (°C).
const MAX_DENSITY_TEMPERATURE: f64 = 4.0;

/// Volumetric heat capacity of water (J/(m³·K)).
const VOLUMETRIC_CAPACITY: f64 = WATER_DENSITY * HEAT_CAPACITY;

/// Column of water and ice, per square metre of its horizontal area. From bottom to top, the column
/// consists of ice on the ground, the lower and the upper half of the water, floating ice, a pond
/// on the floating ice, and a crust of ice on the pond. Amounts of ice are given as water
/// equivalent (m).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Column {
    pub(super) ground_ice: f64,
    /// Depth of the water (m), excluding the pond.
    pub(super) water: f64,
    /// Temperature of the lower half of the water (°C).
    pub(super) lower_temperature: f64,
    /// Temperature of the upper half of the water (°C).
    pub(super) upper_temperature: f64,
    pub(super) ice: f64,
    /// Depth of the pond on the floating ice (m).
    pub(super) pond: f64,
    pub(super) pond_temperature: f64,
    pub(super) crust: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Ambient {
    pub(super) air_temperature: f64,
    /// Heat transfer coefficient between surface and air (W/(m²·K)). The value is 0 if the column
    /// has no contact with air.
    pub(super) exchange_coefficient: f64,
    /// Effective vertical heat conductivity of the water (W/(m·K)).
    pub(super) conductivity: f64,
    pub(super) duration: f64,
}

/// Returns the thickness (m) of ice that has the water equivalent `water` (m).
pub(super) fn ice_thickness(water: f64) -> f64 {
    water * (WATER_DENSITY / ICE_DENSITY)
}

#[inline(always)]
pub(super) fn half_capacity(water: f64) -> f64 {
    0.5 * VOLUMETRIC_CAPACITY * water
}

/// Returns the temperatures (°C) of the lower and the upper half of a water column after mixing for
/// `duration` (s). `water` is the depth of the column (m), and `conductivity` is its vertical heat
/// conductivity (W/(m·K)). The temperatures approach each other, and become equal if the lower half
/// is lighter.
#[inline(always)]
pub(super) fn mix_halves(
    [bottom, top]: [f64; 2],
    water: f64,
    conductivity: f64,
    duration: f64,
) -> [f64; 2] {
    let off = |t: f64| (t - MAX_DENSITY_TEMPERATURE).abs();
    let mean = 0.5 * (bottom + top);
    // The centres of the halves are half the depth apart.
    let conductance = conductivity / (0.5 * water);
    let part = one_minus_exp(2.0 * conductance * duration / half_capacity(water));
    let turns = off(bottom) > off(top);
    [bottom, top].map(|t| if turns { mean } else { t + part * (mean - t) })
}

/// Returns the temperature (°C) of a water surface after heat exchange with the air, limited to at
/// least 0 °C. `capacity` is the heat capacity of the water that exchanges heat (J/(m²·K)).
#[inline(always)]
pub(super) fn temperature_after_air_exchange(
    surface: f64,
    capacity: f64,
    ambient: &Ambient,
) -> f64 {
    let left = 1.0 - one_minus_exp(ambient.exchange_coefficient / capacity * ambient.duration);
    (ambient.air_temperature + (surface - ambient.air_temperature) * left).max(0.0)
}

impl Column {
    /// Advances the column by the time given in `ambient`. The two halves of the water mix, warm
    /// water melts the adjacent ice, and the uppermost layer exchanges heat with the air. Returns
    /// the heat gained from the air (J/m²).
    #[inline]
    pub(super) fn advance(&mut self, ambient: &Ambient) -> f64 {
        self.mix(ambient);
        self.melt_from_below(ambient);
        if self.ground_ice > 0.0 {
            self.melt_ground(ambient);
        }
        if self.pond > 0.0 {
            self.melt_around_pond(ambient);
        }
        self.restore_layer_order();
        if ambient.exchange_coefficient > 0.0 { self.exchange_with_air(ambient) } else { 0.0 }
    }

    /// Restores the order of the layers. A layer without support moves down, adjacent layers of ice
    /// merge, and ice without water below it rests on the ground.
    fn restore_layer_order(&mut self) {
        if self.ice <= 0.0 {
            if self.pond > 0.0 {
                self.add_water_on_top(self.pond, self.pond_temperature);
            }
            (self.ice, self.crust) = (self.crust, 0.0);
            (self.pond, self.pond_temperature) = (0.0, 0.0);
        } else if self.pond <= 0.0 {
            self.ice += self.crust;
            (self.pond, self.pond_temperature, self.crust) = (0.0, 0.0, 0.0);
        }
        if self.water <= 0.0 && self.ice > 0.0 {
            self.ground_ice += self.ice;
            (self.water, self.lower_temperature, self.upper_temperature) =
                (self.pond, self.pond_temperature, self.pond_temperature);
            self.ice = self.crust;
            (self.pond, self.pond_temperature, self.crust) = (0.0, 0.0, 0.0);
        }
    }

    fn half_heat_capacity(&self) -> f64 {
        half_capacity(self.water)
    }

    fn mix(&mut self, ambient: &Ambient) {
        if self.water <= 0.0 {
            return;
        }
        let halves = [self.lower_temperature, self.upper_temperature];
        [self.lower_temperature, self.upper_temperature] =
            mix_halves(halves, self.water, ambient.conductivity, ambient.duration);
    }

    fn melt_from_below(&mut self, ambient: &Ambient) {
        if self.ice <= 0.0 || self.water <= 0.0 || self.upper_temperature <= 0.0 {
            return;
        }
        let conductance = ambient.conductivity / (0.25 * self.water);
        let released = self.upper_temperature
            * self.half_heat_capacity()
            * one_minus_exp(conductance * ambient.duration / self.half_heat_capacity());
        let released = released.min(LATENT_FUSION * WATER_DENSITY * self.ice);
        self.upper_temperature -= released / self.half_heat_capacity();
        self.melt(released / (LATENT_FUSION * WATER_DENSITY));
    }

    fn melt_ground(&mut self, ambient: &Ambient) {
        if self.water <= 0.0 || self.lower_temperature <= 0.0 {
            return;
        }
        let conductance = ambient.conductivity / (0.25 * self.water);
        let released = self.lower_temperature
            * self.half_heat_capacity()
            * one_minus_exp(conductance * ambient.duration / self.half_heat_capacity());
        let released = released.min(LATENT_FUSION * WATER_DENSITY * self.ground_ice);
        self.lower_temperature -= released / self.half_heat_capacity();
        let melted = released / (LATENT_FUSION * WATER_DENSITY);
        let half = 0.5 * self.water;
        self.ground_ice = (self.ground_ice - melted).max(0.0);
        self.water += melted;
        // These formulas are the same as for melting at the top, but upside down.
        let mixed = half * self.lower_temperature / (half + melted);
        self.upper_temperature =
            (half * self.upper_temperature + 0.5 * melted * mixed) / (0.5 * self.water);
        self.lower_temperature = mixed;
    }

    /// Uses the heat of a pond to melt the ice below the pond and the crust of ice on the pond.
    fn melt_around_pond(&mut self, ambient: &Ambient) {
        let capacity = VOLUMETRIC_CAPACITY * self.pond;
        let conductance = ambient.conductivity / (0.5 * self.pond);
        let sides = if self.crust > 0.0 { 2.0 } else { 1.0 };
        let released = self.pond_temperature
            * capacity
            * one_minus_exp(sides * conductance * ambient.duration / capacity);
        let each = released / (sides * LATENT_FUSION * WATER_DENSITY);
        let below = each.min(self.ice);
        let above = if self.crust > 0.0 { each.min(self.crust) } else { 0.0 };
        let melted = below + above;
        let heat = self.pond_temperature * capacity - melted * LATENT_FUSION * WATER_DENSITY;
        (self.ice, self.crust) = (self.ice - below, self.crust - above);
        self.pond += melted;
        self.pond_temperature = (heat / (VOLUMETRIC_CAPACITY * self.pond)).max(0.0);
    }

    /// Exchanges heat between the air and the uppermost layer. If this layer melts or freezes
    /// completely, continues with the next layer for the remaining time. Returns the heat gained
    /// from the air (J/m²).
    fn exchange_with_air(&mut self, ambient: &Ambient) -> f64 {
        let (mut inflow, mut time) = (0.0, ambient.duration);
        // Each iteration except the last removes a layer of the column.
        for _ in 0..6 {
            let left = Ambient { duration: time, ..*ambient };
            let (heat, rest) = if ambient.air_temperature > 0.0 {
                self.apply_warm_air(&left)
            } else {
                self.apply_cold_air(&left)
            };
            inflow += heat;
            self.restore_layer_order();
            time = rest;
            if time <= 0.0 {
                break;
            }
        }
        inflow
    }

    /// Exchanges heat between warm air and the uppermost layer. Returns the heat gained (J/m²) and
    /// the time (s) that is left after the layer has melted completely.
    fn apply_warm_air(&mut self, ambient: &Ambient) -> (f64, f64) {
        let Ambient {
            air_temperature: air, exchange_coefficient: exchange, duration: time, ..
        } = *ambient;
        let wet = if self.ice > 0.0 { self.pond } else { self.water };
        if self.crust <= 0.0 && wet > 0.0 {
            return (self.heat_surface(ambient), 0.0);
        }
        let solid = match () {
            () if self.crust > 0.0 => self.crust,
            () if self.ice > 0.0 => self.ice,
            () => self.ground_ice,
        };
        if solid <= 0.0 {
            return (0.0, 0.0);
        }
        let wanted = exchange * air * time / (LATENT_FUSION * WATER_DENSITY);
        let melted = wanted.min(solid);
        if self.ice > 0.0 {
            match self.crust > 0.0 {
                true => self.crust -= melted,
                false => self.ice -= melted,
            }
            self.pond_temperature *= self.pond / (self.pond + melted);
            self.pond += melted;
        } else {
            self.ground_ice -= melted;
            self.add_water_on_top(melted, 0.0);
        }
        (melted * LATENT_FUSION * WATER_DENSITY, time - time * melted / wanted)
    }

    /// Warms or cools the uppermost water, but not below 0 °C. Returns the heat gained (J/m²).
    fn heat_surface(&mut self, ambient: &Ambient) -> f64 {
        let on_ice = self.ice > 0.0;
        let capacity =
            if on_ice { VOLUMETRIC_CAPACITY * self.pond } else { self.half_heat_capacity() };
        let surface = if on_ice { &mut self.pond_temperature } else { &mut self.upper_temperature };
        let to = temperature_after_air_exchange(*surface, capacity, ambient);
        let inflow = capacity * (to - *surface);
        *surface = to;
        inflow
    }

    /// Exchanges heat between cold air and the uppermost water: cools it to 0 °C, then freezes it.
    /// Returns the heat gained (J/m²) and the time (s) that is left after all of this water has
    /// frozen.
    fn apply_cold_air(&mut self, ambient: &Ambient) -> (f64, f64) {
        let Ambient {
            air_temperature: air,
            exchange_coefficient: exchange,
            duration: mut time,
            ..
        } = *ambient;
        let on_ice = self.ice > 0.0 && self.pond > 0.0;
        let wet = if on_ice { self.pond } else { self.water };
        if wet <= 0.0 {
            return (0.0, 0.0);
        }
        let mut inflow = 0.0;
        if self.crust <= 0.0 && (on_ice || self.ice <= 0.0) {
            let capacity =
                if on_ice { VOLUMETRIC_CAPACITY * self.pond } else { self.half_heat_capacity() };
            let surface = if on_ice { self.pond_temperature } else { self.upper_temperature };
            let pace = exchange / capacity;
            let cold = air + (surface - air) * (1.0 - one_minus_exp(pace * time));
            inflow += self.heat_surface(ambient);
            // Time left after the surface has reached 0 °C.
            time = if cold < 0.0 { time - libm::log((surface - air) / -air) / pace } else { 0.0 };
        }
        if air < 0.0 && time > 0.0 {
            let (taken, rest) = self.grow_ice(&Ambient { duration: time, ..*ambient }, on_ice);
            return (inflow - taken, rest);
        }
        (inflow, 0.0)
    }

    /// Grows ice according to Stefan's law, including the thermal resistance between ice and air.
    /// With the ice thickness h, the conductivity k, the heat transfer coefficient α, the air
    /// temperature T, the density ρ and the latent heat L, `(h + k/α)²` grows by `2k·(−T)/(ρ·L)·t`
    /// in the time t. Returns the heat taken from the water (J/m²), and the time (s) that is left
    /// after all of the water has frozen.
    fn grow_ice(&mut self, ambient: &Ambient, on_ice: bool) -> (f64, f64) {
        let (warm, lid, wet) = match on_ice {
            true => (self.pond_temperature, self.crust, self.pond),
            false => (self.upper_temperature, self.ice, self.water),
        };
        let latent = LATENT_FUSION + HEAT_CAPACITY * warm;
        let film = ICE_CONDUCTIVITY / ambient.exchange_coefficient;
        let thick = ice_thickness(lid) + film;
        let pace = 2.0 * ICE_CONDUCTIVITY * -ambient.air_temperature / (ICE_DENSITY * latent);
        let gain = pace * ambient.duration;
        let grown = gain / (thick + (thick * thick + gain).sqrt()) * (ICE_DENSITY / WATER_DENSITY);
        if !on_ice {
            return (self.freeze(grown.min(self.water)), 0.0);
        }
        let frozen = grown.min(wet);
        self.crust += frozen;
        self.pond -= frozen;
        let whole = ice_thickness(frozen);
        let rest = ambient.duration - whole * (whole + 2.0 * thick) / pace;
        let rest = if self.pond > 0.0 { 0.0 } else { rest.max(0.0) };
        (WATER_DENSITY * (LATENT_FUSION + HEAT_CAPACITY * self.pond_temperature) * frozen, rest)
    }

    /// Freezes the uppermost `frozen` (m) of the water. The boundary between the two halves of the
    /// water moves down by half of that depth. Returns the heat taken from the water (J/m²).
    fn freeze(&mut self, frozen: f64) -> f64 {
        let half = 0.5 * self.water;
        let (upper, lower) = (frozen.min(half), (frozen - half).max(0.0));
        let warmth = upper * self.upper_temperature + lower * self.lower_temperature;
        self.ice += frozen;
        self.water -= frozen;
        if self.water <= 0.0 {
            (self.water, self.lower_temperature, self.upper_temperature) = (0.0, 0.0, 0.0);
        } else if lower > 0.0 {
            self.upper_temperature = self.lower_temperature;
        } else {
            let rest = half - frozen;
            self.upper_temperature = (rest * self.upper_temperature
                + 0.5 * frozen * self.lower_temperature)
                / (0.5 * self.water);
        }
        WATER_DENSITY * (LATENT_FUSION * frozen + HEAT_CAPACITY * warmth)
    }

    fn melt(&mut self, melted: f64) {
        self.ice = (self.ice - melted).max(0.0);
        self.add_water_on_top(melted, 0.0);
    }

    fn add_water_on_top(&mut self, added: f64, temperature: f64) {
        let half = 0.5 * self.water;
        self.water += added;
        if self.water <= 0.0 {
            return;
        }
        let mixed = (half * self.upper_temperature + added * temperature) / (half + added);
        self.lower_temperature =
            (half * self.lower_temperature + 0.5 * added * mixed) / (0.5 * self.water);
        self.upper_temperature = mixed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn heat_content(column: &Column) -> f64 {
        let pond = VOLUMETRIC_CAPACITY * column.pond * column.pond_temperature;
        let ice = column.ground_ice + column.ice + column.crust;
        column.half_heat_capacity() * (column.lower_temperature + column.upper_temperature) + pond
            - LATENT_FUSION * WATER_DENSITY * ice
    }

    proptest! {
        #[test]
        fn heat_is_conserved_and_temperatures_stay_bounded(
            (water, bottom, top) in (0.0f64..20.0, 0.0f64..100.0, 0.0f64..100.0), ice in 0.0f64..3.0,
            tiers in proptest::option::of((0.0f64..2.0, 0.0f64..2.0, 0.0f64..100.0, 0.0f64..1.0)), air in -100.0f64..200.0, exchange in 0.0f64..1e4, mixing in 0.0f64..1e4, time in 1e-3f64..1e7
        ) {
            let (ground, pond, warm, crust) = tiers.unwrap_or_default();
            let mut column = Column { ground_ice: ground, water, lower_temperature: bottom, upper_temperature: top, ice, pond, pond_temperature: warm, crust };
            let all = |column: &Column| {
                column.ground_ice + column.water + column.ice + column.pond + column.crust
            };
            let (before, start) = (heat_content(&column), all(&column));
            let inflow = column.advance(&Ambient { air_temperature: air, exchange_coefficient: exchange, conductivity: mixing, duration: time });
            let scale = 1.0 + before.abs() + (LATENT_FUSION + 100.0 * HEAT_CAPACITY) * WATER_DENSITY * start;
            prop_assert!((heat_content(&column) - before - inflow).abs() < 1e-9 * scale, "{column:?}");
            let max = bottom.max(top).max(warm).max(air).max(0.0) + 1e-9;
            prop_assert!(column.lower_temperature >= -1e-9 && column.lower_temperature <= max, "{column:?}");
            prop_assert!(column.upper_temperature >= -1e-9 && column.upper_temperature <= max, "{column:?}");
            prop_assert!(column.pond_temperature >= -1e-9 && column.pond_temperature <= max, "{column:?}");
            prop_assert!([column.ground_ice, column.water, column.ice, column.pond, column.crust].iter().all(|&m| m >= 0.0));
            prop_assert!((all(&column) - start).abs() < 1e-9);
            // Every layer must rest on the layer below it.
            prop_assert!(column.ice > 0.0 || column.pond == 0.0, "{column:?}");
            prop_assert!(column.pond > 0.0 || column.crust == 0.0, "{column:?}");
            prop_assert!(column.water > 0.0 || column.ice == 0.0, "{column:?}");
        }
    }

    #[test]
    fn one_long_step_equals_many_short_ones() {
        let start = Column { water: 2.0, ..Column::default() };
        let ambient = Ambient {
            air_temperature: -20.0,
            exchange_coefficient: 30.0,
            conductivity: 100.0,
            duration: 864_000.0,
        };
        let (mut once, mut often) = (start, start);
        once.advance(&ambient);
        for _ in 0..1000 {
            often.advance(&Ambient { duration: 864.0, ..ambient });
        }
        assert!((once.ice - often.ice).abs() < 1e-6 && once.ice > 0.2, "{once:?} {often:?}");
    }

    #[test]
    fn water_overturns_until_all_is_at_four_degrees() {
        let ambient = Ambient {
            air_temperature: -5.0,
            exchange_coefficient: 25.0,
            conductivity: 1.0,
            duration: 60.0,
        };
        let mut lake = Column {
            water: 4.0,
            lower_temperature: 10.0,
            upper_temperature: 10.0,
            ..Column::default()
        };
        while lake.upper_temperature > 3.9 {
            lake.advance(&ambient);
            assert!(
                lake.lower_temperature - lake.upper_temperature < 0.2
                    || lake.upper_temperature < 4.0,
                "{lake:?}"
            );
        }
        while lake.ice == 0.0 {
            lake.advance(&ambient);
        }
        assert!(lake.lower_temperature > 3.0, "warmest at the bottom: {lake:?}");
    }
}
