//! What is kept of a flood against exact solutions: greatest depths, when the water came and how long it stood, and
//! behind the front of a dam break its greatest speed, unit discharge and hazard.

use super::accuracy::trial;
use super::exact::{DamBreak, Exact};
use super::levels::{Setup, WITH_HEXAGONS};
use super::trial::Trial;
use super::{Case, FROZEN, Motion, Outcome, Row, on};
use anyhow::Result;
use headwater::flow::{
    Boundary, BoundaryKind, Flood, Flow, HAZARD_OF_STANDING_WATER, Params, View,
};
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
    let (mut off, mut all, mut late, mut apart, mut reached) = (0.0, 0.0, 0.0, 0.0, 0.0);
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
    let name = |what: &str| level.case(&format!("{}-{what}", trial.name.replace("/", "/flood-")));
    let part = "over the run's length, mean of the cells it comes to";
    let rows = vec![
        Row::at_most(
            name("depth"),
            "relative L1 error of greatest depth",
            off / all,
            level.gate(gates[0]),
        ),
        Row::at_most(
            name("arrival"),
            format!("error of arrival {part}"),
            late / (reached * until),
            level.gate(gates[1]),
        ),
        Row::at_most(
            name("duration"),
            format!("error of duration {part}"),
            apart / (reached * until),
            level.gate(gates[2]),
        ),
    ];
    drop((deepest, arrival, duration));
    Ok((rows, flow))
}

/// Greatest speed, unit discharge and hazard in the cells that the front of a dam break has passed.
fn front(level: Setup, flow: &Flow) -> Vec<Row> {
    let dam = DamBreak::new(5.0, 0.005, 0.001);
    let [h, u] = dam.middle_state();
    let hazard = h * (u + f64::from(HAZARD_OF_STANDING_WATER));
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
        Row::at_most(
            level.case(&format!("flow/flood-stoker-{name}")),
            metric,
            mean,
            level.gate(0.01),
        )
    };
    kinds.map(row).into()
}

/// Jumps that hardly move: their greatest unit discharge and hazard are those of one of their sides, and no peak between.
fn jump(level: Setup, motion: &dyn Motion) -> Result<Outcome> {
    let mut worst = [0.0_f64; 2];
    for speed in [-0.3, -0.05, 0.05, 0.3] {
        for (worst, off) in worst.iter_mut().zip(peaks(level, motion, speed)?) {
            *worst = if off <= *worst { *worst } else { off };
        }
    }
    let row = |(what, off): (&str, f64)| {
        let off = if off.is_finite() { off } else { FROZEN };
        let name = level.case(&format!("flow/flood-jump-{what}"));
        Row::at_most(name, "greatest of all cells off, worst of four jumps", off, level.gate(0.1))
    };
    Ok(Outcome::of([("discharge", worst[0]), ("hazard", worst[1])].map(row)))
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
    let params = Params { level: level.physics, manning: 0.0, ..Params::default() };
    let mut flow = Flow::new(lattice, params, Field::new(nx, ny, 0.0), field(0))?;
    flow.set_unit_discharge(&field(1), &Field::new(nx, ny, 0.0))?;
    let stream =
        BoundaryKind::Stream { discharge: q.into(), along: 0.0.into(), level: Some(h.into()) };
    flow.set_boundary(Boundary::whole(Edge::West, stream))?;
    flow.set_boundary(Boundary::whole(Edge::East, BoundaryKind::Open))?;
    level.keep_even(&mut flow)?;
    flow.set_flood(Some(Flood { depth: 0.01 }))?;
    // Nothing from the edges is there by then.
    motion.until(&mut flow, 15.0)?;
    let near = |view| {
        let kept = flow.view(view);
        let kept = (nx / 2 - 30..nx / 2 + 30).map(|x| f64::from(kept[(x, 1)]));
        kept.fold(0.0, f64::max)
    };
    let standing = f64::from(HAZARD_OF_STANDING_WATER);
    let most = |of: fn([f64; 2], f64) -> f64| of(sides[0], standing).max(of(sides[1], standing));
    Ok([
        (near(View::MaxUnitDischarge) / most(|[_, q], _| q) - 1.0).abs(),
        (near(View::MaxHazard) / most(|[h, q], standing| q + standing * h) - 1.0).abs(),
    ])
}
