//! Water runs over a levee askew to the grid as over a broad-crested weir: by the head over its crest.

use super::levels::Setup;
use super::{Case, Motion, Outcome, Row, on};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params, Physics, Subgrid};
use headwater::{Edge, Field, Square};

pub(super) fn cases() -> Vec<Case> {
    let levels = [Physics::ShallowWater, Physics::Inertial];
    let setups = levels.map(|physics| Setup::new(physics, Physics::ShallowWater));
    on(&setups, "flow/overtopped", |level, motion| {
        let (mut worst, mut thin) = (0.0_f64, 0.0_f64);
        for angle in [10.0, 30.0, 45.0] {
            worst = worst.max((head(level, motion, angle, 2.0)? - 1.0).abs());
            thin = thin.max((head(level, motion, angle, 0.3)? - 1.0).abs());
        }
        let what = "head over a levee two cells thick at 10°, 30° and 45°, off a weir's";
        let limit = if level.physics == Physics::Inertial { None } else { Some(0.15) };
        let thinner = "the same of a levee 0.3 cells thick";
        let limit_thin = if level.physics == Physics::Inertial { None } else { Some(0.25) };
        Ok(Outcome::of([
            Row::at_most(level.case("flow/overtopped"), what, worst, limit),
            Row::at_most(level.case("flow/overtopped-thin"), thinner, thin, limit_thin),
        ]))
    })
}

/// Samples along a side of a cell.
const SAMPLES: usize = 8;
/// Columns and rows of the channel, and the side of its cells (m).
const CELLS: [usize; 2] = [60, 24];
const CELL: f64 = 2.0;
/// Height of the crest above the floor (m), and what comes (m²/s).
const CREST: f64 = 1.0;
const COMES: f64 = 0.5;

/// The head over a levee so many cells thick once it is steady, of that of a broad-crested weir as long as the levee, `q = (2/3)^(3/2)·√g·h^(3/2)`.
fn head(level: Setup, motion: &dyn Motion, angle: f64, thick: f64) -> Result<f64> {
    let [nx, ny] = CELLS;
    let (sin, cos) = angle.to_radians().sin_cos();
    let lattice = Square::new(nx, ny, CELL, CELL)?;
    // Cells from the levee's middle.
    let across = |x: f64, y: f64| (x - 0.6 * nx as f64) * cos + (y - 0.5 * ny as f64) * sin;
    let fine = Field::from_fn(SAMPLES * nx, SAMPLES * ny, |x, y| {
        let [x, y] = [x, y].map(|i| (i as f64 + 0.5) / SAMPLES as f64);
        if across(x, y).abs() < 0.5 * thick { CREST as f32 } else { 0.0 }
    });
    let (bed, subgrid) = Subgrid::from_finer(lattice, &fine)?;
    let depth = Field::from_fn(nx, ny, |x, y| {
        let behind = across(x as f64 + 0.5, y as f64 + 0.5) < 0.0;
        let filled = subgrid.depth_below(x, y, bed[(x, y)], 0.9 * CREST as f32);
        if behind { filled } else { 0.0 }
    });
    let params = Params { level: level.physics, manning: 0.01, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    flow.set_subgrid(Some(subgrid))?;
    let comes = BoundaryKind::Inflow { discharge: COMES.into() };
    flow.set_boundary(Boundary::whole(Edge::West, comes))?;
    flow.set_boundary(Boundary::whole(Edge::East, BoundaryKind::Open))?;
    motion.until(&mut flow, 300.0)?;
    let surface = flow.state().surface(nx / 6, ny / 2);
    // A levee askew is longer than the channel is wide.
    let over = COMES * cos;
    let weir = (2.0_f64 / 3.0).powf(1.5) * 9.81_f64.sqrt();
    Ok((f64::from(surface) - CREST) / (over / weir).powf(2.0 / 3.0))
}
