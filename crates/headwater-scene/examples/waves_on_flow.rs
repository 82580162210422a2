//! Example of coupled models: ring waves on a river, advected by its current.
//!
//! `cargo run --release -p headwater-scene --example waves_on_flow -- FOLDER` writes one picture
//! per simulated second to `FOLDER`.

use headwater::coupling::WavesOnFlow;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params, Physics, RelaxationParams};
use headwater::{Edge, Field, Square, waves};
use headwater_scene::picture::{Floor, PoolPainter, PoolStyle, PoolView, write_png};
use std::error::Error;
use std::path::PathBuf;

/// Numbers of columns and rows, and cell size (m).
const GRID: (usize, usize, f64) = (240, 120, 0.25);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: waves_on_flow FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    let mut river = river()?;
    let mut rings =
        WavesOnFlow::new(&river, waves::Params { damping: 0.15, ..Default::default() })?;
    let style = PoolStyle {
        width: 640,
        floor: Floor::Pebbles,
        grain: Some(0.7),
        exaggeration: 6.0,
        ..PoolStyle::default()
    };
    let mut painter = PoolPainter::new(style, &PoolView::from_waves(rings.waves(), &[]))?;
    let middle = [20.0, river_axis_y(20.0)];
    for second in 0..12 {
        // Drop a stone at a fixed point. The current advects the rings.
        if second % 2 == 0 {
            rings.waves_mut().add_drop(middle, 1.8, 0.4)?;
        }
        for _ in 0..30 {
            rings.advance(&mut river, 1.0 / 30.0)?;
        }
        let picture = painter.paint(&PoolView::from_waves(rings.waves(), &[]));
        write_png(folder.join(format!("river-{:02}.png", second + 1)), &picture)?;
    }
    let [east, _] = river.velocity_at(middle).ok_or("the stones are outside the river")?;
    println!("velocity of the river at the stones: {east:.2} m/s");
    println!("mean level of the waves: {} m", rings.waves().mean_level());
    Ok(())
}

/// Returns the distance of the river's axis from the northern edge (m), given the distance from the
/// western edge (m).
fn river_axis_y(x: f64) -> f64 {
    let (_, ny, cell) = GRID;
    0.5 * ny as f64 * cell + 3.5 * (x * std::f64::consts::TAU / 60.0).sin()
}

/// Creates a river in steady state, 1.2 m deep and 14 m wide, with a slope of 0.002 and a large
/// stone in it.
fn river() -> Result<Flow, Box<dyn Error>> {
    let (nx, ny, cell) = GRID;
    let lattice = Square::new(nx, ny, cell, cell)?;
    let bed = Field::from_fn(nx, ny, |x, y| {
        let [east, south] = lattice.center(x, y);
        let aside = (south - river_axis_y(east)) / 7.0;
        let stone = 2.0 - 0.9 * (east - 38.0).hypot(south - river_axis_y(38.0) - 1.0);
        ((1.2 * aside * aside - 1.2).max(stone).min(3.0) - 0.002 * east) as f32
    });
    let depth = Field::from_fn(nx, ny, |x, y| {
        let level = -0.002 * (x as f64 + 0.5) * cell;
        (level as f32 - bed[(x, y)]).max(0.0)
    });
    let params = Params { level: Physics::Inertial, manning: 0.03, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    let (source, mouth) = (river_axis_y(0.0), river_axis_y(nx as f64 * cell));
    let inflow = BoundaryKind::Inflow { discharge: 1.0.into() };
    flow.set_boundary(Boundary::on_segment(Edge::West, source - 5.0, source + 5.0, inflow))?;
    let level = -0.002 * nx as f64 * cell;
    let lower = BoundaryKind::Stage { level: level.into() };
    flow.set_boundary(Boundary::on_segment(Edge::East, mouth - 7.0, mouth + 7.0, lower))?;
    flow.relax_to_steady(RelaxationParams { tolerance: 1e-3, ..RelaxationParams::default() })?;
    Ok(flow)
}
