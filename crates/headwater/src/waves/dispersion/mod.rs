//! Dispersion: the dependence of the wave speed on the wavelength. Long waves on water are faster
//! than short ones.
//!
//! Waves on water of depth h follow `ω² = g·k·tanh(k·h)` (Airy). This is the relation of the wave
//! equation with `c² = g·h` and the filtered surface `G·z` in its driving term, with `G(k) =
//! tanh(k·h)/(k·h)`. G is approximated by a sum of Chebyshev polynomials of the grid's Laplacian.
//! It therefore respects shores and edges and conserves energy and the mean height, and its stencil
//! is as wide as its degree.

mod filter;
mod loops;
mod neighbours;
mod plain;
mod wavefront;

pub(super) use filter::{DispersionFilter, fit_filter};
pub(super) use wavefront::update_surface;
