//! How fast waves go on this GPU, beside a plain copy on it: `cargo run --release -p headwater-gpu --example
//! waves_speed -- 4096`. A step reads and writes a height and two fluxes for each cell, 24 bytes.

use headwater::waves::{Params, Waves};
use headwater::{Field, Square};
use headwater_gpu::waves::GpuWaves;
use headwater_gpu::{DeviceCopy, Gpu};
use std::error::Error;
use std::time::Instant;

/// Steps of one timed stretch.
const STEPS: u64 = 256;

/// Stretches, of which the middle one counts.
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let n: usize = std::env::args().nth(1).map_or(Ok(4096), |size| size.parse())?;
    let gpu = Gpu::new()?;
    println!("{}", gpu.adapter().name);
    let params = Params { speed: 4.43, step: 0.1, damping: 0.001, ..Params::default() };
    let mut pond = Waves::new(Square::new(n, n, 1.0, 1.0)?, params)?;
    let surface = |x: usize, y: usize| 0.1 * (0.11 * x as f32).sin() * (0.07 * y as f32).cos();
    pond.set_surface(&Field::from_fn(n, n, surface))?;
    let mut waves = GpuWaves::new(&gpu, pond)?;
    let copy = DeviceCopy::new(&gpu, &vec![1.0; 3 * n * n])?;

    let (mut seconds, mut copying) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        gpu.wait()?;
        let start = Instant::now();
        waves.step_many(STEPS)?;
        gpu.wait()?;
        seconds.push(start.elapsed().as_secs_f64() / STEPS as f64);
        copying.push(copy.time(STEPS as usize)?.as_secs_f64() / STEPS as f64);
    }
    let middle = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let (step, copy_of_it) = (middle(seconds), middle(copying));
    let rate = (n * n) as f64 / step / 1e9;
    println!("{n} × {n}: {:.3} ms a step, {rate:.2} billion cell-steps/s", 1e3 * step);
    println!("a copy of as much takes {:.2} of that", copy_of_it / step);
    Ok(())
}
