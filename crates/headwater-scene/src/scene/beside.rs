//! [`Beside`]: a table with parameters of a model and keys of the scene's own beside them.

use super::event::known_too;
use super::inner::inner;
use super::keys::Keys;
use headwater::parameter::Parameters;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};
use std::ops::Deref;
use toml::Table;

/// A table whose keys are parameters of a model, or the scene's own: places, names, files. `O` denies unknown fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beside<P: Parameters, O> {
    /// The parameters.
    pub keys: Keys<P>,
    /// What stands beside them.
    pub own: O,
}

impl<P: Parameters, O> Deref for Beside<P, O> {
    type Target = O;

    fn deref(&self) -> &O {
        &self.own
    }
}

impl<'de, P: Parameters, O: DeserializeOwned> Deserialize<'de> for Beside<P, O> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names: Vec<&str> = P::TABLE.iter().map(|one| one.key).collect();
        let table = Table::deserialize(deserializer)?;
        let (some, rest): (Table, Table) =
            table.into_iter().partition(|(key, _)| names.contains(&key.as_str()));
        Ok(Self { own: inner(rest).map_err(|e| known_too(e, &names))?, keys: inner(some)? })
    }
}
