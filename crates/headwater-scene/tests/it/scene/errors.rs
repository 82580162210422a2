//! Tests of the error messages for invalid scenes. Each message is one line with the position, the
//! key, the value found and the allowed values.

use crate::support::rejected::parse_cases;
use headwater_scene::scene::{self, ProblemLocation};

const POND: &str = r#"model = "flow"
seed = 7

[grid]
nx = 40
ny = 30
cell = 2

[time]
until = 60

[terrain]
noise = { height = 5 }

[[source]]
at = [40, 30]
rate = 3

[[event]]
time = 5
do = "raise"
disc = { center = [10, 10], radius = 4 }
amount = 2

[[boundary]]
edge = "west"
kind = "open"

[[gauge]]
name = "middle"
at = ["50%", "50%"]
"#;

fn parse_error(text: &str, overrides: &[(&str, &str)]) -> String {
    let overrides: Vec<_> =
        overrides.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    match scene::parse("pond.toml", text, &overrides) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

/// Returns the error message for the pond scene in which `old` is replaced by `new`.
fn error_after_replacing(old: &str, new: &str) -> String {
    assert!(POND.contains(old), "{old}");
    parse_error(&POND.replacen(old, new, 1), &[])
}

fn assert_pond_errors(table: &str) {
    for [old, new, expected] in parse_cases(table) {
        let error = error_after_replacing(&old, &new);
        assert!(error.contains(&expected), "{new}:\n  {error}\n  {expected}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn the_unchanged_pond_is_valid() {
    assert_eq!(parse_error(POND, &[]), "");
}

#[test]
fn errors_about_numbers_out_of_range_report_the_range() {
    assert_pond_errors(
        r#"
        nx = 40 => nx = 0 => pond.toml:5:1: grid.nx: found 0 cells, allowed is 1 to 67108864
        nx = 40 => nx = 66000000 => pond.toml:4:2: grid: found 66000000 × 30 cells, allowed
        cell = 2 => cell = -2 => 7:1: grid.cell: found -2, allowed is 0.001 to 100000 m
        cell = 2 => cell = [2, nan] => 7:12: grid.cell[1]: found NaN, allowed is
        until = 60 => until = 0 => 10:1: time.until: found 0, allowed is above 0
        until = 60 => until = inf => 10:1: time.until: found inf, allowed is above 0 up to 1e10 s
        height = 5 => height = 1e308 => 13:11: terrain.noise.height: found 1e308, allowed is 0
        rate = 3 => rate = -3 => 17:1: source[0].rate: found -3, allowed is 0 to 1e9 m³/s
        radius = 4 => radius = 0 => event[0].disc.radius: found 0, allowed is above 0
        seed = 7 => output.frames = 99999 => output.frames: found 99999, allowed is 0 to 10000
        seed = 7 => title = 'a\tb' => title: found "a
        seed = 7 => seed = -7 => 2:1: seed: found -7, needs a whole number from 0
    "#,
    );
}

#[test]
fn invalid_bodies_and_forces_are_errors() {
    let body = |keys: &str| {
        parse_error(&format!("{POND}\n[[body]]\nat = [40, 30]\nheight = 1\n{keys}"), &[])
    };
    assert_eq!(body("radius = 2\nmass = 900\nname = 'buoy'"), "");
    assert_eq!(body("size = [3, 2]\ndensity = 600\nabove = 'afloat'\nkind = 'boat'"), "");
    let wrong = [
        ("radius = 2", "body[0]: found none, needs one of mass and density"),
        ("mass = 9", "body[0]: found none, needs one of radius and size"),
        (
            "radius = 1\nsize = [2, 1]\nmass = 9",
            "body[0]: found both, needs one of radius and size",
        ),
        ("size = [1, 2]\nmass = 9", "body[0].size: needs the length first"),
        ("radius = 0\nmass = 9", "body[0].radius: found 0, allowed is 0.001 to 1000000 m"),
        ("radius = 1\nmass = -9", "body[0].mass: found -9, allowed is 0.001 to 1e15 kg"),
        (
            "radius = 1\nmass = 9\nabove = 'high'",
            "body[0].above: needs a height in metres, or \"afloat\"",
        ),
        ("radius = 1\nmass = 9\nabove = -1", "body[0].above: found -1, allowed is 0 to 100000 m"),
        (
            "radius = 1\nmass = 9\nkind = 'bot'",
            "body[0].kind: found \"bot\"; did you mean \"boat\"?",
        ),
        ("radius = 1\nmass = 9\nname = 'a b'", "body[0].name: found \"a b\", allowed is 1 to 64"),
        ("radius = 1\nmass = 9\ncolour = 'red'", "body[0].colour: no such key"),
    ];
    for (keys, expected) in wrong {
        let error = body(keys);
        assert!(error.contains(expected), "{keys}:\n  {error}\n  {expected}");
    }
    let push = error_after_replacing("do = \"raise\"", "do = \"push\"");
    assert!(push.contains("event[0].amount: no such key; allowed are velocity, falloff"), "{push}");
    assert_pond_errors(
        r#"
        amount = 2 => amount = 2\nvelocity = [1, 0] => event[0].velocity: no such key; allowed are amount, level
        at = ["50%", "50%"] => body = "boat" => gauge[0].body: there is no body "boat"; bodies
    "#,
    );
}

#[test]
fn wrong_types_are_reported_without_jargon() {
    assert_pond_errors(
        r#"
        seed = 7 => seed = 'a' => 2:1: seed: found "a", needs a whole number from 0
        cell = 2 => cell = 'a' => 7:1: grid.cell: needs a number of metres or a list of two
        rate = 3 => rate = [[0, 1], [0, 2]] => 17:1: source[0].rate: a table, entry 1: found 0 s after 0 s, allowed is times in increasing order
        rate = 3 => rate = [] => source[0].rate: a table: found no points
        rate = 3 => rate = 'x' => source[0].rate: found "x", needs a number or a list of [seconds, value]
        at = [40, 30] => at = [40, 'x'] => source[0].at[1]: found "x", needs a number of metres
        at = [40, 30] => at = [40] => source[0].at: found a list of length 1, needs a list of two
        at = [40, 30] => at = 40 => source[0].at: found 40, needs a list of two
        noise = { height = 5 } => noise = 5 => terrain.noise: found 5, needs a table
    "#,
    );
}

#[test]
fn positions_outside_the_grid_are_errors() {
    assert_pond_errors(
        r#"
        at = [40, 30] => at = [80.1, 30] => 16:1: source[0].at: found [80.1, 30], which is off
        at = [40, 30] => at = [40, '140%'] => source[0].at[1]: found 140, allowed is 0 to 100 %
        center = [10, 10] => center = [-10, 10] => event[0].disc: lies off the grid
        disc = { => rect = { min = [1, 1], max = [1, 2] } # => event[0].rect: a rectangle: found [1, 1] to [1, 2], allowed is `min` north-west of `max`
        kind = "open" => kind = "open"\nfrom = 70 => boundary[0]: found 70 to 60 m, needs
    "#,
    );
}

#[test]
fn missing_and_conflicting_keys_are_errors() {
    assert_pond_errors(
        r#"
        amount = 2 =>  => pond.toml:19:1: event[0]: found none, needs one of amount and level
        amount = 2 => amount = 2\nlevel = 3 => 19:1: event[0]: found both, needs one of amount and level
        amount = 2 => amount = 2\nvolume = 3 => event[0].volume: no such key
        amount = 2 => amount = 2\nuntil = 9 => event[0].until: does not apply without `every`
        time = 5 => time = 5\nevery = 1e-9 => event[0].every: makes 5.5e10 repeats, allowed is
        disc = { => # => event[0]: found none, needs one of disc, rect, line, polygon, everywhere
        kind = "open" => kind = "stage" => boundary[0].level: is missing
        at = ["50%", "50%"] =>  => gauge[0]: found none, needs one of at, line, disc, rect, polygon, structure
        noise = { height = 5 } =>  => 12:2: terrain: found no terrain, needs one of plane, noise
        noise = { => scale = 2\nnoise = { => terrain.scale: does not apply without terrain.file
        seed = 7 => output = { frames = 9, frame_every = 2 } => output.frame_every: found both
    "#,
    );
}

#[test]
fn features_unsupported_on_hexagons_are_errors() {
    let hex = |keys: &[(&str, &str)]| {
        let all: Vec<_> = [&[("grid.lattice", "hex")][..], keys].concat();
        parse_error(POND, &all)
    };
    let found = hex(&[("grid.cell", "[2, 3]")]);
    assert!(found.contains("grid.cell: found a list; hexagons need one number"), "{found}");
    let found = parse_error(POND, &[("picture.cells", "hexes")]);
    assert!(found.contains("picture.cells: found \"hexes\", which needs"), "{found}");
    let found = parse_error(POND, &[("grid.lattice", "triangles")]);
    assert!(found.contains("grid.lattice") && found.contains("hex"), "{found}");
}

#[test]
fn names_invalid_as_file_names_are_errors() {
    assert_pond_errors(
        r#"
        name = "middle" => name = "../x" => gauge[0].name: found "../x", allowed is 1 to 64
        name = "middle" => name = "Con" => gauge[0].name: found "Con", which Windows reserves
        name = "middle" => name = "LPT1" => gauge[0].name: found "LPT1", which Windows reserves
        name = "middle" => name = "" => gauge[0].name: found "", allowed is
    "#,
    );
    let again = format!("{POND}\n[[gauge]]\nname = \"MIDDLE\"\nat = [1, 1]\n");
    assert!(parse_error(&again, &[]).contains("gauge[1].name: found \"MIDDLE\" beside \"middle\""));
}

#[test]
fn unknown_names_get_a_suggestion() {
    assert_pond_errors(
        r#"
        nx = 40 => nxx = 40 => pond.toml:5:1: grid.nxx: no such key; did you mean `nx`?
        [time] => [tiem] => pond.toml:9:2: tiem: no such key; did you mean `time`?
        rate = 3 => rat = 3 => 17:1: source[0].rat: no such key; did you mean `rate`?
        radius = 4 => raduis = 4 => event[0].disc.raduis: no such key; did you mean `radius`?
        do = "raise" => do = "rais" => event[0].do: found "rais"; did you mean "raise"?
        model = "flow" => model = "x" => 1:1: model: found "x"; allowed is "flow"
        edge = "west" => edge = "left" => boundary[0].edge: found "left"; allowed is "west",
    "#,
    );
}

#[test]
fn missing_keys_are_named() {
    assert_eq!(
        error_after_replacing("model = \"flow\"", ""),
        "pond.toml: model: is missing; write model = \"NAME\", with one of flow, waves, blocks, columns, hydrology"
    );
    assert_eq!(error_after_replacing("until = 60", ""), "pond.toml:9:2: time.until: is missing");
    assert_eq!(error_after_replacing("rate = 3", ""), "pond.toml:15:1: source[0].rate: is missing");
}

#[test]
fn all_problems_are_reported_together() {
    let text = POND.replace("rate = 3", "rate = -3").replace("until = 60", "until = -1");
    assert_eq!(parse_error(&text, &[]).lines().count(), 2);
    let text =
        POND.replace("nx =", "nxx =").replace("rate =", "raet =").replace("until =", "tlil =");
    let keys = parse_error(&text.replace("seed = 7", "seed = []"), &[]);
    assert_eq!(keys.lines().count(), 4, "{keys}");
    let first_and_last = (keys.lines().next().unwrap(), keys.lines().last().unwrap());
    assert!(first_and_last.0.starts_with("pond.toml:2:1: seed"), "{keys}");
    assert!(first_and_last.1.starts_with("pond.toml:17:1: source[0].raet"), "{keys}");
}

#[test]
fn boundaries_must_not_overlap() {
    let two = |a: &str, b: &str| {
        let second = format!("[[boundary]]\nedge = \"west\"\nkind = \"wall\"\n{b}\n\n[[gauge]]");
        let text = POND.replace("kind = \"open\"\n", &format!("kind = \"open\"\n{a}\n"));
        parse_error(&text.replace("[[gauge]]", &second), &[])
    };
    assert_eq!(two("to = 30", "from = 30"), "");
    assert_eq!(two("to = '50%'", "from = 30"), "");
    let clash = two("to = 31", "from = '50%'");
    assert!(clash.contains("boundary[1]: found 30 to 60 m, which overlaps boundary[0]"), "{clash}");
}

#[test]
fn syntax_errors_have_line_and_column() {
    let broken = error_after_replacing("cell = 2", "cell = = 2");
    assert!(broken.starts_with("pond.toml:7:8: invalid TOML: "), "{broken}");
    assert_eq!(broken.lines().count(), 1);
    let twice = error_after_replacing("cell = 2", "nx = 2");
    assert!(twice.starts_with("pond.toml:7:1: invalid TOML: duplicate key"), "{twice}");
}

#[test]
fn overrides_replace_values_and_errors_name_them() {
    let set = |key: &str, value: &str| parse_error(POND, &[(key, value)]);
    assert_eq!(set("source[0].rate", "[[0, 1], [9, 5]]"), "");
    let blamed = set("source.0.rate", "-1");
    assert!(blamed.starts_with("pond.toml: set source.0.rate=-1: source[0].rate: found -1"));
    let unknown = set("physics.viscosty", "1");
    assert!(unknown.starts_with("pond.toml: set physics.viscosty=1: physics.viscosty: no such"));
    assert!(unknown.contains("did you mean `viscosity`?"), "{unknown}");
    assert!(set("seed.x", "1").contains("`seed` is of type integer, it has no key `x`"));
    assert!(set("source[5].rate", "1").contains("`source` has 1 entries, found index 5"));
    assert!(set("", "1").contains("needs one such as `grid.nx`"));
    let half = set("rain.map", "'r.png'");
    assert_eq!(half, "pond.toml: set rain.map='r.png': rain.rate: is missing");

    let overrides =
        [("time.until".to_owned(), "9".to_owned()), ("title".into(), "Two ponds".into())];
    let scene = scene::parse("pond.toml", POND, &overrides).unwrap();
    assert_eq!((scene.until(), scene.title()), (9.0, "Two ponds"));
}

#[test]
fn files_are_relative_to_the_scene_and_overrides_to_the_working_directory() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("pond.toml");
    std::fs::write(&path, POND.replace("noise = { height = 5 }", "file = 'dem.asc'")).unwrap();
    let scene = scene::load(&path, &[]).unwrap();
    assert_eq!(scene.flow().unwrap().terrain.file, Some(directory.path().join("dem.asc")));
    let overrides = [("terrain.file".to_owned(), "my/dem.asc".to_owned())];
    let scene = scene::load(&path, &overrides).unwrap();
    assert_eq!(scene.flow().unwrap().terrain.file, Some("my/dem.asc".into()));
}

#[test]
fn invalid_documents_are_rejected() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x.toml");
    let load = || scene::load(&path, &[]).unwrap_err().to_string();
    assert!(load().contains("x.toml: cannot be read"));
    std::fs::write(&path, [b'#', 0xff, 0xfe]).unwrap();
    assert!(load().contains("x.toml: byte 1 is not UTF-8"));
    std::fs::write(&path, vec![b'#'; 33 << 20]).unwrap();
    assert!(load().contains("longer than 32 MiB"));
}

#[test]
fn errors_created_after_parsing_have_line_numbers() {
    let scene = scene::parse("pond.toml", POND, &[]).unwrap();
    let error = scene.error("source[0].rate", "more than the river has");
    assert_eq!(error.problems()[0].place, ProblemLocation::Text { line: 17, column: 1 });
    assert_eq!(error.to_string(), "pond.toml:17:1: source[0].rate: more than the river has");
}

#[test]
fn incomplete_boundaries_and_wave_makers_name_the_missing_keys() {
    assert_pond_errors(
        r#"
        kind = "open" => kind = "wave"\nlevel = 0\nperiod = 5 => boundary[0].amplitude: is missing
        kind = "open" => kind = "wave"\nlevel = [[0, 1], [9, 2]]\namplitude = 1\nperiod = 5 => boundary[0].level: found a list, needs a number
        kind = "open" => kind = "wave"\nlevel = 0\namplitude = -1\nperiod = 5 => boundary[0].amplitude: found -1, allowed is 0 to 1000 m
        kind = "open" => kind = "wave"\nlevel = 0\nperiod = 5\nrise = [[0, 1], [9, 2]] => boundary[0].period: cannot be combined with rise
        kind = "open" => kind = "wave"\nlevel = 0\nrise = 2000 => boundary[0].rise: found 2000, allowed is -1000 to 1000 m
        kind = "open" => kind = "solitary"\nlevel = 0\nheight = -1\ntime = 5 => boundary[0].height: found -1, allowed is 0 to 1000 m
        kind = "open" => kind = "solitary"\nlevel = 0\nheight = 1 => boundary[0].time: is missing
        kind = "open" => kind = "stage"\nlevel = { csv = 'no-such-tide.csv' } => boundary[0].level: no-such-tide.csv: cannot be read:
        kind = "open" => kind = "stage"\nlevel = { csv = 'tide.csv', tines = 'h' } => boundary[0].level.tines: no such key; did you mean `times`?
        kind = "open" => kind = "periodic"\nfrom = 5 => "periodic" needs a whole edge
        kind = "open" => kind = "open"\nperiod = 5 => period: no such key
        seed = 7 => output.layers = ['bed', 'arrival'] => output.layers[1]: "arrival" needs the table `[flood]`
        seed = 7 => flood.depth = 0 => flood.depth: found 0, allowed is above 0 up to 1000 m
        seed = 7 => settle.tolerance = 0 => settle.tolerance: found 0, allowed is above 0
        seed = 7 => settle.tolerence = 1 => no such key; did you mean `tolerance`?
    "#,
    );
}

#[test]
fn actions_are_checked_like_tables() {
    let body = "[[event]]\ntime = 1\ndo = 'add'\nbody = { name = 'a/b', at = [9, 9], radius = 1, \
        density = 500, height = 1 }\n";
    let message = parse_error(&(POND.to_owned() + body), &[]);
    assert!(message.contains("event[1].body.name"), "{message}");
    let land = "model = 'hydrology'\n[grid]\nnx = 9\nny = 9\n[time]\nuntil = 1\n[terrain]\nplane = {}\n\
        [[event]]\ntime = 0\ndo = 'raise'\namount = 1\nfalloff = 'smooth'\n\
        polygon = [[1, 1], [20, 1], [9, 20]]\n";
    let message = parse_error(land, &[]);
    assert!(message.contains("event[0].falloff"), "{message}");
}
