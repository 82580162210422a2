//! Ground from a raster of elevations, resampled to the scene's grid.

use super::Draft;
use crate::raster::{self, Raster, ReadOptions};
use crate::schema::{Cell, MAX_CELLS, Scene, SceneError};
use headwater::Square;
use std::path::Path;

/// Reads the raster in the file at `path` as `[terrain]` says.
pub(super) fn read(scene: &Scene, path: &Path) -> Result<Raster, SceneError> {
    let ground = &scene.terrain;
    let options = ReadOptions {
        scale: ground.scale,
        offset: ground.offset,
        no_data: ground.no_data,
        size: ground.size,
        max_cells: MAX_CELLS,
    };
    raster::read(path, &options).map_err(|error| scene.error("terrain.file", error.to_string()))
}

/// The raster as the scene's ground, with as many cells as the scene's grid wishes.
pub(super) fn draft(scene: &Scene, raster: &Raster) -> Result<Draft, SceneError> {
    let own = [raster.heights.nx(), raster.heights.ny()];
    let [nx, ny] = wished_shape(scene, own).map_err(|message| scene.error("grid", message))?;
    let resampled;
    let raster = if own == [nx, ny] {
        raster
    } else {
        resampled = raster.resample(nx, ny);
        &resampled
    };
    let mut notices = raster.notices.clone();
    let stretch = [own[0] as f64 / nx as f64, own[1] as f64 / ny as f64];
    let cell = scene.grid.cell.map(Cell::sides).or(raster.cell).unwrap_or_else(|| {
        notices.push(
            "the file does not say how large its cells are: 1 m is taken, set grid.cell".into(),
        );
        stretch
    });
    let lattice = Square::new(nx, ny, cell[0], cell[1])
        .map_err(|error| scene.error("terrain.file", error.to_string()))?;
    let missing = raster.no_data.as_slice().iter().filter(|missing| **missing).count();
    if missing > 0 {
        notices.push(format!("{missing} cells have no data, they are closed to water"));
    }
    let heights = raster.heights.map(|&height| f64::from(height));
    Ok(Draft { lattice, heights, no_data: raster.no_data.clone(), notices })
}

/// Columns and rows of the world on a file with `[columns, rows]` of its own: those of the grid; of
/// one that is not given, as many as keep the file's proportions.
fn wished_shape(scene: &Scene, [columns, rows]: [usize; 2]) -> Result<[usize; 2], String> {
    let in_proportion = |wished: usize, own: usize, other: usize| {
        let ideal = wished as f64 * other as f64 / own.max(1) as f64;
        (ideal.round() as usize).max(1)
    };
    let shape = match (scene.grid.nx, scene.grid.ny) {
        (Some(nx), Some(ny)) => [nx, ny],
        (Some(nx), None) => [nx, in_proportion(nx, columns, rows)],
        (None, Some(ny)) => [in_proportion(ny, rows, columns), ny],
        (None, None) => [columns, rows],
    };
    match shape[0].checked_mul(shape[1]) {
        Some(cells) if cells <= MAX_CELLS => Ok(shape),
        _ => {
            let [nx, ny] = shape;
            Err(format!("makes a grid of {nx} × {ny} cells, allowed is up to {MAX_CELLS} in all"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Terrain, build_on};
    use super::*;
    use crate::schema;

    /// 6 × 4 cells, high as their column, with a hole in one corner.
    const HILL: &str = "NODATA_value -9\n-9 1 2 3 4 5\n0 1 2 3 4 5\n0 1 2 3 4 5\n0 1 2 3 4 5\n";

    fn hill(head: &str) -> Raster {
        let text = format!("ncols 6\nnrows 4\nxllcorner 0\nyllcorner 0\n{head}\n{HILL}");
        let options = ReadOptions { offset: Some(100.0), ..ReadOptions::default() };
        raster::read_bytes("hill.asc", text.as_bytes(), &options).unwrap()
    }

    fn scene(keys: &str) -> Scene {
        let text = format!(
            "model = 'flow'\n{keys}\n[time]\nuntil = 1\n[terrain]\nnoise = {{}}\nfile = 'no.asc'"
        );
        schema::parse("test.toml", &text, &[]).unwrap()
    }

    fn built(keys: &str) -> Result<Terrain, SceneError> {
        build_on(&scene(keys), &hill("cellsize 10"))
    }

    #[test]
    fn a_file_brings_its_own_grid_and_replaces_the_noise() {
        let terrain = built("").unwrap();
        assert_eq!(terrain.lattice, Square::new(6, 4, 10.0, 10.0).unwrap());
        assert_eq!(terrain.height((3, 1)), 103.0);
        assert!(terrain.no_data[(0, 0)] && terrain.bed[(0, 0)] == 0.0);
        assert!(terrain.notices.iter().any(|notice| notice.contains("1 cells have no data")));
    }

    #[test]
    fn a_grid_resamples_the_file_and_keeps_its_proportions() {
        let terrain = built("grid = { nx = 12 }").unwrap();
        assert_eq!(terrain.lattice, Square::new(12, 8, 5.0, 5.0).unwrap());
        assert!((terrain.height((6, 4)) - 102.75).abs() < 1e-4);
        let terrain = built("grid = { ny = 2, cell = [3, 4] }").unwrap();
        assert_eq!(terrain.lattice, Square::new(3, 2, 3.0, 4.0).unwrap());
    }

    #[test]
    fn what_does_not_fit_the_file_is_found_in_the_text() {
        let error = built("source = [{ at = [61, 5], rate = 1 }]").unwrap_err().to_string();
        assert!(error.starts_with("test.toml:2:"), "{error}");
        assert!(error.contains("source[0].at: found [61, 5]"), "{error}");
        let error = built("grid = { nx = 60000000 }").unwrap_err().to_string();
        assert!(error.starts_with("test.toml:2:1: grid: makes a grid of"), "{error}");
        let error = super::super::build(&scene("")).unwrap_err().to_string();
        assert!(
            error.starts_with("test.toml:7:1: terrain.file: no.asc: the file cannot"),
            "{error}"
        );
    }
}
