//! Carves noise by drops, draws the land with its rivers, lakes and plants, and says how much it is like real
//! ones: `cargo run --release -p headwater-scene --example carved_land -- DIR [SIZE] [DROPS] [SEED]`.

use headwater::hydrology::report::Report;
use headwater::hydrology::{Hydrology, Params, Substance};
use headwater::{Field, Square};
use headwater_scene::picture::{Painter, Scenery, Style, View, water_map, write_png};
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
    draw(&world, &folder, "before")?;
    let start = Instant::now();
    world.rain(drops);
    let seconds = start.elapsed().as_secs_f64();
    println!("{:.0} drops/s", world.drops() as f64 / seconds);
    println!("{:?}", world.report());
    for substance in [Substance::Water, Substance::Sediment] {
        println!("{:?}", world.balance(substance));
    }
    let lakes = world.lakes();
    let area: f64 = lakes.iter().map(|lake| lake.area).sum();
    println!("{} lakes on {area} m², the largest {:?}", lakes.len(), lakes.first());
    let bed = world.layer("bed").ok_or("no bed")?;
    let (low, high) = bed.min_max().ok_or("no bed")?;
    let lowest = bed.as_slice().iter().position(|&z| z == low).unwrap_or(0);
    println!("heights from {low} m, at ({}, {}), to {high} m", lowest % size, lowest / size);
    draw(&world, &folder, "after")?;
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

/// Shaded relief with rivers, lakes and plants, and the map of the waters.
fn draw(world: &Hydrology, folder: &std::path::Path, name: &str) -> Result<(), Box<dyn Error>> {
    let layer = |name| world.layer(name).ok_or("no such layer");
    let (bed, stream) = (layer("bed")?, layer("stream")?);
    let depth = Scenery::lakes(world);
    let scenery = Scenery::of(world);
    let label = format!("{:.1} drops per cell", world.time());
    let view = View {
        scenery: Some(&scenery),
        label: Some(&label),
        ..View::new(*world.lattice(), &bed, &depth)
    };
    let style = Style { contours: false, sun_altitude: 30.0, ..Style::default() };
    write_png(folder.join(format!("{name}.png")), &Painter::new(style, &view)?.paint(&view))?;
    write_png(folder.join(format!("{name}-map.png")), &water_map(&view, &stream, 960))?;
    Ok(())
}
