//! A new run in a used folder clears away what earlier runs have written there, and nothing else.

use crate::desk::{Desk, POND, words};
use headwater::Field;
use headwater_scene::raster;

#[test]
fn old_outputs_go_and_everything_else_stays() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    let first = "run pond.toml --out out --set output.frames=6 --set output.gif=true \
        --layers depth,bed --set gauge[0].name=old --set gauge[0].at=[9,9]";
    desk.call(&words(first)).good();
    // A frame that somebody deleted does not hide those behind it.
    std::fs::remove_file(desk.path("out/frame-0005.png")).unwrap();
    desk.write("out/checkpoint.headwater", "of a run given up");
    let mine = ["frame-01.png", "frame-0001.txt", "frame-final.png", "mine.csv", "soil.npy"];
    for name in mine {
        desk.write(&format!("out/{name}"), "mine");
    }
    desk.call(&words("run pond.toml --out out")).good();
    let mut expected = [
        &mine[..],
        &["final.png", "frame-0001.png", "frame-0002.png", "frame-0003.png", "summary.json"],
    ]
    .concat();
    expected.sort_unstable();
    assert_eq!(desk.names("out"), expected);
    for name in mine {
        assert_eq!(desk.read(format!("out/{name}")), b"mine", "{name}");
    }
}

#[test]
fn a_summary_that_is_not_ours_names_nothing_to_remove() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    desk.write("precious.csv", "1,2");
    std::fs::create_dir(desk.path("out")).unwrap();
    let names =
        r#"{"gauges": ["../precious.csv", "../pond.toml", "notes.txt", 7, ""], "layers": 3}"#;
    desk.write("out/notes.txt", "mine");
    for text in [names, "no JSON", "[]"] {
        desk.write("out/summary.json", text);
        desk.call(&words("run pond.toml --out out")).good();
        assert_eq!(desk.read("precious.csv"), b"1,2");
        assert_eq!(desk.read("out/notes.txt"), b"mine");
        assert_eq!(desk.summary("out")["scene"], "pond");
    }
}

#[test]
fn a_refused_scene_leaves_the_folder_as_it_was() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    desk.call(&words("run pond.toml --out out")).good();
    let before = desk.names("out");
    desk.call(&words("run pond.toml --out out --set terrain.file=no.tif")).refused(&["no.tif"]);
    desk.call(&words("run pond.toml --out out --set picture.width=0")).refused(&["picture.width"]);
    assert_eq!(desk.names("out"), before);
}

#[test]
fn a_run_neither_removes_nor_overwrites_what_it_reads() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    desk.call(&words("run pond.toml --out out --layers bed")).good();
    let bed = desk.read("out/bed.npy");
    let again = "run pond.toml --out out --set terrain.file=out/bed.npy";
    desk.call(&words(again)).good();
    assert!(desk.read("out/bed.npy") == bed, "the ground is still there");
    let over = desk.call(&words(&format!("{again} --layers bed")));
    over.refused(&["terrain.file", "out/bed.npy"]);
    assert!(desk.read("out/bed.npy") == bed);

    raster::write_npy(desk.path("out/depth.npy"), &Field::new(3, 3, 1.0)).unwrap();
    let rain = "run pond.toml --out ./out --set rain.map=out/../out/depth.npy --layers depth";
    desk.call(&words(rain)).refused(&["rain.map"]);
}
