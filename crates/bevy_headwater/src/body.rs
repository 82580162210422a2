//! [`FloatingBody`]: bodies for whichever water, and where they are.

use headwater::model::BodyState;
use headwater::{Id, Point, columns, flow, waves};

/// A body for whichever water: the models' own, or what all that know bodies can take.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FloatingBody {
    /// In a [`Water`](crate::Water): floats, is carried along, bobs and runs aground.
    Flow(flow::Body),
    /// In a [`Pond`](crate::Pond): goes where it is steered, and leaves a wake.
    Waves(waves::Body),
    /// In [`Pools`](crate::Pools): floats, sinks or lies.
    Columns(columns::Body),
    /// In any of them.
    Any(BodyState),
    /// One that the water has already: see [`Floats::adopt`](crate::Floats::adopt).
    Known(Id),
}

impl FloatingBody {
    /// The model that it is for.
    pub fn model(&self) -> &'static str {
        match self {
            Self::Flow(_) => "flow",
            Self::Waves(_) => "waves",
            Self::Columns(_) => "columns",
            Self::Any(_) | Self::Known(_) => "any",
        }
    }

    /// Its size, and where it is launched; `None` of one that the water has already.
    pub(crate) fn hull(&self) -> Option<Hull> {
        let (size, middle) = match self {
            Self::Flow(body) => (body.size(), body.position),
            Self::Waves(body) => (waves_size(&body.shape), body.position),
            Self::Columns(body) => columns_size(&body.shape),
            Self::Any(body) => (body.size, body.position),
            Self::Known(_) => return None,
        };
        Some(Hull { size, middle, gone: false })
    }
}

/// Length and width of a body in a pond (m).
pub(crate) fn waves_size(shape: &waves::Shape) -> [f64; 2] {
    match *shape {
        waves::Shape::Disc { radius } => [2.0 * radius; 2],
        waves::Shape::Rect { half } | waves::Shape::Oval { half, .. } => {
            half.map(|half| 2.0 * half)
        }
    }
}

/// Width and height of a body in pools (m), and its middle.
pub(crate) fn columns_size(shape: &columns::Shape) -> ([f64; 2], Point) {
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

/// What a body is known by when a world was put in the place of another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hull {
    /// Length and width; in side view, width and height (m).
    pub size: [f64; 2],
    /// Its middle, in the model's positions.
    pub middle: Point,
    /// Whether it has left over an open edge.
    pub gone: bool,
}

impl Hull {
    /// Whether it may be the body that was seen as another one: bodies are moved, and some are made larger, but not both at once.
    pub(crate) fn may_be(&self, seen: &Self) -> bool {
        self.size == seen.size || self.middle == seen.middle
    }

    /// How far it lies from where a body of its size is to be launched (m); `None` if that is another body.
    pub(crate) fn off(&self, wanted: &Self) -> Option<f64> {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs();
        let same = near(self.size[0], wanted.size[0]) && near(self.size[1], wanted.size[1]);
        let [east, south] = [0, 1].map(|i| self.middle[i] - wanted.middle[i]);
        let off = east.hypot(south);
        (same && !self.gone && off <= 0.5 * self.size[0].min(self.size[1])).then_some(off)
    }
}

/// Where a body is, in the space of its water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Its middle, in the model's positions.
    pub middle: Point,
    /// Height of its middle (m); in a pond, of the water that it lies in. `None` in side view.
    pub height: Option<f64>,
    /// Where it points (rad, from the east to the south).
    pub heading: f64,
    /// How far its bow is raised (rad).
    pub tilt: f64,
    /// Its velocity (m/s).
    pub velocity: [f64; 2],
}
