//! Diagrams for reports: an SVG canvas, and axes with labels.

mod axes;
mod canvas;

pub use axes::Axes;
pub use canvas::{Align, Canvas, LEFT, MIDDLE, RIGHT, Rect, RgbColor, make_folder};
