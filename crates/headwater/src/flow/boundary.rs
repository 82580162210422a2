//! What stands at the edge of the grid, and the books of what crosses it. How it moves water is each
//! level's own.

use super::state::State;
use super::step::Step;
use super::transport;
use crate::field::Field;
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

/// What stands outside a boundary face at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outside {
    /// A wall.
    Wall,
    /// Whatever gives this unit discharge (m²/s), into the grid; below 0, out of it.
    Given(f32),
    /// Nothing: water falls over the edge.
    Nothing,
    /// Water with its surface at this height (m).
    Level(f32),
}

/// What stands outside every boundary face at one moment.
#[derive(Clone, Debug)]
pub(super) struct Edges([Vec<Outside>; 4]);

impl Edges {
    /// Face by face along an edge, from the west or the north.
    pub(super) fn along(&self, edge: Edge) -> &[Outside] {
        &self.0[edge as usize]
    }
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

    /// What stands outside at `time` (s).
    pub(super) fn at(&self, time: f64) -> Edges {
        let now = |boundary: &Boundary| match &boundary.kind {
            BoundaryKind::Wall => Outside::Wall,
            BoundaryKind::Inflow { discharge } => Outside::Given(discharge.at(time) as f32),
            BoundaryKind::Outflow { discharge } => Outside::Given(-discharge.at(time) as f32),
            BoundaryKind::Open => Outside::Nothing,
            BoundaryKind::Stage { level } => Outside::Level(level.at(time) as f32),
        };
        let list: Vec<Outside> = self.list.iter().map(now).collect();
        let outside = |owner: &u32| list.get(*owner as usize).copied().unwrap_or(Outside::Wall);
        Edges(self.owners.each_ref().map(|owners| owners.iter().map(outside).collect()))
    }

    /// Books what crossed the edge in the step just done; `before` holds the depths it began with.
    pub(super) fn book(
        &self,
        state: &mut State,
        before: &Field<f32>,
        step: &Step,
        ledger: &mut Ledger,
    ) {
        let (mut came, mut went) = (0.0, 0.0);
        for edge in Edge::ALL {
            for (i, &owner) in self.owners[edge as usize].iter().enumerate() {
                if owner == WALL {
                    continue;
                }
                let h = before[step.lattice.edge_cell(edge, i)];
                let (q, inward) = boundary_face(state, edge, i);
                let moved = f64::from(transport::transfer(*q * inward, h, step.to_depth()));
                if moved > 0.0 { came += moved } else { went += moved }
            }
        }
        ledger.book(Cause::Boundary, came * step.lattice.cell_area());
        ledger.book(Cause::Boundary, went * step.lattice.cell_area());
    }
}

/// `(2/3)^(3/2)·√g` (m^½/s): times `h^(3/2)`, the unit discharge of water `h` deep over a broad-crested
/// weir.
pub(super) fn weir(gravity: f64) -> f32 {
    (2.0_f64 / 3.0 * (2.0_f64 / 3.0).sqrt() * gravity.sqrt()) as f32
}

/// The discharge over boundary face `i` of an edge, and the sign of one into the grid.
pub(super) fn boundary_face(state: &mut State, edge: Edge, i: usize) -> (&mut f32, f32) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    match edge {
        Edge::West => (&mut state.discharge_x[(0, i)], 1.0),
        Edge::East => (&mut state.discharge_x[(nx, i)], -1.0),
        Edge::North => (&mut state.discharge_y[(i, 0)], 1.0),
        Edge::South => (&mut state.discharge_y[(i, ny)], -1.0),
    }
}
