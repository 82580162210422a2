//! Heat API of a [`Columns`](super::super::Columns) world: air temperature, heaters, temperature
//! and ice at a point, and the heat balance.

use super::super::layout::Layout;
use super::super::world::Columns;
use super::column::{ICE_CONDUCTIVITY, ice_thickness};
use super::heater::{Heater, PlacedHeater};
use super::one::ColumnState;
use super::turn::HeatContext;
use super::warmth::{HeatState, joules_per_unit};
use crate::columns::sources::source::Weather;
use crate::error::InputError;
use crate::ids::{Id, IdList};
use crate::ledger::{Balance, Cause};
use crate::parameter::Parameters;
use crate::region::{Point, Region};
use crate::series::Series;

/// Layer of a column that consists entirely of ice or entirely of water.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stratum {
    /// Whether the layer is ice. Otherwise, it is water.
    pub is_ice: bool,
    /// Upper end of the layer (m downward from the top of the grid).
    pub top: f64,
    /// Lower end of the layer (m downward from the top of the grid).
    pub bottom: f64,
}

impl Columns {
    /// Returns the current air temperature (°C), or `None` in a world without heat.
    pub fn air_temperature(&self) -> Option<f64> {
        self.warmth.as_ref().map(|warmth| warmth.air)
    }

    /// Sets a constant air temperature (°C) from the present time on. Heat exchange up to the
    /// present time is computed with the old temperature.
    ///
    /// # Errors
    /// Returns [`InputError`] if the temperature is not between −100 and 200 °C, or if the world
    /// has no heat.
    pub fn set_air_temperature(&mut self, temperature: f64) -> Result<(), InputError> {
        let weather = self.weather().clone();
        self.set_weather(Weather { air: Some(temperature.into()), ..weather })?;
        self.update_air_temperature(temperature);
        Ok(())
    }

    fn update_air_temperature(&mut self, temperature: f64) {
        // Setting the same value in every step must not force a heat update each time.
        if self.air_temperature() == Some(temperature) {
            return;
        }
        self.update_heat_to_now();
        let Some(warmth) = &mut self.warmth else { return };
        for pool in 0..self.layout.pools.len() {
            warmth.activate(&self.layout, &self.state.depth, pool, self.steps);
        }
        warmth.air = temperature;
        self.changes.next_tick();
        self.changes.mark_all();
    }

    /// Adds a heater to the world and returns its identifier. Pools with an active heater do not
    /// fall asleep.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid or covers no column, if the power is out of
    /// range, or if the world has no heat.
    pub fn add_heater(&mut self, heater: Heater) -> Result<Id, InputError> {
        let hearth = self.place_heater(heater)?;
        Ok(self.placed_heaters_mut()?.add(hearth))
    }

    /// Returns the heaters with their identifiers.
    pub fn heaters(&self) -> impl Iterator<Item = (Id, &Heater)> {
        let hearths = self.warmth.iter().flat_map(|warmth| warmth.hearths.entries());
        hearths.map(|(id, hearth)| (id, &hearth.heater))
    }

    /// Removes the heater with the given identifier and returns it.
    ///
    /// # Errors
    /// Returns [`InputError`] if no heater has this identifier.
    pub fn remove_heater(&mut self, id: Id) -> Result<Heater, InputError> {
        let i = self.placed_heaters_mut()?.find_index("a heater", id)?;
        self.update_heat_to_now();
        Ok(self.placed_heaters_mut()?.remove_at(i).heater)
    }

    fn place_heater(&self, heater: Heater) -> Result<PlacedHeater, InputError> {
        self.require_heat("heater")?;
        heater.check().map_err(|error| error.with_table_prefix("heater"))?;
        let columns = self.columns_in_region(&heater.region, "heater")?;
        Ok(PlacedHeater { heater, power: 0.0, columns })
    }

    fn placed_heaters_mut(&mut self) -> Result<&mut IdList<PlacedHeater>, InputError> {
        self.require_heat("heater")?;
        let none = || InputError::new("a heater", "a world without heat", "one with heat");
        self.warmth.as_mut().map(|warmth| &mut warmth.hearths).ok_or_else(none)
    }

    /// Changes the power of a heater (W for a world 1 m thick), starting with the next step.
    ///
    /// # Errors
    /// Returns [`InputError`] if no heater has this identifier or the power is out of range.
    pub fn set_heater_power(&mut self, id: Id, power: impl Into<Series>) -> Result<(), InputError> {
        let power = power.into();
        let i = self.placed_heaters_mut()?.find_index("a heater", id)?;
        let changed = Heater::new(Region::Everywhere, power.clone());
        changed.check().map_err(|error| error.with_table_prefix("heater"))?;
        self.placed_heaters_mut()?[i].heater.power = power;
        Ok(())
    }

    pub(in super::super) fn apply_heat_inputs(&mut self) {
        let time = self.time();
        if let Some(air) = self.weather().air.as_ref().map(|air| air.value_at(time)) {
            self.update_air_temperature(air);
        }
        for number in 0..self.heaters().count() {
            let Some(warmth) = &self.warmth else { return };
            let hearth = &warmth.hearths[number];
            let power = hearth.heater.power.value_at(time);
            if hearth.power != power {
                self.set_heater_output(number, power);
            }
        }
    }

    fn set_heater_output(&mut self, heater: usize, power: f64) {
        self.update_heat_to_now();
        let Some(warmth) = &mut self.warmth else { return };
        warmth.hearths[heater].power = power;
        if power <= 0.0 {
            return;
        }
        self.changes.next_tick();
        let mut last = None;
        for i in 0..warmth.hearths[heater].columns.len() {
            let pool = self.layout.pool_of(warmth.hearths[heater].columns[i]);
            if last.replace(pool) != Some(pool) {
                warmth.activate(&self.layout, &self.state.depth, pool, self.steps);
                self.sleep.wake(pool);
                self.changes.mark_index(pool);
            }
        }
    }

    pub(in super::super) fn update_heat_to_now(&mut self) {
        let Self { params, layout, state, heads, warmth, steps, changes, scratch, .. } = self;
        if let (Some(warmth), Some(heat)) = (warmth, &params.heat) {
            changes.next_tick();
            warmth.active.iter().for_each(|&pool| changes.mark_index(pool as usize));
            let context =
                HeatContext { layout, params, heat, step: *steps, is_parallel: true, scratch };
            let steamed = warmth.update_all_pools(&context, state, heads);
            warmth.active.iter().for_each(|&pool| changes.mark_index(pool as usize));
            self.ledger.record(Cause::Evaporation, -i128::from(steamed));
        }
    }

    /// Returns the temperature (°C) of the water or ice at a point. For a point above the surface,
    /// returns the temperature of the surface. Returns `None` if the point is in a wall or off the
    /// grid, if the column is dry, or if the world has no heat.
    pub fn temperature_at(&self, at: Point) -> Option<f64> {
        let column = self.column_at(at)?;
        let height = self.layout.height() - at[1];
        Some(self.temperature_profile(column)?.at(height))
    }

    /// Returns the total thickness of ice (m) in the column at a point. Floating ice rises above
    /// the [surface](Self::surface_at) by one twelfth of its thickness. Returns `None` if the point
    /// is in a wall or off the grid, if the column is dry, or if the world has no heat.
    pub fn ice_thickness_at(&self, at: Point) -> Option<f64> {
        let column = self.column_at(at)?;
        let wet = self.warmth.is_some() && self.state.depth[column] > 0;
        wet.then(|| self.ice_thickness(column))
    }

    /// Returns the layers of ice and water in the column at a point, from bottom to top. The result
    /// is empty if the point is in a wall or off the grid, or if the column is dry.
    pub fn strata_at(&self, at: Point) -> Vec<Stratum> {
        let wet = self.column_at(at).filter(|&c| self.state.depth[c] > 0);
        let mut tiers = Vec::new();
        if let Some(c) = wet {
            let down = |height: f64| self.layout.height() - height;
            self.for_each_stratum(c, |[bottom, top], is_ice| {
                tiers.push(Stratum { is_ice, top: down(top), bottom: down(bottom) });
            });
        }
        tiers
    }

    /// Calls `visit` for each layer of a column, from bottom to top. The arguments of `visit` are
    /// the heights of the bottom and the top of the layer (m above the bottom of the grid), and
    /// whether the layer is ice.
    pub(in super::super) fn for_each_stratum(
        &self,
        c: usize,
        mut visit: impl FnMut([f64; 2], bool),
    ) {
        let floor = self.layout.to_metres(self.layout.floor[c]);
        let Some(one) = self.current_state(c).filter(|one| one.held > 0) else {
            return visit([floor, self.surface_height(c)], false);
        };
        let mut bottom = 0.0;
        for (top, is_ice) in one.layer_tops(&self.layout) {
            if top > bottom {
                visit([floor + bottom, floor + top], is_ice);
            }
            bottom = top;
        }
    }

    /// Returns the volume of water that is frozen in all ice (m³ for a world 1 m thick). This
    /// volume is part of the [volume](Self::volume) of the world.
    pub fn ice_volume(&self) -> f64 {
        let columns = (0..self.column_count()).filter(|_| self.warmth.is_some());
        let quanta: i64 = columns.map(|c| i64::from(self.ice_quanta(c))).sum();
        quanta as f64 * self.layout.quantum_volume()
    }

    /// Returns the balance of heat (J for a world 1 m thick): its ledger, the current heat of the
    /// water, and the residual (current heat minus the heat expected from the ledger). Returns
    /// `None` in a world without heat.
    ///
    /// Heat is measured relative to water at 0 °C, so ice has negative heat. The ledger lists heat
    /// exchange with the air as boundary flow, the heat of heaters as sources, the heat of steam as
    /// evaporation, and the heat of water added or removed for any reason as edits. Each amount is
    /// a net sum. The residual is exact, because heat is counted in whole units.
    pub fn heat_balance(&self) -> Option<Balance> {
        let warmth = self.warmth.as_ref()?;
        let now = warmth.total_heat(&self.layout, &self.state.depth);
        Some(warmth.ledger.by_cause().balance(now).scaled(joules_per_unit(&self.layout)))
    }

    pub(in super::super) fn ice_thickness(&self, c: usize) -> f64 {
        self.current_state(c)
            .map_or(0.0, |one| ice_thickness(self.layout.to_metres(one.total_ice())))
    }

    pub(in super::super) fn bare_ice(&self, c: usize) -> f64 {
        let mut lid = 0.0;
        let is_held = self.current_state(c).is_some_and(|one| one.held > 0);
        if is_held {
            self.for_each_stratum(c, |[bottom, top], is_ice| {
                lid = if is_ice { top - bottom } else { 0.0 };
            });
        }
        lid
    }

    /// Returns the freeboard of a column's ice: the height of the top of the ice above the water
    /// surface (m).
    pub(in super::super) fn freeboard(&self, c: usize) -> f64 {
        self.current_state(c).map_or(0.0, |one| one.freeboard(&self.layout))
    }

    fn ice_quanta(&self, column: usize) -> i32 {
        self.current_state(column).map_or(0, |one| one.total_ice())
    }

    fn current_state(&self, column: usize) -> Option<ColumnState> {
        let warmth = self.warmth.as_ref()?;
        let active = warmth.is_active(self.layout.pool_of(column));
        let depth = self.state.depth[column];
        active.then(|| warmth.current_state(&self.layout, &self.params, depth, column, self.steps))
    }

    /// Returns the temperatures of a column, or `None` if the column is dry or the world has no
    /// heat.
    pub(in super::super) fn temperature_profile(&self, c: usize) -> Option<TemperatureProfile> {
        let (warmth, heat) = (self.warmth.as_ref()?, self.params.heat.as_ref()?);
        let layout = &self.layout;
        if self.state.depth[c] == 0 {
            return None;
        }
        let layers = self.current_state(c).map(|now| WaterLayers {
            tops: now.layer_tops(layout),
            halves: now.half_temperatures(),
            pond: now.pond_temperature(),
        });
        let equivalent_thickness = ICE_CONDUCTIVITY / heat.air_rate.max(f64::MIN_POSITIVE);
        let floor = layout.to_metres(layout.floor[c]);
        Some(TemperatureProfile { air: warmth.air, equivalent_thickness, floor, layers })
    }

    pub(in super::super) fn require_heat(&self, what: &'static str) -> Result<(), InputError> {
        if self.warmth.is_some() {
            return Ok(());
        }
        Err(InputError::new(what, "a world without heat", "one with `heat` in its parameters"))
    }
}

/// Temperatures of the ice and water in a column.
pub(in super::super) struct TemperatureProfile {
    /// Temperature of the air (°C).
    air: f64,
    /// Thermal resistance between surface and air, expressed as a thickness of ice (m) with the
    /// same resistance.
    equivalent_thickness: f64,
    /// Height of the column's bottom (m above the bottom of the grid).
    floor: f64,
    /// Layers of the column; `None` if the water has the temperature of the air.
    layers: Option<WaterLayers>,
}

struct WaterLayers {
    /// Top of each layer (m above `floor`), and whether the layer is ice, from bottom to top.
    tops: [(f64, bool); 5],
    /// Temperatures of the lower and the upper half of the water (°C).
    halves: [f64; 2],
    /// Temperature of the water on the ice (°C).
    pond: f64,
}

impl TemperatureProfile {
    /// Returns the temperature (°C) at a height (m above the bottom of the grid).
    pub(in super::super) fn at(&self, height: f64) -> f64 {
        let Some(WaterLayers { tops, halves, pond }) = &self.layers else { return self.air };
        let above = height - self.floor;
        let end = tops[4].0;
        // Find the highest non-empty layer that begins below the height.
        let mut below = 0.0;
        let mut at = 0;
        for (i, &(top, _)) in tops.iter().enumerate() {
            let bottom = if i > 0 { tops[i - 1].0 } else { 0.0 };
            if top > bottom && (above >= bottom || i == 0) {
                (at, below) = (i, bottom);
            }
        }
        // Linear profile from 0 °C at the bottom of the ice to the surface temperature.
        let cold = |below: f64, top: f64| {
            let surface =
                self.air.min(0.0) * (top - below) / (top - below + self.equivalent_thickness);
            surface * ((above - below) / (top - below)).min(1.0)
        };
        let (top, is_ice) = tops[at];
        match at {
            _ if is_ice && top >= end && end > below => cold(below, top),
            _ if is_ice => 0.0,
            1 => {
                let [lower, upper] = *halves;
                lower + (upper - lower) * ((above - below) / (top - below)).clamp(0.0, 1.0)
            }
            _ => *pond,
        }
    }
}

impl HeatState {
    /// Returns the freeboard of a column's ice (the height of the top of the ice above the water
    /// surface, in m), as of the column's last heat update.
    pub(in super::super) fn freeboard(&self, layout: &Layout, depth: i32, c: usize) -> f64 {
        self.column_state(depth, c).freeboard(layout)
    }

    /// Updates the list of columns of each heater. `columns_of` returns the columns in a region.
    pub(in super::super) fn locate_heaters(&mut self, columns_of: impl Fn(&Region) -> Vec<usize>) {
        for hearth in &mut self.hearths {
            hearth.columns = columns_of(&hearth.heater.region);
        }
    }
}
