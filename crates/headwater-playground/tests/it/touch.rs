//! Tests of touch input: one finger acts as the pointer; two fingers move the view and never change
//! the world.

use crate::desk::PlaygroundDriver;
use eframe::egui::{Pos2, TouchPhase, vec2};

fn start_touch_test() -> (PlaygroundDriver, String, Pos2) {
    let mut desk = PlaygroundDriver::new();
    desk.click("tab.blocks");
    desk.pause();
    desk.click("tool.dig");
    let (hash, middle) = (desk.hash(), desk.rect_of("canvas").center());
    (desk, hash, middle)
}

#[test]
fn pinching_with_a_selected_tool_changes_nothing() {
    let (mut desk, hash, at) = start_touch_test();
    desk.send_touch(0, TouchPhase::Start, at);
    desk.send_touch(1, TouchPhase::Start, at + vec2(60.0, 0.0));
    for i in 1..8 {
        let way = vec2(8.0 * i as f32, 3.0);
        desk.send_touch(0, TouchPhase::Move, at - way);
        desk.send_touch(1, TouchPhase::Move, at + vec2(60.0, 0.0) + way);
    }
    desk.send_touch(1, TouchPhase::End, at + vec2(120.0, 0.0));
    for i in 1..5 {
        desk.send_touch(0, TouchPhase::Move, at + vec2(0.0, 9.0 * i as f32));
    }
    desk.send_touch(0, TouchPhase::End, at);
    desk.run_frames(3);
    assert_eq!(desk.hash(), hash);
}

#[test]
fn a_stroke_that_becomes_a_pinch_is_undone() {
    let (mut desk, hash, at) = start_touch_test();
    desk.send_touch(0, TouchPhase::Start, at);
    for i in 1..6 {
        desk.send_touch(0, TouchPhase::Move, at + vec2(12.0 * i as f32, 0.0));
    }
    desk.send_touch(1, TouchPhase::Start, at + vec2(0.0, 90.0));
    desk.send_touch(0, TouchPhase::Move, at + vec2(70.0, -20.0));
    desk.run_frames(2);
    assert_eq!(desk.hash(), hash);
    desk.send_touch(1, TouchPhase::End, at);
    desk.send_touch(0, TouchPhase::End, at);
}

#[test]
fn taps_and_strokes_of_one_finger_use_the_tool() {
    let (mut desk, hash, at) = start_touch_test();
    desk.send_touch(0, TouchPhase::Start, at);
    for i in 1..12 {
        desk.send_touch(0, TouchPhase::Move, at + vec2(-14.0 * i as f32, 4.0 * i as f32));
    }
    desk.send_touch(0, TouchPhase::End, at);
    desk.run_frames(3);
    assert_ne!(desk.hash(), hash, "a stroke digs");
    let dug = desk.hash();
    desk.click("tool.water");
    desk.send_touch(0, TouchPhase::Start, at);
    desk.send_touch(0, TouchPhase::End, at);
    desk.run_frames(3);
    assert_ne!(desk.hash(), dug, "a tap pours");
}
