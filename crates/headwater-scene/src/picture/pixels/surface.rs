//! Surfaces of blocks under the open: what they mirror, and how they bend what is seen through them.

use super::canvas::Spot;
use super::liquid::{self, Cover};
use super::mirror::{DEEPEST, Surface};
use super::scene::Scene;
use headwater::blocks::Liquid;

/// How much aside a surface that falls by a cell a cell shows what lies a cell below it: 1 − 1/1.33, by Snell's law.
const BENDS: f32 = 0.25;

/// The surface over a pixel of water or oil; nothing where it is deep below, against a ceiling or under another liquid.
pub(super) fn over(scene: &Scene, spot: Spot) -> Option<Surface> {
    let Spot { x, y, py, art, .. } = spot;
    let liquid = scene.cell(x, y).liquid().filter(|liquid| *liquid != Liquid::Lava)?;
    if !matches!(liquid::cover(scene, spot), Cover::Body(_)) {
        return None;
    }
    let row = top_of(scene, (x, y), liquid)?;
    let top = height(scene, (x, row), art)?;
    let above = scene.beside(x, row, 0, -1);
    // What falls into it stirs it.
    let calm = if above.liquid().is_some() { 0.0 } else { 1.0 };
    let is_open = |row: &usize| !scene.cell(x, *row).is_wall();
    let open = (0..row).rev().take(DEEPEST + 1).take_while(is_open).count();
    let ceiling = if open > DEEPEST { 0.0 } else { ((row - open) * art) as f32 };
    let below = (py as f32 + 0.5 - top) / art as f32;
    let slope = slope(scene, (x, row), liquid, art);
    Some(Surface { top, ceiling, calm, aside: 2.0 * slope * below })
}

/// The pixel that is seen through a surface at one below it.
pub(super) fn bent(surface: Surface, spot: Spot, nx: usize) -> Spot {
    if surface.aside == 0.0 {
        return spot;
    }
    let aside = BENDS / 2.0 * surface.aside * spot.art as f32;
    let last = (nx * spot.art - 1) as f32;
    let px = (spot.px as f32 + aside).round().clamp(0.0, last) as usize;
    Spot { px, x: px / spot.art, u: px % spot.art, ..spot }
}

/// The row in which what is in a cell ends above, if that is near.
fn top_of(scene: &Scene, (x, y): (usize, usize), liquid: Liquid) -> Option<usize> {
    let goes_on = |row: usize| {
        row > 0 && scene.cell(x, row - 1).liquid() == Some(liquid) && scene.stands(x, row - 1)
    };
    (0..=DEEPEST.min(y)).map(|up| y - up).find(|row| !goes_on(*row))
}

/// Where the surface in a cell is (pixels from the top), if it is under the open.
fn height(scene: &Scene, (x, row): (usize, usize), art: usize) -> Option<f32> {
    let above = scene.beside(x, row, 0, -1);
    let part = scene.cell(x, row).part();
    let is_covered = above.liquid().is_some() && row > 0 && scene.stands(x, row - 1);
    let pixels = (part * art as f32).ceil();
    let is_closed = is_covered || above.is_wall() && part == 1.0;
    (!is_closed).then_some(((row + 1) * art) as f32 - pixels)
}

/// How much a surface falls to the east, from the column beside it to the one on the other side, where it goes on there.
fn slope(scene: &Scene, (x, row): (usize, usize), liquid: Liquid, art: usize) -> f32 {
    let here = |x: usize| {
        let is_there = |row: usize| {
            row < scene.ny && scene.cell(x, row).liquid() == Some(liquid) && scene.stands(x, row)
        };
        let row = [row.wrapping_sub(1), row, row + 1].into_iter().find(|row| is_there(*row))?;
        height(scene, (x, row), art)
    };
    let sides = (x > 0 && x + 1 < scene.nx).then(|| (here(x - 1), here(x + 1)));
    match sides {
        Some((Some(west), Some(east))) => (east - west) / (2.0 * art as f32),
        _ => 0.0,
    }
}
