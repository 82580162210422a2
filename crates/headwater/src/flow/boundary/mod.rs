//! Boundary conditions along the edges of the grid, and the recording of the water that crosses the
//! edges.

pub(super) mod faces;
pub(super) mod state;

use super::context::StepContext;
use super::sources::ledger_sink::{Crossing, LedgerSink};
use super::sources::sample_time::SampleTime;
use super::state::State;
use crate::error::InputError;
use crate::lattice::{Edge, Lattice};
use crate::parameter::Range;
use crate::scratch::{PooledVec, ScratchPool};
use crate::series::Series;
use serde::{Deserialize, Serialize};
use state::{BoundaryState, EdgeStates, Periodicity};

/// Type of boundary condition along an edge of the grid, or along a part of an edge.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoundaryKind {
    /// No flow crosses the edge. This is the default.
    #[default]
    Wall,
    /// Inflow with a prescribed unit discharge.
    Inflow {
        /// Unit discharge over time (m²/s), not negative.
        discharge: Series,
    },
    /// Inflow with a prescribed unit discharge, a prescribed velocity along the edge and,
    /// optionally, a prescribed water level.
    /// [`Physics::ShallowWater`](super::Physics::ShallowWater) uses all values; the other physics
    /// models use only the discharge.
    Stream {
        /// Unit discharge over time (m²/s), not negative.
        discharge: Series,
        /// Velocity component along the edge over time (m/s), positive to the east or south.
        along: Series,
        /// Elevation of the water surface over time (m), used only for supercritical inflow. A
        /// subcritical inflow takes the depth of the adjacent cell.
        level: Option<Series>,
    },
    /// Outflow with a prescribed unit discharge, limited to the water available.
    Outflow {
        /// Unit discharge over time (m²/s), not negative.
        discharge: Series,
    },
    /// Free outflow, as over a broad-crested weir: at a depth `h`, the unit discharge is
    /// `(2/3)^(3/2)·√g·h^(3/2)`.
    Open,
    /// A prescribed water level that may vary in time, for a tide, the sea or a lake. The
    /// shallow-water model imposes the level at the boundary face, with the outgoing invariant `u +
    /// 2c`; the other physics models impose it half a cell beyond the edge. Where the bed is above
    /// the level, water can leave the grid but cannot enter it.
    Stage {
        /// Elevation of the prescribed water surface over time (m).
        level: Series,
    },
    /// A wave maker with a sinusoidal wave that starts at time 0. Outgoing waves leave the grid
    /// (Flather 1976: `q = c·(2·incoming − (η − level))`, with the wave speed `c` in still water,
    /// the elevation `incoming` of the incoming wave above the still-water level `level`, and the
    /// elevation `η` of the water surface). The shallow-water model uses the invariants instead,
    /// for waves of any height: `u + 2c` of the water inside and `u − 2c` of the incoming wave.
    /// With an amplitude of 0 this is an absorbing boundary. Where the bed is above the still-water
    /// level, the boundary is a wall.
    Wave {
        /// Still-water level (m).
        level: f64,
        /// Amplitude of the incoming waves (m), not negative.
        amplitude: f64,
        /// Wave period (s), above 0.
        period: f64,
    },
    /// A wave maker that replays a recorded signal. In all other respects the wave maker behaves
    /// like [`Wave`](Self::Wave).
    Recorded {
        /// Still-water level (m).
        level: f64,
        /// Surface elevation of the incoming waves over time, relative to the still-water level
        /// (m). It must not include reflected waves.
        rise: Series,
    },
    /// A wave maker with one solitary wave. At the edge, the elevation of this wave at time `t` is
    /// `height·sech²(√(3·height/(4·depth³))·c·(t − time))` with `c = √(g·(depth + height))`
    /// (Boussinesq 1872). In all other respects the wave maker behaves like [`Wave`](Self::Wave).
    Solitary {
        /// Still-water level (m).
        level: f64,
        /// Height of the crest above the still-water level (m), not negative.
        height: f64,
        /// Still-water depth (m), greater than 0. It determines the length and the speed of the
        /// wave.
        depth: f64,
        /// Time at which the crest crosses the edge of the grid (s).
        time: f64,
    },
    /// Periodic boundary: joins the whole edge to the opposite edge, for water and tracers. Setting
    /// another condition on either edge removes the periodicity. On hexagons, north and south can
    /// be periodic only if the number of rows is even.
    Periodic,
}

/// A boundary condition, and the part of an edge to which it applies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Boundary {
    /// Edge of the grid to which the condition applies.
    pub edge: Edge,
    /// Part of the edge to which the condition applies: its start and end, in metres from the
    /// edge's west or north end. `None` selects the whole edge. A face is included if its centre
    /// lies within this part.
    pub span: Option<[f64; 2]>,
    /// Type of boundary condition.
    pub kind: BoundaryKind,
}

impl BoundaryKind {
    /// Valid range of prescribed unit discharges (m²/s).
    pub const DISCHARGE: Range = Range::new(0.0, 1e6);
    /// Valid range of the velocity along an edge (m/s).
    pub const TANGENTIAL_VELOCITY: Range = Range::new(-1000.0, 1000.0);
    /// Valid range of prescribed water levels (m).
    pub const LEVEL: Range = Range::new(-1e6, 1e6);
    /// Valid range of wave amplitudes (m).
    pub const AMPLITUDE: Range = Range::new(0.0, 1000.0);
    /// Valid range of recorded surface elevations (m).
    pub const RISE: Range = Range::new(-1000.0, 1000.0);
    /// Valid range of the still-water depth of a solitary wave (m).
    pub const STILL_DEPTH: Range = Range::above_zero(1e5);
    /// Valid range of the time at which the crest of a solitary wave crosses the edge (s).
    pub const CREST_TIME: Range = Range::new(-1e10, 1e10);
    /// Valid range of wave periods (s).
    pub const PERIOD: Range = Range::above_zero(1e6);
}

impl BoundaryKind {
    /// Returns whether the condition is the same at all times.
    pub fn is_constant(&self) -> bool {
        let constant = |series: &Series| series.points().len() == 1;
        match self {
            Self::Wall | Self::Open | Self::Periodic => true,
            Self::Inflow { discharge } | Self::Outflow { discharge } => constant(discharge),
            Self::Stream { discharge, along, level } => {
                constant(discharge) && constant(along) && level.as_ref().is_none_or(constant)
            }
            Self::Stage { level } => constant(level),
            Self::Wave { amplitude, .. } => *amplitude == 0.0,
            Self::Recorded { rise, .. } => constant(rise),
            Self::Solitary { height, .. } => *height == 0.0,
        }
    }

    fn is_wave_maker(&self) -> bool {
        matches!(self, Self::Wave { .. } | Self::Recorded { .. } | Self::Solitary { .. })
    }
}

impl Boundary {
    /// Creates a boundary condition along a whole edge.
    pub fn on_edge(edge: Edge, kind: BoundaryKind) -> Self {
        Self { edge, span: None, kind }
    }

    /// Creates a boundary condition for the part of an edge between two distances (m), measured
    /// from the edge's west or north end.
    pub fn on_segment(edge: Edge, from: f64, to: f64, kind: BoundaryKind) -> Self {
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
            let (low, high) = series.value_range();
            [low, high].into_iter().try_for_each(|found| range.check(what, found, unit))
        };
        match &self.kind {
            BoundaryKind::Inflow { discharge } | BoundaryKind::Outflow { discharge } => {
                series("discharge", discharge, &BoundaryKind::DISCHARGE, "m²/s")
            }
            BoundaryKind::Stream { discharge, along, level } => {
                series("discharge", discharge, &BoundaryKind::DISCHARGE, "m²/s")?;
                series("along", along, &BoundaryKind::TANGENTIAL_VELOCITY, "m/s")?;
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
                BoundaryKind::STILL_DEPTH.check("depth", *depth, "m")?;
                BoundaryKind::CREST_TIME.check("time", *time, "s")
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

/// All boundary conditions of a world. Where several conditions apply to the same part of an edge,
/// the one that was set last takes effect. Faces without a condition are walls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Boundaries {
    list: Vec<Boundary>,
    /// Indices in `list` of the boundary conditions, by edge and by face along the edge. Faces
    /// without a condition have the index `WALL`.
    owners: [Vec<u32>; 4],
}

const WALL: u32 = u32::MAX;

fn can_be_periodic(lattice: &Lattice, edge: Edge) -> bool {
    !lattice.is_hex() || edge.has_x_faces() || lattice.ny().is_multiple_of(2)
}

impl Boundaries {
    pub(super) fn new(lattice: &Lattice) -> Self {
        Self { list: Vec::new(), owners: Edge::ALL.map(|edge| vec![WALL; lattice.edge_len(edge)]) }
    }

    pub(crate) fn set(&mut self, lattice: &Lattice, boundary: Boundary) -> Result<(), InputError> {
        boundary.validate().map_err(|error| error.with_table_prefix("boundary"))?;
        let number = self.list.len() as u32;
        let both = [boundary.edge, boundary.edge.opposite()];
        if boundary.kind == BoundaryKind::Periodic {
            if !can_be_periodic(lattice, boundary.edge) {
                let allowed = "an even number, for a periodic north and south of hexagons";
                return Err(InputError::new("rows", lattice.ny(), allowed));
            }
            for edge in both {
                self.owners[edge as usize].fill(number);
            }
            self.list.push(boundary);
            return Ok(());
        }
        if self.is_periodic(boundary.edge) {
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

    fn is_periodic(&self, edge: Edge) -> bool {
        // Only whole edges can be periodic.
        let first = self.owners[edge as usize].first();
        let boundary = first.and_then(|owner| self.list.get(*owner as usize));
        boundary.is_some_and(|boundary| boundary.kind == BoundaryKind::Periodic)
    }

    /// Returns whether an edge has, or has ever had, a [`BoundaryKind::Stream`] condition.
    pub(super) fn has_streams(&self) -> bool {
        self.list.iter().any(|boundary| matches!(boundary.kind, BoundaryKind::Stream { .. }))
    }

    pub(super) fn has_waves(&self) -> bool {
        self.list.iter().any(|boundary| boundary.kind.is_wave_maker())
    }

    pub(crate) fn periodicity(&self) -> Periodicity {
        Periodicity { x: self.is_periodic(Edge::West), y: self.is_periodic(Edge::North) }
    }

    pub(super) fn fits(&self, lattice: &Lattice) -> bool {
        let is_valid = |owner: &u32| *owner == WALL || (*owner as usize) < self.list.len();
        let periodic = |edge: Edge| {
            let is_periodic = |owner: &u32| {
                let boundary = self.list.get(*owner as usize);
                boundary.is_some_and(|boundary| boundary.kind == BoundaryKind::Periodic)
            };
            let owners = &self.owners[edge as usize];
            (owners.iter().any(is_periodic), owners.iter().all(is_periodic))
        };
        Edge::ALL.iter().zip(&self.owners).all(|(edge, owners)| {
            let (some, all) = periodic(*edge);
            owners.len() == lattice.edge_len(*edge)
                && owners.iter().all(is_valid)
                && some == all
                && all == periodic(edge.opposite()).1
                && (!all || can_be_periodic(lattice, *edge))
        })
    }

    pub(super) fn boundary_indices(&self, edge: Edge) -> &[u32] {
        &self.owners[edge as usize]
    }

    pub(super) fn conditions(&self) -> &[Boundary] {
        &self.list
    }

    pub(super) fn states(
        &self,
        sample_time: SampleTime,
        gravity: f64,
    ) -> impl Iterator<Item = BoundaryState> {
        let state = move |boundary: &Boundary| match &boundary.kind {
            BoundaryKind::Wall => BoundaryState::Wall,
            BoundaryKind::Inflow { discharge } => {
                BoundaryState::Discharge(sample_time.sampled_rate(discharge) as f32)
            }
            BoundaryKind::Stream { discharge, along, level } => BoundaryState::Stream {
                discharge: sample_time.sampled_rate(discharge) as f32,
                tangential_velocity: sample_time.sampled_level(along) as f32,
                level: level.as_ref().map(|level| sample_time.sampled_level(level) as f32),
            },
            BoundaryKind::Outflow { discharge } => {
                BoundaryState::Discharge(-sample_time.sampled_rate(discharge) as f32)
            }
            BoundaryKind::Open => BoundaryState::FreeOutflow,
            BoundaryKind::Stage { level } => {
                BoundaryState::Level(sample_time.sampled_level(level) as f32)
            }
            BoundaryKind::Wave { level, amplitude, period } => {
                // libm gives the same bits on every platform. Whole periods are removed first for
                // precision.
                let phase = (sample_time.level_time() / period).fract();
                let rise = amplitude * libm::sin(std::f64::consts::TAU * phase);
                BoundaryState::Waves { level: *level as f32, wave_elevation: rise as f32 }
            }
            BoundaryKind::Recorded { level, rise } => BoundaryState::Waves {
                level: *level as f32,
                wave_elevation: sample_time.sampled_rise(rise) as f32,
            },
            BoundaryKind::Solitary { level, height, depth, time: crest } => {
                let celerity = (gravity * (depth + height)).sqrt();
                let width = (0.75 * height / (depth * depth * depth)).sqrt();
                let rise = height
                    / libm::cosh(width * celerity * (sample_time.level_time() - crest)).powi(2);
                BoundaryState::Waves { level: *level as f32, wave_elevation: rise as f32 }
            }
            BoundaryKind::Periodic => BoundaryState::Periodic,
        };
        self.list.iter().map(state)
    }

    /// Evaluates the boundary conditions at `sample_time` for all faces along all edges.
    pub(crate) fn edge_states<'s>(
        &self,
        sample_time: SampleTime,
        gravity: f64,
        scratch: &'s ScratchPool,
    ) -> EdgeStates<'s> {
        let list = scratch.take_collected(self.states(sample_time, gravity));
        let state = |owner: &u32| list.get(*owner as usize).copied().unwrap_or(BoundaryState::Wall);
        EdgeStates {
            states: self
                .owners
                .each_ref()
                .map(|owners| scratch.take_collected(owners.iter().map(state))),
            periodic: self.periodicity(),
        }
    }

    /// Records in `sink` the volumes of water that crossed the edges in a step.
    pub(super) fn record_step(
        &self,
        state: &State,
        step: &StepContext,
        sink: &mut impl LedgerSink,
        scratch: &ScratchPool,
    ) {
        self.record_crossings(step.lattice, sink, |edge, n| {
            let crossed = |i| {
                let into = state.boundary_inflow(edge, i);
                into.map(|into| into * step.depth_per_discharge())
            };
            scratch.take_collected((0..n).map(crossed))
        });
    }

    /// Records in `sink` the volumes of water that crossed the edges of the grid. `crossed(edge,
    /// n)` returns two depths (m, positive into the grid) for each of the `n` faces of an edge: the
    /// water that crossed each half of the face.
    pub(super) fn record_crossings<'s>(
        &self,
        lattice: &Lattice,
        sink: &mut impl LedgerSink,
        crossed: impl Fn(Edge, usize) -> PooledVec<'s, [f32; 2]>,
    ) {
        let edges = Edge::ALL.map(|edge| {
            let owners = &self.owners[edge as usize];
            let is_closed = self.is_periodic(edge) || owners.iter().all(|&owner| owner == WALL);
            (!is_closed).then(|| (edge, owners, crossed(edge, owners.len())))
        });
        let over = edges.iter().flatten().flat_map(|(edge, owners, crossed)| {
            let faces = crossed.iter().zip(*owners).enumerate();
            let open = faces.filter(|(_, (_, owner))| **owner != WALL);
            open.flat_map(|(face, (halves, &boundary))| {
                halves.map(|depth| Crossing { edge: *edge, face, boundary, depth })
            })
        });
        sink.record_crossings(lattice.cell_area(), over);
    }

    /// Returns the boundary conditions of the sub-world that consists of the given rows. `is_cut`
    /// specifies whether the world continues to the north (index 0) and to the south (index 1) of
    /// these rows. On such a side, the sub-world has a wall.
    pub(crate) fn restricted_to_rows(&self, rows: &[usize], is_cut: [bool; 2]) -> Self {
        let side = |edge: Edge| rows.iter().map(|&y| self.owners[edge as usize][y]).collect();
        let end = |edge: Edge, is_cut: bool| {
            let owners = &self.owners[edge as usize];
            if is_cut { vec![WALL; owners.len()] } else { owners.clone() }
        };
        let owners = Edge::ALL.map(|edge| match edge {
            Edge::West | Edge::East => side(edge),
            Edge::North => end(edge, is_cut[0]),
            Edge::South => end(edge, is_cut[1]),
        });
        Self { list: self.list.clone(), owners }
    }
}
