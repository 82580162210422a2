//! Invalid usage and input: exit code 2 and one line with the place, the value found and the
//! allowed values. Never a panic: `Desk` checks that after every call.

use crate::desk::{Desk, POND, words};

#[test]
fn an_unknown_scene_is_reported_with_the_known_ones() {
    let desk = Desk::new();
    for command in ["run", "check"] {
        desk.call(&[command, "dam-braech"]).refused(&["dam-braech", "dam-breach", "tide"]);
        desk.call(&[command, "no/scene.toml"]).refused(&["no/scene.toml", "cannot be read"]);
    }
    desk.call(&words("new mine --like nope")).refused(&["`nope`", "your-terrain"]);
    desk.call(&words("info no.tif")).refused(&["no.tif", "cannot be read"]);
    desk.call(&words("info no.toml")).refused(&["no.toml", "cannot be read"]);
    desk.call(&words("info .")).refused(&[".: cannot be read"]);
    desk.call(&words("run .")).refused(&[".: cannot be read"]);
}

#[test]
fn problems_of_a_scene_name_file_line_and_key() {
    let desk = Desk::new();
    let cases = [
        ("nx = 40", "nxx = 40", ["pond.toml:5:1: grid.nxx:", "did you mean `nx`?"]),
        ("until = 10", "until = -1", ["pond.toml:10:1: time.until:", "found -1"]),
        ("rate = 3", "rate = 'much'", ["pond.toml:20:1: source[0].rate:", "\"much\""]),
        ("at = [40, 30]", "at = [400, 30]", ["pond.toml:19:1: source[0].at", "400"]),
        ("frames = 2", "frames = 99999", ["pond.toml:23:1: output.frames:", "10000"]),
        ("[grid]", "[grid", ["pond.toml:4:", "]"]),
        ("model = \"flow\"", "model = \"flaw\"", ["pond.toml:1:1: model:", "\"flow\""]),
    ];
    for (old, new, expected) in cases {
        desk.write("pond.toml", POND.replacen(old, new, 1));
        for command in ["run", "check"] {
            desk.call(&[command, "pond.toml"]).refused(&expected);
        }
    }
    desk.write("pond.toml", b"seed = \xff\n");
    desk.call(&words("run pond.toml")).refused(&["pond.toml", "UTF-8"]);
}

#[test]
fn each_problem_is_printed_on_its_own_line() {
    let desk = Desk::new();
    let text = POND.replacen("nx = 40", "nx = 0", 1).replacen("rate = 3", "rate = -3", 1);
    desk.write("pond.toml", text);
    let outcome = desk.call(&words("check pond.toml"));
    assert_eq!((outcome.code, outcome.stderr.lines().count()), (Some(2), 2), "{outcome:?}");
    outcome.says(&["pond.toml:5:1: grid.nx", "pond.toml:20:1: source[0].rate"]);
}

#[test]
fn problems_of_an_override_name_the_override() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    let cases: [(&[&str], &[&str]); 9] = [
        (&["--set", "grid.nx=zero"], &["set grid.nx=zero: grid.nx:", "\"zero\""]),
        (&["--set", "gird.nx=3"], &["set gird.nx=3", "did you mean `grid`?"]),
        (&["--set", "source[7].rate=1"], &["source[7].rate", "1 entries"]),
        (&["--set", "=3"], &["set =3"]),
        (&["--set", "seed[0]=3"], &["seed[0]", "no entry 0"]),
        (&["--until", "soon"], &["time.until", "\"soon\""]),
        (&["--until", "-1"], &["time.until", "found -1"]),
        (&["--layers", "depht"], &["output.layers[0]", "did you mean \"depth\"?"]),
        (&["--set", "terrain.file=no.tif"], &["terrain.file", "no.tif", "cannot be read"]),
    ];
    for (more, expected) in cases {
        desk.call(&[&["run", "pond.toml"][..], more].concat()).refused(expected);
    }
}

#[test]
fn invalid_options_end_with_exit_code_2() {
    let desk = Desk::new();
    desk.call(&words("run tide --threads 0")).refused(&["--threads", "found 0"]);
    desk.call(&words("run tide --threads 99999")).refused(&["--threads", "1 to 1024"]);
    for command in ["verify", "bench"] {
        for case in ["flow/nope", "flow/*nope", "nope*"] {
            desk.call(&[command, case]).refused(&[case, "flow"]);
            desk.call(&[command, "--json", case]).refused(&[case, "flow"]);
        }
    }
    // The command-line parser rejects these and adds a line about --help.
    for line in ["", "dance", "run", "run tide --set seed", "run tide --threads x", "verify --jsn"]
    {
        let outcome = desk.call(&words(line));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{line}");
        outcome.says(&["Usage"][..usize::from(!line.contains("--set") && !line.contains('x'))]);
    }
    for line in ["run tide --backend quantum", "run tide --layer-format jpeg"] {
        let outcome = desk.call(&words(line));
        assert_eq!(outcome.code, Some(2), "{line}");
        outcome.says(&["possible values"]);
    }
}

#[test]
fn rasters_without_heights_are_refused() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    let asc = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n";
    desk.write("short.asc", format!("{asc}1 2 3\n4"));
    desk.write("word.asc", format!("{asc}1 2 3\n4 x 6\n"));
    desk.write("huge.asc", format!("{asc}1 2 3\n4 1e300 6\n"));
    desk.write("nan.asc", format!("{asc}nan nan nan\nnan nan nan\n"));
    desk.write("cut.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    desk.write("cut.tif", b"II*\0\x08\0\0\0");
    desk.write("cut.npy", b"\x93NUMPY\x01\0");
    desk.write("odd.r16", b"123");
    desk.write("empty.tif", b"");
    desk.write("text.txt", "hello");
    let cases = [
        ("short.asc", "7 bytes left"),
        ("word.asc", "line 7: found `x`"),
        ("huge.asc", "column 1, row 1"),
        ("nan.asc", "no-data"),
        ("cut.png", "PNG"),
        ("cut.tif", "TIFF"),
        ("cut.npy", "NPY"),
        ("odd.r16", "R16"),
        ("empty.tif", ""),
        ("text.txt", "allowed are .png"),
    ];
    for (file, word) in cases {
        desk.call(&["info", file]).refused(&[&format!("{file}: "), word]);
        let key = format!("terrain.file={file}");
        let refusal = ["pond.toml: set terrain.file", file, word];
        desk.call(&["run", "pond.toml", "--set", &key]).refused(&refusal);
        desk.call(&["check", "pond.toml", "--set", &key]).refused(&refusal);
    }
    desk.call(&words("run pond.toml --set rain.map=word.asc")).refused(&["rain.map", "line 7"]);
}

#[test]
fn invalid_events_are_reported_before_the_run() {
    let desk = Desk::new();
    let scene = "model = 'columns'\ntime.until = 2\noutput.frames = 0\n[world]\ncell = 1\n\
        map = \"\"\"\n#....#\n#~~~~#\n######\n\"\"\"\n\
        [[event]]\ntime = 1\ndo = 'pour'\nvolume = 1\nrect = { min = [0, 0], max = [0.9, 1] }\n";
    desk.write("wall.toml", scene);
    desk.call(&words("check wall.toml")).refused(&["wall.toml:11:1: event[0]", "no column"]);
    let run = desk.call(&words("run wall.toml --out out")).good();
    run.says(&["note: event[0] was skipped at 1 s", "no column"]);
    // With the wall built first, the edit meets one.
    let dug = format!(
        "{scene}[[event]]\ntime = 0.5\ndo = 'dig'\nrect = {{ min = [0, 0], max = [0.9, 1] }}\n"
    );
    desk.write("dug.toml", dug);
    desk.call(&words("check dug.toml")).good();
    let run = desk.call(&words("run dug.toml --out out")).good();
    assert!(!run.stderr.contains("event"), "{run:?}");
}

#[test]
fn an_unwritable_folder_is_named_in_the_error() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    desk.write("taken", "a file");
    for folder in ["taken", "taken/out"] {
        let outcome = desk.call(&["run", "pond.toml", "--out", folder]);
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        outcome.says(&["error: taken"]);
        assert_eq!(outcome.stderr.lines().count(), 1);
    }
    // A folder in place of a file.
    std::fs::create_dir_all(desk.path("out/final.png")).unwrap();
    desk.call(&words("run pond.toml --out out")).refused(&["final.png"]);
    let outcome = desk.call(&words("run pond.toml --out out --force"));
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    outcome.says(&["final.png"]);
}

#[test]
fn pipes_and_folders_are_refused_as_input_files() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    std::fs::create_dir(desk.path("folder.tif")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .args([desk.path("pipe.tif"), desk.path("pipe.toml"), desk.path("pipe")])
        .status();
    assert!(made.unwrap().success());
    for (file, found) in
        [("pipe.tif", "a pipe"), ("folder.tif", "a folder"), ("/dev/zero", "a pipe")]
    {
        desk.call(&["info", file]).refused(&[file, found]);
        for key in ["terrain.file", "rain.map"] {
            let set = format!("{key}={file}");
            desk.call(&["run", "pond.toml", "--set", &set]).refused(&[file, key, found]);
        }
    }
    desk.call(&words("run pipe.toml")).refused(&["pipe.toml", "found a pipe or device"]);
    desk.call(&words("run ./pipe")).refused(&["pipe", "found a pipe or device"]);
    std::fs::create_dir(desk.path("out")).unwrap();
    std::fs::rename(desk.path("pipe"), desk.path("out/checkpoint.headwater")).unwrap();
    desk.call(&words("run pond.toml --out out --resume")).refused(&["checkpoint", "found a pipe"]);
}

#[test]
fn control_characters_in_messages_are_escaped() {
    let desk = Desk::new();
    let refused = desk.call(&["run", "a\u{1b}[2Jb\u{7}.toml"]);
    refused.refused(&["a\\u{1b}[2Jb\\u{7}.toml", "cannot be read"]);
    assert!(!refused.stderr.contains('\u{1b}'));
}

#[cfg(target_os = "linux")]
#[test]
fn output_errors_are_reported_and_never_panic() {
    use std::process::{Command, Stdio};
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let call = |stdout: Stdio, stderr: Stdio, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
        let child = command.args(args).stdout(stdout).stderr(stderr).spawn().unwrap();
        child.wait_with_output().unwrap()
    };
    for args in [&["scenes"][..], &["schema"], &["check", "pond"]] {
        let output = call(full().into(), Stdio::piped(), args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.starts_with("error: stdout: "), "{told}");
    }
    // A panic would end with exit code 101.
    let output = call(Stdio::piped(), full().into(), &["check", "no.toml"]);
    assert_eq!(output.status.code(), Some(2));
}
