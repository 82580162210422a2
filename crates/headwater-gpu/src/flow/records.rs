//! Records shared by the flow kernels and Rust: world parameters, one record per step, and uploaded
//! edits.

use crate::record::{Record, record};
use headwater::Edge;
use headwater::flow::{self, BoundaryState, Flow, Physics};

pub(crate) const ALL: [Record; 10] = [
    World::RECORD,
    Step::RECORD,
    Entry::RECORD,
    DepthEdit::RECORD,
    CellPush::RECORD,
    FacePush::RECORD,
    SoilCell::RECORD,
    Particle::RECORD,
    TracerHeader::RECORD,
    DrawParams::RECORD,
];

record! {
    /// Parameters that change only when the world is modified.
    pub(crate) struct World {
        nx: i32,
        ny: i32,
        pitch: i32,
        plane: i32,
        /// 1 if opposite edges are joined (periodic).
        periodic_x: u32,
        periodic_y: u32,
        /// Always 0; see `opaque` in common.wgsl.
        zero_bits: u32,
        /// Number of boundaries.
        boundary_count: u32,
        /// Manning's roughness where there is no map (s/m^⅓).
        manning: f32,
        /// Gravity (m/s²).
        gravity: f32,
        /// Weir coefficient; see `outermost_face` in boundary_faces.wgsl.
        weir_coefficient: f32,
        /// Wave speed of pipes, over x-faces and y-faces (m/s).
        celerity_x: f32,
        celerity_y: f32,
        /// Widths of inner faces (m).
        face_x: f32,
        face_y: f32,
        /// Area of a cell (m²).
        area: f32,
        /// Widths of boundary faces (m) at the west, east, north and south edge: in even rows or
        /// columns, and in odd ones.
        edge_even: [f32; 4],
        edge_odd: [f32; 4],
        /// Depth below which a cell counts as dry, for velocities (m).
        dry: f32,
        padding: u32,
        padding_2: [u32; 2],
    }
}

impl World {
    pub(crate) fn new(flow: &Flow, pitch: usize, plane: usize) -> Self {
        let (lattice, params, view) = (flow.lattice(), flow.params(), flow.device_view());
        let [periodic_x, periodic_y] = view.periodic().map(u32::from);
        let width = |edge: Edge, i: usize| lattice.edge_face_width(edge, i) as f32;
        let celerity = |is_x: bool| {
            (params.gravity * params.pipe_area / lattice.face_width(is_x)).sqrt() as f32
        };
        Self {
            nx: lattice.nx() as i32,
            ny: lattice.ny() as i32,
            pitch: pitch as i32,
            plane: plane as i32,
            periodic_x,
            periodic_y,
            boundary_count: view.boundaries().len() as u32,
            manning: params.manning as f32,
            gravity: params.gravity as f32,
            weir_coefficient: view.weir_coefficient(),
            celerity_x: celerity(true),
            celerity_y: celerity(false),
            face_x: lattice.face_width(true) as f32,
            face_y: lattice.face_width(false) as f32,
            area: lattice.cell_area() as f32,
            edge_even: Edge::ALL.map(|edge| width(edge, 0)),
            edge_odd: Edge::ALL.map(|edge| width(edge, 1)),
            dry: params.dry_depth as f32,
            ..Self::default()
        }
    }
}

record! {
    /// Coefficients that are constant during a step.
    pub(crate) struct Step {
        /// 0 if the step is to be skipped.
        pub(crate) is_active: u32,
        /// Indices of the buffers that hold the current depths and discharges.
        pub(crate) buffer_h: u32,
        pub(crate) buffer_q: u32,
        /// Fraction of a discharge left by friction.
        keep: f32,
        /// dt / area of a cell (s/m²).
        to_depth: f32,
        /// By face direction: gain per metre of surface difference, 1/width, and factor from
        /// transverse discharges to a unit discharge.
        push_x: f32,
        push_y: f32,
        unit_x: f32,
        unit_y: f32,
        across_x: f32,
        across_y: f32,
        /// The filter's θ and ½(1 − θ).
        theta: f32,
        half_one_minus_theta: f32,
        /// g·dt (m/s).
        gravity: f32,
        /// 3·dt·ν (m²).
        viscous: f32,
        /// Change of depth per cell by weather and soil (m).
        rain: f32,
        evaporation: f32,
        soak: f32,
        seep: f32,
        /// Soil capacity (m), as the sum of two floats.
        capacity: f32,
        capacity_rest: f32,
        /// Stability check: index of the state summary, bounds of its depth (m) and of its loss
        /// rate (1/s, times the cell area), depth up to which any loss is allowed (m), and outside
        /// depth (m).
        pub(crate) slot: u32,
        pub(crate) max_depth: f32,
        pub(crate) max_loss: f32,
        pub(crate) max_depth_any_loss: f32,
        pub(crate) outside_depth: f32,
        /// dt / cell area, converts outflow depths to loss rates.
        to_area: f32,
        /// Step length (s), in 32 and 64 bits.
        dt: f32,
        exact_dt: f64,
    }
}

/// Offset of `dt` in a step record (words).
pub(crate) const DT_WORD: u32 = (std::mem::offset_of!(Step, dt) / size_of::<u32>()) as u32;

impl Step {
    /// Returns a record for kernels that only inspect or edit a state. Loss rates are in 1/s times
    /// the cell area; `outside_depth` is the depth beyond the edges (m).
    pub(crate) fn inspection(buffer_h: u32, buffer_q: u32, slot: u32, outside_depth: f32) -> Self {
        Self { buffer_h, buffer_q, slot, outside_depth, to_area: 1.0, ..Self::default() }
    }

    /// Returns the record of a step of `dt` seconds from `time`, without buffer indices and bounds.
    pub(crate) fn new(flow: &Flow, time: f64, dt: f64) -> Self {
        let view = flow.device_view();
        let to_depth = (dt / flow.lattice().cell_area()) as f32;
        let mut step = Self {
            is_active: 1,
            to_depth,
            to_area: to_depth,
            dt: dt as f32,
            exact_dt: dt,
            ..Self::default()
        };
        match flow.params().level {
            Physics::Inertial => {
                let c = view.inertial(dt);
                step.keep = c.decay;
                (step.push_x, step.push_y) = (c.x.push, c.y.push);
                (step.unit_x, step.unit_y) = (c.x.unit, c.y.unit);
                (step.across_x, step.across_y) = (c.x.unit_across, c.y.unit_across);
                [step.theta, step.half_one_minus_theta] = c.theta;
                (step.gravity, step.viscous) = (c.gravity, c.viscous);
            }
            Physics::ShallowWater => {
                let c = view.shallow(dt);
                step.keep = c.decay;
                (step.push_x, step.push_y) = (c.per_x, c.per_y);
                (step.unit_x, step.unit_y) = (c.width_x, c.width_y);
                (step.gravity, step.viscous) = (c.g_dt, c.viscous);
            }
            Physics::Pipes => {
                let c = view.pipes(dt);
                step.keep = c.decay;
                (step.push_x, step.push_y) = (c.push_x, c.push_y);
                step.viscous = c.drag.unwrap_or(0.0);
            }
        }
        step.rain = view.rain().map_or(0.0, |(rain, _)| view.depth_of_rate(&rain.rate, time, dt));
        step.evaporation = view.evaporation().map_or(0.0, |(r, _)| view.depth_of_rate(r, time, dt));
        if let Some(soil) = view.soil_exchange(dt) {
            (step.soak, step.seep) = (soil.infiltration, soil.seepage as f32);
            [step.capacity, step.capacity_rest] = two_floats(soil.capacity);
        }
        step
    }
}

/// Splits a number into the sum of two floats.
pub(crate) fn two_floats(value: f64) -> [f32; 2] {
    let first = value as f32;
    [first, (value - f64::from(first)) as f32]
}

record! {
    /// State of a boundary, or share of a source per cell.
    pub(crate) struct Entry {
        pub(crate) kind: u32,
        pub(crate) a: f32,
        pub(crate) b: f32,
        pub(crate) padding: f32,
    }
}

/// Kinds as in boundary.wgsl.
impl From<BoundaryState> for Entry {
    fn from(outside_depth: BoundaryState) -> Self {
        let of = |kind, a, b| Self { kind, a, b, padding: 0.0 };
        match outside_depth {
            BoundaryState::Wall | BoundaryState::Periodic => of(0, 0.0, 0.0),
            // Streams are unsupported, except for their discharge.
            BoundaryState::Discharge(unit) | BoundaryState::Stream { discharge: unit, .. } => {
                of(1, unit, 0.0)
            }
            BoundaryState::FreeOutflow => of(2, 0.0, 0.0),
            BoundaryState::Level(level) => of(3, level, 0.0),
            BoundaryState::Waves { level, rise } => of(4, level, rise),
        }
    }
}

impl Entry {
    /// Returns the entry of a source; `None` if it is inactive.
    pub(crate) fn from_source(share: Option<f32>) -> Self {
        share.map_or(Self::default(), |a| Self { kind: 1, a, ..Self::default() })
    }
}

record! {
    /// Edit of the depth of a cell.
    pub(crate) struct DepthEdit {
        pub(crate) index: u32,
        /// 0: adds `to` to the depth (m). 1: the bed changed from `old_bed` to `to` (m), and the
        /// surface stays.
        pub(crate) keeps_surface: u32,
        pub(crate) old_bed: f32,
        pub(crate) to: f32,
    }
}

record! {
    /// Change of the velocity of the water in a cell (m/s).
    pub(crate) struct CellPush {
        pub(crate) index: u32,
        pub(crate) padding: u32,
        pub(crate) east: f64,
        pub(crate) south: f64,
    }
}

record! {
    /// Change of the discharge over a face, with the cells before and after it.
    pub(crate) struct FacePush {
        pub(crate) family: u32,
        pub(crate) index: u32,
        pub(crate) before: u32,
        pub(crate) after: u32,
        /// Gain of the discharge per depth over the face (m²/s), from its first and its second
        /// cell.
        pub(crate) first: f64,
        pub(crate) second: f64,
    }
}

record! {
    /// Soil of a cell: stored water (m) as the sum of two floats, and its remainders of
    /// infiltration and seepage.
    pub(crate) struct SoilCell {
        held: f32,
        held_rest: f32,
        to_take: f32,
        to_give: f32,
    }
}

impl From<&flow::SoilCell> for SoilCell {
    fn from(cell: &flow::SoilCell) -> Self {
        let [held, held_rest] = two_floats(cell.held);
        Self { held, held_rest, to_take: cell.to_take, to_give: cell.to_give }
    }
}

impl From<SoilCell> for flow::SoilCell {
    fn from(cell: SoilCell) -> Self {
        let held = f64::from(cell.held) + f64::from(cell.held_rest);
        Self { held, to_take: cell.to_take, to_give: cell.to_give }
    }
}

record! {
    /// Tracer: position (m), velocity (m/s) and age (s).
    pub(crate) struct Particle {
        x: f64,
        y: f64,
        velocity: [f32; 2],
        age: f64,
    }
}

impl From<&flow::Particle> for Particle {
    fn from(&flow::Particle { position: [x, y], velocity, age }: &flow::Particle) -> Self {
        Self { x, y, velocity, age }
    }
}

impl From<Particle> for flow::Particle {
    fn from(Particle { x, y, velocity, age }: Particle) -> Self {
        Self { position: [x, y], velocity, age }
    }
}

record! {
    /// State common to all tracers.
    pub(crate) struct TracerHeader {
        /// Number of active tracers, and 1 once all have been active.
        pub(crate) alive: u32,
        pub(crate) filled: u32,
        /// State of the random generator, low word first.
        pub(crate) random: [u32; 2],
        /// Lifetime (s).
        pub(crate) lifetime: f64,
        /// Distance of two cells in a row, and of two rows (m).
        pub(crate) dx: f64,
        pub(crate) dy: f64,
        /// Size of the grid (m), and its period from west to east (m).
        pub(crate) width: f64,
        pub(crate) height: f64,
        pub(crate) period_x: f64,
    }
}

record! {
    /// Parameters of a drawing.
    pub(crate) struct DrawParams {
        /// Indices of the buffers with depths and discharges before the steps in flight.
        pub(crate) buffer_h: u32,
        pub(crate) buffer_q: u32,
        /// Number of steps in flight, and words per step record.
        pub(crate) steps: u32,
        pub(crate) record_words: u32,
        /// Length of the step before them (s).
        pub(crate) dt: f32,
        pub(crate) padding: u32,
        pub(crate) padding_2: [u32; 2],
    }
}
