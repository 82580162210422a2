//! What a flow's kernels are told, as Rust and WGSL have it alike: the world once, a record for each step, and what is
//! sent beside.

use crate::record::{Record, record};
use headwater::Edge;
use headwater::flow::{self, Flow, Outside, Physics};

pub(crate) const ALL: [Record; 10] = [
    World::RECORD,
    Step::RECORD,
    Entry::RECORD,
    CellWork::RECORD,
    CellPush::RECORD,
    FacePush::RECORD,
    SoilCell::RECORD,
    Particle::RECORD,
    SwarmHead::RECORD,
    Drawn::RECORD,
];

record! {
    /// What stays the same as long as the world is not edited.
    pub(crate) struct World {
        nx: i32,
        ny: i32,
        pitch: i32,
        plane: i32,
        /// 1 where opposite edges are one.
        joined_x: u32,
        joined_y: u32,
        /// 0, see `opaque` of common.wgsl.
        zero_bits: u32,
        /// How many kinds of boundaries there are.
        kinds: u32,
        /// Manning's roughness where there is no map (s/m^⅓).
        manning: f32,
        /// Gravity (m/s²).
        gravity: f32,
        /// See `outermost_face` of boundary_faces.wgsl.
        weir: f32,
        /// The speed of waves in pipes, over x-faces and y-faces (m/s).
        celerity_x: f32,
        celerity_y: f32,
        /// Widths of inner faces (m).
        face_x: f32,
        face_y: f32,
        /// Area of a cell (m²).
        area: f32,
        /// Widths of boundary faces (m) in the west, east, north and south: of even rows and columns, and of odd ones.
        edge_even: [f32; 4],
        edge_odd: [f32; 4],
        /// Depth up to which a cell counts as dry, for velocities (m).
        dry: f32,
        spare: u32,
        spare_2: [u32; 2],
    }
}

impl World {
    pub(crate) fn new(flow: &Flow, pitch: usize, plane: usize) -> Self {
        let (lattice, params, elsewhere) = (flow.lattice(), flow.params(), flow.device_view());
        let [joined_x, joined_y] = elsewhere.joined().map(u32::from);
        let width = |edge: Edge, i: usize| lattice.edge_face_width(edge, i) as f32;
        let celerity = |is_x: bool| {
            (params.gravity * params.pipe_area / lattice.face_width(is_x)).sqrt() as f32
        };
        Self {
            nx: lattice.nx() as i32,
            ny: lattice.ny() as i32,
            pitch: pitch as i32,
            plane: plane as i32,
            joined_x,
            joined_y,
            kinds: elsewhere.boundaries().len() as u32,
            manning: params.manning as f32,
            gravity: params.gravity as f32,
            weir: elsewhere.weir(),
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
    /// What stays the same over a step: the CPU's coefficients.
    pub(crate) struct Step {
        /// 0: nothing is to be done.
        pub(crate) go: u32,
        /// The side that depths and discharges are read from.
        pub(crate) side_h: u32,
        pub(crate) side_q: u32,
        /// The part of a discharge that friction leaves.
        keep: f32,
        /// dt / area of a cell (s/m²).
        to_depth: f32,
        /// By the way that faces are crossed: gain per metre of surface difference, 1/width, and from discharges beside
        /// to a unit discharge along.
        push_x: f32,
        push_y: f32,
        unit_x: f32,
        unit_y: f32,
        across_x: f32,
        across_y: f32,
        /// The filter's θ and ½(1 − θ).
        theta: f32,
        beside: f32,
        /// g·dt (m/s).
        gravity: f32,
        /// 3·dt·ν (m²).
        viscous: f32,
        /// What is due to each cell (m).
        rain: f32,
        evaporation: f32,
        soak: f32,
        seep: f32,
        /// What the soil can hold (m), in two floats.
        capacity: f32,
        capacity_rest: f32,
        /// Of the limit: the number of the state that it looks at, the depth that waves allow (m), the loss that is
        /// allowed (1/s, times the area of a cell), up to which depth any loss is (m), and how deep it is outside (m).
        pub(crate) slot: u32,
        pub(crate) deepest: f32,
        pub(crate) loss: f32,
        pub(crate) deepest_of_losses: f32,
        pub(crate) outside: f32,
        /// dt / area, to turn depths that left into losses.
        to_area: f32,
        /// The step's length (s), and the same in 64 bits.
        dt: f32,
        exact_dt: f64,
    }
}

pub(crate) const DT_WORD: u32 = (std::mem::offset_of!(Step, dt) / size_of::<u32>()) as u32;

impl Step {
    /// No step: what a kernel is told that only looks at a state or edits it. Losses are in 1/s times the area of a cell;
    /// it is `outside` m deep beyond the edges.
    pub(crate) fn none(side_h: u32, side_q: u32, slot: u32, outside: f32) -> Self {
        Self { side_h, side_q, slot, outside, to_area: 1.0, ..Self::default() }
    }

    /// A step of `dt` seconds from `time` on; its sides and its limit are yet to be set.
    pub(crate) fn new(flow: &Flow, time: f64, dt: f64) -> Self {
        let elsewhere = flow.device_view();
        let to_depth = (dt / flow.lattice().cell_area()) as f32;
        let mut step = Self {
            go: 1,
            to_depth,
            to_area: to_depth,
            dt: dt as f32,
            exact_dt: dt,
            ..Self::default()
        };
        match flow.params().level {
            Physics::Inertial => {
                let c = elsewhere.inertial(dt);
                step.keep = c.keep;
                (step.push_x, step.push_y) = (c.x.push, c.y.push);
                (step.unit_x, step.unit_y) = (c.x.unit, c.y.unit);
                (step.across_x, step.across_y) = (c.x.unit_across, c.y.unit_across);
                [step.theta, step.beside] = c.theta;
                (step.gravity, step.viscous) = (c.gravity, c.viscous);
            }
            Physics::ShallowWater => {
                let c = elsewhere.shallow(dt);
                step.keep = c.keep;
                (step.push_x, step.push_y) = (c.per_x, c.per_y);
                (step.unit_x, step.unit_y) = (c.width_x, c.width_y);
                (step.gravity, step.viscous) = (c.g_dt, c.viscous);
            }
            Physics::Pipes => {
                let c = elsewhere.pipes(dt);
                step.keep = c.keep;
                (step.push_x, step.push_y) = (c.push_x, c.push_y);
                step.viscous = c.drag.unwrap_or(0.0);
            }
        }
        step.rain = elsewhere.rain().map_or(0.0, |(rain, _)| elsewhere.due(&rain.rate, time, dt));
        step.evaporation = elsewhere.evaporation().map_or(0.0, |(r, _)| elsewhere.due(r, time, dt));
        if let Some(soil) = elsewhere.soil_due(dt) {
            (step.soak, step.seep) = (soil.soak, soil.seep as f32);
            [step.capacity, step.capacity_rest] = two_floats(soil.capacity);
        }
        step
    }
}

/// A number as the sum of two floats.
pub(crate) fn two_floats(value: f64) -> [f32; 2] {
    let first = value as f32;
    [first, (value - f64::from(first)) as f32]
}

record! {
    /// What stands outside a boundary, or what is due to the cells of a source.
    pub(crate) struct Entry {
        pub(crate) kind: u32,
        pub(crate) a: f32,
        pub(crate) b: f32,
        pub(crate) spare: f32,
    }
}

/// The kinds of boundary.wgsl.
impl From<Outside> for Entry {
    fn from(outside: Outside) -> Self {
        let of = |kind, a, b| Self { kind, a, b, spare: 0.0 };
        match outside {
            Outside::Wall | Outside::Joined => of(0, 0.0, 0.0),
            // Of streams, their discharge alone: worlds that have any are refused.
            Outside::Given(unit) | Outside::Stream { discharge: unit, .. } => of(1, unit, 0.0),
            Outside::Nothing => of(2, 0.0, 0.0),
            Outside::Level(level) => of(3, level, 0.0),
            Outside::Waves { level, rise } => of(4, level, rise),
        }
    }
}

impl Entry {
    /// Of a source: its share, if it does not rest.
    pub(crate) fn of_source(share: Option<f32>) -> Self {
        share.map_or(Self::default(), |a| Self { kind: 1, a, ..Self::default() })
    }
}

record! {
    /// What an edit does to a cell.
    pub(crate) struct CellWork {
        pub(crate) place: u32,
        /// 0: the depth gains `to` (m). 1: the bed went from one height to another (m), and the surface stays.
        pub(crate) keeps_surface: u32,
        pub(crate) old_bed: f32,
        pub(crate) to: f32,
    }
}

record! {
    /// A push of the water in a cell: changes of its velocity (m/s).
    pub(crate) struct CellPush {
        pub(crate) place: u32,
        pub(crate) spare: u32,
        pub(crate) east: f64,
        pub(crate) south: f64,
    }
}

record! {
    /// A push of the water over a face, with the cells before and after it.
    pub(crate) struct FacePush {
        pub(crate) family: u32,
        pub(crate) place: u32,
        pub(crate) before: u32,
        pub(crate) after: u32,
        /// What its discharge gains per depth over it (m²/s), from one of its cells and then from the other, or nothing.
        pub(crate) first: f64,
        pub(crate) second: f64,
    }
}

record! {
    /// The soil of a cell: the water in it (m), in two floats, and its remainders of rain and of evaporation.
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
    /// A tracer: where it is (m), its velocity (m/s) and its age (s).
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
    /// What all tracers have in common.
    pub(crate) struct SwarmHead {
        /// How many are on their way, and whether all were there once.
        pub(crate) alive: u32,
        pub(crate) filled: u32,
        /// State of the generator, the low word first.
        pub(crate) random: [u32; 2],
        /// (s)
        pub(crate) lifetime: f64,
        /// Distance of two cells in a row, and of two rows (m).
        pub(crate) dx: f64,
        pub(crate) dy: f64,
        /// Size of the grid (m), and how far it is around it.
        pub(crate) width: f64,
        pub(crate) height: f64,
        pub(crate) around: f64,
    }
}

record! {
    /// What a drawing is told.
    pub(crate) struct Drawn {
        /// The sides of depths and discharges, before the steps whose end the CPU does not know yet.
        pub(crate) side_h: u32,
        pub(crate) side_q: u32,
        /// How many of these there are, and how many words each has been told.
        pub(crate) steps: u32,
        pub(crate) record: u32,
        /// Length of the step before them (s).
        pub(crate) dt: f32,
        pub(crate) spare: u32,
        pub(crate) spare_2: [u32; 2],
    }
}
