//! The playground, driven by mouse and keyboard without a device: all that needs no drawing on one.

use crate::desk::Desk;
use eframe::egui::Key;

const TABS: [&str; 5] = ["flow", "waves", "blocks", "columns", "hydrology"];

#[test]
fn every_tab_opens_its_first_scene_and_time_passes_there() {
    let mut desk = Desk::new();
    for tab in TABS {
        desk.click(&format!("tab.{tab}"));
        assert_eq!(desk.status().tab, tab);
        let before = desk.status();
        desk.frames(30);
        let after = desk.status();
        assert!(after.time > before.time && after.steps > before.steps, "{tab}: {after:?}");
        assert_eq!(after.errors, Vec::<String>::new());
    }
}

#[test]
fn a_paused_world_takes_single_steps_and_begins_again() {
    let mut desk = Desk::new();
    desk.click("tab.blocks");
    desk.pause();
    desk.click("button.reset");
    let first = desk.hash();
    desk.frames(10);
    assert_eq!(desk.hash(), first, "nothing moves while it is paused");
    for steps in 1..=3 {
        desk.click("button.step");
        assert_eq!(desk.status().steps, steps);
    }
    assert_ne!(desk.hash(), first);
    desk.click("button.reset");
    assert_eq!((desk.hash(), desk.status().steps), (first, 0));
}

#[test]
fn every_tool_of_worlds_in_side_view_changes_them_and_is_undone_to_the_bit() {
    let mut desk = Desk::new();
    for tab in ["blocks", "columns"] {
        desk.click(&format!("tab.{tab}"));
        desk.frames(20);
        desk.pause();
        every_tool_works(&mut desk);
    }
}

#[test]
fn keys_do_what_the_help_says() {
    let mut desk = Desk::new();
    desk.key(Key::Num3);
    assert_eq!(desk.status().tab, "blocks");
    let running = desk.status().running;
    desk.key(Key::Space);
    assert_ne!(desk.status().running, running);
    let steps = desk.status().steps;
    desk.key(Key::Period);
    assert_eq!(desk.status().steps, steps + 1);
    desk.key(Key::R);
    assert_eq!(desk.status().steps, 0);
    desk.key(Key::F1);
    desk.frames(2);
}

/// Strokes over the canvas that together meet air, water and walls in whatever world.
const STROKES: [[[f32; 2]; 2]; 4] = [
    [[0.4, 0.5], [0.6, 0.5]],
    [[0.5, 0.15], [0.5, 0.95]],
    [[0.1, 0.7], [0.9, 0.7]],
    [[0.1, 0.27], [0.9, 0.27]],
];

/// Looking changes nothing; what springs, sinks, hearths and wind do is seen when time passes, and tested with live worlds.
const ACT_LATER: [&str; 5] = ["tool.look", "tool.spring", "tool.sink", "tool.hearth", "tool.wind"];

/// Each tool in turn: a stroke changes the world, undoing it brings the very same back, redoing does it again.
fn every_tool_works(desk: &mut Desk) {
    let tools = desk.names("tool.");
    assert!(tools.len() > 3, "{tools:?}");
    for tool in tools.iter().filter(|tool| !ACT_LATER.contains(&tool.as_str())) {
        let before = desk.hash();
        desk.click(tool);
        let mut changed = false;
        // A wall cannot be taken where there is none: a stroke across most of the world meets all there is.
        for [from, to] in STROKES {
            desk.stroke(from, to);
            changed = desk.hash() != before;
            if changed {
                break;
            }
        }
        assert!(changed, "{tool} does nothing: {:?}", desk.status().errors);
        let done = desk.hash();
        while desk.hash() != before {
            desk.click("button.undo");
            assert_eq!(desk.status().errors, Vec::<String>::new(), "{tool}");
        }
        desk.click("button.redo");
        assert_ne!(desk.hash(), before, "{tool}");
        desk.click("button.undo");
        assert_ne!(done, before);
    }
}
