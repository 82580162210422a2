//! [`WallCache`]: cache of the drawn walls. Walls are the most expensive part of a picture and
//! rarely change.

use super::backdrop::Backdrop;
use super::canvas::ArtPixel;
use super::rock;
use super::scene::{PixelScene, WallState};
use crate::color::Rgb;
use headwater::Field;
use headwater_io::parallel::*;

/// Cached picture of the walls, and the state of the walls for which it was drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct WallCache {
    /// Colour of each art pixel (square of the pixel art); only the colours of walls are valid.
    picture: Vec<Rgb>,
    seen: Option<Field<WallState>>,
}

impl WallCache {
    /// Redraws the walls whose appearance has changed since the last call. The appearance of a wall
    /// cell depends on the 3 × 3 cells around it.
    pub(super) fn update(
        &mut self,
        backdrop: &Backdrop,
        scene: &PixelScene,
        art_pixels_per_cell: usize,
    ) {
        let (nx, ny) = (scene.nx, scene.ny);
        let states = Field::from_fn(nx, ny, |x, y| scene.wall_state(x, y));
        let changed = Field::from_fn(nx, ny, |x, y| {
            self.seen.as_ref().is_none_or(|seen| seen[(x, y)] != states[(x, y)])
        });
        let is_stale = |x: usize, y: usize| {
            let mut around = (y.saturating_sub(1)..=(y + 1).min(ny - 1))
                .flat_map(|y| (x.saturating_sub(1)..=(x + 1).min(nx - 1)).map(move |x| (x, y)));
            around.any(|place| changed[place])
        };
        let width = nx * art_pixels_per_cell;
        self.picture.resize(width * ny * art_pixels_per_cell, [0.0; 3]);
        self.picture.par_chunks_mut(width * art_pixels_per_cell).enumerate().for_each(
            |(y, rows)| {
                for x in (0..nx).filter(|&x| scene.cell(x, y).is_wall() && is_stale(x, y)) {
                    for (u, v) in (0..art_pixels_per_cell)
                        .flat_map(|v| (0..art_pixels_per_cell).map(move |u| (u, v)))
                    {
                        let pixel = ArtPixel {
                            x,
                            y,
                            u,
                            v,
                            px: x * art_pixels_per_cell + u,
                            py: y * art_pixels_per_cell + v,
                            art_pixels_per_cell,
                        };
                        rows[v * width + pixel.px] = rock::wall_color(backdrop, scene, pixel);
                    }
                }
            },
        );
        self.seen = Some(states);
    }

    /// Returns the colour of an art pixel (square of the pixel art) in a wall; `nx` is the number
    /// of drawn cells per row.
    pub(super) fn color_at(&self, pixel: ArtPixel, nx: usize) -> Rgb {
        self.picture[pixel.py * nx * pixel.art_pixels_per_cell + pixel.px]
    }
}
