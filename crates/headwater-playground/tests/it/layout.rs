//! Tests that widgets neither overlap nor are cut off, down to the width of a small phone.

use crate::desk::PlaygroundDriver;
use eframe::egui::Rect;

/// Prefixes of the names of the widgets that are checked.
const KINDS: [&str; 4] = ["tab.", "button.", "menu.", "backend."];

/// Checks that no widgets overlap each other or extend beyond the window.
fn assert_layout(desk: &PlaygroundDriver, window: Rect) {
    let all: Vec<_> = KINDS.iter().flat_map(|kind| desk.widget_rects(kind)).collect();
    assert!(all.len() > 6, "{all:?}");
    for (i, (name, rect)) in all.iter().enumerate() {
        assert!(window.expand(0.5).contains_rect(*rect), "{name} is cut: {rect:?} of {window:?}");
        for (other, place) in &all[..i] {
            let both = rect.intersect(*place);
            let overlap = both.width() > 0.5 && both.height() > 0.5;
            assert!(!overlap, "{name} {rect:?} lies over {other} {place:?}");
        }
    }
}

#[test]
fn bars_do_not_overlap_at_any_width() {
    for [width, height] in [
        [1920.0, 1080.0],
        [1280.0, 800.0],
        [1000.0, 700.0],
        [800.0, 600.0],
        [768.0, 1024.0],
        [620.0, 900.0],
        [390.0, 844.0],
        [360.0, 640.0],
    ] {
        let mut desk = PlaygroundDriver::with_window_size([width, height]);
        let window = Rect::from_min_size(Default::default(), [width, height].into());
        assert_layout(&desk, window);
        let canvas = desk.rect_of("canvas");
        assert!(canvas.width() > 0.4 * width, "{width}: {canvas:?}");
        if width < 600.0 {
            for sheet in ["button.tools", "button.scenes", "button.world"] {
                desk.click(sheet);
                assert_layout(&desk, window);
                assert!(desk.rect_of("canvas").height() > 0.25 * height, "{sheet}");
            }
        }
    }
}

/// Checks that a highlighted panel button always has a visible panel, even after the window has
/// become narrower.
#[test]
fn panel_buttons_match_the_visible_panels_in_a_narrower_window() {
    let mut desk = PlaygroundDriver::new();
    let [wide, narrow] = [1280.0, 800.0];
    desk.harness.set_size([wide, 800.0].into());
    desk.run_frames(3);
    let sides = |desk: &PlaygroundDriver, width: f32| {
        let canvas = desk.rect_of("canvas");
        [canvas.left() > 100.0, canvas.right() < width - 100.0]
    };
    assert_eq!(sides(&desk, wide), [true, true], "shelf and inspector");
    desk.harness.set_size([narrow, 600.0].into());
    desk.run_frames(3);
    assert_eq!(sides(&desk, narrow), [true, false], "the shelf alone");
    for (button, seen) in [
        ("button.inspector", [false, true]),
        ("button.inspector", [false, false]),
        ("button.shelf", [true, false]),
        ("button.inspector", [false, true]),
    ] {
        desk.click(button);
        desk.run_frames(3);
        assert_eq!(sides(&desk, narrow), seen, "{button}");
    }
}

#[test]
fn touch_targets_are_large_enough_on_a_phone() {
    let mut desk = PlaygroundDriver::with_window_size([390.0, 844.0]);
    desk.click("button.tools");
    for kind in ["button.", "menu.", "tool."] {
        let places = desk.widget_rects(kind);
        assert!(!places.is_empty(), "{kind}");
        for (name, rect) in places {
            assert!(rect.height() >= 43.5 && rect.width() >= 43.5, "{name} is small: {rect:?}");
        }
    }
}

#[test]
fn panels_have_a_fixed_width() {
    let mut desk = PlaygroundDriver::new();
    let canvas = desk.rect_of("canvas");
    for tool in desk.names("tool.") {
        desk.click(&tool);
        desk.run_frames(3);
        assert_eq!(desk.rect_of("canvas").x_range(), canvas.x_range(), "{tool}");
    }
    for tab in ["waves", "blocks", "columns", "hydrology"] {
        desk.click(&format!("tab.{tab}"));
        desk.run_frames(3);
        assert_eq!(desk.rect_of("canvas").x_range(), canvas.x_range(), "{tab}");
    }
}

/// Checks that tools keep their positions if a challenge forbids some of them.
#[test]
fn a_challenge_does_not_change_the_panel_layout() {
    let mut desk = PlaygroundDriver::new();
    for (tab, challenge) in [("columns", "bridge"), ("columns", "moat"), ("flow", "village")] {
        desk.click(&format!("tab.{tab}"));
        desk.run_frames(3);
        let close = |(name, _): &(String, Rect)| name != "challenge.close";
        let challenges = |desk: &PlaygroundDriver| {
            desk.widget_rects("challenge.").into_iter().filter(close).collect()
        };
        let before: [Vec<_>; 2] = [desk.widget_rects("scene."), challenges(&desk)];
        assert!(before.iter().all(|places| !places.is_empty()), "{tab}");
        desk.click(&format!("challenge.{challenge}"));
        desk.run_frames(3);
        assert_eq!([desk.widget_rects("scene."), challenges(&desk)], before, "{challenge}");
    }
}

/// Checks that the description of a challenge's goal is collapsed in a window of small height, and
/// that the user can expand it.
#[test]
fn goals_are_collapsed_in_a_low_window() {
    let mut desk = PlaygroundDriver::with_window_size([700.0, 600.0]);
    // The challenges of a tab may be scrolled out of view; the menu has all of them.
    desk.click("menu.file");
    desk.click("file.challenges");
    assert_eq!(desk.names("take-on.").len(), 6);
    desk.click("take-on.moat");
    desk.run_frames(3);
    assert_eq!((desk.status().challenge.as_str(), desk.status().tab.as_str()), ("on", "columns"));
    let canvas = desk.rect_of("worlds");
    desk.run_frames(30);
    let whole = desk.rect_of("challenge");
    assert!(canvas.contains_rect(whole), "{whole:?} of {canvas:?}");
    desk.click("tool.dig");
    desk.draw_stroke([0.4, 0.5], [0.6, 0.6]);
    desk.run_frames(3);
    let folded = desk.rect_of("challenge");
    assert!(folded.height() < 0.12 * canvas.height(), "{folded:?} of {canvas:?}");
    assert!(whole.height() > folded.height() + 12.0, "{whole:?} before anything was done");
    desk.click("challenge.goal");
    desk.run_frames(3);
    assert!(desk.rect_of("challenge").height() > folded.height() + 12.0);
}

/// Checks that a temporary message disappears after some seconds, and that a warning stays.
#[test]
fn temporary_messages_disappear_and_warnings_stay() {
    let mut desk = PlaygroundDriver::new();
    desk.pause();
    desk.click("button.compare");
    desk.run_frames(3);
    desk.click("tab.waves");
    desk.run_frames(3);
    assert!(desk.status().notice.contains("comparison has ended"), "{}", desk.status().notice);
    // At 30 frames per second, this is 15 s.
    desk.run_frames(450);
    assert_eq!(desk.status().notice, "");
    desk.harness.state_mut().resume_after_device_loss("The device is gone.".into());
    desk.run_frames(450);
    assert_eq!(desk.status().notice, "The device is gone.");
}
