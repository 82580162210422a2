//! Tests of gauges that are added, changed and removed while a world runs. Gauges must never change
//! the state of the world, and a run of the saved scene must give the same readings.

use crate::live::WORLDS;
use crate::support::run::{finish, run_with_stops};
use headwater_scene::live::{GaugeSeries, History, Live};
use headwater_scene::run::{Run, run_to_end};
use headwater_scene::scene;
use std::path::Path;
use toml::Table;

/// Gauge tables for the scenes of each model. For each model, the second gauge measures the same
/// quantity as the first, and the third measures another quantity.
const GAUGES_BY_MODEL: [(&str, &[&str]); 5] = [
    (
        "flow",
        &[
            "name = 'one'\nat = [20, 20]\nevery = 0.3",
            "name = 'one'\nat = ['60%', '30%']\nevery = 0.11",
            "name = 'one'\nline = [[10, 10], [40, 30]]",
            "name = 'disc'\ndisc = { center = [40, 30], radius = 9 }\nevery = 0.05",
            "name = 'rect'\nrect = { min = [10, 10], max = [30, 20] }",
        ],
    ),
    (
        "waves",
        &[
            "name = 'one'\nat = [3, 2]\nevery = 0.1",
            "name = 'one'\nat = ['80%', '50%']\nevery = 0.013",
            "name = 'one'\nmeasure = 'energy'",
            "name = 'level'\nmeasure = 'level'",
        ],
    ),
    (
        "blocks",
        &[
            "name = 'one'\nat = [3, 5]\nevery = 0.1",
            "name = 'one'\nat = [9, 5]",
            "name = 'one'\nrect = { min = [1, 1], max = [6, 7] }",
            "name = 'disc'\ndisc = { center = [5, 5], radius = 3 }\nevery = 0.001",
        ],
    ),
    (
        "columns",
        &[
            "name = 'one'\nat = [2, 3]\nevery = 0.1",
            "name = 'one'\nat = [3, 3]\nevery = 0.02",
            "name = 'one'\ndisc = { center = [2, 3], radius = 1 }",
            "name = 'rect'\nrect = { min = [1, 1], max = [3, 4] }",
            "name = 'heat'\nmeasure = 'heat'",
            "name = 'volume'\nmeasure = 'volume'",
        ],
    ),
    (
        "hydrology",
        &[
            "name = 'one'\nat = [100, 100]\nevery = 0.3",
            "name = 'one'\nat = [200, 100]",
            "name = 'one'\nmeasure = 'sediment'",
            "name = 'plants'\nmeasure = 'plants'",
        ],
    ),
];

fn parse_table(text: &str) -> Table {
    text.parse().unwrap()
}

fn start_live(text: &str) -> Live {
    Live::new("test.toml", text).unwrap()
}

fn advance(live: &mut Live, stop: f64) {
    live.advance(stop, &mut || false).unwrap();
}

fn gauge_names(live: &Live) -> Vec<&str> {
    live.readings().iter().map(|reading| reading.name.as_str()).collect()
}

fn gauge_series<'a>(live: &'a Live, name: &str) -> &'a GaugeSeries {
    live.readings().iter().find(|reading| reading.name == name).unwrap()
}

/// Returns a live world in which the gauges `kinds` have been added at various times, and some of
/// them changed or removed later. `text` is the TOML source of the scene, and `model` is the name
/// of its model.
fn world_with_edited_gauges(model: &str, text: &str, kinds: &[&str]) -> Live {
    let mut live = start_live(text);
    let until = live.scene().until();
    let own: Vec<String> = gauge_names(&live).into_iter().map(str::to_owned).collect();
    advance(&mut live, 0.137 * until);
    live.add("gauge", &parse_table(kinds[0])).unwrap_or_else(|error| panic!("{model}: {error}"));
    advance(&mut live, 0.3 * until);
    let before = gauge_series(&live, "one").clone();
    assert!(before.times.len() > 2 && before.times[0] >= 0.137 * until - 0.1, "{before:?}");
    live.change("gauge", &parse_table(kinds[1])).unwrap();
    let after = gauge_series(&live, "one").clone();
    assert_eq!(after.times[..before.times.len()], before.times[..], "{model}: it goes on");
    for kind in &kinds[3..] {
        live.add("gauge", &parse_table(kind)).unwrap_or_else(|error| panic!("{model}: {error}"));
    }
    // Changes or removes gauges that stop the steps.
    if let Some(own) = own.first() {
        live.remove("gauge", own).unwrap();
        assert!(!gauge_names(&live).contains(&own.as_str()));
        live.add("gauge", &parse_table(&kinds[0].replace("'one'", &format!("'{own}'")))).unwrap();
    }
    advance(&mut live, 0.51 * until);
    live.change("gauge", &parse_table(kinds[2])).unwrap();
    assert_eq!(gauge_series(&live, "one").times.len(), 1, "{model}: something else begins anew");
    advance(&mut live, 0.6 * until);
    live.remove("gauge", parse_table(kinds[3])["name"].as_str().unwrap()).unwrap();
    advance(&mut live, until);
    for reading in live.readings() {
        assert!(reading.times.len() > 3, "{model}: {reading:?}");
        assert!(reading.times.is_sorted() && reading.values.len() == reading.column_names.len());
        assert!(reading.values.iter().all(|values| values.len() == reading.times.len()));
    }
    live
}

#[test]
fn edited_gauges_never_change_the_state_and_are_saved_in_the_text() {
    for ((model, text, _), (_, kinds)) in WORLDS.into_iter().zip(GAUGES_BY_MODEL) {
        let text = &with_few_pictures(text);
        let mut plain = start_live(text);
        let until = plain.scene().until();
        advance(&mut plain, until);
        let live = world_with_edited_gauges(model, text, kinds);
        assert_eq!(live.state_hash(), plain.state_hash(), "{model}");
        assert_eq!(live.simulation().steps(), plain.simulation().steps(), "{model}");
        // Live again, in steps of other lengths.
        let text = live.text();
        let mut again = Live::new("again.toml", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        while again.clock() < until {
            let next = (again.clock() + 0.31).min(until);
            advance(&mut again, next);
        }
        assert_eq!(again.state_hash(), live.state_hash(), "{model} live");
        assert_eq!(again.readings(), live.readings(), "{model} live");
        // As a run.
        let scene = scene::parse("run.toml", &text, &[]).unwrap();
        assert_eq!(run_to_end(&scene).unwrap().state_hash(), live.state_hash(), "{model} run");
        let folder = tempfile::tempdir().unwrap();
        let summary = finish(Run::start(&scene, "test", folder.path()).unwrap());
        assert_eq!(summary.state_hash, format!("{:016x}", live.state_hash()));
        let files: Vec<_> = live.readings().iter().map(|one| format!("{}.csv", one.name)).collect();
        assert_eq!(summary.gauges, files);
        for reading in live.readings() {
            assert_eq!(csv_rows(folder.path(), &reading.name), series_rows(reading), "{model}");
        }
    }
}

/// Returns the TOML source of the scene with only a few small pictures in its output.
fn with_few_pictures(text: &str) -> String {
    let few = "[picture]\nwidth = 160\n[output]\ngif = false\nfinal = false\nframes = ";
    match text.replace("[output]\nframes = ", few) {
        whole if whole != text => whole,
        _ => format!("{text}\n{few}2\n"),
    }
}

/// Returns the rows of the file that a run has written for a gauge, without the header.
fn csv_rows(folder: &Path, gauge: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join(format!("{gauge}.csv"))).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

fn series_rows(reading: &GaugeSeries) -> Vec<String> {
    let row = |(i, time): (usize, &f64)| {
        let values = reading.values.iter().map(|values| values[i].to_string());
        std::iter::once(time.to_string()).chain(values).collect::<Vec<_>>().join(",")
    };
    reading.times.iter().enumerate().map(row).collect()
}

#[test]
fn edits_and_gauges_at_the_same_time_keep_their_order() {
    let (_, text, _) = WORLDS[0];
    let mut live = start_live(text);
    live.add("gauge", &parse_table("name = 'one'\nat = [20, 20]\nevery = 0.001")).unwrap();
    for i in 0..6 {
        let time = live.clock() + 0.4;
        advance(&mut live, time);
        let pour = "do = 'pour'\namount = 0.5\ndisc = { center = [20, 20], radius = 8 }";
        live.edit(&parse_table(pour)).unwrap();
        live.add("gauge", &parse_table(&format!("name = 'n{i}'\nat = [20, 20]"))).unwrap();
        live.edit(&parse_table(pour)).unwrap();
    }
    advance(&mut live, 8.0);
    let mut again = Live::new("again.toml", &live.text()).unwrap();
    advance(&mut again, 8.0);
    assert_eq!(again.readings(), live.readings());
    assert_eq!(again.state_hash(), live.state_hash());
}

/// Tests that events are applied in order of time, both with a step between them and without.
#[test]
fn stopping_and_non_stopping_events_run_in_order_of_time() {
    let add = |time: f64| {
        format!("[[event]]\ntime = {time:?}\ndo = 'add'\ngauge = {{ name = 'x', at = [20, 20] }}\n")
    };
    let remove = |time: f64| format!("[[event]]\ntime = {time:?}\ndo = 'remove'\ngauge = 'x'\n");
    let change = |time: f64| add(time).replace("'add'", "'change'").replace("20, 20", "12, 8");
    let passing = |event: String| format!("{event}in_passing = true\n");
    let (_, text, _) = WORLDS[0];
    let text = with_few_pictures(text);
    let until = start_live(&text).scene().until();
    let near = |n: f64| 0.61 * until + n * 1e-7;
    for (events, left) in [
        ([passing(add(near(0.0))), remove(near(1.0)), add(near(2.0))], true),
        ([add(near(0.0)), passing(remove(near(1.0))), add(near(2.0))], true),
        ([passing(add(near(0.0))), change(near(1.0)), passing(remove(near(2.0)))], false),
    ] {
        let text = format!("{text}{}", events.concat());
        let scene = scene::parse("test.toml", &text, &[]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        finish(Run::start(&scene, "test", folder.path()).unwrap());
        assert_eq!(folder.path().join("x.csv").exists(), left, "{text}");
        let mut live = start_live(&text);
        advance(&mut live, until);
        assert_eq!(gauge_names(&live).contains(&"x"), left, "{text}");
    }
}

#[test]
fn undo_redo_save_and_restart_restore_the_gauges() {
    for ((model, text, _), (_, kinds)) in WORLDS.into_iter().zip(GAUGES_BY_MODEL) {
        let mut live = start_live(text);
        let until = live.scene().until();
        let own = gauge_names(&live).len();
        let mut history = History::default();
        advance(&mut live, 0.2 * until);
        history.record(&mut live).unwrap();
        live.add("gauge", &parse_table(kinds[0])).unwrap();
        advance(&mut live, 0.4 * until);
        let begun = live.readings().to_vec();
        history.record(&mut live).unwrap();
        live.change("gauge", &parse_table(kinds[2])).unwrap();
        advance(&mut live, 0.6 * until);
        history.record(&mut live).unwrap();
        let changed = live.readings().to_vec();
        let saved = live.snapshot().unwrap();
        live.remove("gauge", "one").unwrap();
        advance(&mut live, 0.7 * until);
        let (end, text_at_end) = (live.state_hash(), live.text());
        assert_eq!(live.readings().len(), own);

        // Undo restores the gauge with its readings, and the gauge continues to measure.
        assert!(history.undo(&mut live).unwrap());
        assert_eq!(live.readings(), changed, "{model}");
        assert!(history.undo(&mut live).unwrap());
        assert_eq!(live.readings(), begun, "{model}");
        assert!(history.undo(&mut live).unwrap());
        assert!(live.readings().len() == own && live.text() == text);
        for _ in 0..3 {
            assert!(history.redo(&mut live).unwrap());
        }
        assert_eq!((live.state_hash(), live.text()), (end, text_at_end), "{model}");
        assert_eq!(live.readings().len(), own);

        // The state is restored from bytes, into a world without this gauge and into a world with
        // another gauge of the same name.
        advance(&mut live, 0.8 * until);
        live.add("gauge", &parse_table(kinds[1])).unwrap();
        let other = Live::new("other.toml", text).unwrap();
        for mut world in [other, live] {
            world.restore(&saved).unwrap();
            assert_eq!(
                gauge_series(&world, "one").column_names,
                changed.last().unwrap().column_names,
                "{model}"
            );
            advance(&mut world, 0.9 * until);
            let mut again = Live::new("again.toml", &world.text()).unwrap();
            advance(&mut again, 0.9 * until);
            assert_eq!(again.state_hash(), world.state_hash());
            let (new, whole) = (gauge_series(&world, "one"), gauge_series(&again, "one"));
            assert!(!new.times.is_empty() && whole.times.ends_with(&new.times), "{model}");

            // A time before the restart.
            let moment = world.save_state().unwrap();
            world.reset().unwrap();
            assert_eq!(gauge_names(&world).len(), own);
            world.add("gauge", &parse_table(&kinds[3].replace("name = '", "name = 'x"))).unwrap();
            world.restore_state(&moment).unwrap();
            advance(&mut world, until);
            let one = gauge_series(&world, "one");
            assert_eq!(one.column_names, changed.last().unwrap().column_names);
            assert!(one.times.first() >= Some(&(0.9 * until - 0.5)), "{model}: {one:?}");
        }
    }
}

#[test]
fn invalid_gauge_edits_return_one_error() {
    let (_, text, _) = WORLDS[0];
    let mut live = start_live(text);
    advance(&mut live, 1.0);
    let before = (live.state_hash(), live.text(), live.readings().to_vec());
    let gauge = |keys: &str| parse_table(&format!("name = 'new'\n{keys}"));
    let reported = |result: Result<(), headwater_scene::live::LiveError>| {
        let error = result.unwrap_err().to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    for (keys, message) in [
        (
            "",
            "event[0].gauge: found none, needs one of at, line, disc, rect, polygon, structure, body",
        ),
        ("at = [1, 1]\nevery = -1", "event[0].gauge.every: found -1, allowed is"),
        ("at = [1, 1]\nevry = 1", "event[0].gauge.evry: no such key; did you mean `every`?"),
        ("at = [1000, 1]", "event[0].gauge.at"),
        ("line = [[1, 1], [500, 5]]", "event[0].gauge.line[1]"),
        ("body = 'boat'", "there is no body \"boat\"; bodies with names: none"),
        ("structure = 'gate'", "there is no culvert, gate or weir \"gate\""),
    ] {
        let error = reported(live.add("gauge", &gauge(keys)));
        assert!(error.contains(message), "{error}");
    }
    let error = reported(live.add("gauge", &parse_table("name = 'Middle'\nat = [1, 1]")));
    let again = "event[0].gauge.name: found \"Middle\" beside \"middle\"";
    assert!(error.contains(again), "{error}");
    let error = reported(live.add("gauge", &parse_table("name = 'a/b'\nat = [1, 1]")));
    assert!(error.contains("allowed is 1 to 64 of"), "{error}");
    let error = reported(live.change("gauge", &gauge("at = [1, 1]")));
    let known = "there is no gauge \"new\" at that time; existing gauges: middle";
    assert!(error.contains(&format!("event[0].gauge.name: {known}")), "{error}");
    let error = reported(live.remove("gauge", "new"));
    assert!(error.contains(&format!("event[0].gauge: {known}")), "{error}");
    let error = reported(live.change("source", &parse_table("at = [1, 1]")));
    assert!(error.contains("event[0].source: no such key; allowed are gauge"), "{error}");
    let error = reported(live.edit(&parse_table("do = 'change'")));
    assert!(error.contains("event[0].gauge: is missing"), "{error}");
    let error = reported(live.edit(&parse_table("do = 'add'")));
    assert!(error.contains("\"add\" needs one of source, drain, body, gauge"), "{error}");
    let both = "do = 'add'\ngauge = { name = 'a', at = [1, 1] }\nsource = { at = [1, 1] }";
    let error = reported(live.edit(&parse_table(both)));
    assert!(error.contains("event[0].source: no such key"), "{error}");
    assert_eq!((live.state_hash(), live.text(), live.readings().to_vec()), before);
}

#[test]
fn names_of_gauges_in_later_events_are_reserved() {
    let (_, text, _) = WORLDS[0];
    let later = "[[event]]\ntime = 5\ndo = 'add'\ngauge = { name = 'late', at = [9, 9] }\n\
                 [[event]]\ntime = 6\ndo = 'remove'\ngauge = 'middle'\n";
    let mut live = start_live(&format!("{text}{later}"));
    advance(&mut live, 1.0);
    let error =
        live.add("gauge", &parse_table("name = 'late'\nat = [1, 1]")).unwrap_err().to_string();
    assert!(error.contains("found \"late\" twice"), "{error}");
    let error = live.remove("gauge", "middle").unwrap_err().to_string();
    assert!(
        error.contains("there is no gauge \"middle\" at that time; existing gauges: late"),
        "{error}"
    );
    advance(&mut live, 7.0);
    assert_eq!(gauge_names(&live), ["late"]);
    assert!(gauge_series(&live, "late").times[0] == 5.0);
    live.add("gauge", &parse_table("name = 'middle'\nat = [1, 1]")).unwrap();
}

#[test]
fn scenes_with_conflicting_gauges_are_rejected() {
    let (_, text, _) = WORLDS[0];
    let refused = |events: &str| {
        scene::parse("t.toml", &format!("{text}{events}"), &[]).unwrap_err().to_string()
    };
    for (events, message) in [
        (
            "[[event]]\ntime = 2\ndo = 'remove'\ngauge = 'new'\n\
             [[event]]\ntime = 3\ndo = 'add'\ngauge = { name = 'new', at = [1, 1] }",
            "event[1].gauge: there is no gauge \"new\" at that time; existing gauges: middle",
        ),
        (
            "[[event]]\ntime = 2\nevery = 1\ndo = 'change'\ngauge = { name = 'middle', at = [1, 1] }",
            "event[1].every: does not apply to gauge edits",
        ),
        ("[[event]]\ntime = 2\ndo = 'remove'\ngauge = 3", "event[1].gauge: found"),
        ("[[event]]\ntime = 2\ndo = 'remov'\ngauge = 'middle'", "did you mean \"remove\"?"),
        ("[[event]]\ntime = 2\ndo = 'chage'\ngauge = 'middle'", "did you mean \"change\"?"),
        ("[[event]]\ntime = 2\ndo = 'remove'\ngauge = 'middle'\namount = 2", "amount: no such key"),
    ] {
        let error = refused(events);
        assert!(error.contains(message), "{error}");
    }
    // In order of time, not of the list.
    let fits = "[[event]]\ntime = 3\ndo = 'remove'\ngauge = 'new'\n\
                [[event]]\ntime = 2\ndo = 'add'\ngauge = { name = 'new', at = [1, 1] }";
    scene::parse("t.toml", &format!("{text}{fits}"), &[]).unwrap();
}

#[test]
fn resumed_runs_keep_gauges_created_by_events() {
    let (_, text, _) = WORLDS[0];
    let events = "[[event]]\ntime = 1.23\nin_passing = true\ndo = 'add'\n\
                  gauge = { name = 'new', at = [9, 9], every = 0.07 }\n\
                  [[event]]\ntime = 2\ndo = 'remove'\ngauge = 'middle'\n\
                  [[event]]\ntime = 3\ndo = 'change'\ngauge = { name = 'new', at = [20, 20], every = 0.4 }\n\
                  [[event]]\ntime = 4.4\ndo = 'add'\ngauge = { name = 'last', at = [9, 9] }\n";
    let text = with_few_pictures(text);
    let scene = scene::parse("t.toml", &format!("{text}{events}"), &[]).unwrap();
    let (summary, files) = run_with_stops(&scene, &[&[5, 20], &[9, 13, 14, 15], &[30]]);
    assert_eq!(summary.gauges, ["new.csv", "last.csv"]);
    assert!(files.contains_key("new.csv") && !files.contains_key("middle.csv"));
    let rows = String::from_utf8(files["new.csv"].clone()).unwrap();
    let first = rows.lines().nth(1).unwrap();
    let first: f64 = first.split(',').next().unwrap().parse().unwrap();
    assert!((1.23..1.6).contains(&first), "{rows}");
}

/// Tests that a world restored from a saved state can take over the gauge readings of the original
/// world.
#[test]
fn worlds_restored_from_a_snapshot_can_import_the_original_readings() {
    for ((model, text, _), (_, kinds)) in WORLDS.into_iter().zip(GAUGES_BY_MODEL) {
        let text = format!("{text}\n[[gauge]]\n{}\n", kinds[0]);
        let mut first = Live::new(model, &text).unwrap();
        first.take_steps(30).unwrap();
        let state = first.snapshot().unwrap();
        let mut second = Live::new(model, &text).unwrap();
        second.restore(&state).unwrap();
        assert_ne!(second.readings(), first.readings(), "{model}: there is nothing to remember");
        second.restore_gauge_history(&first.gauge_history());
        assert_eq!(second.readings(), first.readings(), "{model}");
        for live in [&mut first, &mut second] {
            live.take_steps(30).unwrap();
        }
        assert_eq!(second.readings(), first.readings(), "{model}, gone on");
    }
}

/// Tests that redoing edits restores the readings of gauges.
#[test]
fn redone_strokes_restore_the_readings() {
    for ((model, text, _), (_, kinds)) in WORLDS.into_iter().zip(GAUGES_BY_MODEL) {
        let text = format!("{text}\n[[gauge]]\n{}\n", kinds[0]);
        let mut live = Live::new(model, &text).unwrap();
        let mut history = History::default();
        live.take_steps(10).unwrap();
        history.record(&mut live).unwrap();
        live.take_steps(20).unwrap();
        let all = live.readings().to_vec();
        assert!(history.undo(&mut live).unwrap());
        assert!(live.readings()[0].times.len() < all[0].times.len(), "{model}");
        assert!(history.redo(&mut live).unwrap());
        assert_eq!(live.readings(), all, "{model}");
    }
}

#[test]
fn snapshots_of_other_scenes_are_rejected() {
    let (model, text, _) = WORLDS[0];
    let state = Live::new("pond", text).unwrap().snapshot().unwrap();
    Live::new(model, text).unwrap().restore(&state).unwrap();
    let other = format!("{text}\n# another\n");
    let problem = |name| Live::new(name, &other).unwrap().restore(&state).unwrap_err();
    assert_eq!(problem("lake"), "is of the scene pond, not of lake");
    assert_eq!(problem("pond"), "is of another scene with the name pond");
}
