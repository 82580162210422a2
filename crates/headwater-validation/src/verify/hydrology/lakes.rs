//! Test cases for lakes. Water levels are compared with a reference flood fill, and lakes that are
//! transferred to `flow` must stay at rest.

use super::super::norms::max_difference;
use super::super::{FROZEN, Outcome, Row, Stepper};
use crate::carve::{create_world, layer, noise_terrain};
use anyhow::Result;
use headwater::Cause;
use headwater::Field;
use headwater::coupling::{CarvedToFlowOptions, WaterSupply, carved_to_flow};
use headwater::flow::{self, Physics};
use headwater::hydrology::reference::FloodModel;
use headwater::hydrology::{EdgeKind, Edges, Params, Substance};

/// Compares lake depths and outflow on twenty random beds with those of the reference flood fill.
pub(super) fn compare_with_flood_fill(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    use EdgeKind::{Open, Sea, Wall};
    let pairs = [[Open, Wall], [Wall, Sea], [Sea, Wall], [Open, Open], [Sea, Sea]];
    let (mut level_error, mut outflow_error) = (0.0_f64, 0.0_f64);
    for seed in 0..20 {
        let bed = noise_terrain(48, seed);
        let [others, north] = pairs[seed as usize % pairs.len()];
        let edges = Edges { north, ..Edges::uniform(others) };
        let sea = 3.0;
        let mut model = create_world(&bed, Params { edges, sea, ..Params::default() })?;
        let mut flood = FloodModel::new(&bed, edges, sea);
        for k in 0..80 {
            let (x, y) = ((7 * k + seed as usize) % 48, (11 * k + 3) % 48);
            let depth = 0.5 * (1 + k % 9) as f64;
            stepper.add_water(&mut model, [x as f64 + 0.5, y as f64 + 0.5], depth)?;
            flood.pour(x, y, depth);
        }
        let (a, b) = (layer(&model, "depth")?, flood.depth());
        let depths = a.as_slice().iter().zip(b.as_slice());
        level_error = depths.map(|(&a, b)| (f64::from(a) - b).abs()).fold(level_error, f64::max);
        let gone = model.ledger(Substance::Water).scaled(model.quantum()).outflow(Cause::Boundary);
        outflow_error = outflow_error.max((gone - flood.outflow()).abs());
    }
    Ok(Outcome::from_rows([
        Row::at_most(name, "largest difference in level (m)", level_error, 1e-4),
        Row::at_most(name, "largest difference in outflow (m³)", outflow_error, 1e-3),
    ]))
}

/// Measures the water level in a basin that water can leave only over a rim along its eastern edge.
/// This edge is open, borders on a sea below the rim, or is a wall.
pub(super) fn measure_edge_levels(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let bed = Field::from_fn(21, 15, |x, _| if x < 18 { 0.0 } else { x as f32 - 17.0 });
    let volume: f32 = bed.as_slice().iter().map(|z| 10.0 - z).sum();
    let mut level_error = 0.0_f64;
    for (kind, sea, level) in
        [(EdgeKind::Open, 0.0, 3.0), (EdgeKind::Sea, 2.0, 3.0), (EdgeKind::Wall, 0.0, 10.0)]
    {
        let edges = Edges { east: kind, ..Edges::uniform(EdgeKind::Wall) };
        let mut world = create_world(&bed, Params { edges, sea, ..Params::default() })?;
        stepper.add_water(&mut world, [3.0, 3.0], volume.into())?;
        let found = world.lake_at([3.0, 3.0]).map_or(f64::INFINITY, |lake| lake.level);
        level_error = level_error.max((found - level).abs());
    }
    Ok(Row::at_most(name, "largest error in level (m)", level_error, 1e-5).into())
}

/// Measures the water levels of two hollows in one basin while water is added: one hollow spills
/// into the other, the two lakes merge, and finally the basin overflows.
pub(super) fn measure_nested_lakes(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let bed = Field::from_fn(24, 10, |x, y| match (x, y) {
        (2..=9, 2..=7) => -5.0,
        (12..=21, 2..=7) => -3.0,
        (1..=22, 1..=8) => -1.0,
        _ => 0.0,
    });
    let mut world = create_world(&bed, Params::default())?;
    let mut level_error = 0.0_f64;
    // Volumes added in the west, and the resulting levels.
    for (volume, levels) in
        [(144.0, [-2.0, -3.0]), (108.0, [-1.0, -2.0]), (148.0, [-0.5, -0.5]), (1e4, [0.0, 0.0])]
    {
        stepper.add_water(&mut world, [5.5, 5.5], volume)?;
        for (x, level) in [5.5, 15.5].into_iter().zip(levels) {
            let floor = f64::from(bed[(x as usize, 5)]);
            let found = world.lake_at([x, 5.5]).map_or(floor, |lake| lake.level);
            level_error = level_error.max((found - level).abs());
        }
    }
    Ok(Row::at_most(name, "largest error in level (m)", level_error, 1e-5).into())
}

/// Transfers lakes to `flow` with each physics model. Measures the relative error of the total
/// volume, and the largest change of depth within 300 steps. The error of the volume is reduced by
/// one quantum (the smallest unit of volume) per lake cell, because this amount may remain behind.
/// The limit of the error is the `f32` resolution of depths, 2⁻²⁴.
pub(super) fn measure_transfer_to_flow(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let mut land = create_world(&noise_terrain(192, 4), Params::default())?;
    stepper.rain(&mut land, 60_000)?;
    let lakes: f64 = land.lakes().iter().map(|lake| lake.volume).sum();
    let cells: f64 = land.lakes().iter().map(|lake| lake.area / land.lattice().cell_area()).sum();
    let retained = cells * land.quantum();
    let (mut volume_error, mut level_change) = (0.0_f64, 0.0_f64);
    for physics in [Physics::Pipes, Physics::Inertial, Physics::ShallowWater] {
        let params = flow::Params { level: physics, ..flow::Params::default() };
        let still = CarvedToFlowOptions {
            params,
            feed: WaterSupply::Nothing,
            streams: false,
            ..CarvedToFlowOptions::default()
        };
        let mut flow = carved_to_flow(&land, &still)?;
        volume_error =
            volume_error.max(((flow.volume() - lakes).abs() - retained).max(0.0) / lakes);
        let before = flow.state().depth.clone();
        let dt = 0.5 * flow.stable_dt();
        stepper.step_flow(&mut flow, 300, dt)?;
        let change = max_difference(&flow.state().depth, &before);
        let wet = before.as_slice().iter().filter(|&&depth| depth > 0.0).count();
        level_change = level_change.max(change / (before.sum() / wet as f64));
    }
    // Without lakes the test is void.
    let [volume_error, level_change] =
        if lakes > 0.0 { [volume_error, 100.0 * level_change] } else { [FROZEN; 2] };
    Ok(Outcome::from_rows([
        Row::at_most(name, "relative error of lake volume", volume_error, 1e-7),
        Row::at_most(name, "largest change of level (% of mean depth)", level_change, 1.0),
    ]))
}
