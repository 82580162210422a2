//! Plants drawn as small trees with round, broad or conical crowns and with shadows.

use super::{Crown, Tree, TreeKind};
use crate::Picture;
use crate::color::light::Sun;
use crate::color::{blend, mix, rgb_from_hex, scale, smoothstep};
use crate::view::View;
use crate::water::river_pixels::RiverPixels;

/// Crown width of a full-grown tree (pixels at a picture width of 960), used on maps whose cells
/// are narrower than this width.
const CROWN_WIDTH: f32 = 7.0;
/// Maximum width of a tree's crown (cells).
const MAX_CROWN_CELLS: f32 = 2.2;

/// Position and size of a tree to draw.
struct TreeSprite {
    /// Position of the foot of the tree (pixels).
    at: [f32; 2],
    /// Half the crown width (pixels).
    radius: f32,
    kind: &'static TreeKind,
    tone: f32,
}

/// Draws the trees from north to south, so that trees in front cover those behind.
pub(crate) fn draw_trees(
    picture: &mut Picture,
    trees: &[Tree],
    view: &View<'_>,
    sun: &Sun,
    rivers: Option<&RiverPixels>,
) {
    let pixels = (picture.nx() as f64 / view.lattice.width()) as f32;
    let unit = (picture.nx().max(picture.ny()) as f32 / 960.0).max(0.4);
    let cell = (view.lattice.width() / view.lattice.nx() as f64) as f32 * pixels;
    let full =
        (CROWN_WIDTH * unit).max(1.3 * cell).min((MAX_CROWN_CELLS * cell).max(CROWN_WIDTH * unit));
    // Where cells are small, each block of cells shows only its largest tree.
    let block = (0.8 * full / cell).ceil().max(1.0) * cell;
    let columns = (picture.nx() as f32 / block).ceil() as usize + 1;
    let rows = (picture.ny() as f32 / block).ceil() as usize + 1;
    let mut chosen: Vec<Option<&Tree>> = vec![None; columns * rows];
    for tree in trees.iter().filter(|tree| tree.is_drawn()) {
        let [x, y] = tree.position.map(|metres| (metres * pixels / block).max(0.0) as usize);
        let Some(place) = chosen.get_mut(y * columns + x) else { continue };
        if x < columns && place.is_none_or(|other| tree.size > other.size) {
            *place = Some(tree);
        }
    }
    let mut sprites: Vec<TreeSprite> = chosen
        .into_iter()
        .flatten()
        .map(|tree| {
            let at = tree.position.map(|metres| metres * pixels);
            TreeSprite {
                at,
                radius: 0.5 * full * tree.crown_width(),
                kind: tree.kind(),
                tone: tree.tone(),
            }
        })
        .collect();
    // Trees must not hide rivers.
    if let Some(rivers) = rivers {
        sprites.retain(|sprite| !hides_river(sprite, rivers, picture));
    }
    sprites.sort_by(|a, b| a.at[1].total_cmp(&b.at[1]).then(a.at[0].total_cmp(&b.at[0])));
    for sprite in &sprites {
        draw_shadow(picture, sprite, sun);
    }
    for sprite in &sprites {
        draw_crown(picture, sprite, sun);
    }
}

/// Returns true if the tree would hide a river.
fn hides_river(sprite: &TreeSprite, rivers: &RiverPixels, picture: &Picture) -> bool {
    let [x, y] = sprite.at;
    let r = sprite.radius;
    [[0.0, 0.0], [0.0, -0.6], [0.0, -1.2], [-0.7, -0.5], [0.7, -0.5]].iter().any(|[u, v]| {
        let (x, y) = ((x + u * r).max(0.0) as usize, (y + v * r).max(0.0) as usize);
        let width = picture.nx();
        x < width && rivers.cover.get(y * width + x).is_some_and(|&cover| cover > 0.3)
    })
}

/// Returns the pixels of a picture that lie within `reach` pixels of the point `at`, each with its
/// offset from that point.
fn pixels_around(
    picture: &Picture,
    at: [f32; 2],
    reach: [f32; 2],
) -> impl Iterator<Item = (usize, usize, f32, f32)> + use<> {
    let range = |k: usize, size: usize| {
        let low = (at[k] - reach[k]).floor().clamp(0.0, size as f32) as usize;
        low..(at[k] + reach[k]).ceil().clamp(0.0, size as f32) as usize
    };
    let (xs, ys) = (range(0, picture.nx()), range(1, picture.ny()));
    ys.flat_map(move |y| {
        xs.clone().map(move |x| (x, y, x as f32 + 0.5 - at[0], y as f32 + 0.5 - at[1]))
    })
}

fn draw_shadow(picture: &mut Picture, sprite: &TreeSprite, sun: &Sun) {
    let (kind, r) = (sprite.kind, sprite.radius);
    let level = sun.direction[0].hypot(sun.direction[1]).max(1e-6);
    let away = [-sun.direction[0] / level, -sun.direction[1] / level];
    let shadow_length = 0.55 * r * kind.crown_scale[1];
    let at = [0, 1].map(|k| sprite.at[k] + shadow_length * away[k]);
    let half = [r * (0.75 + 0.4 * kind.crown_scale[1]), 0.62 * r * kind.crown_scale[0]];
    for (x, y, dx, dy) in pixels_around(picture, at, [half[0] + 1.0; 2]) {
        let along = dx * away[0] + dy * away[1];
        let aside = dx * away[1] - dy * away[0];
        let off = (along / half[0]).hypot(aside / half[1]);
        let cover = ((1.0 - off) * half[1] + 0.5).clamp(0.0, 1.0);
        if cover > 0.0 {
            blend(&mut picture[(x, y)], rgb_from_hex(0x1E2A20), 0.34 * cover);
        }
    }
}

fn draw_crown(picture: &mut Picture, sprite: &TreeSprite, sun: &Sun) {
    let (kind, tone) = (sprite.kind, sprite.tone);
    let [wide, high] = kind.crown_scale.map(|part| part * sprite.radius);
    // The crown is above its foot.
    let middle = [sprite.at[0], sprite.at[1] - 0.55 * high];
    let light = [sun.direction[0], sun.direction[1]];
    for (x, y, dx, dy) in pixels_around(picture, middle, [wide + 1.0, high + 1.0]) {
        let (u, v) = (dx / wide, dy / high);
        let (inside, facing) = if kind.crown == Crown::Cone {
            // Cone from its tip (v = −1) to a rounded foot.
            let broad = 0.5 * (v + 1.0);
            let foot = 1.0 - v - 0.25 * u * u;
            (
                (broad - u.abs()).min(foot) * 0.8,
                (u * light[0]).signum() * u.abs().sqrt() * 0.5 - 0.25 * v,
            )
        } else {
            (1.0 - u.hypot(v), u * light[0] + v * light[1])
        };
        let cover = (inside * wide.min(high) + 0.5).clamp(0.0, 1.0);
        if cover <= 0.0 {
            continue;
        }
        let rim = 1.0 - 0.28 * smoothstep(0.35, 0.0, inside);
        let lit = scale(rgb_from_hex(kind.color), tone * rim * (1.0 + 0.32 * facing));
        let color = mix(lit, rgb_from_hex(0xF4F3C4), 0.22 * smoothstep(0.35, 0.9, facing));
        blend(&mut picture[(x, y)], color, cover);
    }
}
