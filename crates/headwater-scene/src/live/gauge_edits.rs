//! Gauge edits of an interactive world. They are recorded in the world's journal like other edits,
//! but never change the world's state.

use super::error::LiveError;
use super::gauges::Gauges;
use super::journal::{JournalEdit, SerializableEdit};
use super::live::Live;
use crate::run::{GaugeSet, Simulation};
use crate::scene::{GaugeTask, Scene};
use std::sync::Arc;
use toml::{Table, Value};

impl Live {
    /// Replaces the entry of the scene's list `list` that has the same name as `entry`. Only the
    /// list `gauge` is supported. The recorded values are kept if the gauge still measures the same
    /// quantities. The scene's TOML source, which [`text`](Self::text) returns, contains the
    /// replacement as an event.
    ///
    /// # Errors
    /// Returns [`LiveError`] if `entry` is not valid in the scene, or if the list has no entry with
    /// its name. Nothing is changed in this case.
    pub fn change(&mut self, list: &str, entry: &Table) -> Result<(), LiveError> {
        self.edit_entry("change", list, entry.clone().into())
    }

    /// Removes the entry with the name `name` from the scene's list `list`. Only the list `gauge`
    /// is supported. The [`readings`](Self::readings) of the gauge are discarded. A gauge of the
    /// original scene shortens time steps, so that a step ends at each reading time. It continues
    /// to do so after its removal, so that the steps of the world stay the same. The scene's TOML
    /// source, which [`text`](Self::text) returns, contains the removal as an event.
    ///
    /// # Errors
    /// Returns [`LiveError`] if the list has no entry with the given name. Nothing is changed in
    /// this case.
    pub fn remove(&mut self, list: &str, name: &str) -> Result<(), LiveError> {
        self.edit_entry("remove", list, name.into())
    }

    pub(super) fn edit_entry(
        &mut self,
        action: &str,
        list: &str,
        entry: Value,
    ) -> Result<(), LiveError> {
        let mut event = Table::new();
        event.insert("do".into(), action.into());
        event.insert(list.into(), entry);
        self.edit(&event)
    }

    /// Adds, changes or removes a gauge at the current time, as the scene event `event` describes.
    /// Records the event in the journal.
    ///
    /// # Errors
    /// Returns [`LiveError`] if the event is not valid in the scene. Nothing is changed in this
    /// case.
    pub(super) fn edit_gauges(&mut self, mut event: Table) -> Result<(), LiveError> {
        self.require_read_back()?;
        event.insert("time".into(), self.clock().into());
        let scene = self.journal.scene_with_gauge_event(&event)?;
        scene.check_fits_lattice(&self.lattice())?;
        let Some((_, mut task)) = scene.gauge_tasks().pop() else {
            return Err(LiveError::Model("the event has no gauge".into()));
        };
        let written = event.get("gauge").cloned();
        if let (GaugeTask::Add(form) | GaugeTask::Change(form), Some(gauge)) = (&mut task, written)
        {
            form.number = register_gauge(&mut self.gauges, &mut *self.simulation, &scene, gauge)?;
        }
        let now = self.clock();
        self.gauges.apply_edit(&task, now, &*self.simulation).map_err(LiveError::Model)?;
        let edit = JournalEdit::Written(SerializableEdit::Event(event));
        self.journal.push(edit, self.simulation.steps());
        Ok(())
    }

    /// Reads the gauges that are due and were added or changed after the start. Time steps are not
    /// shortened to end at their reading times. Returns false if the readings must wait because the
    /// world is still being copied from the device to the host.
    pub(super) fn read_non_stopping_gauges(&mut self) -> bool {
        if self.gauges.next_non_stopping_reading_time() > self.clock() {
            return true;
        }
        let is_here = self.read_back();
        if is_here {
            let now = self.clock();
            self.gauges.read_non_stopping_gauges(now, &*self.simulation);
        }
        is_here
    }

    /// Adapts the gauge set of a saved state to this world: replaces the gauge numbers in the set
    /// with the numbers in this world. Adds gauges that this world does not have. `changes`
    /// contains the edits of the saved state. The saved state must be of a world of the same scene.
    ///
    /// # Errors
    /// Returns [`LiveError`] if the saved state does not belong to this scene.
    pub(super) fn convert_gauge_set(
        &mut self,
        mut gauge_set: GaugeSet,
        changes: &[Arc<JournalEdit>],
    ) -> Result<GaugeSet, LiveError> {
        let other_scene = || LiveError::Model("the snapshot is not of this scene".into());
        let first = self.gauges.first_interactive_index;
        for one in gauge_set.gauges_mut() {
            let Some(place) = one.number.checked_sub(first) else { continue };
            let written = last_definition(changes, &one.name).ok_or_else(other_scene)?;
            if self.gauges.interactive_definitions.get(place) == Some(written) {
                continue;
            }
            // The gauge was defined before this world was reset, or in another world of the same
            // scene.
            let scene = self.journal.scene_with_gauge(written)?;
            let number =
                register_gauge(&mut self.gauges, &mut *self.simulation, &scene, written.clone())?;
            (one.number, one.series_number) = (number, number);
        }
        if gauge_set.is_valid_for(self.simulation.gauge_count()) {
            Ok(gauge_set)
        } else {
            Err(other_scene())
        }
    }

    /// Replaces the current gauges with the gauges of a saved state. Removes values measured later
    /// than the current time.
    pub(super) fn restore_gauge_set(&mut self, gauge_set: GaugeSet) {
        let time = self.clock();
        self.gauges.restore_gauge_set(gauge_set, time, &*self.simulation);
    }
}

/// Adds a gauge to the world and returns its number. The gauge is the one that the last event of
/// `scene` defines, and `gauge_entry` is its definition in TOML.
fn register_gauge(
    gauges: &mut Gauges,
    simulation: &mut dyn Simulation,
    scene: &Scene,
    gauge_entry: Value,
) -> Result<usize, LiveError> {
    let number = simulation.gauge_count();
    simulation.add_gauge(scene.as_any()).map_err(LiveError::from_model_error)?;
    gauges.interactive_definitions.push(gauge_entry);
    Ok(number)
}

/// Returns the definition of the gauge `name` in the last edit that defines this gauge; `None` if
/// no edit defines it.
fn last_definition<'a>(changes: &'a [Arc<JournalEdit>], name: &str) -> Option<&'a Value> {
    changes.iter().rev().find_map(|change| {
        let gauge = change.event_entry()?.get("gauge")?;
        (gauge.get("name")?.as_str()? == name).then_some(gauge)
    })
}
