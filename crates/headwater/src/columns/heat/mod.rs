//! Heat: temperatures of the water, floating ice and steam. After "2D magic in detail, part four:
//! water" (2016), with rates and enthalpies in the place of its factors, so that heat is conserved.
//!
//! A column is two halves of water and ice on top; below there may be ice on the ground, on the ice
//! a pond and a crust (rules in `column`). Heat is counted in whole units, so sums are exact. A
//! pool whose water is all as warm as the air is at *rest* and costs nothing. Others pass heat
//! every few steps in closed form, sleeping ones more seldom; moving water carries its heat in
//! every step.
//!
//! Ice that floats holds waves, and with what lies on it, it stays on its column; the water below it flows.

mod boil;
mod calls;
mod carry;
mod column;
mod edges;
mod heater;
mod ledger;
mod liquid;
mod one;
mod params;
mod parcel;
mod row;
mod spread;
mod turn;
mod vectors;
mod warmth;

pub use calls::Tier;
pub use heater::Heater;
pub(super) use params::AIR;
pub use params::Heat;
pub(super) use parcel::{Lost, Parcel, Warm};
pub(super) use turn::Turn;
pub(super) use warmth::Warmth;
