//! Memory layout of grid fields in device buffers. Fields over cells and fields over faces have the
//! same row pitch, so one index addresses a cell, its west face and its north face. Each field has
//! one extra row and column for the faces after the last cells.

use bytemuck::Pod;
use headwater::Field;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) nx: usize,
    pub(crate) ny: usize,
    pub(crate) pitch: usize,
}

/// Alignment of rows, in elements of 4 bytes. 32 elements are 128 bytes, the size of a memory
/// transaction.
const ROW_ALIGNMENT: usize = 32;

impl Layout {
    pub(crate) fn new(nx: usize, ny: usize) -> Self {
        Self { nx, ny, pitch: (nx + 1).next_multiple_of(ROW_ALIGNMENT) }
    }

    /// Returns the number of buffer elements that a field occupies, including padding.
    pub(crate) fn element_count(self) -> usize {
        self.pitch * (self.ny + 1)
    }

    /// Returns the buffer index of the cell or face in column `x` and row `y`.
    pub(crate) fn index(self, (x, y): (usize, usize)) -> usize {
        y * self.pitch + x
    }

    /// Converts a field to the memory layout of the device. Padding is 0.
    pub(crate) fn pack(self, field: &Field<f32>) -> Vec<f32> {
        self.pack_with(field, |&value| value)
    }

    /// Converts a field to the memory layout of the device, with `convert` applied to each value.
    /// Padding is 0.
    pub(crate) fn pack_with<S, T: Pod>(
        self,
        field: &Field<S>,
        convert: impl Fn(&S) -> T,
    ) -> Vec<T> {
        let mut packed = vec![T::zeroed(); self.element_count()];
        for (row, place) in field.rows().zip(packed.chunks_exact_mut(self.pitch)) {
            place.iter_mut().zip(row).for_each(|(place, value)| *place = convert(value));
        }
        packed
    }

    /// Converts the given rows of a field to the memory layout of the device. Padding is 0.
    pub(crate) fn pack_rows(self, field: &Field<f32>, rows: Range<usize>) -> Vec<f32> {
        let mut packed = vec![0.0; self.pitch * rows.len()];
        for (y, place) in rows.zip(packed.chunks_exact_mut(self.pitch)) {
            place[..field.nx()].copy_from_slice(field.row(y));
        }
        packed
    }

    /// Converts a buffer in the memory layout of the device to a field with `nx` columns and `ny`
    /// rows.
    pub(crate) fn unpack(self, packed: &[f32], nx: usize, ny: usize) -> Field<f32> {
        self.unpack_with(packed, [nx, ny], |&value| value)
    }

    /// Converts a buffer in the memory layout of the device to a field with `nx` columns and `ny`
    /// rows, with `convert` applied to each value.
    pub(crate) fn unpack_with<S, T>(
        self,
        packed: &[S],
        [nx, ny]: [usize; 2],
        convert: impl Fn(&S) -> T,
    ) -> Field<T> {
        Field::from_fn(nx, ny, |x, y| convert(&packed[self.index((x, y))]))
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
        assert_eq!(layout.unpack(&layout.pack(&field), 38, 6), field);
    }
}
