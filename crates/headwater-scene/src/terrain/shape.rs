//! Shapes of a scene: local modifications of the ground such as raising, lowering and smoothing,
//! applied before the run.

use super::{Level, Shape, ShapeOp};
use crate::scene::place::Area;
use crate::scene::{SceneError, TerrainScene, resolve_position};
use headwater::{Brush, Field, Lattice, Point, brush};

/// Applies the scene's shape number `index` to `heights` (m) of the whole world.
pub(super) fn apply_shape_to_world(
    scene: &dyn TerrainScene,
    index: usize,
    lattice: &Lattice,
    heights: &mut Field<f64>,
) -> Result<(), SceneError> {
    apply_shape_to_rows(scene, index, lattice, 0, heights)
}

/// Returns the number of rows to the north, and to the south, of a cell that influence its height
/// when the shape is applied. Returns 0 unless the shape smooths the ground.
#[cfg(not(target_family = "wasm"))]
pub(super) fn smoothing_reach_of_shape(shape: &Shape, lattice: &Lattice) -> usize {
    match shape.op {
        ShapeOp::Smooth => {
            let cells = (smoothing_radius(shape, lattice) / lattice.dy()).round() as usize;
            cells.clamp(1, lattice.ny())
        }
        _ => 0,
    }
}

/// Returns the radius (m) over which a shape smooths the ground; two cells by default.
fn smoothing_radius(shape: &Shape, lattice: &Lattice) -> f64 {
    shape.reach.unwrap_or(2.0 * lattice.dx().max(lattice.dy()))
}

/// Applies the scene's shape number `index` to `heights` (m). Row 0 of `heights` is row `first_row`
/// of the world. After smoothing, a row is valid only if `heights` contains all rows on which it
/// depends (see [`smoothing_reach_of_shape`]).
pub(super) fn apply_shape_to_rows(
    scene: &dyn TerrainScene,
    index: usize,
    lattice: &Lattice,
    first_row: usize,
    heights: &mut Field<f64>,
) -> Result<(), SceneError> {
    let shape = &scene.ground().shapes[index];
    let brush = Brush { region: shape.area().region(lattice), falloff: shape.falloff };
    let touched = brush.cells_in_rows(lattice, first_row..first_row + heights.ny());
    let mut touched = touched
        .map_err(|error| scene.key_error(&format!("terrain.shape[{index}]"), error.to_string()))?;
    touched.iter_mut().for_each(|touched| touched.y -= first_row);
    apply_shape(shape, &touched, lattice, first_row, heights);
    Ok(())
}

fn apply_shape(
    shape: &Shape,
    touched: &[brush::BrushCell],
    lattice: &Lattice,
    first_row: usize,
    heights: &mut Field<f64>,
) {
    let profile = LevelProfile::from_shape(shape, lattice);
    let level = |t: &brush::BrushCell| profile.target_height(lattice.center(t.x, first_row + t.y));
    match (shape.op, shape.amount) {
        (ShapeOp::Raise, Some(amount)) => brush::apply(heights, touched, |_, z| z + amount),
        (ShapeOp::Raise, None) => brush::apply(heights, touched, |t, z| z.max(level(t))),
        (ShapeOp::Lower, Some(amount)) => brush::apply(heights, touched, |_, z| z - amount),
        (ShapeOp::Lower, None) => brush::apply(heights, touched, |t, z| z.min(level(t))),
        (ShapeOp::Flatten, _) => brush::apply(heights, touched, |t, _| level(t)),
        (ShapeOp::Smooth, _) => {
            let Ok(strip) = lattice.with_rows(heights.ny()) else { return };
            brush::smooth_heights(heights, touched, strip, smoothing_radius(shape, lattice), 1.0);
        }
    }
}

/// Smallest ratio of length to width of a rectangle that counts as a wall (dimensionless).
const MIN_WALL_ELONGATION: f64 = 3.0;

/// Returns a notice if a wall-like area (a line or a long rectangle) is so narrow that it covers no
/// cell, or if a line is so narrow that the cells that it covers may have gaps. `key` is the scene
/// key of the area. `samples` is the number of samples of the sub-grid topography along the side of
/// a cell. If it is above 1, the notice refers to samples instead of cells.
pub(crate) fn narrow_area_notice(
    key: &str,
    area: &Area,
    lattice: &Lattice,
    samples: usize,
) -> Option<String> {
    let cell = lattice.dx().max(lattice.dy()) / samples.max(1) as f64;
    let what = if samples > 1 { "samples" } else { "cells" };
    let covers_cells = || samples > 1 || !area.region(lattice).cells(*lattice).is_empty();
    let corner = |position| resolve_position(position, lattice);
    if let Some(line) = &area.line {
        // A line as wide as a cell's diagonal contains a cell centre everywhere.
        let is_askew = line.points.windows(2).any(|ends| {
            let [start, end] = [ends[0], ends[1]].map(corner);
            start[0] != end[0] && start[1] != end[1]
        });
        let width = line.width;
        if width >= cell * std::f64::consts::SQRT_2 {
            return None;
        }
        return match covers_cells() {
            false => Some(no_cell_notice(&format!("{key}.line"), width, cell)),
            true => is_askew.then(|| {
                format!(
                    "{key}.line: {width} m is narrow for {what} of {cell} m, so there may be gaps"
                )
            }),
        };
    }
    let rect = area.rect.as_ref()?;
    let [min, max] = [rect.min, rect.max].map(corner);
    let [width, length] = [(max[0] - min[0]).abs(), (max[1] - min[1]).abs()];
    let is_wall = width.max(length) >= MIN_WALL_ELONGATION * width.min(length);
    // Rectangles that are not elongated, such as houses, are not meant to hold back water.
    (is_wall && !covers_cells())
        .then(|| no_cell_notice(&format!("{key}.rect"), width.min(length), cell))
}

/// Returns the notice for an area of the given width (m) that contains no centre of a cell.
fn no_cell_notice(key: &str, width: f64, cell: f64) -> String {
    format!(
        "{key}: covers no cell and has no effect; it is {width} m wide, and cells of {cell} m are \
         covered if it contains their centres"
    )
}

/// Target height of a shape (m), which may vary along the line of the shape.
struct LevelProfile {
    levels: [f64; 2],
    points: Vec<Point>,
    length: f64,
}

impl LevelProfile {
    fn from_shape(shape: &Shape, lattice: &Lattice) -> Self {
        let levels = match shape.level {
            None => [0.0, 0.0],
            Some(Level::Uniform(level)) => [level, level],
            Some(Level::Along(levels)) => levels,
        };
        let line = shape.line.iter().flat_map(|line| &line.points);
        let points: Vec<_> = line.map(|&point| resolve_position(point, lattice)).collect();
        let length = points.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
        Self { levels, points, length }
    }

    /// Returns the target height (m) at the point of the shape's line that is nearest to `point`.
    fn target_height(&self, point: Point) -> f64 {
        let [start, end] = self.levels;
        if start == end || self.length == 0.0 {
            return start;
        }
        let (mut nearest, mut position, mut travelled) = (f64::INFINITY, 0.0, 0.0);
        for pair in self.points.windows(2) {
            let (from, length) = (pair[0], distance(pair[0], pair[1]));
            let along = [pair[1][0] - from[0], pair[1][1] - from[1]];
            let out = [point[0] - from[0], point[1] - from[1]];
            let share = if length > 0.0 {
                ((out[0] * along[0] + out[1] * along[1]) / (length * length)).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let foot = [from[0] + share * along[0], from[1] + share * along[1]];
            let offset = distance(point, foot);
            if offset < nearest {
                (nearest, position) = (offset, travelled + share * length);
            }
            travelled += length;
        }
        start + (end - start) * (position / self.length)
    }
}

fn distance(a: Point, b: Point) -> f64 {
    let [x, y] = [b[0] - a[0], b[1] - a[1]];
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice() -> Lattice {
        headwater::Square::new(21, 15, 2.0, 2.0).unwrap().into()
    }

    fn shaped_heights(keys: &str, initial_height: f64) -> Field<f64> {
        let mut heights = Field::new(21, 15, initial_height);
        let shape: Shape = toml::from_str(keys).unwrap();
        let brush = Brush { region: shape.area().region(&lattice()), falloff: shape.falloff };
        apply_shape(&shape, &brush.cells(lattice()).unwrap(), &lattice(), 0, &mut heights);
        heights
    }

    #[test]
    fn raising_to_a_level_never_lowers_the_ground() {
        let dam = "op = 'raise'\nlevel = 5\nline = { points = [[21, 0], [21, 30]], width = 4 }";
        assert_eq!(shaped_heights(dam, 1.0)[(10, 7)], 5.0);
        assert_eq!(shaped_heights(dam, 1.0)[(5, 7)], 1.0);
        assert_eq!(shaped_heights(dam, 9.0)[(10, 7)], 9.0);
    }

    #[test]
    fn a_cone_is_highest_in_the_middle() {
        let cone = "op = 'raise'\namount = 8\nfalloff = 'linear'\n\
                    disc = { center = ['50%', '50%'], radius = 10 }";
        let heights = shaped_heights(cone, 0.0);
        assert_eq!(heights[(10, 7)], 8.0);
        assert!((heights[(12, 7)] - 8.0 * 0.6).abs() < 1e-6);
        assert_eq!(heights[(0, 0)], 0.0);
    }

    #[test]
    fn a_level_range_is_linear_along_a_bent_line() {
        let bed = "op = 'lower'\nlevel = [10, 4]\n\
                   line = { points = [[1, 1], [31, 1], [31, 29]], width = 5 }";
        let heights = shaped_heights(bed, 50.0);
        assert_eq!(heights[(0, 0)], 10.0);
        assert!((heights[(15, 14)] - 4.0).abs() < 1e-12);
        let halfway = 10.0 - 6.0 * 30.0 / 58.0;
        assert!((heights[(15, 0)] - halfway).abs() < 1e-12);
        assert_eq!(heights[(5, 10)], 50.0);
    }

    #[test]
    fn a_narrow_line_gives_a_notice() {
        let dam = "op = 'raise'\nlevel = 5\nline = { points = [[1, 1], [9, 9]], width = 1 }";
        let shape = toml::from_str(dam).unwrap();
        let shape: Shape = shape;
        let notice = |area: &Area| narrow_area_notice("obstacle[3]", area, &lattice(), 1);
        assert!(notice(&shape.area()).unwrap().starts_with("obstacle[3].line"));
        let of = |text: &str| notice(&toml::from_str(text).unwrap());
        let covers_no_cell = |text: &str| of(text).unwrap().contains("covers no cell");
        // Centres are at 1, 3, 5, … m.
        assert!(covers_no_cell("rect = { min = [3.2, 0], max = [3.8, 20] }"));
        assert!(of("rect = { min = [2.8, 0], max = [3.2, 20] }").is_none());
        assert!(of("rect = { min = [3.2, 4.2], max = [3.8, 4.8] }").is_none(), "not a wall");
        assert!(covers_no_cell("line = { points = [[2, 1], [2, 25]], width = 1 }"));
        assert!(of("line = { points = [[3, 1], [3, 25]], width = 1 }").is_none());
    }
}
