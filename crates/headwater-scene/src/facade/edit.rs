//! Edits of a world: by brushes, by entries of a scene, by parameter values.

use super::error::FacadeError;
use super::facade::Facade;
use super::place::Place;
use crate::live::Parameter;
use headwater::model::EditKind;
use toml::{Table, Value};

impl Facade {
    /// Returns the kinds of edits for [`edit`](Self::edit).
    pub fn edits(&self) -> &'static [EditKind] {
        self.live.model().edits()
    }

    /// Applies an edit of one of the kinds in [`edits`](Self::edits) at a place. Unlike
    /// [`act`](Self::act), it is not recorded in the [`text`](Self::text).
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such edit, or it is not possible there or by that amount.
    /// Nothing is changed then.
    pub fn edit(&mut self, edit: &str, place: &Place, amount: f64) -> Result<(), FacadeError> {
        let is_level = self.edits().iter().any(|one| one.name == edit && one.is_level);
        let datum = if is_level { self.live.simulation().datum() } else { 0.0 };
        Ok(self.live.model_mut().edit(edit, &place.brush, amount - datum)?)
    }

    /// Applies an entry of a scene's `[[event]]` list, given as TOML without `time`, such as `do =
    /// "lower"` with its other keys.
    ///
    /// # Errors
    /// [`FacadeError`] if the entry is not valid in the scene, or the model refuses it. Nothing is
    /// changed then.
    pub fn act(&mut self, event: &str) -> Result<(), FacadeError> {
        Ok(self.live.edit(&table(event)?)?)
    }

    /// Adds an entry, given as TOML, to one of the scene's lists: `gauge`, `source`, `drain`,
    /// `body` or another that the model can extend while it runs.
    ///
    /// # Errors
    /// See [`act`](Self::act).
    pub fn add(&mut self, list: &str, entry: &str) -> Result<(), FacadeError> {
        Ok(self.live.add(list, &table(entry)?)?)
    }

    /// Replaces the entry with the same name in one of the scene's lists; only `gauge` is
    /// supported.
    ///
    /// # Errors
    /// See [`act`](Self::act).
    pub fn change(&mut self, list: &str, entry: &str) -> Result<(), FacadeError> {
        Ok(self.live.change(list, &table(entry)?)?)
    }

    /// Removes an entry from one of the scene's lists by name; only `gauge` is supported.
    ///
    /// # Errors
    /// [`FacadeError`] if no entry has that name.
    pub fn remove(&mut self, list: &str, name: &str) -> Result<(), FacadeError> {
        Ok(self.live.remove(list, name)?)
    }

    /// Returns the values that can be changed while the world runs, with their current values.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.live.parameters()
    }

    /// Changes a parameter by its key in the scene, such as `physics.manning`. The value is written
    /// as in a scene.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such key, it takes effect only at the start, or the value is
    /// out of range.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), FacadeError> {
        Ok(self.live.set(key, value_of(value))?)
    }
}

fn table(text: &str) -> Result<Table, FacadeError> {
    text.parse().map_err(|error: toml::de::Error| {
        FacadeError::input("an entry", error.message(), "a table of TOML")
    })
}

/// Parses a value as in a scene. A word without quotes is a string, as in overrides.
fn value_of(text: &str) -> Value {
    let written = format!("v = {}", text.trim()).parse::<Table>().ok();
    let value = written.filter(|table| table.len() == 1).and_then(|mut table| table.remove("v"));
    value.unwrap_or_else(|| Value::String(text.into()))
}
