//! Validation of the table `[carve]`.

use crate::flow::FlowScene;
use crate::scene::check::Checker;
use crate::terrain::{CellSize, LatticeKind};

pub(super) fn check_carve(check: &mut Checker, scene: &FlowScene) {
    let Some(carve) = &scene.carve else { return };
    check.check_positive("carve.rain", carve.rain, 1000.0, " drops per cell");
    carve.keys.report_problems(check, "carve");
    crate::hydrology::check::check_params(check, "carve.hydrology", &carve.hydrology);
    let oblong = matches!(scene.grid.cell, Some(CellSize::Sides([dx, dy])) if dx != dy);
    if scene.grid.lattice == LatticeKind::Hex || oblong {
        check.add_problem("carve", "needs square cells (`grid.lattice`, `grid.cell`)");
    }
    if scene.rain.is_some() {
        check
            .add_problem("rain", "does not apply with `[carve]`, whose `runoff` feeds the streams");
    }
    if scene.water != Default::default() {
        check.add_problem("water", "does not apply with `[carve]`, which creates the lakes");
    }
}
