//! What stands at the edge of the grid, and the books of what crosses it.

use super::books::Books;
use super::context::Step;
use super::outside::{Edges, Joined, Outside};
use super::state::State;
use super::when::When;
use crate::error::InputError;
use crate::lattice::{Edge, Lattice};
use crate::parameter::Range;
use crate::scratch::{PooledVec, ScratchPool};
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
    /// The same of a stream of which more is known. Shallow water asks for it; the others know of its discharge alone.
    Stream {
        /// Unit discharge over time (m²/s).
        discharge: Series,
        /// Velocity along the edge over time (m/s), to the east or to the south.
        along: Series,
        /// Height of its surface over time (m). It counts where the stream is supercritical; a
        /// slower one takes the depth inside.
        level: Option<Series>,
    },
    /// A given unit discharge (m²/s, 0 or above) leaves, as far as there is water.
    Outflow {
        /// Unit discharge over time (m²/s).
        discharge: Series,
    },
    /// Water leaves as over a broad-crested weir into nothing, `q = (2/3)^(3/2)·√g·h^(3/2)`.
    Open,
    /// The water stands at a level (m) that may vary in time: a tide, the sea, a lake. Shallow
    /// water has it at the face, with the outgoing invariant `u + 2c`; pipes meet it half a cell
    /// further out. Where the bed is higher than the level, the outside is dry.
    Stage {
        /// Surface height over time (m).
        level: Series,
    },
    /// A wave maker: water at a level sends sine waves in from time 0, and lets waves from inside
    /// leave (Flather 1976: `q = c·(2·incoming − (η − level))`, `c` the speed in still water; in
    /// shallow water of any height, by `u + 2c` from inside and `u − 2c` of the incoming wave). An
    /// amplitude of 0 only lets waves leave. Where the bed is higher than the level, it is a wall.
    Wave {
        /// Height of the still water (m).
        level: f64,
        /// Amplitude of the incoming waves (m), 0 or above.
        amplitude: f64,
        /// Their period (s), above 0.
        period: f64,
    },
    /// A wave maker that sends waves as they were recorded, or as anything else says them; otherwise as [`Wave`](Self::Wave).
    Recorded {
        /// Height of the still water (m).
        level: f64,
        /// How far the incoming waves alone lift it over time (m).
        rise: Series,
    },
    /// A wave maker that sends one solitary wave, `η = height·sech²(√(3·height/(4·depth³))·c·(t − time))` with
    /// `c = √(g·(depth + height))` (Boussinesq 1872); otherwise as [`Wave`](Self::Wave).
    Solitary {
        /// Height of the still water (m).
        level: f64,
        /// Height of its crest above that (m), 0 or above.
        height: f64,
        /// Depth (m) of the still water by which its length goes, above 0.
        depth: f64,
        /// When the crest comes over the edge (s).
        time: f64,
    },
    /// Joins the edge to the opposite one all along; setting something else on either ends it.
    /// Tracers go round too. On hexagons, the north and south can be joined if the number of rows
    /// is even.
    Periodic,
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

impl BoundaryKind {
    /// Unit discharges (m²/s).
    pub const DISCHARGE: Range = Range::new(0.0, 1e6);
    /// Velocities along edges (m/s).
    pub const ALONG: Range = Range::new(-1000.0, 1000.0);
    /// Heights of the water outside (m).
    pub const LEVEL: Range = Range::new(-1e6, 1e6);
    /// Amplitudes of waves (m).
    pub const AMPLITUDE: Range = Range::new(0.0, 1000.0);
    /// How far recorded waves lift the water (m).
    pub const RISE: Range = Range::new(-1000.0, 1000.0);
    /// Depths by which the length of a solitary wave goes (m).
    pub const STILL: Range = Range::above_zero(1e5);
    /// When the crest of a solitary wave comes (s).
    pub const CREST: Range = Range::new(-1e10, 1e10);
    /// Periods of waves (s).
    pub const PERIOD: Range = Range::above_zero(1e6);
}

impl BoundaryKind {
    fn sends_waves(&self) -> bool {
        matches!(self, Self::Wave { .. } | Self::Recorded { .. } | Self::Solitary { .. })
    }
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

    fn validate(&self) -> Result<(), InputError> {
        if let Some([from, to]) = self.span
            && !(from.is_finite() && to.is_finite() && from < to)
        {
            let allowed = "from a smaller to a greater number of metres";
            return Err(InputError::new("stretch", format!("{from} to {to}"), allowed));
        }
        let series = |what, series: &Series, range: &Range, unit| {
            let (low, high) = series.range();
            [low, high].into_iter().try_for_each(|found| range.check(what, found, unit))
        };
        match &self.kind {
            BoundaryKind::Inflow { discharge } | BoundaryKind::Outflow { discharge } => {
                series("discharge", discharge, &BoundaryKind::DISCHARGE, "m²/s")
            }
            BoundaryKind::Stream { discharge, along, level } => {
                series("discharge", discharge, &BoundaryKind::DISCHARGE, "m²/s")?;
                series("along", along, &BoundaryKind::ALONG, "m/s")?;
                level.iter().try_for_each(|level| series("level", level, &BoundaryKind::LEVEL, "m"))
            }
            BoundaryKind::Stage { level } => series("level", level, &BoundaryKind::LEVEL, "m"),
            BoundaryKind::Wave { level, amplitude, period } => {
                BoundaryKind::LEVEL.check("level", *level, "m")?;
                BoundaryKind::AMPLITUDE.check("amplitude", *amplitude, "m")?;
                BoundaryKind::PERIOD.check("period", *period, "s")
            }
            BoundaryKind::Recorded { level, rise } => {
                BoundaryKind::LEVEL.check("level", *level, "m")?;
                series("rise", rise, &BoundaryKind::RISE, "m")
            }
            BoundaryKind::Solitary { level, height, depth, time } => {
                BoundaryKind::LEVEL.check("level", *level, "m")?;
                BoundaryKind::AMPLITUDE.check("height", *height, "m")?;
                BoundaryKind::STILL.check("depth", *depth, "m")?;
                BoundaryKind::CREST.check("time", *time, "s")
            }
            BoundaryKind::Periodic => self.span.map_or(Ok(()), |[from, to]| {
                let found = format!("{from} to {to} m");
                Err(InputError::new("stretch", found, "all of the edge if it is periodic"))
            }),
            BoundaryKind::Wall | BoundaryKind::Open => Ok(()),
        }
    }

    fn covers(&self, position: f64) -> bool {
        self.span.is_none_or(|[from, to]| from <= position && position < to)
    }
}

/// All boundaries of a world. Where stretches overlap, the last one set counts; where none was set
/// there is a wall.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Boundaries {
    list: Vec<Boundary>,
    /// For each face of each edge, the place in `list` of what it does, or `WALL`.
    owners: [Vec<u32>; 4],
}

const WALL: u32 = u32::MAX;

fn can_join(lattice: &Lattice, edge: Edge) -> bool {
    !lattice.is_hex() || edge.is_x() || lattice.ny().is_multiple_of(2)
}

impl Boundaries {
    pub(super) fn new(lattice: &Lattice) -> Self {
        Self { list: Vec::new(), owners: Edge::ALL.map(|edge| vec![WALL; lattice.edge_len(edge)]) }
    }

    pub(crate) fn set(&mut self, lattice: &Lattice, boundary: Boundary) -> Result<(), InputError> {
        boundary.validate().map_err(|error| error.under("boundary"))?;
        let number = self.list.len() as u32;
        let both = [boundary.edge, boundary.edge.opposite()];
        if boundary.kind == BoundaryKind::Periodic {
            if !can_join(lattice, boundary.edge) {
                let allowed = "an even number, for a periodic north and south of hexagons";
                return Err(InputError::new("rows", lattice.ny(), allowed));
            }
            for edge in both {
                self.owners[edge as usize].fill(number);
            }
            self.list.push(boundary);
            return Ok(());
        }
        if self.is_joined(boundary.edge) {
            for edge in both {
                self.owners[edge as usize].fill(WALL);
            }
        }
        for (i, owner) in self.owners[boundary.edge as usize].iter_mut().enumerate() {
            if boundary.covers(lattice.edge_position(boundary.edge, i)) {
                *owner = number;
            }
        }
        self.list.push(boundary);
        Ok(())
    }

    fn is_joined(&self, edge: Edge) -> bool {
        // Only whole edges are ever joined.
        let first = self.owners[edge as usize].first();
        let boundary = first.and_then(|owner| self.list.get(*owner as usize));
        boundary.is_some_and(|boundary| boundary.kind == BoundaryKind::Periodic)
    }

    /// True if any edge was ever a stream's of which more is known than its discharge.
    pub(super) fn has_streams(&self) -> bool {
        self.list.iter().any(|boundary| matches!(boundary.kind, BoundaryKind::Stream { .. }))
    }

    pub(super) fn has_waves(&self) -> bool {
        self.list.iter().any(|boundary| boundary.kind.sends_waves())
    }

    pub(crate) fn joined(&self) -> Joined {
        Joined { x: self.is_joined(Edge::West), y: self.is_joined(Edge::North) }
    }

    pub(super) fn fits(&self, lattice: &Lattice) -> bool {
        let known = |owner: &u32| *owner == WALL || (*owner as usize) < self.list.len();
        let periodic = |edge: Edge| {
            let joined = |owner: &u32| {
                let boundary = self.list.get(*owner as usize);
                boundary.is_some_and(|boundary| boundary.kind == BoundaryKind::Periodic)
            };
            let owners = &self.owners[edge as usize];
            (owners.iter().any(joined), owners.iter().all(joined))
        };
        Edge::ALL.iter().zip(&self.owners).all(|(edge, owners)| {
            let (some, all) = periodic(*edge);
            owners.len() == lattice.edge_len(*edge)
                && owners.iter().all(known)
                && some == all
                && all == periodic(edge.opposite()).1
                && (!all || can_join(lattice, *edge))
        })
    }

    pub(super) fn owners(&self, edge: Edge) -> &[u32] {
        &self.owners[edge as usize]
    }

    pub(super) fn list(&self) -> &[Boundary] {
        &self.list
    }

    pub(super) fn outside(&self, when: When, gravity: f64) -> impl Iterator<Item = Outside> {
        let now = move |boundary: &Boundary| match &boundary.kind {
            BoundaryKind::Wall => Outside::Wall,
            BoundaryKind::Inflow { discharge } => Outside::Given(when.rate(discharge) as f32),
            BoundaryKind::Stream { discharge, along, level } => Outside::Stream {
                discharge: when.rate(discharge) as f32,
                along: when.level(along) as f32,
                level: level.as_ref().map(|level| when.level(level) as f32),
            },
            BoundaryKind::Outflow { discharge } => Outside::Given(-when.rate(discharge) as f32),
            BoundaryKind::Open => Outside::Nothing,
            BoundaryKind::Stage { level } => Outside::Level(when.level(level) as f32),
            BoundaryKind::Wave { level, amplitude, period } => {
                // libm: the same bits everywhere. Whole periods are taken off first for precision.
                let phase = (when.moment() / period).fract();
                let rise = amplitude * libm::sin(std::f64::consts::TAU * phase);
                Outside::Waves { level: *level as f32, rise: rise as f32 }
            }
            BoundaryKind::Recorded { level, rise } => {
                Outside::Waves { level: *level as f32, rise: when.rise(rise) as f32 }
            }
            BoundaryKind::Solitary { level, height, depth, time: crest } => {
                let celerity = (gravity * (depth + height)).sqrt();
                let width = (0.75 * height / (depth * depth * depth)).sqrt();
                let rise = height / libm::cosh(width * celerity * (when.moment() - crest)).powi(2);
                Outside::Waves { level: *level as f32, rise: rise as f32 }
            }
            BoundaryKind::Periodic => Outside::Joined,
        };
        self.list.iter().map(now)
    }

    pub(crate) fn at<'s>(&self, when: When, gravity: f64, scratch: &'s ScratchPool) -> Edges<'s> {
        let list = scratch.collect(self.outside(when, gravity));
        let outside = |owner: &u32| list.get(*owner as usize).copied().unwrap_or(Outside::Wall);
        Edges {
            outside: self
                .owners
                .each_ref()
                .map(|owners| scratch.collect(owners.iter().map(outside))),
            joined: self.joined(),
        }
    }

    pub(super) fn book(
        &self,
        state: &State,
        step: &Step,
        books: &mut impl Books,
        scratch: &ScratchPool,
    ) {
        self.book_crossed(step.lattice, books, |edge, n| {
            let crossed = |i| {
                let into = state.boundary_into(edge, i);
                into.map(|into| into * step.to_depth())
            };
            scratch.collect((0..n).map(crossed))
        });
    }

    /// Books depths (m, into the grid) that crossed the so many faces of each edge, in order.
    pub(super) fn book_crossed<'s>(
        &self,
        lattice: &Lattice,
        books: &mut impl Books,
        crossed: impl Fn(Edge, usize) -> PooledVec<'s, [f32; 2]>,
    ) {
        let edges = Edge::ALL.map(|edge| {
            let owners = &self.owners[edge as usize];
            let none = self.is_joined(edge) || owners.iter().all(|&owner| owner == WALL);
            (!none).then(|| (edge, owners, crossed(edge, owners.len())))
        });
        let over = edges.iter().flatten().flat_map(|(edge, owners, crossed)| {
            let faces = crossed.iter().zip(*owners).enumerate();
            let open = faces.filter(|(_, (_, owner))| **owner != WALL);
            open.flat_map(|(i, (halves, _))| halves.map(|into| (*edge, i, into)))
        });
        books.book_crossed(lattice.cell_area(), over);
    }

    /// Those of some rows of the grid, with walls to the north and south where the grid goes on beyond them (`cut`).
    pub(crate) fn of_rows(&self, rows: &[usize], cut: [bool; 2]) -> Self {
        let beside = |edge: Edge| rows.iter().map(|&y| self.owners[edge as usize][y]).collect();
        let end = |edge: Edge, cut: bool| {
            let owners = &self.owners[edge as usize];
            if cut { vec![WALL; owners.len()] } else { owners.clone() }
        };
        let owners = Edge::ALL.map(|edge| match edge {
            Edge::West | Edge::East => beside(edge),
            Edge::North => end(edge, cut[0]),
            Edge::South => end(edge, cut[1]),
        });
        Self { list: self.list.clone(), owners }
    }
}
