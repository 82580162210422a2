//! What hands do to the gauges of a live world: it is in the journal as what they do to the world is, and never changes the world.

use super::error::LiveError;
use super::gauges::Gauges;
use super::journal::{Change, Journal};
use super::live::Live;
use crate::run::{GaugeSet, Simulation};
use crate::scene::{GaugeTask, Scene};
use std::sync::Arc;
use toml::{Table, Value};

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
        self.be_here()?;
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
        self.journal.push(Change::Event(event), self.simulation.steps());
        Ok(())
    }

    /// Has the gauges measure that are to do so in passing by now; false if the world has to come back first and is on its way.
    pub(super) fn measure_in_passing(&mut self) -> bool {
        if self.gauges.next_passing() > self.clock() {
            return true;
        }
        let is_here = self.read_back();
        if is_here {
            let now = self.clock();
            self.gauges.read_in_passing(now, &*self.simulation);
        }
        is_here
    }

    /// A gauge_set of a moment of a world of this scene's text, to which those changes were done by hand, with the numbers that its gauges
    /// have in this one.
    pub(super) fn roster_of(
        &mut self,
        mut gauge_set: GaugeSet,
        changes: &[Arc<Change>],
    ) -> Result<GaugeSet, LiveError> {
        let stranger = || LiveError::Model("the snapshot is not of this scene".into());
        let first = self.gauges.first_by_hand;
        for one in gauge_set.all_mut() {
            let Some(place) = one.number.checked_sub(first) else { continue };
            let written = last_written(changes, &one.name).ok_or_else(stranger)?;
            if self.gauges.by_hand.get(place) == Some(written) {
                continue;
            }
            // It is of a world before this one began anew, or of another one of this text.
            let scene = self.journal.alone(&Journal::adding(written))?;
            let number = define(&mut self.gauges, &mut *self.simulation, &scene, written.clone())?;
            (one.number, one.series_number) = (number, number);
        }
        if gauge_set.fits(self.simulation.gauge_count()) { Ok(gauge_set) } else { Err(stranger()) }
    }

    /// Goes on with the gauges of a gauge_set, from the time that has come.
    pub(super) fn go_to_gauge_set(&mut self, gauge_set: GaugeSet) {
        let time = self.clock();
        self.gauges.go_to(gauge_set, time, &*self.simulation);
    }
}

/// Makes the gauge of a scene's last event known to the world, which gives it a number.
fn define(
    gauges: &mut Gauges,
    simulation: &mut dyn Simulation,
    scene: &Scene,
    written: Value,
) -> Result<usize, LiveError> {
    let number = simulation.gauge_count();
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
