//! [`LayerName`]: an entry of `output.layers`.

use super::keys::quoted;
use headwater::Layer;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A model with layers that a run can write.
pub trait Layers {
    /// What they are, as the library has them.
    const LAYERS: &'static [Layer];
}

/// The name of one of the [layers](Layers::LAYERS) of `M`.
pub struct LayerName<M>(&'static str, PhantomData<fn() -> M>);

impl<M> LayerName<M> {
    /// The name: as in a scene, and as the model knows it.
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl<M> Clone for LayerName<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for LayerName<M> {}

impl<M> PartialEq for LayerName<M> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<M> fmt::Debug for LayerName<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de, M: Layers> Deserialize<'de> for LayerName<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = String::deserialize(deserializer)?;
        let names: Vec<&'static str> = M::LAYERS.iter().map(|layer| layer.name).collect();
        let known = names.iter().find(|name| **name == found);
        // In serde's words, so that it is told like any other unknown word.
        let unknown = || format!("unknown variant `{found}`, expected {}", quoted(&names));
        known.map(|name| Self(name, PhantomData)).ok_or_else(|| D::Error::custom(unknown()))
    }
}

impl<M: Layers> JsonSchema for LayerName<M> {
    fn schema_name() -> Cow<'static, str> {
        // One name for each model, as its words are its own.
        let of = std::any::type_name::<M>().rsplit("::").next().unwrap_or_default();
        format!("LayerNameOf{of}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let one =
            |layer: &Layer| json_schema!({ "const": layer.name, "description": layer.meaning });
        json_schema!({ "oneOf": M::LAYERS.iter().map(one).collect::<Vec<_>>() })
    }
}
