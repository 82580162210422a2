//! A solitary wave on a beach of 1:19.85, after Synolakis (1987): how high it runs up, from waves that do not break to
//! bores.

use super::levels::{Setup, WITH_HEXAGONS};
use super::{Case, FROZEN, Motion, Outcome, Row, on};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flood, Flow, Params, View};
use headwater::{Edge, Field};

/// The other levels know no bores, and are left out.
pub(super) fn cases() -> Vec<Case> {
    on(&WITH_HEXAGONS[..2], "flow/run-up", |level, motion| {
        let rows = HEIGHTS.into_iter().map(|height| run_up(height, level, motion));
        Ok(Outcome::of(rows.collect::<Result<Vec<_>>>()?))
    })
}

/// Heights of the wave, as parts of the depth, which is 1 m.
const HEIGHTS: [f64; 7] = [0.005, 0.01, 0.019, 0.04, 0.1, 0.3, 0.6];

/// The beach rises by 1 m on so many.
const COT: f64 = 19.85;

/// Manning's n (s/m^⅓) below waves that break: their law is that of a flume, smooth as glass.
const FLUME: f64 = 0.009;

/// Whether a wave breaks on its way up.
fn breaks(height: f64) -> bool {
    height > 0.8183 * COT.powf(-10.0 / 9.0)
}

/// How high a wave runs up (m). Unbroken, as water without friction does: `2.831·√cot β·H^1.25`; broken, as measured: `1.109·H^0.582`.
fn law(height: f64) -> f64 {
    if breaks(height) { 1.109 * height.powf(0.582) } else { 2.831 * COT.sqrt() * height.powf(1.25) }
}

fn run_up(height: f64, level: Setup, motion: &dyn Motion) -> Result<Row> {
    let exact = law(height);
    // The run-up goes over 20 cells; bores are a cell or two wide anyway.
    let side = (exact * COT / 20.0).min(0.1);
    // The edge lies half a wave before the beach, as the crest did when measurements began.
    let narrow = (0.75 * height).sqrt();
    let toe = 20.0_f64.sqrt().acosh() / narrow;
    let columns = ((toe + COT * (1.0 + 1.6 * exact)) / side).ceil() as usize;
    let lattice = level.channel(columns, 1, side)?;
    let (columns, rows) = (lattice.nx(), lattice.ny());
    let bed = Field::from_fn(columns, rows, |x, y| {
        (-1.0 + ((lattice.center(x, y)[0] - toe) / COT).max(0.0)) as f32
    });
    let manning = if breaks(height) { FLUME } else { 0.0 };
    let params = Params { level: level.physics, manning, theta: 1.0, ..Params::default() };
    let depth = bed.map(|z| (-z).max(0.0));
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    let celerity = (9.81 * (1.0 + height)).sqrt();
    let crest = 3.0 / (narrow * celerity);
    let wave = BoundaryKind::Solitary { level: 0.0, height, depth: 1.0, time: crest };
    flow.set_boundary(Boundary::whole(Edge::West, wave))?;
    level.keep_even(&mut flow)?;
    // The tongue ends where it is thinner than this.
    let tongue = 0.02 * exact;
    flow.set_flood(Some(Flood { depth: tongue }))?;
    let still = 9.81_f64.sqrt();
    motion.until(&mut flow, 3.0 * crest + (toe + 8.0 * COT) / still)?;
    let (deepest, highest) = (flow.view(View::MaxDepth), flow.view(View::MaxLevel));
    let wet = (0..columns).filter(|&x| f64::from(deepest[(x, 0)]) > tongue);
    let found = wet.map(|x| f64::from(highest[(x, 0)])).fold(f64::MIN, f64::max);
    let error = (found / exact - 1.0).abs();
    let error = if error.is_finite() { error } else { FROZEN };
    let metric = format!("run-up of a wave of {height} d, {exact:.4} d by law, off by a part of");
    Ok(Row::at_most(level.case(&format!("flow/run-up-{height}")), metric, error, level.gate(0.08)))
}
