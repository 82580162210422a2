//! The levels of physics and the lattices that cases are measured on.

use anyhow::Result;
use headwater::flow::{Flow, Physics};
use headwater::{Hex, Lattice, Square};

use super::Motion;

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

/// A level of physics on a lattice, for cases that hold whatever the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setup {
    /// The level's name.
    pub(crate) level: &'static str,
    /// Its equations.
    pub(crate) physics: Physics,
    /// Whether it stands on hexagons.
    pub(crate) hex: bool,
}

/// All there are, hexagons last.
pub(crate) const SETUPS: [Setup; 5] = [
    Setup { level: "pipes", physics: Physics::Pipes, hex: false },
    Setup { level: "inertial", physics: Physics::Inertial, hex: false },
    Setup { level: "shallow-water", physics: Physics::ShallowWater, hex: false },
    Setup { level: "pipes", physics: Physics::Pipes, hex: true },
    Setup { level: "inertial", physics: Physics::Inertial, hex: true },
];

impl Setup {
    /// The name of a case whose own level is pipes.
    pub(crate) fn name(self, case: &str) -> String {
        if self.physics == Physics::Pipes { case.into() } else { format!("{case}@{}", self.level) }
    }

    /// The name of a case whose own level is pipes, and whose lattice is of squares.
    pub(crate) fn case(self, case: &str) -> String {
        if self.hex { format!("{case}@hex-{}", self.level) } else { self.name(case) }
    }

    /// Cells as large as squares of this side (m).
    pub(crate) fn lattice(self, nx: usize, ny: usize, side: f64) -> Result<Lattice> {
        Ok(if self.hex {
            Hex::new(nx, ny, Hex::spacing_of_area(side))?.into()
        } else {
            Square::new(nx, ny, side, side)?.into()
        })
    }

    /// Moves a world for the time of `steps` steps of `dt` seconds: in just those where steps are as
    /// long as they were at the start, as with pipes; else in as many as it takes.
    pub(crate) fn go(
        self,
        flow: &mut Flow,
        motion: &dyn Motion,
        steps: u64,
        dt: f64,
    ) -> Result<()> {
        if self.physics == Physics::Pipes {
            motion.steps(flow, steps, dt)
        } else {
            let until = flow.time() + steps as f64 * dt;
            motion.until(flow, until)
        }
    }
}
