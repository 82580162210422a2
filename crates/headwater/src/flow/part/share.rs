//! How a world is shared out: bands of rows, and what whoever steps one of them has to be handed.

use super::mouths::Mouths;
use crate::changes::Tracker;
use crate::error::InputError;
use crate::flow::exchange::{Exchange, Outlet};
use crate::flow::params::Physics;
use crate::flow::snapshot::Snapshot;
use crate::flow::soil::{Ground, SoilMap};
use crate::flow::state::{Closed, Momentum, State};
use crate::flow::structure::Structures;
use crate::flow::workspace::Workspace;
use crate::flow::world::Flow;
use crate::ids::IdList;
use crate::lattice::{Hex, Lattice, Square};
use crate::ledger::Ledger;
use crate::part::{are_bands, rows_of};
use crate::spare::Spare;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Rows of a halo: of pipes as far as the steps of a pass reach, two each; of the other levels as far as one step does, which is three. Even, so
/// that rows of hexagons that are shifted stay so.
pub(super) fn halo(level: Physics) -> usize {
    match level {
        Physics::Pipes => 8,
        Physics::Inertial | Physics::ShallowWater => 4,
    }
}

/// What is handed to whoever steps a part of a world; it serializes with serde.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Share {
    /// A world over the part's rows and its halo.
    pub(super) world: Snapshot,
    /// Which rows of the grid are the part's own.
    pub(super) rows: Range<usize>,
    /// Which those are among the rows that it steps.
    pub(super) own: Range<usize>,
    /// How many rows the grid has.
    pub(super) of: usize,
    /// Whether there are other parts to the north and south.
    pub(super) beside: [bool; 2],
    /// How many open cells springs and drains have in other parts.
    pub(super) elsewhere: [Vec<usize>; 2],
    pub(super) mouths: Option<Mouths>,
}

impl Flow {
    /// Shares a world out for others to step, in [`bands`](crate::part::bands) of rows. The world stays as it is, until their rows are
    /// [taken back](Self::take_back).
    ///
    /// # Errors
    /// [`InputError`] if the bands are not those of [`bands`](crate::part::bands), or there is something in the world that is not stepped in parts:
    /// floating bodies, tracers, a sub-grid, a flood's maxima where the north and south are joined, or a walk to a steady state that is
    /// on its way.
    pub fn share(&self, bands: &[Range<usize>]) -> Result<Vec<Share>, InputError> {
        self.check_shared()?;
        let ny = self.lattice.ny();
        if !are_bands(bands, ny) {
            let found = format!("{bands:?}");
            return Err(InputError::new("bands", found, format!("`bands` of {ny} rows")));
        }
        let mouths = Mouths::of(self)?;
        bands.iter().map(|band| self.share_of(band, bands.len() > 1, mouths.clone())).collect()
    }

    fn check_shared(&self) -> Result<(), InputError> {
        let none = "none in a world that is stepped in parts";
        let refuse = |what, found: String| Err(InputError::new(what, found, none));
        if !self.bodies.is_empty() {
            return refuse("floating bodies", self.bodies.len().to_string());
        }
        if let Some(tracers) = self.tracers.as_ref().filter(|tracers| tracers.count() > 0) {
            return refuse("tracer particles", tracers.count().to_string());
        }
        if self.state.subgrid.is_some() {
            return refuse("a sub-grid", "one".into());
        }
        if self.flood.is_some() && self.boundaries.joined().y {
            // How fast water is over the seam is told by one side of it alone.
            return refuse("a flood's maxima where north and south are joined", "some".into());
        }
        if self.settling.is_some() {
            return refuse("a walk to a steady state", "one on its way".into());
        }
        Ok(())
    }

    fn share_of(
        &self,
        band: &Range<usize>,
        has_others: bool,
        mouths: Option<Mouths>,
    ) -> Result<Share, InputError> {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let around = self.boundaries.joined().y && has_others;
        let beside = [around || band.start > 0, around || band.end < ny];
        let (rows, own) = rows_of(band, ny, halo(self.params.level), beside);
        let lattice = match &self.lattice {
            Lattice::Square(of) => Square::new(nx, rows.len(), of.dx(), of.dy())?.into(),
            Lattice::Hex(of) => Hex::new(nx, rows.len(), of.spacing())?.into(),
        };
        let window = Window { rows: &rows, own: own.clone(), band };
        let (exchange, elsewhere) = window.exchange(&self.exchange, &self.state);
        let world = Self {
            lattice,
            params: self.params.clone(),
            state: window.state(&self.state),
            boundaries: self.boundaries.of_rows(&rows, beside),
            exchange,
            structures: Structures::default(),
            roughness: self.roughness.as_ref().map(|map| map.of_rows(&rows)),
            tracers: None,
            flood: self.flood.as_ref().map(|record| Box::new(record.of_rows(&rows))),
            settling: None,
            bodies: IdList::default(),
            ledger: Ledger::default(),
            time: self.time,
            last_dt: self.last_dt,
            steps: self.steps,
            workspace: Workspace::default(),
            spare: Spare::default(),
            changes: Tracker::new(nx, rows.len()),
        };
        let rows = band.clone();
        Ok(Share { world: world.into_snapshot(), rows, own, of: ny, beside, elsewhere, mouths })
    }
}

/// The rows that a part steps.
struct Window<'a> {
    /// Their numbers on the grid.
    rows: &'a [usize],
    /// Which of them are its own.
    own: Range<usize>,
    /// The same on the grid.
    band: &'a Range<usize>,
}

impl Window<'_> {
    fn state(&self, of: &State) -> State {
        let rows = self.rows;
        let last = rows.last().map(|y| y + 1);
        let faces: Vec<usize> = rows.iter().copied().chain(last).collect();
        State {
            bed: of.bed.of_rows(rows),
            depth: of.depth.of_rows(rows),
            remainder: of.remainder.of_rows(rows),
            discharge_x: of.discharge_x.of_rows(rows),
            discharge_y: of.discharge_y.of_rows(&faces),
            discharge_z: of.discharge_z.as_ref().map(|z| z.of_rows(&faces)),
            closed: Closed::from(of.closed.cells().of_rows(rows)),
            momentum: of
                .momentum
                .as_ref()
                .map(|q| Momentum { x: q.x.of_rows(rows), y: q.y.of_rows(rows) }),
            subgrid: None,
        }
    }

    /// What gives and takes, and how many open cells springs and drains have elsewhere.
    fn exchange(&self, of: &Exchange, state: &State) -> (Exchange, [Vec<usize>; 2]) {
        let rows = self.rows;
        let outlets =
            |list: &IdList<Outlet>| list.map(|outlet| outlet.of_band(self.band, self.own.start));
        let elsewhere = |list: &IdList<Outlet>| {
            let open = |outlet: &Outlet| {
                let is_else = |cell: &&(usize, usize)| {
                    !self.band.contains(&cell.1) && !state.closed.contains(cell.0, cell.1)
                };
                outlet.cells.iter().filter(is_else).count()
            };
            list.iter().map(open).collect()
        };
        let exchange = Exchange {
            springs: outlets(&of.springs),
            drains: outlets(&of.drains),
            rain: of.rain.as_ref().map(|(rain, remainder)| {
                let map = rain.map.as_ref().map(|map| map.of_rows(rows));
                let mut rain = rain.clone();
                rain.map = map;
                (rain, remainder.of_rows(rows))
            }),
            evaporation: of
                .evaporation
                .as_ref()
                .map(|(evaporation, remainder)| (evaporation.clone(), remainder.of_rows(rows))),
            soil: of.soil.as_ref().map(|ground| Ground {
                soil: ground.soil,
                map: ground
                    .map
                    .as_ref()
                    .map(|of| SoilMap { soils: of.soils.clone(), map: of.map.of_rows(rows) }),
                cells: ground.cells.of_rows(rows),
            }),
        };
        (exchange, [elsewhere(&of.springs), elsewhere(&of.drains)])
    }
}
