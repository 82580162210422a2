//! The shaders of waves, put together from what a world has.

use crate::kernel::{Binding, compose};

/// Invocations of a workgroup of a step, along x and y.
pub(crate) const GROUP: [u32; 2] = [64, 4];

/// Invocations of a workgroup that stirs.
pub(crate) const ENTRIES: u32 = 64;

/// What a world has, and so what its step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    /// Each face has a gain of its own.
    pub(crate) map: bool,
    /// Something presses.
    pub(crate) press: bool,
    /// An edge absorbs.
    pub(crate) layers: bool,
    /// Something can cross an edge.
    pub(crate) ledger: bool,
}

impl Variant {
    /// All there are.
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

    /// Its buffers, in their order.
    pub(crate) fn buffers(self) -> Vec<(Binding, &'static str)> {
        let read = |name| (Binding::Read, name);
        let write = |name| (Binding::Write, name);
        let mut buffers = vec![
            (Binding::Uniform, "rule: Rule"),
            read("old_height: array<i32>"),
            read("old_x: array<f32>"),
            read("old_y: array<f32>"),
            write("new_height: array<i32>"),
            write("new_x: array<f32>"),
            write("new_y: array<f32>"),
        ];
        if self.map {
            buffers.extend([read("gains_x: array<f32>"), read("gains_y: array<f32>")]);
        }
        if self.press {
            buffers.push(read("head: array<i32>"));
        }
        if self.layers {
            buffers.push(read("fading: array<f32>"));
            buffers.extend([write("part_x: array<i32>"), write("part_y: array<i32>")]);
        }
        if self.ledger {
            buffers.push(write("books: array<u32>"));
        }
        buffers
    }

    /// The text of its shader.
    pub(crate) fn text(self) -> String {
        let mut declared = String::new();
        for (i, (binding, name)) in self.buffers().into_iter().enumerate() {
            declared.push_str(&format!("@group(0) @binding({i}) {} {name};\n", binding.declared()));
        }
        let pick = |has: bool, with: &'static str, without: &'static str| {
            if has { with } else { without }
        };
        let Self { map, press, layers, ledger } = self;
        compose(
            &[("WIDE", GROUP[0]), ("TALL", GROUP[1])],
            &[
                crate::COMMON,
                include_str!("rule.wgsl"),
                &declared,
                pick(map, include_str!("medium.wgsl"), include_str!("uniform.wgsl")),
                pick(press, include_str!("press.wgsl"), include_str!("still.wgsl")),
                pick(layers, include_str!("rim.wgsl"), include_str!("open.wgsl")),
                pick(ledger, include_str!("ledger.wgsl"), include_str!("closed.wgsl")),
                include_str!("step.wgsl"),
            ],
        )
    }
}

/// The text of the shader that stirs.
pub(crate) fn stir() -> String {
    compose(&[("ENTRIES", ENTRIES)], &[include_str!("stir.wgsl")])
}

/// The text of the shader that draws.
pub(crate) fn draw() -> String {
    let [x, y] = crate::canvas::BRUSH;
    let parts = [include_str!("rule.wgsl"), include_str!("draw.wgsl")];
    compose(&[("BRUSH_X", x), ("BRUSH_Y", y)], &parts)
}

/// All of them, by name.
pub(crate) fn all() -> Vec<(String, String)> {
    let steps = Variant::all().map(|variant| (variant.name(), variant.text()));
    let others = [("waves/stir".to_owned(), stir()), ("waves/draw".to_owned(), draw())];
    steps.chain(others).collect()
}
