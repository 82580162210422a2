//! Tests that check the results of every library scene with the model `waves`.

use crate::library::{ledger_entry, run_checked_scene};
use crate::sandbox::Sandbox;
use crate::scene_run::range;
use serde_json::Value;

const HEIGHT: [&str; 2] = ["time_s", "height_m"];
const ENERGY: [&str; 3] = ["time_s", "kinetic_m5_per_s2", "potential_m5_per_s2"];

fn height_range(gauge: &[Vec<f64>], from: f64, to: f64) -> f64 {
    let [low, high] = range(gauge, 1, from, to);
    high - low
}

/// Checks, from the summary of a run, that the volume of a closed pond is the same at the end as at
/// the start.
fn assert_volume_unchanged(summary: &Value) {
    let ledger = &summary["ledger"];
    assert_eq!((&ledger["in"], &ledger["out"]), (&serde_json::json!({}), &serde_json::json!({})));
    assert_eq!((&ledger["start"], &ledger["now"]), (&0.0.into(), &0.0.into()));
}

#[test]
fn rings_spread_over_the_pond_and_fade() {
    let sandbox = Sandbox::new();
    assert_volume_unchanged(&run_checked_scene(&sandbox, "pond", ""));
    let middle = sandbox.gauge("pond/middle.csv", &HEIGHT);
    assert_eq!(height_range(&middle, 0.0, 0.5), 0.0, "nothing has come there yet");
    let rings = height_range(&middle, 2.0, 13.0);
    assert!((0.005..0.25).contains(&rings), "{rings} m");
    let energy = sandbox.gauge("pond/energy.csv", &ENERGY);
    assert!(energy[1].last().unwrap() > &0.0 && energy[2].last().unwrap() > &0.0);
}

#[test]
fn waves_grow_when_the_acid_boils() {
    let sandbox = Sandbox::new();
    assert_volume_unchanged(&run_checked_scene(&sandbox, "pool-of-acid", ""));
    let energy = sandbox.gauge("pool-of-acid/energy.csv", &ENERGY);
    let mean = |from: f64, to: f64| {
        let known = energy[0].iter().zip(&energy[2]).filter(|(time, _)| (from..to).contains(*time));
        let (sum, count) = known.fold((0.0, 0.0), |(sum, n), (_, e)| (sum + e, n + 1.0));
        sum / count
    };
    let (before, after) = (mean(1.5, 3.0), mean(12.0, 14.0));
    assert!(before > 0.0 && after > 1.5 * before, "{before} {after}");
}

#[test]
fn swell_diffracts_into_the_harbour_and_leaves_at_the_open_edge() {
    let sandbox = Sandbox::new();
    let summary = run_checked_scene(&sandbox, "harbour", "--set physics.absorbing_cells=6");
    let [sea, entrance, berth] = ["sea", "entrance", "berth"].map(|name| {
        height_range(&sandbox.gauge(format!("harbour/{name}.csv"), &HEIGHT), 40.0, 64.0)
    });
    assert!(sea > 0.5 && entrance > 0.2 * sea, "{sea} {entrance}");
    assert!(berth > 0.05 && berth < sea, "{berth} {sea}");
    assert!(ledger_entry(&summary, "out", "boundary") > 0.0);
    let start = height_range(&sandbox.gauge("harbour/sea.csv", &HEIGHT), 0.0, 3.0);
    assert!(start < 0.05, "the swell needs its time: {start}");
}

#[test]
fn the_shower_makes_waves_and_keeps_the_mean_level() {
    let sandbox = Sandbox::new();
    assert_volume_unchanged(&run_checked_scene(&sandbox, "rain-on-pond", ""));
    let level = sandbox.gauge("rain-on-pond/level.csv", &["time_s", "mean_level_m"]);
    assert!(level[1].iter().all(|&level| level == 0.0), "{:?}", level[1]);
    let energy = sandbox.gauge("rain-on-pond/energy.csv", &ENERGY);
    let [drizzle, shower, after] =
        [[2.0, 4.0], [10.0, 12.0], [15.0, 16.0]].map(|[from, to]| range(&energy, 2, from, to)[1]);
    assert!(shower > 2.0 * drizzle && after < shower, "{drizzle} {shower} {after}");
}

/// Scene in which repeated drops build up waves that exceed the limit `physics.highest`.
const PILED_DROPS_SCENE: &str = "model = 'waves'
grid = { nx = 40, ny = 40, cell = 1 }
time = { until = 5 }
physics = { speed = 1, highest = 0.3, damping = 0 }
event = [{ do = 'drop', time = 0.1, every = 0.02, at = [20, 20], radius = 5, depth = -0.3 }]
output = { frames = 0 }
";

#[test]
fn a_run_that_loses_water_fails_with_its_cause() {
    let sandbox = Sandbox::new();
    sandbox.write("pile.toml", PILED_DROPS_SCENE);
    let outcome = sandbox.run_program(&["run", "pile.toml", "--out", "out", "--json"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    outcome.expect_stderr(&["water: the balance has a residual of", "physics.highest"]);
    let summary = sandbox.summary("out");
    assert_eq!((summary["ledger"]["residual"] == 0.0, &summary), (false, &outcome.json()));
    assert!(
        summary["ledger"]["residual_relative"].is_null() && sandbox.path("out/final.png").exists()
    );
    sandbox.write("pile.toml", PILED_DROPS_SCENE.replace("highest = 0.3", "highest = 30"));
    sandbox.run_program(&["run", "pile.toml", "--out", "higher"]).expect_success();
}
