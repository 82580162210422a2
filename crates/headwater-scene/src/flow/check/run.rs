//! Validation of the tables for physics, relaxation, flood maps, gauges, particles and pictures.

use crate::flow::{FlowScene, Gauge};
use crate::picture::CellStyle;
use crate::scene::{Checker, SceneModel};
use crate::terrain::LatticeKind;
use headwater::flow;

/// Limit on the number of values that the water balance over time contains for individual
/// boundaries, sources, drains and structures. All values are kept in memory.
const MAX_LEDGER_VALUES: f64 = 1e7;

pub(super) fn check_run(check: &mut Checker, scene: &FlowScene) {
    if let Some(settle) = &scene.settle {
        settle.report_problems(check, "settle");
    }
    check_flood(check, scene);
    check_ledger(check, scene);
    scene.physics.keys.report_problems(check, "physics");
    if scene.physics.keys.is_given("max_dt") {
        check.add_problem("physics.max_dt", "cannot be set here; use `time.dt`");
    }
    for (key, one) in scene.common_tables().all_gauges() {
        check_gauge(check, &key, one);
    }
    if let Some(particles) = &scene.particles {
        particles.keys.check_required(check, "particles");
        particles.keys.report_problems(check, "particles");
        check.check_entry_count("particles.emitter", particles.emitters.len());
    }
    if scene.picture.cells == CellStyle::Hexes && scene.grid.lattice == LatticeKind::Square {
        let message = "found \"hexes\", which needs `grid.lattice = \"hex\"`";
        check.add_problem("picture.cells", message);
    }
}

/// Checks that the values of the water balance over time fit in memory.
fn check_ledger(check: &mut Checker, scene: &FlowScene) {
    let Some(every) = scene.output.ledger_every.filter(|every| *every > 0.0) else { return };
    let parts = scene.boundaries.len() + scene.sources.len() + scene.drains.len();
    let parts = parts + scene.culverts.len() + scene.gates.len() + scene.weirs.len();
    let values = scene.time.until / every * (2 * parts) as f64;
    if values > MAX_LEDGER_VALUES {
        let message = format!(
            "found {every}, which gives {values:.0} volumes of {parts} boundaries, sources, drains \
             and structures, allowed is up to {MAX_LEDGER_VALUES:e}"
        );
        check.add_problem("output.ledger_every", message);
    }
}

fn check_flood(check: &mut Checker, scene: &FlowScene) {
    if let Some(flood) = &scene.flood {
        return flood.report_problems(check, "flood");
    }
    for (i, layer) in scene.output.layers.iter().enumerate() {
        if flow::View::from_name(layer.name()).is_some_and(flow::View::is_flood_statistic) {
            let message = format!("\"{}\" needs the table `[flood]`", layer.name());
            check.add_problem(format!("output.layers[{i}]"), message);
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
    check.check_exactly_one(key, &given);
    if let Some(line) = &gauge.line {
        check.check_points(format!("{key}.line"), line, 2);
    }
}
