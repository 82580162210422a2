//! Validation of entities with worlds. Each problem is reported once.

use crate::backend::WaterBackend;
use crate::messages::WaterRefused;
use crate::water::{BlockWorld, CarvedLand, Pond, Pools, Water};
use bevy::ecs::prelude::*;

/// Filter for entities that have just received a world.
type NewWorldFilter =
    Or<(Added<Water>, Added<Pond>, Added<BlockWorld>, Added<Pools>, Added<CarvedLand>)>;

/// Query item with one flag per model component: whether the entity has it.
type ModelPresence = (Has<Water>, Has<Pond>, Has<BlockWorld>, Has<Pools>, Has<CarvedLand>);

/// Reports entities that have several model components, and entities that request the GPU backend
/// in apps without GPU support.
pub(crate) fn report_invalid_waters(
    waters: Query<(Entity, ModelPresence), NewWorldFilter>,
    backends: Query<(Entity, &WaterBackend), Changed<WaterBackend>>,
    mut refused: MessageWriter<WaterRefused>,
) {
    for (water, (flow, waves, blocks, columns, hydrology)) in &waters {
        let all = [
            (flow, "Water"),
            (waves, "Pond"),
            (blocks, "BlockWorld"),
            (columns, "Pools"),
            (hydrology, "CarvedLand"),
        ];
        let mut has = all.into_iter().filter_map(|(has, name)| has.then_some(name));
        let first = has.next().unwrap_or_default();
        for other in has {
            let error = format!(
                "an entity: found a `{first}` and a `{other}`, allowed is one water; the `{other}` stands still"
            );
            refused.write(WaterRefused { water, error });
        }
    }
    if cfg!(not(feature = "gpu")) {
        for (water, _) in backends.iter().filter(|(_, backend)| **backend == WaterBackend::Gpu) {
            let error = "a backend: found `Gpu`, allowed is `Cpu` or `Auto`: this app is built without the feature `gpu`";
            refused.write(WaterRefused { water, error: error.into() });
        }
    }
}
