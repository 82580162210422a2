//! The last seconds, once more.

use crate::desk::Desk;
use std::time::Duration;

#[test]
fn the_last_seconds_are_gone_through_again_and_end_where_they_did() {
    let mut desk = Desk::new();
    desk.click("tab.blocks");
    desk.pause();
    desk.click("button.reset");
    desk.click("menu.file");
    desk.click("file.record");
    let said = desk.status().notice;
    assert!(said.starts_with("There is nothing to record"), "{said}");
    desk.click("button.run");
    // Eight seconds, in the midst of which something is dug and built.
    desk.frames(150);
    desk.click("tool.dig");
    desk.stroke([0.3, 0.5], [0.7, 0.6]);
    desk.click("tool.wall");
    desk.stroke([0.4, 0.2], [0.6, 0.2]);
    desk.frames(60);
    desk.pause();
    let present = desk.status();
    desk.click("menu.file");
    desk.click("file.record");
    let mut seen = Vec::new();
    for _ in 0..200 {
        desk.frames(1);
        let status = desk.status();
        seen.push((status.steps, status.hash));
        // What is asked for meanwhile waits.
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
    // No pictures come without a window: then it says so, and the world is as it was, less what was undone meanwhile.
    std::thread::sleep(Duration::from_millis(1100));
    desk.frames(5);
    let after = desk.status();
    assert!(after.errors.last().unwrap().starts_with("No animation"), "{after:?}");
    assert_ne!(after.hash, present.hash);
    desk.click("button.redo");
    let after = desk.status();
    assert_eq!((after.steps, &after.hash), (present.steps, &present.hash));
    // Who has seen enough ends it.
    desk.click("button.run");
    desk.frames(150);
    desk.pause();
    let present = desk.status();
    desk.click("menu.file");
    desk.click("file.record");
    desk.frames(5);
    let on_the_way = desk.status();
    assert!(on_the_way.steps < present.steps, "{on_the_way:?}");
    desk.click("record.cancel");
    desk.frames(2);
    let ended = desk.status();
    assert_eq!((ended.steps, ended.hash), (present.steps, present.hash));
    assert_eq!(ended.errors, present.errors);
}
