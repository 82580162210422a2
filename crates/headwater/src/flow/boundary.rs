//! What happens at the edge of the grid: stage 1 of a step, and the books of what crossed.

use super::pipes::{self, Coefficients};
use super::state::State;
use crate::lattice::{Edge, Square};
use crate::ledger::{Cause, Ledger};
use crate::series::Series;
use serde::{Deserialize, Serialize};

/// What a stretch of an edge does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoundaryKind {
    /// Nothing crosses. The default.
    #[default]
    Wall,
    /// A given unit discharge (m²/s, 0 or above) comes in along the stretch.
    Inflow {
        /// Unit discharge over time (m²/s).
        discharge: Series,
    },
    /// A given unit discharge (m²/s, 0 or above) leaves, as far as there is water.
    Outflow {
        /// Unit discharge over time (m²/s).
        discharge: Series,
    },
    /// Water leaves as over a broad-crested weir into nothing, `q = (2/3)^(3/2)·√g·h^(3/2)`.
    Open,
    /// Outside, the water stands at a level (m) that may vary in time: a tide, the sea, a lake. Where
    /// the bed is higher than the level, the outside is dry.
    Stage {
        /// Surface height over time (m).
        level: Series,
    },
}

/// A stretch of an edge and what it does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Boundary {
    /// Which edge.
    pub edge: Edge,
    /// From where to where, in metres from the edge's west or north end; `None` is all of it. A
    /// face belongs to the stretch if its middle does.
    pub span: Option<[f64; 2]>,
    /// What it does.
    pub kind: BoundaryKind,
}

/// A boundary that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BoundaryError {
    /// The stretch ends before it begins, or is no number.
    #[error("a boundary's stretch must run from a smaller to a greater number of metres, found {} to {}", .0[0], .0[1])]
    Span([f64; 2]),
    /// A unit discharge below 0.
    #[error("an inflow's or outflow's unit discharge must be 0 m²/s or above, found {0}")]
    Discharge(f64),
}

impl Boundary {
    /// All of an edge.
    pub fn whole(edge: Edge, kind: BoundaryKind) -> Self {
        Self { edge, span: None, kind }
    }

    /// The stretch of an edge between two distances (m) from its west or north end.
    pub fn stretch(edge: Edge, from: f64, to: f64, kind: BoundaryKind) -> Self {
        Self { edge, span: Some([from, to]), kind }
    }

    fn validate(&self) -> Result<(), BoundaryError> {
        if let Some(span @ [from, to]) = self.span
            && !(from.is_finite() && to.is_finite() && from < to)
        {
            return Err(BoundaryError::Span(span));
        }
        match &self.kind {
            BoundaryKind::Inflow { discharge } | BoundaryKind::Outflow { discharge } => {
                let (lowest, _) = discharge.range();
                if lowest < 0.0 { Err(BoundaryError::Discharge(lowest)) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    fn covers(&self, position: f64) -> bool {
        self.span.is_none_or(|[from, to]| from <= position && position < to)
    }
}

/// All boundaries of a world. Where stretches overlap, the last one set counts; where none was set
/// there is a wall.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Boundaries {
    list: Vec<Boundary>,
    /// For each face of each edge, the place in `list` of what it does, or `WALL`.
    owners: [Vec<u32>; 4],
}

const WALL: u32 = u32::MAX;

/// A boundary at one moment.
#[derive(Clone, Copy)]
enum Drive {
    Closed,
    Fixed(f32),
    Weir(f32),
    Level(f32),
}

impl Boundaries {
    pub(super) fn new(lattice: &Square) -> Self {
        Self { list: Vec::new(), owners: Edge::ALL.map(|edge| vec![WALL; lattice.edge_len(edge)]) }
    }

    pub(super) fn set(
        &mut self,
        lattice: &Square,
        boundary: Boundary,
    ) -> Result<(), BoundaryError> {
        boundary.validate()?;
        let number = self.list.len() as u32;
        let face = lattice.edge_face(boundary.edge);
        for (i, owner) in self.owners[boundary.edge as usize].iter_mut().enumerate() {
            if boundary.covers((i as f64 + 0.5) * face) {
                *owner = number;
            }
        }
        self.list.push(boundary);
        Ok(())
    }

    pub(super) fn fits(&self, lattice: &Square) -> bool {
        let known = |owner: &u32| *owner == WALL || (*owner as usize) < self.list.len();
        Edge::ALL.iter().zip(&self.owners).all(|(edge, owners)| {
            owners.len() == lattice.edge_len(*edge) && owners.iter().all(known)
        })
    }

    /// Stage 1: sets every outermost face.
    pub(super) fn drive(
        &self,
        state: &mut State,
        lattice: &Square,
        c: &Coefficients,
        gravity: f64,
        time: f64,
    ) {
        let weir = (2.0_f64 / 3.0 * (2.0_f64 / 3.0).sqrt() * gravity.sqrt()) as f32;
        let drives: Vec<Drive> = self
            .list
            .iter()
            .map(|boundary| match &boundary.kind {
                BoundaryKind::Wall => Drive::Closed,
                BoundaryKind::Inflow { discharge } => Drive::Fixed(discharge.at(time) as f32),
                BoundaryKind::Outflow { discharge } => Drive::Fixed(-discharge.at(time) as f32),
                BoundaryKind::Open => Drive::Weir(weir),
                BoundaryKind::Stage { level } => Drive::Level(level.at(time) as f32),
            })
            .collect();
        for edge in Edge::ALL {
            let width = lattice.edge_face(edge) as f32;
            for (i, &owner) in self.owners[edge as usize].iter().enumerate() {
                let cell = lattice.edge_cell(edge, i);
                let drive = drives.get(owner as usize).copied().unwrap_or(Drive::Closed);
                let closed = state.closed.contains(cell.0, cell.1);
                let (z, h) = (state.bed[cell], state.depth[cell]);
                let (q, inward, push) = face(state, edge, i, c);
                *q = match drive {
                    _ if closed => 0.0,
                    Drive::Closed => 0.0,
                    Drive::Fixed(unit) => inward * (unit * width),
                    Drive::Weir(weir) => -inward * (weir * h * h.sqrt() * width),
                    Drive::Level(level) => {
                        let outside = level.max(z);
                        let into = pipes::accelerate(*q * inward, c.keep, push, outside, z + h);
                        // A dry outside takes water and gives none.
                        inward * if level > z { into } else { into.min(0.0) }
                    }
                };
            }
        }
    }

    /// Books what crossed the edge in the step just done; `before` holds the depths it began with.
    pub(super) fn book(
        &self,
        state: &mut State,
        before: &crate::Field<f32>,
        lattice: &Square,
        c: &Coefficients,
        ledger: &mut Ledger,
    ) {
        let (mut came, mut went) = (0.0, 0.0);
        for edge in Edge::ALL {
            for (i, &owner) in self.owners[edge as usize].iter().enumerate() {
                if owner == WALL {
                    continue;
                }
                let h = before[lattice.edge_cell(edge, i)];
                let (q, inward, _) = face(state, edge, i, c);
                let moved = f64::from(pipes::transfer(*q * inward, h, c.to_depth));
                if moved > 0.0 { came += moved } else { went += moved }
            }
        }
        ledger.book(Cause::Boundary, came * lattice.cell_area());
        ledger.book(Cause::Boundary, went * lattice.cell_area());
    }
}

/// Boundary face `i` of an edge: its discharge, the sign of a discharge into the grid, and stage 2's
/// push across it.
fn face<'a>(
    state: &'a mut State,
    edge: Edge,
    i: usize,
    c: &Coefficients,
) -> (&'a mut f32, f32, f32) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    match edge {
        Edge::West => (&mut state.discharge_x[(0, i)], 1.0, c.push_x),
        Edge::East => (&mut state.discharge_x[(nx, i)], -1.0, c.push_x),
        Edge::North => (&mut state.discharge_y[(i, 0)], 1.0, c.push_y),
        Edge::South => (&mut state.discharge_y[(i, ny)], -1.0, c.push_y),
    }
}
