//! Access to the layers of a hydrology world by name.

use headwater::Field;
use headwater::hydrology::Hydrology;
use std::borrow::Cow;

/// Returns a copy of the layer with the given name, one of `headwater::hydrology::LAYERS`. If the
/// world does not have the layer, all values of the returned field are zero.
pub(super) fn layer(world: &Hydrology, name: &str) -> Field<f32> {
    let lattice = world.lattice();
    world.layer(name).map_or_else(|| Field::new(lattice.nx(), lattice.ny(), 0.0), Cow::into_owned)
}
