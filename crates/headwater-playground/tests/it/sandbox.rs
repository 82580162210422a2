//! Tests of weather, model conversion, scrubbing and challenges.

use crate::desk::PlaygroundDriver;
use eframe::egui::{Key, pos2};
use std::time::Duration;

/// Returns the volume of a paused world, after the ledger has been updated.
fn world_volume(desk: &mut PlaygroundDriver) -> f64 {
    std::thread::sleep(Duration::from_millis(400));
    desk.run_frames(2);
    desk.status().volume
}

#[test]
fn weather_changes_the_world_and_can_be_undone() {
    let mut desk = PlaygroundDriver::new();
    for (tab, skies) in [("flow", 6), ("waves", 4), ("blocks", 0), ("columns", 6), ("hydrology", 0)]
    {
        desk.click(&format!("tab.{tab}"));
        desk.run_frames(2);
        assert_eq!(desk.names("weather.").len(), skies, "{tab}");
        if skies == 0 {
            continue;
        }
        desk.pause();
        let (before, dry) = (desk.status(), world_volume(&mut desk));
        desk.click("weather.cloudburst");
        for _ in 0..4 {
            desk.click("button.step");
        }
        let rained = desk.status();
        assert_eq!(rained.errors, Vec::<String>::new(), "{tab}");
        // Waves show rain only as rings.
        let wet = world_volume(&mut desk);
        assert!(tab == "waves" || wet > dry, "{tab}: {wet} after {dry}");
        desk.click("button.undo");
        assert_eq!(desk.hash(), before.hash.unwrap(), "{tab}");
        // Weather changes can follow each other, and dry presets add no water.
        for sky in desk.names("weather.") {
            desk.click(&sky);
            desk.click("button.step");
            assert_eq!(desk.status().errors, Vec::<String>::new(), "{tab}: {sky}");
        }
    }
}

#[test]
fn a_world_can_be_converted_to_the_next_model() {
    let mut desk = PlaygroundDriver::new();
    desk.pause();
    for (from, to) in [("blocks", "columns"), ("flow", "waves"), ("hydrology", "flow")] {
        desk.click(&format!("tab.{from}"));
        desk.run_frames(10);
        desk.click("onward");
        desk.run_frames(3);
        let status = desk.status();
        assert_eq!((status.tab.as_str(), &status.errors), (to, &Vec::new()), "{status:?}");
        let steps = status.steps;
        desk.run_frames(10);
        assert!(desk.status().steps > steps, "it runs");
        desk.click("button.undo");
    }
}

#[test]
fn the_last_minute_can_be_scrubbed_and_resumed() {
    let mut desk = PlaygroundDriver::new();
    desk.click("tab.blocks");
    // At 30 frames per second, this is 3.5 s of play.
    desk.run_frames(105);
    desk.pause();
    let (steps, hash) = (desk.status().steps, desk.hash());
    let back = |desk: &mut PlaygroundDriver| {
        let slider = desk.rect_of("scrub");
        let at = pos2(slider.left() + 3.0, slider.center().y);
        desk.press(at);
        desk.run_frames(1);
        desk.release(at);
        desk.run_frames(2);
    };
    back(&mut desk);
    let then = desk.status();
    assert!(then.steps < steps && !then.running, "{then:?}");
    // The present state is kept while scrubbing.
    desk.press_key(Key::ArrowRight);
    desk.click("button.undo");
    assert_eq!((desk.status().steps, desk.hash()), (steps, hash.clone()));
    // Continuing from an earlier snapshot without edits leads to the same state.
    back(&mut desk);
    let early = desk.status().steps;
    assert!(early < steps);
    while desk.status().steps < steps {
        desk.click("button.step");
    }
    assert_eq!(desk.hash(), hash);
    desk.click("tool.dig");
    back(&mut desk);
    desk.draw_stroke([0.3, 0.5], [0.7, 0.6]);
    assert_ne!(desk.hash(), hash);
    assert_eq!(desk.status().errors, Vec::<String>::new());
}

#[test]
fn challenges_are_decided_by_gauges() {
    let mut desk = PlaygroundDriver::new();
    // Frost makes a bridge.
    desk.click("tab.columns");
    assert_eq!(desk.names("challenge.").len(), 2);
    desk.click("challenge.bridge");
    assert_eq!((desk.status().challenge.as_str(), desk.status().progress), ("on", 0.0));
    assert!(!desk.names("tool.").contains(&"tool.wall".to_owned()), "that would be too easy");
    desk.click("weather.winter");
    for _ in 0..60 {
        desk.run_frames(30);
        if desk.status().challenge != "on" {
            break;
        }
    }
    assert_eq!(desk.status().challenge, "done", "{:?}", desk.status());
    // A restart also restarts the challenge, and undo restores its result.
    desk.press_key(Key::R);
    assert_eq!(desk.status().challenge, "on");
    desk.click("button.undo");
    assert_eq!(desk.status().challenge, "done");
    desk.click("challenge.close");
    assert_eq!(desk.status().challenge, "");
    // The moat is filled from the lake.
    desk.click("challenge.moat");
    assert!(desk.names("weather.").is_empty() && desk.names("tool.pour").is_empty());
    // All other challenges can be started.
    for tab in ["flow", "hydrology"] {
        desk.click(&format!("tab.{tab}"));
        for challenge in desk.names("challenge.") {
            desk.click(&challenge);
            desk.run_frames(3);
            let status = desk.status();
            assert_eq!(
                (status.challenge.as_str(), &status.errors),
                ("on", &Vec::new()),
                "{challenge}"
            );
        }
    }
}
