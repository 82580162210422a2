//! Validation of the tables `[grid]` and `[terrain]`.

use crate::flow::FlowScene;
use crate::scene::check::{Checker, MAX_HEIGHT, MAX_LENGTH};
use crate::scene::{DEFAULT_CELLS_PER_SIDE, MAX_CELLS, MAX_CELLS_IN_BLOCKS};
use crate::terrain::{CellSize, Grid, Ground, LatticeKind, Level, Noise, Shape, ShapeOp};
use headwater::flow::Physics;

pub(super) fn check_flow_terrain(check: &mut Checker, scene: &FlowScene) {
    check_terrain(check, &scene.grid, &scene.terrain, MAX_CELLS_IN_BLOCKS);
    check_subgrid(check, scene);
    if scene.grid.lattice == LatticeKind::Hex {
        check_hexagon_size(check, scene);
    }
}

/// Checks the restrictions on a subgrid (terrain samples within each cell): the number of samples,
/// the lattice, the physics level and `[carve]`.
fn check_subgrid(check: &mut Checker, scene: &FlowScene) {
    let Some(samples) = scene.terrain.subgrid else { return };
    let key = "terrain.subgrid";
    if !(4..=64).contains(&samples) {
        check.add_problem(
            key,
            format!("found {samples}, allowed is 4 to 64 samples along a side of a cell"),
        );
    }
    if scene.grid.lattice == LatticeKind::Hex {
        check.add_problem(key, "needs square cells, found hexagons (`grid.lattice`)");
    }
    if scene.physics.keys.level == Physics::Pipes {
        let message = "needs physics.level \"inertial\" or \"shallow-water\", found \"pipes\"";
        check.add_problem(key, message);
    }
    if scene.carve.is_some() {
        check.add_problem(key, "cannot be combined with [carve], which has one height per cell");
    }
}

/// Checks the tables `[grid]` and `[terrain]`, which all models with terrain share. `max_cells` is
/// the maximum number of cells.
pub(crate) fn check_terrain(check: &mut Checker, grid: &Grid, terrain: &Ground, max_cells: usize) {
    check_grid(check, grid, terrain, max_cells);
    if terrain.plane.is_none() && terrain.noise.is_none() && terrain.file.is_none() {
        check.add_problem("terrain", "found no terrain, needs one of plane, noise, file");
    }
    if let Some(plane) = terrain.plane {
        check.check_height("terrain.plane.height", plane.height);
        for (i, slope) in plane.slope.into_iter().enumerate() {
            check.check_range(format!("terrain.plane.slope[{i}]"), slope, -10.0, 10.0, " m per m");
        }
    }
    if let Some(noise) = &terrain.noise {
        self::check_noise(check, noise);
    }
    check_terrain_file(check, terrain);
    check.check_entry_count("terrain.shape", terrain.shapes.len());
    for (i, shape) in terrain.shapes.iter().enumerate() {
        self::check_shape(check, &format!("terrain.shape[{i}]"), shape);
    }
}

fn check_grid(check: &mut Checker, grid: &Grid, terrain: &Ground, max_cells: usize) {
    for (key, count) in [("grid.nx", grid.nx), ("grid.ny", grid.ny)] {
        if count.is_some_and(|count| count == 0 || count > MAX_CELLS) {
            let found = count.unwrap_or(0);
            check.add_problem(key, format!("found {found} cells, allowed is 1 to {MAX_CELLS}"));
        }
    }
    let count = |n: Option<usize>| n.unwrap_or(DEFAULT_CELLS_PER_SIDE);
    let (nx, ny) = (count(grid.nx), count(grid.ny));
    let fits = nx.checked_mul(ny).is_some_and(|cells| cells <= max_cells);
    if terrain.file.is_none() && nx <= MAX_CELLS && ny <= MAX_CELLS && !fits {
        let message = format!("found {nx} × {ny} cells, allowed is up to {max_cells} in all");
        check.add_problem("grid", message);
    }
    if let Some(cell) = grid.cell {
        match cell {
            CellSize::Square(side) => check.check_range("grid.cell", side, 0.001, 1e5, " m"),
            CellSize::Sides(sides) => {
                for (i, side) in sides.into_iter().enumerate() {
                    check.check_range(format!("grid.cell[{i}]"), side, 0.001, 1e5, " m");
                }
            }
        }
    }
}

/// Checks that the cell size of a scene with hexagonal cells is a single number.
fn check_hexagon_size(check: &mut Checker, scene: &FlowScene) {
    if let Some(CellSize::Sides(_)) = scene.grid.cell {
        let message =
            "found a list; hexagons need one number, the distance of neighbouring centres (m)";
        check.add_problem("grid.cell", message);
    }
}

fn check_noise(check: &mut Checker, noise: &Noise) {
    let key = |name: &str| format!("terrain.noise.{name}");
    if let Some(height) = noise.height {
        check.check_range(key("height"), height, 0.0, MAX_HEIGHT, " m");
    }
    if let Some(scale) = noise.scale {
        check.check_range(key("scale"), scale, 0.01, MAX_LENGTH, " m");
    }
    check.check_range(key("octaves"), f64::from(noise.octaves), 1.0, 16.0, "");
    check.check_range(key("persistence"), noise.persistence, 0.0, 1.0, "");
    check.check_range(key("lacunarity"), noise.lacunarity, 1.0, 8.0, "");
    check.check_range(key("warp"), noise.warp, 0.0, 2.0, "");
    if let Some(island) = noise.island {
        check.check_range(key("island.depth"), island.depth, 0.0, MAX_HEIGHT, " m");
        check.check_positive(key("island.shore"), island.shore, 1.0, "");
    }
}

fn check_terrain_file(check: &mut Checker, terrain: &Ground) {
    if terrain.file.is_none() {
        let keys = [
            ("scale", terrain.scale.is_some()),
            ("offset", terrain.offset.is_some()),
            ("no_data", terrain.no_data.is_some()),
            ("byte_order", terrain.byte_order.is_some()),
            ("encoding", terrain.encoding.is_some()),
            ("size", terrain.size.is_some()),
        ];
        for (key, _) in keys.iter().filter(|(_, given)| *given) {
            check.add_problem(format!("terrain.{key}"), "does not apply without terrain.file");
        }
    }
    if let Some(scale) = terrain.scale {
        check.check_range("terrain.scale", scale, -1e6, 1e6, " m per unit");
        if scale == 0.0 {
            check.add_problem("terrain.scale", "found 0, which makes everything flat");
        }
    }
    if let Some(offset) = terrain.offset {
        check.check_height("terrain.offset", offset);
    }
    for side in terrain.size.into_iter().flatten() {
        check.check_range("terrain.size", side as f64, 1.0, MAX_CELLS as f64, " cells");
    }
}

fn check_shape(check: &mut Checker, key: &str, shape: &Shape) {
    let (amount, level) = (shape.amount.is_some(), shape.level.is_some());
    match shape.op {
        ShapeOp::Raise | ShapeOp::Lower => {
            check.check_exactly_one_of_two_if(
                key,
                [("amount", amount), ("level", level)],
                true,
                shape.op,
            );
        }
        ShapeOp::Flatten => {
            check.check_key_presence(format!("{key}.amount"), amount, false, shape.op);
            check.check_key_presence(format!("{key}.level"), level, true, shape.op);
        }
        ShapeOp::Smooth => {
            check.check_exactly_one_of_two_if(
                key,
                [("amount", amount), ("level", level)],
                false,
                shape.op,
            );
        }
    }
    if let Some(amount) = shape.amount {
        check.check_positive(format!("{key}.amount"), amount, MAX_HEIGHT, " m");
    }
    match shape.level {
        None => {}
        Some(Level::Uniform(level)) => check.check_height(format!("{key}.level"), level),
        Some(Level::Along(levels)) => {
            for (i, level) in levels.into_iter().enumerate() {
                check.check_height(format!("{key}.level[{i}]"), level);
            }
            if shape.line.is_none() {
                check.add_problem(format!("{key}.level"), "found two heights, which need a line");
            }
        }
    }
    if shape.polygon.is_some() {
        check.check_flat_falloff(key, shape.falloff);
    }
    check.check_smoothing_radius(key, shape.reach, shape.op == ShapeOp::Smooth, shape.op);
}
