//! Assembly of the shaders of the waves model. Code for features that a world does not use is
//! omitted.

use super::params::WaveParams;
use crate::canvas::DRAW_GROUP;
use crate::shader::{COMMON, compose};

/// Workgroup size of the step kernel (x, y), in invocations.
pub(crate) const GROUP: [u32; 2] = [64, 4];

/// Workgroup size of the forcing kernel (invocations).
pub(crate) const FORCING_THREADS: u32 = 64;

/// Features of a world for which the step kernel is specialised at compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    /// Whether the flux per unit of height difference differs between faces, because of land or a
    /// wave speed map.
    pub(crate) map: bool,
    /// Whether bodies, gusts or wave makers press on the surface.
    pub(crate) press: bool,
    /// Whether any edge has an absorbing layer.
    pub(crate) layers: bool,
    /// Whether water can cross an edge, so that the flow across edges must be recorded.
    pub(crate) ledger: bool,
}

impl Variant {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..16_u32).map(|i| {
            let has = |bit: u32| i & (1 << bit) != 0;
            Self { map: has(0), press: has(1), layers: has(2), ledger: has(3) }
        })
    }

    pub(crate) fn name(self) -> String {
        let mut name = "waves/step".to_owned();
        let Self { map, press, layers, ledger } = self;
        let parts = [(map, "map"), (press, "press"), (layers, "layers"), (ledger, "ledger")];
        for (_, part) in parts.into_iter().filter(|&(has, _)| has) {
            name.push('-');
            name.push_str(part);
        }
        name
    }

    pub(crate) fn source_code(self) -> String {
        let Self { map, press, layers, ledger } = self;
        let has = [("MAP", map), ("PRESS", press), ("LAYERS", layers), ("LEDGER", ledger)];
        let has = has.map(|(name, has)| (name, u32::from(has)));
        compose(
            &[&[("WIDE", GROUP[0]), ("TALL", GROUP[1])], has.as_slice()].concat(),
            &[
                COMMON,
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
