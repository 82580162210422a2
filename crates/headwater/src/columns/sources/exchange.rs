//! Exchange of water and momentum with the outside: springs, drains, rain, evaporation and wind.
//! Amounts of water are whole multiples of the height quantum; fractions are carried over to later
//! steps.

use super::source::{Weather, Wind};
use crate::columns::layout::{MAX_LEVEL, NO_CEILING};
use crate::columns::world::Columns;
use crate::error::InputError;
use crate::ledger::Cause;
use crate::parameter::Parameters;
use crate::series::Series;

/// Number of steps between applications of rain and evaporation. The long interval keeps the cost
/// of visiting sleeping pools low.
const STEPS_PER_WEATHER: u64 = 16;

/// Divisor for the height by which a spring may overfill a column below a ceiling: this height is
/// the distance from floor to ceiling divided by the constant. The pressure solver distributes the
/// excess water in the same step.
const OVERFILL_DIVISOR: i32 = 1 << 14;

const MM_PER_HOUR: f64 = 1e-3 / 3600.0;

impl Columns {
    /// Returns the current weather.
    pub fn weather(&self) -> &Weather {
        &self.exchange.weather
    }

    /// Sets the weather, starting with the next step.
    ///
    /// # Errors
    /// Returns [`InputError`] if a number is out of range, if rain or evaporation is set in a world
    /// with [`Motion::Springs`](crate::columns::Motion::Springs), or if an air temperature is set
    /// in a world without heat.
    pub fn set_weather(&mut self, weather: Weather) -> Result<(), InputError> {
        weather.check()?;
        if weather.moves_water() {
            self.require_volume("weather")?;
        }
        if weather.air.is_some() {
            self.require_heat("air")?;
        }
        self.exchange.weather = weather;
        Ok(())
    }

    /// Returns the current wind, or `None` if there is no wind.
    pub fn wind(&self) -> Option<&Wind> {
        self.exchange.wind.as_ref()
    }

    /// Sets the wind, starting with the next step. `None` stops the wind.
    ///
    /// # Errors
    /// Returns [`InputError`] if a number is out of range.
    pub fn set_wind(&mut self, wind: Option<Wind>) -> Result<(), InputError> {
        wind.as_ref().map_or(Ok(()), Parameters::check)?;
        self.exchange.wind = wind;
        Ok(())
    }

    pub(in crate::columns) fn exchange_with_outside(&mut self) {
        self.apply_outlets(false);
        self.apply_outlets(true);
        if self.steps.is_multiple_of(STEPS_PER_WEATHER) {
            self.apply_weather();
        }
        self.apply_wind();
    }

    fn apply_outlets(&mut self, is_drain: bool) {
        let (time, step, unit) = (self.time(), self.params.step, self.layout.quantum_volume());
        let (sign, cause) = if is_drain { (-1.0, Cause::Drain) } else { (1.0, Cause::Source) };
        for number in 0..self.exchange.outlets_mut(is_drain).len() {
            let outlet = &mut self.exchange.outlets_mut(is_drain)[number];
            let requested = sign * outlet.source.rate.value_at(time) * step / unit;
            let amount = outlet.remainder + requested;
            // Limit the amount to the range of an integer: a column cannot hold more than this.
            let whole = amount.trunc().clamp(-1e9, 1e9);
            outlet.remainder = if amount.abs() < 1e9 { amount - whole } else { 0.0 };
            if whole != 0.0 {
                let columns = std::mem::take(&mut outlet.columns);
                let added = self.add_water_from_outside(&columns, whole as i64);
                self.ledger.record(cause, added.into());
                self.exchange.outlets_mut(is_drain)[number].columns = columns;
            }
        }
    }

    /// Adds water to columns in equal parts, or removes water if `quanta` is negative. Returns the
    /// amount added (in height quanta of water in one column; a height quantum is the integer unit
    /// of height). The caller must record this amount in the ledger.
    pub(in crate::columns) fn add_water(&mut self, columns: &[usize], quanta: i64) -> i64 {
        self.add_evenly(columns, quanta, false)
    }

    pub(in crate::columns) fn add_water_from_outside(
        &mut self,
        columns: &[usize],
        quanta: i64,
    ) -> i64 {
        self.add_evenly(columns, quanta, true)
    }

    /// Returns the part of a column's water that cannot be removed (in height quanta, the integer
    /// unit of height). If `to_outside` is false, the water stays in the world, and this part is
    /// the ice on the ground. If it is true, the water leaves the world, and all of it can be
    /// removed.
    pub(in crate::columns) fn unremovable_water(&self, c: usize, to_outside: bool) -> i32 {
        if to_outside { 0 } else { self.heads.ground[c] }
    }

    pub(in crate::columns) fn add_evenly(
        &mut self,
        columns: &[usize],
        quanta: i64,
        from_outside: bool,
    ) -> i64 {
        let n = columns.len() as i64;
        let mut added = 0;
        let mut left = quanta;
        for (i, &c) in columns.iter().enumerate() {
            let share = left / (n - i as i64);
            let removable =
                i64::from(self.state.depth[c] - self.unremovable_water(c, from_outside));
            let share = if quanta < 0 { share.max(-removable) } else { share };
            // Below a ceiling, a little more water may be pressed in.
            let height = self.layout.ceiling[c].min(MAX_LEVEL) - self.layout.floor[c];
            let max_depth = i64::from(height) + i64::from(height / OVERFILL_DIVISOR);
            let before = self.state.depth[c];
            let share = share.min((max_depth - i64::from(before)).max(0));
            self.state.depth[c] += share as i32;
            if from_outside {
                self.record_heat_exchange(c, before);
            }
            added += share;
            left -= share;
            if share != 0 {
                self.wake(self.layout.pool_of(c));
            }
        }
        added
    }

    /// Records the heat of water that was added to a column from outside the world, or removed to
    /// the outside. `old_depth` is the previous depth of the column (in height quanta).
    fn record_heat_exchange(&mut self, column: usize, old_depth: i32) {
        let after = self.state.depth[column];
        if let Some(warmth) = &mut self.warmth
            && old_depth != after
        {
            let active = warmth.is_active(self.layout.pool_of(column));
            warmth.record_exchange(active, column, old_depth, after);
            warmth.update_column_ice(&mut self.heads, active, column);
        }
    }

    fn apply_weather(&mut self) {
        let time = self.time();
        let exchange = &mut self.exchange;
        let span = self.params.step * STEPS_PER_WEATHER as f64 / self.layout.quantum;
        let whole_quanta = |rate: &Series, remainder: &mut f64| {
            *remainder += rate.value_at(time) * MM_PER_HOUR * span;
            let whole = remainder.floor();
            *remainder -= whole;
            whole.min(1e8) as i32
        };
        let fallen = whole_quanta(&exchange.weather.rain, &mut exchange.rain_remainder);
        let dried =
            whole_quanta(&exchange.weather.evaporation, &mut exchange.evaporation_remainder);
        if fallen == 0 && dried == 0 {
            return;
        }
        self.changes.next_tick();
        let (mut added, mut removed) = (0_i64, 0_i64);
        let warmth = &mut self.warmth;
        for (number, pool) in self.layout.pools.iter().enumerate() {
            let warm = warmth.as_ref().is_some_and(|warmth| warmth.is_active(number));
            let (mut under_sky, mut under_roof, mut on_ground) = (false, false, false);
            for c in pool.columns.clone() {
                let depth = &mut self.state.depth[c];
                if self.layout.ceiling[c] < NO_CEILING {
                    under_roof |= *depth > 0;
                    continue;
                }
                let full = self.layout.floor[c] + *depth >= MAX_LEVEL;
                let fallen = if full { 0 } else { fallen };
                let lost = dried.min(*depth + fallen);
                on_ground |= *depth <= fallen && fallen > lost;
                let before = *depth;
                *depth += fallen - lost;
                if let Some(warmth) = warmth {
                    warmth.record_surface_exchange(warm, c, before, *depth);
                    warmth.update_column_ice(&mut self.heads, warm, c);
                }
                added += i64::from(fallen);
                removed += i64::from(lost);
                under_sky = true;
            }
            // Rain and evaporation move the whole surface of a pool under the sky by the same
            // height, so the pool need not wake. It wakes if part of its water is under a ceiling,
            // if it has dry ground, or if it has joints.
            if under_sky {
                self.changes.mark_index(number);
            }
            if under_sky && (under_roof || on_ground || !pool.joints.is_empty()) {
                self.sleep.wake(number);
            }
        }
        self.ledger.record(Cause::Rain, added.into());
        self.ledger.record(Cause::Evaporation, -i128::from(removed));
    }

    fn apply_wind(&mut self) {
        if self.exchange.wind.is_none() {
            return;
        }
        if self.steps.is_multiple_of(STEPS_PER_WEATHER) {
            for pool in 0..self.layout.pools.len() {
                let columns = self.layout.pools[pool].columns.clone();
                let open =
                    |c: usize| self.layout.ceiling[c] == NO_CEILING && self.state.depth[c] > 0;
                if !self.sleep.is_awake(pool) && columns.clone().any(open) {
                    self.wake(pool);
                }
            }
        }
        let time = self.time();
        let Some(wind) = &self.exchange.wind else { return };
        let shift = wind.speed * time / wind.length;
        let gain = wind.acceleration.value_at(time) * self.params.step;
        let (layout, state) = (&self.layout, &mut self.state);
        let springs = !state.rate.is_empty();
        for &pool in &self.sleep.awake {
            let pool = &layout.pools[pool as usize];
            let last = pool.columns.end - 1;
            for c in pool.columns.clone() {
                if layout.ceiling[c] < NO_CEILING || state.depth[c] == 0 {
                    continue;
                }
                let x = (pool.x0 + c - pool.columns.start + 1) as f64 * layout.width;
                let gust = wind.gusts * smooth_noise(x / wind.length - shift, wind.seed);
                if springs {
                    state.rate[c] += (gain * gust) as f32;
                } else if c < last && layout.ceiling[c + 1] == NO_CEILING && state.depth[c + 1] > 0
                {
                    state.speed[c] += (gain * (1.0 + gust)) as f32;
                }
            }
        }
    }
}

/// Returns smooth random noise between −1 and 1 at the position `x`. The correlation length in `x`
/// is 1.
fn smooth_noise(x: f64, seed: u64) -> f64 {
    let cell = x.floor();
    let t = x - cell;
    let at = |i: i64| {
        // SplitMix64 (Steele, Lea & Flood 2014).
        let mut z = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(seed);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    // With extremely short gusts a cell index may have no successor.
    let (a, b) = (at(cell as i64), at((cell as i64).saturating_add(1)));
    a + (b - a) * t * t * (3.0 - 2.0 * t)
}
