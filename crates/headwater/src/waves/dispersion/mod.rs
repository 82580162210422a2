//! Dispersion: the dependence of the wave speed on the wavelength, by which long waves are faster
//! than short ones.
//!
//! Waves on water of depth h follow `ω² = g·k·tanh(k·h)` (Airy). This is the wave equation with `c²
//! = g·h`, driven by a filtered surface `G·z` with `G(k) = tanh(k·h)/(k·h)`. G is a fitted sum of
//! Chebyshev polynomials in the grid's Laplacian, so it respects shores and edges, conserves energy
//! and mean, and has a stencil as wide as its degree.

mod filter;
mod loops;
mod neighbours;
mod plain;
mod wavefront;

pub(super) use filter::{Filter, filter};
pub(super) use wavefront::update_surface;
