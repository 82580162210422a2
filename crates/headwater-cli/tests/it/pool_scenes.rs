//! Tests that all scenes of the model `columns` in the library run to their end and reach the
//! documented results.

use crate::sandbox::{Sandbox, split_at_spaces};
use crate::scene_run::{SceneRun, range, value_at};

const POINT: [&str; 4] = ["time_s", "surface_m", "head_m", "velocity_m_per_s"];
const WARM: [&str; 6] =
    ["time_s", "surface_m", "head_m", "velocity_m_per_s", "temperature_c", "ice_m"];
const VOLUME: [&str; 2] = ["time_s", "volume_m3"];
const ENERGY: [&str; 3] = ["time_s", "kinetic_j", "potential_j"];
const HEAT: [&str; 6] =
    ["time_s", "heat_j", "from_air_j", "from_heaters_j", "with_water_j", "with_steam_j"];

/// Names of the scenes with a test in this file.
pub(crate) const TESTED_SCENES: [&str; 7] = [
    "castle-cistern",
    "communicating-vessels",
    "winter",
    "kettle",
    "storm",
    "drain-the-keep",
    "blocks-to-pools",
];

fn run(name: &'static str) -> SceneRun {
    SceneRun::new(name, "walls,fill,head")
}

#[test]
fn waves_pass_from_the_moat_into_the_well_and_bubbles_stay() {
    let ran = run("castle-cistern");
    let well = ran.gauge("well", &POINT);
    let [low, high] = range(&well, 1, 0.0, 4.0);
    assert!((0.001..3.0).contains(&(high - low)), "it feels the moat: {low} {high}");
    // Count the air in the vaults: cells under the ceiling, above the bubble's level.
    let fill = ran.layer("fill");
    for x in [44, 59] {
        assert_eq!((fill[(x, 25)], fill[(x, 30)]), (0.0, 1.0), "vault at {x}");
    }
    assert_eq!(ran.summary["notices"], serde_json::json!([]), "no anchor was left aside");
}

#[test]
fn all_vessels_are_level_except_the_closed_one() {
    let ran = run("communicating-vessels");
    assert!(ran.ledger_entry("in", "source") > 15.0 && ran.ledger_entry("out", "drain") > 15.0);
    let gauges = ["first", "last", "shut"].map(|name| ran.gauge(name, &POINT));
    let [first, last, shut] = gauges.each_ref().map(|gauge| value_at(gauge, 1, 22.0) - gauge[1][0]);
    assert!(first > 1.0 && (first - last).abs() < 0.5, "{first} {last}");
    assert!(shut > 0.05 && shut < 0.5 * first, "its air is pressed together: {shut}");
    let heads = gauges.each_ref().map(|gauge| value_at(gauge, 2, 22.0));
    assert!((heads[0] - heads[2]).abs() < 0.5, "{heads:?}");
}

#[test]
fn the_pond_freezes_damps_its_waves_and_thaws() {
    let ran = run("winter");
    let [pond, cave] = ["pond", "cave"].map(|name| ran.gauge(name, &WARM));
    let ice = value_at(&pond, 5, 33.0);
    assert!((0.1..0.5).contains(&ice), "{ice} m of ice");
    assert!(
        value_at(&cave, 5, 24.0) < 0.8 * value_at(&pond, 5, 24.0),
        "the cave freezes more slowly"
    );
    let [low, high] = range(&pond, 1, 26.0, 34.0);
    assert!(high - low < 1e-6, "no wave in the ice: {low} {high}");
    assert_eq!(value_at(&pond, 5, 59.0), 0.0, "thawed");
    let heat = ran.gauge("heat", &HEAT);
    let recorded_heat =
        |i: usize| heat[2..].iter().map(|column| column[i]).sum::<f64>() + heat[1][0];
    let last = heat[0].len() - 1;
    assert!((heat[1][last] - recorded_heat(last)).abs() < 1e-9 * heat[1][0].abs());
}

#[test]
fn the_kettle_boils_away_until_its_hearth_goes_out() {
    let ran = run("kettle");
    let kettle = ran.gauge("kettle", &WARM);
    let (cold, boiling) = (value_at(&kettle, 4, 2.0), value_at(&kettle, 4, 20.0));
    assert!(cold < 21.0 && boiling > 99.0, "{cold} {boiling}");
    assert!(ran.ledger_entry("out", "evaporation") > 0.01);
    let volume = ran.gauge("volume", &["time_s", "volume_m3", "ice_m3"]);
    let [low, high] = range(&volume, 1, 34.0, 41.0);
    assert!(high - low < 1e-9, "nothing boils away any more: {low} {high}");
    assert!(value_at(&volume, 1, 39.0) < 0.9 * value_at(&volume, 1, 5.0));
}

#[test]
fn waves_are_lower_behind_the_breakwater() {
    let ran = run("storm");
    assert!(ran.ledger_entry("in", "rain") > 0.1);
    let [sea, harbour] = ["sea", "harbour"].map(|name| ran.gauge(name, &POINT));
    let span = |gauge: &[Vec<f64>]| {
        let [low, high] = range(gauge, 1, 12.0, 28.0);
        high - low
    };
    let (out, within) = (span(&sea), span(&harbour));
    assert!(out > 0.3 && within < 0.5 * out, "{out} {within}");
    let energy = ran.gauge("energy", &ENERGY);
    assert!(value_at(&energy, 1, 24.0) > 5.0 * value_at(&energy, 1, 1.0));
}

#[test]
fn the_keep_empties_floor_by_floor() {
    let ran = run("drain-the-keep");
    let [roof, halls, cellar, ditch] =
        ["roof", "halls", "cellar", "ditch"].map(|name| ran.gauge(name, &VOLUME));
    assert_eq!(value_at(&roof, 1, 2.9), roof[1][0]);
    assert!(value_at(&roof, 1, 30.0) < 0.1 * roof[1][0]);
    assert!(value_at(&halls, 1, 12.0) > halls[1][0] + 30.0 && value_at(&halls, 1, 40.0) < 10.0);
    assert!(value_at(&cellar, 1, 29.0) > cellar[1][0] + 60.0);
    assert_eq!(value_at(&ditch, 1, 29.9), 0.0);
    assert!(value_at(&ditch, 1, 51.0) > 30.0);
    let [low, high] = range(&ditch, 1, 53.0, 61.0);
    assert!(high - low < 1.5, "shut again: {low} {high}");
}

#[test]
fn ponds_from_blocks_drain_into_the_shaft() {
    let ran = run("blocks-to-pools");
    let shaft = ran.gauge("shaft", &VOLUME);
    let [_, highest] = range(&shaft, 1, 6.0, 41.0);
    assert!(highest > 2.0 * value_at(&shaft, 1, 5.0).max(0.5), "{:?}", shaft[1]);
    assert_eq!(ran.summary["ledger"]["in"], serde_json::json!({}));
}

#[test]
fn thin_worlds_can_be_drawn() {
    let sandbox = Sandbox::new();
    for (model, [nx, ny], keys) in [
        ("columns", [3000, 1], ""),
        ("columns", [1, 3000], ""),
        ("columns", [2000, 3], ""),
        ("blocks", [9000, 1], ", caves = {}"),
        ("blocks", [1, 9000], ", caves = {}"),
    ] {
        let world = format!("world = {{ nx = {nx}, ny = {ny}{keys} }}\n");
        let end = "time.until = 0.1\noutput.frames = 1\npicture.width = 16\n";
        sandbox.write("thin.toml", format!("model = '{model}'\n{world}{end}"));
        sandbox.run_program(&split_at_spaces("run thin.toml --force")).expect_success();
    }
}
