//! [`Journal`]: the edits of an interactive world. The journal can write them as entries of a
//! scene.
//!
//! [`Journal::text`] returns the TOML source of the scene. In this source, changed parameters have
//! their new values, and all other edits are events with the times at which they were made. The
//! source does not contain the steps at which parameters were changed. `EditLog` records these
//! steps, for an exact replay.

use crate::scene::event::gauge_edit;
use crate::scene::key::{KeyPath, Segment};
use crate::scene::read::overrides;
use crate::scene::{self, Reader, SceneError};
use crate::scene::{AnyAction, Origin, Scene};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;
use toml::Table;
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, TableLike};

/// Edit of an interactive world.
#[derive(Clone, Debug)]
pub(super) enum JournalEdit {
    /// Action that was applied to the world, and the time at which it was applied.
    Action(f64, AnyAction),
    /// Edit in its serializable form, as an entry or a value of a scene.
    Written(SerializableEdit),
}

/// Serializable form of an edit: an entry or a value of a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum SerializableEdit {
    /// Event that was applied to the world, as an entry of the scene's list `event`. The entry
    /// includes the key `time`.
    Event(Table),
    /// Change of a parameter. Contains the key of the parameter and its new value.
    Value(String, toml::Value),
}

impl JournalEdit {
    /// Returns the edit in its serializable form.
    pub(super) fn to_serializable(&self) -> Cow<'_, SerializableEdit> {
        match self {
            JournalEdit::Action(time, action) => {
                let mut entry = action.to_table();
                set_event_time(&mut entry, *time);
                Cow::Owned(SerializableEdit::Event(entry))
            }
            JournalEdit::Written(edit) => Cow::Borrowed(edit),
        }
    }

    /// Returns the edit as an entry of the scene's list `event`. Returns `None` for a parameter
    /// change, and for an edit that is stored as an [`AnyAction`].
    pub(super) fn event_entry(&self) -> Option<&Table> {
        match self {
            JournalEdit::Written(SerializableEdit::Event(entry)) => Some(entry),
            _ => None,
        }
    }
}

/// Sets the time of an event, and marks the event as non-stopping: time steps are not shortened to
/// end at its time.
pub(super) fn set_event_time(entry: &mut Table, time: f64) {
    entry.insert("time".into(), time.into());
    entry.insert("in_passing".into(), true.into());
}

/// TOML source of a scene, and the edits that were made since the world started from it.
#[derive(Clone, Debug)]
pub(super) struct Journal {
    name: String,
    pub(super) reader: Reader,
    /// TOML source of the scene from which the world started, including overrides.
    pub(super) base: String,
    /// Parsed TOML table of `base`, in which changed parameters have their current values.
    table: Table,
    pub(super) changes: Vec<Arc<JournalEdit>>,
    /// Step count at the time of each edit in `changes`.
    pub(super) edit_steps: Vec<u64>,
}

impl Journal {
    /// Creates a journal without edits. The scene must already have been checked. The overrides
    /// become part of the scene's TOML source.
    ///
    /// # Errors
    /// Returns [`SceneError`] if `text` is not valid TOML or if an override cannot be applied.
    pub(super) fn new(
        name: &str,
        text: &str,
        overrides: &[(String, String)],
        reader: &Reader,
    ) -> Result<Self, SceneError> {
        let damaged = |error: String| scene::scene_error(name, error);
        let mut document = text.parse::<DocumentMut>().map_err(|e| damaged(e.to_string()))?;
        for (key, value) in overrides {
            replace_value(&mut document, key.trim(), &overrides::parse_value(value))
                .map_err(damaged)?;
        }
        let base = document.to_string();
        let table = base.parse::<Table>().map_err(|error| damaged(error.to_string()))?;
        let (name, reader) = (name.to_owned(), reader.clone());
        Ok(Self { name, reader, base, table, changes: Vec::new(), edit_steps: Vec::new() })
    }

    /// Deserializes the action of an entry of the scene's list `event`. `scene` is the current
    /// scene.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the entry has unknown or missing keys, values of wrong types or
    /// invalid times, or if a file cannot be used.
    pub(super) fn read_action(
        &self,
        scene: &Scene,
        entry: &Table,
    ) -> Result<AnyAction, SceneError> {
        let mut table = Table::new();
        table.insert("event".into(), toml::Value::Array(vec![entry.clone().into()]));
        // Coordinates in files refer to the terrain file.
        if let Some(file) = self.table.get("terrain").and_then(|terrain| terrain.get("file")) {
            let terrain = Table::from_iter([("file".to_owned(), file.clone())]);
            table.insert("terrain".into(), terrain.into());
        }
        self.reader.read_action(scene, table, self.origin())
    }

    /// Returns the origin of the edits, the scene's name, for error messages.
    pub(super) fn origin(&self) -> Origin {
        self.reader.origin(&self.name, "")
    }

    /// Builds a scene with the current parameters, and an event at time 0 that adds the gauge
    /// `gauge`. The scene has no other events and gauges.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the gauge is not valid in the scene.
    pub(super) fn scene_with_gauge(&self, gauge: &toml::Value) -> Result<Scene, SceneError> {
        let mut event = Table::new();
        event.insert("time".into(), 0.0.into());
        event.insert("do".into(), "add".into());
        event.insert(gauge_edit::GAUGE_KEY.into(), gauge.clone());
        let mut table = without_events_and_gauges(&self.table);
        table.insert("event".into(), toml::Value::Array(vec![event.into()]));
        self.scene_from_table(table)
    }

    /// Builds a scene with the current parameters, all earlier gauge events (events that add,
    /// change or remove a gauge), and then `event`, which must also be a gauge event. Other events
    /// are left out. Building the scene checks that each gauge exists when an event changes or
    /// removes it.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the event is not valid in the scene.
    pub(super) fn scene_with_gauge_event(&self, event: &Table) -> Result<Scene, SceneError> {
        let mut table = without_events_and_gauges(&self.table);
        if let Some(gauges) = self.table.get("gauge") {
            table.insert("gauge".into(), gauges.clone());
        }
        let events = self.table.get("event").and_then(toml::Value::as_array).into_iter().flatten();
        let events = events.filter_map(toml::Value::as_table);
        let by_hand = self.changes.iter().filter_map(|change| change.event_entry());
        let all = events.chain(by_hand).filter(|entry| gauge_edit::is_gauge_edit(entry));
        let all = all.chain([event]).map(|entry| entry.clone().into()).collect();
        table.insert("event".into(), toml::Value::Array(all));
        self.scene_from_table(table)
    }

    /// Builds the scene that results from a new value of the parameter `key`. The journal itself
    /// stays unchanged.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the value is not valid.
    pub(super) fn scene_with_value(
        &self,
        key: &str,
        value: &toml::Value,
    ) -> Result<Scene, SceneError> {
        let mut table = self.table.clone();
        set_in_table(&mut table, key, value)
            .map_err(|error| scene::scene_error(&self.name, error))?;
        self.scene_from_table(table)
    }

    fn scene_from_table(&self, table: Table) -> Result<Scene, SceneError> {
        self.reader.read_table(&self.name, table)
    }

    /// Records an edit that was made when the world had taken `steps` steps.
    pub(super) fn push(&mut self, change: JournalEdit, steps: u64) {
        // Cannot fail, because the same change was applied to a copy of this table before.
        let _ = apply_to_table(&mut self.table, &change);
        self.changes.push(Arc::new(change));
        self.edit_steps.push(steps);
    }

    /// Sets the time of all edits with the index `first_index` or higher to `time`, and their step
    /// count to `steps`.
    pub(super) fn backdate(&mut self, first_index: usize, time: f64, steps: u64) {
        self.edit_steps.iter_mut().skip(first_index).for_each(|mark| *mark = steps);
        for change in self.changes.iter_mut().skip(first_index) {
            match Arc::make_mut(change) {
                JournalEdit::Action(old, _) => *old = time,
                JournalEdit::Written(SerializableEdit::Event(entry)) => set_event_time(entry, time),
                JournalEdit::Written(SerializableEdit::Value(..)) => {}
            }
        }
    }

    /// Creates a journal with the original scene of this journal and the edits `changes`.
    /// `edit_steps` contains the step count of each edit. Returns the journal, and the scene that
    /// results from the edits.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the edits are not valid.
    pub(super) fn with_changes(
        &self,
        changes: Vec<Arc<JournalEdit>>,
        edit_steps: Vec<u64>,
    ) -> Result<(Self, Scene), SceneError> {
        let damaged = |error: String| scene::scene_error(&self.name, error);
        let mut table = self.base.parse::<Table>().map_err(|error| damaged(error.to_string()))?;
        for change in &changes {
            apply_to_table(&mut table, change).map_err(damaged)?;
        }
        let scene = self.scene_from_table(table.clone())?;
        Ok((Self { table, changes, edit_steps, ..self.clone() }, scene))
    }

    /// Returns the TOML source of the scene with all edits.
    pub(super) fn text(&self) -> String {
        let Ok(mut document) = self.base.parse::<DocumentMut>() else { return self.base.clone() };
        for change in &self.changes {
            match &*change.to_serializable() {
                SerializableEdit::Event(entry) => append_event(&mut document, entry),
                SerializableEdit::Value(key, value) => {
                    // Cannot fail, because invalid keys were rejected when the change was made.
                    let _ = replace_value(&mut document, key, value);
                }
            }
        }
        document.to_string()
    }
}

/// Returns a copy of a scene's TOML table without the lists `event` and `gauge`.
fn without_events_and_gauges(table: &Table) -> Table {
    let is_kept = |key: &str| key != "event" && key != "gauge";
    table.iter().filter(|(key, _)| is_kept(key)).map(|(k, v)| (k.clone(), v.clone())).collect()
}

fn apply_to_table(table: &mut Table, change: &JournalEdit) -> Result<(), String> {
    let JournalEdit::Written(SerializableEdit::Value(key, value)) = change else { return Ok(()) };
    set_in_table(table, key, value)
}

fn set_in_table(table: &mut Table, key: &str, value: &toml::Value) -> Result<(), String> {
    let path = KeyPath::parse(key).ok_or_else(|| invalid_key_message(key))?;
    overrides::set_value(table, &path, value.clone())
}

fn invalid_key_message(key: &str) -> String {
    format!("found key `{key}`, needs one such as `grid.nx` or `source[0].rate`")
}

/// Converts a value of the crate `toml` to an item of the crate `toml_edit`.
fn to_toml_edit_item(value: &toml::Value) -> Item {
    let text = format!("x = {value}");
    let item = text.parse::<DocumentMut>().ok().and_then(|mut document| document.remove("x"));
    item.unwrap_or(Item::None)
}

/// Replaces the value at a key of a TOML document. Keeps the comments and the formatting around it.
///
/// # Errors
/// Returns a message if the key is invalid or does not lead to a place in the document.
fn replace_value(document: &mut DocumentMut, key: &str, value: &toml::Value) -> Result<(), String> {
    let path = KeyPath::parse(key).ok_or_else(|| invalid_key_message(key))?;
    let mut item: &mut Item = document.as_item_mut();
    for (i, step) in path.0.iter().enumerate() {
        let lost = || format!("`{key}` is not in the scene");
        item = match step {
            Segment::Key(name) => {
                let table: &mut dyn TableLike = item.as_table_like_mut().ok_or_else(lost)?;
                if table.get(name).is_none() {
                    let next = match path.0.get(i + 1) {
                        Some(Segment::Index(_)) => Item::ArrayOfTables(ArrayOfTables::new()),
                        Some(Segment::Key(_)) => Item::Table(toml_edit::Table::new()),
                        // Placeholder; the value is set below.
                        None => toml_edit::value(0),
                    };
                    table.insert(name, next);
                }
                table.get_mut(name).ok_or_else(lost)?
            }
            Segment::Index(index) => {
                if let Item::ArrayOfTables(list) = &mut *item
                    && list.len() == *index
                {
                    list.push(toml_edit::Table::new());
                }
                item.get_mut(*index).ok_or_else(lost)?
            }
        };
    }
    let mut new = to_toml_edit_item(value);
    // Keep a comment that follows the old value.
    if let (Some(old), Some(new)) = (item.as_value(), new.as_value_mut()) {
        *new.decor_mut() = old.decor().clone();
    }
    *item = new;
    Ok(())
}

fn append_event(document: &mut DocumentMut, entry: &Table) {
    let list = document.entry("event").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    // Write `time` and `do` first, and inner tables on one line.
    let first = |key: &str| match key {
        "time" => 0,
        "do" => 1,
        _ => 2,
    };
    let mut keys: Vec<&String> = entry.keys().collect();
    keys.sort_by_key(|key| first(key));
    let mut table = InlineTable::new();
    for key in keys {
        if let Some(value) = to_toml_edit_item(&entry[key]).as_value() {
            table.insert(key, value.clone());
        }
    }
    match list {
        Item::ArrayOfTables(list) => {
            let mut table = table.into_table();
            table.decor_mut().set_prefix("\n");
            list.push(table);
        }
        Item::Value(toml_edit::Value::Array(list)) => list.push(table),
        // Not reached: in a checked scene, `event` is a list.
        _ => {}
    }
}
