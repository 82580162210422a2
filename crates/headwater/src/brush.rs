//! Brushes: a [`Region`] with a falloff, and what it does to a field of heights, for any model.

use crate::error::InputError;
use crate::field::Field;
use crate::lattice::{Hex, Lattice};
use crate::region::{Falloff, Region};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A place to work on, and how the work fades towards its rim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Brush {
    /// Where.
    pub region: Region,
    /// How it fades.
    #[serde(default)]
    pub falloff: Falloff,
}

/// A cell under a brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrushCell {
    /// Column.
    pub x: usize,
    /// Row.
    pub y: usize,
    /// How strongly the brush works here, 0 to 1.
    pub weight: f32,
}

impl Brush {
    /// A round brush that meets its surroundings without an edge.
    pub fn soft(center: [f64; 2], radius: f64) -> Self {
        Self { region: Region::disc(center, radius), falloff: Falloff::Smooth }
    }

    /// A brush that works with the same strength all over `region`.
    pub fn flat(region: Region) -> Self {
        Self { region, falloff: Falloff::Flat }
    }

    /// The cells under the brush, from the top row down.
    ///
    /// # Errors
    /// [`InputError`] if the region makes no sense.
    pub fn cells(&self, lattice: impl Into<Lattice>) -> Result<Vec<BrushCell>, InputError> {
        let mut touched = Vec::new();
        self.touch(&lattice.into(), &mut touched)?;
        Ok(touched)
    }

    /// Those of them that are in some rows.
    ///
    /// # Errors
    /// [`InputError`] if the region makes no sense.
    pub fn cells_in_rows(
        &self,
        lattice: impl Into<Lattice>,
        rows: Range<usize>,
    ) -> Result<Vec<BrushCell>, InputError> {
        self.region.validate()?;
        let mut touched = Vec::new();
        self.region.visit_rows(&lattice.into(), rows, |(x, y, r)| {
            touched.push(BrushCell { x, y, weight: self.falloff.weight(r) as f32 });
        });
        Ok(touched)
    }

    pub(crate) fn touch(
        &self,
        lattice: &Lattice,
        touched: &mut Vec<BrushCell>,
    ) -> Result<(), InputError> {
        self.region.validate()?;
        self.region.visit(lattice, |(x, y, r)| {
            touched.push(BrushCell { x, y, weight: self.falloff.weight(r) as f32 });
        });
        Ok(())
    }
}

/// How far a brush moves the ground, at its full strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// By a height (m).
    By(f64),
    /// To a level (m), where the ground is not there or beyond.
    To(f64),
}

/// A number that a height may be stored as. The work is done in f64.
pub trait Height: Copy + Into<f64> {
    /// The stored number nearest to a height.
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

/// Draws every touched cell from its height towards `target(cell, height)`, by the part `weight` of
/// the way. Every brush is a target: `height + 2` raises by 2, `height.max(7.0)` raises up to 7, `7.0`
/// flattens to 7.
///
/// ```
/// use headwater::{Brush, Field, Region, Square, brush};
/// let lattice = Square::new(8, 8, 1.0, 1.0)?;
/// let mut bed = Field::new(8, 8, 0.0_f32);
/// let hill = Brush::soft([4.5, 4.5], 3.0).cells(&lattice)?;
/// brush::apply(&mut bed, &hill, |_, height| height + 2.0);
/// assert_eq!(bed[(4, 4)], 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If a touched cell is not on the field.
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

/// Draws every touched cell towards the mean of the cells within `reach` (m, at least one cell)
/// along both axes, as many as are on the grid, by the part `strength · weight` of the way. All
/// cells see the heights from before. The work grows with the touched cells and the rows within reach.
///
/// # Panics
/// If a touched cell is not on the field, or the field has another shape than the grid.
pub fn smooth<T: Height>(
    field: &mut Field<T>,
    touched: &[BrushCell],
    lattice: impl Into<Lattice>,
    reach: f64,
    strength: f64,
) {
    let lattice = lattice.into();
    assert!((field.nx(), field.ny()) == (lattice.nx(), lattice.ny()), "a field of another shape");
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
    let mean = |t: &BrushCell| {
        let (mut sum, mut count) = (0.0, 0);
        for y in t.y.saturating_sub(ry)..(t.y + ry + 1).min(lattice.ny()) {
            let columns = within_reach(&lattice, t, y, rx);
            let row = &sums[y - rows.start];
            sum += row[columns.end] - row[columns.start];
            count += columns.len();
        }
        sum / count as f64
    };
    apply(field, touched, |t, height| height + (mean(t) - height) * strength);
}

fn height_at<T: Height>(field: &Field<T>, t: &BrushCell) -> f64 {
    let height = field.get(t.x, t.y).copied();
    height.unwrap_or_else(|| panic!("cell ({}, {}) is not on the field", t.x, t.y)).into()
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

/// The columns of row `y` whose centres lie up to `reach` cells to the west and east of a cell.
fn within_reach(lattice: &Lattice, t: &BrushCell, y: usize, reach: usize) -> Range<usize> {
    // Of two rows of hexagons one may lie half a cell farther east: then one cell less is in reach.
    let shift = |y: usize| if lattice.is_hex() { Hex::z_offset(y) } else { 0 };
    let (own, there) = (shift(t.y), shift(y));
    let first = (t.x + usize::from(own > there)).saturating_sub(reach);
    let last = t.x + reach - usize::from(own < there);
    first..(last + 1).min(lattice.nx())
}

/// The mean height under a brush, weighted by it, or `None` where it touches nothing.
///
/// # Panics
/// If a touched cell is not on the field.
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
    fn raising_stays_inside_the_brush_and_fades_to_its_rim() {
        let (lattice, mut field) = hill();
        let before = field.clone();
        let touched = Brush::soft([4.5, 3.5], 2.0).cells(lattice).unwrap();
        apply(&mut field, &touched, |_, height| height + 1.0);
        assert_eq!(field[(4, 3)], before[(4, 3)] + 1.0);
        let nearby = field[(5, 3)] - before[(5, 3)];
        assert!(nearby > 0.0 && nearby < 1.0);
        assert_eq!(field[(7, 3)], before[(7, 3)]);
    }

    #[test]
    fn flattening_in_full_reaches_the_level() {
        let (lattice, mut field) = hill();
        let touched = Brush::flat(Region::Everywhere).cells(lattice).unwrap();
        apply(&mut field, &touched, |_, _| 2.5);
        assert_eq!(field.min_max(), Some((2.5, 2.5)));
    }

    #[test]
    fn smoothing_keeps_a_plane_and_lowers_a_peak() {
        let lattice = crate::Square::new(9, 7, 1.0, 1.0).unwrap();
        let mut field = Field::from_fn(9, 7, |x, y| 2.0 * x as f32 + y as f32);
        let inner = Brush::flat(Region::rect([1.0, 1.0], [8.0, 6.0])).cells(lattice).unwrap();
        let plane = field.clone();
        smooth(&mut field, &inner, lattice, 1.0, 1.0);
        assert_eq!(field, plane);
        field[(4, 3)] += 9.0;
        smooth(&mut field, &inner, lattice, 1.0, 1.0);
        assert_eq!(field[(4, 3)], plane[(4, 3)] + 1.0);
    }
}
