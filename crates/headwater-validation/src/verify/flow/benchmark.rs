//! Benchmarks that compare a simulated world with an exact solution.

use super::levels::Setup;
use crate::noise::noise;
use crate::verify::exact::ExactSolution;
use crate::verify::norms::max_error;
use crate::verify::plot::{Drawing, PlottedQuantity, Profile};
use crate::verify::{Outcome, Row, Stepper};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params};
use headwater::{Edge, Field, Lattice};

/// Initial state of the water in a benchmark.
#[derive(Clone, Copy, Debug)]
pub(in crate::verify) enum InitialWater {
    /// The exact solution at time 0.
    Exact,
    /// Water at rest with a surface at this level (m).
    Level(f64),
    /// The channel is dry.
    Dry,
}

/// Boundary conditions at the west and east ends of a benchmark's channel.
#[derive(Clone, Copy, Debug)]
pub(in crate::verify) enum ChannelEnds {
    /// Walls at both ends.
    Walls,
    /// Unit discharge (m²/s) imposed at the west end, and depth above the bed (m) imposed at the
    /// east end. The depth applies only if the flow there is subcritical.
    Through { discharge: f64, depth: f64 },
}

/// Benchmark problem: an exact solution and the parameters of the simulated world.
pub(in crate::verify) struct Benchmark {
    /// Name of the case, such as `flow/stoker`.
    pub(in crate::verify) name: &'static str,
    /// Title of the plots of this benchmark.
    pub(in crate::verify) title: &'static str,
    /// Exact solution with which the simulation is compared.
    pub(in crate::verify) exact: Box<dyn ExactSolution>,
    /// Length of the world from west to east (m).
    pub(in crate::verify) length: f64,
    /// Section in which errors are measured: distances of its two ends from the western end of the
    /// world (m).
    pub(in crate::verify) measured_section: [f64; 2],
    /// Number of cells from west to east.
    pub(in crate::verify) cells: usize,
    /// Number of cells from north to south; `None` for a square world.
    pub(in crate::verify) rows: Option<usize>,
    /// Amplitude of the random noise on the bed (m).
    pub(in crate::verify) noise: f64,
    /// Initial state of the water.
    pub(in crate::verify) initial_water: InitialWater,
    /// Boundary conditions at the west and east ends.
    pub(in crate::verify) ends: ChannelEnds,
    /// Manning's roughness coefficient (s/m^⅓).
    pub(in crate::verify) manning: f64,
    /// Depth (m) for which the virtual pipes of [`Physics::Pipes`](headwater::flow::Physics)
    /// reproduce the shallow-water wave speed.
    pub(in crate::verify) typical_depth: f64,
    /// Times (s) at which the error is measured. The largest error is reported.
    pub(in crate::verify) times: Vec<f64>,
    /// Upper limit of the relative L1 error of depth (dimensionless).
    pub(in crate::verify) limit: f64,
    /// Largest accepted number of cells in the hydraulic jump of a steady flow. In all other cells,
    /// the unit discharge must equal the inflow to within 1 %. `None` for unsteady flows.
    pub(in crate::verify) max_jump_cells: Option<u32>,
    /// Coarse and fine grid of the convergence test, as fractions of `cells`; `None` if the
    /// solution is not smooth.
    pub(in crate::verify) convergence_grids: Option<[f64; 2]>,
    /// Quantity that plots show.
    pub(in crate::verify) view: PlottedQuantity,
}

/// Cell indices, and the position of the cell in the coordinates of the exact solution (m).
type CellPosition = ((usize, usize), [f64; 2]);

/// Number of rows of cells in a channel: one interior row between two rows at the side walls.
const CHANNEL_ROWS: usize = 3;

/// Upper limit of the relative error of a steady flow's discharge (dimensionless).
const DISCHARGE_LIMIT: f64 = 0.01;

/// Minimum depth (m) at which velocities are reported. The value does not affect the flow.
const DRY_DEPTH: f64 = 1e-6;

impl Benchmark {
    /// Creates a frictionless channel between walls, from 0 to `length` (m), that starts with the
    /// exact solution.
    pub(in crate::verify) fn channel(
        exact: impl ExactSolution + 'static,
        length: f64,
        cells: usize,
    ) -> Self {
        Self {
            name: "",
            title: "",
            exact: Box::new(exact),
            length,
            measured_section: [0.0, length],
            cells,
            rows: Some(CHANNEL_ROWS),
            noise: 0.0,
            initial_water: InitialWater::Exact,
            ends: ChannelEnds::Walls,
            manning: 0.0,
            typical_depth: 1.0,
            times: Vec::new(),
            limit: 0.0,
            max_jump_cells: None,
            convergence_grids: None,
            view: PlottedQuantity::Surface,
        }
    }

    /// Returns the position of a cell's centre in the coordinates of the exact solution (m).
    fn cell_position(&self, lattice: &Lattice, x: usize, y: usize) -> [f64; 2] {
        let [east, south] = lattice.center(x, y);
        // Hexagonal rows do not fill a square exactly, so they are centred.
        let centring = match lattice {
            Lattice::Hex(hex) if self.rows.is_none() => 0.5 * (self.length - hex.height()),
            _ => 0.0,
        };
        [east, south + centring]
    }

    /// Creates the initial world with the given physics model and lattice, and with `cells` cells
    /// from west to east.
    pub(in crate::verify) fn create_world(&self, setup: Setup, cells: usize) -> Result<Flow> {
        let dx = self.length / cells as f64;
        let lattice = setup.channel(cells, self.rows.unwrap_or(cells), dx)?;
        let (cells, rows) = (lattice.nx(), lattice.ny());
        let params = Params {
            level: setup.physics,
            manning: self.manning,
            pipe_area: dx * self.typical_depth,
            dry_depth: DRY_DEPTH,
            ..Params::default()
        };
        let at = |x: usize, y: usize| self.cell_position(&lattice, x, y);
        let bed = Field::from_fn(cells, rows, |x, y| {
            (self.exact.bed(at(x, y)) + self.noise * f64::from(noise(x, y))) as f32
        });
        let depth = Field::from_fn(cells, rows, |x, y| match self.initial_water {
            InitialWater::Exact => self.exact.depth(at(x, y), 0.0) as f32,
            InitialWater::Level(level) => (level as f32 - bed[(x, y)]).max(0.0),
            InitialWater::Dry => 0.0,
        });
        // On hexagons, use a row that extends to the edge.
        let end = f64::from(bed[(cells - 1, usize::from(setup.hex))]);
        let mut flow = Flow::new(lattice, params, bed, depth)?;
        if let ChannelEnds::Through { discharge, depth } = self.ends {
            set_through_flow(&mut flow, discharge, end + depth)?;
        }
        if self.rows.is_some() {
            setup.make_uniform_across(&mut flow)?;
        }
        Ok(flow)
    }

    /// Simulates the world with `cells` cells from west to east. Returns the final state, and the
    /// largest relative error of depth over the measured times.
    pub(in crate::verify) fn run(
        &self,
        setup: Setup,
        cells: usize,
        stepper: &dyn Stepper,
    ) -> Result<(Flow, f64)> {
        let mut flow = self.create_world(setup, cells)?;
        let mut error = 0.0;
        for &time in &self.times {
            stepper.run_until(&mut flow, time)?;
            error = max_error(error, self.error(&flow, time));
        }
        Ok((flow, error))
    }

    /// Simulates the world and compares the errors with the limits of the benchmark.
    pub(in crate::verify) fn measure(
        &self,
        setup: Setup,
        stepper: &dyn Stepper,
    ) -> Result<Outcome> {
        let (flow, error) = self.run(setup, self.cells, stepper)?;
        let metric = "relative L1 error of depth";
        let mut rows = vec![setup.row_with_default_limit(self.name, metric, error, self.limit)];
        if let (Some(jump), ChannelEnds::Through { discharge, .. }) =
            (self.max_jump_cells, self.ends)
        {
            rows.extend(self.discharge_rows(setup, &flow, discharge, jump));
        }
        // No line is drawn for hexagons, because it would coincide with the line for squares.
        let drawing = (!setup.hex).then(|| self.profile(setup, &flow, error));
        Ok(Outcome { rows, drawing })
    }

    /// Returns the cells in the measured section, with their indices and positions.
    pub(in crate::verify) fn measured_cells(
        &self,
        flow: &Flow,
    ) -> impl Iterator<Item = CellPosition> {
        let (nx, ny) = (flow.lattice().nx(), flow.lattice().ny());
        (0..nx * ny)
            .map(move |i| ((i % nx, i / nx), self.cell_position(flow.lattice(), i % nx, i / nx)))
            .filter(|(_, at)| {
                self.measured_section[0] <= at[0] && at[0] <= self.measured_section[1]
            })
    }

    /// Returns the relative L1 error of depth `Σ|h − h_exact| / Σ h_exact` at a time (s).
    fn error(&self, flow: &Flow, time: f64) -> f64 {
        let (mut off, mut all) = (0.0, 0.0);
        for (cell, at) in self.measured_cells(flow) {
            let exact = self.exact.depth(at, time);
            off += (f64::from(flow.state().depth[cell]) - exact).abs();
            all += exact;
        }
        off / all
    }

    /// Returns the report rows for the discharge of a steady flow, whose exact value is `discharge`
    /// (m²/s). The first row is the largest relative error over all cross-sections. If the physics
    /// model stores momentum, a second row counts the cells in the middle of the channel whose unit
    /// discharge deviates by more than 1 %. The limit of this count is `max_jump_cells`.
    fn discharge_rows(
        &self,
        setup: Setup,
        flow: &Flow,
        discharge: f64,
        max_jump_cells: u32,
    ) -> Vec<Row> {
        let (lattice, row) = (flow.lattice(), flow.lattice().ny() / 2);
        let off = |q: f64| (q / discharge - 1.0).abs();
        let over = |x: usize| setup.unit_discharge(flow, x as f64 * lattice.dx(), row);
        let faces = (0..=lattice.nx()).map(|x| off(over(x))).fold(0.0, max_error);
        let name = format!("{}-discharge", self.name);
        let metric = "maximum relative error of discharge through faces";
        let mut rows = vec![setup.row_with_default_limit(&name, metric, faces, DISCHARGE_LIMIT)];
        if let Some(momentum) = &flow.state().momentum {
            let is_off = |x: &usize| off(momentum.x[(*x, row)].into()) > DISCHARGE_LIMIT;
            let cells = (0..lattice.nx()).filter(is_off).count();
            let name = format!("{}-momentum", self.name);
            let metric = "cells with a momentum error above 1 %";
            rows.push(setup.row_with_default_limit(
                &name,
                metric,
                cells as f64,
                max_jump_cells.into(),
            ));
        }
        rows
    }

    /// Returns a longitudinal section through the middle of the world for plots.
    pub(in crate::verify) fn profile(&self, setup: Setup, flow: &Flow, error: f64) -> Drawing {
        let (nx, row) = (flow.lattice().nx(), flow.lattice().ny() / 2);
        let time = self.times.last().copied().unwrap_or(0.0);
        let [_, y] = self.cell_position(flow.lattice(), 0, row);
        let fine = 8 * nx;
        let exact = |i: usize| {
            let at = [self.length * i as f64 / fine as f64, y];
            [at[0], self.exact.bed(at), self.exact.depth(at, time)]
        };
        let computed = |x: usize| {
            let [east, _] = self.cell_position(flow.lattice(), x, row);
            let [bed, depth] = [&flow.state().bed, &flow.state().depth].map(|f| f[(x, row)]);
            [east, bed.into(), depth.into()]
        };
        Drawing::Profile(Profile {
            figure: self.name,
            title: self.title,
            view: self.view,
            range: self.measured_section,
            level: setup.physics.name(),
            error,
            exact: (0..=fine).map(exact).collect(),
            computed: (0..nx).map(computed).collect(),
        })
    }
}

/// Sets a unit discharge (m²/s) at the west edge and a water level (m) at the east edge.
pub(in crate::verify) fn set_through_flow(
    flow: &mut Flow,
    discharge: f64,
    level: f64,
) -> Result<()> {
    let inflow = BoundaryKind::Inflow { discharge: discharge.into() };
    flow.set_boundary(Boundary::on_edge(Edge::West, inflow))?;
    let stage = BoundaryKind::Stage { level: level.into() };
    Ok(flow.set_boundary(Boundary::on_edge(Edge::East, stage))?)
}
