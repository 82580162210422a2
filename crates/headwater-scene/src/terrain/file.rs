//! Ground from a file of elevations, resampled to the scene's grid.

use super::Draft;
use crate::schema::{Cell, Ground, MAX_CELLS, Scene, SceneError};
use headwater::{Field, Square};
use std::path::Path;

/// Elevations as a reader hands them over.
#[derive(Clone, Debug, PartialEq)]
pub struct Heights {
    /// Heights (m). Row 0 is the north.
    pub heights: Field<f32>,
    /// True where the file has no height.
    pub no_data: Field<bool>,
    /// Width and height of a cell (m), if the file says.
    pub cell: Option<[f64; 2]>,
    /// What the reader decided by itself, one sentence each.
    pub notices: Vec<String>,
}

/// Reads a file of at most [`MAX_CELLS`] cells as the scene's `[terrain]` says (`scale`, `offset`,
/// `no_data`, `size`), and resamples it to the columns and rows that are wished for, where those
/// are not the file's own.
pub type Reader<'a> = &'a dyn Fn(&Path, &Ground, Resize<'_>) -> Result<Heights, String>;

/// Columns and rows wished for, given a file's own.
pub type Resize<'a> = &'a dyn Fn([usize; 2]) -> Result<[usize; 2], String>;

/// A [`Reader`] where there are no files to read.
///
/// # Errors
/// Always.
pub fn no_files(path: &Path, _: &Ground, _: Resize<'_>) -> Result<Heights, String> {
    Err(format!("{} cannot be read here", path.display()))
}

/// Reads the ground of a scene from `path`.
pub(super) fn read(scene: &Scene, path: &Path, read: Reader<'_>) -> Result<Draft, SceneError> {
    let at_file = |message: String| scene.error("terrain.file", message);
    let file = read(path, &scene.terrain, &|own| wished_shape(scene, own)).map_err(at_file)?;
    let (nx, ny) = (file.heights.nx(), file.heights.ny());
    let mut notices = file.notices;
    let file_cell = file.cell.unwrap_or([1.0, 1.0]);
    if file.cell.is_none() && scene.grid.cell.is_none() {
        notices
            .push("the file does not say how large a cell is: 1 m is taken, set grid.cell".into());
    }
    let [dx, dy] = scene.grid.cell.map_or(file_cell, Cell::sides);
    let lattice = Square::new(nx, ny, dx, dy).map_err(|error| at_file(error.to_string()))?;
    if nx * ny > MAX_CELLS || !file.no_data.same_shape(&file.heights) {
        return Err(at_file(format!("found {nx} × {ny} cells, allowed is up to {MAX_CELLS}")));
    }
    let missing = file.no_data.as_slice().iter().filter(|missing| **missing).count();
    if missing > 0 {
        notices.push(format!("{missing} cells of the file have no data, they are closed to water"));
    }
    let heights = file.heights.map(|&height| f64::from(height));
    Ok(Draft { lattice, heights, no_data: file.no_data, notices })
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
    use super::super::build;
    use super::*;
    use crate::schema;

    /// A file of 6 × 4 cells of 10 m, high as its column, with a hole in one corner.
    fn reader(_: &Path, _: &Ground, shape: Resize<'_>) -> Result<Heights, String> {
        let [nx, ny] = shape([6, 4])?;
        Ok(Heights {
            heights: Field::from_fn(nx, ny, |x, _| 100.0 + x as f32),
            no_data: Field::from_fn(nx, ny, |x, y| x + y == 0),
            cell: Some([60.0 / nx as f64, 40.0 / ny as f64]),
            notices: vec!["read".into()],
        })
    }

    fn scene(keys: &str) -> Scene {
        let text = format!(
            "model = 'flow'\n{keys}\n[time]\nuntil = 1\n[terrain]\nnoise = {{}}\nfile = 'dem.asc'"
        );
        schema::parse("test.toml", &text, &[]).unwrap()
    }

    #[test]
    fn a_file_brings_its_own_grid_and_replaces_the_noise() {
        let terrain = build(&scene(""), &reader).unwrap();
        assert_eq!(terrain.lattice, Square::new(6, 4, 10.0, 10.0).unwrap());
        assert_eq!(terrain.height((3, 1)), 103.0);
        assert!(terrain.no_data[(0, 0)] && terrain.bed[(0, 0)] == 0.0);
        assert_eq!(terrain.notices.len(), 2);
    }

    #[test]
    fn a_grid_resamples_the_file_and_keeps_its_proportions() {
        let terrain = build(&scene("grid = { nx = 12 }"), &reader).unwrap();
        assert_eq!(terrain.lattice, Square::new(12, 8, 5.0, 5.0).unwrap());
        let terrain = build(&scene("grid = { ny = 2, cell = [3, 4] }"), &reader).unwrap();
        assert_eq!(terrain.lattice, Square::new(3, 2, 3.0, 4.0).unwrap());
    }

    #[test]
    fn what_does_not_fit_the_file_is_found_in_the_text() {
        let far = scene("source = [{ at = [61, 5], rate = 1 }]");
        let error = build(&far, &reader).unwrap_err().to_string();
        assert!(error.starts_with("test.toml:2:"), "{error}");
        assert!(error.contains("source[0].at: found [61, 5]"), "{error}");
        assert!(build(&scene("grid = { nx = 60000000 }"), &reader).is_err());
        let error = build(&scene(""), &no_files).unwrap_err().to_string();
        assert!(error.contains("test.toml:7:1: terrain.file: dem.asc cannot be read"), "{error}");
    }
}
