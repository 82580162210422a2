//! What plots are drawn with: a sheet, and axes on it.

mod axes;
mod canvas;

pub(crate) use axes::Axes;
pub(crate) use canvas::{Canvas, Ink, LEFT, MIDDLE, Rect, make_folder};
