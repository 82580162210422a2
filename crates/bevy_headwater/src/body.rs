//! [`FloatingBody`]: bodies for whichever water, and where they are.

use headwater::model::BodyState;
use headwater::{Point, columns, flow, waves};

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
}

impl FloatingBody {
    /// The model that it is for.
    pub fn model(&self) -> &'static str {
        match self {
            Self::Flow(_) => "flow",
            Self::Waves(_) => "waves",
            Self::Columns(_) => "columns",
            Self::Any(_) => "any",
        }
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
