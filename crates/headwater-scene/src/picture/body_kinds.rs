//! [`BodyKinds`]: kinds of the bodies of a world, for drawing.

use headwater::Id;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Kinds of the bodies of a world by id; bodies without an entry have the default kind. A separate
/// map is needed because bodies come and go, and not all come from a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BodyKinds<K>(BTreeMap<Id, K>);

impl<K: Copy + Default> BodyKinds<K> {
    /// Creates the map from the bodies of a scene, whose ids count from 0.
    pub(crate) fn from_scene(kinds: impl IntoIterator<Item = K>) -> Self {
        Self((0..).map(Id::new).zip(kinds).collect())
    }

    /// Sets the kind of a body.
    pub(crate) fn set(&mut self, id: Id, kind: K) {
        self.0.insert(id, kind);
    }

    /// Returns the kind of a body.
    pub fn get(&self, id: Id) -> K {
        self.0.get(&id).copied().unwrap_or_default()
    }
}
