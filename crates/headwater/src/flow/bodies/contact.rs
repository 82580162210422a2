//! Collisions of floating bodies with closed cells, with the edges of the grid, and with one
//! another. The collision shape of a body is a disc or a capsule.

use super::body::{Body, MAX_SPEED, Shape};
use super::footprint::for_each_cell_near;
use crate::flow::boundary::state::{BoundaryState, EdgeStates};
use crate::flow::state::ClosedCells;
use crate::lattice::{Edge, Lattice};
use crate::region::Point;

/// Coefficient of restitution of collisions between bodies (dimensionless). The value is small, as
/// for wet wood.
const RESTITUTION: f64 = 0.1;

/// Number of passes over all pairs of bodies per step. Several passes propagate impulses through a
/// jam of bodies.
const CONTACT_ITERATIONS: usize = 4;

/// Maximum number of wall contacts that are resolved after each movement of a body. A corner causes
/// two contacts, a long body up to four.
const MAX_WALL_CONTACTS: usize = 8;

/// Maximum number of substeps per step. A body moves by at most half a cell in a substep. If its
/// velocity would require more substeps, the body moves a shorter distance.
const MAX_SUBSTEPS: f64 = 1000.0;

pub(super) fn move_bodies(bodies: &mut [Body], walls: &BodyObstacles, dt: f64) {
    let lattice = walls.lattice;
    for body in bodies.iter_mut().filter(|body| !body.gone) {
        let part = 0.5 * lattice.dx().min(lattice.dy());
        let tip = norm(body.velocity) + body.spin.abs() * 0.5 * body.size()[0];
        let parts = (tip * dt / part).ceil().max(1.0);
        let seconds = dt / parts;
        for _ in 0..parts.min(MAX_SUBSTEPS) as usize {
            body.position = [0, 1].map(|i| body.position[i] + seconds * body.velocity[i]);
            body.heading += seconds * body.spin;
            resolve_wall_contacts(body, walls);
        }
    }
    for _ in 0..CONTACT_ITERATIONS {
        let mut touched = false;
        for i in 1..bodies.len() {
            let (before, rest) = bodies.split_at_mut(i);
            let body = &mut rest[0];
            for other in before.iter_mut().filter(|other| !other.gone) {
                touched |= !body.gone && resolve_overlap(other, body);
            }
        }
        if !touched {
            break;
        }
        bodies
            .iter_mut()
            .filter(|body| !body.gone)
            .for_each(|body| resolve_wall_contacts(body, walls));
    }
    for body in bodies.iter_mut().filter(|body| !body.gone) {
        // A body larger than the world overlaps two walls at once; its centre stays on the grid.
        let size = [lattice.width(), lattice.height()];
        body.gone = walls.is_beyond_open_edge(body.position);
        body.position = [0, 1].map(|i| body.position[i].clamp(0.0, size[i].next_down()));
        body.velocity = body.velocity.map(|v| v.clamp(-MAX_SPEED, MAX_SPEED));
        body.spin = body.spin.clamp(-MAX_SPEED, MAX_SPEED);
        body.heading -= std::f64::consts::TAU * (body.heading / std::f64::consts::TAU).round();
    }
}

pub(super) struct BodyObstacles<'a> {
    pub(super) closed: &'a ClosedCells,
    /// Boundary states of the edges of the grid. Bodies may leave the grid through faces through
    /// which water can leave.
    pub(super) edges: &'a EdgeStates<'a>,
    pub(super) lattice: &'a Lattice,
}

impl BodyObstacles<'_> {
    fn is_open(&self, edge: Edge, [x, y]: Point) -> bool {
        let along = self.edges.edge_faces(edge);
        let part =
            if edge.has_x_faces() { y / self.lattice.height() } else { x / self.lattice.width() };
        let face = ((part * along.len() as f64).max(0.0) as usize).min(along.len() - 1);
        match along[face] {
            BoundaryState::FreeOutflow | BoundaryState::Level(_) | BoundaryState::Waves { .. } => {
                true
            }
            BoundaryState::Discharge(into) => into < 0.0,
            BoundaryState::Wall | BoundaryState::Periodic | BoundaryState::Stream { .. } => false,
        }
    }

    fn is_beyond_open_edge(&self, position: Point) -> bool {
        let beyond = |edge| match edge {
            Edge::West => position[0] < 0.0,
            Edge::East => position[0] >= self.lattice.width(),
            Edge::North => position[1] < 0.0,
            Edge::South => position[1] >= self.lattice.height(),
        };
        Edge::ALL.into_iter().any(|edge| beyond(edge) && self.is_open(edge, position))
    }
}

#[derive(Clone, Copy, Debug)]
struct Contact {
    /// Unit vector that points out of the obstacle.
    normal: [f64; 2],
    depth: f64,
    /// Position of the contact point relative to the centre of the body (m).
    arm: [f64; 2],
}

/// Returns the dimensions (m) of the capsule that represents a body in collisions: half the length
/// of the axis, and the radius. A disc has an axis of length 0.
fn capsule_dimensions(body: &Body) -> (f64, f64) {
    match body.shape {
        Shape::Disc { radius } => (0.0, radius),
        Shape::Rect { length, width } => (0.5 * (length - width), 0.5 * width),
    }
}

fn resolve_wall_contacts(body: &mut Body, walls: &BodyObstacles) {
    for _ in 0..MAX_WALL_CONTACTS {
        let Some(contact) = deepest_wall_contact(body, walls) else { return };
        let Contact { normal, depth, arm } = contact;
        body.position = [0, 1].map(|i| body.position[i] + depth * normal[i]);
        let closing = dot(body.velocity_at(arm), normal);
        if closing < 0.0 {
            let impulse = -closing * effective_mass(body, arm, normal);
            body.apply_impulse(normal.map(|n| n * impulse), arm);
        }
    }
}

fn deepest_wall_contact(body: &Body, walls: &BodyObstacles) -> Option<Contact> {
    let BodyObstacles { closed, lattice, .. } = *walls;
    let (half, radius) = capsule_dimensions(body);
    let axis = body.heading_direction();
    let apart = 0.5 * lattice.dx().min(lattice.dy());
    let pieces = (2.0 * half / apart).ceil().min(1e4) as usize;
    let mut deepest: Option<Contact> = None;
    let mut add = |contact: Contact| {
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
            add(Contact { normal, depth, arm: [0, 1].map(|i| arm[i] - radius * normal[i]) });
        }
        let reach = radius + lattice.dx().max(lattice.dy());
        for_each_cell_near([x, y], reach, lattice, |(column, row), to| {
            if closed.contains(column, row) {
                let (normal, depth) = cell_penetration(to, radius, lattice);
                add(Contact { normal, depth, arm: [0, 1].map(|i| arm[i] - radius * normal[i]) });
            }
        });
    }
    deepest
}

/// Returns the direction in which a closed cell pushes a disc (unit vector), and the penetration
/// depth (m). `to_cell` is the vector from the centre of the disc to the centre of the cell.
fn cell_penetration(to_cell: [f64; 2], radius: f64, lattice: &Lattice) -> ([f64; 2], f64) {
    let away = to_cell.map(|part| -part);
    let half = [0.5 * lattice.dx(), 0.5 * lattice.dy()];
    if lattice.is_hex() {
        let distance = norm(away);
        let normal = if distance > 0.0 { away.map(|part| part / distance) } else { [1.0, 0.0] };
        return (normal, radius + half[0] - distance);
    }
    let beyond = [0, 1].map(|i| away[i].abs() - half[i]);
    let out = beyond.map(|part| part.max(0.0));
    let distance = norm(out);
    if distance > 0.0 {
        return ([0, 1].map(|i| out[i].copysign(away[i]) / distance), radius - distance);
    }
    let nearest = usize::from(beyond[1] > beyond[0]);
    let mut normal = [0.0; 2];
    normal[nearest] = 1.0_f64.copysign(away[nearest]);
    (normal, radius - beyond[nearest])
}

/// Separates two overlapping bodies and applies equal and opposite impulses to them. Returns false
/// if they do not overlap.
fn resolve_overlap(a: &mut Body, b: &mut Body) -> bool {
    let (half_a, radius_a) = capsule_dimensions(a);
    let (half_b, radius_b) = capsule_dimensions(b);
    let between = [0, 1].map(|i| b.position[i] - a.position[i]);
    let touching = radius_a + radius_b;
    if norm(between) >= half_a + half_b + touching {
        return false;
    }
    let (from, to) =
        closest_points(capsule_axis(a, half_a), capsule_axis(b, half_b), 0.02 * touching);
    let offset = [0, 1].map(|i| to[i] - from[i]);
    let distance = norm(offset);
    if distance >= touching {
        return false;
    }
    let (direction, size) =
        if distance > 1e-9 * touching { (offset, distance) } else { (between, norm(between)) };
    let normal = if size > 0.0 { direction.map(|part| part / size) } else { [1.0, 0.0] };
    let overlap = touching - distance;
    let share = b.mass / (a.mass + b.mass);
    let place =
        [0, 1].map(|i| 0.5 * ((from[i] + radius_a * normal[i]) + (to[i] - radius_b * normal[i])));
    let [arm_a, arm_b] = [&*a, &*b].map(|body| [0, 1].map(|i| place[i] - body.position[i]));
    let [at_a, at_b] = [a.velocity_at(arm_a), b.velocity_at(arm_b)];
    let closing = dot([at_b[0] - at_a[0], at_b[1] - at_a[1]], normal);
    if closing < 0.0 {
        let mobility =
            1.0 / effective_mass(a, arm_a, normal) + 1.0 / effective_mass(b, arm_b, normal);
        let impulse = -(1.0 + RESTITUTION) * closing / mobility;
        a.apply_impulse(normal.map(|n| -n * impulse), arm_a);
        b.apply_impulse(normal.map(|n| n * impulse), arm_b);
    }
    a.position = [0, 1].map(|i| a.position[i] - share * overlap * normal[i]);
    b.position = [0, 1].map(|i| b.position[i] + (1.0 - share) * overlap * normal[i]);
    true
}

/// Returns the effective mass (kg) of a body for an impulse along `normal`, applied at `arm` (m)
/// from its centre.
fn effective_mass(body: &Body, arm: [f64; 2], normal: [f64; 2]) -> f64 {
    let lever = arm[0] * normal[1] - arm[1] * normal[0];
    1.0 / (1.0 / body.mass + lever * lever / body.moment_of_inertia())
}

fn capsule_axis(body: &Body, half_length: f64) -> [Point; 2] {
    let axis = body.heading_direction();
    [-half_length, half_length].map(|along| [0, 1].map(|i| body.position[i] + along * axis[i]))
}

/// Returns the two points, one on each line segment, that are closest to each other. If several
/// pairs of points are equally close to within `tolerance` (m), returns their mean, so that
/// parallel capsules touch in the middle.
fn closest_points(a: [Point; 2], b: [Point; 2], tolerance: f64) -> (Point, Point) {
    let pairs = [
        (a[0], project_to_segment(a[0], b)),
        (a[1], project_to_segment(a[1], b)),
        (project_to_segment(b[0], a), b[0]),
        (project_to_segment(b[1], a), b[1]),
    ];
    let apart = pairs.map(|(from, to)| norm([to[0] - from[0], to[1] - from[1]]));
    let smallest = apart.into_iter().fold(f64::INFINITY, f64::min);
    let (mut from, mut to, mut count) = ([0.0; 2], [0.0; 2], 0.0);
    for (pair, _) in pairs.iter().zip(apart).filter(|(_, apart)| *apart <= smallest + tolerance) {
        from = [0, 1].map(|i| from[i] + pair.0[i]);
        to = [0, 1].map(|i| to[i] + pair.1[i]);
        count += 1.0;
    }
    (from.map(|part| part / count), to.map(|part| part / count))
}

fn project_to_segment(point: Point, [a, b]: [Point; 2]) -> Point {
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

fn norm(a: [f64; 2]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floating_log(at: Point, heading: f64) -> Body {
        Body::rect(at, [6.0, 1.0], heading, 900.0, 1.0)
    }

    fn momentum(bodies: &[Body]) -> [f64; 2] {
        let sum = |i: usize| bodies.iter().map(|body| body.mass * body.velocity[i]).sum();
        [sum(0), sum(1)]
    }

    #[test]
    fn colliding_logs_conserve_momentum_and_separate() {
        let mut a = Body { velocity: [2.0, 0.0], ..floating_log([10.0, 10.0], 0.1) };
        let mut b = Body { velocity: [-1.0, 0.5], ..floating_log([13.0, 10.8], 1.4) };
        let before = momentum(&[a, b]);
        assert!(resolve_overlap(&mut a, &mut b), "they do not touch");
        // Separation changes the reference of the angular momentum, so only linear momentum is
        // conserved.
        let after = momentum(&[a, b]);
        for i in 0..2 {
            assert!((after[i] - before[i]).abs() < 1e-9, "{before:?} {after:?}");
        }
        assert!(a.velocity[0] < 2.0 && b.spin != 0.0);
        (0..20).for_each(|_| _ = resolve_overlap(&mut a, &mut b));
        let (from, to) = closest_points(
            capsule_axis(&a, capsule_dimensions(&a).0),
            capsule_axis(&b, capsule_dimensions(&b).0),
            0.0,
        );
        let apart = norm([to[0] - from[0], to[1] - from[1]]);
        assert!((apart - 1.0).abs() < 0.02, "{apart} m between their middle lines");
    }

    #[test]
    fn parallel_logs_collide_without_spin() {
        let mut a = floating_log([10.0, 10.0], 0.0);
        let mut b = Body { velocity: [0.0, -1.0], ..floating_log([10.0, 10.9], 0.0) };
        assert!(resolve_overlap(&mut a, &mut b));
        assert!(a.spin.abs() < 1e-12 && b.spin.abs() < 1e-12, "{} {}", a.spin, b.spin);
        assert!(a.velocity[1] < -0.4);
    }
}
