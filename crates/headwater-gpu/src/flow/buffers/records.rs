//! Record types in device buffers, shared by the flow kernels and Rust: world parameters, step
//! parameters and uploaded edits.

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
    /// Parameters of the world for the kernels. They change only when the world is modified.
    pub(crate) struct World {
        nx: i32,
        ny: i32,
        pitch: i32,
        plane: i32,
        /// 1 if the west and east edges are periodic, otherwise 0.
        periodic_x: u32,
        /// 1 if the north and south edges are periodic, otherwise 0.
        periodic_y: u32,
        /// Always 0. The shader compiler cannot know this value, so it cannot reorder or fuse
        /// operations that use it; see `opaque` in common.wgsl.
        zero_bits: u32,
        /// Number of boundary conditions. In a step record, their states directly follow the
        /// parameters of the step.
        boundary_count: u32,
        /// Manning's roughness (s/m^⅓), used if there is no roughness map.
        manning: f32,
        /// Gravitational acceleration (m/s²).
        gravity: f32,
        /// Weir coefficient for free outflow through an edge of the world (m^½/s): the discharge
        /// per unit width is this coefficient times depth^1.5.
        weir_coefficient: f32,
        /// Wave speed across x-faces in the virtual-pipes scheme (m/s).
        celerity_x: f32,
        /// Wave speed across y-faces in the virtual-pipes scheme (m/s).
        celerity_y: f32,
        /// Width (m) of an interior x-face (a face between a cell and its eastern neighbour).
        face_x: f32,
        /// Width (m) of an interior y-face (a face between a cell and a neighbour to the south).
        face_y: f32,
        /// Area of one cell (m²).
        area: f32,
        /// Widths of boundary faces (m) in even rows or columns, for the west, east, north and
        /// south edges.
        edge_even: [f32; 4],
        /// Widths of boundary faces (m) in odd rows or columns, for the west, east, north and south
        /// edges.
        edge_odd: [f32; 4],
        /// Depth below which a cell counts as dry when velocities are computed (m).
        dry: f32,
        padding: u32,
        padding_2: [u32; 2],
    }
}

impl World {
    pub(crate) fn new(flow: &Flow, pitch: usize, plane: usize) -> Self {
        let (lattice, params, view) = (flow.lattice(), flow.params(), flow.device_view());
        let [periodic_x, periodic_y] = view.periodic_axes().map(u32::from);
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
    /// Parameters of one time step.
    pub(crate) struct Step {
        /// 1 if the step is executed, or 0 if it is skipped.
        pub(crate) is_active: u32,
        /// Index (0 or 1) of the half of the double buffer that contains the depths before the
        /// step.
        pub(crate) buffer_h: u32,
        /// Index (0 or 1) of the half of the double buffer that contains the discharges before the
        /// step.
        pub(crate) buffer_q: u32,
        /// Factor `(1 − friction)^dt` (dimensionless) by which discharges or, in the shallow-water
        /// scheme, momentum are multiplied in a step of `dt` seconds.
        decay: f32,
        /// Time step divided by cell area (s/m²), which converts a discharge to a depth.
        to_depth: f32,
        /// Acceleration coefficient of an x-face, which depends on the scheme. Virtual pipes: gain
        /// in discharge per metre of difference between the surface levels of the two cells (m²/s).
        /// Inertial: this gain per metre of depth at the face (m/s). Shallow water: time step
        /// divided by cell size (s/m).
        push_x: f32,
        /// Acceleration coefficient of a y-face, which depends on the scheme. Virtual pipes: gain
        /// in discharge per metre of difference between the surface levels of the two cells (m²/s).
        /// Inertial: this gain per metre of depth at the face (m/s). Shallow water: time step
        /// divided by cell size (s/m).
        push_y: f32,
        /// Reciprocal width of an x-face (1/m). For shallow water: the width (m).
        unit_x: f32,
        /// Reciprocal width of a y-face (1/m). For shallow water: the width (m).
        unit_y: f32,
        /// Factor (1/m) for the inertial scheme. The sum of the discharges through the four
        /// adjacent transverse faces of an x-face, multiplied by this factor, is the unit discharge
        /// parallel to the x-face.
        across_x: f32,
        /// Factor (1/m) for the inertial scheme. The sum of the discharges through the four
        /// adjacent transverse faces of a y-face, multiplied by this factor, is the unit discharge
        /// parallel to the y-face.
        across_y: f32,
        /// Weight θ of a face's own discharge in the filter of the inertial scheme (dimensionless).
        theta: f32,
        /// Weight ½(1 − θ) of each neighbouring face in the filter of the inertial scheme
        /// (dimensionless).
        half_one_minus_theta: f32,
        /// Gravitational acceleration times time step (m/s).
        gravity: f32,
        /// Coefficient 3·dt·ν (m²) of viscous drag, where dt is the time step and ν the kinematic
        /// viscosity.
        viscous: f32,
        /// Depth of rain during the step (m) in cells whose rain factor is 1.
        rain: f32,
        /// Depth of evaporation during the step (m) in cells whose evaporation factor is 1.
        evaporation: f32,
        /// Largest depth of water (m) that infiltrates into the soil of a cell during the step.
        /// Less infiltrates if the cell holds less water or the soil has less free capacity.
        infiltration: f32,
        /// Largest depth of water (m) that seeps out of the soil of a cell during the step. Less
        /// seeps out if the soil holds less water.
        seepage: f32,
        /// Capacity of the soil (m), rounded to `f32`; `capacity_rest` is the rounding error.
        capacity: f32,
        /// Rounding error of `capacity` (m). `capacity` plus this value is the capacity in higher
        /// precision.
        capacity_rest: f32,
        /// Index, in the buffer of state summaries, of the state before this step. The stability
        /// check reads this summary.
        pub(crate) slot: u32,
        /// Upper bound of the largest depth in the world (m) for which this step is stable. In the
        /// shallow-water scheme, upper bound of the wave rate instead (number of cells that a wave
        /// crosses per second).
        pub(crate) max_depth: f32,
        /// Upper bound of the largest loss rate in the world (m²/s) for which this step is stable.
        /// The loss rate of a cell is its outflow (m³/s) divided by its depth (m).
        pub(crate) max_loss: f32,
        /// Depth (m) below which loss rates do not matter: if no cell is deeper, the step is stable
        /// for any loss rate.
        pub(crate) max_depth_any_loss: f32,
        /// Water depth beyond the edges of the world after the step (m).
        pub(crate) outside_depth: f32,
        /// Divisor (s/m²) that converts the depth of a cell's outflow during the step to a
        /// discharge. In records of a step, it equals `to_depth`. In other records it is 1, because
        /// their outflows are already discharges.
        to_area: f32,
        /// Time step (s).
        dt: f32,
        /// Time step (s) in double precision.
        exact_dt: f64,
    }
}

/// Offset of the field `dt` in a step record, in words of 4 bytes.
pub(crate) const DT_WORD: u32 = (std::mem::offset_of!(Step, dt) / size_of::<u32>()) as u32;

impl Step {
    /// Returns a record for kernels that summarise or edit a state without stepping it. `buffer_h`
    /// and `buffer_q` are the current halves (0 or 1) of the depth and discharge buffers, and
    /// `slot` is the index of the summary. `outside_depth` is the water depth beyond the edges of
    /// the world (m).
    pub(crate) fn for_inspection(
        buffer_h: u32,
        buffer_q: u32,
        slot: u32,
        outside_depth: f32,
    ) -> Self {
        Self { buffer_h, buffer_q, slot, outside_depth, to_area: 1.0, ..Self::default() }
    }

    /// Returns the record of a step of `dt` seconds that starts at the simulated time `time` (s).
    /// The caller must set the buffer indices and the stability bounds.
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
                let c = view.inertial_coefficients(dt);
                step.decay = c.decay;
                (step.push_x, step.push_y) = (c.x.push, c.y.push);
                (step.unit_x, step.unit_y) = (c.x.unit, c.y.unit);
                (step.across_x, step.across_y) = (c.x.unit_across, c.y.unit_across);
                [step.theta, step.half_one_minus_theta] = c.theta;
                (step.gravity, step.viscous) = (c.gravity, c.viscous);
            }
            Physics::ShallowWater => {
                let c = view.shallow_coefficients(dt);
                step.decay = c.decay;
                (step.push_x, step.push_y) = (c.per_x, c.per_y);
                (step.unit_x, step.unit_y) = (c.width_x, c.width_y);
                (step.gravity, step.viscous) = (c.g_dt, c.viscous);
            }
            Physics::Pipes => {
                let c = view.pipes_coefficients(dt);
                step.decay = c.decay;
                (step.push_x, step.push_y) = (c.push_x, c.push_y);
                step.viscous = c.drag.unwrap_or(0.0);
            }
        }
        step.rain = view.rain().map_or(0.0, |(rain, _)| view.depth_from_rate(&rain.rate, time, dt));
        step.evaporation =
            view.evaporation().map_or(0.0, |(r, _)| view.depth_from_rate(r, time, dt));
        if let Some(soil) = view.soil_exchange(dt) {
            (step.infiltration, step.seepage) = (soil.infiltration, soil.seepage as f32);
            [step.capacity, step.capacity_rest] = split_into_floats(soil.capacity);
        }
        step
    }
}

/// Splits a number into its value rounded to `f32` and the rounding error, in this order. The sum
/// of both approximates the number more closely than a single `f32`.
pub(crate) fn split_into_floats(value: f64) -> [f32; 2] {
    let first = value as f32;
    [first, (value - f64::from(first)) as f32]
}

record! {
    /// Entry of a step record. Entries follow the parameters of the step. Each is the state of a
    /// boundary condition, or the depth (m) that a spring or drain exchanges per cell during the
    /// step.
    pub(crate) struct Entry {
        pub(crate) kind: u32,
        pub(crate) a: f32,
        pub(crate) b: f32,
        pub(crate) padding: f32,
    }
}

/// Converts the state of a boundary condition to an entry. The values of the field `kind` are
/// defined in boundary.wgsl.
impl From<BoundaryState> for Entry {
    fn from(outside_depth: BoundaryState) -> Self {
        let of = |kind, a, b| Self { kind, a, b, padding: 0.0 };
        match outside_depth {
            BoundaryState::Wall | BoundaryState::Periodic => of(0, 0.0, 0.0),
            // Streams (inflows with a level or a tangential velocity) are not supported on the GPU;
            // only their discharge is used.
            BoundaryState::Discharge(unit) | BoundaryState::Stream { discharge: unit, .. } => {
                of(1, unit, 0.0)
            }
            BoundaryState::FreeOutflow => of(2, 0.0, 0.0),
            BoundaryState::Level(level) => of(3, level, 0.0),
            BoundaryState::Waves { level, wave_elevation } => of(4, level, wave_elevation),
        }
    }
}

impl Entry {
    /// Returns the entry of a spring or drain that adds `depth` (m) to each of its cells, or
    /// removes it, during the step. `None` stands for an inactive spring or drain.
    pub(crate) fn from_exchanged_depth(depth: Option<f32>) -> Self {
        depth.map_or(Self::default(), |a| Self { kind: 1, a, ..Self::default() })
    }
}

record! {
    /// Edit of one cell that changes its water depth.
    pub(crate) struct DepthEdit {
        pub(crate) index: u32,
        /// Kind of the edit. 0: adds `value` (m) to the depth. 1: changes the bed elevation from
        /// `old_bed` to `value` (m), and changes the depth so that the water surface keeps its
        /// elevation.
        pub(crate) keeps_surface: u32,
        pub(crate) old_bed: f32,
        pub(crate) value: f32,
    }
}

record! {
    /// Eastward and southward change in the water velocity of one cell (m/s).
    pub(crate) struct CellPush {
        pub(crate) index: u32,
        pub(crate) padding: u32,
        pub(crate) east: f64,
        pub(crate) south: f64,
    }
}

record! {
    /// Change in the discharge through one face, caused by velocity changes in the cells on its two
    /// sides. `before` and `after` are the indices of these cells.
    pub(crate) struct FacePush {
        pub(crate) family: u32,
        pub(crate) index: u32,
        pub(crate) before: u32,
        pub(crate) after: u32,
        /// Discharge gain per metre of depth at the face (m²/s), caused by the velocity change in
        /// the cell `before`.
        pub(crate) before_gain: f64,
        /// Discharge gain per metre of depth at the face (m²/s), caused by the velocity change in
        /// the cell `after`.
        pub(crate) after_gain: f64,
    }
}

record! {
    /// Soil of one cell: stored water (m) as the sum of two floats, and the rounding remainders of
    /// infiltration and seepage (m), which are carried over to the next step.
    pub(crate) struct SoilCell {
        held: f32,
        held_rest: f32,
        to_take: f32,
        to_give: f32,
    }
}

impl From<&flow::SoilCell> for SoilCell {
    fn from(cell: &flow::SoilCell) -> Self {
        let [held, held_rest] = split_into_floats(cell.held);
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
    /// State of one tracer particle: position (m), velocity (m/s) and age (s).
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
    /// State and settings that all tracer particles have in common.
    pub(crate) struct TracerHeader {
        /// Number of active tracers.
        pub(crate) alive: u32,
        /// 1 if the number of active tracers has reached its maximum at some time, otherwise 0.
        /// Before that, new tracers start with a random age.
        pub(crate) filled: u32,
        /// State of the random number generator, low word first.
        pub(crate) random: [u32; 2],
        /// Lifetime of a tracer (s).
        pub(crate) lifetime: f64,
        /// Distance between the centres of adjacent cells in a row (m).
        pub(crate) dx: f64,
        /// Distance between the centres of adjacent rows (m).
        pub(crate) dy: f64,
        /// Width of the grid from west to east (m).
        pub(crate) width: f64,
        /// Length of the grid from north to south (m).
        pub(crate) height: f64,
        /// Period of the grid from west to east (m), used if the west and east edges are periodic.
        pub(crate) period_x: f64,
    }
}

record! {
    /// Parameters of the kernel that draws a world into a texture.
    pub(crate) struct DrawParams {
        /// Index (0 or 1) of the half of the double buffer that contains the depths before the
        /// steps in flight.
        pub(crate) buffer_h: u32,
        pub(crate) buffer_q: u32,
        /// Number of steps that have been submitted but not completed.
        pub(crate) steps: u32,
        /// Number of words (`u32`) of one step record.
        pub(crate) record_words: u32,
        /// Length of the last step before those in flight (s).
        pub(crate) dt: f32,
        pub(crate) padding: u32,
        pub(crate) padding_2: [u32; 2],
    }
}
