//! Floating bodies, which rest or move. A body presses on the surface with the weight of the water
//! that it displaces. So a moving body makes a wake, and the volume of water is conserved. Waves
//! pass under a body. Only land reflects them.

use crate::error::InputError;
use crate::parameter::{Parameters, Range, parameters};
use crate::region::Point;
use crate::waves::params::nonnegative_height_range;
use serde::{Deserialize, Serialize};

/// Shape of a floating body when seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A disc.
    Disc {
        /// Radius (m), from 5·10⁻⁴ to 10⁶.
        radius: f64,
    },
    /// A rectangle with sides along the grid axes.
    Rect {
        /// Half of the west–east extent and half of the north–south extent (m), each from 5·10⁻⁴ to
        /// 10⁶.
        half: [f64; 2],
    },
    /// An ellipse in any direction, for example for the hull of a boat.
    Oval {
        /// Half of the length and half of the width (m), each from 5·10⁻⁴ to 10⁶.
        half: [f64; 2],
        /// Direction of the length axis (rad), measured from east toward south.
        heading: f64,
    },
}

const HALF_SIZE: Range = Range::new(5e-4, 1e6);

parameters! {
    /// Floating body, which presses on the water surface.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Body {
        /// Velocity of the body (east, south).
        velocity: Point = [0.0; 2]; Live, "velocity", "m/s", |_| Range::new(-1000.0, 1000.0), [-3.0, 3.0];
        /// Draft: the depth of the body below the water surface. It is limited by the parameter
        /// `highest` of the world.
        draft: f64 = 0.0; Live, "draft", "m", |_| Range::new(0.0, 1e6), [0.0, 0.5];
    }
    required { draft }
    and {
        /// Position of the body's centre (m; east and south of the top-left corner of the grid).
        /// The position can be off the grid.
        position: Point = [0.0; 2];
        /// Shape of the body when seen from above.
        shape: Shape = Shape::Disc { radius: 1.0 };
    }
}

impl Body {
    /// Creates a body at rest from its shape, the position of its centre (m) and its draft (m).
    pub const fn new(shape: Shape, position: Point, draft: f64) -> Self {
        Self { shape, position, velocity: [0.0; 2], draft }
    }

    /// Checks the values of the body. `highest` is the parameter
    /// [`highest`](crate::waves::Params::highest) of the world (m), which limits the draft.
    ///
    /// # Errors
    /// Returns an [`InputError`] that names the first number out of range.
    pub fn check_with_height_limit(&self, highest: f64) -> Result<(), InputError> {
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
        nonnegative_height_range(highest).check("draft", self.draft, "m")
    }

    /// Returns half of the body's extent along x and half of its extent along y (m). For an oval,
    /// both are upper bounds.
    pub(in crate::waves) fn half_extent(&self) -> [f64; 2] {
        match self.shape {
            Shape::Disc { radius } => [radius; 2],
            Shape::Rect { half } => half,
            Shape::Oval { half, .. } => [half[0].max(half[1]); 2],
        }
    }

    /// Returns the fraction of a cell that the body covers. It is 1 inside the body and falls to 0
    /// at its rim over a distance of one cell. `point` is the centre of the cell (m), and `size` is
    /// the side of a cell (m).
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
