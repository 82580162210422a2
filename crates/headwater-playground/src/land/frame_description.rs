//! [`FrameDescription`]: the complete description of a frame to draw.

use super::camera::Camera;
use super::style::{Cursor, LandStyle};

/// Description of a frame to draw: camera, appearance, brush, times and size.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameDescription {
    /// Camera that views the world.
    pub camera: Camera,
    /// Appearance of the world.
    pub style: LandStyle,
    /// Brush under the pointer; `None` if the pointer is not over the land.
    pub cursor: Option<Cursor>,
    /// Animation time of ripples and glints (s). This time may advance while the world is paused.
    pub time: f64,
    /// Simulated time (s), which drives the transport of foam and the drying of the ground.
    pub clock: f64,
    /// Size of the view (points, the unit of [`Camera`]).
    pub size: [f32; 2],
}
