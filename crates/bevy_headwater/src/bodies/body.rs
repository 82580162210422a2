//! [`FloatingBody`]: description of a floating body for any model. [`Pose`]: position, orientation
//! and velocity of a body.

use headwater::model::BodyState;
use headwater::{Id, Point, columns, flow, waves};

/// Floating body to launch or to adopt. It is a body of one particular model, a description that
/// suits several models, or the id of a body that already exists in the water.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FloatingBody {
    /// Body in a [`Water`](crate::Water): floats, drifts, heaves and runs aground.
    Flow(flow::Body),
    /// Body in a [`Pond`](crate::Pond): follows the motion that the app sets, and leaves a wake.
    Waves(waves::Body),
    /// Body in [`Pools`](crate::Pools): floats, sinks or rests.
    Columns(columns::Body),
    /// Body in any model that supports bodies.
    Any(BodyState),
    /// Body that already exists in the water, see [`Floats::adopt`](crate::Floats::adopt).
    Known(Id),
}

impl FloatingBody {
    /// Returns the name of the model that the body belongs to; `any` if the body suits several
    /// models or already exists.
    pub fn model(&self) -> &'static str {
        match self {
            Self::Flow(_) => "flow",
            Self::Waves(_) => "waves",
            Self::Columns(_) => "columns",
            Self::Any(_) | Self::Known(_) => "any",
        }
    }

    /// Returns the size and launch position of a new body; `None` if the body already exists in the
    /// world.
    pub(crate) fn hull(&self) -> Option<Hull> {
        let (size, center) = match self {
            Self::Flow(body) => (body.size(), body.position),
            Self::Waves(body) => (pond_body_size(&body.shape), body.position),
            Self::Columns(body) => pool_body_size_and_center(&body.shape),
            Self::Any(body) => (body.size, body.position),
            Self::Known(_) => return None,
        };
        Some(Hull { size, center, has_left: false })
    }
}

/// Returns the length and width (m) of a body in a pond.
pub(crate) fn pond_body_size(shape: &waves::Shape) -> [f64; 2] {
    match *shape {
        waves::Shape::Disc { radius } => [2.0 * radius; 2],
        waves::Shape::Rect { half } | waves::Shape::Oval { half, .. } => {
            half.map(|half| 2.0 * half)
        }
    }
}

/// Returns the size (width and height, m) and the centre of a body in pools.
pub(crate) fn pool_body_size_and_center(shape: &columns::Shape) -> ([f64; 2], Point) {
    match *shape {
        columns::Shape::Box { center, half } => (half.map(|half| 2.0 * half), center),
        columns::Shape::Disc { center, radius } => ([2.0 * radius; 2], center),
    }
}

macro_rules! from_bodies {
    ($($variant:ident: $body:ty;)*) => {$(
        impl From<$body> for FloatingBody {
            fn from(body: $body) -> Self {
                Self::$variant(body)
            }
        }
    )*};
}

from_bodies! {
    Flow: flow::Body;
    Waves: waves::Body;
    Columns: columns::Body;
    Any: BodyState;
}

/// Size and position of a body. They identify the body after its world has been replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hull {
    /// Length and width (m); in side views, width and height.
    pub size: [f64; 2],
    /// Position of the body's centre in model coordinates.
    pub center: Point,
    /// Whether the body has left the world through an open edge.
    pub has_left: bool,
}

impl Hull {
    /// Returns whether this hull can belong to the same body as `recorded`, an earlier hull of a
    /// body. True if the size or the position is unchanged.
    pub(crate) fn matches(&self, recorded: &Self) -> bool {
        self.size == recorded.size || self.center == recorded.center
    }

    /// Returns the distance (m) from this body to the launch position `launch_hull.center` of a new
    /// body. Returns `None` if the sizes of the two bodies differ, this body has left the world, or
    /// the distance exceeds half of this body's shorter side.
    pub(crate) fn distance_to(&self, launch_hull: &Self) -> Option<f64> {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs();
        let same =
            near(self.size[0], launch_hull.size[0]) && near(self.size[1], launch_hull.size[1]);
        let [east, south] = [0, 1].map(|i| self.center[i] - launch_hull.center[i]);
        let off = east.hypot(south);
        (same && !self.has_left && off <= 0.5 * self.size[0].min(self.size[1])).then_some(off)
    }
}

/// Position, orientation and velocity of a body, in the coordinates of its world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position of the body's centre in model coordinates.
    pub center: Point,
    /// Elevation of the body's centre (m). In a pond, this is the elevation of the water surface at
    /// the body. `None` in side views.
    pub elevation: Option<f64>,
    /// Heading of the body (rad, clockwise from east).
    pub heading: f64,
    /// Angle of the body's bow above the horizontal (rad).
    pub tilt: f64,
    /// Velocity of the body (m/s): eastward and southward components; in side views, eastward and
    /// downward.
    pub velocity: [f64; 2],
}
