//! Variants of the kernels. A variant is the set of world properties for which kernels are
//! specialised at compilation.

use headwater::flow::Physics;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    pub(crate) hex: bool,
    pub(crate) physics: Physics,
    /// Whether each cell has its own roughness. If so, kernels read the roughness from a buffer.
    pub(crate) roughness_map: bool,
}

impl Variant {
    pub(crate) fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for hex in [false, true] {
            all.push(Self { hex, physics: Physics::Pipes, roughness_map: false });
            for roughness_map in [false, true] {
                all.push(Self { hex, physics: Physics::Inertial, roughness_map });
                if !hex {
                    all.push(Self { hex, physics: Physics::ShallowWater, roughness_map });
                }
            }
        }
        all
    }

    /// Returns whether the stable time step depends on the water, as it does in all schemes except
    /// pipes.
    pub(crate) fn has_dynamic_limit(self) -> bool {
        self.physics != Physics::Pipes
    }

    pub(crate) fn constants(self) -> [(&'static str, u32); 5] {
        let is = |physics| self.physics == physics;
        [
            ("HEX", self.hex),
            ("ROUGH_MAP", self.roughness_map),
            ("PIPES", is(Physics::Pipes)),
            ("INERTIAL", is(Physics::Inertial)),
            ("SHALLOW_WATER", is(Physics::ShallowWater)),
        ]
        .map(|(name, is)| (name, u32::from(is)))
    }
}
