//! Checks of a run: its head, time, physics, gauges, particles, and what it writes.

use crate::flow::{FlowScene, Gauge, LatticeKind};
use crate::picture::{Cells, StyleError};
use crate::scene::check::Checker;

pub(super) fn check(check: &mut Checker, scene: &FlowScene) {
    head(check, scene);
    let names = scene.gauges.iter().map(|gauge| gauge.name.as_str());
    check.gauges(names);
    for (i, one) in scene.gauges.iter().enumerate() {
        gauge(check, &format!("gauge[{i}]"), one, scene.time.until);
    }
    particles(check, scene);
    check.output(&scene.output, scene.time);
    if let Err(StyleError { key, found, allowed }) = scene.picture.validate() {
        check.note(format!("picture.{key}"), format!("found {found}, allowed is {allowed}"));
    }
    if scene.picture.cells == Cells::Hexes && scene.grid.lattice == LatticeKind::Square {
        let message = "found \"hexes\", which needs a world of them: `grid.lattice = \"hex\"`";
        check.note("picture.cells", message);
    }
}

fn head(check: &mut Checker, scene: &FlowScene) {
    check.head(&scene.title, &scene.description, scene.time);
    if let Some(settle) = &scene.settle {
        settle.check(check, "settle");
    }
    scene.physics.keys.check(check, "physics");
    if scene.physics.keys.given("max_dt") {
        check.note("physics.max_dt", "is `time.dt` in scenes");
    }
}

fn gauge(check: &mut Checker, key: &str, gauge: &Gauge, until: f64) {
    let given = [
        ("at", gauge.at.is_some()),
        ("line", gauge.line.is_some()),
        ("disc", gauge.disc.is_some()),
        ("rect", gauge.rect.is_some()),
        ("structure", gauge.structure.is_some()),
        ("body", gauge.body.is_some()),
    ];
    let given: Vec<_> = given.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    if given.len() != 1 {
        let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
        check.note(
            key,
            format!("found {found}, needs one of at, line, disc, rect, structure, body"),
        );
    }
    if let Some(at) = gauge.at {
        check.position(format!("{key}.at"), at);
    }
    if let Some(line) = &gauge.line {
        check.points(format!("{key}.line"), line, 2);
    }
    if let Some(disc) = &gauge.disc {
        check.disc(key, disc);
    }
    if let Some(rect) = &gauge.rect {
        check.rect(key, rect);
    }
    check.gauge_every(key, gauge.every, until);
}

fn particles(check: &mut Checker, scene: &FlowScene) {
    let Some(particles) = &scene.particles else { return };
    particles.keys.need(check, "particles", &["count"]);
    particles.keys.check(check, "particles");
    check.entries("particles.emitter", particles.emitters.len());
    for (i, area) in particles.emitters.iter().enumerate() {
        check.area(&format!("particles.emitter[{i}]"), area);
    }
}
