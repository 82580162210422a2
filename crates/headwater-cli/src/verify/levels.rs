//! The levels of physics and the lattices that cases are measured on.

use super::Motion;
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params, Physics};
use headwater::{Edge, Field, Hex, Lattice, Square};

/// A level of physics on a lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setup {
    /// Its equations.
    pub(crate) physics: Physics,
    /// Whether it stands on hexagons.
    pub(crate) hex: bool,
    /// The level that a case's plain name is for, on squares; rows of others say theirs.
    own: Physics,
}

/// All levels on squares, for cases with gates: those are for the first, the others are measured for comparison.
pub(crate) const LEVELS: [Setup; 3] = [
    Setup::new(Physics::ShallowWater, Physics::ShallowWater),
    Setup::new(Physics::Inertial, Physics::ShallowWater),
    Setup::new(Physics::Pipes, Physics::ShallowWater),
];

/// The same, and shallow water on hexagons, which is held to the same gates.
pub(crate) const WITH_HEXAGONS: [Setup; 4] = [LEVELS[0], HEXAGONS, LEVELS[1], LEVELS[2]];

/// Shallow water on hexagons, in cases whose plain names are for squares.
const HEXAGONS: Setup = Setup::new(Physics::ShallowWater, Physics::ShallowWater).on_hexagons();

/// All there are, for cases that hold whatever the equations; hexagons last.
pub(crate) const SETUPS: [Setup; 6] = [
    Setup::new(Physics::Pipes, Physics::Pipes),
    Setup::new(Physics::Inertial, Physics::Pipes),
    Setup::new(Physics::ShallowWater, Physics::Pipes),
    Setup::new(Physics::Pipes, Physics::Pipes).on_hexagons(),
    Setup::new(Physics::Inertial, Physics::Pipes).on_hexagons(),
    Setup::new(Physics::ShallowWater, Physics::Pipes).on_hexagons(),
];

impl Setup {
    /// A level on squares, in cases whose plain names are for the level `own`.
    pub(crate) const fn new(physics: Physics, own: Physics) -> Self {
        Self { physics, hex: false, own }
    }

    pub(crate) const fn on_hexagons(self) -> Self {
        Self { hex: true, ..self }
    }

    /// True if it is the level that a case's plain name is for.
    pub(crate) fn is_own(self) -> bool {
        self.physics == self.own && !self.hex
    }

    /// The name of a case here: the plain one or `case@level`, `case@hex-level` on hexagons.
    pub(crate) fn case(self, case: &str) -> String {
        let lattice = if self.hex { "hex-" } else { "" };
        let level = self.physics.name();
        if self.is_own() { case.into() } else { format!("{case}@{lattice}{level}") }
    }

    /// A gate's limit, on the level that it is for, whatever the lattice.
    pub(crate) fn gate(self, limit: f64) -> Option<f64> {
        (self.physics == self.own).then_some(limit)
    }

    /// Cells as large as squares of this side (m).
    pub(crate) fn lattice(self, nx: usize, ny: usize, side: f64) -> Result<Lattice> {
        Ok(if self.hex {
            Hex::new(nx, ny, Hex::spacing_of_area(side))?.into()
        } else {
            Square::new(nx, ny, side, side)?.into()
        })
    }

    /// A channel as long as so many squares of this side (m), with as many cells along it; an even number of rows, if they are
    /// hexagons, about as high together.
    pub(crate) fn channel(self, columns: usize, rows: usize, side: f64) -> Result<Lattice> {
        if !self.hex {
            return self.lattice(columns, rows, side);
        }
        let spacing = columns as f64 * side / (columns as f64 + 0.5);
        let rows =
            (rows as f64 * side / (0.75_f64.sqrt() * spacing) / 2.0).round().max(1.0) as usize;
        Ok(Hex::new(columns, 2 * rows, spacing)?.into())
    }

    /// A world on this level, its edges walls.
    pub(crate) fn world(
        self,
        lattice: impl Into<Lattice>,
        manning: f64,
        bed: Field<f32>,
        depth: Field<f32>,
    ) -> Result<Flow> {
        let params = Params { level: self.physics, manning, ..Params::default() };
        Ok(Flow::new(lattice, params, bed, depth)?)
    }

    /// Makes a channel one where nothing changes from side to side. On squares the walls in its north and south do that; the
    /// straightened rim of hexagons is not as its inside, and these are joined.
    pub(crate) fn keep_even(self, flow: &mut Flow) -> Result<()> {
        if self.hex {
            flow.set_boundary(Boundary::on_edge(Edge::North, BoundaryKind::Periodic))?;
        }
        Ok(())
    }

    /// Unit discharge (m²/s) to the east through a section of a channel, `east` metres from its west;
    /// on squares, of one row.
    pub(crate) fn unit_discharge(self, flow: &Flow, east: f64, row: usize) -> f64 {
        let lattice = flow.lattice();
        if self.hex {
            let south = lattice.height();
            flow.discharge_through([east, south], [east, 0.0]) / south
        } else {
            let x = (east / lattice.dx()).round() as usize;
            f64::from(flow.state().discharge_x[(x, row)]) / lattice.dy()
        }
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
