//! Stable time step of a distributed world, computed from maxima over its subdomains.

use crate::distributed::block::step::Subdomain;
use crate::flow::params::Physics;
use crate::flow::schemes::inertial::{self, ExteriorExtremes};
use crate::flow::schemes::{pipes, shallow};
use crate::flow::world::Flow;
use crate::lattice::Edge;

/// Returns the longest stable time step (s) of a distributed world.
///
/// `maxima` are the [`maxima`](Subdomain::maxima) over all subdomains. `structure_rise_rate` is the
/// fastest rise of the water surface due to structures (m/s). `max_loss_rate(deepest)` returns the
/// maximum of [`Subdomain::max_loss_rate`] over all subdomains, for the largest depth in the world
/// (m).
pub(in crate::distributed) fn stable_dt(
    flow: &Flow,
    maxima: &[f64],
    structure_rise_rate: f64,
    max_loss_rate: impl FnOnce(f64) -> f64,
) -> f64 {
    let rise = |max_factor: f64| {
        let ahead = flow.next_step_sample_time(flow.time);
        flow.exchange.max_rise_rate(&flow.state, &flow.lattice, ahead, max_factor as f32)
            + structure_rise_rate
    };
    let inside = match (flow.params.level, maxima) {
        (Physics::Inertial, &[deepest, outside, west, east, north, south, rain]) => {
            let inflow =
                inertial::limit::inflow_rise_rate([west, east, north, south], &flow.lattice);
            let exterior = ExteriorExtremes { depth: outside, rise_rate: rise(rain) + inflow };
            let waves =
                inertial::limit::wave_limited_dt(deepest, exterior, &flow.lattice, &flow.params);
            // The loss rate excludes cells that are shallow compared with the maximum depth.
            let max_loss_rate = max_loss_rate(deepest.max(outside));
            inertial::limit::loss_limited_dt(max_loss_rate, waves, &flow.lattice).min(waves)
        }
        (Physics::ShallowWater, &[rate, rain]) => {
            let rise = rise(rain);
            shallow::limit::stable_dt(rate as f32, &flow.lattice, flow.params.gravity, rise)
        }
        _ => pipes::stable_dt(&flow.params, &flow.lattice),
    };
    inside * flow.boundary_dt_factor()
}

impl Subdomain {
    /// Returns a predicate that is true for a face of a grid edge if the face is adjacent to a row
    /// that this subdomain owns. The face is given by its edge and its index along the edge.
    fn owns_edge_face(&self) -> impl Fn(Edge, usize) -> bool + use<> {
        let own = self.own_rows.clone();
        move |edge, face| !edge.has_x_faces() || own.contains(&face)
    }

    /// Returns the maxima over this subdomain that determine the next time step. The caller takes
    /// the maximum of each value over all subdomains. The values depend on the physics model:
    ///
    /// - Inertial: depth on the grid, depth outside the edges, prescribed discharge at the western,
    ///   eastern, northern and southern edge, rain factor.
    /// - Shallow water: wave rate, rain factor.
    /// - Pipes: none.
    pub(in crate::distributed) fn maxima(&self) -> Vec<f64> {
        let flow = &self.flow;
        let (state, lattice, params, scratch) =
            (&flow.state, &flow.lattice, &flow.params, &flow.scratch);
        let edges = || {
            flow.boundaries.edge_states(
                flow.next_step_sample_time(flow.time),
                params.gravity,
                scratch,
            )
        };
        let tiles = &flow.workspace.sweep.tiles;
        let rain = flow.exchange.max_rain_factor().into();
        match params.level {
            Physics::Pipes => Vec::new(),
            Physics::Inertial => {
                let (outside, [west, east, north, south]) = inertial::limit::boundary_extremes(
                    state,
                    lattice,
                    &edges(),
                    params.gravity,
                    &self.owns_edge_face(),
                );
                let deepest = inertial::limit::max_depth(state, tiles, scratch).0;
                vec![deepest, outside, west, east, north, south, rain]
            }
            Physics::ShallowWater => {
                let (edges, counts) = (edges(), self.owns_edge_face());
                let included_faces = (&edges, &counts as shallow::limit::FaceFilter);
                let gravity = params.gravity;
                let rate = shallow::limit::max_wave_rate(
                    state,
                    lattice,
                    gravity,
                    included_faces,
                    tiles,
                    scratch,
                )
                .0;
                vec![rate.into(), rain]
            }
        }
    }

    /// Returns the maximum, over the cells, of the outflow (m³/s) divided by the depth (m), in
    /// m²/s. Cells that are shallow compared with `deepest`, the largest depth in the world (m),
    /// are excluded.
    pub(in crate::distributed) fn max_loss_rate(&self, deepest: f64) -> f64 {
        let tiles = &self.flow.workspace.sweep.tiles;
        inertial::limit::max_loss(&self.flow.state, tiles, deepest, &self.flow.scratch).0
    }
}
