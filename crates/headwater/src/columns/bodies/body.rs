//! Rigid bodies that float, sink or rest on the ground.

use crate::error::InputError;
use crate::parameter::Range;
use crate::region::Point;
use serde::{Deserialize, Serialize};

/// Largest horizontal or vertical speed of a body (m/s).
pub(in crate::columns) const MAX_SPEED: f64 = 100.0;

/// Shape and position of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Axis-aligned rectangle.
    Box {
        /// Position of the centre (m, to the east and down from the grid's top-left corner).
        center: Point,
        /// Half the width and half the height (m), each from 10⁻⁶ to 10⁶.
        half: [f64; 2],
    },
    /// Disc.
    Disc {
        /// Position of the centre (m, to the east and down from the grid's top-left corner).
        center: Point,
        /// Radius (m), from 10⁻⁶ to 10⁶.
        radius: f64,
    },
}

impl Shape {
    pub(in crate::columns) fn center_and_half(&self) -> (Point, [f64; 2]) {
        match *self {
            Shape::Box { center, half } => (center, half),
            Shape::Disc { center, radius } => (center, [radius; 2]),
        }
    }

    /// Returns half the height (m) of the shape at the horizontal distance `offset` (m) from its
    /// centre.
    pub(in crate::columns) fn half_height_at(&self, offset: f64) -> f64 {
        match *self {
            Shape::Box { half, .. } => half[1],
            Shape::Disc { radius, .. } => (radius * radius - offset * offset).max(0.0).sqrt(),
        }
    }

    pub(in crate::columns) fn contains(&self, at: Point) -> bool {
        let (center, half) = self.center_and_half();
        let off = [at[0] - center[0], at[1] - center[1]];
        off[0].abs() <= half[0] && off[1].abs() <= self.half_height_at(off[0])
    }

    pub(in crate::columns) fn translate(&mut self, by: Point) {
        let (Shape::Box { center, .. } | Shape::Disc { center, .. }) = self;
        *center = [center[0] + by[0], center[1] + by[1]];
    }

    pub(in crate::columns) fn check(&self) -> Result<(), InputError> {
        let (center, half) = self.center_and_half();
        // A body placed within `MAX_DISTANCE` may still fall further.
        let (sizes, places) =
            (Range::new(1e-6, 1e6), Range::new(-1e3 * MAX_DISTANCE, 1e3 * MAX_DISTANCE));
        half.into_iter().try_for_each(|size| sizes.check("half a body's size", size, "m"))?;
        center.into_iter().try_for_each(|place| places.check("a body's place", place, "m"))
    }
}

pub(in crate::columns) const MAX_DISTANCE: f64 = 1e9;

/// Rigid body that floats, sinks or rests on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Shape and position of the body.
    pub shape: Shape,
    /// Mass (kg for a world 1 m thick), from 10⁻³ to 10¹². A body sinks if it is heavier than the
    /// water that it can displace.
    pub mass: f64,
    /// Velocity (m/s, to the east and downward), from −100 to 100.
    pub velocity: Point,
    /// Drag coefficient (dimensionless), from 0 to 100. A value of 1 is typical of a blunt body.
    pub drag: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::columns) struct FloatState {
    /// Water level that the body follows. `None` if the body does not float.
    pub(in crate::columns) level: Option<ReferenceLevel>,
    /// Whether the body touches the ground.
    pub(in crate::columns) aground: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::columns) struct ReferenceLevel {
    /// Height of the water level (m above the bottom of the grid).
    pub(in crate::columns) height: f64,
    /// Columns whose water levels are averaged: one west and one east of the body, or a single
    /// column under the body.
    pub(in crate::columns) of: [Option<usize>; 2],
}

impl Body {
    /// Creates a body at rest with the given mass (kg for a world 1 m thick) and a drag coefficient
    /// of 1.
    pub fn new(shape: Shape, mass: f64) -> Self {
        Self { shape, mass, velocity: [0.0; 2], drag: 1.0 }
    }

    pub(in crate::columns) fn check(&self) -> Result<(), InputError> {
        self.shape.check()?;
        Range::new(1e-3, 1e12).check("a body's mass", self.mass, "kg")?;
        let speeds = Range::new(-MAX_SPEED, MAX_SPEED);
        let mut velocity = self.velocity.into_iter();
        velocity.try_for_each(|v| speeds.check("a body's velocity", v, "m/s"))?;
        Range::new(0.0, 100.0).check("a body's drag", self.drag, "")
    }
}
