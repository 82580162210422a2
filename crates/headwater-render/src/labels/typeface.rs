//! Typeface of labels: layout of text lines and rasterisation of glyphs to pixels.

use ab_glyph::{Font as _, FontRef, GlyphId, PxScale, ScaleFont as _, point};

/// Built-in typeface in which all labels are drawn.
#[derive(Clone)]
pub struct Typeface {
    font: FontRef<'static>,
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
        let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).ok()?;
        Some(Self { font })
    }

    /// Lays out a line of text at a font size (pixels from ascender to descender). Returns the
    /// glyphs and the width of the line (pixels). Control characters are skipped.
    pub fn layout(&self, text: &str, size: f32) -> (Vec<Glyph>, f32) {
        let font = self.font.as_scaled(size);
        let mut x = 0.0;
        let glyphs = text.chars().filter(|glyph| !glyph.is_control()).map(|glyph| {
            let glyph = Glyph { id: font.glyph_id(glyph), x };
            x += font.h_advance(glyph.id);
            glyph
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
        let glyph = glyph.id.with_scale_and_position(PxScale::from(size), point(at[0], at[1]));
        // Skip glyphs without an outline, such as spaces.
        let Some(outline) = self.font.outline_glyph(glyph) else { return };
        let corner = outline.px_bounds().min;
        outline.draw(|x, y, amount| {
            cover(corner.x as i32 + x as i32, corner.y as i32 + y as i32, amount.min(1.0));
        });
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
        // An `l` is a tall narrow bar, a dash is a low wide bar, and a space is empty.
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
                all().max().zip(all().min()).map_or(0, |(max, min)| max - min + 1)
            };
            [span(|p| p.0), span(|p| p.1)]
        };
        let [l, space, dash] = [0, 1, 2].map(|i| ink(glyphs[i]));
        assert!(l[1] > 50 && l[0] < 25, "{l:?}");
        assert_eq!(space, [0, 0]);
        assert!(dash[0] > 40 && dash[1] < 12, "{dash:?}");
    }
}
