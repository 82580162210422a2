//! Textures of pool beds: pebbles, sand, tiles and rock.

use super::style::Floor;
use crate::color::{Rgb, hash_to_unit_interval, mix, rgb_from_hex, scale, smoothstep, value_noise};
use headwater_io::parallel::*;

/// Returns the colours of a pool bed of `width × height` pixels in row-major order. `size` is the
/// width of a stone or a tile (pixels).
pub(super) fn render_floor(floor: Floor, size: f32, width: usize, height: usize) -> Vec<Rgb> {
    let mut colors = vec![[0.0; 3]; width * height];
    colors.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, color) in row.iter_mut().enumerate() {
            let at = [x as f32 / size, y as f32 / size];
            *color = match floor {
                Floor::Pebbles => pebble_color(at),
                Floor::Sand => sand_color(at),
                Floor::Tiles => tile_color(at, size),
                Floor::Rock => rock_color(at),
            };
        }
    });
    colors
}

/// Evaluates Worley noise at the point `at`. Returns the distances to the nearest and to the
/// second-nearest scattered point, a hash of the nearest point, and `at` minus the nearest point.
fn worley_noise(at: [f32; 2], seed: u32) -> (f32, f32, u32, [f32; 2]) {
    let cell = at.map(f32::floor);
    let mut found = (f32::INFINITY, f32::INFINITY, 0, [0.0; 2]);
    for v in -1..=1 {
        for u in -1..=1 {
            let (cx, cy) = (cell[0] as i32 + u, cell[1] as i32 + v);
            let key = (cx as u32).wrapping_mul(0x85EB_CA6B)
                ^ (cy as u32).wrapping_mul(0xC2B2_AE35)
                ^ seed;
            let point = [
                cx as f32 + 0.12 + 0.76 * hash_to_unit_interval(key),
                cy as f32 + 0.12 + 0.76 * hash_to_unit_interval(key ^ 0x5bd1),
            ];
            let off = [at[0] - point[0], at[1] - point[1]];
            let distance = off[0].hypot(off[1]);
            if distance < found.0 {
                found = (distance, found.0, key, off);
            } else if distance < found.1 {
                found.1 = distance;
            }
        }
    }
    found
}

fn pebble_color(at: [f32; 2]) -> Rgb {
    const STONES: [u32; 7] = [0xA99D89, 0x999182, 0xBDB19A, 0x8A8074, 0xB5A083, 0x9EA49E, 0xCBC1AE];
    let warped = [
        at[0] + 0.16 * value_noise(2.3 * at[0], 2.3 * at[1], 41),
        at[1] + 0.16 * value_noise(2.3 * at[0], 2.3 * at[1], 42),
    ];
    let (first, second, key, off) = worley_noise(warped, 7);
    let gap = second - first;
    let stone = rgb_from_hex(STONES[(hash_to_unit_interval(key ^ 0x51ed) * 7.0) as usize % 7]);
    // The stones are rounded, lit from the northwest, and dark in the gaps.
    let round = 1.0 - 0.5 * first * first - 0.16 * (off[0] + off[1]);
    let speckle = 1.0 + 0.07 * value_noise(9.0 * at[0], 9.0 * at[1], 43);
    let lit = scale(stone, round * speckle * (0.9 + 0.2 * hash_to_unit_interval(key ^ 0x77)));
    mix(scale(rgb_from_hex(0x7A7265), 0.85), lit, smoothstep(0.0, 0.2, gap))
}

fn sand_color(at: [f32; 2]) -> Rgb {
    let bent = at[1] + 0.5 * value_noise(0.5 * at[0], 0.5 * at[1], 51);
    let ripple = (bent * 4.2 + 0.9 * value_noise(0.8 * at[0], 0.8 * at[1], 52)).sin();
    let fine = value_noise(14.0 * at[0], 14.0 * at[1], 53);
    let patch = value_noise(0.35 * at[0], 0.35 * at[1], 54);
    let tone = mix(rgb_from_hex(0xC9AE7D), rgb_from_hex(0xE6D2A5), 0.5 + 0.5 * patch);
    scale(tone, 1.0 + 0.05 * ripple + 0.04 * fine)
}

fn tile_color(at: [f32; 2], size: f32) -> Rgb {
    let edge = |v: f32| (v - v.floor()).min(v.ceil() - v);
    let grout = edge(at[0]).min(edge(at[1]));
    let key = (at[0].floor() as i32 as u32).wrapping_mul(0x9E37)
        ^ (at[1].floor() as i32 as u32).wrapping_mul(0x85EB_CA6B);
    let tone = mix(rgb_from_hex(0x9CCBD6), rgb_from_hex(0xC9E8EA), hash_to_unit_interval(key));
    let soft = 1.0 / size.max(1.0);
    mix(rgb_from_hex(0xEDF3F1), tone, smoothstep(0.035 - soft, 0.035 + soft, grout))
}

fn rock_color(at: [f32; 2]) -> Rgb {
    let warped = [
        0.7 * at[0] + 0.35 * value_noise(1.1 * at[0], 1.1 * at[1], 61),
        0.7 * at[1] + 0.35 * value_noise(1.1 * at[0], 1.1 * at[1], 62),
    ];
    let (first, second, key, off) = worley_noise(warped, 9);
    let crack = smoothstep(0.0, 0.09, second - first);
    let rough = 0.6 * value_noise(3.0 * at[0], 3.0 * at[1], 63)
        + 0.4 * value_noise(8.0 * at[0], 8.0 * at[1], 64);
    let tone = mix(rgb_from_hex(0x57534C), rgb_from_hex(0x7A756A), hash_to_unit_interval(key));
    let lit = scale(tone, 1.0 + 0.16 * rough - 0.12 * (off[0] + off[1]));
    mix(rgb_from_hex(0x23211E), lit, crack)
}
