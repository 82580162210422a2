//! Diagrams for reports: an SVG canvas, and axes with labels.

mod axes;
mod canvas;

pub use axes::Axes;
pub use canvas::{Canvas, LEFT, MIDDLE, RIGHT, Rect, RgbColor, TextAnchor, make_folder};
