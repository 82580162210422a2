//! Terrain from an elevation raster, resampled to the grid of the scene.

use super::ground::TerrainDraft;
use super::{CellSize, LatticeKind};
use crate::raster::{self, Problem, Raster, RasterError, RasterWindow, ReadOptions, Resampling};
use crate::scene::check::{MAX_HEIGHT, format_number};
use crate::scene::{MAX_CELLS, SceneError, TerrainScene};
use headwater::{Hex, Lattice, Square};
use std::path::Path;

/// Reads the elevation raster at `path`. The scene's table `[terrain]` contains the options for
/// reading.
pub(super) fn read(scene: &dyn TerrainScene, path: &Path) -> Result<Raster, SceneError> {
    let raster = raster::read_from(
        scene.files(),
        path,
        &read_options(scene, scene.limits().max_raster_cells()),
    )
    .map_err(|error| scene.key_error("terrain.file", read_error(&error)))?;
    let mut height_check = HeightCheck::default();
    height_check.check(raster.heights.as_slice(), raster.no_data.as_slice());
    height_check.finish(scene, path)?;
    Ok(raster)
}

/// Returns the message for an error that occurred while reading the terrain file. If the file has
/// too many cells, the message also explains how the file can be used.
fn read_error(error: &RasterError) -> String {
    let is_size = matches!(error.problem, Problem::Size { .. } | Problem::FileLength { .. });
    let hint = if is_size { "; or set grid.nx to resample it, or run with `--memory`" } else { "" };
    format!("{error}{hint}")
}

/// Returns the options for reading the raster of the scene's table `[terrain]`. `max_cells` limits
/// the number of cells.
pub(super) fn read_options(scene: &dyn TerrainScene, max_cells: usize) -> ReadOptions {
    let ground = scene.ground();
    ReadOptions {
        scale: ground.scale,
        offset: ground.offset,
        no_data: ground.no_data,
        size: ground.size,
        byte_order: ground.byte_order.unwrap_or_default(),
        encoding: ground.encoding,
        max_cells,
        ..ReadOptions::default()
    }
}

/// Counter of heights outside the allowed range. Such heights are usually no-data values that are
/// not declared. They are counted before resampling, because resampling would mix them with their
/// neighbours.
#[derive(Debug, Default)]
pub(super) struct HeightCheck {
    first: Option<f32>,
    count: usize,
}

impl HeightCheck {
    /// Checks the heights (m) of several cells. Cells for which `no_data` is true are skipped.
    pub(super) fn check(&mut self, heights: &[f32], no_data: &[bool]) {
        for (height, missing) in heights.iter().zip(no_data) {
            if !missing && f64::from(height.abs()) > MAX_HEIGHT {
                self.first = self.first.or(Some(*height));
                self.count += 1;
            }
        }
    }

    /// Returns the result of the check.
    ///
    /// # Errors
    /// Returns [`SceneError`] if any checked height was out of range.
    pub(super) fn finish(self, scene: &dyn TerrainScene, path: &Path) -> Result<(), SceneError> {
        let Self { first: Some(first), count } = self else { return Ok(()) };
        let message = format!(
            "{}: found a height of {} m, one of {count} outside the allowed range of −{MAX_HEIGHT} to {MAX_HEIGHT} m; \
             if it means no data, set terrain.no_data",
            path.display(),
            format_number(first.into())
        );
        Err(scene.key_error("terrain.file", message))
    }
}

/// Checks that a world with the given lattice is within the limits of the scene if it is entirely
/// in memory.
pub(super) fn check_size(scene: &dyn TerrainScene, lattice: &Lattice) -> Result<(), SceneError> {
    scene.check_cells([lattice.nx(), lattice.ny()]).map_err(|message| {
        scene.key_error(
            "grid",
            format!("{message}; in the model flow, `--memory` or more ranks allow more"),
        )
    })
}

/// Resamples a raster to the grid of the scene, without applying the scene's shapes (local
/// modifications of the ground).
pub(super) fn draft_from_raster(
    scene: &dyn TerrainScene,
    raster: &Raster,
) -> Result<TerrainDraft, SceneError> {
    let mut notices = raster.notices.clone();
    let georeference = raster.info.georeference();
    let extent = RasterExtent {
        size: [raster.heights.nx(), raster.heights.ny()],
        cell: raster.cell,
        is_on_map: georeference.is_some(),
    };
    let grid = RasterGrid::from_raster_size(scene, extent, MAX_CELLS, &mut notices)?;
    check_size(scene, &grid.lattice)?;
    let (heights, no_data) = match &grid.resampling {
        Some(resampling) => resampling.apply(&raster.all_rows(), 0..grid.lattice.ny()),
        None => (raster.heights.clone(), raster.no_data.clone()),
    };
    notices.extend(no_data_notice(no_data.as_slice().iter().filter(|missing| **missing).count()));
    let heights = heights.map(|&height| f64::from(height));
    Ok(TerrainDraft { lattice: grid.lattice, heights, no_data, georeference, notices })
}

const NO_SIZE: &str = "the file has no cell size; 1 m is assumed, set grid.cell to change it";

/// Returns the notice that `count` cells have no data. Returns `None` if `count` is 0.
pub(crate) fn no_data_notice(count: usize) -> Option<String> {
    (count > 0).then(|| format!("{count} cells have no data and are closed to water"))
}

/// Size of a raster from which a world is built.
#[derive(Clone, Copy)]
pub(super) struct RasterExtent {
    /// Number of columns and rows.
    pub(super) size: [usize; 2],
    /// Width and height of a cell (m), if known.
    pub(super) cell: Option<[f64; 2]>,
    /// Whether the file gives the map position of the raster.
    pub(super) is_on_map: bool,
}

/// Grid of a world that is built from a raster, and the mapping from raster cells to grid cells.
pub(super) struct RasterGrid {
    pub(super) lattice: Lattice,
    /// Mapping from raster cells to grid cells; `None` if the cells of the grid are those of the
    /// raster.
    pub(super) resampling: Option<Resampling>,
}

impl RasterGrid {
    /// Returns the range of raster rows from which the given rows of the world are computed.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn source_rows(&self, rows: std::ops::Range<usize>) -> std::ops::Range<usize> {
        match &self.resampling {
            Some(resampling) => resampling.source_rows(rows),
            None => rows,
        }
    }

    /// Creates the grid of a world that is built from a raster. The grid has at most `max_cells`
    /// cells. Assumptions about the grid are added to `notices`.
    pub(super) fn from_raster_size(
        scene: &dyn TerrainScene,
        raster: RasterExtent,
        max_cells: usize,
        notices: &mut Vec<String>,
    ) -> Result<Self, SceneError> {
        if scene.grid().lattice == LatticeKind::Hex {
            return Self::hexagonal_from_raster_size(scene, raster, max_cells, notices);
        }
        let RasterExtent { size: own, cell, is_on_map } = raster;
        let given = scene.grid().cell.map(CellSize::sides);
        let shape = requested_shape(scene, raster, max_cells)
            .map_err(|text| scene.key_error("grid", text))?;
        let stretch = [0, 1].map(|axis| own[axis] as f64 / shape[axis] as f64);
        let of_file = cell.map(|[dx, dy]| [dx * stretch[0], dy * stretch[1]]);
        let cell = match (given, of_file) {
            (Some(given), Some(of_file)) => {
                let factors = [0, 1].map(|axis| given[axis] / of_file[axis]);
                let differs = factors.iter().any(|factor| (factor - 1.0).abs() > 1e-6);
                let [east, south] = of_file;
                let by_cell_alone = scene.grid().nx.is_none() && scene.grid().ny.is_none();
                // Squares seldom cover a file exactly, so half a cell may be missing.
                let fits = [0, 1]
                    .iter()
                    .all(|&i| shape[i] as f64 * (factors[i] - 1.0).abs() <= 0.5 * factors[i]);
                if differs && is_on_map && by_cell_alone {
                    notices.push(format!(
                        "the cells are {east} × {south} m, so that a whole number of them covers \
                         the file"
                    ));
                    of_file
                } else if is_on_map && !fits {
                    let [width, height] = [0, 1].map(|axis| shape[axis] as f64 * of_file[axis]);
                    let ([nx, ny], [dx, dy]) = (shape, given);
                    let message = format!(
                        "found {nx} × {ny} cells of {dx} × {dy} m, but the file is {width} × \
                         {height} m on the map; give either grid.cell or the number of cells"
                    );
                    return Err(scene.key_error("grid.cell", message));
                } else {
                    notices.extend(differs.then(|| {
                        let [x, y] = factors;
                        format!(
                            "grid.cell stretches the ground: the world is {x:.4} times as wide and \
                             {y:.4} times as high as the file, whose cells would be {east} × \
                             {south} m"
                        )
                    }));
                    given
                }
            }
            (Some(cell), None) | (None, Some(cell)) => cell,
            (None, None) => {
                notices.push(NO_SIZE.into());
                stretch
            }
        };
        let lattice = Square::new(shape[0], shape[1], cell[0], cell[1])
            .map(Lattice::from)
            .map_err(|error| scene.key_error("terrain.file", error.to_string()))?;
        let resampling = (own != shape).then(|| Resampling::between_grids(own, shape));
        Ok(Self { lattice, resampling })
    }

    /// Creates a hexagonal grid that covers the whole area of the raster.
    fn hexagonal_from_raster_size(
        scene: &dyn TerrainScene,
        RasterExtent { size: own, cell, is_on_map }: RasterExtent,
        max_cells: usize,
        notices: &mut Vec<String>,
    ) -> Result<Self, SceneError> {
        let given = scene.grid().cell.map(|cell| cell.sides()[0]);
        let must_fit = is_on_map && cell.is_some();
        let cell = cell.unwrap_or_else(|| {
            if given.is_none() {
                notices.push(NO_SIZE.into());
            }
            [given.unwrap_or(1.0); 2]
        });
        let size = [own[0] as f64 * cell[0], own[1] as f64 * cell[1]];
        let (nx, ny, spacing) = hex_shape(scene.grid().nx, scene.grid().ny, given, size, cell);
        check_cell_count([nx, ny], max_cells).map_err(|text| scene.key_error("grid", text))?;
        let hex = Hex::new(nx, ny, spacing)
            .map_err(|e| scene.key_error("terrain.file", e.to_string()))?;
        let covered = [hex.width(), hex.height()];
        if must_fit && [0, 1].iter().any(|&axis| (covered[axis] - size[axis]).abs() > 1.5 * spacing)
        {
            let message = format!(
                "found {nx} × {ny} hexagons that cover {:.3} × {:.3} m, but the file is {} × {} m on \
                 the map; give either grid.cell or the number of cells",
                covered[0], covered[1], size[0], size[1]
            );
            return Err(scene.key_error("grid.cell", message));
        }
        let lattice = Lattice::from(hex);
        let resampling =
            Some(Resampling::from_window_to_lattice(own, RasterWindow::full(own), &lattice));
        Ok(Self { lattice, resampling })
    }
}

/// Returns the number of columns, the number of rows and the spacing (m) of a hexagonal grid.
/// `size` is the width and height of the raster (m), and `cell` is the width and height of a raster
/// cell (m).
///
/// Values given in the scene's table `[grid]` are kept, and the others are computed. Computed
/// numbers of columns and rows are rounded to whole hexagons. If the spacing is missing, the
/// columns cover the width of the raster exactly or, if only `ny` is given, the rows cover its
/// height exactly. If the spacing and one of the two numbers are given, the grid keeps the aspect
/// ratio of the raster.
fn hex_shape(
    nx: Option<usize>,
    ny: Option<usize>,
    spacing: Option<f64>,
    size: [f64; 2],
    cell: [f64; 2],
) -> (usize, usize, f64) {
    // √3/2: ratio of row distance to cell distance.
    let row = 0.75_f64.sqrt();
    let columns = |width: f64, spacing: f64| ((width / spacing - 0.5).round() as usize).max(1);
    let rows = |height: f64, spacing: f64| ((height / (row * spacing)).round() as usize).max(1);
    let wide = |nx: usize, spacing: f64| (nx as f64 + 0.5) * spacing;
    let high = |ny: usize, spacing: f64| ny as f64 * row * spacing;
    let ratio = size[1] / size[0];
    match (nx, ny, spacing) {
        (Some(nx), Some(ny), Some(spacing)) => (nx, ny, spacing),
        (Some(nx), Some(ny), None) => (nx, ny, size[0] / wide(nx, 1.0)),
        (Some(nx), None, spacing) => {
            let spacing = spacing.unwrap_or(size[0] / wide(nx, 1.0));
            (nx, rows(wide(nx, spacing) * ratio, spacing), spacing)
        }
        (None, Some(ny), spacing) => {
            let spacing = spacing.unwrap_or(size[1] / high(ny, 1.0));
            (columns(high(ny, spacing) / ratio, spacing), ny, spacing)
        }
        (None, None, Some(spacing)) => (columns(size[0], spacing), rows(size[1], spacing), spacing),
        (None, None, None) => {
            let same_area = Hex::spacing_for_square((cell[0] * cell[1]).sqrt());
            let nx = columns(size[0], same_area);
            let spacing = size[0] / wide(nx, 1.0);
            (nx, rows(size[1], spacing), spacing)
        }
    }
}

/// Returns the number of columns and rows of a world that is built from a raster. Numbers given in
/// the scene's table `[grid]` are kept. If one number is given, the other keeps the aspect ratio of
/// the raster. If none is given, the world has as many cells as the raster. However, if the cell
/// size is given and the raster has a map position, the world has the extent of the raster.
fn requested_shape(
    scene: &dyn TerrainScene,
    raster: RasterExtent,
    max_cells: usize,
) -> Result<[usize; 2], String> {
    let [columns, rows] = raster.size;
    let in_proportion = |requested: usize, own: usize, other: usize| {
        let ideal = requested as f64 * other as f64 / own.max(1) as f64;
        (ideal.round() as usize).max(1)
    };
    let shape = match (scene.grid().nx, scene.grid().ny) {
        (Some(nx), Some(ny)) => [nx, ny],
        (Some(nx), None) => [nx, in_proportion(nx, columns, rows)],
        (None, Some(ny)) => [in_proportion(ny, rows, columns), ny],
        (None, None) => match (scene.grid().cell.map(CellSize::sides), raster.cell) {
            (Some(given), Some(cell)) if raster.is_on_map => [0, 1].map(|axis| {
                let ideal = raster.size[axis] as f64 * cell[axis] / given[axis];
                (ideal.round() as usize).max(1)
            }),
            _ => [columns, rows],
        },
    };
    check_cell_count(shape, max_cells).map(|()| shape)
}

/// Checks that the grid has at most `max_cells` cells.
///
/// # Errors
/// Returns an error message if the grid has more cells.
fn check_cell_count([nx, ny]: [usize; 2], max_cells: usize) -> Result<(), String> {
    if nx.checked_mul(ny).is_some_and(|cells| cells <= max_cells) {
        return Ok(());
    }
    let more = if max_cells == MAX_CELLS { "; `--memory` allows more" } else { "" };
    Err(format!("the grid has {nx} × {ny} cells, allowed are {max_cells}{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::FlowScene;
    use crate::scene;
    use crate::terrain::{Terrain, build_terrain_from_raster};

    /// Raster of 6 × 4 cells in the ESRI ASCII format. The height of a cell (m) is its column
    /// number, counted from 0. The cell in the north-west corner has no data.
    const HILL: &str = "NODATA_value -9\n-9 1 2 3 4 5\n0 1 2 3 4 5\n0 1 2 3 4 5\n0 1 2 3 4 5\n";

    fn hill(header_line: &str) -> Raster {
        let text = format!("ncols 6\nnrows 4\nxllcorner 0\nyllcorner 0\n{header_line}\n{HILL}");
        let options = ReadOptions { offset: Some(100.0), ..ReadOptions::default() };
        raster::read_bytes("hill.asc", text.as_bytes(), &options).unwrap()
    }

    fn scene(keys: &str) -> FlowScene {
        let text = format!(
            "model = 'flow'\n{keys}\n[time]\nuntil = 1\n[terrain]\nnoise = {{}}\nfile = 'no.asc'"
        );
        scene::parse("test.toml", &text, &[]).unwrap().flow().unwrap().clone()
    }

    fn try_build(keys: &str) -> Result<Terrain, SceneError> {
        build_terrain_from_raster(&scene(keys), &hill("cellsize 10"))
    }

    fn square_lattice(nx: usize, ny: usize, dx: f64, dy: f64) -> Lattice {
        Square::new(nx, ny, dx, dy).unwrap().into()
    }

    #[test]
    fn a_file_defines_the_grid_and_replaces_the_noise() {
        let terrain = try_build("").unwrap();
        assert_eq!(terrain.lattice, square_lattice(6, 4, 10.0, 10.0));
        assert_eq!(terrain.height((3, 1)), 103.0);
        assert!(terrain.no_data[(0, 0)] && terrain.bed[(0, 0)] == 0.0);
        assert!(terrain.notices.iter().any(|notice| notice.contains("1 cells have no data")));
    }

    #[test]
    fn a_grid_resamples_the_file_and_keeps_its_aspect_ratio() {
        let terrain = try_build("grid = { nx = 12 }").unwrap();
        assert_eq!(terrain.lattice, square_lattice(12, 8, 5.0, 5.0));
        assert!((terrain.height((6, 4)) - 102.75).abs() < 1e-4);
        let terrain = try_build("grid = { ny = 2, cell = [3, 4] }").unwrap();
        assert_eq!(terrain.lattice, square_lattice(3, 2, 3.0, 4.0));
    }

    #[test]
    fn hexagons_cover_the_extent_of_the_file() {
        let hex = |keys: &str| {
            let terrain = try_build(&format!("grid = {{ lattice = 'hex'{keys} }}")).unwrap();
            let Lattice::Hex(hex) = terrain.lattice else { panic!("squares") };
            (terrain, hex)
        };
        // The file: 60 m × 40 m, cells of 10 m, rising by 1 m each.
        let (terrain, own) = hex("");
        assert_eq!((own.nx(), own.ny()), (5, 4));
        assert!((own.width() - 60.0).abs() < 1e-9 && (own.height() - 40.0).abs() < 5.0);
        assert!(terrain.no_data[(0, 0)] && !terrain.no_data[(0, 1)]);
        for (keys, nx, ny) in [(", cell = 2", 30, 23), (", nx = 24", 24, 19), (", ny = 23", 29, 23)]
        {
            let (terrain, hex) = hex(keys);
            assert_eq!((hex.nx(), hex.ny()), (nx, ny), "{keys}");
            assert!(
                (hex.width() - 60.0).abs() < 1.3 && (hex.height() - 40.0).abs() < 1.3,
                "{keys}"
            );
            for (x, y) in [(7, 9), (12, 10), (20, 17)] {
                let [east, _] = terrain.lattice.center(x, y);
                let slope = 99.5 + 6.0 * east / hex.width();
                assert!((terrain.height((x, y)) - slope).abs() < 1e-4, "{keys} {x} {y}");
            }
        }
        // Larger hexagons average; on a slope the mean is the height at the centre.
        let (terrain, hex) = hex(", cell = 25");
        assert_eq!((hex.nx(), hex.ny()), (2, 2));
        assert!((terrain.height((1, 1)) - (99.5 + 0.1 * 50.0 * 60.0 / 62.5)).abs() < 0.2);
    }

    #[test]
    fn terrain_file_errors_report_the_line_in_the_scene() {
        let error = try_build("source = [{ at = [61, 5], rate = 1 }]").unwrap_err().to_string();
        assert!(error.starts_with("test.toml:2:"), "{error}");
        assert!(error.contains("source[0].at: found [61, 5]"), "{error}");
        let error = try_build("grid = { nx = 60000000 }").unwrap_err().to_string();
        assert!(error.starts_with("test.toml:2:1: grid: the grid has"), "{error}");
        let error = super::super::build_terrain(&scene("")).unwrap_err().to_string();
        assert!(
            error.starts_with("test.toml:7:1: terrain.file: no.asc: the file cannot"),
            "{error}"
        );
    }
}
