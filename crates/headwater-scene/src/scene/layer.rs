//! [`LayerName`]: the name of a layer in the scene's list `output.layers`.

use super::keys::quote_names;
use super::scene_model::SceneModel;
use headwater::Layer;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// Name of one of the [layers](SceneModel::LAYERS) of the model `M`.
pub struct LayerName<M>(&'static str, PhantomData<fn() -> M>);

impl<M> LayerName<M> {
    /// Returns the name of the layer, which is the same in the scene and in the model.
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

impl<'de, M: SceneModel> Deserialize<'de> for LayerName<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = String::deserialize(deserializer)?;
        let names: Vec<&'static str> = M::LAYERS.iter().map(|layer| layer.name).collect();
        let known = names.iter().find(|name| **name == found);
        // Uses serde's format, so that the error is reported like any other unknown word.
        let unknown = || format!("unknown variant `{found}`, expected {}", quote_names(&names));
        known.map(|name| Self(name, PhantomData)).ok_or_else(|| D::Error::custom(unknown()))
    }
}

impl<M: SceneModel> JsonSchema for LayerName<M> {
    fn schema_name() -> Cow<'static, str> {
        // The schema's name contains the model, because each model has its own layers.
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
