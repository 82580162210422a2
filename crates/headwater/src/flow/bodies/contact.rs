//! Bodies' way over the plane: they slide along closed cells and edges, and collide as round-ended
//! bars or discs.

use super::body::{Body, MOST, Shape};
use super::footprint::for_cells_near;
use crate::flow::outside::{Edges, Outside};
use crate::flow::state::Closed;
use crate::lattice::{Edge, Lattice};
use crate::region::Point;

/// How much of their closing speed two bodies part with: little, as of wet wood.
const RESTITUTION: f64 = 0.1;

/// Times that all pairs of bodies are gone over in a step, so that pushes pass through a jam.
const SWEEPS: usize = 4;

/// Contacts with walls that one move may resolve: in a corner there are two, for a long body four.
const CONTACTS: usize = 8;

/// Parts that a move may be done in. Beyond so many half cells in a step a body stops short.
const MOST_PARTS: f64 = 1000.0;

pub(super) fn go(bodies: &mut [Body], walls: &Walls, dt: f64) {
    let lattice = walls.lattice;
    for body in bodies.iter_mut().filter(|body| !body.gone) {
        let part = 0.5 * lattice.dx().min(lattice.dy());
        let tip = length(body.velocity) + body.spin.abs() * 0.5 * body.size()[0];
        let parts = (tip * dt / part).ceil().max(1.0);
        let seconds = dt / parts;
        for _ in 0..parts.min(MOST_PARTS) as usize {
            body.position = [0, 1].map(|i| body.position[i] + seconds * body.velocity[i]);
            body.heading += seconds * body.spin;
            leave_walls(body, walls);
        }
    }
    for _ in 0..SWEEPS {
        let mut touched = false;
        for i in 1..bodies.len() {
            let (before, rest) = bodies.split_at_mut(i);
            let body = &mut rest[0];
            for other in before.iter_mut().filter(|other| !other.gone) {
                touched |= !body.gone && part(other, body);
            }
        }
        if !touched {
            break;
        }
        bodies.iter_mut().filter(|body| !body.gone).for_each(|body| leave_walls(body, walls));
    }
    for body in bodies.iter_mut().filter(|body| !body.gone) {
        // A body larger than the world is in two walls at once; its middle stays on the grid.
        let size = [lattice.width(), lattice.height()];
        body.gone = walls.lets_out(body.position);
        body.position = [0, 1].map(|i| body.position[i].clamp(0.0, size[i].next_down()));
        body.velocity = body.velocity.map(|v| v.clamp(-MOST, MOST));
        body.spin = body.spin.clamp(-MOST, MOST);
        body.heading -= std::f64::consts::TAU * (body.heading / std::f64::consts::TAU).round();
    }
}

pub(super) struct Walls<'a> {
    pub(super) closed: &'a Closed,
    /// The edges, as far as water does not leave over them.
    pub(super) edges: &'a Edges<'a>,
    pub(super) lattice: &'a Lattice,
}

impl Walls<'_> {
    fn is_open(&self, edge: Edge, [x, y]: Point) -> bool {
        let along = self.edges.along(edge);
        let part = if edge.is_x() { y / self.lattice.height() } else { x / self.lattice.width() };
        let face = ((part * along.len() as f64).max(0.0) as usize).min(along.len() - 1);
        match along[face] {
            Outside::Nothing | Outside::Level(_) | Outside::Waves { .. } => true,
            Outside::Given(into) => into < 0.0,
            Outside::Wall | Outside::Joined | Outside::Stream { .. } => false,
        }
    }

    fn lets_out(&self, place: Point) -> bool {
        let beyond = |edge| match edge {
            Edge::West => place[0] < 0.0,
            Edge::East => place[0] >= self.lattice.width(),
            Edge::North => place[1] < 0.0,
            Edge::South => place[1] >= self.lattice.height(),
        };
        Edge::ALL.into_iter().any(|edge| beyond(edge) && self.is_open(edge, place))
    }
}

#[derive(Clone, Copy, Debug)]
struct Contact {
    /// The way out, of length 1.
    normal: [f64; 2],
    depth: f64,
    /// From the middle of the body to the place (m).
    arm: [f64; 2],
}

/// The half-bar of a body: half the length of its middle line and the radius around it (m).
fn bar(body: &Body) -> (f64, f64) {
    match body.shape {
        Shape::Disc { radius } => (0.0, radius),
        Shape::Rect { length, width } => (0.5 * (length - width), 0.5 * width),
    }
}

fn leave_walls(body: &mut Body, walls: &Walls) {
    for _ in 0..CONTACTS {
        let Some(contact) = deepest(body, walls) else { return };
        let Contact { normal, depth, arm } = contact;
        body.position = [0, 1].map(|i| body.position[i] + depth * normal[i]);
        let closing = dot(body.velocity_at(arm), normal);
        if closing < 0.0 {
            let impulse = -closing * yielding(body, arm, normal);
            body.take(normal.map(|n| n * impulse), arm);
        }
    }
}

fn deepest(body: &Body, walls: &Walls) -> Option<Contact> {
    let Walls { closed, lattice, .. } = *walls;
    let (half, radius) = bar(body);
    let axis = body.axis();
    let apart = 0.5 * lattice.dx().min(lattice.dy());
    let pieces = (2.0 * half / apart).ceil().min(1e4) as usize;
    let mut deepest: Option<Contact> = None;
    let mut meet = |contact: Contact| {
        if contact.depth > deepest.map_or(1e-9 * radius, |d| d.depth) {
            deepest = Some(contact);
        }
    };
    let (width, height) = (lattice.width(), lattice.height());
    for piece in 0..=pieces {
        let along = half * if pieces == 0 { 0.0 } else { 2.0 * piece as f64 / pieces as f64 - 1.0 };
        let arm = axis.map(|part| part * along);
        let [x, y] = [0, 1].map(|i| body.position[i] + arm[i]);
        let edges = [
            (Edge::West, [1.0, 0.0], radius - x),
            (Edge::East, [-1.0, 0.0], x + radius - width),
            (Edge::North, [0.0, 1.0], radius - y),
            (Edge::South, [0.0, -1.0], y + radius - height),
        ];
        for (edge, normal, depth) in edges {
            if depth <= 0.0 || walls.is_open(edge, [x, y]) {
                continue;
            }
            meet(Contact { normal, depth, arm: [0, 1].map(|i| arm[i] - radius * normal[i]) });
        }
        let reach = radius + lattice.dx().max(lattice.dy());
        for_cells_near([x, y], reach, lattice, |(column, row), to| {
            if closed.contains(column, row) {
                let (normal, depth) = out_of_cell(to, radius, lattice);
                meet(Contact { normal, depth, arm: [0, 1].map(|i| arm[i] - radius * normal[i]) });
            }
        });
    }
    deepest
}

/// The way out of a cell whose centre is `to` away from the middle of a disc, and how far it is.
fn out_of_cell(to: [f64; 2], radius: f64, lattice: &Lattice) -> ([f64; 2], f64) {
    let away = to.map(|part| -part);
    let half = [0.5 * lattice.dx(), 0.5 * lattice.dy()];
    if lattice.is_hex() {
        let distance = length(away);
        let normal = if distance > 0.0 { away.map(|part| part / distance) } else { [1.0, 0.0] };
        return (normal, radius + half[0] - distance);
    }
    let beyond = [0, 1].map(|i| away[i].abs() - half[i]);
    let out = beyond.map(|part| part.max(0.0));
    let distance = length(out);
    if distance > 0.0 {
        return ([0, 1].map(|i| out[i].copysign(away[i]) / distance), radius - distance);
    }
    let nearest = usize::from(beyond[1] > beyond[0]);
    let mut normal = [0.0; 2];
    normal[nearest] = 1.0_f64.copysign(away[nearest]);
    (normal, radius - beyond[nearest])
}

/// Parts two bodies that are in one another; false if they are not.
fn part(a: &mut Body, b: &mut Body) -> bool {
    let (half_a, radius_a) = bar(a);
    let (half_b, radius_b) = bar(b);
    let between = [0, 1].map(|i| b.position[i] - a.position[i]);
    let touching = radius_a + radius_b;
    if length(between) >= half_a + half_b + touching {
        return false;
    }
    let (from, to) = nearest(middle_line(a, half_a), middle_line(b, half_b), 0.02 * touching);
    let axis = [0, 1].map(|i| to[i] - from[i]);
    let distance = length(axis);
    if distance >= touching {
        return false;
    }
    let (axis, size) =
        if distance > 1e-9 * touching { (axis, distance) } else { (between, length(between)) };
    let normal = if size > 0.0 { axis.map(|part| part / size) } else { [1.0, 0.0] };
    let overlap = touching - distance;
    let share = b.mass / (a.mass + b.mass);
    let place =
        [0, 1].map(|i| 0.5 * ((from[i] + radius_a * normal[i]) + (to[i] - radius_b * normal[i])));
    let [arm_a, arm_b] = [&*a, &*b].map(|body| [0, 1].map(|i| place[i] - body.position[i]));
    let [at_a, at_b] = [a.velocity_at(arm_a), b.velocity_at(arm_b)];
    let closing = dot([at_b[0] - at_a[0], at_b[1] - at_a[1]], normal);
    if closing < 0.0 {
        let light = 1.0 / yielding(a, arm_a, normal) + 1.0 / yielding(b, arm_b, normal);
        let impulse = -(1.0 + RESTITUTION) * closing / light;
        a.take(normal.map(|n| -n * impulse), arm_a);
        b.take(normal.map(|n| n * impulse), arm_b);
    }
    a.position = [0, 1].map(|i| a.position[i] - share * overlap * normal[i]);
    b.position = [0, 1].map(|i| b.position[i] + (1.0 - share) * overlap * normal[i]);
    true
}

/// The mass (kg) that an impulse along `normal` at `arm` has to move.
fn yielding(body: &Body, arm: [f64; 2], normal: [f64; 2]) -> f64 {
    let lever = arm[0] * normal[1] - arm[1] * normal[0];
    1.0 / (1.0 / body.mass + lever * lever / body.inertia())
}

fn middle_line(body: &Body, half: f64) -> [Point; 2] {
    let axis = body.axis();
    [-half, half].map(|along| [0, 1].map(|i| body.position[i] + along * axis[i]))
}

/// The nearest points of two lines, at an end of one unless they cross. Places within `even` of the
/// nearest count too, so that parallel bars meet in their middle.
fn nearest(a: [Point; 2], b: [Point; 2], even: f64) -> (Point, Point) {
    let pairs = [
        (a[0], onto(a[0], b)),
        (a[1], onto(a[1], b)),
        (onto(b[0], a), b[0]),
        (onto(b[1], a), b[1]),
    ];
    let apart = pairs.map(|(from, to)| length([to[0] - from[0], to[1] - from[1]]));
    let least = apart.into_iter().fold(f64::INFINITY, f64::min);
    let (mut from, mut to, mut count) = ([0.0; 2], [0.0; 2], 0.0);
    for (pair, _) in pairs.iter().zip(apart).filter(|(_, apart)| *apart <= least + even) {
        from = [0, 1].map(|i| from[i] + pair.0[i]);
        to = [0, 1].map(|i| to[i] + pair.1[i]);
        count += 1.0;
    }
    (from.map(|part| part / count), to.map(|part| part / count))
}

fn onto(point: Point, [a, b]: [Point; 2]) -> Point {
    let along = [b[0] - a[0], b[1] - a[1]];
    let square = dot(along, along);
    let t = if square > 0.0 {
        (dot([point[0] - a[0], point[1] - a[1]], along) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    [a[0] + t * along[0], a[1] + t * along[1]]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn length(a: [f64; 2]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(at: Point, heading: f64) -> Body {
        Body::rect(at, [6.0, 1.0], heading, 900.0, 1.0)
    }

    fn momentum(bodies: &[Body]) -> [f64; 2] {
        let sum = |i: usize| bodies.iter().map(|body| body.mass * body.velocity[i]).sum();
        [sum(0), sum(1)]
    }

    #[test]
    fn two_logs_that_meet_keep_their_momentum_and_part() {
        let mut a = Body { velocity: [2.0, 0.0], ..log([10.0, 10.0], 0.1) };
        let mut b = Body { velocity: [-1.0, 0.5], ..log([13.0, 10.8], 1.4) };
        let before = momentum(&[a, b]);
        assert!(part(&mut a, &mut b), "they do not touch");
        // Moving them apart changes what angular momentum counts from: only the linear one is held.
        let after = momentum(&[a, b]);
        for i in 0..2 {
            assert!((after[i] - before[i]).abs() < 1e-9, "{before:?} {after:?}");
        }
        assert!(a.velocity[0] < 2.0 && b.spin != 0.0);
        (0..20).for_each(|_| _ = part(&mut a, &mut b));
        let (from, to) = nearest(middle_line(&a, bar(&a).0), middle_line(&b, bar(&b).0), 0.0);
        let apart = length([to[0] - from[0], to[1] - from[1]]);
        assert!((apart - 1.0).abs() < 0.02, "{apart} m between their middle lines");
    }

    #[test]
    fn logs_side_by_side_meet_in_their_middle() {
        let mut a = log([10.0, 10.0], 0.0);
        let mut b = Body { velocity: [0.0, -1.0], ..log([10.0, 10.9], 0.0) };
        assert!(part(&mut a, &mut b));
        assert!(a.spin.abs() < 1e-12 && b.spin.abs() < 1e-12, "{} {}", a.spin, b.spin);
        assert!(a.velocity[1] < -0.4);
    }
}
