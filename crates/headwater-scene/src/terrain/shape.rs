//! Shapes: changes of the ground before the water comes.

use crate::schema::{Level, Shape, ShapeOp, resolve};
use headwater::{Field, Point, Square};

/// Changes `heights` as `shape` says.
pub(super) fn apply(shape: &Shape, lattice: &Square, heights: &mut Field<f64>) {
    let region = shape.area().region(lattice);
    let smoothed = match shape.op {
        ShapeOp::Smooth => {
            let two_cells = 2.0 * lattice.dx().max(lattice.dy());
            Some(mean_around(heights, lattice, shape.reach.unwrap_or(two_cells)))
        }
        _ => None,
    };
    let course = Course::of(shape, lattice);
    for (x, y, r) in region.cells(lattice) {
        let height = &mut heights[(x, y)];
        let level = || course.level(lattice.center(x, y));
        let goal = match (shape.op, shape.amount, &smoothed) {
            (ShapeOp::Raise, Some(amount), _) => *height + amount,
            (ShapeOp::Raise, None, _) => height.max(level()),
            (ShapeOp::Lower, Some(amount), _) => *height - amount,
            (ShapeOp::Lower, None, _) => height.min(level()),
            (ShapeOp::Smooth, _, Some(smoothed)) => smoothed[(x, y)],
            (ShapeOp::Flatten | ShapeOp::Smooth, ..) => level(),
        };
        *height += shape.falloff.weight(r) * (goal - *height);
    }
}

/// A word to whoever made a band too narrow for the grid.
pub(super) fn notice(index: usize, shape: &Shape, lattice: &Square) -> Option<String> {
    let width = shape.line.as_ref()?.width;
    let cell = lattice.dx().max(lattice.dy());
    // A band as wide as a cell's diagonal holds the centre of a cell in every place.
    (width < cell * std::f64::consts::SQRT_2).then(|| {
        format!(
            "terrain.shape[{index}].line: {width} m is narrow for cells of {cell} m, it may have gaps"
        )
    })
}

/// The level of a shape, which may change along its line.
struct Course {
    levels: [f64; 2],
    points: Vec<Point>,
    length: f64,
}

impl Course {
    fn of(shape: &Shape, lattice: &Square) -> Self {
        let levels = match shape.level {
            None => [0.0, 0.0],
            Some(Level::Even(level)) => [level, level],
            Some(Level::Along(levels)) => levels,
        };
        let line = shape.line.iter().flat_map(|line| &line.points);
        let points: Vec<_> = line.map(|&point| resolve(point, lattice)).collect();
        let length = points.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
        Self { levels, points, length }
    }

    /// The level beside the nearest point of the line.
    fn level(&self, point: Point) -> f64 {
        let [start, end] = self.levels;
        if start == end || self.length == 0.0 {
            return start;
        }
        let (mut nearest, mut there, mut gone) = (f64::INFINITY, 0.0, 0.0);
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
            let away = distance(point, foot);
            if away < nearest {
                (nearest, there) = (away, gone + share * length);
            }
            gone += length;
        }
        start + (end - start) * (there / self.length)
    }
}

fn distance(a: Point, b: Point) -> f64 {
    let [x, y] = [b[0] - a[0], b[1] - a[1]];
    (x * x + y * y).sqrt()
}

/// The mean height of the cells within `reach` metres along both axes.
fn mean_around(heights: &Field<f64>, lattice: &Square, reach: f64) -> Field<f64> {
    let (nx, ny) = (heights.nx(), heights.ny());
    let cells = |size: f64, n: usize| ((reach / size).round() as usize).clamp(1, n);
    let (columns, rows) = (cells(lattice.dx(), nx), cells(lattice.dy(), ny));
    let mut along_rows = Field::new(nx, ny, 0.0);
    for y in 0..ny {
        sliding_mean(heights.row(y), columns, along_rows.row_mut(y));
    }
    let mut mean = Field::new(nx, ny, 0.0);
    let (mut column, mut means) = (vec![0.0; ny], vec![0.0; ny]);
    for x in 0..nx {
        for y in 0..ny {
            column[y] = along_rows[(x, y)];
        }
        sliding_mean(&column, rows, &mut means);
        for y in 0..ny {
            mean[(x, y)] = means[y];
        }
    }
    mean
}

/// The mean of the values up to `reach` places away, of as many as there are.
fn sliding_mean(values: &[f64], reach: usize, means: &mut [f64]) {
    let (mut sum, mut first, mut next) = (0.0, 0, 0);
    for (i, mean) in means.iter_mut().enumerate() {
        while next < values.len() && next <= i + reach {
            sum += values[next];
            next += 1;
        }
        while first + reach < i {
            sum -= values[first];
            first += 1;
        }
        *mean = sum / (next - first) as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice() -> Square {
        Square::new(21, 15, 2.0, 2.0).unwrap()
    }

    fn after(keys: &str, start: f64) -> Field<f64> {
        let mut heights = Field::new(21, 15, start);
        apply(&toml::from_str(keys).unwrap(), &lattice(), &mut heights);
        heights
    }

    #[test]
    fn a_dam_is_raised_to_its_crest_and_cuts_no_hill() {
        let dam = "op = 'raise'\nlevel = 5\nline = { points = [[21, 0], [21, 30]], width = 4 }";
        assert_eq!(after(dam, 1.0)[(10, 7)], 5.0);
        assert_eq!(after(dam, 1.0)[(5, 7)], 1.0);
        assert_eq!(after(dam, 9.0)[(10, 7)], 9.0);
    }

    #[test]
    fn a_cone_is_highest_in_the_middle() {
        let cone = "op = 'raise'\namount = 8\nfalloff = 'linear'\n\
                    disc = { center = ['50%', '50%'], radius = 10 }";
        let heights = after(cone, 0.0);
        assert_eq!(heights[(10, 7)], 8.0);
        assert!((heights[(12, 7)] - 8.0 * 0.6).abs() < 1e-12);
        assert_eq!(heights[(0, 0)], 0.0);
    }

    #[test]
    fn a_river_bed_falls_evenly_along_its_bends() {
        let bed = "op = 'lower'\nlevel = [10, 4]\n\
                   line = { points = [[1, 1], [31, 1], [31, 29]], width = 5 }";
        let heights = after(bed, 50.0);
        assert_eq!(heights[(0, 0)], 10.0);
        assert!((heights[(15, 14)] - 4.0).abs() < 1e-12);
        let halfway = 10.0 - 6.0 * 30.0 / 58.0;
        assert!((heights[(15, 0)] - halfway).abs() < 1e-12);
        assert_eq!(heights[(5, 10)], 50.0);
    }

    #[test]
    fn smoothing_keeps_planes_inside_and_flattens_peaks() {
        let plane = Field::from_fn(21, 15, |x, y| x as f64 - 2.0 * y as f64);
        let smooth = mean_around(&plane, &lattice(), 4.0);
        assert!((smooth[(10, 7)] - plane[(10, 7)]).abs() < 1e-12);
        let mut peak = Field::new(21, 15, 0.0);
        peak[(10, 7)] = 25.0;
        assert!((mean_around(&peak, &lattice(), 4.0)[(9, 8)] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_band_with_gaps_is_noticed() {
        let dam = "op = 'raise'\nlevel = 5\nline = { points = [[1, 1], [9, 9]], width = 1 }";
        let shape = toml::from_str(dam).unwrap();
        assert!(notice(3, &shape, &lattice()).unwrap().contains("shape[3]"));
    }
}
