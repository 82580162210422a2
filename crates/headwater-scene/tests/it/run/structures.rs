//! Tests of culverts, gates and weirs in scenes. Their levels are given as elevations, gauges refer
//! to them by name, and error messages contain the line and the key.

use crate::support::run::run_observed;
use headwater_scene::flow::FlowWorld;
use headwater_scene::scene;

/// Scene of two basins at an elevation of 1500 m, separated by a wall 5 m high. The water in the
/// west basin is 2 m deep.
const BASINS: &str = r#"model = "flow"
grid = { nx = 40, ny = 10, cell = 1 }
time = { until = 10 }
output = { frames = 2, gif = false }
[terrain]
plane = { height = 1500 }
[[terrain.shape]]
op = "raise"
amount = 5
rect = { min = [18, 0], max = [22, 10] }
[[water.lake]]
at = [5, 5]
level = 1502
"#;

const GATE: &str = r#"[[gate]]
name = "sluice"
from = [16, 5]
to = ["60%", 5]
radius = 1.2
width = 2
sill = 1500
opening = [[0, 0], [5, 0], [6, 0.5]]
[[gauge]]
name = "gate"
structure = "sluice"
every = 1
"#;

fn parse_error(keys: &str) -> String {
    let scene = scene::parse("x.toml", &format!("{BASINS}{keys}"), &[]);
    match scene.and_then(|scene| FlowWorld::build(scene.flow().unwrap())) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn gauges_measure_the_discharge_of_gates() {
    let scene = scene::parse("x.toml", &format!("{BASINS}{GATE}"), &[]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let summary = run_observed(&scene, folder.path(), |_| ());
    // A lake of exactly 2 m is at a power of two, where waves alone lose some trailing digits.
    let residual = summary.ledger.residual_relative;
    assert!(residual.abs() < 1e-8, "{residual}");
    let table = std::fs::read_to_string(folder.path().join("gate.csv")).unwrap();
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("time_s,discharge_m3_per_s"));
    let rows: Vec<[f64; 2]> = lines
        .map(|line| {
            let (time, discharge) = line.split_once(',').unwrap();
            [time.parse().unwrap(), discharge.parse().unwrap()]
        })
        .collect();
    assert_eq!(rows.len(), 11);
    for [time, discharge] in rows {
        // 0.61·0.5·2·√(2g)·2/√2.305 = 3.56 m³/s from the full lake, a little more on the crest of a
        // wave.
        let fits = if time <= 5.0 { discharge == 0.0 } else { discharge < 3.8 };
        assert!(fits && (time < 7.0 || discharge > 2.0), "{discharge} at {time} s");
    }
}

#[test]
fn heights_of_structures_have_the_datum_of_the_scene() {
    let passed = |keys: &str| {
        let scene = scene::parse("x.toml", &format!("{BASINS}{keys}"), &[]).unwrap();
        let mut flow = FlowWorld::build(scene.flow().unwrap()).unwrap().flow;
        flow.step(0.01).unwrap();
        flow.structure_discharge(headwater::Id::new(0)).unwrap()
    };
    let ends = "from = [16, 5]\nto = [24, 5]\nradius = 1.2\n";
    let weir = |crest: f64| passed(&format!("[[weir]]\n{ends}width = 0.5\ncrest = {crest}"));
    assert!((weir(1501.0) / (0.5 * 1.704) - 1.0).abs() < 0.01, "{}", weir(1501.0));
    assert_eq!(weir(1502.0), 0.0);
    let culvert =
        |inverts: &str| passed(&format!("[[culvert]]\n{ends}diameter = 0.5\ninverts = {inverts}"));
    assert!(culvert("[1501, 1500]") > 0.1);
    assert_eq!(culvert("[1503, 1500]"), 0.0);
}

#[test]
fn structures_are_drawn() {
    let picture = |keys: &str| {
        let scene = scene::parse("x.toml", &format!("{BASINS}{keys}"), &[]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        run_observed(&scene, folder.path(), |_| ());
        std::fs::read(folder.path().join("frame-0001.png")).unwrap()
    };
    assert_ne!(picture(""), picture(GATE));
}

#[test]
fn invalid_structures_are_errors() {
    assert_eq!(parse_error(GATE), "");
    let gate = |old: &str, new: &str| parse_error(&GATE.replacen(old, new, 1));
    let cases = [
        (gate("width = 2", "width = 0"), "x.toml:19:1: gate[0].width: found 0, allowed is above 0"),
        (gate("[5, 0]", "[5, -1]"), "gate[0].opening: found -1, allowed is 0 to 100000 m"),
        (gate("sill", "sil"), "gate[0].sil: no such key; did you mean `sill`?"),
        (gate("from = [16, 5]", ""), "gate[0].from: is missing"),
        (gate("from = [16, 5]", "from = [-16, 5]"), "gate[0].from: found [-16, 5], which is off"),
        (gate("radius = 1.2", "radius = -1"), "gate[0].radius: found -1, allowed is above 0"),
        (
            gate("radius = 1.2", "radius = 6"),
            "x.toml:14:1: gate[0]: the mouths of a structure in cell (19, 1): found one cell in both",
        ),
        (
            gate("structure = \"sluice\"", "structure = \"x\""),
            "gauge[0].structure: there is no culvert, gate or weir \"x\"",
        ),
        (
            gate("structure = \"sluice\"", ""),
            "gauge[0]: found none, needs one of at, line, disc, rect, polygon, structure",
        ),
        (parse_error(&format!("{GATE}{GATE}")), "gate[1].name: found \"sluice\" twice"),
        (
            parse_error("[[culvert]]\nfrom = [1, 1]\nto = [9, 1]\nwidth = 2\ninverts = [0, 0]"),
            "culvert[0]: needs either width and height, or diameter",
        ),
        (
            parse_error("[[weir]]\nfrom = [1, 1]\nto = [9, 1]\nwidth = 2\ncrest = 1e9"),
            "weir[0].crest: found 1e9, allowed is -1000000 to 1000000 m",
        ),
    ];
    for (error, words) in cases {
        assert!(error.contains(words), "{error}\n  {words}");
    }
}
