//! Plants as small trees: round crowns, broad ones that hang, and cones, each with its shadow.

use super::rivers::Ribbons;
use super::{Tree, layer};
use crate::picture::View;
use crate::picture::color::{Rgb, hex, mix, random, scale, smoothstep};
use crate::picture::relief::Sun;
use crate::picture::text::blend;
use headwater::Field;
use headwater::hydrology::Hydrology;
use image::RgbImage;

/// Width of a full-grown tree's crown (pixels, in a picture of 960) where cells are smaller than that.
const CROWN: f32 = 7.0;
/// A crown is at most so many cells wide.
const WIDEST: f32 = 2.2;
/// Trees smaller than this part of the full size are not drawn: the ground's green shows them.
const SMALLEST: f32 = 0.2;

/// The looks of a kind.
struct Kind {
    crown: Rgb,
    /// Width and height of the crown, as parts of the usual.
    form: [f32; 2],
    cone: bool,
}

/// Of the first kind, the second and the third; further kinds begin again, each with another tone.
const KINDS: [Kind; 3] = [
    // Along the water: broad, low, light.
    Kind { crown: hex(0x9DB84E), form: [1.15, 0.8], cone: false },
    // On slopes: round, full.
    Kind { crown: hex(0x4F8A3C), form: [1.0, 1.0], cone: false },
    // On heights: narrow, dark.
    Kind { crown: hex(0x2F5F4C), form: [0.8, 1.55], cone: true },
];

/// The plants of a world, each somewhere in its cell; those that lakes (m) or the sea have just drowned are left
/// out.
pub(super) fn stand(world: &Hydrology, lake_depth: &Field<f32>) -> Vec<Tree> {
    let [kind, size] = ["plant", "size"].map(|name| layer(world, name));
    let cell = world.lattice().dx() as f32;
    let nx = kind.nx();
    let plants = kind.as_slice().iter().zip(size.as_slice()).enumerate();
    plants
        .filter(|(i, (kind, _))| **kind > 0.0 && lake_depth.as_slice()[*i] <= 0.0)
        .map(|(i, (&kind, &size))| {
            let aside = |k: u32| 0.15 + 0.7 * random(2 * i as u32 + k);
            let at = [(i % nx) as f32 + aside(0), (i / nx) as f32 + aside(1)];
            Tree { position: at.map(|cells| cells * cell), kind: kind as u8, size }
        })
        .collect()
}

/// A tree on the picture.
struct Sprite {
    /// Foot (pixels).
    at: [f32; 2],
    /// Half the width of its crown (pixels).
    radius: f32,
    kind: u8,
    tone: f32,
}

/// Draws the trees, the southern over the northern.
pub(in crate::picture) fn draw(
    picture: &mut RgbImage,
    trees: &[Tree],
    view: &View<'_>,
    sun: &Sun,
    rivers: Option<&Ribbons>,
) {
    let pixels = (f64::from(picture.width()) / view.lattice.width()) as f32;
    let unit = (picture.width().max(picture.height()) as f32 / 960.0).max(0.4);
    let cell = (view.lattice.width() / view.lattice.nx() as f64) as f32 * pixels;
    let full = (CROWN * unit).max(1.3 * cell).min((WIDEST * cell).max(CROWN * unit));
    // Where cells are small, the largest tree of a block of them stands for all.
    let block = (0.8 * full / cell).ceil().max(1.0) * cell;
    let columns = (picture.width() as f32 / block).ceil() as usize + 1;
    let rows = (picture.height() as f32 / block).ceil() as usize + 1;
    let mut chosen: Vec<Option<&Tree>> = vec![None; columns * rows];
    for tree in trees.iter().filter(|tree| tree.size >= SMALLEST) {
        let [x, y] = tree.position.map(|metres| (metres * pixels / block).max(0.0) as usize);
        let Some(place) = chosen.get_mut(y * columns + x) else { continue };
        if x < columns && place.is_none_or(|other| tree.size > other.size) {
            *place = Some(tree);
        }
    }
    let mut sprites: Vec<Sprite> = chosen
        .into_iter()
        .flatten()
        .map(|tree| {
            let at = tree.position.map(|metres| metres * pixels);
            let key =
                (tree.position[0] * 8191.0) as u32 ^ ((tree.position[1] * 131.0) as u32) << 11;
            let radius = 0.5 * full * (0.45 + 0.55 * tree.size);
            Sprite { at, radius, kind: tree.kind, tone: 0.88 + 0.24 * random(key) }
        })
        .collect();
    // A tree stands beside a river, not over it.
    if let Some(rivers) = rivers {
        sprites.retain(|sprite| !over(sprite, rivers, picture));
    }
    sprites.sort_by(|a, b| a.at[1].total_cmp(&b.at[1]).then(a.at[0].total_cmp(&b.at[0])));
    for sprite in &sprites {
        shadow(picture, sprite, sun);
    }
    for sprite in &sprites {
        crown(picture, sprite, sun);
    }
}

/// Whether a tree would hide a river.
fn over(sprite: &Sprite, rivers: &Ribbons, picture: &RgbImage) -> bool {
    let [x, y] = sprite.at;
    let r = sprite.radius;
    [[0.0, 0.0], [0.0, -0.6], [0.0, -1.2], [-0.7, -0.5], [0.7, -0.5]].iter().any(|[u, v]| {
        let (x, y) = ((x + u * r).max(0.0) as usize, (y + v * r).max(0.0) as usize);
        let width = picture.width() as usize;
        x < width && rivers.cover.get(y * width + x).is_some_and(|&cover| cover > 0.3)
    })
}

fn looks(sprite: &Sprite) -> (&'static Kind, f32) {
    let kind = usize::from(sprite.kind).saturating_sub(1);
    // Kinds beyond the third are darker by turns.
    (&KINDS[kind % KINDS.len()], sprite.tone * 0.85_f32.powi((kind / KINDS.len()) as i32))
}

/// Pixels around a point, with their offsets from it.
fn around(
    picture: &RgbImage,
    at: [f32; 2],
    reach: [f32; 2],
) -> impl Iterator<Item = (u32, u32, f32, f32)> + use<> {
    let range = |k: usize, size: u32| {
        let low = (at[k] - reach[k]).floor().clamp(0.0, size as f32) as u32;
        low..(at[k] + reach[k]).ceil().clamp(0.0, size as f32) as u32
    };
    let (xs, ys) = (range(0, picture.width()), range(1, picture.height()));
    ys.flat_map(move |y| {
        xs.clone().map(move |x| (x, y, x as f32 + 0.5 - at[0], y as f32 + 0.5 - at[1]))
    })
}

fn shadow(picture: &mut RgbImage, sprite: &Sprite, sun: &Sun) {
    let (kind, _) = looks(sprite);
    let r = sprite.radius;
    let level = sun.towards[0].hypot(sun.towards[1]).max(1e-6);
    let away = [-sun.towards[0] / level, -sun.towards[1] / level];
    let long = 0.55 * r * kind.form[1];
    let at = [0, 1].map(|k| sprite.at[k] + long * away[k]);
    let half = [r * (0.75 + 0.4 * kind.form[1]), 0.62 * r * kind.form[0]];
    for (x, y, dx, dy) in around(picture, at, [half[0] + 1.0; 2]) {
        let along = dx * away[0] + dy * away[1];
        let aside = dx * away[1] - dy * away[0];
        let off = (along / half[0]).hypot(aside / half[1]);
        let cover = ((1.0 - off) * half[1] + 0.5).clamp(0.0, 1.0);
        if cover > 0.0 {
            blend(picture.get_pixel_mut(x, y), hex(0x1E2A20), 0.34 * cover);
        }
    }
}

fn crown(picture: &mut RgbImage, sprite: &Sprite, sun: &Sun) {
    let (kind, tone) = looks(sprite);
    let [wide, high] = kind.form.map(|part| part * sprite.radius);
    // The crown stands on its foot.
    let middle = [sprite.at[0], sprite.at[1] - 0.55 * high];
    let light = [sun.towards[0], sun.towards[1]];
    for (x, y, dx, dy) in around(picture, middle, [wide + 1.0, high + 1.0]) {
        let (u, v) = (dx / wide, dy / high);
        let (inside, facing) = if kind.cone {
            // A cone from its tip (v = −1) to a round foot.
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
        let lit = scale(kind.crown, tone * rim * (1.0 + 0.32 * facing));
        let color = mix(lit, hex(0xF4F3C4), 0.22 * smoothstep(0.35, 0.9, facing));
        blend(picture.get_pixel_mut(x, y), color, cover);
    }
}
