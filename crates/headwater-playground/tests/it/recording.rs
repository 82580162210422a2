//! Tests of recording the last seconds of play.

use crate::desk::PlaygroundDriver;
use std::time::Duration;

#[test]
fn a_recording_replays_the_last_seconds_and_returns_to_the_present() {
    let mut desk = PlaygroundDriver::new();
    desk.click("tab.blocks");
    desk.pause();
    desk.click("button.reset");
    desk.click("menu.file");
    desk.click("file.record");
    let notice = desk.status().notice;
    assert!(notice.starts_with("There is nothing to record"), "{notice}");
    desk.click("button.run");
    // Play for eight seconds, with edits in between.
    desk.run_frames(150);
    desk.click("tool.dig");
    desk.draw_stroke([0.3, 0.5], [0.7, 0.6]);
    desk.click("tool.wall");
    desk.draw_stroke([0.4, 0.2], [0.6, 0.2]);
    desk.run_frames(60);
    desk.pause();
    let present = desk.status();
    desk.click("menu.file");
    desk.click("file.record");
    let mut seen = Vec::new();
    for _ in 0..200 {
        desk.run_frames(1);
        let status = desk.status();
        seen.push((status.steps, status.hash));
        // Actions are deferred during the replay.
        if seen.len() == 10 {
            desk.click("button.undo");
        }
        if status.steps == present.steps {
            break;
        }
    }
    let speed = present.time / present.steps as f64;
    let first = seen[0].0;
    assert!(first < present.steps, "it went back");
    assert!((present.steps - first) as f64 * speed > 5.0, "{first} of {}", present.steps);
    let (steps, hash) = seen.last().unwrap().clone();
    assert_eq!((steps, hash), (present.steps, present.hash.clone()), "the same steps again");
    let different: std::collections::BTreeSet<_> = seen.iter().map(|(steps, _)| steps).collect();
    assert!(different.len() > 30, "{}", different.len());
    // Without a window there are no pictures: an error is shown, and the world is restored apart
    // from the deferred undo.
    std::thread::sleep(Duration::from_millis(1100));
    desk.run_frames(5);
    let after = desk.status();
    assert!(after.errors.last().unwrap().starts_with("No animation"), "{after:?}");
    assert_ne!(after.hash, present.hash);
    desk.click("button.redo");
    let after = desk.status();
    assert_eq!((after.steps, &after.hash), (present.steps, &present.hash));
    // A recording can be cancelled.
    desk.click("button.run");
    desk.run_frames(150);
    desk.pause();
    let present = desk.status();
    desk.click("menu.file");
    desk.click("file.record");
    desk.run_frames(5);
    let on_the_way = desk.status();
    assert!(on_the_way.steps < present.steps, "{on_the_way:?}");
    desk.click("record.cancel");
    desk.run_frames(2);
    let ended = desk.status();
    assert_eq!((ended.steps, ended.hash), (present.steps, present.hash));
    assert_eq!(ended.errors, present.errors);
}
