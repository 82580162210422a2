//! Dispersion: the dependence of the wave speed on the wavelength. Long waves on water are faster
//! than short ones.
//!
//! Waves on water of depth h follow `ω² = g·k·tanh(k·h)` (Airy). The wave equation gives this
//! relation if `c² = g·h` and its driving term uses the filtered surface `G·z` instead of z, with
//! `G(k) = tanh(k·h)/(k·h)`. G is approximated by a sum of Chebyshev polynomials of the grid's
//! Laplacian. Because the Laplacian respects shores and edges, so does the filter. It conserves
//! energy and the mean height. Its stencil extends over as many cells in each direction as its
//! degree.

mod filter;
mod loops;
mod neighbours;
mod plain;
mod wavefront;

pub(super) use filter::{DispersionFilter, fit_filter};
pub(super) use wavefront::update_surface;
