//! Checks of where things stand: positions on the grid, areas that touch it, stretches of its edges.

use super::{Checker, number};
use crate::schema::place::resolve;
use crate::schema::{Area, Position, Scene};
use headwater::{Lattice, Point, Region};

/// All that does not fit the lattice, as `(key, message)`.
pub(in crate::schema) fn problems(scene: &Scene, lattice: &Lattice) -> Vec<(String, String)> {
    let mut check = Checker { problems: Vec::new() };
    let mut on = Grid { check: &mut check, lattice };
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
        on.area(&format!("event[{i}]"), &event.area());
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
    on.boundaries(scene);
    check.problems
}

/// A checker that knows the grid.
struct Grid<'a> {
    check: &'a mut Checker,
    lattice: &'a Lattice,
}

impl Grid<'_> {
    fn size(&self) -> String {
        let (width, height) = (self.lattice.width(), self.lattice.height());
        format!("the world is {} × {} m", number(width), number(height))
    }

    /// A position in a cell of the grid.
    fn position(&mut self, key: &str, position: Position) {
        let [x, y] = resolve(position, self.lattice);
        let (width, height) = (self.lattice.width(), self.lattice.height());
        if !(x >= 0.0 && y >= 0.0 && x < width && y < height) {
            let (x, y, size) = (number(x), number(y), self.size());
            self.check.note(key, format!("found [{x}, {y}], which is off the grid: {size}"));
        }
    }

    /// An area that makes sense and touches the grid.
    fn area(&mut self, key: &str, area: &Area) {
        let Some(&name) = area.given().first() else { return };
        let key = format!("{key}.{name}");
        let region = area.region(self.lattice);
        if let Err(error) = region.validate() {
            self.check.note(key, error.to_string());
        } else if !self.touches(&region) {
            let message = format!("lies off the grid: {}", self.size());
            self.check.note(key, message);
        }
    }

    fn touches(&self, region: &Region) -> bool {
        let spread = |points: &[Point], reach: f64| {
            [(0, self.lattice.width()), (1, self.lattice.height())].iter().all(|&(axis, size)| {
                points.iter().any(|point| point[axis] + reach > 0.0)
                    && points.iter().any(|point| point[axis] - reach < size)
            })
        };
        match region {
            Region::Everywhere => true,
            Region::Disc { center, radius } => spread(&[*center], *radius),
            Region::Rect { min, max } => spread(&[*min, *max], 0.0),
            Region::Line { points, width } => spread(points, 0.5 * width),
        }
    }

    /// Stretches within their edges that do not overlap.
    fn boundaries(&mut self, scene: &Scene) {
        let mut taken: Vec<(usize, [f64; 2])> = Vec::new();
        for (i, boundary) in scene.boundaries.iter().enumerate() {
            let key = format!("boundary[{i}]");
            let [from, to] = boundary.stretch(self.lattice);
            let length = boundary.edge_length(self.lattice);
            if !(from >= 0.0 && from < to && to <= length) {
                let (from, to, length) = (number(from), number(to), number(length));
                let message =
                    format!("found {from} to {to} m, needs a stretch within 0 to {length} m");
                self.check.note(key, message);
                continue;
            }
            let clash = taken.iter().find(|(other, stretch)| {
                scene.boundaries[*other].edge == boundary.edge
                    && from < stretch[1]
                    && stretch[0] < to
            });
            if let Some((other, [begin, end])) = clash {
                let (from, to) = (number(from), number(to));
                let other = format!("boundary[{other}] ({} to {} m)", number(*begin), number(*end));
                self.check.note(key, format!("found {from} to {to} m, which overlaps {other}"));
            } else {
                taken.push((i, [from, to]));
            }
        }
    }
}
