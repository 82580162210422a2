//! The shaders of waves, put together from what a world has.

use super::rule::Rule;
use crate::canvas::DRAW_GROUP;
use crate::shader::{COMMON, compose};

/// Invocations of a workgroup of a step, along x and y.
pub(crate) const GROUP: [u32; 2] = [64, 4];

pub(crate) const ENTRIES: u32 = 64;

/// What a world has, and so what its step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    /// Each face has a gain of its own.
    pub(crate) map: bool,
    pub(crate) press: bool,
    /// An edge absorbs.
    pub(crate) layers: bool,
    /// Something can cross an edge.
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

    pub(crate) fn text(self) -> String {
        let Self { map, press, layers, ledger } = self;
        let has = [("MAP", map), ("PRESS", press), ("LAYERS", layers), ("LEDGER", ledger)];
        let has = has.map(|(name, has)| (name, u32::from(has)));
        compose(
            &[&[("WIDE", GROUP[0]), ("TALL", GROUP[1])], has.as_slice()].concat(),
            &[
                COMMON,
                &Rule::RECORD.declared(),
                include_str!("step.wgsl"),
                include_str!("medium.wgsl"),
                include_str!("absorbing.wgsl"),
                include_str!("ledger.wgsl"),
            ],
        )
    }
}

pub(crate) fn stir() -> String {
    compose(&[("ENTRIES", ENTRIES)], &[include_str!("stir.wgsl")])
}

pub(crate) fn draw() -> String {
    let [x, y] = DRAW_GROUP;
    let parts = [&Rule::RECORD.declared(), include_str!("draw.wgsl")];
    compose(&[("GROUP_X", x), ("GROUP_Y", y)], &parts)
}

pub(crate) fn all() -> Vec<(String, &'static str, String)> {
    let steps = Variant::all().map(|variant| (variant.name(), "step", variant.text()));
    let others =
        [("waves/stir".to_owned(), "stir", stir()), ("waves/draw".to_owned(), "draw", draw())];
    steps.chain(others).collect()
}
