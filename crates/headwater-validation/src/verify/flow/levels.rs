//! Setups of test cases: combinations of a physics model (pipes, inertial or shallow water) and a
//! lattice (squares or hexagons).

use crate::verify::Stepper;
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params, Physics};
use headwater::{Edge, Field, Hex, Lattice, Square};

/// Setup of a test case: a physics model on a lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setup {
    /// Physics model: pipes, inertial or shallow water.
    pub(crate) physics: Physics,
    /// Whether the lattice is hexagonal.
    pub(crate) hex: bool,
    /// Default physics model of the case. Default limits apply only to this model. On squares, the
    /// case name has no suffix for this model.
    default_level: Physics,
}

/// All physics models on squares. Limits apply to the first model, shallow water; the others are
/// for comparison.
pub(crate) const LEVELS: [Setup; 3] = [
    Setup::new(Physics::ShallowWater, Physics::ShallowWater),
    Setup::new(Physics::Inertial, Physics::ShallowWater),
    Setup::new(Physics::Pipes, Physics::ShallowWater),
];

/// All physics models on squares, and shallow water on hexagons. Shallow water has the same limits
/// on both lattices.
pub(crate) const WITH_HEXAGONS: [Setup; 4] = [LEVELS[0], HEXAGONS, LEVELS[1], LEVELS[2]];

/// Shallow water on hexagons, for cases whose default setup is shallow water on squares.
const HEXAGONS: Setup = Setup::new(Physics::ShallowWater, Physics::ShallowWater).on_hexagons();

/// All combinations of physics models and lattices, for cases that do not depend on the equations.
/// Hexagons come last.
pub(crate) const SETUPS: [Setup; 6] = [
    Setup::new(Physics::Pipes, Physics::Pipes),
    Setup::new(Physics::Inertial, Physics::Pipes),
    Setup::new(Physics::ShallowWater, Physics::Pipes),
    Setup::new(Physics::Pipes, Physics::Pipes).on_hexagons(),
    Setup::new(Physics::Inertial, Physics::Pipes).on_hexagons(),
    Setup::new(Physics::ShallowWater, Physics::Pipes).on_hexagons(),
];

impl Setup {
    /// Creates a setup with `physics` on square cells. The setup with `default_level` has no suffix
    /// in the name of a case.
    pub(crate) const fn new(physics: Physics, default_level: Physics) -> Self {
        Self { physics, hex: false, default_level }
    }

    pub(crate) const fn on_hexagons(self) -> Self {
        Self { hex: true, ..self }
    }

    /// Returns true if this is the default setup of the case.
    pub(crate) fn is_default(self) -> bool {
        self.physics == self.default_level && !self.hex
    }

    /// Returns the name of a case in this setup: `case` for the default setup, otherwise
    /// `case@level` or `case@hex-level`.
    pub(crate) fn case_name(self, case: &str) -> String {
        let lattice = if self.hex { "hex-" } else { "" };
        let level = self.physics.name();
        if self.is_default() { case.into() } else { format!("{case}@{lattice}{level}") }
    }

    /// Returns `limit` if this setup has the default physics model, on any lattice; otherwise
    /// returns `None`.
    pub(crate) fn default_limit(self, limit: f64) -> Option<f64> {
        (self.physics == self.default_level).then_some(limit)
    }

    /// Creates a lattice of `nx × ny` cells, each with the area of a square with side `side` (m).
    pub(crate) fn lattice(self, nx: usize, ny: usize, side: f64) -> Result<Lattice> {
        Ok(if self.hex {
            Hex::new(nx, ny, Hex::spacing_for_square(side))?.into()
        } else {
            Square::new(nx, ny, side, side)?.into()
        })
    }

    /// Creates the lattice of a channel. On squares, it has `columns × rows` cells with side `side`
    /// (m). On hexagons, the channel has the same length and number of columns; the number of rows
    /// is even, and the width is about the same.
    pub(crate) fn channel(self, columns: usize, rows: usize, side: f64) -> Result<Lattice> {
        if !self.hex {
            return self.lattice(columns, rows, side);
        }
        let spacing = columns as f64 * side / (columns as f64 + 0.5);
        let rows =
            (rows as f64 * side / (0.75_f64.sqrt() * spacing) / 2.0).round().max(1.0) as usize;
        Ok(Hex::new(columns, 2 * rows, spacing)?.into())
    }

    /// Creates a flow world with this physics model and with walls at the edges. `manning` is
    /// Manning's n (s/m^⅓).
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

    /// Makes a channel uniform across its width. On squares, the side walls have this effect. On
    /// hexagons, cells at side walls differ from interior cells, so the north and south edges are
    /// made periodic.
    pub(crate) fn make_uniform_across(self, flow: &mut Flow) -> Result<()> {
        if self.hex {
            flow.set_boundary(Boundary::on_edge(Edge::North, BoundaryKind::Periodic))?;
        }
        Ok(())
    }

    /// Returns the eastward unit discharge (m²/s) in a channel, `x` metres from its west end. On
    /// hexagons, this is the mean over the cross-section; on squares, it is the discharge in the
    /// row `row`.
    pub(crate) fn unit_discharge(self, flow: &Flow, x: f64, row: usize) -> f64 {
        let lattice = flow.lattice();
        if self.hex {
            let south = lattice.height();
            flow.discharge_through([x, south], [x, 0.0]) / south
        } else {
            let column = (x / lattice.dx()).round() as usize;
            f64::from(flow.state().discharge_x[(column, row)]) / lattice.dy()
        }
    }

    /// Advances a world by the duration of `steps` steps of `dt` seconds. The physics model
    /// `Pipes`, which has a constant step, performs exactly these steps. Other physics models
    /// perform as many steps as stability requires.
    pub(crate) fn run_steps(
        self,
        flow: &mut Flow,
        stepper: &dyn Stepper,
        steps: u64,
        dt: f64,
    ) -> Result<()> {
        if self.physics == Physics::Pipes {
            stepper.step_flow(flow, steps, dt)
        } else {
            let until = flow.time() + steps as f64 * dt;
            stepper.run_until(flow, until)
        }
    }
}
