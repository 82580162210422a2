//! The kernels of a flow: what each is put together from, in a table. What of a file a kind of world has no use for,
//! the file leaves out by itself (`#if`).

use super::records::{self, DT_WORD};
use super::variant::Variant;
use crate::canvas::DRAW_GROUP;
use crate::device::LEAST_MEMORY;
use crate::record::Record;
use crate::shader::{COMMON, DOUBLE, compose};
use headwater::flow::TracersView;

const BOUNDARY: &str = include_str!("boundary.wgsl");
const DRAWING: &str = include_str!("draw.wgsl");
const DRIFT: &str = include_str!("drift.wgsl");
const EDIT: &str = include_str!("edit.wgsl");
const EXCHANGE: &str = include_str!("exchange.wgsl");
const FACES: &str = include_str!("faces.wgsl");
const FOLLOWING: &str = include_str!("follow.wgsl");
const GATHER: &str = include_str!("gather.wgsl");
const HEX: &str = include_str!("hex.wgsl");
const INERTIAL: &str = include_str!("inertial.wgsl");
const LEDGER: &str = include_str!("ledger.wgsl");
const LIMIT: &str = include_str!("limit.wgsl");
const OUTLETS: &str = include_str!("outlets.wgsl");
const PIPES: &str = include_str!("pipes.wgsl");
const PUSHES: &str = include_str!("push.wgsl");
const BOUNDARY_FACES: &str = include_str!("boundary_faces.wgsl");
const SHALLOW: &str = include_str!("shallow.wgsl");
const SHALLOW_EDGE: &str = include_str!("shallow_edge.wgsl");
const SHALLOW_LIMIT: &str = include_str!("shallow_limit.wgsl");
const SHOWING: &str = include_str!("show.wgsl");
const SQUARE: &str = include_str!("square.wgsl");
const SURVEYING: &str = include_str!("survey.wgsl");
const TILE: &str = include_str!("tile.wgsl");
const TILE_FACES: &str = include_str!("tile_faces.wgsl");
const TILE_SHALLOW: &str = include_str!("tile_shallow.wgsl");
const TRACERS: &str = include_str!("tracers.wgsl");
const TRANSPORT: &str = include_str!("transport.wgsl");
const VELOCITY: &str = include_str!("velocity.wgsl");
const WEATHER: &str = include_str!("weather.wgsl");
const WORLD: &str = include_str!("world.wgsl");

/// Invocations of a workgroup that goes through cells, faces or particles.
pub(super) const THREADS: u32 = 64;

/// Invocations of the workgroup that closes tracers up and lets new ones begin.
const GATHERERS: u32 = 256;

/// Jumps of the tracers' generator: as many numbers as these may draw at once, and one more try.
pub(super) const JUMPS: usize = 4 * GATHERERS as usize + 2;

const OF_CELLS: (&str, u32) = ("THREADS", THREADS);
const NO_BOOKS: (&str, u32) = ("BOOKS", 0);

/// A kernel: its entry point, the files that it is put together from (after those of all), and the constants that it
/// always has. Whoever makes it adds those that depend on the world.
pub(super) struct Shader {
    pub(super) entry: &'static str,
    files: &'static [&'static str],
    constants: &'static [(&'static str, u32)],
}

const fn shader(
    entry: &'static str,
    files: &'static [&'static str],
    constants: &'static [(&'static str, u32)],
) -> Shader {
    Shader { entry, files, constants }
}

/// A step in one dispatch. Its books: what comes and what goes over the boundary.
pub(super) const STEP_TILE: Shader = shader(
    "step_tile",
    &[
        TRANSPORT,
        LEDGER,
        BOUNDARY,
        BOUNDARY_FACES,
        FACES,
        SQUARE,
        HEX,
        PIPES,
        INERTIAL,
        SHALLOW,
        SHALLOW_EDGE,
        SHALLOW_LIMIT,
        LIMIT,
        TILE_FACES,
        TILE,
        TILE_SHALLOW,
    ],
    &[("FIRST_BOOK", 0), ("BOOKS", 2)],
);

/// Rain, soil and air; its books are theirs.
pub(super) const EXCHANGE_FIELD: Shader = shader(
    "exchange_field",
    &[LEDGER, LIMIT, EXCHANGE, WEATHER],
    &[OF_CELLS, ("FIRST_BOOK", 4), ("BOOKS", 4)],
);
/// Springs or drains.
pub(super) const PASS_OUTLETS: Shader =
    shader("pass_outlets", &[LEDGER, LIMIT, EXCHANGE, OUTLETS], &[OF_CELLS, NO_BOOKS]);
/// Momentum that goes with water that is taken: before all exchange, and after.
pub(super) const REMEMBER: Shader = shader("remember", &[LIMIT, FOLLOWING], &[OF_CELLS]);
pub(super) const FOLLOW: Shader = shader("follow", &[LIMIT, FOLLOWING], &[OF_CELLS]);

/// Depths that are edited; its books: what is given by hand, and what is taken.
pub(super) const EDIT_CELLS: Shader =
    shader("edit_cells", &[LEDGER, EDIT], &[OF_CELLS, ("FIRST_BOOK", 8), ("BOOKS", 2)]);
pub(super) const PUSH: Shader = shader("push_water", &[DOUBLE, PUSHES], &[OF_CELLS]);
/// What the water asks of a step, where the length of a step depends on it.
pub(super) const SURVEY: Shader = shader(
    "survey",
    &[TRANSPORT, BOUNDARY, SHALLOW, SHALLOW_EDGE, SHALLOW_LIMIT, LIMIT, SURVEYING],
    &[OF_CELLS],
);

pub(super) const MOVE_TRACERS: Shader = shader(
    "move_tracers",
    &[DOUBLE, LIMIT, TRACERS, BOUNDARY, VELOCITY, DRIFT],
    &[OF_CELLS, ("JUMPS", JUMPS as u32)],
);
/// Tracers that begin in place of those that have come to their end.
pub(super) const GATHER_TRACERS: Shader = shader(
    "gather_tracers",
    &[DOUBLE, LIMIT, TRACERS, GATHER],
    &[("THREADS", GATHERERS), ("JUMPS", JUMPS as u32), ("TRIES", TracersView::TRIES as u32)],
);

pub(super) const SHOW_TRACERS: Shader = shader(
    "show_tracers",
    &[DOUBLE, LIMIT, TRACERS, SHOWING],
    &[OF_CELLS, ("JUMPS", JUMPS as u32)],
);

pub(super) const DRAW: Shader = shader(
    "draw",
    &[BOUNDARY, VELOCITY, DRAWING],
    &[("GROUP_X", DRAW_GROUP[0]), ("GROUP_Y", DRAW_GROUP[1]), ("DT_WORD", DT_WORD)],
);

impl Variant {
    pub(super) fn text(self, shader: &Shader, own: &[(&'static str, u32)]) -> String {
        let constants = [&self.constants(), shader.constants, own].concat();
        let records: String = records::ALL.iter().map(Record::declared).collect();
        let parts = [&[COMMON, &records, WORLD], shader.files].concat();
        compose(&constants, &parts)
    }
}

/// Every kernel of every kind of world: its name, its entry point and its text.
pub(crate) fn all() -> Vec<(String, &'static str, String)> {
    let mut all = Vec::new();
    for variant in Variant::all() {
        let lattice = if variant.hex { "hex" } else { "square" };
        let map = if variant.rough_map { "-rough" } else { "" };
        let kind = format!("flow/{lattice}-{:?}{map}", variant.physics).to_lowercase();
        let mut put = |name: &str, shader: &Shader, own: &[(&'static str, u32)]| {
            all.push((format!("{kind}/{name}"), shader.entry, variant.text(shader, own)));
        };
        let tile = variant.default_tile(LEAST_MEMORY, usize::MAX);
        put("tile", &STEP_TILE, &variant.tile_constants(tile));
        for bits in 0..16 {
            let parts = [1, 2, 4, 8].map(|bit| bits & bit != 0);
            let name = format!("exchange-{parts:?}");
            put(&name, &EXCHANGE_FIELD, &weather_constants(parts));
        }
        for drains in [0, 1] {
            put(&format!("outlets-{drains}"), &PASS_OUTLETS, &[("DRAINS", drains)]);
        }
        put("draw", &DRAW, &[]);
        put("show", &SHOW_TRACERS, &[("COUNT", 50)]);
        put("edit", &EDIT_CELLS, &[]);
        put("push", &PUSH, &[]);
        for (name, births) in [("anywhere", None), ("emitters", Some(7))] {
            let drift = Drift { count: 50, births };
            put(&format!("drift-{name}"), &MOVE_TRACERS, &[("COUNT", drift.count)]);
            put(&format!("gather-{name}"), &GATHER_TRACERS, &drift.gathering());
        }
        if variant.is_limited() {
            put("survey", &SURVEY, &[]);
        }
        if variant.physics == headwater::flow::Physics::ShallowWater {
            put("remember", &REMEMBER, &[]);
            put("follow", &FOLLOW, &[]);
        }
    }
    all
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Drift {
    pub(super) count: u32,
    /// Cells under their emitters; `None` if they begin anywhere.
    pub(super) births: Option<u32>,
}

impl Drift {
    /// The constants of [`GATHER_TRACERS`].
    pub(super) fn gathering(self) -> [(&'static str, u32); 4] {
        [
            ("COUNT", self.count),
            ("BIRTHS", self.births.unwrap_or(0)),
            ("NOWHERE", u32::from(self.births == Some(0))),
            // A column and a row, or a place among the births; and a place in the cell.
            ("DRAWS", if self.births.is_some() { 3 } else { 4 }),
        ]
    }
}

/// The constants of [`EXCHANGE_FIELD`]: whether there is rain, a map of it, soil and air.
pub(super) fn weather_constants([rain, map, soil, air]: [bool; 4]) -> [(&'static str, u32); 4] {
    [("RAIN", rain), ("RAIN_MAP", map), ("SOIL", soil), ("AIR", air)]
        .map(|(name, is)| (name, u32::from(is)))
}
