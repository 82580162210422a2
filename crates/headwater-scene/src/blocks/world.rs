//! Creation of worlds of the model `blocks` from checked scenes, and application of events.

use super::{
    Added, BlocksAction, BlocksDrain, BlocksScene, BlocksSource, BlocksWorldTable, PALETTE,
    cell_lattice,
};
use crate::pixmap::read_pixels;
use crate::run::ModelWorld;
use crate::scene::check_fits_lattice;
use crate::scene::{AreaAction, SceneError, SceneModel};
use headwater::blocks::{Blocks, Drain, MAX_SIDE, Params, Spring};
use headwater::{InputError, Lattice};
use headwater_io::Files;

/// Creates the world of a scene in its initial state.
///
/// # Errors
/// Returns [`SceneError`] if the image file of the cells cannot be used, or if the position or area
/// of a scene table does not fit the grid.
pub fn build_world(scene: &BlocksScene) -> Result<Blocks, SceneError> {
    let error = |key: &str, message: String| scene.error(&format!("world{key}"), message);
    let mut world = world_from_table(
        scene.file_source(),
        &scene.world,
        (*scene.physics).clone(),
        scene.seed,
        error,
    )?;
    let Some(lattice) = cell_lattice(world.nx(), world.ny()) else {
        return Err(scene.error("world", "no such world"));
    };
    check_fits_lattice(scene, &lattice)?;
    scene.add_each("source", &scene.sources, |one| world.add_spring(to_spring(one, &lattice)))?;
    scene.add_each("drain", &scene.drains, |one| world.add_drain(to_drain(one, &lattice)))?;
    Ok(world)
}

/// Creates a world from a `[world]` table of a scene. `files` provides the contents of the image
/// file. `error` creates an error from a message and the key to which it refers; the key starts
/// with a dot (such as `.map`).
///
/// # Errors
/// Returns the error that `error` creates if the cells are invalid or cannot be read.
pub(crate) fn world_from_table<E>(
    files: &Files,
    table: &BlocksWorldTable,
    params: Params,
    seed: u32,
    error: impl Fn(&str, String) -> E,
) -> Result<Blocks, E> {
    if let Some(map) = &table.map {
        return Blocks::from_text(map, params).map_err(|e| error(".map", e.to_string()));
    }
    let (key, cells) = if let Some(file) = &table.file {
        let cells = read_pixels(files, file, &PALETTE, MAX_SIDE);
        (".file", cells.map_err(|e| error(".file", e.to_string()))?)
    } else {
        let (caves, (nx, ny)) = (table.caves.unwrap_or_default(), table.size().unwrap_or_default());
        let cells = caves.generate(seed, nx, ny);
        (".caves", cells.map_err(|e| error(".caves", e.to_string()))?)
    };
    Blocks::new(&cells, params).map_err(|e| error(key, e.to_string()))
}

/// Applies the action of an event to the world.
///
/// # Errors
/// Returns [`InputError`] if the model rejects the edit, spring or drain of the action.
pub fn apply_action(world: &mut Blocks, action: &BlocksAction) -> Result<(), InputError> {
    let lattice = ModelWorld::lattice(world);
    if let Some((edit, extent)) = action.edit_and_extent() {
        return world.edit(&extent.region(&lattice), edit);
    }
    if let BlocksAction::Add(added) = action {
        match &added.0 {
            Added::Source(source) => world.add_spring(to_spring(source, &lattice))?,
            Added::Drain(drain) => world.add_drain(self::to_drain(drain, &lattice))?,
        };
    }
    Ok(())
}

fn to_spring(source: &AreaAction<BlocksSource>, lattice: &Lattice) -> Spring {
    let BlocksSource { liquid, rate } = source.value;
    Spring { region: source.extent.region(lattice), liquid, rate }
}

fn to_drain(drain: &AreaAction<BlocksDrain>, lattice: &Lattice) -> Drain {
    Drain { region: drain.extent.region(lattice), rate: drain.value.rate }
}
