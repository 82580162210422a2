//! Table of the flow kernels, with their WGSL source files and constants. Lines between `#if` and
//! `#endif` in these files are omitted from the kernels of worlds that do not need them.

use super::buffers::records::{self, DT_WORD};
use super::variant::Variant;
use crate::canvas::DRAW_GROUP;
use crate::device::MIN_WORKGROUP_MEMORY;
use crate::record::Record;
use crate::shader::{COMMON_SOURCE, DOUBLE_SOURCE, compose};
use headwater::flow::TracersView;

const BOUNDARY: &str = include_str!("boundary.wgsl");
const DRAWING: &str = include_str!("draw.wgsl");
const DRIFT: &str = include_str!("drift.wgsl");
const EDIT: &str = include_str!("edit.wgsl");
const EXCHANGE: &str = include_str!("exchange.wgsl");
const FACES: &str = include_str!("faces.wgsl");
const MOMENTUM_RESCALING: &str = include_str!("momentum_rescaling.wgsl");
const RESPAWN: &str = include_str!("respawn.wgsl");
const HEX: &str = include_str!("hex.wgsl");
const INERTIAL: &str = include_str!("inertial.wgsl");
const LEDGER: &str = include_str!("ledger.wgsl");
const LIMIT: &str = include_str!("limit.wgsl");
const OUTLETS: &str = include_str!("outlets.wgsl");
const PIPES: &str = include_str!("pipes.wgsl");
const PUSHES: &str = include_str!("push.wgsl");
const BOUNDARY_FACES: &str = include_str!("boundary_faces.wgsl");
const SHALLOW: &str = include_str!("shallow.wgsl");
const SHALLOW_BOUNDARY_FLUX: &str = include_str!("shallow_boundary_flux.wgsl");
const SHALLOW_LIMIT: &str = include_str!("shallow_limit.wgsl");
const TRACER_EXPORT: &str = include_str!("tracer_export.wgsl");
const SQUARE: &str = include_str!("square.wgsl");
const SUMMARY: &str = include_str!("summarize.wgsl");
const TILE: &str = include_str!("tile.wgsl");
const TILE_FACES: &str = include_str!("tile_faces.wgsl");
const TILE_SHALLOW: &str = include_str!("tile_shallow.wgsl");
const TRACERS: &str = include_str!("tracers.wgsl");
const TRANSPORT: &str = include_str!("transport.wgsl");
const VELOCITY: &str = include_str!("velocity.wgsl");
const WEATHER: &str = include_str!("weather.wgsl");
const WORLD: &str = include_str!("world.wgsl");

/// Workgroup size of the kernels that run over cells, faces or particles (invocations).
pub(super) const THREADS: u32 = 64;

/// Workgroup size of the kernel that respawns tracers (invocations).
const RESPAWN_THREADS: u32 = 256;

/// Number of jump-ahead coefficients of the tracers' random number generator. It covers all random
/// numbers that the respawning kernel draws in one pass.
pub(super) const JUMP_COEFFICIENT_COUNT: usize = 4 * RESPAWN_THREADS as usize + 2;

const CELL_THREADS: (&str, u32) = ("THREADS", THREADS);
const NO_ACCOUNTS: (&str, u32) = ("ACCOUNTS", 0);

/// Description of a kernel: its entry point, its WGSL source files (except those common to all
/// kernels), and its fixed constants. Constants that depend on the world are added when the kernel
/// is compiled.
pub(super) struct Shader {
    pub(super) entry: &'static str,
    files: &'static [&'static str],
    constants: &'static [(&'static str, u32)],
}

const fn new_shader(
    entry: &'static str,
    files: &'static [&'static str],
    constants: &'static [(&'static str, u32)],
) -> Shader {
    Shader { entry, files, constants }
}

/// Kernel that performs a whole time step in one dispatch. It records inflow and outflow through
/// the boundary in the ledger.
pub(super) const STEP_TILE: Shader = new_shader(
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
        SHALLOW_BOUNDARY_FLUX,
        SHALLOW_LIMIT,
        LIMIT,
        TILE_FACES,
        TILE,
        TILE_SHALLOW,
    ],
    &[("FIRST_ACCOUNT", 0), ("ACCOUNTS", 2)],
);

/// Kernel that exchanges water by rain, soil and evaporation, and records the exchanged volumes in
/// the ledger.
pub(super) const EXCHANGE_FIELD: Shader = new_shader(
    "exchange_field",
    &[LEDGER, LIMIT, EXCHANGE, WEATHER],
    &[CELL_THREADS, ("FIRST_ACCOUNT", 4), ("ACCOUNTS", 4)],
);
/// Kernel that adds water at springs or removes water at drains.
pub(super) const EXCHANGE_OUTLETS: Shader = new_shader(
    "exchange_outlets",
    &[LEDGER, LIMIT, EXCHANGE, OUTLETS],
    &[CELL_THREADS, NO_ACCOUNTS],
);
/// Kernel that stores the depths before the water exchange, for [`RESCALE_MOMENTUM`].
pub(super) const SAVE_DEPTHS: Shader =
    new_shader("save_depths", &[LIMIT, MOMENTUM_RESCALING], &[CELL_THREADS]);
/// Kernel that rescales the momentum of each cell after water has been withdrawn.
pub(super) const RESCALE_MOMENTUM: Shader =
    new_shader("rescale_momentum", &[LIMIT, MOMENTUM_RESCALING], &[CELL_THREADS]);

/// Kernel that edits depths, and records the water added and removed by edits in the ledger.
pub(super) const EDIT_CELLS: Shader = new_shader(
    "edit_cells",
    &[LEDGER, EDIT],
    &[CELL_THREADS, ("FIRST_ACCOUNT", 8), ("ACCOUNTS", 2)],
);
pub(super) const PUSH: Shader = new_shader("push_water", &[DOUBLE_SOURCE, PUSHES], &[CELL_THREADS]);
/// Kernel that computes the summary of a state. Used if the stable time step depends on the water.
pub(super) const SUMMARIZE: Shader = new_shader(
    "summarize",
    &[TRANSPORT, BOUNDARY, SHALLOW, SHALLOW_BOUNDARY_FLUX, SHALLOW_LIMIT, LIMIT, SUMMARY],
    &[CELL_THREADS],
);

pub(super) const MOVE_TRACERS: Shader = new_shader(
    "move_tracers",
    &[DOUBLE_SOURCE, LIMIT, TRACERS, BOUNDARY, VELOCITY, DRIFT],
    &[CELL_THREADS, ("JUMP_COEFFICIENT_COUNT", JUMP_COEFFICIENT_COUNT as u32)],
);
/// Kernel that respawns expired tracers.
pub(super) const RESPAWN_TRACERS: Shader = new_shader(
    "respawn_tracers",
    &[DOUBLE_SOURCE, LIMIT, TRACERS, RESPAWN],
    &[
        ("THREADS", RESPAWN_THREADS),
        ("JUMP_COEFFICIENT_COUNT", JUMP_COEFFICIENT_COUNT as u32),
        ("MAX_ATTEMPTS", TracersView::ATTEMPTS_PER_PARTICLE as u32),
    ],
);

pub(super) const EXPORT_TRACERS: Shader = new_shader(
    "export_tracers",
    &[DOUBLE_SOURCE, LIMIT, TRACERS, TRACER_EXPORT],
    &[CELL_THREADS, ("JUMP_COEFFICIENT_COUNT", JUMP_COEFFICIENT_COUNT as u32)],
);

pub(super) const DRAW: Shader = new_shader(
    "draw",
    &[BOUNDARY, VELOCITY, DRAWING],
    &[("GROUP_X", DRAW_GROUP[0]), ("GROUP_Y", DRAW_GROUP[1]), ("DT_WORD", DT_WORD)],
);

impl Variant {
    pub(super) fn source_code(
        self,
        shader: &Shader,
        kernel_constants: &[(&'static str, u32)],
    ) -> String {
        let constants = [&self.constants(), shader.constants, kernel_constants].concat();
        let records: String = records::ALL.iter().map(Record::to_wgsl).collect();
        let parts = [&[COMMON_SOURCE, &records, WORLD], shader.files].concat();
        compose(&constants, &parts)
    }
}

/// Returns the name, entry point and WGSL source code of each kernel in each variant.
pub(crate) fn all_kernels() -> Vec<(String, &'static str, String)> {
    let mut all = Vec::new();
    for variant in Variant::all() {
        let lattice = if variant.hex { "hex" } else { "square" };
        let map = if variant.roughness_map { "-rough" } else { "" };
        let kind = format!("flow/{lattice}-{:?}{map}", variant.physics).to_lowercase();
        let mut push = |name: &str, shader: &Shader, own: &[(&'static str, u32)]| {
            all.push((format!("{kind}/{name}"), shader.entry, variant.source_code(shader, own)));
        };
        let tile = variant.default_tile(MIN_WORKGROUP_MEMORY, usize::MAX);
        push("tile", &STEP_TILE, &variant.tile_constants(tile));
        for bits in 0..16 {
            let parts = [1, 2, 4, 8].map(|bit| bits & bit != 0);
            let name = format!("exchange-{parts:?}");
            push(&name, &EXCHANGE_FIELD, &weather_constants(parts));
        }
        for drains in [0, 1] {
            push(&format!("outlets-{drains}"), &EXCHANGE_OUTLETS, &[("DRAINS", drains)]);
        }
        push("draw", &DRAW, &[]);
        push("export", &EXPORT_TRACERS, &[("COUNT", 50)]);
        push("edit", &EDIT_CELLS, &[]);
        push("push", &PUSH, &[]);
        for (name, spawn_cells) in [("anywhere", None), ("emitters", Some(7))] {
            let constants = TracerConstants { count: 50, spawn_cells };
            push(&format!("drift-{name}"), &MOVE_TRACERS, &[("COUNT", constants.count)]);
            push(&format!("respawn-{name}"), &RESPAWN_TRACERS, &constants.respawn_constants());
        }
        if variant.has_dynamic_limit() {
            push("summarize", &SUMMARIZE, &[]);
        }
        if variant.physics == headwater::flow::Physics::ShallowWater {
            push("save_depths", &SAVE_DEPTHS, &[]);
            push("rescale_momentum", &RESCALE_MOMENTUM, &[]);
        }
    }
    all
}

/// Constants of the tracer kernels whose values depend on the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct TracerConstants {
    pub(super) count: u32,
    /// Number of cells in which tracers start: the cells under the emitters. `None` if tracers can
    /// start in any cell.
    pub(super) spawn_cells: Option<u32>,
}

impl TracerConstants {
    /// Returns the constants of the kernel [`RESPAWN_TRACERS`] as pairs of name and value.
    pub(super) fn respawn_constants(self) -> [(&'static str, u32); 4] {
        [
            ("COUNT", self.count),
            ("SPAWN_CELLS", self.spawn_cells.unwrap_or(0)),
            ("NO_SPAWN_CELLS", u32::from(self.spawn_cells == Some(0))),
            // Random draws of one attempt: column and row, or the index of a spawn cell; then two
            // coordinates within the cell.
            ("DRAWS", if self.spawn_cells.is_some() { 3 } else { 4 }),
        ]
    }
}

/// Returns the constants of the kernel [`EXCHANGE_FIELD`] as pairs of name and value; each value is
/// 0 or 1. The four parameters state whether the world has rain, a rain map, soil and evaporation.
pub(super) fn weather_constants(
    [has_rain, has_rain_map, has_soil, has_evaporation]: [bool; 4],
) -> [(&'static str, u32); 4] {
    [("RAIN", has_rain), ("RAIN_MAP", has_rain_map), ("SOIL", has_soil), ("AIR", has_evaporation)]
        .map(|(name, is)| (name, u32::from(is)))
}
