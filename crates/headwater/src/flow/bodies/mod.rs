//! Floating bodies: boats, logs and crates with vertical sides. They float on the water, drift with
//! the current, run aground, collide with one another and push the water.
//!
//! The draft of a body acts as a pressure head on the water under the body (Archimedes). This head
//! is equivalent to a bed raised by the draft, `−g·h·∇(surface + draft)`. The gravity stages
//! therefore run on the raised bed ([`load`]), and a floating body at rest is an exact equilibrium.
//! Drag is an impulse on the body and the opposite impulse on the water ([`motion`]).
//!
//! The model does not include waves shorter than the hull, pitch and roll, capsizing, or bodies on
//! top of one another.

mod api;
mod body;
mod contact;
mod footprint;
mod load;
mod motion;
pub(super) mod push;

pub(super) use load::BodyLoads;
pub(super) use motion::advance;

pub use body::{Body, Shape, WATER_DENSITY};
