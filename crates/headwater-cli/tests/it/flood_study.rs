//! Runs the commands of the documentation page `docs/flood-study.md`. If `HEADWATER_DEM` names a
//! folder that contains the terrain file of the page, the commands use this file. Otherwise they
//! use a synthetic valley with the same file header.

use crate::sandbox::Sandbox;
use headwater_scene::raster::{self, ReadOptions};
use std::fmt::Write as _;
use std::process::Command;

/// Area of the watershed (m²): 1088 cells of 3 m × 3 m.
const AREA: f64 = 9792.0;

/// Returns an ESRI ASCII grid of 43 columns and 89 rows with a valley that descends to the
/// south-east. Only the 1088 cells of the valley have data. The lowest of them is the outlet used
/// in `docs/flood-study.md`.
fn valley_ascii_grid() -> String {
    let mut text =
        "ncols 43\nnrows 89\nxllcorner 559705\nyllcorner 4380220\ncellsize 3\nNODATA_value 0\n"
            .to_owned();
    // The outlet is the only cell of row 82; the 1087 others are in bands of rows above it.
    let mut left = 1087;
    let mut rows = vec![String::new(); 89];
    for y in (0..89_i32).rev() {
        // The channel of the page's stations.
        let channel = if y < 50 { 17 + (y - 20) / 6 } else { 22 + (y - 50) / 2 };
        let half = if y == 82 { 0 } else { 7 };
        for x in 0..43_i32 {
            let is_open = match y {
                82 => x == 38,
                _ => (2..82).contains(&y) && (x - channel).abs() <= half && left > 0,
            };
            left -= usize::from(is_open && y != 82);
            let height = 1681.0 + 0.5 * f64::from(82 - y) + 0.4 * f64::from((x - channel).abs());
            _ = write!(rows[y as usize], "{} ", if is_open { height } else { 0.0 });
        }
    }
    text += &rows.join("\n");
    text
}

/// Returns the commands in `docs/flood-study.md`. Omits two of them: the download, and the run on
/// finer cells, which takes too long in a debug build.
fn documented_commands() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/flood-study.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    let is_skipped = |line: &str| line.starts_with("curl ") || line.contains("--out fine");
    let lines = blocks.flat_map(str::lines).filter(|line| !is_skipped(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the columns `names` of a CSV file, one list per row.
fn read_csv_columns<const N: usize>(text: &str, names: [&str; N]) -> Vec<[f64; N]> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = names.map(|name| head.iter().position(|one| *one == name).expect(name));
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        at.map(|column| fields[column].parse().unwrap())
    };
    lines.map(row).collect()
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_flood_study_give_its_results() {
    let sandbox = Sandbox::new();
    let dem = std::env::var_os("HEADWATER_DEM").map(std::path::PathBuf::from);
    let dem = dem.map(|folder| folder.join("west-bijou-gully.asc")).filter(|file| file.is_file());
    let terrain = dem.map_or_else(valley_ascii_grid, |file| std::fs::read_to_string(file).unwrap());
    std::fs::write(sandbox.path("gully.asc"), terrain).unwrap();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_headwater")).parent().unwrap();
    let search = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let outcome = Command::new("sh")
        .args(["-e", "-c", &documented_commands()])
        .current_dir(sandbox.path("."))
        .env("PATH", search)
        .output()
        .unwrap();
    assert!(outcome.status.success(), "{outcome:?}");

    let read = |name: &str| std::fs::read_to_string(sandbox.path(name)).unwrap();
    // The storm has a depth of 35.83 mm.
    let fallen = AREA * 0.1075 / 3.0;
    let summary: serde_json::Value = serde_json::from_str(&read("flood/summary.json")).unwrap();
    let rain = summary["ledger"]["in"]["rain"].as_f64().unwrap();
    assert!((rain / fallen - 1.0).abs() < 1e-3, "{rain} m³, expected {fallen}");
    let ledger = read_csv_columns(&read("flood/ledger.csv"), ["time_s", "rain_in_m3"]);
    assert_eq!(ledger.len(), 41, "one row a minute, and the start");
    assert_eq!(ledger[40], [2400.0, rain]);

    // The discharge of a watershed in a steady rain is rain times area.
    let discharge = |run: &str| {
        read_csv_columns(&read(&format!("{run}/outlet.csv")), ["time_s", "discharge_m3_per_s"])
    };
    let steady = discharge("steady").last().unwrap()[1];
    assert!((0.94..1.01).contains(&(steady / (AREA * 0.1 / 3600.0))), "{steady} m³/s");
    let peak = |run: &str| discharge(run).iter().fold(0.0, |peak: f64, row| peak.max(row[1]));
    assert!(peak("flood") < steady && peak("flood") > 0.4 * steady, "{}", peak("flood"));

    let map = raster::read(sandbox.path("flood/max_depth.tif"), &ReadOptions::default()).unwrap();
    assert_eq!(map.info.epsg, Some(26913));
    assert_eq!(map.info.bounds, Some([559705.0, 4380220.0, 559834.0, 4380487.0]));
    let open = map.no_data.as_slice().iter().filter(|missing| !**missing).count();
    assert_eq!(open, 1088);
    for station in ["upper", "middle", "lower"] {
        let depths = read_csv_columns(&read(&format!("flood/{station}.csv")), ["depth_m"]);
        assert!(depths.iter().any(|[depth]| *depth > 0.01), "{station} stays dry");
    }
}
