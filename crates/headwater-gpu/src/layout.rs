//! How fields lie on the device: in rows of one pitch, of cells and of faces alike, so that one number says where all
//! that belongs to a cell is. There is room for a row and a column more than there are cells, for faces.

use bytemuck::Pod;
use headwater::Field;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) nx: usize,
    pub(crate) ny: usize,
    pub(crate) pitch: usize,
}

/// Rows begin at multiples of so many places: 128 bytes, what devices fetch at once.
const ALIGN: usize = 32;

impl Layout {
    pub(crate) fn new(nx: usize, ny: usize) -> Self {
        Self { nx, ny, pitch: (nx + 1).next_multiple_of(ALIGN) }
    }

    /// Places of one field.
    pub(crate) fn plane(self) -> usize {
        self.pitch * (self.ny + 1)
    }

    /// The place of a cell, or of a face.
    pub(crate) fn place(self, (x, y): (usize, usize)) -> usize {
        y * self.pitch + x
    }

    /// A field as it lies on the device.
    pub(crate) fn packed(self, field: &Field<f32>) -> Vec<f32> {
        self.packed_as(field, |&value| value)
    }

    /// The same of a field whose values are others on the device.
    pub(crate) fn packed_as<S, T: Pod>(self, field: &Field<S>, to: impl Fn(&S) -> T) -> Vec<T> {
        let mut packed = vec![T::zeroed(); self.plane()];
        for (row, place) in field.rows().zip(packed.chunks_exact_mut(self.pitch)) {
            place.iter_mut().zip(row).for_each(|(place, value)| *place = to(value));
        }
        packed
    }

    /// Some rows of a field, as they lie on the device.
    pub(crate) fn packed_rows(self, field: &Field<f32>, rows: Range<usize>) -> Vec<f32> {
        let mut packed = vec![0.0; self.pitch * rows.len()];
        for (y, place) in rows.zip(packed.chunks_exact_mut(self.pitch)) {
            place[..field.nx()].copy_from_slice(field.row(y));
        }
        packed
    }

    /// The field of `nx × ny` values that lies on the device as `packed`.
    pub(crate) fn unpacked(self, packed: &[f32], nx: usize, ny: usize) -> Field<f32> {
        self.unpacked_as(packed, [nx, ny], |&value| value)
    }

    /// The same of a field whose values are others on the device.
    pub(crate) fn unpacked_as<S, T>(
        self,
        packed: &[S],
        [nx, ny]: [usize; 2],
        to: impl Fn(&S) -> T,
    ) -> Field<T> {
        Field::from_fn(nx, ny, |x, y| to(&packed[self.place((x, y))]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let layout = Layout::new(37, 5);
        assert_eq!(layout.pitch, 64);
        let field = Field::from_fn(38, 6, |x, y| (x + 100 * y) as f32);
        assert_eq!(layout.unpacked(&layout.packed(&field), 38, 6), field);
    }
}
