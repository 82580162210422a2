//! [`Field<T>`]: a dense 2-D array for values per cell. Row 0 is the top (north) row, as in images
//! and rasters.
//!
//! A field stores no cell size and no units; see [`crate::lattice`] for positions.

use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};

/// A dense `nx × ny` array in row-major order, addressed as `field[(x, y)]`.
///
/// `x` increases to the east, `y` to the south. Indexing panics if `x` or `y` is out of bounds.
/// Loops over many cells are faster on [rows](Self::row).
///
/// ```
/// use headwater::Field;
/// let mut bed = Field::from_fn(4, 3, |x, y| (x + 10 * y) as f32);
/// bed[(3, 2)] += 0.5;
/// assert_eq!(bed.row(2), &[20.0, 21.0, 22.0, 23.5]);
/// ```
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    try_from = "UncheckedField<T>",
    bound(serialize = "T: Serialize + 'static", deserialize = "T: Deserialize<'de> + 'static")
)]
pub struct Field<T> {
    nx: usize,
    ny: usize,
    #[serde(with = "crate::numbers")]
    data: Vec<T>,
}

impl<T: Clone> Clone for Field<T> {
    fn clone(&self) -> Self {
        Self { nx: self.nx, ny: self.ny, data: self.data.clone() }
    }

    /// Copies `source` into the allocation of `self`; a derived implementation would allocate
    /// again.
    fn clone_from(&mut self, source: &Self) {
        (self.nx, self.ny) = (source.nx, source.ny);
        self.data.clone_from(&source.data);
    }
}

/// Error of [`Field::from_vec`]: the number of values does not match the requested shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a field of {nx} × {ny} cells needs {nx} × {ny} values, found {found}")]
pub struct ShapeError {
    /// Requested number of columns.
    pub nx: usize,
    /// Requested number of rows.
    pub ny: usize,
    /// Number of values in the data.
    pub found: usize,
}

#[derive(Deserialize)]
#[serde(bound = "T: Deserialize<'de> + 'static")]
struct UncheckedField<T> {
    nx: usize,
    ny: usize,
    #[serde(with = "crate::numbers")]
    data: Vec<T>,
}

impl<T> TryFrom<UncheckedField<T>> for Field<T> {
    type Error = ShapeError;
    fn try_from(parts: UncheckedField<T>) -> Result<Self, ShapeError> {
        Field::from_vec(parts.nx, parts.ny, parts.data)
    }
}

impl<T> Field<T> {
    /// Creates a field from `data`, which contains the values in row-major order from the top.
    ///
    /// # Errors
    /// Returns [`ShapeError`] unless `data.len() == nx · ny`.
    pub fn from_vec(nx: usize, ny: usize, data: Vec<T>) -> Result<Self, ShapeError> {
        if nx.checked_mul(ny) == Some(data.len()) {
            Ok(Self { nx, ny, data })
        } else {
            Err(ShapeError { nx, ny, found: data.len() })
        }
    }

    /// Creates a field whose value at column `x`, row `y` is `value(x, y)`.
    ///
    /// # Panics
    /// Panics if the number of cells overflows or the allocation fails.
    pub fn from_fn(nx: usize, ny: usize, mut value: impl FnMut(usize, usize) -> T) -> Self {
        let mut data = Vec::with_capacity(cell_count(nx, ny));
        for y in 0..ny {
            data.extend((0..nx).map(|x| value(x, y)));
        }
        Self { nx, ny, data }
    }

    /// Returns the number of columns.
    pub fn nx(&self) -> usize {
        self.nx
    }

    /// Returns the number of rows.
    pub fn ny(&self) -> usize {
        self.ny
    }

    /// Returns the value at column `x`, row `y`; `None` if the position is out of bounds.
    pub fn get(&self, x: usize, y: usize) -> Option<&T> {
        (x < self.nx && y < self.ny).then(|| &self.data[y * self.nx + x])
    }

    /// Returns the values of row `y`, from west to east.
    pub fn row(&self, y: usize) -> &[T] {
        &self.data[y * self.nx..(y + 1) * self.nx]
    }

    /// Returns the values of row `y` mutably, from west to east.
    pub fn row_mut(&mut self, y: usize) -> &mut [T] {
        &mut self.data[y * self.nx..(y + 1) * self.nx]
    }

    /// Iterates over the rows as slices, from top to bottom.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[T]> {
        self.data.chunks_exact(self.nx.max(1))
    }

    /// Returns all values in row-major order from the top.
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }

    /// Returns all values mutably, in row-major order from the top.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data
    }

    /// Converts the field to a vector of its values in row-major order from the top.
    pub fn into_vec(self) -> Vec<T> {
        self.data
    }

    /// Returns a field of the same shape in which each value is the result of `f` for the original
    /// value.
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> Field<U> {
        Field { nx: self.nx, ny: self.ny, data: self.data.iter().map(f).collect() }
    }

    /// Returns whether `other` has the same numbers of columns and rows as this field.
    pub fn has_same_shape<U>(&self, other: &Field<U>) -> bool {
        self.nx == other.nx && self.ny == other.ny
    }
}

impl<T: Clone> Field<T> {
    /// Returns a new field that consists of copies of the given rows, in the given order.
    ///
    /// # Panics
    /// Panics if a row is out of bounds.
    #[must_use]
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        let mut data = Vec::with_capacity(rows.len() * self.nx);
        rows.iter().for_each(|&y| data.extend_from_slice(self.row(y)));
        Self { nx: self.nx, ny: rows.len(), data }
    }

    /// Creates a field with the same `value` everywhere.
    ///
    /// # Panics
    /// Panics if the number of cells overflows or the allocation fails.
    pub fn new(nx: usize, ny: usize, value: T) -> Self {
        Self { nx, ny, data: vec![value; cell_count(nx, ny)] }
    }

    /// Changes the shape of the field to `nx × ny` cells and sets every cell to `value`. Reuses the
    /// allocation.
    ///
    /// # Panics
    /// Panics under the same conditions as [`new`](Self::new).
    pub fn reset(&mut self, nx: usize, ny: usize, value: T) {
        let cells = cell_count(nx, ny);
        (self.nx, self.ny) = (nx, ny);
        self.data.clear();
        self.data.resize(cells, value);
    }
}

impl<T> Default for Field<T> {
    /// Creates a field without cells.
    fn default() -> Self {
        Self { nx: 0, ny: 0, data: Vec::new() }
    }
}

impl Field<f32> {
    /// Returns the bilinear interpolation of the values at the fractional column `x` and row `y`.
    /// The sample points are at integer coordinates. Positions outside of the field are clamped to
    /// its rim.
    ///
    /// # Panics
    /// Panics if the field is empty.
    pub fn sample(&self, x: f64, y: f64) -> f32 {
        self.interpolate(BilinearWeights::new([x, y], [self.nx, self.ny]))
    }

    #[inline]
    pub(crate) fn interpolate(&self, interpolation: BilinearWeights) -> f32 {
        let BilinearWeights { x: [x0, x1], y: [y0, y1], weights: [tx, ty] } = interpolation;
        let top = lerp(self[(x0, y0)], self[(x1, y0)], tx);
        let bottom = lerp(self[(x0, y1)], self[(x1, y1)], tx);
        lerp(top, bottom, ty)
    }

    /// Returns the smallest and the largest finite value as a pair; `None` if no value is finite.
    pub fn min_max(&self) -> Option<(f32, f32)> {
        self.data.iter().copied().filter(|v| v.is_finite()).fold(None, |range, v| match range {
            None => Some((v, v)),
            Some((low, high)) => Some((v.min(low), v.max(high))),
        })
    }

    /// Returns the sum of all values. The sum is accumulated in `f64`, in row-major order.
    pub fn sum(&self) -> f64 {
        self.data.iter().map(|&v| f64::from(v)).sum()
    }
}

fn cell_count(nx: usize, ny: usize) -> usize {
    // An overflowing product would make the shape inconsistent with the data.
    nx.checked_mul(ny).expect("the number of cells exceeds `usize::MAX`")
}

/// Four sample points around a position and their weights in a bilinear interpolation.
#[derive(Clone, Copy)]
pub(crate) struct BilinearWeights {
    /// Columns to the west and to the east of the position.
    pub(crate) x: [usize; 2],
    /// Rows to the north and to the south of the position.
    pub(crate) y: [usize; 2],
    /// Weights (0 to 1) of the eastern column and of the southern row.
    pub(crate) weights: [f32; 2],
}

impl BilinearWeights {
    /// Returns the weights at a fractional column and row, among sample points at integer
    /// coordinates. Positions outside of the `nx × ny` sample points are clamped.
    #[inline]
    pub(crate) fn new([x, y]: [f64; 2], [nx, ny]: [usize; 2]) -> Self {
        let ((x, tx), (y, ty)) = (split_fraction(x, nx), split_fraction(y, ny));
        Self { x: [x, (x + 1).min(nx - 1)], y: [y, (y + 1).min(ny - 1)], weights: [tx, ty] }
    }
}

/// Converts a position along an axis with sample points at 0 to `n − 1`. Returns the index of the
/// preceding sample point and the fraction of the way to the next one (0 to 1). The position is
/// clamped to the range of the sample points.
pub(crate) fn split_fraction(position: f64, n: usize) -> (usize, f32) {
    let inside = position.clamp(0.0, (n - 1) as f64);
    let before = inside as usize;
    (before, (inside - before as f64) as f32)
}

pub(crate) fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// Panics if the column or the row of a position is out of bounds. A check of the index in the data
/// would not suffice, because a column beyond the last one has the index of a cell in the next row.
#[inline(always)]
#[track_caller]
fn assert_in_bounds((x, y): (usize, usize), (nx, ny): (usize, usize)) {
    if x >= nx || y >= ny {
        panic_out_of_bounds((x, y), (nx, ny));
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn panic_out_of_bounds((x, y): (usize, usize), (nx, ny): (usize, usize)) -> ! {
    panic!("column {x}, row {y} is out of bounds of a field of {nx} × {ny} cells");
}

/// Panics if the column or the row is out of bounds.
impl<T> Index<(usize, usize)> for Field<T> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, (x, y): (usize, usize)) -> &T {
        assert_in_bounds((x, y), (self.nx, self.ny));
        &self.data[y * self.nx + x]
    }
}

/// Panics if the column or the row is out of bounds.
impl<T> IndexMut<(usize, usize)> for Field<T> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut T {
        assert_in_bounds((x, y), (self.nx, self.ny));
        &mut self.data[y * self.nx + x]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_number_of_values_is_rejected() {
        assert_eq!(Field::from_vec(3, 2, vec![0.0; 5]), Err(ShapeError { nx: 3, ny: 2, found: 5 }));
        assert!(Field::<f32>::from_vec(usize::MAX, 2, Vec::new()).is_err());
    }

    #[test]
    fn columns_and_rows_out_of_bounds_panic() {
        let mut field = Field::new(4, 3, 0.0);
        // The second and the last position would be in bounds of the data.
        for at in [(3, 3), (4, 0), (0, 3), (usize::MAX, 1), (0, usize::MAX), (0, 1 << 62)] {
            let read = || field[at];
            assert!(std::panic::catch_unwind(read).is_err(), "{at:?}");
            let write = std::panic::AssertUnwindSafe(|| field[at] = 1.0);
            assert!(std::panic::catch_unwind(write).is_err(), "{at:?}");
        }
        assert_eq!(field.sum(), 0.0);
    }

    #[test]
    fn sampling_interpolates_inside_and_clamps_outside() {
        let plane = Field::from_fn(5, 3, |x, y| 2.0 * x as f32 - y as f32);
        assert_eq!(plane.sample(1.25, 0.5), 2.0);
        assert_eq!(plane.sample(4.0, 2.0), 6.0);
        assert_eq!(plane.sample(-7.0, 99.0), -2.0);
    }
}
