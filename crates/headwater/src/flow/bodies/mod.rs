//! Floating bodies: boats, logs and crates with upright sides that ride on the water, drift with it, run
//! aground, bump into one another and push the water in turn.
//!
//! A body's draft is a head of pressure on the water under it (Archimedes), equal to ground that is
//! as much higher (`−g·h·∇(surface + draft)`), so the bed is raised while gravity moves the water
//! ([`load`]), and a floating body rests as exactly as a lake. Drag is an impulse on the body, with
//! the opposite on the water ([`motion`]).
//!
//! Not here: waves shorter than the hull, pitch and roll, capsizing, bodies on top of one another.

mod body;
mod calls;
mod contact;
mod footprint;
mod load;
mod motion;

pub(super) use load::Load;
pub(super) use motion::advance;

pub use body::{Body, Shape, WATER_DENSITY};
