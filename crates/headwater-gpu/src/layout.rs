//! Memory layout of fields on the device. Cell fields and face fields have rows of the same pitch,
//! so one index addresses a cell and its faces. Each field has one extra row and column for the
//! faces of the last cells.

use bytemuck::Pod;
use headwater::Field;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) nx: usize,
    pub(crate) ny: usize,
    pub(crate) pitch: usize,
}

/// Row alignment (elements): 128 bytes, the size of a memory transaction.
const ALIGN: usize = 32;

impl Layout {
    pub(crate) fn new(nx: usize, ny: usize) -> Self {
        Self { nx, ny, pitch: (nx + 1).next_multiple_of(ALIGN) }
    }

    /// Returns the number of elements of a field.
    pub(crate) fn plane(self) -> usize {
        self.pitch * (self.ny + 1)
    }

    /// Returns the index of a cell or face.
    pub(crate) fn index(self, (x, y): (usize, usize)) -> usize {
        y * self.pitch + x
    }

    /// Returns a field in device layout.
    pub(crate) fn packed(self, field: &Field<f32>) -> Vec<f32> {
        self.packed_as(field, |&value| value)
    }

    /// Like [`packed`](Self::packed), converting each value.
    pub(crate) fn packed_as<S, T: Pod>(self, field: &Field<S>, to: impl Fn(&S) -> T) -> Vec<T> {
        let mut packed = vec![T::zeroed(); self.plane()];
        for (row, place) in field.rows().zip(packed.chunks_exact_mut(self.pitch)) {
            place.iter_mut().zip(row).for_each(|(place, value)| *place = to(value));
        }
        packed
    }

    /// Returns some rows of a field in device layout.
    pub(crate) fn packed_rows(self, field: &Field<f32>, rows: Range<usize>) -> Vec<f32> {
        let mut packed = vec![0.0; self.pitch * rows.len()];
        for (y, place) in rows.zip(packed.chunks_exact_mut(self.pitch)) {
            place[..field.nx()].copy_from_slice(field.row(y));
        }
        packed
    }

    /// Returns the field of `nx × ny` values from its device layout.
    pub(crate) fn unpacked(self, packed: &[f32], nx: usize, ny: usize) -> Field<f32> {
        self.unpacked_as(packed, [nx, ny], |&value| value)
    }

    /// Like [`unpacked`](Self::unpacked), converting each value.
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
