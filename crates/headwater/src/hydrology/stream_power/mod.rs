//! Stream-power model of uplift and river incision, for large maps and long times.
//!
//! The model solves ∂z/∂t = U − K·A^m·Sⁿ + D·∇²z. U is the uplift rate, K the erodibility, A the
//! upstream area, S the slope along the flow direction and D the diffusivity of hillslopes. A step
//! routes all water and then solves the stream-power law implicitly, from the outlets upstream. It
//! is unconditionally stable, and its cost is O(n) for n cells (J. Braun, S. Willett, "A very
//! efficient O(n), implicit and parallel method to solve the stream power equation governing
//! fluvial incision and landscape evolution", Geomorphology 180–181:170, 2013). Water passes
//! through the same lakes as in the simulation with drops (G. Cordonnier, B. Bovy, J. Braun, Earth
//! Surf. Dynam. 7:549, 2019). Sediment leaves the map with the rivers or is deposited in lakes.

pub(super) mod catchment;
pub(super) mod hillslopes;
mod law;
pub(super) mod links;
mod params;
mod powers;
pub(super) mod stage;
pub(super) mod trees;
pub(super) mod uplift;

pub use params::{Method, StreamPower};
