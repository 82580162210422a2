//! Caves in side view with ponds and lava. A shaft is dug from a lake down to the caves. The
//! texture of a wall depends on the tag of its cell.

use bevy::asset::RenderAssetUsages;
use bevy::image::ImageSampler;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy_headwater::headwater::blocks::{Blocks, Cell, Edit, Liquid, Params};
use bevy_headwater::headwater::{Brush, Field, Region};
use bevy_headwater::prelude::*;

mod common;

const SIZE: [usize; 2] = [128, 72];

fn main() {
    App::new()
        .add_plugins((
            DefaultPlugins,
            HeadwaterPlugin::in_schedule(FixedUpdate),
            common::ScreenshotPlugin,
        ))
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, dig_shaft.before(bevy_headwater::HeadwaterSystems::Prepare))
        .run();
}

/// Returns the content of the cell in column `x` and row `y` (counted from the top-left corner).
/// The world has hills with a lake between them, and caves. Deep caves on the right contain water,
/// and the deepest caves contain lava.
fn cave_cell(x: usize, y: usize) -> Cell {
    let (u, v) = (x as f32, y as f32);
    let hill = 17.0
        + 4.0 * (0.09 * u).sin()
        + 2.0 * (0.23 * u + 1.0).sin()
        + 7.0 * (-((u - 44.0) / 13.0).powi(2)).exp();
    let wave = (0.16 * u + 0.5 * (0.13 * v).sin()).sin()
        + (0.21 * v + 0.7 * (0.09 * u).cos()).sin()
        + 0.5 * (0.37 * u - 0.29 * v).sin();
    let edge = x == 0 || x == SIZE[0] - 1 || y == SIZE[1] - 1;
    if edge {
        return Cell::Wall;
    }
    if v < hill {
        // A lake in the hollow between the hills.
        return if v > 18.0 { Cell::Liquid(Liquid::Water, 256) } else { Cell::Air };
    }
    if v < hill + 4.0 || wave < 0.55 {
        return Cell::Wall;
    }
    match v {
        v if v > 62.0 => Cell::Liquid(Liquid::Lava, 256),
        v if v > 44.0 && x > 66 => Cell::Liquid(Liquid::Water, 256),
        _ => Cell::Air,
    }
}

/// Tags walls as turf, earth and stone, in this order from the surface downward.
fn tag_walls(world: &mut Blocks) -> Result {
    let [nx, ny] = SIZE;
    for x in 0..nx {
        let Some(top) = (0..ny).find(|&y| cave_cell(x, y) == Cell::Wall) else { continue };
        let stone = top + 9 + (x * 7 + x * x / 3) % 3;
        for (tag, from, to) in [(1, top, top + 1), (2, top + 1, stone), (3, stone, ny)] {
            let (x, from, to) = (x as f64, from as f64, to.min(ny) as f64);
            world.set_tags(&Region::rect([x, from], [x + 1.0, to]), tag)?;
        }
    }
    Ok(())
}

/// Creates an image with three textures of 16 × 16 pixels side by side.
fn wall_texture_image() -> Image {
    const SIDE: usize = 16;
    let grain = |x: usize, y: usize| {
        let hash = (x as u32).wrapping_mul(0x9E37_79B9) ^ (y as u32).wrapping_mul(0x85EB_CA6B);
        (hash.wrapping_mul(0xC2B2_AE35) >> 24) as i32 % 40 - 20
    };
    let pixel = |at: usize| {
        let (x, y) = (at % (3 * SIDE), at / (3 * SIDE));
        let (tile, u) = (x / SIDE, x % SIDE);
        let mortar = y % 8 == 7 || (u + 8 * (y / 8)) % 16 == 15;
        let color = match tile {
            0 if y < 5 + (u * 5 + u * u) % 3 => [88, 148, 52],
            0 | 1 => [118, 84, 56],
            _ if mortar => [70, 70, 78],
            _ => [122, 122, 132],
        };
        let [r, g, b] = color.map(|c: i32| (c + grain(x, y)).clamp(0, 255) as u8);
        [r, g, b, 255]
    };
    let pixels: Vec<u8> = (0..3 * SIDE * SIDE).flat_map(pixel).collect();
    let size = Extent3d { width: 3 * SIDE as u32, height: SIDE as u32, depth_or_array_layers: 1 };
    let format = TextureFormat::Rgba8UnormSrgb;
    let usage = RenderAssetUsages::RENDER_WORLD;
    let mut image = Image::new(size, TextureDimension::D2, pixels, format, usage);
    image.sampler = ImageSampler::nearest();
    image
}

fn setup(mut commands: Commands, mut images: ResMut<Assets<Image>>) -> Result {
    let [nx, ny] = SIZE;
    let mut world = Blocks::new(&Field::from_fn(nx, ny, cave_cell), Params::default())?;
    tag_walls(&mut world)?;
    let look = WaterSurface {
        tiles: Some(WallTiles { image: images.add(wall_texture_image()), count: 3 }),
        level_ground: Color::srgb(0.55, 0.44, 0.35),
        deep: Color::srgb(0.02, 0.14, 0.34),
        ..default()
    };
    commands.spawn((BlockWorld(world), look));
    commands.spawn(common::side_camera(Vec2::new(nx as f32, ny as f32)));
    Ok(())
}

/// Digs downward from the lake, one block every few ticks.
fn dig_shaft(
    mut edits: MessageWriter<WaterEdit>,
    world: Single<Entity, With<BlockWorld>>,
    mut tick: Local<u32>,
) {
    *tick += 1;
    let depth = f64::from(*tick / 6) + 10.0;
    if *tick < 64 || depth > 32.0 {
        return;
    }
    let shaft = Brush::with_flat_falloff(Region::rect([84.0, depth - 1.0], [86.0, depth]));
    edits.write(WaterEdit::new(*world, shaft, Edit::Dig));
}
