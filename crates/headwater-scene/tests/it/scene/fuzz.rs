//! Fuzzing of scene files. The parser must return a scene or an error, without panics, endless
//! loops or unbounded memory use.

use crate::support::fuzz::{Rng, Search};
use crate::support::run::EVERYTHING;
use headwater_scene::scene;
use headwater_scene::terrain;

/// Returns the TOML source of a scene with all tables and nearly all keys, but without external
/// files.
fn scene_with_all_keys() -> String {
    let more = [
        ("seed = 11\n", HEAD),
        ("until = 12\n", "until = 100\ndt = 0.1\n"),
        (
            "[physics]\n",
            "[physics]\nlevel = 'pipes'\ngravity = 9.81\npipe_area = 3\nmanning = 0.04\ntheta = 0.8\n",
        ),
        ("file = \"ground.asc\"\n", GROUND),
        ("level = 202\n", "level = 202\ndepth = 0.1\n"),
        (
            "level = { csv = \"tide.csv\", times = \"min\", columns = [\"when\", \"cm\"], scale = 0.01 }\n",
            "level = [[0, 201], [60, 202]]\n",
        ),
        (
            "[[culvert]]\n",
            "[[culvert]]\nname = 'pipe'\none_way = true\nlength = 20\nmanning = 0.02\nentrance_loss = 0.9\n",
        ),
        ("[[gate]]\n", "[[gate]]\ncontraction = 0.6\n"),
        ("[[weir]]\n", "[[weir]]\ncoefficient = 0.7\n"),
        (
            "frames = 3\n",
            "frame_every = 2\ngif = false\nfps = 10\nlayer_format = 'geotiff'\nfinal = false\n",
        ),
        ("contours = true\n", "liquid = 'lava'\n"),
    ];
    more.iter().fold(EVERYTHING.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

const HEAD: &str = "title = 'All'
description = 'Every key'
seed = 5
[grid]
nx = 40
ny = 30
cell = [2.5, 2]
lattice = 'square'
";

const GROUND: &str = "plane = { height = 204, slope = [-0.01, 0.02] }
[terrain.noise]
kind = 'ridged'
height = 5
scale = 40
octaves = 5
persistence = 0.5
lacunarity = 2
warp = 0.2
seed = 8
island = { depth = 3, shore = 0.5 }
[[terrain.shape]]
op = 'raise'
amount = 3
disc = { center = [30, '50%'], radius = 12 }
falloff = 'linear'
[[terrain.shape]]
op = 'lower'
level = [203, 199]
line = { points = [[0, 30], [50, 20], ['100%', 40]], width = 8 }
[[terrain.shape]]
op = 'smooth'
reach = 5
everywhere = true
";

const VALUES: [&str; 24] = [
    "1e308",
    "-1e308",
    "-1",
    "0",
    "-0.0",
    "1e-320",
    "nan",
    "inf",
    "-inf",
    "9223372036854775807",
    "67108864",
    "4294967296",
    "1000000",
    "\"50%\"",
    "\"1e999%\"",
    "\"nan%\"",
    "\"\"",
    "\"../x\"",
    "[]",
    "[[]]",
    "{}",
    "true",
    "1979-05-27T07:32:00Z",
    "[[0, 1], [1, inf]]",
];

const KEYS: [&str; 12] = [
    "nx",
    "cell",
    "level",
    "until",
    "every",
    "rate",
    "file",
    "shape",
    "disc",
    "everywhere",
    "\"\"",
    "a.b.c",
];

fn mutate(text: &str, random: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.next_below(3) {
        let at = random.next_below(lines.len());
        match random.next_below(8) {
            0 => {
                lines.remove(at);
            }
            1 => lines.insert(at, lines[at].clone()),
            2 => {
                let to = random.next_below(lines.len());
                lines.swap(at, to);
            }
            3 => lines[at] = with_flipped_bit(&lines[at], random),
            4 => {
                if let Some((_, value)) = lines[at].split_once('=') {
                    lines[at] = format!("{} ={value}", random.pick(&KEYS));
                }
            }
            5 => {
                if let Some((key, _)) = lines[at].split_once('=') {
                    lines[at] = format!("{key}= {}", random.pick(&VALUES));
                }
            }
            _ => lines[at] = replace_number(&lines[at], random),
        }
    }
    lines.join("\n")
}

fn with_flipped_bit(line: &str, random: &mut Rng) -> String {
    let mut bytes = line.as_bytes().to_vec();
    let at = random.next_below(bytes.len());
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.next_below(8);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns a line of a scene with one number replaced by another.
fn replace_number(line: &str, random: &mut Rng) -> String {
    let digit = |c: char| c.is_ascii_digit();
    let starts: Vec<usize> = line
        .char_indices()
        .filter(|&(i, c)| digit(c) && !line[..i].ends_with(digit))
        .map(|(i, _)| i)
        .collect();
    let Some(&start) = starts.get(random.next_below(starts.len())) else { return line.to_owned() };
    let rest = line[start..].trim_start_matches(|c: char| digit(c) || c == '.');
    format!("{}{}{rest}", &line[..start], random.pick(&VALUES))
}

fn seed_scenes() -> Vec<String> {
    let scenes = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let mut paths: Vec<_> =
        std::fs::read_dir(scenes).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut texts: Vec<_> =
        paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    // The scene with all keys is as frequent as all others together, so that its small world is
    // built often.
    texts.extend(vec![scene_with_all_keys(); paths.len()]);
    texts
}

/// Parses the TOML source of a scene with overridden keys. Builds the world if it is small. Returns
/// true if the scene is valid.
fn parse_and_build(text: &str, overrides: &[(String, String)]) -> bool {
    let scene = match scene::parse("fuzz.toml", text, overrides) {
        Ok(scene) => scene,
        Err(error) => {
            assert!(!error.problems().is_empty() && error.problems().len() <= 50);
            for line in error.to_string().lines() {
                assert!(line.starts_with("fuzz.toml:") && line.chars().count() < 1000, "{line}");
            }
            return false;
        }
    };
    let Some(scene) = scene.flow() else { return true };
    if scene.lattice().is_none_or(|lattice| lattice.cell_count() > 20_000) {
        return true;
    }
    let Ok(terrain) = terrain::build_terrain(scene) else { return true };
    assert!(terrain.bed.as_slice().iter().all(|bed| bed.is_finite()), "{text}");
    if let Ok(depth) = headwater_scene::flow::initial_depth(scene, &terrain) {
        assert!(depth.as_slice().iter().all(|depth| depth.is_finite() && *depth >= 0.0), "{text}");
    }
    let repeats = |every: Option<f64>| every.map_or(0.0, |every| scene.time.until / every);
    assert!(scene.events.iter().all(|event| repeats(event.times.every) <= 1e6 + 1.0));
    assert!(
        scene.gauges.iter().all(|gauge| gauge.target(&terrain.lattice, &scene.bodies).is_some())
    );
    true
}

#[test]
fn the_scene_with_all_keys_is_valid() {
    let scene =
        scene::parse("all.toml", &scene_with_all_keys(), &[]).unwrap().flow().unwrap().clone();
    let terrain = terrain::build_terrain(&scene).unwrap();
    headwater_scene::flow::initial_depth(&scene, &terrain).unwrap();
}

#[test]
fn mutated_scenes_parse_or_return_an_error() {
    let texts = seed_scenes();
    let mut search = Search::new("scenes", 2000, 1);
    for input in search.corpus_inputs() {
        parse_and_build(&String::from_utf8_lossy(&input), &[]);
    }
    let (mut scenes, mut errors) = (0, 0);
    while search.next_round() {
        let text = mutate(&texts[search.rounds_started % texts.len()], &mut search.rng);
        let is_scene = search.try_input(text.as_bytes(), || parse_and_build(&text, &[]));
        if is_scene { scenes += 1 } else { errors += 1 }
    }
    // Mutations must produce both invalid and valid scenes.
    let min_count = search.rounds_started / 10;
    assert!(scenes > min_count && errors > min_count, "{scenes} scenes, {errors} errors");
}

#[test]
fn mutated_overrides_parse_or_return_an_error() {
    let keys = [
        "grid.nx",
        "grid.cell",
        "grid.cell[1]",
        "time.until",
        "source[0].rate",
        "source.0.at[1]",
        "source[1].at",
        "terrain.shape[1].level",
        "terrain.noise",
        "event[0].do",
        "event[0].every",
        "boundary",
        "gauge[2].name",
        "picture.a.b",
        "water.lake[0].level",
        "output.frames",
        "x.y",
        "[",
        "source[99999999999999999999]",
        "rain.rate[0][1]",
        "seed",
        "model",
    ];
    let text = scene_with_all_keys();
    let mut search = Search::new("scenes", 1200, 2);
    let mut scenes = 0;
    while search.next_round() {
        let random = &mut search.rng;
        let overrides: Vec<_> = (0..1 + random.next_below(2))
            .map(|_| (random.pick(&keys).to_owned(), random.pick(&VALUES).to_owned()))
            .collect();
        // The corpus file contains the overrides in an invalid scene.
        let reported = format!("{overrides:?}");
        scenes += usize::from(
            search.try_input(reported.as_bytes(), || parse_and_build(&text, &overrides)),
        );
    }
    assert!(scenes > search.rounds_started / 100, "{scenes}");
}

#[test]
fn random_bytes_are_rejected() {
    let mut search = Search::new("scenes", 2000, 3);
    while search.next_round() {
        let random = &mut search.rng;
        let bytes: Vec<u8> =
            (0..random.next_below(200)).map(|_| random.next_below(256) as u8).collect();
        search
            .try_input(&bytes, || assert!(!parse_and_build(&String::from_utf8_lossy(&bytes), &[])));
    }
}

#[test]
fn deep_and_long_texts_are_rejected_quickly() {
    let head = "model = \"flow\"\n[time]\nuntil = 1\n[terrain]\nnoise = {}\n";
    let texts = [
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}1{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("{}a = 1", "a.".repeat(100_000)),
        format!("[{}a]", "a.".repeat(100_000)),
        "a = {b=".repeat(100_000),
        format!("a = \"{}\"", "x".repeat(3 << 20)),
        format!("{head}{}", "[[obstacle]]\neverywhere = true\n".repeat(100_000)),
        format!("{head}[[source]]\nat = [1, 1]\nrate = [{}]", "[0, 1],".repeat(400_000)),
        (0..100_000).map(|i| format!("k{i} = {i}\n")).collect(),
    ];
    for text in texts {
        assert!(!parse_and_build(&text, &[]));
    }
}
