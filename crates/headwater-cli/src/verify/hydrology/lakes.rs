//! Lakes: whether they stand where the plain flood has them, and lie still in a flow.

use super::super::fields::apart;
use super::super::{FROZEN, Motion, Outcome, Row};
use crate::carve::{layer, noise, world};
use anyhow::Result;
use headwater::Cause;
use headwater::Field;
use headwater::coupling::{CarvedToFlowOptions, WaterSupply, carved_to_flow};
use headwater::flow::{self, Physics};
use headwater::hydrology::plain::Flood;
use headwater::hydrology::{EdgeKind, Edges, Params, Substance};

/// Twenty fixed beds filled by the model and by the plain flood.
pub(super) fn oracle(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    use EdgeKind::{Open, Sea, Wall};
    let pairs = [[Open, Wall], [Wall, Sea], [Sea, Wall], [Open, Open], [Sea, Sea]];
    let (mut apart, mut left) = (0.0_f64, 0.0_f64);
    for seed in 0..20 {
        let bed = noise(48, seed);
        let [most, north] = pairs[seed as usize % pairs.len()];
        let edges = Edges { north, ..Edges::all(most) };
        let sea = 3.0;
        let mut ours = world(&bed, Params { edges, sea, ..Params::default() })?;
        let mut flood = Flood::new(&bed, edges, sea);
        for k in 0..80 {
            let (x, y) = ((7 * k + seed as usize) % 48, (11 * k + 3) % 48);
            let depth = 0.5 * (1 + k % 9) as f64;
            motion.pour(&mut ours, [x as f64 + 0.5, y as f64 + 0.5], depth)?;
            flood.pour(x, y, depth);
        }
        let (a, b) = (layer(&ours, "depth")?, flood.depth());
        let depths = a.as_slice().iter().zip(b.as_slice());
        apart = depths.map(|(&a, b)| (f64::from(a) - b).abs()).fold(apart, f64::max);
        let gone = ours.ledger(Substance::Water).scaled(ours.quantum()).outflow(Cause::Boundary);
        left = left.max((gone - flood.outflow()).abs());
    }
    Ok(Outcome::of([
        Row::at_most(name, "largest difference in level (m)", apart, 1e-4),
        Row::at_most(name, "largest difference in what left (m³)", left, 1e-3),
    ]))
}

/// A bowl with one open edge, a sea beside it, walls all around: the level that it takes.
pub(super) fn edges(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let bed = Field::from_fn(21, 15, |x, _| if x < 18 { 0.0 } else { x as f32 - 17.0 });
    let volume: f32 = bed.as_slice().iter().map(|z| 10.0 - z).sum();
    let mut apart = 0.0_f64;
    for (kind, sea, level) in
        [(EdgeKind::Open, 0.0, 3.0), (EdgeKind::Sea, 2.0, 3.0), (EdgeKind::Wall, 0.0, 10.0)]
    {
        let edges = Edges { east: kind, ..Edges::all(EdgeKind::Wall) };
        let mut world = world(&bed, Params { edges, sea, ..Params::default() })?;
        motion.pour(&mut world, [3.0, 3.0], volume.into())?;
        let found = world.lake_at([3.0, 3.0]).map_or(f64::INFINITY, |lake| lake.level);
        apart = apart.max((found - level).abs());
    }
    Ok(Row::at_most(name, "largest error in level (m)", apart, 1e-5).into())
}

/// Two hollows in one basin: one spills into the other, they merge, they run over.
pub(super) fn nested(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let bed = Field::from_fn(24, 10, |x, y| match (x, y) {
        (2..=9, 2..=7) => -5.0,
        (12..=21, 2..=7) => -3.0,
        (1..=22, 1..=8) => -1.0,
        _ => 0.0,
    });
    let mut world = world(&bed, Params::default())?;
    let mut apart = 0.0_f64;
    // What is poured in the west, and the levels then.
    for (volume, levels) in
        [(144.0, [-2.0, -3.0]), (108.0, [-1.0, -2.0]), (148.0, [-0.5, -0.5]), (1e4, [0.0, 0.0])]
    {
        motion.pour(&mut world, [5.5, 5.5], volume)?;
        for (x, level) in [5.5, 15.5].into_iter().zip(levels) {
            let floor = f64::from(bed[(x as usize, 5)]);
            let found = world.lake_at([x, 5.5]).map_or(floor, |lake| lake.level);
            apart = apart.max((found - level).abs());
        }
    }
    Ok(Row::at_most(name, "largest error in level (m)", apart, 1e-5).into())
}

/// Lakes handed over to a flow at each level of physics: how much water is there (as exactly as f32 has its depths:
/// 2⁻²⁴), and whether it lies still for 300 steps. Water that is not enough for a quantum on each cell of its lake stays
/// behind.
pub(super) fn hand_over(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut land = world(&noise(192, 4), Params::default())?;
    motion.fall(&mut land, 60_000)?;
    let lakes: f64 = land.lakes().iter().map(|lake| lake.volume).sum();
    let cells: f64 = land.lakes().iter().map(|lake| lake.area / land.lattice().cell_area()).sum();
    let behind = cells * land.quantum();
    let (mut missing, mut wave) = (0.0_f64, 0.0_f64);
    for physics in [Physics::Pipes, Physics::Inertial, Physics::ShallowWater] {
        let params = flow::Params { level: physics, ..flow::Params::default() };
        let still = CarvedToFlowOptions {
            params,
            feed: WaterSupply::Nothing,
            streams: false,
            ..CarvedToFlowOptions::default()
        };
        let mut flow = carved_to_flow(&land, &still)?;
        missing = missing.max(((flow.volume() - lakes).abs() - behind).max(0.0) / lakes);
        let before = flow.state().depth.clone();
        let dt = 0.5 * flow.stable_dt();
        motion.steps(&mut flow, 300, dt)?;
        let change = apart(&flow.state().depth, &before);
        let wet = before.as_slice().iter().filter(|&&depth| depth > 0.0).count();
        wave = wave.max(change / (before.sum() / wet as f64));
    }
    // Without lakes, nothing is shown.
    let [missing, wave] = if lakes > 0.0 { [missing, 100.0 * wave] } else { [FROZEN; 2] };
    Ok(Outcome::of([
        Row::at_most(name, "relative error of the lakes' volume", missing, 1e-7),
        Row::at_most(name, "largest change of level (% of mean depth)", wave, 1.0),
    ]))
}
