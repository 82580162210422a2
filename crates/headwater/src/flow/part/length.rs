//! How long a step of a world in parts may be: what each part asks for, and the greatest of it.

use super::stepping::Part;
use crate::flow::inertial::{self, Surge};
use crate::flow::params::Physics;
use crate::flow::{pipes, shallow};
use crate::lattice::Edge;
use crate::part::Peers;

impl Part {
    /// The longest stable step (s), the same for all parts. They know the depths in all mouths of structures then.
    pub(super) fn longest(&mut self, peers: &mut dyn Peers) -> f64 {
        let share = self.flow.edge_share();
        let inside = match self.flow.params.level {
            Physics::Pipes => {
                self.ask(&mut [], peers);
                pipes::stable_dt(&self.flow.params, &self.flow.lattice)
            }
            Physics::Inertial => self.longest_inertial(peers),
            Physics::ShallowWater => self.longest_shallow(peers),
        };
        inside * share
    }

    /// Finds the greatest of some values of all parts, and the depths in mouths with them.
    fn ask(&mut self, values: &mut [f64], peers: &mut dyn Peers) {
        let mut all = values.to_vec();
        all.extend(self.depths_of_mouths());
        if all.is_empty() {
            return;
        }
        peers.greatest(&mut all);
        let (found, depths) = all.split_at(values.len());
        values.copy_from_slice(found);
        self.mouths.iter_mut().for_each(|mouths| mouths.fill(depths));
    }

    /// Whether a face of an edge is beside the part's own rows.
    fn counts(&self) -> impl Fn(Edge, usize) -> bool + use<> {
        let own = self.own.clone();
        move |edge, face| !edge.is_x() || own.contains(&face)
    }

    /// The fastest that all that comes from elsewhere can lift a surface (m/s); `most` is the greatest factor of the rain.
    fn fastest_rise(&self, most: f64) -> f64 {
        let flow = &self.flow;
        let ahead = flow.ahead(flow.time);
        let given = flow.exchange.fastest_rise(&flow.state, &flow.lattice, ahead, most as f32);
        let mouths = self.mouths.as_ref();
        let through =
            |of: &super::mouths::Mouths| of.fastest_rise(flow.params.gravity, ahead, &flow.spare);
        given + mouths.map_or(0.0, through)
    }

    fn longest_inertial(&mut self, peers: &mut dyn Peers) -> f64 {
        let flow = &self.flow;
        let (state, lattice, params, spare) =
            (&flow.state, &flow.lattice, &flow.params, &flow.spare);
        let edges = flow.boundaries.at(flow.ahead(flow.time), params.gravity, spare);
        let (outside, [west, east, north, south]) =
            inertial::limit::beyond(state, lattice, &edges, params.gravity, &self.counts());
        drop(edges);
        let tiles = &flow.workspace.sweep.tiles;
        let deepest = inertial::limit::deepest(state, tiles, spare).0;
        let rain = flow.exchange.greatest_rain().into();
        let mut values = [deepest, outside, west, east, north, south, rain];
        self.ask(&mut values, peers);
        let [deepest, outside, west, east, north, south, rain] = values;
        let flow = &self.flow;
        let inflow = inertial::limit::rise_of([west, east, north, south], &flow.lattice);
        let surge = Surge { outside, rise: self.fastest_rise(rain) + inflow };
        let waves = inertial::limit::wave_dt(deepest, surge, &flow.lattice, &flow.params);
        // Which cells are shallow is known only now, and so what others lose.
        let tiles = &flow.workspace.sweep.tiles;
        let all = deepest.max(outside);
        let mut loss = [inertial::limit::loss_of(&flow.state, tiles, all, &flow.spare).0];
        peers.greatest(&mut loss);
        inertial::limit::loss_dt(loss[0], waves, &flow.lattice).min(waves)
    }

    fn longest_shallow(&mut self, peers: &mut dyn Peers) -> f64 {
        let flow = &self.flow;
        let (state, lattice, spare) = (&flow.state, &flow.lattice, &flow.spare);
        let gravity = flow.params.gravity;
        let edges = flow.boundaries.at(flow.ahead(flow.time), gravity, spare);
        let counted = (&edges, &self.counts() as shallow::limit::Counts);
        let tiles = &flow.workspace.sweep.tiles;
        let rate = shallow::limit::rate(state, lattice, gravity, counted, tiles, spare).0;
        drop(edges);
        let mut values = [rate.into(), flow.exchange.greatest_rain().into()];
        self.ask(&mut values, peers);
        let [rate, rain] = values;
        let rise = self.fastest_rise(rain);
        shallow::limit::longest(rate as f32, &self.flow.lattice, gravity, rise)
    }
}
