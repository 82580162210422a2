//! Methods that edit a world with brushes, scene entries and parameter values.

use super::error::FacadeError;
use super::facade::Facade;
use super::place::Place;
use crate::live::Parameter;
use headwater::model::EditKind;
use toml::{Table, Value};

impl Facade {
    /// Returns the kinds of brush edits that the model of this world supports, for
    /// [`edit`](Self::edit).
    pub fn edits(&self) -> &'static [EditKind] {
        self.live.model().edits()
    }

    /// Applies a brush edit to the cells in `place`. `edit` is the name of one of the kinds of
    /// edits that [`edits`](Self::edits) returns. The unit of `amount` depends on the kind of edit.
    /// Unlike edits by [`act`](Self::act), this edit is not recorded in the scene that
    /// [`text`](Self::text) returns.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the model has no edit with the given name, or if the place or the
    /// amount is not valid for the edit. The world is unchanged in this case.
    pub fn edit(&mut self, edit: &str, place: &Place, amount: f64) -> Result<(), FacadeError> {
        let is_level = self.edits().iter().any(|one| one.name == edit && one.is_level);
        let datum = if is_level { self.live.simulation().datum() } else { 0.0 };
        Ok(self.live.model_mut().edit(edit, &place.brush, amount - datum)?)
    }

    /// Applies an event at the current time. `event` is an entry of a scene's `[[event]]` list in
    /// TOML without the key `time`: the action, such as `do = "lower"`, and the keys of this
    /// action.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the entry is not valid in this scene, or if the model rejects the
    /// event. The world is unchanged in this case.
    pub fn act(&mut self, event: &str) -> Result<(), FacadeError> {
        Ok(self.live.edit(&parse_table(event)?)?)
    }

    /// Adds `entry`, in TOML, to the scene's list `list`: `gauge`, `source`, `drain`, `body`, or
    /// another list that the model can extend while it runs.
    ///
    /// # Errors
    /// Returns the errors of [`act`](Self::act).
    pub fn add(&mut self, list: &str, entry: &str) -> Result<(), FacadeError> {
        Ok(self.live.add(list, &parse_table(entry)?)?)
    }

    /// Replaces an entry of the scene's list `list`. `entry` is the new entry in TOML; it replaces
    /// the entry with the same `name`. Only the list `gauge` is supported.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no entry has this name, or if the new entry is not valid.
    pub fn change(&mut self, list: &str, entry: &str) -> Result<(), FacadeError> {
        Ok(self.live.change(list, &parse_table(entry)?)?)
    }

    /// Removes the entry with the name `name` from the scene's list `list`. Only the list `gauge`
    /// is supported.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no entry has this name.
    pub fn remove(&mut self, list: &str, name: &str) -> Result<(), FacadeError> {
        Ok(self.live.remove(list, name)?)
    }

    /// Returns the values of the scene that can be changed while the world runs.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.live.parameters()
    }

    /// Changes a value of the scene while the world runs. `key` is a key such as `physics.manning`,
    /// and `value` has the syntax of a value in a scene (TOML).
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the scene has no such key, if the value is out of range, or if
    /// the value is used only at the start of the world.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), FacadeError> {
        Ok(self.live.set(key, parse_value(value))?)
    }
}

fn parse_table(text: &str) -> Result<Table, FacadeError> {
    text.parse().map_err(|error: toml::de::Error| {
        FacadeError::invalid_argument("an entry", error.message(), "a table of TOML")
    })
}

/// Parses a value in the syntax of a scene (TOML). A word without quotation marks is read as a
/// string, as in command-line overrides.
fn parse_value(text: &str) -> Value {
    let written = format!("v = {}", text.trim()).parse::<Table>().ok();
    let value = written.filter(|table| table.len() == 1).and_then(|mut table| table.remove("v"));
    value.unwrap_or_else(|| Value::String(text.into()))
}
