//! A sheet to draw on: antialiased lines, areas and words.

use anyhow::{Context as _, Result};
use headwater_scene::picture::Typeface;
use std::path::Path;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Mask, Paint, PathBuilder, Pixmap, Stroke, Transform,
};

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ink([u8; 3]);

impl Ink {
    /// From 0xRRGGBB.
    pub(crate) const fn new(rgb: u32) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        Self([r, g, b])
    }

    /// A paint of which so much covers what is under it, from 0 to 1.
    fn paint(self, amount: f32) -> Paint<'static> {
        let [r, g, b] = self.0;
        let mut paint = Paint::default();
        paint.set_color_rgba8(r, g, b, (255.0 * amount.clamp(0.0, 1.0)).round() as u8);
        paint
    }
}

/// A rectangle (pixels).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rect {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) right: f32,
    pub(crate) bottom: f32,
}

/// Where a point is in a line of text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Align {
    Left,
    Middle,
    Right,
}

/// The sheet.
pub(crate) struct Canvas {
    pixels: Pixmap,
    mask: Option<Mask>,
    font: Typeface,
}

impl Canvas {
    /// A white sheet of so many pixels.
    pub(crate) fn new([width, height]: [u32; 2]) -> Result<Self> {
        let mut pixels = Pixmap::new(width, height).context("a plot without size")?;
        pixels.fill(Color::WHITE);
        let font = Typeface::load().context("the typeface cannot be read")?;
        Ok(Self { pixels, mask: None, font })
    }

    /// Keeps lines and areas inside a rectangle from here on, or lets them go everywhere.
    pub(crate) fn clip(&mut self, inside: Option<Rect>) {
        self.mask = inside.and_then(|Rect { left, top, right, bottom }| {
            let rect = tiny_skia::Rect::from_ltrb(left, top, right, bottom)?;
            let mut mask = Mask::new(self.pixels.width(), self.pixels.height())?;
            let path = PathBuilder::from_rect(rect);
            mask.fill_path(&path, FillRule::Winding, false, Transform::identity());
            Some(mask)
        });
    }

    /// Draws a line through points.
    pub(crate) fn line(&mut self, points: &[[f32; 2]], width: f32, ink: Ink) {
        let (cap, join) = (LineCap::Butt, LineJoin::Round);
        let stroke = Stroke { width, line_cap: cap, line_join: join, ..Stroke::default() };
        if let Some(path) = path(points) {
            let mask = self.mask.as_ref();
            self.pixels.stroke_path(&path, &ink.paint(1.0), &stroke, Transform::identity(), mask);
        }
    }

    /// Fills a polygon.
    pub(crate) fn fill(&mut self, points: &[[f32; 2]], ink: Ink) {
        if let Some(path) = path(points) {
            let (rule, mask) = (FillRule::Winding, self.mask.as_ref());
            self.pixels.fill_path(&path, &ink.paint(1.0), rule, Transform::identity(), mask);
        }
    }

    /// Writes a line of text with its baseline at a point; gives its width (pixels).
    pub(crate) fn text(
        &mut self,
        text: &str,
        [x, y]: [f32; 2],
        size: f32,
        ink: Ink,
        align: Align,
    ) -> f32 {
        let font = self.font.clone();
        let (letters, width) = font.line(text, size);
        let x = match align {
            Align::Left => x,
            Align::Middle => x - 0.5 * width,
            Align::Right => x - width,
        };
        for letter in letters {
            // The face is light; a second print a little aside gives it weight.
            for aside in [0.0, 0.02 * size] {
                font.draw(letter, size, [x + letter.x + aside, y], |u, v, amount| {
                    self.blend([u as f32, v as f32], ink, amount);
                });
            }
        }
        width
    }

    /// Mixes ink into a pixel of the sheet.
    fn blend(&mut self, [x, y]: [f32; 2], ink: Ink, amount: f32) {
        if let Some(pixel) = tiny_skia::Rect::from_xywh(x, y, 1.0, 1.0) {
            self.pixels.fill_rect(pixel, &ink.paint(amount), Transform::identity(), None);
        }
    }

    /// Writes the sheet as a PNG file `name.png` into a folder.
    pub(crate) fn save(&self, folder: &Path, name: &str) -> Result<()> {
        let path = folder.join(format!("{name}.png"));
        std::fs::write(&path, self.pixels.encode_png()?)
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Makes a folder for plots, if it is not there.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))
}

fn path(points: &[[f32; 2]]) -> Option<tiny_skia::Path> {
    let mut builder = PathBuilder::new();
    for (i, &[x, y]) in points.iter().enumerate() {
        if i == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
    }
    builder.finish()
}
