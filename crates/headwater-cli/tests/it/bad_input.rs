//! Tests of invalid usage and input. The program must exit with code 2 and print one line with the
//! place, the value found and the allowed values. It must never panic, which `Sandbox` checks after
//! every call.

use crate::sandbox::{POND, Sandbox, split_at_spaces};

#[test]
fn an_unknown_scene_is_reported_with_a_similar_name() {
    let sandbox = Sandbox::new();
    for command in ["run", "check"] {
        sandbox.run_program(&[command, "dam-braech"]).expect_refusal(&[
            "dam-braech",
            "dam-breach",
            "headwater scenes",
        ]);
        sandbox
            .run_program(&[command, "no/scene.toml"])
            .expect_refusal(&["no/scene.toml", "cannot be read"]);
    }
    sandbox
        .run_program(&split_at_spaces("new mine --like nope"))
        .expect_refusal(&["`nope`", "headwater scenes"]);
    sandbox
        .run_program(&split_at_spaces("info no.tif"))
        .expect_refusal(&["no.tif", "cannot be read"]);
    sandbox
        .run_program(&split_at_spaces("info no.toml"))
        .expect_refusal(&["no.toml", "cannot be read"]);
    sandbox.run_program(&split_at_spaces("info .")).expect_refusal(&[".: cannot be read"]);
    sandbox.run_program(&split_at_spaces("run .")).expect_refusal(&[".: cannot be read"]);
}

#[test]
fn scene_errors_state_the_file_line_and_key() {
    let sandbox = Sandbox::new();
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
        sandbox.write("pond.toml", POND.replacen(old, new, 1));
        for command in ["run", "check"] {
            sandbox.run_program(&[command, "pond.toml"]).expect_refusal(&expected);
        }
    }
    sandbox.write("pond.toml", b"seed = \xff\n");
    sandbox.run_program(&split_at_spaces("run pond.toml")).expect_refusal(&["pond.toml", "UTF-8"]);
}

#[test]
fn each_problem_is_printed_on_its_own_line() {
    let sandbox = Sandbox::new();
    let text = POND.replacen("nx = 40", "nx = 0", 1).replacen("rate = 3", "rate = -3", 1);
    sandbox.write("pond.toml", text);
    let outcome = sandbox.run_program(&split_at_spaces("check pond.toml"));
    assert_eq!((outcome.code, outcome.stderr.lines().count()), (Some(2), 2), "{outcome:?}");
    outcome.expect_stderr(&["pond.toml:5:1: grid.nx", "pond.toml:20:1: source[0].rate"]);
}

#[test]
fn control_characters_in_keys_are_escaped() {
    let sandbox = Sandbox::new();
    let key = "\"\\u202exn\\u001b\\nerror: x\" = 1\n";
    sandbox.write("pond.toml", POND.replacen("nx = 40", &format!("{key}nx = 40"), 1));
    let outcome = sandbox.run_program(&split_at_spaces("check pond.toml"));
    outcome.expect_refusal(&["pond.toml:5:1: grid.\\u202exn\\u001b error: x: no such key"]);
    let rows = sandbox.run_program(&split_at_spaces("check pond.toml --json"));
    assert!(!rows.stdout.contains('\u{202e}'), "{rows:?}");
    assert_eq!(rows.json()[0]["key"], "grid.\u{202e}xn\x1b\nerror: x");
}

#[test]
fn long_keys_and_long_key_lists_are_truncated() {
    let sandbox = Sandbox::new();
    let long = "k".repeat(1_000_000);
    sandbox.write("long.toml", POND.replacen("nx =", &format!("{long} = 1\nnx ="), 1));
    for more in ["", " --json"] {
        let outcome = sandbox.run_program(&split_at_spaces(&format!("check long.toml{more}")));
        outcome.expect_stderr(&["long.toml:5:1: grid.kkkk", "k…: no such key"]);
        assert!((outcome.stdout + &outcome.stderr).len() < 2000);
    }
    let many: String = (0..100_000).map(|i| format!("key{i} = 1\n")).collect();
    sandbox.write("many.toml", POND.replacen("nx =", &format!("{many}nx ="), 1));
    let outcome = sandbox.run_program(&split_at_spaces("check many.toml"));
    outcome.expect_refusal(&["many.toml:5:1: found 100003 keys (cell, key0, key1, ", "10000"]);
}

#[test]
fn long_arguments_are_shortened() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    let long = "a".repeat(100_000);
    let option = format!("--{long}");
    let (file, limit) = (format!("{long}.toml"), format!("--limit={long}"));
    let (wide, name) = ("ä".repeat(50_000), long.as_str());
    let cases: [&[&str]; 10] = [
        &["check", &long],
        &["check", &file],
        &["run", &option],
        &["check", "pond.toml", &limit],
        &["run", "pond.toml", "--out", &long],
        &["new", "mine", "--like", &long],
        &["new", name],
        &[&wide],
        &["info", &long],
        &[&long],
    ];
    for args in cases {
        let outcome = sandbox.run_program(args);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!((outcome.stdout + &outcome.stderr).len() < 2500, "{args:?}");
    }
    let rows = sandbox.run_program(&["check", "--json", &file]);
    assert!(rows.stdout.len() < 6000);
}

#[test]
fn line_breaks_in_arguments_are_not_printed() {
    let sandbox = Sandbox::new();
    for args in [&["ru\nerror: x"][..], &["run", "--ou\nerror: x"], &["new", "a\nerror: x"]] {
        let refused = sandbox.run_program(args);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(!refused.stderr.contains("\nerror: x"), "{refused:?}");
    }
    sandbox.run_program(&["new", "  "]).expect_refusal(&["up to 60 letters"]);
}

#[test]
#[cfg(unix)]
fn scenes_of_unlimited_size_are_refused_with_little_memory() {
    let sandbox = Sandbox::new();
    let point = "[[source]]\nat.x = 1\n".repeat(99_000);
    let dotted = (0..100_000).map(|i| format!("k{i}{} = 1\n", ".a".repeat(20))).collect();
    let texts: [(String, &str); 4] = [
        (dotted, "more than 210000 tables"),
        ("[[source]]\nat.b.c.d.e = 1\n".repeat(200_000), "more than 210000 tables"),
        ("[[source]]\nrate = 1\n".repeat(200_000), "source: found 200001 tables"),
        (point, "source[1].at: found { x = 1 }"),
    ];
    for (text, message) in texts {
        sandbox.write("large.toml", POND.to_owned() + &text);
        // These scenes took minutes or 2 GB before their size was limited.
        let script = "ulimit -v 1000000; ulimit -t 20; exec \"$0\" check large.toml";
        let mut shell = std::process::Command::new("bash");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_headwater")]);
        let output = shell.current_dir(sandbox.path(".")).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn paths_of_scenes_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let sandbox = Sandbox::new();
    let name = OsStr::from_bytes(b"p\xffnd.toml");
    std::fs::write(sandbox.path(name), POND).unwrap();
    for command in ["check", "info", "hash", "run"] {
        let outcome = sandbox.run_program(&[OsStr::new(command), name]).expect_success();
        assert!(outcome.stdout.contains("p\u{fffd}nd"), "{outcome:?}");
    }
    let folder = sandbox.path("out").join(OsStr::from_bytes(b"p\xffnd"));
    assert!(folder.join("summary.json").exists());
    let grid =
        sandbox.run_program(&[OsStr::new("run"), name, "--set".as_ref(), "grid.nx=0".as_ref()]);
    grid.expect_refusal(&["p\u{fffd}nd.toml: set grid.nx=0"]);
}

#[test]
fn errors_in_an_override_name_the_override() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
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
        sandbox.run_program(&[&["run", "pond.toml"][..], more].concat()).expect_refusal(expected);
    }
}

#[test]
fn invalid_options_end_with_exit_code_2() {
    let sandbox = Sandbox::new();
    sandbox
        .run_program(&split_at_spaces("run tide --threads 0"))
        .expect_refusal(&["--threads", "found 0"]);
    sandbox
        .run_program(&split_at_spaces("run tide --threads 99999"))
        .expect_refusal(&["--threads", "1 to 1024"]);
    // The command-line parser rejects these and adds a line about --help.
    for line in ["", "dance", "run", "run tide --set seed", "run tide --threads x", "info --jsn"] {
        let outcome = sandbox.run_program(&split_at_spaces(line));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{line}");
        outcome.expect_stderr(
            &["Usage"][..usize::from(!line.contains("--set") && !line.contains('x'))],
        );
    }
    for line in ["run tide --backend quantum", "run tide --layer-format jpeg"] {
        let outcome = sandbox.run_program(&split_at_spaces(line));
        assert_eq!(outcome.code, Some(2), "{line}");
        outcome.expect_stderr(&["possible values"]);
    }
}

#[test]
fn rasters_without_heights_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    let asc = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n";
    sandbox.write("short.asc", format!("{asc}1 2 3\n4"));
    sandbox.write("word.asc", format!("{asc}1 2 3\n4 x 6\n"));
    sandbox.write("huge.asc", format!("{asc}1 2 3\n4 1e300 6\n"));
    sandbox.write("nan.asc", format!("{asc}nan nan nan\nnan nan nan\n"));
    sandbox.write("cut.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    sandbox.write("cut.tif", b"II*\0\x08\0\0\0");
    sandbox.write("cut.npy", b"\x93NUMPY\x01\0");
    sandbox.write("odd.r16", b"123");
    sandbox.write("empty.tif", b"");
    sandbox.write("text.txt", "hello");
    let cases = [
        ("short.asc", "remaining 7 bytes"),
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
        sandbox.run_program(&["info", file]).expect_refusal(&[&format!("{file}: "), word]);
        let key = format!("terrain.file={file}");
        let refusal = ["pond.toml: set terrain.file", file, word];
        sandbox.run_program(&["run", "pond.toml", "--set", &key]).expect_refusal(&refusal);
        sandbox.run_program(&["check", "pond.toml", "--set", &key]).expect_refusal(&refusal);
    }
    sandbox
        .run_program(&split_at_spaces("run pond.toml --set rain.map=word.asc"))
        .expect_refusal(&["rain.map", "line 7"]);
}

#[test]
fn invalid_events_are_reported_before_the_run() {
    let sandbox = Sandbox::new();
    let scene = "model = 'columns'\ntime.until = 2\noutput.frames = 0\n[world]\ncell = 1\n\
        map = \"\"\"\n#....#\n#~~~~#\n######\n\"\"\"\n\
        [[event]]\ntime = 1\ndo = 'pour'\nvolume = 1\nrect = { min = [0, 0], max = [0.9, 1] }\n";
    sandbox.write("wall.toml", scene);
    sandbox
        .run_program(&split_at_spaces("check wall.toml"))
        .expect_refusal(&["wall.toml:11:1: event[0]", "no column"]);
    let run = sandbox.run_program(&split_at_spaces("run wall.toml --out out")).expect_success();
    run.expect_stderr(&["note: event[0] was skipped at 1 s", "no column"]);
    // The wall was built first, so the edit meets a wall.
    let dug = format!(
        "{scene}[[event]]\ntime = 0.5\ndo = 'dig'\nrect = {{ min = [0, 0], max = [0.9, 1] }}\n"
    );
    sandbox.write("dug.toml", dug);
    sandbox.run_program(&split_at_spaces("check dug.toml")).expect_success();
    let run = sandbox.run_program(&split_at_spaces("run dug.toml --out out")).expect_success();
    assert!(!run.stderr.contains("event"), "{run:?}");
}

#[test]
fn a_file_in_place_of_the_output_folder_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    sandbox.write("taken", "a file");
    for folder in ["taken", "taken/out"] {
        let outcome = sandbox.run_program(&["run", "pond.toml", "--out", folder]);
        outcome.expect_refusal(&["taken: is not a folder", "--out"]);
    }
    assert_eq!(sandbox.read("taken"), b"a file");
}

#[test]
fn pipes_and_folders_are_refused_as_input_files() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND);
    std::fs::create_dir(sandbox.path("folder.tif")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .args(["pipe.tif", "pipe.toml", "pipe", "marker"].map(|name| sandbox.path(name)))
        .status();
    assert!(made.unwrap().success());
    for (file, found) in
        [("pipe.tif", "a pipe"), ("folder.tif", "a folder"), ("/dev/zero", "a pipe")]
    {
        sandbox.run_program(&["info", file]).expect_refusal(&[file, found]);
        for key in ["terrain.file", "rain.map"] {
            let set = format!("{key}={file}");
            sandbox
                .run_program(&["run", "pond.toml", "--set", &set])
                .expect_refusal(&[file, key, found]);
        }
    }
    sandbox
        .run_program(&split_at_spaces("run pipe.toml"))
        .expect_refusal(&["pipe.toml", "found a pipe or device"]);
    sandbox
        .run_program(&split_at_spaces("run ./pipe"))
        .expect_refusal(&["pipe", "found a pipe or device"]);
    sandbox
        .run_program(&split_at_spaces("hash pipe.toml"))
        .expect_refusal(&["pipe.toml", "found a pipe or device"]);
    // A pipe in the place of the marker file of an earlier run is not opened.
    std::fs::create_dir(sandbox.path("marked")).unwrap();
    std::fs::rename(sandbox.path("marker"), sandbox.path("marked/.headwater-run")).unwrap();
    sandbox
        .run_program(&split_at_spaces("run pond.toml --out marked"))
        .expect_refusal(&["an earlier run: .headwater-run"]);
    sandbox.run_program(&split_at_spaces("run pond.toml --out marked --force")).expect_success();
    std::fs::create_dir(sandbox.path("out")).unwrap();
    std::fs::rename(sandbox.path("pipe"), sandbox.path("out/checkpoint.headwater")).unwrap();
    sandbox
        .run_program(&split_at_spaces("run pond.toml --out out --resume"))
        .expect_refusal(&["checkpoint", "found a pipe"]);
}

#[test]
fn control_characters_in_messages_are_escaped() {
    let sandbox = Sandbox::new();
    let refused = sandbox.run_program(&["run", "a\u{1b}[2Jb\u{7}.toml"]);
    refused.expect_refusal(&["a\\u001b[2Jb\\u0007.toml", "cannot be read"]);
    assert!(!refused.stderr.contains('\u{1b}'));
    for args in
        [["run", "--\u{1b}[2Jx"], ["\u{1b}]0;x\u{7}", "a.toml"], ["check", "--limit=\u{1b}x"]]
    {
        let refused = sandbox.run_program(&args);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(!refused.stderr.contains(['\u{1b}', '\u{7}']), "{refused:?}");
    }
    let refused = sandbox.run_program(&["run", "a\u{200b}\u{2028}\u{e0041}.toml"]);
    refused.expect_refusal(&["a\\u200b\\u2028\\udb40\\udc41.toml"]);
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
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with("error: stdout: "), "{stderr}");
    }
    // A panic would end with exit code 101.
    let output = call(Stdio::piped(), full().into(), &["check", "no.toml"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn confined_scenes_read_only_their_folder_and_limits_can_be_changed() {
    let sandbox = Sandbox::new();
    let dem = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 500\n1 2\n3 4\n";
    sandbox.write("outside.asc", dem);
    std::fs::create_dir(sandbox.path("theirs")).unwrap();
    sandbox.write("theirs/own.asc", dem);
    let scene = "model = 'flow'\ntime.until = 1\nterrain.file = '../outside.asc'\n";
    sandbox.write("theirs/a.toml", scene);
    sandbox.run_program(&split_at_spaces("check theirs/a.toml")).expect_success();
    let outside = ["theirs/a.toml:3:9: terrain.file", "is outside the folder of the scene"];
    for command in ["check theirs/a.toml --confined", "run theirs/a.toml --confined"] {
        sandbox.run_program(&split_at_spaces(command)).expect_refusal(&outside);
    }
    let own = "check theirs/a.toml --confined --set terrain.file=theirs/own.asc";
    sandbox.run_program(&split_at_spaces(own)).expect_success();

    let low = "check theirs/a.toml --limit memory=0.0001MiB";
    sandbox
        .run_program(&split_at_spaces(low))
        .expect_refusal(&["needs about", "--limit memory=SIZE"]);
    let many = "check theirs/a.toml --set grid.nx=9000 --set grid.ny=7000 --set grid.cell=1";
    sandbox
        .run_program(&split_at_spaces(many))
        .expect_refusal(&["4.7 GiB of memory; allowed are 4 GiB"]);
    for limit in ["memory=lots", "points=-1", "speed=3", "memory"] {
        let outcome = sandbox.run_program(&["check", "theirs/a.toml", "--limit", limit]);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        outcome.expect_stderr(&["--limit"]);
    }

    // The scene file itself is a link out of its folder.
    #[cfg(unix)]
    {
        sandbox.write("secret.toml", "model = 'secret'\n");
        std::os::unix::fs::symlink("../secret.toml", sandbox.path("theirs/link.toml")).unwrap();
        sandbox.run_program(&split_at_spaces("check theirs/link.toml")).expect_refusal(&["secret"]);
        let confined = sandbox.run_program(&split_at_spaces("check theirs/link.toml --confined"));
        confined.expect_refusal(&["theirs/link.toml: cannot be read: it is outside the folder"]);
    }

    // From another working folder, the scene is outside it.
    std::fs::create_dir(sandbox.path("here")).unwrap();
    let outcome =
        sandbox.run_program_in("here", &split_at_spaces("check ../theirs/a.toml")).expect_success();
    outcome.expect_stderr(&["outside the working folder and reads ../theirs/../outside.asc"]);
}
