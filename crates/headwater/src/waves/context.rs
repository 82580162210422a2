//! Data that all stages of a step use.

use super::params::Edges;
use super::solver::rule::Rule;
use super::solver::wave_speed_map::WaveSpeedMap;

#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) rule: &'a Rule,
    pub(super) speed_map: &'a WaveSpeedMap,
    pub(super) edges: &'a Edges,
}
