//! Stream power: land that rises while rivers cut it down, for large maps and long times.
//!
//! ∂z/∂t = U − K·A^m·Sⁿ + D·∇²z, with U the uplift, A the area that drains to a place, S the slope along the water's way. A step
//! finds where all water goes and solves the law from the outlets up, backward in time, each cell once: O(n), and stable
//! however long the step is (J. Braun, S. Willett, "A very efficient O(n), implicit and parallel method to solve the stream power
//! equation governing fluvial incision and landscape evolution", Geomorphology 180–181:170, 2013). Lakes are those of the drops'
//! world, and water comes through them (G. Cordonnier, B. Bovy, J. Braun, Earth Surf. Dynam. 7:549, 2019). What is worn leaves
//! with the rivers or settles in lakes: between, rivers carry all they take.

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
