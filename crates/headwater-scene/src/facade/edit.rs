//! What is done to a world: by brushes, by entries as they stand in scenes, by values.

use super::error::FacadeError;
use super::facade::Facade;
use super::place::Place;
use crate::live::Parameter;
use headwater::model::EditKind;
use toml::{Table, Value};

impl Facade {
    /// What [`edit`](Self::edit) can do.
    pub fn edits(&self) -> &'static [EditKind] {
        self.live.model().edits()
    }

    /// Does one of [`edits`](Self::edits) at a place. It is not in the [`text`](Self::text), as an [`act`](Self::act) is.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such edit, or it cannot be done there by that amount. Nothing is changed then.
    pub fn edit(&mut self, edit: &str, place: &Place, amount: f64) -> Result<(), FacadeError> {
        let is_level = self.edits().iter().any(|one| one.name == edit && one.is_level);
        let datum = if is_level { self.live.simulation().datum() } else { 0.0 };
        Ok(self.live.model_mut().edit(edit, &place.brush, amount - datum)?)
    }

    /// Does what an entry of a scene's `[[event]]` says, given as TOML without `time`: `do = "lower"` and so on.
    ///
    /// # Errors
    /// [`FacadeError`] if it could not stand in the scene, or the model refuses it. Nothing is changed then.
    pub fn act(&mut self, event: &str) -> Result<(), FacadeError> {
        Ok(self.live.edit(&table(event)?)?)
    }

    /// Adds an entry to one of the scene's lists, given as TOML: to `gauge`, `source`, `drain`, `body`, whatever the model can take while it
    /// runs.
    ///
    /// # Errors
    /// As [`act`](Self::act).
    pub fn add(&mut self, list: &str, entry: &str) -> Result<(), FacadeError> {
        Ok(self.live.add(list, &table(entry)?)?)
    }

    /// Changes an entry of one of the scene's lists, so far of `gauge`: the one that has its name.
    ///
    /// # Errors
    /// As [`act`](Self::act).
    pub fn change(&mut self, list: &str, entry: &str) -> Result<(), FacadeError> {
        Ok(self.live.change(list, &table(entry)?)?)
    }

    /// Removes an entry of one of the scene's lists, so far of `gauge`, by its name.
    ///
    /// # Errors
    /// [`FacadeError`] if none has that name.
    pub fn remove(&mut self, list: &str, name: &str) -> Result<(), FacadeError> {
        Ok(self.live.remove(list, name)?)
    }

    /// The values that can be changed while the world runs, as they are.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.live.parameters()
    }

    /// Changes one of them, by its key in the scene, such as `physics.manning`; the value is written as in the scene.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such key, it means something at the start only, or the value is out of its range.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), FacadeError> {
        Ok(self.live.set(key, value_of(value))?)
    }
}

fn table(text: &str) -> Result<Table, FacadeError> {
    text.parse().map_err(|error: toml::de::Error| {
        FacadeError::input("an entry", error.message(), "a table of TOML")
    })
}

/// A value as it is written in a scene; a word without quotes is a text, as in overrides.
fn value_of(text: &str) -> Value {
    let written = format!("v = {}", text.trim()).parse::<Table>().ok();
    let value = written.filter(|table| table.len() == 1).and_then(|mut table| table.remove("v"));
    value.unwrap_or_else(|| Value::String(text.into()))
}
