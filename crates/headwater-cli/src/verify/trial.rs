//! Worlds with a known outcome: built from an exact solution, run, and held against it.

use super::exact::Exact;
use super::fields::worse;
use super::levels::Setup;
use super::plot::{Drawing, Profile, View};
use super::{Motion, Outcome, Row};
use crate::noise::noise;
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params};
use headwater::{Edge, Field, Lattice};

/// What the water looks like at the start.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// As the exact solution has it at time 0.
    Exact,
    /// At rest with its surface at this height (m).
    Level(f64),
    /// There is none.
    Dry,
}

/// What feeds and drains a channel.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ends {
    /// Nothing: walls.
    Walls,
    /// A unit discharge (m²/s) from the west; in the east the water stands at this depth (m) over the
    /// bed, as far as the flow there can feel it.
    Through { discharge: f64, depth: f64 },
}

/// A set-up: an exact solution, and how to make a world of it.
pub(super) struct Trial {
    /// The case's, as `flow/stoker`.
    pub(super) name: &'static str,
    /// For people.
    pub(super) title: &'static str,
    /// What should come out.
    pub(super) exact: Box<dyn Exact>,
    /// How far the world reaches from west to east (m).
    pub(super) length: f64,
    /// Where it is measured, from west to east (m).
    pub(super) measured: [f64; 2],
    /// Cells from west to east.
    pub(super) cells: usize,
    /// Cells from north to south; `None` is a square world.
    pub(super) across: Option<usize>,
    /// Height of noise on the bed (m).
    pub(super) noise: f64,
    /// What is there at first.
    pub(super) start: Start,
    /// What feeds and drains it.
    pub(super) ends: Ends,
    /// Manning's n (s/m^⅓).
    pub(super) manning: f64,
    /// A depth (m) that gives the pipes of [`Physics::Pipes`](headwater::flow::Physics) waves of a
    /// fitting speed.
    pub(super) typical_depth: f64,
    /// When it is measured (s); the greatest error counts.
    pub(super) times: Vec<f64>,
    /// The relative L1 error of depth that the gate admits.
    pub(super) limit: f64,
    /// For a steady flow: in how many cells along it a jump may stand. Elsewhere momentum must be the
    /// discharge that comes in.
    pub(super) jump: Option<u32>,
    /// Where the solution is smooth, so that the error must fall with the cells as the scheme's order has it: from how many to how
    /// many, in parts of `cells`.
    pub(super) smooth: Option<[f64; 2]>,
    /// What a plot of it shows.
    pub(super) view: View,
}

/// A cell, and its place in the coordinates of the exact solution (m).
type Spot = ((usize, usize), [f64; 2]);

/// Rows of a channel: enough that some have neighbours on both sides.
const ACROSS: usize = 3;

/// How far the discharge of a steady flow may be from the one that comes in, as a part of it.
const DISCHARGE: f64 = 0.01;

/// Depth (m) down to which velocities are told. It changes nothing in the movement of the water.
const DRY_DEPTH: f64 = 1e-6;

impl Trial {
    /// A channel without friction between walls, from 0 to `length` (m), that begins as `exact` does.
    pub(super) fn channel(exact: impl Exact + 'static, length: f64, cells: usize) -> Self {
        Self {
            name: "",
            title: "",
            exact: Box::new(exact),
            length,
            measured: [0.0, length],
            cells,
            across: Some(ACROSS),
            noise: 0.0,
            start: Start::Exact,
            ends: Ends::Walls,
            manning: 0.0,
            typical_depth: 1.0,
            times: Vec::new(),
            limit: 0.0,
            jump: None,
            smooth: None,
            view: View::Surface,
        }
    }

    /// Where a cell's centre is in the coordinates of the exact solution (m).
    fn place(&self, lattice: &Lattice, x: usize, y: usize) -> [f64; 2] {
        let [east, south] = lattice.center(x, y);
        // Rows of hexagons are no whole number of a square's side: its middle stays in the middle.
        let aside = match lattice {
            Lattice::Hex(hex) if self.across.is_none() => 0.5 * (self.length - hex.height()),
            _ => 0.0,
        };
        [east, south + aside]
    }

    /// The world at its start.
    pub(super) fn world(&self, level: Setup, cells: usize) -> Result<Flow> {
        let dx = self.length / cells as f64;
        let lattice = level.channel(cells, self.across.unwrap_or(cells), dx)?;
        let (cells, rows) = (lattice.nx(), lattice.ny());
        let params = Params {
            level: level.physics,
            manning: self.manning,
            pipe_area: dx * self.typical_depth,
            dry_depth: DRY_DEPTH,
            ..Params::default()
        };
        let at = |x: usize, y: usize| self.place(&lattice, x, y);
        let bed = Field::from_fn(cells, rows, |x, y| {
            (self.exact.bed(at(x, y)) + self.noise * f64::from(noise(x, y))) as f32
        });
        let depth = Field::from_fn(cells, rows, |x, y| match self.start {
            Start::Exact => self.exact.depth(at(x, y), 0.0) as f32,
            Start::Level(level) => (level as f32 - bed[(x, y)]).max(0.0),
            Start::Dry => 0.0,
        });
        // Of hexagons, a row that reaches as far.
        let end = f64::from(bed[(cells - 1, usize::from(level.hex))]);
        let mut flow = Flow::new(lattice, params, bed, depth)?;
        if let Ends::Through { discharge, depth } = self.ends {
            lead_through(&mut flow, discharge, end + depth)?;
        }
        if self.across.is_some() {
            level.keep_even(&mut flow)?;
        }
        Ok(flow)
    }

    /// Runs the world; gives it as it ends, and its greatest error of depth at the times that count.
    pub(super) fn run(
        &self,
        level: Setup,
        cells: usize,
        motion: &dyn Motion,
    ) -> Result<(Flow, f64)> {
        let mut flow = self.world(level, cells)?;
        let mut error = 0.0;
        for &time in &self.times {
            motion.until(&mut flow, time)?;
            error = worse(error, self.error(&flow, time));
        }
        Ok((flow, error))
    }

    /// Runs the world, and holds it against the gates.
    pub(super) fn measure(&self, level: Setup, motion: &dyn Motion) -> Result<Outcome> {
        let (flow, error) = self.run(level, self.cells, motion)?;
        let metric = "relative L1 error of depth";
        let mut rows = vec![level.gated(self.name, metric, error, self.limit)];
        if let (Some(jump), Ends::Through { discharge, .. }) = (self.jump, self.ends) {
            rows.extend(self.discharge_rows(level, &flow, discharge, jump));
        }
        // On hexagons a line would lie on that of squares.
        let drawing = (!level.hex).then(|| self.profile(level, &flow, error));
        Ok(Outcome { rows, drawing })
    }

    /// The cells where it is measured, and their places.
    pub(super) fn measured_cells(&self, flow: &Flow) -> impl Iterator<Item = Spot> {
        let (nx, ny) = (flow.lattice().nx(), flow.lattice().ny());
        (0..nx * ny)
            .map(move |i| ((i % nx, i / nx), self.place(flow.lattice(), i % nx, i / nx)))
            .filter(|(_, at)| self.measured[0] <= at[0] && at[0] <= self.measured[1])
    }

    /// `Σ|h − h_exact| / Σ h_exact` at a time (s).
    fn error(&self, flow: &Flow, time: f64) -> f64 {
        let (mut off, mut all) = (0.0, 0.0);
        for (cell, at) in self.measured_cells(flow) {
            let exact = self.exact.depth(at, time);
            off += (f64::from(flow.state().depth[cell]) - exact).abs();
            all += exact;
        }
        off / all
    }

    /// How far a steady flow's discharge is from the one that comes in: over the faces, and in the
    /// cells of a row where momentum is known.
    fn discharge_rows(&self, level: Setup, flow: &Flow, discharge: f64, jump: u32) -> Vec<Row> {
        let (lattice, row) = (flow.lattice(), flow.lattice().ny() / 2);
        let off = |q: f64| (q / discharge - 1.0).abs();
        let over = |x: usize| level.unit_discharge(flow, x as f64 * lattice.dx(), row);
        let faces = (0..=lattice.nx()).map(|x| off(over(x))).fold(0.0, worse);
        let name = format!("{}-discharge", self.name);
        let metric = "greatest error of discharge over faces";
        let mut rows = vec![level.gated(&name, metric, faces, DISCHARGE)];
        if let Some(momentum) = &flow.state().momentum {
            let is_off = |x: &usize| off(momentum.x[(*x, row)].into()) > DISCHARGE;
            let cells = (0..lattice.nx()).filter(is_off).count();
            let name = format!("{}-momentum", self.name);
            let metric = "cells whose momentum is off by over 1 %";
            rows.push(level.gated(&name, metric, cells as f64, jump.into()));
        }
        rows
    }

    /// A cut along the flow through the middle of the world, to be drawn.
    pub(super) fn profile(&self, level: Setup, flow: &Flow, error: f64) -> Drawing {
        let (nx, row) = (flow.lattice().nx(), flow.lattice().ny() / 2);
        let time = self.times.last().copied().unwrap_or(0.0);
        let [_, y] = self.place(flow.lattice(), 0, row);
        let fine = 8 * nx;
        let exact = |i: usize| {
            let at = [self.length * i as f64 / fine as f64, y];
            [at[0], self.exact.bed(at), self.exact.depth(at, time)]
        };
        let computed = |x: usize| {
            let [east, _] = self.place(flow.lattice(), x, row);
            let [bed, depth] = [&flow.state().bed, &flow.state().depth].map(|f| f[(x, row)]);
            [east, bed.into(), depth.into()]
        };
        Drawing::Profile(Profile {
            figure: self.name,
            title: self.title,
            view: self.view,
            range: self.measured,
            level: level.physics.name(),
            error,
            exact: (0..=fine).map(exact).collect(),
            computed: (0..nx).map(computed).collect(),
        })
    }
}

/// Leads a unit discharge (m²/s) in from the west; in the east the water stands at a height (m).
pub(super) fn lead_through(flow: &mut Flow, discharge: f64, level: f64) -> Result<()> {
    let inflow = BoundaryKind::Inflow { discharge: discharge.into() };
    flow.set_boundary(Boundary::on_edge(Edge::West, inflow))?;
    let stage = BoundaryKind::Stage { level: level.into() };
    Ok(flow.set_boundary(Boundary::on_edge(Edge::East, stage))?)
}
