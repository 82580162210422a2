//! [`Overview`]: a regular sample of the cells of a distributed world. Pictures are drawn from this
//! sample.

use super::bits::CellMask;
use headwater::distributed::{BlockView, RowFields};
use headwater::flow::{State, View};
use headwater::{Field, Hex, Lattice, Square};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Maximum number of sampled cells, chosen to exceed the number of pixels in a picture.
const MAX_CELLS: usize = 1 << 22;

/// Returns the spacing between sampled cells, in cells; 1 if all cells are sampled.
pub(super) fn sample_spacing(lattice: &Lattice) -> usize {
    let mut step = 1;
    while lattice.nx().div_ceil(step) * lattice.ny().div_ceil(step) > MAX_CELLS {
        step += 1;
    }
    step
}

/// Iterates over the sampled rows in `rows`. Each item is the index of the row in the world and its
/// index in the sample.
fn sampled_rows(rows: Range<usize>, step: usize) -> impl Iterator<Item = (usize, usize)> {
    let first = rows.start.div_ceil(step) * step;
    (first..rows.end).step_by(step).map(move |y| (y, y / step))
}

fn every_nth<T: Copy>(row: &[T], step: usize) -> Vec<T> {
    row.iter().step_by(step).copied().collect()
}

/// Samples the ground and the initial water in `rows` while a world is being built. The fields in
/// `window` and `no_data` may cover more rows; their first row is the row `first_row` of the world.
/// `step` is the spacing between sampled cells, in cells.
pub(super) fn sample_window(
    window: &RowFields,
    no_data: &Field<bool>,
    first_row: usize,
    rows: Range<usize>,
    step: usize,
) -> Vec<RowSample> {
    let strips = sampled_rows(rows, step).map(|(y, row)| {
        let y = y - first_row;
        let open = || vec![false; window.bed.nx().div_ceil(step)];
        let closed =
            window.closed.as_ref().map_or_else(open, |closed| every_nth(closed.row(y), step));
        let mut strip = RowSample::new(row, every_nth(window.depth.row(y), step));
        let lacks_data = every_nth(no_data.row(y), step);
        let obstacles =
            closed.iter().zip(&lacks_data).map(|(closed, lacks_data)| *closed && !lacks_data);
        let obstacles = obstacles.collect();
        strip.ground = Some(GroundRowSample {
            bed: every_nth(window.bed.row(y), step),
            obstacles,
            lacks_data,
        });
        strip
    });
    strips.collect()
}

/// Samples the depth and the velocity in a block of rows. If `ground` is `Some`, also samples the
/// ground; `ground` then contains the mask of cells without data, or `None` if all cells have data.
/// `step` is the spacing between sampled cells, in cells.
pub(super) fn sample_block(
    block: &BlockView<'_>,
    step: usize,
    ground: Option<Option<&CellMask>>,
) -> Vec<RowSample> {
    let velocity = [View::VelocityX, View::VelocityY].map(|view| block.layer(view));
    let rows = block.rows();
    let strips = sampled_rows(rows.clone(), step).map(|(y, row)| {
        let depth = every_nth(block.state().depth.row(block.local_row(y)), step);
        let mut strip = RowSample::new(row, depth);
        strip.ground = ground.map(|void| {
            let State { bed, closed, .. } = block.state();
            let columns = || (0..bed.nx()).step_by(step);
            let lacks_data: Vec<_> =
                columns().map(|x| void.is_some_and(|void| void.get(x, y))).collect();
            let is_closed = columns().map(|x| closed.contains(x, block.local_row(y)));
            let obstacles =
                is_closed.zip(&lacks_data).map(|(closed, lacks_data)| closed && !lacks_data);
            let obstacles = obstacles.collect();
            GroundRowSample {
                bed: every_nth(bed.row(block.local_row(y)), step),
                obstacles,
                lacks_data,
            }
        });
        strip.velocity =
            Some(velocity.each_ref().map(|field| every_nth(field.row(y - rows.start), step)));
        strip
    });
    strips.collect()
}

/// Samples the maximum depths over time in a block of rows. `step` is the spacing between sampled
/// cells, in cells.
pub(super) fn sample_max_depth(block: &BlockView<'_>, step: usize) -> Vec<RowSample> {
    let (deepest, rows) = (block.layer(View::MaxDepth), block.rows());
    let strips = sampled_rows(rows.clone(), step)
        .map(|(y, row)| RowSample::new(row, every_nth(deepest.row(y - rows.start), step)));
    strips.collect()
}

/// Bed elevations, obstacles and missing data at the sampled cells of a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct GroundRowSample {
    /// Bed elevations above the datum (m).
    pub(super) bed: Vec<f32>,
    /// Whether each sampled cell is an obstacle.
    pub(super) obstacles: Vec<bool>,
    /// Whether each sampled cell has no data.
    pub(super) lacks_data: Vec<bool>,
}

/// Sampled cells of one row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct RowSample {
    /// Row index in the sample (not in the world).
    pub(super) row: usize,
    /// Bed elevations, obstacles and missing data at the sampled cells. Given only in the first
    /// sample of the row and after the ground has changed.
    pub(super) ground: Option<GroundRowSample>,
    /// Water depths (m).
    pub(super) depth: Vec<f32>,
    /// Eastward and southward velocities (m/s); `None` if they were not sampled.
    pub(super) velocity: Option<[Vec<f32>; 2]>,
}

impl RowSample {
    /// Creates the sample of a row from its water depths (m), without ground and velocities.
    fn new(row: usize, depth: Vec<f32>) -> Self {
        Self { row, ground: None, depth, velocity: None }
    }
}

/// Ground and water at every `step`-th cell of every `step`-th row of a world.
#[derive(Clone, Debug)]
pub(super) struct Overview {
    /// Spacing between sampled cells, in cells; 1 if all cells are sampled.
    pub(super) step: usize,
    pub(super) lattice: Lattice,
    pub(super) bed: Field<f32>,
    pub(super) depth: Field<f32>,
    /// Whether each sampled cell is an obstacle.
    pub(super) closed: Field<bool>,
    pub(super) no_data: Field<bool>,
    pub(super) velocity: [Field<f32>; 2],
}

impl Overview {
    /// Creates the sample of a world on a lattice, with all values 0. Returns `None` if the lattice
    /// of the sample would be invalid.
    pub(super) fn new(lattice: &Lattice) -> Option<Self> {
        let step = sample_spacing(lattice);
        let (nx, ny) = (lattice.nx().div_ceil(step), lattice.ny().div_ceil(step));
        let far = step as f64;
        let reduced = match lattice {
            _ if step == 1 => *lattice,
            Lattice::Square(of) => Square::new(nx, ny, far * of.dx(), far * of.dy()).ok()?.into(),
            Lattice::Hex(of) => Hex::new(nx, ny, far * of.spacing()).ok()?.into(),
        };
        let zeros = || Field::new(nx, ny, 0.0);
        Some(Self {
            step,
            lattice: reduced,
            bed: zeros(),
            depth: zeros(),
            closed: Field::new(nx, ny, false),
            no_data: Field::new(nx, ny, false),
            velocity: [zeros(), zeros()],
        })
    }

    /// Returns the number of cells that are sampled on a lattice.
    pub(super) fn cell_count(lattice: &Lattice) -> usize {
        let step = sample_spacing(lattice);
        lattice.nx().div_ceil(step) * lattice.ny().div_ceil(step)
    }

    /// Copies sampled rows into the fields of the sample. Returns false if a row does not fit the
    /// sample.
    pub(super) fn store_rows(&mut self, mut row_samples: Vec<RowSample>) -> bool {
        // Rows with ground contain the initial water, and may come from a process that no longer
        // owns the row. Rows with the current water must overwrite them.
        row_samples.sort_by_key(|strip| strip.ground.is_none());
        row_samples.into_iter().all(|strip| self.store_row(strip).is_some())
    }

    fn store_row(&mut self, row_sample: RowSample) -> Option<()> {
        let RowSample { row, ground, depth, velocity, .. } = row_sample;
        if row >= self.lattice.ny() {
            return None;
        }
        if let Some(GroundRowSample { bed, obstacles, lacks_data }) = ground {
            copy_row(&mut self.bed, row, &bed)?;
            copy_row(&mut self.closed, row, &obstacles)?;
            copy_row(&mut self.no_data, row, &lacks_data)?;
        }
        copy_row(&mut self.depth, row, &depth)?;
        let velocity = velocity.iter().flatten();
        self.velocity
            .iter_mut()
            .zip(velocity)
            .try_for_each(|(target, new)| copy_row(target, row, new))
    }
}

fn copy_row<T: Copy>(field: &mut Field<T>, row: usize, new: &[T]) -> Option<()> {
    let target = field.row_mut(row);
    (target.len() == new.len()).then(|| target.copy_from_slice(new))
}
