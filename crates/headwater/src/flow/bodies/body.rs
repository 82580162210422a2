//! A floating body: its shape, its numbers and how it moves.

use crate::error::InputError;
use crate::parameter::{Parameters, Range, parameters};
use crate::region::Point;
use serde::{Deserialize, Serialize};

/// Speeds (m/s, rad/s) beyond which nothing floats.
pub(super) const MOST: f64 = 1000.0;

const SPEED: Range = Range::new(-MOST, MOST);

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

parameters! {
    /// A floating body and how it moves. [`Body::disc`] and [`Body::rect`] make one at rest that just touches
    /// the water; [`Flow::add_body`](crate::flow::Flow::add_body) checks every field.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Body {
        /// Its mass.
        mass: f64 = 1000.0; Fixed, "mass", "kg", |_| Range::new(1e-3, 1e15), [1.0, 1e6];
        /// From keel to deck. Sunk deeper than that, it displaces no more: a body denser than water goes down.
        height: f64 = 1.0; Fixed, "height", "m", |_| Range::new(1e-3, 1e5), [0.1, 10.0];
        /// Drag coefficient of the hull in the water; 1 as of a blunt body.
        drag: f64 = 1.0; Fixed, "drag", "1", |_| Range::new(0.0, 100.0), [0.0, 2.0];
        /// Coulomb's coefficient of friction on the bed; 0.5 as of wood on gravel.
        friction: f64 = 0.5; Fixed, "friction", "1", |_| Range::new(0.0, 100.0), [0.0, 1.0];
        /// Velocity, to the east and to the south.
        velocity: [f64; 2] = [0.0; 2]; Fixed, "velocity", "m/s", |_| SPEED, [-10.0, 10.0];
        /// Where its length points, from the east to the south.
        heading: f64 = 0.0; Fixed, "heading", "rad", |_| Range::new(-1e6, 1e6), [-3.2, 3.2];
        /// How fast it turns, from the east to the south.
        spin: f64 = 0.0; Fixed, "spin", "rad/s", |_| SPEED, [-1.0, 1.0];
        /// How deep the keel lies under the level of the water around; below 0, it hangs above.
        draft: f64 = 0.0; Fixed, "draft", "m", |_| Range::new(-1e9, 1e9), [-10.0, 10.0];
        /// How fast the draft grows.
        sinking: f64 = 0.0; Fixed, "sinking", "m/s", |_| SPEED, [-10.0, 10.0];
        /// Height of the keel, counted as the bed. A world finds that out itself.
        keel: f64 = 0.0; Fixed, "keel", "m", |_| Range::ANY, [-10.0, 10.0];
    }
    and {
        /// Its outline; lengths from 1e-3 to 1e6 m.
        shape: Shape = Shape::Disc { radius: 1.0 };
        /// Where its middle is (m).
        position: Point = [0.0; 2];
        /// True while it sits on the bed. A world finds that out itself.
        aground: bool = false;
        /// True once its middle has gone over an open edge; it stays there untouched. Set by the
        /// world.
        gone: bool = false;
    }
}

impl Shape {
    const SIZE: Range = Range::new(1e-3, 1e6);
}

impl Body {
    /// A round body of that radius (m), mass (kg) and height (m).
    pub fn disc(position: Point, radius: f64, mass: f64, height: f64) -> Self {
        Self { shape: Shape::Disc { radius }, mass, height, position, ..Self::default() }
    }

    /// A body of `[length, width]` (m), heading (rad, from the east to the south), mass (kg) and
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

    pub(super) fn head(&self) -> f64 {
        self.draft.clamp(0.0, self.height)
    }

    pub(super) fn axis(&self) -> [f64; 2] {
        [libm::cos(self.heading), libm::sin(self.heading)]
    }

    pub(super) fn inertia(&self) -> f64 {
        match self.shape {
            Shape::Disc { radius } => 0.5 * self.mass * radius * radius,
            Shape::Rect { length, width } => self.mass * (length * length + width * width) / 12.0,
        }
    }

    pub(super) fn velocity_at(&self, arm: [f64; 2]) -> [f64; 2] {
        [self.velocity[0] - self.spin * arm[1], self.velocity[1] + self.spin * arm[0]]
    }

    pub(super) fn take(&mut self, impulse: [f64; 2], arm: [f64; 2]) {
        self.velocity = [0, 1].map(|i| self.velocity[i] + impulse[i] / self.mass);
        self.spin += (arm[0] * impulse[1] - arm[1] * impulse[0]) / self.inertia();
    }

    pub(super) fn validate(&self) -> Result<(), InputError> {
        let size = |what, found| Shape::SIZE.check(what, found, "m");
        let shape = match self.shape {
            Shape::Disc { radius } => size("radius", radius),
            Shape::Rect { length, width } => {
                size("width", width).and_then(|()| size("length", length)).and_then(|()| {
                    Range::new(width, 1e6).depends_on("width").check("length", length, "m")
                })
            }
        };
        shape.and_then(|()| self.check()).map_err(|error| error.under("body"))
    }
}
