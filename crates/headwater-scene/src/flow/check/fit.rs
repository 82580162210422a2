//! Checks of where things stand on the grid, and of stretches of its edges.

use crate::flow::{Action, Added, FlowScene};
use crate::scene::Alone;
use crate::scene::check::{Checker, number};
use crate::scene::fit::OnGrid;
use crate::scene::place::Area;
use headwater::Lattice;

/// All that does not fit the lattice, as `(key, message)`.
pub(crate) fn problems(scene: &FlowScene, lattice: &Lattice) -> Vec<(String, String)> {
    let mut check = Checker::default();
    let mut on = OnGrid { check: &mut check, lattice };
    for (i, shape) in scene.terrain.shapes.iter().enumerate() {
        on.area(&format!("terrain.shape[{i}]"), &shape.area());
    }
    for (i, lake) in scene.water.lakes.iter().enumerate() {
        on.position(&format!("water.lake[{i}].at"), lake.at);
    }
    for (key, sources) in [("source", &scene.sources), ("drain", &scene.drains)] {
        for (i, source) in sources.iter().enumerate() {
            on.position(&format!("{key}[{i}].at"), source.at);
        }
    }
    for ends in scene.structures() {
        on.position(&format!("{}.from", ends.key), ends.at[0]);
        on.position(&format!("{}.to", ends.key), ends.at[1]);
    }
    for (i, area) in scene.obstacles.iter().enumerate() {
        on.area(&format!("obstacle[{i}]"), area);
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        on.position(&format!("body[{i}].at"), body.at);
    }
    for (i, event) in scene.events.iter().enumerate() {
        let key = format!("event[{i}]");
        on.area(&key, &event.action.area());
        match &event.action {
            Action::Add(Alone(Added::Source(source))) => {
                on.position(&format!("{key}.source.at"), source.at);
            }
            Action::Add(Alone(Added::Drain(drain))) => {
                on.position(&format!("{key}.drain.at"), drain.at);
            }
            Action::Add(Alone(Added::Body(body))) => {
                on.position(&format!("{key}.body.at"), body.at);
            }
            _ => {}
        }
    }
    for (i, gauge) in scene.gauges.iter().enumerate() {
        if let Some(at) = gauge.at {
            on.position(&format!("gauge[{i}].at"), at);
        }
        for (j, &point) in gauge.line.iter().flatten().enumerate() {
            on.position(&format!("gauge[{i}].line[{j}]"), point);
        }
        let area = Area { disc: gauge.disc, rect: gauge.rect, ..Area::default() };
        on.area(&format!("gauge[{i}]"), &area);
    }
    for (i, area) in scene.particles.iter().flat_map(|p| &p.emitters).enumerate() {
        on.area(&format!("particles.emitter[{i}]"), area);
    }
    boundaries(&mut check, scene, lattice);
    check.problems
}

/// Stretches within their edges that do not overlap.
fn boundaries(check: &mut Checker, scene: &FlowScene, lattice: &Lattice) {
    let mut taken: Vec<(usize, [f64; 2])> = Vec::new();
    for (i, boundary) in scene.boundaries.iter().enumerate() {
        let key = format!("boundary[{i}]");
        let [from, to] = boundary.stretch.ends(lattice);
        let length = boundary.stretch.edge_length(lattice);
        if !(from >= 0.0 && from < to && to <= length) {
            let (from, to, length) = (number(from), number(to), number(length));
            let message = format!("found {from} to {to} m, needs a stretch within 0 to {length} m");
            check.note(key, message);
            continue;
        }
        let clash = taken.iter().find(|(other, stretch)| {
            scene.boundaries[*other].stretch.edge == boundary.stretch.edge
                && from < stretch[1]
                && stretch[0] < to
        });
        if let Some((other, [begin, end])) = clash {
            let (from, to) = (number(from), number(to));
            let other = format!("boundary[{other}] ({} to {} m)", number(*begin), number(*end));
            check.note(key, format!("found {from} to {to} m, which overlaps {other}"));
        } else {
            taken.push((i, [from, to]));
        }
    }
}
