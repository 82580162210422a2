//! Floating bodies: shape, parameters and motion state.

use crate::error::InputError;
use crate::parameter::{Parameters, Range, parameters};
use crate::region::Point;
use serde::{Deserialize, Serialize};

/// Maximum speed (m/s) and maximum angular velocity (rad/s) of a body. Larger values are clamped.
pub(super) const MAX_SPEED: f64 = 1000.0;

const SPEED: Range = Range::new(-MAX_SPEED, MAX_SPEED);

/// Density of water (kg/m³), used for the buoyancy and drag of floating bodies.
pub const WATER_DENSITY: f64 = 1000.0;

/// Shape of a body in plan view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A disc.
    Disc {
        /// Radius of the disc (m).
        radius: f64,
    },
    /// A rectangle whose length is aligned with the heading.
    Rect {
        /// Length of the rectangle (m), at least its width.
        length: f64,
        /// Width of the rectangle (m).
        width: f64,
    },
}

parameters! {
    /// A floating body: shape, mass, position and motion. [`Body::disc`] and [`Body::rect`] create
    /// a body at rest whose keel touches the water surface.
    /// [`Flow::add_body`](crate::flow::Flow::add_body) validates every field.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Body {
        /// Mass of the body.
        mass: f64 = 1000.0; Fixed, "mass", "kg", |_| Range::new(1e-3, 1e15), [1.0, 1e6];
        /// Height from keel to deck. Once the deck is submerged, the body displaces no more water,
        /// so a body denser than water sinks.
        height: f64 = 1.0; Fixed, "height", "m", |_| Range::new(1e-3, 1e5), [0.1, 10.0];
        /// Drag coefficient of the hull in water; 1 for a blunt body.
        drag: f64 = 1.0; Fixed, "drag", "1", |_| Range::new(0.0, 100.0), [0.0, 2.0];
        /// Coulomb friction coefficient on the bed; 0.5 for wood on gravel.
        friction: f64 = 0.5; Fixed, "friction", "1", |_| Range::new(0.0, 100.0), [0.0, 1.0];
        /// Velocity of the centre (eastward and southward components).
        velocity: [f64; 2] = [0.0; 2]; Fixed, "velocity", "m/s", |_| SPEED, [-10.0, 10.0];
        /// Direction of the length axis, as an angle from east toward south.
        heading: f64 = 0.0; Fixed, "heading", "rad", |_| Range::new(-1e6, 1e6), [-3.2, 3.2];
        /// Angular velocity, positive from east toward south.
        spin: f64 = 0.0; Fixed, "spin", "rad/s", |_| SPEED, [-1.0, 1.0];
        /// Depth of the keel below the surrounding water level; negative if the keel is above it.
        draft: f64 = 0.0; Fixed, "draft", "m", |_| Range::new(-1e9, 1e9), [-10.0, 10.0];
        /// Rate of change of the draft, positive downwards.
        sinking: f64 = 0.0; Fixed, "sinking", "m/s", |_| SPEED, [-10.0, 10.0];
        /// Height of the keel, relative to the same datum as the bed. The world computes it.
        keel: f64 = 0.0; Fixed, "keel", "m", |_| Range::ANY, [-10.0, 10.0];
    }
    and {
        /// Shape in plan view. Lengths must be from 1e-3 to 1e6 m.
        shape: Shape = Shape::Disc { radius: 1.0 };
        /// Position of the centre (m), from the top-left corner of the grid.
        position: Point = [0.0; 2];
        /// Whether the body rests on the bed. The world computes it.
        aground: bool = false;
        /// Whether the centre of the body has crossed an open edge of the grid, so that the body is
        /// no longer simulated. The world sets this flag.
        gone: bool = false;
    }
}

impl Shape {
    const SIZE: Range = Range::new(1e-3, 1e6);
}

impl Body {
    /// Creates a disc-shaped body from the position of its centre (m), its radius (m), its mass
    /// (kg) and its height (m).
    pub fn disc(position: Point, radius: f64, mass: f64, height: f64) -> Self {
        Self { shape: Shape::Disc { radius }, mass, height, position, ..Self::default() }
    }

    /// Creates a rectangular body from the position of its centre (m), its length and width (m),
    /// its heading (rad, from east toward south), its mass (kg) and its height (m).
    pub fn rect(position: Point, size: [f64; 2], heading: f64, mass: f64, height: f64) -> Self {
        let shape = Shape::Rect { length: size[0], width: size[1] };
        Self { shape, heading, ..Self::disc(position, 0.0, mass, height) }
    }

    /// Returns the area of the body in plan view (m²).
    pub fn area(&self) -> f64 {
        match self.shape {
            Shape::Disc { radius } => std::f64::consts::PI * radius * radius,
            Shape::Rect { length, width } => length * width,
        }
    }

    /// Returns the draft (m) of the body when it floats at rest: `mass/(ρ·area)`, where `ρ` is the
    /// density of water. If this draft exceeds the height of the body, the body sinks.
    pub fn floating_draft(&self) -> f64 {
        self.mass / (WATER_DENSITY * self.area())
    }

    /// Returns the length and the width of the body (m). For a disc, both equal the diameter.
    pub fn size(&self) -> [f64; 2] {
        match self.shape {
            Shape::Disc { radius } => [2.0 * radius; 2],
            Shape::Rect { length, width } => [length, width],
        }
    }

    /// Returns the height (m) of the part of the hull that is under water.
    pub(super) fn submerged_height(&self) -> f64 {
        self.draft.clamp(0.0, self.height)
    }

    pub(super) fn heading_direction(&self) -> [f64; 2] {
        [libm::cos(self.heading), libm::sin(self.heading)]
    }

    pub(super) fn moment_of_inertia(&self) -> f64 {
        match self.shape {
            Shape::Disc { radius } => 0.5 * self.mass * radius * radius,
            Shape::Rect { length, width } => self.mass * (length * length + width * width) / 12.0,
        }
    }

    /// Returns the velocity (m/s, `[east, south]`) of the point of the body at the offset `arm` (m)
    /// from the centre.
    pub(super) fn velocity_at(&self, arm: [f64; 2]) -> [f64; 2] {
        [self.velocity[0] - self.spin * arm[1], self.velocity[1] + self.spin * arm[0]]
    }

    /// Applies an impulse (N·s) to the body at the offset `arm` (m) from the centre.
    pub(super) fn apply_impulse(&mut self, impulse: [f64; 2], arm: [f64; 2]) {
        self.velocity = [0, 1].map(|i| self.velocity[i] + impulse[i] / self.mass);
        self.spin += (arm[0] * impulse[1] - arm[1] * impulse[0]) / self.moment_of_inertia();
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
        shape.and_then(|()| self.check()).map_err(|error| error.with_table_prefix("body"))
    }
}
