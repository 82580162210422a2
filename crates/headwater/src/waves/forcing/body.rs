//! Floating bodies, at rest or moving. A body presses on the surface with the weight of the water
//! that it displaces, so a moving body makes a wake and the volume is conserved. Waves pass under a
//! body; only land reflects them.

use crate::error::InputError;
use crate::parameter::{Parameters, Range, parameters};
use crate::region::Point;
use crate::waves::params::up_to_highest;
use serde::{Deserialize, Serialize};

/// Horizontal shape of a floating body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Disc.
    Disc {
        /// Radius (m), 5·10⁻⁴ to 10⁶.
        radius: f64,
    },
    /// Axis-aligned rectangle.
    Rect {
        /// Half the extent to the east and half the extent to the south (m), 5·10⁻⁴ to 10⁶.
        half: [f64; 2],
    },
    /// Rotated ellipse, for example for the hull of a boat.
    Oval {
        /// Half the length and half the width (m), 5·10⁻⁴ to 10⁶.
        half: [f64; 2],
        /// Direction of the length axis (rad), measured from the east towards the south.
        heading: f64,
    },
}

const HALF_SIZE: Range = Range::new(5e-4, 1e6);

parameters! {
    /// Floating body that presses on the surface.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Body {
        /// Velocity of the body, to the east and to the south.
        velocity: Point = [0.0; 2]; Live, "velocity", "m/s", |_| Range::new(-1000.0, 1000.0), [-3.0, 3.0];
        /// Draft: depth of the body below the water surface, at most the highest wave (`highest`).
        draft: f64 = 0.0; Live, "draft", "m", |_| Range::new(0.0, 1e6), [0.0, 0.5];
    }
    required { draft }
    and {
        /// Position of the body's centre (m, to the east and south of the grid's corner); may be
        /// off the grid.
        position: Point = [0.0; 2];
        /// Horizontal shape of the body.
        shape: Shape = Shape::Disc { radius: 1.0 };
    }
}

impl Body {
    /// Creates a body at rest with the given shape, centre (m) and draft (m).
    pub const fn new(shape: Shape, position: Point, draft: f64) -> Self {
        Self { shape, position, velocity: [0.0; 2], draft }
    }

    /// Checks the body's parameters for a world with the given [`highest`](crate::waves::Params::highest)
    /// wave (m).
    ///
    /// # Errors
    /// Returns [`InputError`], which names the first number that is out of range.
    pub fn check_in(&self, highest: f64) -> Result<(), InputError> {
        let sizes = match self.shape {
            Shape::Disc { radius } => [radius; 2],
            Shape::Rect { half } | Shape::Oval { half, .. } => half,
        };
        if let Shape::Oval { heading, .. } = self.shape {
            Range::ANY.check("heading", heading, "rad")?;
        }
        for size in sizes {
            HALF_SIZE.check("radius or half size", size, "m")?;
        }
        for metres in self.position {
            Range::ANY.check("position", metres, "m")?;
        }
        self.check()?;
        up_to_highest(highest).check("draft", self.draft, "m")
    }

    /// Returns half the extent of the body along x and along y (m).
    pub(in crate::waves) fn reach(&self) -> [f64; 2] {
        match self.shape {
            Shape::Disc { radius } => [radius; 2],
            Shape::Rect { half } => half,
            Shape::Oval { half, .. } => [half[0].max(half[1]); 2],
        }
    }

    /// Returns the fraction of a cell that the body covers: 1 inside, falling to 0 over one cell at
    /// the rim. `point` is the cell's centre, `size` the cell size (m).
    pub(in crate::waves) fn coverage(&self, point: Point, size: f64) -> f64 {
        let [x, y] = [point[0] - self.position[0], point[1] - self.position[1]];
        let inside = match self.shape {
            Shape::Disc { radius } => radius - (x * x + y * y).sqrt(),
            Shape::Rect { half } => (half[0] - x.abs()).min(half[1] - y.abs()),
            Shape::Oval { half: [length, width], heading } => {
                let (sin, cos) = (libm::sin(heading), libm::cos(heading));
                let (u, v) = ((x * cos + y * sin) / length, (y * cos - x * sin) / width);
                (1.0 - (u * u + v * v).sqrt()) * length.min(width)
            }
        };
        (inside / size + 0.5).clamp(0.0, 1.0)
    }
}
