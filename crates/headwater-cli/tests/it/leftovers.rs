//! A new run in a used folder removes only the files of earlier runs. It refuses to overwrite an
//! unfinished run, and files that no summary lists.

use crate::desk::{Desk, POND, words};
use headwater::Field;
use headwater_scene::raster;

#[test]
fn old_outputs_are_removed_and_other_files_stay() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    let first = "run pond.toml --out out --set output.frames=6 --set output.gif=true \
        --layers depth,bed --set gauge[0].name=old --set gauge[0].at=[9,9]";
    desk.call(&words(first)).good();
    // A deleted frame does not hide the later ones.
    std::fs::remove_file(desk.path("out/frame-0005.png")).unwrap();
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
fn a_foreign_summary_removes_no_files() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    desk.write("precious.csv", "1,2");
    std::fs::create_dir(desk.path("out")).unwrap();
    let names =
        r#"{"gauges": ["../precious.csv", "../pond.toml", "notes.txt", 7, ""], "layers": 3}"#;
    desk.write("out/notes.txt", "mine");
    for text in [names, "no JSON", "[]"] {
        desk.write("out/summary.json", text);
        let refused = desk.call(&words("run pond.toml --out out"));
        refused.refused(&["out: holds ", "--out", "--force"]);
        assert_eq!(desk.read("out/summary.json"), text.as_bytes());
        desk.call(&words("run pond.toml --out out --force")).good();
        assert_eq!(desk.read("precious.csv"), b"1,2");
        assert_eq!(desk.read("out/notes.txt"), b"mine");
        assert_eq!(desk.summary("out")["scene"], "pond");
    }
}

#[test]
fn files_without_a_summary_are_not_overwritten() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    std::fs::create_dir(desk.path("out")).unwrap();
    desk.write("out/final.png", "my picture");
    let run = "run pond.toml --out out --set gauge[0].name=mine --set gauge[0].at=[9,9]";
    desk.call(&words(run)).refused(&["out: holds final.png, which", "--force"]);
    desk.write("out/mine.csv", "my figures");
    desk.call(&words(run)).refused(&["out: holds final.png, mine.csv, which"]);
    assert_eq!(desk.names("out"), ["final.png", "mine.csv"]);
    assert_eq!(desk.read("out/final.png"), b"my picture");
    desk.call(&words(&format!("{run} --force"))).good();
    // From now on a run's summary lists them.
    desk.call(&words(run)).good();
    // Files with the names of a scene's outputs are kept if no run wrote them.
    desk.write("out/depth.npy", "mine");
    desk.call(&words("run pond.toml --out out --layers depth")).refused(&["depth.npy"]);
    desk.call(&words("run pond.toml --out out")).good();
    assert_eq!(desk.read("out/depth.npy"), b"mine");
}

#[test]
fn an_unfinished_run_is_not_overwritten() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    std::fs::create_dir(desk.path("out")).unwrap();
    desk.write("out/checkpoint.headwater", "of a run given up");
    desk.write("out/.headwater-k1ll3d", "half a picture");
    let run = "run pond.toml --out out";
    desk.call(&words(run)).refused(&["out: ", "checkpoint.headwater", "--resume", "--force"]);
    assert!(desk.path("out/checkpoint.headwater").exists());
    let both = desk.call(&words(&format!("{run} --force --resume")));
    assert_eq!(both.code, Some(2), "{both:?}");
    desk.call(&words(&format!("{run} --force"))).good();
    let names = desk.names("out");
    assert!(!names.iter().any(|name| name.contains("headwater")), "{names:?}");
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    let long = "run pond.toml --out out --set output.frames=1000 --until 1000000000";
    let begun = desk.start_until("out/frame-0001.png", &words(long));
    for more in ["", " --force", " --resume"] {
        desk.call(&words(&format!("{long}{more}"))).refused(&["out: another run", "--out"]);
    }
    assert_eq!(desk.interrupt(begun).code, Some(1));
    desk.call(&words("run pond.toml --out out --force")).good();
}

#[test]
fn a_refused_scene_leaves_the_folder_unchanged() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    desk.call(&words("run pond.toml --out out")).good();
    let before = desk.names("out");
    desk.call(&words("run pond.toml --out out --set terrain.file=no.tif")).refused(&["no.tif"]);
    desk.call(&words("run pond.toml --out out --set picture.width=0")).refused(&["picture.width"]);
    assert_eq!(desk.names("out"), before);
}

#[test]
fn a_run_neither_removes_nor_overwrites_its_inputs() {
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
