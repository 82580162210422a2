//! Dispersion: long waves outrun short ones.
//!
//! Waves on water of depth h run at `ω² = g·k·tanh(k·h)` (Airy). That is the wave equation with
//! `c² = g·h`, in which not the surface z pushes but a smoothed one, `G·z`, with
//! `G(k) = tanh(k·h)/(k·h)`. Here G is a polynomial in the grid's own Laplacian: a sum of Chebyshev
//! polynomials, fitted when a world is made. So it knows shores and edges, it is symmetric (the energy
//! stays), and fluxes still add up to nothing (the mean stays). It reaches as far as its degree.

mod around;
mod filter;
mod front;
mod loops;
mod plain;

pub(super) use filter::{Filter, filter};
pub(super) use front::drive;
