//! Floating bodies: boats, logs and crates with upright sides that ride on the water, drift with it, run
//! aground, bump into one another and push the water in turn.
//!
//! A body weighs on the water under it: its draft is a head of pressure there, by which the surface sinks
//! under the hull and rises elsewhere (Archimedes). To water that moves in columns, a hull that presses
//! down by its draft is the same as ground that is higher by as much (`−g·h·∇(surface + draft)`), so for the
//! moment in which gravity moves the water the bed is raised so far ([`load`]). Every level of physics
//! then keeps a floating body at rest as exactly as it keeps a lake at rest. Drag between hull and water
//! is an impulse that goes to the body and, with the opposite sign, to the water ([`motion`]).
//!
//! Not here: waves shorter than the hull, pitch and roll, capsizing, bodies on top of one another.

mod contact;
mod footprint;
mod load;
mod motion;

pub(super) use load::Load;
pub(super) use motion::advance;

use super::error::number;
use super::{Flow, FlowError};
use crate::region::Point;
use footprint::Footprint;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// Speeds (m/s, rad/s) beyond which nothing floats.
const MOST: f64 = 1000.0;

/// Density of the water that bodies float in (kg/m³).
pub const WATER_DENSITY: f64 = 1000.0;

/// The outline of a body, seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A round body.
    Disc {
        /// Its radius (m).
        radius: f64,
    },
    /// A rectangle whose length runs along the heading.
    Rect {
        /// Its length (m), at least its width.
        length: f64,
        /// Its width (m).
        width: f64,
    },
}

/// A floating body and how it moves. [`Body::disc`] and [`Body::rect`] make one at rest that just touches
/// the water; [`Flow::add_body`] checks every field.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Its outline; lengths from 1e-3 to 1e6 m.
    pub shape: Shape,
    /// Mass (kg), 1e-3 to 1e15.
    pub mass: f64,
    /// From keel to deck (m), 1e-3 to 1e5. Sunk deeper than that, it displaces no more: a body
    /// denser than water goes down.
    pub height: f64,
    /// Drag coefficient of the hull in the water, 0 to 100; 1 by default, as of a blunt body.
    pub drag: f64,
    /// Coulomb's coefficient of friction on the bed, 0 to 100; 0.5 by default, as of wood on gravel.
    pub friction: f64,
    /// Where its middle is (m).
    pub position: Point,
    /// Velocity (m/s, `[east, south]`), up to 1000.
    pub velocity: [f64; 2],
    /// Where its length points (rad), from the east to the south.
    pub heading: f64,
    /// How fast it turns (rad/s), from the east to the south; up to 1000.
    pub spin: f64,
    /// How deep the keel lies under the level of the water around (m); below 0, it hangs above.
    pub draft: f64,
    /// How fast the draft grows (m/s), up to 1000 either way.
    pub sinking: f64,
    /// True while it sits on the bed. A world finds that out itself.
    pub aground: bool,
    /// Height of the keel (m), counted as the bed. A world finds that out itself.
    pub keel: f64,
    /// True once its middle has gone over an open edge: it stays there, touches nothing, and nothing moves
    /// it. A world finds that out itself.
    pub gone: bool,
}

impl Body {
    /// A round body of that radius (m), mass (kg) and height (m).
    pub fn disc(position: Point, radius: f64, mass: f64, height: f64) -> Self {
        Self {
            shape: Shape::Disc { radius },
            mass,
            height,
            drag: 1.0,
            friction: 0.5,
            position,
            velocity: [0.0; 2],
            heading: 0.0,
            spin: 0.0,
            draft: 0.0,
            sinking: 0.0,
            aground: false,
            keel: 0.0,
            gone: false,
        }
    }

    /// A body of `[length, width]` (m) with that heading (rad, from the east to the south), mass (kg) and
    /// height (m).
    pub fn rect(position: Point, size: [f64; 2], heading: f64, mass: f64, height: f64) -> Self {
        let shape = Shape::Rect { length: size[0], width: size[1] };
        Self { shape, heading, ..Self::disc(position, 0.0, mass, height) }
    }

    /// The area of its outline (m²).
    pub fn area(&self) -> f64 {
        match self.shape {
            Shape::Disc { radius } => std::f64::consts::PI * radius * radius,
            Shape::Rect { length, width } => length * width,
        }
    }

    /// The draft (m) at which it floats at rest, `mass/(ρ·area)`; more than its height if it sinks.
    pub fn floating_draft(&self) -> f64 {
        self.mass / (WATER_DENSITY * self.area())
    }

    /// Length and width (m); of a round body, its diameter twice.
    pub fn size(&self) -> [f64; 2] {
        match self.shape {
            Shape::Disc { radius } => [2.0 * radius; 2],
            Shape::Rect { length, width } => [length, width],
        }
    }

    /// The head (m) by which it weighs on the water under it.
    fn head(&self) -> f64 {
        self.draft.clamp(0.0, self.height)
    }

    /// The unit vector along its length.
    fn axis(&self) -> [f64; 2] {
        [libm::cos(self.heading), libm::sin(self.heading)]
    }

    /// Moment of inertia about the upright axis (kg·m²).
    fn inertia(&self) -> f64 {
        match self.shape {
            Shape::Disc { radius } => 0.5 * self.mass * radius * radius,
            Shape::Rect { length, width } => self.mass * (length * length + width * width) / 12.0,
        }
    }

    /// Velocity (m/s) of the point `arm` metres from its middle.
    fn velocity_at(&self, arm: [f64; 2]) -> [f64; 2] {
        [self.velocity[0] - self.spin * arm[1], self.velocity[1] + self.spin * arm[0]]
    }

    /// Takes an impulse (N·s) at the point `arm` metres from its middle.
    fn take(&mut self, impulse: [f64; 2], arm: [f64; 2]) {
        self.velocity = [0, 1].map(|i| self.velocity[i] + impulse[i] / self.mass);
        self.spin += (arm[0] * impulse[1] - arm[1] * impulse[0]) / self.inertia();
    }

    fn validate(&self) -> Result<(), FlowError> {
        let size = |what, found: f64| {
            number(what, found, (1e-3..=1e6).contains(&found), "from 1e-3 to 1e6 m")
        };
        match self.shape {
            Shape::Disc { radius } => size("a body's radius", radius)?,
            Shape::Rect { length, width } => {
                size("a body's width", width)?;
                size("a body's length", length)?;
                number("a body's length", length, length >= width, "at least its width")?;
            }
        }
        let mass = (1e-3..=1e15).contains(&self.mass);
        number("a body's mass", self.mass, mass, "from 1e-3 to 1e15 kg")?;
        let height = (1e-3..=1e5).contains(&self.height);
        number("a body's height", self.height, height, "from 1e-3 to 1e5 m")?;
        let coefficients = [("a body's drag", self.drag), ("a body's friction", self.friction)];
        for (what, found) in coefficients {
            number(what, found, (0.0..=100.0).contains(&found), "a number from 0 to 100")?;
        }
        let [east, south] = self.velocity;
        let speeds = [
            ("a body's velocity to the east", east),
            ("a body's velocity to the south", south),
            ("a body's sinking", self.sinking),
            ("a body's spin", self.spin),
        ];
        for (what, found) in speeds {
            number(what, found, found.abs() <= MOST, "from -1000 to 1000 per second")?;
        }
        number("a body's heading", self.heading, self.heading.abs() <= 1e6, "an angle in rad")?;
        number("a body's draft", self.draft, self.draft.abs() <= 1e7, "from -1e7 to 1e7 m")?;
        number("a body's keel", self.keel, true, "a finite height in m")
    }

    pub(super) fn feed_hash(&self, hash: &mut Xxh3) {
        let [x, y] = self.position;
        let [east, south] = self.velocity;
        let moving = [x, y, east, south, self.heading, self.spin, self.draft, self.sinking];
        for value in moving {
            hash.update(&value.to_le_bytes());
        }
        hash.update(&self.keel.to_le_bytes());
        hash.update(&[u8::from(self.aground), u8::from(self.gone)]);
    }
}

impl Flow {
    /// Sets a body on or above the water; returns its number. It brings no water and takes none.
    ///
    /// # Errors
    /// [`FlowError`] if one of its numbers is out of its range, or its middle lies off the grid or in a
    /// closed cell.
    pub fn add_body(&mut self, body: Body) -> Result<usize, FlowError> {
        self.check_body(&body)?;
        let closed =
            self.lattice.cell_at(body.position).map(|(x, y)| self.state.closed.contains(x, y));
        if closed == Some(true) {
            return Err(FlowError::BodyPlace { position: body.position });
        }
        let mut body = Body { aground: false, keel: 0.0, gone: false, ..body };
        let under = Footprint::new(&body, &self.state, &self.lattice);
        let level = under.level(&self.state, self.params.dry_depth as f32);
        body.settle_on(under.bed, level);
        self.bodies.push(body);
        Ok(self.bodies.len() - 1)
    }

    /// The bodies, in the order in which they were added.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Gives body `i` an impulse (N·s, `[east, south]`) at its middle.
    ///
    /// # Errors
    /// [`FlowError`] if there is no such body, or it would become faster than 1000 m/s.
    pub fn push_body(&mut self, i: usize, impulse: [f64; 2]) -> Result<(), FlowError> {
        let count = self.bodies.len();
        let body = self.bodies.get_mut(i).ok_or(FlowError::NoBody { found: i, count })?;
        let mut pushed = *body;
        pushed.take(impulse, [0.0; 2]);
        pushed.validate()?;
        *body = pushed;
        Ok(())
    }

    /// Takes body `i` out of the world; those after it move up by one.
    ///
    /// # Errors
    /// [`FlowError::NoBody`] if there is no such body.
    pub fn remove_body(&mut self, i: usize) -> Result<Body, FlowError> {
        let count = self.bodies.len();
        if i < count {
            Ok(self.bodies.remove(i))
        } else {
            Err(FlowError::NoBody { found: i, count })
        }
    }

    /// Checks a body's numbers and that it is on the grid.
    pub(super) fn check_body(&self, body: &Body) -> Result<(), FlowError> {
        body.validate()?;
        match self.lattice.cell_at(body.position) {
            Some(_) => Ok(()),
            None => Err(FlowError::BodyPlace { position: body.position }),
        }
    }
}
