//! Test cases for normal flow in a channel with vertical banks, six cells wide and oblique to the
//! grid.
//!
//! With sub-grid topography, the depth must follow Manning's formula. Without it, the banks are
//! staircases that slow the flow. In a second channel, the banks are levees that are thinner than a
//! cell and stand on a plain above the bed; the depth must follow the formula there too. Further
//! cases check that an oblique levee retains a lake.

use super::levels::{LEVELS, Setup};
use crate::noise::noise;
use crate::verify::norms::max_of_errors;
use crate::verify::{Case, FROZEN, Outcome, Stepper, cases_for_setups};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Source, Subgrid};
use headwater::{Edge, Field, Region, Square};

pub(in crate::verify) fn cases() -> Vec<Case> {
    let mut cases = cases_for_setups(&LEVELS[..2], "flow/askew", |setup, stepper| {
        let off = |banks| {
            max_of_errors(
                [15.0, 26.57, 45.0].map(|angle| channel_depth_error(setup, stepper, angle, banks)),
            )
        };
        let what = "relative error of mean depth, channel six cells wide at 15°, 26.6° and 45°";
        let levees = "same between levees half a cell thick, on a plain 2 m above the bed";
        let stairs = "same without sub-grid topography";
        Ok(Outcome::from_rows([
            setup.row("flow/askew", what, off(Banks::WithinCells(None))?, 0.04),
            setup.row("flow/askew-levees", levees, off(Banks::WithinCells(Some(LEVEE)))?, 0.04),
            setup.row("flow/askew-stairs", stairs, off(Banks::Stairs)?, None),
        ]))
    });
    cases.extend(cases_for_setups(&LEVELS[..2], "flow/levees", measure_levee_loss));
    cases
}

/// Representation of the channel's banks on the grid.
#[derive(Clone, Copy)]
enum Banks {
    /// Banks as staircases of whole cells.
    Stairs,
    /// Banks resolved by sub-grid topography. `None`: a plateau on each side of the channel.
    /// `Some([thickness, height])`: levees of this thickness (m), which stand on a plain at this
    /// height (m) above the channel bed.
    WithinCells(Option<[f64; 2]>),
}

/// Thickness of the levees (half a cell, m), and height of the plain on which they stand above the
/// channel bed (m).
const LEVEE: [f64; 2] = [0.5 * CELL, 2.0];

/// Number of random levees in the levee case.
const LEVEES: usize = 24;

/// Measures the volume that a lake loses in one minute through straight levees while its level is
/// below their crests. The levees are 3 m high, 0.3 to 3 cells thick and at random angles. A second
/// run, with the water level 1 m above the crest, must overflow.
fn measure_levee_loss(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let n = 24;
    let (mut lost, mut overflow) = (0.0_f64, f64::INFINITY);
    for seed in 0..LEVEES {
        let random = |i: usize| f64::from(noise(seed, 300 + i));
        let (angle, off, thickness) =
            (360.0 * random(0), 4.0 * random(1) - 2.0, 0.3 + 2.7 * random(2) * random(2));
        let (sin, cos) = angle.to_radians().sin_cos();
        let ground = |x: usize, y: usize| {
            let [x, y] = [x, y].map(|i| (i as f64 + 0.5) / SAMPLES as f64 - 0.5 * n as f64);
            let across = x * cos + y * sin + off;
            if across.abs() < 0.5 * thickness {
                3.0
            } else {
                -across.signum() as f32 * 0.5 * random(3) as f32
            }
        };
        let lattice = Square::new(n, n, CELL, CELL)?;
        let fine = Field::from_fn(SAMPLES * n, SAMPLES * n, ground);
        let (bed, subgrid) = Subgrid::from_raster(lattice, &fine)?;
        for crest in [2.9 * random(4).max(0.4), 4.0] {
            let behind = cells_behind_levee(&subgrid, &bed, [cos, sin], crest.min(2.9) as f32);
            let depth = Field::from_fn(n, n, |x, y| {
                let level = if behind[(x, y)] { crest as f32 } else { -9.0 };
                subgrid.depth_at_level(x, y, bed[(x, y)], level)
            });
            let mut flow = setup.world(lattice, MANNING, bed.clone(), depth)?;
            flow.set_subgrid(Some(subgrid.clone()))?;
            stepper.run_until(&mut flow, 60.0)?;
            let over = (0..n * n).filter(|i| !behind[(i % n, i / n)]);
            let over: f64 = over.map(|i| f64::from(flow.state().depth[(i % n, i / n)])).sum();
            let over = over * CELL * CELL;
            if crest < 3.0 { lost = lost.max(over) } else { overflow = overflow.min(over) }
        }
    }
    let lost = if overflow > 1.0 { lost } else { FROZEN };
    let what = format!("loss of a lake over {LEVEES} levees 0.3 to 3 cells thick (m³)");
    Ok(setup.row("flow/levees", what, lost, 0.0).into())
}

/// Returns a field in which the cells of the lake behind a levee are true. The lake starts in the
/// corner of the world farthest behind the levee. From there it covers all connected cells whose
/// ground is below the water level `level` (m). `[cos, sin]` is the unit normal of the levee, which
/// points away from this corner.
fn cells_behind_levee(
    subgrid: &Subgrid,
    bed: &Field<f32>,
    [cos, sin]: [f64; 2],
    level: f32,
) -> Field<bool> {
    let n = bed.nx();
    let far = |angle: f64| if angle > 0.0 { 0 } else { n - 1 };
    let mut behind = Field::new(n, n, false);
    let mut open = vec![(far(cos), far(sin))];
    while let Some((x, y)) = open.pop() {
        behind[(x, y)] = true;
        for next in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)] {
            let cells = [(x, y), next];
            if next.0 < n && next.1 < n && !behind[next] {
                let is_wet = subgrid.depth_at_level(next.0, next.1, bed[next], level) > 0.0;
                if is_wet && subgrid.connects(cells, cells.map(|at| bed[at]), level) {
                    open.push(next);
                }
            }
        }
    }
    behind
}

/// Number of sub-grid samples along each side of a cell.
const SAMPLES: usize = 8;
/// Number of cells along each side of the world.
const CELLS: usize = 120;
/// Cell size (m).
const CELL: f64 = 2.0;
/// Width of the channel (m).
const WIDTH: f64 = 12.0;
/// Bed slope of the channel (dimensionless).
const FALL: f64 = 0.02;
/// Manning's roughness coefficient of the channel (s/m^⅓).
const MANNING: f64 = 0.03;
/// Depth of the water in the channel (m).
const DEPTH: f64 = 1.0;

/// Returns the relative error of the mean depth in the middle of the channel in steady state. The
/// angle between the channel and the grid is `angle` (degrees).
fn channel_depth_error(
    setup: Setup,
    stepper: &dyn Stepper,
    angle: f64,
    banks: Banks,
) -> Result<f64> {
    let (sin, cos) = angle.to_radians().sin_cos();
    let middle = 0.5 * CELL * CELLS as f64;
    let (half, head) = (0.5 * WIDTH, 0.9 * middle);
    // Coordinates along and across the channel.
    let within = |x: f64, y: f64| {
        let [x, y] = [x - middle, y - middle];
        [x * cos + y * sin, y * cos - x * sin]
    };
    let ground = |cell: f64| {
        move |x: usize, y: usize| {
            let [along, across] = within((x as f64 + 0.5) * cell, (y as f64 + 0.5) * cell);
            let bank = match banks {
                _ if across.abs() <= half && along > -head => 0.0,
                Banks::WithinCells(Some([thickness, plain]))
                    if across.abs() > half + thickness && along > 6.0 - head =>
                {
                    plain
                }
                _ => 5.0,
            };
            (10.0 - FALL * along + bank) as f32
        }
    };
    let lattice = Square::new(CELLS, CELLS, CELL, CELL)?;
    let (bed, subgrid) = match banks {
        Banks::Stairs => (Field::from_fn(CELLS, CELLS, ground(CELL)), None),
        Banks::WithinCells(_) => {
            let k = SAMPLES;
            let fine = Field::from_fn(k * CELLS, k * CELLS, ground(CELL / k as f64));
            let (bed, subgrid) = Subgrid::from_raster(lattice, &fine)?;
            (bed, Some(subgrid))
        }
    };
    let mut flow = setup.world(lattice, MANNING, bed, Field::new(CELLS, CELLS, 0.0))?;
    flow.set_subgrid(subgrid)?;
    for edge in Edge::ALL {
        flow.set_boundary(Boundary::on_edge(edge, BoundaryKind::Open))?;
    }
    let speed = DEPTH.powf(2.0 / 3.0) * FALL.sqrt() / MANNING;
    let spring = [middle - 0.9 * head * cos, middle - 0.9 * head * sin];
    flow.add_spring(Source::new(Region::disc(spring, 0.4 * WIDTH), WIDTH * DEPTH * speed))?;
    stepper.run_until(&mut flow, 150.0)?;
    let (reach, mut volume) = (0.35 * middle, 0.0);
    for y in 0..CELLS {
        for x in 0..CELLS {
            let [along, _] = within((x as f64 + 0.5) * CELL, (y as f64 + 0.5) * CELL);
            // Cells across the ends count partially.
            let part = (0.5 + (reach - along.abs()) / CELL).clamp(0.0, 1.0);
            volume += part * f64::from(flow.state().depth[(x, y)]) * CELL * CELL;
        }
    }
    Ok((volume / (2.0 * reach * WIDTH * DEPTH) - 1.0).abs())
}
