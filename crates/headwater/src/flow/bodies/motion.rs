//! How bodies move in a step, one small function for each cause:
//!
//! 1. **Heave**: the body rides on the level of the water around it and bobs, `M·D″ = m·g − ρ·g·A·D − c·D′`,
//!    `D` the draft and `M` the mass with the water that bobs along. Where the ground is nearer than its
//!    draft, it sits on the bed.
//! 2. **Slope**: the water's pressure pushes it down the slope of the surface, the ground down that of the bed.
//! 3. **Drag**, `½·ρ·C·S·|u − v|·(u − v)`, along the hull and across it, implicit. The water under the body
//!    takes the opposite impulse.
//! 4. **Friction** on the bed (Coulomb), if aground.
//! 5. **FaceAxis**, along walls and past other bodies ([`super::contact`]).

use super::body::{Body, MOST, Shape, WATER_DENSITY};
use super::contact;
use super::footprint::Footprint;
use super::load::{Load, Thrust};
use crate::flow::context::Step;
use crate::flow::push::{Push, push};
use crate::flow::state::State;
use crate::flow::velocity::{Moving, velocity_of};
use crate::scratch::ScratchPool;
use std::ops::Range;

/// Damping of the heave relative to the critical one, for the short waves and eddies that the grid
/// lacks.
const HEAVE_DAMPING: f64 = 0.5;

struct Place {
    /// From the middle of the body (m).
    arm: [f64; 2],
    /// Mean velocity of the water (m/s).
    water: [f64; 2],
    /// The mass that an impulse on that water has to move (kg).
    inert: f64,
    shares: Range<usize>,
}

const PLACES: usize = 2;

/// A cell under a body, and by what an impulse changes its velocity (m/s per N·s).
type Share = ((usize, usize), f64);

/// Moves all bodies by a step, and pushes the water under them. Takes `load` off the water.
pub(in crate::flow) fn advance(
    bodies: &mut [Body],
    load: &Load,
    state: &mut State,
    step: &Step,
    scratch: &ScratchPool,
) {
    let dry = step.params.dry_depth as f32;
    let gravity = step.params.gravity;
    // All bodies feel the water as it is before any of them pushes it.
    let moving = Moving { state, lattice: step.lattice, dry, dt: step.dt as f32, first: 0 };
    let (mut places, mut shares) = (scratch.vec(), scratch.vec());
    let feel = |(body, under): (&Body, &Footprint)| {
        let first = places.len();
        find_places(body, under, moving, &mut places, &mut shares);
        (under.level(state, dry), first..places.len())
    };
    let felt = scratch.collect(bodies.iter().zip(&load.under).map(feel));
    load.lift(state);
    for (i, (level, its_places)) in felt.iter().enumerate() {
        let (body, under, places) = (&mut bodies[i], &load.under[i], &places[its_places.clone()]);
        if body.gone {
            continue;
        }
        body.heave(under.bed, *level, gravity, step.dt);
        body.slide(load.thrusts[i], under.slope, gravity, step.dt);
        for (place, impulse) in places.iter().zip(body.drag(places, step.dt)) {
            let pushes = shares[place.shares.clone()]
                .iter()
                .map(|&(cell, share)| Push { cell, change: impulse.map(|part| -part * share) });
            push(state, step.lattice, pushes);
        }
        body.rub(gravity, step.dt);
    }
    let walls = contact::Walls { closed: &state.closed, edges: step.edges, lattice: step.lattice };
    contact::go(bodies, &walls, step.dt);
}

fn find_places(
    body: &Body,
    under: &Footprint,
    moving: Moving,
    places: &mut Vec<Place>,
    shares: &mut Vec<Share>,
) {
    let Moving { state, lattice, dry, .. } = moving;
    let (axis, ends): (_, &[f64]) = match body.shape {
        Shape::Disc { .. } => ([0.0; 2], &[0.0]),
        Shape::Rect { length, .. } => (body.axis(), &[0.25 * length, -0.25 * length]),
    };
    for &end in ends {
        // Bow and stern share the cells between them.
        let part = |arm: [f64; 2]| {
            if end == 0.0 {
                return 1.0;
            }
            (0.5 + (arm[0] * axis[0] + arm[1] * axis[1]) / (4.0 * end)).clamp(0.0, 1.0)
        };
        let (mut volume, mut squares, mut flow) = (0.0, 0.0, [0.0; 2]);
        let first = shares.len();
        for cell in &under.cells {
            let depth = state.depth[cell.cell];
            let weight = cell.weight * part(cell.arm);
            if depth <= dry || weight <= 0.0 {
                continue;
            }
            let (x, y) = cell.cell;
            let velocity = match &state.momentum {
                Some(q) => [q.x[(x, y)] / depth, q.y[(x, y)] / depth],
                None => velocity_of(moving, x, y),
            };
            let water = weight * f64::from(depth);
            volume += water;
            squares += weight * water;
            flow = [0, 1].map(|i| flow[i] + water * f64::from(velocity[i]));
            shares.push((cell.cell, weight));
        }
        if volume > 0.0 {
            let per = WATER_DENSITY * lattice.cell_area();
            shares[first..].iter_mut().for_each(|share| share.1 /= per * volume);
            let arm = axis.map(|part| part * end);
            let inert = per * volume * volume / squares;
            let shares = first..shares.len();
            places.push(Place { arm, water: flow.map(|q| q / volume), inert, shares });
        }
    }
}

impl Body {
    /// 1. Heave.
    fn heave(&mut self, bed: f64, level: Option<f64>, gravity: f64, dt: f64) {
        if !self.aground {
            let stiffness =
                if self.draft > 0.0 { WATER_DENSITY * gravity * self.area() } else { 0.0 };
            let along = WATER_DENSITY * self.area() * self.head();
            let mass = self.mass + along;
            let damping = 2.0 * HEAVE_DAMPING * (stiffness * mass).sqrt();
            let force = self.mass * gravity - stiffness * self.head();
            // Implicit, so that a light body on a long step does not jump.
            let inert = mass + dt * damping + dt * dt * stiffness;
            self.sinking = ((mass * self.sinking + dt * force) / inert).clamp(-MOST, MOST);
            self.draft += dt * self.sinking;
        }
        self.rest_on(bed, level);
    }

    /// Finds out whether the body sits on the bed, and where its keel is.
    pub(super) fn rest_on(&mut self, bed: f64, level: Option<f64>) {
        let deepest = level.unwrap_or(bed) - bed;
        let floats = self.floating_draft().min(self.height) <= deepest;
        let sinks = self.floating_draft() > self.height;
        if self.draft >= deepest || self.aground {
            self.aground = sinks || !floats;
            self.draft = deepest.min(if self.aground { f64::INFINITY } else { self.draft });
            self.sinking = 0.0;
        }
        self.keel = bed + (deepest - self.draft);
    }

    fn rests(&self, gravity: f64) -> f64 {
        let carried = WATER_DENSITY * self.area() * self.head();
        if self.aground { gravity * (self.mass - carried).max(0.0) } else { 0.0 }
    }

    /// 2. Slopes.
    fn slide(&mut self, thrust: Thrust, bed_slope: [f64; 2], gravity: f64, dt: f64) {
        let rests = self.rests(gravity);
        let force = [0, 1].map(|i| thrust.force[i] - rests * bed_slope[i]);
        self.velocity = [0, 1].map(|i| self.velocity[i] + dt * force[i] / self.mass);
        self.spin += dt * thrust.torque / self.inertia();
    }

    /// 3. Drag: changes the body, and returns its impulse (N·s) from each place.
    fn drag(&mut self, places: &[Place], dt: f64) -> [[f64; 2]; PLACES] {
        let count = places.len() as f64;
        let axis = self.axis();
        let [length, width] = self.size();
        let wetted = 0.5 * WATER_DENSITY * self.drag * self.head();
        let impulse = |place: &Place| {
            let body = self.velocity_at(place.arm);
            let away = [place.water[0] - body[0], place.water[1] - body[1]];
            let speed = (away[0] * away[0] + away[1] * away[1]).sqrt();
            let along = away[0] * axis[0] + away[1] * axis[1];
            let across = away[1] * axis[0] - away[0] * axis[1];
            let arm = place.arm[0] * place.arm[0] + place.arm[1] * place.arm[1];
            // Each of the places moves the body as if alone: no more than all of them together do.
            let light = count * (1.0 / self.mass + arm / self.inertia()) + 1.0 / place.inert;
            let part = |breadth: f64, relative: f64| {
                let rate = wetted * breadth / count * speed * dt;
                rate * relative / (1.0 + rate * light)
            };
            let (along, across) = (part(width, along), part(length, across));
            [along * axis[0] - across * axis[1], along * axis[1] + across * axis[0]]
        };
        let mut impulses = [[0.0; 2]; PLACES];
        for (place, felt) in places.iter().zip(&mut impulses) {
            *felt = impulse(place);
        }
        for (place, impulse) in places.iter().zip(&impulses) {
            self.take(*impulse, place.arm);
        }
        impulses
    }

    /// 4. Friction on the bed.
    fn rub(&mut self, gravity: f64, dt: f64) {
        let loss = dt * self.friction * self.rests(gravity) / self.mass;
        let [u, v] = self.velocity;
        let speed = (u * u + v * v).sqrt();
        let keep = if speed > loss { 1.0 - loss / speed } else { 0.0 };
        self.velocity = [u * keep, v * keep];
        // A quarter of its length is where half of it rubs on either side.
        let turning = self.spin.abs() * 0.25 * self.size()[0];
        self.spin *= if turning > loss { 1.0 - loss / turning } else { 0.0 };
    }
}
