//! Interpolation from cells to pixels with cubic B-splines. B-splines have continuous curvature and
//! never overshoot, so neither shading nor shores show the grid.

use headwater_io::parallel::*;
use multiversion::multiversion;

/// Four consecutive source cells that contribute to a pixel along one axis, with their weights.
#[derive(Clone, Debug)]
struct AxisWeights {
    first: u32,
    weights: [f32; 4],
}

/// Interpolator from an `nx × ny` grid of cells to a picture of `width × height` pixels.
#[derive(Clone, Debug)]
pub(crate) struct Spline {
    nx: usize,
    ny: usize,
    columns: Vec<AxisWeights>,
    rows: Vec<AxisWeights>,
}

impl Spline {
    pub(crate) fn new(nx: usize, ny: usize, width: usize, height: usize) -> Self {
        Self { nx, ny, columns: axis_weights(nx, width), rows: axis_weights(ny, height) }
    }

    /// Interpolates the values in `cells` to all pixels. Returns the pixel values in row-major
    /// order.
    pub(crate) fn interpolate_all(&self, cells: &[f32]) -> Vec<f32> {
        let width = self.columns.len();
        let mut out = vec![0.0; width * self.rows.len()];
        out.par_chunks_mut(width).enumerate().for_each_init(Vec::new, |line, (y, row)| {
            self.interpolate_row(cells, y, line, row);
        });
        out
    }

    /// Interpolates `cells` to the pixels of row `y` and writes the values to `out`; `line` is
    /// scratch space.
    pub(crate) fn interpolate_row(
        &self,
        cells: &[f32],
        y: usize,
        line: &mut Vec<[f32; 1]>,
        out: &mut [f32],
    ) {
        self.interpolate_vector_row(cells.as_chunks().0, y, line, out.as_chunks_mut().0);
    }

    /// Interpolates `N` values per cell to the pixels of row `y`; `line` is scratch space.
    #[inline(always)]
    pub(crate) fn interpolate_vector_row<const N: usize>(
        &self,
        cells: &[[f32; N]],
        y: usize,
        line: &mut Vec<[f32; N]>,
        out: &mut [[f32; N]],
    ) {
        let row_weights = &self.rows[y];
        line.clear();
        // The weights span four cells even where the grid has fewer; the weights there are zero.
        line.resize(self.nx.max(4), [0.0; N]);
        for (i, &weight) in row_weights.weights.iter().enumerate() {
            let row = row_weights.first as usize + i;
            if row < self.ny {
                let cells = &cells[row * self.nx..(row + 1) * self.nx];
                for (sums, values) in line.iter_mut().zip(cells) {
                    for (sum, &value) in sums.iter_mut().zip(values) {
                        *sum += weight * value;
                    }
                }
            }
        }
        for (pixel, AxisWeights { first, weights: w }) in out.iter_mut().zip(&self.columns) {
            let v = &line[*first as usize..*first as usize + 4];
            // Use a loop, because `array::from_fn` is not always inlined here.
            for (k, value) in pixel.iter_mut().enumerate() {
                *value = v[0][k] * w[0] + v[1][k] * w[1] + v[2][k] * w[2] + v[3][k] * w[3];
            }
        }
    }
}

/// Variant of [`Spline::interpolate_vector_row`] for eight values per cell. The function is
/// compiled for the widest vector instructions that the processor supports.
#[multiversion(targets = "simd")]
pub(crate) fn interpolate_row_of_eight(
    spline: &Spline,
    cells: &[[f32; 8]],
    y: usize,
    line: &mut Vec<[f32; 8]>,
    out: &mut [[f32; 8]],
) {
    spline.interpolate_vector_row(cells, y, line, out);
}

/// Computes the source cells and weights of all pixels along one axis. Beyond the edge of the grid,
/// values are extrapolated linearly; the weights of the last two cells include the extrapolation.
fn axis_weights(cells: usize, pixels: usize) -> Vec<AxisWeights> {
    let n = cells as i64;
    let first_max = (n - 4).max(0);
    (0..pixels)
        .map(|pixel| {
            let position = (pixel as f64 + 0.5) / pixels as f64 * cells as f64 - 0.5;
            let cell = position.floor();
            let first = (cell as i64 - 1).clamp(0, first_max);
            let mut weights = [0.0f32; 4];
            let mut add = |cell: i64, weight: f64| {
                let slot = (cell.clamp(0, n - 1) - first).clamp(0, 3);
                weights[slot as usize] += weight as f32;
            };
            for (i, weight) in cubic_weights(position - cell).into_iter().enumerate() {
                let at = cell as i64 - 1 + i as i64;
                let beyond = if at < 0 { -at } else { (at - (n - 1)).max(0) };
                let (rim, inner) = if at < 0 { (0, 1) } else { (at.min(n - 1), n - 2) };
                add(rim, weight * (1 + beyond) as f64);
                if beyond > 0 {
                    add(inner, -weight * beyond as f64);
                }
            }
            AxisWeights { first: first as u32, weights }
        })
        .collect()
}

/// Returns the four weights of the uniform cubic B-spline. `t` is the position between the two
/// middle cells, from 0 to 1.
fn cubic_weights(t: f64) -> [f64; 4] {
    let s = 1.0 - t;
    [
        s * s * s / 6.0,
        (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0,
        (3.0 * s * s * s - 6.0 * s * s + 4.0) / 6.0,
        t * t * t / 6.0,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_reproduced_up_to_the_edges() {
        let (nx, ny, width, height) = (7, 5, 31, 12);
        let cells: Vec<f32> =
            (0..nx * ny).map(|i| (i % nx) as f32 - 2.0 * (i / nx) as f32).collect();
        let spline = Spline::new(nx, ny, width, height);
        let (mut line, mut out) = (Vec::new(), vec![0.0; width]);
        for y in 0..height {
            spline.interpolate_row(&cells, y, &mut line, &mut out);
            for (x, &found) in out.iter().enumerate() {
                let u = (x as f32 + 0.5) / width as f32 * nx as f32 - 0.5;
                let v = (y as f32 + 0.5) / height as f32 * ny as f32 - 0.5;
                assert!((found - (u - 2.0 * v)).abs() < 1e-4, "{x} {y}: {found}");
            }
        }
    }

    #[test]
    fn small_grids_cover_all_pixels() {
        for (nx, ny) in [(1, 1), (1, 9), (2, 3), (3, 1), (4, 4)] {
            let spline = Spline::new(nx, ny, 20, 20);
            let (mut line, mut out) = (Vec::new(), vec![0.0; 20]);
            for y in 0..20 {
                spline.interpolate_row(&vec![2.5; nx * ny], y, &mut line, &mut out);
                assert!(out.iter().all(|v| (v - 2.5).abs() < 1e-5));
            }
        }
    }
}
