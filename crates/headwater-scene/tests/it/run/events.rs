//! Tests that events take effect exactly at their time, and that their heights are elevations in
//! the scene.

use crate::support::run::run_observed;
use headwater::flow::Flow;
use headwater_scene::run::Summary;
use headwater_scene::scene;

/// Runs a scene for 10 s and calls `observe` after every step. The scene is a level plain at an
/// elevation of 1500 m, with 20 × 10 cells with sides of 1 m. `keys` are added to the scene.
fn run_on_level_plain(keys: &str, observe: impl FnMut(&Flow)) -> Summary {
    let text = format!(
        "model = 'flow'\n[grid]\nnx = 20\nny = 10\ncell = 1\n[time]\nuntil = 10\n\
         [terrain]\nplane = {{ height = 1500 }}\n[output]\nframes = 0\nfinal = false\n{keys}"
    );
    let scene = scene::parse("plain.toml", &text, &[]).unwrap();
    run_observed(&scene, tempfile::tempdir().unwrap().path(), observe)
}

/// Returns a cell's bed height above the plain (m), first before and then after `time` (s). `keys`
/// are added to the scene. Asserts that the height changes only at that time.
fn bed_before_and_after(keys: &str, cell: (usize, usize), time: f64) -> [f32; 2] {
    let (mut before, mut after) = (None, None);
    run_on_level_plain(keys, |flow| {
        // The datum is the plain's height. Events due at the end of a step run before the next.
        let side = if flow.time() <= time { &mut before } else { &mut after };
        let height = flow.state().bed[cell];
        assert_eq!(*side.get_or_insert(height), height, "at {} s", flow.time());
    });
    [before.unwrap(), after.unwrap()]
}

const DISC: &str = "disc = { center = [10.5, 5.5], radius = 2.2 }";

#[test]
fn events_raise_and_lower_the_ground_by_the_amount() {
    let event = |what: &str| format!("[[event]]\ntime = 4\n{DISC}\n{what}");
    let cases = [
        ("do = 'lower'\namount = 2.5", -2.5),
        ("do = 'raise'\namount = 1.5", 1.5),
        ("do = 'lower'\nlevel = 1497", -3.0),
        ("do = 'lower'\nlevel = 1503", 0.0),
        ("do = 'raise'\nlevel = 1503", 3.0),
        ("do = 'raise'\nlevel = 1497", 0.0),
        ("do = 'flatten'\nlevel = 1490", -10.0),
        ("do = 'smooth'", 0.0),
    ];
    for (what, expected) in cases {
        assert_eq!(bed_before_and_after(&event(what), (10, 5), 4.0), [0.0, expected], "{what}");
        assert_eq!(bed_before_and_after(&event(what), (15, 5), 4.0), [0.0, 0.0], "{what}, outside");
    }
}

#[test]
fn smoothing_removes_a_spike() {
    let spike = "[[terrain.shape]]\nop = 'raise'\namount = 5\ndisc = { center = [10.5, 5.5], radius = 0.1 }";
    let event = format!("{spike}\n[[event]]\ntime = 4\n{DISC}\ndo = 'smooth'");
    let [before, after] = bed_before_and_after(&event, (10, 5), 4.0);
    assert_eq!(before, 5.0);
    assert!((0.0..1.0).contains(&after), "{after} m");
}

#[test]
fn repeated_events_add_and_remove_water() {
    // At 1, 3 and 5 s; 7 s is after its end.
    let pour =
        format!("[[event]]\ntime = 1\nevery = 2\nuntil = 6\ndo = 'pour'\nvolume = 5\n{DISC}");
    let mut seen = Vec::new();
    let summary = run_on_level_plain(&pour, |flow| seen.push((flow.time(), flow.volume())));
    for (time, volume) in seen {
        let times = [1.0, 3.0, 5.0].into_iter().filter(|at| *at < time).count();
        assert!((volume - 5.0 * times as f64).abs() < 1e-4, "{volume} m³ at {time} s");
    }
    assert!((summary.ledger.inflow["edit"] - 15.0).abs() < 1e-4);

    // 30 cm everywhere, of which 10 cm are removed; then more than available.
    let pond =
        "[water]\ndepth = 0.3\n[[event]]\ntime = 2\ndo = 'remove'\namount = 0.1\neverywhere = true";
    let summary = run_on_level_plain(pond, |_| {});
    assert!((summary.ledger.now - 40.0).abs() < 1e-3, "{:?}", summary.ledger);
    let summary = run_on_level_plain(
        &format!("{pond}\n[[event]]\ntime = 3\ndo = 'remove'\nvolume = 1e6\neverywhere = true"),
        |_| {},
    );
    assert_eq!(summary.ledger.now, 0.0);
    assert!((summary.ledger.outflow["edit"] - 60.0).abs() < 1e-3);
}

#[test]
fn ground_edits_under_water_respect_the_key_keep() {
    let event = |keep: &str| {
        format!(
            "[water]\ndepth = 2\n[[event]]\ntime = 0\ndo = 'raise'\namount = 1\neverywhere = true\n{keep}"
        )
    };
    assert_eq!(run_on_level_plain(&event(""), |_| {}).ledger.now, 400.0);
    assert_eq!(run_on_level_plain(&event("keep = 'depth'"), |_| {}).ledger.now, 400.0);
    assert_eq!(run_on_level_plain(&event("keep = 'surface'"), |_| {}).ledger.now, 200.0);
}

#[test]
fn gates_block_the_flow_while_closed() {
    let gate = "rect = { min = [9, 0], max = [11, 10] }";
    let keys = format!(
        "[[terrain.shape]]\nop = 'lower'\namount = 2\nrect = {{ min = [0, 0], max = [9, 10] }}\n\
         [water]\nlevel = 1499.5\n[[obstacle]]\n{gate}\n\
         [[terrain.shape]]\nop = 'lower'\namount = 2\nrect = {{ min = [9, 0], max = [20, 10] }}\n\
         [[event]]\ntime = 3\ndo = 'open'\n{gate}\n\
         [[event]]\ntime = 0\ndo = 'remove'\nvolume = 1000\nrect = {{ min = [11, 0], max = [20, 10] }}\n\
         [[event]]\ntime = 6\ndo = 'close'\n{gate}"
    );
    let beyond = |flow: &Flow| {
        let depth = &flow.state().depth;
        (0..10)
            .flat_map(|y| (11..20).map(move |x| (x, y)))
            .map(|at| f64::from(depth[at]))
            .sum::<f64>()
    };
    let mut at_six = 0.0;
    let summary = run_on_level_plain(&keys, |flow| {
        let volume = beyond(flow);
        match flow.time() {
            time if time <= 3.0 => assert_eq!(volume, 0.0, "at {time} s"),
            time if time <= 6.0 => at_six = volume,
            // The water in the gate may leave on either side when it closes.
            time => assert!(volume >= at_six - 1e-4, "{volume} m³ at {time} s"),
        }
    });
    assert!(at_six > 5.0, "{at_six} m³");
    assert!(summary.ledger.residual_relative.abs() < 1e-6);
}

#[test]
fn parts_of_a_scene_without_effect_are_reported() {
    let keys = "[[obstacle]]\nrect = { min = [2, 2], max = [6, 6] }\n\
                [[source]]\nat = [4, 4]\nrate = 1\n[[source]]\nat = [6.5, 4]\nrate = 1\nradius = 2\n\
                [[gauge]]\nname = 'a'\nat = [3.5, 3.5]\n[[gauge]]\nname = 'b'\nat = [10, 5]\n\
                [[event]]\ntime = 10.5\ndo = 'pour'\namount = 1\neverywhere = true\n\
                [[event]]\ntime = 10\ndo = 'pour'\namount = 1\neverywhere = true\n";
    let notices = run_on_level_plain(keys, |_| ()).notices;
    let starts = ["source[0] has no effect", "gauge[0] is always dry", "event[0] has no effect"];
    for start in starts {
        assert!(notices.iter().any(|notice| notice.starts_with(start)), "{start}: {notices:?}");
    }
    assert_eq!(notices.len(), starts.len(), "{notices:?}");
}
