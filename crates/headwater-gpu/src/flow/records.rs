//! What a flow's kernels are told, laid out as in world.wgsl: the world once, and a record for each step.

use crate::kernel::WINDOW;
use bytemuck::{Pod, Zeroable};
use headwater::flow::{DeviceView, Flow, Outside, Physics};
use headwater::{Edge, Lattice};

/// `World` of world.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct World {
    nx: i32,
    ny: i32,
    pitch: i32,
    plane: i32,
    joined_x: u32,
    joined_y: u32,
    zero_bits: u32,
    kinds: u32,
    manning: f32,
    gravity: f32,
    weir: f32,
    celerity_x: f32,
    celerity_y: f32,
    face_x: f32,
    face_y: f32,
    west_even: f32,
    west_odd: f32,
    east_even: f32,
    east_odd: f32,
    north: f32,
    area: f32,
    dry: f32,
    spare: [u32; 2],
}

impl World {
    pub(crate) fn new(flow: &Flow, pitch: usize, plane: usize) -> Self {
        let (lattice, params, elsewhere) = (flow.lattice(), flow.params(), flow.device_view());
        let [joined_x, joined_y] = elsewhere.joined().map(u32::from);
        let width = |edge: Edge, i: usize| lattice.edge_face(edge, i) as f32;
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
            zero_bits: 0,
            kinds: elsewhere.boundaries().len() as u32,
            manning: params.manning as f32,
            gravity: params.gravity as f32,
            weir: elsewhere.weir(),
            celerity_x: celerity(true),
            celerity_y: celerity(false),
            face_x: lattice.face_width(true) as f32,
            face_y: lattice.face_width(false) as f32,
            west_even: width(Edge::West, 0),
            west_odd: width(Edge::West, 1),
            east_even: width(Edge::East, 0),
            east_odd: width(Edge::East, 1),
            north: width(Edge::North, 0),
            area: lattice.cell_area() as f32,
            dry: params.dry_depth as f32,
            spare: [0; 2],
        }
    }
}

/// `Step` of world.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct Step {
    pub(crate) go: u32,
    pub(crate) side_h: u32,
    pub(crate) side_q: u32,
    keep: f32,
    to_depth: f32,
    push_x: f32,
    push_y: f32,
    unit_x: f32,
    unit_y: f32,
    across_x: f32,
    across_y: f32,
    theta: f32,
    beside: f32,
    gravity: f32,
    viscous: f32,
    rain: f32,
    evaporation: f32,
    soak: f32,
    seep: f32,
    capacity: f32,
    capacity_rest: f32,
    pub(crate) slot: u32,
    pub(crate) deepest: f32,
    pub(crate) loss: f32,
    pub(crate) deepest_of_losses: f32,
    pub(crate) outside: f32,
    to_area: f32,
    dt: f32,
    exact_dt: [u32; 2],
}

/// Which word of a record is the step's length.
pub(crate) const DT_WORD: u32 = (std::mem::offset_of!(Step, dt) / size_of::<u32>()) as u32;

impl Step {
    /// No step: what a kernel is told that only looks at a state or edits it. Losses are in 1/s times the area of a cell;
    /// it is `outside` m deep beyond the edges.
    pub(crate) fn none(side_h: u32, side_q: u32, slot: u32, outside: f32) -> Self {
        Self { side_h, side_q, slot, outside, to_area: 1.0, ..Self::default() }
    }

    /// A step of `dt` seconds from `time` on; its sides and its guard are yet to be set.
    pub(crate) fn new(flow: &Flow, time: f64, dt: f64) -> Self {
        let elsewhere = flow.device_view();
        let to_depth = (dt / flow.lattice().cell_area()) as f32;
        let mut step = Self {
            go: 1,
            to_depth,
            to_area: to_depth,
            dt: dt as f32,
            exact_dt: words(dt),
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

/// A number of 64 bits as two words, the low one first.
pub(crate) fn words(value: f64) -> [u32; 2] {
    halves(value.to_bits())
}

/// A whole number of 64 bits as two words, the low one first.
pub(crate) fn halves(bits: u64) -> [u32; 2] {
    [bits as u32, (bits >> 32) as u32]
}

/// A number as the sum of two floats.
pub(crate) fn two_floats(value: f64) -> [f32; 2] {
    let first = value as f32;
    [first, (value - f64::from(first)) as f32]
}

/// `Entry` of world.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct Entry {
    kind: u32,
    a: f32,
    b: f32,
    spare: f32,
}

/// The kinds of rim.wgsl.
impl From<Outside> for Entry {
    fn from(outside: Outside) -> Self {
        let of = |kind, a, b| Self { kind, a, b, spare: 0.0 };
        match outside {
            Outside::Wall | Outside::Joined => of(0, 0.0, 0.0),
            Outside::Given(unit) => of(1, unit, 0.0),
            Outside::Nothing => of(2, 0.0, 0.0),
            Outside::Level(level) => of(3, level, 0.0),
            Outside::Waves { level, rise } => of(4, level, rise),
        }
    }
}

/// All entries of a step: boundaries, springs, drains. A source that rests has kind 0, else 1 and its share.
pub(crate) fn entries(elsewhere: DeviceView<'_>, time: f64, dt: f64) -> Vec<Entry> {
    // Of what is given, shallow water asks how deep it is at least.
    let boundary = |outside: Outside| match outside {
        Outside::Given(unit) => Entry { b: elsewhere.critical_depth(unit), ..outside.into() },
        outside => outside.into(),
    };
    let boundaries = elsewhere.outside(time).into_iter().map(boundary);
    let share = |share: Option<f32>| match share {
        None => Entry::default(),
        Some(a) => Entry { kind: 1, a, ..Entry::default() },
    };
    boundaries.chain(elsewhere.shares(time, dt).into_iter().map(share)).collect()
}

/// How long a record of a step with so many entries is (bytes), a multiple of [`WINDOW`].
pub(crate) fn record_bytes(entries: usize) -> u64 {
    let bytes = size_of::<Step>() + entries.max(1) * size_of::<Entry>();
    (bytes as u64).next_multiple_of(WINDOW)
}

/// Appends a record to a schedule.
pub(crate) fn push_record(schedule: &mut Vec<u32>, step: Step, entries: &[Entry], bytes: u64) {
    let end = schedule.len() + bytes as usize / 4;
    schedule.extend_from_slice(bytemuck::cast_slice(bytemuck::bytes_of(&step)));
    schedule.extend_from_slice(bytemuck::cast_slice(entries));
    schedule.resize(end, 0);
}

/// The number, for each boundary face, of what stands outside it: west, east, north, south.
pub(crate) fn owners(flow: &Flow) -> Vec<u32> {
    let lattice: &Lattice = flow.lattice();
    let elsewhere = flow.device_view();
    let owners: Vec<u32> = Edge::ALL.into_iter().flat_map(|e| elsewhere.edge(e)).copied().collect();
    debug_assert_eq!(owners.len(), 2 * (lattice.nx() + lattice.ny()));
    owners
}
