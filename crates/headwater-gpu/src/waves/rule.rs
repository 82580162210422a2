//! What the kernels of waves know of their world.

use crate::record::record;
use headwater::waves::Waves;

#[cfg(test)]
pub(crate) const RECORDS: [crate::record::Record; 1] = [Rule::RECORD];

record! {
    pub(super) struct Rule {
        /// Cells along x and y, and from one row to the next in store.
        nx: u32,
        ny: u32,
        pitch: u32,
        /// 0; see `opaque` of common.wgsl.
        zero_bits: u32,
        keep: f32,
        gain: f32,
        friction: f32,
        quantum: f32,
        /// Gains of the faces on the west, east, north and south rim.
        boundary: [f32; 4],
        /// 1 where these edges are pinned.
        pinned: [u32; 4],
        /// Cells of the absorbing layers at these edges.
        widths: [u32; 4],
        /// 1 if the west and the east, the north and the south are joined.
        joined: [u32; 2],
        pub(super) per_quantum: f32,
        unused: u32,
    }
}

impl Rule {
    pub(super) fn new(waves: &Waves, pitch: usize) -> Self {
        let elsewhere = waves.device_view();
        let c = elsewhere.coefficients();
        let widths = elsewhere
            .absorbing_profile()
            .map_or([0; 4], |fading| fading.widths.map(|width| width as u32));
        Self {
            nx: waves.lattice().nx() as u32,
            ny: waves.lattice().ny() as u32,
            pitch: pitch as u32,
            zero_bits: 0,
            keep: c.keep,
            gain: c.gain,
            friction: c.friction,
            quantum: c.quantum,
            boundary: c.boundary,
            pinned: elsewhere.pinned().map(u32::from),
            widths,
            joined: elsewhere.periodic_axes().map(u32::from),
            per_quantum: 1.0 / c.quantum,
            unused: 0,
        }
    }
}
