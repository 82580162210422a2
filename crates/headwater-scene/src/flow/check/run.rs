//! Checks of the tables for physics, relaxation, flood maps, gauges, particles and pictures.

use crate::flow::{FlowScene, Gauge};
use crate::picture::Cells;
use crate::scene::{Checker, Tables};
use crate::terrain::LatticeKind;
use headwater::flow;

pub(super) fn check(check: &mut Checker, scene: &FlowScene) {
    if let Some(settle) = &scene.settle {
        settle.check(check, "settle");
    }
    check_flood(check, scene);
    scene.physics.keys.check(check, "physics");
    if scene.physics.keys.given("max_dt") {
        check.note("physics.max_dt", "cannot be set here; use `time.dt`");
    }
    for (key, one) in scene.common().all_gauges() {
        check_gauge(check, &key, one);
    }
    if let Some(particles) = &scene.particles {
        particles.keys.check_required(check, "particles");
        particles.keys.check(check, "particles");
        check.entries("particles.emitter", particles.emitters.len());
    }
    if scene.picture.cells == Cells::Hexes && scene.grid.lattice == LatticeKind::Square {
        let message = "found \"hexes\", which needs `grid.lattice = \"hex\"`";
        check.note("picture.cells", message);
    }
}

fn check_flood(check: &mut Checker, scene: &FlowScene) {
    if let Some(flood) = &scene.flood {
        return flood.check(check, "flood");
    }
    for (i, layer) in scene.output.layers.iter().enumerate() {
        if flow::View::from_name(layer.name()).is_some_and(flow::View::is_flood_statistic) {
            let message = format!("\"{}\" needs the table `[flood]`", layer.name());
            check.note(format!("output.layers[{i}]"), message);
        }
    }
}

fn check_gauge(check: &mut Checker, key: &str, gauge: &Gauge) {
    let given = [
        ("at", gauge.at.is_some()),
        ("line", gauge.line.is_some()),
        ("disc", gauge.disc.is_some()),
        ("rect", gauge.rect.is_some()),
        ("polygon", gauge.polygon.is_some()),
        ("structure", gauge.structure.is_some()),
        ("body", gauge.body.is_some()),
    ];
    check.one(key, &given);
    if let Some(line) = &gauge.line {
        check.points(format!("{key}.line"), line, 2);
    }
}
