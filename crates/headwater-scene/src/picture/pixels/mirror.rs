//! What water mirrors: along a surface under the open, what stands above it, upside down and shifted by the waves; fainter with
//! depth.

use super::canvas::Scale;
use crate::parallel::*;
use crate::picture::Picture;

/// How much of what is mirrored is seen right below the surface.
const BRIGHT: f32 = 0.34;
/// Cells below the surface in which it gets fainter by e.
const FADES: f32 = 0.9;
/// What is fainter than this is not seen.
const FAINT: f32 = 0.02;
/// Cells below the surface at which nothing is seen any more: `FADES` · ln(`BRIGHT` / `FAINT`).
pub(super) const DEEPEST: usize = 3;

/// A surface under the open, as it is over a pixel of water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surface {
    /// Where it is, and the ceiling above it (pixels of pixel art from the top); 0 under the sky.
    pub(super) top: f32,
    pub(super) ceiling: f32,
    /// How little foam there is on it, 0 to 1.
    pub(super) calm: f32,
    /// How far aside (cells, to the east) lies what is mirrored at the pixel.
    pub(super) aside: f32,
}

/// Draws it into a picture with all that can be seen above the water, where there is a surface over a pixel of pixel art.
pub(super) fn draw(
    image: &mut Picture,
    scale: Scale,
    surface: impl Fn([usize; 2]) -> Option<Surface> + Sync,
) {
    let (width, zoom) = (image.nx(), scale.zoom);
    let above = image.clone();
    image.as_mut_slice().par_chunks_mut(width * zoom).enumerate().for_each(|(py, rows)| {
        for px in 0..width / zoom {
            let Some(surface) = surface([px, py]) else { continue };
            let Some(([x, y], strength)) = mirrored(surface, [px, py], scale.art) else { continue };
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
fn mirrored(surface: Surface, [px, py]: [usize; 2], art: usize) -> Option<([usize; 2], f32)> {
    let Surface { top, ceiling, calm, aside } = surface;
    let below = py as f32 + 0.5 - top;
    let strength = BRIGHT * calm * (-below / (FADES * art as f32)).exp();
    let x = px as f32 + 0.5 + aside * art as f32;
    let y = top - below;
    let is_seen = strength > FAINT && x >= 0.0 && y >= ceiling && y >= 0.0;
    is_seen.then_some(([x as usize, y as usize], strength))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface(ceiling: f32, aside: f32) -> Surface {
        Surface { top: 40.0, ceiling, calm: 1.0, aside }
    }

    #[test]
    fn what_is_mirrored_is_as_far_above_the_surface_and_fainter_the_deeper() {
        let at = |py| mirrored(surface(0.0, 0.5), [9, py], 8);
        let (first, strong) = at(40).unwrap();
        let (second, faint) = at(47).unwrap();
        assert_eq!((first, second), ([13, 39], [13, 32]));
        assert!(faint < strong && strong <= BRIGHT);
        assert_eq!(at(40 + 8 * DEEPEST), None, "too deep");
    }

    #[test]
    fn what_lies_behind_a_ceiling_is_not_mirrored() {
        assert!(mirrored(surface(36.0, 0.0), [9, 43], 8).is_some());
        assert_eq!(mirrored(surface(36.0, 0.0), [9, 44], 8), None);
    }
}
