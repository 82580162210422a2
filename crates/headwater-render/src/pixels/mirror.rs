//! Reflections in water. The scene above a free surface appears upside down below the surface,
//! shifted by the waves and fading with depth.

use super::canvas::PixelScale;
use crate::Picture;
use headwater_io::parallel::*;

/// Opacity of a reflection immediately below the water surface (0 to 1).
const MAX_STRENGTH: f32 = 0.34;
/// Depth (cells) over which the opacity of a reflection decreases by a factor of e.
const DECAY_LENGTH: f32 = 0.9;
/// Opacity (0 to 1) below which a reflection is not drawn.
const MIN_STRENGTH: f32 = 0.02;
/// Depth (cells) below which reflections are too faint to be drawn: `DECAY_LENGTH` ·
/// ln(`MAX_STRENGTH` / `MIN_STRENGTH`), rounded up.
pub(super) const MAX_DEPTH: usize = 3;

/// Free water surface above an art pixel (square of the pixel art), used to draw the reflection at
/// the art pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FreeSurface {
    /// Vertical position of the surface (art pixels below the top of the picture).
    pub(super) top: f32,
    /// Vertical position of the ceiling above the surface (art pixels below the top of the
    /// picture); 0 if there is open sky above the surface.
    pub(super) ceiling: f32,
    /// Calmness of the surface, from 0 (covered with foam) to 1 (undisturbed).
    pub(super) calmness: f32,
    /// Horizontal shift of the reflected point caused by the slope of the surface (cells, positive
    /// to the east).
    pub(super) shift: f32,
}

/// Draws reflections into a finished picture. The function `surface` returns the free surface above
/// an art pixel (square of the pixel art) of water, or `None` if the art pixel shows no reflection.
pub(super) fn draw_reflections(
    image: &mut Picture,
    scale: PixelScale,
    surface: impl Fn([usize; 2]) -> Option<FreeSurface> + Sync,
) {
    let (width, zoom) = (image.nx(), scale.zoom);
    let above = image.clone();
    image.as_mut_slice().par_chunks_mut(width * zoom).enumerate().for_each(|(py, rows)| {
        for px in 0..width / zoom {
            let Some(surface) = surface([px, py]) else { continue };
            let Some(([x, y], strength)) =
                reflected_pixel(surface, [px, py], scale.art_pixels_per_cell)
            else {
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

/// Returns the art pixel (square of the pixel art) whose reflection is seen at the art pixel `[px,
/// py]`, and the opacity of the reflection. Returns `None` if no reflection is visible there.
fn reflected_pixel(
    surface: FreeSurface,
    [px, py]: [usize; 2],
    art_pixels_per_cell: usize,
) -> Option<([usize; 2], f32)> {
    let FreeSurface { top, ceiling, calmness, shift } = surface;
    let below = py as f32 + 0.5 - top;
    let strength =
        MAX_STRENGTH * calmness * (-below / (DECAY_LENGTH * art_pixels_per_cell as f32)).exp();
    let x = px as f32 + 0.5 + shift * art_pixels_per_cell as f32;
    // Above the ceiling, its underside is seen.
    let y = (top - below).max(ceiling - 1.0);
    let is_seen = strength > MIN_STRENGTH && x >= 0.0 && y >= 0.0;
    is_seen.then_some(([x as usize, y as usize], strength))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface(ceiling: f32, shift: f32) -> FreeSurface {
        FreeSurface { top: 40.0, ceiling, calmness: 1.0, shift }
    }

    #[test]
    fn reflections_are_symmetric_and_fade_with_depth() {
        let at = |py| reflected_pixel(surface(0.0, 0.5), [9, py], 8);
        let (first, strong) = at(40).unwrap();
        let (second, faint) = at(47).unwrap();
        assert_eq!((first, second), ([13, 39], [13, 32]));
        assert!(faint < strong && strong <= MAX_STRENGTH);
        assert_eq!(at(40 + 8 * MAX_DEPTH), None, "too deep");
    }

    #[test]
    fn the_underside_of_a_ceiling_is_reflected() {
        let row = |py| reflected_pixel(surface(36.0, 0.0), [9, py], 8).unwrap().0[1];
        assert_eq!([43, 44, 50].map(row), [36, 35, 35]);
    }
}
