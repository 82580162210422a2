//! Tests of comparisons: two worlds that differ in one value share time, edits and camera.

use crate::desk::PlaygroundDriver;
use eframe::egui::{Key, Rect, Vec2};
use headwater_playground::status::ComparisonStatus;

fn comparison_status(desk: &PlaygroundDriver) -> ComparisonStatus {
    desk.status().beside.expect("two worlds are compared")
}

/// Returns the screen positions of the inspected point in the two halves of the canvas, each
/// relative to the top-left corner of its half.
fn marker_positions(desk: &PlaygroundDriver) -> [Vec2; 2] {
    let from = |mark: &str, canvas: &str| desk.rect_of(mark).min - desk.rect_of(canvas).min;
    [from("place", "canvas"), from("place.beside", "canvas.beside")]
}

#[test]
fn compared_worlds_differ_only_in_the_chosen_value() {
    let mut desk = PlaygroundDriver::new();
    desk.pause();
    desk.click("button.reset");
    desk.click("button.compare");
    assert_eq!(comparison_status(&desk).steps, 0);
    assert_ne!(comparison_status(&desk).hash, desk.status().hash, "other equations move the water");
    // With the same value, both worlds are equal.
    desk.click("beside.pipes");
    for _ in 0..12 {
        desk.click("button.step");
    }
    let (here, there) = (desk.status(), comparison_status(&desk));
    assert_eq!((here.steps, &here.hash), (there.steps, &there.hash));
    desk.click("beside.shallow-water");
    for _ in 0..12 {
        desk.click("button.step");
    }
    let (here, there) = (desk.status(), comparison_status(&desk));
    assert_ne!(here.hash, there.hash);
    assert!(there.time >= here.time && there.time < here.time + 1.0, "{here:?}");
    // Compare a numeric value as well.
    desk.click("menu.differs");
    desk.click("differs.physics.gravity");
    let there = comparison_status(&desk);
    assert_eq!((there.steps, there.time), (here.steps, here.time), "it comes from the one on show");
    assert_eq!(here.errors, Vec::<String>::new());
    desk.click("compare.end");
    assert_eq!(desk.status().beside, None);
    assert_eq!(desk.hash(), here.hash.unwrap(), "the one on show is what it was");
}

#[test]
fn edits_and_undo_apply_to_both_worlds() {
    let mut desk = PlaygroundDriver::new();
    desk.click("tab.columns");
    desk.run_frames(20);
    desk.click("button.compare");
    desk.run_frames(40);
    desk.pause();
    desk.click("tool.dig");
    for canvas in ["canvas", "canvas.beside"] {
        let (here, there) = (desk.hash(), comparison_status(&desk).hash);
        // At least one of these strokes meets a wall.
        let strokes =
            [[[0.5, 0.15], [0.5, 0.95]], [[0.1, 0.55], [0.9, 0.55]], [[0.1, 0.6], [0.9, 0.6]]];
        let mut done = 0;
        while desk.hash() == here {
            let [from, to] = strokes[done];
            desk.draw_stroke_on(canvas, from, to);
            done += 1;
        }
        assert_ne!(comparison_status(&desk).hash, there, "{canvas}");
        for _ in 0..done {
            desk.click("button.undo");
        }
        assert_eq!((desk.hash(), comparison_status(&desk).hash), (here, there), "{canvas}");
        desk.click("button.redo");
    }
    // Weather applies to both worlds, and a restart restarts both.
    let there = comparison_status(&desk).hash;
    desk.click("weather.cloudburst");
    desk.click("button.step");
    assert_ne!(comparison_status(&desk).hash, there);
    desk.press_key(Key::R);
    assert_eq!((desk.status().steps, comparison_status(&desk).steps), (0, 0));
    desk.click("button.run");
    desk.run_frames(30);
    let (here, there) = (desk.status(), comparison_status(&desk));
    assert!(there.steps > 10 && (here.time - there.time).abs() < 0.1, "{here:?}");
    // A newly opened world ends the comparison.
    desk.click("tab.blocks");
    assert_eq!(desk.status().beside, None);
    assert_eq!(desk.status().errors, Vec::<String>::new());
}

#[test]
fn both_halves_share_one_camera() {
    let mut desk = PlaygroundDriver::new();
    desk.click("tab.blocks");
    desk.pause();
    desk.click("button.compare");
    assert_shared_camera(&mut desk);
}

/// Moves the view on either half of the canvas, and checks that a world position appears at the
/// same place in both halves.
pub(crate) fn assert_shared_camera(desk: &mut PlaygroundDriver) {
    desk.press_key(Key::Escape);
    let at = |rect: Rect, x: f32, y: f32| rect.min + Vec2::new(x, y) * rect.size();
    let (first, second) = (desk.rect_of("canvas"), desk.rect_of("canvas.beside"));
    assert_eq!(first.size(), second.size());
    let place = at(first, 0.55, 0.55);
    desk.press(place);
    desk.release(place);
    desk.run_frames(3);
    let before = marker_positions(desk);
    assert!((before[0] - before[1]).length() < 0.5, "{before:?}");
    for half in [second, first] {
        let before = marker_positions(desk);
        desk.turn_wheel(at(half, 0.3, 0.4), 200.0);
        let after = marker_positions(desk);
        assert!((after[0] - before[0]).length() > 5.0, "the view has moved: {after:?}");
        assert!((after[0] - after[1]).length() < 0.5, "{after:?}");
    }
}
