//! Grids from which a painter draws. They contain the fields of a view with NaN values replaced. If
//! cells are finer than pixels, blocks of cells are averaged to about one value per pixel.

use crate::color::Rgb;
use crate::view::View;
use headwater::Field;
use headwater_io::parallel::*;

/// Limit (m) on the magnitude of heights. Heights are clamped to this range so that differences and
/// squares stay finite.
const HEIGHT_LIMIT: f32 = 1e7;

/// Terrain grid. It changes between frames only if the world's terrain is edited.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ground {
    pub(crate) nx: usize,
    pub(crate) ny: usize,
    /// Cell size (m) along x and y.
    pub(crate) cell: [f32; 2],
    /// Bed height of each cell (m above the view's datum); gaps without data are filled smoothly.
    pub(crate) bed: Vec<f32>,
    /// Whether each cell is closed to water (a wall or a building); empty if no cell is closed.
    pub(crate) closed: Vec<bool>,
    /// Whether each cell lacks data; empty if all cells have data.
    pub(crate) lacks_data: Vec<bool>,
    /// Number of grid cells per cell of the world. It is above 1 only if a hexagonal lattice was
    /// resampled to a finer square grid.
    pub(crate) fineness: usize,
    /// Ground colour of each cell, used instead of the palette; empty if the view has no ground
    /// colours.
    pub(crate) tint: Vec<Rgb>,
}

/// Depth and velocity of the water at one time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WaterFields {
    /// Depth (m) of each cell, never negative.
    pub(crate) depth: Vec<f32>,
    /// Eastward and southward velocity (m/s) of each cell; `None` if the view has no velocity.
    pub(crate) velocity: Option<(Vec<f32>, Vec<f32>)>,
}

/// Averages blocks of lattice cells into the cells of [`Ground`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockAverager {
    nx: usize,
    ny: usize,
    x: usize,
    y: usize,
}

impl BlockAverager {
    /// Creates the averager for a picture of `width × height` pixels. Blocks are chosen so that the
    /// averaged grid has at least about one cell per pixel.
    pub(crate) fn new(view: &View<'_>, width: usize, height: usize) -> Self {
        let (nx, ny) = (view.lattice.nx(), view.lattice.ny());
        Self { nx, ny, x: (nx / width).max(1), y: (ny / height).max(1) }
    }

    /// Creates an averager that reduces blocks of `block_size × block_size` cells to one cell each.
    pub(crate) fn with_block_size(nx: usize, ny: usize, block_size: usize) -> Self {
        Self { nx, ny, x: block_size, y: block_size }
    }

    fn reduced_size(&self) -> (usize, usize) {
        (self.nx.div_ceil(self.x), self.ny.div_ceil(self.y))
    }

    /// Returns the mean of `value` over each block. Cells for which `value` returns `None` are left
    /// out. The argument `fallback` is the result for blocks in which no cell has a value.
    pub(crate) fn block_means(
        &self,
        fallback: f32,
        value: impl Fn(usize, usize) -> Option<f32> + Sync,
    ) -> Vec<f32> {
        let (nx, ny) = self.reduced_size();
        let mut means = vec![fallback; nx * ny];
        means.par_chunks_mut(nx).enumerate().for_each(|(y, row)| {
            for (x, mean) in row.iter_mut().enumerate() {
                if self.x == 1 && self.y == 1 {
                    *mean = value(x, y).unwrap_or(fallback);
                    continue;
                }
                let (mut sum, mut count) = (0.0f32, 0u32);
                for v in y * self.y..((y + 1) * self.y).min(self.ny) {
                    for u in x * self.x..((x + 1) * self.x).min(self.nx) {
                        if let Some(value) = value(u, v) {
                            sum += value;
                            count += 1;
                        }
                    }
                }
                if count > 0 {
                    *mean = sum / count as f32;
                }
            }
        });
        means
    }

    /// Returns a mask of the blocks in which `is_set` returns true for at least half of the cells.
    /// The mask is empty if there are no such blocks.
    fn majority_mask(&self, is_set: impl Fn(usize, usize) -> bool + Sync) -> Vec<bool> {
        let mask: Vec<bool> = self
            .block_means(0.0, |x, y| Some(f32::from(u8::from(is_set(x, y)))))
            .into_iter()
            .map(|share| share > 0.499)
            .collect();
        if mask.contains(&true) { mask } else { Vec::new() }
    }
}

impl Ground {
    pub(crate) fn new(view: &View<'_>, averager: BlockAverager, fineness: usize) -> Self {
        let (nx, ny) = averager.reduced_size();
        let unknown = |x: usize, y: usize| {
            !value_or_nan(view.bed, x, y).is_finite()
                || view.no_data.is_some_and(|mask| mask.get(x, y).copied().unwrap_or(false))
        };
        let lacks_data = averager.majority_mask(unknown);
        let mut bed = averager.block_means(f32::NAN, |x, y| {
            (!unknown(x, y))
                .then(|| value_or_nan(view.bed, x, y).clamp(-HEIGHT_LIMIT, HEIGHT_LIMIT))
        });
        if bed.iter().any(|height| height.is_nan()) {
            fill_gaps(&mut bed, nx, ny);
        }
        let closed = view.closed.map_or_else(Vec::new, |mask| {
            averager.majority_mask(|x, y| mask.get(x, y).copied().unwrap_or(false))
        });
        let cell =
            [(view.lattice.width() / nx as f64) as f32, (view.lattice.height() / ny as f64) as f32];
        let tint = view.scenery.and_then(|scenery| scenery.ground.as_ref()).map(|ground| {
            let [red, green, blue] = [0, 1, 2].map(|k| {
                averager
                    .block_means(0.5, |x, y| ground[k].get(x, y).copied().filter(|v| v.is_finite()))
            });
            red.iter().zip(&green).zip(&blue).map(|((&r, &g), &b)| [r, g, b]).collect()
        });
        Self { nx, ny, cell, bed, closed, lacks_data, fineness, tint: tint.unwrap_or_default() }
    }

    /// Returns the indices of the west, east, north and south neighbours of a cell. A neighbour
    /// beyond the edge of the grid is `None`.
    pub(crate) fn neighbours(&self, x: usize, y: usize) -> [Option<usize>; 4] {
        let i = y * self.nx + x;
        [
            (x > 0).then(|| i - 1),
            (x + 1 < self.nx).then_some(i + 1),
            (y > 0).then(|| i - self.nx),
            (y + 1 < self.ny).then_some(i + self.nx),
        ]
    }

    pub(crate) fn is_closed(&self, i: usize) -> bool {
        self.closed.get(i).copied().unwrap_or(false)
    }

    pub(crate) fn lacks_data(&self, i: usize) -> bool {
        self.lacks_data.get(i).copied().unwrap_or(false)
    }
}

impl WaterFields {
    pub(crate) fn new(view: &View<'_>, averager: BlockAverager) -> Self {
        let depth = averager.block_means(0.0, |x, y| {
            let depth = value_or_nan(view.depth, x, y);
            Some(if depth.is_finite() { depth.clamp(0.0, HEIGHT_LIMIT) } else { 0.0 })
        });
        let wet_means = |field: &Field<f32>| {
            averager.block_means(0.0, |x, y| {
                let value = value_or_nan(field, x, y);
                (value.is_finite() && value_or_nan(view.depth, x, y) > 0.0)
                    .then(|| value.clamp(-1e4, 1e4))
            })
        };
        let velocity = view.velocity.map(|(east, south)| (wet_means(east), wet_means(south)));
        Self { depth, velocity }
    }
}

fn value_or_nan(field: &Field<f32>, x: usize, y: usize) -> f32 {
    field.get(x, y).copied().unwrap_or(f32::NAN)
}

/// Replaces NaN values by values interpolated from their surroundings. The grid is averaged to
/// coarser and coarser grids until no gap is left. The gaps are then filled from the coarser grids
/// and smoothed.
fn fill_gaps(values: &mut [f32], nx: usize, ny: usize) {
    let (cx, cy) = (nx.div_ceil(2), ny.div_ceil(2));
    if (cx, cy) == (nx, ny) {
        for value in values.iter_mut().filter(|value| value.is_nan()) {
            *value = 0.0;
        }
        return;
    }
    let mut coarse: Vec<f32> = (0..cx * cy)
        .map(|i| {
            let (x, y) = (i % cx * 2, i / cx * 2);
            let block = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
            let known = block.into_iter().filter(|&(x, y)| x < nx && y < ny);
            let known = known.map(|(x, y)| values[y * nx + x]).filter(|value| !value.is_nan());
            let (sum, count) = known.fold((0.0, 0), |(sum, count), v| (sum + v, count + 1));
            if count > 0 { sum / count as f32 } else { f32::NAN }
        })
        .collect();
    if coarse.iter().any(|value| value.is_nan()) {
        fill_gaps(&mut coarse, cx, cy);
    }
    let holes: Vec<usize> = (0..values.len()).filter(|&i| values[i].is_nan()).collect();
    for &i in &holes {
        values[i] = coarse[i / nx / 2 * cx + i % nx / 2];
    }
    // Smooth the steps of the coarser grid.
    for _ in 0..4 {
        for &i in &holes {
            let (x, y) = (i % nx, i / nx);
            let east_west = values[i - x.min(1)] + values[i + usize::from(x + 1 < nx)];
            let (north, south) = (i - nx * y.min(1), i + nx * usize::from(y + 1 < ny));
            values[i] = 0.25 * (east_west + values[north] + values[south]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater::lattice::Square;

    #[test]
    fn gaps_are_filled_from_surrounding_heights() {
        let (nx, ny) = (7, 5);
        let mut values: Vec<f32> = (0..nx * ny).map(|i| 100.0 + (i % nx) as f32).collect();
        values[8] = f32::NAN;
        values[nx * ny - 1] = f32::NAN;
        fill_gaps(&mut values, nx, ny);
        assert!(values.iter().all(|v| (100.0..=106.0).contains(v)), "{values:?}");
        let mut nothing = vec![f32::NAN; 6];
        fill_gaps(&mut nothing, 3, 2);
        assert_eq!(nothing, vec![0.0; 6]);
    }

    #[test]
    fn reduction_preserves_the_mean_depth() {
        let lattice = Square::new(64, 32, 1.0, 1.0).unwrap();
        let bed = Field::new(64, 32, 0.0);
        let depth = Field::from_fn(64, 32, |x, y| ((x * 7 + y * 3) % 11) as f32);
        let view = View::new(lattice, &bed, &depth);
        let flow = WaterFields::new(&view, BlockAverager::new(&view, 16, 8));
        assert_eq!(flow.depth.len(), 16 * 8);
        let mean = flow.depth.iter().sum::<f32>() / 128.0;
        assert!((f64::from(mean) - depth.sum() / 2048.0).abs() < 1e-3);
    }
}
