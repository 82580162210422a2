//! Ground and initial water of scenes. The ground is generated from seeded noise and a plane, or
//! read from a file of heights, and then modified by the shapes of the scene.
//!
//! ```
//! # let text = "model = 'flow'\n[grid]\nnx = 40\nny = 30\ncell = 2\n[time]\nuntil = 60\n\
//! #     [terrain]\nplane = { height = 1500, slope = [-0.125, 0] }\n[water]\nlevel = 1495\n";
//! # let scene = headwater_scene::scene::parse("pond.toml", text, &[])?;
//! use headwater_scene::{flow, terrain};
//! let scene = scene.flow().unwrap();
//! let terrain = terrain::build_terrain(scene)?;
//! let depth = flow::initial_depth(scene, &terrain)?;
//! let deepest = (39, 0);
//! assert_eq!(terrain.datum, 1490.0);
//! assert_eq!(terrain.height(deepest) + f64::from(depth[deepest]), 1495.0);
//! # Ok::<(), headwater_scene::scene::SceneError>(())
//! ```

mod file;
mod ground;
mod hills;
mod map;
#[cfg(not(target_family = "wasm"))]
mod rows;
mod shape;
#[cfg(not(target_family = "wasm"))]
mod stored_heights;
mod subgrid;
mod tables;

#[cfg(not(target_family = "wasm"))]
pub(crate) use file::no_data_notice;
pub use ground::Terrain;
pub(crate) use map::RasterMap;
#[cfg(not(target_family = "wasm"))]
pub(crate) use rows::TerrainRows;
pub(crate) use shape::narrow_area_notice;
pub use tables::{
    CellSize, Grid, Ground, Island, LatticeKind, Level, Noise, NoiseKind, Plane, Shape, ShapeOp,
};

use crate::raster::Raster;
use crate::scene::check::{MAX_HEIGHT, format_number};
use crate::scene::{DEFAULT_CELL_SIZE, SceneError, TerrainScene};
use ground::TerrainDraft;
use headwater::{Field, Lattice};
use std::ops::Range;

/// Builds the ground of a scene. The same scene gives the same bits on all platforms.
///
/// # Errors
/// Returns [`SceneError`] if the terrain file is invalid, or if the grid of the scene does not
/// match the raster in the file.
pub fn build_terrain(scene: &dyn TerrainScene) -> Result<Terrain, SceneError> {
    if let Some(path) = &scene.ground().file {
        #[cfg(not(target_family = "wasm"))]
        if let Some(draft) = stored_heights::resampled_draft(scene, path)? {
            return finish_terrain(scene, draft);
        }
        return build_terrain_from_raster(scene, &file::read(scene, path)?);
    }
    let Some(lattice) = scene.lattice() else {
        return Err(scene.key_error("grid", "no such grid".into()));
    };
    file::check_size(scene, &lattice)?;
    let terrain = finish_terrain(scene, generate_draft(scene, lattice))?;
    subgrid::add_subgrid(scene, terrain, |finer, _| Ok(plane_and_hills(scene, finer)))
}

/// Builds the ground of a scene from `raster` instead of the terrain file, the plane and the noise
/// given in the scene. The shapes of the scene are applied.
///
/// # Errors
/// Returns [`SceneError`] if the grid of the scene does not match the raster.
pub fn build_terrain_from_raster(
    scene: &dyn TerrainScene,
    raster: &Raster,
) -> Result<Terrain, SceneError> {
    let terrain = finish_terrain(scene, file::draft_from_raster(scene, raster)?)?;
    subgrid::add_subgrid(scene, terrain, |finer, terrain| {
        Ok(subgrid::sample_raster(raster, finer, terrain))
    })
}

/// Returns the ground elevations (m) of the plane with its hills, for scenes without a terrain
/// file.
fn plane_and_hills(scene: &dyn TerrainScene, lattice: &Lattice) -> Field<f64> {
    plane_and_hills_in_rows(scene, lattice, 0..lattice.ny())
}

/// Returns the ground elevations (m) in the given rows of the world: the plane plus its hills.
fn plane_and_hills_in_rows(
    scene: &dyn TerrainScene,
    lattice: &Lattice,
    rows: Range<usize>,
) -> Field<f64> {
    let plane = scene.ground().plane.unwrap_or_default();
    let mut heights = Field::from_fn(lattice.nx(), rows.len(), |x, y| {
        let [east, south] = lattice.center(x, rows.start + y);
        plane.height + plane.slope[0] * east + plane.slope[1] * south
    });
    if let Some(noise) = &scene.ground().noise {
        let seed = noise.seed.unwrap_or(scene.seed());
        hills::add_hills(noise, seed, lattice, rows.start, &mut heights);
    }
    heights
}

fn generate_draft(scene: &dyn TerrainScene, lattice: Lattice) -> TerrainDraft {
    let no_data = Field::new(lattice.nx(), lattice.ny(), false);
    let heights = plane_and_hills(scene, &lattice);
    TerrainDraft {
        lattice,
        heights,
        no_data,
        georeference: None,
        notices: default_size_notice(scene, &lattice),
    }
}

/// Returns the notice that the scene uses the default grid size, or an empty vector if the scene
/// gives the size.
fn default_size_notice(scene: &dyn TerrainScene, lattice: &Lattice) -> Vec<String> {
    let taken = *scene.grid() == Default::default();
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let size = format!("{nx} × {ny} cells of {DEFAULT_CELL_SIZE} m");
    taken.then(|| format!("[grid] is missing; the world has {size}")).into_iter().collect()
}

/// Chooses the datum: the elevation (m) at which the bed height is 0. The ground lies between the
/// elevations `low` and `high` (m).
///
/// # Errors
/// Returns [`SceneError`] if the elevations are not finite or out of range.
fn choose_datum(scene: &dyn TerrainScene, [low, high]: [f64; 2]) -> Result<f64, SceneError> {
    if !(low.is_finite() && high.is_finite()) {
        return Err(scene.key_error("terrain", "no cell of the ground has a height".into()));
    }
    let extreme = if low < -MAX_HEIGHT { low } else { high };
    if extreme.abs() > MAX_HEIGHT {
        let message = format!(
            "found a height of {} m, allowed is −{MAX_HEIGHT} to {MAX_HEIGHT} m",
            format_number(extreme)
        );
        return Err(scene.key_error("terrain", message));
    }
    Ok(if low.abs() > high - low { low.floor() } else { 0.0 })
}

/// Applies the shapes of the scene to a terrain under construction, chooses the datum and rounds
/// the heights to `f32`.
fn finish_terrain(scene: &dyn TerrainScene, draft: TerrainDraft) -> Result<Terrain, SceneError> {
    let TerrainDraft { lattice, mut heights, no_data, georeference, mut notices } = draft;
    scene.require_positions_on_lattice(&lattice)?;
    for (i, shape) in scene.ground().shapes.iter().enumerate() {
        shape::apply_shape_to_world(scene, i, &lattice, &mut heights)?;
        notices.extend(narrow_area_notice(
            &format!("terrain.shape[{i}]"),
            &shape.area(),
            &lattice,
            scene.ground().subgrid.unwrap_or(1),
        ));
    }
    let valid = heights.as_slice().iter().zip(no_data.as_slice()).filter(|(_, missing)| !**missing);
    let (low, high) = valid
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (&height, _)| {
            (low.min(height), high.max(height))
        });
    let datum = choose_datum(scene, [low, high])?;
    let bed = Field::from_fn(lattice.nx(), lattice.ny(), |x, y| {
        let height = if no_data[(x, y)] { low } else { heights[(x, y)] };
        (height - datum) as f32
    });
    Ok(Terrain { lattice, bed, subgrid: None, datum, no_data, georeference, notices })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;

    fn terrain(keys: &str) -> Terrain {
        let text = format!(
            "model = 'flow'\n[time]\nuntil = 1\n[grid]\nnx = 31\nny = 20\ncell = [2, 3]\n{keys}"
        );
        let scene = scene::parse("test.toml", &text, &[]).unwrap().flow().unwrap().clone();
        build_terrain(&scene).unwrap()
    }

    #[test]
    fn a_plane_has_the_given_slope() {
        let terrain = terrain("[terrain]\nplane = { height = 1, slope = [0.5, -0.25] }");
        assert_eq!(terrain.datum, 0.0);
        assert_eq!(terrain.bed[(0, 0)], 1.0 + 0.5 - 0.375);
        assert_eq!(terrain.bed[(30, 19)] - terrain.bed[(0, 0)], 30.0 - 14.25);
    }

    #[test]
    fn high_ground_has_a_datum_below_it() {
        let high = terrain("[terrain]\nplane = { height = 4000.7, slope = [0.001, 0] }");
        assert_eq!(high.datum, 4000.0);
        assert!((high.height((30, 0)) - 4000.761).abs() < 1e-6);
        let deep = terrain("[terrain]\nplane = { height = -4000.7, slope = [0.001, 0] }");
        assert_eq!(deep.datum, -4001.0);
        assert!(deep.bed.as_slice().iter().all(|&bed| bed >= 0.0));
        let coast = terrain("[terrain]\nplane = { height = -3, slope = [0.5, 0] }");
        assert_eq!(coast.datum, 0.0);
    }
}
