//! [`Shot`]: what a frame shows.

use super::camera::Camera;
use super::style::{Cursor, LandStyle};

/// What a frame shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// From where.
    pub camera: Camera,
    /// How.
    pub style: LandStyle,
    /// The brush, if it lies on the land.
    pub cursor: Option<Cursor>,
    /// Time that ripples and glints run by (s); it may go on while the world stands still.
    pub time: f64,
    /// The world's own time (s): foam is carried and ground dries by it.
    pub clock: f64,
    /// Width and height of the view (points: what [`Camera`] counts in).
    pub size: [f32; 2],
}
