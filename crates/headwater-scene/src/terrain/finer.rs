//! `terrain.subgrid`: the same ground once more, finer than the grid, for the banks and walls that cross its cells.

use super::{Terrain, shape};
use crate::raster::Raster;
use crate::scene::{MAX_CELLS, SceneError, Site};
use headwater::flow::Subgrid;
use headwater::{Field, Lattice, Square};

/// Gives a terrain its sub-grid, if the scene asks for one; `heights` are those of its ground on a finer lattice, before the shapes.
pub(super) fn refine(
    scene: &dyn Site,
    mut terrain: Terrain,
    heights: impl FnOnce(&Lattice, &Terrain) -> Result<Field<f64>, SceneError>,
) -> Result<Terrain, SceneError> {
    let Some(samples) = scene.ground().subgrid else { return Ok(terrain) };
    let key = "terrain.subgrid";
    let coarse = terrain.lattice;
    let [nx, ny] = [coarse.nx() * samples, coarse.ny() * samples];
    if nx.checked_mul(ny).is_none_or(|cells| cells > MAX_CELLS) {
        let message = format!("makes {nx} × {ny} samples, allowed is up to {MAX_CELLS} in all");
        return Err(scene.refuse(key, message));
    }
    let sides = [coarse.dx(), coarse.dy()].map(|side| side / samples as f64);
    let finer = Square::new(nx, ny, sides[0], sides[1])
        .map(Lattice::from)
        .map_err(|error| scene.refuse(key, error.to_string()))?;
    let mut heights = heights(&finer, &terrain)?;
    for i in 0..scene.ground().shapes.len() {
        shape::apply(scene, i, &finer, &mut heights)?;
    }
    let fine = heights.map(|height| (height - terrain.datum) as f32);
    let (bed, subgrid) = Subgrid::from_raster(coarse, &fine)
        .map_err(|error| scene.refuse(key, error.to_string()))?;
    let missing = &terrain.no_data;
    let old = &terrain.bed;
    terrain.bed = Field::from_fn(coarse.nx(), coarse.ny(), |x, y| {
        if missing[(x, y)] { old[(x, y)] } else { bed[(x, y)] }
    });
    let parted = subgrid.cells().len();
    terrain.notices.push(format!("{parted} cells are crossed by banks finer than they are"));
    terrain.subgrid = Some(subgrid);
    Ok(terrain)
}

/// Heights of a file on a finer lattice. Where it has none, they are those of the cell.
pub(super) fn from_raster(raster: &Raster, finer: &Lattice, terrain: &Terrain) -> Field<f64> {
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
