//! What water mirrors: along a surface under the open, what stands above it, upside down and shifted by the waves; fainter with
//! depth.

use super::super::canvas::Scale;
use super::sheet::{Sheet, Span};
use crate::parallel::*;
use crate::picture::Picture;
use headwater::Field;

/// How much of what is mirrored is seen right below the surface.
const BRIGHT: f32 = 0.34;
/// Cells below the surface in which it gets fainter by e.
const FADES: f32 = 0.9;
/// What is fainter than this is not seen.
const FAINT: f32 = 0.02;

/// Draws it into a picture with all that can be seen above the water; `sideways` says how far (cells, to the east) what is mirrored
/// at a place lies aside, `samples` times along a cell of the picture.
pub(super) fn draw(
    image: &mut Picture,
    sheet: &Sheet,
    scale: Scale,
    sideways: &Field<f32>,
    samples: usize,
) {
    let (width, zoom) = (image.nx(), scale.zoom);
    let above = image.clone();
    image.as_mut_slice().par_chunks_mut(width * zoom).enumerate().for_each(|(py, rows)| {
        for px in 0..width / zoom {
            let Some(span) = sheet.at(px, py) else { continue };
            let sample = |at: usize| at * samples / scale.art;
            let aside = sideways.get(sample(px), sample(py)).copied().unwrap_or(0.0);
            let Some(([x, y], strength)) = mirrored(span, [px, py], aside, scale.art) else {
                continue;
            };
            let Some(&seen) = above.get(x * zoom, y * zoom) else { continue };
            for row in rows.chunks_exact_mut(width) {
                for pixel in &mut row[px * zoom..(px + 1) * zoom] {
                    for (channel, seen) in pixel.iter_mut().zip(seen) {
                        let mixed = f32::from(*channel)
                            + strength * (f32::from(seen) - f32::from(*channel));
                        *channel = mixed.round() as u8;
                    }
                }
            }
        }
    });
}

/// Which pixel is mirrored at one of the water, if any, and how strongly.
fn mirrored(
    span: &Span,
    [px, py]: [usize; 2],
    aside: f32,
    art: usize,
) -> Option<([usize; 2], f32)> {
    if span.is_roofed || span.ice > 0.0 {
        return None;
    }
    let below = py as f32 + 0.5 - span.top;
    let strength = BRIGHT * (1.0 - span.foam).max(0.0) * (-below / (FADES * art as f32)).exp();
    let x = px as f32 + 0.5 + aside * art as f32;
    let y = span.top - below;
    let is_seen = strength > FAINT && x >= 0.0 && y >= span.ceiling && y >= 0.0;
    is_seen.then_some(([x as usize, y as usize], strength))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(ceiling: f32, ice: f32) -> Span {
        Span {
            top: 40.0,
            bottom: 80.0,
            foam: 0.0,
            ice,
            celsius: 0.0,
            drowned: [[0.0; 2]; 2],
            slope: 0.0,
            ceiling,
            is_roofed: false,
            pool: 0,
        }
    }

    #[test]
    fn what_is_mirrored_is_as_far_above_the_surface_and_fainter_the_deeper() {
        let at = |py| mirrored(&span(0.0, 0.0), [9, py], 0.5, 8);
        let (first, strong) = at(40).unwrap();
        let (second, faint) = at(47).unwrap();
        assert_eq!((first, second), ([13, 39], [13, 32]));
        assert!(faint < strong && strong <= BRIGHT);
        assert_eq!(at(75), None, "too deep");
    }

    #[test]
    fn neither_what_lies_behind_a_ceiling_is_mirrored_nor_anything_in_ice() {
        assert!(mirrored(&span(36.0, 0.0), [9, 43], 0.0, 8).is_some());
        assert_eq!(mirrored(&span(36.0, 0.0), [9, 44], 0.0, 8), None);
        assert_eq!(mirrored(&span(0.0, 2.0), [9, 41], 0.0, 8), None);
    }
}
