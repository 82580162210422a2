//! Checks of a run: its head, time, physics, gauges, particles, and what it writes.

use super::{Checker, MAX_REPEATS, MAX_TIME, number};
use crate::picture::{Cells, StyleError};
use crate::schema::{Gauge, LatticeKind, Scene};
use std::collections::BTreeSet;

/// The most pictures of a run.
const MAX_FRAMES: u32 = 10_000;

pub(super) fn check(check: &mut Checker, scene: &Scene) {
    head(check, scene);
    check.entries("gauge", scene.gauges.len());
    let mut names = BTreeSet::new();
    for (i, one) in scene.gauges.iter().enumerate() {
        gauge(check, &format!("gauge[{i}]"), one, scene.time.until);
        // Some systems tell no upper from lower case in the names of files.
        if !names.insert(one.name.to_lowercase()) {
            let message = format!("found \"{}\" again, every gauge needs its own name", one.name);
            check.note(format!("gauge[{i}].name"), message);
        }
    }
    particles(check, scene);
    output(check, scene);
    if let Err(StyleError { key, found, allowed }) = scene.picture.validate() {
        check.note(format!("picture.{key}"), format!("found {found}, allowed is {allowed}"));
    }
    if scene.picture.cells == Cells::Hexes && scene.grid.lattice == LatticeKind::Square {
        let message = "found \"hexes\", which needs a world of them: `grid.lattice = \"hex\"`";
        check.note("picture.cells", message);
    }
}

fn head(check: &mut Checker, scene: &Scene) {
    let lines = [("title", &scene.title, 100), ("description", &scene.description, 200)];
    for (key, text, longest) in lines {
        let length = text.chars().count();
        if length > longest || text.chars().any(char::is_control) {
            let message = format!("needs one line of at most {longest} characters");
            check.note(key, format!("found {length} characters, {message}"));
        }
    }
    check.positive("time.until", scene.time.until, MAX_TIME, " s");
    if let Some(settle) = scene.settle {
        check.positive("settle.tolerance", settle.tolerance, 1.0, " m/s");
        check.positive("settle.longest", settle.longest, 1e9, " s");
    }
    if let Some(dt) = scene.time.dt {
        check.positive("time.dt", dt, MAX_TIME, " s");
    }
    let physics = &scene.physics;
    check.positive("physics.gravity", physics.gravity, 1000.0, " m/s²");
    if let Some(area) = physics.pipe_area {
        check.positive("physics.pipe_area", area, 1e12, " m²");
    }
    check.range("physics.friction", physics.friction, 0.0, 1.0, " per second");
    check.range("physics.viscosity", physics.viscosity, 0.0, 1e6, " m²/s");
    check.range("physics.manning", physics.manning, 0.0, 10.0, " s/m^⅓");
    check.range("physics.theta", physics.theta, 0.5, 1.0, "");
}

fn gauge(check: &mut Checker, key: &str, gauge: &Gauge, until: f64) {
    check.name(&format!("{key}.name"), &gauge.name);
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
    if let Some(every) = gauge.every {
        let shortest = until / MAX_REPEATS;
        check.range(format!("{key}.every"), every, shortest, MAX_TIME, " s");
    }
}

fn particles(check: &mut Checker, scene: &Scene) {
    let Some(particles) = &scene.particles else { return };
    check.range("particles.count", particles.count as f64, 0.0, 1e6, "");
    check.positive("particles.lifetime", particles.lifetime, MAX_TIME, " s");
    check.entries("particles.emitter", particles.emitters.len());
    for (i, area) in particles.emitters.iter().enumerate() {
        check.area(&format!("particles.emitter[{i}]"), area);
    }
}

fn output(check: &mut Checker, scene: &Scene) {
    let output = &scene.output;
    if let Some(fast) = output.flow_map {
        check.positive("output.flow_map", fast, 1e3, " m/s");
    }
    if let (Some(_), Some(_)) = (output.frames, output.frame_every) {
        let message = "found both frames and frame_every, needs only one of them";
        check.note("output.frame_every", message);
    }
    if let Some(frames) = output.frames.filter(|&frames| frames > MAX_FRAMES) {
        check.note("output.frames", format!("found {frames}, allowed is 0 to {MAX_FRAMES}"));
    }
    if let Some(every) = output.frame_every {
        let shortest = scene.time.until / f64::from(MAX_FRAMES);
        if !(every >= shortest && every <= MAX_TIME) {
            let (every, shortest) = (number(every), number(shortest));
            let message = format!(
                "found {every}, allowed is {shortest} s and more ({MAX_FRAMES} pictures in the run)"
            );
            check.note("output.frame_every", message);
        }
    }
    check.range("output.fps", f64::from(output.fps), 1.0, 50.0, " per second");
    for (i, layer) in output.layers.iter().enumerate() {
        if output.layers[..i].contains(layer) {
            check.note(format!("output.layers[{i}]"), "stands there twice");
        }
    }
}
