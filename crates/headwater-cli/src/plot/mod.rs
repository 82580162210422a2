//! Diagrams for reports: an SVG canvas, and axes with labels.

mod axes;
mod canvas;

pub(crate) use axes::Axes;
pub(crate) use canvas::{Canvas, Ink, LEFT, MIDDLE, Rect, make_folder};
