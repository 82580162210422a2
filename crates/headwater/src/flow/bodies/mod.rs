//! Floating bodies: boats, logs and crates with upright sides that ride on the water, drift with it, run
//! aground, bump into one another and push the water in turn.
//!
//! A body weighs on the water under it: its draft is a head of pressure there, by which the surface sinks
//! under the hull and rises elsewhere (Archimedes). To water that moves in columns, a hull that presses
//! down by its draft is the same as ground that is higher by as much (`−g·h·∇(surface + draft)`), so for the
//! moment in which gravity moves the water the bed is raised so far ([`load`]). Every level of physics
//! then keeps a floating body at rest as exactly as it keeps a lake at rest. Drag between hull and water
//! is an impulse that goes to the body and, with the opposite sign, to the water ([`motion`]).
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
