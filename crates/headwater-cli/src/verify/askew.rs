//! A channel with upright banks, six cells wide and askew to the grid, runs as deep as Manning's formula has it, over a sub-grid; without one
//! its banks are stairs, and hold it back. So it does with levees thinner than a cell along it, on a plain above its bed; and a lake behind a levee askew to the grid
//! stays there.

use super::fields::worst;
use super::levels::{LEVELS, Setup};
use super::{Case, FROZEN, Motion, Outcome, on};
use crate::noise::noise;
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Source, Subgrid};
use headwater::{Edge, Field, Region, Square};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = on(&LEVELS[..2], "flow/askew", |level, motion| {
        let off =
            |banks| worst([15.0, 26.57, 45.0].map(|angle| channel(level, motion, angle, banks)));
        let what = "mean depth off, of a channel six cells wide at 15°, 26.6° and 45°";
        let levees = "the same between levees half a cell thick, on a plain 2 m above its bed";
        let stairs = "the same without a sub-grid";
        Ok(Outcome::of([
            level.row("flow/askew", what, off(Banks::Within(None))?, 0.04),
            level.row("flow/askew-levees", levees, off(Banks::Within(Some(LEVEE)))?, 0.04),
            level.row("flow/askew-stairs", stairs, off(Banks::Stairs)?, None),
        ]))
    });
    cases.extend(on(&LEVELS[..2], "flow/levees", levees));
    cases
}

/// How the banks of the channel are given.
#[derive(Clone, Copy)]
enum Banks {
    /// By whole cells.
    Stairs,
    /// Within cells: a plateau, or levees of a thickness and on a plain above the bed (m).
    Within(Option<[f64; 2]>),
}

/// Levees of half a cell.
const LEVEE: [f64; 2] = [0.5 * CELL, 2.0];

/// Levees of `levees`, each with a lake behind it that stays, and goes over once it is higher.
const LEVEES: usize = 24;

/// Straight levees 3 m high and 0.3 to 3 cells thick, at any angle, from a seed: what a lake loses over them in a minute, whose level is below their crests. A
/// metre above, it must go over.
fn levees(level: Setup, motion: &dyn Motion) -> Result<Outcome> {
    let n = 24;
    let (mut lost, mut went) = (0.0_f64, f64::INFINITY);
    for seed in 0..LEVEES {
        let any = |i: usize| f64::from(noise(seed, 300 + i));
        let (way, off, thick) = (360.0 * any(0), 4.0 * any(1) - 2.0, 0.3 + 2.7 * any(2) * any(2));
        let (sin, cos) = way.to_radians().sin_cos();
        let ground = |x: usize, y: usize| {
            let [x, y] = [x, y].map(|i| (i as f64 + 0.5) / SAMPLES as f64 - 0.5 * n as f64);
            let across = x * cos + y * sin + off;
            if across.abs() < 0.5 * thick {
                3.0
            } else {
                -across.signum() as f32 * 0.5 * any(3) as f32
            }
        };
        let lattice = Square::new(n, n, CELL, CELL)?;
        let fine = Field::from_fn(SAMPLES * n, SAMPLES * n, ground);
        let (bed, subgrid) = Subgrid::from_raster(lattice, &fine)?;
        for crest in [2.9 * any(4).max(0.4), 4.0] {
            let behind = behind(&subgrid, &bed, [cos, sin], crest.min(2.9) as f32);
            let depth = Field::from_fn(n, n, |x, y| {
                let level = if behind[(x, y)] { crest as f32 } else { -9.0 };
                subgrid.depth_below(x, y, bed[(x, y)], level)
            });
            let mut flow = level.world(lattice, MANNING, bed.clone(), depth)?;
            flow.set_subgrid(Some(subgrid.clone()))?;
            motion.until(&mut flow, 60.0)?;
            let over = (0..n * n).filter(|i| !behind[(i % n, i / n)]);
            let over: f64 = over.map(|i| f64::from(flow.state().depth[(i % n, i / n)])).sum();
            let over = over * CELL * CELL;
            if crest < 3.0 { lost = lost.max(over) } else { went = went.min(over) }
        }
    }
    let lost = if went > 1.0 { lost } else { FROZEN };
    let what = format!("what a lake loses over {LEVEES} levees 0.3 to 3 cells thick (m³)");
    Ok(level.row("flow/levees", what, lost, 0.0).into())
}

/// The cells on one side of a levee, to which water at a level goes on from the corner that is farthest from it.
fn behind(subgrid: &Subgrid, bed: &Field<f32>, [cos, sin]: [f64; 2], level: f32) -> Field<bool> {
    let n = bed.nx();
    let far = |way: f64| if way > 0.0 { 0 } else { n - 1 };
    let mut behind = Field::new(n, n, false);
    let mut open = vec![(far(cos), far(sin))];
    while let Some((x, y)) = open.pop() {
        behind[(x, y)] = true;
        for next in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)] {
            let cells = [(x, y), next];
            if next.0 < n && next.1 < n && !behind[next] {
                let is_wet = subgrid.depth_below(next.0, next.1, bed[next], level) > 0.0;
                if is_wet && subgrid.connects(cells, cells.map(|at| bed[at]), level) {
                    open.push(next);
                }
            }
        }
    }
    behind
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
fn channel(level: Setup, motion: &dyn Motion, angle: f64, banks: Banks) -> Result<f64> {
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
            let bank = match banks {
                _ if across.abs() <= half && along > -head => 0.0,
                Banks::Within(Some([thick, plain]))
                    if across.abs() > half + thick && along > 6.0 - head =>
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
        Banks::Within(_) => {
            let k = SAMPLES;
            let fine = Field::from_fn(k * CELLS, k * CELLS, ground(CELL / k as f64));
            let (bed, subgrid) = Subgrid::from_raster(lattice, &fine)?;
            (bed, Some(subgrid))
        }
    };
    let mut flow = level.world(lattice, MANNING, bed, Field::new(CELLS, CELLS, 0.0))?;
    flow.set_subgrid(subgrid)?;
    for edge in Edge::ALL {
        flow.set_boundary(Boundary::on_edge(edge, BoundaryKind::Open))?;
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
    Ok((volume / (2.0 * reach * WIDTH * DEPTH) - 1.0).abs())
}
