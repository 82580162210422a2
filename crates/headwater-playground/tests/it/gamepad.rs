//! Tests of gamepad input.

use crate::desk::PlaygroundDriver;
use eframe::egui::Key;

/// Index of the first button in the list of a gamepad's values. The axes come before it.
const FIRST_BUTTON: usize = 4;

/// Runs a frame with gamepad input. `values` contains pairs of the index of an axis or button and
/// its value; all others are 0.
fn run_frame(desk: &mut PlaygroundDriver, values: &[(usize, f32)]) {
    let mut all = [0.0; FIRST_BUTTON + 16];
    for &(at, value) in values {
        all[at] = value;
    }
    desk.harness.state_mut().set_gamepad(Some(&all));
    desk.run_frames(1);
}

fn press(desk: &mut PlaygroundDriver, button: usize) {
    run_frame(desk, &[(FIRST_BUTTON + button, 1.0)]);
    run_frame(desk, &[]);
}

#[test]
fn a_gamepad_selects_and_uses_tools_undoes_and_moves_the_view() {
    let mut desk = PlaygroundDriver::new();
    desk.click("tab.blocks");
    desk.pause();
    desk.press_key(Key::Escape);
    assert_eq!(desk.status().tool, "");
    press(&mut desk, 3);
    let first = desk.status().tool;
    press(&mut desk, 3);
    let second = desk.status().tool;
    assert!(!first.is_empty() && first != second, "{first}, {second}");
    press(&mut desk, 2);
    press(&mut desk, 2);
    assert_eq!(desk.status().tool, "", "between the last and the first no tool is selected");
    // Tools work at the centre of the view. If nothing can be dug at this position, there is room
    // for a wall.
    let before = desk.hash();
    for tool in ["tool.dig", "tool.wall"] {
        if desk.hash() == before {
            desk.click(tool);
            for _ in 0..6 {
                run_frame(&mut desk, &[(FIRST_BUTTON, 1.0)]);
            }
            run_frame(&mut desk, &[]);
            run_frame(&mut desk, &[]);
        }
    }
    assert_ne!(desk.hash(), before);
    press(&mut desk, 8);
    run_frame(&mut desk, &[]);
    assert_eq!(desk.hash(), before);
    // Deselects the tool, inspects a place, zooms in and pans.
    press(&mut desk, 1);
    assert_eq!(desk.status().tool, "");
    let canvas = desk.rect_of("canvas");
    let place = canvas.center() + canvas.size() * 0.1;
    desk.press(place);
    desk.release(place);
    desk.run_frames(2);
    let seen = desk.rect_of("place").min;
    for _ in 0..20 {
        run_frame(&mut desk, &[(FIRST_BUTTON + 7, 1.0)]);
    }
    let nearer = desk.rect_of("place").min;
    assert!((nearer - canvas.center()).length() > 1.3 * (seen - canvas.center()).length());
    for _ in 0..5 {
        run_frame(&mut desk, &[(0, 1.0)]);
    }
    assert!(desk.rect_of("place").min.x < nearer.x - 20.0, "it goes to the right");
    let running = desk.status().running;
    press(&mut desk, 9);
    assert_ne!(desk.status().running, running);
    // Too few values mean no gamepad.
    desk.harness.state_mut().set_gamepad(Some(&[1.0, f32::NAN]));
    desk.run_frames(2);
    assert_eq!(desk.status().errors, Vec::<String>::new());
}
