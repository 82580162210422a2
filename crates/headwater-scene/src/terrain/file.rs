//! Ground from a raster of elevations, resampled to the scene's grid.

use super::ground::Draft;
use crate::flow::{Cell, LatticeKind};
use crate::raster::{self, Part, Raster, ReadOptions, Resampling};
use crate::scene::check::{MAX_HEIGHT, number};
use crate::scene::{MAX_CELLS, SceneError, Site};
use headwater::{Hex, Lattice, Square};
use std::path::Path;

/// Reads the raster in the file at `path` as `[terrain]` says.
pub(super) fn read(scene: &dyn Site, path: &Path) -> Result<Raster, SceneError> {
    let raster = raster::read_from(scene.files(), path, &options(scene, MAX_CELLS))
        .map_err(|error| scene.refuse("terrain.file", error.to_string()))?;
    let mut beyond = Beyond::default();
    beyond.look(raster.heights.as_slice(), raster.no_data.as_slice());
    beyond.refuse(scene, path)?;
    Ok(raster)
}

/// How `[terrain]` says that a file of up to so many cells is read.
pub(super) fn options(scene: &dyn Site, max_cells: usize) -> ReadOptions {
    let ground = scene.ground();
    ReadOptions {
        scale: ground.scale,
        offset: ground.offset,
        no_data: ground.no_data,
        size: ground.size,
        max_cells,
    }
}

/// Heights that cannot be such of a land, which is looked at before they are mixed with those beside them; they are mostly a mark of
/// no data that nobody has declared.
#[derive(Debug, Default)]
pub(super) struct Beyond {
    first: Option<f32>,
    count: usize,
}

impl Beyond {
    pub(super) fn look(&mut self, heights: &[f32], no_data: &[bool]) {
        for (height, missing) in heights.iter().zip(no_data) {
            if !missing && f64::from(height.abs()) > MAX_HEIGHT {
                self.first = self.first.or(Some(*height));
                self.count += 1;
            }
        }
    }

    pub(super) fn refuse(self, scene: &dyn Site, path: &Path) -> Result<(), SceneError> {
        let Self { first: Some(first), count } = self else { return Ok(()) };
        let message = format!(
            "{}: found a height of {} m, one of {count} beyond what is allowed, which is −{MAX_HEIGHT} to {MAX_HEIGHT} m; if that \
             means no data, say so with terrain.no_data",
            path.display(),
            number(first.into())
        );
        Err(scene.refuse("terrain.file", message))
    }
}

/// The raster as the scene's ground, with as many cells as the scene's grid wishes.
pub(super) fn draft(scene: &dyn Site, raster: &Raster) -> Result<Draft, SceneError> {
    let own = [raster.heights.nx(), raster.heights.ny()];
    let mut notices = raster.notices.clone();
    let place = Place::of(scene, own, raster.cell, MAX_CELLS, &mut notices)?;
    let (heights, no_data) = match &place.resampling {
        Some(resampling) => resampling.draw(&raster.cells(), 0..place.lattice.ny()),
        None => (raster.heights.clone(), raster.no_data.clone()),
    };
    notices.extend(missing(no_data.as_slice().iter().filter(|missing| **missing).count()));
    let heights = heights.map(|&height| f64::from(height));
    let georeference = raster.info.georeference();
    Ok(Draft { lattice: place.lattice, heights, no_data, georeference, notices })
}

const NO_SIZE: &str = "the file does not say how large its cells are: 1 m is taken, set grid.cell";

/// A word on cells without data.
pub(crate) fn missing(count: usize) -> Option<String> {
    (count > 0).then(|| format!("{count} cells have no data, they are closed to water"))
}

/// Where the cells of a world lie that is made of a raster.
pub(super) struct Place {
    pub(super) lattice: Lattice,
    /// How they draw on those of the raster, if they are not the same.
    pub(super) resampling: Option<Resampling>,
}

impl Place {
    /// The rows of the raster of which some rows of the world are made.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn needs(&self, rows: std::ops::Range<usize>) -> std::ops::Range<usize> {
        match &self.resampling {
            Some(resampling) => resampling.needs(rows),
            None => rows,
        }
    }

    /// Those of a world of up to `most` cells, on a raster of `own` columns and rows, of cells of a size (m) that it may know.
    pub(super) fn of(
        scene: &dyn Site,
        own: [usize; 2],
        cell: Option<[f64; 2]>,
        most: usize,
        notices: &mut Vec<String>,
    ) -> Result<Self, SceneError> {
        if scene.grid().lattice == LatticeKind::Hex {
            return Self::hexagons(scene, own, cell, most, notices);
        }
        let shape = wished_shape(scene, own, most).map_err(|text| scene.refuse("grid", text))?;
        let stretch = [0, 1].map(|axis| own[axis] as f64 / shape[axis] as f64);
        let of_file = cell.map(|[dx, dy]| [dx * stretch[0], dy * stretch[1]]);
        let cell = scene.grid().cell.map(Cell::sides).or(of_file).unwrap_or_else(|| {
            notices.push(NO_SIZE.into());
            stretch
        });
        let lattice = Square::new(shape[0], shape[1], cell[0], cell[1])
            .map(Lattice::from)
            .map_err(|error| scene.refuse("terrain.file", error.to_string()))?;
        let resampling = (own != shape).then(|| Resampling::to(own, shape));
        Ok(Self { lattice, resampling })
    }

    /// Hexagons over which the whole raster is stretched.
    fn hexagons(
        scene: &dyn Site,
        own: [usize; 2],
        cell: Option<[f64; 2]>,
        most: usize,
        notices: &mut Vec<String>,
    ) -> Result<Self, SceneError> {
        let given = scene.grid().cell.map(|cell| cell.sides()[0]);
        let cell = cell.unwrap_or_else(|| {
            if given.is_none() {
                notices.push(NO_SIZE.into());
            }
            [given.unwrap_or(1.0); 2]
        });
        let size = [own[0] as f64 * cell[0], own[1] as f64 * cell[1]];
        let (nx, ny, spacing) = honeycomb(scene.grid().nx, scene.grid().ny, given, size, cell);
        fits([nx, ny], most).map_err(|text| scene.refuse("grid", text))?;
        let lattice = Hex::new(nx, ny, spacing)
            .map(Lattice::from)
            .map_err(|error| scene.refuse("terrain.file", error.to_string()))?;
        let resampling = Some(Resampling::on(own, Part::whole(own), &lattice));
        Ok(Self { lattice, resampling })
    }
}

/// Columns, rows and spacing (m) of hexagons that cover a file of `size` metres with cells of `cell`
/// metres: what the grid says, the rest to the nearest whole hexagon. With columns or rows but no
/// spacing, they cover its width exactly, or its height; with a spacing and either of them, they have
/// the file's proportions.
fn honeycomb(
    nx: Option<usize>,
    ny: Option<usize>,
    spacing: Option<f64>,
    size: [f64; 2],
    cell: [f64; 2],
) -> (usize, usize, f64) {
    // √3/2: the distance of two rows over that of two cells.
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
            let alike = Hex::spacing_for_square((cell[0] * cell[1]).sqrt());
            let nx = columns(size[0], alike);
            let spacing = size[0] / wide(nx, 1.0);
            (nx, rows(size[1], spacing), spacing)
        }
    }
}

/// Columns and rows of the world on a file with `[columns, rows]` of its own: those of the grid; of
/// one that is not given, as many as keep the file's proportions.
fn wished_shape(
    scene: &dyn Site,
    [columns, rows]: [usize; 2],
    most: usize,
) -> Result<[usize; 2], String> {
    let in_proportion = |wished: usize, own: usize, other: usize| {
        let ideal = wished as f64 * other as f64 / own.max(1) as f64;
        (ideal.round() as usize).max(1)
    };
    let shape = match (scene.grid().nx, scene.grid().ny) {
        (Some(nx), Some(ny)) => [nx, ny],
        (Some(nx), None) => [nx, in_proportion(nx, columns, rows)],
        (None, Some(ny)) => [in_proportion(ny, rows, columns), ny],
        (None, None) => [columns, rows],
    };
    fits(shape, most).map(|()| shape)
}

/// Whether so many columns and rows are not too many.
fn fits([nx, ny]: [usize; 2], most: usize) -> Result<(), String> {
    if nx.checked_mul(ny).is_some_and(|cells| cells <= most) {
        return Ok(());
    }
    let more = if most == MAX_CELLS { ", and more with --memory" } else { "" };
    Err(format!("makes a grid of {nx} × {ny} cells, allowed is up to {most} in all{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::FlowScene;
    use crate::scene;
    use crate::terrain::{Terrain, build_on};

    /// 6 × 4 cells, high as their column, with a hole in one corner.
    const HILL: &str = "NODATA_value -9\n-9 1 2 3 4 5\n0 1 2 3 4 5\n0 1 2 3 4 5\n0 1 2 3 4 5\n";

    fn hill(head: &str) -> Raster {
        let text = format!("ncols 6\nnrows 4\nxllcorner 0\nyllcorner 0\n{head}\n{HILL}");
        let options = ReadOptions { offset: Some(100.0), ..ReadOptions::default() };
        raster::read_bytes("hill.asc", text.as_bytes(), &options).unwrap()
    }

    fn scene(keys: &str) -> FlowScene {
        let text = format!(
            "model = 'flow'\n{keys}\n[time]\nuntil = 1\n[terrain]\nnoise = {{}}\nfile = 'no.asc'"
        );
        scene::parse("test.toml", &text, &[]).unwrap().flow().unwrap().clone()
    }

    fn built(keys: &str) -> Result<Terrain, SceneError> {
        build_on(&scene(keys), &hill("cellsize 10"))
    }

    fn square(nx: usize, ny: usize, dx: f64, dy: f64) -> Lattice {
        Square::new(nx, ny, dx, dy).unwrap().into()
    }

    #[test]
    fn a_file_brings_its_own_grid_and_replaces_the_noise() {
        let terrain = built("").unwrap();
        assert_eq!(terrain.lattice, square(6, 4, 10.0, 10.0));
        assert_eq!(terrain.height((3, 1)), 103.0);
        assert!(terrain.no_data[(0, 0)] && terrain.bed[(0, 0)] == 0.0);
        assert!(terrain.notices.iter().any(|notice| notice.contains("1 cells have no data")));
    }

    #[test]
    fn a_grid_resamples_the_file_and_keeps_its_proportions() {
        let terrain = built("grid = { nx = 12 }").unwrap();
        assert_eq!(terrain.lattice, square(12, 8, 5.0, 5.0));
        assert!((terrain.height((6, 4)) - 102.75).abs() < 1e-4);
        let terrain = built("grid = { ny = 2, cell = [3, 4] }").unwrap();
        assert_eq!(terrain.lattice, square(3, 2, 3.0, 4.0));
    }

    #[test]
    fn hexagons_cover_what_the_file_covers() {
        let hex = |keys: &str| {
            let terrain = built(&format!("grid = {{ lattice = 'hex'{keys} }}")).unwrap();
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
        // Larger hexagons average: of a slope, that is its height in their middle.
        let (terrain, hex) = hex(", cell = 25");
        assert_eq!((hex.nx(), hex.ny()), (2, 2));
        assert!((terrain.height((1, 1)) - (99.5 + 0.1 * 50.0 * 60.0 / 62.5)).abs() < 0.2);
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
