//! Bodies that float, sink or lie: what they are.

use crate::error::InputError;
use crate::parameter::Range;
use crate::region::Point;
use serde::{Deserialize, Serialize};

/// Speeds (m/s) beyond which nothing floats.
pub(super) const MOST: f64 = 100.0;

/// The outline of a body, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A rectangle along the axes.
    Box {
        /// Its middle (m).
        center: Point,
        /// Half its width and half its height (m), 10⁻⁶ to 10⁶.
        half: [f64; 2],
    },
    /// A disc.
    Disc {
        /// Its middle (m).
        center: Point,
        /// Its radius (m), 10⁻⁶ to 10⁶.
        radius: f64,
    },
}

impl Shape {
    pub(super) fn frame(&self) -> (Point, [f64; 2]) {
        match *self {
            Shape::Box { center, half } => (center, half),
            Shape::Disc { center, radius } => (center, [radius; 2]),
        }
    }

    /// Half its height (m) at a place so far from its middle.
    pub(super) fn half_at(&self, off: f64) -> f64 {
        match *self {
            Shape::Box { half, .. } => half[1],
            Shape::Disc { radius, .. } => (radius * radius - off * off).max(0.0).sqrt(),
        }
    }

    pub(super) fn holds(&self, at: Point) -> bool {
        let (center, half) = self.frame();
        let off = [at[0] - center[0], at[1] - center[1]];
        off[0].abs() <= half[0] && off[1].abs() <= self.half_at(off[0])
    }

    pub(super) fn shift(&mut self, by: Point) {
        let (Shape::Box { center, .. } | Shape::Disc { center, .. }) = self;
        *center = [center[0] + by[0], center[1] + by[1]];
    }

    pub(super) fn check(&self) -> Result<(), InputError> {
        let (center, half) = self.frame();
        // Put there no farther off than `FAR`, it may fall on from there.
        let (sizes, places) = (Range::new(1e-6, 1e6), Range::new(-1e3 * FAR, 1e3 * FAR));
        half.into_iter().try_for_each(|size| sizes.check("half a body's size", size, "m"))?;
        center.into_iter().try_for_each(|place| places.check("a body's place", place, "m"))
    }
}

pub(super) const FAR: f64 = 1e9;

/// A body that floats, sinks or lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Its outline, and where it is.
    pub shape: Shape,
    /// Mass (kg for a world 1 m thick), 1e-3 to 1e12. Heavier than the water that it can displace, it sinks.
    pub mass: f64,
    /// Velocity (m/s, to the east and downward), up to 100 either way.
    pub velocity: Point,
    /// Drag coefficient, 0 to 100; 1 is that of a blunt body.
    pub drag: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Ride {
    /// The level (m above the bottom) on which it rides, if it floats.
    pub(super) level: Option<Level>,
    /// Whether it has met the ground.
    pub(super) aground: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Level {
    /// Its height (m above the bottom).
    pub(super) height: f64,
    /// The columns that it is the mean of: those beside the body in the west and in the east, or the one under it.
    pub(super) of: [Option<usize>; 2],
}

impl Body {
    /// A body at rest, with a drag coefficient of 1.
    pub fn new(shape: Shape, mass: f64) -> Self {
        Self { shape, mass, velocity: [0.0; 2], drag: 1.0 }
    }

    pub(super) fn check(&self) -> Result<(), InputError> {
        self.shape.check()?;
        Range::new(1e-3, 1e12).check("a body's mass", self.mass, "kg")?;
        let speeds = Range::new(-MOST, MOST);
        let mut velocity = self.velocity.into_iter();
        velocity.try_for_each(|v| speeds.check("a body's velocity", v, "m/s"))?;
        Range::new(0.0, 100.0).check("a body's drag", self.drag, "")
    }
}
