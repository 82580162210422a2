//! Tests of live worlds, which users edit while they run: every tool has an effect, conserves mass,
//! can be undone, and is reproduced from the saved scene.

use headwater_scene::live::{Dab, History, Live, LiveError, Tool};
use headwater_scene::run::run_to_end;
use headwater_scene::{library, scene};
use toml::{Table, Value};

/// Scene of a small `flow` world in which every tool has an effect.
pub(crate) const FLOW: &str = r#"
# Kept: a comment.
model = "flow"
[grid]
nx = 40
ny = 30
cell = 2
[time]
until = 8           # kept too
[output]
frames = 4
[terrain]
noise = { height = 2 }
[water]
depth = 1
[[event]]
do = "pour"
time = 3.3
amount = 0.5
disc = { center = [20, 20], radius = 8 }
[[gauge]]
name = "middle"
at = [40, 30]
"#;

const WAVES: &str = r#"
model = "waves"
[grid]
nx = 64
ny = 48
cell = 0.1
[time]
until = 4
[[land]]
disc = { center = [1, 1], radius = 0.6 }
[[start]]
at = [4, 2]
radius = 0.5
depth = 0.05
[rain]
rate = 0.5
radius = 0.4
depth = 0.02
[[gauge]]
name = "energy"
measure = "energy"
"#;

pub(crate) const BLOCKS: &str = r#"
model = "blocks"
[time]
until = 4
[world]
map = """
#..............#
#..............#
#..............#
#~~~~~~........#
#~~~~~~........#
#~~~~~~#.......#
#~~~~~~#.......#
#~~~~~~#.......#
################
"""
"#;

const COLUMNS: &str = r##"
model = "columns"
[time]
until = 4
[world]
cell = 0.5
map = """
#..............#
#..............#
#..............#
#~.............#
#.......####...#
#.......#......#
#......##......#
#..............#
################
"""
[weather]
air = 4
"##;

const LAND: &str = r#"
model = "hydrology"
[grid]
nx = 36
ny = 30
cell = 10
[time]
until = 4
[terrain]
noise = { height = 120 }
[[gauge]]
name = "lakes"
measure = "lakes"
"#;

pub(crate) const WORLDS: [(&str, &str, f64); 5] = [
    ("flow", FLOW, 2.6),
    ("waves", WAVES, 1.3),
    ("blocks", BLOCKS, 1.3),
    ("columns", COLUMNS, 1.3),
    ("hydrology", LAND, 1.3),
];

pub(crate) fn start_live(text: &str) -> Live {
    Live::new("test.toml", text).unwrap()
}

fn advance(live: &mut Live, stop: f64) {
    live.advance(stop, &mut || false).unwrap();
}

/// Returns the application of a tool at one position (a dab) where the tool has an effect.
fn find_effective_dab(live: &Live, tool: &Tool) -> Dab {
    let lattice = live.lattice();
    let [width, height] = [lattice.width(), lattice.height()];
    // In water in side views; at walls for tools that remove walls.
    let at = match (live.scene().model(), tool.name) {
        ("blocks", "dig") => [7.5, 6.5],
        ("blocks", "wall" | "oil" | "lava" | "water") => [11.5, 4.5],
        ("blocks", _) => [3.5, 5.5],
        ("columns", "dig") => [4.2, 2.2],
        ("columns", "wall") => [5.2, 1.0],
        ("columns", _) => [2.2, 3.0],
        ("waves", "unwall") => [1.0, 1.0],
        _ => [0.52 * width, 0.47 * height],
    };
    let from = [at[0] - 0.8 * lattice.dx(), at[1] - 0.3 * lattice.dx()];
    let mut radius = tool.radius.map_or(1.0, |radius| radius[2] * lattice.dx());
    if tool.name == "splash" {
        // Some of the water must be displaced.
        radius = 0.6;
    }
    let strength = tool.strength.map_or(1.0, |strength| strength.default);
    let level = tool.samples_height.then(|| live.probe(at)[0].value + 3.0);
    let plant = live.world().hydrology().map(|land| land.params().plants[0].name.clone());
    Dab { at, from, radius, strength, seconds: 0.1, level, plant }
}

/// Returns the absolute residual of the water balance, relative to the start volume plus all
/// inflow. If this sum is 0, returns the absolute residual itself.
fn ledger_residual(live: &Live) -> f64 {
    let ledger = live.ledger();
    let relative = ledger.residual_relative.abs();
    if relative.is_finite() { relative } else { ledger.residual.abs() }
}

#[test]
fn tools_change_the_state_conserve_volume_and_can_be_undone() {
    for (model, text, time) in WORLDS {
        let mut live = start_live(text);
        advance(&mut live, time);
        let names: Vec<&str> = live.tools().iter().map(|tool| tool.name).collect();
        assert!(names.len() >= 7, "{model}: {names:?}");
        for tool in live.tools() {
            let mut history = History::default();
            // Walls to remove.
            if model == "flow" && tool.name == "unwall" {
                let wall = live.tools().iter().find(|tool| tool.name == "wall").unwrap();
                let wall_dab = find_effective_dab(&live, wall);
                live.apply_tool(wall, &wall_dab).unwrap();
            }
            if tool.name == "clear" {
                let plant = live.tools().iter().find(|tool| tool.name == "plant").unwrap();
                let plants = find_effective_dab(&live, plant);
                live.apply_tool(plant, &plants).unwrap();
            }
            let (before, clock) = (live.state_hash(), live.clock());
            let changed = |live: &mut Live| {
                // A river and a paddle act later.
                let mut next = Live::new("test.toml", text).unwrap();
                next.restore(&live.snapshot().unwrap()).unwrap();
                next.take_steps(40).unwrap();
                next.state_hash()
            };
            let later = changed(&mut live);
            let inflow_before = live.ledger().inflow.values().sum::<f64>();
            history.record(&mut live).unwrap();
            let touch = find_effective_dab(&live, tool);
            live.apply_tool(tool, &touch).unwrap_or_else(|e| panic!("{model} {}: {e}", tool.name));
            live.apply_tool(tool, &touch).unwrap();
            let after = live.state_hash();
            // Water poured into an overflowing lake leaves the lake or the map.
            let poured = model == "hydrology" && tool.name == "pour";
            let inflow_after = live.ledger().inflow.values().sum::<f64>();
            let acts = changed(&mut live) != later || poured && inflow_after > inflow_before;
            assert!(acts, "{model}: {} does nothing", tool.name);
            advance(&mut live, clock + 0.5);
            assert!(
                ledger_residual(&live) < 1e-6,
                "{model} {}: {}",
                tool.name,
                ledger_residual(&live)
            );
            let end = live.state_hash();
            let text_after = live.text();
            assert!(text_after.matches(&expected_substring(tool)).count() >= 2, "{text_after}");
            // Undo and redo are bit-identical.
            assert!(history.undo(&mut live).unwrap());
            assert_eq!((live.state_hash(), live.clock()), (before, clock), "{}", tool.name);
            assert!(history.redo(&mut live).unwrap());
            assert_eq!((live.state_hash(), live.text()), (end, text_after), "{}", tool.name);
            assert!(history.undo(&mut live).unwrap() && !history.undo(&mut live).unwrap());
            // Repeating the dab gives the same state.
            live.apply_tool(tool, &touch).unwrap();
            live.apply_tool(tool, &touch).unwrap();
            assert_eq!(live.state_hash(), after);
            advance(&mut live, clock + 0.5);
            assert_eq!(live.state_hash(), end);
            live.reset().unwrap();
            advance(&mut live, time);
        }
    }
}

/// Returns a string that the TOML source of the scene contains after the tool has been used.
fn expected_substring(tool: &Tool) -> String {
    let entry = tool.action(&Dab::new([1.0, 1.0])).to_table();
    format!("do = {}", entry["do"])
}

#[test]
fn replaying_the_saved_text_gives_the_same_state() {
    for (model, text, time) in WORLDS {
        let mut live = start_live(text);
        for (i, tool) in live.tools().iter().enumerate() {
            // At times between the stops of the scene.
            advance(&mut live, time * 0.1 + 0.17 * i as f64);
            let touch = find_effective_dab(&live, tool);
            live.apply_tool(tool, &touch).unwrap_or_else(|e| panic!("{model} {}: {e}", tool.name));
        }
        let until = live.scene().until();
        advance(&mut live, until);
        let text = live.text();
        // Live again, in steps of other lengths.
        let mut again = Live::new("again.toml", &text).unwrap();
        while again.clock() < until {
            let next = (again.clock() + 0.31).min(until);
            advance(&mut again, next);
        }
        assert_eq!(again.state_hash(), live.state_hash(), "{model} live");
        assert_eq!(again.text(), text);
        assert_eq!(again.readings(), live.readings());
        // As a run.
        let scene = scene::parse("run.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let end = run_to_end(&scene).unwrap();
        assert_eq!(end.state_hash(), live.state_hash(), "{model} run");
    }
}

#[test]
fn live_worlds_match_the_run_of_their_scene_and_continue_after_it() {
    for name in ["dam-breach", "u-tube", "winter", "communicating-vessels", "rain-on-pond"] {
        let scene = library::find_scene(name).unwrap();
        let text = scene.text.to_owned();
        let until = 0.05 * scene::parse(name, &text, &[]).unwrap().until();
        let small = vec![
            ("time.until".to_owned(), until.to_string()),
            ("output.frames".to_owned(), "3".to_owned()),
        ];
        let mut live =
            Live::with_options(name, &text, &small, None, &scene::Files::from_disk()).unwrap();
        while live.is_settling() {
            live.step().unwrap();
        }
        advance(&mut live, until);
        let scene = scene::parse(name, &text, &small).unwrap();
        assert_eq!(live.state_hash(), run_to_end(&scene).unwrap().state_hash(), "{name}");
        let steps = live.simulation().steps();
        live.take_steps(10).unwrap();
        assert_eq!(live.simulation().steps(), steps + 10);
        assert!(live.clock() > until);
    }
}

#[test]
fn invalid_edits_are_rejected_with_the_same_message_as_in_a_scene() {
    let mut live = start_live(FLOW);
    let table = |text: &str| text.parse::<Table>().unwrap();
    let before = (live.state_hash(), live.text());
    for (entry, message) in [
        ("do = 'lower'\neverywhere = true", "needs one of amount and level"),
        ("do = 'lower'\namount = -1\neverywhere = true", "found -1, allowed is above 0"),
        ("do = 'sink'\neverywhere = true", "allowed is"),
        ("do = 'close'\ndisc = { center = [-50, 0], radius = 1 }", "off the grid"),
        ("do = 'close'\neverywhere = true\nevery = 2", "in_passing"),
    ] {
        let error = live.edit(&table(entry)).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let error = live.add("source", &table("at = [1, 1]")).unwrap_err().to_string();
    assert!(error.contains("source.rate: is missing"), "{error}");
    let error = live.add("heater", &table("at = [1, 1]")).unwrap_err().to_string();
    assert!(error.contains("heater: no such key; allowed are source, drain, body"), "{error}");
    let error = live.set("physics.gravity", Value::Integer(-3)).unwrap_err().to_string();
    assert!(error.contains("allowed is above 0"), "{error}");
    let refused = live.set("grid.cell", Value::Integer(3)).unwrap_err();
    assert!(matches!(refused, LiveError::Model(_)) && refused.to_string().contains("start"));
    assert_eq!((live.state_hash(), live.text()), before);
}

#[test]
fn parameters_take_effect_and_are_saved_in_the_text() {
    for (model, text, time) in WORLDS {
        // While the water is still falling.
        let time = if model == "blocks" { 0.2 } else { time };
        let plain = {
            let mut live = start_live(text);
            advance(&mut live, time);
            live.take_steps(30).unwrap();
            live.state_hash()
        };
        let parameters = start_live(text).parameters();
        assert!(parameters.len() >= 6, "{model}");
        let mut effects = 0;
        for parameter in parameters {
            let [low, high] = parameter.slider_range;
            assert!(
                parameter.allowed_range[0] <= low
                    && low < high
                    && high <= parameter.allowed_range[1],
                "{parameter:?}"
            );
            let mut live = start_live(text);
            advance(&mut live, time);
            // A third of the distance to the farther end of the slider.
            let far = if (parameter.value - low).abs() > (high - parameter.value).abs() {
                low
            } else {
                high
            };
            let value = parameter.to_toml_value(parameter.value + (far - parameter.value) / 3.0);
            match live.set(&parameter.key, value.clone()) {
                Ok(()) => {}
                // Values excluded by the time step or dispersion are rejected with a message.
                Err(error) => {
                    let said = error.to_string();
                    let bounds = ["step", "dispersion"].iter().any(|bound| said.contains(bound));
                    assert!(bounds, "{}: {said}", parameter.key);
                    continue;
                }
            }
            live.take_steps(30).unwrap();
            effects += usize::from(live.state_hash() != plain);
            assert!(ledger_residual(&live) < 1e-6, "{model} {}", parameter.key);
            let now = live.parameters().into_iter().find(|now| now.key == parameter.key).unwrap();
            assert_eq!(now.to_toml_value(now.value), value);
            assert!(live.text().parse::<Table>().is_ok());
            // At the start, it equals a changed scene text.
            let mut early = Live::new("early.toml", text).unwrap();
            early.set(&parameter.key, value).unwrap();
            early.take_steps(30).unwrap();
            let mut again = Live::new("again.toml", &early.text()).unwrap();
            again.take_steps(30).unwrap();
            // Initially, gravity compresses water under ceilings, and water has the air
            // temperature.
            let at_start = ["physics.gravity", "weather.air"].contains(&&*parameter.key);
            if !(model == "columns" && at_start) {
                assert_eq!(early.state_hash(), again.state_hash(), "{model} {}", parameter.key);
            }
        }
        assert!(effects >= 3, "{model}: {effects} parameters had an effect");
    }
}

#[test]
fn comments_are_kept_and_snapshots_restore_the_edits() {
    let mut live = start_live(FLOW);
    advance(&mut live, 1.1);
    live.set("physics.friction", Value::Float(0.2)).unwrap();
    live.edit(&"do = 'pour'\namount = 1\neverywhere = true".parse().unwrap()).unwrap();
    live.set("time.until", Value::Float(1.0)).unwrap_err();
    let text = live.text();
    for kept in ["# Kept: a comment.", "until = 8           # kept too", "friction = 0.2"] {
        assert!(text.contains(kept), "{kept} in\n{text}");
    }
    assert!(
        text.find("[time]") < text.find("[output]")
            && text.find("[output]") < text.find("[terrain]")
    );
    let saved = live.snapshot().unwrap();
    advance(&mut live, 5.0);
    let end = (live.state_hash(), live.text());
    let mut other = Live::new("other.toml", FLOW).unwrap();
    other.restore(&saved).unwrap();
    assert_eq!(other.text(), text);
    advance(&mut other, 5.0);
    assert_eq!((other.state_hash(), other.text()), end);
    let mut damaged = saved.clone();
    damaged[100] ^= 1;
    assert!(other.restore(&damaged).unwrap_err().contains("checksum"));
    let mut stranger = Live::new("waves.toml", WAVES).unwrap();
    assert!(stranger.restore(&saved).unwrap_err().contains("not of waves.toml"));
}

#[test]
fn histories_drop_the_oldest_entries_beyond_their_limit() {
    let mut live = start_live(BLOCKS);
    let one = live.save_state().unwrap().memory_bytes();
    let mut history = History::new(3 * one + one / 2);
    for _ in 0..5 {
        history.record(&mut live).unwrap();
        live.take_steps(2).unwrap();
    }
    assert!(history.undo_count() == 3 && history.memory_bytes() <= 3 * one + one / 2);
    let mut undone = 0;
    while history.undo(&mut live).unwrap() {
        undone += 1;
    }
    assert_eq!((undone, live.simulation().steps(), history.redo_count()), (3, 4, 3));
}

#[test]
fn gauge_readings_are_undone_with_the_world_and_stay_bounded() {
    let mut live = start_live(&FLOW.replace("at = [40, 30]", "at = [40, 30]\nevery = 0.001"));
    advance(&mut live, 4.0);
    let start = live.save_state().unwrap();
    let before = live.readings()[0].clone();
    assert_eq!(before.column_names[..3], ["depth_m", "surface_m", "speed_m_per_s"]);
    advance(&mut live, 12.0);
    let reading = &live.readings()[0];
    assert!(reading.times.len() <= 8192 && reading.times.last() > Some(&11.9));
    assert!(reading.values.iter().all(|values| values.len() == reading.times.len()));
    live.restore_state(&start).unwrap();
    assert!(live.readings()[0].times.last() <= before.times.last());
}

const BASIN: &str = "model = 'flow'\n[grid]\nnx = 20\nny = 20\ncell = 1\n[time]\nuntil = 10\n\
    [terrain]\nplane = {}\n[water]\ndepth = 1\n";

#[test]
fn keys_that_take_effect_only_at_the_start_cannot_be_set() {
    let mut live = start_live(&format!("{BASIN}[[source]]\nat = [5, 5]\nrate = 1\n"));
    live.set("source[0].rate", 2.0.into()).unwrap();
    for (key, value) in [
        ("source[0].at", toml::Value::try_from([9.0, 9.0]).unwrap()),
        ("source[0].radius", 3.0.into()),
        ("source[0].from", 5.0.into()),
    ] {
        let error = live.set(key, value).unwrap_err().to_string();
        assert!(error.contains("takes effect only at the start"), "{key}: {error}");
    }
}

#[test]
fn rejected_events_are_skipped_as_in_a_run() {
    let text = format!(
        "{BASIN}[[obstacle]]\nrect = {{ min = [4, 4], max = [8, 8] }}\n\
         [[event]]\ntime = 1\ndo = 'add'\n\
         body = {{ at = [6, 6], radius = 0.5, density = 500, height = 0.5 }}\n"
    );
    let mut live = start_live(&text);
    advance(&mut live, 10.0);
    let notices = live.notices();
    assert!(notices.iter().any(|notice| notice.starts_with("event[0] was skipped")), "{notices:?}");
    let scene = scene::parse("run.toml", &text, &[]).unwrap();
    assert_eq!(run_to_end(&scene).unwrap().state_hash(), live.state_hash());
}

#[test]
fn overridden_relative_paths_survive_a_reset() {
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().join("overridden.asc");
    let asc = "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
    std::fs::write(&path, asc.to_owned() + &"1 2 3 4\n".repeat(4)).unwrap();
    // A path relative to the current directory.
    let here = std::env::current_dir().unwrap();
    let mut file: std::path::PathBuf = here.iter().skip(1).map(|_| "..").collect();
    file.extend(path.iter().skip(1));
    let text =
        "model = 'flow'\n[time]\nuntil = 10\n[terrain]\nfile = 'none.asc'\n[water]\ndepth = 1\n";
    let folder = tempfile::tempdir().unwrap();
    let overrides = [("terrain.file".to_owned(), file.display().to_string())];
    let files = scene::Files::from_disk();
    let mut live =
        Live::with_options("a.toml", text, &overrides, Some(folder.path()), &files).unwrap();
    let before = live.state_hash();
    live.step().unwrap();
    live.reset().unwrap();
    assert_eq!(live.state_hash(), before);
}

#[test]
fn boundaries_may_end_at_the_rounded_end_of_an_edge() {
    // 100 × 0.29 m is less than 29 m in floating-point numbers.
    let text = "model = 'flow'\n[grid]\nnx = 100\nny = 4\ncell = 0.29\n[time]\nuntil = 1\n\
        [terrain]\nplane = {}\n[[boundary]]\nedge = 'north'\nkind = 'open'\nfrom = 0\nto = 29\n";
    scene::parse("a.toml", text, &[]).unwrap();
    let error = scene::parse("a.toml", &text.replace("to = 29", "to = 29.1"), &[]).unwrap_err();
    assert!(error.to_string().contains("needs a stretch within"), "{error}");
}

#[test]
fn a_scene_with_the_maximum_number_of_events_accepts_no_edits() {
    // Takes more than 2 s, because the limit is 100,000 events. They do not shorten steps, and are
    // after the end of the test.
    let event = "[[event]]\ntime = 9\nin_passing = true\ndo = 'open'\neverywhere = true\n";
    let mut live = start_live(&(BASIN.to_owned() + &event.repeat(99_999)));
    let pour: Table = "do = 'pour'\namount = 1\neverywhere = true".parse().unwrap();
    live.edit(&pour).unwrap();
    let error = live.edit(&pour).unwrap_err().to_string();
    assert!(error.contains("100000 events and edits"), "{error}");
}
