//! Checks that gauge lines and boundary conditions fit the grid.

use crate::flow::FlowScene;
use crate::scene::SceneTables;
use crate::scene::check::{Checker, format_number};
use crate::scene::place::fit::GridChecker;
use headwater::Lattice;

/// Checks that gauge lines and boundary conditions lie on the lattice.
pub(super) fn check_lines_and_boundaries(
    check: &mut Checker,
    scene: &FlowScene,
    lattice: &Lattice,
) {
    let mut on = GridChecker { check, lattice };
    for (key, gauge) in scene.common_tables().all_gauges() {
        for (j, &point) in gauge.line.iter().flatten().enumerate() {
            on.check_position(&format!("{key}.line[{j}]"), point);
        }
    }
    check_boundaries(check, scene, lattice);
}

/// Checks that the stretches of boundary conditions lie within their edges and do not overlap.
fn check_boundaries(check: &mut Checker, scene: &FlowScene, lattice: &Lattice) {
    let mut taken: Vec<(usize, [f64; 2])> = Vec::new();
    for (i, boundary) in scene.boundaries.iter().enumerate() {
        let key = format!("boundary[{i}]");
        let [from, to] = boundary.stretch.ends(lattice);
        let length = boundary.stretch.edge_length(lattice);
        if !(from >= 0.0 && from < to && to <= length) {
            let (from, to, length) =
                (format_number(from), format_number(to), format_number(length));
            let message = format!("found {from} to {to} m, needs a stretch within 0 to {length} m");
            check.add_problem(key, message);
            continue;
        }
        let clash = taken.iter().find(|(other, stretch)| {
            scene.boundaries[*other].stretch.edge == boundary.stretch.edge
                && from < stretch[1]
                && stretch[0] < to
        });
        if let Some((other, [begin, end])) = clash {
            let (from, to) = (format_number(from), format_number(to));
            let other = format!(
                "boundary[{other}] ({} to {} m)",
                format_number(*begin),
                format_number(*end)
            );
            check.add_problem(key, format!("found {from} to {to} m, which overlaps {other}"));
        } else {
            taken.push((i, [from, to]));
        }
    }
}
