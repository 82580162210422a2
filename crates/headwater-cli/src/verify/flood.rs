//! What is kept of a flood against exact solutions: greatest depths, when the water came and how long it stood, and
//! behind the front of a dam break its greatest speed, unit discharge and hazard.

use super::accuracy::trial;
use super::exact::{DamBreak, Exact};
use super::fields::worse;
use super::levels::{Setup, WITH_HEXAGONS};
use super::trial::Trial;
use super::{Case, Motion, Outcome, Row, on};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flood, Flow, STANDING_WATER_HAZARD_SPEED, View};
use headwater::{Edge, Field};

pub(super) fn cases() -> Vec<Case> {
    let cases = [
        on(&WITH_HEXAGONS, "flow/flood-stoker", |level, motion| {
            // Between the depth before the front and the one behind it.
            let rows =
                measure(level, motion, &trial("flow/stoker")?, 0.0015, [0.003, 0.01, 0.005])?;
            Ok(Outcome::of([rows.0, front(level, &rows.1)].concat()))
        }),
        on(&WITH_HEXAGONS, "flow/flood-thacker", |level, motion| {
            let trial = trial("flow/thacker-planar")?;
            Ok(Outcome::of(measure(level, motion, &trial, 0.01, [0.02, 0.03, 0.02])?.0))
        }),
        on(&WITH_HEXAGONS, "flow/flood-jump", jump),
    ];
    cases.into_iter().flatten().collect()
}

/// Moments at which the exact solution is looked at.
const MOMENTS: u32 = 4000;

/// What an exact solution has shown in a cell.
#[derive(Clone, Copy, Default)]
struct Seen {
    deepest: f64,
    arrival: Option<f64>,
    duration: f64,
}

impl Seen {
    fn of(exact: &dyn Exact, at: [f64; 2], depth: f64, until: f64) -> Self {
        let mut seen = Self::default();
        let moment = until / f64::from(MOMENTS);
        for i in 0..=MOMENTS {
            let time = moment * f64::from(i);
            let h = exact.depth(at, time);
            seen.deepest = seen.deepest.max(h);
            if h > depth {
                seen.arrival = seen.arrival.or(Some(time));
                seen.duration += if i < MOMENTS { moment } else { 0.0 };
            }
        }
        seen
    }
}

/// Runs a trial with its flood kept, and holds what is kept against the exact solution; `gates` are those of greatest
/// depths, arrivals and durations.
fn measure(
    level: Setup,
    motion: &dyn Motion,
    trial: &Trial,
    depth: f64,
    gates: [f64; 3],
) -> Result<(Vec<Row>, Flow)> {
    let mut flow = trial.world(level, trial.cells)?;
    flow.set_flood(Some(Flood { depth }))?;
    let until = trial.times.iter().copied().fold(0.0, f64::max);
    motion.until(&mut flow, until)?;
    let [deepest, arrival, duration] =
        [View::MaxDepth, View::Arrival, View::Duration].map(|view| flow.view(view));
    let [mut off, mut all, mut late, mut apart, mut reached] = [0.0; 5];
    for (cell, at) in trial.measured_cells(&flow) {
        let seen = Seen::of(&*trial.exact, at, depth, until);
        off += (f64::from(deepest[cell]) - seen.deepest).abs();
        all += seen.deepest;
        let came = Some(f64::from(arrival[cell])).filter(|&time| time >= 0.0);
        // What has not come by the end is late by what is left of the run at least.
        late += (came.unwrap_or(until) - seen.arrival.unwrap_or(until)).abs();
        apart += (f64::from(duration[cell]) - seen.duration).abs();
        reached += f64::from(u8::from(seen.arrival.is_some_and(|time| time > 0.0)));
    }
    let part = "over the run's length, mean of the cells it comes to";
    let over = reached * until;
    let figures = [
        ("depth", "relative L1 error of greatest depth".into(), off / all),
        ("arrival", format!("error of arrival {part}"), late / over),
        ("duration", format!("error of duration {part}"), apart / over),
    ];
    let row = |((what, metric, value), gate): ((&str, String, f64), f64)| {
        let name = format!("{}-{what}", trial.name.replace("/", "/flood-"));
        level.gated(&name, metric, value, gate)
    };
    Ok((figures.into_iter().zip(gates).map(row).collect(), flow))
}

/// Greatest speed, unit discharge and hazard in the cells that the front of a dam break has passed.
fn front(level: Setup, flow: &Flow) -> Vec<Row> {
    let dam = DamBreak::new(5.0, 0.005, 0.001);
    let [h, u] = dam.middle_state();
    let hazard = h * (u + f64::from(STANDING_WATER_HAZARD_SPEED));
    let kinds = [
        ("speed", "speed", View::MaxSpeed, u),
        ("discharge", "unit discharge", View::MaxUnitDischarge, h * u),
        ("hazard", "hazard", View::MaxHazard, hazard),
    ];
    let cells = |x: usize| {
        let x = flow.lattice().center(x, 0)[0];
        // Away from the dam, where it begins, and from where it ends.
        (dam.dam + 0.25..dam.dam + 5.5 * dam.shock_speed()).contains(&x)
    };
    let row = |(name, what, view, exact): (&str, &str, View, f64)| {
        let kept = flow.view(view);
        let off = (0..flow.lattice().nx()).filter(|&x| cells(x));
        let off: Vec<f64> = off.map(|x| (f64::from(kept[(x, 1)]) / exact - 1.0).abs()).collect();
        let mean = off.iter().sum::<f64>() / off.len() as f64;
        let metric = format!("mean error of greatest {what} behind the front");
        level.gated(&format!("flow/flood-stoker-{name}"), metric, mean, 0.01)
    };
    kinds.map(row).into()
}

/// Jumps that hardly move: their greatest unit discharge and hazard are those of one of their sides, and no peak between.
fn jump(level: Setup, motion: &dyn Motion) -> Result<Outcome> {
    let (mut discharge, mut hazard) = (0.0, 0.0);
    for speed in [-0.3, -0.05, 0.05, 0.3] {
        let off = peaks(level, motion, speed)?;
        (discharge, hazard) = (worse(discharge, off[0]), worse(hazard, off[1]));
    }
    let metric = "greatest of all cells off, worst of four jumps";
    Ok(Outcome::of([
        level.gated("flow/flood-jump-discharge", metric, discharge, 0.1),
        level.gated("flow/flood-jump-hazard", metric, hazard, 0.1),
    ]))
}

/// How far the greatest unit discharge and hazard around a jump that moves with a `speed` (m/s) are off.
fn peaks(level: Setup, motion: &dyn Motion, speed: f64) -> Result<[f64; 2]> {
    let g = 9.81_f64;
    let lattice = level.channel(300, 3, 0.5)?;
    let (nx, ny) = (lattice.nx(), lattice.ny());
    // Before it, and by Rankine and Hugoniot behind it.
    let (h, q) = (0.3, 2.0);
    let comes = q / h - speed;
    let froude = comes / (g * h).sqrt();
    let behind = 0.5 * h * ((1.0 + 8.0 * froude * froude).sqrt() - 1.0);
    let sides = [[h, q], [behind, behind * (speed + comes * h / behind)]];
    let field = |i: usize| {
        Field::from_fn(nx, ny, |x, y| sides[usize::from(lattice.center(x, y)[0] >= 75.0)][i] as f32)
    };
    let mut flow = level.world(lattice, 0.0, Field::new(nx, ny, 0.0), field(0))?;
    flow.set_unit_discharge(&field(1), &Field::new(nx, ny, 0.0))?;
    let stream =
        BoundaryKind::Stream { discharge: q.into(), along: 0.0.into(), level: Some(h.into()) };
    flow.set_boundary(Boundary::on_edge(Edge::West, stream))?;
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open))?;
    level.keep_even(&mut flow)?;
    flow.set_flood(Some(Flood { depth: 0.01 }))?;
    // Nothing from the edges is there by then.
    motion.until(&mut flow, 15.0)?;
    let near = |view| {
        let kept = flow.view(view);
        let kept = (nx / 2 - 30..nx / 2 + 30).map(|x| f64::from(kept[(x, 1)]));
        kept.fold(0.0, f64::max)
    };
    let standing = f64::from(STANDING_WATER_HAZARD_SPEED);
    let most = |of: fn([f64; 2], f64) -> f64| of(sides[0], standing).max(of(sides[1], standing));
    Ok([
        (near(View::MaxUnitDischarge) / most(|[_, q], _| q) - 1.0).abs(),
        (near(View::MaxHazard) / most(|[h, q], standing| q + standing * h) - 1.0).abs(),
    ])
}
