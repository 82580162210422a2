//! Tests that tabs keep their worlds, that opening and restarting can be undone, and that saved
//! worlds are restored.

use crate::desk::PlaygroundDriver;
use eframe::egui::Key;

/// Returns a playground with an edited block world, and the state hash of this world.
fn playground_with_edited_world() -> (PlaygroundDriver, String) {
    let mut desk = PlaygroundDriver::new();
    desk.click("tab.blocks");
    desk.pause();
    desk.click("tool.dig");
    desk.draw_stroke([0.3, 0.5], [0.7, 0.6]);
    let hash = desk.hash();
    (desk, hash)
}

#[test]
fn each_tab_keeps_its_world() {
    let (mut desk, hash) = playground_with_edited_world();
    desk.click("tab.columns");
    desk.run_frames(10);
    desk.click("tab.flow");
    desk.run_frames(5);
    desk.click("tab.blocks");
    assert_eq!(desk.hash(), hash);
    // Its edits can still be undone.
    desk.click("button.undo");
    assert_ne!(desk.hash(), hash);
}

#[test]
fn a_restart_can_be_undone() {
    let (mut desk, hash) = playground_with_edited_world();
    desk.press_key(Key::R);
    assert_ne!(desk.hash(), hash);
    assert_eq!(desk.status().steps, 0);
    desk.click("button.undo");
    assert_eq!(desk.hash(), hash, "the world is as it was before");
    desk.click("button.redo");
    assert_eq!(desk.status().steps, 0, "and begins again once more");
    desk.click("button.undo");
    // The earlier stroke can be undone as well.
    desk.click("button.undo");
    assert_ne!(desk.hash(), hash);
    desk.click("button.redo");
    assert_eq!(desk.hash(), hash);
}

#[test]
fn opening_a_scene_can_be_undone_and_redone_until_an_edit() {
    let (mut desk, hash) = playground_with_edited_world();
    desk.click("scene.comb");
    assert_eq!(desk.status().scene, "comb");
    desk.run_frames(5);
    desk.click("button.undo");
    assert_eq!((desk.status().scene.as_str(), desk.hash()), ("terraria", hash.clone()));
    desk.click("button.redo");
    assert_eq!(desk.status().scene, "comb");
    desk.click("button.undo");
    desk.draw_stroke([0.2, 0.4], [0.3, 0.4]);
    desk.click("button.redo");
    assert_eq!(desk.status().scene, "terraria", "there is no way forth after a stroke");
}

#[test]
fn a_saved_world_is_restored_exactly() {
    let (mut desk, hash) = playground_with_edited_world();
    let saved = desk.save_world();
    let mut next = PlaygroundDriver::new();
    next.harness.state_mut().restore_world(&saved);
    next.run_frames(2);
    assert_eq!((next.hash(), next.status().scene), (hash, "terraria".into()));
    desk.click("button.step");
    next.click("button.step");
    assert_eq!(next.hash(), desk.hash());
    // Invalid states are ignored.
    next.harness.state_mut().restore_world(b"something else");
    next.run_frames(2);
    assert_eq!(next.hash(), desk.hash());
}

#[test]
fn escape_closes_a_menu_before_deselecting_the_tool() {
    let (mut desk, _) = playground_with_edited_world();
    desk.click("menu.file");
    assert!(!desk.names("file.").is_empty());
    desk.press_key(Key::Escape);
    desk.run_frames(2);
    assert!(desk.names("file.").is_empty(), "the menu is closed");
    assert_eq!(desk.status().tool, "dig");
    desk.press_key(Key::Escape);
    assert_eq!(desk.status().tool, "");
}
