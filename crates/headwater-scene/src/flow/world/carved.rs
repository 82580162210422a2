//! Erosion of the ground before a run, for scenes with the table `[carve]`.

use crate::flow::{Carve, FlowScene};
use crate::picture::Scenery;
use crate::scene::{ExtendedKeys, SceneError, SceneModel};
use crate::terrain::Terrain;
use headwater::coupling::{CarvedToFlowOptions, carved_to_flow};
use headwater::flow::{Flow, Params};
use headwater::hydrology::Hydrology;
use headwater::{Field, Lattice};

/// Land that was eroded before the run.
#[derive(Clone, Debug)]
pub struct CarvedLand {
    /// Hydrology model with the eroded ground. Its heights are relative to the terrain's datum.
    pub land: Hydrology,
    /// Ground colours and trees of the eroded land, for pictures.
    pub scenery: Scenery,
}

/// Erodes the ground of a scene. Returns the eroded land, and a flow model with the lakes and
/// streams of that land.
pub(super) fn carve(
    scene: &FlowScene,
    carve: &ExtendedKeys<CarvedToFlowOptions, Carve>,
    terrain: &mut Terrain,
    params: Params,
) -> Result<(Flow, CarvedLand), SceneError> {
    let Lattice::Square(square) = terrain.lattice else {
        return Err(scene.error("carve", "needs square cells"));
    };
    if terrain.no_data.as_slice().contains(&true) {
        let message = "some cells have no data; carving needs a height in every cell";
        return Err(scene.error("terrain.file", message));
    }
    let mut hydrology = carve.hydrology.clone();
    hydrology.sea -= terrain.datum;
    if hydrology.seed == 0 {
        hydrology.seed = scene.seed.into();
    }
    let land = Hydrology::new(square, hydrology, &terrain.bed);
    let mut land = land.map_err(scene.error_at("carve"))?;
    while land.time() < carve.rain {
        land.step();
    }
    let hand_over = CarvedToFlowOptions { params, ..(*carve.keys).clone() };
    let flow = carved_to_flow(&land, &hand_over).map_err(scene.error_at("carve"))?;
    terrain.bed = flow.state().bed.clone();
    let mut scenery = Scenery::from_hydrology(&land);
    // The flow model contains the water of the rivers, so they are not drawn again. Trees in the
    // water are removed.
    scenery.rivers.clear();
    let size = square.dx() as f32;
    scenery.trees.retain(|tree| is_neighbourhood_dry(tree.position, &flow.state().depth, size));
    Ok((flow, CarvedLand { land, scenery }))
}

/// Returns whether the cell at the position `place` (m) and its eight neighbours are all dry.
/// `cell_size` is the side length of a cell (m).
fn is_neighbourhood_dry(place: [f32; 2], depth: &Field<f32>, cell_size: f32) -> bool {
    let [x, y] = place.map(|metres| (metres / cell_size) as usize);
    let near = |at: usize, n: usize| at.saturating_sub(1)..(at + 2).min(n);
    near(y, depth.ny()).all(|v| near(x, depth.nx()).all(|u| depth[(u, v)] <= 0.0))
}
