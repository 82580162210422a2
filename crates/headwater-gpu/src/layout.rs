//! Memory layout of grid fields in device buffers. Cell fields and face fields have rows of the
//! same pitch, so one index addresses a cell and its west and north faces. Each field has one extra
//! row and column for the faces after the last cells.

use bytemuck::Pod;
use headwater::Field;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) nx: usize,
    pub(crate) ny: usize,
    pub(crate) pitch: usize,
}

/// Alignment of rows (elements of 4 bytes): 128 bytes, the size of a memory transaction.
const ALIGN: usize = 32;

impl Layout {
    pub(crate) fn new(nx: usize, ny: usize) -> Self {
        Self { nx, ny, pitch: (nx + 1).next_multiple_of(ALIGN) }
    }

    /// Returns the number of buffer elements that a field occupies, including padding.
    pub(crate) fn plane(self) -> usize {
        self.pitch * (self.ny + 1)
    }

    /// Returns the buffer index of the cell or face in column `x` and row `y`.
    pub(crate) fn index(self, (x, y): (usize, usize)) -> usize {
        y * self.pitch + x
    }

    /// Converts a field to device layout; padding is 0.
    pub(crate) fn packed(self, field: &Field<f32>) -> Vec<f32> {
        self.packed_as(field, |&value| value)
    }

    /// Like [`packed`](Self::packed), but converts each value with `to`.
    pub(crate) fn packed_as<S, T: Pod>(self, field: &Field<S>, to: impl Fn(&S) -> T) -> Vec<T> {
        let mut packed = vec![T::zeroed(); self.plane()];
        for (row, place) in field.rows().zip(packed.chunks_exact_mut(self.pitch)) {
            place.iter_mut().zip(row).for_each(|(place, value)| *place = to(value));
        }
        packed
    }

    /// Converts the given rows of a field to device layout; padding is 0.
    pub(crate) fn packed_rows(self, field: &Field<f32>, rows: Range<usize>) -> Vec<f32> {
        let mut packed = vec![0.0; self.pitch * rows.len()];
        for (y, place) in rows.zip(packed.chunks_exact_mut(self.pitch)) {
            place[..field.nx()].copy_from_slice(field.row(y));
        }
        packed
    }

    /// Converts `nx × ny` values from device layout to a field.
    pub(crate) fn unpacked(self, packed: &[f32], nx: usize, ny: usize) -> Field<f32> {
        self.unpacked_as(packed, [nx, ny], |&value| value)
    }

    /// Like [`unpacked`](Self::unpacked), but converts each value with a closure.
    pub(crate) fn unpacked_as<S, T>(
        self,
        packed: &[S],
        [nx, ny]: [usize; 2],
        to: impl Fn(&S) -> T,
    ) -> Field<T> {
        Field::from_fn(nx, ny, |x, y| to(&packed[self.index((x, y))]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_and_unpacking_round_trip() {
        let layout = Layout::new(37, 5);
        assert_eq!(layout.pitch, 64);
        let field = Field::from_fn(38, 6, |x, y| (x + 100 * y) as f32);
        assert_eq!(layout.unpacked(&layout.packed(&field), 38, 6), field);
    }
}
