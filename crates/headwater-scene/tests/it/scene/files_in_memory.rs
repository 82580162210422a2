//! Scenes whose files are held in memory, as in a browser: the same worlds as from the disk, and the same messages.

use headwater_scene::live::Live;
use headwater_scene::picture::{Picture, to_png};
use headwater_scene::run::RunError;
use headwater_scene::scene::Files;
use std::path::Path;

/// Land of 8 × 6 cells with a pit.
const LAND: &str = "ncols 8\nnrows 6\nxllcorner 0\nyllcorner 0\ncellsize 2\n\
    9 9 9 9 9 9 9 9\n9 7 6 5 5 6 7 9\n9 6 4 2 2 4 6 9\n9 6 4 1 2 4 6 9\n9 7 6 5 5 6 7 9\n9 9 9 9 9 9 9 9\n";

/// A cup: walls of black pixels around white air.
fn cup() -> Vec<u8> {
    let wall = |x: usize, y: usize| x == 0 || x == 7 || y == 7;
    let pixel = |x, y| if wall(x, y) { [0; 3] } else { [255; 3] };
    to_png(&Picture::from_fn(8, 8, pixel)).expect("a PNG")
}

/// Every kind of file that a scene may name: the key, the scene, the file's content.
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
        ("terrain.file", format!("{hydrology}[terrain]\nfile = 'FILE'\n"), land.clone()),
        ("rain.map", format!("{hydrology}{grid}{noise}[rain]\nmap = 'FILE'\n"), land),
        ("world.file", format!("model = 'blocks'\n{time}[world]\nfile = 'FILE'\n"), cup()),
        (
            "world.file",
            format!("model = 'columns'\n{time}[world]\ncell = 1\nfile = 'FILE'\n"),
            cup(),
        ),
    ]
}

fn name(key: &str) -> &'static str {
    if key == "world.file" { "maps/cup.png" } else { "maps/hill.asc" }
}

/// What the world of a scene hashes to after some steps.
fn hash(text: &str, directory: Option<&Path>, files: &Files) -> Result<u64, RunError> {
    let mut live = Live::with("scene.toml", text, &[], directory, files)?;
    live.steps(20)?;
    Ok(live.state_hash())
}

#[test]
fn worlds_are_those_of_files_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("maps")).unwrap();
    for (key, text, content) in scenes() {
        let name = name(key);
        let text = text.replace("FILE", name);
        std::fs::write(folder.path().join(name), &content).unwrap();
        let from_disk = hash(&text, Some(folder.path()), &Files::disk()).unwrap();
        let files = Files::held_only().with(name, &content);
        assert_eq!(hash(&text, None, &files).unwrap(), from_disk, "{text}");
    }
}

#[test]
fn files_that_are_not_there_are_named_with_their_key() {
    for (key, text, content) in scenes() {
        let name = name(key);
        let text = text.replace("FILE", name);
        let said = |files: &Files| hash(&text, None, files).unwrap_err().to_string();
        let none = said(&Files::held_only().with("another.asc", &content));
        let expected =
            format!("{key}: {name}: the file cannot be read: no such file was handed over");
        assert!(none.starts_with("scene.toml:") && none.contains(&expected), "{none}");
        let half = said(&Files::held_only().with(name, &content[..content.len() / 2]));
        assert!(
            half.starts_with("scene.toml:") && half.contains(&format!("{key}: {name}: ")),
            "{half}"
        );
    }
}
