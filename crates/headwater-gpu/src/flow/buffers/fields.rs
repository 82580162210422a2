//! Fields of a flow world on the device (bed, depths, discharges, momentum): upload and read-back.

use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::layout::Layout;
use headwater::Field;
use headwater::flow::{Momentum, State};
use std::ops::Range;

/// Bed elevation (m) that marks a closed cell (a cell that water cannot enter) on the device, as in
/// world.wgsl.
const CLOSED: f32 = 3e38;

/// Device buffers of the bed, the depths, the discharges and the momentum. Depths and discharges
/// are double-buffered. The depth buffer contains the two halves of its double buffer, followed by
/// the rounding remainders of the depths (changes too small to be stored).
#[derive(Debug)]
pub(crate) struct Fields {
    pub(crate) layout: Layout,
    pub(crate) bed: Buffer<f32>,
    pub(crate) depth: Buffer<f32>,
    pub(crate) x: Buffer<f32>,
    pub(crate) y: Buffer<f32>,
    pub(crate) z: Option<Buffer<f32>>,
    pub(crate) momentum: Option<[Buffer<f32>; 2]>,
}

/// Fields of a flow world that have been read back from the device.
pub(crate) struct ReadBackFields {
    pub(crate) depth: Field<f32>,
    pub(crate) remainder: Field<f32>,
    pub(crate) x: Field<f32>,
    pub(crate) y: Field<f32>,
    pub(crate) z: Option<Field<f32>>,
    pub(crate) momentum: Option<Momentum>,
}

impl Fields {
    pub(crate) fn new(gpu: &Gpu, state: &State) -> Result<Self, GpuError> {
        let layout = Layout::new(state.bed.nx(), state.bed.ny());
        let plane = layout.element_count();
        let fields = Self {
            layout,
            bed: Buffer::new(gpu, "the bed", plane)?,
            depth: Buffer::new(gpu, "the depth", 3 * plane)?,
            x: Buffer::new(gpu, "the discharge through x-faces", 2 * plane)?,
            y: Buffer::new(gpu, "the discharge through y-faces", 2 * plane)?,
            z: match &state.discharge_z {
                None => None,
                Some(_) => Some(Buffer::new(gpu, "the discharge through z-faces", 2 * plane)?),
            },
            momentum: match &state.momentum {
                None => None,
                Some(_) => Some([
                    Buffer::new(gpu, "the momentum to the east", 2 * plane)?,
                    Buffer::new(gpu, "the momentum to the south", 2 * plane)?,
                ]),
            },
        };
        fields.upload(gpu, state);
        Ok(fields)
    }

    pub(crate) fn upload_bed(&self, gpu: &Gpu, state: &State, rows: Range<usize>) {
        let start = rows.start * self.layout.pitch;
        self.bed.write(gpu, start, &self.pack_bed(state, rows));
    }

    /// Returns the bed elevations of the given rows in the memory layout of the device. Closed
    /// cells have the elevation [`CLOSED`].
    fn pack_bed(&self, state: &State, rows: Range<usize>) -> Vec<f32> {
        let Layout { nx, pitch, .. } = self.layout;
        let mut packed = self.layout.pack_rows(&state.bed, rows.clone());
        for (y, place) in rows.zip(packed.chunks_exact_mut(pitch)) {
            for x in (0..nx).filter(|&x| state.closed.contains(x, y)) {
                place[x] = CLOSED;
            }
        }
        packed
    }

    /// Uploads a state. The depths and discharges are written to the first half (index 0) of each
    /// double buffer.
    fn upload(&self, gpu: &Gpu, state: &State) {
        let layout = self.layout;
        self.upload_bed(gpu, state, 0..layout.ny);
        self.depth.write(gpu, 0, &layout.pack(&state.depth));
        self.depth.write(gpu, 2 * layout.element_count(), &layout.pack(&state.remainder));
        self.x.write(gpu, 0, &layout.pack(&state.discharge_x));
        self.y.write(gpu, 0, &layout.pack(&state.discharge_y));
        if let (Some(z), Some(from)) = (&self.z, &state.discharge_z) {
            z.write(gpu, 0, &layout.pack(from));
        }
        if let (Some([x, y]), Some(from)) = (&self.momentum, &state.momentum) {
            x.write(gpu, 0, &layout.pack(&from.x));
            y.write(gpu, 0, &layout.pack(&from.y));
        }
    }

    /// Reads back the depths from half `buffer_h` and the discharges from half `buffer_q` of their
    /// double buffers. Both arguments are 0 or 1.
    pub(crate) async fn read_back(
        &self,
        gpu: &Gpu,
        buffer_h: u32,
        buffer_q: u32,
    ) -> Result<ReadBackFields, GpuError> {
        let layout @ Layout { nx, ny, .. } = self.layout;
        let plane = layout.element_count();
        let of = |buffer: &Buffer<f32>, side: u32| buffer.read(gpu, side as usize * plane, plane);
        let (depth, remainder) = (of(&self.depth, buffer_h)?, of(&self.depth, 2)?);
        let (x, y) = (of(&self.x, buffer_q)?, of(&self.y, buffer_q)?);
        let z = self.z.as_ref().map(|z| of(z, buffer_q)).transpose()?;
        let momentum = match &self.momentum {
            None => None,
            Some([x, y]) => Some([of(x, buffer_q)?, of(y, buffer_q)?]),
        };
        Ok(ReadBackFields {
            depth: flush_subnormals(layout.unpack(&depth.await?, nx, ny)),
            remainder: layout.unpack(&remainder.await?, nx, ny),
            x: layout.unpack(&x.await?, nx + 1, ny),
            y: layout.unpack(&y.await?, nx, ny + 1),
            z: match z {
                None => None,
                Some(z) => Some(layout.unpack(&z.await?, nx + 1, ny + 1)),
            },
            momentum: match momentum {
                None => None,
                Some([x, y]) => Some(Momentum {
                    x: layout.unpack(&x.await?, nx, ny),
                    y: layout.unpack(&y.await?, nx, ny),
                }),
            },
        })
    }
}

/// Replaces negative subnormal depths by 0. Such depths can remain in cells that fall dry on
/// devices that flush subnormal numbers to 0.
pub(crate) fn flush_subnormals(mut depth: Field<f32>) -> Field<f32> {
    let is_rounding = |h: &&mut f32| **h < 0.0 && **h > -f32::MIN_POSITIVE;
    depth.as_mut_slice().iter_mut().filter(is_rounding).for_each(|h| *h = 0.0);
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_subnormal_depths_become_zero_and_others_stay() {
        let smallest = f32::from_bits(1);
        let depths = vec![-smallest, smallest, -1e-9, 0.0, 2.0, -f32::MIN_POSITIVE];
        let found = flush_subnormals(Field::from_vec(3, 2, depths).unwrap());
        assert_eq!(found.as_slice(), [0.0, smallest, -1e-9, 0.0, 2.0, -f32::MIN_POSITIVE]);
    }
}
