//! The levels of physics that cases are measured on.

use headwater::flow::Physics;

/// A level of physics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Its name in the names of rows.
    pub(crate) name: &'static str,
    /// Its equations.
    pub(crate) physics: Physics,
    /// Whether the accuracy gates are for it; the other levels are measured for comparison.
    pub(crate) gated: bool,
}

/// All levels, the gated one first.
pub(crate) const LEVELS: [Level; 3] = [
    Level { name: "shallow-water", physics: Physics::ShallowWater, gated: true },
    Level { name: "inertial", physics: Physics::Inertial, gated: false },
    Level { name: "pipes", physics: Physics::Pipes, gated: false },
];

impl Level {
    /// The name of a case on this level: the plain one where the gates are, `case@level` elsewhere.
    pub(crate) fn case(self, name: &str) -> String {
        if self.gated { name.into() } else { format!("{name}@{}", self.name) }
    }

    /// A gate's limit, on the level that it is for.
    pub(crate) fn gate(self, limit: f64) -> Option<f64> {
        self.gated.then_some(limit)
    }
}
