//! The typeface of labels: where the letters of a line stand, and which pixels they cover.

use ab_glyph_rasterizer::{Point, Rasterizer, point};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider as _};

/// The typeface of all labels.
#[derive(Clone)]
pub struct Typeface {
    font: FontRef<'static>,
    /// Size of its square (em) for letters of one pixel from the highest to the lowest.
    em: f32,
}

/// A letter of a line.
#[derive(Clone, Copy, Debug)]
pub struct Letter {
    id: GlyphId,
    /// Where it stands (pixels from the left end).
    pub x: f32,
}

impl Typeface {
    /// That of this program, if it can be read.
    pub fn load() -> Option<Self> {
        let font = FontRef::new(epaint_default_fonts::UBUNTU_LIGHT).ok()?;
        let whole = font.metrics(Size::unscaled(), LocationRef::default());
        let height = whole.ascent - whole.descent;
        let em = f32::from(whole.units_per_em) / height;
        em.is_finite().then_some(Self { font, em })
    }

    /// The letters of a line of a size (pixels), and its width (pixels). What is no letter is left out.
    pub fn line(&self, text: &str, size: f32) -> (Vec<Letter>, f32) {
        let metrics = self.font.glyph_metrics(self.size(size), LocationRef::default());
        let charmap = self.font.charmap();
        let mut x = 0.0;
        let letters = text.chars().filter(|letter| !letter.is_control()).map(|letter| {
            let id = charmap.map(letter).unwrap_or_default();
            let at = x;
            x += metrics.advance_width(id).unwrap_or(0.0);
            Letter { id, x: at }
        });
        (letters.collect(), x)
    }

    /// Draws a letter of a size (pixels) with the left end of its baseline at a point (pixels): tells how much it covers of each
    /// pixel.
    pub fn draw(
        &self,
        letter: Letter,
        size: f32,
        at: [f32; 2],
        mut cover: impl FnMut(i32, i32, f32),
    ) {
        let Some(outline) = self.font.outline_glyphs().get(letter.id) else { return };
        let mut pen = Pen { at: point(at[0], at[1]), ..Pen::default() };
        let settings = DrawSettings::unhinted(self.size(size), LocationRef::default());
        // A glyph that cannot be drawn is left out.
        if outline.draw(settings, &mut pen).is_err() {
            return;
        }
        let [low, high] = pen.bounds();
        let [width, height] = [high.x - low.x, high.y - low.y].map(|span| span as usize);
        if width == 0 || height == 0 {
            return;
        }
        let mut rasterizer = Rasterizer::new(width, height);
        for piece in &pen.pieces {
            match piece.map(|p| point(p.x - low.x, p.y - low.y)) {
                [a, _, c] if piece[1] == piece[0] => rasterizer.draw_line(a, c),
                [a, b, c] => rasterizer.draw_quad(a, b, c),
            }
        }
        rasterizer.for_each_pixel_2d(|x, y, amount| {
            cover(low.x as i32 + x as i32, low.y as i32 + y as i32, amount.min(1.0));
        });
    }

    fn size(&self, size: f32) -> Size {
        Size::new(self.em * size)
    }
}

/// Gathers the pieces of an outline: quadratic curves, or lines whose second point is their first.
#[derive(Default)]
struct Pen {
    at: Point,
    start: Point,
    end: Point,
    pieces: Vec<[Point; 3]>,
}

impl Pen {
    /// A point of the glyph in the picture, whose rows go down.
    fn place(&self, x: f32, y: f32) -> Point {
        point(self.at.x + x, self.at.y - y)
    }

    fn add(&mut self, through: Point, to: Point) {
        self.pieces.push([self.end, through, to]);
        self.end = to;
    }

    /// Whole pixels around all pieces.
    fn bounds(&self) -> [Point; 2] {
        let mut points = self.pieces.iter().flatten();
        let Some(&first) = points.next() else { return [Point::default(); 2] };
        points.fold([first.floor(), first.ceil()], |[low, high], p| {
            let (a, b) = (p.floor(), p.ceil());
            [point(low.x.min(a.x), low.y.min(a.y)), point(high.x.max(b.x), high.y.max(b.y))]
        })
    }
}

/// Whole pixels beside a point.
trait Whole {
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
}

impl Whole for Point {
    fn floor(self) -> Self {
        point(self.x.floor(), self.y.floor())
    }

    fn ceil(self) -> Self {
        point(self.x.ceil(), self.y.ceil())
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.start = self.place(x, y);
        self.end = self.start;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add(self.end, self.place(x, y));
    }

    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        self.add(self.place(cx0, cy0), self.place(x, y));
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        // In two quadratic ones: this typeface has none but those.
        let (from, to) = (self.end, self.place(x, y));
        let (a, b) = (self.place(cx0, cy0), self.place(cx1, cy1));
        let mix = |a: Point, b: Point, part: f32| {
            point(a.x + part * (b.x - a.x), a.y + part * (b.y - a.y))
        };
        let middle = mix(
            mix(mix(from, a, 0.5), mix(a, b, 0.5), 0.5),
            mix(mix(a, b, 0.5), mix(b, to, 0.5), 0.5),
            0.5,
        );
        self.add(mix(from, a, 0.75), middle);
        self.add(mix(to, b, 0.75), to);
    }

    fn close(&mut self) {
        if self.end != self.start {
            self.add(self.end, self.start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_cover_what_they_should() {
        let face = Typeface::load().unwrap();
        let (letters, width) = face.line("l —", 100.0);
        assert_eq!(letters.len(), 3);
        assert!((50.0..200.0).contains(&width), "{width}");
        // An l is a high narrow bar, a dash a low wide one, a space nothing.
        let ink = |letter: Letter| {
            let mut pixels = Vec::new();
            face.draw(letter, 100.0, [3.25, 80.5], |x, y, amount| {
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
        let [l, space, dash] = [0, 1, 2].map(|i| ink(letters[i]));
        assert!(l[1] > 50 && l[0] < 25, "{l:?}");
        assert_eq!(space, [0, 0]);
        assert!(dash[0] > 40 && dash[1] < 12, "{dash:?}");
    }
}
