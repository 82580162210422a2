//! Stream power: land that rises while rivers cut it down, for large maps and long times.
//!
//! ∂z/∂t = U − K·A^m·Sⁿ + D·∇²z, with uplift U, upstream area A and slope S along the water's way.
//! A step routes all water and solves the law from the outlets up, backward in time: O(n), and
//! stable (J. Braun, S. Willett, "A very efficient O(n), implicit and parallel method to solve the
//! stream power equation governing fluvial incision and landscape evolution", Geomorphology
//! 180–181:170, 2013). Water passes through the lakes of the drops' world (G. Cordonnier, B. Bovy,
//! J. Braun, Earth Surf. Dynam. 7:549, 2019). Sediment leaves with the rivers or settles in lakes.

pub(super) mod catchment;
mod law;
pub(super) mod links;
mod params;
mod powers;
pub(super) mod rise;
pub(super) mod slopes;
pub(super) mod stage;
pub(super) mod trees;

pub use params::{Method, StreamPower};
