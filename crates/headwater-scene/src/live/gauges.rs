//! The gauges of a live world: those of its scene, as events and hands have added, changed and removed them.

use super::reading::{Reading, Stride};
use crate::run::{ActiveGauge, GaugeEditResult, GaugeSet, Simulation};
use crate::scene::{GaugeTask, Scene};
use std::mem;
use toml::Value;

/// Of how many gauges that went what they measured is kept, in case it is undone.
const GONE: usize = 64;

/// What the gauges of a live world have measured up to a time, to be [remembered](super::Live::remember) by a world that comes back to that
/// time.
#[derive(Clone, Debug)]
pub struct Measured {
    /// In the order of the gauge_set.
    readings: Vec<Reading>,
    strides: Vec<Stride>,
}

/// The gauges that there are, and what they have measured.
pub(super) struct Gauges {
    gauge_set: GaugeSet,
    measured: Measured,
    /// What those measured that went, the last one last, each with the number that it [began](ActiveGauge::series_number) with.
    gone: Vec<(usize, Reading, Stride)>,
    /// The number of the first gauge that the scene's own text has not.
    pub(super) first_by_hand: usize,
    /// Those gauges, as they were written.
    pub(super) by_hand: Vec<Value>,
}

impl Gauges {
    pub(super) fn new(scene: &Scene, simulation: &dyn Simulation) -> Self {
        let gauge_set = GaugeSet::of(scene);
        let reading = |one: &ActiveGauge| Reading::new(&one.name, one.number, simulation);
        Self {
            measured: Measured {
                readings: gauge_set.all().iter().map(reading).collect(),
                strides: vec![Stride::ALL; gauge_set.all().len()],
            },
            gauge_set,
            gone: Vec::new(),
            first_by_hand: simulation.gauge_count(),
            by_hand: Vec::new(),
        }
    }

    pub(super) fn readings(&self) -> &[Reading] {
        &self.measured.readings
    }

    pub(super) fn measured(&self) -> &Measured {
        &self.measured
    }

    pub(super) fn gauge_set(&self) -> &GaugeSet {
        &self.gauge_set
    }

    /// When the next gauge measures in passing; never, if none does.
    pub(super) fn next_passing(&self) -> f64 {
        self.gauge_set.next()
    }

    /// Takes over what gauges of the same names, which measure the same, have measured up to a time.
    pub(super) fn remember(&mut self, others: &Measured, time: f64) {
        let Measured { readings, strides } = &mut self.measured;
        for (reading, stride) in readings.iter_mut().zip(strides) {
            let is_same = |other: &&(&Reading, &Stride)| {
                other.0.name == reading.name && other.0.heads == reading.heads
            };
            let mut all = others.readings.iter().zip(&others.strides);
            if let Some((other, its_stride)) = all.by_ref().find(|other| is_same(&other)) {
                (*reading, *stride) = (other.clone(), *its_stride);
                reading.go_back(time);
            }
        }
    }

    /// Has the scene's own gauge of that number measure at its stop, if it still does so.
    pub(super) fn read_at_stop(&mut self, number: usize, simulation: &dyn Simulation) {
        if let Some(at) = self.gauge_set.index_at_stops(number) {
            self.read(at, simulation);
        }
    }

    /// The scene's own gauge of that number has been asked and has answered: what it measured at a time, a value for each head.
    pub(super) fn take_answer(&mut self, number: usize, time: f64, values: Vec<f64>) {
        let at = self.gauge_set.all().iter().position(|one| one.number == number);
        let Measured { readings, strides } = &mut self.measured;
        if let Some(at) = at
            && values.len() == readings[at].heads.len()
            && readings[at].times.last().is_none_or(|last| *last < time)
            && strides[at].keeps()
        {
            strides[at].note(&mut readings[at], time, values);
        }
    }

    /// Whether the scene's own gauge of that number still measures at its stops.
    pub(super) fn measures_at_stops(&self, number: usize) -> bool {
        self.gauge_set.index_at_stops(number).is_some()
    }

    /// Has all measure that are to do so in passing by the time `now`.
    pub(super) fn read_in_passing(&mut self, now: f64, simulation: &dyn Simulation) {
        while let Some(at) = self.gauge_set.take(now) {
            self.read(at, simulation);
        }
    }

    fn read(&mut self, at: usize, simulation: &dyn Simulation) {
        let number = self.gauge_set.all()[at].number;
        let Measured { readings, strides } = &mut self.measured;
        strides[at].read(&mut readings[at], number, simulation);
    }

    /// Does what an event says at the time `now`.
    pub(super) fn edit(
        &mut self,
        task: &GaugeTask,
        now: f64,
        simulation: &dyn Simulation,
    ) -> Result<(), String> {
        let before: Vec<usize> = self.gauge_set.all().iter().map(|one| one.series_number).collect();
        let Measured { readings, strides } = &mut self.measured;
        let at = match self.gauge_set.edit(task, now)? {
            GaugeEditResult::Removed(at) => {
                let (reading, stride) = (readings.remove(at), strides.remove(at));
                self.put_away(before[at], reading, stride);
                return Ok(());
            }
            GaugeEditResult::Added(at) => {
                let ActiveGauge { name, number, .. } = &self.gauge_set.all()[at];
                readings.push(Reading::new(name, *number, simulation));
                strides.push(Stride::ALL);
                at
            }
            GaugeEditResult::Changed(at, _) => {
                self.follow_change(at, simulation);
                at
            }
        };
        self.read(at, simulation);
        Ok(())
    }

    /// A gauge has changed: what it measured goes on, if it measures the same, only elsewhere or at other times.
    fn follow_change(&mut self, at: usize, simulation: &dyn Simulation) {
        let one = &mut self.gauge_set.all_mut()[at];
        let new = Reading::new(&one.name, one.number, simulation);
        let Measured { readings, strides } = &mut self.measured;
        if readings[at].heads != new.heads {
            let began = mem::replace(&mut one.series_number, one.number);
            let reading = mem::replace(&mut readings[at], new);
            let stride = mem::replace(&mut strides[at], Stride::ALL);
            self.put_away(began, reading, stride);
        }
    }

    /// Puts away what a gauge that went has measured, and the number that it began with.
    fn put_away(&mut self, began: usize, reading: Reading, stride: Stride) {
        self.gone.push((began, reading, stride));
        let many = self.gone.len().saturating_sub(GONE);
        self.gone.drain(..many);
    }

    /// Goes back or forth to a gauge_set, at a time.
    pub(super) fn go_to(&mut self, gauge_set: GaugeSet, time: f64, simulation: &dyn Simulation) {
        let began: Vec<usize> = self.gauge_set.all().iter().map(|one| one.series_number).collect();
        let Measured { readings, strides } = &mut self.measured;
        let now = readings.drain(..).zip(strides.drain(..));
        let mut known = mem::take(&mut self.gone);
        known.extend(began.into_iter().zip(now).map(|(began, (r, stride))| (began, r, stride)));
        for one in gauge_set.all() {
            let same = |(began, reading, _): &(usize, Reading, Stride)| {
                *began == one.series_number && reading.name == one.name
            };
            let found = known.iter().rposition(same).map(|i| known.remove(i));
            let new = || {
                (one.series_number, Reading::new(&one.name, one.number, simulation), Stride::ALL)
            };
            let (_, mut reading, stride) = found.unwrap_or_else(new);
            reading.go_back(time);
            readings.push(reading);
            strides.push(stride);
        }
        let many = known.len().saturating_sub(GONE);
        known.drain(..many);
        self.gone = known;
        self.gauge_set = gauge_set;
    }
}
