//! Carves noise by drops, draws the land with its rivers, lakes and plants, and says how much it is like real
//! ones: `cargo run --release -p headwater-scene --example carved_land -- DIR [SIZE] [DROPS] [SEED]`.

use headwater::hydrology::report::Report;
use headwater::hydrology::{Hydrology, Params};
use headwater::{Field, Square};
use image::RgbImage;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("where should the pictures go?")?);
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let (size, drops, seed) = (number(512)? as usize, number(500_000)?, number(1)?);
    std::fs::create_dir_all(&folder)?;
    let bed = noise(size, seed);
    println!("noise: {:?}", Report::of_bed(&bed, 1.0));
    let lattice = Square::new(size, size, 1.0, 1.0)?;
    let mut world = Hydrology::new(lattice, Params { seed, ..params()? }, &bed)?;
    draw(&world)?.save(folder.join("before.png"))?;
    let start = Instant::now();
    world.rain(drops);
    let seconds = start.elapsed().as_secs_f64();
    println!("{:.0} drops/s", world.drops() as f64 / seconds);
    println!("{:?}", world.report());
    println!("{:?}", world.balance());
    let lakes = world.lakes();
    let area: f64 = lakes.iter().map(|lake| lake.area).sum();
    println!("{} lakes on {area} m², the largest {:?}", lakes.len(), lakes.first());
    let bed = world.view("bed").ok_or("no bed")?;
    let (low, high) = bed.min_max().ok_or("no bed")?;
    let lowest = bed.as_slice().iter().position(|&z| z == low).unwrap_or(0);
    println!("heights from {low} m, at ({}, {}), to {high} m", lowest % size, lowest / size);
    draw(&world)?.save(folder.join("after.png"))?;
    Ok(())
}

/// Parameters, changed as `key=value` in the variable `PARAMS` says.
fn params() -> Result<Params, Box<dyn Error>> {
    let text = std::env::var("PARAMS").unwrap_or_default();
    Ok(toml::from_str(&text.replace(';', "\n"))?)
}

/// Eight octaves of noise, with heights of 40 cells as the article's.
fn noise(size: usize, seed: u64) -> Field<f32> {
    use noise::{NoiseFn, Perlin};
    let perlin = Perlin::new(seed as u32);
    let height = |x: f64, y: f64| {
        (0..8)
            .map(|k| 0.6_f64.powi(k) * perlin.get([x * 2_f64.powi(k), y * 2_f64.powi(k)]))
            .sum::<f64>()
    };
    let scale = 2.0 / size as f64;
    let field = Field::from_fn(size, size, |x, y| {
        height(x as f64 * scale + 0.37, y as f64 * scale + 0.61) as f32
    });
    let (low, high) = field.min_max().unwrap_or((0.0, 1.0));
    let relief = 40.0 * size as f32 / 256.0;
    field.map(|z| (z - low) / (high - low) * relief)
}

/// Shaded relief, with rivers, lakes and plants.
fn draw(world: &Hydrology) -> Result<RgbImage, Box<dyn Error>> {
    let view = |name| world.view(name).ok_or("no such layer");
    let (bed, depth, stream) = (view("bed")?, view("depth")?, view("stream")?);
    let (plants, kinds) = (view("vegetation")?, view("plant")?);
    let (nx, ny) = (bed.nx(), bed.ny());
    let (low, high) = bed.min_max().unwrap_or((0.0, 1.0));
    Ok(RgbImage::from_fn(nx as u32, ny as u32, |x, y| {
        let (x, y) = (x as usize, y as usize);
        let at = |x: usize, y: usize| bed[(x.min(nx - 1), y.min(ny - 1))];
        let east = (at(x + 1, y) - at(x.saturating_sub(1), y)) / 2.0;
        let south = (at(x, y + 1) - at(x, y.saturating_sub(1))) / 2.0;
        let light = (1.0 + 0.9 * (east + south)) / (1.0 + east * east + south * south).sqrt();
        let shade = (0.75 * light).clamp(0.15, 1.15);
        let height = (bed[(x, y)] - low) / (high - low);
        let mut colour = [0.72 + 0.2 * height, 0.66 + 0.2 * height, 0.55 + 0.3 * height];
        let green = [[0.4, 0.55, 0.25], [0.25, 0.45, 0.2], [0.2, 0.35, 0.28]];
        let kind = kinds[(x, y)] as usize;
        if kind > 0 {
            let part = 0.8 * plants[(x, y)].min(1.0);
            colour =
                std::array::from_fn(|k| colour[k] + part * (green[(kind - 1) % 3][k] - colour[k]));
        }
        let mut shaded = colour.map(|c| c * shade);
        let river = ((stream[(x, y)] - 0.3) / 0.4).clamp(0.0, 1.0);
        let (blue, part) = if depth[(x, y)] > 0.0 {
            ([0.16, 0.36, 0.6], 0.9)
        } else {
            ([0.3, 0.55, 0.8], 0.9 * river)
        };
        shaded = std::array::from_fn(|k| shaded[k] + part * (blue[k] - shaded[k]));
        image::Rgb(shaded.map(|c: f32| (255.0 * c.clamp(0.0, 1.0)) as u8))
    }))
}
