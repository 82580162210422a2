//! Sub-grid topography, requested by the scene key `terrain.subgrid`. The topography is derived
//! from the ground on a finer lattice and represents banks and walls that cross cells.

use super::{Terrain, shape};
use crate::raster::Raster;
use crate::scene::{MAX_CELLS, SceneError, TerrainScene};
use headwater::flow::Subgrid;
use headwater::{Field, Lattice, Square};

/// Returns `terrain` with sub-grid topography if the scene requests it. The function `heights`
/// returns the heights (m) of the ground on a finer lattice, before the shapes of the scene are
/// applied.
pub(super) fn add_subgrid(
    scene: &dyn TerrainScene,
    mut terrain: Terrain,
    heights: impl FnOnce(&Lattice, &Terrain) -> Result<Field<f64>, SceneError>,
) -> Result<Terrain, SceneError> {
    let Some(samples) = scene.ground().subgrid else { return Ok(terrain) };
    let key = "terrain.subgrid";
    let coarse = terrain.lattice;
    let [nx, ny] = [coarse.nx() * samples, coarse.ny() * samples];
    if nx.checked_mul(ny).is_none_or(|cells| cells > MAX_CELLS) {
        let message = format!("makes {nx} × {ny} samples, allowed is up to {MAX_CELLS} in all");
        return Err(scene.key_error(key, message));
    }
    let sides = [coarse.dx(), coarse.dy()].map(|side| side / samples as f64);
    let finer = Square::new(nx, ny, sides[0], sides[1])
        .map(Lattice::from)
        .map_err(|error| scene.key_error(key, error.to_string()))?;
    let mut heights = heights(&finer, &terrain)?;
    for i in 0..scene.ground().shapes.len() {
        shape::apply_shape_to_world(scene, i, &finer, &mut heights)?;
    }
    let fine = heights.map(|height| (height - terrain.datum) as f32);
    let (bed, subgrid) = Subgrid::from_raster(coarse, &fine)
        .map_err(|error| scene.key_error(key, error.to_string()))?;
    let missing = &terrain.no_data;
    let old = &terrain.bed;
    terrain.bed = Field::from_fn(coarse.nx(), coarse.ny(), |x, y| {
        if missing[(x, y)] { old[(x, y)] } else { bed[(x, y)] }
    });
    let divided = subgrid.cells().len();
    terrain.notices.push(format!("{divided} cells have sub-grid banks"));
    terrain.subgrid = Some(subgrid);
    Ok(terrain)
}

/// Resamples the heights (m) of a raster to a finer lattice. A sample without data gets the height
/// of the cell of `terrain` that contains the sample.
pub(super) fn sample_raster(raster: &Raster, finer: &Lattice, terrain: &Terrain) -> Field<f64> {
    let (nx, ny) = (finer.nx(), finer.ny());
    let samples = nx / terrain.lattice.nx();
    let fine = raster.resample(nx, ny);
    Field::from_fn(nx, ny, |x, y| {
        if fine.no_data[(x, y)] {
            terrain.height((x / samples, y / samples))
        } else {
            fine.heights[(x, y)].into()
        }
    })
}
