//! What waves run through: open water and land, and how fast it carries them. From these, how much a
//! difference in height adds to the flux over each face.

use super::params::{EdgeKind, Edges};
use super::rule::Rule;
use crate::field::Field;
use crate::lattice::{Edge, Square};

/// The gains of the faces.
#[derive(Clone, Debug, Default)]
pub(super) struct Medium {
    /// Gain of the boundary faces on the west, east, north and south, where there is no map.
    pub(super) boundary: [f32; 4],
    /// Gains of all faces, where they differ.
    pub(super) map: Option<Gains>,
}

/// The gain of every face.
#[derive(Clone, Debug)]
pub(super) struct Gains {
    pub(super) x: Field<f32>,
    pub(super) y: Field<f32>,
}

impl Medium {
    /// The gains for a mask of `land` and a map of wave `speed` (m/s), either of which may be missing;
    /// `uniform` is the speed (m/s) that `rule` stands for.
    pub(super) fn new(
        lattice: &Square,
        rule: &Rule,
        edges: &Edges,
        land: Option<&Field<bool>>,
        speed: Option<&Field<f32>>,
        uniform: f64,
    ) -> Self {
        let crossed = |edge| matches!(edges.kind(edge), EdgeKind::Pinned | EdgeKind::Periodic);
        let boundary = Edge::ALL.map(|edge| if crossed(edge) { rule.gain } else { 0.0 });
        if land.is_none() && speed.is_none() {
            return Self { boundary, map: None };
        }
        // Relative to the uniform gain; the mean of c² of both cells keeps fluxes and energy exact.
        let part = |at: (usize, usize)| {
            let open = land.is_none_or(|land| !land[at]);
            let part = |c: f32| (f64::from(c) / uniform) * (f64::from(c) / uniform);
            open.then(|| speed.map_or(1.0, |speed| part(speed[at])))
        };
        let gain = |before: Option<f64>, after: Option<f64>| match (before, after) {
            (Some(a), Some(b)) => (f64::from(rule.gain) * 0.5 * (a + b)) as f32,
            _ => 0.0,
        };
        let on_boundary = |edge, own: (usize, usize), across: (usize, usize)| match edges.kind(edge)
        {
            EdgeKind::Reflecting | EdgeKind::Absorbing => 0.0,
            EdgeKind::Pinned => gain(part(own), part(own)),
            EdgeKind::Periodic => gain(part(own), part(across)),
        };
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let x = Field::from_fn(nx + 1, ny, |x, y| match x {
            0 => on_boundary(Edge::West, (0, y), (nx - 1, y)),
            _ if x == nx => on_boundary(Edge::East, (nx - 1, y), (0, y)),
            _ => gain(part((x - 1, y)), part((x, y))),
        });
        let y = Field::from_fn(nx, ny + 1, |x, y| match y {
            0 => on_boundary(Edge::North, (x, 0), (x, ny - 1)),
            _ if y == ny => on_boundary(Edge::South, (x, ny - 1), (x, 0)),
            _ => gain(part((x, y - 1)), part((x, y))),
        });
        Self { boundary, map: Some(Gains { x, y }) }
    }

    /// The gain of an x-face.
    pub(super) fn gain_x(&self, rule: &Rule, x: usize, y: usize, nx: usize) -> f32 {
        match &self.map {
            Some(gains) => gains.x[(x, y)],
            None if x == 0 => self.boundary[Edge::West as usize],
            None if x == nx => self.boundary[Edge::East as usize],
            None => rule.gain,
        }
    }

    /// The gain of a y-face.
    pub(super) fn gain_y(&self, rule: &Rule, x: usize, y: usize, ny: usize) -> f32 {
        match &self.map {
            Some(gains) => gains.y[(x, y)],
            None if y == 0 => self.boundary[Edge::North as usize],
            None if y == ny => self.boundary[Edge::South as usize],
            None => rule.gain,
        }
    }
}
