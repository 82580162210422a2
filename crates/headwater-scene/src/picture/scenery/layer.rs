//! The layers of a world of `hydrology`, by name.

use headwater::Field;
use headwater::hydrology::Hydrology;
use std::borrow::Cow;

/// The layer of that name. Every name used here is one of `headwater::hydrology::LAYERS`.
pub(super) fn layer(world: &Hydrology, name: &str) -> Field<f32> {
    let lattice = world.lattice();
    world.layer(name).map_or_else(|| Field::new(lattice.nx(), lattice.ny(), 0.0), Cow::into_owned)
}
