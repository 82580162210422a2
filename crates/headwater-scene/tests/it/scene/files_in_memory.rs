//! Tests that scenes with files in memory, as in a browser, give the same worlds and messages as
//! scenes with files on disk.

use headwater_scene::live::Live;
use headwater_scene::picture::{Picture, to_png};
use headwater_scene::run::RunError;
use headwater_scene::scene::Files;
use headwater_scene::{run, scene};
use std::path::Path;

/// ESRI ASCII grid of 8 × 6 cells with a pit.
const LAND: &str = "ncols 8\nnrows 6\nxllcorner 0\nyllcorner 0\ncellsize 2\n\
    9 9 9 9 9 9 9 9\n9 7 6 5 5 6 7 9\n9 6 4 2 2 4 6 9\n9 6 4 1 2 4 6 9\n9 7 6 5 5 6 7 9\n9 9 9 9 9 9 9 9\n";

/// Returns a PNG image of a cup: walls of black pixels around white air.
fn cup_png() -> Vec<u8> {
    let wall = |x: usize, y: usize| x == 0 || x == 7 || y == 7;
    let pixel = |x, y| if wall(x, y) { [0; 3] } else { [255; 3] };
    to_png(&Picture::from_fn(8, 8, pixel)).expect("a PNG")
}

/// Returns a scene for every kind of file to which scenes can refer. Each element contains the
/// scene key of the file, the TOML source of the scene, and the content of the file.
fn scenes() -> Vec<(&'static str, String, Vec<u8>)> {
    let land = LAND.as_bytes().to_vec();
    let head = LAND.split_inclusive('\n').take(5).collect::<String>();
    let rough = format!("{head}{}", "0.03 ".repeat(8 * 6)).into_bytes();
    let time = "[time]\nuntil = 1\n";
    let grid = "[grid]\nnx = 8\nny = 6\ncell = 2\n";
    let noise = "[terrain]\nnoise = { height = 3 }\n";
    let flow = format!("model = 'flow'\n{time}");
    let hydrology = format!("model = 'hydrology'\n{time}");
    vec![
        ("terrain.file", format!("{flow}[terrain]\nfile = 'FILE'\n"), land.clone()),
        ("rain.map", format!("{flow}{grid}{noise}[rain]\nrate = 9\nmap = 'FILE'\n"), land.clone()),
        (
            "physics.manning_map",
            format!("{flow}{grid}{noise}[physics]\nlevel = 'inertial'\nmanning_map = 'FILE'\n"),
            rough,
        ),
        (
            "water.depth_map",
            format!("{flow}{grid}{noise}[water]\ndepth_map = 'FILE'\n"),
            land.clone(),
        ),
        (
            "water.level_map",
            format!("{flow}{grid}{noise}[water]\nlevel_map = 'FILE'\n"),
            land.clone(),
        ),
        (
            "water.velocity_map[0]",
            format!("{flow}{grid}{noise}[water]\ndepth = 1\nvelocity_map = ['FILE', 'FILE']\n"),
            land.clone(),
        ),
        (
            "cover[0].file",
            format!(
                "{flow}{grid}{noise}[[cover]]\nfile = 'FILE'\n[[cover.class]]\n\
                 numbers = [1, 2, 3, 4, 5, 6, 7, 9]\n"
            ),
            land.clone(),
        ),
        ("terrain.file", format!("{hydrology}[terrain]\nfile = 'FILE'\n"), land.clone()),
        ("rain.map", format!("{hydrology}{grid}{noise}[rain]\nmap = 'FILE'\n"), land),
        ("world.file", format!("model = 'blocks'\n{time}[world]\nfile = 'FILE'\n"), cup_png()),
        (
            "world.file",
            format!("model = 'columns'\n{time}[world]\ncell = 1\nfile = 'FILE'\n"),
            cup_png(),
        ),
    ]
}

fn file_name(key: &str) -> &'static str {
    if key == "world.file" { "maps/cup.png" } else { "maps/hill.asc" }
}

/// Returns the state hash of a scene's world after 20 steps. Files are read from `directory`, or
/// from `files` if `directory` is `None`.
fn state_hash_after_steps(
    text: &str,
    directory: Option<&Path>,
    files: &Files,
) -> Result<u64, RunError> {
    let mut live = Live::with_options("scene.toml", text, &[], directory, files)?;
    live.take_steps(20)?;
    Ok(live.state_hash())
}

#[test]
fn files_in_memory_give_the_same_worlds_as_files_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("maps")).unwrap();
    for (key, text, content) in scenes() {
        let name = file_name(key);
        let text = text.replace("FILE", name);
        std::fs::write(folder.path().join(name), &content).unwrap();
        let from_disk =
            state_hash_after_steps(&text, Some(folder.path()), &Files::from_disk()).unwrap();
        let files = Files::memory_only().with_file(name, &content);
        assert_eq!(state_hash_after_steps(&text, None, &files).unwrap(), from_disk, "{text}");
    }
}

#[test]
fn missing_files_are_reported_with_their_key() {
    for (key, text, content) in scenes() {
        let name = file_name(key);
        let text = text.replace("FILE", name);
        let said =
            |files: &Files| state_hash_after_steps(&text, None, files).unwrap_err().to_string();
        let none = said(&Files::memory_only().with_file("another.asc", &content));
        let expected = format!("{key}: {name}: the file cannot be read: the file was not provided");
        assert!(none.starts_with("scene.toml:") && none.contains(&expected), "{none}");
        let half = said(&Files::memory_only().with_file(name, &content[..content.len() / 2]));
        assert!(
            half.starts_with("scene.toml:") && half.contains(&format!("{key}: {name}: ")),
            "{half}"
        );
    }
}

#[test]
fn heights_out_of_range_are_rejected_by_all_models() {
    let time = "[time]\nuntil = 1\n";
    for model in ["flow", "hydrology"] {
        let text = format!("model = '{model}'\n{time}[terrain]\nfile = 'land.asc'\n");
        for mark in ["-1e30", "3.4e38", "-100001"] {
            let land = LAND.replace("4 1 2 4", &format!("4 {mark} 2 {mark}"));
            let files = Files::memory_only().with_file("land.asc", land);
            let scene = scene::parse_with_files("land.toml", &text, &[], &files).unwrap();
            let refused = run::build_simulation(&scene).err().unwrap().to_string();
            for word in ["land.toml:5:1: terrain.file", "one of 2", "100000", "terrain.no_data"] {
                assert!(refused.contains(word), "{model}, {mark}: no `{word}` in {refused}");
            }
            let set = [("terrain.no_data".to_owned(), mark.to_owned())];
            let scene = scene::parse_with_files("land.toml", &text, &set, &files).unwrap();
            let built = run::build_simulation(&scene).map_err(|error| error.to_string());
            // Carved land has a height in every cell.
            assert!(
                built.is_ok()
                    || built.is_err_and(|reported| reported.contains("2 cells have no data"))
            );
        }
        let steep = format!(
            "model = '{model}'\n{time}[grid]\nnx = 9\nny = 9\ncell = 1000\n\
            [terrain]\nplane = {{ height = 50000, slope = [10, 0] }}\n"
        );
        let refused = scene::parse("steep.toml", &steep, &[])
            .map_err(|error| error.to_string())
            .and_then(|scene| run::build_simulation(&scene).map_err(|error| error.to_string()));
        assert!(refused.err().unwrap().contains("terrain"), "{model}");
    }
}
