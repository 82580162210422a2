//! One column of water by itself: how its halves mix, how ice grows and melts on it, and what the air gives and
//! takes. Every part is solved in closed form, so that a pool that has slept for an hour may take it in one step.

/// Density of water (kg/m³) and of ice.
pub(super) const WATER: f64 = 1000.0;
pub(super) const ICE: f64 = 917.0;

/// Heat capacity of water (J/(kg·K)).
pub(super) const CAPACITY: f64 = 4186.0;

/// Heat that melting takes, and boiling (J/kg).
pub(super) const FUSION: f64 = 334e3;
pub(super) const VAPOUR: f64 = 2257e3;

/// Conductivity of ice (W/(m·K)) at 0 °C (Petrenko & Whitworth 1999).
pub(super) const ICE_CONDUCTS: f64 = 2.2;

/// Where water is densest (°C).
const DENSEST: f64 = 4.0;

/// Heat for a cubic metre and kelvin (J/(m³·K)).
const VOLUME_CAPACITY: f64 = WATER * CAPACITY;

/// A column per square metre of its area: two halves of water, one above the other, and the ice that floats on
/// them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    /// Water (m), without ice.
    pub(super) water: f64,
    /// Temperatures of its lower and of its upper half (°C).
    pub(super) bottom: f64,
    pub(super) top: f64,
    /// Ice, as the water that it is made of (m).
    pub(super) ice: f64,
}

/// What a column exchanges heat with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    /// Temperature of the air (°C).
    pub(super) air: f64,
    /// How well heat goes into the surface (W/(m²·K)); 0 where there is no air.
    pub(super) exchange: f64,
    /// How well heat goes up and down (W/(m·K)).
    pub(super) mixing: f64,
    /// For how long (s).
    pub(super) time: f64,
}

/// How thick ice is (m) that is made of so much water (m).
pub(super) fn thickness(water: f64) -> f64 {
    water * (WATER / ICE)
}

/// The part of a difference that is gone after `ratio` times the time it takes.
fn gone(ratio: f64) -> f64 {
    -libm::expm1(-ratio)
}

impl Column {
    /// Passes some time: the halves mix, the water melts the ice from below, the air acts from above. Returns what came
    /// from the air (J/m²).
    #[inline]
    pub(super) fn pass(&mut self, around: &Around) -> f64 {
        self.mix(around);
        self.melt_from_below(around);
        if around.exchange > 0.0 { self.meet_air(around) } else { 0.0 }
    }

    /// Heat capacity of one half (J/(m²·K)).
    fn half(&self) -> f64 {
        0.5 * VOLUME_CAPACITY * self.water
    }

    /// Brings the halves together; wholly where the lower is the lighter.
    fn mix(&mut self, around: &Around) {
        if self.water <= 0.0 {
            return;
        }
        let off = |t: f64| (t - DENSEST).abs();
        let mean = 0.5 * (self.bottom + self.top);
        if off(self.bottom) > off(self.top) {
            (self.bottom, self.top) = (mean, mean);
            return;
        }
        // Their middles are half the depth apart.
        let conductance = around.mixing / (0.5 * self.water);
        let part = gone(2.0 * conductance * around.time / self.half());
        self.bottom += part * (mean - self.bottom);
        self.top += part * (mean - self.top);
    }

    fn melt_from_below(&mut self, around: &Around) {
        if self.ice <= 0.0 || self.water <= 0.0 || self.top <= 0.0 {
            return;
        }
        let conductance = around.mixing / (0.25 * self.water);
        let given = self.top * self.half() * gone(conductance * around.time / self.half());
        let given = given.min(FUSION * WATER * self.ice);
        self.top -= given / self.half();
        self.melt(given / (FUSION * WATER));
    }

    fn meet_air(&mut self, around: &Around) -> f64 {
        let Around { air, exchange, mut time, .. } = *around;
        let mut came = 0.0;
        if self.ice > 0.0 && air > 0.0 {
            let wanted = exchange * air * time / (FUSION * WATER);
            let melted = wanted.min(self.ice);
            came += melted * FUSION * WATER;
            time -= time * melted / wanted;
            self.melt(melted);
        }
        if self.ice <= 0.0 && self.water > 0.0 && time > 0.0 {
            let pace = exchange / self.half();
            let cold = air + (self.top - air) * (1.0 - gone(pace * time));
            let to = cold.max(0.0);
            came += self.half() * (to - self.top);
            // What is left of the time once the surface is as cold as water gets.
            time = if cold < 0.0 { time - libm::log((self.top - air) / -air) / pace } else { 0.0 };
            self.top = to;
        }
        if air < 0.0 && self.water > 0.0 && time > 0.0 {
            came -= self.freeze_for(around, time);
        }
        came
    }

    /// Ice grows for some time: Stefan's law, with the air's resistance above the ice. Returns the heat that it
    /// took (J/m²).
    ///
    /// `ρ·L·dh/dt = −T/(h/k + 1/α)`, so `h + k/α` grows as the root of its square plus `2k·(−T)/(ρ·L)·t`.
    fn freeze_for(&mut self, around: &Around, time: f64) -> f64 {
        let latent = FUSION + CAPACITY * self.top;
        let film = ICE_CONDUCTS / around.exchange;
        let thick = thickness(self.ice);
        let gain = 2.0 * ICE_CONDUCTS * -around.air * time / (ICE * latent);
        let grown = gain / ((thick + film) + ((thick + film) * (thick + film) + gain).sqrt());
        self.freeze((grown * (ICE / WATER)).min(self.water))
    }

    /// Turns so much of the uppermost water (m) to ice. The border of the halves sinks by half as much. Returns the
    /// heat that it takes (J/m²).
    fn freeze(&mut self, frozen: f64) -> f64 {
        let half = 0.5 * self.water;
        let (upper, lower) = (frozen.min(half), (frozen - half).max(0.0));
        let warmth = upper * self.top + lower * self.bottom;
        self.ice += frozen;
        self.water -= frozen;
        if self.water <= 0.0 {
            (self.water, self.bottom, self.top) = (0.0, 0.0, 0.0);
        } else if lower > 0.0 {
            self.top = self.bottom;
        } else {
            let rest = half - frozen;
            self.top = (rest * self.top + 0.5 * frozen * self.bottom) / (0.5 * self.water);
        }
        WATER * (FUSION * frozen + CAPACITY * warmth)
    }

    /// Turns so much ice (m of water) to water of 0 °C on top. The border of the halves rises by half as much.
    fn melt(&mut self, melted: f64) {
        let half = 0.5 * self.water;
        self.ice = (self.ice - melted).max(0.0);
        self.water += melted;
        if self.water <= 0.0 {
            return;
        }
        let mixed = half * self.top / (half + melted);
        self.bottom = (half * self.bottom + 0.5 * melted * mixed) / (0.5 * self.water);
        self.top = mixed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Heat above that of water of 0 °C (J/m²).
    fn heat(column: &Column) -> f64 {
        column.half() * (column.bottom + column.top) - FUSION * WATER * column.ice
    }

    proptest! {
        #[test]
        fn heat_is_kept_and_no_temperature_runs_away(
            water in 0.0f64..20.0, bottom in 0.0f64..100.0, top in 0.0f64..100.0, ice in 0.0f64..3.0,
            air in -100.0f64..200.0, exchange in 0.0f64..1e4, mixing in 0.0f64..1e4, time in 1e-3f64..1e7
        ) {
            let mut column = Column { water, bottom, top, ice };
            let before = heat(&column);
            let came = column.pass(&Around { air, exchange, mixing, time });
            let scale = 1.0 + before.abs() + FUSION * WATER * (ice + water) + 100.0 * column.half();
            prop_assert!((heat(&column) - before - came).abs() < 1e-9 * scale, "{column:?}");
            let most = bottom.max(top).max(air).max(0.0) + 1e-9;
            prop_assert!(column.bottom >= -1e-9 && column.bottom <= most, "{column:?}");
            prop_assert!(column.top >= -1e-9 && column.top <= most, "{column:?}");
            prop_assert!(column.ice >= 0.0 && column.water >= 0.0);
            prop_assert!((column.ice + column.water - ice - water).abs() < 1e-9);
        }
    }

    #[test]
    fn a_long_time_is_as_many_short_ones() {
        let start = Column { water: 2.0, bottom: 0.0, top: 0.0, ice: 0.0 };
        let around = Around { air: -20.0, exchange: 30.0, mixing: 100.0, time: 864_000.0 };
        let (mut once, mut often) = (start, start);
        once.pass(&around);
        for _ in 0..1000 {
            often.pass(&Around { time: 864.0, ..around });
        }
        assert!((once.ice - often.ice).abs() < 1e-6 && once.ice > 0.2, "{once:?} {often:?}");
    }

    #[test]
    fn water_turns_over_until_all_is_at_four_degrees() {
        let around = Around { air: -5.0, exchange: 25.0, mixing: 1.0, time: 60.0 };
        let mut lake = Column { water: 4.0, bottom: 10.0, top: 10.0, ice: 0.0 };
        while lake.top > 3.9 {
            lake.pass(&around);
            assert!(lake.bottom - lake.top < 0.2 || lake.top < 4.0, "{lake:?}");
        }
        while lake.ice == 0.0 {
            lake.pass(&around);
        }
        assert!(lake.bottom > 3.0, "warmest at the bottom: {lake:?}");
    }
}
