//! SVG canvas for diagrams, with lines, filled polygons and text.

use anyhow::{Context as _, Result};
use std::fmt::Write as _;
use std::path::Path;

/// A colour as 0xRRGGBB.
pub type RgbColor = u32;

/// A rectangle (pixels).
#[derive(Clone, Copy, Debug)]
pub struct Rect {
    /// Left edge.
    pub left: f32,
    /// Top edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Bottom edge.
    pub bottom: f32,
}

/// Horizontal alignment of a line of text at its position, as a value of the SVG attribute
/// `text-anchor`.
pub type TextAnchor = &'static str;
/// Text begins at its position.
pub const LEFT: TextAnchor = "start";
/// Text is centred on its position.
pub const MIDDLE: TextAnchor = "middle";
/// Text ends at its position.
pub const RIGHT: TextAnchor = "end";

/// SVG image under construction. Contains the SVG source of the elements drawn so far.
pub struct Canvas(String);

impl Canvas {
    /// Creates a white canvas of `width` × `height` pixels. [`Canvas::draw_clipped`] draws only
    /// inside `frame`.
    pub fn new([width, height]: [u32; 2], frame: Rect) -> Self {
        let Rect { left, top, right, bottom } = frame;
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
             <clipPath id=\"frame\"><rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
            right - left,
            bottom - top,
        ))
    }

    fn push_element(&mut self, element: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{element}");
    }

    /// Calls `draw` and clips everything that it draws to the frame of the canvas.
    pub fn draw_clipped(&mut self, draw: impl FnOnce(&mut Self)) {
        self.push_element(format_args!("<g clip-path=\"url(#frame)\">"));
        draw(self);
        self.push_element(format_args!("</g>"));
    }

    /// Draws a polyline with the given width (pixels) and colour.
    pub fn draw_line(&mut self, points: &[[f32; 2]], width: f32, color: RgbColor) {
        let at = format_points(points);
        self.push_element(format_args!(
            "<polyline points=\"{at}\" fill=\"none\" stroke=\"#{color:06x}\" stroke-width=\"{width}\" \
             stroke-linejoin=\"round\"/>"
        ));
    }

    /// Fills a polygon with a colour.
    pub fn fill_polygon(&mut self, points: &[[f32; 2]], color: RgbColor) {
        self.push_element(format_args!(
            "<polygon points=\"{}\" fill=\"#{color:06x}\"/>",
            format_points(points)
        ));
    }

    /// Draws a line of text with its baseline at a point. Returns the approximate width of the text
    /// (pixels).
    pub fn draw_text(
        &mut self,
        text: &str,
        [x, y]: [f32; 2],
        size: f32,
        color: RgbColor,
        align: TextAnchor,
    ) -> f32 {
        self.push_element(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"#{color:06x}\" text-anchor=\"{align}\">{text}</text>"
        ));
        0.55 * size * text.chars().count() as f32
    }

    /// Writes the canvas to the file `NAME.svg` in a folder.
    pub fn save(&self, folder: &Path, name: &str) -> Result<()> {
        let path = folder.join(format!("{name}.svg"));
        std::fs::write(&path, format!("{}</svg>\n", self.0))
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Creates a folder for diagrams if it does not exist.
pub fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))
}

fn format_points(points: &[[f32; 2]]) -> String {
    points.iter().map(|[x, y]| format!("{x:.2},{y:.2} ")).collect()
}
