//! The gauges of a live world: those of its scene, as events and hands have added, changed and removed them.
//!
//! What hands do to gauges is in the journal as what they do to the world is, and never changes the world.

use super::error::LiveError;
use super::journal::{Change, Journal};
use super::live::Live;
use super::reading::{Reading, Stride};
use crate::run::{Edited, Roster, Simulation, Watched};
use crate::scene::{GaugeTask, Scene};
use std::mem;
use std::sync::Arc;
use toml::{Table, Value};

/// Of how many gauges that went what they measured is kept, in case it is undone.
const GONE: usize = 64;

/// The gauges that there are, and what they have measured.
pub(super) struct Gauges {
    roster: Roster,
    /// In the order of the roster.
    readings: Vec<Reading>,
    strides: Vec<Stride>,
    /// What those measured that went, the last one last, each with the number that it [began](Watched::began) with.
    gone: Vec<(usize, Reading, Stride)>,
    /// The number of the first gauge that the scene's own text has not.
    first_by_hand: usize,
    /// Those gauges, as they were written.
    by_hand: Vec<Value>,
}

impl Gauges {
    pub(super) fn new(scene: &Scene, simulation: &dyn Simulation) -> Self {
        let roster = Roster::of(scene);
        let reading = |one: &Watched| Reading::new(&one.name, one.number, simulation);
        Self {
            readings: roster.all().iter().map(reading).collect(),
            strides: vec![Stride::ALL; roster.all().len()],
            roster,
            gone: Vec::new(),
            first_by_hand: simulation.gauges(),
            by_hand: Vec::new(),
        }
    }

    pub(super) fn readings(&self) -> &[Reading] {
        &self.readings
    }

    pub(super) fn roster(&self) -> &Roster {
        &self.roster
    }

    /// When the next gauge measures in passing; never, if none does.
    pub(super) fn next_passing(&self) -> f64 {
        self.roster.next()
    }

    /// Has the scene's own gauge of that number measure at its stop, if it still does so.
    pub(super) fn read_at_stop(&mut self, number: usize, simulation: &dyn Simulation) {
        if let Some(at) = self.roster.at_stops(number) {
            self.read(at, simulation);
        }
    }

    /// Has all measure that are to do so in passing by the time `now`.
    pub(super) fn read_in_passing(&mut self, now: f64, simulation: &dyn Simulation) {
        while let Some(at) = self.roster.take(now) {
            self.read(at, simulation);
        }
    }

    fn read(&mut self, at: usize, simulation: &dyn Simulation) {
        let number = self.roster.all()[at].number;
        self.strides[at].read(&mut self.readings[at], number, simulation);
    }

    /// Does what an event says at the time `now`.
    ///
    /// # Errors
    /// As [`Roster::edit`].
    pub(super) fn edit(
        &mut self,
        task: &GaugeTask,
        now: f64,
        simulation: &dyn Simulation,
    ) -> Result<(), String> {
        let before: Vec<usize> = self.roster.all().iter().map(|one| one.began).collect();
        let at = match self.roster.edit(task, now)? {
            Edited::Removed(at) => {
                let (reading, stride) = (self.readings.remove(at), self.strides.remove(at));
                self.put_away(before[at], reading, stride);
                return Ok(());
            }
            Edited::Added(at) => {
                let Watched { name, number, .. } = &self.roster.all()[at];
                self.readings.push(Reading::new(name, *number, simulation));
                self.strides.push(Stride::ALL);
                at
            }
            Edited::Changed(at, _) => {
                self.follow_change(at, simulation);
                at
            }
        };
        self.read(at, simulation);
        Ok(())
    }

    /// A gauge has changed: what it measured goes on, if it measures the same, only elsewhere or at other times.
    fn follow_change(&mut self, at: usize, simulation: &dyn Simulation) {
        let one = &mut self.roster.all_mut()[at];
        let new = Reading::new(&one.name, one.number, simulation);
        if self.readings[at].heads != new.heads {
            let began = mem::replace(&mut one.began, one.number);
            let reading = mem::replace(&mut self.readings[at], new);
            let stride = mem::replace(&mut self.strides[at], Stride::ALL);
            self.put_away(began, reading, stride);
        }
    }

    /// Puts away what a gauge that went has measured, and the number that it began with.
    fn put_away(&mut self, began: usize, reading: Reading, stride: Stride) {
        self.gone.push((began, reading, stride));
        let many = self.gone.len().saturating_sub(GONE);
        self.gone.drain(..many);
    }

    /// Goes back or forth to a roster, at a time.
    fn go_to(&mut self, roster: Roster, time: f64, simulation: &dyn Simulation) {
        let began: Vec<usize> = self.roster.all().iter().map(|one| one.began).collect();
        let now = self.readings.drain(..).zip(self.strides.drain(..));
        let mut known = mem::take(&mut self.gone);
        known.extend(began.into_iter().zip(now).map(|(began, (r, stride))| (began, r, stride)));
        for one in roster.all() {
            let same = |(began, reading, _): &(usize, Reading, Stride)| {
                *began == one.began && reading.name == one.name
            };
            let found = known.iter().rposition(same).map(|i| known.remove(i));
            let new = || (one.began, Reading::new(&one.name, one.number, simulation), Stride::ALL);
            let (_, mut reading, stride) = found.unwrap_or_else(new);
            reading.go_back(time);
            self.readings.push(reading);
            self.strides.push(stride);
        }
        let many = known.len().saturating_sub(GONE);
        known.drain(..many);
        self.gone = known;
        self.roster = roster;
    }
}

impl Live {
    /// Changes an entry of one of the scene's lists now, so far of `gauge`: the one that has the entry's name becomes the entry. What it
    /// has measured stays as long as it measures the same, only elsewhere or at other times. In the [`text`](Self::text) it is an event.
    ///
    /// # Errors
    /// [`LiveError`] if the entry could not stand in the scene, or none has its name; then nothing is done.
    pub fn change(&mut self, list: &str, entry: &Table) -> Result<(), LiveError> {
        self.edit_entry("change", list, entry.clone().into())
    }

    /// Removes an entry of one of the scene's lists now, so far of `gauge`, by its name. Its [`readings`](Self::readings) go with it; the
    /// stops that a gauge of the scene has made stay, so that the world's steps are the same. In the [`text`](Self::text) it is an event.
    ///
    /// # Errors
    /// [`LiveError`] if none has that name; then nothing is done.
    pub fn remove(&mut self, list: &str, name: &str) -> Result<(), LiveError> {
        self.edit_entry("remove", list, name.into())
    }

    pub(super) fn edit_entry(
        &mut self,
        what: &str,
        list: &str,
        entry: Value,
    ) -> Result<(), LiveError> {
        let mut event = Table::new();
        event.insert("do".into(), what.into());
        event.insert(list.into(), entry);
        self.edit(&event)
    }

    /// Does an event that is about a gauge now. Its `time` is the world's.
    pub(super) fn edit_gauges(&mut self, mut event: Table) -> Result<(), LiveError> {
        self.read_back();
        event.insert("time".into(), self.clock().into());
        let scene = self.journal.with_gauge_event(&event)?;
        scene.check_on(&self.lattice())?;
        let Some((_, mut task)) = scene.setting().gauge_tasks().pop() else {
            return Err(LiveError::Model("the event has no gauge".into()));
        };
        let written = event.get("gauge").cloned();
        if let (GaugeTask::Add(form) | GaugeTask::Change(form), Some(gauge)) = (&mut task, written)
        {
            form.number = define(&mut self.gauges, &mut *self.simulation, &scene, gauge)?;
        }
        let now = self.clock();
        self.gauges.edit(&task, now, &*self.simulation).map_err(LiveError::Model)?;
        self.journal.push(Change::Event(event));
        Ok(())
    }

    /// Has the gauges measure that are to do so in passing by now.
    pub(super) fn measure_in_passing(&mut self) {
        if self.gauges.next_passing() <= self.clock() {
            self.read_back();
            let now = self.clock();
            self.gauges.read_in_passing(now, &*self.simulation);
        }
    }

    /// A roster of a moment of a world of this scene's text, to which those changes were done by hand, with the numbers that its gauges
    /// have in this one.
    pub(super) fn roster_of(
        &mut self,
        mut roster: Roster,
        changes: &[Arc<Change>],
    ) -> Result<Roster, LiveError> {
        let stranger = || LiveError::Model("the snapshot is not of this scene".into());
        let first = self.gauges.first_by_hand;
        for one in roster.all_mut() {
            let Some(place) = one.number.checked_sub(first) else { continue };
            let written = last_written(changes, &one.name).ok_or_else(stranger)?;
            if self.gauges.by_hand.get(place) == Some(written) {
                continue;
            }
            // It is of a world before this one began anew, or of another one of this text.
            let scene = self.journal.alone(&Journal::adding(written))?;
            let number = define(&mut self.gauges, &mut *self.simulation, &scene, written.clone())?;
            (one.number, one.began) = (number, number);
        }
        if roster.fits(self.simulation.gauges()) { Ok(roster) } else { Err(stranger()) }
    }

    /// Goes on with the gauges of a roster, from the time that has come.
    pub(super) fn go_to_roster(&mut self, roster: Roster) {
        let time = self.clock();
        self.gauges.go_to(roster, time, &*self.simulation);
    }
}

/// Makes the gauge of a scene's last event known to the world, which gives it a number.
fn define(
    gauges: &mut Gauges,
    simulation: &mut dyn Simulation,
    scene: &Scene,
    written: Value,
) -> Result<usize, LiveError> {
    let number = simulation.gauges();
    simulation.add_gauge(scene.as_any()).map_err(LiveError::model)?;
    gauges.by_hand.push(written);
    Ok(number)
}

/// What a gauge is after some changes by hand, as the last of them about it wrote it.
fn last_written<'a>(changes: &'a [Arc<Change>], name: &str) -> Option<&'a Value> {
    changes.iter().rev().find_map(|change| {
        let Change::Event(event) = &**change else { return None };
        let gauge = event.get("gauge")?;
        (gauge.get("name")?.as_str()? == name).then_some(gauge)
    })
}
