//! Nothing is lost by a click: tabs keep their worlds, opening and beginning again are undone, and a world is there at the next visit.

use crate::desk::Desk;
use eframe::egui::Key;

/// A world of blocks in which something was dug.
fn dug() -> (Desk, String) {
    let mut desk = Desk::new();
    desk.click("tab.blocks");
    desk.pause();
    desk.click("tool.dig");
    desk.stroke([0.3, 0.5], [0.7, 0.6]);
    let hash = desk.hash();
    (desk, hash)
}

#[test]
fn a_tab_keeps_its_world_while_others_are_on_show() {
    let (mut desk, hash) = dug();
    desk.click("tab.columns");
    desk.frames(10);
    desk.click("tab.flow");
    desk.frames(5);
    desk.click("tab.blocks");
    assert_eq!(desk.hash(), hash);
    // What was done there can still be undone.
    desk.click("button.undo");
    assert_ne!(desk.hash(), hash);
}

#[test]
fn beginning_again_is_undone() {
    let (mut desk, hash) = dug();
    desk.key(Key::R);
    assert_ne!(desk.hash(), hash);
    assert_eq!(desk.status().steps, 0);
    desk.click("button.undo");
    assert_eq!(desk.hash(), hash, "the world is as it was before");
    desk.click("button.redo");
    assert_eq!(desk.status().steps, 0, "and begins again once more");
    desk.click("button.undo");
    // And so is the stroke before.
    desk.click("button.undo");
    assert_ne!(desk.hash(), hash);
    desk.click("button.redo");
    assert_eq!(desk.hash(), hash);
}

#[test]
fn opening_a_scene_is_undone_until_something_is_done_to_it() {
    let (mut desk, hash) = dug();
    desk.click("scene.comb");
    assert_eq!(desk.status().scene, "comb");
    desk.frames(5);
    desk.click("button.undo");
    assert_eq!((desk.status().scene.as_str(), desk.hash()), ("terraria", hash.clone()));
    desk.click("button.redo");
    assert_eq!(desk.status().scene, "comb");
    desk.click("button.undo");
    desk.stroke([0.2, 0.4], [0.3, 0.4]);
    desk.click("button.redo");
    assert_eq!(desk.status().scene, "terraria", "there is no way forth after a stroke");
}

#[test]
fn a_world_that_was_kept_goes_on_with_the_same_bits() {
    let (mut desk, hash) = dug();
    let kept = desk.keep();
    let mut next = Desk::new();
    next.harness.state_mut().go_on(&kept);
    next.frames(2);
    assert_eq!((next.hash(), next.status().scene), (hash, "terraria".into()));
    desk.click("button.step");
    next.click("button.step");
    assert_eq!(next.hash(), desk.hash());
    // What is none is left alone.
    next.harness.state_mut().go_on(b"something else");
    next.frames(2);
    assert_eq!(next.hash(), desk.hash());
}

#[test]
fn escape_closes_a_menu_and_leaves_the_tool_in_hand() {
    let (mut desk, _) = dug();
    desk.click("menu.file");
    assert!(!desk.names("file.").is_empty());
    desk.key(Key::Escape);
    desk.frames(2);
    assert!(desk.names("file.").is_empty(), "the menu is closed");
    assert_eq!(desk.status().tool, "dig");
    desk.key(Key::Escape);
    assert_eq!(desk.status().tool, "");
}
