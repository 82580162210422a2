//! The cases of `flow`.

use super::{Row, Steps};
use anyhow::Result;
use headwater::flow::{
    Amount, Boundary, BoundaryKind, Change, Edit, Flow, Params, Rain, Soil, Source,
};
use headwater::{Brush, Cause, Edge, Field, Region, Series, Square};

type Measure = fn(Steps) -> Result<Vec<Row>>;

pub(super) const CASES: [(&str, Measure); 7] = [
    ("flow/rest", rest),
    ("flow/volume", volume),
    ("flow/nonnegative", nonnegative),
    ("flow/resume", resume),
    ("flow/threads", threads),
    ("flow/level", level),
    ("flow/symmetry", symmetry),
];

/// Steps of the long cases.
const LONG: u64 = 100_000;

/// A figure that no limit admits, for a world that did not move at all.
const FROZEN: f64 = f64::INFINITY;

/// A lake at rest over a rough bed with dry islands, heights to 10 m, 10⁵ steps: nothing may stir.
/// Then a centimetre more in one place must spread, or the world is merely frozen.
fn rest(steps: Steps) -> Result<Vec<Row>> {
    let n = 128;
    let level = 7.0;
    let bed = Field::from_fn(n, n, |x, y| 10.0 * (0.7 * hash(x / 9, y / 9) + 0.3 * hash(x, y)));
    let depth = bed.map(|z| (level - z).max(0.0));
    let mut flow = Flow::new(Square::new(n, n, 1.0, 1.0)?, Params::default(), bed, depth)?;
    let before = flow.state().clone();
    let dt = flow.stable_dt();
    steps(&mut flow, LONG, dt)?;
    let (mut drift, mut speed) = (0.0_f64, 0.0_f64);
    for y in 0..n {
        for x in 0..n {
            let moved = flow.state().surface(x, y) - before.surface(x, y);
            drift = drift.max(f64::from(moved.abs()));
            let [u, v] = flow.velocity(x, y);
            speed = speed.max(f64::from(u).hypot(f64::from(v)));
        }
    }
    let deepest = (0..n * n)
        .max_by(|a, b| before.depth.as_slice()[*a].total_cmp(&before.depth.as_slice()[*b]))
        .unwrap_or(0);
    let at = Square::center(flow.lattice(), deepest % n, deepest / n);
    flow.edit(&Brush::flat(Region::disc(at, 0.1)), Edit::Pour(Amount::Depth(0.01)))?;
    steps(&mut flow, 200, dt)?;
    let left = flow.state().depth.as_slice()[deepest] - before.depth.as_slice()[deepest];
    if left > 0.009 {
        (drift, speed) = (FROZEN, FROZEN);
    }
    Ok(vec![
        Row::at_most("flow/rest", "surface drift after 1e5 steps (m)", drift, 5e-6),
        Row::at_most("flow/rest-speed", "greatest speed after 1e5 steps (m/s)", speed, 1e-4),
    ])
}

/// Everything that brings and takes water at once, with an edit now and then, for 10⁵ steps.
fn volume(steps: Steps) -> Result<Vec<Row>> {
    let mut flow = busy(96, 80)?;
    let dt = 0.9 * flow.stable_dt();
    let edits = 100;
    for i in 0..edits {
        steps(&mut flow, LONG / edits, dt)?;
        let at = [f64::from(hash(i as usize, 1)) * 190.0, f64::from(hash(i as usize, 2)) * 150.0];
        let edit = match i % 6 {
            0 => Edit::Lower(Change::By(1.5)),
            1 => Edit::Raise(Change::By(1.5)),
            2 => Edit::Smooth { reach: 4.0, strength: 0.8 },
            3 => Edit::Pour(Amount::Volume(60.0)),
            4 => Edit::Remove(Amount::Depth(0.3)),
            _ => Edit::Flatten { level: None, strength: 0.5 },
        };
        flow.edit(&Brush::soft(at, 12.0), edit)?;
    }
    let ledger = flow.ledger();
    let moved = |cause| ledger.inflow(cause) + ledger.outflow(cause);
    let all = Cause::ALL.into_iter().all(|cause| moved(cause) > 0.0);
    let residual = if all { flow.balance().residual_relative.abs() } else { FROZEN };
    Ok(vec![Row::at_most("flow/volume", "|residual| over volume handled", residual, 1e-6)])
}

/// Thin sheets over steep, rough ground, where every cell runs dry again and again.
fn nonnegative(steps: Steps) -> Result<Vec<Row>> {
    let n = 128;
    let bed = Field::from_fn(n, n, |x, y| 60.0 * hash(x / 5, y / 5) + 8.0 * hash(x, y));
    let depth = Field::from_fn(n, n, |x, y| 2.0 * (hash(x + 7, y / 2) - 0.6).max(0.0));
    let start = depth.clone();
    let mut flow = Flow::new(Square::new(n, n, 1.0, 1.0)?, Params::default(), bed, depth)?;
    flow.set_rain(Some(Rain { rate: 500.0.into(), map: None }))?;
    let out = BoundaryKind::Outflow { discharge: 2.0.into() };
    flow.set_boundary(Boundary::whole(Edge::South, out))?;
    flow.set_boundary(Boundary::whole(Edge::East, BoundaryKind::Open))?;
    let dt = flow.stable_dt();
    let mut least = f32::INFINITY;
    for _ in 0..100 {
        steps(&mut flow, 50, dt)?;
        least = least.min(flow.state().depth.min_max().map_or(f32::NEG_INFINITY, |range| range.0));
    }
    let below = if flow.state().depth == start { FROZEN } else { f64::from(-least).max(0.0) };
    Ok(vec![Row::at_most("flow/nonnegative", "deepest below zero (m)", below, 0.0)])
}

/// A world saved and restored half way ends like one that ran on.
fn resume(steps: Steps) -> Result<Vec<Row>> {
    let mut on = busy(80, 60)?;
    let start = on.state_hash();
    let dt = on.stable_dt();
    steps(&mut on, 500, dt)?;
    let saved = serde_json::to_vec(&on.snapshot())?;
    let mut again = Flow::restore(serde_json::from_slice(&saved)?)?;
    for flow in [&mut on, &mut again] {
        steps(flow, 500, dt)?;
    }
    let moved = on.state_hash() != start;
    let same = moved && on.state_hash() == again.state_hash() && on.ledger() == again.ledger();
    Ok(vec![Row::at_most("flow/resume", "worlds that differ", f64::from(!same), 0.0)])
}

/// 1, 2, 3 and 8 threads, and the plain loops, give the same bits.
fn threads(steps: Steps) -> Result<Vec<Row>> {
    let world = busy(300, 200)?;
    let dt = world.stable_dt();
    let mut plain = world.clone();
    for _ in 0..200 {
        plain.step_plain(dt)?;
    }
    let mut differ = 0;
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut flow = world.clone();
        pool.install(|| steps(&mut flow, 200, dt))?;
        differ += u32::from(flow.state_hash() != plain.state_hash());
    }
    let metric = "thread counts that differ from the plain loops";
    Ok(vec![Row::at_most("flow/threads", metric, f64::from(differ), 0.0)])
}

/// Two basins, one full and one dry, joined by a trench, level out.
fn level(steps: Steps) -> Result<Vec<Row>> {
    let (nx, ny) = (60, 30);
    let wall = |x: usize| if (28..32).contains(&x) { 5.0 } else { 0.0 };
    let bed = Field::from_fn(nx, ny, |x, _| wall(x));
    let depth = Field::from_fn(nx, ny, |x, _| if x < 28 { 3.0 } else { 0.0 });
    let params = Params { friction: 0.3, ..Params::default() };
    let mut flow = Flow::new(Square::new(nx, ny, 1.0, 1.0)?, params, bed, depth)?;
    let dt = flow.stable_dt();
    steps(&mut flow, 500, dt)?;
    let held = flow.volume_in(&Region::rect([32.0, 0.0], [60.0, 30.0]))? == 0.0;
    let trench = Brush::flat(Region::line([[27.0, 15.0], [33.0, 15.0]], 4.0));
    flow.edit(&trench, Edit::Flatten { level: Some(-0.5), strength: 1.0 })?;
    steps(&mut flow, 20_000, dt)?;
    let surface = |x: f64| f64::from(flow.surface_at([x, 5.5]).unwrap_or(f32::NAN));
    let gap = (surface(10.5) - surface(50.5)).abs();
    let gap = if held { gap } else { FROZEN };
    Ok(vec![Row::at_most("flow/level", "difference of the two surfaces (m)", gap, 1e-3)])
}

/// A round dam break: mirrored and transposed cells are equal in every bit.
fn symmetry(steps: Steps) -> Result<Vec<Row>> {
    let n = 101;
    let depth = Field::from_fn(n, n, |x, y| {
        let (dx, dy) = (x.abs_diff(n / 2), y.abs_diff(n / 2));
        if dx * dx + dy * dy < 400 { 2.5 } else { 0.5 }
    });
    let start = depth.clone();
    let lattice = Square::new(n, n, 1.0, 1.0)?;
    let mut flow = Flow::new(lattice, Params::default(), Field::new(n, n, 0.0), depth)?;
    let dt = flow.stable_dt();
    steps(&mut flow, 300, dt)?;
    let h = &flow.state().depth;
    let mut differ = 0;
    for y in 0..n {
        for x in 0..n {
            let mirrored = [(n - 1 - x, y), (x, n - 1 - y), (y, x)];
            let same = mirrored.into_iter().all(|at| h[at].to_bits() == h[(x, y)].to_bits());
            differ += u32::from(!same);
        }
    }
    let differ = if *h == start { FROZEN } else { f64::from(differ) };
    Ok(vec![Row::at_most("flow/symmetry", "cells unlike their mirror images", differ, 0.0)])
}

/// A world where water comes and goes in every way at once.
fn busy(nx: usize, ny: usize) -> Result<Flow> {
    let lattice = Square::new(nx, ny, 2.0, 2.0)?;
    let (width, height) = (lattice.width(), lattice.height());
    let bed = Field::from_fn(nx, ny, |x, y| 6.0 * hash(x / 12, y / 12) + 0.5 * hash(x, y));
    let depth = bed.map(|z| (2.5 - z).max(0.0));
    let params = Params { friction: 0.05, pipe_area: 4.0, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    let tide =
        Series::table((0..200).map(|i| [f64::from(i) * 100.0, f64::from(1 + i % 3)]).collect())?;
    flow.set_boundary(Boundary::whole(Edge::West, BoundaryKind::Stage { level: tide }))?;
    let river = BoundaryKind::Inflow { discharge: 0.4.into() };
    flow.set_boundary(Boundary::stretch(Edge::North, 0.3 * width, 0.4 * width, river))?;
    flow.set_boundary(Boundary::whole(Edge::East, BoundaryKind::Open))?;
    flow.add_spring(Source::new(Region::disc([0.5 * width, 0.5 * height], 6.0), 1.5))?;
    flow.add_drain(Source::new(Region::disc([0.7 * width, 0.3 * height], 10.0), 1.0))?;
    flow.set_rain(Some(Rain { rate: 20.0.into(), map: None }))?;
    flow.set_evaporation(Some(3.0.into()))?;
    flow.set_soil(Some(Soil { rate: 4.0, capacity: 0.02, seepage: 0.5 }))?;
    flow.edit(&Brush::soft([0.2 * width, 0.8 * height], 9.0), Edit::Pour(Amount::Depth(0.5)))?;
    Ok(flow)
}

/// A number from 0 to 1 that looks random and is the same everywhere (SplitMix64's finalizer).
fn hash(x: usize, y: usize) -> f32 {
    let mut z = ((x as u64) << 32 | y as u64).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32
}
