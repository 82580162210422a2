//! Read-only inputs that all stages of a step share: the coefficients, the flux gains of faces
//! (flux per height difference) and the boundary conditions.

use super::params::Edges;
use super::solver::rule::WaveCoefficients;
use super::solver::wave_speed_map::WaveSpeedMap;

#[derive(Clone, Copy)]
pub(super) struct StepContext<'a> {
    pub(super) coefficients: &'a WaveCoefficients,
    pub(super) speed_map: &'a WaveSpeedMap,
    pub(super) edges: &'a Edges,
}
