//! Tests of the commands `scenes`, `new`, `check` and `info`.

use crate::sandbox::{POND, Sandbox, split_at_spaces};
use headwater::Field;
use headwater_scene::library::SCENES;
use headwater_scene::raster;

#[test]
fn the_scenes_command_lists_the_library() {
    let sandbox = Sandbox::new();
    let rows = sandbox.run_program(&split_at_spaces("scenes --json")).expect_success().json();
    let lines = sandbox.run_program(&["scenes"]).expect_success().stdout;
    assert_eq!(
        (rows.as_array().unwrap().len(), lines.lines().count()),
        (SCENES.len(), SCENES.len())
    );
    for ((known, row), line) in SCENES.iter().zip(rows.as_array().unwrap()).zip(lines.lines()) {
        assert_eq!(row["name"], known.name);
        let description = row["description"].as_str().unwrap();
        assert!(!row["title"].as_str().unwrap().is_empty() && !description.is_empty());
        assert!(line.starts_with(known.name) && line.ends_with(description), "{line}");
        assert!(line.len() < 120, "{line}");
    }
}

#[test]
fn the_new_command_writes_a_valid_scene() {
    let sandbox = Sandbox::new();
    for (command, file) in
        [("new mine", "mine"), ("new a_2.toml --like tide", "a_2"), ("new hügel", "hügel")]
    {
        sandbox.run_program(&split_at_spaces(command)).expect_success();
        let path = format!("{file}.toml");
        let text = String::from_utf8(sandbox.read(&path)).unwrap();
        assert!(text.lines().any(|line| line.starts_with('#')), "it explains itself");
        assert!(sandbox.run_program(&["check", &path]).expect_success().stdout.contains("good"));
        let line = format!(
            "run {path} --until 20 --set grid.nx=150 --set grid.ny=100 --set grid.cell=20 \
             --set output.frames=1 --set picture.width=160"
        );
        sandbox.run_program(&split_at_spaces(&line)).expect_success();
        assert_eq!(sandbox.summary(&format!("out/{file}"))["scene"], file);
    }
}

#[test]
fn the_new_command_overwrites_no_file_and_writes_only_to_the_current_folder() {
    let sandbox = Sandbox::new();
    sandbox.write("mine.toml", "precious");
    for name in ["mine", "mine.toml"] {
        sandbox.run_program(&["new", name]).expect_refusal(&["mine.toml", "already"]);
    }
    assert_eq!(sandbox.read("mine.toml"), b"precious");
    for name in ["", ".toml", "../out", "a/b", "a:b", "a\nb"] {
        sandbox.run_program(&["new", name]).expect_refusal(&["name"]);
    }
    assert_eq!(sandbox.names("."), ["mine.toml"]);
}

#[test]
fn the_check_command_distinguishes_valid_and_invalid_scenes() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    let good = sandbox.run_program(&split_at_spaces("check pond.toml")).expect_success();
    assert!(good.stdout.contains("pond.toml: good: 40 × 30 cells"), "{good:?}");
    assert_eq!(
        sandbox.run_program(&split_at_spaces("check pond.toml --json")).expect_success().json(),
        serde_json::json!([])
    );
    for known in SCENES {
        // This scene carves its land before it starts, which takes long on its own grid.
        let coarse = match known.name {
            "carve-then-flow" => "--set grid.nx=64 --set grid.ny=48 --set grid.cell=32",
            _ => "",
        };
        let line = format!("check {} {coarse}", known.name);
        sandbox.run_program(&split_at_spaces(&line)).expect_success();
    }

    let bad = POND.replacen("nx = 40", "nx = 0", 1).replacen("rate = 3", "raet = 3", 1);
    sandbox.write("bad.toml", bad);
    let outcome = sandbox.run_program(&split_at_spaces("check bad.toml --json"));
    assert_eq!(outcome.code, Some(2));
    let rows = outcome.json();
    let found: Vec<_> = rows.as_array().unwrap().iter().map(|r| (&r["line"], &r["key"])).collect();
    assert!(found.contains(&(&20.into(), &"source[0].raet".into())), "{rows}");
    for row in rows.as_array().unwrap() {
        assert_eq!((&row["file"], &row["column"]), (&"bad.toml".into(), &1.into()));
        assert!(row["message"].as_str().unwrap().len() > 5);
    }
}

#[test]
fn json_hashes_are_identical_in_every_run() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    let hash = || {
        sandbox.run_program(&split_at_spaces("hash pond.toml --steps 5 --json")).expect_success()
    };
    let (first, second) = (hash(), hash());
    assert_eq!(first.stdout, second.stdout);
    let mut keys: Vec<String> = first.json().as_object().unwrap().keys().cloned().collect();
    keys.sort();
    assert_eq!(keys, ["hash", "scene", "steps", "time"]);
}

#[test]
fn the_check_command_prints_a_json_array_for_every_kind_of_error() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    for line in [
        "check nope --json",
        "check no/scene.toml --json",
        "check pond.toml --set grid.nx=0 --json",
        "check pond.toml --set terrain.file=no.tif --json",
    ] {
        let outcome = sandbox.run_program(&split_at_spaces(line));
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        let rows = outcome.json();
        let row = &rows.as_array().unwrap()[0];
        assert!(row["line"].is_null() && row["key"].is_string(), "{row}");
        assert!(!row["message"].as_str().unwrap().is_empty());
    }
}

#[test]
fn the_info_command_describes_every_raster_format() {
    let sandbox = Sandbox::new();
    let hill = Field::from_fn(7, 5, |x, y| 100.0 + x as f32 + 10.0 * y as f32);
    raster::write_npy(sandbox.path("hill.npy"), &hill).unwrap();
    raster::write_geotiff(sandbox.path("hill.tif"), &hill, [2.0, 3.0], None).unwrap();
    raster::write_asc(sandbox.path("hill.asc"), &hill, [2.0, 3.0], None).unwrap();
    let raw: Vec<u8> = (0..9_u16).flat_map(|i| (100 + i).to_le_bytes()).collect();
    sandbox.write("hill.r16", raw);
    for (file, format) in [("hill.npy", "npy"), ("hill.tif", "tif"), ("hill.asc", "asc")] {
        let info = sandbox.run_program(&["info", file, "--json"]).expect_success().json();
        assert_eq!((&info["kind"], &info["width"]), (&"raster".into(), &7.into()), "{info}");
        assert_eq!((&info["height"], &info["no_data_cells"]), (&5.into(), &0.into()));
        assert_eq!(info["min_height"], 100.0);
        assert_eq!(info["max_height"], 146.0);
        assert!(info["format"].as_str().unwrap().to_lowercase().contains(format), "{info}");
        let cells = if format == "npy" { None } else { Some([2.0, 3.0]) };
        assert_eq!(info["cell_metres"], serde_json::json!(cells));
        assert_eq!(info["notices"], serde_json::json!([]));
        let lines = sandbox.run_program(&["info", file]).expect_success().stdout;
        assert_eq!(lines.lines().next(), Some(file));
        for word in ["kind", "raster", "min height", "max height", "146"] {
            assert!(lines.contains(word), "{lines}");
        }
    }
    // A photograph is not a raster of heights.
    sandbox.write("pond.toml", POND);
    sandbox.run_program(&split_at_spaces("run pond.toml --until 1 --out out")).expect_success();
    sandbox
        .run_program(&split_at_spaces("info out/final.png"))
        .expect_refusal(&["out/final.png", "colour PNG"]);
    let info =
        sandbox.run_program(&split_at_spaces("info hill.r16 --json")).expect_success().json();
    assert_eq!((&info["width"], &info["height"]), (&3.into(), &3.into()));
}

#[test]
fn the_info_command_describes_a_scene() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    let info =
        sandbox.run_program(&split_at_spaces("info pond.toml --json")).expect_success().json();
    assert_eq!((&info["kind"], &info["model"]), (&"scene".into(), &"flow".into()));
    assert_eq!(
        (&info["columns"], &info["rows"], &info["sources"]),
        (&40.into(), &30.into(), &1.into())
    );
    assert_eq!(info["cell_metres"], serde_json::json!([2.0, 2.0]));
    let [low, high] =
        ["lowest_ground_metres", "highest_ground_metres"].map(|key| info[key].as_f64().unwrap());
    assert!(high > low && info["step_seconds"].as_f64().unwrap() > 0.0);
    let lines = sandbox.run_program(&split_at_spaces("info pond.toml")).expect_success().stdout;
    assert!(lines.contains("until seconds") && lines.contains("scene"), "{lines}");
    sandbox.write("pond.toml", POND.replacen("nx", "nz", 1));
    sandbox
        .run_program(&split_at_spaces("info pond.toml"))
        .expect_refusal(&["pond.toml:5:1: grid.nz"]);
}

#[test]
fn help_and_version_are_available() {
    let sandbox = Sandbox::new();
    let help = sandbox.run_program(&["--help"]).expect_success().stdout;
    for command in ["run", "check", "new", "info", "scenes", "hash", "schema"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
        assert!(
            sandbox
                .run_program(&[command, "--help"])
                .expect_success()
                .stdout
                .contains("Usage: headwater")
        );
    }
    let version = sandbox.run_program(&["--version"]).expect_success().stdout;
    assert_eq!(version.trim(), concat!("headwater ", env!("CARGO_PKG_VERSION")));
}

/// Runs the program with an unprivileged user that may not create threads. Returns `None` if that
/// user cannot execute the program.
#[cfg(target_os = "linux")]
fn call_without_threads(folder: &std::path::Path, line: &str) -> Option<std::process::Output> {
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65534;
    let script = format!("ulimit -u 1; exec {} {line}", env!("CARGO_BIN_EXE_headwater"));
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", &script]).current_dir(folder);
    if std::fs::metadata("/proc/self")
        .is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
    {
        shell.uid(NOBODY).gid(NOBODY);
    }
    shell.output().ok().filter(|output| output.status.code() != Some(126))
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_folder_without_write_permission_is_refused() {
    let sandbox = Sandbox::new();
    let permissions = |mode| std::os::unix::fs::PermissionsExt::from_mode(mode);
    std::fs::create_dir(sandbox.path("closed")).unwrap();
    std::fs::set_permissions(sandbox.path("."), permissions(0o755)).unwrap();
    std::fs::set_permissions(sandbox.path("closed"), permissions(0o555)).unwrap();
    for (folder, message) in [
        ("closed", "closed: cannot be written: Permission denied"),
        ("closed/out", "closed/out: cannot be created: Permission denied"),
    ] {
        let line = format!("run u-tube --out {folder}");
        let Some(output) = call_without_threads(&sandbox.path("."), &line) else {
            eprintln!("skipped: an unprivileged user cannot execute the program");
            return;
        };
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(message) && stderr.contains("; choose another"), "{stderr}");
        assert!(!stderr.contains(".headwater-"), "{stderr}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn commands_work_if_no_threads_can_be_created() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path(".");
    let everyone = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(&folder, everyone).unwrap();
    for line in [
        "check u-tube",
        "run u-tube --until 1 --set output.frames=1",
        "run u-tube --until 1 --threads 1 --force",
    ] {
        let Some(output) = call_without_threads(&folder, line) else {
            eprintln!("skipped: an unprivileged user cannot execute the program");
            return;
        };
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(output.status.success(), "{line}: {stdout}{stderr}");
        assert_eq!(
            stderr.contains("no more threads"),
            !line.contains("--threads"),
            "{line}: {stderr}"
        );
    }
}
