//! Validation that gauge lines and boundary conditions fit the grid.

use crate::flow::FlowScene;
use crate::flow::boundary::check_stretches;
use crate::scene::SceneModel;
use crate::scene::check::Checker;
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
    check_stretches(check, &scene.boundaries, lattice);
}
