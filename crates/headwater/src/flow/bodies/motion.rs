//! Motion of the bodies in a step:
//!
//! 1. **Heave**: a damped oscillation about the surrounding water level, `M·D″ = m·g − ρ·g·A·D −
//!    c·D′`, with the draft `D`, the mass `m` and the area `A` of the body, the damping `c`, and
//!    the mass `M` including the added mass of the water. Where the bed is higher than the keel,
//!    the body runs aground.
//! 2. **Slope**: the water pressure accelerates the body down the slope of the surface; an aground
//!    body is accelerated down the slope of the bed.
//! 3. **Drag**, `½·ρ·C·S·|u − v|·(u − v)`, along and across the hull, with the drag coefficient
//!    `C`, the submerged cross-section `S` and the velocities `u` of the water and `v` of the body.
//!    The drag is implicit in time, and the water under the body receives the opposite impulse.
//! 4. **Friction** on the bed (Coulomb), if aground.
//! 5. **Displacement**, with collisions against walls and other bodies ([`super::contact`]).

use super::body::{Body, MAX_SPEED, Shape, WATER_DENSITY};
use super::contact;
use super::footprint::Footprint;
use super::load::{BodyLoads, Thrust};
use super::push::{CellPush, apply_pushes};
use crate::flow::context::StepContext;
use crate::flow::observe::velocity::{VelocityInput, cell_velocity};
use crate::flow::state::State;
use crate::scratch::ScratchPool;
use std::ops::Range;

/// Damping ratio of the heave oscillation. The damping represents the energy lost to short waves
/// and eddies that the grid does not resolve.
const HEAVE_DAMPING: f64 = 0.5;

struct DragPoint {
    /// Position of the drag point (the point at which the drag acts on the body) relative to the
    /// centre of the body (m).
    arm: [f64; 2],
    /// Mean velocity (m/s) of the water around the drag point, the point at which the drag acts on
    /// the body.
    water_velocity: [f64; 2],
    /// Effective mass (kg) of the water that is set in motion by an impulse at the drag point, the
    /// point at which the drag acts on the body.
    effective_mass: f64,
    shares: Range<usize>,
}

const MAX_DRAG_POINTS: usize = 2;

/// A cell under a body, and the velocity change of its water per unit of impulse (m/s per N·s).
type ImpulseShare = ((usize, usize), f64);

/// Moves all bodies by one step, and applies the reaction of their drag to the water. Also restores
/// the bed heights that `load` has raised.
pub(in crate::flow) fn advance(
    bodies: &mut [Body],
    load: &BodyLoads,
    state: &mut State,
    step: &StepContext,
    scratch: &ScratchPool,
) {
    let dry = step.params.dry_depth as f32;
    let gravity = step.params.gravity;
    // Sample the water for all bodies before any of them pushes it.
    let input = VelocityInput { state, lattice: step.lattice, dry, dt: step.dt as f32, first: 0 };
    let (mut drag_points, mut shares) = (scratch.take_vec(), scratch.take_vec());
    let sample = |(body, under): (&Body, &Footprint)| {
        let first = drag_points.len();
        find_drag_points(body, under, input, &mut drag_points, &mut shares);
        (under.water_level(state, dry), first..drag_points.len())
    };
    let samples = scratch.take_collected(bodies.iter().zip(&load.under).map(sample));
    load.remove(state);
    for (i, (level, its_places)) in samples.iter().enumerate() {
        let (body, under, drag_points) =
            (&mut bodies[i], &load.under[i], &drag_points[its_places.clone()]);
        if body.gone {
            continue;
        }
        body.update_heave(under.bed, *level, gravity, step.dt);
        body.apply_slope_forces(load.thrusts[i], under.slope, gravity, step.dt);
        for (drag_point, impulse) in drag_points.iter().zip(body.apply_drag(drag_points, step.dt)) {
            let pushes = shares[drag_point.shares.clone()]
                .iter()
                .map(|&(cell, share)| CellPush { cell, change: impulse.map(|part| -part * share) });
            apply_pushes(state, step.lattice, pushes);
        }
        body.apply_friction(gravity, step.dt);
    }
    let walls =
        contact::BodyObstacles { closed: &state.closed, edges: step.edges, lattice: step.lattice };
    contact::move_bodies(bodies, &walls, step.dt);
}

fn find_drag_points(
    body: &Body,
    under: &Footprint,
    input: VelocityInput,
    drag_points: &mut Vec<DragPoint>,
    shares: &mut Vec<ImpulseShare>,
) {
    let VelocityInput { state, lattice, dry, .. } = input;
    let (axis, ends): (_, &[f64]) = match body.shape {
        Shape::Disc { .. } => ([0.0; 2], &[0.0]),
        Shape::Rect { length, .. } => (body.heading_direction(), &[0.25 * length, -0.25 * length]),
    };
    for &end in ends {
        // The cells between bow and stern are shared by both.
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
                None => cell_velocity(input, x, y),
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
            let effective_mass = per * volume * volume / squares;
            let shares = first..shares.len();
            drag_points.push(DragPoint {
                arm,
                water_velocity: flow.map(|q| q / volume),
                effective_mass,
                shares,
            });
        }
    }
}

impl Body {
    /// Advances the heave oscillation of the body by `dt` seconds, and updates its draft and
    /// vertical velocity. `bed` is the bed elevation under the body (m), and `level` the
    /// surrounding water level (m).
    fn update_heave(&mut self, bed: f64, level: Option<f64>, gravity: f64, dt: f64) {
        if !self.aground {
            let stiffness =
                if self.draft > 0.0 { WATER_DENSITY * gravity * self.area() } else { 0.0 };
            let along = WATER_DENSITY * self.area() * self.submerged_height();
            let mass = self.mass + along;
            let damping = 2.0 * HEAVE_DAMPING * (stiffness * mass).sqrt();
            let force = self.mass * gravity - stiffness * self.submerged_height();
            // Implicit, so that a light body is stable at a long step.
            let effective_mass = mass + dt * damping + dt * dt * stiffness;
            self.sinking =
                ((mass * self.sinking + dt * force) / effective_mass).clamp(-MAX_SPEED, MAX_SPEED);
            self.draft += dt * self.sinking;
        }
        self.update_grounding(bed, level);
    }

    /// Updates `aground`, `draft` and `keel` for a given bed elevation (m) and water level (m).
    pub(super) fn update_grounding(&mut self, bed: f64, level: Option<f64>) {
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

    /// Returns the normal force (N) between the body and the bed.
    fn normal_force(&self, gravity: f64) -> f64 {
        let carried = WATER_DENSITY * self.area() * self.submerged_height();
        if self.aground { gravity * (self.mass - carried).max(0.0) } else { 0.0 }
    }

    /// Accelerates the body by the water pressure, down the slope of the water surface. If the body
    /// is aground, also accelerates it down the slope of the bed.
    fn apply_slope_forces(&mut self, thrust: Thrust, bed_slope: [f64; 2], gravity: f64, dt: f64) {
        let normal_force = self.normal_force(gravity);
        let force = [0, 1].map(|i| thrust.force[i] - normal_force * bed_slope[i]);
        self.velocity = [0, 1].map(|i| self.velocity[i] + dt * force[i] / self.mass);
        self.spin += dt * thrust.torque / self.moment_of_inertia();
    }

    /// Applies the drag of the water to the body, at the points `drag_points` along its axis.
    /// Returns the impulse (N·s) that the body receives at each of these points.
    fn apply_drag(&mut self, drag_points: &[DragPoint], dt: f64) -> [[f64; 2]; MAX_DRAG_POINTS] {
        let count = drag_points.len() as f64;
        let axis = self.heading_direction();
        let [length, width] = self.size();
        let wetted = 0.5 * WATER_DENSITY * self.drag * self.submerged_height();
        let impulse = |drag_point: &DragPoint| {
            let body = self.velocity_at(drag_point.arm);
            let away =
                [drag_point.water_velocity[0] - body[0], drag_point.water_velocity[1] - body[1]];
            let speed = (away[0] * away[0] + away[1] * away[1]).sqrt();
            let along = away[0] * axis[0] + away[1] * axis[1];
            let across = away[1] * axis[0] - away[0] * axis[1];
            let arm = drag_point.arm[0] * drag_point.arm[0] + drag_point.arm[1] * drag_point.arm[1];
            // The impulses act together: each uses the mobility of the body times their number.
            let mobility = count * (1.0 / self.mass + arm / self.moment_of_inertia())
                + 1.0 / drag_point.effective_mass;
            let part = |extent: f64, relative: f64| {
                let rate = wetted * extent / count * speed * dt;
                rate * relative / (1.0 + rate * mobility)
            };
            let (along, across) = (part(width, along), part(length, across));
            [along * axis[0] - across * axis[1], along * axis[1] + across * axis[0]]
        };
        let mut impulses = [[0.0; 2]; MAX_DRAG_POINTS];
        for (drag_point, out) in drag_points.iter().zip(&mut impulses) {
            *out = impulse(drag_point);
        }
        for (drag_point, impulse) in drag_points.iter().zip(&impulses) {
            self.apply_impulse(*impulse, drag_point.arm);
        }
        impulses
    }

    /// Applies the Coulomb friction between the bed and the body, if it is aground.
    fn apply_friction(&mut self, gravity: f64, dt: f64) {
        let loss = dt * self.friction * self.normal_force(gravity) / self.mass;
        let [u, v] = self.velocity;
        let speed = (u * u + v * v).sqrt();
        let keep = if speed > loss { 1.0 - loss / speed } else { 0.0 };
        self.velocity = [u * keep, v * keep];
        // Half of the friction acts outside a quarter of the length from the centre.
        let turning = self.spin.abs() * 0.25 * self.size()[0];
        self.spin *= if turning > loss { 1.0 - loss / turning } else { 0.0 };
    }
}
