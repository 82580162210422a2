//! The world of a scene, whichever model moves it.

use crate::world::{ColumnsWorld, FlowWorld, HydrologyWorld, WavesWorld};
use headwater::blocks::Blocks;
use headwater::flow::Flow;
use headwater::hydrology::Hydrology;

/// The world of a scene.
#[derive(Clone, Copy, Debug)]
pub enum World<'a> {
    /// Water over terrain.
    Flow(&'a FlowWorld),
    /// A rippling surface.
    Waves(&'a WavesWorld),
    /// Liquids in side view, cell by cell.
    Blocks(&'a Blocks),
    /// Pools in side view.
    Columns(&'a ColumnsWorld),
    /// Land that rivers, lakes and plants shape, in one way or several.
    Hydrology(&'a HydrologyWorld),
}

/// The world of a scene, to be changed.
#[derive(Debug)]
pub enum WorldMut<'a> {
    /// Water over terrain.
    Flow(&'a mut FlowWorld),
    /// A rippling surface.
    Waves(&'a mut WavesWorld),
    /// Liquids in side view, cell by cell.
    Blocks(&'a mut Blocks),
    /// Pools in side view.
    Columns(&'a mut ColumnsWorld),
    /// Land that rivers, lakes and plants shape, in one way or several.
    Hydrology(&'a mut HydrologyWorld),
}

impl<'a> World<'a> {
    /// The model, if it is `flow`.
    pub fn flow(self) -> Option<&'a Flow> {
        if let World::Flow(world) = self { Some(&world.flow) } else { None }
    }

    /// The land, if the model is `hydrology`; of several ways, the last.
    pub fn hydrology(self) -> Option<&'a Hydrology> {
        if let World::Hydrology(world) = self { Some(world.land()) } else { None }
    }
}
