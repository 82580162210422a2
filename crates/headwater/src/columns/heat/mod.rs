//! Heat: temperatures of the water, floating ice and steam. The model follows "2D magic in detail,
//! part four: water" (2016), but uses physical rates and enthalpies, so that heat is conserved.
//!
//! A column consists of a lower and an upper half of water, with ice on top. There may also be ice
//! on the ground, a pond of liquid water on the floating ice, and a crust of ice on the pond (see
//! `column`). Heat is counted in integer units, so sums have no rounding error. A pool in which all
//! water has the temperature of the air is at *rest*, and its heat costs no computing time. Other
//! pools update their heat every few steps in closed form, and less often while they sleep. Moving
//! water carries its heat along in every step.
//!
//! Floating ice stops waves and does not move horizontally. The water below the ice flows.

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

pub use calls::Stratum;
pub use heater::Heater;
pub(super) use params::AIR;
pub use params::Heat;
pub(super) use parcel::{ColumnHeat, LostWater, Parcel};
pub(super) use turn::HeatContext;
pub(super) use warmth::HeatState;
