//! [`Ground`]: the walls as they were last drawn. They cost the most of a picture and seldom change.

use super::backdrop::Backdrop;
use super::canvas::Spot;
use super::rock;
use super::scene::{Scene, WallState};
use crate::parallel::*;
use crate::picture::color::Rgb;
use headwater::Field;

/// What was drawn of the walls, and of which scene.
#[derive(Clone, Debug, Default)]
pub(super) struct Ground {
    /// Pixel by pixel of pixel art; only pixels of walls mean anything.
    picture: Vec<Rgb>,
    seen: Option<Field<WallState>>,
}

impl Ground {
    /// Draws the walls that look otherwise than before. What a wall looks like follows from the nine cells
    /// around it.
    pub(super) fn update(&mut self, backdrop: &Backdrop, scene: &Scene, art: usize) {
        let (nx, ny) = (scene.nx, scene.ny);
        let looks = Field::from_fn(nx, ny, |x, y| scene.wall_state(x, y));
        let changed = Field::from_fn(nx, ny, |x, y| {
            self.seen.as_ref().is_none_or(|seen| seen[(x, y)] != looks[(x, y)])
        });
        let is_stale = |x: usize, y: usize| {
            let mut around = (y.saturating_sub(1)..=(y + 1).min(ny - 1))
                .flat_map(|y| (x.saturating_sub(1)..=(x + 1).min(nx - 1)).map(move |x| (x, y)));
            around.any(|place| changed[place])
        };
        let width = nx * art;
        self.picture.resize(width * ny * art, [0.0; 3]);
        self.picture.par_chunks_mut(width * art).enumerate().for_each(|(y, rows)| {
            for x in (0..nx).filter(|&x| scene.cell(x, y).is_wall() && is_stale(x, y)) {
                for (u, v) in (0..art).flat_map(|v| (0..art).map(move |u| (u, v))) {
                    let spot = Spot { x, y, u, v, px: x * art + u, py: y * art + v, art };
                    rows[v * width + spot.px] = rock::color(backdrop, scene, spot);
                }
            }
        });
        self.seen = Some(looks);
    }

    /// The colour of a wall's pixel.
    pub(super) fn at(&self, spot: Spot, nx: usize) -> Rgb {
        self.picture[spot.py * nx * spot.art + spot.px]
    }
}
