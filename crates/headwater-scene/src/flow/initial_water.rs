//! Initial water of a flow scene, and the cells that are closed to water.

use crate::flow::FlowScene;
use crate::raster::Georeference;
use crate::scene::check::MAX_HEIGHT;
use crate::scene::{SceneError, SceneModel};
use crate::terrain::RasterMap;
use crate::terrain::Terrain;
use headwater::{Field, Lattice};
use std::ops::Range;
use std::path::PathBuf;

/// Returns a mask of the cells that an obstacle of the scene closes to water.
pub fn obstacle_mask(scene: &FlowScene, lattice: &Lattice) -> Field<bool> {
    obstacle_mask_in_rows(scene, lattice, 0..lattice.ny())
}

/// Returns a mask of the cells in the given rows that an obstacle of the scene closes to water.
pub(crate) fn obstacle_mask_in_rows(
    scene: &FlowScene,
    lattice: &Lattice,
    rows: Range<usize>,
) -> Field<bool> {
    let mut closed = Field::new(lattice.nx(), rows.len(), false);
    for area in &scene.obstacles {
        for (x, y, _) in area.region(lattice).cells_in_rows(lattice, rows.clone()) {
            closed[(x, y - rows.start)] = true;
        }
    }
    closed
}

/// Returns the initial depth of the water (m). The depth of a cell is the largest of the depths
/// given by the sea level, the uniform depth, the maps and the lakes of the scene. Closed cells are
/// dry.
///
/// # Errors
/// Returns [`SceneError`] if the position of a lake is in a closed cell or on ground that is not
/// below the lake's level, or if a map cannot be read or has values out of range.
pub fn initial_depth(scene: &FlowScene, terrain: &Terrain) -> Result<Field<f32>, SceneError> {
    let lattice = &terrain.lattice;
    let mut closed = obstacle_mask(scene, lattice);
    for (closed, &missing) in closed.as_mut_slice().iter_mut().zip(terrain.no_data.as_slice()) {
        *closed |= missing;
    }
    let water = &scene.water;
    let even = water.depth.unwrap_or(0.0);
    let mut depth = Field::from_fn(lattice.nx(), lattice.ny(), |x, y| match water.level {
        _ if closed[(x, y)] => 0.0,
        Some(level) => depth_at_level(level, terrain, (x, y)).max(even as f32),
        None => even as f32,
    });
    let maps = WaterMaps::read(scene, terrain.georeference.as_ref())?;
    maps.raise_depth(&mut depth, &closed, lattice, 0..lattice.ny(), |level, cell| {
        depth_at_level(level, terrain, cell)
    });
    for (i, lake) in water.lakes.iter().enumerate() {
        let at = crate::scene::resolve_position(lake.at, lattice);
        let Some(start) = lattice.cell_at(at) else {
            return Err(scene.error(&format!("water.lake[{i}].at"), "lies off the grid"));
        };
        if closed[start] || depth_at_level(lake.level, terrain, start) == 0.0 {
            return Err(lake_error(scene, i, closed[start], terrain.height(start)));
        }
        fill_lake(lake.level, terrain, &closed, start, &mut depth);
    }
    Ok(depth)
}

/// Creates the error for the lake with the index `i`. If `is_closed` is true, the lake's position
/// is in a closed cell. Otherwise, the ground at this position has the height `ground_height` (m),
/// which is not below the lake's level.
pub(crate) fn lake_error(
    scene: &FlowScene,
    i: usize,
    is_closed: bool,
    ground_height: f64,
) -> SceneError {
    if is_closed {
        let message = "lies in an obstacle or a cell without data";
        return scene.error(&format!("water.lake[{i}].at"), message);
    }
    let level = scene.water.lakes[i].level;
    let message =
        format!("found {level}, allowed is a level above the ground of {ground_height:.2} m");
    scene.error(&format!("water.lake[{i}].level"), message)
}

/// Maps of the initial water: first the depth, then the surface level. Each is `None` if the scene
/// does not have this map.
#[derive(Debug)]
pub(crate) struct WaterMaps([Option<RasterMap>; 2]);

impl WaterMaps {
    /// Reads the water maps of a scene. `ground` is the georeference of the terrain, if known.
    pub(crate) fn read(
        scene: &FlowScene,
        ground: Option<&Georeference>,
    ) -> Result<Self, SceneError> {
        let read = |key: &str, path: &Option<PathBuf>, allowed| {
            let Some(path) = path else { return Ok(None) };
            RasterMap::read(scene, key, path, ground)?
                .check_range(scene, key, allowed, " m")
                .map(Some)
        };
        let depth = read("water.depth_map", &scene.water.depth_map, [0.0, 1e4])?;
        let level = read("water.level_map", &scene.water.level_map, [-MAX_HEIGHT, MAX_HEIGHT])?;
        Ok(Self([depth, level]))
    }

    /// Raises the depth (m) in the given rows to the values of the maps. The function
    /// `depth_at_level` returns the depth (m) in a cell for a given water level (m).
    pub(crate) fn raise_depth(
        &self,
        depth: &mut Field<f32>,
        closed: &Field<bool>,
        lattice: &Lattice,
        rows: Range<usize>,
        depth_at_level: impl Fn(f64, (usize, usize)) -> f32,
    ) {
        let [depths, levels] = &self.0;
        if let Some(map) = depths {
            let (map, _) = map.resample(lattice, rows.clone());
            raise_to_at_least(depth, closed, |x, y| map[(x, y)]);
        }
        if let Some(map) = levels {
            let (map, no_data) = map.resample(lattice, rows);
            raise_to_at_least(depth, closed, |x, y| match no_data[(x, y)] {
                true => 0.0,
                false => depth_at_level(map[(x, y)].into(), (x, y)),
            });
        }
    }

    /// Returns the memory use of the maps (bytes).
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn memory_bytes(&self) -> usize {
        self.0.iter().flatten().map(RasterMap::memory_bytes).sum()
    }
}

/// Raises the depth (m) of each open cell to at least the value of `min_depth`.
fn raise_to_at_least(
    depth: &mut Field<f32>,
    closed: &Field<bool>,
    min_depth: impl Fn(usize, usize) -> f32,
) {
    for y in 0..depth.ny() {
        for x in 0..depth.nx() {
            if !closed[(x, y)] {
                depth[(x, y)] = depth[(x, y)].max(min_depth(x, y));
            }
        }
    }
}

/// Returns the depth of the water (m) in a cell if the water surface is at the height `level` (m).
fn depth_at_level(level: f64, terrain: &Terrain, cell: (usize, usize)) -> f32 {
    let (x, y) = cell;
    if let Some(subgrid) =
        terrain.subgrid.as_ref().filter(|subgrid| subgrid.low_fraction(x, y) < 1.0)
    {
        return subgrid.depth_at_level(x, y, terrain.bed[cell], (level - terrain.datum) as f32);
    }
    // Rounded once from `f64`, so that the surface is as level as `f32` allows.
    (level - terrain.datum - f64::from(terrain.bed[cell])).max(0.0) as f32
}

/// Fills a lake: raises the water to `level` (m) in the cell `start` and in all open cells that are
/// connected to `start` through open cells with ground below `level`.
fn fill_lake(
    level: f64,
    terrain: &Terrain,
    closed: &Field<bool>,
    start: (usize, usize),
    depth: &mut Field<f32>,
) {
    let surface = (level - terrain.datum) as f32;
    let passes = |from: (usize, usize), to: (usize, usize)| match &terrain.subgrid {
        None => true,
        Some(subgrid) => {
            subgrid.connects([from, to], [from, to].map(|cell| terrain.bed[cell]), surface)
        }
    };
    let mut seen = Field::new(depth.nx(), depth.ny(), false);
    seen[start] = true;
    let mut open = vec![start];
    while let Some((x, y)) = open.pop() {
        let filled = depth_at_level(level, terrain, (x, y));
        depth[(x, y)] = depth[(x, y)].max(filled);
        for cell in terrain.lattice.neighbours(x, y) {
            let reached =
                !seen[cell] && !closed[cell] && depth_at_level(level, terrain, cell) > 0.0;
            if reached && passes((x, y), cell) {
                seen[cell] = true;
                open.push(cell);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;
    use crate::terrain::build_terrain;

    /// Returns a scene whose ground falls from 10 m to 0 m toward the east, with a wall from north
    /// to south 20 m from the west edge.
    fn scene(keys: &str) -> FlowScene {
        let text = format!(
            "model = 'flow'\n[time]\nuntil = 1\n[grid]\nnx = 40\nny = 10\ncell = 1\n\
             [terrain]\nplane = {{ height = 10, slope = [-0.25, 0] }}\n\
             [[terrain.shape]]\nop = 'raise'\nlevel = 9\nrect = {{ min = [20, 0], max = [21, 10] }}\n{keys}"
        );
        scene::parse("test.toml", &text, &[]).unwrap().flow().unwrap().clone()
    }

    fn depth(keys: &str) -> Result<Field<f32>, SceneError> {
        let scene = scene(keys);
        initial_depth(&scene, &build_terrain(&scene).unwrap())
    }

    #[test]
    fn dams_contain_lakes_but_not_the_sea() {
        let lake = depth("[[water.lake]]\nat = [19.5, 5]\nlevel = 8").unwrap();
        assert_eq!(lake[(19, 5)], 8.0 - (10.0 - 19.5 * 0.25));
        assert!(lake[(30, 5)] == 0.0 && lake[(2, 5)] == 0.0);
        let sea = depth("[water]\nlevel = 8").unwrap();
        assert!(sea[(30, 5)] > 5.0 && sea[(2, 5)] == 0.0 && sea[(20, 5)] == 0.0);
    }

    #[test]
    fn uniform_depth_excludes_obstacles() {
        let keys = "[water]\ndepth = 0.5\n[[obstacle]]\nrect = { min = [2, 2], max = [4, 4] }";
        let depth = depth(keys).unwrap();
        assert!(depth[(3, 3)] == 0.0 && depth[(5, 5)] == 0.5);
    }

    #[test]
    fn lakes_on_hexagons_spread_to_all_neighbours_up_to_the_dam() {
        let text = "model = 'flow'\n[time]\nuntil = 1\n[grid]\nlattice = 'hex'\nnx = 30\nny = 21\n\
                    cell = 1\n[terrain]\nplane = {}\n[[terrain.shape]]\nop = 'raise'\nlevel = 9\n\
                    line = { points = [[15, 0], [15, 20]], width = 1.1 }\n\
                    [[water.lake]]\nat = [5, 5]\nlevel = 3";
        let scene = scene::parse("test.toml", text, &[]).unwrap().flow().unwrap().clone();
        let terrain = build_terrain(&scene).unwrap();
        let depth = initial_depth(&scene, &terrain).unwrap();
        for y in 0..21 {
            for x in 0..30 {
                let east = terrain.lattice.center(x, y)[0];
                let lake = if east < 14.4 { 3.0 } else { 0.0 };
                assert_eq!(depth[(x, y)], lake, "{x} {y}");
            }
        }
        // A pool connected only over slanted edges; on squares it would be two.
        let keys = "[[terrain.shape]]\nop = 'lower'\nlevel = -2\n\
                    line = { points = [[4.5, 2.17], [6, 4.77]], width = 0.9 }\n";
        let slanted = text.replace("[[water.lake]]", &format!("{keys}[[water.lake]]"));
        let slanted = slanted.replace("at = [5, 5]\nlevel = 3", "at = [4.5, 2.17]\nlevel = -1");
        let scene = scene::parse("test.toml", &slanted, &[]).unwrap().flow().unwrap().clone();
        let terrain = build_terrain(&scene).unwrap();
        let depth = initial_depth(&scene, &terrain).unwrap();
        let pool = depth.as_slice().iter().filter(|&&depth| depth == 1.0).count();
        let dug = terrain.bed.as_slice().iter().filter(|&&bed| bed == -2.0).count();
        assert!(pool >= 4 && pool == dug, "{pool} of {dug}");
    }

    #[test]
    fn a_lake_whose_ground_is_above_its_level_is_an_error() {
        let error = depth("[[water.lake]]\nat = [1, 5]\nlevel = 8").unwrap_err().to_string();
        assert!(
            error.contains("water.lake[0].level: found 8, allowed is a level above"),
            "{error}"
        );
    }
}
