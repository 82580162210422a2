//! Dispersion: long waves outrun short ones. Waves on water of depth h run at `ω² = g·k·tanh(k·h)`
//! (Airy). That is the wave equation with `c² = g·h` in which a smoothed surface `G·z` pushes,
//! `G(k) = tanh(k·h)/(k·h)`. G is a fitted sum of Chebyshev polynomials in the grid's Laplacian, so
//! it respects shores and edges, keeps energy and mean, and reaches as far as its degree.

mod around;
mod filter;
mod front;
mod loops;
mod plain;

pub(super) use filter::{Filter, filter};
pub(super) use front::drive;
