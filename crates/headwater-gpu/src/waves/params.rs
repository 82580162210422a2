//! Parameters of the wave kernels, shared by Rust and WGSL.

use crate::record::record;
use headwater::waves::Waves;

#[cfg(test)]
pub(crate) const RECORDS: [crate::record::Record; 1] = [WaveParams::RECORD];

record! {
    pub(super) struct WaveParams {
        /// Columns, rows, and the row pitch of the buffers.
        nx: u32,
        ny: u32,
        pitch: u32,
        /// Always 0; see `opaque` in common.wgsl.
        zero_bits: u32,
        keep: f32,
        gain: f32,
        friction: f32,
        quantum: f32,
        /// Gains of the faces on the west, east, north and south edge.
        boundary: [f32; 4],
        /// 1 for pinned edges (west, east, north, south).
        pinned: [u32; 4],
        /// Widths of the absorbing layers at the edges (cells).
        widths: [u32; 4],
        /// 1 if the west and east edges, and the north and south edges, are periodic.
        periodic_axes: [u32; 2],
        pub(super) per_quantum: f32,
        padding: u32,
    }
}

impl WaveParams {
    pub(super) fn new(waves: &Waves, pitch: usize) -> Self {
        let view = waves.device_view();
        let c = view.coefficients();
        let widths = view
            .absorbing_profile()
            .map_or([0; 4], |profile| profile.widths.map(|width| width as u32));
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
            pinned: view.pinned().map(u32::from),
            widths,
            periodic_axes: view.periodic_axes().map(u32::from),
            per_quantum: 1.0 / c.quantum,
            padding: 0,
        }
    }
}
