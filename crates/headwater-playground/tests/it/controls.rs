//! Tests of mouse and keyboard control without a graphics device.

use crate::desk::PlaygroundDriver;
use eframe::egui::Key;

const TABS: [&str; 5] = ["flow", "waves", "blocks", "columns", "hydrology"];

#[test]
fn every_tab_opens_a_running_scene() {
    let mut desk = PlaygroundDriver::new();
    for tab in TABS {
        desk.click(&format!("tab.{tab}"));
        assert_eq!(desk.status().tab, tab);
        let before = desk.status();
        desk.run_frames(30);
        let after = desk.status();
        assert!(after.time > before.time && after.steps > before.steps, "{tab}: {after:?}");
        assert_eq!(after.errors, Vec::<String>::new());
    }
}

#[test]
fn a_paused_world_can_be_stepped_and_restarted() {
    let mut desk = PlaygroundDriver::new();
    desk.click("tab.blocks");
    desk.pause();
    desk.click("button.reset");
    let first = desk.hash();
    desk.run_frames(10);
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
fn every_side_view_tool_changes_the_world_and_is_undone_exactly() {
    let mut desk = PlaygroundDriver::new();
    for tab in ["blocks", "columns"] {
        desk.click(&format!("tab.{tab}"));
        desk.run_frames(20);
        desk.pause();
        assert_every_tool_works(&mut desk);
    }
}

#[test]
fn keys_match_the_help() {
    let mut desk = PlaygroundDriver::new();
    desk.press_key(Key::Num3);
    assert_eq!(desk.status().tab, "blocks");
    let running = desk.status().running;
    desk.press_key(Key::Space);
    assert_ne!(desk.status().running, running);
    let steps = desk.status().steps;
    desk.press_key(Key::Period);
    assert_eq!(desk.status().steps, steps + 1);
    desk.press_key(Key::R);
    assert_eq!(desk.status().steps, 0);
    desk.press_key(Key::F1);
    desk.run_frames(2);
}

/// Strokes over the canvas (fractions of its size). Together they pass over air, water and walls in
/// every world.
const STROKES: [[[f32; 2]; 2]; 4] = [
    [[0.4, 0.5], [0.6, 0.5]],
    [[0.5, 0.15], [0.5, 0.95]],
    [[0.1, 0.7], [0.9, 0.7]],
    [[0.1, 0.27], [0.9, 0.27]],
];

/// Names of tools whose use does not change the world at once: looking, springs, sinks, hearths and
/// wind. Other tests use them in running worlds.
const DELAYED_TOOLS: [&str; 5] =
    ["tool.look", "tool.spring", "tool.sink", "tool.hearth", "tool.wind"];

/// Checks for each tool that a stroke changes the world, that undo restores the world exactly, and
/// that redo repeats the stroke.
fn assert_every_tool_works(desk: &mut PlaygroundDriver) {
    let tools = desk.names("tool.");
    assert!(tools.len() > 3, "{tools:?}");
    for tool in tools.iter().filter(|tool| !DELAYED_TOOLS.contains(&tool.as_str())) {
        let before = desk.hash();
        desk.click(tool);
        let mut changed = false;
        // Tools that remove walls need a wall, so these strokes cross most of the world.
        for [from, to] in STROKES {
            desk.draw_stroke(from, to);
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
