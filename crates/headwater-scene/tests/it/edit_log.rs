//! Tests of edit logs. Replaying a log on the original scene must reproduce the edited world, also
//! after edits have been undone.

use crate::live::{BLOCKS, FLOW, start_live};
use headwater_scene::live::{Dab, EditLog, History, Live, Tool};
use headwater_scene::scene::Files;

#[test]
fn edit_logs_reproduce_worlds_after_undo_parameter_changes_and_snapshots() {
    let mut live = start_live(FLOW);
    let mut history = History::default();
    let tool = |name: &str| *flow_tools().iter().find(|tool| tool.name == name).unwrap();
    let dab = |at| Dab { radius: 5.0, strength: 0.8, ..Dab::new(at) };
    live.take_steps(7).unwrap();
    live.apply_tool(&tool("dig"), &dab([30.0, 30.0])).unwrap();
    live.take_steps(5).unwrap();
    history.record(&mut live).unwrap();
    live.apply_tool(&tool("pour"), &dab([50.0, 20.0])).unwrap();
    live.take_steps(4).unwrap();
    assert!(history.undo(&mut live).unwrap());
    live.set("physics.friction", 0.4.into()).unwrap();
    live.take_steps(9).unwrap();
    live.apply_tool(&tool("spring"), &dab([20.0, 40.0])).unwrap();
    live.take_steps(11).unwrap();
    // A world restored from a snapshot has the same edit log.
    let kept = live.snapshot().unwrap();
    let mut next = Live::new(live.name(), FLOW).unwrap();
    next.restore(&kept).unwrap();
    assert_eq!(next.edit_log(), live.edit_log());
    next.take_steps(3).unwrap();
    let text = serde_json::to_string(&next.edit_log()).unwrap();
    let log: EditLog = serde_json::from_str(&text).unwrap();
    let mut again = log.create_world(None, &Files::memory_only()).unwrap();
    let mut asked = 0;
    while log
        .replay(&mut again, &mut || {
            asked += 1;
            true
        })
        .unwrap()
    {}
    assert!(asked > 4, "it can be interrupted");
    assert_eq!(again.simulation().steps(), next.simulation().steps());
    assert_eq!(again.state_hash(), next.state_hash());
    assert_eq!(again.text(), next.text());
}

/// Returns the editing tools of `flow` worlds.
fn flow_tools() -> &'static [Tool] {
    start_live(FLOW).tools()
}

#[test]
fn reverted_strokes_cannot_be_redone_and_shorten_the_history() {
    let mut live = start_live(BLOCKS);
    let mut history = History::default();
    let before = live.state_hash();
    history.record(&mut live).unwrap();
    live.take_steps(3).unwrap();
    assert!(history.cancel_last(&mut live).unwrap());
    assert_eq!((live.state_hash(), history.redo_count(), history.is_empty()), (before, 0, true));
    assert!(!history.cancel_last(&mut live).unwrap());
    let one = live.save_state().unwrap().memory_bytes();
    for _ in 0..4 {
        history.record(&mut live).unwrap();
        live.take_steps(1).unwrap();
    }
    history.shrink_to(2 * one + one / 2);
    assert_eq!(history.undo_count(), 2);
    history.shrink_to(0);
    assert!(history.is_empty());
}
