//! What comes and goes by itself: springs, drains, rain, drying; and wind. Amounts are whole quanta; what is
//! less than one is owed.

use super::error::number;
use super::layout::{BRIM, SKY};
use super::{Columns, ColumnsError};
use crate::ledger::Cause;
use crate::region::Region;
use serde::{Deserialize, Serialize};

/// Every so many steps it rains and dries: in one go, so that sleeping pools are looked at no more often.
pub(super) const EVERY: u64 = 16;

/// The part of a column's height by which a source presses more into it than fits: enough for a head of
/// some ten metres.
const PRESSED: i32 = 1 << 14;

/// A place where water comes out or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Where: the columns of the cells in this region share it.
    pub region: Region,
    /// How much comes (m³/s for a world 1 m thick), as far as there is room: not into what is full to its ceiling, nor where
    /// water stands twice as high as the board. Below 0, how much goes, as far as there is any.
    pub rate: f64,
}

/// Wind along the open surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wind {
    /// How fast it makes the water faster (m/s²), to the east; −1 to 1. A wind of 10 m/s gives the uppermost
    /// metre some 0.0003 m/s²; a storm in a game may give a hundred times that.
    pub acceleration: f64,
    /// How much gusts add and take, as a part of the above, 0 to 10. Gusts make waves; steady wind tilts
    /// the water.
    pub gusts: f64,
    /// How long a gust is (m), above 0.
    pub length: f64,
    /// How fast gusts travel (m/s), up to 1000 either way. Waves as fast as that grow most.
    pub speed: f64,
    /// Chooses the gusts.
    pub seed: u64,
}

impl Default for Wind {
    fn default() -> Self {
        Self { acceleration: 0.02, gusts: 1.0, length: 8.0, speed: 3.0, seed: 1 }
    }
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Exchange {
    pub(super) sources: Vec<Source>,
    /// By source: quanta owed.
    pub(super) owed: Vec<f64>,
    /// Rain and drying (m/s).
    pub(super) rain: f64,
    pub(super) evaporation: f64,
    pub(super) rain_owed: f64,
    pub(super) evaporation_owed: f64,
    pub(super) wind: Option<Wind>,
    /// By source: its columns. Follows from the region.
    #[serde(skip)]
    pub(super) columns: Vec<Vec<usize>>,
}

impl Exchange {
    pub(super) fn fits(&self) -> bool {
        let numbers = [self.rain, self.evaporation, self.rain_owed, self.evaporation_owed];
        self.owed.len() == self.sources.len()
            && self.owed.iter().chain(&numbers).all(|v| v.is_finite())
            && self.rain >= 0.0
            && self.evaporation >= 0.0
    }
}

/// The most that a source may give (m³/s).
const STRONGEST: f64 = 1e6;

impl Columns {
    /// Adds a spring, or with a rate below 0 a drain. Returns its number.
    ///
    /// # Errors
    /// [`ColumnsError`] if its region makes no sense or covers no column, its rate is not a number up to
    /// 10⁶ m³/s, or the world's water is springs.
    pub fn add_source(&mut self, source: Source) -> Result<usize, ColumnsError> {
        self.needs_volume("a source")?;
        let rate = source.rate;
        number("a source's rate", rate, rate.abs() <= STRONGEST, "from -1e6 to 1e6 m³/s")?;
        let columns = self.columns_of(&source.region, "the source")?;
        self.exchange.sources.push(source);
        self.exchange.owed.push(0.0);
        self.exchange.columns.push(columns);
        Ok(self.exchange.sources.len() - 1)
    }

    /// Changes how much a source gives (m³/s), by its number.
    ///
    /// # Errors
    /// [`ColumnsError::Number`] if there is no such source, or the rate is not a number up to 10⁶ m³/s.
    pub fn set_rate(&mut self, source: usize, rate: f64) -> Result<(), ColumnsError> {
        number("a source's rate", rate, rate.abs() <= STRONGEST, "from -1e6 to 1e6 m³/s")?;
        let count = self.exchange.sources.len();
        let found = self.exchange.sources.get_mut(source);
        let allowed = format!("the number of one of {count} sources");
        let found = found.ok_or(ColumnsError::Number {
            what: "a source",
            found: source as f64,
            allowed,
        })?;
        found.rate = rate;
        Ok(())
    }

    /// The sources, by number.
    pub fn sources(&self) -> &[Source] {
        &self.exchange.sources
    }

    /// Sets rain and drying (m/s of depth), on and from columns under the open sky.
    ///
    /// # Errors
    /// [`ColumnsError`] if either is below 0 or above 1 m/s, or the world's water is springs.
    pub fn set_weather(&mut self, rain: f64, evaporation: f64) -> Result<(), ColumnsError> {
        self.needs_volume("rain")?;
        for (what, rate) in [("rain", rain), ("evaporation", evaporation)] {
            number(what, rate, (0.0..=1.0).contains(&rate), "from 0 to 1 m/s")?;
        }
        (self.exchange.rain, self.exchange.evaporation) = (rain, evaporation);
        Ok(())
    }

    /// Sets the wind, or with `None` ends it.
    ///
    /// # Errors
    /// [`ColumnsError`] if a number is out of its range.
    pub fn set_wind(&mut self, wind: Option<Wind>) -> Result<(), ColumnsError> {
        if let Some(Wind { acceleration, gusts, length, speed, .. }) = wind {
            let small = acceleration.abs() <= 1.0;
            number("the wind's acceleration", acceleration, small, "from -1 to 1 m/s²")?;
            number("the part of gusts", gusts, (0.0..=10.0).contains(&gusts), "from 0 to 10")?;
            number("the length of gusts", length, length > 0.0, "a number of metres above 0")?;
            let slow = speed.abs() <= 1000.0;
            number("the speed of gusts", speed, slow, "from -1000 to 1000 m/s")?;
        }
        self.exchange.wind = wind;
        Ok(())
    }

    /// Lets sources give and take, rain fall, water dry and wind blow.
    pub(super) fn exchange(&mut self) {
        self.flow_sources();
        if self.steps.is_multiple_of(EVERY) {
            self.rain_and_dry();
        }
        self.blow();
    }

    fn flow_sources(&mut self) {
        let step = self.params.step;
        for source in 0..self.exchange.sources.len() {
            let due = self.exchange.sources[source].rate * step / self.layout.quantum_volume();
            let owed = self.exchange.owed[source] + due;
            // Less than a column can hold, whatever was asked for.
            let whole = owed.trunc().clamp(-1e9, 1e9);
            self.exchange.owed[source] = if owed.abs() < 1e9 { owed - whole } else { 0.0 };
            if whole != 0.0 {
                let columns = std::mem::take(&mut self.exchange.columns[source]);
                let cause = if whole > 0.0 { Cause::Source } else { Cause::Drain };
                let came = self.give_from_outside(&columns, whole as i64);
                self.books.book(cause, came as f64);
                self.exchange.columns[source] = columns;
            }
        }
    }

    /// Gives some quanta to columns in equal parts, or takes them as far as there are any; returns what
    /// came, which the caller books.
    pub(super) fn give(&mut self, columns: &[usize], quanta: i64) -> i64 {
        let n = columns.len() as i64;
        let mut came = 0;
        let mut left = quanta;
        for (i, &c) in columns.iter().enumerate() {
            let share = left / (n - i as i64);
            let share = if quanta < 0 { share.max(-i64::from(self.state.depth[c])) } else { share };
            // Under a ceiling a little may be pressed in.
            let height = self.layout.ceiling[c].min(BRIM) - self.layout.floor[c];
            let most = i64::from(height) + i64::from(height / PRESSED);
            let share = share.min((most - i64::from(self.state.depth[c])).max(0));
            self.state.depth[c] += share as i32;
            came += share;
            left -= share;
            if share != 0 {
                self.sleep.wake(self.layout.pool_of(c));
            }
        }
        came
    }

    /// The same with water from outside, whose heat is booked.
    pub(super) fn give_from_outside(&mut self, columns: &[usize], quanta: i64) -> i64 {
        if self.warmth.is_none() {
            return self.give(columns, quanta);
        }
        let before: Vec<i32> = columns.iter().map(|&c| self.state.depth[c]).collect();
        let came = self.give(columns, quanta);
        for (&c, before) in columns.iter().zip(before) {
            self.note_heat(c, before);
        }
        came
    }

    /// Books the heat of what has come into a column from outside, or gone, since it was `before` deep.
    fn note_heat(&mut self, c: usize, before: i32) {
        let (after, pool) = (self.state.depth[c], self.layout.pool_of(c));
        if let Some(warmth) = &mut self.warmth
            && before != after
        {
            warmth.came(warmth.is_active(pool), c, before, after);
            warmth.shut_one(&mut self.heads, c);
        }
    }

    fn rain_and_dry(&mut self) {
        let span = self.params.step * EVERY as f64 / self.layout.quantum;
        let exchange = &mut self.exchange;
        let due = |rate: f64, owed: &mut f64| {
            *owed += rate * span;
            let whole = owed.floor();
            *owed -= whole;
            whole.min(1e8) as i32
        };
        let fallen = due(exchange.rain, &mut exchange.rain_owed);
        let dried = due(exchange.evaporation, &mut exchange.evaporation_owed);
        if fallen == 0 && dried == 0 {
            return;
        }
        let (mut came, mut went) = (0_i64, 0_i64);
        let warmth = &mut self.warmth;
        for (number, pool) in self.layout.pools.iter().enumerate() {
            let warm = warmth.as_ref().is_some_and(|warmth| warmth.is_active(number));
            let (mut under_sky, mut under_roof, mut on_ground) = (false, false, false);
            for c in pool.columns.clone() {
                let depth = &mut self.state.depth[c];
                if self.layout.ceiling[c] < SKY {
                    under_roof |= *depth > 0;
                    continue;
                }
                let full = self.layout.floor[c] + *depth >= BRIM;
                let fallen = if full { 0 } else { fallen };
                let lost = dried.min(*depth + fallen);
                on_ground |= *depth <= fallen && fallen > lost;
                let before = *depth;
                *depth += fallen - lost;
                if let Some(warmth) = warmth {
                    warmth.came(warm, c, before, *depth);
                    warmth.shut_one(&mut self.heads, c);
                }
                came += i64::from(fallen);
                went += i64::from(lost);
                under_sky = true;
            }
            // A pool wholly under the sky rises or falls evenly, and may go on sleeping.
            if under_sky && (under_roof || on_ground || !pool.joints.is_empty()) {
                self.sleep.wake(number);
            }
        }
        self.books.book(Cause::Rain, came as f64);
        self.books.book(Cause::Evaporation, -(went as f64));
    }

    fn blow(&mut self) {
        let Some(wind) = self.exchange.wind else { return };
        if self.steps.is_multiple_of(EVERY) {
            for pool in 0..self.layout.pools.len() {
                let columns = self.layout.pools[pool].columns.clone();
                let open = |c: usize| self.layout.ceiling[c] == SKY && self.state.depth[c] > 0;
                if !self.sleep.is_awake(pool) && columns.clone().any(open) {
                    self.sleep.wake(pool);
                }
            }
        }
        let shift = wind.speed * self.time() / wind.length;
        let (layout, state) = (&self.layout, &mut self.state);
        let gain = wind.acceleration * self.params.step;
        let springs = !state.rate.is_empty();
        for &pool in &self.sleep.awake {
            let pool = &layout.pools[pool as usize];
            let last = pool.columns.end - 1;
            for c in pool.columns.clone() {
                if layout.ceiling[c] < SKY || state.depth[c] == 0 {
                    continue;
                }
                let x = (pool.x0 + c - pool.columns.start + 1) as f64 * layout.width;
                let gust = wind.gusts * noise(x / wind.length - shift, wind.seed);
                if springs {
                    state.rate[c] += (gain * gust) as f32;
                } else if c < last && layout.ceiling[c + 1] == SKY && state.depth[c + 1] > 0 {
                    state.speed[c] += (gain * (1.0 + gust)) as f32;
                }
            }
        }
    }
}

/// Smooth noise from −1 to 1 with a change for every whole number.
fn noise(x: f64, seed: u64) -> f64 {
    let cell = x.floor();
    let t = x - cell;
    let at = |i: i64| {
        // SplitMix64 (Steele, Lea & Flood 2014).
        let mut z = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(seed);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let (a, b) = (at(cell as i64), at(cell as i64 + 1));
    a + (b - a) * t * t * (3.0 - 2.0 * t)
}
