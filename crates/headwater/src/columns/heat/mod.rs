//! Heat: how warm the water of each column is at its bottom and at its top, the ice that floats on it, and the
//! steam that leaves it. After "2D magic in detail, part four: water" (2016), with rates and enthalpies in the place of
//! its factors, so that heat is conserved.
//!
//! A column is two halves of water, one above the other, and ice on top; below the water there may be ice that holds to the
//! ground, and on the ice a pond and a crust on that (`column` has their rules). Heat is counted in whole units, so that
//! what one gives and another gets adds up exactly. A pool is at *rest* while all its water is as warm as the air:
//! its heat follows from its depths, and costs nothing. Others pass heat every few steps in closed form, those that
//! sleep still more seldom, and water that moves takes its heat along in every step.
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
