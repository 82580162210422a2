//! Measures the CPU time per frame that water entities add to an empty app. It runs two apps, one
//! with water and one without, and alternates between them frame by frame. Nothing is rendered.
//! Command: `cargo run --release -p bevy_headwater --example cost`

use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::time::TimeUpdateStrategy;
use bevy::winit::WinitPlugin;
use bevy_headwater::headwater::flow::{Flow, Params};
use bevy_headwater::headwater::{Field, InputError, Square};
use bevy_headwater::prelude::*;
use std::time::{Duration, Instant};

/// Duration of a frame: one fixed time step (1/64 s).
const FRAME: Duration = Duration::from_micros(15_625);
const ROUNDS: usize = 60;

fn app_with_flow(flow: Option<Flow>) -> App {
    let render_creation =
        RenderCreation::Automatic(Box::new(WgpuSettings { backends: None, ..default() }));
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(RenderPlugin { render_creation, ..default() })
            .disable::<WinitPlugin>()
            .disable::<bevy::log::LogPlugin>(),
    )
    .add_plugins(HeadwaterPlugin::default())
    .insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    if let Some(flow) = flow {
        app.world_mut().spawn((Water(flow), WaterSurface::default()));
    }
    app.finish();
    app.cleanup();
    (0..40).for_each(|_| app.update());
    app
}

/// Creates a lake at rest with islands, on a grid of `n` × `n` cells.
fn lake_at_rest(n: usize) -> Result<Flow, InputError> {
    let bed = Field::from_fn(n, n, |x, y| 3.0 * (0.05 * x as f32).sin() * (0.04 * y as f32).cos());
    let depth = bed.map(|&z| (1.0 - z).max(0.0));
    Flow::new(Square::new(n, n, 1.0, 1.0)?, Params::default(), bed, depth)
}

/// Creates a lake with a flat bed and waves everywhere, on a grid of `n` × `n` cells.
fn lake_with_waves(n: usize) -> Result<Flow, InputError> {
    let bed = Field::new(n, n, 0.0);
    let depth =
        Field::from_fn(n, n, |x, y| 2.0 + 0.5 * (0.2 * x as f32).sin() * (0.17 * y as f32).cos());
    Flow::new(Square::new(n, n, 1.0, 1.0)?, Params::default(), bed, depth)
}

/// Returns the median of the given times (ms).
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> Result<(), InputError> {
    let [mut empty, mut rests, mut moves] = [
        app_with_flow(None),
        app_with_flow(Some(lake_at_rest(2048)?)),
        app_with_flow(Some(lake_with_waves(512)?)),
    ];
    let mut alone = lake_with_waves(512)?;
    (0..40).try_for_each(|_| alone.advance(FRAME.as_secs_f64()).map(|_| ()))?;
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..ROUNDS {
        for (app, times) in [&mut empty, &mut rests, &mut moves].into_iter().zip(&mut times) {
            let begin = Instant::now();
            app.update();
            times.push(1e3 * begin.elapsed().as_secs_f64());
        }
        let begin = Instant::now();
        alone.advance(FRAME.as_secs_f64())?;
        times[3].push(1e3 * begin.elapsed().as_secs_f64());
    }
    let [empty, rests, moves, step] = times.map(median);
    println!("an empty app:          {empty:8.3} ms a frame");
    println!("2048² at rest:         {:+8.3} ms", rests - empty);
    println!("512² in motion:        {:+8.3} ms, of which the step is {step:.3} ms", moves - empty);
    println!("beside the step:       {:+8.3} ms", moves - empty - step);
    Ok(())
}
