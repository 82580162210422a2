//! [`ExtendedKeys`]: a table of a scene that contains parameters of a model and additional keys.

use super::event::{add_allowed_keys, serialize_merged};
use super::keys::Keys;
use super::read::nested::deserialize_nested;
use headwater::parameter::Parameters;
use serde::de::{DeserializeOwned, Deserializer};
use serde::{Deserialize, Serialize, Serializer};
use std::ops::Deref;
use toml::Table;

/// Table of a scene that contains parameters of a model, and additional keys such as positions,
/// names and files. `P` is the type of the parameters. `O` is the type of the additional keys,
/// which must deny unknown fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExtendedKeys<P: Parameters, O> {
    /// Parameters of the model. Their keys are part of this table.
    pub keys: Keys<P>,
    /// Additional keys in this table.
    pub extra: O,
}

impl<P: Parameters, O> Deref for ExtendedKeys<P, O> {
    type Target = O;

    fn deref(&self) -> &O {
        &self.extra
    }
}

impl<P: Parameters, O: Serialize> Serialize for ExtendedKeys<P, O> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_merged(&self.extra, &self.keys, serializer)
    }
}

impl<'de, P: Parameters, O: DeserializeOwned> Deserialize<'de> for ExtendedKeys<P, O> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names: Vec<&str> = P::TABLE.iter().map(|one| one.key).collect();
        let table = Table::deserialize(deserializer)?;
        let (some, rest): (Table, Table) =
            table.into_iter().partition(|(key, _)| names.contains(&key.as_str()));
        Ok(Self {
            extra: deserialize_nested(rest).map_err(|e| add_allowed_keys(e, &names))?,
            keys: deserialize_nested(some)?,
        })
    }
}
