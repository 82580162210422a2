//! Tests of the conversion of eroded land to flow: lakes are at rest, and rivers carry the runoff.

use crate::support::hydrology::noise;
use headwater::coupling::{CarvedToFlowOptions, WaterSupply, carved_to_flow};
use headwater::flow::{self, Flow, Physics};
use headwater::hydrology::{EdgeKind, Edges, Hydrology, Inflow, Params};
use headwater::{Cause, Field, Square};

const SIZE: f64 = 2.0;

fn carved_land(seed: u64, edges: Edges, sea: f64) -> Hydrology {
    let n = 96;
    let lattice = Square::new(n, n, SIZE, SIZE).unwrap();
    let bed = noise(n, n, seed).map(|z| 2.0 * z);
    let params = Params { seed, edges, sea, evaporation: 0.1, ..Params::default() };
    let mut land = Hydrology::new(lattice, params, &bed).unwrap();
    land.rain(15_000);
    land
}

fn lakes_only_options(physics: Physics) -> CarvedToFlowOptions {
    let params = flow::Params { level: physics, ..flow::Params::default() };
    CarvedToFlowOptions {
        params,
        feed: WaterSupply::Nothing,
        streams: false,
        ..CarvedToFlowOptions::default()
    }
}

/// Returns the volume of water (m³) that lies below the levels of all lakes and of the sea.
fn standing_volume(land: &Hydrology) -> f64 {
    let lakes: f64 = land.lakes().iter().map(|lake| lake.volume).sum();
    let (bed, depth) = (land.layer("bed").unwrap(), land.layer("depth").unwrap());
    let mut sea = 0.0;
    for y in 0..depth.ny() {
        for x in 0..depth.nx() {
            let place = [(x as f64 + 0.5) * SIZE, (y as f64 + 0.5) * SIZE];
            if depth[(x, y)] > 0.0 && land.lake_at(place).is_none() {
                sea += (land.params().sea - f64::from(bed[(x, y)])) * SIZE * SIZE;
            }
        }
    }
    lakes + sea
}

/// Returns the largest absolute difference between the current depth and the depth `before` in any
/// cell, divided by the mean of `before` over its wet cells (dimensionless).
fn largest_change(flow: &Flow, before: &Field<f32>) -> f64 {
    let wet = before.as_slice().iter().filter(|&&depth| depth > 0.0).count();
    let pairs = flow.state().depth.as_slice().iter().zip(before.as_slice());
    let change = pairs.map(|(&now, &then)| f64::from((now - then).abs())).fold(0.0, f64::max);
    change / (before.sum() / wet as f64)
}

#[test]
fn lakes_and_sea_are_at_rest() {
    use EdgeKind::{Open, Sea, Wall};
    for (seed, edges) in [
        (1, Edges::default()),
        (2, Edges { west: Sea, north: Wall, ..Edges::default() }),
        (3, Edges { south: Open, ..Edges::uniform(Wall) }),
    ] {
        let land = carved_land(seed, edges, 14.0);
        for physics in [Physics::Pipes, Physics::Inertial, Physics::ShallowWater] {
            let mut flow = carved_to_flow(&land, &lakes_only_options(physics)).unwrap();
            let (volume, held) = (flow.volume(), standing_volume(&land));
            assert!(held > 10.0, "a land without lakes says nothing: {held}");
            assert!((volume / held - 1.0).abs() < 1e-6, "{volume} {held}");
            let before = flow.state().depth.clone();
            for _ in 0..70 {
                let dt = flow.stable_dt();
                flow.step(dt).unwrap();
            }
            let change = largest_change(&flow, &before);
            assert!(change < 0.01, "{seed} {physics:?}: {change}");
            // Counter-check: a level that is wrong by 1 % would not pass.
            let raised = before.map(|&depth| 1.02 * depth);
            assert!(largest_change(&flow, &raised) > 0.01);
        }
    }
}

#[test]
fn inflow_equals_the_runoff_and_outside_rivers() {
    let mut land = carved_land(1, Edges::default(), 0.0);
    let wet = Field::from_fn(96, 96, |x, _| if x < 48 { 3.0 } else { 1.0 });
    land.set_rain(Some(&wet)).unwrap();
    let catchment = 5e4;
    land.add_spring(Inflow { position: [30.0, 50.0], catchment }).unwrap();
    land.rain(2000);
    let area = 96.0 * 96.0 * SIZE * SIZE + catchment;
    for feed in [WaterSupply::Streams, WaterSupply::Rain] {
        let hand_over =
            CarvedToFlowOptions { feed, runoff: 36.0, ..CarvedToFlowOptions::default() };
        let mut flow = carved_to_flow(&land, &hand_over).unwrap();
        flow.advance(20.0).unwrap();
        let came = flow.ledger().inflow(Cause::Rain) + flow.ledger().inflow(Cause::Source);
        assert!((came / (1e-5 * area * 20.0) - 1.0).abs() < 1e-3, "{feed:?}: {came}");
    }
    let streams = land.streams(50.0);
    let west: f64 =
        streams.lateral_inflow.rows().flat_map(|row| &row[..40]).map(|&v| f64::from(v)).sum();
    assert!(west > 0.5 * streams.lateral_inflow.sum(), "{west}");
    let dry = streams.lateral_inflow.as_slice().iter().filter(|&&rain| rain == 0.0).count();
    assert!(dry > 96 * 96 / 2, "slopes stay dry: {dry}");
}

/// Returns land that slopes to the south-east, so that streams run diagonally.
fn diagonal_slope() -> Hydrology {
    let n = 64;
    let lattice = Square::new(n, n, SIZE, SIZE).unwrap();
    let rough = noise(n, n, 5);
    let bed = Field::from_fn(n, n, |x, y| 40.0 - 0.25 * (x + y) as f32 + 0.6 * rough[(x, y)]);
    let mut land = Hydrology::new(lattice, Params::default(), &bed).unwrap();
    land.rain(20_000);
    land
}

#[test]
fn rivers_carry_their_discharge_to_the_edge_from_the_start() {
    let land = diagonal_slope();
    let runoff = 40.0;
    let total = runoff * flow::MM_PER_HOUR * 64.0 * 64.0 * SIZE * SIZE;
    let out = |hand_over: CarvedToFlowOptions, seconds: f64| {
        let params = flow::Params { level: Physics::Inertial, ..flow::Params::default() };
        let hand_over = CarvedToFlowOptions { params, runoff, ..hand_over };
        let mut flow = carved_to_flow(&land, &hand_over).unwrap();
        flow.advance(seconds).unwrap();
        let before = flow.ledger().outflow(Cause::Boundary);
        flow.advance(60.0).unwrap();
        (flow.ledger().outflow(Cause::Boundary) - before) / 60.0 / total
    };
    let started = out(CarvedToFlowOptions::default(), 60.0);
    assert!((0.6..1.4).contains(&started), "{started} of the runoff leaves in the second minute");
    let later = out(CarvedToFlowOptions::default(), 600.0);
    assert!((later - 1.0).abs() < 0.05, "{later} of it leaves after ten minutes");
    let dry = out(CarvedToFlowOptions { streams: false, ..CarvedToFlowOptions::default() }, 60.0);
    assert!(dry < 0.4 * started, "streams that begin dry bring {dry}");
    let held = out(CarvedToFlowOptions { corners: false, ..CarvedToFlowOptions::default() }, 60.0);
    assert!(held < 0.8 * started, "corners hold water up: {held} of {started}");
}

#[test]
fn streams_start_at_normal_depth_and_velocity() {
    let land = diagonal_slope();
    let params = flow::Params { level: Physics::ShallowWater, ..flow::Params::default() };
    let hand_over = CarvedToFlowOptions { params, runoff: 40.0, ..CarvedToFlowOptions::default() };
    let flow = carved_to_flow(&land, &hand_over).unwrap();
    let streams = land.streams(50.0);
    let mut found = 0;
    for y in 0..64 {
        for x in 0..64 {
            let h = f64::from(flow.state().depth[(x, y)]);
            let slope = f64::from(streams.slope[(x, y)]);
            if !streams.stream[(x, y)] || streams.receiver[(x, y)].is_none() || slope < 1e-3 {
                continue;
            }
            let q = f64::from(streams.discharge[(x, y)]) * 40.0 * flow::MM_PER_HOUR * SIZE;
            let speed = h.powf(2.0 / 3.0) * slope.sqrt() / 0.03;
            let momentum = flow.state().momentum.as_ref().unwrap();
            let [u, v] = [&momentum.x, &momentum.y].map(|q| f64::from(q[(x, y)]) / h);
            assert!((u.hypot(v) / speed - 1.0).abs() < 1e-3, "({x}, {y}): {u} {v}, not {speed}");
            assert!((u.hypot(v) * h / q - 1.0).abs() < 1e-3, "({x}, {y})");
            found += 1;
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn out_of_range_options_are_rejected() {
    let land = diagonal_slope();
    let refused =
        |hand_over: CarvedToFlowOptions| carved_to_flow(&land, &hand_over).unwrap_err().to_string();
    let message = refused(CarvedToFlowOptions { runoff: -1.0, ..CarvedToFlowOptions::default() });
    assert_eq!(message, "runoff: found -1, allowed is 0 to 100000 mm/h");
    let message = refused(CarvedToFlowOptions { channel: 0.0, ..CarvedToFlowOptions::default() });
    assert_eq!(message, "channel: found 0, allowed is 1 to 1e9 cells");
    let params = flow::Params { gravity: -1.0, ..flow::Params::default() };
    assert!(
        refused(CarvedToFlowOptions { params, ..CarvedToFlowOptions::default() })
            .contains("gravity")
    );
}

#[test]
fn rain_collects_at_the_bottom_of_a_closed_bowl() {
    let n = 33;
    let lattice = Square::new(n, n, SIZE, SIZE).unwrap();
    let bed = Field::from_fn(n, n, |x, y| {
        (x as f32 - 16.0).hypot(y as f32 - 16.0) * 0.5 + 0.01 * (x % 3) as f32
    });
    let params = Params { edges: Edges::uniform(EdgeKind::Wall), ..Params::default() };
    let land = Hydrology::new(lattice, params, &bed).unwrap();
    let streams = land.streams(50.0);
    assert_eq!(streams.discharge[(16, 16)], (n * n) as f32);
    assert_eq!(streams.lateral_inflow.sum(), (n * n) as f64);
    let mut flow = carved_to_flow(
        &land,
        &CarvedToFlowOptions { runoff: 100.0, ..CarvedToFlowOptions::default() },
    )
    .unwrap();
    let before = flow.volume();
    flow.advance(60.0).unwrap();
    let came = 0.1 / 60.0 * (n * n) as f64 * SIZE * SIZE;
    assert!(((flow.volume() - before) / came - 1.0).abs() < 1e-3);
    assert!(flow.state().depth[(16, 16)] > 0.02);
}
