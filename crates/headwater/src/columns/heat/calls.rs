//! What can be asked and done: the air's temperature, heaters, temperatures and ice at a point, the books.

use super::super::error::number;
use super::super::layout::Layout;
use super::super::{Columns, ColumnsError};
use super::column::{ICE_CONDUCTS, thickness};
use super::turn::{One, Turn};
use super::{HeatBalance, Warmth, joules, params};
use crate::ledger::Cause;
use crate::region::{Point, Region};
use serde::{Deserialize, Serialize};

/// A place where water is heated from below: a hearth under a kettle, a hot vent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heater {
    /// Where: the columns of the cells in this region share its heat, those that are wet.
    pub region: Region,
    /// How much heat it gives (W for a world 1 m thick), 0 to 10⁹, times the [`pace`](super::Heat::pace) of heat. While
    /// no water is there it gives none.
    pub power: f64,
}

/// The most that a heater gives (W).
const HOTTEST: f64 = 1e9;

impl Heater {
    pub(super) fn check(&self) -> Result<(), ColumnsError> {
        let in_range = (0.0..=HOTTEST).contains(&self.power);
        number("a heater's power", self.power, in_range, "from 0 to 1e9 W")
    }
}

impl Columns {
    /// Temperature of the air (°C), or `None` if the world has no heat.
    pub fn air(&self) -> Option<f64> {
        self.warmth.as_ref().map(|warmth| warmth.air)
    }

    /// Sets the temperature of the air (°C). What the air of before has given by now is settled first.
    ///
    /// # Errors
    /// [`ColumnsError`] if it is not from −100 to 200, or the world has no heat.
    pub fn set_air(&mut self, temperature: f64) -> Result<(), ColumnsError> {
        let in_range = params::AIR.contains(&temperature);
        number("the air's temperature", temperature, in_range, "from -100 to 200 °C")?;
        self.needs_heat()?;
        // Whoever says it in every step shall not keep the heat from its own, longer pace.
        if self.air() == Some(temperature) {
            return Ok(());
        }
        self.settle_heat();
        let Some(warmth) = &mut self.warmth else { return Ok(()) };
        for pool in 0..self.layout.pools.len() {
            warmth.activate(&self.layout, &self.state.depth, pool, self.steps);
        }
        warmth.air = temperature;
        Ok(())
    }

    /// Adds a heater. Returns its number. Pools in which one is on do not fall asleep.
    ///
    /// # Errors
    /// [`ColumnsError`] if its region makes no sense or covers no column, its power is out of its range,
    /// or the world has no heat.
    pub fn add_heater(&mut self, heater: Heater) -> Result<usize, ColumnsError> {
        self.needs_heat()?;
        heater.check()?;
        let columns = self.columns_of(&heater.region, "the heater")?;
        self.settle_heat();
        let Some(warmth) = &mut self.warmth else { return Ok(0) };
        warmth.heaters.push(heater);
        warmth.heater_columns.push(columns);
        let number = warmth.heaters.len() - 1;
        self.kindle(number);
        Ok(number)
    }

    /// How many heaters there are.
    pub fn heaters(&self) -> usize {
        self.warmth.as_ref().map_or(0, |warmth| warmth.heaters.len())
    }

    /// Changes what a heater gives (W), by its number.
    ///
    /// # Errors
    /// [`ColumnsError::Number`] if there is no such heater or the power is out of its range.
    pub fn set_power(&mut self, heater: usize, power: f64) -> Result<(), ColumnsError> {
        let heaters = self.warmth.as_ref().map_or(0, |warmth| warmth.heaters.len());
        let allowed = format!("the number of one of {heaters} heaters");
        number("a heater", heater as f64, heater < heaters, allowed)?;
        let in_range = (0.0..=HOTTEST).contains(&power);
        number("a heater's power", power, in_range, "from 0 to 1e9 W")?;
        if self.warmth.as_ref().is_some_and(|warmth| warmth.heaters[heater].power == power) {
            return Ok(());
        }
        self.settle_heat();
        if let Some(warmth) = &mut self.warmth {
            warmth.heaters[heater].power = power;
        }
        self.kindle(heater);
        Ok(())
    }

    /// Ends the rest and the sleep of the pools of a heater that is on.
    fn kindle(&mut self, heater: usize) {
        let Some(warmth) = &mut self.warmth else { return };
        if warmth.heaters[heater].power <= 0.0 {
            return;
        }
        let mut pools: Vec<usize> =
            warmth.heater_columns[heater].iter().map(|&c| self.layout.pool_of(c)).collect();
        pools.dedup();
        for pool in pools {
            warmth.activate(&self.layout, &self.state.depth, pool, self.steps);
            self.sleep.wake(pool);
        }
    }

    /// Lets the time up to now pass for the heat of all pools.
    pub(in super::super) fn settle_heat(&mut self) {
        let Self { params, layout, state, heads, warmth, steps, .. } = self;
        if let (Some(warmth), Some(heat)) = (warmth, &params.heat) {
            let turn = Turn { layout, params, heat, step: *steps, by_chunks: true };
            let steamed = warmth.turn_all(&turn, state, heads);
            self.books.book(Cause::Evaporation, -(steamed as f64));
        }
    }

    /// The temperature (°C) of the water or the ice at a point; above the surface, that of the surface. `None` where it
    /// is dry, in a wall or off the board, or if the world has no heat.
    pub fn temperature_at(&self, at: Point) -> Option<f64> {
        let column = self.column_at(at)?;
        let height = self.layout.height() - at[1];
        self.temperature(column, height)
    }

    /// The thickness of the ice (m) in the column that holds a point, 0 where there is none. It floats: a twelfth of it
    /// stands out of the [surface](Self::surface_at). `None` where it is dry, in a wall or off the board, or if the world
    /// has no heat.
    pub fn ice_at(&self, at: Point) -> Option<f64> {
        let column = self.column_at(at)?;
        let wet = self.warmth.is_some() && self.state.depth[column] > 0;
        wet.then(|| self.ice(column))
    }

    /// The volume of all ice, as water (m³ for a world 1 m thick). It is a part of the world's
    /// [volume](Self::volume).
    pub fn ice_volume(&self) -> f64 {
        let columns = (0..self.columns()).filter(|_| self.warmth.is_some());
        let quanta: i64 = columns.map(|c| i64::from(self.frozen(c))).sum();
        quanta as f64 * self.layout.quantum_volume()
    }

    /// The books of heat, or `None` if the world has none.
    pub fn heat_balance(&self) -> Option<HeatBalance> {
        let warmth = self.warmth.as_ref()?;
        let now = warmth.total(&self.layout, &self.state.depth);
        Some(warmth.books.balance(now, joules(&self.layout)))
    }

    /// How thick the ice on a column is (m).
    pub(in super::super) fn ice(&self, c: usize) -> f64 {
        thickness(self.layout.metres(self.frozen(c)))
    }

    /// How far (m) a column's ice stands out of its water.
    pub(in super::super) fn freeboard(&self, c: usize) -> f64 {
        let water = self.layout.metres(self.frozen(c));
        thickness(water) - water
    }

    /// How much of a column is ice (quanta).
    fn frozen(&self, c: usize) -> i32 {
        self.present(c).map_or(0, |one| one.ice)
    }

    /// A column as it is now; `None` in a pool at rest.
    fn present(&self, c: usize) -> Option<One> {
        let warmth = self.warmth.as_ref()?;
        let active = warmth.is_active(self.layout.pool_of(c));
        let depth = self.state.depth[c];
        active.then(|| warmth.present(&self.layout, &self.params, depth, c, self.steps))
    }

    /// The temperature (°C) of a column at a height (m above the bottom of the board).
    pub(in super::super) fn temperature(&self, c: usize, height: f64) -> Option<f64> {
        let (warmth, heat) = (self.warmth.as_ref()?, self.params.heat.as_ref()?);
        let (layout, depth) = (&self.layout, &self.state.depth);
        if depth[c] == 0 {
            return None;
        }
        let Some(now) = self.present(c) else { return Some(warmth.air) };
        let water = layout.metres(depth[c] - now.ice);
        let place = (height - layout.metres(layout.floor[c])) / water.max(f64::MIN_POSITIVE);
        let ice = thickness(layout.metres(now.ice));
        if place >= 1.0 && ice > 0.0 {
            let above = (place - 1.0) * water;
            let film = ICE_CONDUCTS / heat.air_rate.max(f64::MIN_POSITIVE);
            // From 0 °C below, straight to what the air makes of the surface.
            let surface = warmth.air.min(0.0) * ice / (ice + film);
            return Some(surface * (above / ice).min(1.0));
        }
        let [bottom, top] = now.halves();
        Some(bottom + (top - bottom) * place.clamp(0.0, 1.0))
    }

    fn needs_heat(&self) -> Result<(), ColumnsError> {
        if self.warmth.is_some() { Ok(()) } else { Err(ColumnsError::NoHeat) }
    }
}

impl Warmth {
    /// How far (m) a column's ice stands out of its water, as its last turn has left it.
    pub(in super::super) fn freeboard(&self, layout: &Layout, c: usize) -> f64 {
        let water = layout.metres(self.ice[c]);
        thickness(water) - water
    }

    /// Finds the columns of heaters anew, by what says which those of a region are.
    pub(in super::super) fn find_heaters(&mut self, columns_of: impl Fn(&Region) -> Vec<usize>) {
        let heaters = self.heaters.iter();
        self.heater_columns = heaters.map(|heater| columns_of(&heater.region)).collect();
    }
}
