//! Challenges: goals for the player.

pub(super) mod challenge;
pub(super) mod challenge_panel;
#[cfg(test)]
pub(super) mod challenge_tests;
