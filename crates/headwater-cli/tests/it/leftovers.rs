//! Tests of new runs in a folder that contains output. A new run removes only the files of earlier
//! runs. It refuses to overwrite an unfinished run, or files that no summary lists.

use crate::sandbox::{POND, Sandbox, split_at_spaces, wait_for_exit};
use headwater::Field;
use headwater_scene::raster;

#[test]
fn old_outputs_are_removed_and_other_files_stay() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    let first = "run pond.toml --out out --set output.frames=6 --set output.gif=true \
        --layers depth,bed --set gauge[0].name=old --set gauge[0].at=[9,9]";
    sandbox.run_program(&split_at_spaces(first)).expect_success();
    // Although a frame has been deleted, the later frames are found.
    std::fs::remove_file(sandbox.path("out/frame-0005.png")).unwrap();
    let mine = ["frame-01.png", "frame-0001.txt", "frame-final.png", "mine.csv", "soil.npy"];
    for name in mine {
        sandbox.write(&format!("out/{name}"), "mine");
    }
    sandbox.run_program(&split_at_spaces("run pond.toml --out out")).expect_success();
    let mut expected = [
        &mine[..],
        &["final.png", "frame-0001.png", "frame-0002.png", "frame-0003.png", "summary.json"],
    ]
    .concat();
    expected.sort_unstable();
    assert_eq!(sandbox.names("out"), expected);
    for name in mine {
        assert_eq!(sandbox.read(format!("out/{name}")), b"mine", "{name}");
    }
}

#[test]
fn a_foreign_summary_removes_no_files() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    sandbox.write("precious.csv", "1,2");
    std::fs::create_dir(sandbox.path("out")).unwrap();
    let names =
        r#"{"gauges": ["../precious.csv", "../pond.toml", "notes.txt", 7, ""], "layers": 3}"#;
    sandbox.write("out/notes.txt", "mine");
    for text in [names, "no JSON", "[]"] {
        sandbox.write("out/summary.json", text);
        let refused = sandbox.run_program(&split_at_spaces("run pond.toml --out out"));
        refused.expect_refusal(&["out: contains ", "--out", "--force"]);
        assert_eq!(sandbox.read("out/summary.json"), text.as_bytes());
        sandbox.run_program(&split_at_spaces("run pond.toml --out out --force")).expect_success();
        assert_eq!(sandbox.read("precious.csv"), b"1,2");
        assert_eq!(sandbox.read("out/notes.txt"), b"mine");
        assert_eq!(sandbox.summary("out")["scene"], "pond");
    }
}

#[test]
fn files_without_a_summary_are_not_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    std::fs::create_dir(sandbox.path("out")).unwrap();
    sandbox.write("out/final.png", "my picture");
    let run = "run pond.toml --out out --set gauge[0].name=mine --set gauge[0].at=[9,9]";
    sandbox
        .run_program(&split_at_spaces(run))
        .expect_refusal(&["an earlier run: final.png", "--force"]);
    sandbox.write("out/mine.csv", "my figures");
    sandbox
        .run_program(&split_at_spaces(run))
        .expect_refusal(&["an earlier run: final.png, mine.csv"]);
    assert_eq!(sandbox.names("out"), ["final.png", "mine.csv"]);
    assert_eq!(sandbox.read("out/final.png"), b"my picture");
    sandbox.run_program(&split_at_spaces(&format!("{run} --force"))).expect_success();
    // This run's summary lists the files, so the next run may overwrite them.
    sandbox.run_program(&split_at_spaces(run)).expect_success();
    // Files with the names of a scene's outputs are kept if no run wrote them.
    sandbox.write("out/depth.npy", "mine");
    sandbox
        .run_program(&split_at_spaces("run pond.toml --out out --layers depth"))
        .expect_refusal(&["depth.npy"]);
    sandbox.run_program(&split_at_spaces("run pond.toml --out out")).expect_success();
    assert_eq!(sandbox.read("out/depth.npy"), b"mine");
}

#[test]
fn unusable_output_folders_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    std::fs::create_dir_all(sandbox.path("frame/frame-0001.png")).unwrap();
    std::fs::create_dir_all(sandbox.path("marker/.headwater-run")).unwrap();
    std::fs::create_dir(sandbox.path("mine")).unwrap();
    sandbox.write("mine/.headwater-run", "mine");
    sandbox.write("mine/.headwater-backup", "mine");
    let run = |folder: &str| sandbox.run_program(&["run", "pond.toml", "--out", folder]);
    run("mine").expect_refusal(&["mine: contains files that are not", ".headwater-run", "--force"]);
    for name in [".headwater-run", ".headwater-backup"] {
        assert_eq!(sandbox.read(format!("mine/{name}")), b"mine");
    }
    for (folder, name) in [("frame", "frame-0001.png"), ("marker", ".headwater-run")] {
        run(folder).expect_refusal(&[folder, "contains a folder", name, "--out"]);
        sandbox.run_program(&["run", "pond.toml", "--force", "--out", folder]).expect_refusal(&[
            folder,
            "contains a folder",
            name,
            "--out",
        ]);
        assert!(sandbox.path(folder).join(name).is_dir());
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", sandbox.path("link")).unwrap();
        run("link").expect_refusal(&["link: is not a folder", "--out"]);
        run("link/out").expect_refusal(&["link: is not a folder", "--out"]);
    }
}

#[test]
fn an_unfinished_run_is_not_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    std::fs::create_dir(sandbox.path("out")).unwrap();
    sandbox.write("out/checkpoint.headwater", "of a run given up");
    sandbox.write("out/.headwater-temporary-k1ll3d", "half a picture");
    let run = "run pond.toml --out out";
    sandbox.run_program(&split_at_spaces(run)).expect_refusal(&[
        "out: ",
        "checkpoint.headwater",
        "--resume",
        "--force",
    ]);
    assert!(sandbox.path("out/checkpoint.headwater").exists());
    let both = sandbox.run_program(&split_at_spaces(&format!("{run} --force --resume")));
    assert_eq!(both.code, Some(2), "{both:?}");
    sandbox.run_program(&split_at_spaces(&format!("{run} --force"))).expect_success();
    let names = sandbox.names("out");
    assert!(!names.iter().any(|name| name.contains("headwater")), "{names:?}");
}

#[test]
fn a_folder_named_like_the_scratch_folder_is_kept_if_it_has_other_files() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    std::fs::create_dir_all(sandbox.path("out/.headwater-scratch")).unwrap();
    sandbox.write("out/.headwater-scratch/notes.txt", "mine");
    let run = "run pond.toml --out out --memory 70MiB";
    sandbox
        .run_program(&split_at_spaces(run))
        .expect_refusal(&[".headwater-scratch: contains `notes.txt`", "--out"]);
    sandbox.run_program(&split_at_spaces("run pond.toml --out out")).expect_success();
    assert_eq!(sandbox.read("out/.headwater-scratch/notes.txt"), b"mine");
    // A killed run leaves only pages, which the next run removes.
    sandbox.write("out/.headwater-scratch/0-1", "page");
    std::fs::remove_file(sandbox.path("out/.headwater-scratch/notes.txt")).unwrap();
    sandbox.run_program(&split_at_spaces(run)).expect_success();
    assert!(!sandbox.path("out/.headwater-scratch").exists());
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    let long = "run pond.toml --out out --set output.frames=1000 --until 1000000000";
    let running = sandbox.start_and_wait_for_file("out/frame-0001.png", &split_at_spaces(long));
    // Each of them waits a while for the other run to end, so they wait at the same time.
    let refused = ["", " --force", " --resume"]
        .map(|more| sandbox.start(&split_at_spaces(&format!("{long}{more}"))));
    for refused in refused {
        wait_for_exit(refused).expect_refusal(&["out: another run", "--out"]);
    }
    assert_eq!(sandbox.interrupt(running).code, Some(1));
    sandbox.run_program(&split_at_spaces("run pond.toml --out out --force")).expect_success();
}

#[test]
fn a_refused_scene_leaves_the_folder_unchanged() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    sandbox.run_program(&split_at_spaces("run pond.toml --out out")).expect_success();
    let before = sandbox.names("out");
    sandbox
        .run_program(&split_at_spaces("run pond.toml --out out --set terrain.file=no.tif"))
        .expect_refusal(&["no.tif"]);
    sandbox
        .run_program(&split_at_spaces("run pond.toml --out out --set picture.width=0"))
        .expect_refusal(&["picture.width"]);
    assert_eq!(sandbox.names("out"), before);
}

#[test]
fn a_run_neither_removes_nor_overwrites_its_inputs() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    sandbox.run_program(&split_at_spaces("run pond.toml --out out --layers bed")).expect_success();
    let bed = sandbox.read("out/bed.npy");
    let again = "run pond.toml --out out --set terrain.file=out/bed.npy";
    sandbox.run_program(&split_at_spaces(again)).expect_success();
    assert!(sandbox.read("out/bed.npy") == bed, "the ground is still there");
    let over = sandbox.run_program(&split_at_spaces(&format!("{again} --layers bed")));
    over.expect_refusal(&["terrain.file", "out/bed.npy"]);
    assert!(sandbox.read("out/bed.npy") == bed);

    raster::write_npy(sandbox.path("out/depth.npy"), &Field::new(3, 3, 1.0)).unwrap();
    let rain = "run pond.toml --out ./out --set rain.map=out/../out/depth.npy --layers depth";
    sandbox.run_program(&split_at_spaces(rain)).expect_refusal(&["rain.map"]);
}
