//! Test of one hour of rain on steep real terrain with every value of `physics.level`. The run must
//! be stable, velocities must be plausible, and mass must be conserved. The terrain files are in
//! the folder that the environment variable `HEADWATER_DEM` names.

use headwater_scene::flow::FlowWorld;
use headwater_scene::scene;
use std::path::{Path, PathBuf};

/// Maximum plausible velocity (m/s); a torrent in a gorge reaches 15.
const MAX_SPEED: f32 = 25.0;

/// Maximum plausible depth (m) after an hour of rain.
const MAX_DEPTH: f32 = 60.0;

fn terrain_files() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("HEADWATER_DEM") else {
        println!("skipped: HEADWATER_DEM does not name a folder of *.asc files");
        return Vec::new();
    };
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "asc")).collect();
    files.sort();
    files
}

fn rain_for_an_hour(file: &Path, level: &str, lattice: &str) {
    let name = format!("{} {level} {lattice}", file.display());
    let file = format!("'{}'", file.display());
    let scene = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/your-terrain.toml"));
    let set = [
        ("terrain.file", file.as_str()),
        ("physics.level", &format!("'{level}'")),
        ("grid.lattice", &format!("'{lattice}'")),
        ("rain.rate", "50"),
    ];
    let set: Vec<_> = set.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let scene = scene::load(scene, &set).unwrap().flow().unwrap().clone();
    let mut flow = FlowWorld::build(&scene).unwrap().flow;
    let (mut fastest, mut steps) = (0.0_f32, 0_u64);
    while flow.step_toward(3600.0).unwrap() {
        steps += 1;
        if steps.is_multiple_of(20) {
            let (_, max_speed) = flow.layer("speed").unwrap().min_max().unwrap();
            let (_, depth) = flow.state().depth.min_max().unwrap();
            assert!(depth < MAX_DEPTH, "{name}: {depth} m at {} s", flow.time());
            fastest = fastest.max(max_speed);
            assert!(fastest < MAX_SPEED, "{name}: {fastest} m/s at {} s", flow.time());
        }
    }
    let balance = flow.balance();
    assert!(balance.residual_relative.abs() <= 1e-6, "{name}: {balance:?}");
    let (shallowest, deepest) = flow.state().depth.min_max().unwrap();
    assert!(shallowest >= 0.0 && deepest.is_finite(), "{name}: {shallowest} to {deepest} m");
    assert!(fastest > 0.05, "{name}: nothing moves");
    println!(
        "{name}: {steps} steps, up to {fastest:.2} m/s, residual {:.1e}",
        balance.residual_relative
    );
}

#[test]
fn an_hour_of_rain_on_real_terrain_is_stable_and_conservative() {
    for (i, file) in terrain_files().iter().enumerate() {
        for (j, level) in ["pipes", "inertial", "shallow-water"].into_iter().enumerate() {
            rain_for_an_hour(file, level, ["square", "hex"][(i + j) % 2]);
        }
    }
}
