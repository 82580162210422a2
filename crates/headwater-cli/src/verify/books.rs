//! The books of `flow`, held for long on worlds where what is rounded would lean to one side: alike cells, rain on all of
//! them, a river through flat ground, and everything at once.

use super::levels::{SETUPS, Setup};
use super::{Case, FROZEN, Motion, Outcome, on};
use crate::noise::noise;
use anyhow::Result;
use headwater::flow::{
    Amount, Boundary, BoundaryKind, Change, Edit, Flow, Params, Rain, Soil, Source,
};
use headwater::{Brush, Edge, Field, Region};

/// What is off the books, as a part of the water handled.
const LIMIT: f64 = 1e-9;

/// How much more that may be after ten times as many steps.
const GROWTH: f64 = 1e-10;

/// Steps in a run that every change is checked by, and in a long one.
const STEPS: [u64; 2] = [10_000, 1_000_000];

pub(super) fn cases() -> Vec<Case> {
    of_length("", STEPS[0])
}

/// The same for a hundred times as many steps.
pub(super) fn long_cases() -> Vec<Case> {
    of_length("-long", STEPS[1])
}

/// What is asked of the books.
type Ask = fn(&mut Flow) -> Result<()>;

fn of_length(suffix: &'static str, steps: u64) -> Vec<Case> {
    let asks: [(&str, Ask); 4] =
        [("uniform", |_| Ok(())), ("rain", rain), ("river", river), ("soak", soak)];
    let cases = asks.map(|(name, ask)| {
        let name = format!("flow/volume-{name}{suffix}");
        let row = name.clone();
        let edits = ask as usize == soak as Ask as usize;
        on(&SETUPS, &name, move |setup, motion| {
            let mut flow = alike(setup)?;
            ask(&mut flow)?;
            measure(setup, motion, &row, flow, steps, edits)
        })
    });
    cases.into_iter().flatten().collect()
}

/// Noise terrain with as much water in every cell.
fn alike(setup: Setup) -> Result<Flow> {
    let (nx, ny) = (48, 40);
    let bed = Field::from_fn(nx, ny, |x, y| 0.4 * noise(x / 6, y / 6) + 0.1 * noise(x, y));
    let params = Params { level: setup.physics, friction: 0.05, ..Params::default() };
    Ok(Flow::new(setup.lattice(nx, ny, 2.0)?, params, bed, Field::new(nx, ny, 0.2))?)
}

fn rain(flow: &mut Flow) -> Result<()> {
    Ok(flow.set_rain(Some(Rain { rate: 200.0.into(), map: None }))?)
}

fn river(flow: &mut Flow) -> Result<()> {
    let inflow = BoundaryKind::Inflow { discharge: 0.05.into() };
    flow.set_boundary(Boundary::on_edge(Edge::North, inflow))?;
    Ok(flow.set_boundary(Boundary::on_edge(Edge::South, BoundaryKind::Open))?)
}

/// All that gives and takes water.
fn soak(flow: &mut Flow) -> Result<()> {
    river(flow)?;
    let (width, height) = (flow.lattice().width(), flow.lattice().height());
    flow.add_spring(Source::new(Region::disc([0.3 * width, 0.5 * height], 4.0), 0.3))?;
    flow.add_drain(Source::new(Region::disc([0.7 * width, 0.5 * height], 4.0), 0.3))?;
    flow.set_rain(Some(Rain { rate: 20.0.into(), map: None }))?;
    flow.set_evaporation(Some(3.0.into()))?;
    Ok(flow.set_soil(Some(Soil {
        rate: 4.0,
        capacity: Some(0.02),
        seepage: 0.5,
        ..Soil::default()
    }))?)
}

/// Runs it for a tenth of the steps, and for all.
fn measure(
    setup: Setup,
    motion: &dyn Motion,
    name: &str,
    mut flow: Flow,
    steps: u64,
    edits: bool,
) -> Result<Outcome> {
    let dt = 0.9 * flow.stable_dt();
    let (steps, parts) = (motion.long(steps), 20);
    // Water that is there, and not where it was: edits alone would move some.
    let (mut first, mut moved) = (0.0, false);
    for part in 0..parts {
        let before = flow.state().depth.clone();
        setup.go(&mut flow, motion, steps / parts, dt)?;
        moved |= flow.state().depth != before && flow.volume() > 0.0;
        if edits {
            edit(&mut flow, part as usize)?;
        }
        if part + 1 == parts / 10 {
            first = off(&flow);
        }
    }
    let (last, growth) = match moved {
        true => (off(&flow), off(&flow) - first),
        false => (FROZEN, FROZEN),
    };
    let steps = format!("{:e}", steps as f64);
    let metric = format!("|residual| over volume handled, {steps} steps");
    let grown = format!("growth of that in the last decade, {steps} steps");
    Ok(Outcome::of([
        setup.row(name, metric, last, LIMIT),
        setup.row(&format!("{name}-growth"), grown, growth, GROWTH),
    ]))
}

fn off(flow: &Flow) -> f64 {
    flow.balance().residual_relative.abs()
}

/// Digs, piles up, pours or takes, here and there.
fn edit(flow: &mut Flow, i: usize) -> Result<()> {
    let at = [90.0 * f64::from(noise(i, 1)), 70.0 * f64::from(noise(i, 2))];
    let edit = match i % 4 {
        0 => Edit::Lower(Change::By(0.3)),
        1 => Edit::Raise(Change::By(0.3)),
        2 => Edit::Pour(Amount::Volume(20.0)),
        _ => Edit::Remove(Amount::Depth(0.1)),
    };
    flow.edit(&Brush::soft(at, 8.0), edit)?;
    Ok(())
}
