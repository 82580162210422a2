//! A world of waves in parts, each of which somebody else steps: see [`crate::part`].
//!
//! A wave gets one row further in a step, so that a halo of eight rows is good for eight steps. What stirs the surface does not depend on
//! it, so the world at home [works it out](super::Waves::stir) for all parts. Heights are whole quanta, whose sums have no rounding: what
//! came over edges adds up to the same in any order.

mod home;
mod share;
mod stepping;

pub use share::Share;
pub use stepping::{Log, Part, PartRows};
