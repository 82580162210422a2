//! Shared inputs of a step.

use super::medium::Medium;
use super::params::Edges;
use super::rule::Rule;

#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) rule: &'a Rule,
    pub(super) medium: &'a Medium,
    pub(super) edges: &'a Edges,
}
