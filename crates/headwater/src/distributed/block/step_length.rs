//! How long a step of a world in parts may be: what each part asks for, and the greatest of it.

use crate::distributed::block::step::Subdomain;
use crate::flow::inertial::{self, Surge};
use crate::flow::params::Physics;
use crate::flow::world::Flow;
use crate::flow::{pipes, shallow};
use crate::lattice::Edge;

/// The longest stable step (s) of a world, of which `values` are the greatest [`wishes`](Subdomain::wishes) of all parts; `through` is the fastest that
/// structures lift a surface (m/s), and `loss` finds the greatest [loss](Subdomain::loss) of all parts beside a depth (m).
pub(in crate::distributed) fn longest(
    flow: &Flow,
    values: &[f64],
    through: f64,
    loss: impl FnOnce(f64) -> f64,
) -> f64 {
    let rise = |most: f64| {
        let ahead = flow.ahead(flow.time);
        flow.exchange.fastest_rise(&flow.state, &flow.lattice, ahead, most as f32) + through
    };
    let inside = match (flow.params.level, values) {
        (Physics::Inertial, &[deepest, outside, west, east, north, south, rain]) => {
            let inflow = inertial::limit::rise_of([west, east, north, south], &flow.lattice);
            let surge = Surge { outside, rise: rise(rain) + inflow };
            let waves = inertial::limit::wave_dt(deepest, surge, &flow.lattice, &flow.params);
            // Which cells are shallow is known only now, and so what others lose.
            let loss = loss(deepest.max(outside));
            inertial::limit::loss_dt(loss, waves, &flow.lattice).min(waves)
        }
        (Physics::ShallowWater, &[rate, rain]) => {
            let rise = rise(rain);
            shallow::limit::longest(rate as f32, &flow.lattice, flow.params.gravity, rise)
        }
        _ => pipes::stable_dt(&flow.params, &flow.lattice),
    };
    inside * flow.edge_share()
}

impl Subdomain {
    /// Whether a face of an edge is beside the part's own rows.
    fn counts(&self) -> impl Fn(Edge, usize) -> bool + use<> {
        let own = self.own.clone();
        move |edge, face| !edge.is_x() || own.contains(&face)
    }

    /// What this part has of all that the length of the next step depends on: the greatest of all parts counts.
    pub(in crate::distributed) fn wishes(&self) -> Vec<f64> {
        let flow = &self.flow;
        let (state, lattice, params, spare) =
            (&flow.state, &flow.lattice, &flow.params, &flow.spare);
        let edges = || flow.boundaries.at(flow.ahead(flow.time), params.gravity, spare);
        let tiles = &flow.workspace.sweep.tiles;
        let rain = flow.exchange.greatest_rain().into();
        match params.level {
            Physics::Pipes => Vec::new(),
            Physics::Inertial => {
                let (outside, [west, east, north, south]) = inertial::limit::beyond(
                    state,
                    lattice,
                    &edges(),
                    params.gravity,
                    &self.counts(),
                );
                let deepest = inertial::limit::deepest(state, tiles, spare).0;
                vec![deepest, outside, west, east, north, south, rain]
            }
            Physics::ShallowWater => {
                let (edges, counts) = (edges(), self.counts());
                let counted = (&edges, &counts as shallow::limit::Counts);
                let gravity = params.gravity;
                let rate = shallow::limit::rate(state, lattice, gravity, counted, tiles, spare).0;
                vec![rate.into(), rain]
            }
        }
    }

    /// The greatest part of its depth that a cell loses in a second, times the area of a cell (m²/s); of cells that are not shallow beside a
    /// depth (m).
    pub(in crate::distributed) fn loss(&self, deepest: f64) -> f64 {
        let tiles = &self.flow.workspace.sweep.tiles;
        inertial::limit::loss_of(&self.flow.state, tiles, deepest, &self.flow.spare).0
    }
}
