//! Uniform parameters of the wave kernels, as a record type shared by Rust and WGSL.

use crate::record::record;
use headwater::waves::Waves;

#[cfg(test)]
pub(crate) const RECORDS: [crate::record::Record; 1] = [WaveParams::RECORD];

record! {
    pub(super) struct WaveParams {
        /// Number of columns of the world.
        nx: u32,
        /// Number of rows of the world.
        ny: u32,
        /// Number of buffer elements from one row to the next.
        pitch: u32,
        /// Always 0. The shader compiler cannot know this value, so it cannot reorder or fuse
        /// operations that use it; see `opaque` in common.wgsl.
        zero_bits: u32,
        flux_retention: f32,
        gain: f32,
        friction: f32,
        quantum: f32,
        /// Flux per unit of height difference (dimensionless) at the faces on the west, east, north
        /// and south edge, in this order.
        edge_gain: [f32; 4],
        /// 1 if the edge is pinned (the height of the surface one cell outside is fixed at 0),
        /// otherwise 0, for each edge: west, east, north, south.
        pinned: [u32; 4],
        /// Width of the absorbing layer (cells) at each edge: west, east, north, south.
        absorbing_widths: [u32; 4],
        /// 1 if two opposite edges are periodic, otherwise 0: the first element for west and east,
        /// the second for north and south.
        periodic_axes: [u32; 2],
        pub(super) per_quantum: f32,
        padding: u32,
    }
}

impl WaveParams {
    pub(super) fn new(waves: &Waves, pitch: usize) -> Self {
        let view = waves.device_view();
        let c = view.coefficients();
        let absorbing_widths = view
            .absorbing_profile()
            .map_or([0; 4], |profile| profile.widths.map(|width| width as u32));
        Self {
            nx: waves.lattice().nx() as u32,
            ny: waves.lattice().ny() as u32,
            pitch: pitch as u32,
            zero_bits: 0,
            flux_retention: c.flux_retention,
            gain: c.gain,
            friction: c.friction,
            quantum: c.quantum,
            edge_gain: c.boundary,
            pinned: view.pinned_edges().map(u32::from),
            absorbing_widths,
            periodic_axes: view.periodic_axes().map(u32::from),
            per_quantum: 1.0 / c.quantum,
            padding: 0,
        }
    }
}
