//! Checks of the table `[carve]`.

use crate::flow::FlowScene;
use crate::scene::check::Checker;
use crate::terrain::{Cell, LatticeKind};

pub(super) fn check(check: &mut Checker, scene: &FlowScene) {
    let Some(carve) = &scene.carve else { return };
    check.positive("carve.rain", carve.rain, 1000.0, " drops per cell");
    carve.keys.check(check, "carve");
    crate::hydrology::check::params(check, "carve.hydrology", &carve.hydrology);
    let oblong = matches!(scene.grid.cell, Some(Cell::Sides([dx, dy])) if dx != dy);
    if scene.grid.lattice == LatticeKind::Hex || oblong {
        check.note("carve", "needs square cells (`grid.lattice`, `grid.cell`)");
    }
    if scene.rain.is_some() {
        check.note("rain", "does not apply with `[carve]`, whose `runoff` feeds the streams");
    }
    if scene.water != Default::default() {
        check.note("water", "does not apply with `[carve]`, which creates the lakes");
    }
}
