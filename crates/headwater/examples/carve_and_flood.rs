//! Terrain generation and a flood. Rivers carve the land, and the program writes it to a PGM height
//! map. A cloudburst then floods the land.
//!
//! `cargo run --release -p headwater --example carve_and_flood [FILE.pgm]`

use headwater::coupling::{CarvedToFlowOptions, WaterSupply, carved_to_flow};
use headwater::hydrology::{Hydrology, Params};
use headwater::{Field, Region, Square};
use std::error::Error;
use std::io::Write;

const N: usize = 128;

fn main() -> Result<(), Box<dyn Error>> {
    let lattice = Square::new(N, N, 10.0, 10.0)?;
    // Hills that fall to the south, from a few sine waves.
    let bed = Field::from_fn(N, N, |x, y| {
        let (u, v) = (x as f32 / N as f32, y as f32 / N as f32);
        let hills = (9.0 * u + 3.0 * v).sin()
            + (7.0 * v - 4.0 * u).cos()
            + 0.4 * (31.0 * u + 17.0 * v).sin();
        220.0 - 150.0 * v + 14.0 * hills
    });
    let mut land = Hydrology::new(lattice, Params::default(), &bed)?;
    for _ in 0..8 {
        land.advance(0.5)?;
        let lakes = land.lakes();
        let largest = lakes.iter().map(|lake| lake.area).fold(0.0, f64::max);
        println!(
            "{:.1} drops a cell: {} lakes, the largest {largest:.0} m²",
            land.time(),
            lakes.len()
        );
    }

    let bed = land.layer("bed").ok_or("hydrology has a bed")?;
    let path = std::env::args().nth(1).unwrap_or_else(|| "carved.pgm".into());
    write_pgm(&path, &bed)?;
    println!("written to {path}");

    let mut flow = carved_to_flow(
        &land,
        &CarvedToFlowOptions {
            runoff: 60.0,
            feed: WaterSupply::Rain,
            ..CarvedToFlowOptions::default()
        },
    )?;
    let before = flow.volume();
    flow.advance(600.0)?;
    let gained = flow.volume() - before;
    let low = flow.volume_in(&Region::rect([0.0, 900.0], [1280.0, 1280.0]))?;
    println!(
        "after ten minutes of rain: {gained:.0} m³ more on the land, {low:.0} m³ in the lowest third"
    );
    println!("{:.1e} of the water is unaccounted for", flow.balance().residual_relative);
    Ok(())
}

/// Writes heights as a 16-bit gray image. Black is the lowest point and white the highest.
fn write_pgm(path: &str, bed: &Field<f32>) -> std::io::Result<()> {
    let (low, high) = bed.min_max().unwrap_or((0.0, 1.0));
    let gray = |z: &f32| ((z - low) / (high - low).max(1e-6) * 65535.0) as u16;
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    writeln!(file, "P5 {} {} 65535", bed.nx(), bed.ny())?;
    bed.as_slice().iter().try_for_each(|z| file.write_all(&gray(z).to_be_bytes()))
}
