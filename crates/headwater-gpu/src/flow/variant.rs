//! The kinds of worlds that there are kernels for.

use headwater::flow::Physics;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    pub(crate) hex: bool,
    pub(crate) physics: Physics,
    /// Each cell has its own roughness.
    pub(crate) rough_map: bool,
}

impl Variant {
    pub(crate) fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for hex in [false, true] {
            all.push(Self { hex, physics: Physics::Pipes, rough_map: false });
            for rough_map in [false, true] {
                all.push(Self { hex, physics: Physics::Inertial, rough_map });
                if !hex {
                    all.push(Self { hex, physics: Physics::ShallowWater, rough_map });
                }
            }
        }
        all
    }

    /// True if the length of a step depends on the water.
    pub(crate) fn is_limited(self) -> bool {
        self.physics != Physics::Pipes
    }

    pub(crate) fn constants(self) -> [(&'static str, u32); 5] {
        let is = |physics| self.physics == physics;
        [
            ("HEX", self.hex),
            ("ROUGH_MAP", self.rough_map),
            ("PIPES", is(Physics::Pipes)),
            ("INERTIAL", is(Physics::Inertial)),
            ("SHALLOW_WATER", is(Physics::ShallowWater)),
        ]
        .map(|(name, is)| (name, u32::from(is)))
    }
}
