//! Typeface of labels: layout of text lines and rasterisation of glyphs to pixels.

use ab_glyph_rasterizer::{Point, Rasterizer, point};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider as _};

/// Built-in typeface in which all labels are drawn.
#[derive(Clone)]
pub struct Typeface {
    font: FontRef<'static>,
    /// Size of the em square (pixels) if the height from ascender to descender is one pixel.
    em: f32,
}

/// Glyph in a line of text, with its position.
#[derive(Clone, Copy, Debug)]
pub struct Glyph {
    id: GlyphId,
    /// Horizontal offset of the glyph from the left end of the line (pixels).
    pub x: f32,
}

impl Typeface {
    /// Loads the built-in typeface. Returns `None` if the font data cannot be parsed.
    pub fn load() -> Option<Self> {
        let font = FontRef::new(epaint_default_fonts::UBUNTU_LIGHT).ok()?;
        let whole = font.metrics(Size::unscaled(), LocationRef::default());
        let height = whole.ascent - whole.descent;
        let em = f32::from(whole.units_per_em) / height;
        em.is_finite().then_some(Self { font, em })
    }

    /// Returns the glyphs of a line of text at a font size (pixels), and the width of the line
    /// (pixels). Control characters are skipped.
    pub fn layout(&self, text: &str, size: f32) -> (Vec<Glyph>, f32) {
        let metrics = self.font.glyph_metrics(self.pixel_size(size), LocationRef::default());
        let charmap = self.font.charmap();
        let mut x = 0.0;
        let glyphs = text.chars().filter(|glyph| !glyph.is_control()).map(|glyph| {
            let id = charmap.map(glyph).unwrap_or_default();
            let at = x;
            x += metrics.advance_width(id).unwrap_or(0.0);
            Glyph { id, x: at }
        });
        (glyphs.collect(), x)
    }

    /// Rasterises a glyph at a font size (pixels). The point gives the left end of the glyph's
    /// baseline (pixels). Calls `cover` with the coordinates and the coverage (0 to 1) of each
    /// pixel.
    pub fn draw_glyph(
        &self,
        glyph: Glyph,
        size: f32,
        at: [f32; 2],
        mut cover: impl FnMut(i32, i32, f32),
    ) {
        let Some(outline) = self.font.outline_glyphs().get(glyph.id) else { return };
        let mut pen = Pen { at: point(at[0], at[1]), ..Pen::default() };
        let settings = DrawSettings::unhinted(self.pixel_size(size), LocationRef::default());
        // Glyphs without a usable outline are skipped.
        if outline.draw(settings, &mut pen).is_err() {
            return;
        }
        let [low, high] = pen.bounds();
        let [width, height] = [high.x - low.x, high.y - low.y].map(|span| span as usize);
        if width == 0 || height == 0 {
            return;
        }
        let mut rasterizer = Rasterizer::new(width, height);
        for piece in &pen.curves {
            match piece.map(|p| point(p.x - low.x, p.y - low.y)) {
                [a, _, c] if piece[1] == piece[0] => rasterizer.draw_line(a, c),
                [a, b, c] => rasterizer.draw_quad(a, b, c),
            }
        }
        rasterizer.for_each_pixel_2d(|x, y, amount| {
            cover(low.x as i32 + x as i32, low.y as i32 + y as i32, amount.min(1.0));
        });
    }

    fn pixel_size(&self, size: f32) -> Size {
        Size::new(self.em * size)
    }
}

/// Pen that collects the outline of a glyph as quadratic curves. A straight line is a curve whose
/// second point equals its first.
#[derive(Default)]
struct Pen {
    at: Point,
    start: Point,
    end: Point,
    curves: Vec<[Point; 3]>,
}

impl Pen {
    /// Converts glyph coordinates to picture coordinates, whose y axis points down.
    fn to_picture(&self, x: f32, y: f32) -> Point {
        point(self.at.x + x, self.at.y - y)
    }

    fn add_curve(&mut self, through: Point, to: Point) {
        self.curves.push([self.end, through, to]);
        self.end = to;
    }

    /// Returns the top-left and bottom-right corners of the outline's bounding box, rounded
    /// outwards to whole pixels.
    fn bounds(&self) -> [Point; 2] {
        let mut points = self.curves.iter().flatten();
        let Some(&first) = points.next() else { return [Point::default(); 2] };
        points.fold([first.floor(), first.ceil()], |[low, high], p| {
            let (a, b) = (p.floor(), p.ceil());
            [point(low.x.min(a.x), low.y.min(a.y)), point(high.x.max(b.x), high.y.max(b.y))]
        })
    }
}

/// Rounding of point coordinates to whole pixels.
trait Rounding {
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
}

impl Rounding for Point {
    fn floor(self) -> Self {
        point(self.x.floor(), self.y.floor())
    }

    fn ceil(self) -> Self {
        point(self.x.ceil(), self.y.ceil())
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.start = self.to_picture(x, y);
        self.end = self.start;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add_curve(self.end, self.to_picture(x, y));
    }

    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        self.add_curve(self.to_picture(cx0, cy0), self.to_picture(x, y));
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        // Approximates by two quadratic curves; the built-in typeface has no cubic ones.
        let (from, to) = (self.end, self.to_picture(x, y));
        let (a, b) = (self.to_picture(cx0, cy0), self.to_picture(cx1, cy1));
        let mix = |a: Point, b: Point, part: f32| {
            point(a.x + part * (b.x - a.x), a.y + part * (b.y - a.y))
        };
        let middle = mix(
            mix(mix(from, a, 0.5), mix(a, b, 0.5), 0.5),
            mix(mix(a, b, 0.5), mix(b, to, 0.5), 0.5),
            0.5,
        );
        self.add_curve(mix(from, a, 0.75), middle);
        self.add_curve(mix(to, b, 0.75), to);
    }

    fn close(&mut self) {
        if self.end != self.start {
            self.add_curve(self.end, self.start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyph_coverage_matches_the_shapes() {
        let face = Typeface::load().unwrap();
        let (glyphs, width) = face.layout("l —", 100.0);
        assert_eq!(glyphs.len(), 3);
        assert!((50.0..200.0).contains(&width), "{width}");
        // An `l` is a tall narrow bar, a dash a low wide one; a space is empty.
        let ink = |glyph: Glyph| {
            let mut pixels = Vec::new();
            face.draw_glyph(glyph, 100.0, [3.25, 80.5], |x, y, amount| {
                assert!((0.0..=1.0).contains(&amount));
                if amount > 0.5 {
                    pixels.push((x, y));
                }
            });
            let span = |of: fn(&(i32, i32)) -> i32| {
                let all = || pixels.iter().map(of);
                all().max().zip(all().min()).map_or(0, |(most, least)| most - least + 1)
            };
            [span(|p| p.0), span(|p| p.1)]
        };
        let [l, space, dash] = [0, 1, 2].map(|i| ink(glyphs[i]));
        assert!(l[1] > 50 && l[0] < 25, "{l:?}");
        assert_eq!(space, [0, 0]);
        assert!(dash[0] > 40 && dash[1] < 12, "{dash:?}");
    }
}
