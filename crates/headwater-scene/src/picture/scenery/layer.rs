//! The layers of a world of `hydrology`, by name.

use headwater::Field;
use headwater::hydrology::Hydrology;

/// The layer of that name. Every name used here is one of `headwater::hydrology::VIEWS`.
pub(super) fn layer(world: &Hydrology, name: &str) -> Field<f32> {
    let lattice = world.lattice();
    world.view(name).unwrap_or_else(|| Field::new(lattice.nx(), lattice.ny(), 0.0))
}
