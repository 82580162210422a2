//! Gauges of an interactive world with their time series. The gauges are initially those of the
//! scene; events and interactive edits change them.

use super::gauge_series::{Decimation, GaugeSeries};
use crate::run::{ActiveGauge, GaugeEditResult, GaugeSet, Simulation};
use crate::scene::{GaugeTask, Scene};
use std::mem;
use toml::Value;

/// Maximum number of removed gauges whose time series are kept so that undo can restore them.
const MAX_REMOVED_SERIES: usize = 64;

/// Time series of all gauges of an interactive world up to a certain time. If the world returns to
/// that time, [`restore_gauge_history`](super::Live::restore_gauge_history) restores the series.
#[derive(Clone, Debug)]
pub struct GaugeHistory {
    /// Time series of the gauges, in the order of the gauge set.
    readings: Vec<GaugeSeries>,
    decimations: Vec<Decimation>,
}

/// Current gauges of an interactive world with their time series.
pub(super) struct Gauges {
    gauge_set: GaugeSet,
    history: GaugeHistory,
    /// Time series of removed gauges, kept for undo; the last removed gauge is at the end. Each
    /// entry contains the [`series_number`](ActiveGauge::series_number) of the gauge, its series
    /// and the decimation of the series.
    removed_series: Vec<(usize, GaugeSeries, Decimation)>,
    /// Index of the first gauge definition from an interactive edit. The definitions from the scene
    /// have lower indices.
    pub(super) first_interactive_index: usize,
    /// TOML definitions of the gauges with the indices `first_interactive_index` and higher, in the
    /// order of the indices.
    pub(super) interactive_definitions: Vec<Value>,
}

impl Gauges {
    pub(super) fn new(scene: &Scene, simulation: &dyn Simulation) -> Self {
        let gauge_set = GaugeSet::from_scene(scene);
        let reading = |one: &ActiveGauge| GaugeSeries::new(&one.name, one.number, simulation);
        Self {
            history: GaugeHistory {
                readings: gauge_set.gauges().iter().map(reading).collect(),
                decimations: vec![Decimation::EVERY_MEASUREMENT; gauge_set.gauges().len()],
            },
            gauge_set,
            removed_series: Vec::new(),
            first_interactive_index: simulation.gauge_count(),
            interactive_definitions: Vec::new(),
        }
    }

    pub(super) fn readings(&self) -> &[GaugeSeries] {
        &self.history.readings
    }

    pub(super) fn history(&self) -> &GaugeHistory {
        &self.history
    }

    pub(super) fn gauge_set(&self) -> &GaugeSet {
        &self.gauge_set
    }

    /// Returns the next reading time (s) of the gauges that were added or changed after the start.
    /// Time steps are not shortened to end at this time. Returns infinity if there are no such
    /// gauges.
    pub(super) fn next_non_stopping_reading_time(&self) -> f64 {
        self.gauge_set.next_reading_time()
    }

    /// Removes the gauge values that were measured later than `time` (s), and schedules these
    /// readings again.
    pub(super) fn rewind(&mut self, time: f64) {
        self.gauge_set.rewind(time);
        self.history.readings.iter_mut().for_each(|reading| reading.truncate_after(time));
    }

    /// Replaces the time series of each gauge with the series in `saved_history` that has the same
    /// name and quantities, if there is one. Values measured later than `time` are left out.
    pub(super) fn restore_history(&mut self, saved_history: &GaugeHistory, time: f64) {
        let GaugeHistory { readings, decimations } = &mut self.history;
        for (reading, decimation) in readings.iter_mut().zip(decimations) {
            let is_same = |other: &&(&GaugeSeries, &Decimation)| {
                other.0.name == reading.name && other.0.column_names == reading.column_names
            };
            let mut all = saved_history.readings.iter().zip(&saved_history.decimations);
            if let Some((other, other_decimation)) = all.by_ref().find(|other| is_same(&other)) {
                (*reading, *decimation) = (other.clone(), *other_decimation);
                reading.truncate_after(time);
            }
        }
    }

    /// Reads the scene's gauge number `number` at a stop: a scheduled time at which a step has
    /// ended exactly. Does nothing if the gauge has been removed or changed.
    pub(super) fn read_at_stop(&mut self, number: usize, simulation: &dyn Simulation) {
        if let Some(at) = self.gauge_set.index_of_scene_gauge(number) {
            self.read_gauge_unless_up_to_date(at, simulation);
        }
    }

    /// Appends the result of a device query to the time series of the gauge number `number`.
    /// `values` contains one value per quantity.
    pub(super) fn append_query_result(&mut self, number: usize, time: f64, values: Vec<f64>) {
        let at = self.gauge_set.gauges().iter().position(|one| one.number == number);
        let GaugeHistory { readings, decimations } = &mut self.history;
        if let Some(at) = at
            && values.len() == readings[at].column_names.len()
            && readings[at].times.last().is_none_or(|last| *last < time)
            && decimations[at].is_next_measurement_stored()
        {
            decimations[at].append(&mut readings[at], time, values);
        }
    }

    /// Returns whether gauge number `number` of the scene is still read at stops. A stop is a
    /// scheduled time at which a step ends exactly. Returns false once an event or an edit has
    /// changed or removed the gauge.
    pub(super) fn is_read_at_stops(&self, number: usize) -> bool {
        self.gauge_set.index_of_scene_gauge(number).is_some()
    }

    /// Reads all gauges that are due at the time `now` (s), except those that are read at stops. A
    /// stop is a scheduled time at which a step ends exactly.
    pub(super) fn read_non_stopping_gauges(&mut self, now: f64, simulation: &dyn Simulation) {
        while let Some(at) = self.gauge_set.take_due(now) {
            self.read_gauge_unless_up_to_date(at, simulation);
        }
    }

    /// Reads the gauge at the index `at` in the set, unless its series already has a row for the
    /// current time. With a fixed time step, several reading times can fall into the same step.
    fn read_gauge_unless_up_to_date(&mut self, at: usize, simulation: &dyn Simulation) {
        if self.history.readings[at].times.last().is_none_or(|last| *last < simulation.time()) {
            self.read_gauge(at, simulation);
        }
    }

    fn read_gauge(&mut self, index: usize, simulation: &dyn Simulation) {
        let number = self.gauge_set.gauges()[index].number;
        let GaugeHistory { readings, decimations } = &mut self.history;
        decimations[index].read_gauge(&mut readings[index], number, simulation);
    }

    /// Adds, changes or removes a gauge at the time `now`, as `task` describes. An added or changed
    /// gauge is read at once.
    ///
    /// # Errors
    /// Returns a message if there is no gauge with the given name, or if an added gauge has the
    /// name of an existing one.
    pub(super) fn apply_edit(
        &mut self,
        task: &GaugeTask,
        now: f64,
        simulation: &dyn Simulation,
    ) -> Result<(), String> {
        let before: Vec<usize> =
            self.gauge_set.gauges().iter().map(|one| one.series_number).collect();
        let GaugeHistory { readings, decimations } = &mut self.history;
        let at = match self.gauge_set.apply_edit(task, now)? {
            GaugeEditResult::Removed(at) => {
                let (reading, decimation) = (readings.remove(at), decimations.remove(at));
                self.store_removed_series(before[at], reading, decimation);
                return Ok(());
            }
            GaugeEditResult::Added(at) => {
                let ActiveGauge { name, number, .. } = &self.gauge_set.gauges()[at];
                readings.push(GaugeSeries::new(name, *number, simulation));
                decimations.push(Decimation::EVERY_MEASUREMENT);
                at
            }
            GaugeEditResult::Changed(at, _) => {
                self.continue_series(at, simulation);
                at
            }
        };
        self.read_gauge(at, simulation);
        Ok(())
    }

    /// Continues the time series of the changed gauge at the index `at` if the measured quantities
    /// are the same as before. Otherwise, starts a new series.
    fn continue_series(&mut self, at: usize, simulation: &dyn Simulation) {
        let one = &mut self.gauge_set.gauges_mut()[at];
        let new = GaugeSeries::new(&one.name, one.number, simulation);
        let GaugeHistory { readings, decimations } = &mut self.history;
        if readings[at].column_names != new.column_names {
            let series_number = mem::replace(&mut one.series_number, one.number);
            let reading = mem::replace(&mut readings[at], new);
            let decimation = mem::replace(&mut decimations[at], Decimation::EVERY_MEASUREMENT);
            self.store_removed_series(series_number, reading, decimation);
        }
    }

    /// Stores the time series of a removed gauge, so that undo can restore it. `series_number` is
    /// the number of the gauge when the series started; later changes give the gauge new numbers.
    fn store_removed_series(
        &mut self,
        series_number: usize,
        reading: GaugeSeries,
        decimation: Decimation,
    ) {
        self.removed_series.push((series_number, reading, decimation));
        let many = self.removed_series.len().saturating_sub(MAX_REMOVED_SERIES);
        self.removed_series.drain(..many);
    }

    /// Replaces the current gauges with `gauge_set`, the gauges at the time `time`, for undo and
    /// redo. Restores the time series of gauges that had been removed, and removes values measured
    /// later than `time`.
    pub(super) fn restore_gauge_set(
        &mut self,
        gauge_set: GaugeSet,
        time: f64,
        simulation: &dyn Simulation,
    ) {
        let series_numbers: Vec<usize> =
            self.gauge_set.gauges().iter().map(|one| one.series_number).collect();
        let GaugeHistory { readings, decimations } = &mut self.history;
        let now = readings.drain(..).zip(decimations.drain(..));
        let mut known = mem::take(&mut self.removed_series);
        known.extend(
            series_numbers
                .into_iter()
                .zip(now)
                .map(|(series_number, (r, decimation))| (series_number, r, decimation)),
        );
        for one in gauge_set.gauges() {
            let same = |(series_number, reading, _): &(usize, GaugeSeries, Decimation)| {
                *series_number == one.series_number && reading.name == one.name
            };
            let found = known.iter().rposition(same).map(|i| known.remove(i));
            let new = || {
                (
                    one.series_number,
                    GaugeSeries::new(&one.name, one.number, simulation),
                    Decimation::EVERY_MEASUREMENT,
                )
            };
            let (_, mut reading, decimation) = found.unwrap_or_else(new);
            reading.truncate_after(time);
            readings.push(reading);
            decimations.push(decimation);
        }
        let many = known.len().saturating_sub(MAX_REMOVED_SERIES);
        known.drain(..many);
        self.removed_series = known;
        self.gauge_set = gauge_set;
    }
}
