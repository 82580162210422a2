//! Where the things of a scene stand, and stretches of the grid's edges.

use crate::flow::{Action, Added, FlowScene};
use crate::scene::check::{Checker, number};
use crate::scene::fit::OnGrid;
use crate::scene::{Alone, Places};
use headwater::Lattice;

/// Where the things of a scene stand.
pub(crate) fn places(scene: &FlowScene, places: &mut Places) {
    for (i, shape) in scene.terrain.shapes.iter().enumerate() {
        places.area(format!("terrain.shape[{i}]"), shape.area());
    }
    for (i, lake) in scene.water.lakes.iter().enumerate() {
        places.at(format!("water.lake[{i}].at"), lake.at);
    }
    for (key, sources) in [("source", &scene.sources), ("drain", &scene.drains)] {
        for (i, source) in sources.iter().enumerate() {
            places.at(format!("{key}[{i}].at"), source.at);
        }
    }
    for ends in scene.structures() {
        places.at(format!("{}.from", ends.key), ends.at[0]);
        places.at(format!("{}.to", ends.key), ends.at[1]);
    }
    for (i, area) in scene.obstacles.iter().enumerate() {
        places.area(format!("obstacle[{i}]"), area.clone());
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        places.at(format!("body[{i}].at"), body.at);
    }
    for (i, event) in scene.events.iter().enumerate() {
        let key = format!("event[{i}]");
        if let Some((extent, _)) = event.action.place() {
            places.extent(&key, extent);
        }
        if let Action::Add(Alone(added)) = &event.action {
            match added {
                Added::Source(source) => places.at(format!("{key}.source.at"), source.at),
                Added::Drain(drain) => places.at(format!("{key}.drain.at"), drain.at),
                Added::Body(body) => places.at(format!("{key}.body.at"), body.at),
            }
        }
    }
    for (i, gauge) in scene.gauges.iter().enumerate() {
        places.gauge(&format!("gauge[{i}]"), gauge.at, gauge.disc, gauge.rect);
    }
    for (i, area) in scene.particles.iter().flat_map(|p| &p.emitters).enumerate() {
        places.area(format!("particles.emitter[{i}]"), area.clone());
    }
}

/// Checks the lines of gauges, and the boundaries.
pub(crate) fn fit(scene: &FlowScene, check: &mut Checker, lattice: &Lattice) {
    let mut on = OnGrid { check, lattice };
    for (i, gauge) in scene.gauges.iter().enumerate() {
        for (j, &point) in gauge.line.iter().flatten().enumerate() {
            on.position(&format!("gauge[{i}].line[{j}]"), point);
        }
    }
    boundaries(check, scene, lattice);
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
