//! Plots: an SVG canvas and axes.

mod axes;
mod canvas;

pub(crate) use axes::Axes;
pub(crate) use canvas::{Canvas, Ink, LEFT, MIDDLE, Rect, make_folder};
