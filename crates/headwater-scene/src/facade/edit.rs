//! Edits of a world: with brushes, scene entries and parameter values.

use super::error::FacadeError;
use super::facade::Facade;
use super::place::Place;
use crate::live::Parameter;
use headwater::model::EditKind;
use toml::{Table, Value};

impl Facade {
    /// Returns the kinds of edits that [`edit`](Self::edit) supports for this world's model.
    pub fn edits(&self) -> &'static [EditKind] {
        self.live.model().edits()
    }

    /// Applies the edit named `edit`, one of [`edits`](Self::edits), to the cells in `place`. The
    /// unit of `amount` depends on the kind of edit. Unlike edits by [`act`](Self::act), this edit
    /// is not recorded in the scene's [`text`](Self::text).
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the model has no edit of that name, or the place or amount is not
    /// valid for it. The world is unchanged then.
    pub fn edit(&mut self, edit: &str, place: &Place, amount: f64) -> Result<(), FacadeError> {
        let is_level = self.edits().iter().any(|one| one.name == edit && one.is_level);
        let datum = if is_level { self.live.simulation().datum() } else { 0.0 };
        Ok(self.live.model_mut().edit(edit, &place.brush, amount - datum)?)
    }

    /// Applies an event now. `event` is an entry of a scene's `[[event]]` list as TOML without the
    /// key `time`, for example `do = "lower"` and the keys of that operation.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the entry is not valid in this scene, or the model refuses the
    /// event. The world is unchanged then.
    pub fn act(&mut self, event: &str) -> Result<(), FacadeError> {
        Ok(self.live.edit(&table(event)?)?)
    }

    /// Adds an entry, given as TOML, to one of the scene's lists: `gauge`, `source`, `drain`,
    /// `body`, or another list that the model can extend while it runs.
    ///
    /// # Errors
    /// See [`act`](Self::act).
    pub fn add(&mut self, list: &str, entry: &str) -> Result<(), FacadeError> {
        Ok(self.live.add(list, &table(entry)?)?)
    }

    /// Replaces an entry in one of the scene's lists by the given TOML entry with the same `name`.
    /// Only the list `gauge` is supported.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no entry has that name, or the new entry is not valid.
    pub fn change(&mut self, list: &str, entry: &str) -> Result<(), FacadeError> {
        Ok(self.live.change(list, &table(entry)?)?)
    }

    /// Removes the entry called `name` from one of the scene's lists. Only the list `gauge` is
    /// supported.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no entry has that name.
    pub fn remove(&mut self, list: &str, name: &str) -> Result<(), FacadeError> {
        Ok(self.live.remove(list, name)?)
    }

    /// Returns the scene's parameters that can be changed while the world runs, with their current
    /// values.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.live.parameters()
    }

    /// Changes a parameter of the scene, given its key such as `physics.manning`. `value` is
    /// written in the syntax of a scene.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the scene has no such key, the parameter takes effect only at the
    /// start, or the value is out of range.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), FacadeError> {
        Ok(self.live.set(key, value_of(value))?)
    }
}

fn table(text: &str) -> Result<Table, FacadeError> {
    text.parse().map_err(|error: toml::de::Error| {
        FacadeError::input("an entry", error.message(), "a table of TOML")
    })
}

/// Parses a value in the syntax of a scene. A word without quotes is read as a string, as in
/// overrides on the command line.
fn value_of(text: &str) -> Value {
    let written = format!("v = {}", text.trim()).parse::<Table>().ok();
    let value = written.filter(|table| table.len() == 1).and_then(|mut table| table.remove("v"));
    value.unwrap_or_else(|| Value::String(text.into()))
}
