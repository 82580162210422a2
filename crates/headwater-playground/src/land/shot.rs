//! [`Shot`]: the description of a frame.

use super::camera::Camera;
use super::style::{Cursor, LandStyle};

/// The description of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// The camera.
    pub camera: Camera,
    /// The style.
    pub style: LandStyle,
    /// The brush, if it is over the land.
    pub cursor: Option<Cursor>,
    /// Animation time of ripples and glints (s); it may run while the world is paused.
    pub time: f64,
    /// Simulated time (s), for the transport of foam and drying of ground.
    pub clock: f64,
    /// Size of the view (points, as in [`Camera`]).
    pub size: [f32; 2],
}
