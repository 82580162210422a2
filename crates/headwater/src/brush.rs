//! [`Brush`]: the area of an edit, given as a [`Region`] with a falloff. The module also contains
//! functions that raise, smooth or average a field of heights under a brush.

use crate::error::InputError;
use crate::field::Field;
use crate::lattice::{Hex, Lattice};
use crate::region::{Falloff, Region};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Area of an edit: a region, with a falloff that weakens the edit toward the rim of the region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Brush {
    /// Region of the plane that the edit covers. Coordinates are in metres.
    pub region: Region,
    /// Decrease in the edit's strength from the centre of the region toward its rim.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Cell that a brush covers, with the strength of the brush in this cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrushCell {
    /// Column of the cell.
    pub x: usize,
    /// Row of the cell.
    pub y: usize,
    /// Strength of the brush in this cell, 0 to 1.
    pub weight: f32,
}

impl Brush {
    /// Creates a round brush with a [smooth](Falloff::Smooth) falloff. `center` and `radius` are in
    /// metres.
    pub fn smooth_disc(center: [f64; 2], radius: f64) -> Self {
        Self { region: Region::disc(center, radius), falloff: Falloff::Smooth }
    }

    /// Creates a brush that has full strength (weight 1) everywhere in `region`.
    pub fn with_flat_falloff(region: Region) -> Self {
        Self { region, falloff: Falloff::Flat }
    }

    /// Returns the cells whose centres lie in the brush, with their weights, row by row from the
    /// top.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid.
    pub fn cells(&self, lattice: impl Into<Lattice>) -> Result<Vec<BrushCell>, InputError> {
        let mut cells = Vec::new();
        self.append_cells(&lattice.into(), &mut cells)?;
        Ok(cells)
    }

    /// Returns the cells in the given rows of the grid whose centres lie in the brush, with their
    /// weights.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid.
    pub fn cells_in_rows(
        &self,
        lattice: impl Into<Lattice>,
        rows: Range<usize>,
    ) -> Result<Vec<BrushCell>, InputError> {
        self.region.validate()?;
        let mut cells = Vec::new();
        self.region.visit_cells_in_rows(&lattice.into(), rows, |(x, y, r)| {
            cells.push(BrushCell { x, y, weight: self.falloff.weight(r) as f32 });
        });
        Ok(cells)
    }

    /// Appends to a list the cells in the given rows of the grid whose centres lie in the brush,
    /// with their weights.
    pub(crate) fn append_cells(
        &self,
        lattice: &Lattice,
        cells: &mut Vec<BrushCell>,
    ) -> Result<(), InputError> {
        self.region.validate()?;
        self.region.visit_cells(lattice, |(x, y, r)| {
            cells.push(BrushCell { x, y, weight: self.falloff.weight(r) as f32 });
        });
        Ok(())
    }
}

/// Change to the ground by an edit: a height difference or a target level. The change is applied in
/// full where the brush has full strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Change by this height (m).
    By(f64),
    /// Change to this level (m). Raising affects only ground below the level, and lowering affects
    /// only ground above it.
    To(f64),
}

/// Number type of a field of heights: `f32` or `f64`. Calculations are done in `f64`.
pub trait Height: Copy + Into<f64> {
    /// Converts a height (m) to this number type, rounding to the nearest value.
    fn from_f64(height: f64) -> Self;
}

impl Height for f32 {
    fn from_f64(height: f64) -> Self {
        height as f32
    }
}

impl Height for f64 {
    fn from_f64(height: f64) -> Self {
        height
    }
}

/// Changes the height of each touched cell to `target(cell, height)`, weighted by the brush: a cell
/// with the weight `w` moves by the fraction `w` of the difference. For example, the target `height
/// + 2.0` raises by 2, `height.max(7.0)` raises to at least 7, and `7.0` flattens to 7.
///
/// ```
/// use headwater::{Brush, Field, Region, Square, brush};
/// let lattice = Square::new(8, 8, 1.0, 1.0)?;
/// let mut bed = Field::new(8, 8, 0.0_f32);
/// let hill = Brush::smooth_disc([4.5, 4.5], 3.0).cells(&lattice)?;
/// brush::apply(&mut bed, &hill, |_, height| height + 2.0);
/// assert_eq!(bed[(4, 4)], 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// Panics if a cell is outside of the field.
pub fn apply<T: Height>(
    field: &mut Field<T>,
    touched: &[BrushCell],
    target: impl Fn(&BrushCell, f64) -> f64,
) {
    for t in touched {
        let height: f64 = height_at(field, t);
        let moved = height + (target(t, height) - height) * f64::from(t.weight);
        field[(t.x, t.y)] = T::from_f64(moved);
    }
}

/// Smooths the heights under a brush. Moves the height of each touched cell toward the mean height
/// around the cell, by the fraction `strength · weight`. The mean covers cells at a distance of at
/// most `reach` (m, at least one cell) along both axes. It uses the heights before the call and
/// excludes positions off the grid. The cost is proportional to the number of touched cells times
/// the number of rows within `reach`.
///
/// # Panics
/// Panics if a touched cell is outside of the field, or if the field and the grid differ in shape.
pub fn smooth_heights<T: Height>(
    field: &mut Field<T>,
    touched: &[BrushCell],
    lattice: impl Into<Lattice>,
    reach: f64,
    strength: f64,
) {
    let lattice = lattice.into();
    assert!(
        (field.nx(), field.ny()) == (lattice.nx(), lattice.ny()),
        "the field and the grid differ in shape"
    );
    for t in touched {
        height_at(field, t);
    }
    let cells = |size: f64, n: usize| ((reach / size).round() as usize).clamp(1, n);
    let (rx, ry) = (cells(lattice.dx(), lattice.nx()), cells(lattice.dy(), lattice.ny()));
    let (Some(first), Some(last)) =
        (touched.iter().map(|t| t.y).min(), touched.iter().map(|t| t.y).max())
    else {
        return;
    };
    let rows = first.saturating_sub(ry)..(last + ry + 1).min(lattice.ny());
    let sums: Vec<Vec<f64>> = rows.clone().map(|y| running_sums(field.row(y))).collect();
    // All cells of a row together, so that memory is read in order.
    for touched in touched.chunk_by(|a, b| a.y == b.y) {
        let y = touched[0].y;
        let mut means = vec![(0.0, 0); touched.len()];
        for y in y.saturating_sub(ry)..(y + ry + 1).min(lattice.ny()) {
            let row = &sums[y - rows.start];
            for (t, (sum, count)) in touched.iter().zip(&mut means) {
                let columns = columns_within_reach(&lattice, t, y, rx);
                *sum += row[columns.end] - row[columns.start];
                *count += columns.len();
            }
        }
        for (t, (sum, count)) in touched.iter().zip(means) {
            let mean = sum / count as f64;
            let target = |_: &_, height| height + (mean - height) * strength;
            apply(field, std::slice::from_ref(t), target);
        }
    }
}

fn height_at<T: Height>(field: &Field<T>, touched_cell: &BrushCell) -> f64 {
    let height = field.get(touched_cell.x, touched_cell.y).copied();
    height
        .unwrap_or_else(|| {
            panic!("cell ({}, {}) is outside of the field", touched_cell.x, touched_cell.y)
        })
        .into()
}

fn running_sums<T: Height>(values: &[T]) -> Vec<f64> {
    let mut sums = vec![0.0];
    let mut sum = 0.0;
    for &value in values {
        sum += value.into();
        sums.push(sum);
    }
    sums
}

/// Returns the range of columns in row `y` whose cells are within reach of the cell `touched_cell`:
/// their centres are at most `reach` cell widths west or east of its centre.
fn columns_within_reach(
    lattice: &Lattice,
    touched_cell: &BrushCell,
    y: usize,
    reach: usize,
) -> Range<usize> {
    // On hexagons, a row with a different shift has one fewer cell within reach on one side.
    let shift = |y: usize| if lattice.is_hex() { Hex::z_face_column(y) } else { 0 };
    let (own, other) = (shift(touched_cell.y), shift(y));
    let first = (touched_cell.x + usize::from(own > other)).saturating_sub(reach);
    let last = touched_cell.x + reach - usize::from(own < other);
    first..(last + 1).min(lattice.nx())
}

/// Returns the mean height of the touched cells, weighted by the brush; `None` if the weights sum
/// to 0.
///
/// # Panics
/// Panics if a cell is outside of the field.
pub fn weighted_mean<T: Height>(field: &Field<T>, touched: &[BrushCell]) -> Option<f64> {
    let total: f64 = touched.iter().map(|t| f64::from(t.weight)).sum();
    let sum: f64 = touched.iter().map(|t| f64::from(t.weight) * height_at(field, t)).sum();
    (total > 0.0).then(|| sum / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hill() -> (crate::Square, Field<f32>) {
        (crate::Square::new(9, 7, 1.0, 1.0).unwrap(), Field::from_fn(9, 7, |x, y| (x * y) as f32))
    }

    #[test]
    fn raising_fades_to_zero_at_the_rim() {
        let (lattice, mut field) = hill();
        let before = field.clone();
        let touched = Brush::smooth_disc([4.5, 3.5], 2.0).cells(lattice).unwrap();
        apply(&mut field, &touched, |_, height| height + 1.0);
        assert_eq!(field[(4, 3)], before[(4, 3)] + 1.0);
        let nearby = field[(5, 3)] - before[(5, 3)];
        assert!(nearby > 0.0 && nearby < 1.0);
        assert_eq!(field[(7, 3)], before[(7, 3)]);
    }

    #[test]
    fn flattening_at_full_strength_reaches_the_level() {
        let (lattice, mut field) = hill();
        let touched = Brush::with_flat_falloff(Region::Everywhere).cells(lattice).unwrap();
        apply(&mut field, &touched, |_, _| 2.5);
        assert_eq!(field.min_max(), Some((2.5, 2.5)));
    }

    #[test]
    fn smoothing_preserves_a_plane_and_lowers_a_peak() {
        let lattice = crate::Square::new(9, 7, 1.0, 1.0).unwrap();
        let mut field = Field::from_fn(9, 7, |x, y| 2.0 * x as f32 + y as f32);
        let inner =
            Brush::with_flat_falloff(Region::rect([1.0, 1.0], [8.0, 6.0])).cells(lattice).unwrap();
        let plane = field.clone();
        smooth_heights(&mut field, &inner, lattice, 1.0, 1.0);
        assert_eq!(field, plane);
        field[(4, 3)] += 9.0;
        smooth_heights(&mut field, &inner, lattice, 1.0, 1.0);
        assert_eq!(field[(4, 3)], plane[(4, 3)] + 1.0);
    }
}
