//! [`Looks`]: what the bodies of a world look like.

use headwater::Id;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What bodies of a world look like, by their ids; those of which nobody has said anything, as is usual for their kind. Bodies come and go,
/// and not all come from a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BodyKinds<K>(BTreeMap<Id, K>);

impl<K: Copy + Default> BodyKinds<K> {
    /// Those of a scene's bodies, in their order.
    pub(crate) fn from_scene(looks: impl IntoIterator<Item = K>) -> Self {
        Self((0..).map(Id::new).zip(looks).collect())
    }

    /// Says what a body looks like.
    pub(crate) fn set(&mut self, id: Id, look: K) {
        self.0.insert(id, look);
    }

    /// What a body looks like.
    pub fn get(&self, id: Id) -> K {
        self.0.get(&id).copied().unwrap_or_default()
    }
}
