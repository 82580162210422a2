//! [`LayerName`]: the name of a layer in the scene's list `output.layers`.

use std::fmt;
use std::marker::PhantomData;

/// Name of one of the [layers](crate::scene::SceneModel::LAYERS) of the model `M`.
pub struct LayerName<M>(&'static str, PhantomData<fn() -> M>);

impl<M> LayerName<M> {
    /// Creates the name of a layer, which must be a layer of the model.
    pub(super) fn new(name: &'static str) -> Self {
        Self(name, PhantomData)
    }

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
