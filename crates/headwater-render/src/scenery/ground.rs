//! Ground colours of a hydrology world: soil over rock, layered rock, and green under plants.

use super::layer::layer;
use crate::color::{Ramp, Rgb, mix, rgb_from_hex, scale, smoothstep};
use headwater::Field;
use headwater::hydrology::{Hydrology, Strata};

/// Minimum soil thickness (as a multiple of the cell size) at which the soil hides the rock below.
const HIDING_SOIL: f32 = 0.4;
/// Colours of the ground under plants, one per plant kind. If there are more kinds than colours,
/// the colours repeat.
const UNDERGROWTH: [Rgb; 3] =
    [rgb_from_hex(0x8FA653), rgb_from_hex(0x6F9150), rgb_from_hex(0x5E7F5B)];

/// Returns the ground colour of every cell as fields of red, green and blue (0 to 1).
pub(super) fn ground_colors(world: &Hydrology) -> [Field<f32>; 3] {
    let [bed, soil, cover, kind] =
        ["bed", "soil", "vegetation", "plant"].map(|name| layer(world, name));
    let size = world.lattice().dx() as f32;
    let (low, high) = bed.min_max().unwrap_or((0.0, 1.0));
    let strata = world.params().strata;
    let earth = Ramp::new(&[(0.0, 0xCDBE95), (0.35, 0xC9B78F), (0.7, 0xBBA98B), (1.0, 0xB9AFA1)]);
    let rock = Ramp::new(&[(0.0, 0xB3A48C), (0.5, 0xA69A8A), (0.85, 0xA7A19A), (1.0, 0xC9C6C2)]);
    let color = |x: usize, y: usize| {
        let z = bed[(x, y)];
        let t = (z - low) / (high - low).max(f32::MIN_POSITIVE);
        let bare = strata.map_or_else(
            || rock.sample(t),
            |strata| {
                layered_rock_color(&strata, [(x as f32 + 0.5) * size, (y as f32 + 0.5) * size], z)
            },
        );
        let loose = smoothstep(0.0, HIDING_SOIL, soil[(x, y)] / size);
        let earth = if strata.is_some() { rgb_from_hex(0xD8BE90) } else { earth.sample(t) };
        let ground = mix(bare, earth, 0.9 * loose);
        let under = UNDERGROWTH[(kind[(x, y)] as usize).saturating_sub(1) % UNDERGROWTH.len()];
        let green = if kind[(x, y)] > 0.0 { under } else { UNDERGROWTH[1] };
        mix(ground, green, 0.8 * smoothstep(0.0, 1.1, cover[(x, y)]))
    };
    let colors = Field::from_fn(bed.nx(), bed.ny(), color);
    [0, 1, 2].map(|k| colors.map(|color| color[k]))
}

/// Returns the colour of layered rock at the horizontal position `[x, y]` and the height `z` (m).
/// Hard layers are pale, soft layers are red, and the tone varies from layer to layer.
fn layered_rock_color(strata: &Strata, [x, y]: [f32; 2], z: f32) -> Rgb {
    let [east, south] = strata.dip.map(|dip| dip as f32);
    let layer = (z - east * x - south * y) / strata.thickness as f32;
    let part = layer - layer.floor();
    let tone = 1.0 + 0.07 * (layer.floor() * 2.4).sin();
    let hard = strata.hard_part as f32;
    // Smooth transition between hard and soft rock.
    let ledge = smoothstep(-0.04, 0.04, hard - part) * smoothstep(0.0, 0.06, part);
    scale(mix(rgb_from_hex(0xB4693F), rgb_from_hex(0xE3C592), ledge), tone)
}
