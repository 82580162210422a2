//! A channel with upright banks, six cells wide and askew to the grid, runs as deep as Manning's formula has it, over a sub-grid; without one
//! its banks are stairs, and hold it back.

use super::levels::Setup;
use super::{Case, Motion, Outcome, Row, on};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params, Physics, Source, Subgrid};
use headwater::{Edge, Field, Region, Square};

pub(super) fn cases() -> Vec<Case> {
    let levels = [Physics::ShallowWater, Physics::Inertial];
    let setups = levels.map(|physics| Setup::new(physics, Physics::ShallowWater));
    on(&setups, "flow/askew", |level, motion| {
        let (mut over, mut without) = (0.0_f64, 0.0_f64);
        for angle in [15.0, 26.57, 45.0] {
            over = over.max(channel(level, motion, angle, Some(SAMPLES))?.abs());
            without = without.max(channel(level, motion, angle, None)?.abs());
        }
        let what = "mean depth off, of a channel six cells wide at 15°, 26.6° and 45°";
        let stairs = "the same without a sub-grid";
        Ok(Outcome::of([
            Row::at_most(level.case("flow/askew"), what, over, 0.04),
            Row::at_most(level.case("flow/askew-stairs"), stairs, without, None),
        ]))
    })
}

/// Samples along a side of a cell.
const SAMPLES: usize = 8;
/// Cells along a side of the world, and their side (m).
const CELLS: usize = 120;
const CELL: f64 = 2.0;
/// Width of the channel (m), its fall, Manning's roughness of its bed (s/m^⅓), and depth of its water (m).
const WIDTH: f64 = 12.0;
const FALL: f64 = 0.02;
const MANNING: f64 = 0.03;
const DEPTH: f64 = 1.0;

/// By how much the mean depth is off in the middle of the channel, once it is steady.
fn channel(level: Setup, motion: &dyn Motion, angle: f64, samples: Option<usize>) -> Result<f64> {
    let (sin, cos) = angle.to_radians().sin_cos();
    let middle = 0.5 * CELL * CELLS as f64;
    let (half, head) = (0.5 * WIDTH, 0.9 * middle);
    // Along the channel and across it.
    let within = |x: f64, y: f64| {
        let [x, y] = [x - middle, y - middle];
        [x * cos + y * sin, y * cos - x * sin]
    };
    let ground = |cell: f64| {
        move |x: usize, y: usize| {
            let [along, across] = within((x as f64 + 0.5) * cell, (y as f64 + 0.5) * cell);
            let bank = if across.abs() <= half && along > -head { 0.0 } else { 5.0 };
            (10.0 - FALL * along + bank) as f32
        }
    };
    let lattice = Square::new(CELLS, CELLS, CELL, CELL)?;
    let (bed, subgrid) = match samples {
        None => (Field::from_fn(CELLS, CELLS, ground(CELL)), None),
        Some(k) => {
            let fine = Field::from_fn(k * CELLS, k * CELLS, ground(CELL / k as f64));
            let (bed, subgrid) = Subgrid::from_finer(lattice, &fine)?;
            (bed, Some(subgrid))
        }
    };
    let params = Params { level: level.physics, manning: MANNING, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, Field::new(CELLS, CELLS, 0.0))?;
    flow.set_subgrid(subgrid)?;
    for edge in Edge::ALL {
        flow.set_boundary(Boundary::whole(edge, BoundaryKind::Open))?;
    }
    let speed = DEPTH.powf(2.0 / 3.0) * FALL.sqrt() / MANNING;
    let spring = [middle - 0.9 * head * cos, middle - 0.9 * head * sin];
    flow.add_spring(Source::new(Region::disc(spring, 0.4 * WIDTH), WIDTH * DEPTH * speed))?;
    motion.until(&mut flow, 150.0)?;
    let (reach, mut volume) = (0.35 * middle, 0.0);
    for y in 0..CELLS {
        for x in 0..CELLS {
            let [along, _] = within((x as f64 + 0.5) * CELL, (y as f64 + 0.5) * CELL);
            // Cells that stand across the ends count in part.
            let part = (0.5 + (reach - along.abs()) / CELL).clamp(0.0, 1.0);
            volume += part * f64::from(flow.state().depth[(x, y)]) * CELL * CELL;
        }
    }
    Ok(volume / (2.0 * reach * WIDTH * DEPTH) - 1.0)
}
