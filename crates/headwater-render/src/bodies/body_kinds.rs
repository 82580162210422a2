//! Kinds of floating bodies seen from above, and [`BodyKinds`], a map from body ids to kinds.

use headwater::Id;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Kind of a floating body. It determines the outline and colours of the body in pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BodyKind {
    /// Boat with its bow along the heading.
    Boat,
    /// Tree trunk.
    Log,
    /// Wooden crate.
    #[default]
    Crate,
    /// Round buoy.
    Buoy,
}

/// Map from the id of each floating body to its kind `K`, which determines how the body is drawn.
/// Bodies that are not in the map have the default kind. The map is needed because edits add and
/// remove bodies during a run. After such an edit, the position of a body in the scene's list no
/// longer gives its id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BodyKinds<K>(BTreeMap<Id, K>);

impl<K: Copy + Default> BodyKinds<K> {
    /// Creates the map from the kinds of a scene's bodies, given in the order of the scene. The
    /// first body has the id 0, and ids increase by one.
    pub fn from_scene(kinds: impl IntoIterator<Item = K>) -> Self {
        Self((0..).map(Id::new).zip(kinds).collect())
    }

    /// Sets the kind of the body with the given id.
    pub fn set(&mut self, id: Id, kind: K) {
        self.0.insert(id, kind);
    }

    /// Returns the kind of the body with the given id, or the default kind if the map does not
    /// contain the id.
    pub fn get(&self, id: Id) -> K {
        self.0.get(&id).copied().unwrap_or_default()
    }
}
