//! Tests of the water balance in `summary.json` and `ledger.csv`, and of the messages about it.

use crate::support::run::{finish, run_with_stops};
use headwater_scene::raster::write_asc;
use headwater_scene::run::{Backend, Run, Summary};
use headwater_scene::{Scene, scene};
use std::path::Path;

/// Scene with named and unnamed boundaries, sources, drains and structures.
const BASIN: &str = "model = 'flow'\ntime.until = 20\ngrid = { nx = 30, ny = 20, cell = 2 }\n\
    [terrain]\nplane = { height = 5 }\n[water]\ndepth = 1\n[rain]\nrate = 50\n[evaporation]\nrate = 20\n\
    [[boundary]]\nname = 'harbour'\nedge = 'west'\nkind = 'stage'\nlevel = [[0, 6.5], [10, 5.5]]\n\
    [[boundary]]\nedge = 'east'\nkind = 'open'\nfrom = 10\n[[boundary]]\nedge = 'north'\nkind = 'wall'\n\
    [[source]]\nname = 'brook'\nat = [30, 10]\nrate = 2\n[[source]]\nat = [20, 30]\nrate = 1\n\
    [[drain]]\nat = [40, 30]\nrate = 1.5\n\
    [[weir]]\nname = 'sluice'\nfrom = [10, 10]\nto = [50, 10]\nwidth = 2\ncrest = 5.2\n\
    [[event]]\ntime = 5\ndo = 'add'\nsource = { at = [30, 30], rate = 3 }\n";

/// Returns overrides that switch off pictures, because drawing them takes long.
fn without_pictures() -> Vec<(String, String)> {
    let set = [("output.frames", "0"), ("output.final", "false")];
    set.map(|(key, value)| (key.into(), value.into())).into()
}

fn parse(text: &str) -> Scene {
    scene::parse("test.toml", text, &without_pictures()).unwrap()
}

fn load(folder: &Path, text: &str) -> Scene {
    let file = folder.join("test.toml");
    std::fs::write(&file, text).unwrap();
    scene::load(&file, &without_pictures()).unwrap()
}

fn run(scene: &Scene, folder: &Path) -> Summary {
    finish(Run::start(scene, "test", folder).unwrap())
}

fn run_text(text: &str) -> Summary {
    run(&parse(text), tempfile::tempdir().unwrap().path())
}

/// Returns the header of a CSV file and its columns. An empty field is NaN.
fn parse_csv_columns(bytes: &[u8]) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = std::str::from_utf8(bytes).unwrap();
    let (head, rows) = text.split_once('\n').unwrap();
    let head: Vec<String> = head.split(',').map(Into::into).collect();
    let number = |row: &str, i: usize| row.split(',').nth(i).unwrap().parse().unwrap_or(f64::NAN);
    let column = |i| rows.lines().map(|row| number(row, i)).collect();
    let columns = (0..head.len()).map(column).collect();
    (head, columns)
}

#[test]
fn rain_below_the_resolution_of_depths_is_in_the_balance() {
    let text = "model = 'flow'\ngrid = { nx = 8, ny = 8, cell = 100 }\n[terrain]\nplane = { height = 0 }\n\
        [water]\ndepth = 100\n[rain]\nrate = 0.1\n[time]\nuntil = 100\n";
    let Summary { ledger, notices, .. } = run_text(text);
    let fallen = 0.1e-3 / 3600.0 * 100.0 * 640_000.0;
    assert!((ledger.inflow["rain"] / fallen - 1.0).abs() < 1e-4, "{ledger:?}");
    let shown = ledger.now - ledger.start;
    assert!((ledger.inflow["rain"] - shown - ledger.rounding).abs() < 1e-9 * ledger.now);
    assert!(ledger.is_balanced() && ledger.rounding > 1.0, "{ledger:?}");
    assert!(notices.iter().any(|notice| notice.contains("in.rain")), "{notices:?}");
    let shallow = run_text(&text.replace("depth = 100", "depth = 0.1"));
    assert!((shallow.ledger.inflow["rain"] / fallen - 1.0).abs() < 1e-4);
    assert!(!shallow.notices.iter().any(|notice| notice.contains("in.rain")));
}

#[test]
fn the_balance_over_time_has_a_column_for_each_part() {
    let text = format!("{BASIN}[output]\nledger_every = 3\n");
    let (summary, files) = run_with_stops(&parse(&text), &[&[7], &[1, 20, 3]]);
    assert_eq!(summary.tables, ["ledger.csv"]);
    let (head, columns) = parse_csv_columns(&files["ledger.csv"]);
    let expected = "time_s,volume_m3,boundary_in_m3,boundary_out_m3,source_in_m3,drain_out_m3,rain_in_m3,\
        evaporation_out_m3,boundary harbour in_m3,boundary harbour out_m3,boundary[1] (east) in_m3,\
        boundary[1] (east) out_m3,source brook in_m3,source[1] in_m3,other sources in_m3,drain[0] out_m3,\
        weir sluice forward_m3,weir sluice back_m3,rounding_m3,residual_m3";
    assert_eq!(head.join(","), expected);
    assert_eq!(columns[0], [0.0, 3.0, 6.0, 9.0, 12.0, 15.0, 18.0, 20.0]);
    let column = |name: &str| &columns[head.iter().position(|head| head == name).unwrap()];
    let last = |name: &str| *column(name).last().unwrap();
    let close = |found: f64, expected: f64| (found - expected).abs() <= 1e-5 * expected.abs();
    for (name, rate) in [("brook", 2.0), ("[1]", 1.0)] {
        let name = if rate == 2.0 {
            format!("source {name} in_m3")
        } else {
            format!("source{name} in_m3")
        };
        assert!(column(&name).iter().zip(&columns[0]).all(|(v, time)| close(*v, rate * time)));
    }
    assert!(close(last("other sources in_m3"), 45.0) && close(last("drain[0] out_m3"), 30.0));
    assert!(last("boundary harbour in_m3") > 1.0 && last("boundary harbour out_m3") > 1.0);
    assert_eq!(last("boundary[1] (east) in_m3"), 0.0);
    assert!(last("boundary[1] (east) out_m3") > 1.0);
    assert!(last("weir sluice forward_m3") > 0.1);
    let sources = ["source brook in_m3", "source[1] in_m3", "other sources in_m3"];
    assert!(close(sources.into_iter().map(last).sum(), last("source_in_m3")));
    for (side, ledger) in [("in", &summary.ledger.inflow), ("out", &summary.ledger.outflow)] {
        for (cause, volume) in ledger {
            assert_eq!(last(&format!("{cause}_{side}_m3")), *volume, "{cause}");
        }
    }
    assert_eq!(last("volume_m3"), summary.ledger.now);
    let harbour = &summary.ledger.parts[0];
    assert_eq!(harbour.name, "boundary harbour");
    assert_eq!(harbour.inflow, last("boundary harbour in_m3"));
}

#[test]
fn all_models_write_their_balance() {
    let scenes = [
        ("lake-at-rest", "m3"),
        ("pond", "m3"),
        ("kettle", "m3"),
        ("terraria", "cells"),
        ("young-range", "m3"),
    ];
    for (name, unit) in scenes {
        let Some(found) = headwater_scene::library::find_scene(name) else {
            panic!("there is no scene {name}");
        };
        let mut set = without_pictures();
        set.extend([("time.until".into(), "2".into()), ("output.ledger_every".into(), "1".into())]);
        let scene = scene::parse(name, found.text, &set).unwrap();
        let folder = tempfile::tempdir().unwrap();
        run(&scene, folder.path());
        let (head, columns) =
            parse_csv_columns(&std::fs::read(folder.path().join("ledger.csv")).unwrap());
        assert_eq!(head[1], format!("volume_{unit}"), "{name}");
        assert!(columns[0].len() >= 2 && columns[1].iter().all(|v| v.is_finite()), "{name}");
    }
}

#[test]
fn invalid_names_and_intervals_are_rejected() {
    for (keys, expected) in [
        ("[output]\nledger_every = 0", "output.ledger_every: found 0, allowed is"),
        (
            "[output]\nledger_every = 2e-5",
            "output.ledger_every: found 0.00002, which gives 14000000 volumes of 7 boundaries",
        ),
        (
            "[[source]]\nname = 'brook'\nat = [9, 9]\nrate = 1",
            "source[2].name: found \"brook\" twice",
        ),
        (
            "[[drain]]\nname = ''\nat = [9, 9]\nrate = 1",
            "drain[1].name: found \"\", allowed is 1 to 64",
        ),
        (
            "[output]\nledger_every = 1\n[[gauge]]\nname = 'Ledger'\nat = [9, 9]",
            "gauge[0].name: found \"ledger\", which is the file",
        ),
        (
            "[[gauge]]\nname = 'A'\nat = [9, 9]\n[[gauge]]\nname = 'a'\nat = [9, 9]",
            "gauge[1].name: found \"a\" beside \"A\"",
        ),
    ] {
        let error = scene::parse("test.toml", &format!("{BASIN}{keys}"), &[]).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn series_and_rasters_outside_the_run_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let map = headwater::Field::new(30, 20, 1.0);
    headwater_scene::raster::write_npy(folder.path().join("rain.npy"), &map).unwrap();
    let late = "[[rain.raster]]\ntime = 4\nfile = 'rain.npy'\n[[boundary]]";
    let text = BASIN
        .replacen("[evaporation]\nrate = 20\n[[boundary]]", late, 1)
        .replace("[[0, 6.5], [10, 5.5]]", "[[20, 6.5], [30, 5.5]]")
        .replace("rate = 1.5", "rate = [[-9, 1], [-3, 1.5]]");
    let scene = load(folder.path(), &text);
    let notices = run(&scene, &folder.path().join("out")).notices.join("\n");
    for expected in [
        "boundary[0].level: the series starts at 20 s, after the end of the run at 20 s",
        "drain[0].rate: the series ends at -3 s, before the run starts",
        "no rain falls before the first raster, which starts at 4 s",
    ] {
        assert!(notices.contains(expected), "{notices}");
    }
    let quiet = run_text(BASIN).notices;
    assert!(!quiet.iter().any(|notice| notice.contains("series") || notice.contains("raster")));
}

#[test]
fn the_summary_has_the_extent_and_the_position_of_the_grid() {
    let folder = tempfile::tempdir().unwrap();
    let basin = run_text(BASIN).extent;
    assert_eq!((basin.cell_metres, basin.extent_metres), (Some([2.0; 2]), Some([60.0, 40.0])));
    assert_eq!((basin.bounds, basin.epsg), (None, None));
    let ground = headwater::Field::from_fn(30, 20, |x, _| x as f32);
    write_asc(folder.path().join("ground.asc"), &ground, [2.0, 2.0], None).unwrap();
    let asc = std::fs::read_to_string(folder.path().join("ground.asc")).unwrap();
    let moved = asc.replace("xllcorner 0", "xllcorner 500").replace("yllcorner 0", "yllcorner 700");
    std::fs::write(folder.path().join("ground.asc"), moved).unwrap();
    let text = BASIN
        .replace("grid = { nx = 30, ny = 20, cell = 2 }\n", "")
        .replace("plane = { height = 5 }", "file = 'ground.asc'");
    let scene = load(folder.path(), &text);
    let found = run(&scene, &folder.path().join("out")).extent;
    assert_eq!(found.bounds, Some([500.0, 700.0, 560.0, 740.0]), "{found:?}");
    let run_on = |backend| Run::start_on(&scene, "test", &folder.path().join("rows"), backend);
    assert_eq!(finish(run_on(Backend::Memory(1 << 30)).unwrap()).extent, found);
}

#[test]
fn gauges_have_at_most_one_row_per_fixed_step() {
    let waves = "model = 'waves'\ntime.until = 1.05\ngrid = { nx = 9, ny = 9, cell = 1 }\n\
        [physics]\nstep = 0.1\n[[gauge]]\nname = 'one'\nat = [3, 2]\nevery = 0.03\n";
    let folder = tempfile::tempdir().unwrap();
    let summary = run(&parse(waves), folder.path());
    let (_, columns) = parse_csv_columns(&std::fs::read(folder.path().join("one.csv")).unwrap());
    assert_eq!(columns[0].len(), 11, "{:?}", columns[0]);
    assert!(columns[0].is_sorted_by(|a, b| a < b));
    let early = "the run ends at 1 s, with the last whole step before time.until, 1.05 s";
    assert!(summary.notices.iter().any(|notice| notice == early), "{:?}", summary.notices);
    let whole = run_text(&waves.replace("1.05", "1"));
    assert!(!whole.notices.iter().any(|notice| notice.contains("last whole step")));
}
