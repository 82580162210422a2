//! Assembly of the shaders of the waves model. Code for features that a world does not use is
//! omitted.

use super::params::WaveParams;
use crate::canvas::DRAW_GROUP;
use crate::shader::{COMMON_SOURCE, compose};

/// Workgroup size of the step kernel (x, y), in invocations.
pub(crate) const STEP_GROUP_SIZE: [u32; 2] = [64, 4];

/// Workgroup size of the forcing kernel (invocations).
pub(crate) const FORCING_THREADS: u32 = 64;

/// Features of a world for which the step kernel is specialised at compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    /// Whether the flux per unit of height difference differs between faces, because of land or a
    /// wave speed map.
    pub(crate) has_gain_map: bool,
    /// Whether bodies, gusts or wave makers exert pressure on the surface.
    pub(crate) has_pressure: bool,
    /// Whether any edge has an absorbing layer.
    pub(crate) has_absorbing_layers: bool,
    /// Whether water can cross an edge, so that the flow across edges must be recorded.
    pub(crate) records_edge_flow: bool,
}

impl Variant {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..16_u32).map(|i| {
            let has = |bit: u32| i & (1 << bit) != 0;
            Self {
                has_gain_map: has(0),
                has_pressure: has(1),
                has_absorbing_layers: has(2),
                records_edge_flow: has(3),
            }
        })
    }

    pub(crate) fn name(self) -> String {
        let mut name = "waves/step".to_owned();
        let Self { has_gain_map, has_pressure, has_absorbing_layers, records_edge_flow } = self;
        let parts = [
            (has_gain_map, "map"),
            (has_pressure, "press"),
            (has_absorbing_layers, "layers"),
            (records_edge_flow, "ledger"),
        ];
        for (_, part) in parts.into_iter().filter(|&(has, _)| has) {
            name.push('-');
            name.push_str(part);
        }
        name
    }

    pub(crate) fn source_code(self) -> String {
        let Self { has_gain_map, has_pressure, has_absorbing_layers, records_edge_flow } = self;
        let has = [
            ("MAP", has_gain_map),
            ("PRESS", has_pressure),
            ("LAYERS", has_absorbing_layers),
            ("LEDGER", records_edge_flow),
        ];
        let has = has.map(|(name, has)| (name, u32::from(has)));
        compose(
            &[&[("WIDE", STEP_GROUP_SIZE[0]), ("TALL", STEP_GROUP_SIZE[1])], has.as_slice()]
                .concat(),
            &[
                COMMON_SOURCE,
                &WaveParams::RECORD.to_wgsl(),
                include_str!("step.wgsl"),
                include_str!("wave_speed_map.wgsl"),
                include_str!("absorbing.wgsl"),
                include_str!("ledger.wgsl"),
            ],
        )
    }
}

pub(crate) fn forcing_source() -> String {
    compose(&[("FORCING_THREADS", FORCING_THREADS)], &[include_str!("forcing.wgsl")])
}

pub(crate) fn draw_source() -> String {
    let [x, y] = DRAW_GROUP;
    let parts = [&WaveParams::RECORD.to_wgsl(), include_str!("draw.wgsl")];
    compose(&[("GROUP_X", x), ("GROUP_Y", y)], &parts)
}

pub(crate) fn all_kernels() -> Vec<(String, &'static str, String)> {
    let steps = Variant::all().map(|variant| (variant.name(), "step", variant.source_code()));
    let others = [
        ("waves/forcing".to_owned(), "apply_forcing", forcing_source()),
        ("waves/draw".to_owned(), "draw", draw_source()),
    ];
    steps.chain(others).collect()
}
